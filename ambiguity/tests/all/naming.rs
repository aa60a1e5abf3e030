//! What instructions are called, and what is said of two things that belong together: each fault in
//! several wordings, and sound texts near it.
#![allow(missing_docs)]

use laneproof_ambiguity::editorial::slips;
use laneproof_ambiguity::sentences::sections;
use laneproof_ambiguity::slip::EditorialFault;

/// A fault, texts that have it with the words that are shown, and texts that have none.
struct Fault {
    fault: EditorialFault,
    found: &'static [(&'static str, &'static str)],
    sound: &'static [&'static str],
}

const FAULTS: [Fault; 8] = [
    Fault {
        fault: EditorialFault::NamedByCapability,
        found: &[
            (
                "Each is one of the GroupNonUniformClustered instructions.",
                "GroupNonUniformClustered instructions",
            ),
            (
                "Modify each **GroupNonUniformArithmetic** instruction.",
                "each GroupNonUniformArithmetic instruction",
            ),
        ],
        sound: &[
            "Each instruction that GroupNonUniformVote enables turns.",
            "The OpGroupNonUniformShuffle instruction turns.",
            "Kernel instructions turn.",
            // Nothing else enables these.
            "Each is one of the SubgroupShuffleINTEL instructions.",
            "The GroupNonUniformVote capability enables instructions.",
        ],
    },
    Fault {
        fault: EditorialFault::CalledByWords,
        found: &[(
            "The image block read instruction reads.\n\nOpSubgroupImageBlockReadINTEL may turn.",
            "the image block read instruction",
        )],
        sound: &[
            "The image block read instruction OpSubgroupImageBlockReadINTEL turns.",
            "For the image read instruction:\n\nOpImageRead\n\nIt reads.",
            "The most recent instruction turns.\n\nOpImageRead may turn.",
            "An image read instruction reads, as OpImageRead does.",
        ],
    },
    Fault {
        fault: EditorialFault::FirstAndSecond,
        found: &[
            (
                "The first value is written to:\n\nA\n\nand the second value written is:\n\nB",
                "first value is written to / second value written is",
            ),
            (
                "The first value read is from one row, the second value is read from the next row.",
                "first value read is from / second value is read from",
            ),
        ],
        sound: &[
            "The first value read is:\n\nA\n\nand the second value read is:\n\nB",
            "The first value is written to one row, the second value is written to the next row.",
            "The first value is read from a row, the second operand is written to it.",
            "The first value is needed twice, the second value needed once.",
        ],
    },
    Fault {
        fault: EditorialFault::GivenAnew,
        found: &[(
            "N = A where there is one, otherwise\n\nN = B or C.",
            "N = \u{2026} otherwise / N =",
        )],
        sound: &[
            "N = A where there is one, otherwise\n\nB or C.",
            "N = A where there is one, otherwise B.\n\nM = C.",
            "N = A where there is one, otherwise\n\nM = C.",
        ],
    },
    Fault {
        fault: EditorialFault::NoArticle,
        found: &[
            ("Count is the size of cluster to use.", "size of cluster"),
            ("Bit N is for the id of invocation.", "id of invocation"),
        ],
        sound: &[
            "Count is the size of the cluster to use.",
            "Count is the number of subgroup operations.",
            "Count is the size of clusters.",
            "It has the value of group operations.",
        ],
    },
    Fault {
        fault: EditorialFault::OtherEquivalents,
        found: &[(
            "OpTypeInt with a Width of 32 bits and Signedness of 0 (equivalent to int and uint)\n\n\
             Pairs of OpTypeInt with a Width of 32 bits and Signedness of 0 (equivalent to int2)",
            "int and uint / int2",
        )],
        sound: &[
            "OpTypeInt with a Width of 32 bits and Signedness of 0 (equivalent to int and uint)\n\n\
             Pairs of OpTypeInt with a Width of 32 bits and Signedness of 0 (equivalent to int2 and uint2)",
            "OpTypeInt with a Width of 32 bits and Signedness of 0 (equivalent to int and uint)\n\n\
             OpTypeInt with a Width of 16 bits and Signedness of 0 (equivalent to ushort)",
            "OpTypeInt with a Width of 32 bits and Signedness of 0 (`uint`)\n\n\
             OpTypeInt with a Width of 32 bits and Signedness of 1 (`int`)",
        ],
    },
    Fault {
        fault: EditorialFault::TwoOrders,
        found: &[(
            "It stores in images or buffers.\n\nIt loads from buffers or images.",
            "images or buffers / buffers or images",
        )],
        sound: &[
            "It stores in images or buffers.\n\nIt loads from images or buffers.",
            "It stores in images or buffers.\n\nIt loads from buffers and images.",
            "It is this or that.\n\nIt is that or this.",
        ],
    },
    Fault {
        fault: EditorialFault::QuotedOnly,
        found: &[(
            "It turns values \"down\" by one.\n\nIt turns \"up\" by two.",
            "\"down\", \"up\"",
        )],
        sound: &[
            "It turns values \"down\" by one.\n\nDown is towards lower numbers.",
            "The values of a group (a \"row\") turn.\n\nEach row has a number.",
            "It is \"0\" or \"Turn\".",
            "Add \"One \"turns\" here\".",
        ],
    },
];

