//! Runs kernels from text.
#![allow(dead_code)] // Each test file uses a part.

use pisa_diag::FileId;
use pisa_machine::{Contents, Engine, Image, Launch, Memory, Outcome, StopReason};
use pisa_module::{Options, Program};
use pisa_vector::{Level, VectorEngine};
use std::sync::Arc;

/// The program of a module without its header.
pub fn program(text: &str) -> Program {
    let text = format!(".version 0.1;\n.target 100;\n{text}");
    let tree = pisa_syntax::parse(FileId(0), Arc::from(text.as_str()));
    assert!(tree.diagnostics.is_empty(), "{:#?}", tree.diagnostics);
    let lowered = pisa_module::lower(&tree, &Options::default());
    let Some(module) = lowered.module else { panic!("{:#?}", lowered.diagnostics) };
    pisa_module::link(vec![module]).expect("a whole program")
}

/// A launch to be.
#[derive(Clone)]
pub struct Run {
    program: Arc<Program>,
    launch: Launch,
    dynamic_shared: u32,
    parameters: Vec<(String, Parameter)>,
}

#[derive(Clone)]
enum Parameter {
    Buffer(Vec<u8>),
    Value(Vec<u8>),
}

/// What came of it.
pub struct Done {
    pub outcome: Outcome,
    buffers: Vec<(String, Vec<u8>)>,
}

impl Run {
    /// The only kernel of a module without its header, with 32 work-items in one work-group.
    pub fn new(text: &str) -> Run {
        let program = Arc::new(program(text));
        let (kernel, _) = program.kernels().next().expect("a kernel");
        let launch = Launch {
            kernel,
            dimensions: 1,
            global: [32, 1, 1],
            local: [32, 1, 1],
            offset: [0; 3],
            arguments: Vec::new(),
            shared_size: 0,
            shared_blocks: Vec::new(),
            printf_buffer: 0,
            fuel: 100_000_000,
            threads: 1,
            max_call_depth: 1024,
            schedule: pisa_machine::Schedule::default(),
        };
        Run { program, launch, dynamic_shared: 0, parameters: Vec::new() }
    }
    pub fn size(mut self, global: u64, local: u32) -> Run {
        (self.launch.global, self.launch.local) = ([global, 1, 1], [local, 1, 1]);
        self
    }
    pub fn sizes(mut self, global: [u64; 3], local: [u32; 3]) -> Run {
        (self.launch.global, self.launch.local, self.launch.dimensions) = (global, local, 3);
        self
    }
    pub fn offset(mut self, offset: [u64; 3]) -> Run {
        self.launch.offset = offset;
        self
    }
    pub fn threads(mut self, threads: usize) -> Run {
        self.launch.threads = threads;
        self
    }
    pub fn clone_with_threads(&self, threads: usize) -> Run {
        self.clone().threads(threads)
    }
    pub fn fuel(mut self, fuel: u64) -> Run {
        self.launch.fuel = fuel;
        self
    }
    pub fn depth(mut self, depth: u32) -> Run {
        self.launch.max_call_depth = depth;
        self
    }
    pub fn dynamic_shared(mut self, bytes: u32) -> Run {
        self.dynamic_shared = bytes;
        self
    }
    pub fn buffer(mut self, name: &str, bytes: Vec<u8>) -> Run {
        self.parameters.push((name.to_owned(), Parameter::Buffer(bytes)));
        self
    }
    /// A buffer of `count` words, all 0.
    pub fn words(self, name: &str, count: usize) -> Run {
        self.buffer(name, vec![0; count * 4])
    }
    pub fn value(mut self, name: &str, value: u64) -> Run {
        self.parameters.push((name.to_owned(), Parameter::Value(value.to_le_bytes().to_vec())));
        self
    }

    /// Runs at every level that the host has; all must agree.
    pub fn run(&self) -> Done {
        let first = self.run_at(Level::Plain);
        for level in [Level::Avx2, Level::Avx512] {
            if level <= Level::host() {
                let other = self.run_at(level);
                assert_eq!(first.outcome.stop, other.outcome.stop, "{level:?}");
                assert_eq!(first.outcome.statistics, other.outcome.statistics, "{level:?}");
                assert!(first.buffers == other.buffers, "{level:?}");
            }
        }
        first
    }

