//! All interleavings of the lanes of a workgroup, from one state.

use std::collections::{BTreeSet, HashSet};

use super::{Act, Atomic, Group, Guard, Op, Operand, PLACES, Place, Scope, Shape, Side};

/// A state: the lane in each seat, a subgroup's seats side by side; which lanes enter, by lane; the
/// word of each lane; what is in the buffer.
#[derive(Clone, Debug)]
pub struct State {
    pub seats: Vec<usize>,
    pub active: u8,
    pub given: Vec<u8>,
    pub buffer: [u8; 2],
    /// There is a buffer at all.
    pub bound: bool,
}

/// What is left in the buffer, and what each lane wrote.
pub type Outcome = ([u8; 2], Vec<Option<u8>>);

/// What may happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcomes {
    UndefinedBehavior,
    /// An undefined value was read: which results there may be is not followed.
    Undefined,
    All(BTreeSet<Outcome>),
}

/// How a lane touched a place last, and which lanes have been ordered behind that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Touch {
    lane: usize,
    writes: bool,
    atomic: Option<u8>,
    behind: u8,
    told: Told,
}

/// On its way from lane to lane by memory barriers and atomics, that something is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Told {
    /// Lanes that said so by a memory barrier: to their own subgroup, to all.
    released: [u8; 2],
    /// By place, those of them whose atomic it holds, or one that was updated since.
    held: [[u8; 2]; PLACES],
    /// Lanes that found it there, said in their own subgroup or to all.
    found: [u8; 2],
}

/// Where an execution has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Moment {
    /// By lane, the next act.
    next: Vec<usize>,
    /// By lane, what its acts left.
    left: Vec<Vec<u8>>,
    memory: [Option<u8>; PLACES],
    touched: [Vec<Touch>; PLACES],
}

enum Bad {
    Behavior,
    Value,
}

struct Run<'a> {
    side: &'a Side,
    shape: Shape,
    state: &'a State,
}

