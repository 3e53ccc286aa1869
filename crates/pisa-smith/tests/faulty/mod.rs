//! An engine with a fault: it takes `smax` for `smin`.

use pisa_isa::{FORMS, Opcode};
use pisa_machine::{Engine, Image, Launch, Memory, Outcome};
use pisa_reference::ReferenceEngine;
use pisa_smith::host_engines;
use std::sync::Arc;

struct Faulty;

impl Engine for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        let mut image = image.clone();
        let mut module = image.program.module().clone();
        for function in &mut module.functions {
            for instruction in &mut function.code {
                let row = instruction.row();
                if row.opcode != Opcode::Smax {
                    continue;
                }
                let other = FORMS.iter().find(|f| f.opcode == Opcode::Smin && f.title == row.title);
                instruction.form = other.expect("smin has the forms of smax").id();
            }
        }
        image.program = Arc::new(pisa_module::Program::from_module(module).expect("it was linked before"));
        ReferenceEngine.run(&image, memory, launch)
    }
}

pub fn engines() -> Vec<(&'static str, Box<dyn Engine>)> {
    let mut engines = host_engines();
    engines.truncate(1);
    engines.push(("faulty", Box::new(Faulty)));
    engines
}
