//! Memory that lanes share, as terms: what is read, what is left, and which lanes race.
//!
//! Two lanes race if they access one scalar, at least one of them writes, and no barrier is between
//! them; a race is undefined behavior. So a lane reads what it wrote itself, what was written
//! before a barrier, or the initial content; and the final content of a scalar is what its one
//! writer wrote. If these do not hold, the state is excluded or refuted already.

mod contents;
pub mod image;
mod modified;

use std::collections::BTreeMap;
use std::rc::Rc;

use laneproof_lower::{
    Address, MemoryRegion, RegionKind, Scalars, StepId, Touch, ValueId, scalar_bytes,
};
use laneproof_semantics::Scalar;
use laneproof_semantics::denote::{DenoteError, Leaf, MemoryPlace, Read};
use laneproof_semantics::term::{Binary, Pool, Sort, Symbol, Term};

use self::image::Piece;
use crate::encoder::Encoder;

/// A memory that both sides are given.
#[derive(Clone, Debug)]
pub struct GivenMemory {
    /// Its initial content.
    pub content: Content,
    /// Its size.
    pub extent: MemoryExtent,
    /// The type of its scalars.
    pub scalar: Scalar,
}

/// The size of a memory.
#[derive(Clone, Copy, Debug)]
pub enum MemoryExtent {
    /// The number of scalars, 32 bits.
    Line(Term),
    /// An image: words of four bytes in a row, and rows (32 bits each).
    Plane {
        /// Words in a row, 32 bits.
        width: Term,
        /// Rows, 32 bits.
        height: Term,
    },
}

impl GivenMemory {
    /// The initial content of scalar `at` (32 bits).
    pub fn initially(&self, pool: &mut Pool, at: Term) -> Leaf {
        let bits = match self.content {
            Content::Free(symbol) => pool.apply(symbol, at),
            Content::Moved(source) => pool.tag(source, at),
        };
        Leaf { bits, undefined: pool.bool(false) }
    }
}

/// Initial content of a memory.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A function of the address.
    Free(Symbol),
    /// Payloads that are only moved, by the number of the input leaf.
    Moved(u32),
}

/// All memories that both sides are given.
pub type Memories = BTreeMap<RegionKind, GivenMemory>;

/// A lane's access to one scalar.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Number of the region.
    pub region: usize,
    /// The scalar's number, 32 bits.
    pub at: Term,
    /// The condition under which it happens.
    pub when: Term,
    /// What it does to the scalar.
    pub effect: Effect,
}

/// What an access does to a scalar.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// It is read.
    Read,
    /// It is written.
    Write(Leaf),
    /// An atomic update.
    Update(Storing),
}

/// When an atomic update stores something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storing {
    /// It only reads.
    Never,
    /// That depends on something, as on what a compare-exchange finds.
    Perhaps,
    /// Wherever it is executed.
    Always,
}

impl Effect {
    /// The scalar is changed.
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::Update(Storing::Never))
    }

    /// Whether it changes the scalar depends on something, as on what is found there.
    pub fn may_write(self) -> bool {
        matches!(self, Self::Update(Storing::Perhaps))
    }

    /// Accesses of this kind do not race with each other.
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::Update(_))
    }
}

/// All accesses of one lane at one instruction.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The scalars, one by one.
    pub all: Vec<Contact>,
    /// Undefined behavior: out of bounds, misaligned, or at an undefined address.
    pub out_of_bounds: Vec<Term>,
}

/// An address that a lane computes.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The scalar's number, 32 bits; exact if it is in bounds.
    low: Term,
    /// The same without truncation: as many bits as address all scalars of 2^64 bytes.
    wide: Term,
    /// It was computed from an undefined value.
    undefined: Term,
}

/// Largest number of scalars in a memory, plus one.
pub const LENGTH_LIMIT: u128 = 1 << 31;

/// Bits that number the scalars of 2^64 bytes.
fn address_width(scalar: Scalar) -> u32 {
    64 - scalar_bytes(scalar).trailing_zeros()
}

