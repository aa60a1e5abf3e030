//! Functions of other modules, which generated modules call: both sides of an entry of the
//! catalogue, or functions of the user.

mod slimmer;

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::{InstructionClass, Named};
use laneproof_semantics::{FloatFormat, Scalar, Type};
use rspirv::dr::{self, Instruction, Operand as Word};
use rspirv::spirv::{Capability, Decoration, Op, StorageClass};

use laneproof_semantics::ModuleKind;

/// A module with functions that take and return scalars and vectors.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// Its name.
    pub name: String,
    /// The environment that it is for.
    pub module_kind: ModuleKind,
    /// The subgroup sizes that it is about; none: any.
    pub sizes: Vec<u32>,
    /// All lanes of a workgroup have to come to its functions together.
    pub converged: bool,
    /// Those that can be called.
    pub functions: Vec<ForeignFunction>,
    pub(crate) module: dr::Module,
    words: Vec<u32>,
}

/// A function that can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignFunction {
    /// Its name.
    pub name: String,
    /// Its id in the module that it comes from.
    pub(crate) id: u32,
    /// What it takes.
    pub parameters: Vec<ForeignParameter>,
    /// What it returns.
    pub result: Type,
    /// It has control flow of its own.
    pub branches: bool,
    /// The group instructions in it: name, group operation and type.
    pub covers: Vec<(String, Option<String>, String)>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignParameter {
    /// Its type.
    pub ty: Type,
    /// All lanes have to pass the same.
    pub uniform: bool,
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && self.name == other.name && self.converged == other.converged
    }
}

impl Eq for Foreign {}

impl Foreign {
    /// The functions of a module that other modules can call: those that are named, by default all.
    /// `None` if there are none, or if the module has memory, imports or decorations that cannot be
    /// copied.
    pub fn read(name: &str, words: &[u32], wanted: &[&str]) -> Option<Self> {
        let module = rspirv::dr::load_words(words).ok()?;
        let has = |wanted: Capability| {
            module.capabilities.iter().any(|it| it.operands.contains(&Word::Capability(wanted)))
        };
        let module_kind =
            if has(Capability::Kernel) { ModuleKind::Kernel } else { ModuleKind::Shader };
        if has(Capability::VulkanMemoryModel) || !can_be_moved(&module) {
            return None;
        }
        let names = names(&module);
        let types = types(&module);
        let functions: Vec<ForeignFunction> = module
            .functions
            .iter()
            .filter_map(|function| callable(&module, function, &names, &types))
            .filter(|function| wanted.is_empty() || wanted.contains(&&*function.name))
            .collect();
        if functions.is_empty() {
            return None;
        }
        let converged = module.all_inst_iter().any(needs_all_lanes);
        let (name, sizes) = (name.to_owned(), Vec::new());
        let words = words.to_vec();
        Some(Self { name, module_kind, sizes, converged, functions, module, words })
    }

