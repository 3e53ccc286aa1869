//! What findings about accesses say.

use super::accesses::{Location, Look, moved};
use super::fault::Fault;
use crate::access::Kind;
use crate::describe::{bytes, first_lane, offset_values, operand_text, register_text};
use crate::finding::Text;
use crate::objects::{Target, global_target, nearest_global};
use pisa_isa::{Opcode, Qualifier};
use pisa_machine::{GENERIC_SHARED, GENERIC_TAG};
use pisa_module::{AddressBase, Operand};

/// The text of a fault that these lanes have; it speaks of the first of them.
pub(super) fn text(look: &Look<'_, '_>, fault: Fault, lanes: u32) -> Text {
    let lane = first_lane(lanes);
    let mut text = Text { label: look.operand_label(lane), ..Text::default() };
    match fault {
        Fault::OutOfBounds => look.out_of_bounds(lane, &mut text),
        Fault::OutsideNamed => look.outside_named(lane, &mut text),
        Fault::Misaligned => look.misaligned(lane, &mut text),
        Fault::Null => look.null(lane, &mut text),
        Fault::WrongSpace => look.wrong_space(lane, &mut text),
        Fault::Dangling => look.dangling(lane, &mut text),
        Fault::Constant => look.constant(lane, &mut text),
        Fault::AtomicOnPrivate => {
            text.message = "atomic access to private memory, through a generic address".to_owned();
            text.notes.push("it stops the launch (P0613)".to_owned());
            text.spec = match look.step.instruction.row().opcode {
                Opcode::Fatom => "8.1 fatom: `.generic` address must point to either `.global` or `.shared`",
                Opcode::Iatom => "8.2 iatom: `.generic` address must point to either `.global` or `.shared`",
                _ => {
                    "1.2.1.1: memory order may only be specified on access to global or shared memory objects"
                }
            };
            text.help = "nobody else sees private memory: `ld.private` and `st.private` will do".to_owned();
        }
        Fault::CodeHandle => {
            let function = look.context.image.function_of(look.access.addresses[lane] & !15);
            let name = function.map_or("?", |id| &look.context.image.program.function(id).name);
            text.message = format!("{} through the address of the function `@{name}`", look.verb());
            text.spec = "3.3 Address Operands: an out-of-bounds memory access results in undefined behavior";
            text.help = "code is no data: what `addrof` gives for a function can only be called".to_owned();
        }
    }
    text
}

impl Look<'_, '_> {
    /// `load of 4 bytes`.
    fn verb(&self) -> String {
        let what = match self.access.shape.kind {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::Modify => "atomic access",
        };
        format!("{what} of {}", bytes(self.access.size()))
    }

    /// `lane 3: [%a + 4] is 0x10001004`.
    fn operand_label(&self, lane: usize) -> String {
        let program = &self.context.image.program;
        let function = program.function(self.step.function);
        let operand = self.step.instruction.operands.get(self.access.shape.address);
        let operand = operand.map_or_else(String::new, |operand| operand_text(program, function, operand));
        format!("lane {lane}: `{operand}` is {:#x}", self.access.addresses[lane])
    }

    fn address(&self, lane: usize) -> u64 {
        match self.location(lane) {
            Location::Global(address) | Location::Shared(address) | Location::Private(address) => address,
        }
    }

    /// Where the object comes from: a place where there is one, else a note.
    fn introduce(&self, target: &Target, text: &mut Text) {
        let what = format!("`{}` is {} of {}", target.name, target.origin, bytes(target.size()));
        match target.place {
            Some(place) => text.also.push((place, what)),
            None => text.notes.push(what),
        }
    }

    /// What part of an access that begins in the object lies outside it.
    fn part_outside(&self, target: &Target, address: u64) -> String {
        let shape = self.access.shape;
        let inside = target.range.end.saturating_sub(address);
        let outside = self.access.size().saturating_sub(inside);
        if shape.elements > 1 && inside.is_multiple_of(u64::from(shape.bytes)) {
            let first = inside / u64::from(shape.bytes);
            let last = u64::from(shape.elements) - 1;
            let which = if first == last {
                format!("element {first} lies")
            } else {
                format!("elements {first} to {last} lie")
            };
            format!("{}: {which} past the end of {}", self.verb(), target.text())
        } else {
            let lie = if outside == 1 { "lies" } else { "lie" };
            format!("{}: {} of it {lie} past the end of {}", self.verb(), bytes(outside), target.text())
        }
    }

