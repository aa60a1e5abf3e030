//! The evaluator runs what the interpreter does not know: imported functions, and instructions that
//! a user's specification adds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_interpreter::{
    Choices, InstructionCall, LaneValue, PrimitiveCall, PrimitiveFailure, Primitives, Sizes,
};
use laneproof_module::spirv::Op;
use laneproof_module::{Instruction as ModuleInstruction, ModuleType, Named, Program, Site};
use laneproof_semantics::denote::{Argument, DenoteError, Instance, Settled};
use laneproof_semantics::evaluate::{LaneResult, Subgroup, evaluate};
use laneproof_semantics::language::ast::{Clause, SpecInstruction};
use laneproof_semantics::{Specification, Type};

use laneproof_lower::{GivenOperand, capability_names, execution_modes, pair, specified};

/// Runs imported functions, and instructions that the interpreter does not know, as their clauses
/// say.
pub struct Evaluated<'a> {
    specification: &'a Specification,
    settled: &'a Settled,
    program: &'a Program,
}

/// One execution: operands in the specification's order, with their places in the module's
/// instruction.
struct Execution<'a> {
    instruction: &'a SpecInstruction,
    instance: Instance,
    operands: Vec<Vec<LaneValue>>,
    positions: Vec<usize>,
    active: u128,
    sizes: Sizes,
    site: &'a Site,
}

impl<'a> Evaluated<'a> {
    /// The primitives of a specification, for a program that imports them.
    pub fn new(
        specification: &'a Specification,
        settled: &'a Settled,
        program: &'a Program,
    ) -> Self {
        Self { specification, settled, program }
    }

    fn parameter_types(&self, name: &str) -> Option<Vec<Type>> {
        let function =
            self.program.functions.iter().find(|it| it.import.as_deref() == Some(name))?;
        function
            .parameters
            .iter()
            .map(|parameter| match &parameter.ty {
                ModuleType::Data(ty) => Some(ty.clone()),
                _ => None,
            })
            .collect()
    }
}

impl Primitives for Evaluated<'_> {
    fn execute(
        &self,
        call: &PrimitiveCall<'_>,
        choices: &mut dyn Choices,
    ) -> Result<Vec<LaneValue>, PrimitiveFailure> {
        let unknown = PrimitiveFailure::Unknown;
        let instruction = self.specification.instructions.get(call.name);
        let instruction = instruction.filter(|it| it.primitive).ok_or(unknown.clone())?;
        let types = self.parameter_types(call.name).ok_or(unknown.clone())?;
        let result = match call.result {
            ModuleType::Void => None,
            ModuleType::Data(ty) => Some(ty.clone()),
            _ => return Err(unknown),
        };
        // Clauses do not define such a result, or such an operand that is not zero.
        let looked_at = !instruction.has_opaque_result()
            || result.as_ref().is_none_or(|ty| ty.leaf_count() == 0);
        let zero = |lane: &LaneValue| lane.0.iter().all(|leaf| *leaf == Some(0));
        let mut operands = instruction.operands.iter().zip(call.arguments);
        let active = |lane: usize| call.active >> lane & 1 == 1;
        let known = operands.all(|(operand, lanes)| {
            let mut lanes = lanes.iter().enumerate();
            !operand.zero || lanes.all(|(lane, value)| !active(lane) || zero(value))
        });
        if !looked_at || !known {
            return Err(unknown);
        }
        let instance = Instance {
            arguments: types.into_iter().map(Argument::Value).collect(),
            result,
            capabilities: capability_names(self.program),
            modes: execution_modes(self.program),
            version: self.program.preamble.version,
            decorations: BTreeSet::new(),
        };
        let execution = Execution {
            instruction,
            instance,
            operands: call.arguments.to_vec(),
            // An imported function's arguments follow the function's own `<id>`, which the
            // specification does not count.
            positions: (0..call.arguments.len()).collect(),
            active: call.active,
            sizes: call.sizes,
            site: call.site,
        };
        self.lanes(&execution, choices)
    }

    fn instruction(
        &self,
        call: &InstructionCall<'_>,
        choices: &mut dyn Choices,
    ) -> Result<Vec<LaneValue>, PrimitiveFailure> {
        let unknown = || PrimitiveFailure::Unknown;
        let (instruction, first) = self.specified(call).ok_or_else(unknown)?;
        let type_of = |id: u32| match call.values.get(&id) {
            Some((ModuleType::Data(ty), _)) => Some(ty.clone()),
            _ => None,
        };
        let operands = &call.instruction.operands[first..];
        let given = pair(&instruction, operands, self.program, type_of).map_err(|_| unknown())?;
        let (mut arguments, mut lanes, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for (given, position) in given {
            let (argument, value) = match given {
                GivenOperand::Absent => (Argument::Absent, Vec::new()),
                GivenOperand::Argument(argument) => (argument, Vec::new()),
                GivenOperand::Value(id) => {
                    let ty = type_of(id).ok_or_else(unknown)?;
                    let value = call.values.get(&id).map(|(_, lanes)| lanes.clone());
                    (Argument::Value(ty), value.unwrap_or_default())
                }
                GivenOperand::Pointer(_) | GivenOperand::Image(_) | GivenOperand::Values(_) => {
                    return Err(unknown());
                }
            };
            arguments.push(argument);
            lanes.push(value);
            positions.push(first + position);
        }
        let result = match &call.instruction.ty {
            None | Some(ModuleType::Void) => None,
            Some(ModuleType::Data(ty)) => Some(ty.clone()),
            Some(_) => return Err(unknown()),
        };
        if instruction.has_opaque_result() && result.as_ref().is_some_and(|it| it.leaf_count() > 0)
        {
            return Err(unknown());
        }
        let decorations = call.instruction.decorations.iter().map(|it| it.name().to_owned());
        let instance = Instance {
            arguments,
            result,
            capabilities: capability_names(self.program),
            modes: execution_modes(self.program),
            version: self.program.preamble.version,
            decorations: decorations.collect(),
        };
        let execution = Execution {
            instruction: &instruction,
            instance,
            operands: lanes,
            positions,
            active: call.active,
            sizes: call.sizes,
            site: call.site,
        };
        self.lanes(&execution, choices)
    }

    fn changes(&self, instruction: &ModuleInstruction) -> bool {
        let built_in = Specification::built_in().sources.len();
        if self.specification.sources.len() == built_in {
            return false;
        }
        let found = match instruction.opcode {
            Op::ExtInst => self.extended(instruction),
            opcode => specified(self.specification, opcode),
        };
        let users = |clause: &Arc<Clause>| {
            clause.span.file as usize >= built_in && !clause.statements.is_empty()
        };
        found.is_some_and(|it| it.clauses.iter().any(users))
    }
}

