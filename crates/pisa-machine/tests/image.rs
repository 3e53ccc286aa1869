//! Programs in memory: addresses, initial values, frames, handles.

mod common;

use common::{load, program};
use pisa_machine::{FUNCTION_HANDLE_BASE, GENERIC_TAG, Image, LoadError, MAX_SHARED_SIZE, Memory};
use pisa_module::{FunctionId, VariableId};

const PROGRAM: &str = r#"
.global .align 4 @D[8] = { .16b 0xFFFF, .16b 0, .16b 0xFFFF, .16b 0 };
.global @raw[5];
.const .align 8 @FAddr[8] = { .64b @add };
.const .align 8 @DAddr[16] = { .64b @D, .64b @D+4 };
.const @mixed[9] = { .8b 1, .zero 2, .32b 0x04030201, .16b -2 };
.global .align 4 .host_access("my_global_var") @G[4] = { .32b 7 };
.global .align 8 @late[8] = { .64b @G-4 };
.function .32b @add(.reg .32b %a, .reg .32b %b) {
  .reg .32b %c;
  iadd.32b %c, %a, %b;
  return %c;
}
.function void @deep() {
  .private .align 64 @p[10];
  .private @q[3];
  .const @own[2] = { .16b 5 };
  .shared .align 8 @s[4];
}
.kernel @k() {
  .shared @t[1];
  .shared .align 16 @u[32];
  .private .align 4 @v[4];
}
"#;

fn bytes(image: &Image, memory: &Memory, name: &str) -> Vec<u8> {
    let id = image.variable(name).unwrap();
    let size = image.program.variable(id).size;
    let object = memory.find(image.address(id), size).unwrap();
    assert_eq!((object.address, object.size), (image.address(id), size));
    object.bytes().unwrap()
}

fn local(image: &Image, name: &str) -> VariableId {
    let position = image.program.module().variables.iter().position(|v| &*v.name == name).unwrap();
    VariableId(position as u32)
}

#[test]
fn globals_have_their_initial_values() {
    let (image, memory) = load(PROGRAM);
    assert_eq!(bytes(&image, &memory, "@D"), [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0]);
    assert_eq!(bytes(&image, &memory, "raw"), [0xCD; 5]);
    assert_eq!(bytes(&image, &memory, "mixed"), [1, 0, 0, 1, 2, 3, 4, 0xFE, 0xFF]);
    let d = image.address(image.variable("D").unwrap());
    assert_eq!(bytes(&image, &memory, "DAddr"), [d.to_le_bytes(), (d + 4).to_le_bytes()].concat());
    let g = image.address(image.variable("G").unwrap());
    assert_eq!(bytes(&image, &memory, "late"), (g - 4).to_le_bytes());
    let add = image.handle(image.function("add").unwrap());
    assert_eq!(bytes(&image, &memory, "FAddr"), add.to_le_bytes());
}

#[test]
fn objects_lie_at_exactly_their_alignment_and_const_is_read_only() {
    let (image, memory) = load(PROGRAM);
    for (name, align, writable) in
        [("D", 4, true), ("raw", 1, true), ("FAddr", 8, false), ("mixed", 1, false)]
    {
        let address = image.address(image.variable(name).unwrap());
        assert_eq!(1u64 << address.trailing_zeros(), align, "{name}");
        assert_eq!(address & GENERIC_TAG, 0);
        let object = memory.find(address, 1).unwrap();
        assert_eq!((object.writable, object.name.as_str()), (writable, format!("@{name}").as_str()));
    }
    // A local constant is one static object (V-15).
    let own = memory.find(image.address(local(&image, "own")), 2).unwrap();
    assert_eq!((own.bytes().unwrap(), own.writable), (vec![5, 0], false));
}

#[test]
fn shared_and_private_variables_have_their_places() {
    let (image, _) = load(PROGRAM);
    let mut ends = Vec::new();
    for (name, align) in [("s", 8u64), ("t", 1), ("u", 16)] {
        let id = local(&image, name);
        let (address, size) = (image.address(id), image.program.variable(id).size);
        assert_eq!(1 << address.trailing_zeros(), align, "{name}");
        ends.push((address, address + size));
    }
    ends.sort_unstable();
    assert!(ends.windows(2).all(|w| w[0].1 <= w[1].0), "{ends:?}");
    assert_eq!(u64::from(image.shared_size()), ends.last().unwrap().1);

    // Frames are stacked from 0 on, so an offset in them is as aligned as the address.
    let frame = u64::from(image.frame_align());
    assert!(frame.is_power_of_two() && frame >= 128);
    let deep = image.function("deep").unwrap();
    let (p, q) = (image.address(local(&image, "p")), image.address(local(&image, "q")));
    assert_eq!((1 << p.trailing_zeros(), 1 << q.trailing_zeros()), (64, 1));
    assert!(p + 10 <= q || q + 3 <= p);
    let size = u64::from(image.frame_size(deep));
    assert!(size.is_multiple_of(frame) && size >= (p + 10).max(q + 3));
    assert_eq!(image.frame_size(image.function("add").unwrap()), 0);
    assert!(image.frame_size(image.kernel("k").unwrap()) > 0);
}

#[test]
fn handles_are_those_of_functions_only() {
    let (image, _) = load(PROGRAM);
    let add = image.function("@add").unwrap();
    assert_eq!(image.function_of(image.handle(add)), Some(add));
    assert_eq!(image.function_of(image.handle(add) + 1), None);
    assert_eq!(image.function_of(image.handle(image.kernel("k").unwrap())), None);
    assert_eq!(image.function_of(image.handle(FunctionId(100))), None);
    for handle in [0, FUNCTION_HANDLE_BASE - 16, u64::MAX, image.address(image.variable("D").unwrap())] {
        assert_eq!(image.function_of(handle), None);
    }
}

#[test]
fn names_are_found() {
    let (image, _) = load(PROGRAM);
    assert!(
        image.variable("@D").is_some() && image.variable("own").is_none() && image.variable("").is_none()
    );
    assert_eq!(image.host_variable("my_global_var"), image.variable("G"));
    assert!(image.kernel("@k").is_some() && image.kernel("add").is_none() && image.function("x").is_none());
}

#[test]
fn programs_that_do_not_fit_are_refused() {
    let load =
        |body: &str, limit: u64| Image::load(program(body).0, &mut Memory::with_limit(limit)).unwrap_err();
    assert!(matches!(load(".global @a[0x10000000000];", 1 << 30), LoadError::Memory(_)));
    assert!(matches!(load(".const @a[4] = { .zero 4 };\n.global @b[60];", 63), LoadError::Memory(_)));
    let shared = format!(".kernel @k() {{ .shared @s[{}]; .shared @t[8]; }}", MAX_SHARED_SIZE - 4);
    assert_eq!(load(&shared, 1 << 30), LoadError::SharedMemory { variable: "@t".into() });
    let private = ".kernel @k() { .private @p[0xffffffff]; }";
    assert_eq!(
        load(private, 1 << 30),
        LoadError::PrivateMemory { variable: "@p".into(), function: "k".into() }
    );
}
