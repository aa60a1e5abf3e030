//! The presentation of a counterexample, lane by lane.

use std::sync::Arc;

use laneproof_encode::depends_on_found;
use laneproof_interpreter::{Finished, Gave, LaneValue, Stop, Trace};
use laneproof_lower::{Flat, FlatOutput, StepId};
use laneproof_module::{Named, Site};
use laneproof_obligation::Built;
use laneproof_semantics::Type;
use laneproof_semantics::term::Pool;
use laneproof_solve::Model;

use crate::counterexample::{
    ComparedFunction, Counterexample, LaneRow, Origin, Output, PlaceInWorkgroup, TypedValue,
    UndefinedBehavior,
};
use crate::memory_state::{MemoryState, rows};
use crate::replay::{Confirmed, Followed, State, Subject, fits};

/// Builds a confirmed counterexample.
pub(crate) fn counterexample(
    built: &Built<'_>,
    confirmed: &Confirmed,
    followed: &Followed,
    source: Subject<'_>,
    target: Option<Subject<'_>>,
    compares_parameters: bool,
) -> Counterexample {
    let Confirmed { model, state, shown: replayed } = confirmed;
    let found = Ran { finished: replayed.target.as_ref().ok(), same: followed.target.as_ref() };
    let sides = match target {
        Some(target) => {
            let expected =
                Ran { finished: replayed.source.as_ref(), same: followed.source.as_ref() };
            vec![
                (ComparedFunction::Source, expected, source),
                (ComparedFunction::Target, found, target),
            ]
        }
        // A property is a source whose run fails.
        None => vec![(
            ComparedFunction::Source,
            Ran { same: followed.source.as_ref(), ..found },
            source,
        )],
    };
    let seen: Vec<Traced<'_>> =
        sides.iter().map(|&(side, ran, subject)| Traced::new(side, ran, subject)).collect();
    let row = |lane| {
        let row = row(lane, state, &sides);
        let outputs = outputs(lane, &sides, compares_parameters);
        let offending = row.active && outputs.iter().any(|output| output.offending);
        LaneRow {
            steps: seen.iter().flat_map(|side| side.at(lane)).collect(),
            offending: row.offending || offending,
            outputs,
            ..row
        }
    };
    // In a kernel it counts the lanes.
    let counted = source.program.is_kernel() && state.workgroup.is_none();
    Counterexample {
        size: state.size,
        subgroup_size: if counted { state.existing } else { state.size },
        max_size: state.max_size,
        place: state.place.map(|place| PlaceInWorkgroup {
            subgroup: place.subgroup,
            subgroups: place.subgroups,
            of_caller: !built.entry.surroundings.is_declared()
                && state.workgroup.is_none()
                && !source.flat.interface.entry_point,
        }),
        grid: state.gridded.then_some(state.lane_indices.grid),
        workgroup: state.workgroup,
        confirmed: true,
        lanes: (0..state.existing).map(row).collect(),
        initial: state.memories.iter().map(MemoryState::initial).collect(),
        memory: rows(&state.memories, replayed.source.as_ref(), found.finished, found.same),
        undefined_behavior: undefined_behavior(
            built,
            model,
            &replayed.target,
            target.unwrap_or(source),
        ),
        explanations: explanations(built, model),
    }
}

