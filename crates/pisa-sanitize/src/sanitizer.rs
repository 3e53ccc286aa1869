//! The observer: hands events to the checks that want them.

use crate::access::{Access, Shape};
use crate::check::{Check, Context};
use crate::finding::{Finding, Findings};
use crate::names::Names;
use crate::options::Options;
use pisa_machine::{Entry, GroupBegin, Image, Launch, Memory, Observer, Step, SubGroupId};
use pisa_module::{FunctionId, Program};

/// Watches one launch.
pub struct Sanitizer<'a> {
    context: Context<'a>,
    checks: Vec<Box<dyn Check + 'a>>,
    /// By function and instruction.
    sites: Vec<Vec<Site>>,
    findings: Findings,
    names: Names<'a>,
}

/// What is known of an instruction.
struct Site {
    /// Bit `i`: check `i` wants to see it.
    wanted: u32,
    /// The access, worked out anew for each step.
    access: Option<Box<Access>>,
}

impl<'a> Sanitizer<'a> {
    /// Ready to watch a launch.
    pub fn new(options: Options, image: &'a Image, memory: &'a Memory, launch: &'a Launch) -> Sanitizer<'a> {
        let context = Context { image, memory, launch };
        let mut checks: Vec<Box<dyn Check + 'a>> = crate::checks(options, &context);
        // What sees no instruction need not follow calls and work-groups either.
        checks.retain(|check| {
            image.program.functions().any(|(_, function)| {
                function.code.iter().any(|instruction| check.wants(function, instruction))
            })
        });
        let sites = image.program.functions().map(|(_, function)| {
            let site = |instruction| {
                let wanted = checks.iter().enumerate().filter(|(_, c)| c.wants(function, instruction));
                let wanted = wanted.fold(0, |set, (i, _)| set | 1 << i);
                Site { wanted, access: Shape::of(instruction).map(|shape| Box::new(Access::new(shape))) }
            };
            function.code.iter().map(site).collect()
        });
        let sites = sites.collect();
        let findings = Findings::new(&image.program);
        Sanitizer { context, checks, sites, findings, names: Names::new(&context) }
    }

    /// Lanes that read past the end of an object in a way that was tolerated (`mem=llvm`; E9, E10).
    pub fn tolerated_over_reads(&self) -> u64 {
        self.findings.tolerated_over_reads()
    }

    /// What was found, in the order in which it first happened.
    pub fn finish(self) -> Vec<Finding> {
        self.findings.into_list()
    }
}

impl Observer for Sanitizer<'_> {
    fn wants(&self, _: &Program, function: FunctionId, index: u32) -> bool {
        let site = self.sites.get(function.index()).and_then(|sites| sites.get(index as usize));
        site.is_some_and(|site| site.wanted != 0)
    }

    fn begin_group(&mut self, group: &GroupBegin) {
        self.checks.iter_mut().for_each(|check| check.begin_group(&self.context, group));
    }

    fn end_group(&mut self, group: u64) {
        self.checks.iter_mut().for_each(|check| check.end_group(&self.context, group));
    }

    fn enter(&mut self, entry: &Entry) {
        self.checks.iter_mut().for_each(|check| check.enter(&self.context, entry));
    }

    fn leave(&mut self, subgroup: SubGroupId, activation: u64, lanes: u32) {
        self.checks.iter_mut().for_each(|check| check.leave(&self.context, subgroup, activation, lanes));
    }

    fn before(&mut self, step: &Step<'_>) {
        let sites = self.sites.get_mut(step.function.index());
        let Some(site) = sites.and_then(|sites| sites.get_mut(step.index as usize)) else { return };
        if let Some(access) = &mut site.access {
            access.read(step);
        }
        let mut wanted = site.wanted;
        while wanted != 0 {
            let check = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            let known = self.findings.len();
            self.checks[check].before(&self.context, step, site.access.as_deref(), &mut self.findings);
            if self.findings.len() > known
                && let Some(access) = &site.access
            {
                self.findings.name_objects(known, |lanes| self.names.of(access, lanes));
            }
        }
    }

    fn release(&mut self, group: u64) {
        let findings = &mut self.findings;
        self.checks.iter_mut().for_each(|check| check.release(&self.context, group, findings));
    }
}
