//! A verdict in words: what holds, for which sizes, and what it depends on.

use std::fmt::Write as _;
use std::time::Duration;

use laneproof_module::Grid;

use anstyle::Style;
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::Clause;
use laneproof_verify::{
    Abstraction, Counterexample, Invariant, InvariantStatus, Options, PlaceInWorkgroup,
    Presumption, Unknown, Verdict, VerificationReport, WorkgroupShape,
};

use crate::lanes;
use crate::page::Page;
use crate::table::{FIRM_SPACE, paint, style_of, time, wrap};

/// The claim.
pub struct ReportContext<'a> {
    /// Sizes, active sets, readings.
    pub options: &'a Options,
    /// What instructions mean.
    pub specification: &'a Specification,
    /// A property, not a refinement.
    pub property: bool,
    /// Until the answer was there.
    pub took: Duration,
}

/// A report as people read it.
pub fn text(report: &VerificationReport, question: &ReportContext<'_>, page: &Page) -> String {
    let mut out = String::new();
    wrap(&mut out, page, 0, &headline(report, question, page));
    if let Some(reason) = &report.reason {
        wrap(&mut out, page, 2, reason);
    }
    if let Some(hint) = report.unknown.as_ref().and_then(Unknown::hint) {
        wrap(&mut out, page, 2, &format!("what may help: {hint}"));
    }
    sizes(&mut out, report, question, page);
    presumes(&mut out, report, page);
    for difference in report.not_compared.iter().filter(|_| report.verdict == Verdict::Proved) {
        wrap(&mut out, page, 2, &format!("does not compare {difference}"));
    }
    if let Some(found) = &report.counterexample {
        out.push('\n');
        counterexample(&mut out, found, question, page);
    }
    if !report.invariants.is_empty() {
        out.push('\n');
        invariants(&mut out, report, page);
    }
    if !report.rests_on.is_empty() {
        out.push('\n');
        rests_on(&mut out, report, question, page);
    }
    out
}

/// The presumptions of a proof, by name; in full if they name sizes or an option.
fn presumes(out: &mut String, report: &VerificationReport, page: &Page) {
    // The readings have a line of their own.
    let own = |it: &&Presumption| !matches!(it, Presumption::Readings(_));
    let all: Vec<String> = report.presumes.iter().filter(own).map(ToString::to_string).collect();
    if report.verdict != Verdict::Proved || all.is_empty() {
        return;
    }
    let name = |it: &String| it.split(':').next().unwrap_or(it).to_owned();
    let names: Vec<String> = all.iter().map(name).collect();
    wrap(out, page, 2, &format!("presumes {}", names.join(", ")));
    let in_full = |it: &&Presumption| {
        matches!(it, Presumption::FirstSubgroup | Presumption::SizesWithAState(_))
    };
    for presumption in report.presumes.iter().filter(in_full) {
        wrap(out, page, 2, &presumption.to_string());
    }
}

fn headline(report: &VerificationReport, question: &ReportContext<'_>, page: &Page) -> String {
    let word = paint(page, style_of(report.verdict), &report.verdict.to_string());
    let took = time(question.took.as_secs_f64() * 1e3);
    let profile = &report.profile;
    match (report.verdict, &report.counterexample) {
        (Verdict::Refuted, Some(found)) => {
            let size = found.subgroup_size;
            let at = match found.workgroup {
                Some(it) => {
                    format!("in a workgroup of {}", subgroups_in_words(&[it.subgroups], &[size]))
                }
                None => format!("at SubgroupSize {size}"),
            };
            format!("{word} {at} (profile {profile}, {took})")
        }
        (Verdict::Proved, _) => {
            let options = question.options;
            let states = match (options.states.all_active, options.states.partial) {
                (false, false) => "every active set",
                (true, false) => "all lanes active",
                (false, true) => "every active set, however many lanes exist",
                (true, true) => "all lanes active, however many exist",
            };
            let count = match report.obligations.len() {
                1 => "one obligation".to_owned(),
                several => format!("{several} obligations"),
            };
            format!(
                "{word} for {} and {states} (profile {profile}, {}, {count}, {took})",
                asked_in_words(report, &options.states.sizes),
                abstractions(report)
            )
        }
        _ if report.obligations.is_empty() => format!("{word} (profile {profile})"),
        _ => format!("{word} (profile {profile}, {took})"),
    }
}