fn row(lane: u32, state: &State, sides: &[(ComparedFunction, Ran<'_>, Subject<'_>)]) -> LaneRow {
    let active = state.active >> lane & 1 == 1;
    let (_, first, source) = sides[0];
    let inputs: Vec<TypedValue> = source
        .flat
        .interface
        .inputs
        .iter()
        .zip(&state.parameters)
        .filter(|(input, _)| !input.image)
        .map(|(input, lanes)| TypedValue {
            name: input.name.clone(),
            ty: input.ty.clone(),
            leaves: lanes.get(lane as usize).map(|value| value.0.clone()),
            open: false,
            times: 1,
            origin: None,
        })
        .collect();
    let index = state.indexed.then(|| TypedValue {
        name: "LocalInvocationIndex".into(),
        ty: Type::U32,
        leaves: state
            .lane_indices
            .indices
            .get(lane as usize)
            .map(|&index| vec![Some(index.into())]),
        open: false,
        times: 1,
        origin: None,
    });
    let inputs = index.into_iter().chain(inputs).collect();
    let result = |ran: Ran<'_>, flat: &Flat| {
        let at = |finished: &Finished| value_at(&finished.results, lane);
        let leaves = flat.interface.result.and_then(|_| ran.finished.and_then(at));
        TypedValue {
            name: "result".into(),
            ty: flat.interface.result.map_or(Type::BOOL, |value| flat.ty(value).clone()),
            open: is_open(leaves.as_deref(), ran.same.and_then(at).as_deref()),
            leaves,
            times: 1,
            origin: None,
        }
    };
    let (mine, theirs) = match sides.get(1) {
        Some((_, found, target)) => (result(first, source.flat), result(*found, target.flat)),
        None => {
            let mut wanted = result(Ran { finished: None, same: None }, source.flat);
            wanted.leaves = active.then(|| vec![Some(1)]);
            (wanted, result(first, source.flat))
        }
    };
    let (expected, found) = match sides.get(1) {
        Some((_, found, _)) => (first.finished, found.finished),
        None => (None, first.finished),
    };
    let offending = active
        && match (&mine.leaves, &theirs.leaves) {
            (Some(a), Some(b)) => !fits(&LaneValue(a.clone()), &LaneValue(b.clone())),
            // It is killed on one side only.
            (None, Some(_)) => expected.is_some() && source.flat.interface.result.is_some(),
            (Some(_), None) => found.is_some(),
            _ => false,
        };
    let subgroup = state.workgroup.map(|_| lane / state.size);
    LaneRow {
        lane,
        subgroup,
        active,
        offending,
        inputs,
        source: mine,
        target: theirs,
        outputs: Vec::new(),
        steps: Vec::new(),
    }
}

/// The final values of output parameters on each side, if these are compared, and of the private
/// variables that are compared.
fn outputs(
    lane: u32,
    sides: &[(ComparedFunction, Ran<'_>, Subject<'_>)],
    parameters: bool,
) -> Vec<Output> {
    let [(_, first, source), (_, second, target)] = sides else { return Vec::new() };
    let at = |ran: Option<&Finished>, index: usize| {
        let ran = ran.filter(|it| it.results.get(lane as usize).is_some_and(Option::is_some))?;
        Some(ran.outputs.get(index)?.get(lane as usize)?.0.clone())
    };
    let side = |ran: &Ran<'_>, flat: &Flat, index: usize| {
        let FlatOutput { name, value, .. } = flat.interface.outputs.get(index)?;
        let leaves = at(ran.finished, index);
        Some(TypedValue {
            name: name.clone(),
            ty: flat.ty(*value).clone(),
            open: is_open(leaves.as_deref(), at(ran.same, index).as_deref()),
            leaves,
            times: 1,
            origin: None,
        })
    };
    let output = |index: usize| {
        let (source, target) =
            (side(first, source.flat, index)?, side(second, target.flat, index)?);
        let offending = match (&source.leaves, &target.leaves) {
            (Some(a), Some(b)) => !fits(&LaneValue(a.clone()), &LaneValue(b.clone())),
            _ => false,
        };
        Some(Output { source, target, offending })
    };
    source.flat.interface.compared(parameters).filter_map(|(index, _)| output(index)).collect()
}

fn value_at(lanes: &[Option<LaneValue>], lane: u32) -> Option<Vec<Option<u64>>> {
    lanes.get(lane as usize)?.as_ref().map(|value| value.0.clone())
}

/// A defined scalar that depends on choices.
fn is_open(leaves: Option<&[Option<u64>]>, same: Option<&[Option<u64>]>) -> bool {
    let pairs = leaves.into_iter().flatten().zip(same.into_iter().flatten());
    pairs.into_iter().any(|(leaf, same)| leaf.is_some() && leaf != same)
}

/// A side's run.
#[derive(Clone, Copy)]
struct Ran<'a> {
    /// As it was replayed.
    finished: Option<&'a Finished>,
    /// What is equal under all choices, if that is known.
    same: Option<&'a Finished>,
}

/// The intermediate values of a side, and where each is computed.
struct Traced<'a> {
    side: ComparedFunction,
    trace: Option<&'a Trace>,
    /// What is equal under all choices.
    same: Option<&'a Trace>,
    /// Each without its scalars, after its `<id>`.
    values: Vec<(u32, TypedValue)>,
}

impl<'a> Traced<'a> {
    fn new(side: ComparedFunction, ran: Ran<'a>, subject: Subject<'_>) -> Self {
        let origin = |id| {
            let instruction = subject.program.instruction(id)?;
            let word = instruction.place.word;
            // The value that is shown is the last one.
            let mut steps = subject.flat.steps.iter().rev();
            let site = steps.find(|step| step.site.word == word).map(|step| step.site.clone());
            let site = site.unwrap_or(Site { path: Vec::new(), word });
            Origin::of(subject.program, &site, instruction.opcode.name())
        };
        let value = |shown: &laneproof_lower::TableStep| {
            let ty = subject.flat.ty(shown.value).clone();
            let origin = origin(shown.id);
            let name = shown.name.clone();
            (shown.id, TypedValue { name, ty, leaves: None, open: false, times: 0, origin })
        };
        let trace = |finished: Option<&'a Finished>| finished.and_then(|it| it.trace.as_ref());
        let (trace, same) = (trace(ran.finished), trace(ran.same));
        Self { side, trace, same, values: subject.flat.shown.iter().map(value).collect() }
    }

