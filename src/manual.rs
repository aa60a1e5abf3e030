//! `laneproof completions` and `laneproof man`: what shells and readers of manuals need, made of
//! the same description of the command line that reads it.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::output;

/// The program's name, as shells know it.
const NAME: &str = "laneproof";

/// Print a completion script for a shell
#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints them.
    pub fn carry_out(&self, mut command: Command) -> Answer {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, NAME, &mut script);
        let text = String::from_utf8_lossy(&script).into_owned();
        let json = json!({ "shell": self.shell.to_string(), "script": text });
        Answer { exit: Exit::Good, text, json }
    }
}

/// Write the manual pages, one for each command
#[derive(Args)]
pub struct Manual {
    /// The folder for `laneproof.1` and a page for each command
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    /// Writes them.
    pub fn carry_out(&self, mut command: Command) -> Result<Answer, Failure> {
        output::folder(&self.folder)?;
        command.build();
        let mut written = Vec::new();
        for (name, page) in pages(&command, NAME) {
            let path = self.folder.join(format!("{name}.1"));
            let rendered = rendered(page).map_err(|source| output::unwritable(&path, source))?;
            output::write(&path, &rendered)?;
            written.push(path);
        }
        let text: String = written.iter().map(|path| format!("{}\n", path.display())).collect();
        Ok(Answer { exit: Exit::Good, text, json: json!({ "written": written }) })
    }
}

/// The command and those below it that people are to know of, each with the name of its page.
fn pages<'a>(command: &'a Command, name: &str) -> Vec<(String, &'a Command)> {
    let known = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
    let below = command.get_subcommands().filter(known);
    let below = below.flat_map(|it| pages(it, &format!("{name}-{}", it.get_name())));
    [(name.to_owned(), command)].into_iter().chain(below).collect()
}

fn rendered(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    Ok(text)
}