impl Encoder<'_, '_, '_> {
    /// The scalars that a region consists of.
    pub fn scalar_of(&self, region: usize) -> Result<Scalar, DenoteError> {
        let MemoryRegion { kind, scalar, .. } = self.side.flat.memory.regions[region];
        // Both sides use the finer of their two scalar sizes for an image.
        if let (RegionKind::Image(_), Some(memory)) = (kind, self.world.entry.memories.get(&kind)) {
            return Ok(memory.scalar);
        }
        scalar.ok_or_else(|| DenoteError::NotModelled("memory of no known type".into()))
    }

    /// How many scalars a region holds, 32 bits.
    pub fn length(&mut self, region: usize) -> Result<Term, DenoteError> {
        let scalar = self.scalar_of(region)?;
        let region = &self.side.flat.memory.regions[region];
        if let Some(memory) = self.world.entry.memories.get(&region.kind) {
            let MemoryExtent::Line(length) = memory.extent else {
                return Err(DenoteError::NotModelled("the length of an image".into()));
            };
            return Ok(length);
        }
        match region.size {
            Some(bytes) => Ok(self.pool.bits(u128::from(bytes / scalar_bytes(scalar)), 32)),
            None => Err(DenoteError::NotModelled("memory of no known size".into())),
        }
    }

    /// Elements of `stride` scalars from scalar `start` of a region on.
    pub fn array_length(
        &mut self,
        region: usize,
        start: u64,
        stride: u64,
    ) -> Result<Leaf, DenoteError> {
        let length = self.length(region)?;
        let pool = &mut *self.pool;
        let start = pool.bits(u128::from(start), 32);
        let stride = pool.bits(u128::from(stride), 32);
        let none = pool.bits(0, 32);
        let behind = pool.binary(Binary::Sub, length, start);
        let short = pool.less(length, start);
        let behind = pool.ite(short, none, behind);
        let bits = pool.binary(Binary::DivUnsigned, behind, stride);
        Ok(Leaf { bits, undefined: pool.bool(false) })
    }

    fn place(&mut self, address: &Address, lane: Term) -> Result<Place, DenoteError> {
        let scalar = self.scalar_of(address.region)?;
        let unit = scalar_bytes(scalar);
        let width = address_width(scalar);
        let first = u128::from(address.offset / unit);
        let mut low = self.pool.bits(first, 32);
        let mut wide = self.pool.bits(first, width);
        let mut undefined = self.pool.bool(false);
        let mut add = |encoder: &mut Self, value: ValueId, stride: u64, signed: bool| {
            let leaf = encoder.scalar(value, lane)?;
            let pool = &mut *encoder.pool;
            let own = pool.width(leaf.bits);
            let resized = |pool: &mut Pool, to: u32| match own > to {
                true => pool.extract(leaf.bits, to - 1, 0),
                false if signed => pool.sign_extend(leaf.bits, to),
                false => pool.zero_extend(leaf.bits, to),
            };
            for (sum, to) in [(&mut low, 32), (&mut wide, width)] {
                let index = resized(pool, to);
                let factor = pool.bits(u128::from(stride), to);
                let part = pool.binary(Binary::Mul, index, factor);
                *sum = pool.add(*sum, part);
            }
            undefined = pool.or(undefined, leaf.undefined);
            Ok::<(), DenoteError>(())
        };
        if let Some(base) = address.base {
            add(self, base, 1, false)?;
        }
        for scaled in &address.indexes {
            add(self, scaled.index, scaled.stride / unit, scaled.signed)?;
        }
        Ok(Place { low, wide, undefined })
    }

    /// The scalar `offset` after an address is outside of its region.
    fn outside(&mut self, region: usize, wide: Term, offset: u64) -> Result<Term, DenoteError> {
        let length = self.length(region)?;
        let pool = &mut *self.pool;
        let width = pool.width(wide);
        let offset = pool.bits(u128::from(offset), width);
        let at = pool.add(wide, offset);
        let length = pool.zero_extend(length, width);
        let inside = pool.less(at, length);
        Ok(pool.not(inside))
    }

    /// All accesses of `lane` at access `number`.
    pub fn contacts(&mut self, number: usize, lane: Term) -> Result<Rc<Contacts>, DenoteError> {
        if let Some(known) = self.side.memory.contacts.get(&(number, lane)) {
            return Ok(known.clone());
        }
        let flat = self.side.flat;
        let access = &flat.memory.accesses[number];
        let when = self.activity(access.activity, lane)?;
        let mut contacts = Contacts::default();
        if self.pool.bool_of(when) != Some(false) {
            match &access.what {
                Touch::Load(scalars) => {
                    self.scalars(scalars, None, when, lane, &mut contacts)?;
                }
                Touch::Store(scalars, object) => {
                    let object = self.leaves(*object, lane)?;
                    self.scalars(scalars, Some(object), when, lane, &mut contacts)?;
                }
                Touch::Step(step) => self.step_contacts(*step, when, lane, &mut contacts)?,
            }
        }
        let contacts = Rc::new(contacts);
        self.side.memory.contacts.insert((number, lane), contacts.clone());
        Ok(contacts)
    }

    fn scalars(
        &mut self,
        scalars: &Scalars,
        written: Option<Vec<Leaf>>,
        when: Term,
        lane: Term,
        contacts: &mut Contacts,
    ) -> Result<(), DenoteError> {
        let region = scalars.address.region;
        let unit = scalar_bytes(self.scalar_of(region)?);
        let place = self.place(&scalars.address, lane)?;
        let mut out_of_bounds = vec![place.undefined];
        let ends = [scalars.offsets.iter().min(), scalars.offsets.iter().max()];
        for offset in ends.into_iter().flatten() {
            out_of_bounds.push(self.outside(region, place.wide, offset / unit)?);
        }
        let aligned = self.multiple(place.low, scalars.alignment, unit);
        out_of_bounds.push(self.pool.not(aligned));
        let out_of_bounds = self.pool.any(out_of_bounds);
        contacts.out_of_bounds.push(self.pool.and(when, out_of_bounds));
        for (leaf, offset) in scalars.offsets.iter().enumerate() {
            let at = self.past(place.low, u128::from(offset / unit));
            let effect = match &written {
                Some(leaves) => Effect::Write(leaves[leaf]),
                None => Effect::Read,
            };
            contacts.all.push(Contact { region, at, when, effect });
        }
        Ok(())
    }

    fn past(&mut self, at: Term, scalars: u128) -> Term {
        let scalars = self.pool.bits(scalars, 32);
        self.pool.add(at, scalars)
    }

    /// What the clauses read and write, from the outcome.
    fn step_contacts(
        &mut self,
        step: StepId,
        when: Term,
        lane: Term,
        contacts: &mut Contacts,
    ) -> Result<(), DenoteError> {
        let outcome = self.outcome(step, lane)?;
        let read = self.side.memory.looked_at.get(&(step, lane)).cloned().unwrap_or_default();
        for read in read {
            let when = self.pool.and(when, read.when);
            self.spot_contact(step, &read, when, Effect::Read, lane, contacts)?;
        }
        if let Some(update) = outcome.update {
            let when = self.pool.and(when, update.when);
            let storing = match self.pool.bool_of(update.stores) {
                Some(false) => Storing::Never,
                Some(true) => Storing::Always,
                None => Storing::Perhaps,
            };
            let effect = Effect::Update(storing);
            let spot = spot_of(update.target, update.spot, when);
            self.spot_contact(step, &spot, when, effect, lane, contacts)?;
        }
        for store in &outcome.stores {
            let when = self.pool.and(when, store.when);
            let effect = Effect::Write(store.value);
            let spot = spot_of(store.target, store.spot, when);
            self.spot_contact(step, &spot, when, effect, lane, contacts)?;
        }
        Ok(())
    }

    fn spot_contact(
        &mut self,
        step: StepId,
        at: &Read,
        when: Term,
        effect: Effect,
        lane: Term,
        contacts: &mut Contacts,
    ) -> Result<(), DenoteError> {
        if let Some(region) = self.image_of(step, at.target) {
            let written = match effect {
                Effect::Write(leaf) => Some(leaf),
                _ => None,
            };
            let outside = self.outside_image(region, at.spot)?;
            contacts.out_of_bounds.push(self.pool.and(when, outside));
            for Piece { at, matters, low, width } in self.pieces(region, at, written)? {
                let effect = match written {
                    Some(leaf) => Effect::Write(self.slice(leaf, low, width)?),
                    None => effect,
                };
                let when = self.pool.and(when, matters);
                contacts.all.push(Contact { region, at, when, effect });
            }
            return Ok(());
        }
        let (region, place) = self.spot(step, at.target, at.spot, lane)?;
        let outside = self.outside(region, place.wide, 0)?;
        let out_of_bounds = self.pool.or(place.undefined, outside);
        contacts.out_of_bounds.push(self.pool.and(when, out_of_bounds));
        contacts.all.push(Contact { region, at: place.low, when, effect });
        Ok(())
    }

    /// The address of a clause's spot.
    fn spot(
        &mut self,
        step: StepId,
        target: usize,
        spot: MemoryPlace,
        lane: Term,
    ) -> Result<(usize, Place), DenoteError> {
        let flat = self.side.flat;
        let address = flat.step(step).pointers.get(target).and_then(Option::as_ref);
        let (Some(address), MemoryPlace::Element(index)) = (address, spot) else {
            return Err(DenoteError::NotModelled("an image".into()));
        };
        let place = self.place(address, lane)?;
        let width = self.pool.width(place.wide);
        let far = self.pool.zero_extend(index, width);
        let wide = self.pool.add(place.wide, far);
        let low = self.pool.add(place.low, index);
        Ok((address.region, Place { low, wide, ..place }))
    }

    /// What a load reads, scalar by scalar.
    pub fn loaded(&mut self, number: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let Touch::Load(scalars) = &self.side.flat.memory.accesses[number].what else {
            return Err(DenoteError::NotModelled("an access that is not a load".into()));
        };
        let region = scalars.address.region;
        let sort = Sort::from(self.scalar_of(region)?);
        if let Some(oracle) = &mut self.world.oracle {
            let pool = &mut *self.pool;
            let leaves = 0..scalars.offsets.len();
            return Ok(leaves.map(|leaf| oracle.found(pool, (number, leaf), sort, lane)).collect());
        }
        let unit = scalar_bytes(self.scalar_of(region)?);
        let place = self.place(&scalars.address, lane)?;
        let mut leaves = Vec::with_capacity(scalars.offsets.len());
        for offset in &scalars.offsets {
            let at = self.past(place.low, u128::from(offset / unit));
            leaves.push(self.found(region, at, number, lane)?);
        }
        Ok(leaves)
    }

    /// What a clause reads at a spot, before access `number`, to which it belongs.
    pub fn looked_up(
        &mut self,
        step: StepId,
        read: &Read,
        lane: Term,
    ) -> Result<Leaf, DenoteError> {
        let number = self.access_of(step)?;
        if let Some(region) = self.image_of(step, read.target) {
            let mut parts = Vec::new();
            for piece in self.pieces(region, read, None)? {
                parts.push((piece, self.found(region, piece.at, number, lane)?));
            }
            return self.joined(&parts);
        }
        let (region, place) = self.spot(step, read.target, read.spot, lane)?;
        self.found(region, place.low, number, lane)
    }

    /// The address in a pointer operand of a step is aligned to this number of bytes.
    pub fn aligned(
        &mut self,
        step: StepId,
        target: usize,
        bytes: u32,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let flat = self.side.flat;
        let Some(address) = flat.step(step).pointers.get(target).and_then(Option::as_ref) else {
            return Err(DenoteError::NotModelled("the alignment of an image".into()));
        };
        let unit = scalar_bytes(self.scalar_of(address.region)?);
        let place = self.place(address, lane)?;
        Ok(self.multiple(place.low, u64::from(bytes), unit))
    }

    /// A scalar's address is aligned to this number of bytes.
    fn multiple(&mut self, at: Term, bytes: u64, unit: u64) -> Term {
        if bytes <= unit {
            return self.pool.bool(true);
        }
        let low = self.pool.bits(u128::from(bytes / unit - 1), 32);
        let low = self.pool.binary(Binary::And, at, low);
        let none = self.pool.bits(0, 32);
        self.pool.equal(low, none)
    }
}

/// A spot that is only written, in the form of a read.
fn spot_of(target: usize, spot: MemoryPlace, when: Term) -> Read {
    Read { target, spot, when, bytes: None }
}
