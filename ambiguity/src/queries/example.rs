//! Examples and overviews against the formula.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::denote::{DenoteError, State};
use laneproof_semantics::language::ast::{Clause, Expr, Statement};
use laneproof_semantics::term::{Binary, Term};

use super::relation::legal;
use super::{Collected, shown};
use crate::case::by_relation;
use crate::finding::{Finding, FindingKind};
use crate::probe::{both, condition, not};
use crate::question::{Case, Occurrence};
use crate::reading_outcome::ReadingOutcome;

/// The sizes of subgroups in examples.
const EXAMPLES: [u32; 4] = [1, 4, 8, 16];

/// The sizes that are no powers of two.
const OTHERS: [u32; 2] = [3, 6];

/// The same, where sentences relate the results of all lanes.
const RELATED: [u32; 2] = [1, 2];

/// How an example does not follow: even in a subgroup of a usual size, or in others only.
#[derive(Clone, Copy)]
enum Sizes {
    PowersOfTwo,
    Any,
}

impl Sizes {
    const fn word(self) -> &'static str {
        match self {
            Self::PowersOfTwo => "prose-and-formula",
            Self::Any => "size-no-power-of-two",
        }
    }

    fn summary(self, clause: &Clause) -> String {
        match self {
            Self::PowersOfTwo => format!(
                "What an example or overview says does not follow from the formula: {}.",
                quoted(clause)
            ),
            Self::Any => format!(
                "What an example or overview says follows from the formula where SubgroupSize and \
                 SubgroupMaxSize are powers of two, and not elsewhere; no sentence says that they \
                 are: {}.",
                quoted(clause)
            ),
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::PowersOfTwo => {
                "An overview or an example that agrees with the formula, or a formula that agrees \
                 with it."
            }
            Self::Any => {
                "Both sizes are powers of two, or a formula that holds for every size, as one with \
                 a remainder does."
            }
        }
    }
}

fn quoted(clause: &Clause) -> String {
    format!("\u{201c}{}\u{201d}", clause.wording)
}

/// States in which what an example says does not follow. Those of usual sizes come first: what does
/// not follow there has another cause than what does not follow in others only.
pub(super) fn examples(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    for clause in &case.instruction.clauses {
        for (statement, _) in &clause.statements {
            let Statement::Example(holds, when) = statement else { continue };
            let mut asked = not(holds.clone());
            if let Some(when) = when {
                asked = both(when.clone(), asked);
            }
            for sizes in [Sizes::PowersOfTwo, Sizes::Any] {
                let id = Finding::id_of(FindingKind::Overlap, sizes.word(), &clause.document);
                if !case.wants(&id) {
                    continue;
                }
                if let Some(state) = telling_state(case, &asked, sizes)? {
                    found.findings.push(against(case, clause, id, &state, sizes)?);
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The most telling state: one where no sentence leaves open what follows, and of a full subgroup where
/// its size is at fault.
fn telling_state(
    case: &Case<'_>,
    asked: &Expr,
    sizes: Sizes,
) -> Result<Option<Occurrence>, ModelCheckError> {
    for said in [true, false] {
        if matches!(sizes, Sizes::Any)
            && !by_relation(case.instruction)
            && let Some(state) = full_state_against(case, asked, said)?
        {
            return Ok(Some(state));
        }
        if let Some(state) = state_against(case, asked, sizes, said)? {
            return Ok(Some(state));
        }
    }
    Ok(None)
}

/// A state of a full subgroup whose size is no power of two.
fn full_state_against(
    case: &Case<'_>,
    asked: &Expr,
    said: bool,
) -> Result<Option<Occurrence>, ModelCheckError> {
    let open = left_open(case);
    for lanes in OTHERS {
        let state = case.smallest_of(&[lanes], |states, lane| {
            let sizes = [State::SubgroupSize, State::SubgroupMaxSize].map(|size| states.size(size));
            let pool = states.pool();
            let lanes = pool.bits(lanes.into(), 32);
            let mut wanted = sizes.map(|size| pool.equal(size, lanes)).to_vec();
            wanted.push(condition(case, case.base, states, lane, asked.clone())?);
            for open in open.iter().filter(|_| said) {
                wanted.push(condition(case, case.base, states, lane, not(open.clone()))?);
            }
            Ok(wanted)
        })?;
        if state.is_some() {
            return Ok(state);
        }
    }
    Ok(None)
}

fn state_against(
    case: &Case<'_>,
    asked: &Expr,
    sizes: Sizes,
    said: bool,
) -> Result<Option<Occurrence>, ModelCheckError> {
    let settled = case.base.clone();
    let open = left_open(case);
    let usual = |states: &mut InstructionStates<'_>| match sizes {
        Sizes::PowersOfTwo => powers_of_two(states),
        Sizes::Any => states.pool().bool(true),
    };
    match by_relation(case.instruction) {
        // Shown with results that the other sentences allow.
        true => case.lane_by_lane(&RELATED, |states, lane| {
            let own = legal(case, states, &settled)?;
            let lane = states.lane(lane);
            let usual = usual(states);
            Ok(vec![own, usual, condition(case, &settled, states, lane, asked.clone())?])
        }),
        false => case.smallest_of(&EXAMPLES, |states, lane| -> Result<Vec<Term>, DenoteError> {
            let mut asked =
                vec![usual(states), condition(case, &settled, states, lane, asked.clone())?];
            for open in open.iter().filter(|_| said) {
                asked.push(condition(case, &settled, states, lane, not(open.clone()))?);
            }
            Ok(asked)
        }),
    }
}

/// Where words without a consequence, or unmet requirements, leave open what follows.
fn left_open(case: &Case<'_>) -> Vec<Expr> {
    let statements = case.instruction.clauses.iter().flat_map(|clause| &clause.statements);
    let open = |statement: &Statement| match statement {
        Statement::Label(_, condition) => Some(condition.clone()),
        Statement::Must(condition) => Some(not(condition.clone())),
        _ => None,
    };
    statements.filter_map(|(statement, _)| open(statement)).collect()
}

/// `SubgroupSize` and `SubgroupMaxSize` are powers of two.
fn powers_of_two(states: &mut InstructionStates<'_>) -> Term {
    let sizes = [State::SubgroupSize, State::SubgroupMaxSize].map(|size| states.size(size));
    let pool = states.pool();
    let (zero, one) = (pool.bits(0, 32), pool.bits(1, 32));
    let powers = sizes.map(|size| {
        let less = pool.binary(Binary::Sub, size, one);
        let common = pool.binary(Binary::And, size, less);
        pool.equal(common, zero)
    });
    pool.all(powers)
}

fn against(
    case: &Case<'_>,
    clause: &Clause,
    id: String,
    state: &Occurrence,
    sizes: Sizes,
) -> Result<Finding, ModelCheckError> {
    let ways = [("the formula".to_owned(), case.base.clone())];
    let mut finding = shown(case, FindingKind::Overlap, id, state, &ways)?;
    finding.clauses.insert(clause.id.to_string());
    finding.summary = sizes.summary(clause);
    // The example is printed beside the formula, without a drawing of its own.
    finding.readings.push(ReadingOutcome {
        name: "the overview or example".to_owned(),
        outcome: format!("not so here (\u{201c}{}\u{201d})", clause.wording),
        lanes: Vec::new(),
    });
    finding.remedy = sizes.remedy().to_owned();
    Ok(finding)
}
