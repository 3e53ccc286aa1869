//! Every rule of the table holds.

use crate::rules::check::{Effort, Verdict, check};
use crate::rules::{self, Rule, cost};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Runs a check for all rules, on all cores.
pub(super) fn for_all<T: Send>(rules: &[Rule], run: impl Fn(&Rule) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut found: Vec<(usize, T)> = std::thread::scope(|scope| {
        let work = || {
            let mut found = Vec::new();
            loop {
                let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(rule) = rules.get(number) else { return found };
                found.push((number, run(rule)));
            }
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, result)| result).collect()
}

#[test]
fn every_family_can_be_read() {
    assert_eq!(rules::unreadable(), &[] as &[String]);
    assert!(rules::table().len() > 500);
}

#[test]
fn every_rule_holds() {
    let table = rules::table();
    let effort = match std::env::var("PISA_RULES_EFFORT") {
        Ok(cases) => Effort { exhaustive: cases.parse().unwrap(), samples: 2000, seed: 7 },
        Err(_) => Effort { exhaustive: 4_100, samples: 60, seed: 1 },
    };
    // Of a rule for several types and orders of operands, the others get less.
    let of = |rule: &Rule| match rule.name.ends_with('~')
        || ["8b", "16b", "64b", "hf", "bf"].iter().any(|ty| rule.text.contains(&format!(".{ty}(")))
    {
        true => Effort { exhaustive: effort.exhaustive / 16, ..effort },
        false => effort,
    };
    let started = std::time::Instant::now();
    let results = for_all(table, |rule| check(rule, &of(rule)));
    let mut wrong = String::new();
    let mut families: BTreeMap<&str, (usize, usize, Verdict)> = BTreeMap::new();
    let names: Vec<&str> = rules::families().map(|family| family.name).collect();
    for (rule, result) in table.iter().zip(&results) {
        match result {
            Ok(verdict) => {
                let family =
                    names.iter().filter(|name| rule.name.starts_with(**name)).max_by_key(|name| name.len());
                let entry = families.entry(family.unwrap()).or_default();
                entry.0 += 1;
                entry.1 += usize::from(cost::can_gain(rule));
                entry.2.exhaustive += verdict.exhaustive;
                entry.2.samples += verdict.samples;
                entry.2.compared += verdict.compared;
            }
            Err(refutation) => wrong.push_str(&format!("{}\n  {}\n  {refutation}\n", rule.name, rule.text)),
        }
    }
    // What was run, for those who ask.
    if let Some(path) = std::env::var_os("PISA_RULES_LIST") {
        let mut list = String::new();
        let mut all = (0, 0);
        for (name, (count, gain, verdict)) in &families {
            let Verdict { exhaustive, samples, compared, .. } = verdict;
            let _ = writeln!(
                list,
                "{name}: {count} rules, {gain} applied, {exhaustive} + {samples} cases, {compared} lanes"
            );
            all = (all.0 + exhaustive, all.1 + samples);
        }
        let time = started.elapsed();
        let _ = writeln!(
            list,
            "{} rules in {} families, {} + {} cases, {time:?}",
            table.len(),
            families.len(),
            all.0,
            all.1
        );
        std::fs::write(path, list).unwrap();
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
