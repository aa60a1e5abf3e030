//! The functions that the specification language has built in, and the page that says so.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use laneproof_semantics::language::intrinsic::{Intrinsic, ResultKind};

const BEGIN: &str = "| function | gives | meaning |\n| --- | --- | --- |\n";

/// What a function gives, for readers.
fn given(gives: ResultKind) -> String {
    match gives {
        ResultKind::Bool => "a truth value".into(),
        ResultKind::Uint(width) => format!("`u{width}`"),
        ResultKind::Single => "`f32`".into(),
        ResultKind::Signed64 => "64 bits that never wrap".into(),
        ResultKind::Mask => "a mask".into(),
        ResultKind::Argument(0) => "the first one's type".into(),
        ResultKind::Argument(place) => format!("the type of argument {}", place + 1),
        ResultKind::Sign(true) => "x's width, a sign".into(),
        ResultKind::Sign(false) => "x's width, no sign".into(),
        ResultKind::Element => "the component".into(),
        ResultKind::ResultElement => "the result's component".into(),
        ResultKind::Result => "the result's type".into(),
        ResultKind::Loaded => "what Pointer leads to".into(),
        ResultKind::Anything => "no value".into(),
    }
}

/// The language's page has the table of functions as the code does; `LANEPROOF_UPDATE=1` writes it
/// anew.
#[test]
fn each_function_stands_in_the_languages_page() {
    let mut table = BEGIN.to_owned();
    for intrinsic in Intrinsic::ALL {
        let row = intrinsic.row();
        let (name, parameters, gives) = (row.name, row.parameters, given(row.gives));
        table += &format!("| `{name}{parameters}` | {gives} | {} |\n", row.meaning.trim());
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/LANGUAGE.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let start = page.find(BEGIN).expect("the table of functions");
    let end = page[start..].find("\n\n").map_or(page.len(), |end| start + end + 1);
    if std::env::var_os("LANEPROOF_UPDATE").is_some() {
        std::fs::write(&file, [&page[..start], &table, &page[end..]].concat()).unwrap();
    }
    assert_eq!(&page[start..end], table, "{} is out of date", file.display());
}

/// No name stands twice, and each is found by its name.
#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = Intrinsic::ALL.iter().map(|it| it.row().name).collect();
    assert_eq!(names.len(), Intrinsic::ALL.len());
    for intrinsic in Intrinsic::ALL {
        assert_eq!(Intrinsic::named(&intrinsic.row().name.into()), Some(*intrinsic));
    }
}
