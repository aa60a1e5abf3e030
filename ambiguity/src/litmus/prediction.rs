//! What a way of reading says will come out.

use laneproof_forms::Held;
use laneproof_queries::model_check::{Clauses, Meaning, ModelCheckError};
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::denote::{Instance, Settled};
use laneproof_semantics::evaluate::{Bits, LaneResult, Memory, Subgroup};
use laneproof_solve::SolverLimit;
use serde_json::{Value, json};

use crate::case::by_relation;
use crate::effect::{carried_out, met};
use crate::finding::Scene;

/// How much the solver may do to find out what related results there are.
const LIMIT: SolverLimit = SolverLimit::Work(30_000_000);

/// What one way of reading predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The way.
    pub name: String,
    /// Each existing lane.
    pub lanes: Vec<Lane>,
    /// What it is where one other sentence is read otherwise, if that is something else.
    pub otherwise: Vec<Otherwise>,
}

/// What is predicted where another sentence is read otherwise, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// What can be read in several ways.
    pub reading: String,
    /// The way.
    pub way: String,
    /// Each existing lane.
    pub lanes: Vec<Lane>,
}

/// What is predicted of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lane {
    /// It does not execute the instruction; its result stays as it was.
    NotActive,
    /// These bits, leaf by leaf; `None` is anything.
    Value(Vec<Bits>),
    /// More than one value is right, each with such values of the others.
    Several,
    /// The text does not say: anything.
    Unsaid,
    /// Undefined behavior: anything, in all lanes.
    UndefinedBehavior,
}

impl Lane {
    /// It is active, and some leaf of its result is unknown.
    pub fn is_open(&self) -> bool {
        match self {
            Self::NotActive => false,
            Self::Value(leaves) => leaves.contains(&None),
            Self::Several | Self::Unsaid | Self::UndefinedBehavior => true,
        }
    }

    /// Something is known of its result.
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Value(leaves) if leaves.iter().any(Option::is_some))
    }

    fn document(&self) -> Value {
        match self {
            Self::NotActive => "not active".into(),
            Self::Several => "several".into(),
            Self::Unsaid => "the text does not say".into(),
            Self::UndefinedBehavior => "undefined behavior".into(),
            Self::Value(leaves) if leaves.iter().all(Option::is_none) => "undefined".into(),
            Self::Value(leaves) => match leaves.as_slice() {
                [one] => json!(one),
                all => json!(all),
            },
        }
    }
}

impl Prediction {
    /// Anything can come out.
    pub fn is_anything(&self) -> bool {
        anything(&self.lanes)
    }

    /// These words of each lane are among what is predicted. What is not defined in them is
    /// anything, too.
    pub fn allows(&self, results: &[Vec<Bits>]) -> bool {
        self.is_anything() || among(&self.lanes, results)
    }

    /// The same for the predictions with one other sentence read differently, if they determine
    /// something.
    pub fn allows_otherwise(&self, results: &[Vec<Bits>]) -> bool {
        let known = |lanes: &[Lane]| lanes.iter().any(Lane::is_known) && !anything(lanes);
        self.otherwise.iter().any(|it| known(&it.lanes) && among(&it.lanes, results))
    }

    /// The lanes in which the two predict different values; empty if one of them allows everything.
    pub fn differing_lanes(&self, other: &Self) -> Vec<u32> {
        lanes_that_differ(&self.lanes, &other.lanes)
    }

    /// The same however any one other sentence is read, whichever of the two an implementation
    /// takes.
    pub fn always_differing_lanes(&self, other: &Self) -> Vec<u32> {
        let mut lanes = self.differing_lanes(other);
        for own in self.all() {
            for theirs in other.all() {
                let apart = lanes_that_differ(own, theirs);
                lanes.retain(|lane| apart.contains(lane));
            }
        }
        lanes
    }

