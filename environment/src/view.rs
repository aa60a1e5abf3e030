//! A module as rules see it: declarations, content, calls.

mod folded;
pub mod modes;
mod names;
mod stages;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id, InstructionClass, Listing, Named, Operand};
use laneproof_semantics::language::ast::{
    Operand as DeclaredOperand, OperandType, SpecInstruction,
};

use laneproof_tokens::with_brought;

use crate::fields::{Fields, parameters};
use crate::flow::irreducible;

/// A module, with what rules ask about it worked out.
pub struct View<'a> {
    /// The instructions.
    pub listing: &'a Listing,
    /// The operands' names.
    pub fields: Fields<'a>,
    /// Capabilities that hold: declared ones and those that they bring.
    pub capabilities: BTreeSet<String>,
    /// Extensions that are declared.
    pub extensions: BTreeSet<String>,
    definitions: Definitions,
    decorations: Decorations,
    /// The function of each instruction.
    functions: Vec<Option<Id>>,
    stages: Stages,
    /// Calls that close a circle.
    pub cycles: Vec<Cycle>,
    /// Branches that make control flow irreducible.
    pub irreducible: Vec<usize>,
}

/// What defines each `<id>`.
#[derive(Default)]
struct Definitions {
    at: HashMap<Id, usize>,
    /// The values that `OpSpecConstantOp` has.
    folded: HashMap<Id, u64>,
}

/// The entry points, and what belongs to each.
#[derive(Default)]
struct Stages {
    entry_functions: BTreeSet<Id>,
    /// The declarations of entry points.
    entries: Vec<usize>,
    /// The execution models of the entry points that come to a function.
    models: BTreeMap<Id, BTreeSet<String>>,
    /// The functions that use a variable of the module.
    users: HashMap<Id, BTreeSet<Id>>,
}

/// The instructions that decorate something.
#[derive(Default)]
struct Decorations {
    /// The decorations of each `<id>`.
    of: HashMap<Id, Vec<usize>>,
    /// The instructions that give each group of decorations to something.
    groups: BTreeMap<Id, Vec<usize>>,
}

impl Decorations {
    /// What decorates a group decorates all that it is given to.
    fn hand_on(&mut self, instructions: &[Decoded]) {
        for (group, given) in &self.groups {
            let own = self.of.get(group).cloned().unwrap_or_default();
            let given = given.iter().filter_map(|&at| instructions.get(at));
            for it in given.filter(|it| it.opcode == Op::GroupDecorate) {
                for target in it.operands.iter().skip(1).filter_map(Operand::id_ref_any) {
                    self.of.entry(target).or_default().extend(&own);
                }
            }
        }
    }
}

/// A call from which its caller is reached again.
pub struct Cycle {
    /// The call that closes it.
    pub call: usize,
    /// The functions on the way, from the one that is called.
    pub functions: Vec<Id>,
}

impl<'a> View<'a> {
    /// Works it out.
    pub fn new(listing: &'a Listing, fields: Fields<'a>) -> Self {
        let instructions = listing.instructions();
        let mut view = Self {
            listing,
            fields,
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            definitions: Definitions::default(),
            decorations: Decorations::default(),
            functions: Vec::with_capacity(instructions.len()),
            stages: Stages::default(),
            cycles: Vec::new(),
            irreducible: irreducible(instructions),
        };
        let mut function = None;
        for (index, instruction) in instructions.iter().enumerate() {
            if let Some(result) = instruction.result {
                view.definitions.at.insert(result, index);
            }
            match instruction.opcode {
                Op::Function => function = instruction.result,
                Op::EntryPoint => {
                    view.stages.entry_functions.extend(instruction.id(1));
                    view.stages.entries.push(index);
                }
                Op::Capability => {
                    let name = instruction.operands.first().map(ToString::to_string);
                    view.capabilities.extend(with_brought(name));
                }
                Op::Extension => view.extensions.extend(string(instruction, 0)),
                Op::Variable if function.is_none() => {
                    view.stages.users.extend(instruction.result.map(|it| (it, BTreeSet::new())));
                }
                Op::SpecConstantOp => {
                    let folded = instruction.result.zip(view.folded(instruction));
                    view.definitions.folded.extend(folded);
                }
                Op::Decorate => {
                    let target = instruction.id(0).unwrap_or_default();
                    view.decorations.of.entry(target).or_default().push(index);
                }
                Op::GroupDecorate | Op::GroupMemberDecorate => {
                    let group = instruction.id(0).unwrap_or_default();
                    view.decorations.groups.entry(group).or_default().push(index);
                }
                _ => {}
            }
            if let Some(function) = function {
                view.used_by(function, instruction);
            }
            view.functions.push(function);
            if instruction.opcode == Op::FunctionEnd {
                function = None;
            }
        }
        view.decorations.hand_on(instructions);
        view.follow_calls();
        view
    }

