//! The command that shows a tool's answer again, in the folder of a finding.

use std::path::Path;

use crate::apply::{Files, program};
use crate::find::{LocatedTool, Places, TOOLCHAINS};
use crate::tool::ToolKind;

/// A device's process reads the names of its files.
const JOB: &str =
    r#"printf '%s\t%s\t%s\n' "$PWD/module.spv" "$PWD/inputs.json" "$PWD/observed.json" | "#;

/// The command of a tool, for a shell in the folder of a finding.
pub(crate) fn command(found: &LocatedTool, variant: &[String], places: &Places) -> String {
    let files = Files { folder: Path::new("") };
    let lines = found.tool.commands.steps.iter().filter_map(|step| {
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
        let job = if found.tool.kind == ToolKind::Execute { JOB } else { "" };
        Some(format!("{job}{}", program.line()))
    });
    portable(&lines.collect::<Vec<_>>().join("\n"), places)
}

/// The same for readers elsewhere: this program and the folder of toolchains by their names. Where
/// a path has letters that a shell would take for something else it stays as it is.
fn portable(lines: &str, places: &Places) -> String {
    let plain = |path: &str| {
        path.len() > 1 && path.chars().all(|it| it.is_ascii_alphanumeric() || "/._-".contains(it))
    };
    let own = places.own.display().to_string();
    let folder = places.folder.display().to_string();
    let mut out = lines.to_owned();
    if plain(&own) {
        // What hands a program on may not look for it.
        out = out.replace(&own, "$(command -v laneproof)");
    }
    if plain(&folder) && out.contains(&folder) {
        let home = std::env::var("HOME").unwrap_or_default();
        let shown = match folder.strip_prefix(&home) {
            Some(rest) if plain(&home) => format!("$HOME{rest}"),
            _ => folder.clone(),
        };
        let replaced = out.replace(&folder, &format!("${TOOLCHAINS}"));
        out = format!("export {TOOLCHAINS}={shown}\n{replaced}");
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::tool::built_in;

    /// A command has no placeholders of this program.
    #[test]
    fn commands_have_no_placeholders() {
        let places = Places { folder: "/tools".into(), own: std::env::current_exe().unwrap() };
        for mut tool in built_in().unwrap() {
            // A program that is there, so that the command can be written down.
            for step in &mut tool.commands.steps {
                if !step[0].contains('{') {
                    step[0] = "sh".to_owned();
                }
            }
            let variants = tool.commands.variants.clone();
            let found = LocatedTool { tool, missing: None, version: String::new() };
            let variant = variants.first().cloned().unwrap_or_default();
            let line = command(&found, &variant, &places);
            // A shell puts the folder in, but not between single quotes that it hands on.
            let hidden = line.split('\'').skip(1).step_by(2).any(|it| it.contains("$LANEPROOF"));
            assert!(!hidden || line.contains("sh -c"), "{line}");
            let named = line.contains("export LANEPROOF_TOOLCHAINS=/tools\n");
            assert!(named || !line.contains("/tools"), "{line}");
            assert!(!line.contains(['{', '}']), "{}: {line}", found.tool.name);
            assert_eq!(
                line.contains("inputs.json"),
                found.tool.kind == ToolKind::Execute,
                "{line}"
            );
            assert_eq!(
                line.is_empty(),
                found.tool.commands.steps.is_empty(),
                "{}",
                found.tool.name
            );
        }
    }
}
