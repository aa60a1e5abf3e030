//! A finding: a folder with everything that shows it.

use std::path::PathBuf;

use laneproof_generator::{ActiveSetShape, Covered, Generated, TreeStatement, coverage, type_name};
use laneproof_module::{Named, disassemble};
use serde_json::{Value, json};

use crate::find::stated;
use crate::outcome::{FaultKind, ToolFault};
use crate::reduce::instructions;

/// Something that a tool does wrong, on a reduced module.
#[derive(Clone, Debug)]
pub struct ToolFinding {
    /// What makes it the same as another one.
    pub key: String,
    /// The tool.
    pub tool: String,
    /// Which of its variants.
    pub variant: String,
    /// What the tool says of its version.
    pub version: String,
    /// What is wrong.
    pub fault: ToolFault,
    /// Readings under each of which the result is allowed.
    pub readings: Vec<String>,
    /// The module and its inputs, reduced.
    pub generated: Generated,
    /// Seed and index of the campaign's module.
    pub seed: (u64, u64),
    /// The command that shows the tool's answer.
    pub command: String,
    /// Of how many more runs of the reduced module how many showed it. `None`: it was not run again.
    pub again: Option<(u32, u32)>,
    /// How many modules showed it.
    pub times: u64,
    /// Where it was written.
    pub folder: Option<PathBuf>,
}

/// What makes findings the same: tool, kind, and what the message says or which instructions,
/// types and shapes the reduced module has.
pub fn key(tool: &str, fault: &ToolFault, generated: &Generated) -> String {
    let kind = fault.kind.name().replace(' ', "-");
    let what = match fault.kind {
        FaultKind::WrongValue
        | FaultKind::Refuted
        | FaultKind::UndefinedBehavior
        | FaultKind::Hang => group_instructions(generated),
        _ => message_key(&fault.detail),
    };
    let word = |text: &str| -> String {
        let kept =
            text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
        kept.collect()
    };
    let parts = [word(tool), kind, word(&what)].join("/");
    let mut last = ' ';
    let mut out = String::new();
    for letter in parts.chars() {
        if letter != '-' || last != '-' {
            out.push(letter);
        }
        last = letter;
    }
    out.trim_matches('-').chars().take(150).collect()
}

/// The group instructions of a module, as the end of a key.
fn group_instructions(generated: &Generated) -> String {
    let mut names: Vec<String> = coverage(&generated.tree)
        .into_iter()
        .map(|Covered { instruction, operation, ty, shape }| {
            let operation = operation.unwrap_or_default();
            let shape =
                if shape == ActiveSetShape::Straight { String::new() } else { shape.to_string() };
            format!("{instruction} {operation} {ty} {shape}")
        })
        .collect();
    names.dedup();
    if names.is_empty() {
        // Without group instructions the others tell findings apart.
        generated.tree.each(&mut |statement| match statement {
            TreeStatement::Instruction(it) => {
                names.push(format!("{} {}", it.op.name(), type_name(&it.result.ty)))
            }
            TreeStatement::Atomic { op, .. } => names.push(op.name().to_owned()),
            TreeStatement::Barrier => names.push("OpControlBarrier".to_owned()),
            TreeStatement::If(_) => names.push("selection".to_owned()),
            TreeStatement::Switch(_) => names.push("switch".to_owned()),
            TreeStatement::Loop(_) => names.push("loop".to_owned()),
            _ => {}
        });
        names.dedup();
        names.truncate(4);
    }
    if names.is_empty() {
        // The invocations' identities are wrong.
        names.push("built-ins".to_owned());
    }
    names.join(" ")
}

/// A message without what differs from module to module.
pub(crate) fn message_key(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.rsplit("word ").next().unwrap_or(line);
    let mut out = String::new();
    for word in line.split_whitespace() {
        let varies = word.chars().any(|letter| letter.is_ascii_digit()) || word.contains('/');
        if !varies {
            out += word;
            out.push(' ');
        }
    }
    out.chars().take(80).collect()
}

impl ToolFinding {
    /// It is right under some reading: no defect.
    pub fn is_reading(&self) -> bool {
        !self.readings.is_empty()
    }

    /// One line about it.
    pub fn line(&self) -> String {
        let readings = match self.readings.as_slice() {
            [] => String::new(),
            readings => format!(" (takes {})", readings.join(" or ")),
        };
        format!("{}: {}{readings}", self.fault.kind.name(), first_line(&self.fault.detail))
    }

    /// The tool, and which of its variants, where it has some.
    pub fn subject(&self) -> String {
        subject(&self.tool, &self.variant)
    }

    pub(crate) fn stated_version(&self) -> String {
        match self.version.as_str() {
            "" => stated("").to_owned(),
            version => format!("`{version}`"),
        }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "key": self.key,
            "tool": self.tool,
            "variant": self.variant,
            "calls": self.generated.tree.foreign.as_ref().map(|foreign| foreign.name.clone()),
            "version": stated(&self.version),
            "kind": self.fault.kind.name(),
            "detail": self.fault.detail,
            "readings": self.readings,
            "shown_again": self.again.map(|(shown, runs)| json!({ "shown": shown, "runs": runs })),
            "instructions": instructions(&self.generated.tree),
            "subgroup_size": self.generated.tree.target.subgroup_size,
            "workgroup": self.generated.tree.target.workgroup,
            "seed": self.seed.0,
            "index": self.seed.1,
            "times": self.times,
            "command": self.command,
            "folder": self.folder.as_ref().map(|folder| folder.display().to_string()),
        })
    }
}

/// A module as assembly; or its words, if they are invalid.
pub(crate) fn assembly(words: &[u32]) -> String {
    disassemble(words).unwrap_or_else(|| {
        let rows = words.chunks(8).enumerate().map(|(row, words)| {
            let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
            format!("{:5}  {}\n", 8 * row, words.join(" "))
        });
        let rows: String = rows.collect();
        format!("; This cannot be disassembled. Its words, and before them the first one's number:\n{rows}")
    })
}

/// A tool, and which of its variants, where it has some.
pub(crate) fn subject(tool: &str, variant: &str) -> String {
    [tool, variant].join(" ").trim_end().to_owned()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a validator should have refused may be no module at all.
    #[test]
    fn words_that_are_no_module_are_shown() {
        let text = assembly(&[0x0723_0203, 0x0001_0300, 0, 7, 0, 0x0005_0011, 1, 2, 3]);
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let wanted = [
            "    0  07230203 00010300 00000000 00000007 00000000 00050011 00000001 00000002",
            "    8  00000003",
        ];
        assert_eq!(rows, wanted);
    }
}
