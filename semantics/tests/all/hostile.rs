//! No text makes the reader panic, overflow its stack or run for long.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_semantics::Specification;

#[test]
fn files_cut_anywhere_are_read_or_refused() {
    let empty = Specification::default();
    let (mut read, mut refused) = (0, 0);
    for source in &Specification::built_in().sources {
        for end in (0..source.text.len()).step_by(23) {
            let Some(text) = source.text.get(..end) else { continue };
            match empty.extended_with("cut.lps", text) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert_eq!((read, refused), (2277, 9433), "read, refused");
}

#[test]
fn files_with_a_character_changed_are_read_or_refused() {
    let empty = Specification::default();
    let mut tried = 0;
    for source in &Specification::built_in().sources {
        for (place, _) in source.text.char_indices().step_by(101) {
            for replacement in ["(", "|", "\"", "{", "0", "é", "", " at "] {
                let after = source.text[place..].chars().next().map_or(0, char::len_utf8);
                let mut text = source.text.to_string();
                text.replace_range(place..place + after, replacement);
                let _ = empty.extended_with("changed.lps", &text);
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 21568);
}

#[test]
fn endless_nesting_is_refused() {
    let count = 100_000;
    let forms = [
        format!("function f(x) = {}x{}", "(".repeat(count), ")".repeat(count)),
        format!("function f(x) = {}x", "not ".repeat(count)),
        format!("function f(x) = {}x", "~".repeat(count)),
        format!("function f(x) = x{}", " + x".repeat(count)),
        format!("function f(x) = x{}", " implies x".repeat(count)),
        format!("function f(x) = {}x", "if x then x else ".repeat(count)),
        format!("function f(x) = {}x", "forall j in active: ".repeat(count)),
        format!("function f(x) = {}x{}", "f(".repeat(count), ")".repeat(count)),
        format!("builtin B : u32 [1] \"x\" {}", "reading r { | a: ".repeat(count)),
        format!("builtin B : u32 [1] \"x\" {}", "in some order of active { ".repeat(count)),
        format!("rules section \"x\" when {}\"x\" [1] \"x\"", "(".repeat(count)),
        format!(
            "rules section \"x\" [1] \"x\" accepts Scope : Device when {}\"x\"",
            "not ".repeat(count)
        ),
        format!(
            "rules section \"x\" [1] \"x\" accepts Scope : Device when {}\"x\"{}",
            "(".repeat(100),
            ")".repeat(100)
        ),
    ];
    for text in forms {
        let error = Specification::default().extended_with("deep.lps", &text);
        assert!(error.is_err(), "accepted: {}", &text[..60]);
    }
}

#[test]
fn long_chains_of_definitions_are_refused() {
    let chain: String =
        (1..5000).map(|i| format!("function f{i}(x) = f{}(x) + f{}(x)\n", i - 1, i - 1)).collect();
    let text =
        format!("function f0(x) = x\n{chain}\nbuiltin B : u32 [1] \"x\" result is f4999(id)");
    assert!(Specification::default().extended_with("chain.lps", &text).is_err());
}

#[test]
fn many_type_variables_are_checked_in_bounded_time() {
    let operands: String = (0..40).map(|i| format!("    O{i} : T{i}\n")).collect();
    let rules: String =
        (0..40).map(|i| format!("  where T{i} : scalar or vector of int, float, bool\n")).collect();
    let text = format!(
        "primitive p\n  operands\n{operands}  result bool\n{rules}  [1] \"x\" result is uniform(O3)"
    );
    assert!(Specification::default().extended_with("wide.lps", &text).is_ok());
}
