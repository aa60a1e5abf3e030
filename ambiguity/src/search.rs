//! The search: the same queries for every instruction, in every account and form.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::as_written::{AsWritten, ChoicePoint};
use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::language::ast::ReadingProfile;
use laneproof_semantics::{Specification, Type};
use rayon::prelude::*;

use crate::case::{Account, accounts, forms};
use crate::finding::{Finding, Scene, merge};
use crate::found::{Collected, collected};
use crate::once::{joined, once_by_words, without_copies};
use crate::origin;
use crate::queries;
use crate::question::{Case, Staging};
use crate::quotes::{Quotes, locate};
use crate::rank::rank;
use crate::report::{Harmless, SearchReport, accounted};
use crate::reworded::reworded;
use crate::rules::Book;
use crate::spelling::{types_in_words, with_kinds_spaced};
use crate::tables::tables;

/// What is searched, and what is taken as settled.
#[derive(Clone, Copy, Default)]
pub struct SearchOptions<'a> {
    /// Only instructions with one of these in their names, unless there are none.
    pub names: &'a [String],
    /// Kinds of choice points that are settled. The others stay open.
    pub profile: Option<&'a ReadingProfile>,
    /// The documents' own words, as far as they are known.
    pub quotes: Option<&'a Quotes>,
    /// Also search states of subgroups of this number of lanes.
    pub litmus: Option<u32>,
}

/// Searches texts; `done` is called for each account of an instruction, from any thread.
pub fn search(
    texts: &AsWritten,
    options: &SearchOptions<'_>,
    done: impl Fn() + Sync,
) -> SearchReport {
    let (base, open) = settled(texts, options.profile);
    let accounts = selected(texts, options);
    let book = Book::of(texts);
    let found = accounts
        .par_iter()
        .map(|account| {
            let mut found = of_account(texts, &book, account, &base, &open);
            copied(account, &mut found.findings);
            done();
            found
        })
        .reduce(Collected::default, Collected::and);
    let mut findings = found.findings;
    let searched = |name: &str| accounts.iter().any(|account| *account.instruction.name == *name);
    let instructions = texts.specification.instructions.values();
    for instruction in instructions.filter(|it| searched(&it.name)) {
        let mut dead = queries::never(instruction, &found.conditions, &texts.choice_points);
        let own = accounts.iter().filter(|it| it.instruction.name == instruction.name);
        own.for_each(|account| copied(account, &mut dead));
        findings.extend(dead);
    }
    findings.extend(
        queries::ill_typed(texts)
            .into_iter()
            .filter(|finding| finding.instructions.iter().any(|name| searched(name))),
    );
    if options.names.is_empty() {
        findings.extend(of_documents(texts));
    }
    let named = |name: &&str| options.names.is_empty() || wanted(options, name);
    let about = |finding: &Finding| {
        options.names.is_empty() || finding.instructions.iter().any(|name| named(&name.as_str()))
    };
    findings.extend(queries::remarks(texts).into_iter().filter(about));
    let (of_rules, lists) = queries::rules(texts);
    findings.extend(of_rules.into_iter().filter(about));
    let mut findings = without_copies(texts, merge(findings));
    let quiet = open.iter().filter_map(|point| {
        let effect = found.choice_effects.get(&point.name).filter(|it| !it.matters)?;
        Some(Harmless::point(texts, point, effect.any_number))
    });
    let lists = if options.names.is_empty() { lists } else { Vec::new() };
    let mut harmless: Vec<Harmless> = quiet.chain(lists).collect();
    if let Some(quotes) = options.quotes.filter(|_| options.names.is_empty()) {
        let documents: Vec<&str> =
            texts.specification.documents.iter().map(|it| &*it.name).collect();
        findings.extend(origin::findings(texts, quotes));
        let slips = queries::slips(quotes, &documents, &mut findings);
        findings.extend(slips);
    }
    if let Some(quotes) = options.quotes {
        locate(texts, &mut findings, &mut harmless, quotes);
        once_by_words(&mut findings);
        if options.names.is_empty() {
            findings.extend(reworded(quotes, &findings).into_iter().chain(tables(quotes)));
        }
    }
    for_readers(&mut findings);
    if let Some(lanes) = options.litmus {
        stage(texts, &mut findings, &base, &open, lanes);
    }
    SearchReport {
        findings,
        harmless,
        instructions: accounts
            .iter()
            .map(|it| it.instruction.name.to_string())
            .chain(book.instructions().into_iter().filter(named).map(str::to_owned))
            .collect(),
        forms: found.forms,
        choice_points: found.choice_effects.len(),
        unsearched: found.unsearched,
        ledger: if options.names.is_empty() { accounted(texts) } else { Vec::new() },
    }
}

