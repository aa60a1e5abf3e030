//! Many cases in one call: a line each.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::{Case, Check, Ground};
use crate::answer::{Answer, Exit};
use crate::document as files;
use crate::failure::Failure;
use crate::setting::Setting;
use crate::start::known_keys;

impl Check {
    /// Checks all cases of a file separately; the exit status is the worst.
    pub(super) fn all(
        &self,
        ground: &Ground<'_>,
        path: &Path,
        setting: &Setting<'_>,
    ) -> Result<Answer, Failure> {
        let text = files::text(path, files::MOST_INPUTS)?;
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (mut shown, mut cases) = (String::new(), Vec::new());
        let mut counts = [0_usize; 3];
        for (number, line) in lines {
            let name = format!("{}:{number}", files::name(path));
            let case = files::json_text(line, &name)?;
            known_keys(&case, &["inputs", "observed"])
                .map_err(|reason| Failure::Inputs { name: name.clone(), reason })?;
            let nothing = json!({});
            let part = |key: &str| case.get(key).unwrap_or(&nothing);
            let one = Case { inputs: part("inputs"), observed: part("observed"), name: &name };
            let answer =
                self.one(ground, &one, setting).map_err(|failure| named(failure, &name))?;
            counts[rank(answer.exit)] += 1;
            if answer.exit != Exit::Good {
                let _ = writeln!(shown, "{name}: {}", answer.text);
            }
            let mut document = answer.json;
            document["line"] = number.into();
            cases.push(document);
        }
        let [good, undecided, bad] = counts;
        let (exit, word) = match (bad, undecided, good) {
            (1.., ..) => (Exit::Bad, "not-allowed"),
            (0, 1.., _) => (Exit::Undecided, "unknown"),
            (0, 0, 1..) => (Exit::Good, "allowed"),
            (0, 0, 0) => return Err(nothing_in(path)),
        };
        let noun = if cases.len() == 1 { "case" } else { "cases" };
        let text = format!(
            "{shown}{} {noun}: {good} allowed, {bad} not allowed, {undecided} unknown\n",
            cases.len()
        );
        Ok(Answer { exit, text, json: json!({ "verdict": word, "cases": cases }) })
    }
}

/// The worse, the higher.
fn rank(exit: Exit) -> usize {
    match exit {
        Exit::Good => 0,
        Exit::Bad => 2,
        Exit::Undecided | Exit::Unusable | Exit::Interrupted => 1,
    }
}

fn nothing_in(path: &Path) -> Failure {
    let reason = "expected a line for each case: {\"inputs\": …, \"observed\": …}".to_owned();
    Failure::Inputs { name: files::name(path), reason }
}

/// What is wrong with inputs is wrong with those of this line.
fn named(failure: Failure, name: &str) -> Failure {
    match failure {
        Failure::Inputs { reason, .. } => Failure::Inputs { name: name.to_owned(), reason },
        other => other,
    }
}
