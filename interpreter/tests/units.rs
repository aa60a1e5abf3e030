//! Tests that stand beside what they test and need no more of the library than those files: they are compiled
//! here, and the library not a second time.
#![allow(dead_code, missing_docs)]

use margin::Margin;

#[path = "../src/bounds/enclosure.rs"]
mod enclosure;
#[path = "../src/fence.rs"]
mod fence;
#[path = "../src/float_format.rs"]
mod float_format;
#[path = "../src/lane.rs"]
mod lane;
#[path = "../src/latitude/margin.rs"]
mod margin;
#[path = "../src/memory/mod.rs"]
mod memory;
#[path = "../src/latitude/permitted.rs"]
mod permitted;
#[path = "../src/race.rs"]
mod race;
#[path = "../src/bounds/range.rs"]
mod range;
#[path = "../src/shape.rs"]
mod shape;
#[path = "../src/value.rs"]
mod value;
#[path = "../src/width.rs"]
mod width;