/// Each root cause once, in the order in which they are read, and in words that SPIR-V's text has.
fn for_readers(findings: &mut Vec<Finding>) {
    joined(findings);
    rank(findings);
    for finding in findings {
        finding.summary = types_in_words(&with_kinds_spaced(&finding.summary));
    }
}

/// What is asked of documents, not of one instruction.
fn of_documents(texts: &AsWritten) -> Vec<Finding> {
    let mut findings = Vec::new();
    let documents = texts.specification.documents.iter().map(|it| it.name.to_string());
    findings.extend(queries::tokens(Specification::built_in(), &documents.collect()));
    findings.extend(queries::own_tokens(&texts.specification));
    findings.extend(queries::tables(&texts.specification));
    findings.extend(queries::for_others(texts));
    findings.extend(queries::of_built_ins(texts));
    findings.extend(queries::operands(texts));
    findings.extend(queries::families(texts));
    findings.extend(queries::capability_families(texts));
    findings.extend(queries::values(texts));
    findings.extend(queries::executions(texts));
    findings.extend(queries::rows(texts));
    findings.extend(queries::unannounced(texts));
    findings
}

/// What is found of a document is found of its copies.
fn copied(account: &Account, findings: &mut [Finding]) {
    for copy in &account.copies {
        findings.iter_mut().for_each(|finding| copy.add_to(finding));
    }
}

/// How many accounts a search goes through.
pub fn extent(texts: &AsWritten, options: &SearchOptions<'_>) -> usize {
    selected(texts, options).len()
}

fn selected(texts: &AsWritten, options: &SearchOptions<'_>) -> Vec<Account> {
    let fits =
        |account: &Account| options.names.is_empty() || wanted(options, &account.instruction.name);
    accounts(texts).into_iter().filter(fits).collect()
}

/// An instruction is selected by name, or by a part of it.
fn wanted(options: &SearchOptions<'_>, instruction: &str) -> bool {
    let name = instruction.to_lowercase();
    options.names.iter().any(|part| name.contains(&part.to_lowercase()))
}

/// How choice points are read to begin with, and which of them are open.
fn settled<'t>(
    texts: &'t AsWritten,
    profile: Option<&ReadingProfile>,
) -> (Settled, Vec<&'t ChoicePoint>) {
    let mut base = texts.first_readings();
    let settles = profile.map_or(&[][..], |profile| &profile.settles);
    let mut open = Vec::new();
    for point in &texts.choice_points {
        let by_profile = settles.iter().find(|(kind, alternative)| {
            *kind == point.kind.name && point.alternatives.contains(alternative)
        });
        match by_profile {
            Some((_, alternative)) => base = base.with(&point.name, alternative),
            None => open.push(point),
        }
    }
    for (reading, alternative) in settles {
        if texts.specification.readings.contains_key(reading) {
            base = base.with(reading, alternative);
        }
    }
    (base, open)
}

fn of_account(
    texts: &AsWritten,
    book: &Book<'_>,
    account: &Account,
    base: &Settled,
    open: &[&ChoicePoint],
) -> Collected {
    let own = own(account, open);
    let forms = forms(texts, book, &account.instruction);
    of_forms(&forms.iter().map(|it| case(texts, account, it, base, &own)).collect::<Vec<_>>())
}

/// The choice points in the clauses of an instruction.
fn own<'t>(account: &Account, open: &[&'t ChoicePoint]) -> Vec<&'t ChoicePoint> {
    let own = |point: &&&ChoicePoint| point.instruction == account.instruction.name;
    open.iter().filter(own).copied().collect()
}

fn case<'a>(
    texts: &'a AsWritten,
    account: &'a Account,
    instance: &'a Instance,
    base: &'a Settled,
    open: &'a [&'a ChoicePoint],
) -> Case<'a> {
    let Account { instruction, documents, .. } = account;
    Case { texts, instruction, documents, instance, base, open, staging: None }
}

