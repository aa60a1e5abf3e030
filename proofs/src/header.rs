//! The comment at the top of a file: the claim, and its states.

use std::str::FromStr;

use laneproof_module::{HeaderLine, header};
use laneproof_verify::{Abstraction, Options, States, Verdict, WordError};
use serde::Serialize;
use thiserror::Error;

/// The largest number of lanes of a subgroup.
const MOST_LANES: u32 = 128;

/// Which sets of lanes enter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// Any nonempty set of the lanes that exist.
    #[default]
    Any,
    /// All lanes that exist.
    All,
}

impl FromStr for Active {
    type Err = HeaderProblem;

    fn from_str(word: &str) -> Result<Self, HeaderProblem> {
        match word {
            "any" => Ok(Self::Any),
            "all" => Ok(Self::All),
            _ => Err(HeaderProblem::Value { expected: "any or all", found: word.to_owned() }),
        }
    }
}

/// Which subgroup of its workgroup a claim is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SubgroupChoice {
    /// The one whose `SubgroupId` is 0.
    #[default]
    First,
    /// Any of them.
    Any,
}

impl FromStr for SubgroupChoice {
    type Err = HeaderProblem;

    fn from_str(word: &str) -> Result<Self, HeaderProblem> {
        match word {
            "first" => Ok(Self::First),
            "any" => Ok(Self::Any),
            _ => Err(HeaderProblem::Value { expected: "first or any", found: word.to_owned() }),
        }
    }
}

/// Which states a claim is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeaderStates {
    /// `sizes`: subgroup sizes, each a power of two; every one up to 128 where it says none.
    pub sizes: Vec<u32>,
    /// `subgroups`: the numbers of subgroups of whole workgroups, each in turn; by default one
    /// subgroup is checked.
    pub subgroups: Vec<u32>,
    /// `active`: which sets of lanes enter.
    pub active: Active,
    /// `partial`: fewer lanes may exist than the size says.
    pub partial: bool,
    /// `subgroup`: the first of its workgroup, or any of them.
    pub subgroup: SubgroupChoice,
}

impl Default for HeaderStates {
    fn default() -> Self {
        Self {
            sizes: every_size(),
            subgroups: Vec::new(),
            active: Active::default(),
            partial: false,
            subgroup: SubgroupChoice::default(),
        }
    }
}

/// What the comment at the top of a file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Header {
    /// Its first line: the claim, in words.
    pub title: String,
    /// `expect`: the verdict that it must get.
    pub expect: Verdict,
    /// Which states a claim is about.
    #[serde(flatten)]
    pub states: HeaderStates,
    /// `profile`: by name; the module's default where it says none.
    pub profile: Option<String>,
    /// `reading`: readings settled otherwise than by the profile, name and alternative.
    pub readings: Vec<(String, String)>,
    /// `rung`: the abstraction by which it must be proved at the latest.
    pub abstraction: Option<Abstraction>,
    /// `invariant`: invariants of its loop, each a clause about any lane.
    pub invariants: Vec<String>,
    /// `spec`: specification files beside this one.
    pub specs: Vec<String>,
    /// `covers`: what it is about of `lowerings/list.txt`, by id.
    pub covers: Vec<String>,
    /// `origin`: whose claim it is.
    pub origin: Option<String>,
    /// `mutant-of`: the file beside this one, without extension, that it breaks in one place.
    pub mutant_of: Option<String>,
    /// `why`: the reason for the verdict, in one sentence.
    pub why: String,
}

/// A header that cannot be read, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {problem}")]
pub struct HeaderError {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    #[source]
    pub problem: HeaderProblem,
}

