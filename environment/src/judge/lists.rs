//! `accepts` and the ends of lists: what is promised, and what is legal.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use laneproof_semantics::language::rule::{Circumstance, Fact, Force, Values};
use laneproof_tokens::with_brought;

use super::requirements::all;
use super::{Judge, Site};
use crate::body::{AppliedDemand, Body, Conflict};
use crate::circumstance::Truth;
use crate::diagnostic::{SEPARATOR, Severity};
use crate::found::FieldContent;
use crate::values::listed;
use crate::wording::clause;

impl Judge<'_> {
    /// Whether the lists about a place have its content. Lists of the environment's own documents are
    /// combined; those of an extension's document are separate.
    pub(super) fn lists(
        &mut self,
        site: Site<'_>,
        found: &FieldContent,
        demands: &[&AppliedDemand<'_>],
    ) {
        let groups: BTreeSet<&str> =
            demands.iter().filter(|applied| applied.ends()).map(|applied| applied.group).collect();
        for group in groups {
            let of_group: Vec<&AppliedDemand<'_>> =
                demands.iter().copied().filter(|applied| applied.group == group).collect();
            self.list(site, found, &of_group);
        }
    }

    fn list(&mut self, site: Site<'_>, found: &FieldContent, demands: &[&AppliedDemand<'_>]) {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let ends = demands.iter().copied().filter(|applied| applied.ends());
        let ends: Vec<(&AppliedDemand<'_>, Truth)> =
            ends.map(|applied| (applied, asked.holds(&applied.demand.when))).collect();
        // A list that is legal or not comes before one that is promised or not.
        let holding = ends.iter().filter(|(_, truth)| !matches!(truth, Truth::No | Truth::Outside));
        let Some((end, of_end)) = holding.max_by_key(|(applied, truth)| {
            let closed = applied.demand.force == Force::Closed;
            (closed, *truth == Truth::Yes, closed && is_conditional(applied))
        }) else {
            return;
        };
        // A list about what leads here being something else says nothing of this place.
        let elsewhere = |applied: &AppliedDemand<'_>| {
            site.within.is_some_and(|operand| asked.needs_another(&applied.demand.when, operand))
        };
        let permits: Vec<&AppliedDemand<'_>> = demands
            .iter()
            .copied()
            .filter(|applied| applied.permits() && !elsewhere(applied))
            .collect();
        let mut fit: Option<(Truth, &AppliedDemand<'_>)> = None;
        let mut listing: Vec<&AppliedDemand<'_>> = Vec::new();
        for applied in &permits {
            match self.is_listed(site, found, applied) {
                None => return,
                Some(false) => continue,
                Some(true) => {}
            }
            let truth = asked.holds(&applied.demand.when);
            // What a device file may add is no place where it would be accepted by the text.
            if truth != Truth::No || !asked.is_stated(&applied.demand.when) {
                listing.push(applied);
            }
            fit = Some(match fit {
                Some((before, first)) if before != Truth::No => (before.or(truth), first),
                _ => (truth, applied),
            });
        }
        let end = *end;
        // Wherever its list ends, it is listed.
        let always = |(end, truth): &&(&AppliedDemand<'_>, Truth)| {
            matches!(truth, Truth::No | Truth::Outside)
                || self.lists_where(site, found, end, &permits)
        };
        match fit {
            Some((Truth::Yes, _)) => {}
            Some((Truth::Depends(_), _)) if ends.iter().all(|it| always(&it)) => {}
            Some((Truth::Depends(facts), applied)) => {
                let (what, is) =
                    (site.described(self.view), found.described(self.view, site.field));
                let message =
                    format!("{what} is {is}, which depends on the device: {}", all(&facts));
                let topic = site.topic(types(applied));
                let diagnostic = self.report(applied, Severity::Note, &topic, site, message, facts);
                diagnostic.subject = Some(format!("{what} is {is}"));
            }
            _ => {
                // What brings it along says less of it than what names it.
                let names = |applied: &&AppliedDemand<'_>| {
                    found.is_any(self.view, site.field, &applied.demand.values) == Some(true)
                };
                if listing.iter().any(&names) {
                    listing.retain(&names);
                }
                self.unlisted(site, found, (end, of_end.clone()), &permits, &listing);
            }
        }
    }

    /// Whether the content is listed in the circumstances in which a list ends.
    fn lists_where(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        end: &AppliedDemand<'_>,
        permits: &[&AppliedDemand<'_>],
    ) -> bool {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let of_end = asked.rest(&end.demand.when);
        permits.iter().any(|applied| {
            asked.rest(&applied.demand.when) == of_end
                && self.is_listed(site, found, applied) == Some(true)
        })
    }

    /// What no list has, or only one that does not hold here.
    fn unlisted<'r, 's>(
        &mut self,
        site: Site<'_>,
        found: &FieldContent,
        (end, of_end): (&'r AppliedDemand<'s>, Truth),
        permits: &[&'r AppliedDemand<'s>],
        unmet: &[&'r AppliedDemand<'s>],
    ) {
        let conflict = self.conflict_over(site, found, end);
        let promised = end.own && (end.demand.force != Force::Closed || conflict.is_some());
        let (what, is) = (site.described(self.view), found.described(self.view, site.field));
        let expected = self.expected(site, permits);
        let accepted = self.accepted_where(site, found, unmet);
        let expected = match (expected.is_empty(), accepted.is_empty()) {
            (_, false) => format!("it is accepted only where {accepted}"),
            (true, true) => "nothing is listed".to_owned(),
            (false, true) => format!("expected {expected}"),
        };
        let verdict = if promised { "an environment need not accept this; " } else { "" };
        let (severity, facts) = match of_end {
            Truth::Depends(facts) => (Severity::Note, facts),
            _ if promised => (Severity::Warning, BTreeSet::new()),
            _ => (Severity::Error, BTreeSet::new()),
        };
        let message = match facts.is_empty() {
            true => format!("{what} is {is}: {verdict}{expected}"),
            false => format!("{what} is {is}: {expected}; depends on the device: {}", all(&facts)),
        };
        let of_types = types(end) || permits.iter().any(|it| types(it));
        let near = self.nearest(site, found, unmet);
        let applied = match near {
            Some(near) if promised && !restricts(end, near) => near,
            None if promised => self.narrowest(site, end, permits),
            Some(_) if !promised && !is_conditional(end) => {
                self.nearest(site, found, &self.in_force(site, found, unmet)).unwrap_or(end)
            }
            _ => end,
        };
        let diagnostic =
            self.report(applied, severity, &site.topic(of_types), site, message, facts);
        diagnostic.subject = Some(format!("{what} is {is}"));
        // What would accept it elsewhere stands beside what is violated here: each place that the
        // message names has its sentence.
        let mut sentences = vec![applied.citation()];
        for elsewhere in near.into_iter().chain(unmet.iter().copied()) {
            let citation = elsewhere.citation();
            if !sentences.contains(&citation) {
                sentences.push(citation);
            }
        }
        diagnostic.citation = sentences.join(SEPARATOR);
        if let Some(conflict) = conflict {
            diagnostic.reading = Some(format!("{} = {}", conflict.reading, conflict.settled));
        }
    }

    /// The reading by which what a closed list lacks is no error: another sentence asks for it in other
    /// circumstances.
    fn conflict_over(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        end: &AppliedDemand<'_>,
    ) -> Option<&'static Conflict> {
        Body::conflicts(end.rule).filter(|it| it.settled == "not promised").find(|conflict| {
            self.body.demands.iter().any(|applied| {
                *applied.rule.id == *conflict.permits
                    && applied.permits()
                    && applied.is_of((site.field, site.within))
                    && found.is_any(self.view, site.field, &applied.demand.values) == Some(true)
            })
        })
    }

    /// Lists of documents and sections that speak of this environment: not those of extensions that it
    /// does not support.
    fn in_force<'r, 's>(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        unmet: &[&'r AppliedDemand<'s>],
    ) -> Vec<&'r AppliedDemand<'s>> {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let lacks = |applied: &AppliedDemand<'_>| {
            let parts = match &applied.demand.when {
                Circumstance::All(parts) => parts.as_slice(),
                other => std::slice::from_ref(other),
            };
            parts.iter().any(|part| asked.holds(part) == Truth::No && of_extensions(part))
        };
        unmet.iter().copied().filter(|applied| !lacks(applied)).collect()
    }

    /// The circumstances in which lists that do not hold here would: what of them is not met.
    fn accepted_where(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        unmet: &[&AppliedDemand<'_>],
    ) -> String {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let (mut places, mut keys): (Vec<String>, BTreeSet<String>) = Default::default();
        for applied in unmet {
            let rest = asked.rest(&applied.demand.when);
            keys.extend(asked.keys(&rest));
            let condition = clause(&rest);
            if !places.contains(&condition) {
                places.push(condition);
            }
        }
        let places = places.join(", or where ");
        match self.device.is_none() || keys.is_empty() {
            true => places,
            false => format!("{places} (in the device file: {})", all(&keys)),
        }
    }

    /// The sentence to cite if no list has the content: of those about this place, the one about the
    /// fewest instructions; if no one is narrower, the end of the list.
    fn narrowest<'r, 's>(
        &self,
        site: Site<'_>,
        end: &'r AppliedDemand<'s>,
        permits: &[&'r AppliedDemand<'s>],
    ) -> &'r AppliedDemand<'s> {
        let asked = self.asked(site.index, None);
        let speaks = |applied: &&&'r AppliedDemand<'s>| {
            applied.breadth() < end.breadth()
                && !matches!(asked.holds(&applied.demand.when), Truth::No | Truth::Outside)
        };
        permits.iter().filter(speaks).copied().min_by_key(|it| it.breadth()).unwrap_or(end)
    }

    /// The sentence that comes nearest to accepting it: one about the fewest instructions, the one of
    /// whose conditions most hold, one that names it before one that has whatever the device names.
    fn nearest<'r, 's>(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        unmet: &[&'r AppliedDemand<'s>],
    ) -> Option<&'r AppliedDemand<'s>> {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let met = |applied: &AppliedDemand<'_>| match &applied.demand.when {
            Circumstance::All(parts) => {
                parts.iter().filter(|part| asked.holds(part) == Truth::Yes).count()
            }
            _ => 0,
        };
        unmet
            .iter()
            .copied()
            .min_by_key(|applied| (applied.breadth(), Reverse(met(applied)), any(applied)))
    }

    /// Whether a list names the content; for a capability, also if a listed one declares it
    /// implicitly.
    fn is_listed(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        applied: &AppliedDemand<'_>,
    ) -> Option<bool> {
        let direct = found.is_any(self.view, site.field, &applied.demand.values);
        if direct != Some(false) || site.field != "Capability" {
            return direct;
        }
        let brought = |values: &Values| match values {
            Values::Words(words) => words.iter().any(|word| {
                let mut brought = with_brought([word.to_string()]).into_iter();
                brought.any(|name| FieldContent::Word("Capability".to_owned(), name) == *found)
            }),
            _ => false,
        };
        Some(applied.demand.values.iter().any(brought))
    }

    /// Everything that the lists have, or might have on some device.
    fn expected(&self, site: Site<'_>, permits: &[&AppliedDemand<'_>]) -> String {
        let asked = self.asked(site.index, None);
        // What is accepted wherever the device does not matter comes first.
        let mut open: Vec<(bool, &&AppliedDemand<'_>)> = Vec::new();
        for applied in permits {
            match asked.holds(&applied.demand.when) {
                Truth::No | Truth::Outside => {}
                truth => open.push((truth != Truth::Yes, applied)),
            }
        }
        open.sort_by_key(|(depends, _)| *depends);
        let mut lists: Vec<String> = Vec::new();
        for (_, applied) in open {
            let text = listed(site.field, &applied.demand.values);
            if !lists.contains(&text) {
                lists.push(text);
            }
        }
        let joined = lists.join(", or ");
        let Some((end, _)) = joined.char_indices().nth(EXPECTED) else { return joined };
        // Names are left out, and none is cut.
        let whole = joined[..end].rfind(", ").unwrap_or(end);
        format!("{}, …", &joined[..whole])
    }
}

