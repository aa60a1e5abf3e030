//! Results that nothing gave. Where clauses leave results open, right results show only what they
//! allow; whether they forbid what is wrong shows by results that are changed: clauses and
//! interpreter must say the same of each, legal or not.

use laneproof_forms::{CheckedSubject, Numbers, Prepared, drawn};
use laneproof_interpreter::{Choices, Stop};
use laneproof_module::Site;
use laneproof_semantics::denote::{Argument, DenoteError, Settled};
use laneproof_semantics::evaluate::{Bits, Evaluation, Subgroup};
use laneproof_semantics::language::ast::Statement;
use laneproof_semantics::{Scalar, Specification};

use crate::observe::{NoOutcome, Observed, asked, observe_with, outcome};

/// The results of all lanes, changed.
#[derive(Clone, Debug)]
pub struct Perturbed {
    /// By lane and leaf.
    pub lanes: Vec<Option<Vec<Bits>>>,
    /// The interpreter takes them for legal.
    pub legal: bool,
}

/// Whether the clauses of an instruction leave results open: `results such that`.
pub fn leaves_open(prepared: &Prepared) -> bool {
    fn relates(statement: &Statement) -> bool {
        match statement {
            Statement::ResultsSuchThat(_) => true,
            Statement::Reading(_, alternatives) => {
                alternatives.iter().any(|(_, statements)| statements.iter().any(relates))
            }
            _ => false,
        }
    }
    match &prepared.form.target.subject {
        CheckedSubject::Instruction(instruction) => {
            let statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
            statements.map(|(statement, _)| statement).any(relates)
        }
        CheckedSubject::BuiltIn(_) => false,
    }
}

/// Up to `count` changes of what the interpreter observed, each with its verdict; none where no
/// result is left open.
pub fn perturbed(
    prepared: &Prepared,
    subgroup: &Subgroup,
    observed: &Observed,
    count: usize,
    numbers: &mut Numbers,
) -> Vec<Perturbed> {
    let Observed::Lanes(lanes) = observed else { return Vec::new() };
    if !leaves_open(prepared) {
        return Vec::new();
    }
    // Another run: what it gave is legal, but not in some lanes only.
    let mut other = Open { numbers: Numbers::new(numbers.bits()), given: &[] };
    let other = match observe_with(prepared, subgroup, &mut other) {
        Ok(Observed::Lanes(other)) => other,
        _ => lanes.clone(),
    };
    (0..count)
        .filter_map(|_| {
            let lanes = changed(prepared, subgroup, lanes, &other, numbers)?;
            let legal = judged(prepared, subgroup, &lanes)?;
            Some(Perturbed { lanes, legal })
        })
        .collect()
}

/// Whether the clauses take results for legal; `None` where that is too much to find out.
///
/// # Errors
///
/// Where they say something else than a value.
pub fn legal(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    lanes: &[Option<Vec<Bits>>],
) -> Result<Option<bool>, String> {
    let asked =
        asked(specification, settled, prepared, subgroup, |evaluation| legal_in(evaluation, lanes));
    asked.unwrap_or_else(|error| Err(error.to_string()))
}

/// The same for a state that is used more than once.
pub(crate) fn legal_in(
    evaluation: &mut Evaluation<'_, '_>,
    lanes: &[Option<Vec<Bits>>],
) -> Result<Option<bool>, String> {
    match evaluation.lanes(Some(lanes)) {
        Err(DenoteError::Undecided(_)) => Ok(None),
        Err(error) => Err(error.to_string()),
        Ok(results) => match outcome(results) {
            Ok(Observed::Lanes(found)) => Ok(Some(fits(&found, lanes))),
            Ok(Observed::UndefinedBehavior(_)) => Err("undefined behavior".to_owned()),
            Err(reason @ NoOutcome::Silent { .. }) => Err(reason.to_string()),
            Err(NoOutcome::Illegal(_)) => Ok(Some(false)),
        },
    }
}

/// Whether the interpreter takes them for legal.
fn judged(prepared: &Prepared, subgroup: &Subgroup, lanes: &[Option<Vec<Bits>>]) -> Option<bool> {
    let numbers = Numbers::new(subgroup.active as u64);
    match observe_with(prepared, subgroup, &mut Open { numbers, given: lanes }) {
        Ok(Observed::Lanes(found)) => Some(fits(&found, lanes)),
        Err(Stop::Illegal { .. }) => Some(false),
        _ => None,
    }
}

