//! `requires` and `forbids`: required and forbidden content.

use std::collections::BTreeSet;

use laneproof_module::spirv::Op;
use laneproof_semantics::language::rule::{Circumstance, Fact, Force, Likeness, Values};
use laneproof_tokens::{Token, named as named_token};

use super::{Judge, Site};
use crate::body::{AppliedDemand, Body, Conflict};
use crate::circumstance::Truth;
use crate::diagnostic::Severity;
use crate::found::FieldContent;
use crate::values::{component_count, listed, same_token};
use crate::wording::exception;

/// Of these kinds of tokens a module may have several, and to require one is no word on others.
const SEVERAL: [&str; 5] = ["Capability", "Extension", "ExtInstImport", "BuiltIn", "Opcode"];

/// How a violation is said: of any device, and where a fact about the device decides.
struct Wording {
    always: String,
    /// Goes on with the facts.
    depending: String,
}

impl Judge<'_> {
    /// A demand about a field of an instruction.
    pub(super) fn requirement(&mut self, applied: &AppliedDemand<'_>, site: Site<'_>) {
        if !matches!(applied.demand.force, Force::Requires | Force::Forbids) {
            return;
        }
        for found in self.values(site) {
            self.compared(applied, site, &found);
        }
    }

    /// A demand about tokens of the module.
    pub(super) fn token_requirement(
        &mut self,
        applied: &AppliedDemand<'_>,
        kind: &str,
        found: &[(FieldContent, Option<usize>)],
    ) {
        let several = SEVERAL.contains(&kind);
        match applied.demand.force {
            Force::Requires if several => self.lacking(applied, kind, found),
            Force::Requires | Force::Forbids => {
                for (value, index) in found {
                    self.compared(
                        applied,
                        Site { index: *index, field: kind, within: None },
                        value,
                    );
                }
            }
            _ => {}
        }
    }

    /// What must be among the module's tokens, and is not.
    fn lacking(
        &mut self,
        applied: &AppliedDemand<'_>,
        kind: &str,
        found: &[(FieldContent, Option<usize>)],
    ) {
        for values in &applied.demand.values {
            let there = |(value, _): &(FieldContent, _)| {
                value.is_any(self.view, kind, std::slice::from_ref(values)) == Some(true)
            };
            if found.iter().any(there) || kind == "Extension" && self.brought_by_another(applied) {
                continue;
            }
            let expected = listed(kind, std::slice::from_ref(values));
            let site = Site { index: None, field: kind, within: None };
            let asks = self.declares_any(&capabilities(&applied.demand.when));
            let always = match asks {
                Some(_) => format!(
                    "the module lacks {} {expected}, which this capability needs",
                    site.described(self.view)
                ),
                None => format!("the module lacks {} {expected}", site.described(self.view)),
            };
            let depending = format!("{always}, which depends on the device");
            let before = self.found.len();
            self.violated(applied, site, None, Wording { always, depending });
            if let Some(asks) = asks {
                self.found[before..].iter_mut().for_each(|it| it.stand_at(self.view, asks));
            }
        }
    }

    /// Every capability for which the module would need an extension comes from one that it has.
    fn brought_by_another(&self, applied: &AppliedDemand<'_>) -> bool {
        let named = capabilities(&applied.demand.when);
        let tokens = named.into_iter().filter_map(|name| named_token("Capability", name));
        let mut held = tokens.filter(|it| self.view.capabilities.contains(&it.name)).peekable();
        let declared =
            |it: &Token| it.extensions().iter().any(|&other| self.view.extensions.contains(other));
        held.peek().is_some() && held.all(|it| declared(&it))
    }

    /// The first declaration of one of these capabilities; one that no declared extension brings comes
    /// before others.
    fn declares_any(&self, names: &[&str]) -> Option<usize> {
        let tokens = self.view.tokens("Capability").into_iter();
        let named = tokens.filter_map(|(found, at)| {
            let name = found.name("Capability")?;
            let is_named = names.iter().any(|it| same_token("Capability", &name, it));
            let token = named_token("Capability", &name).filter(|_| is_named)?;
            let brought = token.extensions().iter().any(|&it| self.view.extensions.contains(it));
            Some((brought, at?))
        });
        named.min().map(|(_, at)| at)
    }

    fn compared(&mut self, applied: &AppliedDemand<'_>, site: Site<'_>, found: &FieldContent) {
        let values = &applied.demand.values;
        let required = applied.demand.force == Force::Requires;
        let alike = values.iter().find_map(|values| match values {
            Values::Alike { field, within, likeness } => {
                Some((Site { field, within: within.as_deref(), ..site }, *likeness))
            }
            _ => None,
        });
        let fits = match alike {
            Some(other) => self.alike(found, other),
            None => found.is_any(self.view, site.field, values),
        };
        if fits != Some(!required) {
            return;
        }
        let what = site.described(self.view);
        let is = found.described_for(self.view, site.field, values);
        let cycle = site.index.filter(|_| site.field == "CallGraph");
        let cycle = cycle.and_then(|call| self.view.cycle_closed_by(call));
        let cycle = cycle.map_or_else(String::new, |cycle| format!(": {cycle}"));
        let (always, depending) = match required {
            true => {
                let message =
                    format!("{what} is {is}; expected {}{cycle}", listed(site.field, values));
                (message.clone(), format!("{message}, which depends on the device"))
            }
            false => (
                format!("{what} is {is}, which is not allowed{cycle}"),
                format!("{what} is {is}{cycle}; whether that is allowed depends on the device"),
            ),
        };
        self.violated(applied, site, Some(found), Wording { always, depending });
    }

    /// Whether this agrees with the type of another operand.
    fn alike(&self, found: &FieldContent, (other, likeness): (Site<'_>, Likeness)) -> Option<bool> {
        let [other] = &self.values(other)[..] else { return None };
        let (own, ty) = (found.ty()?, other.ty()?);
        let definition = self.view.definition(ty)?;
        Some(match likeness {
            Likeness::Count => component_count(self.view, own)? == component_count(self.view, ty)?,
            Likeness::Component if definition.opcode == Op::TypeVector => {
                own == definition.id(0)?
            }
            Likeness::Component | Likeness::Whole => own == ty,
        })
    }

    fn violated(
        &mut self,
        applied: &AppliedDemand<'_>,
        site: Site<'_>,
        found: Option<&FieldContent>,
        wording: Wording,
    ) {
        let name = found.and_then(|found| found.name(site.field));
        let truth = self.asked(site.index, name.as_deref()).holds(&applied.demand.when);
        let conflicts: Vec<&Conflict> = Body::conflicts(applied.rule).collect();
        let excepted = conflicts.iter().filter(|it| it.settled == "permitted");
        let excepted = excepted.fold(Truth::No, |any, conflict| {
            any.or(found.map_or(Truth::No, |found| self.permitted(conflict, site, found)))
        });
        let of_types = |it: &Values| matches!(it, Values::Types { .. } | Values::Alike { .. });
        let types = applied.demand.values.iter().any(of_types);
        let topic = site.topic(types);
        let (severity, facts) = match (truth, excepted) {
            (Truth::No | Truth::Outside, _) | (_, Truth::Yes) => return,
            (Truth::Yes, Truth::Depends(facts)) => (Severity::Note, facts),
            (Truth::Yes, _) => (Severity::Error, BTreeSet::new()),
            (Truth::Depends(facts), _) => (Severity::Note, facts),
        };
        let message = match severity {
            Severity::Note => format!("{}: {}", wording.depending, all(&facts)),
            _ => match exception(&applied.demand.when) {
                Some(exception) => format!("{} unless {exception}", wording.always),
                None => wording.always,
            },
        };
        let subject = found.map(|found| {
            format!("{} is {}", site.described(self.view), found.described(self.view, site.field))
        });
        let diagnostic = self.report(applied, severity, &topic, site, message, facts);
        diagnostic.subject = subject;
        diagnostic.breadth = types.then(|| applied.breadth());
        if let Some(conflict) = conflicts.first() {
            diagnostic.reading = Some(format!("{} = {}", conflict.reading, conflict.settled));
        }
    }

    /// Whether the prevailing rule permits the content.
    fn permitted(&self, conflict: &Conflict, site: Site<'_>, found: &FieldContent) -> Truth {
        let permits = self.body.demands.iter().filter(|applied| {
            *applied.rule.id == *conflict.permits
                && applied.permits()
                && applied.is_of((site.field, site.within))
                && found.is_any(self.view, site.field, &applied.demand.values) == Some(true)
        });
        let name = found.name(site.field);
        permits.fold(Truth::No, |any, applied| {
            any.or(self.asked(site.index, name.as_deref()).holds(&applied.demand.when))
        })
    }
}

/// The capabilities that circumstances name.
fn capabilities(circumstance: &Circumstance) -> Vec<&str> {
    match circumstance {
        Circumstance::Holds(Fact::Capability(name)) => vec![name],
        Circumstance::Holds(_) => Vec::new(),
        Circumstance::Not(inner) => capabilities(inner),
        Circumstance::All(parts) | Circumstance::Any(parts) => {
            parts.iter().flat_map(capabilities).collect()
        }
    }
}

/// "`a` with x, y; `b` at least 1.3": members of one list together.
pub(super) fn all(facts: &BTreeSet<String>) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for fact in facts {
        let (list, member) = fact.split_once(" with ").unwrap_or((fact, ""));
        match groups.last_mut() {
            Some((last, members)) if *last == list => members.push(member),
            _ => groups.push((list, vec![member])),
        }
    }
    let several = groups.iter().any(|(_, members)| members.len() > 1);
    let groups = groups.into_iter().map(|(list, members)| match members.as_slice() {
        [""] => list.to_owned(),
        members => format!("{list} with {}", members.join(", ")),
    });
    groups.collect::<Vec<_>>().join(if several { "; " } else { ", " })
}
