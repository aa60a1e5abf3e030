//! What is searched: one instruction in one form, as some of the documents have it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_queries::typical::{element, value};
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::denote::{Argument, Instance};
use laneproof_semantics::language::ast::{
    Clause, Expr, ExprKind, Operand, OperandType, SpecInstruction, Statement, TypeRule,
};
use laneproof_semantics::language::fact::TokenFact;
use laneproof_semantics::{Scalar, Type};

use crate::copies::Copied;
use crate::rules::{Book, Circumstances, FieldValue, prohibits};

/// An instruction, as the document that defines it has it, alone or with one that adds to it.
#[derive(Clone, Debug)]
pub struct Account {
    /// The instruction with these documents' clauses.
    pub instruction: Arc<SpecInstruction>,
    /// The document that defines it, and the one that adds to it if there is one.
    pub documents: Vec<Arc<str>>,
    /// Documents that say the same of it as the one that adds to it.
    pub copies: Vec<Copied>,
}

impl Account {
    /// Of these clauses, without copies.
    fn of(instruction: &SpecInstruction, documents: Vec<Arc<str>>) -> Self {
        let of_these = |clause: &&Arc<Clause>| documents.contains(&clause.document);
        let clauses = instruction.clauses.iter().filter(of_these).cloned().collect();
        let instruction = SpecInstruction { clauses, ..SpecInstruction::clone(instruction) };
        Self { instruction: Arc::new(instruction), documents, copies: Vec::new() }
    }

    /// Another account of the instruction is this one's copy.
    fn copied(&self, texts: &AsWritten, other: &Self) -> Option<Copied> {
        let (from, document) = (self.documents.get(1)?, other.documents.get(1)?);
        Copied::of(texts, [from, document], [&self.instruction, &other.instruction])
    }
}

/// Every account of every instruction. Those that differ in nothing but the document are one.
pub fn accounts(texts: &AsWritten) -> Vec<Account> {
    let mut accounts: Vec<Account> = Vec::new();
    for instruction in texts.specification.instructions.values() {
        let own = &instruction.document;
        let others: BTreeSet<&Arc<str>> =
            instruction.clauses.iter().map(|clause| &clause.document).collect();
        let mut sets = vec![vec![Arc::clone(own)]];
        let others = others.into_iter().filter(|document| *document != own);
        sets.extend(others.map(|other| vec![Arc::clone(own), Arc::clone(other)]));
        let first = accounts.len();
        for account in sets.into_iter().map(|documents| Account::of(instruction, documents)) {
            let mut known = accounts[first..].iter_mut();
            let copied = |known: &mut Account| {
                let copy = known.copied(texts, &account);
                copy.map(|copy| known.copies.push(copy)).is_some()
            };
            if !known.any(copied) {
                accounts.push(account);
            }
        }
    }
    accounts
}

/// The newest version: it allows most.
const VERSION: (u8, u8) = (1, 6);

/// The forms in which it is searched: enumerants, optional operands, kinds of modules, and for
/// each type variable 32-bit integers and floating-point numbers where they are allowed.
pub fn forms(texts: &AsWritten, book: &Book<'_>, instruction: &SpecInstruction) -> Vec<Instance> {
    let enumerants = texts.specification.enumerants.clone();
    let mut kinds = instruction.operands.iter().filter_map(|operand| match &operand.ty {
        OperandType::Enumerant(kind) => Some((operand, enumerants.get(kind)?)),
        _ => None,
    });
    let operations: Vec<Option<Arc<str>>> = match kinds.next_back() {
        Some((operand, names)) => {
            let legal = |name: &&Arc<str>| is_legal(book, instruction, &operand.name, name);
            names.iter().filter(legal).cloned().map(Some).collect()
        }
        None => asked_for(instruction).into_iter().map(Some).chain([None]).collect(),
    };
    let optional = instruction.operands.iter().any(|operand| operand.optional);
    let given: &[bool] = if optional { &[true, false] } else { &[false] };
    let capabilities: &[&str] =
        match (for_shaders(book, &instruction.document), by_capability(instruction)) {
            (true, _) => &["Shader"],
            (false, true) => &["Shader", "Kernel"],
            (false, false) => &["Kernel"],
        };
    let mut found: Vec<Instance> = Vec::new();
    // Of an instruction that treats components one by one, a vector of three shows all that one can
    // be, where a text goes on after the second. Where it does not say how it goes on, nothing else
    // shows in the lane: a vector of two shows that.
    let counts: &[u8] = if instruction.componentwise { &[1, 2, 3] } else { &[1] };
    let floats: &[bool] = if only_moves(instruction) { &[false] } else { &[false, true] };
    let kinds =
        floats.iter().flat_map(|&float| counts.iter().map(move |&count| (float, count, 32)));
    // Where bytes are counted it matters how many an element has.
    let widths: &[u32] = if counts_bytes(instruction) { &[8, 16, 64] } else { &[] };
    let kinds = kinds.chain(widths.iter().map(|&width| (false, 1, width)));
    for (float, count, width) in kinds {
        let types = types(instruction, float, count, width);
        for operation in &operations {
            for &given in given {
                for capability in capabilities {
                    let form = form(instruction, &types, operation.as_ref(), given, capability);
                    let same = |known: &Instance| {
                        known.arguments == form.arguments
                            && known.result == form.result
                            && known.capabilities == form.capabilities
                    };
                    if !found.iter().any(same) {
                        found.push(form);
                    }
                }
            }
        }
    }
    found
}

