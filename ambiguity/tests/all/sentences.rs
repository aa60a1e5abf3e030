//! How documents are divided, on small ones of our own.
#![allow(clippy::unwrap_used, missing_docs)]

use laneproof_ambiguity::sentences::{BEGINNING, fingerprint, sections};

fn divided(text: &str) -> Vec<(String, Vec<String>)> {
    sections(text).into_iter().map(|section| (section.title, section.sentences)).collect()
}

fn expected(sections: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    sections.iter().map(|(title, sentences)| ((*title).to_owned(), owned(sentences))).collect()
}

#[test]
fn lines_of_their_own() {
    let text = "\
EXT_turn

Overview

Values turn. See 3.4 for more.

  • One item.

Instructions

OpTurnEXT

Turn the value by N, as follows:

place = id + N
OpTurnEXT, again

Capability:
TurnEXT

<id>
N

OpOneEXT

OpTwoEXT

Both are listed above.

Issues

None.";
    let is = expected(&[
        (BEGINNING, &["EXT_turn"]),
        ("Overview", &["Values turn.", "See 3.4 for more.", "One item."]),
        ("Instructions", &[]),
        (
            "Instructions / OpTurnEXT",
            &[
                "Turn the value by N, as follows:",
                "place = id + N",
                "OpTurnEXT, again",
                "Capability:",
                "TurnEXT",
                "<id>",
                "N",
                "OpOneEXT",
                "OpTwoEXT",
                "Both are listed above.",
            ],
        ),
        ("Issues", &["None."]),
    ]);
    assert_eq!(divided(text), is);
}

#[test]
fn orders_to_an_editor_name_sections() {
    let text = "\
Modifications to the Guide, Version 2
Add a new Section 2.1 - Turns
A turn is whole.
(Add to the table in 3.2, Group Operation):
Turn
(Modify Section 3.5, Turns, at the end)
Again.
(Modify Section 3.5, Turns, once more)
(a remark, and no order)";
    let is = expected(&[
        ("Modifications to the Guide, Version 2", &[]),
        ("Turns", &["A turn is whole."]),
        ("Group Operation", &["Turn"]),
        ("Turns (2)", &["Again."]),
        ("Turns (3)", &["(a remark, and no order)"]),
    ]);
    assert_eq!(divided(text), is);
}

#[test]
fn lines_that_run_on() {
    let text = "\
=====
Guide
=====
Extensions
==========
Turns are
described here. They come in
two kinds:
- **Whole** turns of a kind that fills a line of some sixty letters
or more. They stop.
- **Half**
Notes
-----
Turns of *Kind
Two* take
- a type of this width, which fills its line up to the *Component
Type* that follows, and more
- another
*Kind* is no item. The table:
==== ====
Kind Size
==== ====
One  1. A turn.
Two  2
==== ====
After it.
Issues
======
None.";
    let is = expected(&[
        ("Guide", &[]),
        (
            "Extensions",
            &[
                "Turns are described here.",
                "They come in two kinds:",
                "**Whole** turns of a kind that fills a line of some sixty letters or more.",
                "They stop.",
                "**Half**",
            ],
        ),
        (
            "Extensions / Notes",
            &[
                "Turns of *Kind Two* take",
                "a type of this width, which fills its line up to the *Component Type* that \
                 follows, and more",
                "another",
                "*Kind* is no item.",
                "The table:",
                "Kind Size",
                "One 1.",
                "A turn.",
                "Two 2",
                "After it.",
            ],
        ),
        ("Issues", &["None."]),
    ]);
    assert_eq!(divided(text), is);
}

#[test]
fn white_space_is_no_change_and_a_word_is_one() {
    let one = fingerprint("The value is undefined.");
    assert_eq!(one, fingerprint("The  value\nis undefined. "));
    assert_ne!(one, fingerprint("The value is defined."));
    assert_ne!(one, fingerprint("The value is Undefined."));
}
