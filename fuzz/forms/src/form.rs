//! The form of an instruction in a module: types, enumerants, constants.

use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};
use laneproof_module::grammar::INSTRUCTION_TABLE;
use laneproof_module::spirv::{Capability, Op};
use laneproof_module::{Named, Operand as Operation};
use laneproof_semantics::Type;
use laneproof_semantics::denote::{Argument, GroupScope, Instance};
use laneproof_semantics::language::ast::{Operand, OperandType, SpecInstruction};

use crate::target::{CheckedSubject, Target, own_operand};
use crate::typing::{DOT_PRODUCTS, Typing};
use crate::values::constant;
use laneproof_generator::Numbers;
use laneproof_semantics::ModuleKind;

/// Memory semantics of a barrier: no direction, one or both, and the kinds of memory.
const fn barrier_semantics(module_kind: ModuleKind) -> [u32; 7] {
    match module_kind {
        ModuleKind::Shader => [0, 0x108, 0x48, 0x148, 0x110, 0x808, 0x44],
        ModuleKind::Kernel => [0, 0x108, 0x208, 0x308, 0x810, 0xb10, 0x202],
    }
}

/// An instruction with everything that does not vary from lane to lane.
#[derive(Clone, Debug)]
pub struct Form {
    /// What it is.
    pub target: Target,
    /// The kind of its module.
    pub module_kind: ModuleKind,
    /// SPIR-V version of the module.
    pub version: (u8, u8),
    /// Whose lanes execute it.
    pub scope: GroupScope,
    /// One for each operand of the specification.
    pub arguments: Vec<Argument>,
    /// By operand, the value of those that are constants.
    pub constants: Vec<Option<u64>>,
    /// Type of the result, where there is one.
    pub result: Option<Type>,
    /// Capabilities beyond the module_kind's own.
    pub capabilities: Vec<Capability>,
    /// Extensions.
    pub extensions: BTreeSet<String>,
    /// Decorations of the result.
    pub decorations: BTreeSet<String>,
}

impl Form {
    /// Chooses a form for a target.
    ///
    /// # Errors
    ///
    /// When the bytes do not suffice.
    pub fn arbitrary(target: &Target, u: &mut Unstructured<'_>) -> Result<Self> {
        let module_kinds = module_kinds(target);
        let (module_kind, capabilities) = u.choose(&module_kinds)?.clone();
        // Newer versions do not have it any more.
        let versions: &[u8] = match &**target.name() {
            "OpAtomicCompareExchangeWeak" => &[3],
            "OpLessOrGreater" => &[5, 4, 3],
            // Older ones have it by an extension.
            name if DOT_PRODUCTS.contains(&name) => &[6],
            _ => &[6, 6, 6, 5, 5, 4, 3],
        };
        let version = (1, *u.choose(versions)?);
        let mut form = Self {
            target: target.clone(),
            module_kind,
            version,
            scope: GroupScope::Subgroup,
            arguments: Vec::new(),
            constants: Vec::new(),
            result: None,
            capabilities,
            extensions: extensions(target),
            decorations: BTreeSet::new(),
        };
        match &target.subject {
            CheckedSubject::Instruction(instruction) => form.operands(&instruction.clone(), u)?,
            CheckedSubject::BuiltIn(built_in) => {
                form.result = Some(Typing::new(u, module_kind).built_in(built_in)?);
                // A subgroup on its own has sizes, but no position in a workgroup.
                let alone = built_in.name.starts_with("Subgroup");
                form.scope = scope(!alone || u.arbitrary()?);
            }
        }
        Ok(form)
    }

    /// A form of one's own; `None` where the grammar does not have the target in this module_kind.
    pub fn of(
        target: &Target,
        module_kind: ModuleKind,
        version: (u8, u8),
        instance: &Instance,
        constants: Vec<Option<u64>>,
    ) -> Option<Self> {
        let module_kinds = module_kinds(target);
        let (module_kind, capabilities) =
            module_kinds.into_iter().find(|(known, _)| *known == module_kind)?;
        Some(Self {
            target: target.clone(),
            module_kind,
            version,
            scope: GroupScope::Subgroup,
            arguments: instance.arguments.clone(),
            constants,
            result: instance.result.clone(),
            capabilities,
            extensions: extensions(target),
            decorations: BTreeSet::new(),
        })
    }

