//! What a module leaves in memory, held against what came out: in words, and as tables.

use std::fmt::Write as _;

use laneproof_generator::Tree;
use serde_json::Value;

/// The buffers of a module, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Inputs,
    Outputs,
    Lanes,
    Atomics,
}

/// The buffer with each invocation's identity.
pub(crate) const OF_LANES: usize = 2;

/// What each invocation leaves of its place.
pub(crate) const LANES: [&str; 3] = ["SubgroupSize", "SubgroupLocalInvocationId", "SubgroupId"];

impl Role {
    const ALL: [Self; 4] = [Self::Inputs, Self::Outputs, Self::Lanes, Self::Atomics];

    /// The words that an invocation has in it; `None`: they belong to none.
    fn each(self, tree: &Tree) -> Option<usize> {
        let words = match self {
            Self::Inputs => tree.input_words(),
            Self::Outputs => tree.output_words,
            Self::Lanes => LANES.len() as u32,
            Self::Atomics => return None,
        };
        Some(words.max(1) as usize)
    }

    /// The name of a word.
    fn place(self, tree: &Tree, at: usize) -> String {
        let Some(each) = self.each(tree) else {
            return format!("word {at} of the atomics' buffer");
        };
        let (invocation, word) = (at / each, at % each);
        match self {
            Self::Lanes => format!("invocation {invocation}, {}", LANES[word]),
            Self::Inputs => format!("invocation {invocation}, input word {word}"),
            _ => format!("invocation {invocation}, output word {word}"),
        }
    }
}

/// The words of each buffer of a document.
fn buffers(document: &Value) -> Vec<Vec<Value>> {
    let values = |buffer: &Value| buffer["values"].as_array().cloned().unwrap_or_default();
    let bindings = |index: usize| values(&document["bindings"][format!("0.{index}")]);
    let arguments = |index: usize| values(&document["arguments"][index]["buffer"]);
    let numbered = 0..Role::ALL.len();
    match document["bindings"].is_object() {
        true => numbered.map(bindings).collect(),
        false => numbered.map(arguments).collect(),
    }
}

/// A word as people read it.
fn hex(value: &Value) -> String {
    match value.as_u64() {
        Some(word) => format!("{word:#x}"),
        None if value.is_null() => "an undefined value".to_owned(),
        None => value.to_string(),
    }
}

fn differs(expected: &Value, observed: &Value) -> bool {
    !expected.is_null() && expected != observed
}

/// The first word that is defined and came out otherwise: the buffer's number, the word's, and all
/// of it in words.
pub(crate) fn first(
    expected: &Value,
    observed: &Value,
    tree: &Tree,
) -> Option<(usize, usize, String)> {
    let pairs = buffers(expected).into_iter().zip(buffers(observed));
    // Most other results depend on the identities of invocations.
    let mut numbered: Vec<_> = Role::ALL.into_iter().enumerate().zip(pairs).collect();
    numbered.sort_by_key(|((_, role), _)| *role != Role::Lanes);
    numbered.into_iter().find_map(|((buffer, role), (expected, observed))| {
        let at = expected.iter().zip(&observed).position(|(left, right)| differs(left, right))?;
        let place = role.place(tree, at);
        let (left, right) = (hex(&expected[at]), hex(&observed[at]));
        Some((buffer, at, format!("{place}: {right} instead of {left}")))
    })
}

/// How many words a table lists.
const LISTED: usize = 256;

