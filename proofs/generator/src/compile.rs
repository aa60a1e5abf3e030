//! The modules of an instance.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use laneproof_frontends::{Compilers, Source, SourceError, compile};
use laneproof_module::{LoadError, Program, load_bytes};
use thiserror::Error;

use crate::form::Form;
use crate::instance::LoweringInstance;

/// Why an instance gives no modules.
#[derive(Debug, Error)]
pub enum CompileError {
    /// It does not compile.
    #[error(transparent)]
    Source(#[from] Box<SourceError>),
    /// What the optimizer wrote is not valid.
    #[error(transparent)]
    Load(#[from] Box<LoadError>),
    /// No files for the optimizer.
    #[error(transparent)]
    Files(#[from] io::Error),
    /// The optimizer failed.
    #[error("spirv-opt: {0}")]
    Optimizer(String),
    /// There is no optimizer.
    #[error("needs an optimizer (`--spirv-opt`)")]
    NoOptimizer,
}

/// The module, or those of both sides.
pub(crate) fn programs(
    instance: &LoweringInstance,
    spirv_opt: Option<&Path>,
) -> Result<Vec<Program>, CompileError> {
    let name = instance.name();
    let one = |text: &String| match instance.style.form {
        Form::Optimized => optimized(text, &name, spirv_opt.ok_or(CompileError::NoOptimizer)?),
        form => match form.language() {
            Some(language) => Ok(compile(language, text, &name).map_err(Box::new)?),
            None => Ok(load_bytes(text.as_bytes(), &name).map_err(Box::new)?),
        },
    };
    instance.texts.iter().map(one).collect()
}

fn optimized(text: &str, name: &str, spirv_opt: &Path) -> Result<Program, CompileError> {
    let folder = tempfile::tempdir()?;
    let source = Source::of_text(&PathBuf::from("lowering.comp"), text.to_owned());
    let words = source.and_then(|it| it.words(&Compilers::default())).map_err(Box::new)?;
    let (from, to) = (folder.path().join("from.spv"), folder.path().join("to.spv"));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&from, bytes)?;
    let run = Command::new(spirv_opt)
        .args(["--target-env=vulkan1.3", "-O"])
        .arg(&from)
        .arg("-o")
        .arg(&to)
        .output()?;
    if !run.status.success() {
        return Err(CompileError::Optimizer(String::from_utf8_lossy(&run.stderr).into_owned()));
    }
    Ok(load_bytes(&std::fs::read(&to)?, name).map_err(Box::new)?)
}
