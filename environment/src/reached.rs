//! Undefined behavior that constants prove: the clauses, read with the operands that are constants
//! and everything else left open.
//!
//! A condition of undefined behavior that is true for all unknown values holds wherever the
//! instruction is reached. Otherwise only a run decides.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id, Named, Operand, rounding_decoration};
use laneproof_semantics::Scalar;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::{
    Argument, Cause, DenoteError, Group, GroupScope, Instance, Leaf, Read, Settled, State, Texels,
    denote,
};
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};
use laneproof_semantics::term::{Pool, Sort, Term};

use crate::body::Body;
use crate::device::Device;
use crate::diagnostic::{Diagnostic, Severity};
use crate::judge::undefined_where_reached;
use crate::leaves::{Leaves, leaves, type_of};
use crate::shown::described;
use crate::values::word_of;
use crate::view::View;

/// Undefined behavior that constants prove, at every instruction that has clauses.
pub fn findings(view: &View<'_>, body: &Body<'_>, device: Option<&Device>) -> Vec<Diagnostic> {
    let specification = body.specifications[0];
    let Some(profile) = specification.profiles.get(body.environment.name()) else {
        return Vec::new();
    };
    let settled = Settled::by(profile).in_environment(body.environment.name());
    let module = Module { capabilities: Arc::new(view.capabilities.clone()), modes: modes(view) };
    // What holds at each of the device's sizes holds on it.
    let sizes: Vec<Option<u32>> = match device.map(Device::subgroup_sizes) {
        Some(sizes) if !sizes.is_empty() => sizes.into_iter().map(Some).collect(),
        _ => vec![None],
    };
    let mut found = Vec::new();
    for instruction in view.instructions() {
        let Some(declared) = view.fields.declared(instruction.opcode) else { continue };
        let has_constant = instruction.ids(0).any(|id| leaves(view, id).is_some());
        if !has_constant {
            continue;
        }
        let Some((instance, constants)) = instance(view, declared, instruction, &module) else {
            continue;
        };
        let scope = scope(declared, &instance);
        let proved_at = |size: Option<u32>, existing: Option<u32>| -> (Vec<Cause>, Asked) {
            let mut group = Partial::new(&instance, constants.clone(), scope, (size, existing));
            let lane = group.here;
            let outcome = denote(specification, &settled, declared, &instance, &mut group, lane);
            let causes = outcome.map(|it| it.undefined_behavior).unwrap_or_default();
            let holds = |it: &Cause| group.pool.bool_of(it.condition) == Some(true);
            (causes.into_iter().filter(holds).collect(), group.asked.get())
        };
        // In kernels the size of a subgroup is the number of its lanes: any number up to the
        // device's size. That of a workgroup is not known.
        let proved = |size: &Option<u32>| -> Vec<Cause> {
            let (mut causes, asked) = proved_at(*size, None);
            if let Some(most) =
                size.filter(|_| asked == Asked::Lanes && scope == GroupScope::Subgroup)
            {
                causes = proved_at(*size, Some(most)).0;
                for existing in (1..most).rev() {
                    if causes.is_empty() {
                        break;
                    }
                    let (here, _) = proved_at(*size, Some(existing));
                    causes.retain(|cause| here.iter().any(|it| is_same(it, cause)));
                }
            }
            causes
        };
        // What does not ask for the size is the same at each.
        let (without, asked) = proved_at(None, None);
        let mut at_each = sizes.iter().map(proved);
        let first = if asked == Asked::Nothing { Some(without) } else { at_each.next() };
        let first = first.unwrap_or_default();
        let at_each = at_each.take(if asked == Asked::Nothing { 0 } else { sizes.len() });
        let others: Vec<Vec<Cause>> = at_each.collect();
        for cause in first {
            let holds = others.iter().all(|causes| causes.iter().any(|it| is_same(it, &cause)));
            if holds {
                found.push(Diagnostic {
                    rule: format!("{}/undefined-behavior", body.environment),
                    severity: Severity::Warning,
                    message: undefined_where_reached("undefined behavior", &cause.wording),
                    instruction: view.instruction_name(instruction),
                    word: Some(instruction.place.word),
                    line: Some(instruction.place.line).filter(|&line| line > 0),
                    citation: cited(specification, &cause.clause),
                    reading: cause.reading.map(|it| it.to_string()),
                    depends_on: BTreeSet::new(),
                    subject: None,
                    breadth: None,
                    shown: Some(described(view, instruction)),
                });
            }
        }
    }
    found
}

fn is_same(one: &Cause, other: &Cause) -> bool {
    one.clause == other.clause && one.wording == other.wording
}

fn cited(specification: &Specification, clause: &str) -> String {
    match specification.clause(clause) {
        Some(clause) => {
            let numbers: Vec<String> = clause.sentences.iter().map(u32::to_string).collect();
            let word = if numbers.len() == 1 { "sentence" } else { "sentences" };
            format!("{}, {}, {word} {}", clause.document, clause.section, numbers.join(", "))
        }
        None => clause.to_owned(),
    }
}

