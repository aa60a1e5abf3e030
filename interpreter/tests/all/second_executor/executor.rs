//! A second executor, for tests: it walks the blocks as the module has them, tangle by tangle, by the
//! words of SPV_KHR_maximal_reconvergence (Divergence, Reconvergence). It knows no regions, and shares
//! nothing with the interpreter but the decoder of words.
//!
//! A merge instruction leaves a *meeting* for the tangle that executes it. A lane that comes to the
//! meeting's label waits there; one that ends, or comes to a meeting of a construct around, has
//! escaped. When all lanes of the tangle wait or have escaped, those that wait are one tangle again.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Block, Function, Instruction, Module, Operand};
use rspirv::spirv::Op;

/// What an `<id>` is in a lane; `None` is an undefined value.
pub type Value = Option<u32>;

/// How a run ended: what each lane returned, `None` where it was killed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Returned(Vec<Option<Value>>),
    UndefinedBehavior,
}

/// Decides which of several tangles a further one joins, or none of them.
pub trait Grouping {
    fn pick(&mut self, options: u64) -> u64;
}

pub struct Undefined;

/// Lanes that are to meet at a label.
#[derive(Clone)]
struct Meeting {
    label: u32,
    /// For those of a loop's merge block, its header.
    header: Option<u32>,
    expected: BTreeSet<usize>,
    arrived: BTreeSet<usize>,
}

/// Lanes that wait at a case label, as they came: by one selector value, or by falling through.
struct Class {
    label: u32,
    /// The execution of the switch.
    switch: usize,
    lanes: BTreeSet<usize>,
}

#[derive(Clone, Default)]
pub struct Lane {
    values: BTreeMap<u32, Value>,
    variables: BTreeMap<u32, Value>,
    /// The block that it was in before.
    pub before: u32,
    /// The meetings that it is expected at, outer ones first.
    meetings: Vec<usize>,
    /// The switches that it is in: the execution, its case labels, and the meetings around.
    switches: Vec<(usize, BTreeSet<u32>, usize)>,
}

pub struct Executor<'m> {
    module: &'m Module,
    constants: BTreeMap<u32, Value>,
    pub grouping: &'m mut dyn Grouping,
    /// Lanes that are together whatever is chosen stay so alone.
    pub together: bool,
}

/// A function in execution.
pub struct Call<'m> {
    pub blocks: BTreeMap<u32, (usize, &'m Block)>,
    pub lanes: BTreeMap<usize, Lane>,
    meetings: Vec<Meeting>,
    waiting: Vec<Class>,
    switches: usize,
    /// Tangles that can go on, with the label of their block.
    ready: Vec<(u32, BTreeSet<usize>)>,
    pub returned: BTreeMap<usize, Value>,
}

impl<'m> Executor<'m> {
    pub fn new(module: &'m Module, grouping: &'m mut dyn Grouping, together: bool) -> Self {
        let mut constants = BTreeMap::new();
        for instruction in &module.types_global_values {
            let value = match (instruction.class.opcode, instruction.operands.first()) {
                (Op::Constant, Some(Operand::LiteralBit32(bits))) => Some(*bits),
                (Op::ConstantTrue, _) => Some(1),
                (Op::ConstantFalse, _) => Some(0),
                (Op::Undef, _) => None,
                _ => continue,
            };
            constants.extend(instruction.result_id.map(|id| (id, value)));
        }
        Self { module, constants, grouping, together }
    }

    /// Calls the function of an `<id>` in lanes `0..arguments.len()`, all together.
    pub fn run(&mut self, function: u32, arguments: &[Vec<u32>]) -> Outcome {
        let arguments: BTreeMap<usize, Vec<Value>> = arguments
            .iter()
            .enumerate()
            .map(|(lane, values)| (lane, values.iter().map(|&value| Some(value)).collect()))
            .collect();
        let count = arguments.len();
        match self.call(function, arguments) {
            Ok(returned) => {
                Outcome::Returned((0..count).map(|lane| returned.get(&lane).copied()).collect())
            }
            Err(Undefined) => Outcome::UndefinedBehavior,
        }
    }

