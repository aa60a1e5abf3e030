//! Types for an instruction's operands and result, within its `where` lines.
//!
//! The relations between the types of composites and conversions follow from SPIR-V's rules of
//! validity, not from clauses; these few rules are here.

use std::collections::BTreeMap;
use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use laneproof_semantics::denote::{Argument, GroupScope};
use laneproof_semantics::language::ast::{BuiltIn, OperandType, SpecInstruction, TypeRule};
use laneproof_semantics::{FloatFormat, Scalar, Type};

use laneproof_semantics::ModuleKind;

/// What an instruction's operands are and what it gives.
pub(crate) struct Typed {
    /// Types of the operands that are values; literals; `None` for the others.
    pub arguments: Vec<Option<Argument>>,
    /// Type of the result.
    pub result: Option<Type>,
}

/// Chooses types.
pub(crate) struct Typing<'u, 'b> {
    pub u: &'u mut Unstructured<'b>,
    pub module_kind: ModuleKind,
    scope: GroupScope,
    /// What an integer of any width has to be.
    integer: Option<Scalar>,
    bound: BTreeMap<Arc<str>, Type>,
}

/// Dot products of integers.
pub(crate) const DOT_PRODUCTS: [&str; 6] =
    ["OpSDot", "OpUDot", "OpSUDot", "OpSDotAccSat", "OpUDotAccSat", "OpSUDotAccSat"];

const INTEGERS: [Scalar; 4] =
    [Scalar::uint(8), Scalar::uint(16), Scalar::uint(32), Scalar::uint(64)];
const FLOATS: [Scalar; 3] = [Scalar::F16, Scalar::F32, Scalar::F64];

impl<'u, 'b> Typing<'u, 'b> {
    pub(crate) fn new(u: &'u mut Unstructured<'b>, module_kind: ModuleKind) -> Self {
        Self { u, module_kind, scope: GroupScope::Subgroup, integer: None, bound: BTreeMap::new() }
    }

    /// For the lanes of such a group.
    pub(crate) fn of_group(self, scope: GroupScope) -> Self {
        Self { scope, ..self }
    }

    /// Chooses the type of a built-in variable: vectors have an element for each axis.
    pub(crate) fn built_in(mut self, built_in: &BuiltIn) -> Result<Type> {
        let word = *self.u.choose(&[Scalar::uint(32), Scalar::uint(64)])?;
        Ok(match &built_in.ty {
            OperandType::Variable(_) => shaped(word, 3),
            OperandType::AnyInt => Type::Scalar(word),
            other => self.value(other)?.unwrap_or(Type::U32),
        })
    }

    /// Chooses the types of one instruction.
    pub(crate) fn instruction(mut self, instruction: &SpecInstruction) -> Result<Typed> {
        self.bind(instruction)?;
        let mut literals = Vec::new();
        let mut parts = Vec::new();
        match &*instruction.name {
            "OpVectorShuffle" => literals = self.vector_shuffle()?,
            "OpCompositeConstruct" => parts = self.construct()?,
            "OpCompositeExtract" => literals = self.path("C", "T")?,
            "OpCompositeInsert" => literals = self.path("C", "T")?,
            "OpCopyLogical" => {
                let ty = self.aggregate()?;
                self.bound.insert("T".into(), ty);
            }
            "OpBitcast" => self.bitcast()?,
            "OpenCL.std u_upsample" | "OpenCL.std s_upsample" => self.halves()?,
            "OpenCL.std select" => self.as_integers("T", "U"),
            "GLSL.std.450 PackDouble2x32" | "GLSL.std.450 UnpackDouble2x32" => {
                self.bound.insert("T".into(), shaped(INTEGERS[2], 2));
            }
            name if let Some(count) = parts_of_a_word(name) => {
                self.bound.insert("T".into(), shaped(Scalar::F32, count));
            }
            name if DOT_PRODUCTS.contains(&name) => self.dot_product(name.ends_with("AccSat"))?,
            // As wide as addresses are.
            "OpGroupAsyncCopy" => self.integer = Some(Scalar::uint(64)),
            _ => {}
        }
        let mut arguments = Vec::with_capacity(instruction.operands.len());
        for operand in &instruction.operands {
            arguments.push(match &operand.ty {
                OperandType::Literals => Some(Argument::Literals(literals.clone())),
                OperandType::Values => Some(Argument::Values(parts.clone())),
                OperandType::Pointer(name) => {
                    let pointee = OperandType::Variable(name.clone());
                    self.value(&pointee)?.map(Argument::Pointer)
                }
                OperandType::Image => Some(Argument::Image),
                other => self.value(other)?.map(Argument::Value),
            });
        }
        let result = match &instruction.result {
            Some(ty) => self.value(ty)?,
            None => None,
        };
        Ok(Typed { arguments, result })
    }

