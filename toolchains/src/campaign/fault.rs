//! A fault that was found: reduced, held against what is known, kept.

use crate::campaign::FEW;
use crate::campaign::How;
use crate::campaign::LOOSE;
use crate::campaign::REDUCED;
use std::collections::BTreeMap;
use std::time::Duration;

use laneproof_generator::Generated;

use super::Worker;
use crate::command::command;
use crate::error::ToolError;
use crate::examine::Cost;
use crate::find::LocatedTool;
use crate::finding::{ToolFinding, key, message_key};
use crate::loose::{is_of_value, weaker_reconvergence};
use crate::outcome::{FaultKind, Outcome, ToolFault};
use crate::plan::CampaignEvent;
use crate::reduce::{Effort, reduce};
use crate::reference::{REDUCTION, Subject};
use crate::tool::ToolKind;

/// How often a reduced module is run again, to see whether the fault shows each time.
const AGAIN: u32 = 4;

impl Worker<'_, '_> {
    /// Reduces, explains and keeps what is wrong, unless it is known.
    pub(super) fn fault(
        &mut self,
        found: &LocatedTool,
        how: How<'_>,
        generated: Generated,
        fault: ToolFault,
        index: u64,
    ) {
        let (variant, name) = (how.variant, &found.tool.name);
        let mut early = match fault.kind {
            FaultKind::WrongValue
            | FaultKind::Refuted
            | FaultKind::UndefinedBehavior
            | FaultKind::Hang => {
                format!("{name} {} {}", variant.join(" "), fault.kind.name())
            }
            _ => format!("{name} {}", message_key(&fault.detail)),
        };
        // Where a reading may be all that there is, it must not use up what defects need.
        let loose = is_of_value(fault.kind) && weaker_reconvergence(&generated).is_some();
        if loose {
            early += " loose";
        }
        let most = match fault.kind {
            FaultKind::WrongValue => REDUCED,
            _ => FEW,
        };
        if self.fruitless(&early) >= most {
            return self.summary(|summary| summary.unreduced += 1);
        }
        let (kind, mut time) = (fault.kind, self.shared.plan.reduction);
        if let Some(whole) = self.shared.plan.extent.time {
            // A campaign ends when it is to end, and half a reduction is better than none.
            let left = whole.saturating_sub(self.shared.start.elapsed());
            time = time.min(left.max(Duration::from_secs(2)));
        }
        let message = message_key(&fault.detail);
        // Else a reduction would wait for what hangs, and try hardly anything.
        let hasty = (kind == FaultKind::Hang).then(|| found.hasty());
        let tried = hasty.as_ref().unwrap_or(found);
        let mut last = fault.clone();
        let (stop, device) = (self.shared.stop, found.tool.kind == ToolKind::Execute);
        let effort = Effort { modules: if loose { LOOSE } else { u64::MAX }, time };
        let reduced = reduce(&generated, device, effort, stop, |smaller| {
            match self.examine(tried, how, smaller, &mut Cost::default()) {
                Outcome::Fault(now) if now.kind == kind => {
                    let same = is_of_value(kind)
                        || kind == FaultKind::AcceptedInvalid
                        || message_key(&now.detail) == message;
                    if same {
                        last = *now;
                    }
                    same
                }
                _ => false,
            }
        });
        let (reduced, last) = match hasty {
            Some(_) if reduced != generated => {
                match self.examine(found, how, &reduced, &mut Cost::default()) {
                    Outcome::Fault(now) if now.kind == kind => (reduced, *now),
                    // It only takes long.
                    _ => (generated, fault),
                }
            }
            Some(_) => (generated, fault),
            None => (reduced, last),
        };
        let again = self.run_again(found, how, &reduced, kind);
        if !self.keep(found, variant, (reduced, again), last, index) {
            let mut seen = self.seen();
            *seen.entry(early).or_default() += 1;
        }
    }

