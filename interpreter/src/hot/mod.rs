//! Short forms of the instructions that are executed most: operands by number, lanes in rows.
//!
//! A short form handles the case without choices: no operand of a computation is undefined in an
//! active lane, no lane misbehaves, no number is a NaN. In every other case it declines, and the
//! instruction is executed in full by its family in [`crate::instruction`], which overwrites
//! whatever the short form has written.

mod action;
mod decode;
mod float;
mod rows;
mod shuffle;

use laneproof_module::{Id, ModuleType};

use self::action::Action;
use crate::operand::{Known, Source};
use crate::value::Value;

/// An instruction's short form.
#[derive(Debug)]
pub(crate) struct Hot<'p> {
    action: Action,
    /// The result's id, register, type, number of scalars and their width.
    pub(crate) id: Id,
    pub(crate) to: usize,
    pub(crate) ty: &'p ModuleType,
    pub(crate) leaves: usize,
    width: u32,
    /// Operands in the order in which the action takes them; the last one fills up.
    pub(crate) from: [Source; 3],
}

/// The lanes that execute an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active {
    pub(crate) set: u128,
    /// They are all that exist.
    pub(crate) all: bool,
}

impl Hot<'_> {
    /// Computes the result in the lanes of `active`, if this is the case that it knows.
    pub(crate) fn compute(&self, to: &mut Value, from: [&Value; 3], active: Active) -> bool {
        self.action.apply(to, from, active, self.width).is_some()
    }
}

/// What a decoder knows of the operands and the result of a short form.
pub(crate) trait Operands {
    /// What is known of an `<id>` with components, constants included.
    fn known(&mut self, id: Id) -> Option<Known>;

    /// The only scalar of a constant.
    fn constant(&self, id: Id) -> Option<u64>;

    /// The register of a result.
    fn result(&self, id: Id) -> Option<usize>;
}
