//! Memories that may be one, and memory that a barrier orders in some models only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::support::by_extent;
use laneproof_interpreter::{Call, Reachable, RunOptions, Sizes, Zeros, call};
use laneproof_module::{Program, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{Options as Asked, Side, States, Verdict, verify};

/// Pairs in a run where `LANEPROOF_WHOLE` is set, and else a third of them, unless `LANEPROOF_ALIASED_PAIRS` says
/// otherwise.
const PAIRS: u32 = 150;
const BUFFERS: [&str; 3] = ["a", "b", "c"];

fn verdict(program: &Program, sizes: &[u32]) -> Verdict {
    let [a, b] = ["src", "tgt"].map(|name| {
        let function = program.function(name).unwrap();
        Side { program, function }
    });
    let options = Asked {
        states: States { sizes: sizes.to_vec(), ..States::default() },
        timeout: Duration::from_secs(20),
        ..Asked::default()
    };
    verify(Specification::built_in(), a, Some(b), &options).unwrap().verdict
}

/// What one lane does: stores a number or what it loaded last, or loads.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Store(usize, u32),
    Copy(usize),
    Load(usize),
}

fn below(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    (*state >> 33) % end
}

fn act(state: &mut u64) -> Act {
    let buffer = below(state, 3) as usize;
    match below(state, 3) {
        0 => Act::Store(buffer, below(state, 2) as u32),
        1 => Act::Copy(buffer),
        _ => Act::Load(buffer),
    }
}

const ALIASED: &str = "OpDecorate %a Aliased\nOpDecorate %b Aliased\n";

fn decorated(decorations: &str, sides: [&[Act]; 2]) -> String {
    let mut text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n\
        OpEntryPoint GLCompute %src \"src\"\nOpEntryPoint GLCompute %tgt \"tgt\"\n\
        OpExecutionMode %src LocalSize 1 1 1\nOpExecutionMode %tgt LocalSize 1 1 1\n\
        OpName %src \"src\"\nOpName %tgt \"tgt\"\n\
        OpDecorate %words ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block Block\n"
        .to_owned();
    for (number, name) in BUFFERS.iter().enumerate() {
        writeln!(text, "OpName %{name} \"{name}\"\nOpDecorate %{name} DescriptorSet 0").unwrap();
        writeln!(text, "OpDecorate %{name} Binding {number}").unwrap();
    }
    text += decorations;
    text += "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%main = OpTypeFunction %void\n\
        %u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n\
        %words = OpTypeArray %u32 %u1\n%block = OpTypeStruct %words\n\
        %to_block = OpTypePointer StorageBuffer %block\n%to_word = OpTypePointer StorageBuffer %u32\n";
    for name in BUFFERS {
        writeln!(text, "%{name} = OpVariable %to_block StorageBuffer").unwrap();
    }
    for (name, acts) in ["src", "tgt"].into_iter().zip(sides) {
        writeln!(text, "%{name} = OpFunction %void None %main\n%in_{name} = OpLabel").unwrap();
        for buffer in BUFFERS {
            writeln!(text, "%{buffer}_{name} = OpAccessChain %to_word %{buffer} %u0 %u0").unwrap();
        }
        let mut last = "%u0".to_owned();
        for (number, act) in acts.iter().enumerate() {
            match *act {
                Act::Store(to, value) => {
                    writeln!(text, "OpStore %{}_{name} %u{value}", BUFFERS[to]).unwrap();
                }
                Act::Copy(to) => {
                    writeln!(text, "OpStore %{}_{name} {last}", BUFFERS[to]).unwrap();
                }
                Act::Load(from) => {
                    last = format!("%found_{name}{number}");
                    writeln!(text, "{last} = OpLoad %u32 %{}_{name}", BUFFERS[from]).unwrap();
                }
            }
        }
        text += "OpReturn\nOpFunctionEnd\n";
    }
    text
}

/// The same with neighbors exchanged or an act replaced, or as it was.
fn changed(source: &[Act], state: &mut u64) -> Vec<Act> {
    let mut target = source.to_vec();
    for _ in 0..below(state, 2) + 1 {
        let place = below(state, target.len() as u64) as usize;
        match below(state, 3) {
            0 if place > 0 => target.swap(place - 1, place),
            1 => target[place] = act(state),
            _ => {}
        }
    }
    target
}

