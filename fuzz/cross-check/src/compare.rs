//! The two meanings, side by side.

use std::fmt;

use laneproof_forms::{Numbers, Prepared, has_memory};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::evaluate::{Evaluation, Subgroup};

use crate::memory::{agrees_with_memory, observe_memory};
use crate::observe::{Agreement, Observed, agreement, asked, given, observe, outcome, same};
use crate::perturbed::{legal_in, perturbed};

/// What they differ in.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What the clauses say, in our words where they fail to say it.
    pub evaluator: String,
    /// What the interpreter did.
    pub interpreter: String,
    /// Module and state.
    pub case: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { evaluator, interpreter, case } = self;
        write!(f, "evaluator:   {evaluator}\ninterpreter: {interpreter}\n{case}")
    }
}

/// Executes an instruction both ways. Open results of the clauses are taken from the interpreter,
/// and must be legal.
///
/// # Errors
///
/// Where the results differ, and where one of the two has none.
pub fn compare(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
) -> Result<Agreement, Box<Disagreement>> {
    if has_memory(prepared) {
        let left = observe_memory(prepared, subgroup);
        let found = match &left {
            Ok(left) => agrees_with_memory(specification, settled, prepared, subgroup, left),
            Err(stop) => Err(format!("{stop}")),
        };
        return found.map_err(|evaluator| {
            Box::new(Disagreement {
                evaluator,
                interpreter: format!("{left:x?}"),
                case: format!("{}{subgroup:x?}", prepared.text),
            })
        });
    }
    let interpreter = observe(prepared, subgroup);
    let differ = |evaluator: &Result<Observed, String>| {
        Box::new(Disagreement {
            evaluator: described(evaluator),
            interpreter: described(&interpreter.as_ref().map_err(ToString::to_string)),
            case: format!("{}{subgroup:?}", prepared.text),
        })
    };
    let asked = asked(specification, settled, prepared, subgroup, |evaluation| {
        let lanes = evaluation.lanes(given(&interpreter));
        if let (Err(DenoteError::Undecided(_)), Ok(_)) = (&lanes, &interpreter) {
            return Ok(Agreement { undecided: 1, ..Agreement::default() });
        }
        let evaluator = lanes
            .map_err(|error| error.to_string())
            .and_then(|lanes| outcome(lanes).map_err(|it| it.to_string()));
        match (&evaluator, &interpreter) {
            (Ok(a), Ok(b)) if same(a, b) => {
                let judged = judge_changes(evaluation, prepared, subgroup, b)?;
                Ok(Agreement { judged, ..agreement(a) })
            }
            _ => Err(differ(&evaluator)),
        }
    });
    asked.unwrap_or_else(|error| Err(differ(&Err(error.to_string()))))
}

/// The number of changes of each outcome that are judged.
const CHANGES: usize = 4;

/// Shows both meanings results that are changed; how many they judge.
fn judge_changes(
    evaluation: &mut Evaluation<'_, '_>,
    prepared: &Prepared,
    subgroup: &Subgroup,
    observed: &Observed,
) -> Result<u64, Box<Disagreement>> {
    let mut numbers = Numbers::new(!subgroup.active as u64);
    let mut judged = 0;
    for changed in perturbed(prepared, subgroup, observed, CHANGES, &mut numbers) {
        match legal_in(evaluation, &changed.lanes) {
            Ok(None) => {}
            Ok(Some(legal)) if legal == changed.legal => judged += 1,
            other => {
                return Err(Box::new(Disagreement {
                    evaluator: format!("legal: {other:?}"),
                    interpreter: format!("legal: {}: {:x?}", changed.legal, changed.lanes),
                    case: format!("{}{subgroup:x?}", prepared.text),
                }));
            }
        }
    }
    Ok(judged)
}

fn described<O: fmt::Debug>(outcome: &Result<O, String>) -> String {
    match outcome {
        Ok(observed) => format!("{observed:x?}"),
        Err(reason) => reason.clone(),
    }
}
