//! The second executor by the weaker reading of `reconvergence`, by its words: lanes are together if
//! they came the same way, or at the merge block of a construct whose header all lanes executed
//! together. Where lanes come by several ways it is chosen which of these go on together.
//!
//! It runs lanes in the order in which the blocks stand, one iteration after the other.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Block, Instruction, Operand};
use rspirv::spirv::Op;

use super::executor::{Call, Executor, Outcome, Undefined, Value, id, is_end};

type Lanes = BTreeSet<usize>;

/// A loop that lanes are in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Inside {
    /// Where its header stands.
    place: usize,
    iteration: u32,
    header: u32,
    merge: u32,
    again: u32,
}

/// Lanes that came to a block the same way.
struct Class {
    label: u32,
    loops: Vec<Inside>,
    lanes: Lanes,
}

pub struct Weak<'e, 'm> {
    pub executor: &'e mut Executor<'m>,
    /// Which lanes go on together is chosen in blocks in which it makes no difference, too.
    pub eager: bool,
    /// All lanes.
    entered: Lanes,
}

/// A function in execution, beside what the lanes hold.
struct Walk<'m> {
    call: Call<'m>,
    waiting: Vec<Class>,
    /// Merge blocks at which lanes are sure to be together.
    promised: BTreeSet<u32>,
    returned: Vec<Lanes>,
}

impl<'e, 'm> Weak<'e, 'm> {
    pub fn new(executor: &'e mut Executor<'m>, eager: bool) -> Self {
        Self { executor, eager, entered: Lanes::new() }
    }

    /// Calls the function of an `<id>` in lanes `0..arguments.len()`, all together.
    pub fn run(&mut self, function: u32, arguments: &[Vec<u32>]) -> Outcome {
        let count = arguments.len();
        self.entered = (0..count).collect();
        let arguments = arguments.iter().enumerate();
        let arguments = arguments
            .map(|(lane, values)| (lane, values.iter().map(|&value| Some(value)).collect()));
        match self.call(function, arguments.collect(), vec![self.entered.clone()]) {
            Ok((values, _)) => {
                Outcome::Returned((0..count).map(|lane| values.get(&lane).copied()).collect())
            }
            Err(Undefined) => Outcome::UndefinedBehavior,
        }
    }

    /// What the lanes return, and which of them come back the same way.
    fn call(
        &mut self,
        function: u32,
        arguments: BTreeMap<usize, Vec<Value>>,
        classes: Vec<Lanes>,
    ) -> Result<(BTreeMap<usize, Value>, Vec<Lanes>), Undefined> {
        let (call, first) = self.executor.begin(function, arguments);
        let waiting = classes
            .into_iter()
            .map(|lanes| Class { label: first, loops: Vec::new(), lanes })
            .collect();
        let mut walk = Walk { call, waiting, promised: BTreeSet::new(), returned: Vec::new() };
        // The first iterations and the first blocks come first, so that all lanes that may come to a
        // block have come.
        while let Some(next) = walk.waiting.iter().map(|it| walk.place(it)).min() {
            let (mut here, waiting): (Vec<Class>, _) = std::mem::take(&mut walk.waiting)
                .into_iter()
                .partition(|it| walk.place(it) == next);
            walk.waiting = waiting;
            here.sort_by_key(|it| it.lanes.first().copied());
            let (label, loops) = (here[0].label, here[0].loops.clone());
            let classes = here.into_iter().map(|it| it.lanes).collect();
            self.block(&mut walk, label, loops, classes)?;
        }
        Ok((walk.call.returned, walk.returned))
    }

    /// The implementation joins classes, or not.
    fn choose(&mut self, classes: Vec<Lanes>) -> Vec<Lanes> {
        let mut tangles: Vec<Lanes> = Vec::new();
        for class in classes {
            let choice = match tangles.len() {
                0 => 0,
                count => self.executor.grouping.pick(count as u64 + 1) as usize,
            };
            match tangles.get_mut(choice) {
                Some(tangle) => tangle.extend(class),
                None => tangles.push(class),
            }
        }
        tangles
    }