/// The sizes, or the whole workgroups, that the claim is about.
fn asked_in_words(report: &VerificationReport, sizes: &[u32]) -> String {
    let asked = |of: fn(&laneproof_verify::Obligation) -> Option<u32>| {
        let held = report.obligations.iter().filter(|it| it.verdict != Verdict::Vacuous);
        let mut all: Vec<u32> = held.filter_map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    match asked(|it| it.subgroups).as_slice() {
        [] => sizes_in_words(&proved(report, sizes)),
        subgroups => {
            let sizes = match asked(|it| it.subgroup_size) {
                none if none.is_empty() => proved(report, sizes),
                some => some,
            };
            format!("workgroups of {} only", subgroups_in_words(subgroups, &sizes))
        }
    }
}

/// The sizes that are proved and have a state.
fn proved(report: &VerificationReport, sizes: &[u32]) -> Vec<u32> {
    let vacuous = |size: &u32| {
        let mut all = report.obligations.iter();
        all.any(|it| it.subgroup_size == Some(*size) && it.verdict == Verdict::Vacuous)
    };
    sizes.iter().copied().filter(|size| !vacuous(size)).collect()
}

/// "1, 2 or 3 subgroups of size 2 or 4".
fn subgroups_in_words(subgroups: &[u32], sizes: &[u32]) -> String {
    let or = |numbers: &[u32]| match numbers {
        [] => String::new(),
        [only] => only.to_string(),
        [before @ .., last] => {
            let words: Vec<String> = before.iter().map(u32::to_string).collect();
            format!("{} or {last}", words.join(", "))
        }
    };
    let noun = if subgroups == [1] { "subgroup" } else { "subgroups" };
    format!("{} {noun} of size {}", or(subgroups), or(sizes))
}

/// "every subgroup size 1 to 128" where they follow each other.
fn sizes_in_words(sizes: &[u32]) -> String {
    let doubling = sizes.windows(2).all(|pair| pair[1] == 2 * pair[0]);
    match sizes {
        [only] => format!("subgroup size {only}"),
        [first, .., last] if doubling && sizes.len() > 2 => {
            format!("every subgroup size {first} to {last}")
        }
        _ => {
            let words: Vec<String> = sizes.iter().map(u32::to_string).collect();
            format!("subgroup sizes {}", words.join(", "))
        }
    }
}

/// The abstractions that gave answers, cheapest first.
fn abstractions(report: &VerificationReport) -> String {
    let mut abstractions: Vec<Abstraction> =
        report.obligations.iter().filter_map(|it| it.abstraction).collect();
    abstractions.sort_unstable();
    abstractions.dedup();
    let words: Vec<String> = abstractions.iter().map(Abstraction::to_string).collect();
    if words.is_empty() { "no abstraction".to_owned() } else { words.join(" and ") }
}

/// What of a report was settled before it had to end.
pub fn settled(report: &VerificationReport, question: &ReportContext<'_>, page: &Page) -> String {
    let mut out = String::new();
    by_size(&mut out, report, &how_many_settled(report, question), page);
    out
}

/// "5 of 8 sizes settled", if they are decided one by one.
fn how_many_settled(report: &VerificationReport, question: &ReportContext<'_>) -> String {
    let one_by_one =
        |it: &laneproof_verify::Obligation| it.subgroup_size.is_some() && it.subgroups.is_none();
    if !report.obligations.iter().all(one_by_one) {
        return "settled so far".to_owned();
    }
    let settled = report.obligations.iter().filter(|it| it.verdict != Verdict::Unknown).count();
    format!("{settled} of {} sizes settled", question.options.states.sizes.len())
}

/// Which sizes got which verdict, where several were asked one by one and differ.
fn sizes(out: &mut String, report: &VerificationReport, question: &ReportContext<'_>, page: &Page) {
    let differ = report.obligations.windows(2).any(|pair| pair[0].verdict != pair[1].verdict);
    if differ && report.verdict == Verdict::Unknown {
        by_size(out, report, &how_many_settled(report, question), page);
    } else if differ {
        by_size(out, report, "by size", page);
    }
}

fn by_size(out: &mut String, report: &VerificationReport, what: &str, page: &Page) {
    let one = |it: &laneproof_verify::Obligation| {
        let verdict = paint(page, style_of(it.verdict).bold(), &it.verdict.to_string());
        let size = it.subgroup_size.map_or("all".to_owned(), |size| size.to_string());
        let subgroups = it.subgroups.map_or_else(String::new, |number| format!("{number}×"));
        format!("{subgroups}{size}{FIRM_SPACE}{verdict}")
    };
    let words: Vec<String> = report.obligations.iter().map(one).collect();
    wrap(out, page, 2, &format!("{what}: {}", words.join(", ")));
}

fn counterexample(
    out: &mut String,
    found: &Counterexample,
    question: &ReportContext<'_>,
    page: &Page,
) {
    let lanes = found.workgroup.map_or(1, |it| it.subgroups) * found.subgroup_size;
    if found.existing() != lanes {
        let _ = writeln!(out, "{} of {lanes} lanes exist", found.existing());
    }
    if let Some(WorkgroupShape { size: [x, y, z], .. }) = found.workgroup {
        let _ = writeln!(out, "The workgroup has {x} × {y} × {z} invocations");
    }
    if let Some(Grid { size, id, count, .. }) = found.grid {
        let along = |axes: [u32; 3], between| axes.map(|it| it.to_string()).join(between);
        let begins_later = id.iter().zip(count).any(|(id, count)| *id >= count);
        let (size, id, count) = (along(size, " × "), along(id, ", "), along(count, " × "));
        let from = match begins_later {
            true => " (a dispatch may begin at any workgroup)",
            false => "",
        };
        let line = format!("WorkgroupSize is {size}, WorkgroupId {id} of {count} workgroups{from}");
        wrap(out, page, 0, &line);
    }
    if found.max_size != found.subgroup_size {
        let _ = writeln!(out, "SubgroupMaxSize is {}", found.max_size);
    }
    if let Some(PlaceInWorkgroup { subgroup, subgroups, of_caller, .. }) = found.place {
        let whose = match of_caller {
            true => {
                " (a caller's workgroup may have any size, whatever LocalSize an entry point has)"
            }
            false => "",
        };
        let line = format!("SubgroupId is {subgroup}, NumSubgroups {subgroups}{whose}");
        wrap(out, page, 0, &line);
    }
    out.push_str(&lanes::table(found, question.property, page));
    let memory = lanes::memory::table(found, page);
    if !memory.is_empty() {
        let _ = write!(out, "\n{memory}");
    }
    if lanes::any_open(found) {
        out.push('\n');
        wrap(out, page, 2, lanes::OPEN_MEANS);
    }
    if let Some(behavior) = &found.undefined_behavior {
        let at = behavior.origin.as_ref().map_or(String::new(), |it| format!(", line {}", it.line));
        let title = format!(
            "undefined behavior in the {}{at}: {} in {}",
            behavior.side,
            behavior.instruction,
            lanes::in_words(&behavior.lanes)
        );
        out.push('\n');
        painted(out, page, 0, style_of(Verdict::Refuted), &title);
        if let Some(text) = behavior.origin.as_ref().and_then(|it| it.text.as_ref()) {
            wrap(out, page, 2, text);
        }
        explain(out, &behavior.clause, None, question, page);
    }
    if !found.explanations.is_empty() {
        let title = paint(page, Style::new().bold(), "Why values are undefined");
        let _ = writeln!(out, "\n{title}");
    }
    for (side, clause, wording) in &found.explanations {
        let prefix = if question.property { String::new() } else { format!("{side}: ") };
        explain(out, clause, Some(&format!("{prefix}{wording}")), question, page);
    }
    if !found.confirmed {
        out.push_str("\nThe interpreter did not confirm this: an internal error in laneproof, please report it.\n");
    }
}

/// Lines in one style.
fn painted(out: &mut String, page: &Page, indent: usize, style: Style, text: &str) {
    let mut lines = String::new();
    wrap(&mut lines, page, indent, text);
    let _ = writeln!(out, "{}", paint(page, style, lines.trim_end()));
}

/// A clause's wording and where it comes from.
fn explain(
    out: &mut String,
    id: &str,
    wording: Option<&str>,
    question: &ReportContext<'_>,
    page: &Page,
) {
    let known = clause(question.specification, id);
    let wording = wording.or(known.map(|clause| &*clause.wording)).unwrap_or(id);
    wrap(out, page, 2, wording);
    let citation = known.map_or_else(|| id.to_owned(), citation);
    if citation != wording {
        painted(out, page, 4, Style::new().dimmed(), &citation);
    }
}

/// The clause of this name.
fn clause<'a>(specification: &'a Specification, id: &str) -> Option<&'a Clause> {
    let instructions = specification.instructions.values().flat_map(|it| &it.clauses);
    let built_ins = specification.built_ins.values().flat_map(|it| &it.clauses);
    instructions.chain(built_ins).map(|clause| &**clause).find(|clause| &*clause.id == id)
}