    /// What is predicted however one other sentence is read.
    fn all(&self) -> impl Iterator<Item = &[Lane]> {
        let otherwise = self.otherwise.iter().map(|it| it.lanes.as_slice());
        [self.lanes.as_slice()].into_iter().chain(otherwise)
    }

    pub(super) fn document(&self) -> Value {
        let lanes = |lanes: &[Lane]| lanes.iter().map(Lane::document).collect::<Vec<_>>();
        let otherwise = self.otherwise.iter().map(|it| {
            let Otherwise { reading, way, lanes: own } = it;
            json!({ "reading": reading, "way": way, "lanes": lanes(own) })
        });
        json!({
            "name": self.name,
            "anything": self.is_anything(),
            "lanes": lanes(&self.lanes),
            "otherwise": otherwise.collect::<Vec<_>>(),
        })
    }
}

/// Anything can come out.
fn anything(lanes: &[Lane]) -> bool {
    lanes.contains(&Lane::UndefinedBehavior)
}

/// What is known of the lanes is in their words.
fn among(lanes: &[Lane], results: &[Vec<Bits>]) -> bool {
    lanes.iter().zip(results).all(|(lane, words)| match lane {
        Lane::Value(leaves) => leaves
            .iter()
            .zip(words)
            .all(|(leaf, word)| leaf.is_none() || word.is_none() || leaf == word),
        _ => true,
    })
}

/// The lanes in which the two have different values; empty if one of them allows everything.
fn lanes_that_differ(one: &[Lane], other: &[Lane]) -> Vec<u32> {
    if anything(one) || anything(other) {
        return Vec::new();
    }
    let differ = |a: &Lane, b: &Lane| match (a, b) {
        (Lane::Value(a), Lane::Value(b)) => {
            a.iter().zip(b).any(|(a, b)| a.is_some() && b.is_some() && a != b)
        }
        _ => false,
    };
    let pairs = (0..).zip(one.iter().zip(other));
    pairs.filter(|(_, (a, b))| differ(a, b)).map(|(lane, _)| lane).collect()
}

/// What each way of reading a scene gives in a state: to lanes, or to the memory that is written.
pub(super) fn predictions(
    texts: &AsWritten,
    scene: &Scene,
    instance: &Instance,
    subgroup: &Subgroup,
    written: Option<Held>,
) -> Result<Vec<Prediction>, ModelCheckError> {
    let mut predictions = Vec::new();
    for (name, settled) in &scene.ways {
        let name = name.clone();
        if by_relation(&scene.instruction) {
            let lanes = related(texts, scene, settled, instance, subgroup)?;
            predictions.push(Prediction { name, lanes, otherwise: Vec::new() });
            continue;
        }
        let given = |settled: &Settled| lanes(texts, scene, settled, instance, subgroup, written);
        let lanes = given(settled)?;
        let mut otherwise: Vec<Otherwise> = Vec::new();
        for point in &scene.others {
            let usual = settled.alternative(&point.name);
            for way in point.alternatives.iter().filter(|way| Some(*way) != usual) {
                let there = given(&settled.clone().with(&point.name, way))?;
                if there != lanes {
                    let (reading, way) = (point.kind.name.to_string(), way.to_string());
                    otherwise.push(Otherwise { reading, way, lanes: there });
                }
            }
        }
        predictions.push(Prediction { name, lanes, otherwise });
    }
    Ok(predictions)
}

