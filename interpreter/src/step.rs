//! One instruction, executed by the active lanes of one subgroup: how it reads its operands
//! and leaves its result.

mod implementation;

use std::rc::Rc;

use laneproof_module::{Global, Id, Instruction, ModuleType, Operand, Site};
use laneproof_semantics::Scalar;

use crate::choices::Open;
use crate::float_format::{Format, format};
use crate::frame::{GroupFrame, Register, Slot};
use crate::given::GivenPlace;
use crate::lane::{Sizes, lanes, lanes_where};
use crate::machine::{Group, MAX_VALUE, Machine, name_of, not_modelled};
use crate::memory::Address;
use crate::operand::Source;
use crate::outcome::{Stop, Violation};
use crate::shape;
use crate::value::Value;
use crate::width::truncate;
use implementation::Defined;

/// What an instruction gives for one scalar of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// These bits; those above the result's width are dropped.
    Bits(u64),
    /// An undefined value.
    Undefined,
    /// A NaN; which one is open.
    Nan,
    /// A number that the implementation defines, the same each time.
    Implementation,
    /// Such a number of the first two operands, by whichever instruction, and a sum.
    Product {
        /// The function of the operands.
        name: &'static str,
        /// What is added to it.
        addend: Option<u64>,
    },
    /// Undefined behavior, for this reason.
    Behavior(&'static str),
}

/// An instruction about to be executed.
pub(crate) struct Step<'m, 'p, 'c> {
    /// The run.
    pub machine: &'m mut Machine<'p, 'c>,
    /// What the subgroup holds.
    pub frame: &'m mut GroupFrame<'p>,
    /// The subgroup's number.
    pub group: usize,
    /// The lanes that execute it; not empty.
    pub active: u128,
    /// The instruction.
    pub instruction: &'p Instruction,
}

impl<'p> Step<'_, 'p, '_> {
    /// The subgroup's sizes.
    pub fn sizes(&self) -> Sizes {
        self.machine.groups[self.group].sizes
    }

    /// This dynamic instance.
    pub fn site(&self) -> Site {
        self.machine.site(self.group, self.instruction.place.word)
    }

    /// How many operands there are after result type and result.
    pub fn operands(&self) -> usize {
        self.instruction.operands.len()
    }

