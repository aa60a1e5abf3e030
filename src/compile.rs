//! `laneproof compile`: the SPIR-V that the other commands look at.

use std::path::PathBuf;

use clap::Args;
use laneproof_frontends::Source;
use laneproof_module::disassemble;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::compilers;
use crate::failure::Failure;
use crate::output::write;

/// Write the SPIR-V that the other commands use
#[derive(Args)]
pub struct Compile {
    /// A module, or GLSL or WGSL to compile; `-` is standard input
    file: PathBuf,
    /// The file to write: assembly if its name ends in .spvasm, otherwise a binary [default:
    /// assembly, on standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Compile {
    /// Compiles it.
    pub fn carry_out(&self) -> Result<Answer, Failure> {
        let source = Source::read(&self.file)?;
        let words = source.words(&compilers())?;
        let assembly = || {
            disassemble(&words).ok_or_else(|| {
                Failure::Fault(format!("{}: what was compiled is no module", source.name()))
            })
        };
        let Some(output) = &self.output else {
            let text = assembly()?;
            let json = json!({ "words": words.len(), "assembly": text });
            return Ok(Answer { exit: Exit::Good, text, json });
        };
        if output.extension().is_some_and(|it| it == "spvasm") {
            write(output, assembly()?.as_bytes())?;
        } else {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            write(output, &bytes)?;
        }
        let json = json!({ "words": words.len(), "output": output });
        Ok(Answer { exit: Exit::Good, text: String::new(), json })
    }
}
