//! What vague words leave open.

use super::EditorialFault;

/// In which way words are vague.
enum LeftOpen {
    Among,
    Otherwise,
    HowMany,
    Which,
    HowMuch,
    Through,
    Property,
    Equal,
    Strictly,
    Included,
    Negative,
    Than,
}

impl LeftOpen {
    /// The way of these words, if it is one of those that have a name.
    fn of(words: &str) -> Option<Self> {
        let plain = words.to_lowercase();
        let plain: Vec<&str> = plain
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .collect();
        let has = |words: &[&str]| plain.iter().any(|word| words.contains(word));
        Some(match (*plain.first()?, plain.get(1).copied().unwrap_or_default()) {
            ("unique", _) => Self::Among,
            (_, "correctly" | "properly") => Self::Otherwise,
            ("multiple", _) => Self::HowMany,
            ("computed" | "derived" | "obtained", "from") => Self::Through,
            ("no", "restriction" | "restrictions") => Self::Property,
            ("be", "equivalent") => Self::Equal,
            ("strictly", _) => Self::Strictly,
            ("up", "to") => Self::Included,
            ("negative", _) => Self::Negative,
            _ if has(&["few"]) => Self::HowMany,
            _ if has(&["appropriate"]) => Self::Which,
            _ if has(&["too"]) => Self::HowMuch,
            ("the", second) if second.ends_with("er") => Self::Than,
            _ => return None,
        })
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Among => "among what it is unique",
            Self::Otherwise => "what happens otherwise",
            Self::HowMany => "how many",
            Self::Which => "what makes one appropriate",
            Self::HowMuch => "by how much",
            Self::Through => "by which instructions",
            Self::Property => "which of its properties may be anything",
            Self::Equal => "whether the two are equal",
            Self::Strictly => "what 'strictly' adds",
            Self::Included => "whether the number itself is included",
            Self::Negative => "how a number that has no sign is negative",
            Self::Than => "than which other one",
        }
    }
}

impl EditorialFault {
    /// What no sentence says where words are vague, to be put behind them; nothing of other faults.
    #[must_use]
    pub fn left_open(self, words: &[String]) -> String {
        if self != Self::Vague {
            return String::new();
        }
        let open = words.first().and_then(|words| LeftOpen::of(words));
        open.map_or_else(String::new, |it| format!(". No sentence says {}", it.words()))
    }
}
