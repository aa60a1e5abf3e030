//! Mutants that nothing can see, each with its reason.

/// Mutants that mean the same, by file and words of the line or the mistake, and why they do.
pub const EQUIVALENT: &[(&str, &str)] = &[
    ("SPIR-V/atomic.lps: unsigned(a)", "of equal operands either is least and greatest"),
    ("SPIR-V/atomic.lps: store undefined() to Pointer", NO_HISTORY),
    ("450/extremes.lps: such that reading nan-payload", ANY_NAN),
    ("450/extremes.lps: zeros_turned_less", UNCHOSEN),
    ("450/extremes.lps: let negative", UNCHOSEN),
    ("450/float.lps: such that reading nan-payload", ANY_NAN),
    ("450/float.lps: signed(Exp)", "what is beyond a limit is not 0"),
    ("450/rounding.lps: such that reading nan-payload", ANY_NAN),
    ("450/integer.lps: op(a, b) = if", "of equal numbers either is the smaller and the greater"),
    ("450/integer.lps: then -X else X", "0 is its own negative"),
    ("450/integer.lps: else to_result(", "numbers and positions of bits have no sign to extend"),
    ("CL.std/arithmetic.lps: if a < b then", "of equal numbers the difference is 0 either way"),
    (
        "CL.std/arithmetic.lps: signed(a) < signed(b)",
        "of equal numbers the difference is 0 either way",
    ),
    ("CL.std/arithmetic.lps: function upper", "the upper half has the result's width"),
    ("CL.std/arithmetic.lps: joined(high", "a sign that is extended is shifted out"),
    ("CL.std/integer.lps: op(a, b) = if", "of equal numbers either is the smaller and the greater"),
    ("CL.std/integer.lps: then -x else x", "0 is its own negative"),
    ("CL.std/integer.lps: to_result(number(X", "a number of bits has no sign to extend"),
    ("CL.std/integer.lps: to_result(width", "the width of an integer has no sign to extend"),
    (
        "float_conversion.lps: `to_result` to `signed_to_result` in `op(a) = float_to_unsigned",
        "0 has no sign",
    ),
    ("dot_product.lps: `to_result` to `signed_to_result` in `result is fold", "0 has no sign"),
    ("dot_product.lps: `to_result` to `signed_to_result` in `let products", "0 has no sign"),
    ("bit.lps: popcount(Base)", "a number of bits has no sign to extend"),
    ("block.lps: let size", "scalars of an image block have 8, 16 or 32 bits"),
    (
        "GLSL.std.450/packing.lps: `1` to `2` in `and holds_half(u16(result >> 16), to_half",
        PAST_THE_END,
    ),
    (
        "GLSL.std.450/packing.lps: `-` to `+` in `let has_nan = exists k in 0 to components(V) - 1",
        PAST_THE_END,
    ),
    (
        "GLSL.std.450/packing.lps: `1` to `0` in `let has_nan = exists k in 0 to components(V) - 1",
        PAST_THE_END,
    ),
    ("block.lps: let line", PAST_THE_END),
    ("block.lps: let inside", "at the edge the word itself is the nearest one"),
    ("functions.lps: clamped", "the nearest number to 0 is 0"),
    ("functions.lps: function listed_width", UNCHOSEN),
    ("functions.lps: function magnitude", "0 is its own negative"),
    ("integer_arithmetic.lps: if width(a) <= 32", "both ways give the upper half of 32 bits"),
    ("integer_arithmetic.lps: row OpSMod", "neither the remainder nor the divisor is zero there"),
    ("non_uniform_arithmetic.lps: then a else b", "of equal operands either is least and greatest"),
    ("non_uniform_ballot.lps: version_at_least", "before 1.5 it is a constant, hence uniform"),
    ("non_uniform_ballot.lps: to_result", "numbers and positions of bits have no sign to extend"),
    ("OpenCL/built_ins.lps: if left < SubgroupSize", "of equal sizes either is the smaller"),
    ("OpenCL/built_ins.lps: to_result(enqueued", FEW_LANES),
    ("OpenCL/built_ins.lps: to_result(local_id", FEW_LANES),
    ("OpenCL/built_ins.lps: to_result(LocalInvocationIndex", FEW_LANES),
    ("OpenCL/built_ins.lps: to_result(workgroup_size", FEW_LANES),
    ("OpenCL/built_ins.lps: to_result(grid", "64 bits are never extended"),
    ("built_ins_workgroup.lps: to_result(grid", "64 bits are never extended"),
    ("built_ins_workgroup.lps: to_result(local_id", FEW_LANES),
    ("built_ins_workgroup.lps: to_result(LocalInvocationIndex", FEW_LANES),
    ("built_ins_workgroup.lps: to_result(workgroup_size", FEW_LANES),
    ("OpenCL/groups.lps: `0` to `1` in `and u64(component(LocalId, 0))", PAST_THE_END),
    ("SPIR-V/group.lps: let vector = components(LocalId) > 1", NO_VECTOR),
    ("SPIR-V/group.lps: let by_number", UNCHOSEN),
    ("SPIR-V/group.lps: part(0) < u64(GroupSize)", "the lane after the last one does not exist"),
    ("SPIR-V/group.lps: active: Predicate", "what exists is active, or behavior is undefined"),
    (
        "SPIR-V/group_arithmetic.lps: then a else b",
        "of equal operands either is least and greatest",
    ),
    ("group_float.lps: `active` to `existing`", "what exists is active, or behavior is undefined"),
    ("SPIR-V/group_barrier.lps: Execution is Subgroup", UNCHOSEN),
    ("SPIR-V/group_barrier.lps: reading barrier-of-some-lanes", UNCHOSEN),
    ("SPIR-V/group_float.lps: let some_nan", UNCHOSEN),
    ("group_float.lps: such that reading nan-payload", ANY_NAN),
    ("non_uniform_arithmetic.lps: counted", UNCHOSEN),
    ("non_uniform_arithmetic.lps: else if Execution is Subgroup", UNCHOSEN),
    ("arithmetic.lps: let alone", UNCHOSEN),
    ("arithmetic.lps: not listed and alone", UNCHOSEN),
    ("non_uniform_float.lps: counted", UNCHOSEN),
    ("non_uniform_float.lps: else if Execution is Subgroup", UNCHOSEN),
    ("conversion.lps: reading bfloat16-rounding", UNCHOSEN),
    ("conversion.lps: `0` to `1` in `function", "only the type of what is converted counts"),
    ("non_uniform_float.lps: `active` to `existing`", "the lanes of the set are active"),
    ("non_uniform_float.lps: such that reading nan-payload", ANY_NAN),
    ("non_uniform_quad.lps: version_at_least", "before 1.5 it is a constant, hence uniform"),
    ("non_uniform_vote.lps: let first", "all are equal to one lane if they are to any other"),
    ("non_uniform_vote.lps: let alone", UNCHOSEN),
    ("level_zero/validation_rules.lps: without `must Execution is Workgroup`", ALREADY_SAID),
    ("subgroups/shuffle.lps: let in_range", OUT_OF_RANGE),
    ("subgroups/shuffle.lps: max-size:", OUT_OF_RANGE),
    ("subgroups/shuffle.lps: result is", OUT_OF_RANGE),
    ("partition.lps: let number", UNCHOSEN),
    ("partition.lps: let may_part", UNCHOSEN),
    ("partition.lps: let without", UNCHOSEN),
    ("partition.lps: in `undefined value`", UNCHOSEN),
    ("notes.lps: without `\"no-defined-behavior\" unless in_range", OUT_OF_RANGE),
    (
        "level_zero/intel_subgroups.lps: without `\"no-defined-behavior\" unless in_range",
        OUT_OF_RANGE,
    ),
    (
        "subgroups/block.lps: store word_of(Data, 1) to Image at byte + 4",
        "it is a word's number that counts",
    ),
];

