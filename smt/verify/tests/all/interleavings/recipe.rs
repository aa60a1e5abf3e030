//! Random pairs: a few acts, and others that may come to the same.

use super::{Act, Atomic, Group, Guard, Op, Operand, Place, Scope, Shape, Side};
use crate::acts::Numbers;

pub const SHAPES: [Shape; 9] = [
    Shape { lanes: 2, size: 1 },
    Shape { lanes: 2, size: 1 },
    Shape { lanes: 2, size: 2 },
    Shape { lanes: 3, size: 1 },
    Shape { lanes: 3, size: 2 },
    Shape { lanes: 3, size: 2 },
    Shape { lanes: 4, size: 2 },
    Shape { lanes: 4, size: 2 },
    Shape { lanes: 4, size: 4 },
];

const UPDATES: [Atomic; 9] = [
    Atomic::Add,
    Atomic::Add,
    Atomic::Sub,
    Atomic::UMin,
    Atomic::UMax,
    Atomic::And,
    Atomic::Or,
    Atomic::Xor,
    Atomic::Exchange,
];
const GUARDS: [Guard; 8] = [
    Guard::All,
    Guard::All,
    Guard::All,
    Guard::Elected,
    Guard::Elected,
    Guard::Odd,
    Guard::IndexZero,
    Guard::FirstSubgroup,
];
const SCOPES: [Scope; 5] =
    [Scope::Workgroup, Scope::Workgroup, Scope::Device, Scope::Device, Scope::Subgroup];
const GROUPS: [Group; 6] =
    [Group::Add, Group::ExclusiveAdd, Group::Max, Group::Or, Group::Xor, Group::BroadcastFirst];

fn operand(numbers: &mut Numbers, acts: usize) -> Operand {
    match numbers.below(8) {
        0..3 => Operand::Number(numbers.below(4) as u8),
        3 => Operand::Given,
        4 => Operand::Uniform(numbers.below(4) as u8),
        5 => Operand::Index,
        _ if acts > 0 => Operand::Result(numbers.below(acts as u64) as usize),
        _ => Operand::Number(1),
    }
}

fn place(numbers: &mut Numbers) -> Place {
    numbers.of(&[Place::First, Place::First, Place::First, Place::Second, Place::Scratch])
}

fn atomic(numbers: &mut Numbers, acts: usize) -> Atomic {
    match numbers.below(12) {
        0 => Atomic::CompareExchange(operand(numbers, acts)),
        1 => Atomic::Load,
        2 => Atomic::Store,
        3 => Atomic::SMin,
        _ => numbers.of(&UPDATES),
    }
}

fn barrier(numbers: &mut Numbers) -> Act {
    let execution = numbers.of(&[Scope::Workgroup, Scope::Workgroup, Scope::Subgroup]);
    let memory = numbers.of(&[Scope::Workgroup, Scope::Device, Scope::Subgroup]);
    let orders = numbers.of(&[[true, true], [true, false], [false, true], [false, false]]);
    (Guard::All, Op::Barrier(execution, memory, orders))
}

fn fence(numbers: &mut Numbers) -> Op {
    let memory = numbers.of(&[Scope::Workgroup, Scope::Device, Scope::Subgroup]);
    Op::Fence(memory, numbers.of(&[[true, true], [true, true], [true, false], [false, true]]))
}

fn act(numbers: &mut Numbers, acts: usize) -> Act {
    let op = match numbers.below(13) {
        0..7 => {
            let kind = atomic(numbers, acts);
            Op::Atomic(kind, place(numbers), numbers.of(&SCOPES), operand(numbers, acts))
        }
        7 => Op::Load(place(numbers)),
        8 => Op::Store(place(numbers), operand(numbers, acts)),
        9 => return barrier(numbers),
        12 => fence(numbers),
        10 => Op::Group(numbers.of(&GROUPS), operand(numbers, acts)),
        _ => Op::Sum(operand(numbers, acts), operand(numbers, acts)),
    };
    (numbers.of(&GUARDS), op)
}

fn result(numbers: &mut Numbers, acts: usize) -> Option<Operand> {
    (numbers.below(3) != 0).then(|| operand(numbers, acts))
}

/// Any few acts.
fn any(numbers: &mut Numbers) -> Side {
    let count = 1 + numbers.below(3) as usize;
    let acts = (0..count).map(|before| act(numbers, before)).collect();
    Side { acts, result: result(numbers, count) }
}