    /// The `<id>` that is operand `operand`.
    pub fn id(&self, operand: usize) -> Result<Id, Stop> {
        match self.instruction.operands.get(operand) {
            Some(Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id)) => {
                Ok(*id)
            }
            _ => Err(self.not_modelled(format!("operand {operand} is not an <id>"))),
        }
    }

    /// The literal number that is operand `operand`.
    pub fn literal(&self, operand: usize) -> Result<u64, Stop> {
        match self.instruction.operands.get(operand) {
            Some(Operand::LiteralBit32(value)) => Ok(u64::from(*value)),
            Some(Operand::LiteralBit64(value)) => Ok(*value),
            _ => Err(self.not_modelled(format!("operand {operand} is not a literal"))),
        }
    }

    /// An operand that comes from a constant instruction and has a single scalar.
    pub fn constant(&self, operand: usize) -> Result<u64, Stop> {
        let id = self.id(operand)?;
        let constant = self.machine.program.constants.get(&id);
        constant
            .and_then(|constant| constant.leaves.first().copied().flatten())
            .ok_or_else(|| self.not_modelled(format!("operand {operand} is not a constant")))
    }

    /// Stops unless the scope that is operand 0 is that of the lanes that execute this.
    pub fn in_scope(&self) -> Result<(), Stop> {
        const WORKGROUP: u64 = 2;
        const SUBGROUP: u64 = 3;
        match (self.constant(0)?, self.group().whole) {
            (SUBGROUP, None) | (WORKGROUP, Some(_)) => Ok(()),
            (WORKGROUP, None) => Err(self.not_modelled("Workgroup scope without a workgroup")),
            _ => Err(self.not_modelled("a scope other than Subgroup and Workgroup")),
        }
    }

    /// The lanes that execute this: a subgroup's, or those of a whole workgroup.
    pub fn group(&self) -> &Group<'p> {
        &self.machine.groups[self.group]
    }

    /// The size of the group that executes this: in a shader a size of the machine, in a kernel how
    /// many lanes the subgroup has (OpenCL C, `get_sub_group_size`).
    pub fn group_size(&self) -> u32 {
        let sizes = self.sizes();
        if self.machine.program.is_kernel() { sizes.existing } else { sizes.subgroup }
    }

    /// Undefined behavior unless every lane of the group is here.
    pub fn require_all(&self) -> Result<(), Stop> {
        let missing = self.sizes().lanes() & !self.active;
        self.behavior_unless(missing, "not every invocation of the group executes it")
    }

    /// The type of the value that is operand `operand`.
    pub fn type_of(&self, operand: usize) -> Result<ModuleType, Stop> {
        let id = self.id(operand)?;
        if let Some(register) = register(self.machine, self.frame, self.group, id) {
            return Ok(register.ty.clone());
        }
        match self.machine.program.constants.get(&id) {
            Some(constant) => Ok(ModuleType::Data(constant.ty.clone())),
            None => Err(self.unknown(id)),
        }
    }

    /// The scalar or component type of operand `operand`.
    pub fn element_of(&self, operand: usize) -> Result<Scalar, Stop> {
        shape::element(&self.type_of(operand)?)
            .ok_or_else(|| self.not_modelled(format!("the type of operand {operand}")))
    }

    /// The result type.
    pub fn result_type(&self) -> Result<&'p ModuleType, Stop> {
        self.instruction.ty.as_ref().ok_or_else(|| self.not_modelled("it has no result type"))
    }

    /// The scalar or component type of the result.
    pub fn result_element(&self) -> Result<Scalar, Stop> {
        shape::element(self.result_type()?).ok_or_else(|| self.not_modelled("its result type"))
    }

    /// A value for the result with nothing in it yet.
    pub fn blank_result(&self) -> Result<Value, Stop> {
        let leaves = shape::leaf_count(self.result_type()?)
            .ok_or_else(|| self.not_modelled("its result type"))?;
        self.room(leaves)
    }

    /// A value of `leaves` scalars with nothing in it yet.
    pub fn room(&self, leaves: usize) -> Result<Value, Stop> {
        let existing = self.sizes().existing;
        if leaves * existing as usize > MAX_VALUE {
            return Err(
                self.not_modelled(format!("a value of more than {MAX_VALUE} scalars in all lanes"))
            );
        }
        Ok(Value::undefined(leaves, existing))
    }

    /// What an `<id>` holds, marks and all.
    pub fn slot(&self, id: Id) -> Result<Slot, Stop> {
        read_slot(self.machine, self.frame, self.group, id).ok_or_else(|| self.unknown(id))
    }

    /// An operand that is only copied: undefined values stay marked.
    pub fn copy(&self, operand: usize) -> Result<Rc<Value>, Stop> {
        match self.slot(self.id(operand)?)? {
            Slot::Data(value) => Ok(value),
            Slot::Pointer(_) => Err(self.not_modelled("a pointer as data")),
        }
    }

    /// An operand that is computed with: undefined values in the active lanes are drawn.
    pub fn consume(&mut self, operand: usize) -> Result<Rc<Value>, Stop> {
        let mut value = self.copy(operand)?;
        let active = self.active;
        if self.machine.options.follow {
            self.follow(operand, &mut value);
            return Ok(value);
        }
        if (0..value.leaves()).all(|leaf| value.undefined_in(leaf) & active == 0) {
            return Ok(value);
        }
        let scalars = shape::leaves(&self.type_of(operand)?)
            .ok_or_else(|| self.not_modelled(format!("the type of operand {operand}")))?;
        let site = self.site();
        let drawn = Rc::make_mut(&mut value);
        for (leaf, scalar) in scalars.into_iter().enumerate() {
            let width = scalar.width();
            for lane in lanes(drawn.undefined_in(leaf) & active) {
                let bits = self.machine.choices.draw(&site, operand, leaf, lane, width);
                drawn.set(leaf, lane, Some(truncate(width, bits)));
            }
        }
        Ok(value)
    }

    /// The pointers that are operand `operand`.
    pub fn pointers(&self, operand: usize) -> Result<Vec<Option<Address>>, Stop> {
        match self.slot(self.id(operand)?)? {
            Slot::Pointer(pointers) => Ok(pointers),
            Slot::Data(_) => Err(self.not_modelled("data as a pointer")),
        }
    }

    /// Leaves `slot` as the result in the active lanes.
    pub fn finish_slot(&mut self, slot: Slot) -> Result<(), Stop> {
        let ty = self.result_type()?;
        let Some(result) = self.instruction.result else { return Ok(()) };
        if let Slot::Data(value) = &slot {
            self.machine.record(result, value, self.active, self.group);
        }
        let all = self.sizes().lanes();
        self.machine.write(slot.cells())?;
        let Some(place) = self.frame.place(result) else { return Ok(()) };
        match place {
            Some(register) if self.active == all => register.slot = slot,
            Some(register) => register.slot.copy_lanes(&slot, self.active),
            None => {
                self.machine.hold(slot.cells())?;
                *place = Some(Register { ty, slot });
            }
        }
        Ok(())
    }

    /// Leaves `value` as the result in the active lanes.
    pub fn finish(&mut self, value: Value) -> Result<(), Stop> {
        self.finish_slot(Slot::Data(Rc::new(value)))
    }

    /// A result computed component by component from `operands`; a scalar operand goes with
    /// every component.
    pub fn map<const N: usize>(
        &mut self,
        operands: [usize; N],
        compute: impl Fn([u64; N]) -> Leaf,
    ) -> Result<(), Stop> {
        let sources =
            operands.iter().map(|operand| self.consume(*operand)).collect::<Result<Vec<_>, _>>()?;
        let scalar = self.result_element()?;
        let width = scalar.width();
        let mut result = self.blank_result()?;
        let mut offending = (0, "");
        for leaf in 0..result.leaves() {
            for lane in lanes(self.active) {
                let mut inputs = [0; N];
                for (input, source) in inputs.iter_mut().zip(&sources) {
                    *input = source.bits(leaf.min(source.leaves().saturating_sub(1)), lane);
                }
                match compute(inputs) {
                    Leaf::Bits(bits) => result.set(leaf, lane, Some(truncate(width, bits))),
                    Leaf::Undefined => {}
                    Leaf::Implementation => {
                        let defined = Defined { name: None, operands: &inputs, addend: None };
                        let defined = self.defined_by_implementation(defined, (leaf, lane))?;
                        result.set(leaf, lane, defined.map(|bits| truncate(width, bits)));
                    }
                    Leaf::Product { name, addend } => {
                        let operands = &inputs[..2.min(N)];
                        let defined = Defined { name: Some(name), operands, addend };
                        let defined = self.defined_by_implementation(defined, (leaf, lane))?;
                        result.set(leaf, lane, defined.map(|bits| truncate(width, bits)));
                    }
                    Leaf::Nan => result.set(leaf, lane, self.some_nan(scalar, leaf, lane)),
                    Leaf::Behavior(reason) => offending = (offending.0 | 1 << lane, reason),
                }
            }
        }
        self.behavior_unless(offending.0, offending.1)?;
        self.finish(result)
    }

    /// A NaN of the choice's liking.
    pub fn some_nan(&mut self, scalar: Scalar, leaf: usize, lane: u32) -> Option<u64> {
        // An integer that holds a number, of 16 bits, is of the format that has no type.
        let format = match scalar {
            Scalar::Int { width: 16, .. } => Format::Bfloat16,
            _ => format(scalar)?,
        };
        if self.machine.options.readings.floats.canonical_nan {
            return Some(format.nan(0));
        }
        if self.machine.options.follow {
            return self.machine.choices.marker(&self.site(), lane, leaf, Open::Nan(scalar));
        }
        if let Some(bits) = self.machine.choices.payload(&self.site(), lane, leaf) {
            return Some(format.named(bits));
        }
        let number = self.machine.choices.pick(&self.site(), format.nans());
        Some(format.nan(number))
    }

    /// Undefined behavior in the lanes of `offending`, if there are any.
    pub fn behavior_unless(
        &self,
        offending: u128,
        reason: impl Into<Violation>,
    ) -> Result<(), Stop> {
        if offending == 0 {
            return Ok(());
        }
        Err(Stop::UndefinedBehavior {
            site: self.site(),
            instruction: name_of(self.instruction),
            lanes: lanes(offending).collect(),
            reason: reason.into(),
        })
    }

    /// Undefined behavior in lanes that the primitives name; an empty list means all active lanes.
    pub fn misbehaves(&self, lanes: &[u32], reason: &str) -> Result<(), Stop> {
        let set = lanes.iter().filter(|lane| **lane < 128);
        let set = set.fold(0, |set, lane| set | 1 << lane) & self.active;
        self.behavior_unless(if set == 0 { self.active } else { set }, reason)
    }

    /// Stops unless a consumed operand is the same in all active lanes.
    pub fn must_be_uniform(&self, value: &Value, what: &str) -> Result<(), Stop> {
        let first = self.active.trailing_zeros();
        let differs = lanes_where(self.active, |lane| {
            (0..value.leaves()).any(|leaf| value.bits(leaf, lane) != value.bits(leaf, first))
        });
        self.behavior_unless(differs, format!("{what} is not the same in all active lanes"))
    }

    /// Says that no choice of this instruction gives these lanes what they are given.
    pub fn illegal(&self, lanes: Vec<u32>) -> Stop {
        Stop::Illegal { site: self.site(), instruction: self.instruction.opcode, lanes }
    }

    /// Says that it is too much to find out whether a given result is legal.
    pub fn undecided(&self) -> Stop {
        Stop::Undecided { site: self.site(), instruction: self.instruction.opcode }
    }

    /// Says that this instruction is not modelled.
    pub fn not_modelled(&self, why: impl Into<String>) -> Stop {
        let mut stop = not_modelled(self.instruction, why);
        if let Stop::NotModelled { instruction, .. } = &mut stop
            && let Some(extended) = self.machine.program.extended(self.instruction)
        {
            *instruction = extended;
        }
        stop
    }

    fn unknown(&self, id: Id) -> Stop {
        let global = self.machine.program.globals.get(&id);
        if let Some(missing) = global.and_then(given_from_outside) {
            return Stop::BadCall { reason: format!("{missing} is missing from --inputs") };
        }
        let name = self.machine.program.name_of(id);
        self.not_modelled(format!("{name} has no value that the program carries"))
    }
}

