//! `laneproof prove`: the catalogue, or files like it, against the verdicts that they expect.

pub mod command;
mod mutants;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anstyle::Style;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use directories::ProjectDirs;
use laneproof_proofs::{
    Cache, CacheKey, Catalogue, Entry, EntryOutcome, Opinion, RunError, SecondSolver, Setup, Shard,
    run_all,
};
use laneproof_semantics::Specification;
use laneproof_verify::Verdict;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::compilers;
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use crate::sarif::{Sarif, SarifFinding, SarifRegion, line_of_claim};
use crate::setting::{Setting, known_profile};
use crate::supervisor::Pending;
use laneproof_report::table::{count, paint, style_of, table, time};

/// Prove the catalogue's theorems and lowerings, or your own files and folders in the same form
#[derive(Args)]
pub struct Prove {
    /// Files or folders, or patterns of names in the catalogue [default: all of it]
    #[arg(value_name = "PATTERN|PATH", value_parser = NonEmptyStringValueParser::new())]
    what: Vec<String>,
    /// Run part I of N only
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Time limit of each obligation; extended where other processes keep the machine busy
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::setting::seconds)]
    timeout: Duration,
    /// The profile of files that name none [default: by the module's kind]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    #[command(flatten)]
    cache: CacheFlags,
    /// Confirm what is proved with another solver: COMMAND gets each question as a file of SMT-LIB
    /// 2 and prints `sat` or `unsat`
    #[arg(long, value_name = "COMMAND")]
    check_with: Option<String>,
    /// Break each proved target in one place at a time, at every operator and constant, and say
    /// whether the mutant is refuted or equivalent
    #[arg(long, conflicts_with_all = ["check_with", "cache", "cache_key", "cache_read_only", "sarif"])]
    mutate: bool,
    #[command(flatten)]
    sarif: Sarif,
}

/// Where answers are kept from run to run.
#[derive(Args)]
struct CacheFlags {
    /// The folder of the cache of answers [default: in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// The key that authenticates the cache's answers, for jobs that share a cache: at least 32
    /// random bytes in a file that nobody else may read [default: this user's own key, made when it
    /// is first needed]
    #[arg(long, value_name = "FILE", conflicts_with = "no_cache")]
    cache_key: Option<PathBuf>,
    /// Read the cache, and do not write to it
    #[arg(long, conflicts_with = "no_cache")]
    cache_read_only: bool,
    /// Neither read nor write the cache
    #[arg(long)]
    no_cache: bool,
}

impl CacheFlags {
    fn key(&self) -> Result<CacheKey, Failure> {
        if let Some(path) = &self.cache_key {
            return CacheKey::read(path).map_err(Failure::CacheKey);
        }
        let users = ProjectDirs::from("", "", "laneproof").ok_or(Failure::NoCacheKey)?;
        let path = users.data_local_dir().join("cache-key");
        CacheKey::read_or_make(&path).map_err(Failure::CacheKey)
    }

    /// The cache; none where the user has no folder for one, or it cannot be written.
    fn open(&self, specification: &Specification) -> Result<Option<Cache>, Failure> {
        let users = || Some(ProjectDirs::from("", "", "laneproof")?.cache_dir().join("answers"));
        let Some(folder) = self.cache.clone().or_else(users).filter(|_| !self.no_cache) else {
            return Ok(None);
        };
        let key = match self.key() {
            Ok(key) => key,
            // No cache was requested.
            Err(_) if self.cache.is_none() && self.cache_key.is_none() => return Ok(None),
            Err(error) => return Err(error),
        };
        let build = std::env::current_exe().and_then(std::fs::read);
        let cache = build.and_then(|build| {
            Cache::open(&folder, self.cache_read_only, &build, specification, key)
        });
        match cache {
            Ok(cache) => Ok(Some(cache)),
            Err(_) if self.cache.is_none() => Ok(None),
            Err(source) => Err(output::unwritable(&folder, source)),
        }
    }
}

/// The interval at which the results so far are sent to the supervisor.
const NEWS: Duration = Duration::from_millis(500);

/// The most unexpected results with a command that shows why.
const SHOWN: usize = 5;

