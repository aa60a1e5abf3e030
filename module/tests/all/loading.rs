//! Every module of the accept folder loads, the same from each form; every one of the reject
//! folder says where and why not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use laneproof_module::{LoadError, Place, Program, assemble_text, load, load_bytes};

fn files(folder: &str) -> Vec<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> =
        path.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_none_or(|extension| extension != "snap"));
    files.sort();
    files
}

/// Everything but the lines, and the names of results, which only text has.
fn without_lines(program: &Program) -> String {
    let debug = without(&format!("{program:?}"), "written: {", '}');
    let debug = without(&debug, "name: \"%", '"');
    let mut out = String::new();
    let mut parts = debug.split("line: ");
    out.push_str(parts.next().unwrap());
    for part in parts {
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// Without what stands between `start` and the next `end`.
fn without(text: &str, start: &str, end: char) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + start + part.split_once(end).map_or("", |(_, rest)| rest))
}

#[test]
fn accepted_modules_load_the_same_from_text_and_both_byte_orders() {
    let files = files("accept");
    assert_eq!(files.len(), 10);
    for file in files {
        let name = file.display().to_string();
        let from_text = load(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(from_text.unmodelled, [], "{name}");
        assert!(from_text.functions.iter().any(|function| !function.body.items.is_empty()));

        let text = std::fs::read_to_string(&file).unwrap();
        let words = assemble_text(&text, &name).unwrap();
        let little: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let big: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        for bytes in [little, big] {
            let from_binary = load_bytes(&bytes, &name).unwrap();
            assert_eq!(without_lines(&from_binary), without_lines(&from_text), "{name}");
        }
    }
}

#[test]
fn rejected_files_name_file_place_and_reason() {
    let files = files("reject");
    assert_eq!(files.len(), 15);
    let mut report = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&file).unwrap();
        let error = load_bytes(&bytes, name).expect_err(name);
        let message = error.to_string();
        assert!(message.starts_with(name), "{message}");
        report.push_str(&format!("{message}\n\n"));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_file_that_is_not_there_is_unreadable() {
    let error = load("no/such/file.spv").unwrap_err();
    assert!(matches!(error, LoadError::Unreadable { .. }));
    assert!(error.to_string().starts_with("no/such/file.spv: "));
}

#[test]
fn instructions_know_their_line_and_word() {
    let file = files("accept").into_iter().find(|file| file.ends_with("rotate_as_shuffle.spvasm"));
    let file = file.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let program = load(&file).unwrap();
    let words = assemble_text(&text, "").unwrap();
    let mut seen = 0;
    for function in &program.functions {
        for item in &function.body.items {
            let laneproof_module::Item::Block(block) = item else { panic!("no loops here") };
            for instruction in &block.instructions {
                let Place { word, line } = instruction.place;
                assert_eq!(words[word as usize] & 0xffff, instruction.opcode as u32);
                let line = text.lines().nth(line as usize - 1).unwrap();
                assert!(line.contains(&format!("Op{:?}", instruction.opcode)), "{line}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 14);
}