/// The group that executes an instruction: a subgroup where no operand says another one.
fn scope(declared: &SpecInstruction, instance: &Instance) -> GroupScope {
    let operands = declared.operands.iter().zip(&instance.arguments);
    let mut execution = operands.filter(|(operand, _)| &*operand.name == "Execution");
    let workgroup = |argument: &Argument| match argument {
        Argument::Enumerant(names) => names.iter().any(|name| &**name == "Workgroup"),
        _ => false,
    };
    match execution.any(|(_, argument)| workgroup(argument)) {
        true => GroupScope::Workgroup,
        false => GroupScope::Subgroup,
    }
}

/// What holds in all of a module.
struct Module {
    capabilities: Arc<BTreeSet<String>>,
    modes: Arc<BTreeMap<String, bool>>,
}

/// The execution modes of the entry points; false of those that some have and some have not.
fn modes(view: &View<'_>) -> Arc<BTreeMap<String, bool>> {
    let of_opcodes = |opcodes: &[Op]| {
        view.instructions().iter().filter(|it| opcodes.contains(&it.opcode)).collect::<Vec<_>>()
    };
    let entries: BTreeSet<Option<Id>> =
        of_opcodes(&[Op::EntryPoint]).into_iter().map(|it| it.id(1)).collect();
    let mut having: BTreeMap<String, BTreeSet<Option<Id>>> = BTreeMap::new();
    for it in of_opcodes(&[Op::ExecutionMode, Op::ExecutionModeId]) {
        let Some(Operand::ExecutionMode(mode)) = it.operands.get(1) else { continue };
        for name in mode.names() {
            having.entry((*name).to_owned()).or_default().insert(it.id(0));
        }
    }
    Arc::new(having.into_iter().map(|(name, of)| (name, entries.is_subset(&of))).collect())
}

/// The decorations of a result, by name.
fn decorations(view: &View<'_>, instruction: &Decoded) -> BTreeSet<String> {
    let all = instruction.result.into_iter().flat_map(|result| view.decorations(result));
    let names = all.flat_map(|it| {
        let decoration = match it.operands.get(1) {
            Some(Operand::Decoration(decoration)) => Some(decoration.name().to_owned()),
            _ => None,
        };
        let mode = match it.operands.get(2) {
            Some(Operand::FPRoundingMode(mode)) => Some(rounding_decoration(*mode)),
            _ => None,
        };
        [decoration, mode].into_iter().flatten()
    });
    names.collect()
}

/// What is known of operands, by operand.
type Constants = BTreeMap<usize, Leaves>;

/// The instruction as clauses see it; none where an operand is of a kind that they cannot be given.
fn instance(
    view: &View<'_>,
    declared: &SpecInstruction,
    instruction: &Decoded,
    module: &Module,
) -> Option<(Instance, Constants)> {
    let mut arguments = Vec::new();
    let mut constants = Constants::new();
    let positions = view.positions(declared, instruction);
    for (at, (operand, position)) in declared.operands.iter().zip(positions).enumerate() {
        let Some(given) = position.and_then(|it| instruction.operands.get(it)) else {
            arguments.push(Argument::Absent);
            continue;
        };
        let argument = match (&operand.ty, given.id_ref_any()) {
            (OperandType::Scope, Some(id)) => {
                let scope = laneproof_module::spirv::Scope::from_u32(view.constant(id)? as u32)?;
                Argument::Enumerant(vec![scope.name().into()])
            }
            (OperandType::Enumerant(_), None) => {
                let names = match given {
                    Operand::GroupOperation(it) => it.names().iter().map(|&it| it.into()).collect(),
                    _ => vec![word_of(given).into()],
                };
                Argument::Enumerant(names)
            }
            (OperandType::Image, Some(_)) => Argument::Image,
            (OperandType::Opaque, _) => Argument::Opaque,
            (OperandType::Pointer(_), Some(id)) => {
                Argument::Pointer(type_of(view, view.pointee(view.type_of(id)?)?)?)
            }
            (OperandType::Literals | OperandType::Values, _) => return None,
            (_, Some(id)) => {
                if let Some(leaves) = leaves(view, id) {
                    constants.insert(at, leaves);
                }
                Argument::Value(type_of(view, view.type_of(id)?)?)
            }
            _ => return None,
        };
        arguments.push(argument);
    }
    let result = match instruction.ty {
        Some(ty) => Some(type_of(view, ty)?),
        None => None,
    };
    let instance = Instance {
        arguments,
        result,
        capabilities: Arc::clone(&module.capabilities),
        modes: Arc::clone(&module.modes),
        version: view.listing.version(),
        decorations: decorations(view, instruction),
    };
    Some((instance, constants))
}

/// What a clause asks of the subgroup, the most of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Nothing,
    /// Its size.
    Size,
    /// The number of its lanes.
    Lanes,
}

/// A group with known constants and unknown other values.
struct Partial<'a> {
    pool: Pool,
    here: Term,
    instance: &'a Instance,
    constants: Constants,
    scope: GroupScope,
    size: Option<u32>,
    /// How many lanes exist, where that is tried.
    existing: Option<u32>,
    asked: Cell<Asked>,
    known: HashMap<(String, Sort), laneproof_semantics::term::Symbol>,
}

