//! `laneproof fuzz`: other people's tools on generated modules.

mod html;
mod rendered;
mod state;
mod text;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use laneproof_proofs::{Catalogue, Shard};
use laneproof_toolchains::{
    CampaignEvent, CampaignExtent, CampaignPlan, Foreign, LocatedTool, ModuleProfile, Places,
    Summary, Tool, ToolError, built_in, campaign, changed_functions_in, corpus, find, functions_in,
    kept, lowering, read, start_to_list,
};
use laneproof_verify::Verdict;
use serde_json::Value;

use crate::answer::{Answer, Exit};
use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;
use crate::output;
use crate::setting::{Setting, seconds};
use crate::supervisor::INTERRUPTED;
use state::{Reached, State};
use watch::Watch;

/// How much to do.
#[derive(Args)]
struct Part {
    /// Number of modules for each tool [default: 200, unless --seconds is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Stop after this time
    #[arg(long, value_parser = seconds)]
    seconds: Option<Duration>,
    /// Seed of the generator: the same seed makes the same modules
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Run part I of N only, counted from 1
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Continue where the last run with the same --out ended
    #[arg(long, requires = "out")]
    resume: bool,
}

impl Part {
    fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }
}

/// Generate modules, run them through compilers, translators and devices, and compare the results
/// with the semantics
#[derive(Args)]
pub struct Fuzz {
    /// List the tools that were found, with their versions, and how to get the others
    #[arg(long)]
    list: bool,
    /// Try this tool; `self` is this project's own engines [default: every tool found]
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    /// Add the tools that a file describes
    #[arg(long, value_name = "FILE.toml")]
    tools: Vec<PathBuf>,
    #[command(flatten)]
    part: Part,
    /// Known findings: one key on each line
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Also run the modules of this folder through the tools
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Write a folder for each finding
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Which kinds of modules to make; may be repeated [default: all]
    #[arg(long, value_name = "NAME", value_parser = profile)]
    profile: Vec<ModuleProfile>,
    /// Also write the findings as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Do not ask the prover about results that show no difference
    #[arg(long)]
    no_proofs: bool,
    /// Time limit for reducing a module
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "20")]
    reduce: Duration,
}

/// The child process with a device.
#[derive(Args)]
pub struct Device {
    /// A part of the device's name
    #[arg(long)]
    name: Option<String>,
    /// The subgroup size to ask for
    #[arg(long)]
    size: Option<u32>,
    /// Through OpenCL, in the place of Vulkan
    #[arg(long)]
    opencl: bool,
}

/// A kind of modules, by its name.
fn profile(text: &str) -> Result<ModuleProfile, String> {
    let found = ModuleProfile::ALL.into_iter().find(|it| it.name() == text);
    found.ok_or_else(|| {
        let names = ModuleProfile::ALL.map(|it| format!("`{}`", it.name()));
        format!("expected one of {}", names.join(", "))
    })
}

impl Device {
    /// Serves jobs.
    pub fn carry_out(&self) -> Result<Answer, Failure> {
        let interface = match self.opencl {
            true => laneproof_device::Interface::OpenCl,
            false => laneproof_device::Interface::Vulkan,
        };
        laneproof_device::serve(interface, self.name.as_deref(), self.size)
            .map_err(|error| Failure::Device(error.to_string()))?;
        Ok(Answer { exit: Exit::Good, text: String::new(), json: Value::Null })
    }
}