    /// The type that a kind of operand has; `None` where it is no value.
    pub(crate) fn value(&mut self, ty: &OperandType) -> Result<Option<Type>> {
        Ok(Some(match ty {
            OperandType::Variable(name) => match self.bound.get(name) {
                Some(bound) => bound.clone(),
                None => Type::U32,
            },
            OperandType::Bool => Type::BOOL,
            OperandType::Int(width) => Type::Scalar(Scalar::uint(*width)),
            OperandType::AnyInt if let Some(only) = self.integer => Type::Scalar(only),
            OperandType::AnyInt if self.u.ratio(1, 2)? => Type::U32,
            OperandType::AnyInt => Type::Scalar(*self.u.choose(&INTEGERS)?),
            OperandType::Ballot => Type::BALLOT,
            _ => return Ok(None),
        }))
    }

    fn bind(&mut self, instruction: &SpecInstruction) -> Result<()> {
        let vectors = instruction.type_rules.iter().all(|rule| rule.vector || rule.any);
        let mut rules = instruction.type_rules.iter();
        let scalars = rules.all(|rule| rule.scalar || is_coordinate(rule, instruction));
        let shared = if vectors { self.count(scalars)? } else { 1 };
        for rule in &instruction.type_rules {
            let ty = if let Some(whole) = &rule.component_of {
                let element = self.bound.get(whole).and_then(Type::element);
                Type::Scalar(element.unwrap_or(Scalar::Bool))
            } else if let Some(members) = &rule.pair_of {
                let member = |name| self.bound.get(name).cloned().unwrap_or(Type::U32);
                Type::Struct(members.iter().map(member).collect())
            } else if rule.any {
                self.anything()?
            } else {
                let element = self.element(rule, instruction)?;
                // One Boolean may decide for all components.
                let alone = &*instruction.name == "OpSelect" && self.u.ratio(1, 3)?;
                let count = match instruction.componentwise {
                    // Byte and row.
                    _ if is_coordinate(rule, instruction) => 2,
                    true if alone => 1,
                    true => shared,
                    // A local id: a number in a subgroup, up to three in a workgroup.
                    false if &*instruction.name == "OpGroupBroadcast" && &*rule.variable == "L" => {
                        match self.scope {
                            GroupScope::Subgroup => 1,
                            GroupScope::Workgroup => self.u.int_in_range(1..=3)?,
                        }
                    }
                    false => self.count(rule.scalar)?,
                };
                shaped(element, if rule.vector { count } else { 1 })
            };
            self.bound.insert(rule.variable.clone(), ty);
        }
        if &*instruction.name == "OpSelect" {
            let alone = self.bound.get("C").is_some_and(|ty| ty.leaf_count() == 1);
            if !alone || self.u.ratio(1, 2)? {
                let element =
                    *self.u.choose(&[Scalar::Bool, INTEGERS[2], FLOATS[1], INTEGERS[3]])?;
                self.bound.insert("T".into(), shaped(element, shared));
            }
        }
        Ok(())
    }

    /// How many components: 1 where a scalar is allowed.
    fn count(&mut self, scalar: bool) -> Result<u32> {
        if scalar && self.u.ratio(1, 2)? {
            return Ok(1);
        }
        let wide = self.module_kind == ModuleKind::Kernel && self.u.ratio(1, 6)?;
        Ok(if wide { *self.u.choose(&[8, 16])? } else { self.u.int_in_range(2..=4)? })
    }

