//! What no serialization order gave: results and memory of an instruction, changed in one place. Clauses
//! and interpreter must say the same of each, whether some order could have given it.

use std::collections::BTreeMap;

use laneproof_forms::{Numbers, Prepared, drawn};
use laneproof_module::Site;

use laneproof_interpreter::{Choices, Enumerate};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::{Bits, Explained, Memory, Subgroup};

use crate::memory::{Left, contents, in_some_order, observe_memory_with};
use crate::perturbed::{fit, fits};

/// Orders and other choices that the interpreter walks for one change.
const RUNS: u64 = 3_000;

/// By lane and leaf.
type Results = Vec<Option<Vec<Bits>>>;

/// What was left, changed.
#[derive(Clone, Debug)]
pub struct PerturbedMemory {
    /// Results by lane and leaf.
    pub lanes: Vec<Option<Vec<Bits>>>,
    /// Memory by operand.
    pub memory: BTreeMap<usize, Memory>,
    /// In some serialization order the interpreter leaves just this.
    pub legal: bool,
}

/// Up to `count` changes of the interpreter's final memory, each with its verdict; those with too many
/// orders are left out.
pub fn perturbed_memory(
    prepared: &Prepared,
    subgroup: &Subgroup,
    left: &Left,
    count: usize,
    numbers: &mut Numbers,
) -> Vec<PerturbedMemory> {
    let Left::Memory(lanes, memory) = left else { return Vec::new() };
    let change = |_| {
        let (lanes, memory) = changed(subgroup, lanes, memory, numbers)?;
        let legal = judged(prepared, subgroup, &lanes, &memory)?;
        Some(PerturbedMemory { lanes, memory, legal })
    };
    (0..count).filter_map(change).collect()
}

/// Whether the clauses allow it in some order; `None` where that is too much to find out.
///
/// # Errors
///
/// Where they say nothing of the kind.
pub fn legal_memory(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    given: &PerturbedMemory,
) -> Result<Option<bool>, String> {
    let PerturbedMemory { lanes, memory, .. } = given;
    match in_some_order(specification, settled, prepared, subgroup, lanes, memory)? {
        Explained::Yes => Ok(Some(true)),
        Explained::No => Ok(Some(false)),
        Explained::Undecided => Ok(None),
    }
}

/// One scalar becomes another: a neighbour, another lane's result, or one from memory.
fn changed(
    subgroup: &Subgroup,
    lanes: &[Option<Vec<Bits>>],
    memory: &BTreeMap<usize, Memory>,
    numbers: &mut Numbers,
) -> Option<(Results, BTreeMap<usize, Memory>)> {
    let (mut lanes, mut memory) = (lanes.to_vec(), memory.clone());
    let results = lanes.iter().flatten().flatten();
    let all = memory.values().chain(subgroup.memory.values()).flat_map(contents);
    let seen: Vec<u64> = results.chain(all).copied().flatten().collect();
    let mut places: Vec<&mut Bits> = lanes.iter_mut().flatten().flatten().collect();
    // As often in memory as in results, where there are both.
    if places.is_empty() || numbers.below(2) == 0 {
        places = memory.values_mut().flat_map(contents_mut).collect();
    }
    if places.is_empty() || seen.is_empty() {
        return None;
    }
    let place = numbers.below(places.len() as u64) as usize;
    let old = (*places[place])?;
    let new = match numbers.below(3) {
        0 => old ^ 1,
        1 => old ^ 2,
        _ => numbers.one_of(&seen),
    };
    *places[place] = Some(new);
    (new != old).then_some((lanes, memory))
}

fn contents_mut(memory: &mut Memory) -> &mut Vec<Bits> {
    match memory {
        Memory::Buffer { elements, .. } => elements,
        Memory::Image { words, .. } => words,
    }
}

/// Whether the interpreter leaves just this under some choices; `None` where there are too many.
fn judged(
    prepared: &Prepared,
    subgroup: &Subgroup,
    lanes: &[Option<Vec<Bits>>],
    memory: &BTreeMap<usize, Memory>,
) -> Option<bool> {
    let mut names: Vec<u64> = vec![0];
    names.extend(lanes.iter().flatten().flatten().flatten());
    names.extend(memory.values().flat_map(contents).flatten());
    names.sort_unstable();
    names.dedup();
    let mut walk = Walk { choices: Enumerate::new(RUNS), names };
    while walk.choices.next() {
        match observe_memory_with(prepared, subgroup, &mut walk).ok()? {
            Left::UndefinedBehavior => return Some(true),
            Left::Memory(found, left) => {
                let there = |(operand, left): (&usize, &Memory)| {
                    memory.get(operand).is_some_and(|given| fit(contents(left), contents(given)))
                };
                if fits(&found, lanes) && left.iter().all(there) {
                    return Some(true);
                }
            }
        }
    }
    walk.choices.complete().then_some(false)
}

/// Every serialization order, every choice between two values, and of NaNs those that were seen.
struct Walk {
    choices: Enumerate,
    names: Vec<u64>,
}

impl Choices for Walk {
    fn draw(&mut self, _: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        drawn(operand, leaf, lane, width)
    }

    fn payload(&mut self, site: &Site, _: u32, _: usize) -> Option<u64> {
        let which = self.choices.pick(site, self.names.len() as u64);
        self.names.get(which as usize).copied()
    }

    fn pick(&mut self, site: &Site, options: u64) -> u64 {
        self.choices.pick(site, options)
    }
}
