//! Names under which the assembler and the validator do not yet know what they know: the
//! SPV_EXT_shader_subgroup_partitioned extension took over all of SPV_NV_shader_subgroup_partitioned,
//! number by number.

use std::borrow::Cow;

use rspirv::spirv::Op;

use super::next_word;
use crate::words::is;

/// Each name, and the one that is known.
const NAMES: [(&str, &str); 5] = [
    ("OpGroupNonUniformPartitionEXT", "OpGroupNonUniformPartitionNV"),
    ("GroupNonUniformPartitionedEXT", "GroupNonUniformPartitionedNV"),
    ("PartitionedReduceEXT", "PartitionedReduceNV"),
    ("PartitionedInclusiveScanEXT", "PartitionedInclusiveScanNV"),
    ("PartitionedExclusiveScanEXT", "PartitionedExclusiveScanNV"),
];

const EXTENSION: (&str, &str) =
    ("SPV_EXT_shader_subgroup_partitioned", "SPV_NV_shader_subgroup_partitioned");

/// A text with names that the assembler knows. Each word keeps its position, so places are the same
/// in both.
pub(crate) fn in_known_names(text: &str) -> Cow<'_, str> {
    if !NAMES.iter().any(|(name, _)| text.contains(name)) {
        return Cow::Borrowed(text);
    }
    let mut known = String::with_capacity(text.len());
    let (mut copied, mut word) = (0, next_word(text, 0));
    while !word.is_empty() {
        if let Some((_, name)) = NAMES.iter().find(|(alias, _)| text[word.clone()] == **alias) {
            known.push_str(&text[copied..word.start]);
            known.push_str(&format!("{name:0$}", word.len()));
            copied = word.end;
        }
        word = next_word(text, word.end);
    }
    known.push_str(&text[copied..]);
    Cow::Owned(known)
}

/// An instruction in names that are known: the declaration of an extension, in as many words.
pub(crate) fn in_known_words(instruction: &[u32]) -> Cow<'_, [u32]> {
    let (alias, name) = EXTENSION;
    if !is(instruction, Op::Extension) || instruction[1..] != words_of(alias) {
        return Cow::Borrowed(instruction);
    }
    Cow::Owned([&instruction[..1], &words_of(name)].concat())
}

/// A string as words of a module.
fn words_of(string: &str) -> Vec<u32> {
    let mut bytes = string.as_bytes().to_vec();
    bytes.resize(string.len() / 4 * 4 + 4, 0);
    bytes.chunks_exact(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_and_places_do_not() {
        let text = "%1 = OpGroupNonUniformPartitionEXT %2 %3 ; PartitionedReduceEXT\nOpName %1 \"PartitionedReduceEXT\" PartitionedReduceEXT";
        let known = in_known_names(text);
        assert_eq!(known.len(), text.len());
        assert!(known.contains("OpGroupNonUniformPartitionNV  %2"));
        assert!(known.contains("; PartitionedReduceEXT"), "a comment is left alone");
        assert!(known.ends_with("\"PartitionedReduceEXT\" PartitionedReduceNV "));
        assert!(matches!(in_known_names("OpCapability Shader"), Cow::Borrowed(_)));
    }

    #[test]
    fn both_names_of_the_extension_have_as_many_words() {
        assert_eq!(words_of(EXTENSION.0).len(), words_of(EXTENSION.1).len());
    }
}
