//! What is printed is read again, and what cannot be read is told where and why.

use super::*;
use crate::cross_lane::*;
use crate::function::*;
use crate::operation::*;
use crate::samples::*;
use crate::signature::{Allowed, Signature, TypeRule};
use crate::text::{print, same};
use crate::verify::verify;
use pisa_diag::Sources;
use pisa_isa::{Chapter, OperandKind as TableOperand, SlotName, Value as SlotValue};
use pisa_module::{FunctionId, ParameterId, RegisterType, SpecialRegister};

/// Prints, reads and prints again.
fn goes_round(module: &Module) {
    assert_eq!(verify(module), []);
    let text = print(module);
    let parsed = parse_and_verify(FileId(0), &text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let again = parsed.module.expect("a module");
    assert!(same(module, &again), "{text}");
    assert_eq!(print(&again), text);
}

#[test]
fn the_sample_goes_round() {
    goes_round(&sample());
}

/// A kernel with one block.
fn kernel_module(build: impl FnOnce(&mut Function, Block)) -> Module {
    let mut module = sample();
    let mut function = kernel("many", &["in"]);
    let entry = function.append_block();
    build(&mut function, entry);
    module.functions.push(function);
    module
}

/// Operands that a signature takes, and the results that it gives.
fn operands(function: &mut Function, block: Block, signature: &Signature) -> Vec<Operand> {
    let mut operands = Vec::new();
    for (i, shape) in signature.operands.iter().enumerate() {
        let ty = match shape.ty {
            TypeRule::Exactly(ty) => ty,
            TypeRule::ScalarUpTo(bits) => RegisterType::scalar(bits),
            TypeRule::VectorOf(bits) => RegisterType { elements: 64, bits },
            TypeRule::Vector => RegisterType { elements: 4, bits: 32 },
            TypeRule::Any => B32,
        };
        let operand = match shape.allowed {
            Allowed::Variable => Operand::Variable(VariableId(1)),
            Allowed::Function => Operand::Function(FunctionId(1)),
            Allowed::Parameter => Operand::Parameter(ParameterId(0)),
            // Constants and special registers in some places, values in the others.
            _ if i % 3 == 1 && ty.total_bits() <= 128 && shape.constant.is_some() => {
                Operand::Constant(Constant::new(0x1234_5678_9abc_def0 >> i, shape.constant.unwrap_or(ty)))
            }
            _ if i % 3 == 2 && ty == B32 => Operand::Special(SpecialRegister::LaneId),
            _ => function.append_value(block, Operation::Initial, [], ty).into(),
        };
        operands.push(operand);
    }
    operands
}

fn append(function: &mut Function, block: Block, operation: Operation) {
    let signature = Signature::of(&operation, &[], 0, &[]);
    let operands = operands(function, block, &signature);
    let results = signature.results.iter().map(|rule| match rule {
        TypeRule::Exactly(ty) => *ty,
        TypeRule::VectorOf(bits) => RegisterType { elements: 64, bits: *bits },
        _ => B32,
    });
    let results: Vec<RegisterType> = results.collect();
    function.append(block, operation, operands, results, None);
}

#[test]
fn every_form_of_the_table_goes_round() {
    let mut count = 0;
    let module = kernel_module(|function, entry| {
        for row in pisa_isa::FORMS {
            let is_ours = matches!(row.opcode.chapter(), Chapter::ControlFlow | Chapter::CrossLane);
            let has_swizzle = row.operands.iter().any(|operand| operand.kind == TableOperand::Swizzle);
            if is_ours || has_swizzle {
                continue;
            }
            let is_mov = row.opcode == pisa_isa::Opcode::Mov;
            // Every combination of the forms with few, some of those with many.
            let combinations: Vec<_> = row.combinations().collect();
            let step = combinations.len().div_ceil(12);
            for values in combinations.into_iter().step_by(step.max(1)) {
                // Sub-vectors stand at multiples of their length; `addrof` is of a variable with that address.
                let index = row.slot(SlotName::Index).map(|(i, _)| i);
                if index.is_some_and(|i| values[i] != SlotValue::Number(0)) {
                    continue;
                }
                let operation = Operation::Table { form: row.id(), qualifiers: values };
                if row.opcode == pisa_isa::Opcode::Addrof
                    && row.value(&values, SlotName::Type) == Some(pisa_isa::Qualifier::B32)
                {
                    continue;
                }
                if is_mov {
                    let bits = row.value(&values, SlotName::Type).and_then(pisa_isa::Qualifier::bits);
                    let ty = RegisterType::scalar(bits.expect("a type") as u8);
                    function.append(entry, operation, [Operand::Constant(Constant::new(7, ty))], [ty], None);
                } else {
                    append(function, entry, operation);
                }
                count += 1;
            }
        }
    });
    assert!(count > 600, "{count}");
    goes_round(&module);
}

#[test]
fn every_operation_of_ours_goes_round() {
    use CrossLaneKind as K;
    let full = ClusterSize::FULL;
    let eight = ClusterSize::new(8).expect("a size");
    let mut kinds =
        vec![K::ActiveMask, K::Elect, K::FirstParticipant, K::ReadInvocation, K::ReadFirstInvocation];
    kinds.extend([K::Ballot { bits: 32 }, K::Ballot { bits: 64 }, K::VoteAny, K::VoteAll, K::VoteAllEqual]);
    kinds.extend([K::Rotate(full), K::Rotate(eight), K::QuadBroadcast, K::QuadAny, K::QuadAll]);
    kinds.extend([Axis::Horizontal, Axis::Vertical, Axis::Diagonal].map(K::QuadSwap));
    kinds.extend([K::MatchAny, K::MatchAll]);
    for kind in [ShuffleKind::Index, ShuffleKind::Xor, ShuffleKind::Up, ShuffleKind::Down] {
        kinds.extend([true, false].map(|segmented| K::Shuffle { kind, segmented }));
    }
    for &reduction in Reduction::ALL {
        for scope in [Scope::Reduce, Scope::Inclusive, Scope::Exclusive] {
            for (cluster, partitioned) in [(full, false), (full, true), (eight, false)] {
                kinds.push(K::Reduce { reduction, scope, cluster, partitioned });
            }
        }
    }
    for axis in [Axis::Horizontal, Axis::Vertical] {
        kinds.extend([true, false].map(|fine| K::Derivative { axis, fine }));
    }
    let elements = [
        Element::I8,
        Element::I16,
        Element::I32,
        Element::I64,
        Element::Hf,
        Element::Bf,
        Element::F,
        Element::Df,
        Element::Hfx2,
        Element::Bfx2,
        Element::Predicate,
    ];
    let mut count = 0;
    let module = kernel_module(|function, entry| {
        for &kind in &kinds {
            for element in elements {
                for inactive in [InactiveSource::Own, InactiveSource::Undefined] {
                    let operation = CrossLane { kind, element, inactive };
                    if crate::verify::is_well_formed(&operation) {
                        append(function, entry, Operation::CrossLane(operation));
                        count += 1;
                    }
                }
            }
        }
        for lanes in
            [LaneMask::Equal, LaneMask::GreaterEqual, LaneMask::Greater, LaneMask::LessEqual, LaneMask::Less]
        {
            append(function, entry, Operation::Mask(MaskOperation::Lanes(lanes)));
        }
        for scope in [Scope::Reduce, Scope::Inclusive, Scope::Exclusive] {
            append(function, entry, Operation::Mask(MaskOperation::BitCount(scope)));
        }
        for mask in [
            MaskOperation::InverseBallot,
            MaskOperation::BitExtract,
            MaskOperation::FindLeast,
            MaskOperation::FindMost,
        ] {
            append(function, entry, Operation::Mask(mask));
        }
        let four = RegisterType { elements: 4, bits: 32 };
        let vector = function.append_value(entry, Operation::Initial, [], four);
        let vector_operation = |operation| Operation::Vector(operation);
        let pair = RegisterType { elements: 2, bits: 32 };
        let extract = vector_operation(VectorOperation::Extract { first: 2 });
        let part = function.append_value(entry, extract, [vector.into()], pair);
        let insert = vector_operation(VectorOperation::Insert { first: 1 });
        function.append(entry, insert, [vector.into(), part.into()], [four], None);
        let packed = vector_operation(VectorOperation::Pack);
        let packed = function.append_value(entry, packed, [vector.into()], RegisterType::scalar(128));
        let unpack = vector_operation(VectorOperation::Unpack);
        function.append(entry, unpack, [packed.into()], [RegisterType { elements: 16, bits: 8 }], None);
        // A handle takes what it is given.
        let handle = Operand::Constant(Constant::scalar(5, 64));
        let vector_constant = Operand::Constant(Constant::new(1 << 64, four));
        let call = Operation::Call { conditional: false };
        function.append(entry, call, [handle, Operand::word(3), vector_constant], [], None);
    });
    assert!(count > 700, "{count}");
    goes_round(&module);
}

#[test]
fn odd_names_go_round() {
    let module = kernel_module(|function, entry| {
        let names = [
            "a",
            "a",
            "a.1",
            "7",
            "laneid",
            "localid.x",
            "in",
            "in.3",
            "odd name",
            "",
            "quote\"\\",
            "ünï\ncode",
            "block3",
            "mask",
            "true",
            "dead",
            "after",
            "-5",
        ];
        for name in names {
            let value = function.append_value(entry, Operation::Initial, [], B32);
            name_value(function, value, name);
            let add = crate::operation::Operation::table(
                &pisa_isa::forms_of(pisa_isa::Opcode::Iadd)[0],
                &[(SlotName::Type, pisa_isa::Qualifier::B32)],
            );
            function.append(entry, add.expect("a form"), [value.into(), value.into()], [B32], None);
        }
        let mut previous = entry;
        for name in names {
            let block = function.append_block();
            name_block(function, block, name);
            function.blocks[previous.index()].terminator = Terminator::Goto(Target::new(block));
            let barrier = Operation::table(&pisa_isa::forms_of(pisa_isa::Opcode::BarrierWorkgroup)[0], &[]);
            function.append(block, barrier.expect("a form"), [], [], None);
            previous = block;
        }
    });
    goes_round(&module);
}

#[test]
fn what_has_one_value_only_may_be_left_out() {
    let text = ".version 0.1;\n.target 100;\n.kernel @k() {\nentry:\n  barrier.workgroup // waits\n\n  %m: 32b = activemask\n  %s: 32b = reduce.sum.i32 %m, mask -1, keep dead\n  return\n}\n";
    let parsed = parse_and_verify(FileId(0), text);
    assert_eq!(parsed.diagnostics, []);
    let printed = print(&parsed.module.expect("a module"));
    let code = "entry:\n  barrier.workgroup in entry, as #1\n  %m: 32b = activemask in after #1, inactive own\n  %s: 32b = reduce.sum.i32 %m, mask 0xffffffff, keep dead, in after #1, inactive own\n  return\n}\n";
    assert!(printed.ends_with(code), "{printed}");
}

#[test]
fn instructions_know_their_lines() {
    let text = ".version 0.1;\n.target 100;\n.kernel @k() {\nentry:\n  %m: 32b = activemask\n  return\n}\n";
    let module = parse(FileId(3), text).module.expect("a module");
    let function = &module.functions[0];
    let place = function.instructions[0].place.expect("a place");
    let at = |place: Place| &text[place.span.start as usize..place.span.end as usize];
    assert_eq!((at(place), place.file), ("%m: 32b = activemask", FileId(3)));
    assert_eq!(at(function.blocks[0].place.expect("a place")), "return");
    assert_eq!(at(function.place), "@k");
}

/// The errors of a kernel with that code: line, column, message and help. The code begins on line 4.
fn errors(code: &str) -> Vec<String> {
    let text = format!(".version 0.1;\n.target 100;\n.kernel @k(.param[8] %in) {{\n{code}}}\n");
    let mut sources = Sources::new();
    let file = sources.add("k.ir", text.as_str());
    let parsed = parse_and_verify(file, &text);
    assert!(parsed.module.is_none(), "{code}");
    let line = |diagnostic: &Diagnostic| {
        let place = diagnostic.place().expect("a place");
        let (line, column) = sources.file(file).line_column(place.span.start);
        let mut text = format!("{line}:{column} {}: {}", diagnostic.code.0, diagnostic.message);
        for (kind, note) in &diagnostic.notes {
            if *kind == pisa_diag::NoteKind::Help {
                text.push_str(&format!(" [{note}]"));
            }
        }
        text
    };
    parsed.diagnostics.iter().map(line).collect()
}

#[test]
fn errors_have_their_places_and_words() {
    let cases: &[(&str, &[&str])] = &[
        (
            "entry:\n  %a: 32b = iadd.32b 1 2\n  return\n",
            &["5:24 E0701: found `2`, expected `,` or the end of the line"],
        ),
        ("entry:\n  %a: 32b = iadd.32b 1,\n  return\n", &["5:23 E0701: the line ends, expected an operand"]),
        (
            "entry:\n  %a: 33b = initial\n  return\n",
            &[
                "5:7 E0701: found `33b`, expected a type [types are `pred`, `8b` to `128b`, and vectors such as `v4.32b`]",
            ],
        ),
        (
            "entry:\n  %a = initial\n  return\n",
            &["5:6 E0701: found `=`, expected `:` and the type of the value [for instance `%a: 32b`]"],
        ),
        ("entry:\n  return ; \n", &["5:10 E0701: `;` is not used here"]),
        ("entry:\n  goto \"x\n", &["5:8 E0701: the quotes are not closed"]),
        (
            "entry:\n  %a: 32b = initial\n",
            &["4:1 E0701: the block does not end [its last line is `goto`, `branch` or `return`]"],
        ),
        (
            "entry:\n  return\n  return\n",
            &[
                "6:3 E0701: the block has ended already [a block ends with its first `goto`, `branch` or `return`; a new one begins with its name, as in `next:`]",
            ],
        ),
        (
            "  return\n",
            &[
                "4:3 E0701: an instruction before the first block [the first line of a function is its entry block, as in `entry:`]",
            ],
        ),
        (
            "",
            &["3:27 E0701: the function has no block [the least body is `entry:` and a line with `return`]"],
        ),
        ("entry:\n  branch true, next\nnext:\n  return\n", &["5:19 E0701: the line ends, expected `,`"]),
        (
            "entry:\n  return if true, next\nnext:\n  return\n",
            &["5:19 E0701: found `next`, expected `else` and the block where the other lanes go"],
        ),
        ("entry(%a: 32b:\n  return\n", &["4:14 E0701: found `:`, expected `)`"]),
        (
            "entry:\n  %m: 32b = activemask in after 1\n  return\n",
            &["5:33 E0701: found `1`, expected the mark of an instruction such as `#1`"],
        ),
        (
            "entry:\n  %m: 32b = activemask inactive maybe\n  return\n",
            &["5:33 E0701: found `maybe`, expected `own` or `undefined`"],
        ),
        (
            "entry:\n  %count: 32b = initial\n  %b: 32b = iadd.32b %cuont, 1\n  goto entyr\n",
            &[
                "6:22 E0702: `%cuont` is not defined in the function [did you mean `%count`?]",
                "7:8 E0702: there is no block `entyr` [did you mean `entry`?]",
            ],
        ),
        (
            "entry:\n  %a: 64b = addrof.64b @kk\n  return\n",
            &["5:24 E0702: there is no variable or function `@kk` [did you mean `@k`?]"],
        ),
        (
            "entry:\n  %m: 32b = activemask in after #4\n  return\n",
            &["5:33 E0702: no instruction is marked `as #4`"],
        ),
        (
            "entry:\n  %a: 32b = initial\n  %a: 32b = initial\n  return\nentry:\n  return\n",
            &[
                "6:3 E0703: `%a` is defined twice [names that are equal have numbers, as in `a.1` and `a.2`]",
                "8:1 E0703: block `entry` is defined twice [names that are equal have numbers, as in `a.1` and `a.2`]",
            ],
        ),
        (
            "entry:\n  %laneid: 32b = initial\n  %in: 32b = initial\n  return\n",
            &[
                "5:3 E0703: `%laneid` is a special register [a value of that name has a number, as in `%laneid.1`]",
                "6:3 E0703: `%in` is a kernel parameter [a value of that name has a number, as in `%in.1`]",
            ],
        ),
        (
            "entry:\n  %a: 32b = iad.32b 1, 2\n  return\n",
            &["5:13 E0704: there is no operation `iad.32b` [did you mean `iadd`?]"],
        ),
        (
            "entry:\n  %a: 32b = iadd.32 1, 2\n  return\n",
            &["5:17 E0704: `.32` does not belong there in `iadd.32` [did you mean `.32b`?]"],
        ),
        (
            "entry:\n  %a: 32b = match_any.u32 1, mask -1, keep dead\n  return\n",
            &[
                "5:13 E0704: `match_any.u32` is not an operation [write match_any.ELEMENT; elements are i8 i16 i32 i64 hf bf f df hfx2 bfx2 pred]",
            ],
        ),
        (
            "entry:\n  %a: 32b = balot.32b true, mask -1, keep dead\n  return\n",
            &["5:13 E0704: there is no operation `balot.32b` [did you mean `ballot`?]"],
        ),
        (
            "entry:\n  %a: 32b = iadd.32b 1\n  return\n",
            &["5:13 E0705: these are not the operands of `iadd.32b` [write `iadd.32b src0, src1`]"],
        ),
        (
            "entry:\n  st.global.32b 5, 7\n  return\n",
            &[
                "5:3 E0705: these are not the operands of `st.global.32b` [write `st.global.32b [base + offset], src0`]",
            ],
        ),
        (
            "entry:\n  %a: 32b = iadd.32b 1, 2, inactive own\n  return\n",
            &["5:28 E0705: `iadd.32b` is no cross-lane operation [leave out `inactive …`]"],
        ),
        (
            "entry:\n  %a: 32b = sel.32b 1, 2, !%in\n  return\n",
            &["5:27 E0705: `%in` is no predicate, so it cannot be negated"],
        ),
        (
            "entry:\n  %a: 8b = mov.8b 256\n  %b: 8b = mov.8b -129\n  %c: 8b = mov.8b 1.5\n  return\n",
            &[
                "5:19 E0706: `256` does not fit into `8b` [numbers fit as signed or unsigned ones]",
                "6:19 E0706: `-129` does not fit into `8b` [numbers fit as signed or unsigned ones]",
                "7:19 E0706: `1.5` is not a number of at most 128 bits [write an integer, decimal or with `0x`; floating-point numbers by their bits]",
            ],
        ),
        (
            "entry:\n  %a: 32b = vector.pack 5\n  return\n",
            &["5:25 E0706: nothing says which type `5` has [write it behind the number, as in `5: 32b`]"],
        ),
        (
            "entry:\n  branch 1, next, next\nnext:\n  return\n",
            &["5:10 E0706: `1` is no predicate [predicates are `true` and `false`]"],
        ),
        ("entry:\n  %a: 64b = iadd.32b 1, 2\n  return\n", &["5:3 E0707: `%a` is `64b`, the result is `32b`"]),
        ("entry:\n  goto entry\n", &["5:3 E0707: `entry` is the entry block, which nothing may go to"]),
    ];
    let wrong = cases.iter().filter(|(code, expected)| errors(code) != *expected);
    let wrong: Vec<_> = wrong.map(|(code, _)| (code, errors(code))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn declarations_have_the_errors_of_pisa() {
    let found = errors("  .shared @t[0];\nentry:\n  %a: 32b = iad.32b\n  return\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("4:"), "{found:?}");
    // The code is looked at even so, as far as it goes without the names of the module.
    let found = errors("  .shared @t[0];\nentry:\n  goto\n");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn the_form_is_the_one_that_fits() {
    let text = ".version 0.1;\n.target 100;\n.kernel @k() {\nentry:\n  %p: pred = scmp.eq.32b %laneid, 1\n  %r: 32b = scmp.eq.32b %laneid, 1\n  %s: 32b = sel.32b 1, 2, %p\n  %t: 32b = sel.32b 1, 2, %r\n  %u: 32b = sel.32b 1, 2, true\n  return\n}\n";
    let parsed = parse_and_verify(FileId(0), text);
    assert_eq!(parsed.diagnostics, []);
    let module = parsed.module.expect("a module");
    let titles: Vec<&str> = module.functions[0]
        .instructions
        .iter()
        .filter_map(|data| data.operation.form())
        .map(|form| form.title)
        .collect();
    let expected = [
        "predicate destination",
        "register destination",
        "Select based on predicate",
        "Select based on register value",
        "Select based on predicate",
    ];
    assert_eq!(titles, expected);
}

#[test]
fn nothing_that_is_read_makes_it_stop() {
    // Texts with pieces changed, moved and put together; what is read is verified, printed and read again.
    let long = kernel_module(|function, entry| {
        let sum = CrossLane {
            kind: CrossLaneKind::Rotate(ClusterSize::FULL),
            element: Element::Predicate,
            inactive: InactiveSource::Undefined,
        };
        append(function, entry, Operation::CrossLane(sum));
    });
    let text = print(&long).into_bytes();
    let pieces: &[&[u8]] = &[
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b":",
        b",",
        b"\"",
        b"#1",
        b"!",
        b"%",
        b"@",
        b"=",
        b"\n",
        b"0x",
        b"-",
        b"\xc3\xa9",
        b"\xff",
        b"in after #1",
        b"keep dead",
        b"pred",
        b"v64.64b",
        b"%s.2",
        b"entry",
        b"99999999999999999999999999999999999999999",
        b".kernel @x() {\n",
        b"goto turn",
        b"as #2",
        b" = initial",
        b"call.cond",
        b"//",
        b"block0",
    ];
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 33) as usize % below
    };
    let mut read = 0;
    for _ in 0..4000 {
        let mut changed = text.clone();
        for _ in 0..1 + next(2) {
            let at = next(changed.len());
            match next(4) {
                0 => changed[at] = next(256) as u8,
                1 => {
                    let end = (at + 1 + next(12)).min(changed.len());
                    changed.drain(at..end);
                }
                2 => {
                    changed.splice(at..at, pieces[next(pieces.len())].iter().copied());
                }
                _ => {
                    let end = (at + next(60)).min(changed.len());
                    let piece = changed[at..end].to_vec();
                    let to = next(changed.len());
                    changed.splice(to..to, piece);
                }
            }
        }
        let decoded = pisa_syntax::decode(changed);
        let Some(module) = parse(FileId(0), &decoded.text).module else { continue };
        if verify(&module).is_empty() {
            read += 1;
            goes_round(&module);
        } else {
            print(&module);
        }
    }
    assert!(read > 30, "{read}");
}

#[test]
fn a_hundred_thousand_instructions_are_read() {
    let module = kernel_module(|function, entry| {
        let mut value = function.append_value(entry, Operation::Initial, [], B32);
        let add =
            crate::samples::table(pisa_isa::Opcode::Iadd, 0, &[(SlotName::Type, pisa_isa::Qualifier::B32)]);
        let mut block = entry;
        for i in 0..100_000 {
            value = function.append_value(block, add, [value.into(), Operand::word(i)], B32);
            if i % 5 == 0 {
                let next = function.append_block();
                function.blocks[block.index()].terminator = Terminator::Goto(Target::new(next));
                block = next;
            }
        }
    });
    goes_round(&module);
}

#[test]
fn errors_without_end_are_cut() {
    let line = "  %a: 32b = nonsense %x\n".repeat(30_000);
    let text = format!(".version 0.1;\n.target 100;\n.kernel @k() {{\nentry:\n{line}  return\n}}\n");
    let parsed = parse(FileId(0), &text);
    assert_eq!(parsed.diagnostics.len(), MOST_ERRORS + 1);
}