/// Expected and observed outputs, invocation by invocation: the defined words that the module or
/// the tool has written, those that differ first if there are many; and the differences of the
/// other buffers.
pub(crate) fn table(expected: &Value, observed: &Value, before: &[u32], tree: &Tree) -> String {
    let pairs = buffers(expected).into_iter().zip(buffers(observed));
    let mut rows = Vec::new();
    for (role, (expected, observed)) in Role::ALL.into_iter().zip(pairs) {
        for (at, (expected, observed)) in expected.into_iter().zip(observed).enumerate() {
            let left = before.get(at).is_some_and(|word| expected.as_u64() == Some((*word).into()));
            let written = role == Role::Outputs && !expected.is_null() && !left;
            if written || differs(&expected, &observed) {
                rows.push((role, at, expected, observed));
            }
        }
    }
    let more = rows.len() > LISTED;
    if more {
        // What is wrong must not be behind the end.
        rows.sort_by_key(|(_, _, expected, observed)| !differs(expected, observed));
    }
    let mut out = "| place | expected | observed |\n| --- | --- | --- |\n".to_owned();
    for (role, at, expected, observed) in rows.iter().take(LISTED) {
        let mark = if differs(expected, observed) { " ✗" } else { "" };
        let place = role.place(tree, *at);
        let _ = writeln!(out, "| {place} | {} | {}{mark} |", hex(expected), hex(observed));
    }
    if more {
        out += "| … | | |\n";
    }
    out.push('\n');
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use laneproof_generator::{ModuleProfile, Request, generate_seeded};
    use laneproof_semantics::ModuleKind;
    use serde_json::json;

    use super::*;

    fn tree(output_words: u32) -> Tree {
        let request = Request::new(ModuleProfile::Single, ModuleKind::Shader, 4);
        Tree { output_words, ..generate_seeded(&request, 1).unwrap().tree }
    }

    fn document(values: &Value) -> Value {
        json!({ "bindings": { "0.1": { "values": values } } })
    }

    #[test]
    fn tables_list_what_is_defined_and_written() {
        // Two invocations: the second's first word is written over where nothing should be.
        let expected = document(&json!([7, 9, 7, null, 7, 5]));
        let observed = document(&json!([7, 9, 8, 3, 7, 6]));
        let listed = table(&expected, &observed, &[7; 6], &tree(3));
        let rows: Vec<&str> = listed.lines().skip(2).filter(|line| !line.is_empty()).collect();
        let wanted = [
            "| invocation 0, output word 1 | 0x9 | 0x9 |",
            "| invocation 0, output word 2 | 0x7 | 0x8 ✗ |",
            "| invocation 1, output word 2 | 0x5 | 0x6 ✗ |",
        ];
        assert_eq!(rows, wanted);
        let (buffer, at, words) = first(&expected, &observed, &tree(3)).unwrap();
        let wanted = (1, 2, "invocation 0, output word 2: 0x8 instead of 0x7");
        assert_eq!((buffer, at, &*words), wanted);
    }

    /// Both forms of documents; the identities of invocations come first.
    #[test]
    fn places_have_names_in_every_buffer() {
        let buffer = |values: Value| json!({ "buffer": { "values": values } });
        let arguments = |outputs: Value, lanes: Value, atomics: Value| {
            let inputs = buffer(json!([1]));
            json!({ "arguments": [inputs, buffer(outputs), buffer(lanes), buffer(atomics)] })
        };
        let expected = arguments(json!([1, 2]), json!([8, 0, 0, 8, 1, 0]), json!([5, 6]));
        let observed = arguments(json!([1, null]), json!([8, 0, 0, 4, 1, 0]), json!([5, 7]));
        let (buffer, at, words) = first(&expected, &observed, &tree(1)).unwrap();
        let wanted = (2, 3, "invocation 1, SubgroupSize: 0x4 instead of 0x8");
        assert_eq!((buffer, at, &*words), wanted);
        let listed = table(&expected, &observed, &[], &tree(1));
        for row in [
            "| invocation 0, output word 0 | 0x1 | 0x1 |",
            "| invocation 1, output word 0 | 0x2 | an undefined value ✗ |",
            "| invocation 1, SubgroupSize | 0x8 | 0x4 ✗ |",
            "| word 1 of the atomics' buffer | 0x6 | 0x7 ✗ |",
        ] {
            assert!(listed.contains(row), "{row}: {listed}");
        }
        assert_eq!(listed.lines().filter(|line| line.starts_with("| i")).count(), 3, "{listed}");
    }

    #[test]
    fn what_differs_is_in_the_table_however_much_there_is() {
        let mut values = vec![json!(1); 2 * LISTED];
        let expected = document(&json!(values));
        values[2 * LISTED - 1] = json!(2);
        let listed = table(&expected, &document(&json!(values)), &[], &tree(4));
        assert!(listed.contains("| invocation 127, output word 3 | 0x1 | 0x2 ✗ |"), "{listed}");
        assert!(listed.contains("| … |"), "{listed}");
    }
}