/// An account in several forms: each on its own, then what depends on all of them.
fn of_forms(cases: &[Case<'_>]) -> Collected {
    let alone: Vec<Collected> =
        cases.par_iter().map(|case| collected(case, |found| queries::all(case, found))).collect();
    let whole = cases.iter().zip(&alone).filter(|(_, found)| found.unsearched.is_empty());
    let whole: Vec<&Case<'_>> = whole.map(|(case, _)| case).collect();
    let alone = alone.into_iter().fold(Collected::default(), Collected::and);
    let quiet =
        |point: &ChoicePoint| alone.choice_effects.get(&point.name).is_some_and(|it| !it.matters);
    // Of a point that one form does not settle for any number of lanes, no other form need be.
    let mut beside: BTreeMap<&str, Vec<Beside<'_, '_>>> = BTreeMap::new();
    for (form, case) in whole.iter().enumerate() {
        let points = queries::all_points(case).filter(|point| quiet(point));
        for (place, point) in points.enumerate() {
            let asked = Beside { case, point, order: (form, place) };
            beside.entry(&*point.name).or_default().push(asked);
        }
    }
    let beside: Vec<Vec<Beside<'_, '_>>> = beside.into_values().collect();
    let mut beside: Vec<_> = beside.into_par_iter().flat_map_iter(in_all_forms).collect();
    beside.sort_by_key(|(order, _)| *order);
    let beside = beside.into_iter().map(|(_, found)| found);
    let own = [
        queries::conditions(&whole),
        queries::bounds(&whole),
        queries::defined(&whole),
        queries::consequences(&whole),
    ];
    let more = beside.chain(own);
    Collected { forms: cases.len(), ..more.fold(alone, Collected::and) }
}

/// A quiet point in a form, and where what is found of it comes among all that is.
struct Beside<'a, 'c> {
    case: &'a Case<'c>,
    point: &'a ChoicePoint,
    order: (usize, usize),
}

/// A quiet point in all forms, the largest first: it is the hardest to settle.
fn in_all_forms(mut forms: Vec<Beside<'_, '_>>) -> Vec<((usize, usize), Collected)> {
    let leaves = |case: &Case<'_>| {
        let instance = case.instance;
        let arguments = instance.arguments.iter().map(|argument| match argument {
            Argument::Value(ty) => ty.leaf_count(),
            _ => 1,
        });
        arguments.sum::<usize>() + instance.result.as_ref().map_or(0, Type::leaf_count)
    };
    forms.sort_by_key(|it| std::cmp::Reverse(leaves(it.case)));
    let mut open = true;
    let of_form = |Beside { case, point, order }: Beside<'_, '_>| {
        let found = collected(case, |found| queries::beside(case, point, open, found));
        open &= found.choice_effects.get(&point.name).is_none_or(|effect| effect.any_number);
        (order, found)
    };
    forms.into_iter().map(of_form).collect()
}

/// The forms that are tried for a finding before the most ordinary state so far is used.
const TRIES: usize = 3;

/// Gives each finding a state of a size that machines have, in one of the forms in which it shows.
/// A form is searched again only where a finding needs it.
fn stage(
    texts: &AsWritten,
    findings: &mut [Finding],
    base: &Settled,
    open: &[&ChoicePoint],
    lanes: u32,
) {
    for attempt in 0..TRIES {
        let mut wanted: Vec<(Arc<Scene>, BTreeSet<String>)> = Vec::new();
        for finding in findings.iter().filter(|it| it.scene().is_none_or(|it| it.rank() > 0)) {
            let Some(scene) = finding.candidates().get(attempt).cloned() else { continue };
            let id = scene.id.clone();
            match wanted.iter_mut().find(|(known, _)| same_form(known, &scene)) {
                Some((_, ids)) => drop(ids.insert(id)),
                None => wanted.push((scene, [id].into())),
            }
        }
        let staged: Vec<Finding> = wanted
            .par_iter()
            .flat_map(|(scene, ids)| {
                let (instruction, documents) = (scene.instruction.clone(), scene.documents.clone());
                let account = Account { instruction, documents, copies: Vec::new() };
                let own = own(&account, open);
                let staging = Some(Staging { lanes, ids });
                let case = case(texts, &account, &scene.instance, base, &own);
                of_forms(&[Case { staging, ..case }]).findings
            })
            .collect();
        for finding in findings.iter_mut() {
            let ids: BTreeSet<&String> =
                finding.evidence.scenes.iter().map(|scene| &scene.id).collect();
            let own = staged.iter().filter(|it| ids.contains(&it.id));
            let scenes: Vec<Arc<Scene>> =
                own.flat_map(|it| it.evidence.scenes.iter().cloned()).collect();
            finding.evidence.scenes.extend(scenes);
        }
    }
}

fn same_form(a: &Scene, b: &Scene) -> bool {
    a.instruction.name == b.instruction.name
        && a.documents == b.documents
        && a.instance.arguments == b.instance.arguments
        && a.instance.capabilities == b.instance.capabilities
}
