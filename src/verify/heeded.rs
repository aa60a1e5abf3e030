//! What the header of a file says of its claim, as `prove` takes it; flags come first.

use std::borrow::Cow;
use std::path::Path;

use laneproof_proofs::{Active, Entry, HeaderStates, SubgroupChoice};
use laneproof_semantics::Specification;
use laneproof_verify::States;

use super::{LookedAt, Module};
use crate::failure::Failure;
use crate::prove::command;
use crate::setting::Setting;

/// The file with its header, from which what flags say has been taken out; a file whose comment is no
/// header has none.
pub struct Heeded(Option<Entry>);

/// Flags that come before a header.
pub struct Flags<'a> {
    pub states: &'a LookedAt,
    pub profile: Option<&'a str>,
    pub readings: &'a [(String, String)],
}

impl Heeded {
    /// Of no file.
    pub fn none() -> Self {
        Self(None)
    }

    pub fn of(
        path: &Path,
        module: &Module,
        flags: &Flags<'_>,
        setting: &Setting<'_>,
    ) -> Result<Self, Failure> {
        let entry = module.source.text().and_then(|text| Entry::of_text(path, text));
        let Some(mut entry) = entry.transpose()? else { return Ok(Self(None)) };
        let (header, standard) = (&mut entry.header, HeaderStates::default());
        if !flags.states.sizes.is_empty() {
            header.states.sizes = standard.sizes;
        }
        if !flags.states.subgroups.is_empty() {
            header.states.subgroups = standard.subgroups;
        }
        if flags.states.active.is_some() {
            header.states.active = standard.active;
        }
        if flags.states.partial {
            header.states.partial = standard.partial;
        }
        if flags.states.any_subgroup {
            header.states.subgroup = standard.subgroup;
        }
        if flags.profile.is_some() {
            header.profile = None;
        }
        let said = |name: &String| flags.readings.iter().any(|(other, _)| other == name);
        header.readings.retain(|(name, _)| !said(name));
        if !setting.files.is_empty() {
            header.specs.clear();
            entry.attachments.clear();
        }
        Ok(Self(Some(entry)))
    }

    /// The states that it says, over those that flags say.
    pub fn states(&self, by_flags: States) -> States {
        let Some(states) = self.0.as_ref().map(|entry| &entry.header.states) else {
            return by_flags;
        };
        let sizes = states.sizes != HeaderStates::default().sizes;
        let (own_sizes, subgroups) = (states.sizes.clone(), states.subgroups.clone());
        States {
            any_size: by_flags.any_size && !sizes,
            sizes: if sizes { own_sizes } else { by_flags.sizes },
            subgroups: if subgroups.is_empty() { by_flags.subgroups } else { subgroups },
            all_active: by_flags.all_active || states.active == Active::All,
            partial: by_flags.partial || states.partial,
            any_subgroup: by_flags.any_subgroup || states.subgroup == SubgroupChoice::Any,
        }
    }

    /// The profile that it says.
    pub fn profile(&self) -> Option<String> {
        self.0.as_ref().and_then(|entry| entry.header.profile.clone())
    }

    /// The readings that it says, before those that flags say.
    pub fn readings(&self, by_flags: &[(String, String)]) -> Vec<(String, String)> {
        let own = self.0.as_ref().map_or(&[][..], |entry| &entry.header.readings);
        [own, by_flags].concat()
    }

    /// A specification with what it adds.
    pub fn specification<'s>(
        &self,
        specification: &'s Specification,
    ) -> Result<Cow<'s, Specification>, Failure> {
        Ok(match &self.0 {
            Some(entry) => entry.specification(specification)?,
            None => Cow::Borrowed(specification),
        })
    }

    /// What it says, as the flags that would say it.
    pub fn note(&self) -> Option<String> {
        let flags = self.0.as_ref().map(|entry| command::flags(entry, None))?;
        (!flags.is_empty()).then(|| format!("As the file's header says: {}\n", flags.join(" ")))
    }
}
