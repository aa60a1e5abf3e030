//! A flat function in any lane of any state, as terms: values and activities, groups, memory,
//! reductions, quantifiers over lanes.

mod conduct;
mod count;
mod declared;
mod discard;
mod encoder;
mod fold;
mod image;
mod lane;
mod membership;
mod memory;
mod oracle;
mod place;
mod plan;
mod race;
mod relation;
mod surroundings;
mod survey;
mod turns;
mod workgroup;

pub use conduct::{Conduct, Consequence, conduct, good};
pub use count::by_laws;
pub use declared::{Declared, Standpoint, WIDE, by_size, product};
pub use discard::{KILL, TERMINATE, add_discards};
pub use encoder::{
    Choice, Encoder, InputLeaf, Open, RECONVERGENCE, SWITCH_TANGLES, Side, World, chosen_way,
};
pub use fold::{Folds, Multiple, effective, multiple};
pub use image::{MOST_ROWS, MOST_WORDS, Piece};
pub use lane::{LARGEST, below, lane_sort, small, some_lane};
pub use membership::{Sets, as_predicates, speaks};
pub use memory::{Contact, Contacts, Content, Effect, Extent, LENGTH_LIMIT, Memories, Memory};
pub use oracle::Oracle;
pub use place::Place;
pub use plan::{Plan, Sizes, View};
pub use relation::{Relation, relation};
pub use surroundings::Surroundings;
pub use survey::{ANY, DEEPEST, HERE, READING, Surveys};
pub use turns::{Order, Time, depends_on_turn};
pub use workgroup::{Workgroup, invocations};
