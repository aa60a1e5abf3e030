//! No bytes make the loader panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::OnceLock;

use laneproof_module::{
    LoadError, assemble_text, disassemble, limits, load_bytes, load_text_unvalidated,
};
use proptest::prelude::*;

/// Text and binary of each accepted module.
fn accepted() -> &'static [(String, Vec<u8>)] {
    static MODULES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    MODULES.get_or_init(assemble_accepted)
}

fn assemble_accepted() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accept");
    let mut modules = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let words = assemble_text(&text, "seed").unwrap();
        modules.push((text, words.iter().flat_map(|word| word.to_le_bytes()).collect()));
    }
    assert_eq!(modules.len(), 10);
    modules
}

#[test]
fn every_truncation_of_a_binary_is_an_error_or_a_shorter_module() {
    let mut errors = 0;
    for (_, bytes) in accepted() {
        for length in 0..bytes.len() {
            errors += usize::from(load_bytes(&bytes[..length], "cut").is_err());
        }
    }
    assert_eq!(errors, 17627);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(load_bytes(&bytes, "random").is_err());
        let mut with_magic = vec![3, 2, 0x23, 7, 0, 6, 1, 0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0];
        with_magic.extend(&bytes);
        let _ = load_bytes(&with_magic, "random");
    }

    #[test]
    fn flipped_bits_do_not_panic(module in any::<prop::sample::Index>(), flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8), 1..4)) {
        let (text, binary) = module.get(accepted());
        for mut bytes in [binary.clone(), text.clone().into_bytes()] {
            for (index, bit) in &flips {
                let at = index.index(bytes.len());
                bytes[at] ^= 1_u8 << bit;
            }
            if load_bytes(&bytes, "flipped").is_ok() {
                continue;
            }
        }
    }

    /// Past the validator, what the grammar allows must still not panic.
    #[test]
    fn swapped_lines_of_unvalidated_text_do_not_panic(module in any::<prop::sample::Index>(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let (text, _) = module.get(accepted());
        let mut lines: Vec<&str> = text.lines().collect();
        let (a, b) = (a.index(lines.len()), b.index(lines.len()));
        lines.swap(a, b);
        let _ = load_text_unvalidated(&lines.join("\n"), "swapped");
    }
}

#[test]
fn what_is_too_large_is_refused_quickly() {
    let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n\
                %u = OpTypeInt 32 0\n";
    let mut nested = head.to_owned() + "%p0 = OpTypePointer Function %u\n";
    for depth in 1..=limits::MAX_TYPE_DEPTH {
        nested += &format!("%p{depth} = OpTypePointer Function %p{}\n", depth - 1);
    }
    let blocks = head.to_owned()
        + "%v = OpTypeVoid\n%fn = OpTypeFunction %v\n%f = OpFunction %v None %fn\n"
        + "%first = OpLabel\nOpReturn\n"
        + &(0..limits::MAX_BLOCKS)
            .map(|i| format!("%b{i} = OpLabel\nOpReturn\n"))
            .collect::<String>()
        + "OpFunctionEnd\n";
    let spaces = " ".repeat(limits::MAX_BYTES + 1);
    let mut constants = head.to_owned() + "%n = OpConstant %u 65536\n%a = OpTypeArray %u %n\n";
    for index in 0..40 {
        constants += &format!("%c{index} = OpConstantNull %a\n");
    }
    for (text, reason) in [
        (nested, "types nested deeper"),
        (blocks, "a function of more than"),
        (spaces, "more than 16777216 bytes"),
        (constants, "constants of more than"),
    ] {
        match load_bytes(text.as_bytes(), "large") {
            Err(error @ LoadError::TooLarge { .. }) => {
                assert!(error.to_string().contains(reason), "{error}");
            }
            other => panic!("{reason}: {other:?}"),
        }
    }
}

#[test]
fn what_is_disassembled_loads_again() {
    let mut count = 0;
    for (text, bytes) in accepted() {
        // The reference disassembler writes constants of this type without their value.
        if text.contains("BFloat16TypeKHR") {
            continue;
        }
        let words: Vec<u32> =
            bytes.as_chunks().0.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect();
        let text = disassemble(&words).unwrap();
        let program = load_bytes(text.as_bytes(), "again").unwrap();
        let version = load_bytes(bytes, "once").unwrap().preamble.version;
        assert_eq!(program.preamble.version, version);
        count += 1;
    }
    assert_eq!(count, 9);
}

/// Names may be anything in a binary: bytes that are not UTF-8 are shown as question marks.
#[test]
fn names_that_are_not_utf_8_are_disassembled() {
    let text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n\
                OpName %1 \"abcdefg\"\n%1 = OpTypeVoid\n";
    let mut words = assemble_text(text, "names").unwrap();
    let name = u32::from_le_bytes(*b"abcd");
    let at = words.iter().position(|&word| word == name).unwrap();
    words[at] = u32::from_le_bytes([b'a', 0xff, 0xc3, b'd']);
    let text = disassemble(&words).unwrap();
    assert!(text.contains("\"a??defg\""), "{text}");
}

#[test]
fn a_message_does_not_repeat_a_huge_input() {
    let text = format!("OpName %a \"{}", "x".repeat(1_000_000));
    let message = load_bytes(text.as_bytes(), "huge").unwrap_err().to_string();
    assert!(message.len() < 3000, "{}", message.len());
}