    fn block(
        &mut self,
        walk: &mut Walk<'m>,
        label: u32,
        mut loops: Vec<Inside>,
        classes: Vec<Lanes>,
    ) -> Result<(), Undefined> {
        let (place, block) = walk.call.blocks[&label];
        let all: Lanes = classes.iter().flatten().copied().collect();
        let mut tangles = match all == self.entered && walk.promised.contains(&label) {
            true => vec![all.clone()],
            false if self.eager || looks_around(block) => self.choose(classes),
            false => classes,
        };
        let converged = tangles == [self.entered.clone()];
        self.executor.phis(&mut walk.call, block, &all);
        for instruction in &block.instructions {
            match instruction.class.opcode {
                Op::Phi | Op::Label => {}
                Op::SelectionMerge => promise(walk, converged, id(instruction, 0)),
                Op::LoopMerge => {
                    let (merge, again) = (id(instruction, 0), id(instruction, 1));
                    if loops.last().is_none_or(|it| it.header != label) {
                        promise(walk, converged, merge);
                        loops.push(Inside { place, iteration: 0, header: label, merge, again });
                    }
                }
                Op::FunctionCall => {
                    let operands = &instruction.operands[1..];
                    let lanes = tangles.iter().flatten().map(|&lane| {
                        let value = |it: &Operand| {
                            self.executor.value(&walk.call, lane, it.unwrap_id_ref())
                        };
                        (lane, operands.iter().map(value).collect())
                    });
                    let arguments = lanes.collect();
                    let (values, classes) = self.call(id(instruction, 0), arguments, tangles)?;
                    for (&lane, &value) in &values {
                        walk.call.set(lane, instruction, value);
                    }
                    let mut classes = classes;
                    classes.sort_by_key(|it| it.first().copied());
                    tangles = match self.eager || looks_around(block) {
                        true => self.choose(classes),
                        false => classes,
                    };
                }
                _ if is_end(instruction) => {
                    return self.leave(walk, (label, loops), instruction, &tangles);
                }
                _ => {
                    for tangle in &tangles {
                        self.executor.instruction(&mut walk.call, instruction, tangle);
                    }
                }
            }
        }
        unreachable!("a block without an end")
    }

    /// The end of a block.
    fn leave(
        &mut self,
        walk: &mut Walk<'m>,
        (label, loops): (u32, Vec<Inside>),
        end: &Instruction,
        tangles: &[Lanes],
    ) -> Result<(), Undefined> {
        for tangle in tangles {
            // The lanes of this tangle by their way: its label, and what a switch tells apart.
            let mut ways: BTreeMap<(u32, u32), Lanes> = BTreeMap::new();
            for &lane in tangle {
                walk.call.lanes.get_mut(&lane).expect("a lane").before = label;
                let number =
                    |operand: usize| self.executor.value(&walk.call, lane, id(end, operand));
                let way = match end.class.opcode {
                    Op::Branch => (id(end, 0), 0),
                    Op::BranchConditional => match number(0).ok_or(Undefined)? {
                        0 => (id(end, 2), 0),
                        _ => (id(end, 1), 0),
                    },
                    Op::Switch => {
                        let value = number(0).ok_or(Undefined)?;
                        let case = end.operands[2..]
                            .chunks(2)
                            .find(|pair| pair[0] == Operand::LiteralBit32(value));
                        let to = case.map_or(id(end, 1), |pair| pair[1].unwrap_id_ref());
                        (to, if self.executor.together { 0 } else { value })
                    }
                    Op::ReturnValue => {
                        let value = number(0);
                        walk.call.returned.insert(lane, value);
                        (0, 0)
                    }
                    Op::TerminateInvocation => continue,
                    opcode => panic!("{opcode:?} is not known here"),
                };
                ways.entry(way).or_default().insert(lane);
            }
            for ((to, _), lanes) in ways {
                match to {
                    0 => walk.returned.push(lanes),
                    _ => walk.waiting.push(Class { label: to, loops: after(&loops, to), lanes }),
                }
            }
        }
        Ok(())
    }
}

impl Walk<'_> {
    /// When a class is to run: by the loops that it is in, then by its block.
    fn place(&self, class: &Class) -> Vec<u64> {
        let loops = class.loops.iter();
        let around = loops.flat_map(|it| [it.place as u64, u64::from(it.iteration)]);
        around.chain([self.call.blocks[&class.label].0 as u64]).collect()
    }
}

/// What the header of a construct promises of its merge block, which all lanes began together or not.
fn promise(walk: &mut Walk<'_>, converged: bool, merge: u32) {
    match converged {
        true => walk.promised.insert(merge),
        false => walk.promised.remove(&merge),
    };
}

/// The loops that lanes are in when they have gone to a label.
fn after(loops: &[Inside], label: u32) -> Vec<Inside> {
    let mut loops = loops.to_vec();
    if let Some(depth) = loops.iter().rposition(|it| it.header == label) {
        loops.truncate(depth + 1);
        loops[depth].iteration += 1;
    } else if let Some(depth) = loops.iter().rposition(|it| it.merge == label) {
        loops.truncate(depth);
    } else if let Some(depth) = loops.iter().rposition(|it| it.again == label) {
        loops.truncate(depth + 1);
    }
    loops
}

/// Something in a block depends on which lanes execute it together.
fn looks_around(block: &Block) -> bool {
    let mut opcodes = block.instructions.iter().map(|it| it.class.opcode);
    opcodes.any(|opcode| {
        matches!(
            opcode,
            Op::GroupNonUniformIAdd
                | Op::GroupNonUniformBroadcastFirst
                | Op::GroupNonUniformElect
                | Op::FunctionCall
        )
    })
}