    /// The same for one that ends in it.
    fn part_before(&self, target: &Target, address: u64) -> String {
        let outside = target.range.start.saturating_sub(address);
        let lie = if outside == 1 { "lies" } else { "lie" };
        format!("{}: {} of it {lie} before {}", self.verb(), bytes(outside), target.text())
    }

    /// What is nearest to the address of a lane.
    fn nearest(&self, lane: usize) -> Option<Target> {
        match self.location(lane) {
            Location::Global(address) => nearest_global(self.context, address, self.access.size()),
            Location::Shared(address) => self.spaces.shared.nearest(address).cloned(),
            Location::Private(address) => {
                let frame = self.step.view.private_frame();
                let start = u64::from(frame.start);
                let layout = self.spaces.private.get(self.step.function.index())?;
                let near = layout.nearest(address.saturating_sub(start))?;
                Some(moved(near, start))
            }
        }
    }

    fn space_name(&self, lane: usize) -> &'static str {
        match self.location(lane) {
            Location::Global(_) => "global",
            Location::Shared(_) => "shared",
            Location::Private(_) => "private",
        }
    }

    fn out_of_bounds(&self, lane: usize, text: &mut Text) {
        let (address, size) = (self.address(lane), self.access.size());
        text.spec = "3.3 Address Operands: an out-of-bounds memory access results in undefined behavior";
        let target = match self.begins_in(lane) {
            Some(target) => {
                text.message = self.part_outside(&target, address);
                Some(target)
            }
            None => self.nearest(lane),
        };
        let Some(target) = target else {
            let space = self.space_name(lane);
            text.message = format!("{} at {address:#x}, where {space} memory has no object", self.verb());
            if matches!(self.location(lane), Location::Global(_))
                && let Some(help) = self.wrapped(address)
            {
                text.help = help;
                return;
            }
            text.help = match self.location(lane) {
                Location::Global(_) => "look where the address comes from: it is near no buffer or variable",
                Location::Shared(_) => {
                    "the program has no shared variable, and the launch gives no `shared:BYTES`"
                }
                Location::Private(_) => {
                    "neither this function nor those that call it have a private variable"
                }
            }
            .to_owned();
            return;
        };
        if text.message.is_empty() {
            text.message = match target.distance(address, size) {
                Some(distance) => format!("{} {distance}", self.verb()),
                None => self.part_before(&target, address),
            };
        }
        self.introduce(&target, text);
        self.explain_offset(lane, text);
        text.help = self.bounds_help(&target);
    }

    /// The help where an index of 32 bits below 0 was taken as unsigned and scaled: the address is that many times 2^32 past
    /// one that is near an object.
    fn wrapped(&self, address: u64) -> Option<String> {
        let (shape, size) = (self.access.shape, self.access.size());
        let scales = [u64::from(shape.bytes), size, 1, 2, 4, 8, 16];
        scales.into_iter().filter(|&scale| scale != 0).find_map(|scale| {
            let meant = address.checked_sub(scale << 32)?;
            let target = nearest_global(self.context, meant, size)?;
            let index = (meant as i64).wrapping_sub(target.range.start as i64) / scale as i64;
            Some(format!(
                "this is element {index} of `{}` and {scale}*2^32 bytes: an index below 0 was widened from 32 bits as an unsigned \
                 number; compare it before, or scale with `smad.full`, or widen with `sext`",
                target.name
            ))
        })
    }

    /// How far the addresses of neighbouring active lanes are apart, where that is the same for all, and not 0.
    fn stride(&self) -> Option<u64> {
        let lanes: Vec<usize> = (0..32).filter(|lane| self.step.lanes >> lane & 1 == 1).collect();
        let mut strides = lanes.windows(2).map(|pair| {
            let apart = self.access.addresses[pair[1]].wrapping_sub(self.access.addresses[pair[0]]);
            (pair[1] == pair[0] + 1).then_some(apart)
        });
        let first = strides.next()??;
        (first != 0 && strides.all(|stride| stride == Some(first))).then_some(first)
    }

    /// How many elements fit.
    fn bounds_help(&self, target: &Target) -> String {
        let size = self.access.size();
        let fit = target.size() / size.max(1);
        let name = &target.name;
        if fit == 0 {
            return format!("`{name}` is smaller than the access: load its {} alone", bytes(target.size()));
        }
        let surplus = self.context.launch.global[0] > fit && target.origin == "a buffer of the launch";
        let more = if surplus {
            format!(
                " (the launch has {} work-items along x: send the surplus round the access with a compare and `goto.cond`)",
                self.context.launch.global[0]
            )
        } else {
            String::new()
        };
        format!(
            "{fit} accesses of {} fit into `{name}`: compare the index with {fit} before{more}",
            bytes(size)
        )
    }

    /// The value of a register offset.
    fn explain_offset(&self, lane: usize, text: &mut Text) {
        let function = self.context.image.program.function(self.step.function);
        let operand = self.step.instruction.operands.get(self.access.shape.address);
        let Some(Operand::Address { offset, .. }) = operand else { return };
        if let Some((name, values)) = offset_values(function, self.step, *offset) {
            text.notes.push(format!("`{name}` is {} in lane {lane}", values[lane] as i64));
        }
    }

    fn outside_named(&self, lane: usize, text: &mut Text) {
        let Some(target) = self.named() else { return };
        let (address, size) = (self.address(lane), self.access.size());
        text.message = if target.range.contains(&address) {
            self.part_outside(&target, address)
        } else {
            match target.distance(address, size) {
                Some(distance) => format!("{} {distance}, the variable it names", self.verb()),
                None => self.part_before(&target, address),
            }
        };
        self.introduce(&target, text);
        self.explain_offset(lane, text);
        if let Some(hit) = self.begins_in(lane)
            && hit.name != target.name
        {
            text.notes.push(format!("`{}` lies there", hit.name));
        }
        text.spec = "3.3 Address Operands: an out-of-bounds memory access results in undefined behavior";
        let last = target.size().saturating_sub(size);
        text.help = if target.size() < size {
            self.bounds_help(&target)
        } else {
            format!(
                "offsets from 0 to {last} stay within `{}`: compare before, or keep the index below {}; declare it larger only if \
                 it is meant to hold more",
                target.name,
                target.size() / size.max(1)
            )
        };
    }

    fn misaligned(&self, lane: usize, text: &mut Text) {
        let align = self.site.alignment;
        let address = self.address(lane);
        let target = self.begins_in(lane);
        let at = match &target {
            Some(target) if address == target.range.start => format!("`{}`", target.name),
            Some(target) => format!("`{}`+{}", target.name, address - target.range.start),
            None => format!("{address:#x}"),
        };
        text.message = format!("{} at {at}, which is not aligned to {align} bytes", self.verb());
        text.spec = "5.1 Access Alignment";
        text.help = match &target {
            Some(target) if target.range.start & (align - 1) != 0 => {
                format!("declare `{}` with `.align {align}`", target.name)
            }
            Some(target) if self.stride().is_some_and(|stride| stride < self.access.size()) => format!(
                "`{}` is aligned, but the address grows by {} a lane, and an access takes {}: multiply the index by {}",
                target.name,
                self.stride().unwrap_or_default(),
                bytes(self.access.size()),
                self.access.size()
            ),
            Some(target) => format!(
                "`{}` is aligned, the offset {} is not a multiple of {align}: use narrower accesses, or move the data",
                target.name,
                address - target.range.start
            ),
            None => format!("make the address a multiple of {align}"),
        };
        if let Some(target) = &target {
            self.introduce(target, text);
        }
        if self.access.shape.is_atomic() {
            text.notes.push("as the access is atomic, it stops the launch (P0612)".to_owned());
        }
    }

    fn null(&self, lane: usize, text: &mut Text) {
        let function = self.context.image.program.function(self.step.function);
        let operand = self.step.instruction.operands.get(self.access.shape.address);
        let base = match operand {
            Some(Operand::Address { base: AddressBase::Register(used), .. }) => {
                Some(register_text(function, *used))
            }
            Some(Operand::Address { base: AddressBase::Special(_), .. }) => {
                text.message = format!("{} through `%printfbuffer`, which is 0", self.verb());
                text.spec = "Special registers: %printfbuffer";
                text.notes.push("the launch has no buffer for printf, so `%printfbuffer` is 0".to_owned());
                text.help =
                    "give the launch one with `--printf BYTES`, or compare `%printfbuffer` with 0 before"
                        .to_owned();
                return;
            }
            _ => None,
        };
        text.spec = "2.1 Memory Address Spaces: null pointer value";
        let name = base.map_or_else(|| "the address".to_owned(), |base| format!("`{base}`"));
        let narrow = matches!(self.access.shape.space, Qualifier::Shared | Qualifier::Private);
        let tag = self.access.addresses[lane] & GENERIC_TAG;
        let cast = self.access.shape.space == Qualifier::Generic && tag != 0 && self.base_is_null(lane);
        if cast {
            let space = if tag == GENERIC_SHARED { "shared" } else { "private" };
            text.message = format!("{} through a null pointer of {space} memory that was cast", self.verb());
            text.notes.push(format!(
                "{name} is {:#x}: `addrcast` adds a tag and does not map null to null (4.1)",
                self.base.map_or(0, |base| base[lane])
            ));
            text.help =
                "compare the pointer with 0xffffffff before `addrcast`, and choose 0 with `sel` where it is null"
                    .to_owned();
            return;
        }
        text.message = format!("{} through a null pointer", self.verb());
        let value = self.base.map_or(self.access.addresses[lane], |base| base[lane]);
        text.notes.push(format!("{name} is {value:#x} in lane {lane}"));
        text.help = if narrow {
            "in shared and private memory 0xffffffff is null, and 0 a good address: compare the pointer with it before"
        } else {
            "compare the pointer with 0 before, or give the parameter a buffer"
        }
        .to_owned();
    }

    fn wrong_space(&self, lane: usize, text: &mut Text) {
        let address = self.access.addresses[lane];
        text.spec = "3.3.1 Generic Addressing";
        if self.access.shape.space == Qualifier::Generic {
            text.message = format!("{} through {address:#x}, which no cast gives", self.verb());
            text.notes.push("arithmetic on the generic address has left its space".to_owned());
            text.help = "generic addresses may be moved within their object only".to_owned();
            return;
        }
        let space = if address & GENERIC_TAG == GENERIC_SHARED { "shared" } else { "private" };
        let written = self.access.shape.space.text();
        text.message =
            format!("{} with `{written}` through a generic address of {space} memory", self.verb());
        text.help = format!("use `.generic`, or `addrcast.{space}.generic` and `.{space}`");
    }

    fn dangling(&self, lane: usize, text: &mut Text) {
        let address = self.address(lane);
        let Some((start, id)) = self.spaces.frames.over_at(self.step.subgroup, address) else { return };
        let function = self.context.image.program.function(id);
        let layout = self.spaces.private.get(id.index());
        let target = layout.and_then(|layout| layout.inside(address - start));
        text.message = match target {
            Some(target) => {
                format!("{} in `{}` of `@{}`, which has returned", self.verb(), target.name, function.name)
            }
            None => format!("{} in private memory of `@{}`, which has returned", self.verb(), function.name),
        };
        if let Some(target) = target {
            self.introduce(target, text);
        }
        text.spec = "2.4 Memory Variables: a private variable lives as long as the call that it belongs to";
        text.help = format!(
            "declare the variable in the function that calls `@{}`, and pass its address",
            function.name
        );
    }

    fn constant(&self, lane: usize, text: &mut Text) {
        let address = self.address(lane);
        let target = self.context.memory.find(address, 1).map(|object| global_target(self.context, object));
        let name = target.as_ref().map_or_else(|| format!("{address:#x}"), |target| target.name.clone());
        text.message = format!("{} to the constant `{name}`", self.verb());
        if let Some(target) = &target {
            self.introduce(target, text);
        }
        text.notes.push("it stops the launch (P0614)".to_owned());
        text.spec =
            "2.1.5 Constant Space: storing data to a `.const` address space results in undefined behavior";
        text.help = format!("declare `{name}` as `.global` if it changes");
    }
}
