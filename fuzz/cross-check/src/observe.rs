//! The results of an instruction by each of the two meanings.

use laneproof_forms::{CheckedSubject, Numbers, Prepared, drawn};
use laneproof_module::{Grid, Site};

use laneproof_interpreter::{
    Call, CallArgument as Passed, Choices, ImplementationDefined, LaneValue, Readings, RunOptions,
    Sizes, Stop, WorkgroupCall, call, call_in_workgroup,
};
use laneproof_semantics::denote::{Argument, DenoteError, Settled};
use laneproof_semantics::evaluate::{
    Bits, Evaluation, GivenResults, LaneResult, Subgroup, Workgroup,
};
use laneproof_semantics::{Specification, Type};

/// What an execution came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The result in each existing lane, leaf by leaf; `None` where the lane is not active.
    Lanes(Vec<Option<Vec<Bits>>>),
    /// Undefined behavior, and in which lanes it shows.
    UndefinedBehavior(Vec<u32>),
}

/// What both engines came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Scalars with the same value.
    pub values: u64,
    /// Scalars that are undefined values in both.
    pub undefined: u64,
    /// Executions with undefined behavior in both.
    pub behavior: u64,
    /// Changed results on whose legality both agree.
    pub judged: u64,
    /// Executions whose legality is too expensive to decide.
    pub undecided: u64,
}

impl std::ops::AddAssign for Agreement {
    fn add_assign(&mut self, other: Self) {
        self.values += other.values;
        self.undefined += other.undefined;
        self.behavior += other.behavior;
        self.judged += other.judged;
        self.undecided += other.undecided;
    }
}

/// The results of each lane, as far as an execution had any.
pub fn given<E>(observed: &Result<Observed, E>) -> GivenResults<'_> {
    match observed {
        Ok(Observed::Lanes(lanes)) => Some(lanes),
        // No results: then none is legal, and that is as it should be.
        _ => Some(&[]),
    }
}

/// What the clauses say of each lane, what they leave open being as given.
///
/// # Errors
///
/// As [`Evaluation::lanes`].
pub fn evaluated(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    given: GivenResults<'_>,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    asked(specification, settled, prepared, subgroup, |evaluation| {
        evaluation.lanes(given).map(<[_]>::to_vec)
    })?
}

/// Asks the clauses about a prepared instruction in one state, about one set of results or several.
pub(crate) fn asked<T>(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    ask: impl FnOnce(&mut Evaluation<'_, '_>) -> T,
) -> Result<T, DenoteError> {
    let name = prepared.form.target.name();
    let built_in;
    let instruction = match &prepared.form.target.subject {
        CheckedSubject::Instruction(known) => specification.instructions.get(name).unwrap_or(known),
        CheckedSubject::BuiltIn(known) => {
            built_in = specification.built_ins.get(name).unwrap_or(known).as_instruction();
            &built_in
        }
    };
    let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
        drawn(prepared.position(operand), leaf, lane, width)
    };
    let (instance, draw) = (&prepared.instance, &mut draw);
    Evaluation::new(specification, settled, instruction, instance, subgroup, draw)
        .map(|mut evaluation| ask(&mut evaluation))
}

/// Why lanes came to nothing together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOutcome {
    /// The text is silent.
    #[error("silence in lane {lane}: {clause}")]
    Silent {
        /// The first lane of which it says nothing.
        lane: usize,
        /// Where it does not.
        clause: String,
    },
    /// A result that was given is not legal.
    #[error("lane {0} cannot have its result")]
    Illegal(usize),
}

/// What the lanes came to together.
///
/// # Errors
///
/// Where the text is silent, or a given result is not legal.
pub fn outcome(lanes: &[Option<LaneResult>]) -> Result<Observed, NoOutcome> {
    let (mut behavior, mut illegal) = (Vec::new(), None);
    let mut values = Vec::with_capacity(lanes.len());
    for (lane, result) in lanes.iter().enumerate() {
        values.push(match result {
            None => None,
            Some(LaneResult::Value(leaves)) => Some(leaves.clone()),
            Some(LaneResult::UndefinedBehavior(_)) => {
                behavior.push(lane as u32);
                None
            }
            Some(LaneResult::Illegal) => {
                illegal = Some(lane);
                None
            }
            Some(LaneResult::Silence(clause)) => {
                return Err(NoOutcome::Silent { lane, clause: clause.to_string() });
            }
        });
    }
    if let (Some(lane), true) = (illegal, behavior.is_empty()) {
        return Err(NoOutcome::Illegal(lane));
    }
    Ok(if behavior.is_empty() {
        Observed::Lanes(values)
    } else {
        Observed::UndefinedBehavior(behavior)
    })
}

