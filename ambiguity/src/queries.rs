//! The queries of every case.

mod built_in;
mod capability_family;
mod conjunct;
mod consequence;
mod dead;
mod defined;
mod divergence;
mod elsewhere;
mod example;
mod family;
mod gap;
mod ill_typed;
mod memory;
mod operand;
mod overlap;
mod relation;
mod remark;
mod rules;
mod slip;
mod table;
mod token;
mod ways;

use std::sync::Arc;

use laneproof_queries::model_check::ModelCheckError;
use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::{LaneResult, Subgroup};
use laneproof_semantics::language::ast::{
    Alternative, AmbiguousShape, Clause, Expr, ExprKind, ReadingKind, SpecInstruction, Statement,
};

use crate::case::by_relation;
use crate::effect::{NO_MORE, carried_out, in_words, is_unsaid};
use crate::finding::{Evidence, Finding, FindingKind, Scene};
use crate::found::{ChoiceEffect, Collected, Conditions};
use crate::picture::picture;
use crate::probe;
use crate::question::{Case, Occurrence, named};
use crate::reading_outcome::ReadingOutcome;
use crate::telling::{Plain, Whose};
use crate::witness::witness;

pub use built_in::of_built_ins;
pub use capability_family::capability_families;
pub use conjunct::bounds;
pub use consequence::consequences;
pub use dead::conditions;
pub use defined::defined;
use divergence::points;
pub use divergence::{all_points, beside};
pub use elsewhere::{executions, values};
pub use family::families;
pub use ill_typed::ill_typed;
pub use operand::operands;
pub use remark::remarks;
pub use rules::rules;
pub(crate) use slip::slips;
pub use table::tables;
pub use token::{for_others, own_tokens, rows, tokens, unannounced};

/// Conditions, bounds and results of an instruction that hold, decide or are defined in no state.
pub fn never(
    instruction: &SpecInstruction,
    conditions: &Conditions,
    points: &[ChoicePoint],
) -> Vec<Finding> {
    let SpecInstruction { clauses, name, .. } = instruction;
    let mut findings = dead::dead(clauses, name, conditions);
    findings.extend(conjunct::idle(clauses, name, conditions));
    findings.extend(conjunct::of_one_sign(clauses, name, conditions, points));
    findings.extend(defined::undefined(clauses, name, conditions));
    findings.extend(consequence::contradictory(clauses, name, conditions));
    findings
}

/// All queries about one form alone.
pub fn all(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    gap::gaps(case, found)?;
    divergence::divergences(case, found)?;
    memory::memory(case, found)?;
    overlap::overlaps(case, found)?;
    relation::relations(case, found)?;
    example::examples(case, found)
}

/// The first of the case's clauses with a choice point.
fn place_of<'c>(case: &'c Case<'_>, point: &ChoicePoint) -> Option<&'c Clause> {
    fn in_statement(statement: &Statement, name: &str) -> bool {
        let asks = |it: &Expr| matches!(&it.kind, ExprKind::Reading(known, _) if **known == *name);
        matches!(statement, Statement::Label(known, _) if **known == *name)
            || statement.expressions().into_iter().any(|expr| expr.any(&asks))
            || statement.nested().into_iter().flatten().any(|inner| in_statement(inner, name))
    }
    let here = |clause: &&Arc<Clause>| {
        clause.statements.iter().any(|(statement, _)| in_statement(statement, &point.name))
    };
    case.instruction.clauses.iter().find(here).map(|clause| &**clause)
}

/// The id of what is found of a choice point: one operand, or one sentence that several
/// instructions share, or one requirement, is one cause.
fn id_of_point(case: &Case<'_>, kind: FindingKind, point: &ChoicePoint, clause: &Clause) -> String {
    let asked = first_alike(&case.texts.specification.kinds, &point.kind);
    let id = Finding::id_of(kind, &asked.name, &clause.document);
    let operand = case.instruction.operands.iter().find(|it| names(&point.term, &it.name));
    let shared = point.is_consequence() && clause.document != case.instruction.document;
    let requirement = matches!(point.kind.shape, AmbiguousShape::Must);
    let sentence = match requirement {
        true => clause.sentences.first(),
        false => clause.sentences.last().filter(|_| shared),
    };
    match (&point.kind.shape, operand, sentence) {
        (AmbiguousShape::Operand(_) | AmbiguousShape::Integer(_), Some(operand), _) => {
            format!("{id}/{}", operand.name)
        }
        (.., Some(sentence)) => format!("{id}/{sentence}"),
        _ => id,
    }
}

/// The first kind that can be read in the same ways as this one: two words for the same notion are one
/// cause.
fn first_alike<'k>(kinds: &'k [Arc<ReadingKind>], kind: &'k ReadingKind) -> &'k ReadingKind {
    let formulas = |kind: &ReadingKind| -> Option<Vec<(Arc<str>, String)>> {
        let formula = |(name, way): &(Arc<str>, Alternative)| match way {
            Alternative::Expression(expr) => Some((Arc::clone(name), expr.to_string())),
            _ => None,
        };
        kind.alternatives.iter().map(formula).collect()
    };
    let own = formulas(kind);
    let alike = |other: &&Arc<ReadingKind>| {
        matches!(
            (&other.shape, &kind.shape),
            (AmbiguousShape::Expression(_), AmbiguousShape::Expression(_))
        ) && formulas(other) == own
    };
    kinds.iter().filter(|_| own.is_some()).find(alike).map_or(kind, |it| &**it)
}

