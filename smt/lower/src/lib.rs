//! A structured program as a graph of values, activities and events without control flow: loops
//! unrolled or cut open, memory as accesses to regions.

mod aliasing;
mod callers;
mod flat;
mod promises;
mod sharing;

pub use aliasing::{aliases, apart, promises_more};
pub use flat::{
    Access, Activity, ActivityId, Address, Arrival, Barrier, Cut, Epochs, Event, Flat, Given,
    Indexed, Input, Loops, Merge, Pointee, Region, RegionKind, Scalars, Slot, Step, StepId,
    TableStep, Tangle, TangleId, Test, Touch, Unmodelled, Value, ValueId, Way, capability_names,
    execution_modes, flatten, pair, scalar_bytes, specializations, specified,
};
pub use promises::{promised_by_source, promised_only};
pub use sharing::exchange;
