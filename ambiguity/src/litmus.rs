//! Findings as modules that can be run anywhere: what comes out tells which way an implementation
//! reads the text.

mod prediction;
mod readme;

use std::sync::Arc;

use laneproof_forms::{CheckedSubject, FIRST_OPERAND, Form, Held, Standalone, Target};
use laneproof_module::{ValidationEnvironment, assemble_text, validate_for};
use laneproof_semantics::ModuleKind;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::denote::{Argument, Instance};
use laneproof_semantics::evaluate::{Bits, Memory, Subgroup};
use laneproof_semantics::language::ast::OperandType;
use serde_json::{Value, json};
use thiserror::Error;

use crate::case::{by_capability, by_relation, constants};
use crate::finding::{Finding, FindingKind, Scene};

pub use prediction::{Lane, Otherwise, Prediction};

/// A finding as a module, its inputs and what each way of reading predicts of it.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// The finding's id.
    pub id: String,
    /// Files by name.
    pub files: Vec<(&'static str, String)>,
    /// The module's text.
    pub module: String,
    /// The environment whose rules it keeps to, as SPIRV-Tools names it.
    pub environment: &'static str,
    /// The memory that it is run with, in the form of `laneproof run`.
    pub inputs: Value,
    /// Sizes, active set and operands.
    pub subgroup: Subgroup,
    /// The rank of the sizes, 0 for the most ordinary; `None` if no state of the requested size
    /// shows the finding.
    pub rank: Option<usize>,
    /// The argument whose memory is written, if that is observed. Then a lane in predictions means
    /// an element of it, or a word of an image.
    pub written: Option<usize>,
    /// What each way of reading predicts.
    pub predictions: Vec<Prediction>,
}

/// The lanes, or elements of memory, that tell two readings apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tells<'l> {
    /// Their names.
    pub readings: [&'l str; 2],
    /// The lanes in which they give values that differ.
    pub lanes: Vec<u32>,
    /// However any one other sentence is read. Else only where others are read as they are here.
    pub anyway: bool,
}

/// Why a finding has no module.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LitmusError {
    /// It is not about states.
    #[error("{0}")]
    NoState(&'static str),
    /// The instruction is a draft's.
    #[error("no assembler takes {0}, which is not in SPIR-V's grammar")]
    Draft(String),
    /// The module cannot be written or is not valid.
    #[error("no module shows it: {0}")]
    NoModule(String),
    /// The evaluator does not tell what the ways of reading give.
    #[error("what it gives is not evaluated: {0}")]
    NotEvaluated(String),
    /// No memory that a run is given is such.
    #[error("{0}")]
    Memory(&'static str),
    /// An environment's document says more than the one that the finding is in.
    #[error(
        "in the state that was found a document of an environment leaves behavior undefined, and a \
         run would show nothing"
    )]
    Excluded,
    /// Several results are right, and no list of them is made.
    #[error(
        "sentences relate the results of all lanes and determine none in which the readings differ, \
         at this size of subgroups"
    )]
    Relation,
    /// No device, and no run of laneproof, has such sizes.
    #[error(
        "only subgroups of {size} lanes (SubgroupMaxSize {max_size}) show it, and no such size is a power of two"
    )]
    Sizes {
        /// S.
        size: u32,
        /// M.
        max_size: u32,
    },
}

/// The initial value of results, which is in no prediction.
const UNTOUCHED: u32 = 0xdead_beef;

/// SPIR-V extensions that Vulkan knows, among those that texts are about. The others are for
/// kernels only.
const OF_VULKAN: [&str; 2] = ["SPV_KHR_subgroup_rotate", "SPV_NV_shader_subgroup_partitioned"];

/// Versions of SPIR-V, the first in which it can be said: more machines take an older one.
const VERSIONS: [((u8, u8), &str); 2] = [((1, 2), "spv1.2"), ((1, 3), "spv1.3")];

/// The module of a finding that was searched for with [`crate::SearchOptions::litmus`].
///
/// # Errors
///
/// If there is no litmus test for it: the reason.
pub fn litmus(texts: &AsWritten, finding: &Finding) -> Result<Litmus, LitmusError> {
    let mut reason = LitmusError::NoState(stateless(finding));
    // Where nothing tells the ways of one scene apart, those of another may differ.
    for scene in finding.scenes() {
        match of_scene(texts, finding, scene) {
            Err(LitmusError::Relation) => reason = LitmusError::Relation,
            other => return other,
        }
    }
    Err(reason)
}

