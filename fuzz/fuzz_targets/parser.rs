//! Any bytes become a tree that holds every byte of the decoded text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_diag::FileId;

fuzz_target!(|bytes: &[u8]| {
    let decoded = pisa_syntax::decode(bytes.to_vec());
    let tree = pisa_syntax::parse_decoded(FileId(0), &decoded);
    let joined: String = tree.tokens().map(|token| token.text()).collect();
    assert!(joined == *decoded.text, "the tokens are the text");
    for diagnostic in &tree.diagnostics {
        for label in &diagnostic.labels {
            let span = label.place.span;
            assert!(
                decoded.text.get(span.start as usize..span.end as usize).is_some(),
                "a place outside the text"
            );
        }
    }
});