/// How many of the slowest are named.
const SLOWEST: usize = 5;

impl Prove {
    /// Runs them all.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let started = Instant::now();
        // Once, and not for every entry.
        known_profile(self.profile.as_deref(), setting)?;
        let entries = Catalogue::gather(&self.what)?.shard(self.shard).entries;
        let compilers = compilers();
        let plain = |cache| Setup {
            specification: &setting.specification,
            timeout: self.timeout,
            profile: self.profile.as_deref(),
            jobs: setting.jobs,
            compilers: &compilers,
            cache,
            second: None,
        };
        if self.mutate {
            return mutants::carry_out(&entries, &plain(None), setting);
        }
        let cache = self.cache.open(&setting.specification)?;
        let second = self.check_with.as_ref().map(|it| SecondSolver::new(it, self.timeout));
        let second = second.transpose().map_err(RunError::from)?;
        let setup = Setup { second: second.as_ref(), ..plain(cache.as_ref()) };
        let progress = Progress::over(entries.len(), setting.terminal);
        let good = |result: &Result<EntryOutcome, _>| {
            result.as_ref().is_ok_and(|outcome| outcome.unexpected.is_none())
        };
        let finished = Mutex::new((Vec::new(), started));
        let results = run_all(&entries, &setup, |result| {
            progress.step(good(result));
            if let Ok(outcome) = result {
                let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
                let (outcomes, rendered) = &mut *finished;
                outcomes.push(outcome.clone());
                if rendered.elapsed() >= NEWS {
                    let seconds = started.elapsed().as_secs_f64();
                    let news = self.answer(&entries, outcomes, seconds, setting);
                    setting.channel.pending(pending(news, outcomes.len(), entries.len()));
                    *rendered = Instant::now();
                }
            }
        })?;
        progress.finish();
        let outcomes = all_or_failure(results)?;
        self.sarif.write(&findings(&entries, &outcomes))?;
        Ok(self.answer(&entries, &outcomes, started.elapsed().as_secs_f64(), setting))
    }

    fn answer(
        &self,
        entries: &[Entry],
        outcomes: &[EntryOutcome],
        seconds: f64,
        setting: &Setting<'_>,
    ) -> Answer {
        let unexpected =
            |name: &String| outcomes.iter().any(|it| it.name == *name && it.unexpected.is_some());
        let shown = entries.iter().filter(|entry| unexpected(&entry.name));
        let shown = shown.filter_map(|entry| command::of(entry, self.profile.as_deref()));
        answer(outcomes, &shown.take(SHOWN).collect::<Vec<_>>(), seconds, setting)
    }
}

/// The answer so far, when some of the entries are finished.
fn pending(answer: Answer, finished: usize, of: usize) -> Pending {
    let Answer { exit, text, json } = answer;
    let text = format!("{text}{finished} of {of} entries are settled\n");
    Pending { bad: exit == Exit::Bad, text, json }
}

/// Every result; where some entries fail, all their failures.
fn all_or_failure<T>(results: Vec<Result<T, RunError>>) -> Result<Vec<T>, Failure> {
    let mut all = Vec::new();
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(error) => failures.push(error.into()),
        }
    }
    match Failure::together(failures) {
        Some(failure) => Err(failure),
        None => Ok(all),
    }
}

/// What readers of the entries should see.
fn findings(entries: &[Entry], outcomes: &[EntryOutcome]) -> Vec<SarifFinding> {
    let mut findings = Vec::new();
    for (entry, outcome) in entries.iter().zip(outcomes) {
        let reason = outcome.reason.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        let open = outcome.second.as_ref().filter(|it| it.open > 0);
        let (rule, message) = match (&outcome.unexpected, open) {
            (Some(what), _) => ("unexpected", format!("{what}{reason}")),
            (None, Some(opinion)) => {
                ("unconfirmed", format!("A second solver leaves {} questions open.", opinion.open))
            }
            (None, None) => continue,
        };
        let line = line_of_claim(&entry.text);
        let rule = rule.to_owned();
        findings.push(SarifFinding {
            rule,
            level: None,
            message,
            file: entry.path.clone(),
            region: SarifRegion::Line(line),
        });
    }
    findings
}