    fn element(&mut self, rule: &TypeRule, instruction: &SpecInstruction) -> Result<Scalar> {
        let mut choices: Vec<Scalar> = Vec::new();
        for element in &rule.elements {
            match &**element {
                "bool" => choices.push(Scalar::Bool),
                "int" => choices.extend(INTEGERS),
                "float" => choices.extend(FLOATS),
                sized => {
                    choices.extend(sized[1..].parse().ok().and_then(|width| match sized.as_bytes()
                        [0]
                    {
                        b'f' => FloatFormat::ieee(width).map(Scalar::Float),
                        _ => Some(Scalar::uint(width)),
                    }))
                }
            }
        }
        // A conversion has two widths.
        if instruction.name.ends_with("Convert")
            && choices.len() > 1
            && let Some(from) = self.bound.values().next().and_then(Type::element)
        {
            choices.retain(|element| element.width() != from.width());
        }
        self.u.choose(&choices).copied()
    }

    fn scalar_or_vector(&mut self) -> Result<Type> {
        let elements = [Scalar::Bool, INTEGERS[0], INTEGERS[2], INTEGERS[3], FLOATS[1], FLOATS[2]];
        let element = *self.u.choose(&elements)?;
        let count = self.count(true)?;
        Ok(shaped(element, count))
    }

    fn anything(&mut self) -> Result<Type> {
        if self.u.ratio(1, 2)? { self.scalar_or_vector() } else { self.aggregate() }
    }

    /// An array or a structure.
    fn aggregate(&mut self) -> Result<Type> {
        let part = |it: &mut Self| {
            if it.u.ratio(1, 4)? {
                Ok(Type::Array { element: it.scalar_or_vector()?.into(), length: 2 })
            } else {
                it.scalar_or_vector()
            }
        };
        let count = self.u.int_in_range(1..=3)?;
        if self.u.ratio(1, 2)? {
            return Ok(Type::Array { element: part(self)?.into(), length: count });
        }
        let members: Vec<Type> = (0..count).map(|_| part(self)).collect::<Result<_>>()?;
        Ok(Type::Struct(members.into()))
    }

    fn composite(&mut self) -> Result<Type> {
        if self.u.ratio(1, 3)? {
            let ty = self.scalar_or_vector()?;
            let element = ty.element().unwrap_or(Scalar::Bool);
            return Ok(shaped(element, ty.leaf_count().max(2) as u32));
        }
        self.aggregate()
    }

    fn vector_shuffle(&mut self) -> Result<Vec<u32>> {
        let first = self.bound.get("V").cloned().unwrap_or(Type::BALLOT);
        let element = first.element().unwrap_or(Scalar::Bool);
        let second = shaped(element, self.count(false)?);
        let total = (first.leaf_count() + second.leaf_count()) as u32;
        let count = self.count(false)?;
        let literals = (0..count)
            .map(|_| {
                Ok(if self.u.ratio(1, 8)? {
                    u32::MAX
                } else {
                    self.u.int_in_range(0..=total - 1)?
                })
            })
            .collect::<Result<_>>()?;
        self.bound.insert("W".into(), second);
        self.bound.insert("R".into(), shaped(element, count));
        Ok(literals)
    }

    /// Constituents of a composite: its members or, of a vector, runs of its components.
    fn construct(&mut self) -> Result<Vec<Type>> {
        let whole = self.composite()?;
        let parts = match &whole {
            Type::Vector { element, count } => {
                let mut left = *count;
                let mut parts = Vec::new();
                while left > 0 {
                    // There are two constituents at least.
                    let most = if parts.is_empty() { left - 1 } else { left };
                    let length = self.u.int_in_range(1..=most.min(4))?;
                    parts.push(shaped(*element, length));
                    left -= length;
                }
                parts
            }
            Type::Array { element, length } => (0..*length).map(|_| (**element).clone()).collect(),
            Type::Struct(members) => members.to_vec(),
            Type::Scalar(_) => Vec::new(),
        };
        self.bound.insert("T".into(), whole);
        Ok(parts)
    }

