//! Writes assembly files as binaries into a folder: `assemble FOLDER FILE…`, as for the seeds of
//! a fuzzer.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("usage: assemble FOLDER FILE…")?;
    std::fs::create_dir_all(&folder)?;
    for file in arguments {
        let text = std::fs::read_to_string(&file)?;
        let words = laneproof_module::assemble_text(&text, &file.display().to_string())?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let name = Path::new(file.file_name().unwrap_or_default()).with_extension("spv");
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
