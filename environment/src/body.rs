//! The rules of an environment, by the instructions that they are about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use laneproof_module::spirv::Op;
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{Demand, DemandSubject, Force, Member, Rule};
use laneproof_tokens::{self as tokens, GrammarEntry};
use serde::Deserialize;

use crate::environment::Environment;
use crate::fields::{Fields, is_parameter};

/// Everything that the documents of an environment demand of modules.
pub struct Body<'s> {
    /// The environment.
    pub environment: Environment,
    /// The texts and the specification, in which operands have their names.
    pub specifications: [&'s Specification; 2],
    /// The demands, in the order of the files.
    pub demands: Vec<AppliedDemand<'s>>,
}

/// Fields that are no operands: an instruction's types, and what holds around it.
const IMPLIED: [&str; 7] =
    ["Result", "Type", "Lod", "Volatile", "ExecutionModel", "AddressingModel", "MemoryModel"];

/// A demand, and the instructions that it is about.
pub struct AppliedDemand<'s> {
    /// The sentence.
    pub rule: &'s Rule,
    /// What it says.
    pub demand: &'s Demand,
    /// The instructions, where it is about fields of some.
    reach: Reach,
    /// Lists of one group add up: of an environment's own documents, or of one extension's.
    pub group: &'s str,
    /// Its document describes the environment.
    pub own: bool,
}

/// The instructions of a demand.
#[derive(Default)]
struct Reach {
    opcodes: BTreeSet<u32>,
    every: bool,
    but: BTreeSet<u32>,
    built_ins: BTreeSet<String>,
}

/// A sentence that prevails over another, by a reading of both.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// The reading's name.
    pub reading: String,
    /// What it decides.
    pub question: String,
    /// The rule that permits.
    pub permits: String,
    /// The rule that prohibits.
    pub prohibits: String,
    /// `permitted`, `prohibited`, or `not promised`.
    pub settled: String,
}

#[derive(Deserialize)]
struct Conflicts {
    conflict: Vec<Conflict>,
}

static CONFLICTS: LazyLock<Result<Conflicts, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/conflicts.toml")).map_err(|error| error.to_string())
});

fn all_conflicts() -> &'static [Conflict] {
    match &*CONFLICTS {
        Ok(conflicts) => conflicts.conflict.as_slice(),
        Err(error) => unreachable!("the conflicts are well-formed, as tests say: {error}"),
    }
}

/// A sentence that another document elaborates.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Presupposed {
    /// The rule.
    rule: String,
    /// The document that says it.
    said_by: String,
}

#[derive(Deserialize)]
struct AllPresupposed {
    presupposed: Vec<Presupposed>,
}

static PRESUPPOSED: LazyLock<Result<AllPresupposed, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/presupposed.toml")).map_err(|error| error.to_string())
});

impl<'s> Body<'s> {
    /// The rules that hold in an environment: those of the texts, and those of a specification.
    pub fn new(environment: Environment, specification: &'s Specification) -> Self {
        let texts = &AsWritten::built_in().specification;
        let rules = texts.rules.iter().chain(&specification.rules);
        Self::of(environment, [specification, texts], rules.map(|rule| &**rule))
    }