/// Mutants that differ only where the text is silent.
pub const UNSAID: &[(&str, &str)] = &[
    (
        "subgroups/shuffle.lps: let in_range = source <= SubgroupMaxSize",
        "the lane that is called out of range then, and of which nobody speaks now, does not exist",
    ),
    ("SPIR-V/group.lps: `0` to `1` in `let inside", NO_LANE),
    ("SPIR-V/group.lps: `<` to `<=` in `and part(2)", NO_LANE),
];

/// Mutants that allow more results than the clause does, by file and words: every result that the
/// interpreter gives stays right, so only results that are wrong would show them.
pub const LOOSER: &[&str] = &[];

const NO_HISTORY: &str =
    "nothing else wrote what one instruction finds; whole modules show it, in `wrong`";
const ANY_NAN: &str = "any NaN will do: it asks for nothing";
const ALREADY_SAID: &str = "what OpenCL validates holds in Level Zero, too, and says the same";
const UNCHOSEN: &str = "only the reading that is not chosen asks for it";
const NO_VECTOR: &str = "a lane of a subgroup has a number, and in a workgroup only the reading that is \
     not chosen asks for it";
const PAST_THE_END: &str = "an index past the end of a vector selects its last component";
const NO_LANE: &str = "what the id names beyond the group's lanes is no lane either way";
const FEW_LANES: &str = "no workgroup has so many lanes that their number has the sign's bit";

const OUT_OF_RANGE: &str =
    "what is out of range is not active either, and both give an undefined value";
