//! What is known of instructions and tokens from elsewhere: the grammar, the documents' facts, and
//! the declarations of instructions.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{OperandType, SpecInstruction, TypeRule};
use laneproof_semantics::language::fact::TokenFact;
use laneproof_tokens::{self as tokens, KINDS};

use super::values::{Element, FieldValue, Ty, elements};

/// The texts, and beside them the specification, for what other documents define.
#[derive(Clone, Copy)]
pub struct Known<'t> {
    texts: &'t Specification,
    beside: &'t Specification,
}

impl<'t> Known<'t> {
    /// What these texts rest on.
    pub fn of(texts: &'t AsWritten) -> Self {
        Self { texts: &texts.specification, beside: Specification::built_in() }
    }

    /// An instruction as its own document declares it.
    pub fn instruction(self, name: &str) -> Option<&'t SpecInstruction> {
        // What a text adds to another document's instruction is declared there anew, in part.
        let texts = || self.texts.instructions.get(name);
        self.beside.instructions.get(name).or_else(texts).map(|it| &**it)
    }

    /// All that are declared.
    pub fn instructions(self) -> BTreeSet<&'t str> {
        let both = self.texts.instructions.values().chain(self.beside.instructions.values());
        both.filter(|it| it.name.starts_with("Op")).map(|it| &*it.name).collect()
    }

    /// What documents say of tokens.
    pub fn facts(self) -> impl Iterator<Item = &'t Arc<TokenFact>> {
        self.texts.facts.iter().chain(&self.beside.facts)
    }

    /// The operands that a document adds to an instruction of another one, in small letters; `None`
    /// where the instruction is its own.
    pub fn added_by(self, document: &str, instruction: &str) -> Option<BTreeSet<String>> {
        let declared = self.beside.instructions.get(instruction)?;
        if *declared.document == *document {
            return None;
        }
        let facts = self
            .facts()
            .filter(|fact| *fact.document == *document && *fact.token == *instruction && fact.adds);
        Some(facts.flat_map(|it| it.operands.iter().map(|it| it.name.to_lowercase())).collect())
    }

    /// A file of a user's: what its header leaves the types of a variable is what it says of them.
    /// Built-in texts say that in rules, and their headers more, so that they can be searched.
    pub fn header_restricts(self, instruction: &SpecInstruction, ty: &OperandType) -> bool {
        let (OperandType::Variable(variable) | OperandType::Pointer(variable)) = ty else {
            return false;
        };
        let built_in = self.beside.documents.iter().any(|it| it.name == instruction.document);
        let restricts = |rule: &TypeRule| {
            let any = rule.any || rule.elements.iter().any(|it| &**it == "any");
            rule.variable == *variable && !any
        };
        !built_in && instruction.type_rules.iter().any(restricts)
    }

    /// The instructions that a capability enables, by the grammar or by what a document says.
    pub fn enabled_by(self, capability: &str) -> BTreeSet<String> {
        let name = canonical("Capability", capability);
        let stated = self.facts().filter(|fact| {
            &*fact.kind == "Opcode" && fact.capabilities.iter().any(|it| **it == *capability)
        });
        let stated = stated.map(|fact| fact.token.to_string());
        tokens::enabled_by(&name).into_iter().chain(stated).collect()
    }

    /// The alternative capabilities of an instruction; empty if it needs none, or is unknown.
    pub fn capabilities(self, instruction: &str) -> Vec<String> {
        if let Some(entry) = tokens::GrammarEntry::of(instruction) {
            return entry.capabilities();
        }
        let stated = self.facts().filter(|fact| *fact.token == *instruction);
        stated.flat_map(|fact| fact.capabilities.iter().map(ToString::to_string)).collect()
    }

    /// Some document or the grammar has this token.
    pub fn token(self, kind: &str, name: &str) -> bool {
        let named = match kind {
            "Opcode" => {
                tokens::GrammarEntry::of(name).is_some_and(|entry| entry.name() == name)
                    || self.instruction(name).is_some()
            }
            "Extension" => !name.starts_with("SPV_") || tokens::is_extension(name),
            kind if KINDS.contains(&kind) => tokens::named(kind, name).is_some(),
            _ => return true,
        };
        // A document's own tokens are that document's to bring.
        named || self.texts.facts.iter().any(|fact| &*fact.kind == kind && *fact.token == *name)
    }

    /// An operand that an instruction has, or its result; not known where it is not declared.
    pub fn has(self, instruction: &str, field: &str) -> Option<bool> {
        let both = [self.beside, self.texts].map(|it| it.instructions.get(instruction));
        let mut declared = both.into_iter().flatten().peekable();
        declared.peek()?;
        Some(declared.any(|it| {
            it.operands.iter().any(|operand| *operand.name == *field)
                || field == "Result" && it.result.is_some()
        }))
    }

    /// The types that the declaration of an instruction leaves an operand, or its result; `None`
    /// where it does not say.
    pub fn types(self, instruction: &str, field: &str) -> Option<BTreeSet<FieldValue>> {
        if let Some(variable) = self.beside.built_ins.get(instruction) {
            return of_type(&variable.ty, &variable.type_rules);
        }
        let known = self.instruction(instruction)?;
        let ty = match known.operands.iter().find(|operand| *operand.name == *field) {
            Some(operand) => &operand.ty,
            None if field == "Result" => known.result.as_ref()?,
            None => return None,
        };
        of_type(ty, &known.type_rules)
    }

    /// Some value that it moves may be of more than one type.
    pub fn is_open(self, instruction: &str) -> bool {
        let Some(known) = self.instruction(instruction) else { return false };
        let variable = |ty: &OperandType| matches!(ty, OperandType::Variable(_));
        let typed = known.operands.iter().map(|it| (&*it.name, &it.ty));
        let typed = typed.chain(known.result.iter().map(|ty| ("Result", ty)));
        typed
            .filter(|(_, ty)| variable(ty))
            .any(|(field, _)| self.types(instruction, field).is_none_or(|types| types.len() > 1))
    }

    /// The operand is an image, so demands on images apply to it.
    pub fn is_image(self, instruction: &str, operand: &str) -> bool {
        let known = self.instruction(instruction);
        known.is_some_and(|it| {
            it.operands.iter().any(|it| *it.name == *operand && it.ty == OperandType::Image)
        })
    }

    /// The document that an instruction comes from.
    pub fn home(self, instruction: &str) -> Option<&'t str> {
        match self.beside.built_ins.get(instruction) {
            Some(variable) => Some(&*variable.document),
            None => self.instruction(instruction).map(|it| &*it.document),
        }
    }
}