    /// Of these rules, those that hold in an environment.
    pub fn of(
        environment: Environment,
        specifications: [&'s Specification; 2],
        rules: impl Iterator<Item = &'s Rule>,
    ) -> Self {
        let [specification, _] = specifications;
        let holds = |document: &str| specification.holds(document, environment.name());
        // A document describes environments if it names them; an extension's holds in any.
        let describing = specification
            .documents
            .iter()
            .filter(|it| !it.environments.is_empty() && it.holds_in(environment.name()));
        let describing: BTreeSet<&str> = describing.map(|it| &*it.name).collect();
        let mut demands = Vec::new();
        for rule in rules.filter(|rule| holds(&rule.document)) {
            let presupposed = Self::is_presupposed(rule, holds);
            let speaks = |it: &&Demand| !(presupposed && it.force == Force::Accepts);
            for demand in rule.demands.iter().filter(speaks) {
                let own = describing.contains(&*rule.document);
                let group = if own { environment.name() } else { &rule.document };
                let reach = Reach::of(&demand.subject, specifications);
                demands.push(AppliedDemand { rule, demand, reach, group, own });
            }
        }
        Self { environment, specifications, demands }
    }

    fn is_presupposed(rule: &Rule, holds: impl Fn(&str) -> bool) -> bool {
        match &*PRESUPPOSED {
            Ok(all) => all.presupposed.iter().any(|it| *it.rule == *rule.id && holds(&it.said_by)),
            Err(error) => unreachable!("the data are well-formed, as tests say: {error}"),
        }
    }

    /// The demands about each of these instructions, those left out that are about fields which an
    /// instruction does not have.
    pub fn by_opcode(
        &self,
        opcodes: &BTreeSet<u32>,
        names: &Fields<'_>,
    ) -> BTreeMap<u32, Vec<&AppliedDemand<'s>>> {
        let about = |&opcode: &u32| {
            let has = |applied: &&AppliedDemand<'s>| {
                let fields = applied.fields();
                let named = |(field, within): &(&str, Option<&str>)| {
                    let first = within.unwrap_or(field);
                    let own = Op::from_u32(opcode).and_then(|it| names.position(it, first));
                    own.is_some() || IMPLIED.contains(&first) || is_parameter(first)
                };
                applied.reach.has(opcode) && (fields.is_empty() || fields.iter().any(named))
            };
            (opcode, self.demands.iter().filter(has).collect())
        };
        opcodes.iter().map(about).collect()
    }

    /// The demands about tokens of the module, by kind.
    pub fn by_kind(&self) -> BTreeMap<&str, Vec<&AppliedDemand<'s>>> {
        let mut all: BTreeMap<&str, Vec<&AppliedDemand<'s>>> = BTreeMap::new();
        for applied in &self.demands {
            if let DemandSubject::Tokens(kind) = &applied.demand.subject {
                all.entry(kind).or_default().push(applied);
            }
        }
        all
    }

    /// The demands about built-in variables, by name.
    pub fn by_built_in(&self) -> BTreeMap<&str, Vec<&AppliedDemand<'s>>> {
        let mut all: BTreeMap<&str, Vec<&AppliedDemand<'s>>> = BTreeMap::new();
        for applied in &self.demands {
            for name in &applied.reach.built_ins {
                all.entry(name).or_default().push(applied);
            }
        }
        all
    }

    /// Conflicts in which a rule is the one that prohibits.
    pub fn conflicts(rule: &Rule) -> impl Iterator<Item = &'static Conflict> {
        all_conflicts().iter().filter(move |conflict| *conflict.prohibits == *rule.id)
    }

    /// Whether a rule is the one that permits what another prohibits.
    pub fn is_exception(rule: &Rule) -> bool {
        all_conflicts().iter().any(|conflict| *conflict.permits == *rule.id)
    }
}

impl AppliedDemand<'_> {
    /// It says that values are legal, or will be accepted.
    pub fn permits(&self) -> bool {
        matches!(self.demand.force, Force::Accepts | Force::AcceptsOnly)
    }

    /// Its list ends: what no list has is not promised, or not legal.
    pub fn ends(&self) -> bool {
        matches!(self.demand.force, Force::AcceptsOnly | Force::Complete | Force::Closed)
    }

    /// The fields that it is about, each beside the operand that leads to it.
    pub fn fields(&self) -> Vec<(&str, Option<&str>)> {
        match &self.demand.subject {
            DemandSubject::Tokens(_) => Vec::new(),
            DemandSubject::Fields { fields, within, .. } => {
                fields.iter().map(|field| (&**field, within.as_deref())).collect()
            }
        }
    }

    /// It is about this field.
    pub fn is_of(&self, place: (&str, Option<&str>)) -> bool {
        self.fields().contains(&place)
    }

    /// It speaks of this instruction.
    pub fn is_about(&self, opcode: Op) -> bool {
        self.reach.has(opcode as u32)
    }

    /// `document, section, sentence n`.
    pub fn citation(&self) -> String {
        citation(self.rule)
    }

    /// Its list ends somewhere where another one permits something: in the same group, of the same
    /// tokens, or of a field of an instruction that both speak of.
    pub fn ends_list_of(&self, other: &AppliedDemand<'_>) -> bool {
        let subjects = match (&self.demand.subject, &other.demand.subject) {
            (DemandSubject::Tokens(one), DemandSubject::Tokens(other)) => one == other,
            (DemandSubject::Fields { .. }, DemandSubject::Fields { .. }) => {
                self.fields().iter().any(|place| other.is_of(*place))
                    && self.reach.meets(&other.reach)
            }
            _ => false,
        };
        self.ends() && self.group == other.group && subjects
    }

    /// Of how many instructions and built-in variables it speaks.
    pub fn breadth(&self) -> usize {
        match &self.reach {
            Reach { every: true, .. } => usize::MAX,
            reach => reach.opcodes.len() + reach.built_ins.len(),
        }
    }

    /// Some instruction, or every one that has the field, is meant.
    pub fn reaches_any(&self) -> bool {
        let Reach { opcodes, every, built_ins, .. } = &self.reach;
        *every || !opcodes.is_empty() || !built_ins.is_empty()
    }
}