/// The input of the run for a variable, if there is one.
fn given_from_outside(global: &Global) -> Option<String> {
    Some(match GivenPlace::of(global)? {
        GivenPlace::Binding(set, binding) => format!("binding {set}.{binding}"),
        GivenPlace::PushConstants => "push_constants".to_owned(),
    })
}

fn register<'a, 'p>(
    machine: &'a Machine<'p, '_>,
    frame: &'a GroupFrame<'p>,
    group: usize,
    id: Id,
) -> Option<&'a Register<'p>> {
    frame.register(id).or_else(|| machine.groups[group].globals.get(&id))
}

/// What an `<id>` holds in a subgroup: a result, a parameter, a module's variable or a constant.
pub(crate) fn read_slot(
    machine: &Machine<'_, '_>,
    frame: &GroupFrame<'_>,
    group: usize,
    id: Id,
) -> Option<Slot> {
    if let Some(register) = register(machine, frame, group, id) {
        return Some(register.slot.clone());
    }
    // The plan's constants have the lanes of a subgroup.
    if machine.groups[group].whole.is_none()
        && let Some(Source::Constant(number)) = frame.plan.source(id)
    {
        return frame.plan.constant(number).cloned().map(Slot::Data);
    }
    let constant = machine.program.constants.get(&id)?;
    let existing = machine.groups[group].sizes.existing;
    Some(Slot::Data(Rc::new(Value::same(&constant.leaves, existing))))
}
