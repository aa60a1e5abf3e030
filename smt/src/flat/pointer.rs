//! Function-local variables as the values that they hold in turn.

use laneproof_module::{Id, Place, Type};
use laneproof_semantics::Type as Data;

use super::build::Builder;
use super::memory::Target;
use super::{ActivityId, Event, Indexed, Unmodelled, Value, ValueId};

/// A variable of the flattened function, each lane its own.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub current: ValueId,
    /// The lanes that can ever see it: those that were active where it was made.
    pub scope: ActivityId,
}

/// A variable that holds a pointer, the same one for all lanes that can see it.
#[derive(Clone, Debug)]
pub(super) struct Holder {
    pub held: Option<Target>,
    /// As of a [`Variable`].
    pub scope: ActivityId,
}

/// Where a pointer points.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub variable: usize,
    /// First leaf.
    pub start: usize,
    /// A computed index on the way, at most one.
    pub computed: Option<(usize, u32, ValueId)>,
    /// What it points to.
    pub ty: Data,
}

impl Builder<'_> {
    pub(super) fn variable(&mut self, ty: Data, initial: ValueId, scope: ActivityId) -> Pointer {
        self.variables.push(Variable { current: initial, scope });
        Pointer { variable: self.variables.len() - 1, start: 0, computed: None, ty }
    }

    pub(super) fn undefined(&mut self, ty: &Data) -> ValueId {
        let leaves = vec![None; ty.leaf_count()];
        self.flat.add(Value::Constant(leaves), ty.clone())
    }

    /// Where a pointer points.
    pub(super) fn target(&mut self, id: Id, place: Place) -> Result<Target, Unmodelled> {
        if let Some(target) = self.frame().pointers.get(&id) {
            return Ok(target.clone());
        }
        if let Some(pointer) = self.globals.get(&id) {
            return Ok(Target::Own(pointer.clone()));
        }
        self.global_memory(id).ok_or_else(|| Unmodelled { what: self.pointer_name(id), place })
    }

    pub(super) fn is_pointer(&self, id: Id) -> bool {
        self.frame().pointers.contains_key(&id) || self.program.globals.contains_key(&id)
    }

    /// A pointer to a variable that each lane has for itself.
    pub(super) fn pointer(&mut self, id: Id, place: Place) -> Result<Pointer, Unmodelled> {
        match self.target(id, place)? {
            Target::Own(pointer) => Ok(pointer),
            Target::Shared(_) => Err(Unmodelled {
                what: "this instruction on memory that lanes share".into(),
                place,
            }),
            Target::Holder(_) => Err(Unmodelled::pointer_in_memory(place)),
        }
    }

    fn pointer_name(&self, id: Id) -> String {
        match self.program.globals.get(&id) {
            Some(global) => format!("memory of storage class {:?}", global.storage),
            None => format!("the pointer {}", self.program.name_of(id)),
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
            let constant = self.program.constants.get(&index).and_then(|it| it.leaves[0]);
            let unmodelled = |what: &str| Unmodelled { what: what.into(), place };
            match constant {
                Some(position) => {
                    let (ty, offset) = u32::try_from(position)
                        .ok()
                        .and_then(|position| pointer.ty.member(position))
                        .ok_or_else(|| unmodelled("an index past the end of a variable"))?;
                    pointer.ty = ty;
                    pointer.start += offset;
                }
                None => {
                    let (element, length) = match &pointer.ty {
                        Data::Array { element, length } => ((**element).clone(), *length),
                        Data::Vector { element, count } => (Data::Scalar(*element), *count),
                        _ => return Err(unmodelled("a computed index into a structure")),
                    };
                    if pointer.computed.is_some() {
                        return Err(unmodelled("a second computed index into a variable"));
                    }
                    let index = self.value(index, place)?;
                    self.flat.events.push(Event::Bounds(activity, index, length));
                    pointer.computed = Some((element.leaf_count(), length, index));
                    pointer.ty = element;
                }
            }
        }
        Ok(pointer)
    }

    pub(super) fn load(&mut self, pointer: &Pointer) -> ValueId {
        let current = self.variables[pointer.variable].current;
        let whole = self.flat.ty(current).clone();
        let value = match pointer.computed {
            None if pointer.start == 0 && whole == pointer.ty => return current,
            None => Value::Part(current, pointer.start),
            Some((stride, length, index)) => {
                let start = pointer.start;
                Value::Element(current, Indexed { start, stride, length, index })
            }
        };
        self.flat.add(value, pointer.ty.clone())
    }

    pub(super) fn store(&mut self, pointer: &Pointer, object: ValueId, activity: ActivityId) {
        let Variable { current, scope } = self.variables[pointer.variable].clone();
        let ty = self.flat.ty(current).clone();
        let stored = match pointer.computed {
            None if pointer.start == 0 && ty == pointer.ty => object,
            None => self.flat.add(Value::Update(current, pointer.start, object), ty.clone()),
            Some((stride, length, index)) => {
                let place = Indexed { start: pointer.start, stride, length, index };
                self.flat.add(Value::UpdateElement(current, place, object), ty.clone())
            }
        };
        self.variables[pointer.variable].current = if activity == scope {
            stored
        } else {
            let arms = vec![(activity, stored), (scope, current)];
            self.flat.add(Value::Merge(arms), ty)
        };
    }
}

/// The data type that a type is, or what is missing. How it lies in memory does not matter
/// to values.
pub(super) fn data(ty: &Type, place: Place) -> Result<Data, Unmodelled> {
    ty.data().ok_or_else(|| Unmodelled { what: format!("a value of type {}", describe(ty)), place })
}

fn describe(ty: &Type) -> String {
    match ty {
        Type::Void => "void".into(),
        Type::Data(data) => data.to_string(),
        Type::Laid(_) => "a structure or array in memory".into(),
        Type::Pointer { storage, .. } => format!("a pointer to {storage:?}"),
        Type::Function { .. } => "function".into(),
        Type::Image => "an image".into(),
        Type::Opaque(op) => format!("Op{op:?}"),
    }
}
