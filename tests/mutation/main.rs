//! Mistakes planted in the clauses are seen: the cross-check would have seen them in the
//! specification. `LANEPROOF_MUTATE=std/float,vote.lps` plants them only in files whose names have one
//! of these words; `LANEPROOF_ALL_MUTANTS=1` plants all of them; by default one in `STRIDE` is
//! planted.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod disagreement;
mod listed;
mod settled;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use arbitrary::Unstructured;
use laneproof_cross_check::{
    ClauseMutant, Left, Observed, Passage, Passed, Perturbed, PerturbedMemory, mutants, observe,
    observe_memory, perturbed, perturbed_memory,
};
use laneproof_forms::{
    CheckedSubject, Numbers, Prepared, Target, has_memory, orders_memory, state, targets,
};
use laneproof_queries::model_check::{Clauses, Meaning, equivalent};
use laneproof_semantics::denote::{Argument, GroupScope, Settled};
use laneproof_semantics::evaluate::{Subgroup, Workgroup};
use laneproof_semantics::{Scalar, Specification, Type};
use laneproof_verify::SolverLimit;
use mimalloc::MiMalloc;
use rayon::prelude::*;

use self::disagreement::shows;
use self::listed::{EQUIVALENT, LOOSER, UNSAID};
use self::settled::{filled, settled, settled_for};

/// That of the command line: a tenth quicker here.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// For each proof that a mutant means the same. By work, not by time: a busy machine has as much of
/// it.
const LIMIT: SolverLimit = SolverLimit::Work(100_000_000);

/// An instruction in a module, a state, and the interpreter's result.
struct Case {
    prepared: Arc<Prepared>,
    subgroup: Subgroup,
    observed: Seen,
    /// Results that the interpreter did not give, and whether they are legal.
    changed: Vec<Perturbed>,
    /// The same with what is left in memory.
    changed_memory: Vec<PerturbedMemory>,
    /// What a barrier lets lanes read of each other.
    passed: Vec<(Passage, Passed)>,
}

/// What the interpreter left: lanes, or memory too.
enum Seen {
    Lanes(Observed),
    Memory(Left),
}

/// The same cases in every run.
fn cases(target: &Target, seed: u64, forms: usize) -> Vec<Case> {
    let mut numbers = Numbers::new(seed);
    let mut cases = Vec::new();
    for _ in 0..forms {
        let bytes = numbers.bytes(1024);
        let mut u = Unstructured::new(&bytes);
        let prepared = Arc::new(Prepared::arbitrary(target, &mut u).unwrap());
        for _ in 0..4 {
            let subgroup = state(&prepared, 8, &mut u).unwrap();
            let beyond = beyond_32_bits(&prepared, &subgroup);
            cases.push(Case::observed(&prepared, subgroup, &mut numbers));
            cases.extend(beyond.map(|it| Case::observed(&prepared, it, &mut numbers)));
        }
        let halves = state(&prepared, 8, &mut u).ok().and_then(|it| in_halves(&prepared, it));
        cases.extend(halves.map(|it| Case::observed(&prepared, it, &mut numbers)));
    }
    cases
}

impl Case {
    /// The interpreter's results for a state, and for changes of it.
    fn observed(prepared: &Arc<Prepared>, subgroup: Subgroup, numbers: &mut Numbers) -> Self {
        let observed = match has_memory(prepared) {
            true => Seen::Memory(observe_memory(prepared, &subgroup).unwrap()),
            false => Seen::Lanes(observe(prepared, &subgroup).unwrap()),
        };
        let (mut changed, mut changed_memory) = (Vec::new(), Vec::new());
        match &observed {
            Seen::Lanes(it) => changed = perturbed(prepared, &subgroup, it, 8, numbers),
            Seen::Memory(left) => {
                changed_memory = perturbed_memory(prepared, &subgroup, left, 4, numbers);
            }
        }
        let subject = &prepared.form.target.subject;
        let barrier = matches!(subject, CheckedSubject::Instruction(it) if orders_memory(it));
        let passed = (0..if barrier { 3 } else { 0 }).map(|_| {
            let passage = Passage::arbitrary(numbers);
            let passed = passage.observed(prepared).unwrap();
            (passage, passed)
        });
        let passed = passed.collect();
        Self { prepared: prepared.clone(), subgroup, observed, changed, changed_memory, passed }
    }
}

