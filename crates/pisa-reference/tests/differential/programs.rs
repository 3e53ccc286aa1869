//! Small programs about what single instructions do not show.

use crate::compare_launch;

/// A program that stores values of every work-item, for work-groups of any shape.
fn program(functions: &str, declarations: &str, code: &str, results: &[&str]) -> String {
    let stores: String = results
        .iter()
        .enumerate()
        .map(|(i, result)| {
            let (register, bits) = result.split_once(':').unwrap_or((result, "32"));
            format!("st.global.{bits}b [%out + {}], {register};\n", 16 * i)
        })
        .collect();
    // The number of a work-item: x + y * 64 + z * 4096 of its global id.
    format!(
        "{functions}
        .kernel @k(.param[8] %o) {{
        .reg .64b %out, %n; .reg .32b %x, %y, %z, %g;
        {declarations}
        mov.32b %x, %groupid.x; mov.32b %g, %localid.x; umad.32b %x, %x, %enqueuedlocalsize.x, %g;
        mov.32b %y, %groupid.y; mov.32b %g, %localid.y; umad.32b %y, %y, %enqueuedlocalsize.y, %g;
        mov.32b %z, %groupid.z; mov.32b %g, %localid.z; umad.32b %z, %z, %enqueuedlocalsize.z, %g;
        shl.32b %y, %y, 6; shl.32b %z, %z, 12; iadd.32b %x, %x, %y; iadd.32b %x, %x, %z;
        zext.64b.32b %n, %x;
        ld.param.64b %out, [%o];
        umad.64b %out, %n, {}, %out;
        {code}
        {stores}
        }}",
        16 * results.len().max(1)
    )
}

/// Runs it over several shapes.
fn check(text: &str) {
    let output = vec![0xEE; 4 * 4096 * 16 * 18];
    for (dimensions, global, local) in [
        (1, [32, 1, 1], [32, 1, 1]),
        (1, [1, 1, 1], [1, 1, 1]),
        (1, [50, 1, 1], [20, 1, 1]),
        (2, [13, 7, 1], [5, 4, 1]),
        (3, [9, 6, 4], [4, 3, 2]),
        (3, [40, 3, 2], [33, 2, 2]),
    ] {
        let shape = |launch: &mut pisa_machine::Launch| {
            (launch.dimensions, launch.global, launch.local) = (dimensions, global, local);
            launch.offset = [3, 5, 1 << 40];
            launch.printf_buffer = 0x1234_5678_9ABC;
        };
        if let Err(error) = compare_launch(text, 1, &[&output], &shape) {
            panic!("{global:?} in groups of {local:?}: {error}\n{text}");
        }
    }
}

#[test]
fn special_registers() {
    let registers = [
        "%activemask:32",
        "%enqueuedlocalsize.x:32",
        "%enqueuedlocalsize.z:32",
        "%globaloffset.x:64",
        "%globaloffset.z:64",
        "%globalsize.y:64",
        "%groupcount.x:32",
        "%groupcount.y:32",
        "%groupid.x:32",
        "%groupid.z:32",
        "%laneid:32",
        "%localid.x:32",
        "%localid.y:32",
        "%localid.z:32",
        "%localsize.x:32",
        "%localsize.y:32",
        "%printfbuffer:64",
        "%workdim:32",
    ];
    let mut code = String::new();
    let mut results = Vec::new();
    let mut declarations = String::new();
    for (i, register) in registers.iter().enumerate() {
        let (name, bits) = register.split_once(':').unwrap();
        declarations += &format!(".reg .{bits}b %v{i};");
        code += &format!("mov.{bits}b %v{i}, {name};\n");
        results.push(format!("%v{i}:{bits}"));
    }
    let results: Vec<&str> = results.iter().map(String::as_str).collect();
    check(&program("", &declarations, &code, &results));
}

#[test]
fn arguments_and_results_of_every_shape() {
    let functions = "
        .function .v4.32b @v(.reg .v4.32b %a, .reg .8b %b, .reg .128b %c) {
            .reg .32b %t; .reg .v4.32b %w;
            mov.128b %w.xyzw, %c; zext.32b.8b %t, %b; mov.32b %a.y, %t; mov.32b %a.z, %w.z; return %a; }
        .function .128b @i() { return -3; }
        .function .64b @j(.reg .16b %a) { .reg .64b %r; sext.64b.16b %r, %a; return %r; }";
    let declarations =
        ".reg .v4.32b %v; .reg .8b %b; .reg .128b %c, %d; .reg .64b %e; .reg .16b %h; .pred %p;";
    let code = "mov.32b %v.x, %x; mov.32b %v.w, %laneid; trunc.8b.32b %b, %x; trunc.16b.32b %h, %x;
        mov.128b %c, -2; mov.128b %d, 0x10;
        and.32b %g, %x, 1; ucmp.eq.32b %p, %g, 0;
        call.cond %p, %v, @v(%v, %b, %c);
        call.cond !%p, %d, @i();
        call %e, @j(%h);
        mov.32b %g, %v.z; mov.32b %y, %v.y; mov.32b %z, %v.w;";
    let stores = ["%g", "%y", "%z", "%e:64", "%d:relaxed.128"];
    check(&program(functions, declarations, code, &stores));
}

