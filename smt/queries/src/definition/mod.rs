//! What the specification says of one instruction, as SMT-LIB 2 that people read: definitions of
//! the result, of when it is undefined, of undefined behavior, silence and relations, over the
//! state and the operands as functions of the lane.

mod form;
mod page;
mod symbolic;
mod terms;

use laneproof_semantics::denote::{DenoteError, Instance, LaneOutcome, Settled};
use laneproof_semantics::{ModuleKind, Specification};

use crate::model_check::{Clauses, Meaning};
use form::{Form, forms};
use symbolic::Symbolic;

/// The most existing lanes in definitions that quantify over all lanes.
pub const FEW_LANES: u32 = 4;

/// One instruction in one form, as SMT-LIB 2.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The instruction or built-in variable.
    pub name: String,
    /// Enumerants, optional operands and types, as `Operation = Reduce, Value : u32`.
    pub form: String,
    /// The modules that it is about.
    pub module_kinds: Vec<ModuleKind>,
    /// How readings are settled.
    pub settled: Settled,
    /// The same form for the evaluator.
    pub instance: Instance,
    /// A script of its own: declarations and definitions, nothing asserted. Or why there is none.
    pub text: Result<String, DenoteError>,
    /// It quantifies over all lanes, at most [`FEW_LANES`].
    pub bounded: bool,
}

/// Everything that clauses say, once for each form: each enumerant, optional operands given or
/// not, and each kind of module where it makes a difference. `profile` is the profile by name
/// where it is not to be the one of the module's kind.
pub fn definitions(
    specification: &Specification,
    clauses: Clauses<'_>,
    profile: Option<&str>,
) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for module_kind in ModuleKind::ALL {
        let profile = profile.unwrap_or(module_kind.profile());
        let profile = specification.profiles.get(profile);
        let settled = profile.map(|profile| Settled::by(profile)).unwrap_or_default();
        let meaning = Meaning { specification, settled: &settled, clauses };
        for form in forms(&meaning, module_kind) {
            let definition = meaning.definition(form, module_kind);
            let same = |known: &&mut Definition| {
                (&known.form, &known.text) == (&definition.form, &definition.text)
            };
            match found.iter_mut().find(same) {
                Some(known) => known.module_kinds.push(module_kind),
                None => found.push(definition),
            }
        }
    }
    // Which modules a script is about is known only now.
    for definition in &mut found {
        let header = page::header(definition, clauses);
        definition.text = definition.text.as_ref().map(|text| header + text).map_err(Clone::clone);
    }
    found
}

impl Meaning<'_> {
    /// The outcome of lane `id` in an arbitrary group.
    fn symbolic<'i>(
        &self,
        instance: &'i Instance,
    ) -> Result<(Symbolic<'i>, LaneOutcome), DenoteError> {
        let mut group = Symbolic::new(instance, self.clauses);
        let lane = group.id;
        let outcome = self.outcome(instance, &mut group, lane)?;
        if outcome.update.is_some() || !outcome.stores.is_empty() {
            return Err(DenoteError::NotModelled("memory".into()));
        }
        Ok((group, outcome))
    }

    fn definition(&self, form: Form, module_kind: ModuleKind) -> Definition {
        let result = self.symbolic(&form.instance);
        let bounded = result.as_ref().is_ok_and(|(group, _)| group.bounded());
        let text = result.and_then(|(mut group, outcome)| page::body(&mut group, &outcome));
        let name = match self.clauses {
            Clauses::Instruction(it) => &it.name,
            Clauses::BuiltIn(it) => &it.name,
        };
        Definition {
            name: name.to_string(),
            form: form.words,
            module_kinds: vec![module_kind],
            settled: self.settled.clone(),
            instance: form.instance,
            text,
            bounded,
        }
    }
}
