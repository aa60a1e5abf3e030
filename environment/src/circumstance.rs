//! Whether the circumstances hold in which a rule speaks.

use std::collections::BTreeSet;

use laneproof_semantics::language::rule::{Circumstance, Fact, Values};

use crate::device::Device;
use crate::facts::{FactMeaning, FactTest, Facts};
use crate::places::values_at;
use crate::values::same_token;
use crate::view::View;

/// Whether something holds, as far as the module and the device's file say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// It depends on these facts of the device, which are not stated.
    Depends(BTreeSet<String>),
    /// It depends on the host, or on the state in which an instruction runs.
    Outside,
}

/// What circumstances are evaluated in.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The module.
    pub view: &'a View<'a>,
    /// The device, if one is described.
    pub device: Option<&'a Device>,
    /// The instruction, by its ordinal.
    pub index: Option<usize>,
    /// The value in question.
    pub it: Option<&'a str>,
}

impl Truth {
    fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    fn negated(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            other => other,
        }
    }

    /// Both: no before outside before what depends.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Outside, _) | (_, Self::Outside) => Self::Outside,
            (Self::Depends(mut facts), Self::Depends(more)) => {
                facts.extend(more);
                Self::Depends(facts)
            }
            (depends @ Self::Depends(_), _) | (_, depends @ Self::Depends(_)) => depends,
            (Self::Yes, Self::Yes) => Self::Yes,
        }
    }

    /// Either: yes before what depends before outside.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::Depends(mut facts), Self::Depends(more)) => {
                facts.extend(more);
                Self::Depends(facts)
            }
            (depends @ Self::Depends(_), _) | (_, depends @ Self::Depends(_)) => depends,
            (Self::Outside, _) | (_, Self::Outside) => Self::Outside,
            (Self::No, Self::No) => Self::No,
        }
    }
}

impl Situation<'_> {
    /// Whether the circumstance holds.
    pub fn holds(&self, circumstance: &Circumstance) -> Truth {
        match circumstance {
            Circumstance::Holds(fact) => self.fact(fact),
            Circumstance::Not(inner) => self.holds(inner).negated(),
            Circumstance::All(parts) => parts.iter().fold(Truth::Yes, |all, part| match all {
                Truth::No => Truth::No,
                all => all.and(self.holds(part)),
            }),
            Circumstance::Any(parts) => {
                parts.iter().fold(Truth::No, |any, part| any.or(self.holds(part)))
            }
        }
    }

    /// The rest of a circumstance: the parts that do not hold already. Adjacent operands in a
    /// sentence are named together.
    pub fn rest(&self, circumstance: &Circumstance) -> Circumstance {
        match circumstance {
            Circumstance::All(parts) => {
                let operand =
                    |part: &Circumstance| matches!(part, Circumstance::Holds(Fact::Is(..)));
                let operands = parts.iter().any(|it| operand(it) && self.holds(it) != Truth::Yes);
                let open = parts
                    .iter()
                    .filter(|part| self.holds(part) != Truth::Yes || operands && operand(part));
                let mut open: Vec<Circumstance> = open.map(|part| self.rest(part)).collect();
                match open.len() {
                    1 => open.remove(0),
                    _ => Circumstance::All(open),
                }
            }
            other => other.clone(),
        }
    }

    /// The device's facts in a circumstance.
    pub fn keys(&self, circumstance: &Circumstance) -> BTreeSet<String> {
        match circumstance {
            Circumstance::Holds(fact) => match (Situation { device: None, ..*self }).fact(fact) {
                Truth::Depends(facts) => facts,
                _ => BTreeSet::new(),
            },
            Circumstance::Not(inner) => self.keys(inner),
            Circumstance::All(parts) | Circumstance::Any(parts) => {
                parts.iter().flat_map(|part| self.keys(part)).collect()
            }
        }
    }

    /// Whether only a device file can say that it holds.
    pub fn is_stated(&self, circumstance: &Circumstance) -> bool {
        match circumstance {
            Circumstance::Holds(Fact::Words(words)) => {
                matches!(Facts::built_in().words.get(&**words), Some(FactMeaning::Stated(_)))
            }
            Circumstance::All(parts) => parts.iter().any(|part| self.is_stated(part)),
            _ => false,
        }
    }

    /// Whether it needs this operand to be something else than it is.
    pub fn needs_another(&self, circumstance: &Circumstance, operand: &str) -> bool {
        match circumstance {
            Circumstance::Holds(Fact::Is(field, _)) => {
                **field == *operand && self.holds(circumstance) == Truth::No
            }
            Circumstance::All(parts) => parts.iter().any(|it| self.needs_another(it, operand)),
            _ => false,
        }
    }

    fn fact(&self, fact: &Fact) -> Truth {
        match fact {
            Fact::Capability(name) => Truth::of(
                self.view.capabilities.iter().any(|it| same_token("Capability", it, name)),
            ),
            Fact::Extension(name) => {
                Truth::of(self.view.extensions.iter().any(|it| same_token("Extension", it, name)))
            }
            Fact::Supports(name) => match self.device {
                Some(device) => Truth::of(device.supports(name)),
                None => Truth::Depends([format!("`extensions` with {name}")].into()),
            },
            Fact::Is(field, words) => Truth::of(self.is(field, words)),
            Fact::Words(words) => match Facts::built_in().words.get(&**words) {
                Some(FactMeaning::Device(test)) => self.test(test),
                Some(FactMeaning::Stated(test)) => {
                    Truth::of(self.device.is_some_and(|device| device.holds(test, self.it)))
                }
                Some(FactMeaning::EntryPoint) => {
                    Truth::of(self.index.is_some_and(|index| self.view.in_entry_function(index)))
                }
                Some(FactMeaning::Version(major, minor)) => {
                    Truth::of(self.view.listing.version() >= (*major, *minor))
                }
                Some(FactMeaning::Host | FactMeaning::State) | None => Truth::Outside,
            },
        }
    }

    fn test(&self, test: &FactTest) -> Truth {
        match self.device {
            Some(device) => Truth::of(device.holds(test, self.it)),
            None if test.holds_everywhere(self.it) => Truth::Yes,
            None => Truth::Depends([test.described(self.it)].into()),
        }
    }

    /// A field of the instruction, of what its operands lead to, or of the module has one of
    /// these values.
    fn is(&self, field: &str, words: &[std::sync::Arc<str>]) -> bool {
        let values = [Values::Words(words.to_vec())];
        let found = values_at(self.view, self.index, field, None)
            .or_else(|| {
                let instruction = self.view.instructions().get(self.index?)?;
                let names = self.view.names(instruction);
                names.iter().find_map(|name| values_at(self.view, self.index, field, Some(name)))
            })
            .unwrap_or_else(|| self.view.tokens_at(field, self.index));
        found.iter().any(|it| it.is_any(self.view, field, &values) == Some(true))
    }
}