/// Document, section and sentences of a clause.
pub fn citation(clause: &Clause) -> String {
    let numbers: Vec<String> = clause.sentences.iter().map(u32::to_string).collect();
    let word = if numbers.len() == 1 { "sentence" } else { "sentences" };
    let Clause { document, section, .. } = clause;
    format!("{document}, {section}, {word} {}", numbers.join(", "))
}

/// A reading and its alternative, which belong on one line.
fn setting(name: &str, alternative: &str) -> String {
    format!("{name}{FIRM_SPACE}={FIRM_SPACE}{alternative}")
}

/// The status of stated invariants.
fn invariants(out: &mut String, report: &VerificationReport, page: &Page) {
    for Invariant { text, status } in &report.invariants {
        let became = match status {
            InvariantStatus::NotNeeded => "not needed".to_owned(),
            InvariantStatus::Holds => "holds at first, and every iteration keeps it".to_owned(),
            InvariantStatus::Undecided => "undecided".to_owned(),
            InvariantStatus::FailsAtFirst(state) => format!("does not hold at first ({state})"),
            InvariantStatus::IsLost(state) => format!("is not kept ({state})"),
            InvariantStatus::Unread(why) => format!("cannot be parsed: {why}"),
        };
        wrap(out, page, 0, &format!("Invariant `{text}`: {became}."));
    }
}

/// The readings, each with what it is settled as.
fn rests_on(
    out: &mut String,
    report: &VerificationReport,
    question: &ReportContext<'_>,
    page: &Page,
) {
    let profile = question.specification.profiles.get(report.profile.as_str());
    let alternative = |name: &str| {
        let own = question.options.readings.iter().rev().find(|(reading, _)| reading == name);
        let of_profile = || {
            let settles = &profile?.settles;
            settles.iter().find(|(reading, _)| &**reading == name).map(|(_, to)| &**to)
        };
        own.map(|(_, to)| to.as_str()).or_else(of_profile).unwrap_or("open").to_owned()
    };
    let words: Vec<String> =
        report.rests_on.iter().map(|name| setting(name, &alternative(name))).collect();
    let line = format!("Rests on the readings {}.", words.join(", "));
    wrap(out, page, 0, &line);
}
