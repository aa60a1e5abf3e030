//! A page about an environment, from its files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::language::ast::Clause;
use crate::specification::Specification;

impl Specification {
    /// What is particular to an environment, as Markdown: the documents that hold in it, how it reads
    /// what they leave open, how exact its arithmetic is, what only its own documents say. `None`
    /// where there is no such environment.
    pub fn environment_page(&self, environment: &str) -> Option<String> {
        let profile = self.profiles.get(environment)?;
        profile.environment.as_ref().filter(|own| ***own == *environment)?;
        let mut out = format!(
            "# The environment `{environment}`\n\nGenerated from the files of `semantics/spec`; \
             `laneproof spec --environment {environment}` prints this page.\n"
        );
        self.documents_of(&mut out, environment);
        let _ =
            writeln!(out, "\n## How open points are read\n\n| reading | question | alternative |");
        out.push_str("| --- | --- | --- |\n");
        for (name, alternative) in &profile.settles {
            let question = self.readings.get(name).map_or("", |reading| &reading.question);
            let _ = writeln!(out, "| `{name}` | {question} | `{alternative}` |");
        }
        self.arithmetic_of(&mut out, environment);
        self.sentences_of(&mut out, environment);
        let _ = write!(
            out,
            "\n## Which modules it takes\n\n`laneproof validate --environment {environment} FILE` judges a module \
             by the rules of its documents; `--list` prints\neach rule with its sentence and with what becomes of it.\n"
        );
        Some(out)
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
            "`verify` assumes that results are correctly rounded to nearest. `check` also allows:\n\n",
        );
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

fn numbers(sentences: &[u32]) -> String {
    let numbers: Vec<String> = sentences.iter().map(u32::to_string).collect();
    numbers.join(", ")
}