/// What is left, in a state in which the first two are one buffer or not.
fn left(program: &Program, function: &str, one: bool, given: u32) -> Vec<Vec<Option<u8>>> {
    let word = |bit: u32| (5 + (given >> bit & 1)).to_le_bytes().map(Some).to_vec();
    let buffers = [word(0), word(1), word(2)];
    let id = |name: &str| *program.globals.keys().find(|id| program.name_of(**id) == name).unwrap();
    let variables: Vec<(u32, usize)> =
        BUFFERS.iter().zip([0, usize::from(!one), 2]).map(|(name, to)| (id(name), to)).collect();
    let options = RunOptions {
        reachable: Reachable { buffers: &buffers, variables: &variables, ..Reachable::default() },
        ..RunOptions::default()
    };
    let request = Call {
        program,
        function: program.function(function).unwrap().id,
        sizes: Sizes { existing: 1, subgroup: 1, max: 1 },
        active: 1,
        arguments: Vec::new(),
    };
    call(&request, &options, &mut Zeros).unwrap().buffers
}

#[test]
fn what_is_proved_of_aliased_buffers_holds_where_they_are_one() {
    let pairs = std::env::var("LANEPROOF_ALIASED_PAIRS").ok().and_then(|it| it.parse().ok());
    let mut state = crate::support::seed();
    let mut seen: BTreeMap<(Verdict, bool), u32> = BTreeMap::new();
    for _ in 0..pairs.unwrap_or(by_extent(PAIRS, PAIRS / 3)) {
        let source: Vec<Act> = (0..2 + below(&mut state, 4)).map(|_| act(&mut state)).collect();
        let target = changed(&source, &mut state);
        // The third is apart.
        let text = decorated(ALIASED, [&source, &target]);
        let program = load_text_unvalidated(&text, "aliased").unwrap();
        let verdict = verdict(&program, &[1]);
        let holds = [false, true].into_iter().all(|one| {
            (0..8)
                .all(|given| left(&program, "src", one, given) == left(&program, "tgt", one, given))
        });
        let right = match verdict {
            Verdict::Proved => holds,
            Verdict::Refuted => !holds,
            Verdict::Unknown => true,
            Verdict::Vacuous => false,
        };
        assert!(right, "{verdict}, {holds}\n{text}");
        assert!(source != target || verdict == Verdict::Proved, "{verdict}\n{text}");
        *seen.entry((verdict, holds)).or_default() += 1;
    }
    println!("{seen:?}");
    let count = |verdict| seen.iter().filter(|((it, _), _)| *it == verdict).count();
    assert!(count(Verdict::Proved) > 0 && count(Verdict::Refuted) > 0, "{seen:?}");
}

/// Others may look at volatile memory, and write it, between any two accesses: they are what they are.
#[test]
fn nothing_is_proved_whose_volatile_accesses_differ() {
    let mut state = 2;
    let mut differ = 0;
    for decorations in ["OpDecorate %a Volatile\n", "OpMemberDecorate %block 0 Volatile\n"] {
        let volatile = |act: &Act| match *act {
            Act::Store(buffer, _) | Act::Copy(buffer) | Act::Load(buffer) => {
                buffer == 0 || decorations.contains("%block")
            }
        };
        for _ in 0..PAIRS / 10 {
            let source: Vec<Act> = (0..2 + below(&mut state, 4)).map(|_| act(&mut state)).collect();
            let target = changed(&source, &mut state);
            let [before, after] = [&source, &target]
                .map(|acts| acts.iter().filter(|it| volatile(it)).collect::<Vec<_>>());
            if before != after {
                let text = decorated(decorations, [&source, &target]);
                let program = load_text_unvalidated(&text, "volatile").unwrap();
                assert_ne!(verdict(&program, &[1]), Verdict::Proved, "{text}");
                differ += 1;
            }
        }
    }
    assert!(differ > 0);
}

