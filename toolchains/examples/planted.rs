//! Tools that are wrong on purpose, for the tests: each does one thing that a campaign must find.
//!
//! `planted swap IN OUT` swaps the operands of an instruction, `planted hoist IN OUT` moves a ballot
//! out of a branch, `planted lane0` is a device that returns the first lane's results in all lanes,
//! `planted accept IN` accepts everything.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead as _, Write as _};

use laneproof_interpreter::document::{read_memory, write_memory};
use laneproof_interpreter::{EntryCall, Options, Zeros, run_entry};
use laneproof_module::load_bytes;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Module, Operand};
use rspirv::spirv::Op;
use serde_json::{Value, json};

const SIZE: u32 = 8;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["swap", from, to] => edit(from, to, swap),
        ["hoist", from, to] => edit(from, to, hoist),
        ["lane0"] => device(),
        ["accept", _] => {}
        _ => std::process::exit(2),
    }
}

fn edit(from: &str, to: &str, change: fn(&mut Module)) {
    let bytes = fs::read(from).unwrap();
    let mut module = rspirv::dr::load_bytes(bytes).unwrap();
    change(&mut module);
    let bytes: Vec<u8> = module.assemble().iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(to, bytes).unwrap();
}

fn swap(module: &mut Module) {
    const OPS: [Op; 5] = [Op::ISub, Op::FSub, Op::ULessThan, Op::SLessThan, Op::UGreaterThan];
    let blocks = module.functions.iter_mut().flat_map(|function| &mut function.blocks);
    let found = blocks
        .flat_map(|block| &mut block.instructions)
        .find(|it| OPS.contains(&it.class.opcode) && it.operands[0] != it.operands[1]);
    if let Some(instruction) = found {
        instruction.operands.swap(0, 1);
    }
}

fn hoist(module: &mut Module) {
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
            let found = instructions.iter().position(|it| {
                it.class.opcode == Op::GroupNonUniformBallot && it.operands.iter().all(visible)
            });
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

fn device() {
    let capabilities = ["GroupNonUniform", "GroupNonUniformBallot", "GroupNonUniformVote"];
    let about = json!({ "device": "planted", "subgroup_size": SIZE, "capabilities": capabilities });
    println!("{about}");
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let files: Vec<&str> = line.split('\t').collect();
        let [module, inputs, observed] = files.as_slice() else { continue };
        let program = load_bytes(&fs::read(module).unwrap(), module).unwrap();
        let inputs: Value = serde_json::from_slice(&fs::read(inputs).unwrap()).unwrap();
        let entry = &program.entry_points[0];
        let workgroup = entry.local_size.unwrap();
        let call = EntryCall { program: &program, entry, workgroup, subgroup: SIZE, max: SIZE };
        let memory = read_memory(&inputs).unwrap();
        let left = run_entry(&call, memory, &Options::default(), &mut Zeros).unwrap();
        let mut document = write_memory(&left, &inputs);
        let values = document["bindings"]["0.1"]["values"].as_array_mut().unwrap();
        let each = values.len() / workgroup[0] as usize;
        for at in each..values.len() {
            values[at] = values[at % each].clone();
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