/// The term has the name as a word.
fn names(term: &str, name: &str) -> bool {
    term.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// A finding about a state, with what each way of reading gives there.
fn shown(
    case: &Case<'_>,
    kind: FindingKind,
    id: String,
    state: &Occurrence,
    ways: &[(String, Settled)],
) -> Result<Finding, ModelCheckError> {
    // The ways differ in the choice point of the query.
    let not_asked = |point: &&ChoicePoint| {
        let mut chosen = ways.iter().map(|(_, way)| way.alternative(&point.name));
        let first = chosen.next();
        chosen.all(|it| Some(it) == first)
    };
    let mut readings = Vec::new();
    let mut silent = 0;
    let given = state.results.as_deref();
    let subgroup = telling(case, state, ways)?;
    for (name, settled) in ways {
        let done = carried_out(
            &case.texts.specification,
            settled,
            case.instruction,
            case.instance,
            &subgroup,
            given,
        )?;
        let mut outcome = in_words(case.instruction, &done, given, state.lane);
        let unsaid = is_unsaid(case.instruction, &done, state.lane);
        silent += usize::from(unsaid);
        if unsaid && let Some(met) = words_met(case, settled, state) {
            outcome = format!("{NO_MORE} {met}");
        }
        let lanes = picture(case, settled, &subgroup, given);
        readings.push(ReadingOutcome { name: name.clone(), outcome, lanes });
    }
    Ok(Finding {
        instructions: [case.instruction.name.to_string()].into(),
        documents: case.documents.iter().map(ToString::to_string).collect(),
        readings,
        evidence: Evidence {
            witness: Some(witness(case.instruction, case.instance, &subgroup, state.lane)),
            scenes: vec![Arc::new(Scene {
                id: id.clone(),
                instruction: Arc::new(case.instruction.clone()),
                documents: case.documents.to_vec(),
                instance: case.instance.clone(),
                ways: ways.to_vec(),
                silent,
                others: points(case).filter(not_asked).cloned().collect(),
                smallest: (subgroup, state.lane),
                staged: state.staged.clone(),
            })],
            ..Evidence::default()
        },
        ..Finding::of(kind, id)
    })
}

/// What a lane gets, and what that and what it writes is in words.
type Shows = (Option<LaneResult>, String);

/// The state with telling values in the place of zeros, where every way of reading gives a result of
/// the same nature then, and those agree that agreed. Else the state as it is.
fn telling(
    case: &Case<'_>,
    state: &Occurrence,
    ways: &[(String, Settled)],
) -> Result<Subgroup, ModelCheckError> {
    let plain = &state.subgroup;
    let given = state.results.as_deref();
    let related = by_relation(case.instruction);
    // Stores are not results, so they are described in words.
    let results = |subgroup: &Subgroup| -> Result<Vec<Shows>, ModelCheckError> {
        let of_way = |(_, settled): &(String, Settled)| {
            let texts = &case.texts.specification;
            let (instruction, instance) = (case.instruction, case.instance);
            let done = carried_out(texts, settled, instruction, instance, subgroup, given)?;
            let words = in_words(instruction, &done, given, state.lane);
            Ok((done.lanes.into_iter().nth(state.lane as usize).flatten(), words))
        };
        ways.iter().map(of_way).collect()
    };
    let before = results(plain)?;
    let nature = |(result, _): &Shows| result.as_ref().map(std::mem::discriminant);
    let pairs = || (0..ways.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    // What says which place is meant stays small where what is moved tells enough. Results that
    // sentences relate to each other depend on which values are equal.
    let lane_by_lane = [Plain::AndSmall, Plain::Zeros]
        .into_iter()
        .filter(|_| !related)
        .flat_map(|values| [Whose::Data, Whose::All].map(|it| case.telling(plain, values, it)));
    let as_equal = [Whose::Data, Whose::All].map(|it| case.telling_as_equal(plain, it));
    for telling in lane_by_lane.chain(as_equal).flatten() {
        let after = results(&telling)?;
        let same_nature = before.iter().map(nature).eq(after.iter().map(nature));
        let as_apart =
            pairs().all(|(one, other)| before[one] == before[other] || after[one] != after[other]);
        let as_related =
            !related || before == after && relation::alike(case, ways, [plain, &telling])?;
        if same_nature && as_apart && as_related {
            return Ok(telling);
        }
    }
    Ok(plain.clone())
}

/// The sentences whose words without a consequence, or requirements, are met in the state's lane;
/// `None` if there are none.
fn words_met(case: &Case<'_>, settled: &Settled, state: &Occurrence) -> Option<String> {
    let mut met: Vec<String> = Vec::new();
    for clause in &case.instruction.clauses {
        for (statement, span) in &clause.statements {
            if !matches!(statement, Statement::Label(..)) {
                continue;
            }
            let alone = probe::saying(case.instruction, Statement::clone(statement), *span);
            let done = carried_out(
                &case.texts.specification,
                settled,
                &alone,
                case.instance,
                &state.subgroup,
                None,
            );
            let lane =
                done.ok().and_then(|done| done.lanes.into_iter().nth(state.lane as usize)?);
            let wording = format!("\u{201c}{}\u{201d}", clause.wording);
            if matches!(lane, Some(LaneResult::Silence(place)) if *place == *probe::PROBE)
                && !met.contains(&wording)
            {
                met.push(wording);
            }
        }
    }
    if met.is_empty() { None } else { Some(met.join(", ")) }
}

/// What is open, in which sentence, and what would settle it.
fn ask(finding: &mut Finding, point: &ChoicePoint, clause: &Clause) {
    finding.clauses.insert(clause.id.to_string());
    let scenes = finding.evidence.scenes.iter();
    let operands = || scenes.clone().flat_map(|scene| &scene.instruction.operands);
    let question = named(&point.kind.question, point, operands());
    let remedy = named(point.kind.remedy.as_deref().unwrap_or_default(), point, operands());
    finding.summary = format!("{question} (\u{201c}{}\u{201d})", clause.wording);
    finding.remedy = remedy;
}
