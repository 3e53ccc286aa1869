//! Special registers, in three dimensions and in partial work-groups.

mod common;
use common::Run;

/// Stores a 32-bit value at the index of the work-item in the global range, x fastest.
fn probe(value: &str) -> String {
    format!(
        ".kernel @k(.param[8] %out) {{
            .reg .64b %to, %i, %w;
            .reg .32b %v, %gx, %gy, %gz, %sx, %sy;
            ld.param.64b %to, [%out];
            umad.32b %gx, %groupid.x, %enqueuedlocalsize.x, %localid.x;
            umad.32b %gy, %groupid.y, %enqueuedlocalsize.y, %localid.y;
            umad.32b %gz, %groupid.z, %enqueuedlocalsize.z, %localid.z;
            trunc.32b.64b %sx, %globalsize.x;
            trunc.32b.64b %sy, %globalsize.y;
            umad.32b %gz, %gz, %sy, %gy;
            umad.32b %gz, %gz, %sx, %gx;
            zext.64b.32b %i, %gz;
            shl.64b %i, %i, 2;
            {value}
            st.global.32b [%to + %i], %v;
        }}"
    )
}

/// Values by work-item of a range with partial work-groups at each edge.
fn values(value: &str) -> impl Fn(u64, u64, u64) -> u32 {
    const SIZE: [u64; 3] = [11, 7, 5];
    let done = Run::new(&probe(value))
        .sizes(SIZE, [4, 3, 2])
        .offset([100, 200, 300])
        .words("out", (SIZE[0] * SIZE[1] * SIZE[2]) as usize)
        .run()
        .ok();
    assert_eq!(done.outcome.statistics.work_groups, 3 * 3 * 3);
    let found = done.words("out");
    move |x, y, z| found[((z * SIZE[1] + y) * SIZE[0] + x) as usize]
}

fn check(value: &str, expected: impl Fn([u64; 3], [u64; 3], [u64; 3]) -> u64) {
    let found = values(value);
    for z in 0..5 {
        for y in 0..7 {
            for x in 0..11 {
                let group = [x / 4, y / 3, z / 2];
                let local = [x % 4, y % 3, z % 2];
                let size = [4.min(11 - group[0] * 4), 3.min(7 - group[1] * 3), 2.min(5 - group[2] * 2)];
                assert_eq!(u64::from(found(x, y, z)), expected(group, local, size), "{value} {x} {y} {z}");
            }
        }
    }
}

#[test]
fn ids_and_sizes() {
    let axes = ["x", "y", "z"];
    for d in 0..3 {
        let axis = axes[d];
        check(&format!("mov.32b %v, %groupid.{axis};"), |group, _, _| group[d]);
        check(&format!("mov.32b %v, %localid.{axis};"), |_, local, _| local[d]);
        // the actual size, and the one that was asked for.
        check(&format!("mov.32b %v, %localsize.{axis};"), |_, _, size| size[d]);
        check(&format!("mov.32b %v, %enqueuedlocalsize.{axis};"), |_, _, _| [4, 3, 2][d]);
        check(&format!("mov.32b %v, %groupcount.{axis};"), |_, _, _| 3);
        check(&format!("trunc.32b.64b %v, %globalsize.{axis};"), |_, _, _| [11, 7, 5][d]);
        check(&format!("trunc.32b.64b %v, %globaloffset.{axis};"), |_, _, _| [100, 200, 300][d]);
    }
}

#[test]
fn lanes_follow_the_actual_size() {
    // linear over the actual size of the work-group; no group here has more than 24 work-items.
    let linear = |local: [u64; 3], size: [u64; 3]| local[0] + size[0] * (local[1] + size[1] * local[2]);
    check("mov.32b %v, %laneid;", |_, local, size| linear(local, size));
    check("mov.32b %v, %subgroupsize;", |_, _, _| 32);
    check("mov.32b %v, %workdim;", |_, _, _| 3);
    // missing lanes are never active.
    check("mov.32b %v, %activemask;", |_, _, size| (1 << (size[0] * size[1] * size[2])) - 1);
}

#[test]
fn the_printf_buffer_is_null_by_default() {
    check("trunc.32b.64b %v, %printfbuffer;", |_, _, _| 0);
}

#[test]
fn lanes_of_later_subgroups() {
    let text = common::kernel("", "umad.32b %r, %laneid, 1000, %id;");
    let found = Run::new(&text).size(300, 100).words("out", 300).run().ok().words("out");
    for (index, &value) in found.iter().enumerate() {
        let id = index as u32 % 100;
        assert_eq!(value, id % 32 * 1000 + id);
    }
}