impl<'a> Partial<'a> {
    fn new(
        instance: &'a Instance,
        constants: Constants,
        scope: GroupScope,
        (size, existing): (Option<u32>, Option<u32>),
    ) -> Self {
        let mut pool = Pool::new();
        let here = pool.fresh("lane", Sort::Bits(32));
        let known = HashMap::new();
        let asked = Cell::new(Asked::Nothing);
        Self { pool, here, instance, constants, scope, size, existing, asked, known }
    }

    fn ask(&self, what: Asked) {
        self.asked.set(self.asked.get().max(what));
    }

    /// An unknown that is the same at each use in one lane.
    fn open(&mut self, name: &str, sort: Sort, lane: Term) -> Term {
        let key = (name.to_owned(), sort);
        let symbol = match self.known.get(&key) {
            Some(symbol) => *symbol,
            None => {
                let symbol = self.pool.symbol(name, sort);
                self.known.insert(key, symbol);
                symbol
            }
        };
        self.pool.apply(symbol, lane)
    }

    /// Something open that is the same in all lanes.
    fn common(&mut self, name: &str, sort: Sort) -> Term {
        let nowhere = self.pool.bits(0, 32);
        self.open(name, sort, nowhere)
    }
}

impl Group for Partial<'_> {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let Some(Argument::Value(ty)) = self.instance.arguments.get(operand) else {
            return Err(DenoteError::NotModelled("an operand that is no value".into()));
        };
        let constants = self.constants.get(&operand).cloned();
        let leaf = |(at, scalar): (usize, Scalar)| {
            let sort = match scalar {
                Scalar::Bool => Sort::Bool,
                other => Sort::Bits(other.width()),
            };
            let constant = constants.as_ref().and_then(|it| it.get(at).copied().flatten());
            let bits = match (constant, sort) {
                (Some(number), Sort::Bits(width)) => self.pool.bits(u128::from(number), width),
                (Some(number), _) => self.pool.bool(number != 0),
                (None, sort) => self.open(&format!("operand {operand} {at}"), sort, lane),
            };
            let undefined = match constant {
                Some(_) => self.pool.bool(false),
                None => self.open(&format!("undefined {operand} {at}"), Sort::Bool, lane),
            };
            Leaf { bits, undefined }
        };
        Ok(ty.leaves().into_iter().enumerate().map(leaf).collect())
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.open(&format!("draw {operand} {leaf}"), sort, lane)
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        Ok(if lane == self.here {
            self.pool.bool(true)
        } else {
            self.open("active", Sort::Bool, lane)
        })
    }

    fn exists(&mut self, lane: Term) -> Term {
        if lane == self.here { self.pool.bool(true) } else { self.open("exists", Sort::Bool, lane) }
    }

    fn state(&mut self, state: State) -> Term {
        let (known, asked, name) = match state {
            State::SubgroupSize => (self.size, Asked::Size, "SubgroupSize"),
            State::SubgroupMaxSize => (self.size, Asked::Size, "SubgroupMaxSize"),
            State::ExistingLanes => (self.existing, Asked::Lanes, "ExistingLanes"),
        };
        self.ask(asked);
        match known {
            Some(number) => self.pool.bits(u128::from(number), 32),
            None => self.common(name, Sort::Bits(32)),
        }
    }

    fn scope(&self) -> GroupScope {
        self.scope
    }

    /// Beyond the device's size there is no lane.
    fn lane_bound(&self) -> u32 {
        self.ask(Asked::Size);
        self.size.unwrap_or(128)
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.open(&format!("result {leaf}"), sort, lane)
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.open(&format!("payload {leaf}"), sort, lane)
    }

    fn either(&mut self, lane: Term) -> Result<Term, DenoteError> {
        Ok(self.open("either", Sort::Bool, lane))
    }

    fn load(&mut self, _read: Read, _lane: Term) -> Result<Leaf, DenoteError> {
        Err(DenoteError::NotModelled("memory of which nothing is known".into()))
    }

    fn extent(&mut self, target: usize) -> Result<(Term, Term), DenoteError> {
        let (width, height) = (format!("width {target}"), format!("height {target}"));
        Ok((self.common(&width, Sort::Bits(32)), self.common(&height, Sort::Bits(32))))
    }

    fn texels(&mut self, target: usize) -> Result<Texels, DenoteError> {
        let mut open = |what: &str| self.common(&format!("{what} {target}"), Sort::Bits(32));
        Ok(Texels { row: open("row"), bytes: open("bytes"), row_bytes: open("row bytes") })
    }

    fn modified(&mut self, target: usize, lane: Term) -> Result<Term, DenoteError> {
        Ok(self.open(&format!("modified {target}"), Sort::Bool, lane))
    }

    fn aligned(&mut self, target: usize, bytes: u32, lane: Term) -> Result<Term, DenoteError> {
        Ok(self.open(&format!("aligned {target} {bytes}"), Sort::Bool, lane))
    }
}