    /// A finding has no folder: said once, since the next ones have none either.
    fn unwritten(&self, error: &ToolError) {
        let text = error.to_string();
        let first = self.summary(|summary| {
            summary.unwritten.push(text.clone());
            summary.unwritten.len() == 1
        });
        if first {
            (self.shared.report)(CampaignEvent::Line(&text));
        }
    }

    pub(super) fn seen(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, u64>> {
        self.shared.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// How many faults that look like this from afar were reduced to nothing new.
    pub(super) fn fruitless(&self, early: &str) -> u64 {
        self.seen().get(early).copied().unwrap_or(0)
    }

    /// Of how many more runs how many show a fault of this kind. What hangs was seen twice.
    fn run_again(
        &mut self,
        found: &LocatedTool,
        how: How<'_>,
        reduced: &Generated,
        kind: FaultKind,
    ) -> Option<(u32, u32)> {
        if kind == FaultKind::Hang {
            return None;
        }
        let mut shown = 0;
        for _ in 0..AGAIN {
            match self.examine(found, How { alone: true, ..how }, reduced, &mut Cost::default()) {
                Outcome::Interrupted => return None,
                Outcome::Fault(now) => shown += u32::from(now.kind == kind),
                _ => {}
            }
        }
        Some((shown, AGAIN))
    }

    /// Explains and keeps what was reduced; whether it is a defect that was not seen before.
    pub(super) fn keep(
        &mut self,
        found: &LocatedTool,
        variant: &[String],
        (generated, again): (Generated, Option<(u32, u32)>),
        fault: ToolFault,
        index: u64,
    ) -> bool {
        let key = key(&found.tool.name, &fault, &generated);
        if self.shared.plan.known.contains(&key) {
            self.row(&found.tool.name, |row| row.known += 1);
            return false;
        }
        let mut readings = match (&fault.observed, Subject::load(&generated.words, &generated)) {
            (Some(observed), Ok(subject)) => subject.explained_by(observed, REDUCTION),
            _ => Vec::new(),
        };
        // What is invalid, refused or crashes is so under every reading.
        if is_of_value(fault.kind) {
            readings.extend(weaker_reconvergence(&generated));
        }
        // Such floats need not be preserved unless a module requires it.
        if fault.kind == FaultKind::WrongValue
            && generated.inputs.has_special_floats(&generated.tree)
        {
            let inputs = generated.inputs.with_plain_floats(&generated.tree);
            let plain = Generated::new(generated.tree.clone(), inputs);
            let how = How { variant, invalid: false, prove: false, alone: true, oracle: REDUCTION };
            let mut wrong = |module: &Generated| {
                let outcome = self.examine(found, how, module, &mut Cost::default());
                matches!(outcome, Outcome::Fault(_))
            };
            // What does not show each time is not explained by the numbers that were changed.
            if wrong(&generated) && !wrong(&plain) && wrong(&generated) {
                readings.push("special-floats=not-kept".to_owned());
            }
        }
        let mut finding = ToolFinding {
            key,
            tool: found.tool.name.clone(),
            variant: variant.join(" "),
            version: self.version(found),
            command: command(found, variant, self.shared.places),
            fault,
            readings,
            generated,
            seed: (self.shared.plan.seed, index),
            again,
            times: 1,
            folder: None,
        };
        // Another worker may find the same at the same time: the first one writes and keeps it.
        let kept = self.summary(|summary| {
            if let Some(known) = summary.findings.iter_mut().find(|it| it.key == finding.key) {
                known.times += 1;
                return None;
            }
            let unwritten = self.shared.plan.out.as_ref().and_then(|out| finding.write(out).err());
            let line = format!("{}: {}", finding.subject(), finding.line());
            let defect = !finding.is_reading();
            summary.findings.push(finding);
            Some((line, defect, unwritten))
        });
        let Some((line, defect, unwritten)) = kept else { return false };
        if let Some(error) = unwritten {
            self.unwritten(&error);
        }
        (self.shared.report)(CampaignEvent::Line(&line));
        defect
    }
}