/// The same state with minus one half in place of each number: an odd multiple of it is as near to the whole
/// number above as to the one below, which numbers at random are next to never.
fn in_halves(prepared: &Prepared, mut subgroup: Subgroup) -> Option<Subgroup> {
    let mut some = false;
    for (argument, operand) in prepared.form.arguments.iter().zip(&mut subgroup.operands) {
        let Argument::Value(ty) = argument else { continue };
        for (at, scalar) in ty.leaves().into_iter().enumerate() {
            let Scalar::Float(format) = scalar else { continue };
            let one = u64::MAX >> (66 - scalar.width() + format.fraction()) << format.fraction();
            let half = (one - (1 << format.fraction())) | (1 << (scalar.width() - 1));
            for value in operand.iter_mut().filter_map(|lane| lane.get_mut(at)?.as_mut()) {
                *value = half;
                some = true;
            }
        }
    }
    some.then_some(subgroup)
}

/// The same state with the last scalar of the id of an invocation beyond 32 bits, where it has
/// more of them: numbers at random come out so everywhere else.
fn beyond_32_bits(prepared: &Prepared, subgroup: &Subgroup) -> Option<Subgroup> {
    let form = &prepared.form;
    let CheckedSubject::Instruction(instruction) = &form.target.subject else { return None };
    if form.scope != GroupScope::Workgroup {
        return None;
    }
    let at = instruction.operands.iter().position(|it| &*it.name == "LocalId")?;
    let Argument::Value(ty) = &form.arguments[at] else { return None };
    (ty.element()?.width() > 32).then(|| {
        let mut beyond = subgroup.clone();
        for lane in &mut beyond.operands[at] {
            if let Some(Some(last)) = lane.last_mut() {
                *last ^= 1 << 32;
            }
        }
        beyond
    })
}

/// Up to four lanes: subgroups, or workgroups of several shapes in a grid.
fn groups(scope: GroupScope) -> Vec<(u32, Option<Workgroup>)> {
    if scope == GroupScope::Subgroup {
        return (1..=3).map(|existing| (existing, None)).collect();
    }
    let shapes = [[1, 1, 1], [3, 1, 1], [1, 3, 1], [2, 1, 2], [2, 2, 1]];
    let workgroup = |size: [u32; 3]| Workgroup {
        size,
        id: [1, 2, 3],
        enqueued: size,
        count: [5, 6, 7],
        offset: [10, 20, 30],
        dimensions: 3,
    };
    shapes.map(|size| (size.iter().product(), Some(workgroup(size)))).to_vec()
}

/// Which operands there are, with how many components, and which of them are constants.
fn kind_of(prepared: &Prepared) -> String {
    let form = &prepared.form;
    let components = |argument: &Argument| match argument {
        Argument::Value(ty) => format!("{}", ty.leaf_count()),
        Argument::Enumerant(words) => words.join(" "),
        Argument::Absent => "-".to_owned(),
        _ => "?".to_owned(),
    };
    let arguments = form.arguments.iter().map(components).zip(&form.constants);
    let arguments: Vec<String> =
        arguments.map(|(it, constant)| format!("{it}{}", constant.is_some())).collect();
    format!("{:?} {}", form.module_kind, arguments.join(" "))
}

/// The solver finds no input of up to three lanes at which the mutant has another meaning, in any
/// of several forms; how many proofs that took.
fn proved(
    original: &Specification,
    mutated: &Specification,
    settled: &Settled,
    cases: &[Case],
) -> Result<u32, String> {
    let mut proofs = 0;
    // Forms are grouped by the properties that clauses use; the narrowest of each group is checked, as
    // division and comparison of many wide numbers are beyond the solver and no different.
    let mut seen: BTreeMap<bool, BTreeSet<String>> = BTreeMap::new();
    let mut narrow: Vec<&Case> = cases.iter().collect();
    let bits = |ty: &Type| ty.leaves().into_iter().map(Scalar::width).sum::<u32>();
    narrow.sort_by_key(|case| case.prepared.form.result.as_ref().map_or(0, bits));
    for Case { prepared, .. } in narrow {
        let form = &prepared.form;
        let name = form.target.name();
        let of_scope = seen.entry(form.scope == GroupScope::Workgroup).or_default();
        if of_scope.len() == 3 || !of_scope.insert(kind_of(prepared)) {
            continue;
        }
        let both = [original, mutated].map(|specification| match &form.target.subject {
            CheckedSubject::Instruction(_) => {
                Clauses::Instruction(&specification.instructions[name])
            }
            CheckedSubject::BuiltIn(_) => Clauses::BuiltIn(&specification.built_ins[name]),
        });
        let meaning = |specification, clauses| Meaning { specification, settled, clauses };
        let meanings = [meaning(original, both[0]), meaning(mutated, both[1])];
        let constants: Vec<usize> = (0..form.constants.len())
            .filter(|&operand| form.constants[operand].is_some())
            .collect();
        for (existing, workgroup) in groups(form.scope) {
            match equivalent(meanings, &prepared.instance, existing, workgroup, &constants, LIMIT) {
                Ok(true) => proofs += 1,
                other => return Err(format!("{other:?} at {existing} lanes\n{}", prepared.text)),
            }
        }
    }
    Ok(proofs)
}

