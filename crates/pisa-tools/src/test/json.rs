//! All facts and launches as JSON, for other implementations (`docs/test-files.md` has the schema).

use super::fact::{Fact, Lanes, Shape, resolve};
use super::number::Expected;
use super::operands::LANES;
use super::source::{Case, TestFile};
use serde_json::{Value as Json, json};

/// The file as JSON; facts that make no sense are left out.
pub(super) fn file(file: &TestFile, keep: &dyn Fn(u32, &str) -> bool) -> Json {
    let kept = |line: u32, name: String| keep(line, &name);
    let facts = file.facts.iter().filter(|f| kept(f.line, format!("op {}", f.wrote)));
    let facts: Vec<Json> = facts.filter_map(|text| resolve(text).ok()).map(|f| fact(&f)).collect();
    let cases: Vec<Json> = file.cases.iter().map(|c| case(c, keep)).collect();
    json!({ "path": file.path, "facts": facts, "cases": cases })
}

fn fact(fact: &Fact) -> Json {
    let sources: Vec<Json> =
        fact.key.sources.iter().zip(&fact.sources).map(|(&s, v)| operand(s, v, |b| bits(s, b))).collect();
    let results: Vec<Json> = fact
        .key
        .results
        .iter()
        .zip(&fact.results)
        .zip(&fact.old)
        .map(|((&shape, expected), old)| {
            let mut json = operand(shape, expected, |expected| match expected {
                Expected::Bits(b) => bits(shape, b),
                Expected::Nan => "nan".to_owned(),
            });
            json["old"] = lanes(shape, old, |b| bits(shape, b));
            json
        })
        .collect();
    json!({
        "line": fact.line,
        "mnemonic": fact.key.mnemonic,
        "active": format!("0x{:08x}", fact.active),
        "sources": sources,
        "results": results,
    })
}

fn bits(shape: Shape, value: u128) -> String {
    let digits = (usize::from(shape.element.bits) / 4).max(1);
    format!("0x{value:0digits$x}")
}

fn operand<T: Copy>(shape: Shape, values: &Lanes<T>, write: impl Fn(T) -> String) -> Json {
    let float = shape.element.float.map(|ty| ty.name());
    json!({
        "elements": shape.elements,
        "bits": shape.element.bits,
        "float": float,
        "negated": shape.negated,
        "lanes": lanes(shape, values, write),
    })
}

/// One value for all lanes, or a list of 32; a vector is a list of its elements in an object.
fn lanes<T: Copy>(shape: Shape, values: &Lanes<T>, write: impl Fn(T) -> String) -> Json {
    let value = |lane: usize| {
        let elements: Vec<String> = values.lane(lane).iter().map(|&v| write(v)).collect();
        if shape.elements == 1 { json!(elements[0]) } else { json!({ "elements": elements }) }
    };
    if values.is_uniform() { value(0) } else { Json::Array((0..LANES).map(value).collect()) }
}

fn case(case: &Case, keep: &dyn Fn(u32, &str) -> bool) -> Json {
    let modules: Vec<Json> = case
        .modules
        .iter()
        .map(|m| json!({ "name": m.name, "line": m.first_line, "text": m.text }))
        .collect();
    let launches: Vec<Json> = case
        .launches
        .iter()
        .filter(|launch| keep(launch.line, &format!("launch {}", launch.wrote)))
        .map(|launch| {
            let spec = &launch.spec;
            let arguments: Vec<Json> = spec
                .arguments
                .iter()
                .map(|a| json!({ "name": a.name, "value": a.value.to_string() }))
                .collect();
            let expectations: Vec<Json> = launch
                .expectations
                .iter()
                .map(|e| {
                    let tolerance = match e.expectation.tolerance {
                        pisa_machine::Tolerance::Exact => None,
                        tolerance => Some(tolerance.to_string()),
                    };
                    let value = e.expectation.value.to_string();
                    json!({ "line": e.line, "name": e.expectation.name, "value": value, "tolerance": tolerance })
                })
                .collect();
            json!({
                "line": launch.line,
                "kernel": spec.kernel,
                "global": spec.global.or(1),
                "dimensions": spec.global.dimensions,
                "local": spec.local.map(|l| l.or(1)),
                "offset": spec.offset.map_or([0; 3], |o| o.or(0)),
                "fuel": spec.fuel,
                "arguments": arguments,
                "expect": expectations,
                "schedule": if launch.all_schedules { "all" } else { launch.spec.schedule.name() },
                "seed": launch.spec.schedule.seed(),
                "sanitize": launch.sanitize.as_ref().map(|(_, words)| words),
                "silent": launch.silent.is_some(),
                "stopped": launch.stop.as_ref().map(|(_, code)| code),
                "refused": launch.refused.as_ref().map(|(_, text)| text),
            })
        })
        .collect();
    let diagnostics: Vec<Json> = case
        .marks
        .iter()
        .map(|m| json!({ "line": m.line, "severity": m.severity.text(), "code": m.code, "text": m.text }))
        .collect();
    json!({
        "name": case.name,
        "strict": case.strict,
        "modules": modules,
        "launches": launches,
        "diagnostics": diagnostics,
    })
}
