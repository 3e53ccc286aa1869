//! Makes a launch that shows a difference small.

use super::{Compared, Differs, Launching, Pair};
use pisa_machine::{Extent, Fill, Value};

/// Most attempts.
const ATTEMPTS: usize = 300;

/// The smallest launch found that still differs.
pub(super) fn shrink(pair: &Pair<'_>, launching: Launching, differs: Differs) -> (Launching, Differs) {
    let mut shrinker = Shrinker { pair, best: launching, differs, left: ATTEMPTS };
    loop {
        let before = shrinker.best.clone();
        shrinker.sizes();
        shrinker.lanes();
        shrinker.values();
        if shrinker.best == before || shrinker.left == 0 {
            return (shrinker.best, shrinker.differs);
        }
    }
}

struct Shrinker<'a> {
    pair: &'a Pair<'a>,
    best: Launching,
    differs: Differs,
    left: usize,
}

impl Shrinker<'_> {
    /// Keeps a launch that differs, too.
    fn keep(&mut self, candidate: Launching) -> bool {
        if self.left == 0 || candidate == self.best {
            return false;
        }
        self.left -= 1;
        match self.pair.compare(&candidate) {
            Compared::Differs(differs) | Compared::DiffersElsewhere(differs) => {
                (self.best, self.differs) = (candidate, differs);
                true
            }
            _ => false,
        }
    }

    /// One work-group, and fewer work-items in it. Values that are one each work-item do not fit other sizes and are cut.
    fn sizes(&mut self) {
        let local = self.best.launch.local.map_or([1; 3], |extent| extent.or(1));
        let global = self.best.launch.global.map_or([1; 3], |extent| extent.or(1));
        if global != local {
            let mut candidate = self.best.clone();
            candidate.launch.global = candidate.launch.local;
            self.keep(candidate);
        }
        if local[1] * local[2] > 1 {
            return;
        }
        for items in [1u64, 2, 4, 8, 16, 32] {
            let now = self.best.launch.local.map_or(1, |extent| extent.or(1)[0]);
            if items >= now {
                break;
            }
            let mut candidate = self.best.clone();
            candidate.launch.local = Extent::new(&[items]);
            candidate.launch.global = Extent::new(&[items]);
            if candidate.function.is_some() {
                for argument in candidate.launch.arguments.iter_mut().filter(|a| a.name.is_none()) {
                    cut(&mut argument.value, items, now);
                    argument.wrote = argument.value.to_string();
                }
            }
            if self.keep(candidate) {
                break;
            }
        }
    }

    /// All lanes, or fewer.
    fn lanes(&mut self) {
        let Some(active) = self.best.active else { return };
        if self.keep(Launching { active: None, ..self.best.clone() }) {
            return;
        }
        let mut active = active;
        for part in [0x0000_ffff, 0xffff_0000, 0x00ff_00ff, 0xff00_ff00, 0x5555_5555, 0xaaaa_aaaa] {
            let fewer = active & part;
            if fewer != 0
                && fewer != active
                && self.keep(Launching { active: Some(fewer), ..self.best.clone() })
            {
                active = fewer;
            }
        }
        for lane in 0..32 {
            let fewer = active & !(1 << lane);
            if fewer != 0
                && fewer != active
                && self.keep(Launching { active: Some(fewer), ..self.best.clone() })
            {
                active = fewer;
            }
        }
    }

    /// Plainer values.
    fn values(&mut self) {
        for number in 0..self.best.launch.arguments.len() {
            let plainer = plainer(&self.best.launch.arguments[number].value);
            for value in plainer {
                let mut candidate = self.best.clone();
                let argument = &mut candidate.launch.arguments[number];
                argument.wrote = match &argument.name {
                    Some(name) => format!("{name}={value}"),
                    None => value.to_string(),
                };
                argument.value = value;
                if self.keep(candidate) {
                    break;
                }
            }
        }
    }
}

/// Fewer elements, for fewer work-items.
fn cut(value: &mut Value, items: u64, before: u64) {
    match value {
        Value::Made { count, .. } => *count = *count / before.max(1) * items,
        Value::List { elements, .. } => {
            elements.truncate((elements.len() as u64 / before.max(1) * items) as usize);
        }
        _ => {}
    }
}

/// Values to try instead, the plainest first.
fn plainer(value: &Value) -> Vec<Value> {
    let made = |ty, count, fill| Value::Made { ty, count, fill };
    match value {
        Value::Made { ty, count, fill } => match fill {
            Fill::Zeros => Vec::new(),
            Fill::Same(_) => vec![made(*ty, *count, Fill::Zeros)],
            Fill::Iota => vec![made(*ty, *count, Fill::Zeros), made(*ty, *count, Fill::Same(1))],
            _ => [Fill::Zeros, Fill::Same(1), Fill::Iota].map(|fill| made(*ty, *count, fill)).into(),
        },
        Value::List { ty, elements } => {
            let count = elements.len() as u64;
            let mut plainer: Vec<Value> =
                [Fill::Zeros, Fill::Same(1), Fill::Iota].map(|fill| made(*ty, count, fill)).into();
            if elements.len() <= 64 {
                for at in (0..elements.len()).filter(|&at| elements[at] != 0) {
                    let mut elements = elements.clone();
                    elements[at] = 0;
                    plainer.push(Value::List { ty: *ty, elements });
                }
            }
            plainer
        }
        Value::Scalar { ty, bits } => {
            let smaller = [0, 1, 2, 32].into_iter().filter(|smaller| smaller < bits);
            smaller.map(|bits| Value::Scalar { ty: *ty, bits }).collect()
        }
        Value::Bytes(bytes) if bytes.iter().any(|&byte| byte != 0) => {
            vec![Value::Bytes(vec![0; bytes.len()])]
        }
        _ => Vec::new(),
    }
}
