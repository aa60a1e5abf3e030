//! What a function takes and leaves, besides memory that lanes share.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::Id;

use super::{FlatInput, ValueId};

/// Something in which a function leaves a value.
#[derive(Clone, Debug)]
pub struct FlatOutput {
    /// The name of the parameter or the variable.
    pub name: String,
    /// What is left.
    pub value: ValueId,
    /// The variable of the module, which is compared in any case.
    pub global: Option<Id>,
}

/// A variable of the module that each lane has for itself.
#[derive(Clone, Copy, Debug)]
pub struct FlatGlobal {
    /// What is left in it.
    pub value: ValueId,
    /// It is stored to.
    pub written: bool,
}

impl Interface {
    /// The outputs that are compared, by number: those that are parameters only if `parameters`.
    pub fn compared(&self, parameters: bool) -> impl Iterator<Item = (usize, &FlatOutput)> {
        let all = self.outputs.iter().enumerate();
        all.filter(move |(_, output)| parameters || output.global.is_some())
    }

    /// Some variable of the module is stored to that is not compared.
    pub fn leaves_more(&self) -> bool {
        let compared = |id: &Id| self.outputs.iter().any(|output| output.global == Some(*id));
        self.globals.iter().any(|(id, global)| global.written && !compared(id))
    }
}

/// What a function takes and leaves.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Parameters and specialization constants.
    pub inputs: Vec<FlatInput>,
    /// What the function returns; `None` for `void`.
    pub result: Option<ValueId>,
    /// What is left in parameters that are pointers to function-local storage, and then in the
    /// variables of the module that are compared.
    pub outputs: Vec<FlatOutput>,
    /// The variables of the module that each lane has for itself.
    pub globals: BTreeMap<Id, FlatGlobal>,
    /// What callers left in these variables.
    pub from_callers: BTreeSet<ValueId>,
    /// What callers left in such a variable matters, and they are not known.
    pub reads_globals: bool,
    /// It is an entry point, whose killed lanes are not told from demoted ones.
    pub entry_point: bool,
}
