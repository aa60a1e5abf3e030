//! Whether two functions can be compared.

use laneproof_lower::Flat;
use laneproof_module::{Function as ModuleFunction, Type};

use crate::error::VerifyError;

/// They have the same type; a property returns a Boolean.
pub(crate) fn check_types(
    source: &ModuleFunction,
    target: Option<&ModuleFunction>,
) -> Result<(), VerifyError> {
    let Some(target) = target else {
        let boolean = source.result == Type::Data(laneproof_semantics::Type::BOOL);
        return if boolean { Ok(()) } else { Err(VerifyError::Property) };
    };
    if source.parameters.len() != target.parameters.len() {
        return Err(VerifyError::Types(format!(
            "{} parameters and {}",
            source.parameters.len(),
            target.parameters.len()
        )));
    }
    for (a, b) in source.parameters.iter().zip(&target.parameters) {
        if a.ty != b.ty {
            return Err(VerifyError::Types(format!("parameters `{}` and `{}`", a.name, b.name)));
        }
    }
    for (a, b) in source.parameters.iter().zip(&target.parameters) {
        if a.is_output() != b.is_output() {
            let reason = format!("parameter `{}` is an output of one of them only", a.name);
            return Err(VerifyError::Types(reason));
        }
    }
    if source.result != target.result {
        return Err(VerifyError::Types("what they return".into()));
    }
    Ok(())
}

/// There is something to compare: a result, memory, what is left in parameters.
pub(crate) fn check_compared(
    function: &ModuleFunction,
    source: &Flat,
    target: Option<&Flat>,
    outputs: bool,
) -> Result<(), VerifyError> {
    let leaves = |flat: &Flat| flat.memory.regions.iter().any(|region| region.kind.is_visible());
    let memory = leaves(source) || target.is_some_and(leaves);
    if function.result == Type::Void && !outputs && !memory {
        return Err(VerifyError::Types("neither leaves anything that could be compared".into()));
    }
    Ok(())
}
