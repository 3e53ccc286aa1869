//! A line on a terminal that says what is going on and for how long, once it has taken two seconds.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work in progress; dropping it clears the line.
pub struct Progress {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins: `what` is a few words such as `checking a.pisa`. Shows nothing unless standard error is a terminal.
    pub fn start(what: impl Into<String>) -> Progress {
        let what = what.into();
        Progress::watching(move || what.clone())
    }

    /// The same, with words that change while the work goes on.
    pub fn watching(what: impl Fn() -> String + Send + 'static) -> Progress {
        if !stderr().is_terminal() {
            return Progress { thread: None };
        }
        let (sender, receiver) = channel::<()>();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || {
            let begin = Instant::now();
            let mut wait = Duration::from_secs(2);
            let mut shown = false;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(wait) {
                wait = Duration::from_millis(500);
                shown = true;
                let _ = write!(stderr(), "\r{}, {} s\u{1b}[K", what(), begin.elapsed().as_secs());
            }
            if shown {
                let _ = write!(stderr(), "\r\u{1b}[K");
            }
        });
        // Without a thread there is no progress, and no harm.
        Progress { thread: thread.ok().map(|thread| (sender, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}
