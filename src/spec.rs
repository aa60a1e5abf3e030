//! `laneproof spec`: the specification, as its files state it.

mod exactness;
mod facts;
mod matrix;
mod reading;
mod smt2;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use anstyle::Style;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use laneproof_frontends::{in_spirv, spellings};
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{BuiltIn, Clause, Reading, SpecInstruction};
use laneproof_semantics::language::margin::Margin;
use laneproof_semantics::{Document, Specification};
use laneproof_tokens::{self as tokens, Difference, GrammarEntry};
use serde_json::{Value, json};

use crate::answer::{Answer, Exit};
use crate::failure::{Failure, alike};
use crate::setting::{Setting, known_profile};
use crate::terminal::Terminal;
use laneproof_report::table::{paint, table, wrap};
use laneproof_report::verdict::citation;

/// Show what the specification says: all in a list, or instructions and built-ins clause by clause
#[derive(Args)]
pub struct Spec {
    /// Names, or parts of names: of instructions, built-ins, and readings; a built-in function of
    /// GLSL, WGSL, HLSL or OpenCL C stands for its instructions
    #[arg(value_name = "INSTRUCTION", value_parser = NonEmptyStringValueParser::new())]
    names: Vec<String>,
    /// Print the terms that the solver is given, as SMT-LIB 2
    #[arg(long)]
    smt2: bool,
    /// With --smt2: how open points are read [default: by the modules' kind]
    #[arg(long, value_name = "NAME", requires = "smt2")]
    profile: Option<String>,
    /// Only what holds in an environment: vulkan, opencl, level-zero; without names a page about it
    #[arg(long, value_name = "NAME")]
    environment: Option<String>,
}

/// Something that clauses are about.
enum Subject<'a> {
    Instruction(&'a SpecInstruction),
    BuiltIn(&'a BuiltIn),
    Reading(&'a Reading),
}

impl<'a> Subject<'a> {
    fn name(&self) -> &'a str {
        match self {
            Self::Instruction(instruction) => &instruction.name,
            Self::BuiltIn(built_in) => &built_in.name,
            Self::Reading(reading) => &reading.name,
        }
    }

    fn document(&self) -> &'a str {
        match self {
            Self::Instruction(instruction) => &instruction.document,
            Self::BuiltIn(built_in) => &built_in.document,
            Self::Reading(_) => "",
        }
    }

    fn clauses(&self) -> &'a [Arc<Clause>] {
        match self {
            Self::Instruction(instruction) => &instruction.clauses,
            Self::BuiltIn(built_in) => &built_in.clauses,
            Self::Reading(_) => &[],
        }
    }
}