    fn operands(&mut self, instruction: &SpecInstruction, u: &mut Unstructured<'_>) -> Result<()> {
        let group = instruction.operands.iter().any(Operand::names_group);
        self.scope = scope(group && self.target.can_span_workgroups() && u.ratio(1, 4)?);
        let typed =
            Typing::new(u, self.module_kind).of_group(self.scope).instruction(instruction)?;
        // A word stands for a vector of four bytes.
        let packed =
            matches!(typed.arguments.first(), Some(Some(Argument::Value(Type::Scalar(_)))));
        if DOT_PRODUCTS.contains(&&*instruction.name) {
            self.capabilities.push(match packed {
                true => Capability::DotProductInput4x8BitPacked,
                false => Capability::DotProductInputAll,
            });
        }
        let mut numbers = Numbers::new(u.arbitrary()?);
        let memory = instruction.operands.iter().any(|it| matches!(it.ty, OperandType::Pointer(_)));
        for (operand, ty) in instruction.operands.iter().zip(typed.arguments) {
            let argument = match (&operand.ty, ty) {
                (OperandType::Scope, _) if group && !operand.names_group() => {
                    let scopes = ["Device", "Workgroup", "Subgroup", "Subgroup", "Invocation"];
                    Argument::Enumerant(vec![(*u.choose(&scopes)?).into()])
                }
                (OperandType::Scope, _) => Argument::Enumerant(vec![
                    match self.scope {
                        GroupScope::Subgroup => "Subgroup",
                        GroupScope::Workgroup => "Workgroup",
                    }
                    .into(),
                ]),
                (OperandType::Enumerant(_), _) if operand.optional => match packed {
                    true => Argument::Enumerant(vec!["PackedVectorFormat4x8Bit".into()]),
                    false => Argument::Absent,
                },
                (OperandType::Enumerant(_), _) => {
                    Argument::Enumerant(self.target.operation.iter().cloned().collect())
                }
                _ if !self.given(operand, u)? => Argument::Absent,
                (_, Some(argument)) => argument,
                (_, None) => Argument::Opaque,
            };
            // Before 1.5 some indices have to be constants: there, all of them are.
            let index = matches!(operand.ty, OperandType::Int(_) | OperandType::AnyInt);
            let semantics = memory && operand.ty == OperandType::Int(32) && !operand.each;
            // Memory semantics: a relaxed one suits every instruction.
            if semantics || operand.zero {
                self.constants.push(Some(0));
                self.arguments.push(argument);
                continue;
            }
            if &*operand.name == "Semantics" {
                self.constants
                    .push(Some(u64::from(*u.choose(&barrier_semantics(self.module_kind))?)));
                self.arguments.push(argument);
                continue;
            }
            let fixed = operand.constant
                || index && !operand.each && (self.version < (1, 5) || u.ratio(1, 8)?);
            self.constants.push(match &argument {
                Argument::Value(Type::Scalar(scalar)) if fixed => {
                    Some(constant(*scalar, &mut numbers))
                }
                _ => None,
            });
            self.arguments.push(argument);
        }
        self.result = typed.result;
        for decoration in instruction.decorations() {
            let saturates = &*decoration == "SaturatedConversion";
            if saturates && self.module_kind != ModuleKind::Kernel || !u.ratio(1, 3)? {
                continue;
            }
            self.decorations.insert(decoration.to_string());
            if !saturates {
                self.extensions.insert("SPV_KHR_no_integer_wrap_decoration".to_owned());
            }
        }
        Ok(())
    }

    /// Optional operands come with their group operation or, without one, at random.
    fn given(&self, operand: &Operand, u: &mut Unstructured<'_>) -> Result<bool> {
        match &self.target.operation {
            _ if !operand.optional => Ok(true),
            Some(operation) => Ok(own_operand(operation).as_ref() == Some(&operand.ty)),
            None => u.arbitrary(),
        }
    }
}