/// The lanes write, wait, and touch it again.
fn with_barrier(numbers: &mut Numbers) -> Side {
    let at = place(numbers);
    let first = match numbers.below(2) {
        0 => (Guard::IndexZero, Op::Store(at, operand(numbers, 0))),
        _ => {
            let kind = numbers.of(&[Atomic::Store, Atomic::Add, Atomic::Exchange]);
            (numbers.of(&GUARDS), Op::Atomic(kind, at, numbers.of(&SCOPES), operand(numbers, 0)))
        }
    };
    let last = match numbers.below(3) {
        0 => (Guard::All, Op::Load(at)),
        1 => (numbers.of(&GUARDS), Op::Atomic(Atomic::Load, at, Scope::Workgroup, Operand::Index)),
        _ => {
            let kind = numbers.of(&UPDATES);
            (numbers.of(&GUARDS), Op::Atomic(kind, at, numbers.of(&SCOPES), operand(numbers, 0)))
        }
    };
    let barrier = match numbers.below(2) {
        0 => (Guard::All, Op::Barrier(Scope::Workgroup, Scope::Workgroup, [true, true])),
        _ => barrier(numbers),
    };
    Side { acts: vec![first, barrier, last], result: Some(Operand::Result(2)) }
}

/// A lane writes and tells others so by an atomic, with memory barriers or without; or it writes,
/// makes updates between memory barriers, and all read behind a barrier.
fn signalled(numbers: &mut Numbers) -> Side {
    let [data, flag] = numbers.of(&[
        [Place::First, Place::Second],
        [Place::First, Place::Scratch],
        [Place::Scratch, Place::First],
        [Place::First, Place::First],
    ]);
    let scope = numbers.of(&SCOPES);
    let writer = numbers.of(&[Guard::IndexZero, Guard::Elected, Guard::Odd]);
    let tells = numbers.of(&[Atomic::Add, Atomic::Exchange, Atomic::Or]);
    let mut acts =
        vec![(writer, Op::Store(data, operand(numbers, 0))), (Guard::All, fence(numbers))];
    if numbers.below(3) == 0 {
        // Another atomic finds it.
        let asks = numbers.of(&[Atomic::Load, Atomic::Add, Atomic::Or]);
        acts.push((writer, Op::Atomic(tells, flag, scope, Operand::Number(1))));
        let operand = Operand::Number(0);
        acts.push((numbers.of(&GUARDS), Op::Atomic(asks, flag, scope, operand)));
    } else {
        // The same atomic does, which sets the flag in the lane that writes.
        let own = match writer {
            Guard::Odd => Operand::Given,
            _ => Operand::Result(2),
        };
        acts.push((writer, Op::Sum(Operand::Number(0), Operand::Number(1))));
        acts.push((Guard::All, Op::Atomic(tells, flag, scope, own)));
    }
    acts.push((Guard::All, fence(numbers)));
    if numbers.below(3) == 0 {
        acts.push(barrier(numbers));
    }
    acts.push((numbers.of(&[Guard::All, Guard::Odds(3), Guard::Odds(3)]), Op::Load(data)));
    let last = acts.len() - 1;
    Side { acts, result: Some(Operand::Result(last)) }
}

/// One atomic or two of one kind on one place, whose results no lane uses.
fn alike(numbers: &mut Numbers) -> Side {
    let guard = numbers.of(&[Guard::Elected, Guard::Elected, Guard::All]);
    let on_first = |kind, value| (guard, Op::Atomic(kind, Place::First, Scope::Device, value));
    let kind = numbers.of(&UPDATES);
    let mut acts = match numbers.below(3) {
        0 => {
            // In one subgroup neither finds what the other one leaves.
            let start = numbers.below(4) as u8;
            let by = numbers.of(&[1, 3]);
            let at = |number: u8| Operand::Uniform((start + by * number) & 3);
            [0, 2].map(|it| on_first(Atomic::CompareExchange(at(it)), at(it + 1))).to_vec()
        }
        1 => (0..2).map(|_| on_first(kind, Operand::Uniform(numbers.below(4) as u8))).collect(),
        _ => (0..2).map(|_| on_first(kind, operand(numbers, 0))).collect(),
    };
    acts.truncate(1 + numbers.below(4).min(1) as usize);
    Side { acts, result: None }
}

/// The same in the other order, or of scope subgroup, or with another act.
fn turned(source: &Side, numbers: &mut Numbers) -> Side {
    let mut side = source.clone();
    match numbers.below(4) {
        0 | 1 if side.acts.len() > 1 => side.acts.reverse(),
        0..3 => {
            if let Some((_, Op::Atomic(_, _, scope, _))) = side.acts.last_mut() {
                *scope = Scope::Subgroup;
            }
        }
        _ => return changed(source, numbers),
    }
    side
}

