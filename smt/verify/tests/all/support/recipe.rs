//! What a random pair is made of, and how it is drawn.

use proptest::collection::vec;
use proptest::prelude::*;

/// How many kinds of steps there are.
pub const STEPS: u8 = 62;

/// One step of a function: what it is, by number, and operands, counted from the newest value.
pub type Step = (u8, [u8; 3]);

/// How the target comes about.
#[derive(Clone, Debug)]
pub enum Target {
    /// A function of its own.
    Fresh(Vec<Step>),
    /// The source with some steps exchanged.
    Edited(Vec<(u8, Step)>),
    /// The source with a step before it.
    Begun(Step),
    /// None: the source is a property.
    Property,
}

/// A pair, or a property.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub sizes: &'static [u32],
    pub all_active: bool,
    pub partial: bool,
    pub kernel: bool,
    pub source: Vec<Step>,
    pub target: Target,
    /// What both return, counted from the newest value.
    pub results: [u8; 2],
}

fn step() -> impl Strategy<Value = Step> {
    (0..STEPS, [0..10u8, 0..10u8, 0..10u8])
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        3 => vec((0..6u8, step()), 0..3).prop_map(Target::Edited),
        2 => vec(step(), 0..4).prop_map(Target::Fresh),
        1 => step().prop_map(Target::Begun),
        1 => Just(Target::Property),
    ]
}

/// Every kind of pair.
pub fn recipe() -> impl Strategy<Value = Recipe> {
    let sizes = prop_oneof![
        2 => Just(&[2u32][..]),
        2 => Just(&[1, 2][..]),
        1 => Just(&[4][..]),
    ];
    let state = (sizes, prop::bool::weighted(0.2), prop::bool::weighted(0.3), any::<bool>());
    (state, vec(step(), 1..6), target(), [0..3u8, 0..3u8]).prop_map(
        |((sizes, all_active, partial, kernel), source, target, results)| Recipe {
            sizes,
            all_active,
            partial,
            kernel,
            source,
            target,
            results,
        },
    )
}
