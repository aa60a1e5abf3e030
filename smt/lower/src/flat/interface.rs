//! Inputs and outputs of a function, besides memory that lanes share.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::Id;

use super::{FlatInput, ValueId};

/// Something whose final value may be compared.
#[derive(Clone, Debug)]
pub struct FlatOutput {
    /// The name of the parameter or the variable.
    pub name: String,
    /// The final value.
    pub value: ValueId,
    /// The private variable of the module, which is always compared.
    pub global: Option<Id>,
}

/// A private variable of the module.
#[derive(Clone, Copy, Debug)]
pub struct FlatGlobal {
    /// Its final value.
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

/// Inputs and outputs of a function.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Parameters and specialization constants.
    pub inputs: Vec<FlatInput>,
    /// What the function returns; `None` for `void`.
    pub result: Option<ValueId>,
    /// The final values of parameters that are pointers to function-local storage, and then of the
    /// private variables that are compared.
    pub outputs: Vec<FlatOutput>,
    /// The private variables of the module.
    pub globals: BTreeMap<Id, FlatGlobal>,
    /// The initial values of these variables that unknown callers left.
    pub from_callers: BTreeSet<ValueId>,
    /// It depends on what unknown callers left in such a variable.
    pub reads_globals: bool,
    /// It is an entry point: killed lanes and demoted lanes are not distinguished.
    pub entry_point: bool,
}
