//! What two functions leave in variables of the module that each lane has for itself: it is compared
//! where other functions may read it.

use laneproof_lower::{Flat, seen_by_callers};
use laneproof_module::spirv::StorageClass;
use laneproof_module::{Id, Program};
use laneproof_outcome::Unknown;

use crate::options::Side;

/// Compares, too, what both leave in those variables that one of them stores to and others see; or why
/// that cannot be. What an entry point leaves there is gone.
pub(crate) fn compare_globals(
    (source, source_flat): (Side<'_>, &mut Flat),
    (target, target_flat): (Side<'_>, &mut Flat),
) -> Result<(), Unknown> {
    if source_flat.interface.entry_point || target_flat.interface.entry_point {
        return Ok(());
    }
    let one = std::ptr::eq(source.program, target.program);
    let mut pairs: Vec<[Id; 2]> = Vec::new();
    for (number, (side, flat)) in
        [(source, &*source_flat), (target, &*target_flat)].into_iter().enumerate()
    {
        let other = [target, source][number].program;
        let functions = match one {
            true => vec![source.function.id, target.function.id],
            false => vec![side.function.id],
        };
        let seen = seen_by_callers(side.program, &functions);
        let written = flat.interface.globals.iter().filter(|(_, global)| global.written);
        for id in written.map(|(id, _)| *id).filter(|id| seen.contains(id)) {
            let name = side.program.name_of(id);
            let same = if one { Some(id) } else { of_name(other, &name) };
            let Some(same) = same else {
                return Err(Unknown::incomplete(format!(
                    "the variable `{name}`, which other functions of its module read, is not found in \
                     the other module"
                )));
            };
            let pair = if number == 0 { [id, same] } else { [same, id] };
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    let has = |flat: &Flat, id: &Id| flat.interface.globals.contains_key(id);
    let alike = |pair: &&[Id; 2]| {
        let types = [(source.program, pair[0]), (target.program, pair[1])]
            .map(|(program, id)| program.globals.get(&id).map(|global| &global.ty));
        types[0] == types[1] && has(source_flat, &pair[0]) && has(target_flat, &pair[1])
    };
    if let Some([id, _]) = pairs.iter().find(|pair| !alike(pair)) {
        let name = source.program.name_of(*id);
        return Err(Unknown::incomplete(format!(
            "what is left in the variable `{name}` cannot be compared"
        )));
    }
    let named = |number: usize| -> Vec<(Id, String)> {
        pairs.iter().map(|pair| (pair[number], source.program.name_of(pair[0]))).collect()
    };
    source_flat.compare_globals(&named(0));
    target_flat.compare_globals(&named(1));
    Ok(())
}

/// The one variable of this name that each lane has for itself.
fn of_name(program: &Program, name: &str) -> Option<Id> {
    let named = |id: Id| program.debug.names.get(&id).is_some_and(|it| it == name);
    let own = program.globals.values().filter(|it| it.storage == StorageClass::Private);
    let mut all = own.map(|it| it.id).filter(|&id| named(id));
    all.next().filter(|_| all.next().is_none())
}
