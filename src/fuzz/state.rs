//! How far a campaign is, in a file of its folder, so that the next one can go on behind it.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use laneproof_proofs::Shard;
use serde_json::{Value, json};

use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;
use crate::output;

/// By tool, the first module that was not tried.
pub type Reached = BTreeMap<String, u64>;

/// The state of one part of a campaign.
pub struct State {
    file: PathBuf,
    seed: u64,
    /// Where earlier runs ended, those of other tools included.
    pub before: Reached,
}

impl State {
    /// Of a campaign that starts, or that goes on where the last one of this part ended.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written, or a run with another seed to go on with.
    pub fn new(out: &Path, shard: Shard, seed: u64, resume: bool) -> Result<Self, Failure> {
        // Parts of one campaign may share a folder.
        let name = match shard.is_whole() {
            true => "state.json".to_owned(),
            false => format!("state-{}.json", shard.to_string().replace('/', "-of-")),
        };
        output::folder(out)?;
        let mut state = Self { file: out.join(name), seed, before: Reached::new() };
        if resume {
            state.before = state.read()?;
        }
        // What cannot be written shows before hours of work.
        state.keep(&Reached::new())?;
        Ok(state)
    }

    fn read(&self) -> Result<Reached, Failure> {
        let name = self.file.display().to_string();
        // The first of many runs that go on finds none.
        if self.file.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(Reached::new());
        }
        let text = document::text(&self.file, MOST_TEXT)?;
        let state: Value = serde_json::from_str(&text).unwrap_or_default();
        let next = state["next"].as_object().filter(|_| state["seed"] == self.seed);
        let next = next.map(|tools| {
            let numbered =
                tools.iter().filter_map(|(tool, next)| Some((tool.clone(), next.as_u64()?)));
            numbered.collect()
        });
        next.ok_or_else(|| Failure::Inputs {
            name,
            reason: format!("holds no run with the seed {} to go on with", self.seed),
        })
    }

    /// Writes how far it is.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn keep(&self, reached: &Reached) -> Result<(), Failure> {
        let mut next = self.before.clone();
        next.extend(reached.clone());
        let state = json!({ "seed": self.seed, "next": next });
        // A run that is killed meanwhile leaves the one before.
        let new = self.file.with_extension("json.new");
        output::write(&new, format!("{state:#}\n").as_bytes())?;
        std::fs::rename(&new, &self.file).map_err(|source| output::unwritable(&self.file, source))
    }
}
