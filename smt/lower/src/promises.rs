//! Promises of the target that the source does not make and that are not checked. A compiler may rely
//! on them, so a proof does not count.

mod callees;

use std::collections::BTreeSet;

use laneproof_module::spirv::{ExecutionMode, Op};
use laneproof_module::{Assertion, Function, Id, Named, ParameterPromises, Program};
use laneproof_outcome::Location;

use crate::aliasing::{reads, writes};
use crate::flat::{Flat, RegionKind};
use callees::of_callees;

/// Names what the target promises and the source does not.
pub fn promised_only(
    (of_source, source): (&Program, &Function),
    (of_target, target): (&Program, &Function),
    flat: &Flat,
) -> Option<String> {
    let one_module = std::ptr::eq(of_source, of_target);
    parameters(source, target, flat)
        .or_else(|| of_callees((of_source, source), (of_target, target)))
        .or_else(|| {
            let body = &target.promises.body;
            let alike = one_module && !body.is_empty() && *body == source.promises.body;
            let functions = reached(of_target, target);
            let mut all = functions.iter().flat_map(|it| &it.promises.assertions);
            let first = all.next().filter(|_| !alike);
            first.map(in_words)
        })
        .or_else(|| {
            let ids = |functions: Vec<&Function>| functions.into_iter().map(|it| it.id).collect();
            let same: BTreeSet<Id> =
                if one_module { ids(reached(of_source, source)) } else { BTreeSet::new() };
            let own = |it: &&Function| !same.contains(&it.id);
            let functions = reached(of_target, target);
            functions
                .into_iter()
                .filter(own)
                .find_map(|it| it.promises.effects.as_ref())
                .map(in_words)
        })
}

fn in_words(assertion: &Assertion) -> String {
    let place = Location::of(assertion.place).map(|it| format!(" ({it})")).unwrap_or_default();
    format!("the target promises that {}{place}, which is not checked", assertion.what)
}

/// Names what the source promises of its loops and results, of parameters that lead to memory, and by
/// its execution modes. A state that breaks such a promise shows no difference, unless the target makes
/// it, too.
pub fn promised_by_source(source: (&Program, &Function), flat: &Flat) -> Option<String> {
    let (program, function) = source;
    let parameters = function.parameters.iter().enumerate();
    let mut broken = parameters.filter_map(|(position, parameter)| {
        let of = parameter.promises;
        let writes = touched(flat, writes, position);
        let reads = touched(flat, reads, position);
        let what = if of.no_write && writes {
            "is `NoWrite` or `NonWritable`".to_owned()
        } else if of.no_read && reads {
            "is `NoReadWrite` or `NonReadable`".to_owned()
        } else if let Some(bytes) = of.farthest.filter(|_| writes || reads) {
            format!("has the `MaxByteOffset` {bytes}")
        } else if !of.alignment.is_power_of_two() && (writes || reads) {
            "has an `Alignment`".to_owned()
        } else {
            return None;
        };
        let name = &parameter.name;
        Some(format!("the source promises that `{name}` {what}, which is not checked"))
    });
    if let Some(broken) = broken.next() {
        return Some(broken);
    }
    if let Some(mode) = restricted(program, function) {
        return Some(format!(
            "the source declares `{}`, which rules out states that are looked at",
            mode.name()
        ));
    }
    let functions = reached(program, function);
    let assertion = functions.into_iter().flat_map(|it| &it.promises.assertions).next()?;
    let place = Location::of(assertion.place).map(|it| format!(" ({it})")).unwrap_or_default();
    Some(format!("the source promises that {}{place}, which is not checked", assertion.what))
}

/// An execution mode of an entry point which rules out states that an encoding has: quads that are
/// not full, larger workgroups, grids that begin elsewhere.
fn restricted(program: &Program, function: &Function) -> Option<ExecutionMode> {
    let entry = program.entry_points.iter().find(|it| it.function == function.id)?;
    let rules_out = |mode: &ExecutionMode| {
        matches!(
            mode,
            ExecutionMode::RequireFullQuadsKHR
                | ExecutionMode::MaxWorkgroupSizeINTEL
                | ExecutionMode::MaxWorkDimINTEL
                | ExecutionMode::NoGlobalOffsetINTEL
        )
    };
    entry.modes.iter().map(|(mode, _)| *mode).find(rules_out)
}

/// Names what the target promises of a parameter and may break.
fn parameters(source: &Function, target: &Function, flat: &Flat) -> Option<String> {
    target.parameters.iter().enumerate().find_map(|(position, parameter)| {
        let parallel = source.parameters.get(position);
        let (of_source, uniform) =
            parallel.map_or((ParameterPromises::default(), false), |it| (it.promises, it.uniform));
        let of_target = parameter.promises;
        let [writes, reads] = [touched(flat, writes, position), touched(flat, reads, position)];
        let what = if parameter.uniform && !uniform {
            "is `Uniform`".to_owned()
        } else if of_target.alignment > of_source.alignment.max(NATURAL) && (writes || reads) {
            format!("has the `Alignment` {}", of_target.alignment)
        } else if of_target.no_write && !of_source.no_write && writes {
            "is `NoWrite` or `NonWritable`".to_owned()
        } else if of_target.no_read && !of_source.no_read && reads {
            "is `NoReadWrite` or `NonReadable`".to_owned()
        } else if of_target.farthest != of_source.farthest
            && let Some(bytes) = of_target.farthest.filter(|_| writes || reads)
        {
            format!("has the `MaxByteOffset` {bytes}")
        } else if of_target.by_value != of_source.by_value && writes {
            "is `ByVal` on one side only".to_owned()
        } else {
            return None;
        };
        let name = &parameter.name;
        Some(format!("the target promises that `{name}` {what}, which the source does not say"))
    })
}

/// Memory that a parameter may lead to is accessed: memory of its own, or that of all.
fn touched(flat: &Flat, of: fn(&Flat, RegionKind) -> bool, position: usize) -> bool {
    use RegionKind::{Argument, Arguments, WorkgroupArguments};
    [Arguments, WorkgroupArguments, Argument(position)].into_iter().any(|kind| of(flat, kind))
}

/// The alignment in bytes that every pointer is taken to have.
pub(crate) const NATURAL: u32 = 4;

/// A function and all that it calls.
pub(crate) fn reached<'a>(program: &'a Program, from: &'a Function) -> Vec<&'a Function> {
    let mut all = vec![from];
    let mut next = 0;
    while let Some(function) = all.get(next) {
        let instructions = function.body.blocks().flat_map(|block| &block.instructions);
        let calls = instructions.filter(|it| it.opcode == Op::FunctionCall);
        let called: BTreeSet<Id> =
            calls.filter_map(|it| it.operands.first()?.id_ref_any()).collect();
        for id in called {
            if !all.iter().any(|it| it.id == id) {
                all.extend(program.functions.iter().find(|it| it.id == id));
            }
        }
        next += 1;
    }
    all
}
