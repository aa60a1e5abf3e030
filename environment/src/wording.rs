//! Circumstances of rules as the end of an English sentence: "… where the device has fp16".

use laneproof_semantics::language::rule::{Circumstance, Fact};

use crate::values::extension_meant;

/// The circumstances, as a clause with a subject and a verb.
pub fn clause(circumstance: &Circumstance) -> String {
    joined(circumstance, false)
}

/// What makes an exception of a demand, as a clause with a subject and a verb.
pub fn exception(circumstance: &Circumstance) -> Option<String> {
    match circumstance {
        Circumstance::Not(inner) => Some(clause(inner)),
        Circumstance::All(parts) => {
            let exceptions: Vec<String> = parts.iter().filter_map(exception).collect();
            (!exceptions.is_empty()).then(|| exceptions.join(" or "))
        }
        Circumstance::Holds(_) | Circumstance::Any(_) => None,
    }
}

fn joined(circumstance: &Circumstance, within: bool) -> String {
    match circumstance {
        Circumstance::Holds(fact) => asserted(fact),
        Circumstance::Not(inner) => match &**inner {
            Circumstance::Holds(fact) => denied(fact),
            other => format!("it is not so that {}", joined(other, true)),
        },
        Circumstance::All(parts) | Circumstance::Any(parts) if parts.len() == 1 => {
            parts.iter().map(|part| joined(part, within)).collect()
        }
        Circumstance::All(parts) => {
            let mut text = String::new();
            for (at, part) in parts.iter().enumerate() {
                // Words after alternatives belong to all of them.
                let after = at.checked_sub(1).and_then(|before| parts.get(before));
                let alternatives =
                    |it: &Circumstance| matches!(it, Circumstance::Any(of) if of.len() > 1);
                text += match after {
                    None => "",
                    Some(before) if alternatives(before) => ", and ",
                    Some(_) => " and ",
                };
                text += &joined(part, true);
            }
            text
        }
        Circumstance::Any(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| joined(part, false)).collect();
            let either = if within { "either " } else { "" };
            format!("{either}{}", parts.join(" or "))
        }
    }
}

fn asserted(fact: &Fact) -> String {
    match fact {
        Fact::Capability(name) => format!("the module declares the capability {name}"),
        Fact::Extension(name) => {
            format!("the module declares the extension {}", extension_meant(name))
        }
        Fact::Supports(name) => format!("the environment supports {name}"),
        Fact::Words(words) => words.to_string(),
        Fact::Is(field, values) => format!("`{field}` is {}", quoted(values)),
    }
}

fn denied(fact: &Fact) -> String {
    match fact {
        Fact::Capability(name) => format!("the module does not declare the capability {name}"),
        Fact::Extension(name) => {
            format!("the module does not declare the extension {}", extension_meant(name))
        }
        Fact::Supports(name) => format!("the environment does not support {name}"),
        Fact::Words(words) => denied_words(words),
        Fact::Is(field, values) => format!("`{field}` is not {}", quoted(values)),
    }
}

fn denied_words(words: &str) -> String {
    const DENIALS: [(&str, &str); 4] = [
        (" is ", " is not "),
        (" has ", " does not have "),
        (" names ", " does not name "),
        (" supports ", " does not support "),
    ];
    let first = DENIALS.iter().filter_map(|(says, denies)| Some((words.find(says)?, says, denies)));
    match first.min_by_key(|(place, ..)| *place) {
        Some((_, says, denies)) => words.replacen(says, denies, 1),
        None => format!("it is not so that {words}"),
    }
}

fn quoted(values: &[std::sync::Arc<str>]) -> String {
    values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(fact: Fact) -> Circumstance {
        Circumstance::Holds(fact)
    }

    #[test]
    fn circumstances_are_clauses_with_a_verb() {
        let supports = || held(Fact::Supports("cl_khr_fp16".into()));
        let capability = || held(Fact::Capability("Float16".into()));
        let words = || held(Fact::Words("the device has images".into()));
        let dim = || held(Fact::Is("Dim".into(), vec!["1D".into(), "2D".into()]));
        let both = Circumstance::All(vec![
            supports(),
            Circumstance::Any(vec![words(), Circumstance::Not(Box::new(capability()))]),
        ]);
        assert_eq!(
            clause(&both),
            "the environment supports cl_khr_fp16 and either the device has images or the module \
             does not declare the capability Float16"
        );
        let turned = Circumstance::All(vec![Circumstance::Any(vec![words(), dim()]), supports()]);
        assert_eq!(
            clause(&turned),
            "either the device has images or `Dim` is `1D` or `2D`, and the environment supports \
             cl_khr_fp16"
        );
        let unless = Circumstance::All(vec![supports(), Circumstance::Not(Box::new(words()))]);
        assert_eq!(exception(&unless).as_deref(), Some("the device has images"));
        assert_eq!(exception(&both), None);
        assert_eq!(clause(&Circumstance::All(vec![dim()])), "`Dim` is `1D` or `2D`");
        assert_eq!(
            clause(&Circumstance::Any(vec![words(), dim()])),
            "the device has images or `Dim` is `1D` or `2D`"
        );
    }
}