const fn scope(spans_workgroup: bool) -> GroupScope {
    if spans_workgroup { GroupScope::Workgroup } else { GroupScope::Subgroup }
}

/// The module_kinds in which the grammar allows a target, each with the capabilities that it then
/// needs.
fn module_kinds(target: &Target) -> Vec<(ModuleKind, Vec<Capability>)> {
    let needed = match &target.subject {
        CheckedSubject::Instruction(instruction) => needed(&instruction.name),
        CheckedSubject::BuiltIn(built_in) if &*built_in.document == "OpenCL_API" => {
            vec![Capability::Kernel]
        }
        // In a shader it is a constant with the variable's value.
        CheckedSubject::BuiltIn(built_in) if &*built_in.name == "WorkgroupSize" => {
            vec![Capability::Kernel]
        }
        CheckedSubject::BuiltIn(_) => vec![Capability::GroupNonUniformBallot],
    };
    let (shader, kernel) = (Capability::Shader, Capability::Kernel);
    let mut module_kinds = Vec::new();
    for (module_kind, own, other) in
        [(ModuleKind::Shader, shader, kernel), (ModuleKind::Kernel, kernel, shader)]
    {
        if own == Capability::Shader && (has_image(target) || moves_blocks(target)) {
            continue;
        }
        if needed.contains(&own) || needed.is_empty() {
            module_kinds.push((module_kind, Vec::new()));
        } else if !needed.contains(&other) {
            let mut needed = needed.clone();
            needed.extend(for_operation(target, own, &needed));
            module_kinds.push((module_kind, needed));
        }
    }
    module_kinds
}

/// Whether it moves a block of memory: what lanes must do for that, only kernels' environments say.
fn moves_blocks(target: &Target) -> bool {
    match &target.subject {
        CheckedSubject::Instruction(it) => {
            &*it.document == "SPV_INTEL_subgroups"
                && it.operands.iter().any(|it| matches!(it.ty, OperandType::Pointer(_)))
        }
        CheckedSubject::BuiltIn(_) => false,
    }
}

/// Whether an operand is an image. Those of shaders cannot be passed to a function.
fn has_image(target: &Target) -> bool {
    match &target.subject {
        CheckedSubject::Instruction(it) => it.operands.iter().any(|it| it.ty == OperandType::Image),
        CheckedSubject::BuiltIn(_) => false,
    }
}

/// A capability that a group operation still needs, beside those that are there.
fn for_operation(target: &Target, own: Capability, there: &[Capability]) -> Option<Capability> {
    let operation = target.operation.as_ref()?.parse().ok()?;
    let any_of = Operation::GroupOperation(operation).required_capabilities();
    let served = any_of.iter().any(|it| *it == own || there.contains(it));
    any_of.into_iter().find(|it| !served && *it != Capability::Kernel)
}

/// What an extension needs that no document is about: atomics on vectors.
const VECTORS: Capability = Capability::AtomicFloat16VectorNV;

/// The capabilities that the grammar lists for an instruction; extensions rename opcodes.
fn needed(name: &str) -> Vec<Capability> {
    match name.split_once(' ') {
        Some(("OpenCL.std", _)) => return vec![Capability::Kernel],
        Some(_) => return vec![Capability::Shader],
        None => {}
    }
    let capabilities =
        Op::of_name(name).map_or(&[][..], |it| INSTRUCTION_TABLE.get(it).capabilities);
    capabilities.iter().copied().filter(|it| *it != VECTORS).collect()
}

/// The SPIR-V extensions among the documents with clauses for a target.
fn extensions(target: &Target) -> BTreeSet<String> {
    let clauses = match &target.subject {
        CheckedSubject::Instruction(instruction) => &instruction.clauses,
        CheckedSubject::BuiltIn(built_in) => &built_in.clauses,
    };
    let documents = clauses.iter().map(|clause| &*clause.document);
    documents.filter(|name| name.starts_with("SPV_")).map(str::to_owned).collect()
}

/// Whether an operand leads into memory.
pub(crate) fn is_memory(argument: &Argument) -> bool {
    matches!(argument, Argument::Pointer(_) | Argument::Image)
}
