//! Source and target, as the judge and `verify` take them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use laneproof_interpreter::Readings;
use laneproof_module::{Function, Program, load_text_unvalidated};
use laneproof_verify::{Abstraction, Options, Side, States, Verdict};

use super::header::Header;

/// A pair of functions, or a property, and the states of the claim.
pub struct Pair {
    pub name: String,
    pub program: Program,
    /// The module under all values of its specialization constants, by `SpecId`; as it is, where
    /// it has none.
    pub specialized: Vec<(BTreeMap<u32, u64>, Program)>,
    pub sizes: Vec<u32>,
    pub all_active: bool,
    pub partial: bool,
    pub outputs: bool,
    /// How many scalars the memory holds that pointers point into, a power of two, or 0.
    pub memory: usize,
    /// Readings settled otherwise than by the profile; only such as the interpreter, and so the
    /// judge, can follow.
    pub readings: Vec<(String, String)>,
    /// How many runs the judge made so far.
    pub runs: Cell<u64>,
}

impl Pair {
    /// Loads text without the validator, which knows no two-bit integers.
    pub fn parse(name: &str, text: &str) -> Self {
        let header = Header::parse(text);
        let program = match load_text_unvalidated(text, name) {
            Ok(program) => program,
            Err(error) => panic!("{name}: {error}\n{text}"),
        };
        Self {
            name: name.to_owned(),
            specialized: specialized(&program),
            program,
            sizes: header.numbers("lanes").unwrap_or_else(|| vec![1, 2, 4]),
            all_active: header.is("active", "all"),
            partial: header.is("partial", "yes"),
            outputs: header.is("outputs", "yes"),
            memory: header.numbers("memory").map_or(0, |it| it[0] as usize),
            readings: header.all("reading").iter().map(|it| reading(it)).collect(),
            runs: Cell::new(0),
        }
    }

    pub fn source(&self) -> &Function {
        let function = self.program.function("src").or_else(|| self.program.function("property"));
        function.unwrap_or_else(|| panic!("{}: no source", self.name))
    }

    /// `None`: the source is a property.
    pub fn target(&self) -> Option<&Function> {
        self.program.function("tgt")
    }

    pub fn sides(&self) -> (Side<'_>, Option<Side<'_>>) {
        let side = |function| Side { program: &self.program, function };
        (side(self.source()), self.target().map(side))
    }

    pub fn options(&self, abstractions: &[Abstraction]) -> Options {
        Options {
            states: States {
                sizes: self.sizes.clone(),
                all_active: self.all_active,
                partial: self.partial,
                ..States::default()
            },
            outputs: self.outputs,
            readings: self.readings.clone(),
            abstractions: abstractions.iter().copied().collect(),
            ..Options::default()
        }
    }
}

/// Every subset of the abstractions that holds the exact one, and all with induction before them.
pub const ABSTRACTION_SETS: [&[Abstraction]; 6] = [
    &[Abstraction::Bits],
    &[Abstraction::Movement, Abstraction::Bits],
    &[Abstraction::Laws, Abstraction::Bits],
    &[Abstraction::Movement, Abstraction::Laws, Abstraction::Bits],
    &[Abstraction::Diagrams],
    &[
        Abstraction::Induction,
        Abstraction::Movement,
        Abstraction::Laws,
        Abstraction::Diagrams,
        Abstraction::Bits,
    ],
];

/// Every value of every specialization constant.
fn specialized(program: &Program) -> Vec<(BTreeMap<u32, u64>, Program)> {
    let mut all = vec![BTreeMap::new()];
    for (spec_id, scalar, _) in program.specialization_constants() {
        let with = |values: &BTreeMap<u32, u64>, value| {
            let mut values = values.clone();
            values.insert(spec_id, value);
            values
        };
        let under = |values| (0..1 << scalar.width()).map(move |value| with(values, value));
        all = all.iter().flat_map(under).collect();
    }
    let module = |values: BTreeMap<u32, u64>| {
        let module = program.specialized(&values).expect("a module under all values");
        (values, module)
    };
    all.into_iter().map(module).collect()
}

/// `name = alternative`.
fn reading(text: &str) -> (String, String) {
    let (name, alternative) = text.split_once('=').expect("a reading and its alternative");
    let name = name.trim();
    assert!(Readings::NAMES.contains(&name), "the interpreter does not know {name}");
    (name.to_owned(), alternative.trim().to_owned())
}

pub fn verdict(word: &str) -> Verdict {
    match word {
        "proved" => Verdict::Proved,
        "refuted" => Verdict::Refuted,
        "vacuous" => Verdict::Vacuous,
        "unknown" => Verdict::Unknown,
        other => panic!("`{other}` is no verdict"),
    }
}

/// Files with the extension of assembly in and below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "spvasm") {
            found.push(path);
        }
    }
    found.sort();
    found
}
