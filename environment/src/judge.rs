//! The engine: every rule of an environment at every place of a module that it is about.
//!
//! No rule is special-cased. A demand is checked at the places that its subject names; the content
//! there is compared with the values that it lists; its circumstances decide whether it applies,
//! does not apply, or depends on a fact about the device.

mod lists;
mod requirements;

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::Operand;
use laneproof_semantics::language::rule::Force;

use crate::body::{AppliedDemand, Body};
use crate::circumstance::{Situation, Truth};
use crate::device::Device;
use crate::diagnostic::{Diagnostic, Severity};
use crate::found::FieldContent;
use crate::shown::described;
use crate::view::{View, modes};
use requirements::all;

/// Judges one module.
pub struct Judge<'a> {
    view: &'a View<'a>,
    body: &'a Body<'a>,
    device: Option<&'a Device>,
    by_kind: BTreeMap<&'a str, Vec<&'a AppliedDemand<'a>>>,
    found: Vec<Diagnostic>,
}

/// A place of a module: a field of an instruction, or a token of the module.
#[derive(Clone, Copy)]
struct Site<'p> {
    index: Option<usize>,
    field: &'p str,
    within: Option<&'p str>,
}

impl<'a> Judge<'a> {
    /// All that the rules say.
    pub fn findings(
        view: &'a View<'a>,
        body: &'a Body<'a>,
        device: Option<&'a Device>,
    ) -> Vec<Diagnostic> {
        let by_kind = body.by_kind();
        let mut judge = Self { view, body, device, by_kind, found: Vec::new() };
        judge.tokens();
        judge.instructions();
        judge.built_ins();
        judge.found
    }