impl Evaluated<'_> {
    fn extended(&self, instruction: &ModuleInstruction) -> Option<Arc<SpecInstruction>> {
        let name = self.program.extended(instruction)?;
        self.specification.instructions.get(name.as_str()).cloned()
    }

    /// The specification of an instruction, and where its operands begin in the module's.
    fn specified(&self, call: &InstructionCall<'_>) -> Option<(Arc<SpecInstruction>, usize)> {
        if call.instruction.opcode == Op::ExtInst {
            return Some((self.extended(call.instruction)?, 2));
        }
        Some((specified(self.specification, call.instruction.opcode)?, 0))
    }

    /// The result in each existing lane.
    fn lanes(
        &self,
        execution: &Execution<'_>,
        choices: &mut dyn Choices,
    ) -> Result<Vec<LaneValue>, PrimitiveFailure> {
        let Execution { instruction, instance, operands, positions, active, sizes, site } =
            execution;
        let subgroup = Subgroup {
            existing: sizes.existing,
            size: sizes.subgroup,
            max_size: sizes.max,
            active: *active,
            workgroup: None,
            operands: operands
                .iter()
                .map(|lanes| lanes.iter().map(|value| value.0.clone()).collect())
                .collect(),
            memory: BTreeMap::new(),
        };
        let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
            choices.draw(site, positions[operand], leaf, lane, width)
        };
        let lanes = evaluate(
            self.specification,
            self.settled,
            instruction,
            instance,
            &subgroup,
            &mut draw,
            None,
        )
        .map_err(|error| match error {
            DenoteError::Steps => PrimitiveFailure::TooLong,
            _ => PrimitiveFailure::Unknown,
        })?;
        let mut values = Vec::with_capacity(lanes.len());
        let mut undefined: Option<(Vec<u32>, Arc<str>)> = None;
        for (lane, result) in lanes.into_iter().enumerate() {
            match result {
                None => values.push(LaneValue(Vec::new())),
                Some(LaneResult::Value(leaves)) => values.push(LaneValue(leaves)),
                Some(LaneResult::UndefinedBehavior(clause)) => {
                    undefined.get_or_insert((Vec::new(), clause)).0.push(lane as u32);
                    values.push(LaneValue(Vec::new()));
                }
                Some(LaneResult::Silence(_) | LaneResult::Illegal) => {
                    return Err(PrimitiveFailure::Unknown);
                }
            }
        }
        match undefined {
            Some((lanes, clause)) => {
                Err(PrimitiveFailure::UndefinedBehavior(lanes, clause.to_string()))
            }
            None => Ok(values),
        }
    }
}
