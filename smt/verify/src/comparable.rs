//! Whether two functions can be compared.

use laneproof_lower::Flat;
use laneproof_module::spirv::StorageClass;
use laneproof_module::{Direction, Function as ModuleFunction, ModuleType, Parameter};

use crate::error::VerifyError;

/// Checks that both have the same type, and that a property returns a Boolean.
pub(crate) fn check_types(
    source: &ModuleFunction,
    target: Option<&ModuleFunction>,
) -> Result<(), VerifyError> {
    let Some(target) = target else {
        let boolean = source.result == ModuleType::Data(laneproof_semantics::Type::BOOL);
        return if boolean {
            Ok(())
        } else {
            Err(VerifyError::Property(format!("`{}`", in_words(&source.result))))
        };
    };
    if source.parameters.len() != target.parameters.len() {
        let count = |function: &ModuleFunction| match function.parameters.len() {
            1 => "1 parameter".to_owned(),
            count => format!("{count} parameters"),
        };
        let (one, other) = (count(source), count(target));
        return Err(VerifyError::Types(format!("the source has {one}, the target {other}")));
    }
    for (a, b) in source.parameters.iter().zip(&target.parameters) {
        if given(&a.ty) != given(&b.ty) {
            let typed = |it: &Parameter| format!("`{}: {}`", it.name, in_words(&it.ty));
            let (one, other) = (typed(a), typed(b));
            return Err(VerifyError::Types(format!(
                "a parameter is {one} in the source and {other} in the target"
            )));
        }
    }
    for (a, b) in source.parameters.iter().zip(&target.parameters) {
        // Where only one of them says which way it goes, both take its word.
        let said = [a, b].iter().all(|it| says(it) != Direction::Unknown);
        if said && a.is_output() != b.is_output() {
            let reason = format!("parameter `{}` is an output of one of them only", a.name);
            return Err(VerifyError::Types(reason));
        }
    }
    if source.result != target.result {
        let (one, other) = (in_words(&source.result), in_words(&target.result));
        return Err(VerifyError::Types(format!(
            "the source returns `{one}`, the target `{other}`"
        )));
    }
    Ok(())
}

/// What a parameter of this type is given: a pointer to function-local storage, by which GLSL passes all,
/// stands for the value in it.
fn given(ty: &ModuleType) -> &ModuleType {
    match ty {
        ModuleType::Pointer { storage: StorageClass::Function, pointee } => pointee,
        ty => ty,
    }
}

/// Which way a parameter goes, if its module says so: a value goes in.
pub(crate) fn says(parameter: &Parameter) -> Direction {
    match parameter.ty {
        ModuleType::Pointer { .. } => parameter.direction,
        _ => Direction::In,
    }
}

/// A type as messages name it: behind a pointer, what it points to.
fn in_words(ty: &ModuleType) -> String {
    match ty {
        ModuleType::Void => "void".to_owned(),
        ModuleType::Data(data) => data.to_string(),
        ModuleType::Pointer { pointee, .. } => in_words(pointee),
        ModuleType::Image => "an image".to_owned(),
        _ => "another type".to_owned(),
    }
}

/// Checks that there is something to compare: a result, memory, or final values of parameters.
pub(crate) fn check_compared(
    function: &ModuleFunction,
    source: &Flat,
    target: Option<&Flat>,
    outputs: bool,
) -> Result<(), VerifyError> {
    let leaves = |flat: &Flat| flat.memory.regions.iter().any(|region| region.kind.is_visible());
    let memory = leaves(source) || target.is_some_and(leaves);
    if function.result == ModuleType::Void && !outputs && !memory {
        return Err(VerifyError::Types("neither leaves anything that could be compared".into()));
    }
    Ok(())
}