    fn tokens(&mut self) {
        let kinds: Vec<(&str, Vec<&AppliedDemand<'_>>)> =
            self.by_kind.iter().map(|(kind, demands)| (*kind, demands.clone())).collect();
        for (kind, demands) in kinds {
            let found = self.view.tokens(kind);
            for applied in &demands {
                self.token_requirement(applied, kind, &found);
            }
            for (value, index) in &found {
                let site = Site { index: *index, field: kind, within: None };
                self.lists(site, value, &demands);
            }
        }
    }

    fn instructions(&mut self) {
        let instructions = self.view.instructions();
        let opcodes: BTreeSet<u32> = instructions.iter().map(|it| it.opcode as u32).collect();
        let about = self.body.by_opcode(&opcodes, &self.view.fields);
        for (index, instruction) in instructions.iter().enumerate() {
            let demands = about.get(&(instruction.opcode as u32)).map_or(&[][..], Vec::as_slice);
            let mut places: BTreeSet<(&str, Option<&str>)> = BTreeSet::new();
            for applied in demands {
                if let Force::Label(label) = &applied.demand.force {
                    self.label(applied, label, index);
                }
                for (field, within) in applied.fields() {
                    places.insert((field, within));
                    let site = Site { index: Some(index), field, within };
                    self.requirement(applied, site);
                }
            }
            for (field, within) in places {
                let of_place: Vec<&AppliedDemand<'_>> =
                    demands.iter().copied().filter(|it| it.is_of((field, within))).collect();
                let site = Site { index: Some(index), field, within };
                for value in self.values(site) {
                    self.lists(site, &value, &of_place);
                }
            }
        }
    }

    /// Types of built-in variables, at their decorations.
    fn built_ins(&mut self) {
        for (name, demands) in self.body.by_built_in() {
            for (index, ty) in self.view.built_ins(name) {
                let site = Site { index: Some(index), field: "Type", within: None };
                self.lists(site, &FieldContent::Type(ty), &demands);
            }
        }
    }

    fn values(&self, site: Site<'_>) -> Vec<FieldContent> {
        let Site { index, field, within } = site;
        crate::places::values_at(self.view, index, field, within).unwrap_or_default()
    }

    fn asked<'q>(&'q self, index: Option<usize>, it: Option<&'q str>) -> Situation<'q> {
        Situation { view: self.view, device: self.device, index, it }
    }

    /// A consequence of the module's content: undefined behavior if the instruction is reached.
    fn label(&mut self, applied: &AppliedDemand<'_>, label: &str, index: usize) {
        let undefined = matches!(label, "undefined behavior" | "undefined value");
        if !undefined {
            return;
        }
        let site = Site { index: Some(index), field: "", within: None };
        let message = undefined_where_reached(label, &applied.rule.wording);
        let topic = label.replace(' ', "-");
        match self.asked(Some(index), None).holds(&applied.demand.when) {
            Truth::Yes => {
                self.report(applied, Severity::Warning, &topic, site, message, BTreeSet::new());
            }
            Truth::Depends(facts) => {
                let message = format!("{message}, which depends on the device: {}", all(&facts));
                self.report(applied, Severity::Note, &topic, site, message, facts);
            }
            Truth::No | Truth::Outside => {}
        }
    }

    fn report(
        &mut self,
        applied: &AppliedDemand<'_>,
        severity: Severity,
        topic: &str,
        site: Site<'_>,
        message: String,
        depends_on: BTreeSet<String>,
    ) -> &mut Diagnostic {
        let instruction = site.index.and_then(|index| self.view.instructions().get(index));
        let place = instruction.map(|it| it.place);
        let prefix =
            if applied.own { self.body.environment.name() } else { &applied.rule.document };
        let diagnostic = Diagnostic {
            rule: format!("{prefix}/{topic}"),
            severity,
            message,
            instruction: instruction.and_then(|it| self.view.instruction_name(it)),
            word: place.map(|place| place.word),
            line: place.map(|place| place.line).filter(|&line| line > 0),
            citation: applied.citation(),
            reading: applied.demand.reading.as_ref().map(ToString::to_string),
            depends_on,
            subject: None,
            breadth: None,
            shown: instruction.map(|it| described(self.view, it)),
        };
        self.found.push(diagnostic);
        let last = self.found.len() - 1;
        &mut self.found[last]
    }
}

impl Site<'_> {
    /// The field, in words; operands by the names that the instruction has for them.
    fn described(&self, view: &View<'_>) -> String {
        let instruction = self.index.and_then(|index| view.instructions().get(index));
        let own = |field: &str| -> String {
            let found = instruction.and_then(|it| {
                let names = view.names(it);
                names.get(view.position(it, field)?).map(ToString::to_string)
            });
            found.filter(|name| !name.is_empty()).unwrap_or_else(|| field.to_owned())
        };
        let built_in = instruction.and_then(|it| {
            let mut operands = it.operands.iter();
            operands.find(|operand| matches!(operand, Operand::BuiltIn(_)))
        });
        match (self.field, self.within) {
            ("Type", None) if built_in.is_some() => {
                format!("the type of `{}`", built_in.map(ToString::to_string).unwrap_or_default())
            }
            ("CallGraph", _) => "this call".to_owned(),
            ("ControlFlow", _) => "control flow".to_owned(),
            ("PrintfFormat", _) => "the format".to_owned(),
            ("Opcode", _) => "the type".to_owned(),
            (kind, None) if modes::described(kind).is_some() => {
                modes::described(kind).unwrap_or_default().to_owned()
            }
            (field, Some(operand)) => format!("`{field}` of `{}`", own(operand)),
            ("Result", None) => "the result type".to_owned(),
            (field, None) => format!("`{}`", own(field)),
        }
    }

    /// The field, as part of a rule's name.
    fn topic(&self, types: bool) -> String {
        let field = match self.field {
            "Execution" | "Memory" => format!("{}Scope", self.field),
            other if (types || other == "Result") && other != "Type" => format!("{other}Type"),
            other => other.to_owned(),
        };
        match self.within {
            Some(operand) => format!("{}-{}", kebab(operand), kebab(&field)),
            None => kebab(&field),
        }
    }
}

/// `ExecutionModel`: execution-model.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let starts = letter.is_uppercase()
            && at > 0
            && (letters[at - 1].is_lowercase()
                || letters.get(at + 1).is_some_and(|next| next.is_lowercase()));
        if starts {
            out.push('-');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// What follows where the instruction is reached, with the sentence that has it so.
pub(crate) fn undefined_where_reached(label: &str, wording: &str) -> String {
    format!("{label} where this is reached, by the sentence \u{201c}{wording}\u{201d}")
}