/// Lanes exchange a word through the workgroup's memory, in the Vulkan memory model.
fn exchange(store: &str, semantics: u32, load: &str) -> String {
    format!(
        "OpCapability Shader\nOpCapability VulkanMemoryModel\n\
         OpExtension \"SPV_KHR_vulkan_memory_model\"\nOpMemoryModel Logical Vulkan\n\
         OpEntryPoint GLCompute %src \"src\" %lid\nOpEntryPoint GLCompute %tgt \"tgt\" %lid\n\
         OpExecutionMode %src LocalSize 2 1 1\nOpExecutionMode %tgt LocalSize 2 1 1\n\
         OpName %src \"src\"\nOpName %tgt \"tgt\"\nOpDecorate %lid BuiltIn LocalInvocationIndex\n\
         OpDecorate %words ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block Block\n\
         OpDecorate %res DescriptorSet 0\nOpDecorate %res Binding 0\n\
         %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%main = OpTypeFunction %void\n\
         %to_u32 = OpTypePointer Input %u32\n%lid = OpVariable %to_u32 Input\n\
         %u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n%u2 = OpConstant %u32 2\n\
         %semantics = OpConstant %u32 {semantics}\n\
         %slots = OpTypeArray %u32 %u2\n%to_slots = OpTypePointer Workgroup %slots\n\
         %to_slot = OpTypePointer Workgroup %u32\n%scratch = OpVariable %to_slots Workgroup\n\
         %words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n\
         %to_block = OpTypePointer StorageBuffer %block\n%to_word = OpTypePointer StorageBuffer %u32\n\
         %res = OpVariable %to_block StorageBuffer\n\
         %src = OpFunction %void None %main\n%s = OpLabel\n%l = OpLoad %u32 %lid\n\
         %other = OpISub %u32 %u1 %l\n%into = OpAccessChain %to_word %res %u0 %l\n\
         OpControlBarrier %u2 %u2 %semantics\n\
         OpStore %into %other\nOpReturn\nOpFunctionEnd\n\
         %tgt = OpFunction %void None %main\n%t = OpLabel\n%m = OpLoad %u32 %lid\n\
         %mine = OpAccessChain %to_slot %scratch %m\n%rest = OpISub %u32 %u1 %m\n\
         %theirs = OpAccessChain %to_slot %scratch %rest\n\
         %out = OpAccessChain %to_word %res %u0 %m\n\
         OpStore %mine %m {store}\nOpControlBarrier %u2 %u2 %semantics\n\
         %found = OpLoad %u32 %theirs {load}\nOpStore %out %found\nOpReturn\nOpFunctionEnd\n"
    )
}

#[test]
fn a_barrier_orders_what_is_available_and_visible_in_the_vulkan_memory_model() {
    // What each says, and what it says of itself: not private; available or visible.
    let stores = [
        ("", [false, false]),
        ("NonPrivatePointer", [true, false]),
        ("MakePointerAvailable|NonPrivatePointer %u2", [true, true]),
    ];
    let loads = [
        ("", [false, false]),
        ("NonPrivatePointer", [true, false]),
        ("MakePointerVisible|NonPrivatePointer %u2", [true, true]),
    ];
    // Acquire and release of workgroup memory; then made available, made visible, both.
    let barriers = [
        (0x108, [false; 2]),
        (0x2108, [true, false]),
        (0x4108, [false, true]),
        (0x6108, [true; 2]),
    ];
    for (store, [store_open, store_available]) in stores {
        for (load, [load_open, load_visible]) in loads {
            for (semantics, [available, visible]) in barriers {
                let ordered = store_open
                    && load_open
                    && (store_available || available)
                    && (load_visible || visible);
                let text = exchange(store, semantics, load);
                let program = load_text_unvalidated(&text, "exchange").unwrap();
                let found = verdict(&program, &[1, 2]);
                let right = match ordered {
                    true => found == Verdict::Proved,
                    false => matches!(found, Verdict::Refuted | Verdict::Unknown),
                };
                assert!(right, "{found}: `{store}`, {semantics:#x}, `{load}`");
            }
        }
    }
}

#[test]
fn a_memory_barrier_adds_nothing_to_a_barrier_that_orders_the_same() {
    const NOTHING: u32 = 0;
    const WORKGROUP: u32 = 0x108;
    const BUFFERS: u32 = 0x48;
    let parts = [NOTHING, WORKGROUP, BUFFERS];
    for before in parts {
        for at in [NOTHING, WORKGROUP] {
            for behind in parts {
                let fence = |semantics: u32, id: &str| match semantics {
                    NOTHING => String::new(),
                    _ => format!("OpMemoryBarrier %u1 %{id}\n"),
                };
                let plain = "OpControlBarrier %u2 %u2 %semantics\n%found";
                let fenced = format!(
                    "{}OpControlBarrier %u2 %u2 %semantics\n{}%found",
                    fence(before, "before"),
                    fence(behind, "behind")
                );
                let constants = format!(
                    "%before = OpConstant %u32 {before}\n%behind = OpConstant %u32 {behind}\n%slots ="
                );
                let text = exchange("", at, "").replace(plain, &fenced);
                let text = text
                    .replace("%slots =", &constants)
                    .replace("Logical Vulkan", "Logical GLSL450");
                let program = load_text_unvalidated(&text, "exchange").unwrap();
                let found = verdict(&program, &[2]);
                let right = match (at == WORKGROUP, before == WORKGROUP && behind == WORKGROUP) {
                    // Ordered by the barrier, or by both beside it together.
                    (true, _) | (false, true) => found == Verdict::Proved,
                    (false, false) => matches!(found, Verdict::Refuted | Verdict::Unknown),
                };
                assert!(right, "{found}: {before:#x}, {at:#x}, {behind:#x}");
            }
        }
    }
}