#[test]
fn each_wording_of_a_fault_is_found_and_sound_ones_are_not() {
    let text = |sentence: &str| format!("EXT_turn\n\nOverview\n\n{sentence}\n\nIssues\n\nNone.");
    let found = |sentence: &str| {
        let slips = slips(&sections(&text(sentence))).into_iter().flatten();
        let mut found: Vec<_> = slips.map(|slip| (slip.fault, slip.words)).collect();
        found.dedup();
        found
    };
    let mut wrong = Vec::new();
    for Fault { fault, found: faulty, sound } in FAULTS {
        for (sentence, words) in faulty {
            let slips = found(sentence);
            if !matches!(&*slips, [(kind, shown)] if *kind == fault && shown == words) {
                wrong.push(format!("{sentence}: {slips:?}, expected {words}"));
            }
        }
        for sentence in sound {
            let slips: Vec<_> =
                found(sentence).into_iter().filter(|(it, _)| *it == fault).collect();
            if !slips.is_empty() {
                wrong.push(format!("{sentence}: {slips:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each of the two orders in which a document has names is a place of what is found.
#[test]
fn names_in_two_orders_show_both_places() {
    let text = "EXT_turn\n\nOverview\n\nIt stores in images or buffers.\n\nIt is one.\n\nIt loads from \
                buffers or images.\n\nIssues\n\nNone.";
    let slips = slips(&sections(text)).into_iter().flatten();
    let orders = slips.filter(|it| it.fault == EditorialFault::TwoOrders);
    assert_eq!(orders.map(|it| it.sentence).collect::<Vec<_>>(), [1, 3]);
}

/// The value of an operand whose type has no sign.
#[test]
fn a_sign_is_ruled_out_once() {
    let text = |rule: &str, reading: &str| {
        format!(
            "EXT_turn\n\nInstructions\n\nOpTurnEXT\n\nTurn the value.\n\n{rule}\n\n{reading}\n\nIssues\n\nNone."
        )
    };
    let found = |rule: &str, reading: &str| {
        let slips = slips(&sections(&text(rule, reading))).into_iter().flatten();
        slips.map(|slip| (slip.fault, slip.words)).collect::<Vec<_>>()
    };
    let rule = "Delta must be a scalar of integer type, whose Signedness operand is 0.";
    let reading = "Delta is treated as unsigned.";
    let fault = (EditorialFault::SignTwice, "Delta is treated as unsigned".to_owned());
    assert_eq!(found(rule, reading), [fault]);
    assert_eq!(found("Delta must be a scalar of integer type.", reading), []);
    assert_eq!(found(rule, "Mask is treated as unsigned."), []);
}

/// Instructions that an order to an editor looks for in a section for those of another class.
#[test]
fn instructions_of_a_capability_are_looked_for_in_their_section() {
    let found = |section: &str| {
        let text = format!(
            "EXT_turn\n\n(Modify Section 3.42.21, {section}, modify each GroupNonUniformClustered instruction)\n\n\
             Add an operand.\n\nIssues\n\nNone."
        );
        let slips = slips(&sections(&text)).into_iter().flatten();
        slips.map(|slip| slip.words).collect::<Vec<_>>()
    };
    let named = "each GroupNonUniformClustered instruction";
    let class = format!("{named} in Group Instructions / Non-Uniform Instructions");
    assert_eq!(found("Group Instructions"), [class, named.to_owned()]);
    assert_eq!(found("Non-Uniform Instructions"), [named]);
}
