//! The layout of a type in memory, in bytes: by its offsets and strides, or by the rules of OpenCL
//! C if it has none.

use laneproof_module::{Layout, ModuleType};
use laneproof_semantics::{Scalar, Type as Data};

/// More scalars than that are not moved at a time.
const MOST_LEAVES: usize = 256;

/// Bytes of a scalar.
pub fn scalar_bytes(scalar: Scalar) -> u64 {
    u64::from(scalar.width().div_ceil(8).next_power_of_two())
}

/// What an index selects from.
pub(super) enum Parts {
    /// Equal elements: their type, the bytes from one to the next, and how many there are
    /// (`None`: as many as the memory holds).
    Elements(ModuleType, u64, Option<u32>),
    /// The members of a structure, each with its offset.
    Members(Vec<(ModuleType, u64)>),
}

/// What a type consists of; `None` for a scalar and for what is no data.
pub(super) fn parts(ty: &ModuleType) -> Option<Parts> {
    Some(match ty {
        ModuleType::Data(Data::Vector { element, count }) => {
            let scalar = ModuleType::Data(Data::Scalar(*element));
            Parts::Elements(scalar, scalar_bytes(*element), Some(*count))
        }
        ModuleType::Data(Data::Array { element, length }) => {
            let element = ModuleType::Data((**element).clone());
            let stride = stride(&element)?;
            Parts::Elements(element, stride, Some(*length))
        }
        ModuleType::Data(Data::Struct(members)) => {
            let mut end = 0_u64;
            let mut placed = Vec::with_capacity(members.len());
            for member in members.iter() {
                let member = ModuleType::Data(member.clone());
                let (size, alignment) = member.size_and_alignment(8)?;
                let offset = end.next_multiple_of(alignment.max(1));
                end = offset.checked_add(size)?;
                placed.push((member, offset));
            }
            Parts::Members(placed)
        }
        ModuleType::Laid(layout) => match &**layout {
            Layout::Array(element, count, stride) => {
                Parts::Elements(element.clone(), u64::from(*stride), *count)
            }
            Layout::Struct(members) => {
                let member = |(ty, offset): &(ModuleType, u32)| (ty.clone(), u64::from(*offset));
                Parts::Members(members.iter().map(member).collect())
            }
        },
        _ => return None,
    })
}

/// Bytes from one element of this type to the next.
fn stride(ty: &ModuleType) -> Option<u64> {
    let (size, alignment) = ty.size_and_alignment(8)?;
    Some(size.next_multiple_of(alignment.max(1)))
}

/// Every scalar of a type with its offset; `None` where it has other parts, no fixed number of
/// them, or too many.
pub(super) fn scalars(ty: &ModuleType) -> Option<Vec<(u64, Scalar)>> {
    let mut found = Vec::new();
    collect(ty, 0, &mut found).then_some(found)
}

fn collect(ty: &ModuleType, at: u64, found: &mut Vec<(u64, Scalar)>) -> bool {
    if let ModuleType::Data(Data::Scalar(scalar)) = ty {
        found.push((at, *scalar));
        return found.len() <= MOST_LEAVES;
    }
    match parts(ty) {
        Some(Parts::Elements(element, stride, Some(count))) => {
            (0..u64::from(count)).all(|index| collect(&element, at + index * stride, found))
        }
        Some(Parts::Members(members)) => {
            members.iter().all(|(member, offset)| collect(member, at + offset, found))
        }
        Some(Parts::Elements(_, _, None)) | None => false,
    }
}

/// The least size of a type in bytes: a runtime array has no elements.
pub(super) fn least_size(ty: &ModuleType) -> u64 {
    match parts(ty) {
        Some(Parts::Elements(_, _, None)) => 0,
        Some(Parts::Members(members)) => members
            .iter()
            .map(|(member, offset)| offset.saturating_add(least_size(member)))
            .max()
            .unwrap_or(0),
        Some(Parts::Elements(element, stride, Some(count))) => {
            stride.saturating_mul(u64::from(count).saturating_sub(1)) + least_size(&element)
        }
        None => ty.size_and_alignment(8).map_or(0, |(size, _)| size),
    }
}