/// `document, section, sentence n`, or by the number that an identifier of valid usage ends in.
pub fn citation(rule: &Rule) -> String {
    let place = format!("{}, {}", rule.document, rule.section);
    let numbers: Vec<String> = rule.sentences.iter().map(|&it| numbered(it)).collect();
    let numbers = numbers.join(", ");
    match &rule.sentences[..] {
        all if all.iter().any(|&it| is_identifier(it)) => format!("{place}, {numbers}"),
        [_] => format!("{place}, sentence {numbers}"),
        _ => format!("{place}, sentences {numbers}"),
    }
}

/// A sentence's number as a reader looks for it: `3`, `VUID 04642`.
pub fn numbered(number: u32) -> String {
    if is_identifier(number) { format!("VUID {number:05}") } else { number.to_string() }
}

/// A number above those of sentences: Vulkan's rules have such identifiers.
fn is_identifier(number: u32) -> bool {
    number >= 1000
}

impl Reach {
    fn of(subject: &DemandSubject, specifications: [&Specification; 2]) -> Self {
        let DemandSubject::Fields { group, .. } = subject else { return Self::default() };
        let mut reach = Self::default();
        for member in &group.members {
            match member {
                Member::Every => reach.every = true,
                Member::BuiltIn(name) => {
                    reach.built_ins.insert(name.to_string());
                }
                Member::Capability(name) => {
                    let names = enabled_by(name, specifications);
                    reach.opcodes.extend(names.iter().filter_map(|name| opcode(name)));
                }
                Member::Named(name) => match name.strip_suffix('*') {
                    Some(beginning) => {
                        let names = tokens::named_like(beginning);
                        reach.opcodes.extend(names.iter().filter_map(|name| opcode(name)));
                    }
                    None => reach.opcodes.extend(opcode(name)),
                },
            }
        }
        reach.but = group.but.iter().filter_map(|name| opcode(name)).collect();
        reach
    }

    fn meets(&self, other: &Self) -> bool {
        let all = self.every || other.every;
        all || self.opcodes.iter().any(|&it| self.has(it) && other.has(it))
            || !self.built_ins.is_disjoint(&other.built_ins)
    }

    fn has(&self, opcode: u32) -> bool {
        (self.every || self.opcodes.contains(&opcode)) && !self.but.contains(&opcode)
    }
}

/// The instructions that a capability enables, by the grammar or by what a document says.
fn enabled_by(capability: &str, specifications: [&Specification; 2]) -> Vec<String> {
    let known = tokens::named("Capability", capability).map(|it| it.name);
    let mut names = tokens::enabled_by(known.as_deref().unwrap_or(capability));
    let facts = specifications.into_iter().flat_map(|it| &it.facts);
    let stated = facts.filter(|fact| {
        &*fact.kind == "Opcode" && fact.capabilities.iter().any(|it| **it == *capability)
    });
    names.extend(stated.map(|fact| fact.token.to_string()));
    names
}

fn opcode(name: &str) -> Option<u32> {
    let entry = GrammarEntry::of(name)?;
    Op::from_u32(entry.opcode()).map(|it| it as u32)
}
