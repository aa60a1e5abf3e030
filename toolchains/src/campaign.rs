//! Many modules through many tools, on several threads.

mod fault;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use laneproof_generator::{Generated, ModuleProfile, Numbers, coverage, generate_seeded};
use laneproof_oracle::SearchLimits;

use crate::breakage::broken;
use crate::device::Device;
use crate::error::ToolError;
use crate::examine::{Bench, Cost, allowance, examine, examine_invalid, request};
use crate::find::{LocatedTool, Places};
use crate::outcome::{FaultKind, Outcome};
use crate::persistent::Persistent;
use crate::plan::{CampaignEvent, CampaignPlan, Summary, ToolRow};
use crate::reduce::instructions;
use crate::reference::{ORACLE, REDUCTION};
use crate::schedule::Schedule;
use crate::tool::ToolKind;

/// What is shared between threads.
struct Shared<'s> {
    plan: &'s CampaignPlan,
    tools: &'s [LocatedTool],
    places: &'s Places,
    summary: Mutex<Summary>,
    schedule: Mutex<Schedule>,
    stop: &'s AtomicBool,
    start: Instant,
    /// When it was last said how far the campaign is.
    last_report: Mutex<Instant>,
    /// A requested tool cannot start, which ends the campaign.
    failed: Mutex<Option<ToolError>>,
    /// How often a kind of fault, as it looks before it is reduced, gave nothing new.
    seen: Mutex<BTreeMap<String, u64>>,
    report: &'s (dyn Fn(CampaignEvent<'_>) + Sync),
}

