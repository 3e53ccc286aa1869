//! Launches against kernels: sizes, arguments, buffers, and what is said when they do not fit.

mod common;

use common::{load, program, spec};
use pisa_machine::*;

const KERNELS: &str = r#"
.const .align 4 @C[4] = { .32b 1 };
.global .align 4 @count[4] = { .32b 9 };
.global .align 8 .host_access("pointer") @P[8];
.kernel @softmax(.param[8] %x, .param[4] %n) { }
"#;
const ALL: &str = r#"
.global .align 4 @G[16];
.kernel @k(.param[8] .addrspace(global) .ptr_align(4096) %in, .param[1] .align(1) %flag, .param[4] .align(4) %n,
           .param[4] .addrspace(shared) %s, .param[8] .addrspace(shared) %t, .param[12] .align(4) %struct,
           .param[8] %p) {
  .shared .align 4 @own[4];
}
"#;

fn refuse(body: &str, spec: &LaunchSpec) -> LaunchError {
    let (image, mut memory) = load(body);
    spec.prepare(&image, &mut memory, &NoFiles).expect_err("the launch should be refused")
}
fn prepare(body: &str, spec: &LaunchSpec) -> (Prepared, Image, Memory) {
    let (image, mut memory) = load(body);
    let prepared = spec.prepare(&image, &mut memory, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    (prepared, image, memory)
}
fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(bytes[offset..offset + 8].try_into().unwrap())
}
fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap())
}

#[test]
fn a_wrong_size_is_explained_as_the_user_wrote_it() {
    let (program, sources) = program(KERNELS);
    let mut memory = Memory::with_limit(1 << 20);
    let image = Image::load(program, &mut memory).unwrap();
    let error =
        spec(&[64], &["x=zeros:f:64", "n=u64:1024"]).prepare(&image, &mut memory, &NoFiles).unwrap_err();
    assert_eq!(
        error.text(Some(&sources)),
        "the launch gives `n` 8 bytes, its parameter holds 4\n  \
         kernel @softmax(.param[8] %x, .param[4] %n), test.pisa:7\n  \
         you wrote:  n=u64:1024\n  \
         help: n=u32:1024"
    );
}

#[test]
fn a_number_for_a_pointer_is_no_matter_of_its_width() {
    let body = ".kernel @k(.param[8] .addrspace(global) %out) { return; }";
    let error = refuse(body, &spec(&[1], &["out=u32:5"]));
    assert_eq!(error.message, "the launch gives `out` 4 bytes, its parameter holds 8");
    assert_eq!(error.help.unwrap(), "`out=zeros:u32:64`");
}

