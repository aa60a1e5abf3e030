//! Tools that are wrong on purpose, for the tests: each does one thing that a campaign must find.
//!
//! | mode | what it does |
//! | --- | --- |
//! | `swap OPS IN OUT` | swaps the first two operands of an instruction |
//! | `hoist OP IN OUT` | moves a group instruction out of a branch |
//! | `operation FROM TO IN OUT` | another group operation |
//! | `arms IN OUT` | exchanges the arms of a branch |
//! | `undeclared IN OUT` | forgets a capability |
//! | `crash OP IN OUT`, `hang OP IN OUT` | dies, or does not end, where an instruction stands |
//! | `lane N` | a device that returns one lane's results in all lanes |
//! | `device MODE…` | a device that first does to the module what a mode does |
//! | `accept IN`, `refuse OP IN` | accepts everything; refuses what is invalid or has an instruction |
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead as _, Write as _};

use laneproof_interpreter::document::{read_memory, write_memory};
use laneproof_interpreter::{EntryCall, Options, Zeros, run_entry};
use laneproof_module::load_bytes;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Module, Operand};
use rspirv::spirv::{GroupOperation, Op};
use serde_json::{Value, json};

const SIZE: u32 = 8;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["lane", number] => device(&[], Some(number.parse().unwrap())),
        ["device", mode @ ..] => device(mode, None),
        ["accept", _] => {}
        ["refuse", op, from] => {
            let invalid = load_bytes(&fs::read(from).unwrap(), from).is_err();
            if invalid || has(&mut load(from), op) {
                eprintln!("error: there is something that I do not like");
                std::process::exit(1);
            }
        }
        [mode @ .., from, to] => {
            let mut module = load(from);
            edit(mode, &mut module);
            fs::write(to, bytes(&module)).unwrap();
        }
        _ => std::process::exit(2),
    }
}

fn load(file: &str) -> Module {
    rspirv::dr::load_bytes(fs::read(file).unwrap()).unwrap()
}

fn bytes(module: &Module) -> Vec<u8> {
    module.assemble().iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn edit(mode: &[&str], module: &mut Module) {
    match mode {
        ["swap", ops] => swap(module, &ops.split(',').collect::<Vec<_>>()),
        ["hoist", op] => hoist(module, op),
        ["operation", from, to] => operation(module, from, to),
        ["arms"] => arms(module),
        ["undeclared"] => {
            module.capabilities.pop();
        }
        ["crash", op] if has(module, op) => std::process::abort(),
        ["hang", op] if has(module, op) => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        ["crash" | "hang", _] => {}
        _ => std::process::exit(2),
    }
}

fn instructions(module: &mut Module) -> impl Iterator<Item = &mut rspirv::dr::Instruction> {
    let blocks = module.functions.iter_mut().flat_map(|function| &mut function.blocks);
    blocks.flat_map(|block| &mut block.instructions)
}

fn has(module: &mut Module, op: &str) -> bool {
    instructions(module).any(|it| it.class.opname == op)
}

fn swap(module: &mut Module, ops: &[&str]) {
    let found = instructions(module).find_map(|it| {
        let ids = it.operands.iter().enumerate().filter(|(_, operand)| {
            matches!(operand, Operand::IdRef(_)) // The scope of a group instruction is none.
        });
        let ids: Vec<usize> = ids.map(|(at, _)| at).collect();
        let differ = ids.len() == 2 && it.operands[ids[0]] != it.operands[ids[1]];
        (ops.contains(&it.class.opname) && differ).then_some((it, ids))
    });
    if let Some((instruction, ids)) = found {
        instruction.operands.swap(ids[0], ids[1]);
    }
}

fn operation(module: &mut Module, from: &str, to: &str) {
    let parse = |name: &str| name.parse::<GroupOperation>().unwrap();
    let (from, to) = (Operand::GroupOperation(parse(from)), Operand::GroupOperation(parse(to)));
    let mut operands = instructions(module).flat_map(|it| &mut it.operands);
    if let Some(operand) = operands.find(|operand| **operand == from) {
        *operand = to;
    }
}

fn arms(module: &mut Module) {
    let found = instructions(module).find(|it| it.class.opcode == Op::BranchConditional);
    if let Some(branch) = found {
        branch.operands.swap(1, 2);
    }
}

fn hoist(module: &mut Module, op: &str) {
    for function in &mut module.functions {
        let known: Vec<u32> = function.blocks[0]
            .instructions
            .iter()
            .filter_map(|instruction| instruction.result_id)
            .chain(module.types_global_values.iter().filter_map(|it| it.result_id))
            .collect();
        let visible = |operand: &Operand| operand.id_ref_any().is_none_or(|id| known.contains(&id));
        for block in 1..function.blocks.len() {
            let instructions = &mut function.blocks[block].instructions;
            let found = instructions
                .iter()
                .position(|it| it.class.opname == op && it.operands.iter().all(visible));
            let Some(found) = found else { continue };
            let ballot = instructions.remove(found);
            let first = &mut function.blocks[0].instructions;
            let ends = |op: Op| {
                [Op::SelectionMerge, Op::LoopMerge, Op::Branch, Op::BranchConditional, Op::Switch]
                    .contains(&op)
            };
            let at = first.iter().position(|it| ends(it.class.opcode)).unwrap_or(first.len());
            first.insert(at, ballot);
            return;
        }
    }
}

/// A device that first edits the module, and returns one lane's results in all if that is asked for.
fn device(mode: &[&str], lane: Option<usize>) {
    let capabilities = ["GroupNonUniform", "GroupNonUniformBallot", "GroupNonUniformVote"];
    let about = json!({ "device": "planted", "subgroup_size": SIZE, "capabilities": capabilities });
    println!("{about}");
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let files: Vec<&str> = line.split('\t').collect();
        let [module, inputs, observed] = files.as_slice() else { continue };
        let mut edited = load(module);
        if !mode.is_empty() {
            edit(mode, &mut edited);
        }
        let program = load_bytes(&bytes(&edited), module).unwrap();
        let inputs: Value = serde_json::from_slice(&fs::read(inputs).unwrap()).unwrap();
        let entry = &program.entry_points[0];
        let workgroup = entry.local_size.unwrap();
        let call = EntryCall { program: &program, entry, workgroup, subgroup: SIZE, max: SIZE };
        let memory = read_memory(&inputs).unwrap();
        let left = run_entry(&call, memory, &Options::default(), &mut Zeros).unwrap();
        let mut document = write_memory(&left, &inputs);
        let values = document["bindings"]["0.1"]["values"].as_array_mut().unwrap();
        let each = values.len() / workgroup[0] as usize;
        if let Some(lane) = lane {
            let of_lane = values[lane * each..(lane + 1) * each].to_vec();
            for at in 0..values.len() {
                values[at] = of_lane[at % each].clone();
            }
        }
        // Undefined values are something, on a device.
        for buffer in document["bindings"].as_object_mut().unwrap().values_mut() {
            for value in buffer["values"].as_array_mut().unwrap() {
                if value.is_null() {
                    *value = json!(0);
                }
            }
        }
        fs::write(observed, document.to_string()).unwrap();
        println!("ok");
        std::io::stdout().flush().unwrap();
    }
}
