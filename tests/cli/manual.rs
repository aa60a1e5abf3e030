//! What shells and readers of manuals are given.

use std::fs;
use std::path::Path;

use crate::laneproof::laneproof;

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = laneproof(&["--help"]).out;
    let after = help.split_once("Commands:\n").unwrap().1;
    let lines = after.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = laneproof(&["completions", shell]);
        assert_eq!((output.exit, output.err.as_str()), (0, ""), "{shell}");
        for command in commands() {
            assert!(output.out.contains(&command), "{shell} does not know {command}");
        }
    }
    assert_eq!(laneproof(&["completions", "cmd"]).exit, 2);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = fs::remove_dir_all(&folder);
    let output = laneproof(&["man", folder.to_str().unwrap()]);
    assert_eq!((output.exit, output.err.as_str()), (0, ""));
    let mut pages: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let known = commands().into_iter().filter(|name| name != "help");
    let mut expected: Vec<String> = known.map(|name| format!("laneproof-{name}.1")).collect();
    expected.push("laneproof.1".to_owned());
    expected.sort();
    assert_eq!(pages, expected);
    let verify = fs::read_to_string(folder.join("laneproof-verify.1")).unwrap();
    assert!(verify.contains("total\\-timeout"), "{verify}");
}

#[test]
fn the_version_names_the_solver_once() {
    let output = laneproof(&["--version"]).out;
    let known = output.strip_prefix(concat!("laneproof ", env!("CARGO_PKG_VERSION"), " ("));
    let inside = known.and_then(|it| it.trim_end().strip_suffix(')')).unwrap();
    let (commit, solver) = inside.rsplit_once(", ").unwrap_or(("", inside));
    assert!(solver.starts_with("Z3 4.") && solver.matches("Z3").count() == 1, "{output}");
    assert!(commit.chars().all(|digit| digit.is_ascii_hexdigit()), "{output}");
}
