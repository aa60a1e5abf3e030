//! `laneproof prove --mutate`: which parts of proved targets matter to their proofs.

use std::fmt::Write as _;
use std::time::Instant;

use anstyle::Style;
use laneproof_proofs::{Entry, Fate, Mutation, Setup, mutate_all};
use laneproof_verify::Verdict;
use serde_json::json;

use super::all_or_failure;
use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::setting::Setting;
use laneproof_report::table::{paint, style_of, table};

/// Breaks every proved target in one place after the other.
pub(super) fn carry_out(
    entries: &[Entry],
    setup: &Setup<'_>,
    setting: &Setting<'_>,
) -> Result<Answer, Failure> {
    let started = Instant::now();
    let progress = Progress::over(entries.len(), setting.terminal);
    let good = |result: &Result<Mutation, _>| {
        result.as_ref().is_ok_and(|it| it.mutants.iter().all(is_decided))
    };
    let results = mutate_all(entries, setup, |result| progress.step(good(result)))?;
    progress.finish();
    let mut mutations = all_or_failure(results)?;
    mutations.retain(|it| !it.mutants.is_empty());
    Ok(answer(&mutations, started.elapsed().as_secs_f64(), setting))
}

fn is_decided(fate: &Fate) -> bool {
    matches!(fate.verdict, Verdict::Proved | Verdict::Refuted)
}

fn is_contradicted(fate: &Fate) -> bool {
    fate.sampled.as_ref().is_some_and(|it| it.differs.is_some())
}

/// How many mutants came to what.
struct Score {
    mutants: usize,
    refuted: usize,
    equivalent: usize,
    /// Of the equivalent ones, those that the interpreter ran in at least one state.
    run: usize,
    undecided: usize,
    contradicted: usize,
    invalid: usize,
}

impl Score {
    fn of(mutations: &[Mutation]) -> Self {
        let fates: Vec<&Fate> = mutations.iter().flat_map(|it| &it.mutants).collect();
        let count = |wanted: &dyn Fn(&Fate) -> bool| fates.iter().filter(|it| wanted(it)).count();
        let is_run = |it: &Fate| it.sampled.as_ref().is_some_and(|it| it.compared > 0);
        Self {
            mutants: fates.len(),
            refuted: count(&|it| it.verdict == Verdict::Refuted),
            equivalent: count(&|it| it.verdict == Verdict::Proved),
            run: count(&is_run),
            undecided: count(&|it| !is_decided(it)),
            contradicted: count(&is_contradicted),
            invalid: mutations.iter().map(|it| it.invalid).sum(),
        }
    }
}

fn answer(mutations: &[Mutation], seconds: f64, setting: &Setting<'_>) -> Answer {
    let score = Score::of(mutations);
    Answer {
        exit: match &score {
            it if it.contradicted > 0 || it.mutants == 0 => Exit::Bad,
            it if it.undecided > 0 => Exit::Undecided,
            _ => Exit::Good,
        },
        text: text(mutations, &score, seconds, setting),
        json: json!({
            "mutants": score.mutants,
            "refuted": score.refuted,
            "equivalent": score.equivalent,
            "equivalent_and_run": score.run,
            "undecided": score.undecided,
            "contradicted": score.contradicted,
            "invalid": score.invalid,
            "seconds": (seconds * 1e3).round() / 1e3,
            "results": mutations,
        }),
    }
}

fn text(mutations: &[Mutation], score: &Score, seconds: f64, setting: &Setting<'_>) -> String {
    let terminal = setting.terminal;
    let mut out = String::new();
    let mut listed =
        |title: &str, wanted: &dyn Fn(&Fate) -> bool, why: &dyn Fn(&Fate) -> String| {
            let mut rows = table(&terminal.page, &[title, "instruction", "change", "details"]);
            let mut any = false;
            for mutation in mutations {
                for fate in mutation.mutants.iter().filter(|it| wanted(it)) {
                    let mutant = &fate.mutant;
                    any = true;
                    rows.add_row([
                        format!("{}:{}", mutation.name, mutant.line),
                        mutant.instruction.clone(),
                        format!("{} to {}", mutant.before, mutant.after),
                        why(fate),
                    ]);
                }
            }
            if any {
                let _ = writeln!(out, "{}\n", rows.trim_fmt());
            }
        };
    listed("proved, and the interpreter disagrees", &is_contradicted, &|it| {
        it.sampled.as_ref().and_then(|it| it.differs.clone()).unwrap_or_default()
    });
    listed("equivalent", &|it| it.verdict == Verdict::Proved && !is_contradicted(it), &|it| {
        it.sampled.as_ref().map_or(String::new(), |it| format!("{} states", it.compared))
    });
    listed("undecided", &|it| !is_decided(it), &|it| it.reason.clone().unwrap_or_default());
    let Score { mutants, refuted, equivalent, run, undecided, contradicted, invalid } = score;
    let targets = if mutations.len() == 1 { "target" } else { "targets" };
    let line = format!(
        "{mutants} mutants of {} proved {targets}: {refuted} refuted, {equivalent} \
         equivalent ({run} run), {undecided} undecided, {seconds:.1} s",
        mutations.len()
    );
    let style = match (contradicted, undecided) {
        (0, 0) => style_of(Verdict::Proved),
        (0, _) => Style::new(),
        _ => style_of(Verdict::Refuted),
    };
    let _ = writeln!(out, "{}", paint(&terminal.page, style, &line));
    if *invalid > 0 {
        let _ = writeln!(out, "{invalid} others are no valid modules");
    }
    out
}
