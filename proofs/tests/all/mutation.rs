//! Mutants are what they say: the module with one instruction of its target changed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use laneproof_frontends::Compilers;
use laneproof_module::{assemble_text, disassemble};
use laneproof_proofs::{Catalogue, mutants};
use laneproof_verify::Verdict;

/// Lines of the disassembly but declarations that a mutant may add.
fn lines(words: &[u32]) -> Vec<String> {
    let text = disassemble(words).unwrap_or_else(|| panic!("{words:x?}"));
    let is_added = |line: &&str| line.contains("OpCapability") || line.contains("OpConstant");
    text.lines()
        .filter(|line| !line.starts_with(';') && !is_added(line))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_mutant_changes_one_instruction_of_the_target_and_says_which() {
    let catalogue = Catalogue::gather(&["lowerings/rotate".into(), "loop/".into()]).unwrap();
    let mut seen = 0;
    for entry in catalogue.entries.iter().filter(|it| it.header.expect == Verdict::Proved) {
        let original = assemble_text(&entry.text, &entry.name).unwrap();
        let before = lines(&original);
        let text: Vec<&str> = entry.text.lines().collect();
        let target = text.iter().position(|line| line.starts_with("%tgt = OpFunction"));
        for mutant in mutants(entry, &Compilers::default()).unwrap() {
            let after = lines(&mutant.words);
            assert_eq!(before.len(), after.len(), "{}: {mutant}", entry.name);
            let changed: Vec<usize> =
                (0..before.len()).filter(|&line| before[line] != after[line]).collect();
            assert_eq!(changed.len(), 1, "{}: {mutant}", entry.name);
            assert_eq!(text[mutant.line as usize - 1].trim(), mutant.instruction);
            assert!(mutant.line as usize > target.unwrap(), "{}: {mutant}", entry.name);
            if mutant.before.starts_with("Op") {
                assert!(before[changed[0]].contains(&mutant.before), "{}: {mutant}", entry.name);
                assert!(after[changed[0]].contains(&mutant.after), "{}: {mutant}", entry.name);
                assert!(mutant.instruction.contains(&mutant.before), "{}: {mutant}", entry.name);
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 400);
}

/// Every operator and every constant of a target is changed at least once.
#[test]
fn no_operator_and_no_constant_is_left_alone() {
    let catalogue = Catalogue::gather(&["lowerings/rotate/clustered-16-or".into()]).unwrap();
    let entry = &catalogue.entries[0];
    let changed: BTreeSet<u32> =
        mutants(entry, &Compilers::default()).unwrap().iter().map(|it| it.line).collect();
    let text: Vec<&str> = entry.text.lines().collect();
    let start = text.iter().position(|line| line.starts_with("%tgt = OpFunction")).unwrap();
    let plain = [
        "OpFunction",
        "OpFunctionParameter",
        "OpLabel",
        "OpLoad",
        "OpReturnValue",
        "OpFunctionEnd",
    ];
    let mut operators = 0;
    for (index, line) in text.iter().enumerate().skip(start) {
        let word = line.split_whitespace().find(|word| word.starts_with("Op"));
        let Some(word) = word.filter(|word| !plain.contains(word)) else { continue };
        operators += 1;
        assert!(changed.contains(&(index as u32 + 1)), "{word} in line {}", index + 1);
    }
    assert_eq!(operators, 5);
}