/// Runs the module.
///
/// # Errors
///
/// Where the interpreter stops for another reason than undefined behavior.
pub fn observe(prepared: &Prepared, subgroup: &Subgroup) -> Result<Observed, Stop> {
    observe_with(prepared, subgroup, &mut Drawn(Numbers::new(subgroup.active as u64)))
}

/// The module's function, called by the subgroup.
pub(crate) fn call_of<'p>(
    prepared: &'p Prepared,
    subgroup: &Subgroup,
    arguments: Vec<Passed>,
) -> Call<'p> {
    Call {
        program: &prepared.program,
        function: prepared.function,
        sizes: Sizes {
            existing: subgroup.existing,
            subgroup: subgroup.size,
            max: subgroup.max_size,
        },
        active: subgroup.active,
        arguments,
    }
}

/// Runs the module under choices of one's own.
pub(crate) fn observe_with(
    prepared: &Prepared,
    subgroup: &Subgroup,
    choices: &mut dyn Choices,
) -> Result<Observed, Stop> {
    if let Some(workgroup) = &subgroup.workgroup {
        return observe_workgroup(prepared, subgroup, workgroup, choices);
    }
    let given = arguments(prepared, subgroup).into_iter().map(Passed::PerLane).collect();
    let request = call_of(prepared, subgroup, given);
    match call(&request, &options(), choices) {
        Ok(finished) => Ok(Observed::Lanes(
            finished.results.into_iter().map(|lane| lane.map(|value| value.0)).collect(),
        )),
        Err(Stop::UndefinedBehavior { lanes, .. }) => Ok(Observed::UndefinedBehavior(lanes)),
        Err(stop) => Err(stop),
    }
}

/// Clauses leave an undefined value where the implementation defines a number; so does this run.
fn options() -> RunOptions<'static> {
    let readings = Readings {
        implementation_defined: ImplementationDefined::Undefined,
        ..Readings::default()
    };
    RunOptions { readings, ..RunOptions::default() }
}

fn observe_workgroup(
    prepared: &Prepared,
    subgroup: &Subgroup,
    workgroup: &Workgroup,
    choices: &mut dyn Choices,
) -> Result<Observed, Stop> {
    let Workgroup { size, id, count, offset, dimensions, .. } = *workgroup;
    let request = WorkgroupCall {
        program: &prepared.program,
        function: prepared.function,
        grid: Grid { size, id, count, offset, dimensions },
        subgroup: subgroup.size,
        max: subgroup.max_size,
        active: subgroup.active,
        arguments: arguments(prepared, subgroup).into_iter().map(Passed::PerLane).collect(),
    };
    match call_in_workgroup(&request, &options(), choices) {
        Ok(finished) => Ok(Observed::Lanes(
            finished.results.into_iter().map(|lane| lane.map(|value| value.0)).collect(),
        )),
        Err(Stop::UndefinedBehavior { lanes, .. }) => Ok(Observed::UndefinedBehavior(lanes)),
        Err(stop) => Err(stop),
    }
}

/// The function's arguments, lane by lane: all operands that vary.
fn arguments(prepared: &Prepared, subgroup: &Subgroup) -> Vec<Vec<LaneValue>> {
    let form = &prepared.form;
    let mut given = Vec::new();
    for (operand, lanes) in subgroup.operands.iter().enumerate() {
        let mut take = |start: usize, count: usize| {
            let part = |lane: &Vec<Bits>| LaneValue(lane[start..start + count].to_vec());
            given.push(lanes.iter().map(part).collect());
        };
        match &form.arguments[operand] {
            Argument::Value(ty) if form.constants[operand].is_none() => take(0, ty.leaf_count()),
            Argument::Values(types) => {
                let mut start = 0;
                for count in types.iter().map(Type::leaf_count) {
                    take(start, count);
                    start += count;
                }
            }
            _ => {}
        }
    }
    given
}

/// The draws that the evaluator makes too, and any choices else.
struct Drawn(Numbers);

impl Choices for Drawn {
    fn draw(&mut self, _: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        drawn(operand, leaf, lane, width)
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        if self.0.once_in(2) { 0 } else { self.0.below(options) }
    }
}

/// Behavior that is undefined in some lane is undefined in all.
pub(crate) fn same(a: &Observed, b: &Observed) -> bool {
    match (a, b) {
        (Observed::UndefinedBehavior(_), Observed::UndefinedBehavior(_)) => true,
        (a, b) => a == b,
    }
}

pub(crate) fn agreement(observed: &Observed) -> Agreement {
    match observed {
        Observed::UndefinedBehavior(_) => Agreement { behavior: 1, ..Agreement::default() },
        Observed::Lanes(lanes) => {
            let leaves = || lanes.iter().flatten().flatten();
            let values = leaves().filter(|leaf| leaf.is_some()).count() as u64;
            Agreement {
                values,
                undefined: leaves().count() as u64 - values,
                ..Agreement::default()
            }
        }
    }
}