/// What is wrong with a header.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeaderProblem {
    /// The file does not begin with a comment, or its first line already holds a key.
    #[error(
        "expected a comment that says in words what is claimed: a line of \"; …\", in GLSL and WGSL \
         \"// …\"; `laneproof verify` needs none"
    )]
    NoTitle,
    /// A required key is missing.
    #[error("the header has no `{key}`; add \"{key}: {value}\"")]
    Missing {
        /// The key.
        key: &'static str,
        /// Its possible values.
        value: &'static str,
    },
    /// An unknown key.
    #[error("unknown key `{0}`; keys are {keys}", keys = KEYS.join(", "))]
    UnknownKey(String),
    /// A key is repeated that must not be.
    #[error("`{0}` is given twice")]
    Repeated(String),
    /// A value that does not fit its key.
    #[error("expected {expected}, found `{found}`")]
    Value {
        /// What fits.
        expected: &'static str,
        /// The value that was found.
        found: String,
    },
}

impl From<WordError> for HeaderProblem {
    fn from(WordError { expected, found, .. }: WordError) -> Self {
        Self::Value { expected, found }
    }
}

/// Every key, in the order in which a header is written.
const KEYS: [&str; 15] = [
    "expect",
    "sizes",
    "subgroups",
    "profile",
    "reading",
    "active",
    "partial",
    "subgroup",
    "rung",
    "invariant",
    "spec",
    "covers",
    "origin",
    "mutant-of",
    "why",
];

/// Keys that may be repeated.
const REPEATABLE: [&str; 4] = ["reading", "invariant", "spec", "covers"];

impl Header {
    /// The prover's options, as far as the header sets them.
    pub fn options(&self) -> Options {
        Options {
            states: States {
                sizes: self.states.sizes.clone(),
                subgroups: self.states.subgroups.clone(),
                all_active: self.states.active == Active::All,
                partial: self.states.partial,
                any_subgroup: self.states.subgroup == SubgroupChoice::Any,
                ..States::default()
            },
            profile: self.profile.clone(),
            readings: self.readings.clone(),
            invariants: self.invariants.clone(),
            ..Options::default()
        }
    }

    /// Reads the header of a file's text; `file` is what errors call it.
    ///
    /// # Errors
    ///
    /// A missing title, `expect` or `why`, an unknown or repeated key, a value that does not fit.
    pub fn parse(file: &str, text: &str) -> Result<Self, HeaderError> {
        let at = |line: usize, problem: HeaderProblem| HeaderError {
            file: file.to_owned(),
            line,
            problem,
        };
        let mut lines = header(text);
        let title = lines
            .next()
            .filter(|line| !line.words.is_empty() && line.entry().is_none())
            .map(|line| line.words.to_owned())
            .ok_or_else(|| at(1, HeaderProblem::NoTitle))?;
        let mut draft = Draft::default();
        let mut last = 1;
        for line in lines {
            last = line.number;
            if let Some((key, value)) = line.entry() {
                draft.take(key, value).map_err(|problem| at(line.number, problem))?;
            }
        }
        draft.finish(title).map_err(|problem| at(last, problem))
    }
}

/// The invariants in the comment at the top of a text; everything else there is ignored.
pub fn invariants(text: &str) -> Vec<String> {
    let of_key = |line: HeaderLine<'_>| match line.entry() {
        Some(("invariant", value)) if !value.is_empty() => Some(value.to_owned()),
        _ => None,
    };
    header(text).filter_map(of_key).collect()
}

/// A header while its lines are read.
#[derive(Default)]
struct Draft {
    seen: Vec<String>,
    expect: Option<Verdict>,
    states: HeaderStates,
    profile: Option<String>,
    readings: Vec<(String, String)>,
    abstraction: Option<Abstraction>,
    invariants: Vec<String>,
    specs: Vec<String>,
    covers: Vec<String>,
    origin: Option<String>,
    mutant_of: Option<String>,
    why: Option<String>,
}