/// Runs a campaign. `report` gets what happens; `stop` ends it early.
///
/// # Errors
///
/// Where no folder for files can be made, or a tool that the plan requires does not start.
pub fn campaign(
    plan: &CampaignPlan,
    tools: &[LocatedTool],
    places: &Places,
    stop: &AtomicBool,
    report: &(dyn Fn(CampaignEvent<'_>) + Sync),
) -> Result<Summary, ToolError> {
    let shared = Shared {
        plan,
        tools,
        places,
        summary: Mutex::new(Summary::default()),
        schedule: Mutex::new(Schedule::new(plan, tools.iter().map(|it| it.tool.name.as_str()))),
        stop,
        start: Instant::now(),
        last_report: Mutex::new(Instant::now()),
        failed: Mutex::new(None),
        seen: Mutex::new(BTreeMap::new()),
        report,
    };
    let unwritable =
        |source| ToolError::Unwritable { name: "a temporary folder".to_owned(), source };
    let folders = (0..plan.jobs.max(1))
        .map(|_| tempfile::tempdir().map_err(unwritable))
        .collect::<Result<Vec<_>, _>>()?;
    std::thread::scope(|scope| {
        for folder in &folders {
            let shared = &shared;
            let worker = move || Worker::new(shared, folder.path()).work();
            let builder = std::thread::Builder::new().stack_size(laneproof_verify::STACK);
            // A thread that does not start leaves the work to the others.
            let _ = builder.spawn_scoped(scope, worker);
        }
    });
    let failed = shared.failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = failed {
        return Err(error);
    }
    let start = shared.start;
    let schedule = shared.schedule.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut summary =
        shared.summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    summary.next = schedule.reached().collect();
    summary.time = start.elapsed();
    summary.interrupted = stop.load(Ordering::Relaxed);
    Ok(summary)
}

struct Worker<'s, 'f> {
    shared: &'s Shared<'s>,
    folder: &'f Path,
    devices: BTreeMap<String, Result<Device, String>>,
    /// Processes that stay alive between modules, by tool.
    persistent: BTreeMap<String, RefCell<Persistent>>,
}

/// The outcome of a module.
enum Tried {
    Examined,
    /// The campaign ended first.
    Interrupted,
}

/// How a module is examined.
#[derive(Clone, Copy)]
struct How<'h> {
    /// Which of the tool's variants.
    variant: &'h [String],
    /// The module is invalid, and the tool must refuse it.
    invalid: bool,
    /// Results on which no difference is seen go to the prover.
    prove: bool,
    /// Through a process of the module's own, whatever others there are.
    alone: bool,
    /// How far the oracle may look for a choice.
    oracle: SearchLimits,
}

/// The most instructions of a module for the prover.
const PROVED: usize = 24;

/// How many wrong values of one tool are reduced that turn out to be what was seen, or readings.
const REDUCED: u64 = 6;

/// The same of faults that tell more by themselves.
const FEW: u64 = 2;

/// The interval of progress reports.
const TELL: Duration = Duration::from_secs(5);

/// How many smaller modules are tried of what may be no more than a reading.
const LOOSE: u64 = 1000;

impl<'s, 'f> Worker<'s, 'f> {
    fn new(shared: &'s Shared<'s>, folder: &'f Path) -> Self {
        let persistent = shared.tools.iter().filter(|found| found.tool.commands.persistent);
        let persistent = persistent
            .map(|found| (found.tool.name.clone(), RefCell::new(Persistent::new(folder))));
        Self { shared, folder, devices: BTreeMap::new(), persistent: persistent.collect() }
    }
}

impl Worker<'_, '_> {
    fn work(&mut self) {
        while !self.late(1.0) && !self.stopped() {
            let Some((tool, index)) = self.schedule(Schedule::next) else { return };
            let start = Instant::now();
            let done = laneproof_verify::guarded(|| self.one(&self.shared.tools[tool], index));
            let done = match done {
                Ok(done) => done,
                Err(fault) => return self.broke(tool, index, fault),
            };
            match done {
                // It is tried again when the campaign goes on.
                Ok(Tried::Interrupted) => continue,
                Ok(Tried::Examined) => {}
                Err(_) if self.stopped() => continue,
                Err(reason) => self.unusable(tool, reason),
            }
            self.schedule(|schedule| schedule.took(tool, index, start.elapsed()));
            self.tell();
        }
    }

    /// Says now and then how far the campaign is.
    fn tell(&self) {
        // Another thread is about to report.
        let Ok(mut last_report) = self.shared.last_report.try_lock() else { return };
        if last_report.elapsed() >= TELL {
            *last_report = Instant::now();
            let reached = self.schedule(|schedule| schedule.reached().collect());
            (self.shared.report)(CampaignEvent::Reached(reached));
        }
    }

    /// The campaign was interrupted, or has failed.
    fn stopped(&self) -> bool {
        let failed = self.shared.failed.lock();
        self.shared.stop.load(Ordering::Relaxed)
            || failed.unwrap_or_else(std::sync::PoisonError::into_inner).is_some()
    }

    /// A tool does not start: it gets no more modules.
    fn unusable(&self, tool: usize, reason: String) {
        self.schedule(|schedule| schedule.close(tool));
        let name = self.shared.tools[tool].tool.name.clone();
        self.row(&name, |row| row.failure = Some(reason.clone()));
        if self.shared.plan.required {
            self.fail(ToolError::NotStarted { name, reason });
        }
    }

    /// A fault of our own ends the campaign, and says with which module it comes again.
    fn broke(&self, tool: usize, index: u64, fault: String) {
        let name = self.shared.tools[tool].tool.name.clone();
        self.fail(ToolError::Broke { name, index, seed: self.shared.plan.seed, fault });
    }

    /// Ends the campaign for all threads; the first reason is reported.
    fn fail(&self, error: ToolError) {
        let failed = self.shared.failed.lock();
        failed.unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
    }

    /// What a tool says of its version; of a device, which one it is.
    fn version(&self, found: &LocatedTool) -> String {
        let device = self.devices.get(&found.tool.name).and_then(|it| it.as_ref().ok());
        let device = device.map(|it| it.about.device.as_str()).filter(|it| !it.is_empty());
        device.unwrap_or(&found.version).to_owned()
    }

    /// So much of the campaign's time is over.
    fn late(&self, share: f64) -> bool {
        let time = self.shared.plan.extent.time;
        time.is_some_and(|time| self.shared.start.elapsed() >= time.mul_f64(share))
    }

    fn schedule<R>(&self, change: impl FnOnce(&mut Schedule) -> R) -> R {
        let schedule = self.shared.schedule.lock();
        change(&mut schedule.unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// One module through one tool.
    ///
    /// # Errors
    ///
    /// Why the tool cannot be used at all.
    fn one(&mut self, found: &LocatedTool, index: u64) -> Result<Tried, String> {
        let tool = &found.tool;
        let mut numbers =
            Numbers::new(self.shared.plan.seed ^ index.wrapping_mul(0x9e37_79b9_97f4_a7c1));
        let module_kinds = tool.gate.module_kinds();
        let module_kind = module_kinds[numbers.below(module_kinds.len() as u64) as usize];
        let profiles = &self.shared.plan.profiles;
        let mut profile = profiles[numbers.below(profiles.len() as u64) as usize];
        if tool.gate.no_memory && profile == ModuleProfile::Memory {
            profile = ModuleProfile::Divergent;
        }
        let mut size = [4, 8, 16, 32, 64, 128][numbers.below(6) as usize];
        let mut request_of_device = None;
        if tool.kind == ToolKind::Execute {
            let about = self.device(found)?;
            size = about.subgroup_size;
            request_of_device = Some(about);
        }
        let mut request = request(tool, profile, module_kind, size);
        if let Some(about) = request_of_device {
            let of_device = about.capabilities();
            request.allowed.capabilities = Some(match request.allowed.capabilities {
                Some(gate) => gate.intersection(&of_device).copied().collect(),
                None => of_device,
            });
            request.allowed.extended_types &= about.extended_types;
            request.maximal_reconvergence &= about.maximal_reconvergence;
        }
        request.partial = numbers.below(5) == 0;
        request.foreign = Arc::clone(&self.shared.plan.foreign);
        // Not every size and environment has an entry that the tool takes.
        if profile == ModuleProfile::Lowered && !request.foreign.iter().any(|it| request.admits(it))
        {
            request.profile = ModuleProfile::Single;
        }
        let generated = generate_seeded(&request, numbers.bits());
        self.summary(|summary| {
            summary.generated.0 += 1;
            summary.generated.1 += u64::from(generated.is_some());
        });
        let Some(generated) = generated else { return Ok(Tried::Examined) };
        let variant = match tool.commands.variants.len() as u64 {
            0 => Vec::new(),
            count => tool.commands.variants[numbers.below(count) as usize].clone(),
        };
        let invalid = tool.kind == ToolKind::Accept && numbers.below(2) == 0;
        let generated = match invalid {
            true => match broken(&generated, &mut numbers) {
                Some(generated) => generated,
                None => return Ok(Tried::Examined),
            },
            false => generated,
        };
        let mut cost = Cost::default();
        let prove = self.proves(found, &generated);
        let oracle = self.allowance(found);
        let mut how = How { variant: &variant, invalid, prove, alone: false, oracle };
        let mut outcome = self.examine(found, how, &generated, &mut cost);
        how.alone = true;
        if tool.commands.persistent && matches!(outcome, Outcome::Fault(_)) {
            // What the modules before it have left in the process is not its fault.
            outcome = self.examine(found, how, &generated, &mut cost);
        }
        if matches!(&outcome, Outcome::Fault(fault) if fault.kind == FaultKind::Hang) {
            // A loaded machine is slow, too: only a second hang is a finding.
            outcome = self.examine(found, how, &generated, &mut cost);
        }
        if outcome == Outcome::Interrupted {
            return Ok(Tried::Interrupted);
        }
        self.count(found, &generated, &outcome, cost);
        if let Outcome::Fault(fault) = outcome {
            how.prove = fault.kind == FaultKind::Refuted;
            how.oracle = REDUCTION;
            self.fault(found, how, generated, *fault, index);
        }
        Ok(Tried::Examined)
    }

    /// How far the oracle may look at the tool's next result.
    fn allowance(&self, found: &LocatedTool) -> SearchLimits {
        self.summary(|summary| match summary.rows.get(&found.tool.name) {
            Some(row) => allowance(row.time.tool, row.time.oracle),
            None => ORACLE,
        })
    }

    /// Whether the prover may check the next result: it has a tenth of the tool's time. Which
    /// results it checks depends on the machine, so its refutations are kept whole.
    fn proves(&self, found: &LocatedTool, generated: &Generated) -> bool {
        let tree = &generated.tree;
        let small =
            tree.target.workgroup <= tree.target.subgroup_size && instructions(tree) <= PROVED;
        let transforms = matches!(found.tool.kind, ToolKind::Transform | ToolKind::Translate);
        small
            && transforms
            && found.tool.built_in.is_none()
            && self.shared.plan.prove
            && !self.late(0.8)
            && self.summary(|summary| {
                let row = summary.rows.get(&found.tool.name);
                row.is_some_and(|row| row.time.prover * 10 < row.time.tool + row.time.oracle)
            })
    }

    fn device(&mut self, found: &LocatedTool) -> Result<crate::device::About, String> {
        let name = &found.tool.name;
        if !self.devices.contains_key(name) {
            let device =
                Device::start(&found.tool, self.shared.places, self.folder, self.shared.stop);
            self.devices.insert(name.clone(), device);
            let version = self.version(found);
            self.row(name, |row| row.version = version);
        }
        match &self.devices[name] {
            Ok(device) => Ok(device.about.clone()),
            Err(reason) => Err(reason.clone()),
        }
    }

    fn examine(
        &mut self,
        found: &LocatedTool,
        how: How<'_>,
        generated: &Generated,
        cost: &mut Cost,
    ) -> Outcome {
        let (tool, places, folder) = (&found.tool, self.shared.places, self.folder);
        let How { variant, prove, oracle, .. } = how;
        let persistent = self.persistent.get(&tool.name).filter(|_| !how.alone);
        let stop = self.shared.stop;
        let bench = Bench { tool, variant, places, folder, prove, oracle, persistent, stop };
        if how.invalid {
            return examine_invalid(&bench, generated);
        }
        let device = self.devices.get_mut(&tool.name).and_then(|device| device.as_mut().ok());
        examine(&bench, generated, device, cost)
    }

    fn count(&self, found: &LocatedTool, generated: &Generated, outcome: &Outcome, cost: Cost) {
        let covered = coverage(&generated.tree);
        let (modules, wrong, findings) = self.summary(|summary| {
            summary.covered.extend(covered);
            summary.defined.0 += cost.defined;
            summary.defined.1 += cost.outputs;
            let row = summary.rows.entry(found.tool.name.clone()).or_default();
            row.modules += 1;
            row.time.tool += cost.tool;
            row.time.oracle += cost.oracle;
            row.time.prover += cost.prover;
            row.prover.asked += u64::from(cost.decided.is_some());
            row.prover.decided += u64::from(cost.decided == Some(true));
            let reason = match outcome {
                Outcome::Fine => {
                    row.fine += 1;
                    None
                }
                Outcome::Unsupported(reason) => {
                    row.unsupported += 1;
                    Some(("unsupported", reason))
                }
                Outcome::Undecided(reason) => {
                    row.undecided += 1;
                    Some(("undecided", reason))
                }
                Outcome::Discarded(reason) => {
                    row.discarded += 1;
                    Some(("discarded", reason))
                }
                Outcome::Fault(_) => {
                    row.wrong += 1;
                    None
                }
                Outcome::Interrupted => None,
            };
            if let Some((word, reason)) = reason {
                row.reason(word, reason);
            }
            let sum = |of: fn(&ToolRow) -> u64| summary.rows.values().map(of).sum();
            (sum(|row| row.modules), sum(|row| row.wrong), summary.findings.len())
        });
        (self.shared.report)(CampaignEvent::Tried { modules, wrong, findings });
    }

    fn row(&self, name: &str, change: impl FnOnce(&mut ToolRow)) {
        self.summary(|summary| change(summary.rows.entry(name.to_owned()).or_default()));
    }

    fn summary<R>(&self, change: impl FnOnce(&mut Summary) -> R) -> R {
        let mut summary =
            self.shared.summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        change(&mut summary)
    }
}
