//! Making a program smaller while it shows the same.

use crate::compare::{Disagreement, Kind};
use crate::registers::{self, Use};
use crate::tree::{Condition, Operand, Program, Shape, Statement, Trips};

/// Makes the program smaller as long as `test` says that what is wrong is of the same kind; at most `limit` tests.
/// Gives the smaller program and what is wrong with it.
pub fn shrink(
    program: &Program,
    found: &Disagreement,
    limit: usize,
    test: impl Fn(&Program) -> Option<Disagreement>,
) -> (Program, Disagreement) {
    let mut shrinker =
        Shrinker { best: program.clone(), found: found.clone(), kind: found.kind.clone(), left: limit, test };
    // Most goes with the first rounds; the later ones use what they uncover.
    for _ in 0..6 {
        let before = shrinker.left;
        let improved = shrinker.shapes() | shrinker.functions() | shrinker.statements() | shrinker.details();
        if !improved || shrinker.left == 0 || before == shrinker.left {
            break;
        }
    }
    (shrinker.best, shrinker.found)
}

struct Shrinker<T> {
    best: Program,
    found: Disagreement,
    kind: Kind,
    left: usize,
    test: T,
}

/// The way from the root to a statement: the number of a body, then pairs of a statement and a body in it.
type Path = Vec<(usize, usize)>;

impl<T: Fn(&Program) -> Option<Disagreement>> Shrinker<T> {
    /// Keeps the candidate where it shows the same.
    fn accept(&mut self, candidate: Program) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        match (self.test)(&candidate) {
            Some(found) if found.kind == self.kind => {
                (self.best, self.found) = (candidate, found);
                true
            }
            _ => false,
        }
    }

    /// Smaller launches, fewer initial values.
    fn shapes(&mut self) -> bool {
        let mut improved = false;
        let mut candidates: Vec<Shape> = Vec::new();
        let shape = self.best.shape;
        let one = |global: u64, local: u64| Shape {
            dimensions: 1,
            global: [global, 1, 1],
            local: [local, 1, 1],
            offset: [0; 3],
        };
        candidates.extend([one(1, 1), one(2, 2), one(32, 32), one(64, 64), one(33, 33)]);
        candidates.push(Shape { offset: [0; 3], ..shape });
        candidates.push(Shape { global: shape.local, offset: [0; 3], ..shape });
        for d in 0..3 {
            for to in [1, shape.global[d] / 2, shape.global[d] - 1] {
                let mut smaller = shape;
                smaller.global[d] = to.max(1);
                smaller.local[d] = smaller.local[d].min(smaller.global[d]);
                candidates.push(smaller);
            }
        }
        let items = |shape: &Shape| shape.global.iter().product::<u64>();
        for candidate in candidates {
            let shape = self.best.shape;
            let is_smaller = items(&candidate) < items(&shape)
                || (items(&candidate) == items(&shape)
                    && (candidate.dimensions, candidate.offset) < (shape.dimensions, shape.offset));
            if is_smaller {
                improved |= self.accept(Program { shape: candidate, ..self.best.clone() });
            }
        }
        for rows in [1, 2, 8] {
            if rows < self.best.rows {
                improved |= self.accept(Program { rows, ..self.best.clone() });
            }
        }
        improved
    }

    /// Empties functions.
    fn functions(&mut self) -> bool {
        let mut improved = false;
        for i in 0..self.best.functions.len() {
            if !self.best.functions[i].body.is_empty() {
                let mut candidate = self.best.clone();
                candidate.functions[i].body.clear();
                improved |= self.accept(candidate);
            }
        }
        // The last ones, where nothing calls them, go.
        while let Some(last) = self.best.functions.len().checked_sub(1) {
            let mut candidate = self.best.clone();
            candidate.functions.truncate(last);
            if !self.accept(candidate) {
                break;
            }
            improved = true;
        }
        improved
    }

    /// Removes statements, halves of bodies first, and takes bodies out of their regions.
    fn statements(&mut self) -> bool {
        let mut improved = false;
        let mut paths = vec![Path::new()];
        while let Some(path) = paths.pop() {
            for function in 0..=self.best.functions.len() {
                improved |= self.body(function, &path);
            }
            if path.len() < 8 {
                // The bodies inside the bodies at this path, in any function.
                let longest = (0..=self.best.functions.len())
                    .filter_map(|function| body_at(&mut self.best.clone(), function, &path).map(|b| b.len()))
                    .max()
                    .unwrap_or(0);
                for i in 0..longest {
                    for inner in 0..2 {
                        let mut longer = path.clone();
                        longer.push((i, inner));
                        let mut clone = self.best.clone();
                        let exists = (0..=self.best.functions.len())
                            .any(|function| body_at(&mut clone, function, &longer).is_some());
                        if exists {
                            paths.push(longer);
                        }
                    }
                }
            }
        }
        improved
    }

    fn body(&mut self, function: usize, path: &Path) -> bool {
        let mut improved = false;
        let length =
            |program: &Program| body_at(&mut program.clone(), function, path).map_or(0, |body| body.len());
        // Runs of statements, from all of them down to single ones.
        let mut run = length(&self.best).next_power_of_two();
        while run > 0 {
            let mut at = 0;
            while at < length(&self.best) && self.left > 0 {
                let mut candidate = self.best.clone();
                if let Some(body) = body_at(&mut candidate, function, path) {
                    let end = (at + run).min(body.len());
                    body.drain(at..end);
                }
                if self.accept(candidate) {
                    improved = true;
                } else {
                    at += run;
                }
            }
            run /= 2;
        }
        // Regions whose bodies can stand without them.
        let mut at = 0;
        while at < length(&self.best) && self.left > 0 {
            let mut candidate = self.best.clone();
            let mut is_region = false;
            if let Some(body) = body_at(&mut candidate, function, path) {
                let inner: Vec<Statement> =
                    body[at].bodies_mut().into_iter().flat_map(|body| body.drain(..)).collect();
                is_region = !inner.is_empty();
                if is_region {
                    body.splice(at..=at, inner);
                }
            }
            if is_region && self.accept(candidate) {
                improved = true;
            } else {
                at += 1;
            }
        }
        improved
    }

    /// Simpler operands, conditions, loops and data.
    fn details(&mut self) -> bool {
        let mut improved = false;
        let mut number = 0;
        while self.left > 0 {
            let mut candidate = self.best.clone();
            match simplify(&mut candidate, number) {
                Simplified::Nothing => break,
                Simplified::Same => number += 1,
                Simplified::Changed => {
                    if self.accept(candidate) {
                        improved = true;
                    }
                    number += 1;
                }
            }
        }
        for register in registers::all().filter(|r| r.info().purpose == Use::Pool) {
            if !self.best.case().text().contains(&register.stem()) {
                continue;
            }
            let mut candidate = self.best.clone();
            if candidate.zeroed.insert(register) {
                improved |= self.accept(candidate);
            }
        }
        let one_module = Program { split: 0, ..self.best.clone() };
        if self.best.split != 0 {
            improved |= self.accept(one_module);
        }
        let mut plain = self.best.clone();
        plain.style = 0xC0 | 1 << 4;
        if self.best.style != plain.style {
            improved |= self.accept(plain);
        }
        improved
    }
}