/// Every lane adds, and may be given what it found; or a lane of each subgroup adds for all.
fn combined(numbers: &mut Numbers) -> [Side; 2] {
    let scope = numbers.of(&SCOPES);
    let (kind, group) = numbers.of(&[
        (Atomic::Add, Group::Add),
        (Atomic::Add, Group::Add),
        (Atomic::UMax, Group::Max),
        (Atomic::Or, Group::Or),
        (Atomic::Xor, Group::Xor),
        (Atomic::Exchange, Group::BroadcastFirst),
    ]);
    let value = operand(numbers, 0);
    let at = numbers.of(&[Place::First, Place::Second]);
    let mut result = (numbers.below(3) == 0).then_some(Operand::Result(0));
    let source = Side { acts: vec![(Guard::All, Op::Atomic(kind, at, scope, value))], result };
    let mut acts = vec![
        (Guard::All, Op::Group(group, value)),
        (Guard::Elected, Op::Atomic(kind, at, scope, Operand::Result(0))),
    ];
    if result.is_some() {
        acts.push((Guard::All, Op::Group(Group::BroadcastFirst, Operand::Result(1))));
        acts.push((Guard::All, Op::Group(Group::ExclusiveAdd, value)));
        acts.push((Guard::All, Op::Sum(Operand::Result(2), Operand::Result(3))));
        result = Some(Operand::Result(4));
    }
    [source, Side { acts, result }]
}

fn renumbered(operand: Operand, number: impl Fn(usize) -> Option<usize>) -> Operand {
    match operand {
        Operand::Result(act) => number(act).map_or(Operand::Number(0), Operand::Result),
        _ => operand,
    }
}

fn with_operands(op: Op, of: impl Fn(Operand) -> Operand) -> Op {
    match op {
        Op::Atomic(Atomic::CompareExchange(with), at, scope, value) => {
            Op::Atomic(Atomic::CompareExchange(of(with)), at, scope, of(value))
        }
        Op::Atomic(kind, at, scope, value) => Op::Atomic(kind, at, scope, of(value)),
        Op::Store(at, value) => Op::Store(at, of(value)),
        Op::Group(group, value) => Op::Group(group, of(value)),
        Op::Sum(a, b) => Op::Sum(of(a), of(b)),
        Op::Load(_) | Op::Barrier(..) | Op::Fence(..) => op,
    }
}

/// The results of acts have other numbers.
fn renumber(side: &mut Side, number: impl Fn(usize) -> Option<usize>) {
    for (place, (guard, op)) in side.acts.iter_mut().enumerate() {
        // What is exchanged with its operand has none any more.
        let known = |act: usize| number(act).filter(|it| *it < place);
        if let Guard::Odds(act) = *guard {
            *guard = known(act).map_or(Guard::All, Guard::Odds);
        }
        *op = with_operands(*op, |it| renumbered(it, known));
    }
    side.result = side.result.map(|it| renumbered(it, &number));
}

/// The same with another act, one less, two exchanged, or an act that is different.
fn changed(source: &Side, numbers: &mut Numbers) -> Side {
    let mut side = source.clone();
    let place = numbers.below(side.acts.len() as u64) as usize;
    match numbers.below(8) {
        0 if side.acts.len() > 1 => {
            side.acts.remove(place);
            renumber(&mut side, |act| match act {
                _ if act == place => None,
                _ => Some(if act > place { act - 1 } else { act }),
            });
        }
        1 => {
            let new = act(numbers, place);
            side.acts.insert(place, new);
            let old = |act: usize| Some(if act >= place { act + 1 } else { act });
            renumber(&mut side, old);
            side.acts[place] = new;
        }
        2 => {
            // The same again.
            let again = side.acts[place];
            side.acts.insert(place + 1, again);
            renumber(&mut side, |act| Some(if act > place { act + 1 } else { act }));
            side.acts[place + 1] = again;
        }
        3..5 if place > 0 => {
            side.acts.swap(place - 1, place);
            renumber(&mut side, |act| match act {
                _ if act == place => Some(place - 1),
                _ if act + 1 == place => Some(place),
                _ => Some(act),
            });
        }
        5 => side.acts[place].0 = numbers.of(&GUARDS),
        6 => {
            let new = numbers.of(&SCOPES);
            if let Op::Atomic(_, _, scope, _) = &mut side.acts[place].1 {
                *scope = new;
            }
        }
        7 => {}
        _ => side.acts[place] = act(numbers, place),
    }
    side
}

/// A source and a target, which leave something that is compared.
pub fn pair(numbers: &mut Numbers) -> [Side; 2] {
    let mut sides = any_pair(numbers);
    let leaves = |side: &Side| side.result.is_some() || side.uses_buffer();
    if !sides.iter().all(leaves) {
        for side in &mut sides {
            side.result.get_or_insert(Operand::Result(0));
        }
    }
    sides
}

fn any_pair(numbers: &mut Numbers) -> [Side; 2] {
    let source = match numbers.below(9) {
        8 => signalled(numbers),
        0 => {
            let [source, target] = combined(numbers);
            return match numbers.below(3) {
                0 => [source, changed(&target, numbers)],
                _ => [source, target],
            };
        }
        1 | 2 => with_barrier(numbers),
        3..5 => {
            let source = alike(numbers);
            let target = turned(&source, numbers);
            return [source, target];
        }
        _ => any(numbers),
    };
    let target = changed(&source, numbers);
    [source, target]
}
