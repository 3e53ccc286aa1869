//! What stands between two tokens of a statement or two statements.

use crate::{TokenKind, Tree};

/// A comment.
pub(super) struct Comment<'t> {
    /// Without blanks at its end.
    pub(super) text: &'t str,
    /// On the line of the token before.
    pub(super) trailing: bool,
    /// An empty line stands before it.
    pub(super) blank_before: bool,
}

/// The trivia before a token.
pub(super) struct Gap<'t> {
    /// In order.
    pub(super) comments: Vec<Comment<'t>>,
    /// An empty line stands between the last comment, or the last token, and this token.
    pub(super) blank_at_end: bool,
    /// There is any trivia at all.
    pub(super) exists: bool,
}

impl<'t> Gap<'t> {
    pub(super) fn of(tree: &'t Tree, first: usize, end: usize) -> Gap<'t> {
        let mut gap = Gap { comments: Vec::new(), blank_at_end: false, exists: first < end };
        let mut lines = 0;
        let mut start = if first == 0 { 0 } else { tree.tokens[first - 1].end as usize };
        for token in &tree.tokens[first..end] {
            let text = &tree.text()[start..token.end as usize];
            start = token.end as usize;
            if token.kind == TokenKind::Comment {
                let trailing = lines == 0 && gap.comments.is_empty() && first > 0;
                gap.comments.push(Comment { text: text.trim_end(), trailing, blank_before: lines >= 2 });
                lines = 0;
            } else {
                lines += text.bytes().filter(|&b| b == b'\n').count();
            }
        }
        gap.blank_at_end = lines >= 2;
        gap
    }

    /// Whether an empty line stands before one of the comments on lines of their own, or before the token.
    pub(super) fn has_blank_line(&self) -> bool {
        self.blank_at_end || self.comments.iter().any(|c| c.blank_before)
    }

    pub(super) fn own_line_comments(&self) -> usize {
        self.comments.iter().filter(|c| !c.trailing).count()
    }
}
