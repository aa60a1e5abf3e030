//! Writes binaries as assembly beside them: `disassemble FILE.spv…`.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    for file in std::env::args_os().skip(1).map(PathBuf::from) {
        let bytes = std::fs::read(&file)?;
        let words: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let text = laneproof_module::disassemble(&words).ok_or("not a module")?;
        std::fs::write(file.with_extension("spvasm"), text)?;
    }
    Ok(())
}