fn of_type(ty: &OperandType, rules: &[TypeRule]) -> Option<BTreeSet<FieldValue>> {
    let either = |elements: Vec<Element>| -> Vec<Element> {
        elements.into_iter().flat_map(Element::either_sign).collect()
    };
    let word = |word: &str| either(elements(&[word.into()]));
    match ty {
        OperandType::Bool => Some(Ty::all(true, None, &word("bool"))),
        OperandType::Int(width) => Some(Ty::all(true, None, &word(&format!("u{width}")))),
        OperandType::AnyInt => Some(Ty::all(true, None, &word("int"))),
        OperandType::Ballot => Some(Ty::all(false, Some(&[4]), &word("u32"))),
        OperandType::Variable(name) => {
            let rule = rules.iter().find(|rule| rule.variable == *name)?;
            if rule.any || rule.component_of.is_some() || rule.pair_of.is_some() {
                return None;
            }
            let vector = rule.vector.then_some(&[][..]);
            Some(Ty::all(rule.scalar, vector, &either(elements(&rule.elements))))
        }
        _ => None,
    }
}

/// The kind of tokens of a field; by default the field's own name.
pub fn kind_of(field: &str) -> &str {
    match field {
        "Execution" | "Memory" => "Scope",
        other => other,
    }
}

/// A token's name in the grammar; the nearest one where it is misspelt, else itself.
pub fn canonical(kind: &str, name: &str) -> Arc<str> {
    match tokens::named(kind, name) {
        Some(known) => known.name.into(),
        None if KINDS.contains(&kind) => {
            tokens::nearest(kind, name).map_or_else(|| name.into(), Into::into)
        }
        None => name.into(),
    }
}

/// The capabilities that a value needs: one of each list. Of types these are the core's rules for
/// widths and numbers of components.
pub fn needs(kind: &str, value: &FieldValue) -> Vec<Vec<String>> {
    let one = |name: &str| vec![name.to_owned()];
    match value {
        FieldValue::Type(ty) => {
            let element = match ty.element {
                Element::Int(_, 8) => Some(one("Int8")),
                Element::Int(_, 16) => Some(one("Int16")),
                Element::Int(_, 64) => Some(one("Int64")),
                Element::Float(16) => Some(vec!["Float16".to_owned(), "Float16Buffer".to_owned()]),
                Element::Float(64) => Some(one("Float64")),
                _ => None,
            };
            let components = (ty.components > 4).then(|| one("Vector16"));
            element.into_iter().chain(components).collect()
        }
        FieldValue::Word(word) if kind != "Capability" => {
            let capabilities = match kind {
                "Opcode" => tokens::GrammarEntry::of(word).map(|it| it.capabilities()),
                kind => tokens::named(kind, word).map(|it| it.capabilities()),
            };
            capabilities.into_iter().filter(|any| !any.is_empty()).collect()
        }
        _ => Vec::new(),
    }
}