/// What becomes of a mutant.
enum Fate {
    Caught,
    /// Equivalent, by this number of proofs.
    Equivalent(u32),
    /// The same, with the default profile's reading of silence.
    Unsaid(u32),
    /// Nothing shows it, nor that it means the same.
    Survives(String),
}

/// One in this many mistakes is planted; not a multiple of the number of mistakes of a line of a
/// table.
const STRIDE: usize = 71;

/// Which mutants are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of them.
    All,
    /// Those of some files.
    Files,
    /// A few of them.
    Sample,
}

/// The mutants to look at.
fn chosen(original: &Specification, settled: &Settled) -> (Vec<ClauseMutant>, Extent) {
    let all = mutants(original, settled);
    let Ok(words) = env::var("LANEPROOF_MUTATE") else {
        return match env::var_os("LANEPROOF_ALL_MUTANTS") {
            Some(_) => (all, Extent::All),
            None => (all.into_iter().step_by(STRIDE).collect(), Extent::Sample),
        };
    };
    let named = |mutant: &ClauseMutant| words.split(',').any(|word| mutant.name.contains(word));
    (all.into_iter().filter(named).collect(), Extent::Files)
}

/// What becomes of a mutant that no case shows: it is proved to mean the same, or more cases are
/// tried.
fn unseen(
    [original, mutant]: [&Specification; 2],
    settled: &Settled,
    targets: &[(usize, &Target, &[Case])],
    differs: &dyn Fn(&Case) -> bool,
) -> Fate {
    let proofs = |settled: &Settled| -> Result<u32, String> {
        targets.iter().map(|(_, _, cases)| proved(original, mutant, settled, cases)).sum()
    };
    let reason = match proofs(settled) {
        Ok(proofs) => return Fate::Equivalent(proofs),
        Err(reason) => reason,
    };
    if let Ok(proofs) = proofs(&filled(settled)) {
        return Fate::Unsaid(proofs);
    }
    // It has another meaning in some state: one that comes by rarely.
    let rare = |(index, target, _): &(usize, &Target, &[Case])| {
        cases(target, *index as u64 + 0x1000, 2000).iter().any(differs)
    };
    if targets.iter().any(rare) { Fate::Caught } else { Fate::Survives(reason) }
}

/// Every mutant is caught, or there is a reason why not; and every reason is needed.
fn judge(
    chosen: &[ClauseMutant],
    fates: Vec<Option<Fate>>,
    extent: Extent,
    files: &BTreeSet<Arc<str>>,
) {
    let complete = extent == Extent::All;
    let (mut well_formed, mut killed) = (0, 0);
    let (mut equivalents, mut unsaid) = (Vec::new(), Vec::new());
    let mut survivors = Vec::new();
    for (mutant, fate) in chosen.iter().zip(fates) {
        well_formed += u32::from(fate.is_some());
        match fate {
            None => {}
            Some(Fate::Caught) => killed += 1,
            Some(Fate::Equivalent(proofs)) => equivalents.push((mutant, proofs)),
            Some(Fate::Unsaid(proofs)) => unsaid.push((mutant, proofs)),
            Some(Fate::Survives(reason)) => survivors.push((mutant, reason)),
        }
    }
    println!("{killed} of {well_formed} mutants are caught, {} are equivalent", equivalents.len());
    let shown = |mutant: &ClauseMutant, place: &str| {
        let (file, words) = place.split_once(": ").unwrap();
        mutant.name.ends_with(file) && mutant.to_string().contains(words)
    };
    let asked = |place: &str| {
        let (file, _) = place.split_once(": ").unwrap();
        complete || extent == Extent::Files && files.iter().any(|name| name.ends_with(file))
    };
    println!("{} allow more and are not seen:", survivors.len());
    let mut looser = BTreeSet::new();
    survivors.retain(|(mutant, _)| {
        println!("{}", mutant.to_string().lines().next().unwrap_or_default());
        let entry = LOOSER.iter().position(|place| shown(mutant, place));
        looser.extend(entry);
        entry.is_none()
    });
    for (mutants, reasons) in [(&equivalents, EQUIVALENT), (&unsaid, UNSAID)] {
        let mut explained = BTreeSet::new();
        let mut unexplained = Vec::new();
        for (mutant, proofs) in mutants {
            match reasons.iter().position(|(place, _)| shown(mutant, place)) {
                Some(entry) => _ = explained.insert(entry),
                None => unexplained.push(format!("{mutant} ({proofs} proofs)")),
            }
        }
        assert!(unexplained.is_empty(), "it means the same, but why?\n{}", unexplained.join("\n"));
        let due = reasons.iter().enumerate().filter(|(_, (place, _))| asked(place));
        let idle: Vec<_> = due.filter(|(at, _)| !explained.contains(at)).collect();
        assert!(idle.is_empty(), "some reasons explain no mutant: {idle:?}");
    }
    assert!(well_formed > 500 || !complete, "only {well_formed} mutants");
    let due = LOOSER.iter().filter(|place| asked(place)).count();
    assert_eq!(looser.len(), due, "some of these are seen by now: {looser:?}");
    let survivors: Vec<String> = survivors.iter().map(|(it, why)| format!("{it}\n{why}")).collect();
    assert!(survivors.is_empty(), "mutants survive:\n{}", survivors.join("\n\n"));
}

