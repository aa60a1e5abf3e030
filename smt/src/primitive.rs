//! Target primitives in the interpreter: the evaluator stands in for them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_interpreter::{Choices, LaneValue, PrimitiveCall, PrimitiveFailure, Primitives};
use laneproof_module::{Program, Type as ModuleType};
use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::{LaneResult, Subgroup, evaluate};
use laneproof_semantics::{Specification, Type};

/// Runs imported functions as their clauses say.
pub struct Evaluated<'a> {
    specification: &'a Specification,
    settled: &'a Settled,
    program: &'a Program,
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
        // Of such a result clauses say nothing, nor of such an operand that is not zero.
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
            capabilities: Arc::new(BTreeSet::new()),
            version: self.program.version,
            decorations: BTreeSet::new(),
        };
        let subgroup = Subgroup {
            existing: call.sizes.existing,
            size: call.sizes.subgroup,
            max_size: call.sizes.max,
            active: call.active,
            workgroup: None,
            operands: call
                .arguments
                .iter()
                .map(|lanes| lanes.iter().map(|value| value.0.clone()).collect())
                .collect(),
            memory: BTreeMap::new(),
        };
        // An imported function's arguments follow the function's own `<id>`.
        let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
            choices.draw(call.site, operand, leaf, lane, width)
        };
        let lanes = evaluate(
            self.specification,
            self.settled,
            instruction,
            &instance,
            &subgroup,
            &mut draw,
            None,
        )
        .map_err(|_| PrimitiveFailure::Unknown)?;
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
