//! Tokens of the grammar by kind, name and number.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use laneproof_module::grammar::INSTRUCTION_TABLE;
use laneproof_module::{Named, Operand, names, spirv};

/// A token as the grammar has it.
pub struct Token {
    /// Its name there; documents may know it by an older one.
    pub name: String,
    /// Its number.
    pub number: u32,
    operand: Operand,
}

macro_rules! kinds {
    ($($kind:ident),* $(,)?) => {
        /// The kinds of tokens beside instructions.
        pub const KINDS: &[&str] = &[$(stringify!($kind)),*];

        /// A token by any of its names.
        pub fn named(kind: &str, name: &str) -> Option<Token> {
            match kind {
                $(stringify!($kind) => spirv::$kind::of_name(name).map(|it| Token {
                    name: it.name().to_owned(),
                    number: it.number(),
                    operand: Operand::$kind(it),
                }),)*
                _ => None,
            }
        }

        /// A token by its number.
        pub fn numbered(kind: &str, number: u32) -> Option<Token> {
            match kind {
                $(stringify!($kind) => spirv::$kind::from_u32(number).map(|it| Token {
                    name: it.name().to_owned(),
                    number,
                    operand: Operand::$kind(it),
                }),)*
                _ => None,
            }
        }
    };
}

kinds! {
    AddressingModel, BuiltIn, Capability, ExecutionModel, GroupOperation, ImageFormat, LinkageType,
    MemoryModel, Scope, StorageClass,
}

impl Token {
    /// The alternative capabilities; for a capability, those that it declares implicitly.
    pub fn capabilities(&self) -> Vec<String> {
        self.operand.required_capabilities().iter().map(|it| it.name().to_owned()).collect()
    }

    /// The alternative extensions.
    pub fn extensions(&self) -> Vec<&'static str> {
        self.operand.required_extensions()
    }
}

/// All tokens of a kind that the decoder knows.
fn tokens(kind: &str) -> impl Iterator<Item = Token> {
    names::all_of(kind).filter_map(move |(number, _)| numbered(kind, number))
}

/// Every extension that something in the grammar comes from.
pub fn extensions() -> &'static BTreeSet<&'static str> {
    static ALL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let instructions = INSTRUCTION_TABLE.iter().flat_map(|row| row.extensions).copied();
        let tokens = KINDS.iter().flat_map(|kind| tokens(kind).flat_map(|it| it.extensions()));
        instructions.chain(tokens).collect()
    });
    &ALL
}

/// Something in the grammar comes from this extension.
pub fn is_extension(name: &str) -> bool {
    extensions().contains(name)
}

/// The name of this kind that differs least, where it does so in the case of letters or in one
/// place or two.
pub fn nearest(kind: &str, name: &str) -> Option<String> {
    let names: Vec<String> = match kind {
        "Opcode" => INSTRUCTION_TABLE.iter().map(|row| format!("Op{}", row.opname)).collect(),
        "Extension" => extensions().iter().map(|&name| name.to_owned()).collect(),
        _ => tokens(kind).map(|it| it.name).collect(),
    };
    let distance = |other: &str| strsim::levenshtein(&other.to_lowercase(), &name.to_lowercase());
    let near = names.into_iter().map(|other| (distance(&other), other));
    near.filter(|(distance, _)| *distance <= 2).min().map(|(_, other)| other)
}

/// The names of all tokens and instructions.
fn names() -> &'static BTreeSet<&'static str> {
    static ALL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let kinds = KINDS.iter().chain(&["Op"]);
        kinds.flat_map(|kind| names::all_of(kind)).flat_map(|(_, names)| names).copied().collect()
    });
    &ALL
}

/// A token or instruction has this name, or had it.
pub fn is_name(name: &str) -> bool {
    names().contains(name)
}

/// The name that differs from this one in the case of letters only; `None` if this is a name itself.
pub fn in_other_case(name: &str) -> Option<&'static str> {
    static BY_LETTERS: LazyLock<BTreeMap<String, &str>> =
        LazyLock::new(|| names().iter().map(|name| (name.to_lowercase(), *name)).collect());
    let known = BY_LETTERS.get(&name.to_lowercase()).copied();
    known.filter(|_| !is_name(name))
}

/// These capabilities and all that they bring with them.
pub fn with_brought(capabilities: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = capabilities.into_iter().collect();
    let mut fresh: Vec<String> = all.iter().cloned().collect();
    while let Some(name) = fresh.pop() {
        let brought = named("Capability", &name).map(|it| it.capabilities());
        for name in brought.into_iter().flatten() {
            if all.insert(name.clone()) {
                fresh.push(name);
            }
        }
    }
    all
}