#[test]
fn calls_through_registers_with_another_signature() {
    let functions = "
        .function .64b @f(.reg .32b %a, .reg .64b %b) { return %b; }
        .function void @g(.reg .32b %a) { return; }
        .function .32b @h(.reg .v2.16b %a) { .reg .32b %r; mov.32b %r, %a.xy; return %r; }";
    let declarations = ".reg .64b %t, %r; .reg .32b %s; .pred %p;";
    let code = "mov.64b %r, 7; mov.32b %s, 7;
        addrof.64b %t, @f; call %s, %t(%x);
        addrof.64b %t, @g; call %r, %t(%r, %x);
        addrof.64b %t, @h; call %x, %t(%x);
        addrof.64b %t, @f; call void, %t(%x, %r);";
    check(&program(functions, declarations, code, &["%s", "%r:64", "%x"]));
}

#[test]
fn private_memory_of_activations() {
    // Each activation has its own variable; addresses go down the calls as generic ones.
    let functions = "
        .function .32b @r(.reg .32b %n, .reg .64b %up) {
            .private .align 8 @v[12]; .reg .64b %me; .reg .32b %a, %b, %c; .pred %p;
            ld.private.32b %a, [@v];
            st.private.32b [@v + 4], %n;
            addrof.32b %b, @v; addrcast.generic.private %me, %b;
            ucmp.eq.32b %p, %n, 0;
            goto.cond %p, END;
            isub.32b %c, %n, 1;
            call %c, @r(%c, %me);
            iadd.32b %a, %a, %c;
            END:
            ld.generic.32b %c, [%up + 4];
            st.generic.32b [%up + 8], %n;
            ld.private.32b %n, [@v + 8];
            umad.32b %a, %a, 31, %c; umad.32b %a, %a, 31, %n; iadd.32b %a, %a, %b;
            return %a; }";
    let declarations = ".private .align 16 @w[24]; .reg .64b %up; .reg .32b %d;";
    let code = "addrof.32b %g, @w; addrcast.generic.private %up, %g;
        st.private.32b [@w + 4], %x; and.32b %d, %x, 7;
        call %d, @r(%d, %up);
        ld.private.32b %g, [@w + 8];
        ld.private.32b %y, [%y];";
    check(&program(functions, declarations, code, &["%d", "%g", "%y"]));
}

#[test]
fn registers_without_a_value() {
    let functions = ".function .32b @f(.reg .32b %a) { .reg .32b %u; .reg .16b %h; .reg .v4.8b %v; .pred %p;
        goto.cond %p, L;
        mov.16b %h, 5;
        L:
        zext.32b.16b %a, %h; mov.32b %u, %v.xyzw; xor.32b %a, %a, %u; return %a; }";
    let declarations = ".reg .32b %d, %u; .reg .64b %e; .reg .128b %w; .reg .v8.32b %v; .pred %p;";
    let code = "call %d, @f(%u); sel.32b %g, 1, 2, %p; extract.7.32b %y, %v;";
    check(&program(functions, declarations, code, &["%d", "%g", "%y", "%e:64", "%w:relaxed.128"]));
}

#[test]
fn subgroups_of_a_group_meet_at_barriers() {
    let declarations = ".shared .align 4 @s[8192]; .reg .32b %a, %b, %c, %i; .pred %p;";
    // A sum over the work-group, done by every work-item in its own order.
    let code = "umul.32b %a, %localid.z, %localsize.y; iadd.32b %a, %a, %localid.y;
        umul.32b %a, %a, %localsize.x; iadd.32b %a, %a, %localid.x;
        shl.32b %b, %a, 2; st.shared.32b [@s + %b], %x;
        barrier.workgroup;
        umul.32b %c, %localsize.x, %localsize.y; umul.32b %c, %c, %localsize.z; shl.32b %c, %c, 2;
        mov.32b %i, 0; mov.32b %y, 0;
        L:
        ld.shared.32b %b, [@s + %i];
        umad.32b %y, %y, 3, %b;
        iadd.32b %i, %i, 4;
        ucmp.lt.32b %p, %i, %c;
        goto.cond %p, L;
        barrier.workgroup;
        shl.32b %b, %a, 2; st.shared.32b [@s + %b], %y;
        barrier.workgroup;
        ld.shared.32b %z, [@s + 0];";
    check(&program("", declarations, code, &["%y", "%z"]));
}

#[test]
fn traps_name_the_same_lane() {
    let functions = ".const .align 4 @c[4] = {.32b 1};
        .function void @deep() { call void, @deep(); return; }";
    let declarations = ".reg .64b %t; .reg .16b %h; .pred %p;";
    for code in [
        "call void, @deep();",
        "zext.64b.32b %t, %x; call void, %t();",
        "addrof.64b %t, @c; ucmp.gt.32b %p, %laneid, 0; goto.cond %p, L; return;\nL:\nst.global.32b [%t], %x;",
        "addrof.64b %t, @c; iatom.global.inc.32b %g, [%t];",
        "addrof.64b %t, @c; iatom.global.inc.16b %h, [%t + 1];",
        "L:\nld.global.relaxed.32b %g, [%out];\nucmp.ne.32b %p, %g, 0;\ngoto.cond %p, L;",
    ] {
        let text = program(functions, declarations, code, &[]);
        // A single sub-group, so that no other one can stop first.
        let output = vec![0xEE; 1 << 16];
        let shape = |launch: &mut pisa_machine::Launch| {
            (launch.global, launch.local) = ([32, 1, 1], [32, 1, 1]);
        };
        if let Err(error) = compare_launch(&text, 1, &[&output], &shape) {
            panic!("{error}\n{text}");
        }
    }
}