/// The body of the kernel (number 0) or of a function, or one inside.
fn body_at<'p>(program: &'p mut Program, function: usize, path: &Path) -> Option<&'p mut Vec<Statement>> {
    let mut body = match function.checked_sub(1) {
        None => &mut program.kernel,
        Some(i) => &mut program.functions.get_mut(i)?.body,
    };
    for &(statement, inner) in path {
        body = body.get_mut(statement)?.bodies_mut().into_iter().nth(inner)?;
    }
    Some(body)
}

enum Simplified {
    /// There is no detail of that number.
    Nothing,
    /// It is as simple as it can be.
    Same,
    Changed,
}

/// Makes the detail of that number simpler.
fn simplify(program: &mut Program, number: usize) -> Simplified {
    let mut left = number;
    let mut stack: Vec<&mut Statement> = program.kernel.iter_mut().collect();
    for function in &mut program.functions {
        stack.extend(function.body.iter_mut());
    }
    while let Some(statement) = stack.pop() {
        if let Some(result) = simplify_statement(statement, &mut left) {
            return if result { Simplified::Changed } else { Simplified::Same };
        }
        for body in statement.bodies_mut() {
            stack.extend(body.iter_mut());
        }
    }
    Simplified::Nothing
}

/// Counts `left` down for each detail of the statement; at 0 simplifies it and says whether it changed.
fn simplify_statement(statement: &mut Statement, left: &mut usize) -> Option<bool> {
    let mut mine = || {
        let mine = *left == 0;
        *left = left.wrapping_sub(1);
        mine
    };
    match statement {
        Statement::Lines(lines) => {
            for operand in lines.iter_mut().flat_map(|line| line.operands.iter_mut()) {
                if let Operand::Immediate { text, simplest } = operand
                    && mine()
                {
                    let changed = text != simplest;
                    *text = simplest.clone();
                    return Some(changed);
                }
            }
            None
        }
        Statement::If { condition, .. } => mine().then(|| simplify_condition(condition)),
        Statement::Leave { condition, .. } | Statement::Jump(crate::tree::Jump { condition, .. }) => {
            mine().then(|| condition.take().is_some())
        }
        Statement::Continue { condition, .. } | Statement::Return(condition) => {
            mine().then(|| simplify_condition(condition))
        }
        Statement::Loop { trips, .. } => mine().then(|| {
            let changed = !matches!(trips, Trips::Fixed(1));
            *trips = Trips::Fixed(1);
            changed
        }),
        Statement::Scope { shadowed, .. } => mine().then(|| shadowed.pop().is_some()),
        Statement::Call(call) => mine().then(|| {
            let changed = call.condition.is_some() || !matches!(call.target, crate::tree::Target::Name);
            call.condition = None;
            call.target = crate::tree::Target::Name;
            changed
        }),
        _ => None,
    }
}

fn simplify_condition(condition: &mut Condition) -> bool {
    // A uniform condition stays: barriers may hang on it.
    if matches!(condition, Condition::Lanes(_) | Condition::Group(_)) {
        return false;
    }
    *condition = Condition::Lanes(16);
    true
}
