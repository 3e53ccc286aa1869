//! IR made by hand, and the texts it has.

use super::*;
use crate::operation::*;
use crate::samples::*;

const SAMPLE: &str = "\
.version 0.1;
.target 100;

.const .align 4 @table[16] = { .32b 0x7, .zero 12 };

.kernel @sum(.param[8] %in, .param[8] %out) {
  .shared .align 4 @tile[16];
entry:
  %p: 64b = ld.param.64b [%in]
  %a: 32b = ld.global.32b [%p + 4]
  %s.2: 32b = reduce.sum.i32 %a, mask 0xffffffff, keep dead, in entry, inactive own
  %3: pred = scmp.ne.32b %s.2, -1
  branch %3, turn(%s.2), done
turn(%s.4: 32b):
  st.shared.32b [@tile], %s.4
  barrier.workgroup in turn, as #1
  %5: 32b = activemask in after #1, inactive own
  %6: 32b = shuffle.index.segmented.i32 %s.4, index 0x00001f00, mask %5, keep %s.4, in after #1, inactive undefined
  %7: 32b = iadd.32b %6, %laneid
  %8: 32b = call.cond !%3, @g(%7, 0), keep %7, in after #1, as #2
  return if !%3, else turn(%8)
done:
  return
}

.export .function .32b @g(.reg .32b %x, .reg .64b %y) {
block0(%x: 32b, %1: 64b):
  return 9
}

.import .function void @h(.reg .64b);
";

#[test]
fn everything_is_in_the_text() {
    assert_eq!(print(&sample()), SAMPLE);
}

#[test]
fn numbers_are_those_of_the_text_or_the_own_ones() {
    let mut module = sample();
    // A value that nobody defines any more takes no number of the text.
    let function = &mut module.functions[0];
    let gone = function.new_instruction(Operation::Initial, [], [B32], None);
    let late = function.new_instruction(Operation::Initial, [], [B32], None);
    function.blocks[0].instructions.insert(0, late);
    assert_ne!(gone, late);
    let text = print(&module);
    assert!(text.contains("entry:\n  %0: 32b = initial\n  %p: 64b = "), "{text}");
    let text = print_function(&module, &module.functions[0], Numbering::ByIndex);
    assert!(text.starts_with(".kernel @sum(.param[8] %in, .param[8] %out) {\n  .shared"), "{text}");
    assert!(text.contains("entry:\n  %10: 32b = initial\n  %p: 64b = "), "{text}");
    assert!(text.contains("call.cond !%3, @g(%7, 0), keep %7"), "{text}");
    // Without a module a callee is unknown.
    let text = module.functions[0].to_string();
    assert!(text.contains("st.shared.32b [@variable.0], %s.4\n"), "{text}");
    assert!(text.contains("call.cond !%3, @function.1(%7, 0: 64b), keep"), "{text}");
}
