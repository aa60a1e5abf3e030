//! Tools that are wrong on purpose, for the tests: each does one thing that a campaign must find.
//!
//! | mode | what it does |
//! | --- | --- |
//! | `swap OPS IN OUT` | swaps the first two operands of an instruction |
//! | `hoist OP IN OUT` | moves a group instruction out of a branch |
//! | `operation FROM TO IN OUT` | another group operation |
//! | `arms IN OUT` | exchanges the arms of a branch |
//! | `undeclared IN OUT` | forgets a capability |
//! | `without OP IN OUT` | forgets instructions that give nothing |
//! | `instead OP OP IN OUT` | another instruction with the same operands |
//! | `farther OP IN OUT` | adds one to an instruction's last operand |
//! | `unclustered IN OUT` | forgets the size of clusters |
//! | `own OP IN OUT` | takes a group instruction's own value for its result |
//! | `full IN OUT` | takes every lane to be in a ballot |
//! | `sink OP IN OUT` | moves a group instruction into the arm that uses it |
//! | `merged OP IN OUT` | takes a group instruction for an earlier one with the same operands |
//! | `crash OP IN OUT`, `hang OP IN OUT` | dies, or does not end, if the module has an instruction |
//! | `lane N` | a device that returns one lane's results in all lanes |
//! | `stale` | a device that returns what it returned before, where that has as many words |
//! | `device MODE…` | a device that first does to the module what a mode does |
//! | `accept IN`, `refuse OP IN` | accepts everything; refuses what is invalid or has an instruction |
//! | `lenient PART IN` | accepts what is invalid for a reason that has this part |
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead as _, Write as _};

use laneproof_interpreter::{EntryCall, RunOptions, Zeros, run_entry};
use laneproof_module::load_bytes;
use laneproof_oracle::{read_memory, write_memory};
use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{GroupOperation, Op};
use serde_json::{Value, json};

const SIZE: u32 = 8;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["lane", number] => device(&[], &mut |it| one_lane(it, number.parse().unwrap())),
        ["stale"] => {
            let mut before = Vec::new();
            device(&[], &mut |it| {
                let now = std::mem::replace(&mut before, it.values.clone());
                if before.len() == now.len() {
                    *it.values = now;
                }
            });
        }
        ["device", mode @ ..] => device(mode, &mut |_| {}),
        ["accept", _] => {}
        ["lenient", part, from] => {
            if let Err(error) = load_bytes(&fs::read(from).unwrap(), from)
                && !error.to_string().contains(part)
            {
                eprintln!("error: {error}");
                std::process::exit(1);
            }
        }
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
        ["without", op] => without(module, op),
        ["instead", from, to] => instead(module, from, to),
        ["farther", op] => farther(module, op),
        ["unclustered"] => unclustered(module),
        ["own", op] => own(module, op),
        ["full"] => full(module),
        ["sink", op] => sink(module, op),
        ["merged", op] => merged(module, op),
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

fn without(module: &mut Module, op: &str) {
    for block in module.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        block.instructions.retain(|it| it.class.opname != op);
    }
}

fn instead(module: &mut Module, from: &str, to: &str) {
    let mut table = rspirv::grammar::INSTRUCTION_TABLE.iter();
    let to = table.find(|it| it.opname == to).unwrap().opcode;
    if let Some(it) = instructions(module).find(|it| it.class.opname == from) {
        *it = Instruction::new(to, it.result_type, it.result_id, it.operands.clone());
    }
}

/// A new constant of a type.
fn constant(module: &mut Module, ty: u32, bits: u32) -> u32 {
    let id = module.header.as_ref().unwrap().bound;
    module.header.as_mut().unwrap().bound += 1;
    let operands = vec![Operand::LiteralBit32(bits)];
    let constant = Instruction::new(Op::Constant, Some(ty), Some(id), operands);
    module.types_global_values.push(constant);
    id
}

fn farther(module: &mut Module, op: &str) {
    let values = module.types_global_values.clone();
    let found = instructions(module).find(|it| it.class.opname == op);
    let Some(Operand::IdRef(id)) = found.and_then(|it| it.operands.last().cloned()) else { return };
    let Some(old) = values.iter().find(|it| it.result_id == Some(id)) else { return };
    let [Operand::LiteralBit32(bits)] = old.operands.as_slice() else { return };
    let new = constant(module, old.result_type.unwrap(), bits + 1);
    let found = instructions(module).find(|it| it.class.opname == op).unwrap();
    *found.operands.last_mut().unwrap() = Operand::IdRef(new);
}

