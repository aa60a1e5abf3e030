//! What a campaign is to do, what it tells meanwhile, and what it found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use laneproof_generator::{Covered, Foreign, ModuleProfile};
use laneproof_proofs::Shard;

use crate::finding::{ToolFinding, message_key};

/// How much of a campaign is to be done.
#[derive(Clone, Debug)]
pub struct CampaignExtent {
    /// The number of modules for each tool.
    pub count: Option<u64>,
    /// So long.
    pub time: Option<Duration>,
    /// Which part of the modules, by their index.
    pub shard: Shard,
    /// The first index of each tool; by default 0.
    pub first: BTreeMap<String, u64>,
}

/// What a campaign is to do.
#[derive(Clone, Debug)]
pub struct CampaignPlan {
    /// Where everything random comes from.
    pub seed: u64,
    /// How much of a campaign is to be done.
    pub extent: CampaignExtent,
    /// Keys of findings that are known.
    pub known: BTreeSet<String>,
    /// Where findings are written.
    pub out: Option<PathBuf>,
    /// Threads.
    pub jobs: usize,
    /// How long a module may be reduced.
    pub reduction: Duration,
    /// Which kinds of modules.
    pub profiles: Vec<ModuleProfile>,
    /// Modules whose functions [`ModuleProfile::Lowered`] calls.
    pub foreign: Arc<[Arc<Foreign>]>,
    /// Ask the prover about some of the results on which no difference is seen.
    pub prove: bool,
    /// A tool that does not start ends the campaign; otherwise the others go on without it.
    pub required: bool,
}

impl Default for CampaignExtent {
    fn default() -> Self {
        Self { count: None, time: None, shard: Shard::WHOLE, first: BTreeMap::new() }
    }
}

impl Default for CampaignPlan {
    fn default() -> Self {
        Self {
            seed: 0,
            extent: CampaignExtent::default(),
            known: BTreeSet::new(),
            out: None,
            jobs: 1,
            reduction: Duration::from_secs(20),
            profiles: ModuleProfile::ALL.to_vec(),
            foreign: Arc::from([]),
            prove: true,
            required: false,
        }
    }
}

/// Time that a tool took, and what judged it.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Time in the tool.
    pub tool: Duration,
    /// Time in interpreter and oracle.
    pub oracle: Duration,
    /// Time in the prover.
    pub prover: Duration,
}

/// Results that the prover checked.
#[derive(Clone, Debug, Default)]
pub struct ProverTally {
    /// Results that the prover checked.
    pub asked: u64,
    /// Of these: proved, or refuted.
    pub decided: u64,
}

/// What is known of one tool at the end.
#[derive(Clone, Debug, Default)]
pub struct ToolRow {
    /// Modules that were tried.
    pub modules: u64,
    /// Of these: right.
    pub fine: u64,
    /// Not supported by the tool.
    pub unsupported: u64,
    /// Not decided.
    pub undecided: u64,
    /// Without a meaning to compare with.
    pub discarded: u64,
    /// Wrong, all of them.
    pub wrong: u64,
    /// Wrong in a way that `--known` lists.
    pub known: u64,
    /// Reasons for what is not decided, and how often.
    pub reasons: BTreeMap<String, u64>,
    /// Time that a tool took, and what judged it.
    pub time: Times,
    /// Results that the prover checked.
    pub prover: ProverTally,
    /// Of a device: which one it is, and its driver.
    pub version: String,
    /// Why it could not be used.
    pub failure: Option<String>,
}

/// How many reasons are kept.
const REASONS: usize = 64;

impl ToolRow {
    /// Counts why a module is not supported, or is not decided.
    pub(crate) fn reason(&mut self, word: &str, reason: &str) {
        let reason = format!("{word}: {}", message_key(reason).trim_end());
        if self.reasons.len() < REASONS || self.reasons.contains_key(&reason) {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }
}

/// What is known of the files of the user's corpus.
#[derive(Clone, Debug, Default)]
pub struct OfCorpus {
    /// Files that hold a valid module.
    pub modules: u64,
    /// Others, which were passed over.
    pub others: u64,
    /// What is wrong with modules, a line each.
    pub wrong: Vec<String>,
}

/// What a campaign found.
#[derive(Debug, Default)]
pub struct Summary {
    /// By tool.
    pub rows: BTreeMap<String, ToolRow>,
    /// Findings, each once.
    pub findings: Vec<ToolFinding>,
    /// Modules on which a tool was wrong in a way of which several gave nothing new: they were not
    /// reduced.
    pub unreduced: u64,
    /// What was done with the user's corpus.
    pub of_corpus: OfCorpus,
    /// Group instructions that were used.
    pub covered: BTreeSet<Covered>,
    /// Bytes of outputs that were defined, and all.
    pub defined: (u64, u64),
    /// How many modules were requested, and how many were generated.
    pub generated: (u64, u64),
    /// By tool, the first index that was not tried.
    pub next: BTreeMap<String, u64>,
    /// How long it took.
    pub time: Duration,
    /// It was interrupted.
    pub interrupted: bool,
    /// Files and folders of findings that could not be written, and why.
    pub unwritten: Vec<String>,
}

impl Summary {
    /// Adds what was found with the user's modules.
    pub fn add_corpus(&mut self, of_corpus: Self) {
        for (name, more) in of_corpus.rows {
            let row = self.rows.entry(name).or_default();
            row.modules += more.modules;
            row.fine += more.fine;
            row.wrong += more.wrong;
            row.unsupported += more.unsupported;
            row.undecided += more.undecided;
            for (reason, times) in more.reasons {
                *row.reasons.entry(reason).or_default() += times;
            }
        }
        self.of_corpus = of_corpus.of_corpus;
        self.unwritten.extend(of_corpus.unwritten);
        self.interrupted |= of_corpus.interrupted;
    }
}

/// Events of a campaign, for progress reports.
#[derive(Clone, Debug)]
pub enum CampaignEvent<'e> {
    /// Something was found, in a line, or went wrong.
    Line(&'e str),
    /// One module more went through a tool.
    Tried {
        /// The number so far.
        modules: u64,
        /// On which a tool was wrong.
        wrong: u64,
        /// Distinct findings.
        findings: usize,
    },
    /// By tool, the first index that was not tried by now. It comes every few seconds, so that a
    /// campaign can go on behind it even if it is killed.
    Reached(BTreeMap<String, u64>),
}
