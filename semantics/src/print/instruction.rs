//! Instructions, with all that their clauses rest on.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::wrapped;
use crate::language::ast::{
    BuiltIn, Clause, Consequence, Expr, ExprKind, Reading, SpecFunction, SpecInstruction, Statement,
};
use crate::specification::Specification;

impl Specification {
    /// An instruction in the language it was written in: header, clauses document by document,
    /// then the functions and readings that they use, and what the documents say of its token.
    pub fn print_instruction(&self, instruction: &SpecInstruction) -> String {
        let mut out = String::new();
        self.document(&mut out, &instruction.document);
        header(&mut out, instruction);
        let own = |clause: &&Arc<Clause>| clause.document == instruction.document;
        for clause in instruction.clauses.iter().filter(own) {
            print_clause(&mut out, clause, clause.section != instruction.section);
        }
        let others = instruction.clauses.iter().filter(|clause| !own(clause));
        self.extensions(&mut out, &instruction.name, others);
        self.words(&mut out, &instruction.row, &instruction.clauses);
        self.facts_about(&mut out, &instruction.name);
        out
    }

    /// A built-in variable, likewise.
    pub fn print_built_in(&self, built_in: &BuiltIn) -> String {
        let mut out = String::new();
        self.document(&mut out, &built_in.document);
        let _ = write!(out, "\nbuiltin {} : {}", built_in.name, built_in.ty);
        if built_in.componentwise {
            out.push_str(" componentwise");
        }
        for rule in &built_in.type_rules {
            let _ = write!(out, " {rule}");
        }
        let own = |clause: &&Arc<Clause>| clause.document == built_in.document;
        let section = built_in.clauses.first().map(|clause| Arc::clone(&clause.section));
        if let Some(section) = &section {
            let _ = write!(out, " section \"{section}\"");
        }
        out.push('\n');
        for clause in built_in.clauses.iter().filter(own) {
            print_clause(&mut out, clause, Some(&clause.section) != section.as_ref());
        }
        let others = built_in.clauses.iter().filter(|clause| !own(clause));
        self.extensions(&mut out, &built_in.name, others);
        self.words(&mut out, &[], &built_in.clauses);
        self.facts_about(&mut out, &built_in.name);
        out
    }

    /// What the readings ask that these clauses, and the definitions of a row, may rest on, in the
    /// order of their names.
    pub fn readings_of(
        &self,
        row: &[Arc<SpecFunction>],
        clauses: &[Arc<Clause>],
    ) -> Vec<Arc<Reading>> {
        let used = Used::by(self, row, clauses);
        used.readings.iter().filter_map(|name| self.readings.get(name)).cloned().collect()
    }

    /// What the documents say of its token, place by place.
    fn facts_about(&self, out: &mut String, token: &str) {
        let (mut document, mut section) = ("", "");
        for fact in self.facts_of(token) {
            if *document != *fact.document {
                out.push('\n');
                self.document(out, &fact.document);
                (document, section) = (&fact.document, "");
            }
            if *section != *fact.section {
                let _ = writeln!(out, "\nfacts section \"{}\"", fact.section);
                section = &fact.section;
            }
            wrapped(out, 2, &fact.to_string());
        }
    }

    fn document(&self, out: &mut String, name: &str) {
        let _ = write!(out, "document {name}");
        let known = self.documents.iter().find(|document| &*document.name == name);
        if let Some(document) = known.filter(|document| !document.title.is_empty()) {
            let _ = write!(out, " revision \"{}\" \"{}\"", document.revision, document.title);
        }
        out.push('\n');
    }

    fn extensions<'a>(
        &self,
        out: &mut String,
        instruction: &str,
        clauses: impl Iterator<Item = &'a Arc<Clause>>,
    ) {
        let mut current: Option<(&str, &str)> = None;
        for clause in clauses {
            let place = (&*clause.document, &*clause.section);
            if current != Some(place) {
                out.push('\n');
                self.document(out, &clause.document);
                let _ = writeln!(out, "\nextend {instruction}\n  section \"{}\"", clause.section);
                current = Some(place);
            }
            print_clause(out, clause, false);
        }
    }

    /// Functions and readings that clauses use, each once.
    fn words(&self, out: &mut String, row: &[Arc<SpecFunction>], clauses: &[Arc<Clause>]) {
        let used = Used::by(self, row, clauses);
        for function in used.functions.iter().filter_map(|name| self.functions.get(name)) {
            out.push('\n');
            wrapped(out, 0, &format!("function {function}"));
        }
        for reading in used.readings.iter().filter_map(|name| self.readings.get(name)) {
            print_reading(out, reading);
        }
    }
}