impl Fuzz {
    /// Runs it.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let stop = &INTERRUPTED;
        let places = Places::new();
        let mut tools = built_in()?;
        for file in &self.tools {
            document::bounded(file, MOST_TEXT)?;
            let more = read(file)?;
            if let Some(twice) =
                more.iter().find(|it| tools.iter().any(|tool| tool.name == it.name))
            {
                return Err(ToolError::NamedTwice {
                    file: file.display().to_string(),
                    name: twice.name.clone(),
                }
                .into());
            }
            tools.extend(more);
        }
        if self.list {
            let found = tools.iter().map(|tool| {
                let mut found = find(tool, &places, stop);
                start_to_list(&mut found, &places, stop);
                found
            });
            let found: Vec<LocatedTool> = found.collect();
            let mut answer = text::list(&found, setting.terminal);
            if stop.load(Ordering::Relaxed) {
                answer.exit = Exit::Interrupted;
            }
            return Ok(answer);
        }
        let found = self.chosen(tools, &places, stop)?;
        let (seed, shard) = (self.part.seed, self.part.shard());
        let state = self.out.as_ref().map(|out| State::new(out, shard, seed, self.part.resume));
        let state = state.transpose()?;
        if let Some(file) = &self.html {
            output::writable(file)?;
        }
        let earlier = self.earlier();
        let first = state.as_ref().map_or_else(Reached::new, |state| state.before.clone());
        let watch = Watch::new(setting.terminal);
        watch.reading();
        let plan = self.plan(setting, first, stop)?;
        let report = |event: CampaignEvent<'_>| match (event, &state) {
            // A failure to save the state is reported at the end.
            (CampaignEvent::Reached(reached), Some(state)) => drop(state.keep(&reached)),
            (event, _) => watch.see(event),
        };
        let mut summary = self.campaign(plan, &found, &places, &report)?;
        watch.finish();
        let kept = state.map_or(Ok(()), |state| state.keep(&summary.next));
        let page = self
            .html
            .as_ref()
            .map_or(Ok(()), |file| output::write(file, html::page(&summary, &found).as_bytes()));
        // The summary of hours is printed whatever cannot be written.
        let unwritten = [kept, page].into_iter().filter_map(Result::err);
        summary.unwritten.extend(unwritten.map(|failure| failure.line()));
        Ok(text::summary(&summary, &found, &earlier, setting.terminal))
    }

    /// The user's modules, for a quarter of the time at most, and generated ones.
    fn campaign(
        &self,
        mut plan: CampaignPlan,
        found: &[LocatedTool],
        places: &Places,
        report: &(dyn Fn(CampaignEvent<'_>) + Sync),
    ) -> Result<Summary, Failure> {
        let (mut of_corpus, start) = (Summary::default(), Instant::now());
        let time = plan.extent.time;
        if let Some(folder) = &self.corpus {
            plan.extent.time = time.map(|time| time / 4);
            corpus(folder, found, places, &plan, &mut of_corpus, &INTERRUPTED, report)?;
        }
        plan.extent.time = time.map(|time| time.saturating_sub(start.elapsed()));
        let mut summary = campaign(&plan, found, places, &INTERRUPTED, report)?;
        summary.add_corpus(of_corpus);
        summary.time = start.elapsed();
        Ok(summary)
    }

    /// The findings of the runs before that this one goes on with, by key: whether each is a defect.
    fn earlier(&self) -> BTreeMap<String, bool> {
        match (&self.out, self.part.resume) {
            (Some(out), true) => kept(out),
            _ => BTreeMap::new(),
        }
    }

    /// The selected tools, by default all.
    fn chosen(
        &self,
        tools: Vec<Tool>,
        places: &Places,
        stop: &AtomicBool,
    ) -> Result<Vec<LocatedTool>, Failure> {
        if self.tool.is_empty() {
            let all = tools.iter().map(|tool| find(tool, places, stop));
            return Ok(all.filter(|found| found.missing.is_none()).collect());
        }
        let known =
            || tools.iter().map(|it| format!("`{}`", it.name)).collect::<Vec<_>>().join(", ");
        let mut chosen: Vec<LocatedTool> = Vec::new();
        for name in &self.tool {
            // Named twice it is still one tool.
            if chosen.iter().any(|found| found.tool.name == *name) {
                continue;
            }
            let tool = tools.iter().find(|tool| tool.name == *name);
            let tool =
                tool.ok_or_else(|| ToolError::NoSuchTool { name: name.clone(), known: known() })?;
            let found = find(tool, places, stop);
            if let Some(missing) = found.missing {
                let get = tool.requirements.get.clone();
                return Err(ToolError::NotFound { name: name.clone(), missing, get }.into());
            }
            chosen.push(found);
        }
        Ok(chosen)
    }

    fn plan(
        &self,
        setting: &Setting<'_>,
        first: Reached,
        stop: &AtomicBool,
    ) -> Result<CampaignPlan, Failure> {
        let mut known = match &self.known {
            Some(file) => keys(file)?,
            None => BTreeSet::new(),
        };
        known.extend(self.earlier().into_keys());
        let jobs = match setting.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let count = match (self.part.count, self.part.seconds) {
            (None, None) => Some(200),
            (count, _) => count,
        };
        let profiles = match self.profile.as_slice() {
            [] => ModuleProfile::ALL.to_vec(),
            asked => asked.to_vec(),
        };
        let foreign = match profiles.contains(&ModuleProfile::Lowered) {
            true => self.foreign(stop)?,
            false => Vec::new(),
        };
        Ok(CampaignPlan {
            profiles,
            foreign: foreign.into(),
            seed: self.part.seed,
            extent: CampaignExtent {
                count,
                time: self.part.seconds,
                shard: self.part.shard(),
                first,
            },
            known,
            out: self.out.clone(),
            jobs,
            reduction: self.reduce,
            prove: !self.no_proofs,
            required: !self.tool.is_empty(),
        })
    }

    /// The sides of the catalogue's lowerings, and the functions of the user's modules. An interrupt
    /// ends it early: then there is no campaign that would call them.
    fn foreign(&self, stop: &AtomicBool) -> Result<Vec<Arc<Foreign>>, Failure> {
        let entries = Catalogue::built_in()?.entries;
        let proved = entries.iter().filter(|entry| entry.header.expect == Verdict::Proved);
        let proved = proved.take_while(|_| !stop.load(Ordering::Relaxed));
        let mut found: Vec<_> =
            proved.filter_map(|entry| lowering(&entry.name, &entry.text)).collect();
        if let Some(folder) = &self.corpus {
            found.extend(functions_in(folder, stop));
            found.extend(changed_functions_in(folder, self.part.seed, stop));
        }
        Ok(found)
    }
}

/// The keys in a file; lines that start with `#` are comments.
fn keys(file: &Path) -> Result<BTreeSet<String>, Failure> {
    let text = document::text(file, MOST_TEXT)?;
    let lines = text.lines().map(str::trim);
    let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(keys.map(str::to_owned).collect())
}