fn unclustered(module: &mut Module) {
    let clustered = Operand::GroupOperation(GroupOperation::ClusteredReduce);
    let found = instructions(module).find(|it| it.operands.contains(&clustered));
    if let Some(it) = found {
        it.operands.pop();
        it.operands[1] = Operand::GroupOperation(GroupOperation::Reduce);
    }
}

fn own(module: &mut Module, op: &str) {
    if let Some(it) = instructions(module).find(|it| it.class.opname == op) {
        let value = it.operands[1].clone();
        *it = Instruction::new(Op::CopyObject, it.result_type, it.result_id, vec![value]);
    }
}

fn full(module: &mut Module) {
    let values = module.types_global_values.clone();
    let word = values.iter().find(|it| {
        it.class.opcode == Op::TypeInt
            && it.operands == [Operand::LiteralBit32(32), Operand::LiteralBit32(0)]
    });
    let Some(word) = word.and_then(|it| it.result_id) else { return };
    let ballot = |it: &&mut Instruction| it.class.opcode == Op::GroupNonUniformBallot;
    if instructions(module).find(ballot).is_none() {
        return;
    }
    let parts = [u32::MAX, 0, 0, 0].map(|bits| constant(module, word, bits));
    let it = instructions(module).find(ballot).unwrap();
    let parts = parts.map(Operand::IdRef).to_vec();
    *it = Instruction::new(Op::CompositeConstruct, it.result_type, it.result_id, parts);
}

/// Moves a group instruction into the only block that uses it.
fn sink(module: &mut Module, op: &str) {
    for function in &mut module.functions {
        let blocks = &mut function.blocks;
        for from in 0..blocks.len() {
            for at in 0..blocks[from].instructions.len() {
                let it = &blocks[from].instructions[at];
                let Some(id) = it.result_id.filter(|_| it.class.opname == op) else { continue };
                let uses = |it: &Instruction| it.operands.contains(&Operand::IdRef(id));
                let users: Vec<usize> = (0..blocks.len())
                    .filter(|block| blocks[*block].instructions.iter().any(uses))
                    .collect();
                let [user] = users.as_slice() else { continue };
                let user = &blocks[*user].instructions;
                let phi = user.first().is_some_and(|it| it.class.opcode == Op::Phi);
                if users[0] == from || phi {
                    continue;
                }
                let moved = blocks[from].instructions.remove(at);
                blocks[users[0]].instructions.insert(0, moved);
                return;
            }
        }
    }
}

fn merged(module: &mut Module, op: &str) {
    for function in &mut module.functions {
        // What the first block has computed is there in all others.
        let first: Vec<Instruction> = function.blocks[0]
            .instructions
            .iter()
            .filter(|it| it.class.opname == op)
            .cloned()
            .collect();
        for it in function.blocks.iter_mut().skip(1).flat_map(|block| &mut block.instructions) {
            let like = |other: &&Instruction| {
                other.class.opname == it.class.opname
                    && other.operands == it.operands
                    && other.result_type == it.result_type
            };
            if let Some(like) = first.iter().find(like) {
                let value = Operand::IdRef(like.result_id.unwrap());
                *it = Instruction::new(Op::CopyObject, it.result_type, it.result_id, vec![value]);
                return;
            }
        }
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

/// What a device leaves in the buffer of results.
struct Results<'r> {
    values: &'r mut Vec<Value>,
    lanes: usize,
}

/// One lane's results in all lanes.
fn one_lane(results: &mut Results<'_>, lane: usize) {
    let each = results.values.len() / results.lanes;
    let of_lane = results.values[lane * each..(lane + 1) * each].to_vec();
    for at in 0..results.values.len() {
        results.values[at] = of_lane[at % each].clone();
    }
}

/// A device that first edits the module, and then changes the results. The environment may name the
/// size of its subgroups.
fn device(mode: &[&str], change: &mut dyn FnMut(&mut Results<'_>)) {
    let size = std::env::var("PLANTED_SIZE").map_or(SIZE, |size| size.parse().unwrap());
    let capabilities = [
        "GroupNonUniform",
        "GroupNonUniformBallot",
        "GroupNonUniformVote",
        "GroupNonUniformArithmetic",
        "GroupNonUniformShuffle",
    ];
    let about = json!({ "device": "planted", "subgroup_size": size, "capabilities": capabilities });
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
        let call = EntryCall { program: &program, entry, workgroup, subgroup: size, max: size };
        let memory = read_memory(&inputs).unwrap();
        let left = run_entry(&call, memory, &RunOptions::default(), &mut Zeros).unwrap();
        let mut document = write_memory(&left, &inputs);
        let values = document["bindings"]["0.1"]["values"].as_array_mut().unwrap();
        change(&mut Results { values, lanes: workgroup[0] as usize });
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