    fn used_by(&mut self, function: Id, instruction: &Decoded) {
        for id in instruction.operands.iter().filter_map(Operand::id_ref_any) {
            if let Some(users) = self.stages.users.get_mut(&id) {
                users.insert(function);
            }
        }
    }

    /// The instructions in order.
    pub fn instructions(&self) -> &'a [Decoded] {
        self.listing.instructions()
    }

    /// The instruction that defines an `<id>`.
    pub fn definition(&self, id: Id) -> Option<&'a Decoded> {
        self.instructions().get(*self.definitions.at.get(&id)?)
    }

    /// What decorates an `<id>`.
    pub fn decorations(&self, id: Id) -> impl Iterator<Item = &'a Decoded> {
        let instructions = self.instructions();
        let indices = self.decorations.of.get(&id).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(move |&index| instructions.get(index))
    }

    /// The type of a value.
    pub fn type_of(&self, id: Id) -> Option<Id> {
        self.definition(id)?.ty
    }

    fn class(&self, id: Id) -> Option<InstructionClass> {
        self.definition(id).map(|it| InstructionClass::of(it.opcode))
    }

    /// The `<id>` is a type.
    pub fn is_type(&self, id: Id) -> bool {
        self.class(id) == Some(InstructionClass::Type)
    }

    /// The number that a constant of up to 64 bits has; none where it may be specialized.
    pub fn constant(&self, id: Id) -> Option<u64> {
        let definition = self.definition(id)?;
        match (definition.opcode, definition.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(low))) => Some(u64::from(*low)),
            (Op::Constant, Some(Operand::LiteralBit64(bits))) => Some(*bits),
            (Op::ConstantNull | Op::ConstantFalse, _) => Some(0),
            (Op::ConstantTrue, _) => Some(1),
            (Op::SpecConstantOp, _) => self.definitions.folded.get(&id).copied(),
            _ => None,
        }
    }

    /// The `<id>` is a constant, specialized or not.
    pub fn is_constant(&self, id: Id) -> bool {
        self.class(id) == Some(InstructionClass::Constant)
    }

    /// The position of each declared operand in an instruction. Optional operands are recognized by
    /// their types: a ballot is a vector, a number is not.
    pub fn positions(&self, declared: &SpecInstruction, given: &Decoded) -> Vec<Option<usize>> {
        let mut next = 0;
        let mut position = |(at, operand): (usize, &DeclaredOperand)| {
            let present = given.operands.get(next)?;
            let fits = |it: &DeclaredOperand| it.optional && self.fits(&it.ty, Some(present));
            let others = declared.operands.get(at + 1..).unwrap_or_default();
            // An operand that fits none of them takes the first one's position, where it is wrong.
            if operand.optional && !fits(operand) && others.iter().any(fits) {
                return None;
            }
            next += 1;
            Some(next - 1)
        };
        declared.operands.iter().enumerate().map(&mut position).collect()
    }

    fn fits(&self, expected: &OperandType, operand: Option<&Operand>) -> bool {
        let ty = operand.and_then(Operand::id_ref_any).and_then(|id| self.type_of(id));
        let Some(ty) = ty.and_then(|ty| self.definition(ty)) else { return true };
        match expected {
            OperandType::Ballot => ty.opcode == Op::TypeVector,
            OperandType::Int(_) | OperandType::AnyInt => ty.opcode != Op::TypeVector,
            _ => true,
        }
    }

    /// The names of an instruction's operands, by position.
    pub fn names(&self, instruction: &Decoded) -> Vec<String> {
        let all = self.fields.names(instruction.opcode);
        let declared = self.fields.declared(instruction.opcode);
        let Some(declared) = declared.filter(|it| it.operands.iter().any(|it| it.optional)) else {
            let more = parameters(instruction, all.len());
            return all.iter().chain(more).cloned().collect();
        };
        let positions = self.positions(declared, instruction);
        let given = declared.operands.iter().zip(positions).filter(|(_, at)| at.is_some());
        given.map(|(operand, _)| operand.name.to_string()).collect()
    }

    /// The position of an operand in an instruction, present or missing.
    pub fn position(&self, instruction: &Decoded, name: &str) -> Option<usize> {
        let Some(at) = self.fields.position(instruction.opcode, name) else {
            let named = self.fields.names(instruction.opcode).len();
            let more = parameters(instruction, named).iter().position(|own| own == name)?;
            return Some(named + more);
        };
        let declared = self.fields.declared(instruction.opcode);
        let optional = declared.and_then(|it| it.operands.get(at)).is_some_and(|it| it.optional);
        match declared {
            // A missing operand has no position.
            Some(declared) if optional => {
                let position = self.positions(declared, instruction).get(at).copied().flatten();
                Some(position.unwrap_or(instruction.operands.len()))
            }
            _ => Some(at),
        }
    }

    /// An entry point names the function of this instruction.
    pub fn in_entry_function(&self, index: usize) -> bool {
        let function = self.function_at(index);
        function.is_some_and(|function| self.stages.entry_functions.contains(&function))
    }

    /// The function that an instruction is in.
    pub fn function_at(&self, index: usize) -> Option<Id> {
        self.functions.get(index).copied().flatten()
    }

    /// The functions of the cycle that a call closes: "`%f` calls `%g` calls `%f`".
    pub fn cycle_closed_by(&self, call: usize) -> Option<String> {
        let cycle = self.cycles.iter().find(|it| it.call == call)?;
        let named = |&id: &Id| format!("`{}`", self.id_text(id));
        Some(match &cycle.functions[..] {
            [function] => format!("{} calls itself", named(function)),
            functions => {
                let names: Vec<String> =
                    functions.iter().chain(functions.first()).map(named).collect();
                names.join(" calls ")
            }
        })
    }

    /// An id as assembly has it.
    pub fn id_text(&self, id: Id) -> String {
        let written = self.listing.written(id).or_else(|| self.listing.name(id));
        match written.filter(|name| !name.is_empty()) {
            Some(name) => format!("%{name}"),
            None => format!("%{id}"),
        }
    }

    /// The variable that a pointer is made of, as far as chains of accesses lead to one.
    pub fn root(&self, pointer: Id) -> Id {
        let mut root = pointer;
        let mut seen = HashSet::new();
        while let Some(definition) = self.definition(root).filter(|_| seen.insert(root)) {
            match (definition.opcode, definition.id(0)) {
                (Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject, Some(base)) => {
                    root = base
                }
                _ => break,
            }
        }
        root
    }

    /// The built-in variables of this name, as the places of their decorations, each with the
    /// type that it has.
    pub fn built_ins(&self, name: &str) -> Vec<(usize, Id)> {
        let mut found = Vec::new();
        for (at, it) in self.instructions().iter().enumerate() {
            let built_in = it.operands.iter().any(|operand| match operand {
                Operand::BuiltIn(built_in) => built_in.names().contains(&name),
                _ => false,
            });
            if !built_in {
                continue;
            }
            let types = match (it.opcode, it.id(0)) {
                (Op::Decorate, Some(target)) => self.decorated_types(target),
                (Op::MemberDecorate, Some(target)) => {
                    self.member(target, it.literal(1).unwrap_or_default()).into_iter().collect()
                }
                _ => Vec::new(),
            };
            found.extend(types.into_iter().map(|ty| (at, ty)));
        }
        found
    }

    /// The types of what a decoration of this target speaks of: a variable, or all to which a group is
    /// given.
    fn decorated_types(&self, target: Id) -> Vec<Id> {
        let of_variable = |id: Id| self.pointee(self.type_of(id)?);
        let Some(given) = self.decorations.groups.get(&target) else {
            return of_variable(target).into_iter().collect();
        };
        let mut types = Vec::new();
        for it in given.iter().filter_map(|&at| self.instructions().get(at)) {
            let targets = it.operands.get(1..).unwrap_or_default();
            match it.opcode {
                Op::GroupDecorate => types
                    .extend(targets.iter().filter_map(Operand::id_ref_any).filter_map(of_variable)),
                _ => types.extend(targets.chunks(2).filter_map(|pair| match pair {
                    [target, Operand::LiteralBit32(member)] => {
                        self.member(target.id_ref_any()?, *member)
                    }
                    _ => None,
                })),
            }
        }
        types
    }

    fn member(&self, target: Id, number: u32) -> Option<Id> {
        self.definition(target)?.id(number as usize)
    }

    /// What a pointer type leads to.
    pub fn pointee(&self, ty: Id) -> Option<Id> {
        let definition = self.definition(ty)?;
        if definition.opcode == Op::TypePointer { definition.id(1) } else { None }
    }

    /// The width of the floating point that a type is, or of what it is made of.
    pub fn float_width(&self, ty: Id) -> Option<u32> {
        let definition = self.definition(ty)?;
        match definition.opcode {
            Op::TypeFloat => definition.literal(0),
            Op::TypeVector | Op::TypeMatrix => self.float_width(definition.id(0)?),
            _ => None,
        }
    }

    fn follow_calls(&mut self) {
        let mut calls: BTreeMap<Id, Vec<(Id, usize)>> = BTreeMap::new();
        for (at, it) in self.instructions().iter().enumerate() {
            if let (Op::FunctionCall, Some(callee), Some(caller)) =
                (it.opcode, it.id(0), self.functions[at])
            {
                calls.entry(caller).or_default().push((callee, at));
            }
        }
        for it in self.instructions().iter().filter(|it| it.opcode == Op::EntryPoint) {
            let (Some(model), Some(function)) = (it.operands.first(), it.id(1)) else { continue };
            let mut pending = vec![function];
            while let Some(function) = pending.pop() {
                if self.stages.models.entry(function).or_default().insert(model.to_string()) {
                    pending.extend(calls.get(&function).into_iter().flatten().map(|it| it.0));
                }
            }
        }
        self.cycles = closing(&calls);
    }
}

