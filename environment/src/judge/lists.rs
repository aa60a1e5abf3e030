//! `accepts` and the ends of lists: what is promised, and what is legal.

use std::collections::BTreeSet;

use laneproof_fuzz::grammar::with_brought;
use laneproof_semantics::language::rule::{Circumstance, Force, Values};

use super::requirements::all;
use super::{Judge, Site};
use crate::body::Said;
use crate::circumstance::Truth;
use crate::diagnostic::Severity;
use crate::values::{Found, listed};
use crate::wording::clause;

impl Judge<'_> {
    /// Whether the lists about a place have what stands there. Lists of the environment's own
    /// documents add up; those of an extension's document stand for themselves.
    pub(super) fn lists(&mut self, site: Site<'_>, found: &Found, saids: &[&Said<'_>]) {
        let groups: BTreeSet<&str> =
            saids.iter().filter(|said| said.ends()).map(|said| said.group).collect();
        for group in groups {
            let of_group: Vec<&Said<'_>> =
                saids.iter().copied().filter(|said| said.group == group).collect();
            self.list(site, found, &of_group);
        }
    }

    fn list(&mut self, site: Site<'_>, found: &Found, saids: &[&Said<'_>]) {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let ends = saids.iter().copied().filter(|said| said.ends());
        let ends: Vec<(&Said<'_>, Truth)> =
            ends.map(|said| (said, asked.holds(&said.demand.when))).collect();
        // A list that is legal or not comes before one that is promised or not.
        let holding = ends.iter().filter(|(_, truth)| !matches!(truth, Truth::No | Truth::Outside));
        let Some((end, of_end)) = holding
            .max_by_key(|(said, truth)| (said.demand.force == Force::Closed, *truth == Truth::Yes))
        else {
            return;
        };
        let permits: Vec<&Said<'_>> = saids.iter().copied().filter(|said| said.permits()).collect();
        let mut fit: Option<(Truth, &Said<'_>)> = None;
        let mut listing: Vec<&Said<'_>> = Vec::new();
        for said in &permits {
            match self.is_listed(site, found, said) {
                None => return,
                Some(false) => continue,
                Some(true) => {}
            }
            let truth = asked.holds(&said.demand.when);
            listing.push(said);
            fit = Some(match fit {
                Some((before, first)) if before != Truth::No => (before.or(truth), first),
                _ => (truth, said),
            });
        }
        let end = *end;
        // Wherever its list ends, it is listed.
        let always = |(end, truth): &&(&Said<'_>, Truth)| {
            matches!(truth, Truth::No | Truth::Outside)
                || self.lists_where(site, found, end, &permits)
        };
        match fit {
            Some((Truth::Yes, _)) => {}
            Some((Truth::Depends(_), _)) if ends.iter().all(|it| always(&it)) => {}
            Some((Truth::Depends(facts), said)) => {
                let (what, is) = (site.described(), found.described(self.view, site.field));
                let message =
                    format!("{what} is {is}, which depends on the device: {}", all(&facts));
                self.report(said, Severity::Note, &site.topic(types(said)), site, message, facts);
            }
            _ => {
                // What brings it along says less of it than what names it.
                let names = |said: &&Said<'_>| {
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
        found: &Found,
        end: &Said<'_>,
        permits: &[&Said<'_>],
    ) -> bool {
        permits.iter().any(|said| {
            said.demand.when == end.demand.when && self.is_listed(site, found, said) == Some(true)
        })
    }

    /// What no list has, or only one that does not hold here.
    fn unlisted(
        &mut self,
        site: Site<'_>,
        found: &Found,
        (end, of_end): (&Said<'_>, Truth),
        permits: &[&Said<'_>],
        unmet: &[&Said<'_>],
    ) {
        let promised = end.own && end.demand.force != Force::Closed;
        let (what, is) = (site.described(), found.described(self.view, site.field));
        let expected = self.expected(site, permits);
        let mut places: Vec<String> = Vec::new();
        for condition in unmet.iter().map(|said| clause(&said.demand.when)) {
            if !places.contains(&condition) {
                places.push(condition);
            }
        }
        let expected = match (expected.is_empty(), places.is_empty()) {
            (_, false) => format!("it is accepted only where {}", places.join(", or where ")),
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
        let said = self.nearest(site, found, unmet).unwrap_or(end);
        self.report(said, severity, &site.topic(of_types), site, message, facts);
    }

    /// The sentence that comes nearest to accepting it: the one of whose conditions most hold, then one
    /// that names it before one that has whatever the device names, then the first.
    fn nearest<'s>(
        &self,
        site: Site<'_>,
        found: &Found,
        unmet: &[&'s Said<'s>],
    ) -> Option<&'s Said<'s>> {
        let name = found.name(site.field);
        let asked = self.asked(site.index, name.as_deref());
        let met = |said: &Said<'_>| match &said.demand.when {
            Circumstance::All(parts) => {
                parts.iter().filter(|part| asked.holds(part) == Truth::Yes).count()
            }
            _ => 0,
        };
        // Of several that are as near the last would be taken.
        unmet.iter().rev().copied().max_by_key(|said| (met(said), !any(said)))
    }

    /// Whether a list names what stands here; a capability also where one that it names brings it.
    fn is_listed(&self, site: Site<'_>, found: &Found, said: &Said<'_>) -> Option<bool> {
        let direct = found.is_any(self.view, site.field, &said.demand.values);
        if direct != Some(false) || site.field != "Capability" {
            return direct;
        }
        let brought = |values: &Values| match values {
            Values::Words(words) => words.iter().any(|word| {
                let mut brought = with_brought([word.to_string()]).into_iter();
                brought.any(|name| Found::Word("Capability".to_owned(), name) == *found)
            }),
            _ => false,
        };
        Some(said.demand.values.iter().any(brought))
    }

    /// Everything that the lists have, or might have on some device.
    fn expected(&self, site: Site<'_>, permits: &[&Said<'_>]) -> String {
        let asked = self.asked(site.index, None);
        let open = permits
            .iter()
            .filter(|said| !matches!(asked.holds(&said.demand.when), Truth::No | Truth::Outside));
        let mut lists: Vec<String> = Vec::new();
        for said in open {
            let text = listed(&said.demand.values);
            if !lists.contains(&text) {
                lists.push(text);
            }
        }
        let joined = lists.join(", or ");
        match joined.char_indices().nth(EXPECTED) {
            Some((end, _)) => format!("{}…", &joined[..end]),
            None => joined,
        }
    }
}

/// Characters of a list of what would be accepted; nobody reads all of several hundred names.
const EXPECTED: usize = 240;

fn types(said: &Said<'_>) -> bool {
    said.demand.values.iter().any(|it| matches!(it, Values::Types { .. }))
}

fn any(said: &Said<'_>) -> bool {
    let any =
        |it: &Values| matches!(it, Values::Words(words) if words.iter().any(|it| &**it == "any"));
    said.demand.values.iter().any(any)
}
