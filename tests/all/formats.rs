//! A `match` over floating-point formats names each of them, so that the compiler finds every place that a new
//! format concerns.

use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Arm, ExprMatch, ItemImpl, ItemMod, Pat, Type};

use super::structure::{crates, is_test, parsed, root, sources};

/// Names of the formats in code: those of the semantics, and of the interpreter, which has its own.
const ENUMS: [&str; 2] = ["FloatFormat", "Format"];
/// The same in what is implemented for one of them.
const ENUMS_AND_SELF: [&str; 3] = ["FloatFormat", "Format", "Self"];
/// Scalar types among which formats are.
const WITHIN: [&str; 1] = ["Scalar"];

/// The lines of a file at which a `match` over formats has an arm for all others.
#[derive(Default)]
struct CatchAlls {
    lines: Vec<usize>,
    of_format: bool,
}

/// Whether a pattern names a variant of an enum, as `Enum::Variant`.
struct Names<'n> {
    enums: &'n [&'n str],
    found: bool,
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let before_last = path.segments.iter().rev().nth(1);
        self.found |= before_last.is_some_and(|it| self.enums.iter().any(|of| it.ident == of));
        visit::visit_path(self, path);
    }
}

fn names(pattern: &Pat, enums: &[&str]) -> bool {
    let mut names = Names { enums, found: false };
    names.visit_pat(pattern);
    names.found
}

/// Whether a pattern takes every format that no other arm names: `_`, a name, or these within a scalar type.
fn takes_the_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(it) => {
            it.subpat.is_none() && it.ident.to_string().starts_with(char::is_lowercase)
        }
        Pat::Or(it) => it.cases.iter().any(takes_the_rest),
        Pat::Paren(it) => takes_the_rest(&it.pat),
        Pat::Reference(it) => takes_the_rest(&it.pat),
        Pat::TupleStruct(it) => {
            names(pattern, &WITHIN) && it.elems.len() == 1 && it.elems.iter().all(takes_the_rest)
        }
        _ => false,
    }
}

/// An arm for one format whose guard fails is no mistake: the arm after it takes that format again.
fn is_unguarded(arm: &&Arm) -> bool {
    arm.guard.is_none()
}

impl<'ast> Visit<'ast> for CatchAlls {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of_format = match &*item.self_ty {
            Type::Path(path) => ENUMS.iter().any(|it| path.path.is_ident(it)),
            _ => false,
        };
        let before = std::mem::replace(&mut self.of_format, of_format);
        visit::visit_item_impl(self, item);
        self.of_format = before;
    }

    fn visit_expr_match(&mut self, item: &'ast ExprMatch) {
        let enums = if self.of_format { &ENUMS_AND_SELF[..] } else { &ENUMS };
        let over_formats = item.arms.iter().any(|arm| names(&arm.pat, enums));
        let unguarded = item.arms.iter().filter(is_unguarded);
        let rest = unguarded.map(|arm| &arm.pat).find(|pattern| takes_the_rest(pattern));
        if let Some(rest) = rest.filter(|_| over_formats) {
            self.lines.push(syn::spanned::Spanned::span(rest).start().line);
        }
        visit::visit_expr_match(self, item);
    }
}

fn catch_alls(text: &syn::File) -> Vec<usize> {
    let mut found = CatchAlls::default();
    found.visit_file(text);
    found.lines
}

#[test]
fn matches_over_formats_name_each_format() {
    let mut found = Vec::new();
    for folder in crates() {
        for file in sources(&folder.join("src")) {
            let name = file.strip_prefix(Path::new(root())).unwrap().display();
            let lines = catch_alls(&parsed(&file)).into_iter().map(|line| format!("{name}:{line}"));
            found.extend(lines);
        }
    }
    assert!(found.is_empty(), "these take formats that they do not name:\n{}", found.join("\n"));
}

#[test]
fn an_arm_for_all_other_formats_is_found() {
    let text = r#"
        fn bytes(format: FloatFormat) -> u32 {
            match format {
                FloatFormat::Half => 2,
                FloatFormat::Single | FloatFormat::Double | FloatFormat::Bfloat16 => 4,
            }
        }
        fn narrow(scalar: Scalar) -> bool {
            match scalar {
                Scalar::Float(FloatFormat::Half) => true,
                Scalar::Float(_) | Scalar::Bool => false,
                Scalar::Int { .. } => false,
            }
        }
        fn wide(format: Format) -> bool {
            match format {
                Format::Double => true,
                other => other.is_wide(),
            }
        }
        impl Format {
            fn is_wide(self) -> bool {
                match self {
                    Self::Single => true,
                    _ => false,
                }
            }
        }
    "#;
    assert_eq!(catch_alls(&syn::parse_str(text).unwrap()), [11, 18, 25]);
}