#[test]
fn every_form_becomes_its_bytes() {
    let arguments = [
        "in=iota:u32:4",
        "flag=u8:1",
        "n=f:1.5",
        "s=shared:100",
        "t=shared:8",
        "struct=bytes:000102030405060708090a0b",
        "p=ptr:in+8",
    ];
    let (prepared, image, memory) = prepare(ALL, &spec(&[64], &arguments));
    let launch = &prepared.launch;
    let bytes = &launch.arguments;
    // Offsets by K-02: 0; 8; 12; 16; 24; 32; 48.
    assert_eq!(bytes.len(), 56);
    let buffer = prepared.locate(&image, "in").unwrap();
    assert_eq!(u64_at(bytes, 0), buffer.address);
    assert!(buffer.address.is_multiple_of(4096));
    assert_eq!(bytes[8..12], [1, 0xCD, 0xCD, 0xCD]);
    assert_eq!(u32_at(bytes, 12), 0x3FC0_0000);
    let (s, t) = (u32_at(bytes, 16), u64_at(bytes, 24));
    assert!(s >= image.shared_size() && s % 16 == 0 && t % 16 == 0 && t >= u64::from(s) + 100);
    assert_eq!(u64::from(launch.shared_size), t + 8);
    assert_eq!(bytes[20..24], [0xCD; 4]);
    assert_eq!(bytes[32..44], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(u64_at(bytes, 48), buffer.address + 8);
    let read = prepared.read(&memory, &buffer).unwrap();
    assert_eq!((read.ty, read.shape.as_slice()), (ElementType::U32, &[4][..]));
    assert_eq!(read.elements().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!((launch.global, launch.local, launch.dimensions), ([64, 1, 1], [64, 1, 1], 1));
}

#[test]
fn null_is_that_of_the_address_space() {
    let arguments = [
        "in=null",
        "flag=s8:-1",
        "n=u32:0",
        "s=null",
        "t=null",
        "struct=bytes:000000000000000000000000",
        "p=ptr:@G+16",
    ];
    let (prepared, image, _) = prepare(ALL, &spec(&[1], &arguments));
    let bytes = &prepared.launch.arguments;
    assert_eq!((u64_at(bytes, 0), u32_at(bytes, 16), u64_at(bytes, 24)), (0, u32::MAX, u64::from(u32::MAX)));
    assert_eq!(u64_at(bytes, 48), image.address(image.variable("G").unwrap()) + 16);
    assert_eq!(prepared.launch.shared_size, image.shared_size());
}

#[test]
fn forms_that_do_not_go_with_the_parameter_are_refused() {
    let good = [
        "in=null",
        "flag=u8:1",
        "n=u32:1",
        "s=shared:16",
        "t=null",
        "struct=bytes:000102030405060708090a0b",
        "p=null",
    ];
    let (_, _, _) = prepare(ALL, &spec(&[1], &good));
    for (wrong, part) in [
        ("in=shared:16", "points to global memory, the launch gives it shared memory"),
        ("in=u32:1", "gives `in` 4 bytes, its parameter holds 8"),
        ("in=ptr:s", "points to global memory, the launch gives it shared memory"),
        ("flag=u32:1", "gives `flag` 4 bytes, its parameter holds 1"),
        ("flag=null", "gets a null pointer, 8 bytes, its parameter holds 1"),
        ("n=zeros:u32:4", "gets the address of a buffer, 8 bytes, its parameter holds 4"),
        ("n=bytes:0102", "gives `n` 2 bytes, its parameter holds 4"),
        ("s=zeros:u32:4", "points to shared memory, the launch gives it a buffer in global memory"),
        ("s=shared:16777217", "needs more than 16777216 bytes of shared memory"),
        ("s=shared:18446744073709551615", "needs more than 16777216 bytes of shared memory"),
        ("s=ptr:@G", "gets the global address"),
        ("t=u32:5", "gives `t` 4 bytes, its parameter holds 8"),
        ("struct=u64:1", "gives `struct` 8 bytes, its parameter holds 12"),
        ("struct=shared:4", "gets a shared address, 4 or 8 bytes, its parameter holds 12"),
        ("p=ptr:nothing", "there is no buffer `nothing` to point to"),
        ("p=ptr:@H", "there is no global variable `@H`"),
        ("p=ptr:@G+17", "points past `@G`, which has 16 bytes"),
        ("p=ptr:s+17", "points past `s`, which has 16 bytes"),
        ("p=@x.npy", "this launch has no files"),
        ("p=zeros:u8:100000000000", "it takes 100000000000 bytes"),
    ] {
        let name = wrong.split_once('=').unwrap().0;
        let arguments: Vec<&str> =
            good.iter().map(|g| if g.split_once('=').unwrap().0 == name { wrong } else { g }).collect();
        let error = refuse(ALL, &spec(&[1], &arguments));
        assert!(error.message.contains(part), "{wrong}: {error}");
        assert_eq!(error.wrote.as_deref(), Some(wrong));
        assert!(error.kernel.is_some());
    }
    // A shared address may go to a parameter without an address space.
    let mut arguments = good;
    arguments[6] = "p=ptr:s+16";
    let (prepared, ..) = prepare(ALL, &spec(&[1], &arguments));
    let bytes = &prepared.launch.arguments;
    assert_eq!(u64_at(bytes, 48), u64::from(u32_at(bytes, 16)) + 16);
}

#[test]
fn arguments_are_matched_by_name_or_in_order() {
    let positional = |values: &[&str]| {
        let mut spec = spec(&[1], &[]);
        spec.arguments = values.iter().map(|v| Argument::parse_positional(v).unwrap()).collect();
        spec
    };
    let (prepared, ..) = prepare(KERNELS, &positional(&["u64:7", "u32:8"]));
    assert_eq!((u64_at(&prepared.launch.arguments, 0), u32_at(&prepared.launch.arguments, 8)), (7, 8));
    for (spec, message, help) in [
        (
            positional(&["null", "u32:8", "u32:9"]),
            "gives 3 arguments in order, the kernel has 2 parameters",
            "",
        ),
        (spec(&[1], &["x=null"]), "`n` has no value", "for example `n=u32:0`"),
        (spec(&[1], &[]), "`x`, `n` have no value", "`x=zeros:u32:64`"),
        (spec(&[1], &["x=null", "n=u32:1", "n=u32:2"]), "`n` gets two values", ""),
        (
            spec(&[1], &["x=null", "n=u32:1", "xx=u32:2"]),
            "the kernel has no parameter `xx`",
            "parameters are `x`, `n`",
        ),
        (
            spec(&[1], &["x=null", "n=u32:1", "count=u32:2"]),
            "the kernel has no parameter `count`",
            "are `x`, `n`",
        ),
        (
            spec(&[1], &["x=null", "n=u32:1", "@cuont=u32:2"]),
            "no global variable `@cuont`",
            "did you mean `@count`?",
        ),
        (spec(&[1], &["x=null", "n=u32:1", "@count=u32:2", "@count=u32:2"]), "`@count` gets two values", ""),
    ] {
        let error = refuse(KERNELS, &spec);
        assert!(error.message.contains(message), "{error}");
        assert!(error.help.unwrap_or_default().contains(help), "{message}");
    }
}

#[test]
fn kernels_are_found_or_suggested() {
    let body = ".kernel @scan() { }\n.kernel @reduce() { }\n.function void @help() { return; }";
    let with = |name: Option<&str>| LaunchSpec { kernel: name.map(str::to_owned), ..spec(&[1], &[]) };
    let (prepared, image, _) = prepare(body, &with(Some("@reduce")));
    assert_eq!(&*image.program.function(prepared.launch.kernel).name, "reduce");
    assert_eq!(refuse(body, &with(Some("scn"))).help.unwrap(), "did you mean `scan`?");
    assert_eq!(refuse(body, &with(Some("sort"))).help.unwrap(), "kernels are `scan`, `reduce`");
    assert_eq!(refuse(body, &with(None)).message, "the program has 2 kernels; which?");
    assert!(
        refuse(body, &with(Some("help"))).message.contains("is a function; only kernels can be launched")
    );
    assert_eq!(refuse(".global @a[4];", &with(None)).message, "the program has no kernel");
    assert!(refuse(".global @a[4];", &with(None)).help.unwrap().contains("-f NAME"));
    assert!(refuse(".global @a[4];", &with(Some("k"))).help.unwrap().contains("has no kernel"));
}

#[test]
fn sizes_are_held_to_their_limits() {
    let with = |global: &[u64], local: Option<&[u64]>| {
        let mut spec = spec(global, &["x=null", "n=u32:1"]);
        spec.local = local.map(|l| Extent::new(l).unwrap());
        spec
    };
    let sizes = |global: &[u64], local: Option<&[u64]>| {
        let launch = prepare(KERNELS, &with(global, local)).0.launch;
        (launch.global, launch.local, launch.dimensions)
    };
    assert_eq!(sizes(&[1000], None), ([1000, 1, 1], [256, 1, 1], 1));
    assert_eq!(sizes(&[20, 7], None), ([20, 7, 1], [20, 1, 1], 2));
    assert_eq!(sizes(&[20, 7, 3], Some(&[8, 4])), ([20, 7, 3], [8, 4, 1], 3));
    assert_eq!(sizes(&[5], Some(&[1024])), ([5, 1, 1], [1024, 1, 1], 1));
    // u32::MAX work-groups fit, each of 1024.
    let most = u64::from(u32::MAX) * 1024;
    assert_eq!(sizes(&[most], Some(&[1024])).0, [most, 1, 1]);
    for (global, local, part) in [
        (&[0][..], None, "the global size is 0 along x"),
        (&[4, 0], None, "the global size is 0 along y"),
        (&[4], Some(&[0][..]), "the work-group size is 0 along x"),
        (&[4], Some(&[1025]), "a work-group of 1025,1,1 has 1025 work-items, at most 1024 fit"),
        (&[4, 4], Some(&[64, 32]), "has 2048 work-items"),
        (&[4], Some(&[u64::MAX, u64::MAX]), "has too many work-items"),
        (&[most + 1], Some(&[1024]), "there are 4294967296 work-groups along x"),
        (&[u64::MAX], None, "is too large"),
        (&[1 << 24, 1 << 24, 1 << 24], None, "is too large"),
        (&[u64::MAX, 2, 1 << 63], None, "is too large"),
    ] {
        let error = refuse(KERNELS, &with(global, local));
        assert!(error.message.contains(part), "{error}");
    }
    let mut far = with(&[2], None);
    far.offset = Extent::new(&[u64::MAX]);
    assert!(refuse(KERNELS, &far).message.contains("exceed 64 bits"));
    far.offset = Extent::new(&[u64::MAX - 2, 5]);
    assert_eq!(prepare(KERNELS, &far).0.launch.offset, [u64::MAX - 2, 5, 0]);
}

#[test]
fn a_required_work_group_size_is_kept() {
    let body = ".kernel .reqd_work_group_size(8, 4, 1) @k() { }";
    let with = |global: &[u64], local: Option<&[u64]>| LaunchSpec {
        local: local.map(|l| Extent::new(l).unwrap()),
        ..spec(global, &[])
    };
    assert_eq!(prepare(body, &with(&[16, 8], None)).0.launch.local, [8, 4, 1]);
    assert_eq!(prepare(body, &with(&[16, 8], Some(&[8, 4]))).0.launch.local, [8, 4, 1]);
    let error = refuse(body, &with(&[16, 8], Some(&[16])));
    assert_eq!(error.message, "the work-group size is 16,1,1, the kernel requires 8,4,1");
    assert_eq!(error.kernel.unwrap().0, ".reqd_work_group_size(8, 4, 1) @k()");
    let error = refuse(body, &with(&[16, 7], None));
    assert!(error.message.contains("along y is 7, no multiple of the 4"), "{}", error.message);
    assert_eq!(error.help.unwrap(), "the next whole size is `-g 16,8,1`");
}

#[test]
fn globals_get_values_and_give_them_back() {
    let good = ["x=buf:u8:1,2", "n=u32:1"];
    let with = |more: &[&str]| spec(&[1], &[&good[..], more].concat());
    let (prepared, image, memory) = prepare(KERNELS, &with(&["@count=u32:77", "@pointer=ptr:x+1"]));
    let read = |name: &str| prepared.read(&memory, &prepared.locate(&image, name).unwrap()).unwrap();
    assert_eq!((read("@count").ty, read("@count").bytes), (ElementType::U32, vec![77, 0, 0, 0]));
    let x = prepared.locate(&image, "x").unwrap().address;
    assert_eq!(read("@P").bytes, (x + 1).to_le_bytes());
    assert_eq!(read("@pointer").bytes, read("@P").bytes);
    // A variable without a value reads as bytes.
    assert_eq!((read("@C").ty, read("@C").bytes), (ElementType::U8, vec![1, 0, 0, 0]));
    for (wrong, part) in [
        ("@C=u32:1", "is in constant memory"),
        ("@count=u64:1", "the launch gives `@count` 8 bytes, it has 4"),
        ("@count=zeros:u8:3", "the launch gives `@count` 3 bytes, it has 4"),
        ("@count=null", "the launch gives `@count` 8 bytes, it has 4"),
        ("@P=shared:8", "is global memory, `shared:` is for kernel parameters"),
        ("@P=ptr:y", "there is no buffer `y`"),
    ] {
        let error = refuse(KERNELS, &with(&[wrong]));
        assert!(error.message.contains(part), "{error}");
        assert_eq!(error.wrote.as_deref(), Some(wrong));
    }
    assert!(prepared.locate(&image, "n").unwrap_err().message.contains("is not a buffer"));
    assert!(prepared.locate(&image, "y").unwrap_err().help.unwrap().contains("buffers are `x`"));
    assert!(prepared.locate(&image, "@conut").unwrap_err().help.unwrap().contains("`@count`"));
}

#[test]
fn other_buffers_can_be_pointed_to() {
    let mut launch = spec(&[1], &["x=ptr:extra+4", "n=u32:1"]);
    launch.buffers = vec![Argument::parse_named("extra=uninit:u16:4").unwrap()];
    let (prepared, image, memory) = prepare(KERNELS, &launch);
    let extra = prepared.locate(&image, "extra").unwrap();
    assert_eq!(u64_at(&prepared.launch.arguments, 0), extra.address + 4);
    assert!(!extra.initialized);
    assert_eq!(prepared.read(&memory, &extra).unwrap().elements().next(), Some(0xCDCD));
    for (wrong, part) in [("n=zeros:u8:1", "`n` gets two values"), ("e=u32:1", "must be a buffer")] {
        launch.buffers = vec![Argument::parse_named(wrong).unwrap()];
        assert!(refuse(KERNELS, &launch).message.contains(part), "{wrong}");
    }
}

#[test]
fn empty_buffers_are_buffers() {
    let (prepared, image, memory) = prepare(KERNELS, &spec(&[1], &["x=zeros:u32:0", "n=u32:1"]));
    let x = prepared.locate(&image, "x").unwrap();
    assert_ne!(x.address, 0);
    assert_eq!(prepared.read(&memory, &x).unwrap().count(), 0);
    assert!(memory.find(x.address, 1).is_none());
}

#[test]
fn the_printf_buffer_counts_its_bytes() {
    let mut launch = spec(&[1], &["x=null", "n=u32:1"]);
    assert_eq!(prepare(KERNELS, &launch).0.launch.printf_buffer, 0);
    launch.printf_size = Some(64);
    let (prepared, _, memory) = prepare(KERNELS, &launch);
    assert!(prepared.printf_output(&memory).is_empty());
    let object = memory.find(prepared.launch.printf_buffer, 64).unwrap();
    object.write(0, &[7, 0, 0, 0, b'h', b'i', b'!']);
    assert_eq!(prepared.printf_output(&memory), b"hi!");
    // A count beyond the buffer means all of it.
    object.write(0, &u32::MAX.to_le_bytes());
    assert_eq!(prepared.printf_output(&memory).len(), 60);
    object.write(0, &[0; 4]);
    assert!(prepared.printf_output(&memory).is_empty());
    launch.printf_size = Some(3);
    assert!(refuse(KERNELS, &launch).message.contains("has 3 bytes"));
    launch.printf_size = Some(u64::MAX);
    assert!(refuse(KERNELS, &launch).message.contains("no memory for `printf`"));
}

#[test]
fn expectations_meet_buffers() {
    let (prepared, image, memory) = prepare(KERNELS, &spec(&[1], &["x=buf:bf:1,2", "n=u32:1"]));
    let check = |text: &str| {
        let expectation = Expectation::parse(text).unwrap().prepare(&prepared, &image, &NoFiles, 1 << 20)?;
        expectation.check(&prepared, &memory)
    };
    assert_eq!(check("x=buf:bf:1,2"), Ok(None));
    // The bits of bf as files have them.
    assert_eq!(check("x=buf:u16:0x3f80,0x4000"), Ok(None));
    assert_eq!(check("x=bytes:803f0040"), Ok(None));
    assert_eq!(check("@count=u32:9"), Ok(None));
    assert_eq!(check("@count=buf:u8:9,0,0,0"), Ok(None));
    let mismatch = check("x=buf:bf:1,3~ulp:1").unwrap().unwrap();
    assert_eq!((mismatch.count, mismatch.first.index), (1, 1));
    assert_eq!(
        mismatch.to_string().lines().nth(1).unwrap().trim(),
        "first at [1]: got 2.0 (0x4000), expected 3.0 (0x4040), 64 ULP off"
    );
    for (wrong, part) in [
        ("x=buf:f:1", "`x` holds bf, the expectation is f"),
        ("x=buf:bf:1", "`x` has 2 elements, the expectation has 1"),
        ("x=shared:4", "is not a buffer"),
        ("y=zeros:u8:1", "there is no buffer `y`"),
        ("n=u32:1", "`n` is not a buffer"),
        ("@count=u32:9~ulp:1", "`ulp` is for floats"),
        ("x=@x.npy", "this launch has no files"),
        ("x=zeros:bf:999999999", "it takes 1999999998 bytes"),
    ] {
        let error = check(wrong).unwrap_err();
        assert!(error.message.contains(part), "{wrong}: {error}");
        assert_eq!(error.wrote.as_deref(), Some(wrong));
    }
}

#[test]
fn shapes_come_from_files_and_go_to_files() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.pgm"), b"P5 3 2 255\nabcdef").unwrap();
    let files = Directory::new(directory.path());
    let (image, mut memory) = load(KERNELS);
    let prepared = spec(&[1], &["x=@a.pgm", "n=u32:1"]).prepare(&image, &mut memory, &files).unwrap();
    let x = prepared.read(&memory, &prepared.locate(&image, "x").unwrap()).unwrap();
    assert_eq!(x.shape, [2, 3]);
    SaveTarget::parse("@b.png").unwrap().save(&x, &files).unwrap();
    let again = spec(&[1], &["x=@b.png", "n=u32:1"]).prepare(&image, &mut memory, &files).unwrap();
    let y = again.read(&memory, &again.locate(&image, "x").unwrap()).unwrap();
    assert_eq!(y, x);
}