    /// The module's own words.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

/// All lanes of the scope must execute it together.
fn needs_all_lanes(instruction: &Instruction) -> bool {
    let has_scope = || instruction.operands.iter().any(|it| matches!(it, Word::IdScope(_)));
    match InstructionClass::of(instruction.class.opcode) {
        InstructionClass::Barrier => instruction.class.opcode != Op::MemoryBarrier,
        InstructionClass::Group => has_scope(),
        _ => false,
    }
}

/// Capabilities of what is left behind: linkage, and decorations and assumptions, which only
/// leave less defined.
pub(crate) const fn is_left_out(capability: Capability) -> bool {
    matches!(
        capability,
        Capability::Linkage
            | Capability::ExpectAssumeKHR
            | Capability::UniformDecoration
            | Capability::Shader
            | Capability::Kernel
            | Capability::Addresses
            | Capability::Matrix
    )
}

/// It has no memory of its own, no functions from elsewhere and nothing that is declared late.
fn can_be_moved(module: &dr::Module) -> bool {
    let of_built_in: BTreeSet<u32> = module
        .annotations
        .iter()
        .filter(|it| it.operands.contains(&Word::Decoration(Decoration::BuiltIn)))
        .filter_map(|it| it.operands.first()?.id_ref_any())
        .collect();
    let global = |it: &Instruction| match it.class.opcode {
        Op::Variable => {
            it.operands.first() == Some(&Word::StorageClass(StorageClass::Input))
                && it.result_id.is_some_and(|id| of_built_in.contains(&id))
        }
        op => !matches!(op, Op::TypeForwardPointer | Op::TypeImage | Op::TypeSampler),
    };
    let groups = |it: &Instruction| {
        matches!(it.class.opcode, Op::DecorationGroup | Op::GroupDecorate | Op::DecorateId)
    };
    let expects = module.all_inst_iter().any(|it| it.class.opcode == Op::ExpectKHR);
    module.types_global_values.iter().all(global)
        && !module.annotations.iter().any(groups)
        && module.functions.iter().all(|function| !function.blocks.is_empty())
        && !expects
}

fn names(module: &dr::Module) -> BTreeMap<u32, String> {
    let named = module.debug_names.iter().filter(|it| it.class.opcode == Op::Name);
    named
        .filter_map(|it| match it.operands.as_slice() {
            [Word::IdRef(id), Word::LiteralString(name)] => {
                Some((*id, name.split('(').next().unwrap_or_default().to_owned()))
            }
            _ => None,
        })
        .collect()
}

/// The scalar and vector types of a module, by id.
fn types(module: &dr::Module) -> BTreeMap<u32, Type> {
    let mut found: BTreeMap<u32, Type> = BTreeMap::new();
    for it in &module.types_global_values {
        let ty = match (it.class.opcode, it.operands.as_slice()) {
            (Op::TypeBool, _) => Some(Type::BOOL),
            (Op::TypeInt, [Word::LiteralBit32(width), Word::LiteralBit32(signed)]) => {
                Some(Type::Scalar(Scalar::Int { width: *width, signed: *signed == 1 }))
            }
            // With a second operand it has another encoding.
            (Op::TypeFloat, [Word::LiteralBit32(width)]) => {
                FloatFormat::ieee(*width).map(|it| Type::Scalar(Scalar::Float(it)))
            }
            (Op::TypeVector, [Word::IdRef(element), Word::LiteralBit32(count)]) => {
                match found.get(element) {
                    Some(Type::Scalar(element)) if *count <= 4 => {
                        Some(Type::Vector { element: *element, count: *count })
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let (Some(id), Some(ty)) = (it.result_id, ty) {
            found.insert(id, ty);
        }
    }
    found
}

fn callable(
    module: &dr::Module,
    function: &dr::Function,
    names: &BTreeMap<u32, String>,
    types: &BTreeMap<u32, Type>,
) -> Option<ForeignFunction> {
    let definition = function.def.as_ref()?;
    let id = definition.result_id?;
    let result = types.get(&definition.result_type?)?.clone();
    let uniform = |id: u32| {
        module.annotations.iter().any(|it| {
            it.operands.first() == Some(&Word::IdRef(id))
                && matches!(
                    it.operands.get(1),
                    Some(Word::Decoration(Decoration::Uniform | Decoration::UniformId))
                )
        })
    };
    let parameters = function.parameters.iter().map(|it| {
        let ty = types.get(&it.result_type?)?.clone();
        Some(ForeignParameter { ty, uniform: it.result_id.is_some_and(uniform) })
    });
    let parameters = parameters.collect::<Option<Vec<_>>>()?;
    let name = names.get(&id)?.clone();
    let (branches, covers) = (function.blocks.len() > 1, covers(function, types));
    Some(ForeignFunction { name, id, parameters, result, branches, covers })
}

fn covers(
    function: &dr::Function,
    types: &BTreeMap<u32, Type>,
) -> Vec<(String, Option<String>, String)> {
    let group = |it: &&Instruction| InstructionClass::of(it.class.opcode).is_group();
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions
        .filter(group)
        .filter_map(|it| {
            let ty = types.get(&it.result_type?)?;
            let operation = it.operands.iter().find_map(|operand| match operand {
                Word::GroupOperation(_) => Some(operand.to_string()),
                _ => None,
            });
            let name = it.class.opcode.name().to_owned();
            Some((name, operation, crate::type_name::type_name(ty)))
        })
        .collect()
}