impl Spec {
    /// Looks it up.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let specification = match &self.environment {
            None => Cow::Borrowed(&*setting.specification),
            Some(name) => Cow::Owned(environment(&setting.specification, name)?),
        };
        let specification = &*specification;
        let subjects = self.subjects(specification)?;
        if self.smt2 {
            known_profile(self.profile.as_deref(), setting)?;
            return Ok(smt2::answer(specification, &subjects, self.profile.as_deref()));
        }
        let differences = tokens::differences(specification);
        let rows = if self.names.is_empty() { matrix::rows(specification) } else { Vec::new() };
        let page = self.environment.as_deref().filter(|_| self.names.is_empty());
        let texts = &AsWritten::built_in().specification;
        let text = if let Some(page) = page.and_then(|it| specification.environment_page(it, texts))
        {
            page
        } else if self.names.is_empty() {
            list(specification, &subjects, &differences, setting.terminal)
                + &matrix::shown(&rows, setting.terminal)
        } else {
            let print = |subject: &Subject<'_>| match subject {
                Subject::Instruction(it) => {
                    let page = specification.print_instruction(it);
                    page.trim_end().to_owned()
                        + &exactness::page(&self.margins(specification, &it.name))
                }
                Subject::BuiltIn(it) => specification.print_built_in(it),
                Subject::Reading(it) => reading::page(specification, it),
            };
            let text = subjects.iter().map(print).collect::<Vec<_>>().join("\n\n");
            broken(&text, setting.terminal)
        };
        let of_kind = |instructions: bool| {
            let subjects = subjects.iter();
            let fits = subjects.filter(|it| match it {
                Subject::Instruction(_) => instructions,
                Subject::BuiltIn(_) => !instructions,
                Subject::Reading(_) => false,
            });
            let described = |subject| {
                let mut described = described(specification, subject);
                let margins = self.margins(specification, subject.name());
                if !margins.is_empty() {
                    let margins = margins.iter().map(|it| exactness::document(it));
                    described["arithmetic"] = margins.collect();
                }
                described
            };
            fits.map(described).collect::<Vec<_>>()
        };
        let asked = subjects.iter().filter_map(|subject| match subject {
            Subject::Reading(reading) => Some(*reading),
            _ => None,
        });
        // Those of an instruction are listed with it.
        let all = specification.facts.iter().filter(|_| self.names.is_empty());
        let json = json!({
            "instructions": of_kind(true),
            "built_ins": of_kind(false),
            "readings": asked.map(|it| reading::document(specification, it)).collect::<Vec<_>>(),
            "differences": differences.iter().map(facts::difference).collect::<Vec<_>>(),
            "facts": all.map(|fact| facts::document(fact)).collect::<Vec<_>>(),
            "matrix": matrix::document(&rows),
            "documents": specification.documents.iter().map(document).collect::<Vec<_>>(),
            "arithmetic": specification.margins.iter().map(|it| exactness::document(it)).collect::<Vec<_>>(),
        });
        Ok(Answer { exit: Exit::Good, text, json })
    }

    /// The precision of an instruction in the selected environment.
    fn margins<'a>(
        &'a self,
        specification: &'a Specification,
        instruction: &str,
    ) -> Vec<&'a Arc<Margin>> {
        let environment = self.environment.as_deref();
        environment.map_or(vec![], |it| exactness::of(specification, it, instruction))
    }

    /// The subjects with these names: exact matches, or else names that contain them.
    fn subjects<'a>(&self, all: &'a Specification) -> Result<Vec<Subject<'a>>, Failure> {
        let every = || {
            let instructions = all.instructions.values().map(|it| Subject::Instruction(it));
            instructions.chain(all.built_ins.values().map(|it| Subject::BuiltIn(it)))
        };
        if self.names.is_empty() {
            return Ok(every().collect());
        }
        let mut found = Vec::new();
        for wanted in &self.names {
            let lower = wanted.to_lowercase();
            let readings = || all.readings.values().map(|it| Subject::Reading(it));
            let exact =
                every().chain(readings()).find(|subject| subject.name().to_lowercase() == lower);
            let spelt = in_spirv(wanted);
            let some: Vec<Subject<'a>> = match exact {
                Some(subject) => vec![subject],
                None if !spelt.is_empty() => {
                    every().filter(|it| spelt.iter().any(|name| name == it.name())).collect()
                }
                None => every().filter(|it| it.name().to_lowercase().contains(&lower)).collect(),
            };
            if some.is_empty() {
                let spellings = spellings().into_iter().map(|(name, _)| name);
                let names = every().chain(readings()).map(|subject| subject.name().to_owned());
                let names: Vec<String> = names.chain(spellings).collect();
                let help = alike(&lower, &names)
                    .unwrap_or_else(|| "`laneproof spec` lists the names".to_owned());
                return Err(Failure::NotSpecified { name: wanted.clone(), help });
            }
            found.extend(some);
        }
        Ok(found)
    }
}

/// What holds in the environment of this name.
fn environment(all: &Specification, name: &str) -> Result<Specification, Failure> {
    if all.environments().any(|known| **known == *name) {
        return Ok(all.in_environment(name));
    }
    let known: Vec<String> = all.environments().map(ToString::to_string).collect();
    let help = alike(name, &known);
    Err(Failure::NoEnvironment { name: name.to_owned(), known, help })
}

fn document(document: &Document) -> Value {
    json!({
        "name": &*document.name,
        "title": &*document.title,
        "revision": &*document.revision,
        "environments": document.environments.iter().map(|it| &**it).collect::<Vec<_>>(),
    })
}

