//! The command that shows a tool's answer again, in the folder of a finding.

use std::path::Path;

use crate::apply::{Files, program};
use crate::find::{LocatedTool, Places};
use crate::tool::Kind;

/// A device's process reads the names of its files.
const JOB: &str =
    r#"printf '%s\t%s\t%s\n' "$PWD/module.spv" "$PWD/inputs.json" "$PWD/observed.json" | "#;

/// The command of a tool, for a shell that stands in the folder of a finding.
pub(crate) fn command(found: &LocatedTool, variant: &[String], places: &Places) -> String {
    let files = Files { folder: Path::new("") };
    let lines = found.tool.steps.iter().filter_map(|step| {
        let mut program = program(&found.tool, step, variant, places, &files)?;
        for argument in &mut program.arguments {
            if argument == "in.spv" {
                *argument = "module.spv".to_owned();
            }
        }
        program.file = match step[0].as_str() {
            // Readers of a report have this program by its name.
            "{self}" => "laneproof".into(),
            name => places.word(name).into(),
        };
        let job = if found.tool.kind == Kind::Execute { JOB } else { "" };
        Some(format!("{job}{}", program.line()))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::tool::built_in;

    /// Nothing in a command stands for something that only this program knows.
    #[test]
    fn commands_have_no_placeholders() {
        let places = Places { folder: "/tools".into(), own: std::env::current_exe().unwrap() };
        for mut tool in built_in().unwrap() {
            // A program that is there, so that the command can be written down.
            for step in &mut tool.steps {
                if !step[0].contains('{') {
                    step[0] = "sh".to_owned();
                }
            }
            let variants = tool.variants.clone();
            let found = LocatedTool { tool, missing: None, version: String::new() };
            let variant = variants.first().cloned().unwrap_or_default();
            let line = command(&found, &variant, &places);
            assert!(!line.contains(['{', '}']), "{}: {line}", found.tool.name);
            assert_eq!(line.contains("inputs.json"), found.tool.kind == Kind::Execute, "{line}");
            assert_eq!(line.is_empty(), found.tool.steps.is_empty(), "{}", found.tool.name);
        }
    }
}
