//! A page about an environment, from its files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::language::ast::{Clause, SettlingSentence, Span};
use crate::language::margin::MarginKind;
use crate::language::rule::Rule;
use crate::specification::Specification;

impl Specification {
    /// What is particular to an environment, as Markdown: the documents that hold in it, how it reads
    /// what they leave open, how exact its arithmetic is, what only its own documents say of
    /// instructions and of modules; `texts` has those that are searched as they are written. `None`
    /// where there is no such environment.
    pub fn environment_page(&self, environment: &str, texts: &Self) -> Option<String> {
        let profile = self.profiles.get(environment)?;
        profile.environment.as_ref().filter(|own| ***own == *environment)?;
        let mut out = format!(
            "# The environment `{environment}`\n\nWhich documents hold in `{environment}`, how it \
             reads what they leave open, how exact its\narithmetic is, what its own documents say of \
             instructions, and which modules it takes.\n\nGenerated from the files of \
             `semantics/spec` and `semantics/text`; `laneproof spec --environment {environment}`\n\
             prints this page.\n"
        );
        self.documents_of(&mut out, environment);
        let _ = writeln!(
            out,
            "\n## How open points are read\n\n| reading | question | alternative | by |"
        );
        out.push_str("| --- | --- | --- | --- |\n");
        for (name, alternative) in &profile.settles {
            let question = self.readings.get(name).map_or("", |reading| &reading.question);
            let own = |it: &&SettlingSentence| {
                it.reading == *name && self.holds(&it.document, environment)
            };
            let by = profile.by.iter().find(own).map_or_else(String::new, |it| {
                format!("{}, {}, {}", it.document, it.section, numbers(&it.sentences))
            });
            let _ = writeln!(out, "| `{name}` | {question} | `{alternative}` | {by} |");
        }
        self.arithmetic_of(&mut out, environment);
        self.sentences_of(&mut out, environment);
        self.rules_of(&mut out, environment, texts);
        Some(out)
    }

    /// The rules of its own documents on modules, each as its file has it.
    fn rules_of(&self, out: &mut String, environment: &str, texts: &Self) {
        let _ = write!(
            out,
            "\n## Which modules it takes\n\n`laneproof validate --environment {environment} FILE` judges a module \
             by the rules of its documents. Here are those of\nits own documents, in the words of \
             `semantics/spec/LANGUAGE.md`; those of extensions hold in each\nenvironment. `--list` prints \
             each rule with what becomes of it.\n"
        );
        let own = |document: &str| {
            let known = self.documents.iter().find(|it| &*it.name == document);
            known.is_some_and(|it| !it.environments.is_empty() && it.holds_in(environment))
        };
        let mut sections: Vec<(String, String)> = Vec::new();
        for specification in [texts, self] {
            for rule in specification.rules.iter().filter(|it| own(&it.document)) {
                let title = format!("{}, {}", rule.document, rule.section);
                let row = specification.row_of(rule);
                match sections.iter_mut().find(|(known, _)| *known == title) {
                    Some((_, rows)) => rows.push_str(&row),
                    None => sections.push((title, row)),
                }
            }
        }
        for (title, rows) in sections.iter().filter(|(_, rows)| !rows.is_empty()) {
            let _ = write!(
                out,
                "\n### {title}\n\n| number | sentence | rule |\n| --- | --- | --- |\n{rows}"
            );
        }
    }

    /// A rule as a row of a table; nothing where it says nothing of modules.
    fn row_of(&self, rule: &Rule) -> String {
        let excerpt = |span| self.excerpt(span).unwrap_or_default();
        let demands: Vec<String> =
            rule.demands.iter().map(|it| format!("`{}`", excerpt(it.span))).collect();
        if demands.is_empty() {
            return String::new();
        }
        let block = rule.supposition.map(|it| format!(", all `{}`", excerpt(it)));
        let numbers: Vec<String> = rule.sentences.iter().map(|it| numbered(*it)).collect();
        format!(
            "| {} | {} | {}{} |\n",
            numbers.join(", "),
            rule.wording,
            demands.join("; "),
            block.unwrap_or_default()
        )
    }

    /// A part of a file, in one line.
    fn excerpt(&self, span: Span) -> Option<String> {
        let source = self.sources.get(span.file as usize)?;
        let text = source.text.get(span.start as usize..span.end as usize)?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"))
    }

    fn documents_of(&self, out: &mut String, environment: &str) {
        out.push_str("\n## Documents\n\n| document | revision | title | environments |\n");
        out.push_str("| --- | --- | --- | --- |\n");
        for it in self.documents.iter().filter(|it| it.holds_in(environment)) {
            if it.title.is_empty() && it.environments.is_empty() {
                continue;
            }
            let others: Vec<&str> = it
                .environments
                .iter()
                .map(|other| &**other)
                .filter(|other| *other != environment)
                .collect();
            let only = match (it.environments.is_empty(), others.as_slice()) {
                (true, _) => "all".to_owned(),
                (false, []) => "this one only".to_owned(),
                (false, others) => format!("this one and {}", others.join(", ")),
            };
            let _ = writeln!(out, "| {} | {} | {} | {only} |", it.name, it.revision, it.title);
        }
    }

    fn arithmetic_of(&self, out: &mut String, environment: &str) {
        out.push_str("\n## Floating-point results\n\n");
        out.push_str(
            "`verify` assumes that results are correctly rounded to nearest. `check` also allows what \
             follows, where:\n\n",
        );
        for (word, kind) in MarginKind::WORDS {
            if self.margins_in(environment).any(|it| it.kind == kind) {
                let _ = writeln!(out, "- `{word}`: {}", kind.meaning());
            }
        }
        out.push('\n');
        out.push_str("| sentence | allows | document, section, sentence |\n| --- | --- | --- |\n");
        for it in self.margins_in(environment) {
            let _ = writeln!(
                out,
                "| {} | `{it}` | {}, {}, {} |",
                it.wording,
                it.document,
                it.section,
                numbers(&it.sentences)
            );
        }
    }

    /// The clauses of documents that do not hold everywhere.
    fn sentences_of(&self, out: &mut String, environment: &str) {
        let own = |it: &&Arc<Clause>| {
            let document = self.documents.iter().find(|known| known.name == it.document);
            document.is_some_and(|document| !document.environments.is_empty())
        };
        let mut found: BTreeMap<&str, Vec<&Arc<Clause>>> = BTreeMap::new();
        for it in self.instructions.values() {
            let clauses = self.clauses_in(&it.clauses, &it.document, environment);
            found.entry(&it.name).or_default().extend(clauses.into_iter().filter(own));
        }
        for it in self.built_ins.values() {
            let clauses = self.clauses_in(&it.clauses, &it.document, environment);
            found.entry(&it.name).or_default().extend(clauses.into_iter().filter(own));
        }
        out.push_str("\n## Sentences of its own documents\n\n");
        out.push_str("| about | sentence | document, section, sentence |\n| --- | --- | --- |\n");
        for (name, clauses) in found {
            for it in clauses {
                let place = format!("{}, {}, {}", it.document, it.section, numbers(&it.sentences));
                let _ = writeln!(out, "| `{name}` | {} | {place} |", it.wording);
            }
        }
    }
}

/// A sentence's number, or the one that an identifier of valid usage ends in.
fn numbered(number: u32) -> String {
    if number >= 1000 { format!("VUID {number:05}") } else { number.to_string() }
}

fn numbers(sentences: &[u32]) -> String {
    let numbers: Vec<String> = sentences.iter().map(u32::to_string).collect();
    numbers.join(", ")
}
