//! Rules about modules are read as they are written.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{
    Circumstance, Demand, DemandSubject, Fact, Force, Member, Values,
};

fn demand(text: &str) -> Demand {
    let text = format!("document MINE rules section \"S\" when extension E [2, 3] \"w\" {text}");
    let read = Specification::default().extended_with("mine.lps", &text).unwrap();
    assert_eq!(&*read.rules[0].id, "MINE/S/2,3");
    assert_eq!(read.rules[0].sentences, [2, 3]);
    read.rules[0].demands[0].clone()
}

fn holds(fact: Fact) -> Circumstance {
    Circumstance::Holds(fact)
}

#[test]
fn each_force_is_told_from_the_others() {
    let forces = [
        ("accepts", Force::Accepts),
        ("accepts  only", Force::AcceptsOnly),
        ("requires", Force::Requires),
        ("forbids", Force::Forbids),
        ("mentions", Force::Mentions),
    ];
    for (word, force) in forces {
        let read = demand(&format!("{word} Capability : A, B"));
        assert_eq!(read.force, force);
        assert!(matches!(&read.subject, DemandSubject::Tokens(kind) if &**kind == "Capability"));
        assert!(matches!(read.values.as_slice(), [Values::Words(words)] if words.len() == 2));
        assert_eq!(read.when, holds(Fact::Extension("E".into())));
    }
    let label = demand("\"strange\" of capability A when \"it rains\"");
    assert_eq!(label.force, Force::Label("strange".into()));
    assert!(label.values.is_empty());
}

#[test]
fn lists_end_and_versions_are_ordered() {
    for (word, force) in [("complete", Force::Complete), ("closed", Force::Closed)] {
        let read = demand(&format!("{word} Data of capability A when supports B reading mine"));
        assert_eq!((&read.force, read.values.len()), (&force, 0));
        assert_eq!(read.reading.as_deref(), Some("mine"));
        let both = [Fact::Extension("E".into()), Fact::Supports("B".into())];
        assert_eq!(read.when, Circumstance::All(both.map(holds).to_vec()));
    }
    let read = demand("requires Version : at least 1.3");
    assert!(matches!(read.values.as_slice(), [Values::AtLeast(1, 3)]));
}

#[test]
fn subjects_are_fields_of_groups() {
    let read =
        demand("accepts Result, Data of capability A, OpB*, every but OpC, OpD : scalar of int");
    let DemandSubject::Fields { fields, within, group } = &read.subject else { panic!() };
    assert_eq!((fields.len(), within), (2, &None));
    let members = group.members.as_slice();
    let [Member::Capability(_), Member::Named(all), Member::Every] = members else { panic!() };
    assert_eq!((&**all, group.but.len()), ("OpB*", 2));

    let read = demand("requires Dim of Image of OpA : 2D when Depth is 0, 1");
    let DemandSubject::Fields { fields, within, .. } = &read.subject else { panic!() };
    assert_eq!((&*fields[0], within.as_deref()), ("Dim", Some("Image")));
    let depth = Fact::Is("Depth".into(), vec!["0".into(), "1".into()]);
    let extension = holds(Fact::Extension("E".into()));
    assert_eq!(read.when, Circumstance::All(vec![extension, holds(depth)]));
}

#[test]
fn values_are_types_words_and_multiples() {
    let read = demand(
        "accepts X of OpA : scalar or vector(2, 4) of u8, f32; scalar of bool; vector of any",
    );
    let shapes = read.values.iter().map(|values| match values {
        Values::Types { scalar, vector, elements } => (*scalar, vector.clone(), elements.len()),
        other => panic!("{other:?}"),
    });
    let expected = [(true, Some(vec![2, 4]), 2), (true, None, 1), (false, Some(Vec::new()), 1)];
    assert_eq!(shapes.collect::<Vec<_>>(), expected);
    let read = demand("requires HostPtr of Ptr of OpA : multiple of 16 unless \"a\" or not \"b\"");
    assert!(matches!(read.values.as_slice(), [Values::Multiples(16)]));
    for (a, b, expected) in [(true, false, false), (false, true, true), (false, false, false)] {
        let so = |fact: &Fact| match fact {
            Fact::Words(word) => {
                if &**word == "a" {
                    a
                } else {
                    b
                }
            }
            _ => true,
        };
        assert_eq!(read.when.holds(&so), expected, "{a} {b}");
    }
}

/// Every document has rules, and each rule says something.
#[test]
fn the_documents_have_rules() {
    let texts = &AsWritten::built_in().specification;
    for document in &texts.documents {
        let own = texts.rules.iter().filter(|rule| rule.document == document.name);
        assert!(own.clone().count() >= 3, "{}", document.name);
        assert!(
            own.into_iter().all(|rule| !rule.demands.is_empty() || !rule.remarks.is_empty()),
            "{}",
            document.name
        );
    }
    assert_eq!(texts.rules.len(), RULES);
}

/// Of all documents together.
const RULES: usize = 191;