    /// A composite, literals that lead into it, and the type that they lead to.
    fn path(&mut self, composite: &str, part: &str) -> Result<Vec<u32>> {
        let whole = self.composite()?;
        let mut literals = Vec::new();
        let mut here = whole.clone();
        loop {
            let members = match &here {
                Type::Scalar(_) => 0,
                Type::Vector { count, .. } => *count,
                Type::Array { length, .. } => *length,
                Type::Struct(members) => members.len() as u32,
            };
            if members == 0 || (!literals.is_empty() && self.u.ratio(1, 3)?) {
                break;
            }
            let index = self.u.int_in_range(0..=members - 1)?;
            let Some((member, _)) = here.member(index) else { break };
            literals.push(index);
            here = member;
        }
        self.bound.insert(composite.into(), whole);
        self.bound.insert(part.into(), here);
        Ok(literals)
    }

    /// Two numbers, and one that is twice as wide.
    fn halves(&mut self) -> Result<()> {
        let half = self.u.int_in_range(0..=2)?;
        let count = self.bound.get("T").map_or(1, |ty| ty.leaf_count() as u32);
        self.bound.insert("T".into(), shaped(INTEGERS[half], count));
        self.bound.insert("R".into(), shaped(INTEGERS[half + 1], count));
        Ok(())
    }

    /// Integers in the shape of another type, as wide as that.
    fn as_integers(&mut self, shape: &str, integers: &str) {
        let of = self.bound.get(shape).cloned().unwrap_or(Type::U32);
        let width = of.element().map_or(32, Scalar::width);
        let ty = shaped(Scalar::uint(width), of.leaf_count() as u32);
        self.bound.insert(integers.into(), ty);
    }

    /// Vectors or words of four bytes, and a result that is at least as wide as a component; wide
    /// enough for all products where `roomy`.
    fn dot_product(&mut self, roomy: bool) -> Result<()> {
        let packed = self.u.ratio(1, 2)?;
        let component =
            if packed { 0 } else { self.u.int_in_range(0..=if roomy { 1 } else { 3 })? };
        let least = if roomy { component + 2 } else { component };
        let result = self.u.int_in_range(least..=3)?;
        let vector = match packed {
            true => Type::U32,
            false => shaped(INTEGERS[component], self.count(false)?),
        };
        self.bound.insert("V".into(), vector);
        self.bound.insert("R".into(), Type::Scalar(INTEGERS[result]));
        Ok(())
    }

    /// Another type of as many bits.
    fn bitcast(&mut self) -> Result<()> {
        let from = self.bound.get("T").cloned().unwrap_or(Type::U32);
        let bits: u32 = from.leaves().into_iter().map(Scalar::width).sum();
        let counts: &[u32] = match self.module_kind {
            ModuleKind::Kernel => &[1, 2, 3, 4, 8, 16],
            ModuleKind::Shader => &[1, 2, 3, 4],
        };
        let fitting: Vec<Type> = INTEGERS
            .into_iter()
            .chain(FLOATS)
            .flat_map(|element| counts.iter().map(move |&count| (element, count)))
            .filter(|(element, count)| element.width() * count == bits)
            .map(|(element, count)| shaped(element, count))
            .filter(|ty| *ty != from)
            .collect();
        let to = match fitting.as_slice() {
            [] => from,
            some => self.u.choose(some)?.clone(),
        };
        self.bound.insert("U".into(), to);
        Ok(())
    }
}

/// Whether a type is that of a place in an image.
fn is_coordinate(rule: &TypeRule, instruction: &SpecInstruction) -> bool {
    let mut operands = instruction.operands.iter();
    let image = operands.any(|operand| operand.ty == OperandType::Image);
    let this = OperandType::Variable(rule.variable.clone());
    image && operands.any(|operand| !operand.each && operand.ty == this)
}

/// A scalar, or a vector of more than one.
pub(crate) const fn shaped(element: Scalar, count: u32) -> Type {
    if count == 1 { Type::Scalar(element) } else { Type::Vector { element, count } }
}

/// How many numbers are packed in a word.
fn parts_of_a_word(name: &str) -> Option<u32> {
    let name = name.strip_prefix("GLSL.std.450 ")?;
    let packing = name.starts_with("Pack") || name.starts_with("Unpack");
    match () {
        () if packing && name.ends_with("2x16") => Some(2),
        () if packing && name.ends_with("4x8") => Some(4),
        () => None,
    }
}
