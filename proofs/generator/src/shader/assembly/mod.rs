//! Trees as SPIR-V assembly in SSA form, as an optimizing compiler writes it: no variables, a phi
//! where paths meet, a select for each choice. What has no form here is not written in this style:
//! a `break`, a `continue`, a `switch` and an early return.

mod expression;
mod flow;
mod group;
mod values;

use std::collections::BTreeMap;

use super::types::Types;
use super::{Function, Module};
use values::{Module as Text, Value};

/// The claim as a module.
pub(crate) fn module(of: &Module) -> Option<String> {
    let mut text = Text::default();
    for shared in &of.shared {
        text.shared(&shared.name, &shared.ty, shared.length.as_deref()?)?;
    }
    for function in of.helpers.iter().chain([&of.source, &of.target]) {
        self::function(&mut text, of, function)?;
    }
    Some(text.finish())
}

/// A function that is written.
struct Writing<'m> {
    text: &'m mut Text,
    types: Types,
    /// What names stand for now.
    names: BTreeMap<String, Value>,
    /// The block that instructions are added to.
    block: String,
}

fn function(text: &mut Text, of: &Module, function: &Function) -> Option<()> {
    let result = text.ty(&function.result)?;
    let types = Types::of(function, &of.shared, &of.helpers);
    let mut parameters = Vec::new();
    let mut names = BTreeMap::new();
    let mut lines = Vec::new();
    for parameter in &function.parameters {
        let ty = text.ty(&parameter.ty)?;
        let id = text.fresh(&parameter.name);
        lines.push(format!("{id} = OpFunctionParameter {ty}"));
        names.insert(parameter.name.clone(), Value { id, ty: parameter.ty.clone() });
        parameters.push(ty);
    }
    let kind = text.constant(&format!("OpTypeFunction {result} {}", parameters.join(" ")));
    text.line(&format!("%{} = OpFunction {result} None {kind}", function.name));
    lines.iter().for_each(|line| text.line(line));
    let block = text.fresh("entry");
    text.line(&format!("{block} = OpLabel"));
    let mut writing = Writing { text, types, names, block };
    writing.body(&function.body)?;
    text.line("OpFunctionEnd");
    text.named(&function.name);
    Some(())
}
