//! No text that a program writes or decides by is a type's `Debug` rendering: names and numbers have words
//! of their own. What panics may show it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{ItemFn, ItemMod, Macro};

use super::structure::{crates, is_test, parsed, root, sources};

/// Macros that make a text of which more than a panic consists.
const WRITES: [&str; 7] =
    ["format", "format_args", "write", "writeln", "print", "println", "eprintln"];

/// Files that may: what they render is a number, a list of numbers or a quoted string, or it is for whoever
/// looks for a disagreement between the engines.
const MAY: [(&str, &str); 8] = [
    ("ambiguity/report/src/text.rs", "a number"),
    ("ambiguity/src/ledger/fingerprints.rs", "a quoted string"),
    ("environment/src/values.rs", "a number"),
    ("fuzz/cross-check/src/compare.rs", "a disagreement"),
    ("interpreter/oracle/src/judge.rs", "a list of lanes"),
    ("proofs/src/sample.rs", "a disagreement"),
    ("smt/queries/src/definition/form.rs", "a list of numbers"),
    ("src/spec/exactness.rs", "a quoted string"),
];

/// The lines of a file at which such a text is made.
#[derive(Default)]
struct Rendered(BTreeSet<usize>);

impl<'ast> Visit<'ast> for Rendered {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !item.attrs.iter().any(|it| it.path().is_ident("test")) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        let name = item.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
        let text = item.tokens.to_string();
        if WRITES.contains(&&*name) && (text.contains(":?}") || text.contains(":#?}")) {
            self.0.extend(item.path.segments.last().map(|it| it.ident.span().start().line));
        }
    }
}

fn rendered(text: &syn::File) -> BTreeSet<usize> {
    let mut found = Rendered::default();
    found.visit_file(text);
    found.0
}

#[test]
fn no_text_is_the_debug_rendering_of_a_type() {
    let mut found = BTreeMap::new();
    for folder in crates() {
        for file in sources(&folder.join("src")) {
            let lines = rendered(&parsed(&file));
            if !lines.is_empty() {
                found.insert(file.strip_prefix(root()).unwrap().display().to_string(), lines);
            }
        }
    }
    for (file, _) in MAY {
        assert!(found.remove(file).is_some(), "{file} renders nothing so, and need not be listed");
        assert!(Path::new(root()).join(file).is_file());
    }
    let found: Vec<_> = found.iter().map(|(file, lines)| format!("{file}: {lines:?}")).collect();
    assert!(found.is_empty(), "these render types by `Debug`:\n{}", found.join("\n"));
}

#[test]
fn a_rendering_by_debug_is_found() {
    let text = r#"
        fn key(op: Op) -> String {
            format!("{op:?}")
        }
        fn lists(op: Op) {
            assert!(false, "{op:?}");
        }
    "#;
    assert_eq!(rendered(&syn::parse_str(text).unwrap()), BTreeSet::from([3]));
}