    /// Those that this lane has.
    fn at(&self, lane: u32) -> impl Iterator<Item = (ComparedFunction, TypedValue)> {
        self.values.iter().filter_map(move |(id, value)| {
            let at = |lanes: &'a Vec<Option<Gave>>| lanes.get(lane as usize)?.as_ref();
            let gave = at(self.trace?.get(id)?);
            let leaves = gave.map(|gave| gave.value.0.clone());
            let same = self.same.and_then(|same| at(same.get(id)?));
            let open = is_open(leaves.as_deref(), same.map(|same| &*same.value.0));
            let times = gave.map_or(0, |gave| gave.times);
            Some((self.side, TypedValue { leaves, open, times, ..value.clone() }))
        })
    }
}

/// The consequences of a side's steps whose conditions hold in the model.
fn holding<'b>(
    pool: &'b Pool,
    model: &'b Model,
    side: &'b laneproof_encode::EncodedSide<'_>,
) -> impl Iterator<Item = (StepId, &'b laneproof_semantics::denote::Cause, bool)> {
    side.outcomes().flat_map(move |(step, outcome)| {
        let undefined = outcome.undefined_value.iter().map(|cause| (cause, false));
        let behavior = outcome.undefined_behavior.iter().map(|cause| (cause, true));
        // A condition on the value that a lane's update reads is not one term, so it is skipped.
        let is_one_term = |cause: &laneproof_semantics::denote::Cause| {
            !outcome
                .update
                .is_some_and(|update| depends_on_found(pool, &update, &[cause.condition]))
        };
        undefined
            .chain(behavior)
            .filter(move |(cause, _)| is_one_term(cause))
            .filter(|(cause, _)| pool.evaluate(&[cause.condition], model)[0].is_true())
            .map(move |(cause, behavior)| (step, cause, behavior))
    })
}

fn explanations(built: &Built<'_>, model: &Model) -> Vec<(ComparedFunction, Arc<str>, Arc<str>)> {
    let sides = [
        (ComparedFunction::Source, Some(&built.source)),
        (ComparedFunction::Target, built.target.as_ref()),
    ];
    let mut found = Vec::new();
    for (function, side) in sides {
        let Some(side) = side else { continue };
        for (_, cause, behavior) in holding(&built.pool, model, side) {
            let line = (function, cause.clause.clone(), cause.wording.clone());
            if !behavior && !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
}

fn undefined_behavior(
    built: &Built<'_>,
    model: &Model,
    target: &Result<Finished, Stop>,
    subject: Subject<'_>,
) -> Option<UndefinedBehavior> {
    let (instruction, lanes, reason, site) = match target {
        Err(Stop::UndefinedBehavior { instruction, lanes, reason, site }) => {
            (instruction.clone(), lanes.clone(), reason.to_string(), Some(site))
        }
        Err(Stop::AssumptionFailed { lanes, site }) => {
            let name = "OpAssumeTrueKHR".to_owned();
            (name, lanes.clone(), "the assumption is false".into(), Some(site))
        }
        Err(Stop::Endless { lanes }) => {
            ("OpLoopMerge".into(), lanes.clone(), "the loop never ends".into(), None)
        }
        _ => return None,
    };
    let side = built.target.as_ref().unwrap_or(&built.source);
    let endless = matches!(target, Err(Stop::Endless { .. }));
    // Later instructions may misbehave as well; the interpreter stopped at this one.
    let stopped_here =
        |step: StepId| site.is_some_and(|it| it.word == side.flat.step(step).site.word);
    let clause = holding(&built.pool, model, side)
        .filter(|(_, _, behavior)| *behavior && !endless)
        .min_by_key(|(step, ..)| !stopped_here(*step))
        .map(|(_, cause, _)| cause.clause.to_string());
    let function =
        if built.target.is_some() { ComparedFunction::Target } else { ComparedFunction::Source };
    let origin = site.and_then(|site| Origin::of(subject.program, site, &instruction));
    let clause = clause.unwrap_or(reason);
    Some(UndefinedBehavior { side: function, instruction, clause, lanes, origin })
}
