//! What clauses find of such a group.

use laneproof_semantics::denote::{
    DenoteError, Group, GroupScope, LanePosition, Leaf, MemoryPlace, Read, State, Texels,
};
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use super::SymbolicGroup;

impl Group for SymbolicGroup<'_> {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let scalars = self.scalars(operand);
        let pool = &mut self.pool;
        let leaves = scalars.into_iter().enumerate().map(|(leaf, scalar)| {
            let [bits, mark] = *self.operands.entry((operand, leaf)).or_insert_with(|| {
                [("operand", Sort::from(scalar)), ("mark", Sort::Bool)]
                    .map(|(what, sort)| pool.symbol(format!("{what}.{operand}.{leaf}"), sort))
            });
            Leaf { bits: pool.apply(bits, lane), undefined: pool.apply(mark, lane) }
        });
        Ok(leaves.collect())
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        let pool = &mut self.pool;
        let symbol = *self
            .draws
            .entry((operand, leaf))
            .or_insert_with(|| pool.symbol(format!("draw.{operand}.{leaf}"), sort));
        pool.apply(symbol, lane)
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        Ok(self.pool.bit(self.sizes.active, lane))
    }

    fn exists(&mut self, lane: Term) -> Term {
        self.pool.less(lane, self.sizes.existing)
    }

    fn state(&mut self, state: State) -> Term {
        match state {
            State::SubgroupSize => self.sizes.size,
            State::SubgroupMaxSize => self.sizes.max_size,
            State::ExistingLanes => self.sizes.existing,
        }
    }

    fn scope(&self) -> GroupScope {
        match self.sizes.workgroup {
            Some(_) => GroupScope::Workgroup,
            None => GroupScope::Subgroup,
        }
    }

    fn lane_position(
        &mut self,
        lane_position: LanePosition,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let (size, existing) = (self.sizes.size, self.sizes.existing);
        let pool = &mut self.pool;
        let Some(workgroup) = &self.sizes.workgroup else {
            return match lane_position {
                LanePosition::Id => Ok(lane),
                LanePosition::SubgroupId => Ok(pool.bits(0, 32)),
                LanePosition::NumSubgroups => Ok(pool.bits(1, 32)),
                _ => Err(DenoteError::NotModelled("the workgroup around a subgroup".into())),
            };
        };
        let mut word = |number: u32| pool.bits(u128::from(number), 32);
        Ok(match lane_position {
            LanePosition::Index => lane,
            LanePosition::Id => pool.binary(Binary::RemUnsigned, lane, size),
            LanePosition::SubgroupId => pool.binary(Binary::DivUnsigned, lane, size),
            LanePosition::NumSubgroups => {
                let one = word(1);
                let last = pool.binary(Binary::Sub, existing, one);
                let last = pool.binary(Binary::DivUnsigned, last, size);
                pool.binary(Binary::Add, last, one)
            }
            LanePosition::WorkDim => word(workgroup.dimensions),
            LanePosition::WorkgroupSize(axis) => word(workgroup.size[axis]),
            LanePosition::EnqueuedWorkgroupSize(axis) => word(workgroup.enqueued[axis]),
            LanePosition::WorkgroupId(axis) => word(workgroup.id[axis]),
            LanePosition::NumWorkgroups(axis) => word(workgroup.count[axis]),
            LanePosition::GlobalOffset(axis) => word(workgroup.offset[axis]),
        })
    }

    fn lane_bound(&self) -> u32 {
        self.sizes.bound
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.left_open(true, leaf, lane, sort)
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.left_open(false, leaf, lane, sort)
    }

    fn either(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let symbol = self.named("first".to_owned(), Sort::Bool);
        Ok(self.pool.apply(symbol, lane))
    }

    fn load(&mut self, read: Read, lane: Term) -> Result<Leaf, DenoteError> {
        let Read { target, spot, when, .. } = read;
        if self.memory.content.contains_key(&target) {
            let (leaf, nowhere) = self.content_at(target, spot, lane)?;
            self.memory.outside.push(self.pool.and(when, nowhere));
            return Ok(leaf);
        }
        let sort = self.pointee(target).map_or(Sort::Bits(32), Sort::from);
        let pointer = self.named(format!("pointer.{target}"), Sort::Bits(32));
        let content = self.named(format!("memory.{target}"), sort);
        let mark = self.named(format!("mark.of.memory.{target}"), Sort::Bool);
        let pool = &mut self.pool;
        let place = match spot {
            MemoryPlace::Element(past) => {
                let first = pool.apply(pointer, lane);
                pool.add(first, past)
            }
            MemoryPlace::Word { column, row } => {
                let [low, high] = [column, row].map(|it| pool.extract(it, 15, 0));
                pool.concat(high, low)
            }
            MemoryPlace::Part { .. } => {
                return Err(DenoteError::NotModelled("a load of a part of a word".into()));
            }
        };
        let leaf = Leaf { bits: pool.apply(content, place), undefined: pool.apply(mark, place) };
        self.memory.touched.push(([content, mark], place));
        Ok(leaf)
    }

    fn extent(&mut self, target: usize) -> Result<(Term, Term), DenoteError> {
        let pool = &mut self.pool;
        let known = self.memory.extents.entry(target);
        Ok(*known.or_insert_with(|| {
            (pool.fresh("width", Sort::Bits(32)), pool.fresh("height", Sort::Bits(32)))
        }))
    }

    /// As in the evaluator: a state of one instruction has no history.
    fn modified(&mut self, _target: usize, _lane: Term) -> Result<Term, DenoteError> {
        Ok(self.pool.bool(false))
    }

    fn aligned(&mut self, target: usize, bytes: u32, lane: Term) -> Result<Term, DenoteError> {
        let address = self.address(target, lane);
        let pool = &mut self.pool;
        let bytes = pool.bits(u128::from(bytes.max(1)), 32);
        let past = pool.binary(Binary::RemUnsigned, address, bytes);
        let none = pool.bits(0, 32);
        Ok(pool.equal(past, none))
    }

    fn texels(&mut self, target: usize) -> Result<Texels, DenoteError> {
        Ok(self.elements_of_image(target))
    }

    fn reach(&mut self, target: usize, lane: Term) -> Result<(Term, Term), DenoteError> {
        Ok((self.buffer(target).length, self.pointer(target, lane)))
    }
}
