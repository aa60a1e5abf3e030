//! The obligations, independent of readings.

use laneproof_lower::Flat;
use laneproof_module::Function;
use laneproof_obligation::Required;
use laneproof_semantics::Specification;

use crate::entry_points::Workgroup;
use crate::presumption::NotCompared;
use crate::replay::Subject;
use crate::unrolled::{Unrolled, Unrollings};

/// The obligations, independent of readings.
pub(crate) struct Case<'a> {
    pub(crate) specification: &'a Specification,
    pub(crate) profile: &'a str,
    pub(crate) kernel: bool,
    /// The workgroup in which the functions are called, if it is declared.
    pub(crate) workgroup: Option<Workgroup>,
    /// What the entry points require of its subgroups.
    pub(crate) required: Required,
    pub(crate) first: &'a Unrolled,
    pub(crate) unrollings: &'a Unrollings<'a>,
    /// The same as functions of what they load.
    pub(crate) pure: Option<&'a Unrollings<'a>>,
    /// The final values of pointer parameters are compared.
    pub(crate) outputs: bool,
    pub(crate) source: Subject<'a>,
    pub(crate) target: Option<Subject<'a>>,
}

impl Case<'_> {
    /// What is not compared.
    pub(crate) fn not_compared(&self) -> Vec<NotCompared> {
        let Some(target) = self.target else { return Vec::new() };
        let either = |of: fn(&Flat) -> bool| of(self.source.flat) || of(target.flat);
        let mut all = Vec::new();
        if either(Flat::has_workgroup_memory) {
            all.push(NotCompared::SharedMemory);
        }
        if either(|flat| flat.interface.leaves_more()) {
            all.push(NotCompared::Globals);
        }
        let parameters = |flat: &Flat| flat.interface.outputs.iter().any(|it| it.global.is_none());
        if !self.outputs && either(parameters) {
            all.push(NotCompared::PointerParameters);
        }
        let same = std::ptr::eq(self.source.program, target.program);
        if !same && passes_over_entry_point(self.source) && passes_over_entry_point(target) {
            all.push(NotCompared::EntryPoints);
        }
        all
    }
}

/// The module has entry points that write memory, and its compared function is none of them.
fn passes_over_entry_point(subject: Subject<'_>) -> bool {
    let entries = &subject.program.entry_points;
    let writes = |id| subject.program.function_by_id(id).is_some_and(Function::writes_memory);
    entries.iter().all(|it| it.function != subject.function.id)
        && entries.iter().any(|it| writes(it.function))
}