    /// Runs at the best level of the host only.
    pub fn run_fast(&self) -> Done {
        self.run_with(VectorEngine::new())
    }

    pub fn run_at(&self, level: Level) -> Done {
        self.run_with(VectorEngine::with_level(level))
    }

    fn run_with(&self, engine: VectorEngine) -> Done {
        let mut memory = Memory::with_limit(1 << 30);
        let image = Image::load(Arc::clone(&self.program), &mut memory).expect("room");
        let mut launch = self.launch.clone();
        launch.shared_size = match self.dynamic_shared {
            0 => image.shared_size(),
            bytes => image.shared_size().next_multiple_of(16) + bytes,
        };
        let function = self.program.function(launch.kernel);
        let parameters = function.kernel_parameters();
        launch.arguments = vec![0; parameters.last().map_or(0, |p| (p.offset + p.size) as usize)];
        let mut addresses = Vec::new();
        for (name, given) in &self.parameters {
            let bytes = match given {
                Parameter::Buffer(contents) => {
                    let contents = Contents::Bytes(contents);
                    let address = memory.allocate_buffer(name, contents, 64).expect("room");
                    addresses.push((name.clone(), address));
                    address.to_le_bytes().to_vec()
                }
                Parameter::Value(bytes) => bytes.clone(),
            };
            let parameter = parameters.iter().find(|p| &*p.name == name.as_str()).expect("a parameter");
            let (at, size) = (parameter.offset as usize, (parameter.size as usize).min(8));
            launch.arguments[at..at + size].copy_from_slice(&bytes[..size]);
        }
        let outcome = engine.run(&image, &memory, &launch);
        let buffers = addresses
            .into_iter()
            .map(|(name, address)| {
                let object = memory.find(address, 1).expect("the buffer");
                let mut bytes = vec![0; object.size as usize];
                object.read(0, &mut bytes);
                (name, bytes)
            })
            .collect();
        Done { outcome, buffers }
    }
}

impl Done {
    /// Fails unless the launch ran to its end.
    pub fn ok(self) -> Done {
        assert_eq!(self.outcome.stop, None);
        self
    }
    pub fn reason(&self) -> Option<&StopReason> {
        self.outcome.stop.as_ref().map(|stop| &stop.reason)
    }
    pub fn bytes(&self, name: &str) -> &[u8] {
        &self.buffers.iter().find(|(n, _)| n == name).expect("a buffer").1
    }
    pub fn words(&self, name: &str) -> Vec<u32> {
        self.bytes(name).chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }
    pub fn longs(&self, name: &str) -> Vec<u64> {
        self.bytes(name).chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect()
    }
}

/// Words as the bytes of a buffer.
pub fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Declarations and code that put the linear index of the work-item in its work-group into `%id`, the index in the
/// launch into `%gid`, and the address of `%out[%gid]` (words) into `%to`.
pub const PROLOGUE: &str = "
    .reg .32b %id, %gid, %t0, %t1;
    .reg .64b %to, %wide;
    ld.param.64b %to, [%out];
    mov.32b %id, %localid.x;
    mul_low
    iadd.32b %gid, %t0, %id;
    zext.64b.32b %wide, %gid;
    shl.64b %wide, %wide, 2;
    iadd.64b %to, %to, %wide;
";

/// A kernel with the [`PROLOGUE`], which ends by storing `%r` at `%to`.
pub fn kernel(parameters: &str, body: &str) -> String {
    let prologue = PROLOGUE.replace("mul_low", "umul.32b %t0, %groupid.x, %enqueuedlocalsize.x;");
    format!(
        ".kernel @k(.param[8] %out{parameters}) {{\n{prologue}\n.reg .32b %r;\n{body}\nst.global.32b [%to], %r;\nreturn;\n}}\n"
    )
}