/// The most characters of a list of accepted values; several hundred names would not be read.
const EXPECTED: usize = 240;

/// Whether it asks which extensions the environment supports.
fn of_extensions(circumstance: &Circumstance) -> bool {
    match circumstance {
        Circumstance::Holds(fact) => matches!(fact, Fact::Supports(_)),
        Circumstance::Not(inner) => of_extensions(inner),
        Circumstance::All(parts) | Circumstance::Any(parts) => parts.iter().any(of_extensions),
    }
}

/// Whether the demand is made in some circumstances only.
fn is_conditional(applied: &AppliedDemand<'_>) -> bool {
    !matches!(&applied.demand.when, Circumstance::All(parts) if parts.is_empty())
}

/// Whether a sentence that lists all that is promised is about no more than one of the same section
/// that would accept something else elsewhere.
fn restricts(end: &AppliedDemand<'_>, near: &AppliedDemand<'_>) -> bool {
    end.permits()
        && end.breadth() <= near.breadth()
        && (&end.rule.document, &end.rule.section) == (&near.rule.document, &near.rule.section)
}

fn types(applied: &AppliedDemand<'_>) -> bool {
    applied.demand.values.iter().any(|it| matches!(it, Values::Types { .. }))
}

fn any(applied: &AppliedDemand<'_>) -> bool {
    let any =
        |it: &Values| matches!(it, Values::Words(words) if words.iter().any(|it| &**it == "any"));
    applied.demand.values.iter().any(any)
}
