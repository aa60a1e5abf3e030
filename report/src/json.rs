//! Reports of the prover as JSON documents.

use laneproof_semantics::{Scalar, Type};
use laneproof_verify::{
    ComparedFunction, Counterexample, LaneRow, MemoryRow, TypedValue, Unknown, Verdict,
    VerificationReport,
};
use serde_json::{Map, Value, json};

/// The whole answer.
pub fn report(report: &VerificationReport) -> Value {
    json!({
        "verdict": report.verdict,
        "profile": report.profile,
        "reason": report.reason,
        "unknown": report.unknown.as_ref().map(unknown),
        "obligations": report.obligations,
        "all_sizes": report.all_sizes,
        "counterexample": report.counterexample.as_ref().map(counterexample),
        "rests_on": report.rests_on,
        "presumes": words(&report.presumes),
        "not_compared": words(&report.not_compared),
        "invariants": report.invariants,
    })
}

/// Why nothing was decided: which kind, about what, and what to try.
fn unknown(unknown: &Unknown) -> Value {
    json!({
        "kind": unknown.kind(),
        "instruction": unknown.instruction(),
        "location": unknown.location().map(|it| it.to_string()),
        "hint": unknown.hint(),
    })
}

/// The answer before anything is settled.
pub fn unsettled(profile: Option<&str>) -> Value {
    json!({
        "verdict": Verdict::Unknown,
        "profile": profile,
        "reason": null,
        "unknown": null,
        "obligations": [],
        "all_sizes": false,
        "counterexample": null,
        "rests_on": [],
        "presumes": [],
        "not_compared": [],
        "invariants": [],
    })
}

fn words<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

fn counterexample(found: &Counterexample) -> Value {
    let explanations = found.explanations.iter().map(|(side, clause, wording)| {
        json!({ "side": side, "clause": &**clause, "wording": &**wording })
    });
    json!({
        "subgroup_size": found.subgroup_size,
        "max_size": found.max_size,
        "existing": found.existing(),
        "subgroup_id": found.place.map(|it| it.subgroup),
        "num_subgroups": found.place.map(|it| it.subgroups)
            .or(found.workgroup.map(|it| it.subgroups)),
        "workgroup_size": found.workgroup.map(|it| it.size).or(found.grid.map(|it| it.size)),
        "workgroup_id": found.grid.map(|it| it.id),
        "num_workgroups": found.grid.map(|it| it.count),
        "confirmed": found.confirmed,
        "lanes": found.lanes.iter().map(lane).collect::<Vec<_>>(),
        "memory": found.memory.iter().map(memory).collect::<Vec<_>>(),
        "undefined_behavior": found.undefined_behavior,
        "explanations": explanations.collect::<Vec<_>>(),
        "origins": {
            "source": origins(found, ComparedFunction::Source),
            "target": origins(found, ComparedFunction::Target),
        },
    })
}

/// Where a side's steps are computed, by their names, where lines of a source are known.
fn origins(found: &Counterexample, side: ComparedFunction) -> Map<String, Value> {
    let steps = found.lanes.iter().flat_map(|row| &row.steps).filter(|(of, _)| *of == side);
    steps.filter_map(|(_, it)| Some((it.name.clone(), json!(it.origin.as_ref()?)))).collect()
}

fn memory(row: &MemoryRow) -> Value {
    let value = |bits: Option<u64>| nested(&mut [bits].into_iter(), &row.ty);
    json!({
        "memory": row.memory,
        "index": row.index,
        "offending": row.offending,
        "before": value(row.before),
        "source": row.source.map(value),
        "target": row.target.map(value),
        "open": row.open,
    })
}

fn lane(row: &LaneRow) -> Value {
    let steps = |side: ComparedFunction| {
        let of_side = row.steps.iter().filter(|(of, _)| *of == side);
        of_side.map(|(_, shown)| (shown.name.clone(), value(shown))).collect::<Map<_, _>>()
    };
    let inputs = row.inputs.iter().map(|shown| (shown.name.clone(), value(shown)));
    let outputs = row.outputs.iter().map(|it| {
        let both = json!({ "source": value(&it.source), "target": value(&it.target) });
        (it.source.name.clone(), both)
    });
    json!({
        "lane": row.lane,
        "subgroup_id": row.subgroup,
        "active": row.active,
        "offending": row.offending,
        "inputs": inputs.collect::<Map<_, _>>(),
        "source": value(&row.source),
        "target": value(&row.target),
        "outputs": outputs.collect::<Map<_, _>>(),
        "open": open(row),
        "steps": { "source": steps(ComparedFunction::Source), "target": steps(ComparedFunction::Target) },
    })
}

/// The sides whose result is one of several values.
fn open(row: &LaneRow) -> Vec<ComparedFunction> {
    let sides = [(ComparedFunction::Source, &row.source), (ComparedFunction::Target, &row.target)];
    sides.into_iter().filter(|(_, shown)| shown.open).map(|(side, _)| side).collect()
}

/// A value of a lane; `null` where the lane has none.
fn value(shown: &TypedValue) -> Value {
    match &shown.leaves {
        Some(leaves) => nested(&mut leaves.iter().copied(), &shown.ty),
        None => Value::Null,
    }
}

/// Lists as deep as the type.
fn nested(leaves: &mut dyn Iterator<Item = Option<u64>>, ty: &Type) -> Value {
    match ty {
        Type::Scalar(element) => scalar(leaves.next().flatten(), *element),
        Type::Vector { element, count } => {
            (0..*count).map(|_| scalar(leaves.next().flatten(), *element)).collect()
        }
        Type::Array { element, length } => (0..*length).map(|_| nested(leaves, element)).collect(),
        Type::Struct(members) => members.iter().map(|member| nested(leaves, member)).collect(),
    }
}

fn scalar(bits: Option<u64>, ty: Scalar) -> Value {
    match (bits, ty) {
        (None, _) => "undefined".into(),
        (Some(bits), Scalar::Bool) => (bits & 1 == 1).into(),
        (Some(bits), _) => format!("{bits:#x}").into(),
    }
}
