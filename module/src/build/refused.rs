//! Functions that a mode or decoration changes in a way that no engine knows.

use rspirv::spirv::Decoration;

use super::Builder;
use crate::decode::Decoded;
use crate::heeded::{is_decoration_refused, is_mode_refused};
use crate::names::Named;
use crate::program::Id;

impl Builder {
    /// Of a type, a member or what is outside functions: it concerns all of them.
    pub(super) fn refused_outside(&self) -> Option<String> {
        let program = &self.program;
        let is_outside = |id: Id| {
            program.types.contains_key(&id)
                || program.globals.contains_key(&id)
                || program.constants.contains_key(&id)
        };
        self.annotations.first_of(is_outside, is_decoration_refused).map(decorated)
    }

    /// Of a function, or of something in it.
    pub(super) fn refused_inside(&self, first: &Decoded, body: &[Decoded]) -> Option<String> {
        let mut entries = self.program.entry_points.iter();
        let entry = entries.find(|entry| Some(entry.function) == first.result);
        let mut modes = entry.iter().flat_map(|entry| &entry.modes).map(|(mode, _)| *mode);
        let mode = modes.find(|mode| is_mode_refused(*mode));
        let mode = mode.map(|mode| format!("the execution mode {}", mode.name()));
        mode.or_else(|| {
            let mut ids = std::iter::once(first).chain(body).filter_map(|it| it.result);
            ids.find_map(|id| self.annotations.first_on(id, is_decoration_refused)).map(decorated)
        })
    }
}

fn decorated(decoration: Decoration) -> String {
    format!("the decoration {}", decoration.name())
}
