//! `accepts` and the ends of lists: what is promised, and what is legal.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use laneproof_fuzz::grammar::with_brought;
use laneproof_semantics::language::rule::{Circumstance, Force, Values};

use super::requirements::all;
use super::{Judge, Site};
use crate::body::AppliedDemand;
use crate::circumstance::Truth;
use crate::diagnostic::Severity;
use crate::found::FieldContent;
use crate::values::listed;
use crate::wording::clause;

impl Judge<'_> {
    /// Whether the lists about a place have what stands there. Lists of the environment's own
    /// documents add up; those of an extension's document stand for themselves.
    pub(super) fn lists(
        &mut self,
        site: Site<'_>,
        found: &FieldContent,
        saids: &[&AppliedDemand<'_>],
    ) {
        let groups: BTreeSet<&str> =
            saids.iter().filter(|said| said.ends()).map(|said| said.group).collect();
        for group in groups {
            let of_group: Vec<&AppliedDemand<'_>> =
                saids.iter().copied().filter(|said| said.group == group).collect();
            self.list(site, found, &of_group);
        }
    }

    fn list(&mut self, site: Site<'_>, found: &FieldContent, saids: &[&AppliedDemand<'_>]) {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let ends = saids.iter().copied().filter(|said| said.ends());
        let ends: Vec<(&AppliedDemand<'_>, Truth)> =
            ends.map(|said| (said, asked.holds(&said.demand.when))).collect();
        // A list that is legal or not comes before one that is promised or not.
        let holding = ends.iter().filter(|(_, truth)| !matches!(truth, Truth::No | Truth::Outside));
        let Some((end, of_end)) = holding
            .max_by_key(|(said, truth)| (said.demand.force == Force::Closed, *truth == Truth::Yes))
        else {
            return;
        };
        // A list about what leads here being something else says nothing of this place.
        let elsewhere = |said: &AppliedDemand<'_>| {
            site.within.is_some_and(|operand| asked.needs_another(&said.demand.when, operand))
        };
        let permits: Vec<&AppliedDemand<'_>> =
            saids.iter().copied().filter(|said| said.permits() && !elsewhere(said)).collect();
        let mut fit: Option<(Truth, &AppliedDemand<'_>)> = None;
        let mut listing: Vec<&AppliedDemand<'_>> = Vec::new();
        for said in &permits {
            match self.is_listed(site, found, said) {
                None => return,
                Some(false) => continue,
                Some(true) => {}
            }
            let truth = asked.holds(&said.demand.when);
            // What a device file may add is no place where it would be accepted by the text.
            if truth != Truth::No || !asked.is_stated(&said.demand.when) {
                listing.push(said);
            }
            fit = Some(match fit {
                Some((before, first)) if before != Truth::No => (before.or(truth), first),
                _ => (truth, said),
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
            Some((Truth::Depends(facts), said)) => {
                let (what, is) =
                    (site.described(self.view), found.described(self.view, site.field));
                let message =
                    format!("{what} is {is}, which depends on the device: {}", all(&facts));
                let topic = site.topic(types(said));
                let told = self.report(said, Severity::Note, &topic, site, message, facts);
                told.subject = Some(format!("{what} is {is}"));
            }
            _ => {
                // What brings it along says less of it than what names it.
                let names = |said: &&AppliedDemand<'_>| {
                    found.is_any(self.view, site.field, &said.demand.values) == Some(true)
                };
                if listing.iter().any(&names) {
                    listing.retain(&names);
                }
                self.unlisted(site, found, (end, of_end.clone()), &permits, &listing);
            }
        }
    }

    /// Whether what stands here is listed in the very circumstances in which a list ends.
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
        permits.iter().any(|said| {
            asked.rest(&said.demand.when) == of_end
                && self.is_listed(site, found, said) == Some(true)
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
        let promised = end.own && end.demand.force != Force::Closed;
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
        let said = match self.nearest(site, found, unmet) {
            Some(said) => said,
            None if promised => self.narrowest(site, end, permits),
            None => end,
        };
        let told = self.report(said, severity, &site.topic(of_types), site, message, facts);
        told.subject = Some(format!("{what} is {is}"));
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
        for said in unmet {
            let rest = asked.rest(&said.demand.when);
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

    /// The sentence to cite where none has what stands here: of those that speak of this place, the
    /// one about the fewest instructions; where none is narrower, the end of the list.
    fn narrowest<'r, 's>(
        &self,
        site: Site<'_>,
        end: &'r AppliedDemand<'s>,
        permits: &[&'r AppliedDemand<'s>],
    ) -> &'r AppliedDemand<'s> {
        let asked = self.asked(site.index, None);
        let speaks = |said: &&&'r AppliedDemand<'s>| {
            said.breadth() < end.breadth()
                && !matches!(asked.holds(&said.demand.when), Truth::No | Truth::Outside)
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
        let met = |said: &AppliedDemand<'_>| match &said.demand.when {
            Circumstance::All(parts) => {
                parts.iter().filter(|part| asked.holds(part) == Truth::Yes).count()
            }
            _ => 0,
        };
        unmet.iter().copied().min_by_key(|said| (said.breadth(), Reverse(met(said)), any(said)))
    }

    /// Whether a list names what stands here; a capability also where one that it names brings it.
    fn is_listed(
        &self,
        site: Site<'_>,
        found: &FieldContent,
        said: &AppliedDemand<'_>,
    ) -> Option<bool> {
        let direct = found.is_any(self.view, site.field, &said.demand.values);
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
        Some(said.demand.values.iter().any(brought))
    }

    /// Everything that the lists have, or might have on some device.
    fn expected(&self, site: Site<'_>, permits: &[&AppliedDemand<'_>]) -> String {
        let asked = self.asked(site.index, None);
        // What is accepted wherever the device does not matter comes first.
        let mut open: Vec<(bool, &&AppliedDemand<'_>)> = Vec::new();
        for said in permits {
            match asked.holds(&said.demand.when) {
                Truth::No | Truth::Outside => {}
                truth => open.push((truth != Truth::Yes, said)),
            }
        }
        open.sort_by_key(|(depends, _)| *depends);
        let mut lists: Vec<String> = Vec::new();
        for (_, said) in open {
            let text = listed(site.field, &said.demand.values);
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

/// Characters of a list of what would be accepted; nobody reads all of several hundred names.
const EXPECTED: usize = 240;

fn types(said: &AppliedDemand<'_>) -> bool {
    said.demand.values.iter().any(|it| matches!(it, Values::Types { .. }))
}

fn any(said: &AppliedDemand<'_>) -> bool {
    let any =
        |it: &Values| matches!(it, Values::Words(words) if words.iter().any(|it| &**it == "any"));
    said.demand.values.iter().any(any)
}