fn of_scene(texts: &AsWritten, finding: &Finding, scene: &Scene) -> Result<Litmus, LitmusError> {
    if by_relation(&scene.instruction) && scene.staged.is_none() {
        return Err(LitmusError::Relation);
    }
    let name = &*scene.instruction.name;
    if laneproof_tokens::GrammarEntry::of(name).is_none() {
        return Err(LitmusError::Draft(name.to_owned()));
    }
    let (subgroup, rank) = match &scene.staged {
        Some(staged) => (&staged.subgroup, Some(staged.rank)),
        None => (&scene.smallest.0, None),
    };
    let Subgroup { size, max_size, existing, .. } = *subgroup;
    if !size.is_power_of_two() || !max_size.is_power_of_two() {
        return Err(LitmusError::Sizes { size, max_size });
    }
    runnable(subgroup)?;
    let module_kind = module_kind(scene, subgroup);
    let form = form(scene, subgroup, module_kind)
        .ok_or_else(|| LitmusError::NoModule("no kind of module has the instruction".to_owned()))?;
    let Written { module, operands, environment } = written(form.clone(), existing)?;
    let inputs = inputs(&form, &operands, subgroup);
    let instance = Instance {
        capabilities: Arc::new([module_kind.capability().to_owned()].into()),
        ..scene.instance.clone()
    };
    let memory = |held: &&Held| matches!(held, Held::Memory(_));
    let target = operands.iter().find(memory).copied();
    let target = target.filter(|_| scene.instance.result.is_none());
    let written = target.and_then(|target| operands.iter().position(|it| *it == target));
    let predictions = prediction::predictions(texts, scene, &instance, subgroup, target)
        .map_err(|error| LitmusError::NotEvaluated(error.to_string()))?;
    let excluded =
        prediction::is_excluded_elsewhere(texts, scene, &instance, subgroup, &predictions)
            .map_err(|error| LitmusError::NotEvaluated(error.to_string()))?;
    if excluded {
        return Err(LitmusError::Excluded);
    }
    let known = predictions.iter().any(|it| it.lanes.iter().any(Lane::is_known));
    if by_relation(&scene.instruction) && !known {
        return Err(LitmusError::Relation);
    }
    let mut litmus = Litmus {
        id: finding.id.clone(),
        files: Vec::new(),
        module,
        environment,
        inputs,
        subgroup: subgroup.clone(),
        rank,
        written: written.map(|place| FIRST_OPERAND + place),
        predictions,
    };
    litmus.files = vec![
        ("module.spvasm", litmus.module.clone()),
        ("inputs.json", pretty(&litmus.inputs)),
        ("readings.json", pretty(&litmus.document(finding, scene))),
        ("README.md", readme::readme(&litmus, finding, scene, &operands)),
    ];
    Ok(litmus)
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// A run can be given such memory.
fn runnable(subgroup: &Subgroup) -> Result<(), LitmusError> {
    for memory in subgroup.memory.values() {
        match memory {
            Memory::Buffer { address: 1.., .. } => {
                let reason =
                    "it shows only in a buffer that begins where no machine lets one begin";
                return Err(LitmusError::Memory(reason));
            }
            Memory::Image { texel_bytes, .. } if *texel_bytes != 4 => {
                let reason = "it shows only in an image whose elements are not of four bytes, which \
                              no run is given";
                return Err(LitmusError::Memory(reason));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Why a kind of finding has no state.
const fn stateless(finding: &Finding) -> &'static str {
    if finding.evidence.module.is_some() {
        return "it is about which modules there may be, not about a state";
    }
    match finding.kind {
        FindingKind::Repaired => "it is about what a sentence leaves out, not about a state",
        FindingKind::DeadClause => {
            "it is about a condition that no state meets, or that never decides"
        }
        FindingKind::IllTyped => "it is about types that do not fit, not about a state",
        FindingKind::Token => "it is about numbers and names, not about a state",
        FindingKind::CrossDocument => "it is about what documents allow, not about a state",
        _ => "it is about what sentences do not say, whatever the state",
    }
}

/// A shader where Vulkan has the extension and sizes allow it; what a clause says of a kind of
/// module holds of that kind.
fn module_kind(scene: &Scene, subgroup: &Subgroup) -> ModuleKind {
    let documents = scene.instruction.clauses.iter().map(|clause| &*clause.document);
    let mut extensions = documents.chain([&*scene.instruction.document]);
    let in_vulkan = extensions.all(|name| OF_VULKAN.contains(&name));
    let kernel =
        by_capability(&scene.instruction) && scene.instance.capabilities.contains("Kernel");
    match in_vulkan && !kernel && subgroup.size == subgroup.max_size {
        true => ModuleKind::Shader,
        false => ModuleKind::Kernel,
    }
}

fn form(scene: &Scene, subgroup: &Subgroup, module_kind: ModuleKind) -> Option<Form> {
    let operation = scene.instance.arguments.iter().zip(&scene.instruction.operands);
    let mut operation = operation.filter_map(|(argument, operand)| match (argument, &operand.ty) {
        (Argument::Enumerant(names), OperandType::Enumerant(_)) => names.first().cloned(),
        _ => None,
    });
    let subject = CheckedSubject::Instruction(scene.instruction.clone());
    let target = Target { subject, operation: operation.next() };
    let known = constants(&scene.instruction);
    let constants = (0..scene.instance.arguments.len()).map(|operand| {
        let first = subgroup.operands.get(operand)?.first()?.first().copied().flatten();
        first.filter(|_| known.contains(&operand))
    });
    Form::of(&target, module_kind, VERSIONS[0].0, &scene.instance, constants.collect())
}

/// A module that an environment takes.
struct Written {
    module: String,
    operands: Vec<Held>,
    environment: &'static str,
}

/// Validates it for the first version and environment that accepts it. No environment of the
/// validator accepts a kernel with an instruction of SPIR-V 1.3, but it is valid.
fn written(mut form: Form, lanes: u32) -> Result<Written, LitmusError> {
    let environments: &[Option<(ValidationEnvironment, &str)>] = match form.module_kind {
        ModuleKind::Shader => &[Some((ValidationEnvironment::Vulkan, "vulkan1.3"))],
        ModuleKind::Kernel => &[Some((ValidationEnvironment::OpenCl, "opencl2.2")), None],
    };
    let mut complaint = String::new();
    for environment in environments {
        for (version, of_version) in VERSIONS {
            form.version = version;
            let unheld =
                || LitmusError::NoModule("operands or result are not of 32 bits".to_owned());
            let Standalone { text, operands } = form.standalone(lanes).ok_or_else(unheld)?;
            let valid = assemble_text(&text, "module.spvasm")
                .map_err(|error| error.to_string())
                .and_then(|words| match environment {
                    Some((environment, name)) => validate_for(*environment, &words).map(|()| *name),
                    None => Ok(of_version),
                });
            match valid {
                Ok(environment) => return Ok(Written { module: text, operands, environment }),
                Err(message) => complaint = message,
            }
        }
    }
    Err(LitmusError::NoModule(complaint))
}

/// What memory holds before the run.
fn inputs(form: &Form, operands: &[Held], subgroup: &Subgroup) -> Value {
    let lanes = subgroup.existing as usize;
    let words = form.result.as_ref().map_or(1, |ty| ty.leaf_count());
    let active = (0..lanes).map(|lane| (subgroup.active >> lane & 1) as u64);
    let buffer = |values: Vec<u64>| json!({ "type": "u32", "values": values });
    let held = |leaves: &mut dyn Iterator<Item = &Bits>| -> Vec<u64> {
        leaves.map(|bits| bits.unwrap_or(0)).collect()
    };
    let own = [vec![u64::from(UNTOUCHED); lanes * words], vec![0; lanes], active.collect()];
    let mut buffers: Vec<Value> = own.map(|values| json!({ "buffer": buffer(values) })).to_vec();
    assert_eq!(buffers.len(), FIRST_OPERAND);
    for operand in operands {
        buffers.push(match *operand {
            Held::Value(operand) => {
                json!({ "buffer": buffer(held(&mut subgroup.operands[operand].iter().flatten())) })
            }
            Held::Memory(operand) => match subgroup.memory.get(&operand) {
                Some(Memory::Image { width, height, words, .. }) => {
                    let words = held(&mut words.iter());
                    json!({ "image": { "width": width, "height": height, "words": words } })
                }
                Some(Memory::Buffer { elements, .. }) => {
                    json!({ "buffer": buffer(held(&mut elements.iter())) })
                }
                None => json!({ "buffer": buffer(vec![0]) }),
            },
            Held::Place(operand) => {
                let Some(Memory::Buffer { pointers, .. }) = subgroup.memory.get(&operand) else {
                    continue;
                };
                json!({ "buffer": buffer(pointers.iter().map(|it| u64::from(*it)).collect()) })
            }
        });
    }
    match form.module_kind {
        ModuleKind::Shader => {
            let buffers = buffers.iter().enumerate();
            let named = buffers.map(|(number, it)| (format!("0.{number}"), it["buffer"].clone()));
            json!({ "bindings": named.collect::<serde_json::Map<_, _>>() })
        }
        ModuleKind::Kernel => json!({ "arguments": buffers }),
    }
}

impl Litmus {
    /// The words that a run left for each lane, out of the document that it left; of memory that is
    /// written each word on its own.
    pub fn results(&self, left: &Value) -> Option<Vec<Vec<Option<u64>>>> {
        if let Some(argument) = self.written {
            let argument = left.get("arguments")?.get(argument)?;
            let words = argument.pointer("/buffer/values");
            let words = words.or_else(|| argument.pointer("/image/words"))?.as_array()?;
            return Some(words.iter().map(|word| vec![word.as_u64()]).collect());
        }
        let values = left
            .pointer("/bindings/0.0/values")
            .or_else(|| left.pointer("/arguments/0/buffer/values"))?
            .as_array()?;
        let words = (values.len() / self.subgroup.existing as usize).max(1);
        Some(values.chunks(words).map(|lane| lane.iter().map(Value::as_u64).collect()).collect())
    }

    /// For each pair of readings that give values that differ: where.
    pub fn tells(&self) -> Vec<Tells<'_>> {
        let mut tells = Vec::new();
        for (index, one) in self.predictions.iter().enumerate() {
            for other in &self.predictions[index + 1..] {
                let readings = [one.name.as_str(), other.name.as_str()];
                let anyway = one.always_differing_lanes(other);
                let (lanes, anyway) = match anyway.is_empty() {
                    true => (one.differing_lanes(other), false),
                    false => (anyway, true),
                };
                if !lanes.is_empty() {
                    tells.push(Tells { readings, lanes, anyway });
                }
            }
        }
        tells
    }

    /// The lanes in which some reading gives no value, so that the implementation decides.
    pub fn open(&self) -> Vec<u32> {
        let open = |lane: &u32| {
            let at = |prediction: &Prediction| {
                prediction.lanes.get(*lane as usize).is_some_and(Lane::is_open)
            };
            self.predictions.iter().any(at)
        };
        let count = self.predictions.first().map_or(0, |it| it.lanes.len());
        (0..count as u32).filter(open).collect()
    }

    fn document(&self, finding: &Finding, scene: &Scene) -> Value {
        let shader = self.inputs.get("bindings").is_some();
        let tells: Vec<Value> = self
            .tells()
            .into_iter()
            .map(|it| json!({ "readings": it.readings, "lanes": it.lanes, "anyway": it.anyway }))
            .collect();
        let argument = self.written.unwrap_or(0);
        let results =
            if shader { json!({ "binding": "0.0" }) } else { json!({ "argument": argument }) };
        let sizes = if shader { json!({ "binding": "0.1" }) } else { json!({ "argument": 1 }) };
        json!({
            "finding": finding.id,
            "question": finding.summary,
            "instruction": scene.instruction.name.as_ref(),
            "environment": self.environment,
            "entry_point": if shader { "main" } else { "litmus" },
            "subgroup_size": self.subgroup.size,
            "max_size": self.subgroup.max_size,
            "local_size": self.subgroup.existing,
            "ordinary_sizes": self.rank.is_some(),
            "results": results,
            "sizes": sizes,
            "untouched": UNTOUCHED,
            "readings": self.predictions.iter().map(Prediction::document).collect::<Vec<_>>(),
            "tells_apart": tells,
            "open_lanes": self.open(),
        })
    }
}
