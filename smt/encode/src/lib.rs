//! A flat function in any lane of any state, as terms: values and activities, groups, memory,
//! reductions, quantifiers over lanes.

mod count;
mod declared;
mod distribution;
mod encoder;
mod fold;
mod input;
mod lane;
mod membership;
mod oracle;
mod place;
mod plan;
mod products;
mod quantifier;
mod surroundings;
mod workgroup;

pub use count::{CountAxioms, by_axioms};
pub use declared::{Declared, Standpoint, WIDE, by_size, product};
pub use encoder::discard::{KILL, TERMINATE, add_discards};
pub use encoder::effects::{Effects, GuardedConsequence, effects, good};
pub use encoder::memory::image::{MOST_ROWS, MOST_WORDS, Piece};
pub use encoder::memory::{
    Contact, Contacts, Content, Effect, GivenMemory, LENGTH_LIMIT, Memories, MemoryExtent, Storing,
};
pub use encoder::relation::{Relation, relation};
pub use encoder::serialization::{Order, Time, depends_on_found};
pub use encoder::{
    Choice, EncodedSide, Encoder, EntryState, OpenChoice, RECONVERGENCE, SWITCH_TANGLES, World,
    chosen_way,
};
pub use fold::{Folds, Multiple, effective, multiple};
pub use input::InputLeaf;
pub use lane::{LARGEST, below, lane_sort, lanes_below, small, some_lane};
pub use membership::{Sets, as_predicates, made_of_sets};
pub use oracle::Oracle;
pub use place::SubgroupPlace;
pub use plan::{EncodingPlan, SizeSet, View};
pub use products::equal_products;
pub use quantifier::{ANY, DEEPEST, HERE, LaneQuantifiers, READING};
pub use surroundings::Surroundings;
pub use workgroup::{WorkgroupSubgroups, invocations};