    /// A call of a function that has executed nothing yet, and the label of its first block.
    pub fn begin(&self, function: u32, arguments: BTreeMap<usize, Vec<Value>>) -> (Call<'m>, u32) {
        let module = self.module;
        let of_id =
            |it: &&Function| it.def.as_ref().is_some_and(|def| def.result_id == Some(function));
        let function = module.functions.iter().find(of_id).expect("a function");
        let blocks = function.blocks.iter().enumerate();
        let blocks = blocks.map(|(place, block)| (label_of(block), (place, block))).collect();
        let first = label_of(&function.blocks[0]);
        let mut call = Call {
            blocks,
            lanes: BTreeMap::new(),
            meetings: Vec::new(),
            waiting: Vec::new(),
            switches: 0,
            ready: Vec::new(),
            returned: BTreeMap::new(),
        };
        for (lane, arguments) in arguments {
            let mut state = Lane::default();
            for (parameter, value) in function.parameters.iter().zip(arguments) {
                state.values.insert(parameter.result_id.expect("an id"), value);
            }
            call.lanes.insert(lane, state);
        }
        (call, first)
    }

    fn call(
        &mut self,
        function: u32,
        arguments: BTreeMap<usize, Vec<Value>>,
    ) -> Result<BTreeMap<usize, Value>, Undefined> {
        let (mut call, first) = self.begin(function, arguments);
        call.ready.push((first, call.lanes.keys().copied().collect()));
        loop {
            while let Some((label, tangle)) = call.ready.pop() {
                self.block(&mut call, label, tangle)?;
            }
            if !self.release_case(&mut call) {
                break;
            }
        }
        assert!(call.meetings.iter().all(|it| it.arrived.is_empty()), "a lane waits for ever");
        Ok(call.returned)
    }

    /// Executes a block with the lanes of a tangle.
    fn block(
        &mut self,
        call: &mut Call<'m>,
        label: u32,
        mut tangle: BTreeSet<usize>,
    ) -> Result<(), Undefined> {
        let (_, block) = call.blocks[&label];
        self.phis(call, block, &tangle);
        for instruction in &block.instructions {
            match instruction.class.opcode {
                Op::Phi | Op::Label => {}
                Op::SelectionMerge => {
                    let merge = id(instruction, 0);
                    call.meet(&tangle, merge, None);
                }
                Op::LoopMerge => {
                    let again = tangle.iter().all(|lane| call.goes_round(*lane, label));
                    if !again {
                        call.meet(&tangle, id(instruction, 0), Some(label));
                    }
                    call.meet(&tangle, id(instruction, 1), None);
                }
                Op::FunctionCall => {
                    let arguments = tangle.iter().map(|&lane| {
                        let operands = instruction.operands[1..].iter();
                        let values = operands.map(|it| self.value(call, lane, it.unwrap_id_ref()));
                        (lane, values.collect())
                    });
                    let arguments = arguments.collect();
                    let returned = self.call(id(instruction, 0), arguments)?;
                    let killed: BTreeSet<usize> = tangle
                        .iter()
                        .copied()
                        .filter(|lane| !returned.contains_key(lane))
                        .collect();
                    for (&lane, &value) in &returned {
                        call.set(lane, instruction, value);
                    }
                    killed.iter().for_each(|&lane| call.escape(lane, 0));
                    tangle.retain(|lane| !killed.contains(lane));
                    if tangle.is_empty() {
                        return Ok(());
                    }
                }
                _ if is_end(instruction) => return self.leave(call, label, instruction, &tangle),
                _ => self.instruction(call, instruction, &tangle),
            }
        }
        unreachable!("a block without an end")
    }

    pub fn phis(&mut self, call: &mut Call<'m>, block: &Block, tangle: &BTreeSet<usize>) {
        for &lane in tangle {
            let before = call.lanes[&lane].before;
            let mut found = Vec::new();
            for phi in block.instructions.iter().filter(|it| it.class.opcode == Op::Phi) {
                let pair = phi.operands.chunks(2).find(|pair| pair[1].unwrap_id_ref() == before);
                let value = pair.expect("an edge")[0].unwrap_id_ref();
                found.push((phi, self.value(call, lane, value)));
            }
            for (phi, value) in found {
                call.set(lane, phi, value);
            }
        }
    }

    pub fn value(&self, call: &Call<'_>, lane: usize, id: u32) -> Value {
        let own = call.lanes[&lane].values.get(&id).copied();
        own.or_else(|| self.constants.get(&id).copied()).expect("a value")
    }