/// In every lane what is defined is what is given.
pub(crate) fn fits(found: &[Option<Vec<Bits>>], given: &[Option<Vec<Bits>>]) -> bool {
    found.iter().zip(given).all(|pair| match pair {
        (Some(found), Some(given)) => fit(found, given),
        (found, given) => found.is_none() && given.is_none(),
    })
}

/// What is defined is what is given.
pub(crate) fn fit(found: &[Bits], given: &[Bits]) -> bool {
    found.len() == given.len()
        && found.iter().zip(given).all(|(found, given)| found.is_none() || found == given)
}

/// Draws as the evaluator's, results as they are given, any other choices.
struct Open<'g> {
    numbers: Numbers,
    given: &'g [Option<Vec<Bits>>],
}

impl Open<'_> {
    fn given(&self, lane: u32, leaf: usize) -> Option<u64> {
        self.given.get(lane as usize)?.as_ref()?.get(leaf).copied().flatten()
    }
}

impl Choices for Open<'_> {
    fn draw(&mut self, _: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        drawn(operand, leaf, lane, width)
    }

    fn open(&mut self, _: &Site, lane: u32, leaf: usize, _: u32) -> Option<u64> {
        self.given(lane, leaf)
    }

    fn payload(&mut self, _: &Site, lane: u32, leaf: usize) -> Option<u64> {
        self.given(lane, leaf)
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.numbers.below(options)
    }
}

/// One leaf, in one lane or in several, becomes something else.
fn changed(
    prepared: &Prepared,
    subgroup: &Subgroup,
    lanes: &[Option<Vec<Bits>>],
    other: &[Option<Vec<Bits>>],
    numbers: &mut Numbers,
) -> Option<Vec<Option<Vec<Bits>>>> {
    let scalars = prepared.form.result.as_ref()?.leaves();
    let active: Vec<usize> = (0..lanes.len()).filter(|&lane| lanes[lane].is_some()).collect();
    if active.is_empty() || scalars.is_empty() {
        return None;
    }
    let (lane, leaf) = (numbers.one_of(&active), numbers.below(scalars.len() as u64) as usize);
    let of = |lanes: &[Option<Vec<Bits>>], lane: usize| lanes[lane].as_ref()?.get(leaf).copied()?;
    let old = of(lanes, lane)?;
    let stranger = numbers.one_of(&active);
    let new = match numbers.below(6) {
        0 => of(lanes, stranger)?,
        1 => of(other, lane)?,
        2 | 3 => operand(prepared, subgroup, stranger, leaf, scalars[leaf], numbers)?,
        4 => old ^ 1,
        _ => special(scalars[leaf], old, numbers),
    };
    // Alone, or with the lanes that have the same, or with all.
    let extent = numbers.below(3);
    let mut changed = lanes.to_vec();
    for &other in &active {
        let along = match extent {
            0 => other == lane,
            1 => of(lanes, other) == Some(old),
            _ => true,
        };
        if let (true, Some(leaves)) = (along, &mut changed[other])
            && leaves[leaf].is_some()
        {
            leaves[leaf] = Some(new);
        }
    }
    (changed != lanes).then_some(changed)
}

/// A lane's scalar of an operand that has such scalars.
fn operand(
    prepared: &Prepared,
    subgroup: &Subgroup,
    lane: usize,
    leaf: usize,
    scalar: Scalar,
    numbers: &mut Numbers,
) -> Bits {
    let alike = |argument: &Argument| match argument {
        Argument::Value(ty) => ty.leaves().first() == Some(&scalar),
        _ => false,
    };
    let arguments = &prepared.form.arguments;
    let operands: Vec<usize> = (0..arguments.len()).filter(|&it| alike(&arguments[it])).collect();
    if operands.is_empty() {
        return None;
    }
    let leaves = subgroup.operands[numbers.one_of(&operands)].get(lane)?;
    leaves.get(leaf.min(leaves.len().checked_sub(1)?)).copied()?
}

/// Zeros, infinities, NaNs, one, and the other sign.
fn special(scalar: Scalar, old: u64, numbers: &mut Numbers) -> u64 {
    let width = scalar.width();
    let all = u64::MAX >> (64 - width.clamp(1, 64));
    let sign = 1 << (width - 1);
    let Scalar::Float(format) = scalar else {
        return old ^ 1 << numbers.below(u64::from(width));
    };
    let fraction = format.fraction();
    let infinity = all >> 1 & (u64::MAX << fraction);
    match numbers.below(7) {
        0 => old ^ sign,
        1 => 0,
        2 => sign,
        3 => infinity,
        4 => infinity | sign,
        5 => infinity | 1 << (fraction - 1),
        _ => infinity | (numbers.bits() & (sign | ((1 << fraction) - 1))) | 1,
    }
}
