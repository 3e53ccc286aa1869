//! What the host can give.

/// Most bytes of global memory where the host does not say how much it has.
const FALLBACK_LIMIT: u64 = 8 << 30;

/// Bytes that simulated memory may take together by default: three quarters of what is available on this host, so that
/// a launch with too large buffers ends in a message rather than in the end of other processes.
pub fn host_memory_limit() -> u64 {
    let available = available_memory().unwrap_or(FALLBACK_LIMIT);
    available / 4 * 3
}

#[cfg(target_os = "linux")]
fn available_memory() -> Option<u64> {
    let system = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| meminfo_available(&text));
    // A container may have less than its host.
    let container =
        std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|t| t.trim().parse().ok());
    match (system, container) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(not(target_os = "linux"))]
fn available_memory() -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn meminfo_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_available_line_is_read() {
        let text = "MemTotal:       100 kB\nMemFree:  1 kB\nMemAvailable:   24 kB\n";
        assert_eq!(meminfo_available(text), Some(24 * 1024));
        assert_eq!(meminfo_available("MemTotal: 100 kB\n"), None);
        assert_eq!(meminfo_available("MemAvailable: x kB\n"), None);
    }
}
