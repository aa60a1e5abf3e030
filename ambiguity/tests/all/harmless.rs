//! Where a choice point stands in each kind of statement: it is said to be harmless just where no
//! reading makes a difference.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeSet;

use laneproof_ambiguity::{SearchOptions, search};
use laneproof_semantics::as_written::AsWritten;

/// Sentences beside the result, and which questions about them make no difference.
struct Text {
    operands: &'static str,
    result: bool,
    sentences: &'static str,
    /// The beginnings of the questions, by kind.
    harmless: &'static [&'static str],
}

const fn text(sentences: &'static str, harmless: &'static [&'static str]) -> Text {
    Text { operands: "Value : T, Index : u32", result: true, sentences, harmless }
}

const fn stores(sentences: &'static str, harmless: &'static [&'static str]) -> Text {
    let operands = "Pointer : pointer to T, Value : T, Index : u32";
    Text { operands, result: false, sentences, harmless }
}

const SUM: &str = "unsigned-arithmetic";
const SIGN: &str = "operand-sign";
const WORD: &str = "out-of-range";
const MUST: &str = "unmet-must";

/// `SUM` is below 2^32 if it wraps at 32 bits, and may be above if it is exact.
const TEXTS: [Text; 28] = [
    // In what memory is put in order.
    text("result is Value [2] \"o\" orders workgroup when SUM", &[]),
    text("result is Value [2] \"o\" orders workgroup when SUM or not SUM", &[SUM, SIGN]),
    text(
        "result is Value [2] \"o\" orders buffers when SUM [3] \"b\" undefined behavior when true",
        &[SUM, SIGN],
    ),
    // In what is undefined.
    text("result is Value [2] \"u\" undefined value when SUM", &[]),
    text("result is Value [2] \"u\" undefined behavior when SUM", &[]),
    text(
        "result is Value [2] \"u\" undefined value when SUM [3] \"v\" undefined value when true",
        &[SUM, SIGN],
    ),
    text(
        "result is Value [2] \"u\" undefined value when SUM [3] \"v\" undefined value unless SUM",
        &[SUM, SIGN],
    ),
    text(
        "result is Value [2] \"u\" undefined behavior when SUM [3] \"v\" undefined value unless SUM",
        &[],
    ),
    // In where a word holds, alone and beside a consequence.
    text("result is Value [2] \"w\" \"out-of-range\" when SUM", &[]),
    text("result is Value [2] \"w\" \"out-of-range\" unless SUM", &[]),
    text(
        "result is Value [2] \"w\" \"out-of-range\" when SUM [3] \"x\" \"out-of-range\" unless SUM",
        &[SUM, SIGN],
    ),
    text("result is Value [2] \"w\" \"out-of-range\" when Index < 3", &[]),
    text(
        "result is Value [2] \"w\" \"out-of-range\" when i < 3 [3] \"u\" undefined value when i < 3",
        &[],
    ),
    text(
        "result is Value [2] \"w\" \"out-of-range\" when i < 3 [3] \"u\" undefined behavior when i < 3",
        &[WORD],
    ),
    text("result is Value [2] \"w\" \"out-of-range\" when i < 3 and i > 3", &[WORD]),
    text("result is Value [2] \"m\" must i < 3 [3] \"u\" undefined value unless i < 3", &[]),
    text("result is Value [2] \"m\" must i < 3 [3] \"u\" undefined behavior unless i < 3", &[MUST]),
    // A word without a consequence, or another word, where no sentence gives a result.
    text("result is Value when i < 3 [2] \"w\" \"out-of-range\" when i >= 3 and SUM", &[]),
    text(
        "result is Value when i < 3 [2] \"w\" \"odd\" when i >= 3 and SUM [3] \"x\" \"even\" when i >= 3 \
         and not SUM",
        &[],
    ),
    // In the condition of a result, where no sentence speaks of the others.
    text("result is Value when SUM", &[]),
    text("result is Value when SUM [2] \"r\" result is Value when not SUM", &[SUM, SIGN]),
    // In a relation, and beside one.
    text("results such that same_bits(result, Value) or not SUM", &[]),
    text("results such that same_bits(result, Value) and (SUM or not SUM)", &[SUM, SIGN]),
    text("results such that same_bits(result, Value) [2] \"u\" undefined value when SUM", &[]),
    text("results such that same_bits(result, Value) [2] \"u\" undefined behavior unless SUM", &[]),
    text("results such that same_bits(result, Value) [2] \"w\" \"out-of-range\" unless SUM", &[]),
    // In what is stored, and where.
    stores("store Value to Pointer at unsigned(Index + id)", &[]),
    stores("store Value to Pointer at exact(id) when SUM [2] \"i\" ignored when not SUM", &[]),
];

/// One text in this many is searched, all of them where `LANEPROOF_WHOLE` is set.
const STRIDE: usize = 3;

fn harmless(text: &Text) -> BTreeSet<String> {
    let Text { operands, result, sentences, .. } = text;
    let result = if *result { "result T" } else { "" };
    let sentences = sentences.replace("SUM", "unsigned(Index + id) < 4294967296");
    let text = format!(
        "document HARM revision 1 \"A text\"\ninstruction OpHarm section \"Harm\" operands {operands} \
         {result} where T : scalar of int [9] \"d\" varies Index let i = unsigned(Index) [1] \"r\" \
         {sentences}"
    );
    let texts = AsWritten::alone(vec![("harm.lps".to_owned(), text.clone())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    assert!(report.unsearched.is_empty(), "{text}: {:?}", report.unsearched);
    let kinds = [
        (SUM, "Does an unsigned sum"),
        (SIGN, "Is Index a signed"),
        (WORD, "What is the result of"),
        (MUST, "What is the consequence"),
    ];
    let kind = |question: &str| {
        let known = kinds.iter().find(|(_, begins)| question.starts_with(begins));
        known.map_or(question, |(kind, _)| *kind).to_owned()
    };
    report.harmless.iter().map(|it| kind(&it.question)).collect()
}

#[test]
fn what_makes_a_difference_is_not_harmless() {
    let mut wrong = Vec::new();
    let stride = if std::env::var_os("LANEPROOF_WHOLE").is_some() { 1 } else { STRIDE };
    for text in TEXTS.into_iter().step_by(stride) {
        let expected: BTreeSet<String> = text.harmless.iter().map(|&it| it.to_owned()).collect();
        let found = harmless(&text);
        if found != expected {
            wrong.push(format!("{}: {found:?}, expected {expected:?}", text.sentences));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), TEXTS.len(), wrong.join("\n"));
}

/// A condition that some reading meets is not dead.
#[test]
fn what_one_reading_meets_is_not_dead() {
    for (condition, dead) in [("unsigned(Index + id)", false), ("exact(u32(Index + id))", true)] {
        let text = format!(
            "document HARM revision 1 \"A text\"\ninstruction OpHarm section \"Harm\" operands Value : \
             T, Index : u32 result T where T : scalar of int [9] \"d\" varies Index [1] \"r\" result is \
             Value [2] \"u\" undefined value when {condition} >= 4294967296"
        );
        let texts = AsWritten::alone(vec![("harm.lps".to_owned(), text)]).unwrap();
        let report = search(&texts, &SearchOptions::default(), || {});
        let found = report.findings.iter().any(|it| it.id.starts_with("dead-clause/"));
        assert_eq!(found, dead, "{condition}");
    }
}
