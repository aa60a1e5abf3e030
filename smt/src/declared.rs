//! The workgroup that entry points declare, and which of its subgroups a question is about.

use laneproof_module::Extent;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Binary, Pool, Term};

use crate::encode::InputLeaf;
use crate::flat::Flat;
use crate::obligation::Sizes;
use laneproof_outcome::Unknown;
use crate::verify::Side;
use crate::workgroup::invocations;

/// Bits in which the invocations of a workgroup are counted.
pub(crate) const WIDE: u32 = 64;

/// How many invocations the workgroup has along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Declared(pub [Extent; 3]);

/// Which subgroup of its workgroup a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standpoint {
    /// The one whose `SubgroupId` is 0.
    First,
    /// Any of them, the last one included, which may be partial.
    Any,
    /// The only one: it is its whole workgroup.
    Lone,
}

/// What is not supported of the workgroups that two functions are entered in.
const DIFFERENT: &str = "a state of two different declared workgroups";
const COMPUTED: &str = "a workgroup's size that is computed from specialization constants";

impl Declared {
    /// The workgroup that both sides declare; `None` where neither is an entry point, as callers
    /// are ignored.
    pub(crate) fn of(source: Side<'_>, target: Option<Side<'_>>) -> Result<Option<Self>, Unknown> {
        let of = |side: Side<'_>| {
            let mut entries = side.program.entry_points.iter();
            entries.find(|it| it.function == side.function.id).and_then(|it| it.workgroup_size)
        };
        let declared = match (of(source), target.and_then(of)) {
            (Some(a), Some(b)) if a != b => return Err(Unknown::unsupported(DIFFERENT)),
            (a, b) => a.or(b),
        };
        match declared {
            Some(sides) if sides.contains(&Extent::Computed) => Err(Unknown::unsupported(COMPUTED)),
            declared => Ok(declared.map(Self)),
        }
    }

    /// Its sides, where no specialization changes them.
    pub(crate) fn fixed(&self) -> Option<[u32; 3]> {
        let [x, y, z] = self.0.map(|side| match side {
            Extent::Fixed(side) => Some(side),
            Extent::Specialized(_) | Extent::Computed => None,
        });
        Some([x?, y?, z?])
    }

    /// How many invocations it has, where no specialization changes that.
    pub(crate) fn invocations(&self) -> Option<u32> {
        invocations(self.fixed()?)
    }

    /// No lane at or past this exists in a subgroup of these sizes.
    pub(crate) fn bound(&self, sizes: &Sizes) -> u32 {
        let largest = sizes.largest();
        self.invocations().map_or(largest, |all| all.min(largest))
    }

    /// The sides as terms, 32 bits each: a specialization constant is an input of the `source`.
    pub(crate) fn sides(
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
                Extent::Computed => return Err(not_modelled()),
            });
        }
        <[Term; 3]>::try_from(sides).map_err(|_| not_modelled())
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
    let given = source.inputs.iter().zip(inputs).find(|(it, _)| it.spec_id == Some(spec_id));
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
pub(crate) fn product(pool: &mut Pool, sides: [Term; 3]) -> Term {
    let [x, y, z] = sides.map(|side| pool.zero_extend(side, WIDE));
    let area = pool.binary(Binary::Mul, x, y);
    pool.binary(Binary::Mul, area, z)
}

/// What `of` gives for the size that this is.
pub(crate) fn by_size(
    pool: &mut Pool,
    sizes: &Sizes,
    size: Term,
    mut of: impl FnMut(&mut Pool, u32) -> Term,
) -> Term {
    let all: &[u32] = match sizes {
        Sizes::One(one) => return of(pool, *one),
        Sizes::All(all) => all,
    };
    let (last, rest) = all.split_last().unwrap_or((&1, &[]));
    let mut found = of(pool, *last);
    for &one in rest.iter().rev() {
        let own = of(pool, one);
        let number = pool.bits(u128::from(one), 32);
        let here = pool.equal(size, number);
        found = pool.ite(here, own, found);
    }
    found
}