    /// An instruction of a tangle: those that look around see just its lanes.
    pub fn instruction(
        &mut self,
        call: &mut Call<'_>,
        instruction: &Instruction,
        tangle: &BTreeSet<usize>,
    ) {
        let of = |call: &Call<'_>, lane: usize, operand: usize| {
            self.value(call, lane, id(instruction, operand))
        };
        let defined = |call: &Call<'_>, lane, operand| of(call, lane, operand).expect("defined");
        match instruction.class.opcode {
            Op::Variable => {
                let variable = instruction.result_id.expect("an id");
                for lane in tangle {
                    let lane = call.lanes.get_mut(lane).expect("a lane");
                    lane.variables.insert(variable, None);
                }
            }
            Op::Load => {
                for &lane in tangle {
                    let value = call.lanes[&lane].variables[&id(instruction, 0)];
                    call.set(lane, instruction, value);
                }
            }
            Op::Store => {
                for &lane in tangle {
                    let value = of(call, lane, 1);
                    let state = call.lanes.get_mut(&lane).expect("a lane");
                    state.variables.insert(id(instruction, 0), value);
                }
            }
            Op::GroupNonUniformIAdd => {
                let sum = tangle
                    .iter()
                    .fold(0, |sum: u32, &lane| sum.wrapping_add(defined(call, lane, 2)));
                tangle.iter().for_each(|&lane| call.set(lane, instruction, Some(sum)));
            }
            Op::GroupNonUniformBroadcastFirst => {
                let first = *tangle.first().expect("a lane");
                let value = of(call, first, 1);
                tangle.iter().for_each(|&lane| call.set(lane, instruction, value));
            }
            Op::GroupNonUniformElect => {
                let first = *tangle.first().expect("a lane");
                for &lane in tangle {
                    call.set(lane, instruction, Some(u32::from(lane == first)));
                }
            }
            opcode => {
                for &lane in tangle {
                    let a = defined(call, lane, 0);
                    let b = if instruction.operands.len() > 1 { defined(call, lane, 1) } else { 0 };
                    let value = match opcode {
                        Op::IAdd => a.wrapping_add(b),
                        Op::IMul => a.wrapping_mul(b),
                        Op::BitwiseAnd => a & b,
                        Op::IEqual => u32::from(a == b),
                        Op::ULessThan => u32::from(a < b),
                        Op::LogicalNot => 1 - a,
                        _ => panic!("{opcode:?} is not known here"),
                    };
                    call.set(lane, instruction, Some(value));
                }
            }
        }
    }

    /// The end of a block.
    fn leave(
        &mut self,
        call: &mut Call<'m>,
        label: u32,
        end: &Instruction,
        tangle: &BTreeSet<usize>,
    ) -> Result<(), Undefined> {
        for &lane in tangle {
            call.lanes.get_mut(&lane).expect("a lane").before = label;
        }
        match end.class.opcode {
            Op::Branch => call.go(id(end, 0), tangle.clone()),
            Op::BranchConditional => {
                let mut taken: [BTreeSet<usize>; 2] = Default::default();
                for &lane in tangle {
                    let condition = self.value(call, lane, id(end, 0)).ok_or(Undefined)?;
                    taken[1 - condition as usize].insert(lane);
                }
                if id(end, 1) == id(end, 2) {
                    call.go(id(end, 1), tangle.clone());
                    return Ok(());
                }
                for (operand, lanes) in [1, 2].into_iter().zip(taken) {
                    call.go(id(end, operand), lanes);
                }
            }
            Op::Switch => {
                let targets: BTreeSet<u32> =
                    end.operands[1..].iter().filter_map(Operand::id_ref_any).collect();
                let mut by_value: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
                for &lane in tangle {
                    let value = self.value(call, lane, id(end, 0)).ok_or(Undefined)?;
                    by_value.entry(value).or_default().insert(lane);
                }
                call.switches += 1;
                for &lane in tangle {
                    let state = call.lanes.get_mut(&lane).expect("a lane");
                    let around = state.meetings.len();
                    state.switches.push((call.switches, targets.clone(), around));
                }
                for (value, lanes) in by_value {
                    let case = end.operands[2..].chunks(2).find(|pair| match pair[0] {
                        Operand::LiteralBit32(literal) => literal == value,
                        _ => false,
                    });
                    let target = case.map_or(id(end, 1), |pair| pair[1].unwrap_id_ref());
                    call.go(target, lanes);
                }
            }
            Op::ReturnValue => {
                for &lane in tangle {
                    let value = self.value(call, lane, id(end, 0));
                    call.returned.insert(lane, value);
                    call.escape(lane, 0);
                }
            }
            Op::TerminateInvocation => tangle.iter().for_each(|&lane| call.escape(lane, 0)),
            opcode => panic!("{opcode:?} is not known here"),
        }
        Ok(())
    }

    /// No other lanes can run: all lanes that may come to the first waiting case have come. These
    /// lanes go on, arranged in tangles.
    fn release_case(&mut self, call: &mut Call<'m>) -> bool {
        let place = |class: &Class| (call.blocks[&class.label].0, class.switch);
        let Some(first) = call.waiting.iter().map(place).min() else { return false };
        let (mut now, later): (Vec<Class>, Vec<Class>) = std::mem::take(&mut call.waiting)
            .into_iter()
            .partition(|it| (call.blocks[&it.label].0, it.switch) == first);
        call.waiting = later;
        let label = now[0].label;
        now.sort_by_key(|class| *class.lanes.first().expect("a lane"));
        let mut tangles: Vec<BTreeSet<usize>> = Vec::new();
        for class in now {
            let joined = match (tangles.len(), self.together) {
                (0, _) => 0,
                (_, true) => 0,
                (count, false) => self.grouping.pick(count as u64 + 1) as usize,
            };
            match tangles.get_mut(joined) {
                Some(tangle) => tangle.extend(class.lanes),
                None => tangles.push(class.lanes),
            }
        }
        call.ready.extend(tangles.into_iter().map(|tangle| (label, tangle)));
        true
    }
}