/// By document: every name, how many clauses it has, which readings it leaves open.
fn list(
    specification: &Specification,
    subjects: &[Subject<'_>],
    differences: &[Difference],
    terminal: &Terminal,
) -> String {
    let mut by_document: BTreeMap<&str, Vec<&Subject<'_>>> = BTreeMap::new();
    for subject in subjects {
        by_document.entry(subject.document()).or_default().push(subject);
    }
    let mut out = String::new();
    for (document, subjects) in by_document {
        let known = specification.documents.iter().find(|it| &*it.name == document);
        let title = known.map(|it| format!("{}, revision {}", it.title, it.revision));
        let heading = paint(&terminal.page, Style::new().bold(), document);
        let title = title.filter(|title| !title.starts_with(',')).unwrap_or_default();
        let start = out.len();
        wrap(&mut out, &terminal.page, 0, &format!("{document}  {title}"));
        out.replace_range(start..start + document.len(), &heading);
        let mut table = table(&terminal.page, &["name", "clauses", "readings"]);
        for subject in subjects {
            table.add_row([
                subject.name().to_owned(),
                subject.clauses().len().to_string(),
                readings(specification, subject).join(", "),
            ]);
        }
        let _ = writeln!(out, "{}\n", table.trim_fmt());
    }
    if !differences.is_empty() {
        let _ =
            writeln!(out, "{}", paint(&terminal.page, Style::new().bold(), "Beside the grammar"));
        for Difference { tokens, documents, difference, .. } in differences {
            let (tokens, documents) = (tokens.join(", "), documents.join(", "));
            wrap(&mut out, &terminal.page, 2, &format!("{tokens}: {difference} ({documents})"));
        }
    }
    out
}

/// Long lines broken where they are indented: spaces do not matter to the language, not even in
/// quotes. Other lines that fit stay as they are.
fn broken(text: &str, terminal: &Terminal) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        // Prose in quotes is broken anew, from its first line to its last.
        let mut whole = line.to_owned();
        while whole.matches('"').count() % 2 == 1 {
            let Some(next) = lines.next() else { break };
            whole.push(' ');
            whole.push_str(next.trim_start());
        }
        if whole.chars().count() <= terminal.page.width {
            out.push_str(&whole);
            out.push('\n');
        } else {
            let indent = whole.len() - whole.trim_start().len();
            wrap(&mut out, &terminal.page, indent, &whole);
        }
    }
    out
}

fn readings(specification: &Specification, subject: &Subject<'_>) -> Vec<String> {
    let row = match subject {
        Subject::Instruction(instruction) => &instruction.row[..],
        Subject::BuiltIn(_) | Subject::Reading(_) => &[],
    };
    let readings = specification.readings_of(row, subject.clauses());
    readings.iter().map(|reading| reading.name.to_string()).collect()
}

fn described(specification: &Specification, subject: &Subject<'_>) -> Value {
    let clauses = subject.clauses().iter().map(|clause| {
        let statements: Vec<String> =
            clause.statements.iter().map(|(statement, _)| statement.to_string()).collect();
        json!({
            "id": &*clause.id,
            "document": &*clause.document,
            "section": &*clause.section,
            "sentences": clause.sentences,
            "citation": citation(clause),
            "wording": &*clause.wording,
            "statements": statements,
        })
    });
    let mut described = json!({ "name": subject.name(), "document": subject.document() });
    match subject {
        Subject::Instruction(instruction) => {
            let entry = GrammarEntry::of(&instruction.name);
            let operands = instruction.operands.iter().map(ToString::to_string);
            described["section"] = (*instruction.section).into();
            described["opcode"] = entry.as_ref().map(GrammarEntry::opcode).into();
            if let Some(set) = entry.as_ref().and_then(GrammarEntry::set) {
                described["set"] = set.into();
            }
            described["capability"] =
                entry.as_ref().map_or(vec![], GrammarEntry::capabilities).into();
            described["extension"] = tokens::extensions(entry.as_ref(), instruction).into();
            described["primitive"] = instruction.primitive.into();
            described["operands"] = operands.collect();
            described["result"] = instruction.result.as_ref().map(ToString::to_string).into();
        }
        Subject::BuiltIn(built_in) => described["type"] = built_in.ty.to_string().into(),
        Subject::Reading(_) => {}
    }
    described["clauses"] = clauses.collect();
    described["facts"] = facts::of(specification, subject.name()).into();
    described["readings"] = readings(specification, subject).into();
    described
}

#[cfg(test)]
mod tests {
    use laneproof_frontends::spellings;

    use super::*;

    /// `spec` would look for something that is not there.
    #[test]
    fn every_name_in_a_shading_language_is_of_something_specified() {
        let all = Specification::built_in();
        let known = |name: &String| {
            all.instructions.contains_key(&**name) || all.built_ins.contains_key(&**name)
        };
        let names = spellings();
        assert_eq!(names.len(), 216);
        for (name, spirv) in names {
            assert!(!spirv.is_empty() && spirv.iter().all(known), "{name}: {spirv:?}");
        }
    }
}
