//! Runs SPIR-V modules lane by lane: an account of every instruction in plain Rust, written
//! from the documents and not from the clauses of the specification, so that the two can
//! be held against each other.
//!
//! [`call`] runs one function in one subgroup, [`call_in_workgroup`] in all subgroups of a
//! workgroup, [`run_entry`] a whole entry point in one workgroup. A [`Choices`] decides whatever
//! the semantics leaves open; [`Enumerate`] enumerates all choices. Unsupported features end the
//! run ([`Stop::NotModelled`]).

mod bound;
mod bounds;
mod built_in;
mod call;
mod choices;
mod defined;
mod endless;
mod entry;
mod fence;
mod float_format;
mod flow;
mod follow;
mod frame;
mod given;
mod hot;
mod ids;
mod instruction;
mod lane;
mod latitude;
mod machine;
mod memory;
mod opcode;
mod operand;
mod outcome;
mod phi;
mod plan;
mod primitive;
mod race;
mod reading;
mod serialization;
mod shape;
mod short_form;
mod step;
mod taint;
mod tangle;
mod value;
mod variable;
mod ways;
mod width;
mod workgroup_call;
mod workgroup_step;

pub use bound::BoundBuffers;
pub use call::{Call, CallArgument, call};
pub use choices::{Arrival, Choices, Enumerate, Open, Zeros};
pub use entry::{EntryCall, EntryMemory, KernelArgument, run_entry};
pub use float_format::{Format, format};
pub use lane::{LaneValue, Sizes};
pub use latitude::{Allowance, Allowed, Latitude, Leeway, asked_otherwise, relaxed_beside_floats};
pub use machine::{Caller, Reachable, RunOptions};
pub use memory::{Buffer, Image};
pub use opcode::rounds;
pub use outcome::{Finished, Gave, Stop, Trace, Violation};
pub use primitive::{InstructionCall, PrimitiveCall, PrimitiveFailure, Primitives};
pub use reading::{
    ImplementationDefined, IndexArithmetic, Kill, OfOpenCl, PartitionEquality, PartitionOtherBits,
    Readings, Reconvergence, SwitchTangles, TangleReadings,
};
pub use shape::scalar_size;
pub use width::{signed, truncate};
pub use workgroup_call::{WorkgroupCall, call_in_workgroup};
