//! The memory operands of an access, as its words have them.

use rspirv::dr::Operand;
use rspirv::spirv::MemoryAccess;

use crate::place::Id;

/// A set of memory operands: its mask, and what follows for some of its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOperands {
    /// The mask.
    pub access: MemoryAccess,
    /// Bytes of the declared alignment, 1 where there is none.
    pub alignment: u64,
    /// The scope in which what is written is made available.
    pub available: Option<Id>,
    /// The scope in which what is read is visible.
    pub visible: Option<Id>,
}

impl MemoryOperands {
    /// Every set among operands; `None` where one lacks what its mask asks for.
    pub fn of(operands: &[Operand]) -> Option<Vec<Self>> {
        let mut sets = Vec::new();
        let mut rest = operands.iter();
        while let Some(operand) = rest.next() {
            let Operand::MemoryAccess(access) = *operand else { continue };
            let mut set = Self { access, alignment: 1, available: None, visible: None };
            if access.contains(MemoryAccess::ALIGNED) {
                let Operand::LiteralBit32(bytes) = rest.next()? else { return None };
                set.alignment = u64::from(*bytes).max(1);
            }
            if access.contains(MemoryAccess::MAKE_POINTER_AVAILABLE) {
                set.available = Some(rest.next()?.id_ref_any()?);
            }
            if access.contains(MemoryAccess::MAKE_POINTER_VISIBLE) {
                set.visible = Some(rest.next()?.id_ref_any()?);
            }
            sets.push(set);
        }
        Some(sets)
    }
}
