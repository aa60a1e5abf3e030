//! A structured program as a graph of values, activities and events without control flow: loops
//! unrolled or cut open, memory as accesses to regions.

mod aliasing;
mod callers;
mod covered;
mod flat;
mod loaded;
mod promises;
mod same;
mod sharing;
mod stored;

pub use aliasing::{aliases, apart, promises_more};
pub use callers::seen_by_callers;
pub use flat::{
    Access, Activity, ActivityId, Address, Barrier, BranchTest, Cut, Epochs, Event, Flat,
    FlatGlobal, FlatInput, FlatOutput, FlatValue, GivenOperand, Indexed, Loops, MemoryRegion,
    Merge, OrderedBy, Pointee, RegionKind, Scalars, Slot, Step, StepId, SwitchArrival, TableStep,
    Tangle, TangleId, Touch, Unmodelled, ValueId, Way, capability_names, execution_modes, flatten,
    pair, scalar_bytes, specializations, specified,
};
pub use promises::{promised_by_source, promised_only};
pub use sharing::{exchange, less_coherent};
pub use stored::{as_functions, as_pure_functions};