/// Name, operands, result and type rules.
fn header(out: &mut String, instruction: &SpecInstruction) {
    let name = &instruction.name;
    let family = match instruction.row.is_empty() {
        false => instruction.section.trim_end_matches(&**name).trim_end_matches(" / "),
        true => &instruction.section,
    };
    if instruction.row.is_empty() {
        let word = if instruction.primitive { "primitive" } else { "instruction" };
        let _ = writeln!(out, "\n{word} {name}");
    } else {
        let row: Vec<_> = instruction.row.iter().map(ToString::to_string).collect();
        out.push_str("\ntable\n");
        wrapped(out, 2, &format!("row {name}: {}", row.join("; ")));
        out.push_str("instruction\n");
    }
    let _ = writeln!(out, "  section \"{family}\"");
    if !instruction.operands.is_empty() {
        out.push_str("  operands\n");
    }
    for operand in &instruction.operands {
        let _ = writeln!(out, "    {operand}");
    }
    if let Some(result) = &instruction.result {
        let _ = writeln!(out, "  result {result}");
    }
    if instruction.componentwise {
        out.push_str("  componentwise\n");
    }
    for rule in &instruction.type_rules {
        let _ = writeln!(out, "  {rule}");
    }
}

fn print_clause(out: &mut String, clause: &Clause, with_section: bool) {
    let numbers: Vec<_> = clause.sentences.iter().map(u32::to_string).collect();
    let section = match with_section {
        true => format!(" section \"{}\"", clause.section),
        false => String::new(),
    };
    out.push('\n');
    let replaces: Vec<_> = clause.replaces.iter().map(u32::to_string).collect();
    let replaces = match replaces.is_empty() {
        true => String::new(),
        false => format!(" replaces [{}]", replaces.join(", ")),
    };
    let numbers = numbers.join(", ");
    wrapped(out, 2, &format!("[{numbers}]{section}{replaces} \"{}\"", clause.wording));
    for (statement, _) in &clause.statements {
        print_statement(out, 4, statement);
    }
}

/// A statement, and on lines of their own those that are executed in some order.
fn print_statement(out: &mut String, indent: usize, statement: &Statement) {
    match statement {
        Statement::InSomeOrder(statements) => {
            wrapped(out, indent, "in some order of active {");
            statements.iter().for_each(|inner| print_statement(out, indent + 2, inner));
            wrapped(out, indent, "}");
        }
        statement => wrapped(out, indent, &statement.to_string()),
    }
}

fn print_reading(out: &mut String, reading: &Reading) {
    out.push('\n');
    wrapped(out, 0, &format!("reading {} \"{}\"", reading.name, reading.question));
    for (label, consequence) in &reading.alternatives {
        let consequence = match consequence {
            None => "",
            Some(Consequence::Silence) => " : silence",
            Some(Consequence::ImplementationValue) => " : implementation value",
            Some(Consequence::UndefinedValue) => " : undefined value",
            Some(Consequence::UndefinedBehavior) => " : undefined behavior",
        };
        let _ = writeln!(out, "  | {label}{consequence}");
    }
}

/// Names of functions and readings.
#[derive(Default)]
struct Used {
    functions: BTreeSet<Arc<str>>,
    readings: BTreeSet<Arc<str>>,
}

impl Used {
    fn by(all: &Specification, row: &[Arc<SpecFunction>], clauses: &[Arc<Clause>]) -> Self {
        let mut used = Self::default();
        row.iter().for_each(|definition| used.expr(all, &definition.body));
        let statements = clauses.iter().flat_map(|clause| &clause.statements);
        statements.for_each(|(statement, _)| used.statement(all, statement));
        used
    }

    fn statement(&mut self, all: &Specification, statement: &Statement) {
        match statement {
            Statement::Label(name, _) | Statement::Reading(name, _) => {
                self.readings.insert(Arc::clone(name));
            }
            Statement::Must(_) => self.rests_on(["unmet-must"]),
            Statement::Store { .. } => self.rests_on(["stores-meet"]),
            _ => {}
        }
        statement.expressions().into_iter().for_each(|expr| self.expr(all, expr));
        for inner in statement.nested().into_iter().flatten() {
            self.statement(all, inner);
        }
    }

    /// Readings that are consulted without being named.
    fn rests_on<const N: usize>(&mut self, readings: [&str; N]) {
        self.readings.extend(readings.map(Arc::from));
    }

    fn expr(&mut self, all: &Specification, expr: &Expr) {
        match &expr.kind {
            ExprKind::Reading(name, _) => {
                self.readings.insert(Arc::clone(name));
            }
            ExprKind::At(..) => {
                self.rests_on(["read-of-inactive-lane", "read-of-nonexistent-lane"]);
            }
            _ => {}
        }
        if let ExprKind::Name(name) | ExprKind::Call(name, _) = &expr.kind
            && let Some(function) = all.functions.get(&**name)
            && self.functions.insert(Arc::clone(name.text()))
        {
            self.expr(all, &function.body);
        }
        expr.parts().into_iter().for_each(|part| self.expr(all, part));
    }
}