impl Draft {
    fn take(&mut self, key: &str, value: &str) -> Result<(), HeaderProblem> {
        if !KEYS.contains(&key) {
            return Err(HeaderProblem::UnknownKey(key.to_owned()));
        }
        if !REPEATABLE.contains(&key) && self.seen.iter().any(|seen| seen == key) {
            return Err(HeaderProblem::Repeated(key.to_owned()));
        }
        if value.is_empty() {
            return Err(HeaderProblem::Value { expected: "a value", found: String::new() });
        }
        self.seen.push(key.to_owned());
        match key {
            "expect" => self.expect = Some(value.parse()?),
            "sizes" => self.states.sizes = sizes(value)?,
            "subgroups" => self.states.subgroups = subgroups(value)?,
            "profile" => self.profile = Some(value.to_owned()),
            "reading" => self.readings.push(reading(value)?),
            "active" => self.states.active = value.parse()?,
            "partial" => self.states.partial = yes_or_no(value)?,
            "subgroup" => self.states.subgroup = value.parse()?,
            "rung" => self.abstraction = Some(value.parse()?),
            "invariant" => self.invariants.push(value.to_owned()),
            "spec" => self.specs.push(value.to_owned()),
            "covers" => self.covers.push(value.to_owned()),
            "origin" => self.origin = Some(value.to_owned()),
            "mutant-of" => self.mutant_of = Some(value.to_owned()),
            _ => self.why = Some(value.to_owned()),
        }
        Ok(())
    }

    fn finish(self, title: String) -> Result<Header, HeaderProblem> {
        Ok(Header {
            title,
            expect: self.expect.ok_or(HeaderProblem::Missing { key: "expect", value: "proved" })?,
            states: self.states,
            profile: self.profile,
            readings: self.readings,
            abstraction: self.abstraction,
            invariants: self.invariants,
            specs: self.specs,
            covers: self.covers,
            origin: self.origin,
            mutant_of: self.mutant_of,
            why: self.why.ok_or(HeaderProblem::Missing {
                key: "why",
                value: "the reason for the verdict",
            })?,
        })
    }
}

/// Every power of two up to the largest subgroup.
fn every_size() -> Vec<u32> {
    (0..=MOST_LANES.ilog2()).map(|exponent| 1 << exponent).collect()
}

/// `all`, or powers of two with commas between them.
fn sizes(value: &str) -> Result<Vec<u32>, HeaderProblem> {
    if value == "all" {
        return Ok(every_size());
    }
    let size = |word: &str| {
        let size: Option<u32> = word.trim().parse().ok();
        size.filter(|size| size.is_power_of_two() && *size <= MOST_LANES).ok_or_else(|| {
            HeaderProblem::Value {
                expected: "`all`, or powers of two up to 128 with commas between them",
                found: word.trim().to_owned(),
            }
        })
    };
    value.split(',').map(size).collect()
}

/// Numbers of subgroups with commas between them.
fn subgroups(value: &str) -> Result<Vec<u32>, HeaderProblem> {
    let number = |word: &str| {
        let number: Option<u32> = word.trim().parse().ok();
        number.filter(|number| (1..=MOST_LANES).contains(number)).ok_or_else(|| {
            HeaderProblem::Value {
                expected: "numbers of subgroups, 1 to 128, with commas between them",
                found: word.trim().to_owned(),
            }
        })
    };
    value.split(',').map(number).collect()
}

/// `name = alternative`.
fn reading(value: &str) -> Result<(String, String), HeaderProblem> {
    let unfit = || HeaderProblem::Value {
        expected: "a reading and its alternative, `name = alternative`",
        found: value.to_owned(),
    };
    let (name, alternative) = value.split_once('=').ok_or_else(unfit)?;
    let (name, alternative) = (name.trim(), alternative.trim());
    if name.is_empty() || alternative.is_empty() {
        return Err(unfit());
    }
    Ok((name.to_owned(), alternative.to_owned()))
}

fn yes_or_no(value: &str) -> Result<bool, HeaderProblem> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(HeaderProblem::Value { expected: "yes or no", found: value.to_owned() }),
    }
}