/// Each capability that the document brings declares or depends on the one of shaders.
fn for_shaders(book: &Book<'_>, document: &str) -> bool {
    let own = |fact: &&Arc<TokenFact>| {
        *fact.document == *document && &*fact.kind == "Capability" && !fact.adds
    };
    let mut brought: BTreeMap<&str, bool> = BTreeMap::new();
    // One without a number is another document's.
    let numbered: BTreeSet<&str> = book
        .known
        .facts()
        .filter(own)
        .filter(|it| it.number.is_some())
        .map(|it| &*it.token)
        .collect();
    for fact in book.known.facts().filter(own).filter(|it| numbered.contains(&*it.token)) {
        // A capability may be in several tables, of which one says what it depends on.
        let shader = fact.declares.iter().any(|it| &**it == "Shader");
        *brought.entry(&fact.token).or_default() |= shader;
    }
    !brought.is_empty() && brought.values().all(|&shader| shader)
}

/// No rule of its own document makes the enumerant illegal in every module.
fn is_legal(book: &Book<'_>, instruction: &SpecInstruction, operand: &str, name: &str) -> bool {
    let place = (&*instruction.name, operand);
    let value = FieldValue::Word(name.into());
    let none = Circumstances::default();
    let illegal = prohibits(book, &instruction.document, place, &value, &none, true);
    !illegal.iter().any(|resolved| {
        let mut facts = Vec::new();
        resolved.when().facts(&mut facts);
        facts.is_empty()
    })
}

/// The enumerants that its clauses test an operand for, if no text lists them. The clauses treat
/// all others alike, so one unnamed enumerant represents them.
fn asked_for(instruction: &SpecInstruction) -> BTreeSet<Arc<str>> {
    fn walk(expr: &Expr, of: &BTreeSet<&str>, names: &mut BTreeSet<Arc<str>>) {
        if let ExprKind::Is(operand, word) = &expr.kind
            && of.contains(&**operand)
        {
            names.insert(Arc::clone(word));
        }
        expr.parts().into_iter().for_each(|part| walk(part, of, names));
    }
    let operands = instruction.operands.iter();
    let of = operands.filter(|operand| matches!(operand.ty, OperandType::Enumerant(_)));
    let of: BTreeSet<&str> = of.map(|operand| &*operand.name).collect();
    let mut names = BTreeSet::new();
    for (statement, _) in instruction.clauses.iter().flat_map(|clause| &clause.statements) {
        statement.expressions().into_iter().for_each(|expr| walk(expr, &of, &mut names));
    }
    names
}

/// Its clauses ask for the module's capabilities.
pub fn by_capability(instruction: &SpecInstruction) -> bool {
    calls(instruction, &["capability"])
}

/// A clause calls one of these functions.
fn calls(instruction: &SpecInstruction, functions: &[&str]) -> bool {
    asks(
        instruction,
        &|it| matches!(&it.kind, ExprKind::Call(name, _) if functions.contains(&&**name)),
    )
}

/// Some part of an expression in a clause is such.
fn asks(instruction: &SpecInstruction, such: &dyn Fn(&Expr) -> bool) -> bool {
    fn within(statement: &Statement, such: &dyn Fn(&Expr) -> bool) -> bool {
        statement.expressions().into_iter().any(|it| it.any(such))
            || statement.nested().into_iter().flatten().any(|it| within(it, such))
    }
    let mut statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
    statements.any(|(statement, _)| within(statement, such))
}

