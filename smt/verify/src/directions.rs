//! Which way the values of parameters go, where only one of two functions says so: GLSL does, and WGSL, whose
//! parameters are values; SPIR-V that passes pointers does not.

use laneproof_module::{Direction, Function, Id, Parameter, Program};

use crate::comparable::says;
use crate::options::Side;

/// The modules of both functions, in which both say what only one of them said.
pub(crate) struct Agreed {
    source: (Program, Id),
    /// No module where it is the source's.
    target: (Option<Program>, Id),
    /// The name of a parameter that may be an output, and is taken for an input, as the other function
    /// has it.
    pub(crate) left_out: Option<String>,
}

impl Agreed {
    /// `None` if neither says more than the other.
    pub(crate) fn of(source: Side<'_>, target: Side<'_>) -> Option<Self> {
        let learns = |from: Side<'_>, to: Side<'_>| pairs(from, to).any(learns);
        if !learns(source, target) && !learns(target, source) {
            return None;
        }
        let (mut of_source, mut of_target) = (source.program.clone(), None);
        tell(target.function, &mut of_source, source.function.id);
        let other = match std::ptr::eq(source.program, target.program) {
            true => &mut of_source,
            false => of_target.insert(target.program.clone()),
        };
        tell(source.function, other, target.function.id);
        let mut unlike = pairs(source, target).filter(|(a, b)| a.is_output() != b.is_output());
        let left_out = unlike.next().map(|(parameter, _)| parameter.name.clone());
        Some(Self {
            source: (of_source, source.function.id),
            target: (of_target, target.function.id),
            left_out,
        })
    }

    /// The two functions.
    pub(crate) fn sides(&self) -> Option<[Side<'_>; 2]> {
        let ((source, of_source), (target, of_target)) = (&self.source, &self.target);
        let target = target.as_ref().unwrap_or(source);
        let side = |program, function: Option<_>| Some(Side { program, function: function? });
        Some([
            side(source, source.function_by_id(*of_source))?,
            side(target, target.function_by_id(*of_target))?,
        ])
    }
}

fn pairs<'a>(a: Side<'a>, b: Side<'a>) -> impl Iterator<Item = (&'a Parameter, &'a Parameter)> {
    a.function.parameters.iter().zip(&b.function.parameters)
}

/// Only the first says which way it goes.
fn learns((from, to): (&Parameter, &Parameter)) -> bool {
    says(from) != Direction::Unknown && says(to) == Direction::Unknown
}

/// Has a function of `program` say what `from` says alone.
fn tell(from: &Function, program: &mut Program, function: Id) {
    let mut functions = program.functions.iter_mut();
    let Some(function) = functions.find(|it| it.id == function) else { return };
    for (from, to) in from.parameters.iter().zip(&mut function.parameters) {
        if learns((from, to)) {
            to.direction = says(from);
        }
    }
}
