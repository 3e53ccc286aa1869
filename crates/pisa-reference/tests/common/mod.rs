//! Modules from text, run on an engine with buffers.
#![allow(dead_code)]

use pisa_diag::Sources;
use pisa_machine::{Contents, Engine, Image, Launch, Memory, Outcome};
use std::sync::Arc;

/// A loaded program whose kernel `@k` takes addresses of buffers.
pub struct Kernel {
    pub image: Image,
    pub memory: Memory,
    pub launch: Launch,
    buffers: Vec<u64>,
}

/// A module with the header added; the messages where it is not valid.
pub fn module(body: &str) -> Result<pisa_module::Module, String> {
    let mut sources = Sources::new();
    let text: Arc<str> = format!(".version 0.1;\n.target 100;\n{body}").into();
    let file = sources.add("test.pisa", text.clone());
    let tree = pisa_syntax::parse(file, text);
    let lowered = pisa_module::lower(&tree, &pisa_module::Options::default());
    let messages: Vec<_> = tree.diagnostics.iter().chain(&lowered.diagnostics).map(|d| &d.message).collect();
    lowered.module.ok_or_else(|| format!("{messages:?} in\n{body}"))
}

impl Kernel {
    /// Loads a module and gives `@k`, for one work-group of `size` work-items, the addresses of these buffers.
    pub fn new(body: &str, size: u32, buffers: &[&[u8]]) -> Kernel {
        Kernel::from_module(module(body).unwrap_or_else(|e| panic!("{e}")), size, buffers)
    }

    pub fn from_module(module: pisa_module::Module, size: u32, buffers: &[&[u8]]) -> Kernel {
        let program = pisa_module::link(vec![module]).unwrap_or_else(|e| panic!("{e:?}"));
        let mut memory = Memory::with_limit(64 << 20);
        let image = Image::load(Arc::new(program), &mut memory).unwrap_or_else(|e| panic!("{e}"));
        let kernel = image.kernel("k").expect("a kernel @k");
        let parameters = image.program.function(kernel).kernel_parameters();
        let end = parameters.iter().map(|p| p.offset + p.size).max().unwrap_or(0);
        let mut arguments = vec![0; end as usize];
        let mut addresses = Vec::new();
        for (buffer, parameter) in buffers.iter().zip(parameters) {
            let address = memory.allocate_buffer(&parameter.name, Contents::Bytes(buffer), 64).unwrap();
            arguments[parameter.offset as usize..][..8].copy_from_slice(&address.to_le_bytes());
            addresses.push(address);
        }
        let launch = Launch {
            kernel,
            dimensions: 1,
            global: [u64::from(size), 1, 1],
            local: [size, 1, 1],
            offset: [0; 3],
            arguments,
            shared_size: image.shared_size(),
            shared_blocks: Vec::new(),
            printf_buffer: 0,
            fuel: 1_000_000,
            threads: 1,
            max_call_depth: 1024,
            schedule: pisa_machine::Schedule::default(),
        };
        Kernel { image, memory, launch, buffers: addresses }
    }

    pub fn run(&self, engine: &dyn Engine) -> Outcome {
        engine.run(&self.image, &self.memory, &self.launch)
    }

    /// Bytes of a buffer.
    pub fn bytes(&self, buffer: usize) -> Vec<u8> {
        self.memory.find(self.buffers[buffer], 1).unwrap().bytes().unwrap()
    }

    /// A buffer as numbers of 32 bits.
    pub fn words(&self, buffer: usize) -> Vec<u32> {
        self.bytes(buffer).chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
    }
}

/// Numbers that look random and are the same every time.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