#[test]
fn every_mistake_in_a_clause_is_seen() {
    let original = Specification::built_in();
    let settled = settled();
    let (targets, _) = targets(original);
    let (chosen, extent) = chosen(original, &settled);
    let complete = extent == Extent::All;
    assert!(!chosen.is_empty(), "no mistake was planted");
    let files: BTreeSet<Arc<str>> = chosen.iter().map(|mutant| mutant.name.clone()).collect();
    let concerned: BTreeSet<&Arc<str>> = chosen.iter().flat_map(|it| &it.concerns).collect();
    let all: Vec<Vec<Case>> = targets
        .iter()
        .enumerate()
        .map(|(seed, target)| {
            let forms = if concerned.contains(target.name()) { 32 } else { 0 };
            cases(target, seed as u64, forms)
        })
        .collect();
    let caught: BTreeMap<Arc<str>, AtomicU32> = targets
        .iter()
        .filter(|target| complete || concerned.contains(target.name()))
        .map(|target| (target.name().clone(), AtomicU32::new(0)))
        .collect();
    let more: Vec<OnceLock<Vec<Case>>> = targets.iter().map(|_| OnceLock::new()).collect();
    let unplanted = Mutex::new(BTreeMap::new());
    let fate = |mutant: &ClauseMutant| {
        let count = |index: usize| &caught[targets[index].name()];
        let mut concerned: Vec<usize> = (0..targets.len())
            .filter(|&index| mutant.concerns.contains(targets[index].name()))
            .collect();
        if concerned.is_empty() {
            return None;
        }
        let specification = mutant.specification(original)?;
        let settled = settled_for(mutant, original);
        // Instructions in which least was seen so far come first.
        concerned.sort_by_cached_key(|&index| count(index).load(Ordering::Relaxed));
        let differs = |case: &Case| {
            shows([original, &specification], &settled, case).unwrap_or_else(|reason| {
                let text = format!("{reason}\n{}{:x?}", case.prepared.text, case.subgroup);
                _ = unplanted
                    .lock()
                    .unwrap()
                    .insert(case.prepared.form.target.name().clone(), text);
                false
            })
        };
        let mut seen = false;
        for &index in &concerned {
            let wanted = !seen || count(index).load(Ordering::Relaxed) == 0;
            if wanted && all[index].iter().any(differs) {
                seen = true;
                count(index).fetch_add(1, Ordering::Relaxed);
            }
        }
        // What is not seen at once gets more cases.
        seen = seen
            || concerned.iter().any(|&index| {
                let fresh = || cases(&targets[index], !(index as u64), 200);
                more[index].get_or_init(fresh).iter().any(differs)
            });
        if seen {
            return Some(Fate::Caught);
        }
        let looked_at: Vec<(usize, &Target, &[Case])> = concerned
            .iter()
            .map(|&index| (index, &targets[index], all[index].as_slice()))
            .collect();
        Some(unseen([original, &specification], &settled, &looked_at, &differs))
    };
    let fates: Vec<Option<Fate>> = chosen.par_iter().map(fate).collect();
    let unplanted = unplanted.into_inner().unwrap();
    let unplanted: Vec<String> = unplanted.into_values().collect();
    assert!(unplanted.is_empty(), "nothing was planted here:\n{}", unplanted.join("\n\n"));
    judge(&chosen, fates, extent, &files);
    let unseen: Vec<_> =
        caught.iter().filter(|(_, count)| count.load(Ordering::Relaxed) == 0).collect();
    assert!(unseen.is_empty() || !complete, "no mistake was planted in {unseen:?}");
}
