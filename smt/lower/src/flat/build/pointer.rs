//! Function-local variables as their successive values.

use laneproof_module::{Id, ModuleType, Named, Place};
use laneproof_semantics::Type as Data;

use super::Builder;
use super::target::{Computed, Pointer, Target};
use crate::flat::{ActivityId, Event, FlatValue, Indexed, Unmodelled, ValueId, unmodelled};

/// The most scalars of one value: each store into a part of it makes a new value.
const MOST_SCALARS: usize = 4096;

/// A variable of the flattened function, each lane its own.
#[derive(Clone, Debug)]
pub(in crate::flat) struct Variable {
    pub current: ValueId,
    /// The lanes that can use it: those that were active where it was made.
    pub scope: ActivityId,
}

/// A variable that holds a pointer, the same one for all lanes that can see it.
#[derive(Clone, Debug)]
pub(in crate::flat) struct Holder {
    pub held: Option<Target>,
    /// As of a [`Variable`].
    pub scope: ActivityId,
}

impl Builder<'_> {
    pub(super) fn variable(&mut self, ty: Data, initial: ValueId, scope: ActivityId) -> Pointer {
        self.storage.variables.push(Variable { current: initial, scope });
        Pointer { variable: self.storage.variables.len() - 1, start: 0, computed: Vec::new(), ty }
    }

    pub(super) fn undefined(&mut self, ty: &Data) -> ValueId {
        let leaves = vec![None; ty.leaf_count()];
        self.flat.add(FlatValue::Constant(leaves), ty.clone())
    }

    /// Where a pointer points.
    pub(super) fn target(&mut self, id: Id, place: Place) -> Result<Target, Unmodelled> {
        if let Some(target) = self.frame().pointers.get(&id) {
            return Ok(target.clone());
        }
        if let Some(pointer) = self.storage.globals.get(&id) {
            return Ok(Target::Own(pointer.clone()));
        }
        self.global_memory(id).ok_or_else(|| unmodelled(self.pointer_name(id), place))
    }

    pub(super) fn is_pointer(&self, id: Id) -> bool {
        self.frame().pointers.contains_key(&id) || self.module.program.globals.contains_key(&id)
    }

    fn pointer_name(&self, id: Id) -> String {
        match self.module.program.globals.get(&id) {
            Some(global) => format!("memory of storage class {}", global.storage.name()),
            None => format!("the pointer {}", self.module.program.name_of(id)),
        }
    }

    /// `OpAccessChain` from a pointer, by the `<id>`s of its indexes.
    pub(super) fn access(
        &mut self,
        mut pointer: Pointer,
        indexes: &[Id],
        activity: ActivityId,
        place: Place,
    ) -> Result<Pointer, Unmodelled> {
        for &index in indexes {
            let refused = |what: &str| unmodelled(what, place);
            let position = self.fixed(index).and_then(|position| u32::try_from(position).ok());
            let part = position.and_then(|position| pointer.ty.member(position));
            match part {
                Some((ty, offset)) => {
                    pointer.ty = ty;
                    pointer.start += offset;
                }
                // A constant past the end is out of bounds, too.
                None => {
                    let (element, length) = match &pointer.ty {
                        Data::Array { element, length } => ((**element).clone(), *length),
                        Data::Vector { element, count } => (Data::Scalar(*element), *count),
                        _ => return Err(refused("an index that a structure does not have")),
                    };
                    let index = self.value(index, place)?;
                    self.flat.events.push(Event::Bounds(activity, index, length));
                    let start = std::mem::take(&mut pointer.start);
                    pointer.computed.push(Computed {
                        start,
                        length,
                        index,
                        element: element.clone(),
                    });
                    pointer.ty = element;
                }
            }
        }
        Ok(pointer)
    }

    /// The value of a variable in these lanes.
    pub(super) fn load(&mut self, pointer: &Pointer, activity: ActivityId) -> ValueId {
        let mut value = self.seen(self.storage.variables[pointer.variable].current, activity);
        for computed in &pointer.computed {
            value = self
                .flat
                .add(FlatValue::Element(value, computed.place()), computed.element.clone());
        }
        self.part(value, pointer.start, &pointer.ty)
    }

    /// A part of a value, at a fixed place.
    fn part(&mut self, whole: ValueId, start: usize, ty: &Data) -> ValueId {
        if start == 0 && self.flat.ty(whole) == ty {
            return whole;
        }
        self.flat.add(FlatValue::Part(whole, start), ty.clone())
    }

    pub(super) fn store(&mut self, pointer: &Pointer, object: ValueId, activity: ActivityId) {
        let Variable { current, scope } = self.storage.variables[pointer.variable].clone();
        // From the outside in, the values that the indexes select; then a new value for each of
        // them.
        let seen = self.seen(current, activity);
        let (mut wholes, mut innermost) = (Vec::new(), seen);
        for computed in &pointer.computed {
            wholes.push(innermost);
            let element = FlatValue::Element(innermost, computed.place());
            innermost = self.flat.add(element, computed.element.clone());
        }
        let ty = self.flat.ty(innermost).clone();
        let mut stored = match pointer.start == 0 && ty == pointer.ty {
            true => object,
            false => self.flat.add(FlatValue::Update(innermost, pointer.start, object), ty),
        };
        for (whole, computed) in wholes.into_iter().zip(&pointer.computed).rev() {
            let ty = self.flat.ty(whole).clone();
            stored = self.flat.add(FlatValue::UpdateElement(whole, computed.place(), stored), ty);
        }
        let ty = self.flat.ty(current).clone();
        self.storage.variables[pointer.variable].current = if activity == scope {
            stored
        } else {
            let arms = vec![(activity, stored), (scope, current)];
            self.flat.merge(arms, ty)
        };
    }
}

impl Computed {
    fn place(&self) -> Indexed {
        let stride = self.element.leaf_count();
        Indexed { start: self.start, stride, length: self.length, index: self.index }
    }
}

/// The data type of a type, or why it has none. Its layout in memory does not matter to values.
pub(super) fn data(ty: &ModuleType, place: Place) -> Result<Data, Unmodelled> {
    let data = ty.data();
    let data =
        data.ok_or_else(|| unmodelled(format!("a value of type {}", describe(ty)), place))?;
    match data.leaf_count() {
        count if count > MOST_SCALARS => {
            Err(unmodelled(format!("a value of {count} scalars"), place))
        }
        _ => Ok(data),
    }
}

fn describe(ty: &ModuleType) -> String {
    match ty {
        ModuleType::Void => "void".into(),
        ModuleType::Data(data) => data.to_string(),
        ModuleType::Laid(_) => "a structure or array in memory".into(),
        ModuleType::Pointer { storage, .. } => format!("a pointer to {}", storage.name()),
        ModuleType::Function { .. } => "function".into(),
        ModuleType::Image => "an image".into(),
        ModuleType::Opaque(op) => op.name().to_owned(),
    }
}