impl Call<'_> {
    pub fn set(&mut self, lane: usize, instruction: &Instruction, value: Value) {
        let id = instruction.result_id.expect("a result");
        self.lanes.get_mut(&lane).expect("a lane").values.insert(id, value);
    }

    /// A tangle is to meet again at a label.
    fn meet(&mut self, tangle: &BTreeSet<usize>, label: u32, header: Option<u32>) {
        let number = self.meetings.len();
        let expected = tangle.clone();
        self.meetings.push(Meeting { label, header, expected, arrived: BTreeSet::new() });
        for lane in tangle {
            self.lanes.get_mut(lane).expect("a lane").meetings.push(number);
        }
    }

    /// A lane came to a loop's header by its back edge.
    fn goes_round(&self, lane: usize, header: u32) -> bool {
        let innermost = self.lanes[&lane].meetings.last();
        innermost.is_some_and(|&number| self.meetings[number].header == Some(header))
    }

    /// Lanes of one tangle go to a block together.
    fn go(&mut self, label: u32, lanes: BTreeSet<usize>) {
        if lanes.is_empty() {
            return;
        }
        let first = *lanes.first().expect("a lane");
        let state = &self.lanes[&first];
        let meeting = state.meetings.iter().rposition(|&it| self.meetings[it].label == label);
        if let Some(depth) = meeting {
            for &lane in &lanes {
                let number = self.lanes[&lane].meetings[depth];
                self.meetings[number].arrived.insert(lane);
                self.escape(lane, depth + 1);
                self.lanes.get_mut(&lane).expect("a lane").meetings.truncate(depth);
                self.forget_switches(lane, depth);
                self.check(number);
            }
            return;
        }
        let case = state.switches.iter().rposition(|(_, labels, _)| labels.contains(&label));
        match case {
            Some(depth) => {
                let switch = state.switches[depth].0;
                self.waiting.push(Class { label, switch, lanes });
            }
            None => self.ready.push((label, lanes)),
        }
    }

    /// A lane that has left a construct is in none of the switches inside.
    fn forget_switches(&mut self, lane: usize, depth: usize) {
        let state = self.lanes.get_mut(&lane).expect("a lane");
        state.switches.retain(|(.., around)| *around <= depth);
    }

    /// A lane comes to no meeting from this depth on.
    fn escape(&mut self, lane: usize, depth: usize) {
        let numbers =
            self.lanes[&lane].meetings[depth.min(self.lanes[&lane].meetings.len())..].to_vec();
        self.lanes.get_mut(&lane).expect("a lane").meetings.truncate(depth);
        for number in numbers.into_iter().rev() {
            self.meetings[number].expected.remove(&lane);
            self.check(number);
        }
    }

    /// All that were expected have come or escaped.
    fn check(&mut self, number: usize) {
        let meeting = &mut self.meetings[number];
        if !meeting.arrived.is_empty() && meeting.arrived == meeting.expected {
            let tangle = std::mem::take(&mut meeting.arrived);
            let label = meeting.label;
            self.ready.push((label, tangle));
        }
    }
}

fn label_of(block: &Block) -> u32 {
    block.label.as_ref().and_then(|label| label.result_id).expect("a label")
}

pub fn id(instruction: &Instruction, operand: usize) -> u32 {
    instruction.operands[operand].id_ref_any().expect("an id")
}

pub fn is_end(instruction: &Instruction) -> bool {
    matches!(
        instruction.class.opcode,
        Op::Branch | Op::BranchConditional | Op::Switch | Op::ReturnValue | Op::TerminateInvocation
    )
}