fn answer(
    outcomes: &[EntryOutcome],
    commands: &[String],
    seconds: f64,
    setting: &Setting<'_>,
) -> Answer {
    let as_expected = outcomes.iter().filter(|outcome| outcome.unexpected.is_none()).count();
    let good = !outcomes.is_empty() && as_expected == outcomes.len();
    let open = outcomes.iter().filter_map(|it| it.second.as_ref()).any(|it| it.open > 0);
    Answer {
        exit: match (good, open) {
            (false, _) => Exit::Bad,
            (true, true) => Exit::Undecided,
            (true, false) => Exit::Good,
        },
        text: text(outcomes, commands, seconds, setting),
        json: json!({
            "obligations": outcomes.len(),
            "as_expected": as_expected,
            "seconds": (seconds * 1e3).round() / 1e3,
            "results": outcomes,
        }),
    }
}

/// What the second solver said, if there was one.
fn opinion(outcomes: &[EntryOutcome]) -> Option<String> {
    let opinions: Vec<&Opinion> = outcomes.iter().filter_map(|it| it.second.as_ref()).collect();
    let sum = |of: fn(&Opinion) -> usize| opinions.iter().map(|it| of(it)).sum::<usize>();
    let (confirmed, open) = (sum(|it| it.confirmed), sum(|it| it.open));
    let contradicted = sum(|it| it.contradicted.len());
    (!opinions.is_empty()).then(|| {
        format!(
            "second solver: {} of {} confirmed, {open} left open, {contradicted} contradicted",
            count(confirmed, "question"),
            count(opinions.len(), "proof"),
        )
    })
}

fn text(
    outcomes: &[EntryOutcome],
    commands: &[String],
    seconds: f64,
    setting: &Setting<'_>,
) -> String {
    let terminal = setting.terminal;
    let mut out = String::new();
    let unexpected: Vec<_> = outcomes.iter().filter(|it| it.unexpected.is_some()).collect();
    let as_expected = outcomes.len() - unexpected.len();
    if !unexpected.is_empty() {
        let mut table =
            table(&terminal.page, &["unexpected", "what", "abstraction", "time", "reason"]);
        for outcome in &unexpected {
            table.add_row([
                outcome.name.clone(),
                outcome.unexpected.clone().unwrap_or_default(),
                outcome.abstraction.map_or("-".to_owned(), |abstraction| abstraction.to_string()),
                time(outcome.milliseconds),
                outcome.reason.clone().unwrap_or_default(),
            ]);
        }
        let _ = writeln!(out, "{}\n", table.trim_fmt());
        if !commands.is_empty() {
            // One a line, to be copied.
            let _ = writeln!(out, "to see why:\n  {}\n", commands.join("\n  "));
        }
    }
    let mut slowest: Vec<_> = outcomes.iter().collect();
    slowest.sort_by(|a, b| b.milliseconds.total_cmp(&a.milliseconds));
    slowest.truncate(SLOWEST);
    if outcomes.len() > SLOWEST {
        let mut table = table(&terminal.page, &["slowest", "verdict", "abstraction", "time"]);
        for outcome in slowest {
            table.add_row([
                outcome.name.clone(),
                outcome.verdict.to_string(),
                outcome.abstraction.map_or("-".to_owned(), |abstraction| abstraction.to_string()),
                time(outcome.milliseconds),
            ]);
        }
        let _ = writeln!(out, "{}\n", table.trim_fmt());
    }
    let not = unexpected.len();
    if let Some(line) = opinion(outcomes) {
        let _ = writeln!(out, "{line}");
    }
    let kept = outcomes.iter().filter(|it| it.cached).count();
    let kept = if kept == 0 { String::new() } else { format!(" ({kept} from earlier runs)") };
    let s = if as_expected == 1 { "" } else { "s" };
    let line = format!("{as_expected} obligation{s} as expected, {not} not, {seconds:.1} s{kept}");
    let style = match (outcomes.len(), not) {
        (0, _) => Style::new(),
        (_, 0) => style_of(Verdict::Proved),
        _ => style_of(Verdict::Refuted),
    };
    let _ = writeln!(out, "{}", paint(&terminal.page, style, &line));
    out
}