/// It moves bits between lanes and memory, and no clause interprets them.
fn only_moves(instruction: &SpecInstruction) -> bool {
    let leads_to_memory =
        |it: &Operand| matches!(it.ty, OperandType::Pointer(_) | OperandType::Image);
    let interpreting = ["is_float", "is_nan", "ieee_equal", "same_value"];
    instruction.operands.iter().any(leads_to_memory)
        && !calls(instruction, &interpreting)
        && !asks(instruction, &|it| matches!(it.kind, ExprKind::Fold { .. }))
}

/// Its clauses ask how wide something is, or how an address is aligned.
fn counts_bytes(instruction: &SpecInstruction) -> bool {
    calls(instruction, &["width", "aligned"])
}

/// A relation describes its results: several may be right.
pub fn by_relation(instruction: &SpecInstruction) -> bool {
    let such_that = |statement: &Statement| matches!(statement, Statement::ResultsSuchThat(_));
    let mut clauses = instruction.clauses.iter();
    clauses.any(|clause| clause.statements.iter().any(|(it, _)| such_that(it)))
}

fn form(
    instruction: &SpecInstruction,
    types: &BTreeMap<Arc<str>, Type>,
    operation: Option<&Arc<str>>,
    given: bool,
    capability: &str,
) -> Instance {
    let arguments = instruction.operands.iter().map(|operand| {
        if operand.optional && !given {
            return Argument::Absent;
        }
        match &operand.ty {
            OperandType::Scope => Argument::Enumerant(vec!["Subgroup".into()]),
            OperandType::Enumerant(_) => {
                Argument::Enumerant(operation.cloned().into_iter().collect())
            }
            OperandType::Pointer(variable) => {
                types.get(variable).cloned().map_or(Argument::Opaque, Argument::Pointer)
            }
            OperandType::Image => Argument::Image,
            OperandType::Literals => Argument::Literals(Vec::new()),
            OperandType::Values => Argument::Values(Vec::new()),
            other => value(other, types).map_or(Argument::Opaque, Argument::Value),
        }
    });
    let arguments = arguments.collect();
    let result = instruction.result.as_ref().and_then(|ty| value(ty, types));
    let capabilities = Arc::new([capability.to_owned()].into());
    Instance {
        arguments,
        result,
        capabilities,
        modes: Arc::default(),
        version: VERSION,
        decorations: BTreeSet::new(),
    }
}

fn types(
    instruction: &SpecInstruction,
    float: bool,
    count: u8,
    width: u32,
) -> BTreeMap<Arc<str>, Type> {
    let mut types: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    // Of this width, or 32 bits where that is none.
    let [word, float_word] = [Scalar::uint(32), Scalar::F32];
    let ordinary = [Scalar::uint(width), word, float_word, Scalar::Bool];
    let wanted = if float { &[&[float_word], &ordinary[..]].concat() } else { &ordinary[..] };
    for rule in &instruction.type_rules {
        let ty = match &rule.component_of {
            Some(whole) => {
                let element = types.get(whole).and_then(Type::element);
                element.map_or(Type::U32, Type::Scalar)
            }
            None if rule.pair_of.is_some() => pair(rule, &types),
            None if count > 1 && rule.vector && by_component(instruction, rule) => {
                Type::Vector { element: element(rule, wanted), count: u32::from(count) }
            }
            None if rule.scalar || rule.any => Type::Scalar(element(rule, wanted)),
            None => Type::Vector { element: element(rule, wanted), count: 2 },
        };
        types.insert(Arc::clone(&rule.variable), ty);
    }
    types
}

/// A structure of two of what the rule names.
fn pair(rule: &TypeRule, types: &BTreeMap<Arc<str>, Type>) -> Type {
    let members = rule.pair_of.iter().flatten();
    let members = members.map(|name| types.get(name).cloned().unwrap_or(Type::U32));
    Type::Struct(members.collect())
}

/// Results, and operands that are taken component by component, are of this type.
fn by_component(instruction: &SpecInstruction, rule: &TypeRule) -> bool {
    let this = |ty: &OperandType| *ty == OperandType::Variable(Arc::clone(&rule.variable));
    instruction.result.as_ref().is_some_and(this)
        || instruction.operands.iter().any(|operand| operand.each && this(&operand.ty))
}

/// The operands that are the same in all lanes.
pub fn constants(instruction: &SpecInstruction) -> Vec<usize> {
    let operands = instruction.operands.iter().enumerate();
    operands.filter(|(_, operand)| operand.constant).map(|(index, _)| index).collect()
}