pub fn outcomes(side: &Side, shape: Shape, state: &State) -> Outcomes {
    let run = Run { side, shape, state };
    let start = Moment {
        next: vec![0; shape.lanes],
        left: vec![Vec::new(); shape.lanes],
        memory: [Some(state.buffer[0]), Some(state.buffer[1]), None],
        touched: Default::default(),
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let mut all = BTreeSet::new();
    let mut undefined = false;
    while let Some(mut moment) = open.pop() {
        match run.steps(&mut moment) {
            Err(Bad::Behavior) => return Outcomes::UndefinedBehavior,
            Err(Bad::Value) => undefined = true,
            Ok(followers) if followers.is_empty() => {
                if !run.is_over(&moment) {
                    // Some lanes wait for ever for others that do not come.
                    return Outcomes::UndefinedBehavior;
                }
                all.insert(run.outcome(&moment));
            }
            Ok(followers) => {
                open.extend(followers.into_iter().filter(|it| seen.insert(it.clone())));
            }
        }
    }
    if undefined { Outcomes::Undefined } else { Outcomes::All(all) }
}

impl Run<'_> {
    fn enters(&self, lane: usize) -> bool {
        self.state.active >> lane & 1 == 1
    }

    fn subgroup(&self, lane: usize) -> usize {
        self.state.seats.iter().position(|it| *it == lane).unwrap() / self.shape.size
    }

    /// The lanes of the subgroup that enter, in order.
    fn beside(&self, lane: usize) -> Vec<usize> {
        let seats = self.state.seats.chunks(self.shape.size).nth(self.subgroup(lane)).unwrap();
        seats.iter().copied().filter(|it| self.enters(*it)).collect()
    }

    fn executes(&self, moment: &Moment, lane: usize, guard: Guard) -> bool {
        match guard {
            Guard::All => true,
            Guard::Elected => self.beside(lane)[0] == lane,
            Guard::Odd => self.state.given[lane] & 1 == 1,
            Guard::IndexZero => lane == 0,
            Guard::FirstSubgroup => self.subgroup(lane) == 0,
            Guard::Odds(act) => moment.left[lane][act] & 1 == 1,
        }
    }

    fn value(&self, moment: &Moment, lane: usize, operand: Operand) -> u8 {
        match operand {
            Operand::Number(number) => number,
            Operand::Given => self.state.given[lane],
            Operand::Uniform(more) => (self.state.given[self.beside(lane)[0]] + more) & 3,
            Operand::Index => lane as u8,
            Operand::Result(act) => moment.left[lane][act],
        }
    }

    fn is_over(&self, moment: &Moment) -> bool {
        let over = |lane: usize| moment.next[lane] == self.side.acts.len();
        (0..self.shape.lanes).filter(|it| self.enters(*it)).all(over)
    }

    fn outcome(&self, moment: &Moment) -> Outcome {
        let wrote = |lane: usize| {
            let operand = self.side.result.filter(|_| self.enters(lane))?;
            Some(self.value(moment, lane, operand))
        };
        let buffer = [0, 1].map(|place| moment.memory[place].unwrap());
        (buffer, (0..self.shape.lanes).map(wrote).collect())
    }

    /// The act of a lane that comes next.
    fn act(&self, moment: &Moment, lane: usize) -> Option<Act> {
        self.side.acts.get(moment.next[lane]).copied().filter(|_| self.enters(lane))
    }

    fn goes_on(&self, moment: &mut Moment, lane: usize, left: u8) {
        moment.left[lane].push(left);
        moment.next[lane] += 1;
    }

    /// Executes what no other lane sees, and what lanes wait for each other for; then each lane may
    /// be the next to touch memory.
    fn steps(&self, moment: &mut Moment) -> Result<Vec<Moment>, Bad> {
        while self.advance(moment)? {}
        let mut followers = Vec::new();
        for lane in 0..self.shape.lanes {
            if let Some((_, Op::Atomic(..) | Op::Load(_) | Op::Store(..) | Op::Fence(..))) =
                self.act(moment, lane)
            {
                let mut follower = moment.clone();
                match self.act(moment, lane) {
                    Some((_, Op::Fence(memory, orders))) => {
                        self.knows(&mut follower, lane, memory, orders);
                        self.goes_on(&mut follower, lane, 0);
                    }
                    _ => self.touch(&mut follower, lane)?,
                }
                followers.push(follower);
            }
        }
        Ok(followers)
    }

    fn advance(&self, moment: &mut Moment) -> Result<bool, Bad> {
        for lane in 0..self.shape.lanes {
            let Some((guard, op)) = self.act(moment, lane) else { continue };
            match op {
                Op::Group(..) | Op::Barrier(..) => {}
                _ if !self.executes(moment, lane, guard) => {
                    self.goes_on(moment, lane, 0);
                    return Ok(true);
                }
                Op::Sum(a, b) => {
                    let sum = self.value(moment, lane, a) + self.value(moment, lane, b);
                    self.goes_on(moment, lane, sum & 3);
                    return Ok(true);
                }
                _ => continue,
            }
            let everyone: Vec<usize> = match op {
                Op::Barrier(Scope::Workgroup | Scope::Device, ..) => {
                    (0..self.shape.lanes).collect()
                }
                _ => self.beside(lane),
            };
            if everyone.iter().any(|it| !self.enters(*it)) {
                return Err(Bad::Behavior);
            }
            if everyone.iter().any(|it| moment.next[*it] != moment.next[lane]) {
                continue;
            }
            match op {
                Op::Group(group, operand) => self.combine(moment, &everyone, group, operand),
                Op::Barrier(_, memory, orders) => self.meet(moment, &everyone, memory, orders),
                _ => unreachable!(),
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn combine(&self, moment: &mut Moment, lanes: &[usize], group: Group, operand: Operand) {
        let values: Vec<u8> = lanes.iter().map(|lane| self.value(moment, *lane, operand)).collect();
        for (number, &lane) in lanes.iter().enumerate() {
            let left = match group {
                Group::Add => values.iter().sum(),
                Group::ExclusiveAdd => values[..number].iter().sum(),
                Group::Max => *values.iter().max().unwrap(),
                Group::Or => values.iter().fold(0, |a, b| a | b),
                Group::Xor => values.iter().fold(0, |a, b| a ^ b),
                Group::BroadcastFirst => values[0],
            };
            self.goes_on(moment, lane, left & 3);
        }
    }

    /// What one did before is before what another does behind, in memory that is in order for both.
    fn meet(&self, moment: &mut Moment, lanes: &[usize], memory: Scope, orders: [bool; 2]) {
        for &lane in lanes {
            self.knows(moment, lane, memory, orders);
        }
        for touch in moment.touched.iter_mut().flatten() {
            let said = touch.told.released;
            for &lane in lanes {
                self.finds(&mut touch.told.found, said, lane, true);
            }
        }
        for &lane in lanes {
            self.knows(moment, lane, memory, orders);
        }
        for (place, touched) in moment.touched.iter_mut().enumerate() {
            if !orders[usize::from(place == Place::Scratch as usize)] {
                continue;
            }
            for touch in touched {
                let before: Vec<usize> =
                    lanes.iter().copied().filter(|it| touch.behind >> it & 1 == 1).collect();
                for &after in lanes {
                    let together = |it: &usize| {
                        memory != Scope::Subgroup || self.subgroup(*it) == self.subgroup(after)
                    };
                    if before.iter().any(together) {
                        touch.behind |= 1 << after;
                    }
                }
            }
        }
        for &lane in lanes {
            self.goes_on(moment, lane, 0);
        }
    }

    fn touch(&self, moment: &mut Moment, lane: usize) -> Result<(), Bad> {
        let (_, op) = self.act(moment, lane).unwrap();
        let (place, atomic) = match op {
            Op::Atomic(_, place, scope, _) => (place, Some(u8::from(scope != Scope::Subgroup))),
            Op::Load(place) | Op::Store(place, _) => (place, None),
            _ => unreachable!(),
        };
        if !self.state.bound && place != Place::Scratch {
            return Err(Bad::Behavior);
        }
        let found = moment.memory[place as usize];
        let after = match op {
            Op::Atomic(kind, _, _, operand) => {
                let value = self.value(moment, lane, operand);
                self.update(moment, lane, kind, found, value)?
            }
            Op::Store(_, operand) => Some(self.value(moment, lane, operand)),
            _ => None,
        };
        let (behind, told) = (1 << lane, Told::default());
        let touch = Touch { lane, writes: after.is_some(), atomic, behind, told };
        if moment.touched[place as usize].iter().any(|it| self.races(it, &touch)) {
            return Err(Bad::Behavior);
        }
        let same = |it: &Touch| {
            (it.lane, it.writes, it.atomic) == (touch.lane, touch.writes, touch.atomic)
        };
        let touched = &mut moment.touched[place as usize];
        touched.retain(|it| !same(it));
        touched.push(touch);
        touched.sort_unstable();
        if let Op::Atomic(kind, ..) = op {
            self.tell(moment, lane, place, (kind, after.is_some()), atomic == Some(1));
        }
        let left = match op {
            Op::Store(..) | Op::Atomic(Atomic::Store, ..) => 0,
            _ => found.ok_or(Bad::Value)?,
        };
        if let Some(after) = after {
            moment.memory[place as usize] = Some(after);
        }
        self.goes_on(moment, lane, left);
        Ok(())
    }

    /// A lane says what is done that it knows of; and it knows of what it has found so far.
    fn knows(&self, moment: &mut Moment, lane: usize, memory: Scope, orders: [bool; 2]) {
        let wide = memory != Scope::Subgroup;
        for (place, touched) in moment.touched.iter_mut().enumerate() {
            if !orders[usize::from(place == Place::Scratch as usize)] {
                continue;
            }
            for touch in touched {
                let found = |by: usize| touch.told.found[by] >> lane & 1 == 1;
                if found(0) || wide && found(1) {
                    touch.behind |= 1 << lane;
                }
                if touch.behind >> lane & 1 == 1 {
                    touch.told.released[usize::from(wide)] |= 1 << lane;
                }
            }
        }
    }

    /// A lane finds what others said to their own subgroup and to all.
    fn finds(&self, found: &mut [u8; 2], said: [u8; 2], lane: usize, wide: bool) {
        for (by, lanes) in said.iter().enumerate() {
            for other in (0..self.shape.lanes).filter(|it| lanes >> it & 1 == 1) {
                match self.subgroup(other) == self.subgroup(lane) {
                    true => found[0] |= 1 << lane,
                    false if by == 1 && wide => found[1] |= 1 << lane,
                    false => {}
                }
            }
        }
    }

    /// An atomic finds what the one before it says, and says what its lane does.
    fn tell(
        &self,
        moment: &mut Moment,
        lane: usize,
        place: Place,
        (kind, writes): (Atomic, bool),
        wide: bool,
    ) {
        for touch in moment.touched.iter_mut().flatten() {
            let Told { released, held, found } = &mut touch.told;
            let held = &mut held[place as usize];
            match kind {
                Atomic::Store => *held = [0; 2],
                _ => self.finds(found, *held, lane, wide),
            }
            if writes {
                for (by, lanes) in released.iter().enumerate() {
                    held[usize::from(by == 1 && wide)] |= lanes & 1 << lane;
                }
            }
        }
    }

    fn races(&self, before: &Touch, now: &Touch) -> bool {
        let same_subgroup = self.subgroup(before.lane) == self.subgroup(now.lane);
        let atomic = match (before.atomic, now.atomic) {
            (Some(a), Some(b)) => same_subgroup || (a, b) == (1, 1),
            _ => false,
        };
        (before.writes || now.writes) && !atomic && before.behind >> now.lane & 1 == 0
    }

    /// What an atomic leaves in memory; `None`: it only reads.
    fn update(
        &self,
        moment: &Moment,
        lane: usize,
        kind: Atomic,
        found: Option<u8>,
        value: u8,
    ) -> Result<Option<u8>, Bad> {
        if kind == Atomic::Store {
            return Ok(Some(value));
        }
        let found = found.ok_or(Bad::Value)?;
        let signed = |value: u8| (value ^ 2, value);
        Ok(Some(match kind {
            Atomic::Add => (found + value) & 3,
            Atomic::Sub => found.wrapping_sub(value) & 3,
            Atomic::UMin => found.min(value),
            Atomic::UMax => found.max(value),
            Atomic::SMin => signed(found).min(signed(value)).1,
            Atomic::And => found & value,
            Atomic::Or => found | value,
            Atomic::Xor => found ^ value,
            Atomic::Exchange | Atomic::Store => value,
            Atomic::CompareExchange(with) => {
                return Ok((self.value(moment, lane, with) == found).then_some(value));
            }
            Atomic::Load => return Ok(None),
        }))
    }
}