/// Behavior is undefined in the state by what other documents say of the instruction, those of
/// environments, and by nothing that is predicted: a run shows nothing.
pub(super) fn is_excluded_elsewhere(
    texts: &AsWritten,
    scene: &Scene,
    instance: &Instance,
    subgroup: &Subgroup,
    predictions: &[Prediction],
) -> Result<bool, ModelCheckError> {
    let Some(whole) = texts.specification.instructions.get(&scene.instruction.name) else {
        return Ok(false);
    };
    if by_relation(whole) || predictions.iter().any(Prediction::is_anything) {
        return Ok(false);
    }
    let musts = texts.choice_points.iter().filter(|point| {
        *point.kind.name == *"unmet-must" && *point.instruction == *scene.instruction.name
    });
    let musts: Vec<&str> = musts.map(|point| &*point.name).collect();
    let texts = &texts.specification;
    for (_, settled) in &scene.ways {
        let settled = musts
            .iter()
            .fold(settled.clone(), |settled, must| settled.with(must, "undefined-behavior"));
        let done = carried_out(texts, &settled, whole, instance, subgroup, None)?;
        let undefined =
            |it: &Option<LaneResult>| matches!(it, Some(LaneResult::UndefinedBehavior(_)));
        if done.lanes.iter().any(undefined) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What one way of reading gives to lanes, or to the memory that is written.
fn lanes(
    texts: &AsWritten,
    scene: &Scene,
    settled: &Settled,
    instance: &Instance,
    subgroup: &Subgroup,
    written: Option<Held>,
) -> Result<Vec<Lane>, ModelCheckError> {
    let (texts, instruction) = (&texts.specification, &scene.instruction);
    let done = carried_out(texts, settled, instruction, instance, subgroup, None)?;
    let left = written.and_then(|held| match held {
        Held::Memory(operand) => Some((operand, done.memory.get(&operand)?)),
        _ => None,
    });
    let lanes = done.lanes.iter().map(|lane| match lane {
        None => Lane::NotActive,
        Some(LaneResult::Value(leaves)) => Lane::Value(leaves.clone()),
        Some(LaneResult::UndefinedBehavior(_)) => Lane::UndefinedBehavior,
        Some(LaneResult::Silence(_) | LaneResult::Illegal) => Lane::Unsaid,
    });
    let lanes: Vec<Lane> = lanes.collect();
    Ok(match left {
        Some((operand, left)) => {
            let mut cells = cells(left, &lanes);
            // Lanes that meet race, and the text does not say which is last.
            let (first, past) = ((operand, 0), (operand + 1, 0));
            for (_, place) in met(&done).range(first..past) {
                let cell = match left {
                    Memory::Buffer { .. } => *place,
                    Memory::Image { .. } => place / 4,
                };
                if let Some(cell) = cells.get_mut(cell) {
                    *cell = Lane::Unsaid;
                }
            }
            cells
        }
        None => lanes,
    })
}

/// What sentences that relate the results of all lanes determine of them.
fn related(
    texts: &AsWritten,
    scene: &Scene,
    settled: &Settled,
    instance: &Instance,
    subgroup: &Subgroup,
) -> Result<Vec<Lane>, ModelCheckError> {
    let meaning = Meaning {
        specification: &texts.specification,
        settled,
        clauses: Clauses::Instruction(&scene.instruction),
    };
    let mut states = InstructionStates::new(instance, subgroup.existing);
    let results = states.determined(&meaning, subgroup, LIMIT)?;
    let lane = |lane: Option<Vec<Bits>>| match lane {
        None => Lane::NotActive,
        Some(leaves) if leaves.iter().all(Option::is_none) => Lane::Several,
        Some(leaves) => Lane::Value(leaves),
    };
    Ok(match results {
        Some(lanes) => lanes.into_iter().map(lane).collect(),
        // No result is right: whatever comes out, the text does not have it.
        None => vec![Lane::Unsaid; subgroup.existing as usize],
    })
}

/// The final memory. If a lane's behavior is unspecified, all memory is.
fn cells(left: &Memory, lanes: &[Lane]) -> Vec<Lane> {
    let (Memory::Buffer { elements: cells, .. } | Memory::Image { words: cells, .. }) = left;
    let open = |wanted: &Lane| lanes.contains(wanted).then(|| wanted.clone());
    let open = open(&Lane::UndefinedBehavior).or_else(|| open(&Lane::Unsaid));
    let cell = |cell: &Bits| open.clone().unwrap_or_else(|| Lane::Value(vec![*cell]));
    cells.iter().map(cell).collect()
}
