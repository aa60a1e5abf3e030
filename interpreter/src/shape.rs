//! Where the scalars of a type lie: leaf by leaf in values and function variables, byte by
//! byte in buffers.

use laneproof_module::{Layout, ModuleType};
use laneproof_semantics::{Scalar, Type as Data};

/// What offsets into an object count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Scalars: the object has no layout.
    Leaf,
    /// Bytes: explicit offsets and strides where the type has them, natural ones otherwise.
    Byte,
}

/// The scalars of a value; `None` where the type has other parts, or no fixed number.
pub(crate) fn leaves(ty: &ModuleType) -> Option<Vec<Scalar>> {
    Some(placed_leaves(ty, Unit::Leaf)?.into_iter().map(|(_, scalar)| scalar).collect())
}

/// How many scalars a value of the type has; void has none.
pub(crate) fn leaf_count(ty: &ModuleType) -> Option<usize> {
    match ty {
        ModuleType::Void => Some(0),
        ModuleType::Data(data) => Some(data.leaf_count()),
        ModuleType::Laid(layout) => match &**layout {
            Layout::Struct(members) => members.iter().map(|(member, _)| leaf_count(member)).sum(),
            Layout::Array(element, count, _) => {
                leaf_count(element)?.checked_mul((*count)? as usize)
            }
        },
        _ => None,
    }
}

/// The scalar or component type of a scalar or vector.
pub(crate) fn element(ty: &ModuleType) -> Option<Scalar> {
    match ty {
        ModuleType::Data(data) => data.element(),
        _ => None,
    }
}

/// The type of constituent `index` and its offset.
pub(crate) fn member(ty: &ModuleType, index: u64, unit: Unit) -> Option<(ModuleType, u64)> {
    if let Some((element, stride, count)) = indexed(ty, unit) {
        return count
            .is_none_or(|count| index < count)
            .then_some(())
            .and_then(|()| Some((element, stride.checked_mul(index)?)));
    }
    let index = usize::try_from(index).ok()?;
    match ty {
        ModuleType::Data(Data::Struct(members)) => {
            let before = &members[..index.min(members.len())];
            let found = ModuleType::Data(members.get(index)?.clone());
            let offset = match unit {
                Unit::Leaf => before.iter().map(|member| member.leaf_count() as u64).sum(),
                Unit::Byte => {
                    let end = before.iter().fold(0, |end, member| {
                        align(end, alignment(member)) + natural_size(member)
                    });
                    align(end, alignment(&members[index]))
                }
            };
            Some((found, offset))
        }
        ModuleType::Laid(layout) => {
            let Layout::Struct(members) = &**layout else { return None };
            let (found, offset) = members.get(index)?;
            let offset = match unit {
                Unit::Byte => u64::from(*offset),
                Unit::Leaf => members[..index]
                    .iter()
                    .map(|(member, _)| leaf_count(member).map(|count| count as u64))
                    .sum::<Option<u64>>()?,
            };
            Some((found.clone(), offset))
        }
        _ => None,
    }
}

/// For what a computed index may select from: element type, distance between elements,
/// number of elements (`None`: a runtime array).
pub(crate) fn indexed(ty: &ModuleType, unit: Unit) -> Option<(ModuleType, u64, Option<u64>)> {
    match ty {
        ModuleType::Data(Data::Vector { element, count }) => {
            let stride = match unit {
                Unit::Leaf => 1,
                Unit::Byte => scalar_size(*element),
            };
            Some((ModuleType::Data(Data::Scalar(*element)), stride, Some(u64::from(*count))))
        }
        ModuleType::Data(Data::Array { element, length }) => {
            let ty = ModuleType::Data((**element).clone());
            let stride = size(&ty, unit)?;
            Some((ty, stride, Some(u64::from(*length))))
        }
        ModuleType::Laid(layout) => {
            let Layout::Array(element, count, stride) = &**layout else { return None };
            let stride = match unit {
                Unit::Leaf => leaf_count(element)? as u64,
                Unit::Byte => u64::from(*stride),
            };
            Some((element.clone(), stride, count.map(u64::from)))
        }
        _ => None,
    }
}

/// How far apart two neighbours of the type are where nothing says so explicitly.
pub(crate) fn size(ty: &ModuleType, unit: Unit) -> Option<u64> {
    match (ty, unit) {
        (ModuleType::Data(data), Unit::Byte) => Some(align(natural_size(data), alignment(data))),
        (ModuleType::Laid(layout), Unit::Byte) => match &**layout {
            Layout::Array(_, count, stride) => Some(u64::from((*count)?) * u64::from(*stride)),
            Layout::Struct(members) => members.iter().try_fold(0, |end: u64, (member, offset)| {
                Some(end.max(size(member, unit)?.checked_add(u64::from(*offset))?))
            }),
        },
        _ => Some(leaf_count(ty)? as u64),
    }
}

/// Every scalar with its offset.
pub(crate) fn placed_leaves(ty: &ModuleType, unit: Unit) -> Option<Vec<(u64, Scalar)>> {
    // Types with too many scalars to hold are no data, so nothing below grows without bound.
    ty.data()?;
    let mut out = Vec::new();
    push_leaves(ty, unit, 0, &mut out).then_some(out)
}

fn push_leaves(ty: &ModuleType, unit: Unit, at: u64, out: &mut Vec<(u64, Scalar)>) -> bool {
    if let ModuleType::Data(Data::Scalar(scalar)) = ty {
        out.push((at, *scalar));
        return true;
    }
    let count = match (indexed(ty, unit), ty) {
        (Some((element, stride, Some(count))), _) => {
            return (0..count).all(|index| push_leaves(&element, unit, at + stride * index, out));
        }
        (None, ModuleType::Data(Data::Struct(members))) => members.len(),
        (None, ModuleType::Laid(layout)) => match &**layout {
            Layout::Struct(members) => members.len(),
            Layout::Array(..) => return false,
        },
        (None, ModuleType::Void) => 0,
        _ => return false,
    };
    (0..count as u64).all(|index| {
        member(ty, index, unit).is_some_and(|(ty, offset)| push_leaves(&ty, unit, at + offset, out))
    })
}

/// Bytes of a scalar in memory.
pub fn scalar_size(scalar: Scalar) -> u64 {
    u64::from(scalar.width().div_ceil(8).next_power_of_two())
}

fn natural_size(data: &Data) -> u64 {
    match data {
        Data::Scalar(scalar) => scalar_size(*scalar),
        // A vector of three takes the room of four (OpenCL C, alignment of types).
        Data::Vector { element, count } => {
            scalar_size(*element) * u64::from(count.next_power_of_two())
        }
        Data::Array { element, length } => {
            align(natural_size(element), alignment(element)) * u64::from(*length)
        }
        Data::Struct(members) => {
            let end = members
                .iter()
                .fold(0, |end, member| align(end, alignment(member)) + natural_size(member));
            align(end, alignment(data))
        }
    }
}

fn alignment(data: &Data) -> u64 {
    match data {
        Data::Scalar(_) | Data::Vector { .. } => natural_size(data),
        Data::Array { element, .. } => alignment(element),
        Data::Struct(members) => members.iter().map(alignment).max().unwrap_or(1),
    }
}

fn align(offset: u64, alignment: u64) -> u64 {
    offset.next_multiple_of(alignment.max(1))
}