/// Calls to a function from which the caller can be reached, the first of each cycle: found by a
/// walk that keeps the way it came.
fn closing(calls: &BTreeMap<Id, Vec<(Id, usize)>>) -> Vec<Cycle> {
    let (mut done, mut found) = (HashSet::new(), BTreeMap::new());
    for &root in calls.keys() {
        let (mut way, mut open) = (vec![(root, 0)], HashSet::from([root]));
        while let Some((function, next)) = way.pop() {
            let Some(&(callee, at)) = calls.get(&function).and_then(|it| it.get(next)) else {
                done.insert(function);
                open.remove(&function);
                continue;
            };
            way.push((function, next + 1));
            if open.contains(&callee) {
                let came = way.iter().map(|&(function, _)| function);
                found.entry(at).or_insert_with(|| came.skip_while(|&it| it != callee).collect());
            } else if !done.contains(&callee) {
                open.insert(callee);
                way.push((callee, 0));
            }
        }
    }
    found.into_iter().map(|(call, functions)| Cycle { call, functions }).collect()
}

/// A literal string.
pub fn string(instruction: &Decoded, index: usize) -> Option<String> {
    match instruction.operands.get(index) {
        Some(Operand::LiteralString(text)) => Some(text.clone()),
        _ => None,
    }
}
