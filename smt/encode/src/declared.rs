//! The workgroup that entry points declare, and which of its subgroups a question is about.

use laneproof_lower::Flat;
use laneproof_module::{Extent, SideOperation};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Binary, Pool, Term};

use crate::input::InputLeaf;
use crate::plan::SizeSet;
use crate::workgroup::invocations;

/// Bits in which the invocations of a workgroup are counted.
pub const WIDE: u32 = 64;

/// How many invocations the workgroup has along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared(pub [Extent; 3]);

/// Which subgroup of its workgroup a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standpoint {
    /// The one whose `SubgroupId` is 0.
    First,
    /// Any of them, the last one included, which may be partial.
    Any,
    /// The only one: it is its whole workgroup.
    Lone,
}

impl Declared {
    /// Its sides, where no specialization changes them.
    pub fn fixed(&self) -> Option<[u32; 3]> {
        let [x, y, z] = self.0.map(|side| match side {
            Extent::Fixed(side) => Some(side),
            Extent::Specialized(_) | Extent::Operated(..) | Extent::Computed => None,
        });
        Some([x?, y?, z?])
    }

    /// How many invocations it has, where no specialization changes that.
    pub fn invocations(&self) -> Option<u32> {
        invocations(self.fixed()?)
    }

    /// No lane at or past this exists in a subgroup of these sizes.
    pub fn bound(&self, sizes: &SizeSet) -> u32 {
        let largest = sizes.largest();
        self.invocations().map_or(largest, |all| all.min(largest))
    }

    /// The sides as terms, 32 bits each: a specialization constant is an input of the `source`.
    pub fn sides(
        &self,
        pool: &mut Pool,
        source: &Flat,
        inputs: &[Vec<InputLeaf>],
    ) -> Result<[Term; 3], DenoteError> {
        let mut sides = Vec::with_capacity(3);
        for side in self.0 {
            sides.push(match side {
                Extent::Fixed(side) => pool.bits(u128::from(side), 32),
                Extent::Specialized(spec_id) => specialized(pool, source, inputs, spec_id)?,
                Extent::Operated(spec_id, operation, number) => {
                    let value = specialized(pool, source, inputs, spec_id)?;
                    let number = pool.bits(u128::from(number), 32);
                    pool.binary(operator(operation), value, number)
                }
                Extent::Computed => return Err(not_modelled()),
            });
        }
        <[Term; 3]>::try_from(sides).map_err(|_| not_modelled())
    }
}

fn operator(operation: SideOperation) -> Binary {
    match operation {
        SideOperation::Plus => Binary::Add,
        SideOperation::Minus => Binary::Sub,
        SideOperation::Times => Binary::Mul,
        SideOperation::DividedBy => Binary::DivUnsigned,
    }
}

fn not_modelled() -> DenoteError {
    DenoteError::NotModelled("a workgroup's size of this kind".into())
}

/// The value that a specialization constant is given, 32 bits.
fn specialized(
    pool: &mut Pool,
    source: &Flat,
    inputs: &[Vec<InputLeaf>],
    spec_id: u32,
) -> Result<Term, DenoteError> {
    let given =
        source.interface.inputs.iter().zip(inputs).find(|(it, _)| it.spec_id == Some(spec_id));
    match given.map(|(_, leaves)| leaves.as_slice()) {
        Some([InputLeaf::Uniform(symbol)]) => {
            let value = pool.variable(*symbol);
            match pool.width(value) {
                32 => Ok(value),
                width if width < 32 => Ok(pool.zero_extend(value, 32)),
                _ => Err(not_modelled()),
            }
        }
        // It is computed with, so it cannot be a tag.
        Some([InputLeaf::MovedUniform(number)]) => {
            Err(DenoteError::NotMovement([*number].into_iter().collect()))
        }
        _ => Err(not_modelled()),
    }
}

/// The product of the sides, in as many bits as it needs.
pub fn product(pool: &mut Pool, sides: [Term; 3]) -> Term {
    let [x, y, z] = sides.map(|side| pool.zero_extend(side, WIDE));
    let area = pool.binary(Binary::Mul, x, y);
    pool.binary(Binary::Mul, area, z)
}

/// What `of` gives for the size that this is.
pub fn by_size(
    pool: &mut Pool,
    sizes: &SizeSet,
    size: Term,
    mut of: impl FnMut(&mut Pool, u32) -> Term,
) -> Term {
    let all: &[u32] = match sizes {
        SizeSet::One(one) => return of(pool, *one),
        SizeSet::All(all) => all,
    };
    let Some((last, rest)) = all.split_last() else { unreachable!("a claim is about some size") };
    let mut found = of(pool, *last);
    for &one in rest.iter().rev() {
        let own = of(pool, one);
        let number = pool.bits(u128::from(one), 32);
        let here = pool.equal(size, number);
        found = pool.ite(here, own, found);
    }
    found
}