/// A parameter that leads to global memory or to the workgroup's, alone or not, with a promise or without.
fn parameter(id: &str, alone: &str, promise: &str) -> String {
    [alone, promise]
        .iter()
        .filter(|it| !it.is_empty())
        .map(|it| format!("OpDecorate %{id} {it}\n"))
        .collect()
}

#[test]
fn nothing_is_proved_of_what_the_target_alone_promises() {
    let promises = [
        "FuncParamAttr NoWrite",
        "FuncParamAttr NoReadWrite",
        "FuncParamAttr ByVal",
        "Alignment 64",
        "MaxByteOffset 2",
    ];
    for storage in ["CrossWorkgroup", "Workgroup"] {
        for alone in ["", "Restrict", "FuncParamAttr NoAlias"] {
            for promise in promises {
                for of_source in ["", promise] {
                    let decorations =
                        parameter("src_p", alone, of_source) + &parameter("tgt_p", alone, promise);
                    let side = |name: &str| {
                        format!(
                            "%{name} = OpFunction %void None %function\n\
                             %{name}_p = OpFunctionParameter %pointer\n\
                             %{name}_x = OpFunctionParameter %u32\n%{name}_entry = OpLabel\n\
                             OpStore %{name}_p %{name}_x Aligned 4\nOpReturn\nOpFunctionEnd\n"
                        )
                    };
                    let text = format!(
                        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
                         OpMemoryModel Physical64 OpenCL\nOpName %src \"src\"\nOpName %tgt \"tgt\"\n\
                         {decorations}%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n\
                         %pointer = OpTypePointer {storage} %u32\n\
                         %function = OpTypeFunction %void %pointer %u32\n{}{}",
                        side("src"),
                        side("tgt")
                    );
                    let program = load_text_unvalidated(&text, "promises").unwrap();
                    let found = verdict(&program, &[1]);
                    // That the workgroup's memory is apart is not used.
                    let carried = storage == "CrossWorkgroup" || alone.is_empty();
                    let right = match (of_source.is_empty(), carried) {
                        (false, true) => found == Verdict::Proved,
                        _ => found == Verdict::Unknown,
                    };
                    assert!(right, "{found}\n{text}");
                }
            }
        }
    }
}

/// A promise about the first parameter of a function that the target calls with these arguments is
/// seen; one about memory that is apart is kept where the caller's parameters are.
#[test]
fn nothing_is_proved_of_what_a_callee_of_the_target_promises() {
    let promises = [
        ("", false),
        ("Restrict", true),
        ("FuncParamAttr NoAlias", true),
        ("FuncParamAttr NoWrite", false),
        ("FuncParamAttr ByVal", false),
        ("Alignment 64", false),
        ("MaxByteOffset 2", false),
    ];
    for (promise, about_others) in promises {
        for (arguments, apart) in
            [("%tgt_p %tgt_p", false), ("%tgt_p %tgt_q", false), ("%tgt_p %tgt_q", true)]
        {
            let callers = ["src_p", "src_q", "tgt_p", "tgt_q"];
            let alone = |id: &str| parameter(id, if apart { "Restrict" } else { "" }, "");
            let decorations = callers.map(alone).concat() + &parameter("set_p", "", promise);
            let second = arguments.split(' ').nth(1).unwrap().replace("tgt", "src");
            let side = |name: &str, body: &str| {
                format!(
                    "%{name} = OpFunction %void None %function\n\
                     %{name}_p = OpFunctionParameter %pointer\n\
                     %{name}_q = OpFunctionParameter %pointer\n%{name}_entry = OpLabel\n{body}\
                     OpReturn\nOpFunctionEnd\n"
                )
            };
            let stores = |p: &str, q: &str| {
                format!("OpStore {p} %one Aligned 4\nOpStore {q} %two Aligned 4\n")
            };
            let text = format!(
                "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
                 OpMemoryModel Physical64 OpenCL\nOpName %src \"src\"\nOpName %tgt \"tgt\"\n\
                 {decorations}%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%one = OpConstant %u32 1\n\
                 %two = OpConstant %u32 2\n%pointer = OpTypePointer CrossWorkgroup %u32\n\
                 %function = OpTypeFunction %void %pointer %pointer\n{}{}{}",
                side("src", &stores("%src_p", &second)),
                side("tgt", &format!("%none = OpFunctionCall %void %set {arguments}\n")),
                side("set", &stores("%set_p", "%set_q")),
            );
            let program = load_text_unvalidated(&text, "promises").unwrap();
            let found = verdict(&program, &[1]);
            let kept = promise.is_empty() || about_others && apart;
            let expected = if kept { Verdict::Proved } else { Verdict::Unknown };
            assert_eq!(found, expected, "{text}");
        }
    }
}
