//! Subgroups: sizes, active sets, what each lane holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use laneproof_semantics::denote::{Argument, GroupScope};
use laneproof_semantics::evaluate::{Bits, Memory, Subgroup, Workgroup};
use laneproof_semantics::language::ast::{Operand, OperandType, SpecInstruction};
use laneproof_semantics::{Scalar, Type};

use crate::prepared::{Prepared, has_memory};
use crate::target::CheckedSubject;
use crate::values::{Spread, exponent, index, low, shortened};
use laneproof_generator::{Numbers, mixed};

/// A subgroup of up to `most` lanes that is about to execute an instruction.
///
/// # Errors
///
/// When the bytes do not suffice.
pub fn state(prepared: &Prepared, most: u32, u: &mut Unstructured<'_>) -> Result<Subgroup> {
    let (mut existing, size, max_size) = sizes(most, u)?;
    let mut numbers = Numbers::new(u.arbitrary()?);
    let workgroup = match prepared.form.scope {
        GroupScope::Subgroup => None,
        GroupScope::Workgroup => Some(workgroup(most, &mut numbers)),
    };
    if let Some(Workgroup { size, .. }) = workgroup {
        existing = size.iter().product();
    }
    let mut active = active(existing, &mut numbers);
    if has_memory(prepared) && numbers.once_in(2) {
        // Blocks want all lanes.
        active = if existing == 128 { u128::MAX } else { (1 << existing) - 1 };
    }
    let mut subgroup = Subgroup {
        existing,
        size,
        max_size,
        active,
        workgroup,
        operands: Vec::new(),
        memory: BTreeMap::new(),
    };
    let marked = u.ratio(1, 4)?;
    for operand in 0..prepared.form.arguments.len() {
        let mut lanes = values(prepared, operand, &subgroup, &mut numbers);
        let constant = prepared.form.constants[operand].is_some();
        if marked && !constant && numbers.once_in(2) {
            mark(&mut lanes, &mut numbers);
        }
        subgroup.operands.push(lanes);
    }
    for (operand, argument) in prepared.form.arguments.iter().enumerate() {
        if let Some(memory) = memory(prepared, argument, &subgroup, marked, &mut numbers) {
            subgroup.memory.insert(operand, memory);
        }
    }
    Ok(subgroup)
}

/// What a pointer or image operand leads to: mostly large enough, so that what lies outside is
/// seen sometimes.
fn memory(
    prepared: &Prepared,
    argument: &Argument,
    subgroup: &Subgroup,
    marked: bool,
    numbers: &mut Numbers,
) -> Option<Memory> {
    let content = |scalar: Scalar, count: usize, numbers: &mut Numbers| -> Vec<Bits> {
        let spread = Spread::chosen(scalar, numbers);
        let mut content = vec![
            (0..count).map(|place| Some(spread.value(scalar, place as u32, numbers))).collect(),
        ];
        if marked && numbers.once_in(2) {
            mark(&mut content, numbers);
        }
        content.remove(0)
    };
    match argument {
        Argument::Pointer(ty) => {
            let scalar = ty.element()?;
            // How many scalars a lane moves: that of a vector, by the stride of a block.
            let leaves = |it: &Argument| match it {
                Argument::Value(ty) => ty.leaf_count(),
                _ => 1,
            };
            let result = prepared.form.result.as_ref().map_or(1, Type::leaf_count);
            let moved = prepared.form.arguments.iter().map(leaves).fold(result, usize::max);
            let scope = |it: &Argument| matches!(it, Argument::Enumerant(_));
            let atomic = prepared.form.arguments.iter().any(scope);
            let wanted = match atomic {
                true => 1 + numbers.below(4) as usize,
                false => subgroup.existing as usize + (moved - 1) * subgroup.max_size as usize,
            };
            let first = match numbers.below(6) {
                _ if atomic => 0,
                0 => numbers.below(9) as u32,
                1..=3 => 16 * numbers.below(3) as u32,
                _ => 0,
            };
            let apart = numbers.once_in(if atomic { 2 } else { 8 });
            // Now and then a pointer leads past the end.
            let own = if atomic { wanted as u64 + 4 * u64::from(numbers.once_in(6)) } else { 17 };
            let pointers: Vec<u32> = (0..subgroup.existing)
                .map(|_| first + if apart { numbers.below(own) as u32 } else { 0 })
                .collect();
            let spare = numbers.below(20) as usize;
            let room = first as usize + if apart && !atomic { 17 } else { 0 };
            let count = (wanted + room + spare.min(3)).saturating_sub(usize::from(spare == 19));
            let elements = content(scalar, count.max(1), numbers);
            Some(Memory::Buffer { address: 0, elements, pointers })
        }
        Argument::Image => {
            let lanes = u64::from(subgroup.existing);
            let width = 1 + numbers.below(2 * lanes + 3) as u32;
            let height = 1 + numbers.below(6) as u32;
            let count = (width * height) as usize;
            let words = content(Scalar::uint(32), count, numbers);
            Some(Memory::Image { width, height, words, texels: width, texel_bytes: 4 })
        }
        _ => None,
    }
}

/// Byte and row of an image block, the same in all lanes or not: mostly near the image.
fn coordinates(subgroup: &Subgroup, numbers: &mut Numbers) -> Vec<Vec<Bits>> {
    let coordinate = |numbers: &mut Numbers| {
        let reach = 8 * u64::from(subgroup.existing) + 16;
        let x = match numbers.below(10) {
            0..=5 => 4 * numbers.below(reach / 4),
            6 | 7 => numbers.below(reach),
            8 => (4 * numbers.below(reach)).wrapping_neg(),
            _ => index(32, (subgroup.size, subgroup.max_size), numbers),
        };
        let y = match numbers.below(8) {
            0..=5 => numbers.below(6),
            6 => numbers.below(9).wrapping_neg(),
            _ => numbers.bits(),
        };
        vec![Some(low(x, 32)), Some(low(y, 32))]
    };
    if numbers.once_in(6) {
        return (0..subgroup.existing).map(|_| coordinate(numbers)).collect();
    }
    vec![coordinate(numbers); subgroup.existing as usize]
}

/// What computing with an undefined scalar draws, by operand of the module's instruction: any
/// number will do that both engines find again.
pub fn drawn(operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
    let place = (operand as u64) << 48 | (leaf as u64) << 32 | u64::from(lane);
    // Small numbers often: an index that is drawn should sometimes be of use.
    let bits = mixed(place.wrapping_add(0x5eed));
    low(if bits >> 63 == 0 { bits & 3 } else { bits }, width)
}

fn sizes(most: u32, u: &mut Unstructured<'_>) -> Result<(u32, u32, u32)> {
    let most = most.clamp(1, 128);
    let power = u.int_in_range(0..=most.ilog2())?;
    let mut size = 1 << power;
    if u.ratio(1, 8)? {
        size = u.int_in_range(1..=size)?;
    }
    let max = match u.int_in_range(0..=7)? {
        0..=3 => size,
        4 | 5 => (2 * size).min(most),
        6 => most,
        _ => u.int_in_range(size..=most)?,
    };
    let existing = if u.ratio(1, 4)? { u.int_in_range(1..=size)? } else { size };
    Ok((existing, size, max))
}

/// A workgroup of up to `most` invocations, and a grid around it.
fn workgroup(most: u32, numbers: &mut Numbers) -> Workgroup {
    let mut left = u64::from(most.clamp(1, 128));
    let mut size = [1; 3];
    for axis in &mut size {
        // Often the workgroup has one axis, and often all of them.
        let along = if numbers.once_in(4) { left } else { 1 + numbers.below(left) };
        *axis = along as u32;
        left /= along;
    }
    let count = [0; 3].map(|_| {
        let most = if numbers.once_in(4) { u64::from(u32::MAX) } else { 5 };
        1 + numbers.below(most) as u32
    });
    let mut axis = |number: u32| numbers.below(u64::from(number)) as u32;
    let id = count.map(&mut axis);
    let offset = [0; 3].map(|_: u32| axis(u32::MAX));
    Workgroup { size, id, enqueued: size, count, offset, dimensions: 1 + axis(3) }
}

/// A nonempty set of existing lanes.
fn active(existing: u32, numbers: &mut Numbers) -> u128 {
    let all = if existing == 128 { u128::MAX } else { (1 << existing) - 1 };
    let lane = numbers.below(u64::from(existing)) as u32;
    let alternating = u128::MAX / 3;
    let set = match numbers.below(10) {
        0..=2 => all,
        3 => 1 << lane,
        4 => all & !(1 << lane),
        5 => all >> lane,
        6 => all << lane & all,
        7 => alternating << (lane & 1) & all,
        _ => numbers.lanes() & all,
    };
    if set == 0 { 1 << lane } else { set }
}

/// An operand's leaves in each existing lane.
fn values(
    prepared: &Prepared,
    operand: usize,
    subgroup: &Subgroup,
    numbers: &mut Numbers,
) -> Vec<Vec<Bits>> {
    let form = &prepared.form;
    let all = |bits: u64| vec![vec![Some(bits)]; subgroup.existing as usize];
    if let Some(bits) = form.constants[operand] {
        return all(bits);
    }
    let CheckedSubject::Instruction(instruction) = &form.target.subject else { return Vec::new() };
    let declared = &instruction.operands[operand];
    // An index counts the lanes of the group.
    let group = if subgroup.workgroup.is_some() { subgroup.existing } else { subgroup.size };
    match (&form.arguments[operand], &declared.ty) {
        (Argument::Value(_), _) if &*declared.name == "Coordinate" => {
            coordinates(subgroup, numbers)
        }
        (Argument::Value(_), OperandType::Ballot) => ballots(subgroup, numbers),
        (Argument::Value(Type::Scalar(scalar)), OperandType::Int(_) | OperandType::AnyInt)
            if !declared.each =>
        {
            let sizes = (group, subgroup.max_size.max(group));
            if !numbers.once_in(3) {
                return all(index(scalar.width(), sizes, numbers));
            }
            (0..subgroup.existing)
                .map(|_| vec![Some(index(scalar.width(), sizes, numbers))])
                .collect()
        }
        (Argument::Value(ty), OperandType::Variable(name)) if local_id(instruction, name) => {
            let size = subgroup.workgroup.map_or([group, 1, 1], |it| it.size);
            let linear = ty.leaf_count() == 1 && numbers.once_in(2);
            let scalars = ty.leaves().into_iter().zip(size);
            let id: Vec<Bits> = scalars
                .map(|(scalar, along)| {
                    let bound = if linear { group } else { along };
                    Some(low(numbers.below(u64::from(bound) + 1), scalar.width()))
                })
                .collect();
            let mut lanes = vec![id; subgroup.existing as usize];
            if numbers.once_in(8) {
                let lane = numbers.below(u64::from(subgroup.existing)) as usize;
                lanes[lane][0] = Some(low(numbers.bits(), ty.leaves()[0].width()));
            }
            lanes
        }
        (Argument::Value(ty), OperandType::Variable(name)) if declared.each => {
            let mut lanes = data(&ty.leaves(), subgroup.existing, numbers);
            let scalar = ty.element().filter(|it| it.is_int());
            if let (Some(scalar), true) = (scalar, numbers_beside(instruction, name)) {
                lanes.iter_mut().flatten().for_each(|it| *it = Some(exponent(scalar, numbers)));
            } else if let (Some(scalar), true) = (scalar, only(instruction, name, "u32")) {
                lanes.iter_mut().flatten().for_each(|it| {
                    *it = it.map(|bits| shortened(bits, scalar.width(), numbers));
                });
            }
            lanes
        }
        (Argument::Value(ty), _) => data(&ty.leaves(), subgroup.existing, numbers),
        (Argument::Values(types), _) => {
            let leaves: Vec<Scalar> = types.iter().flat_map(Type::leaves).collect();
            data(&leaves, subgroup.existing, numbers)
        }
        _ => Vec::new(),
    }
}

/// An operand of this type names a lane: integers, and not what the result is made of.
fn local_id(instruction: &SpecInstruction, variable: &Arc<str>) -> bool {
    let own = |ty: &OperandType| matches!(ty, OperandType::Variable(name) if name == variable);
    let mut rules = instruction.type_rules.iter();
    instruction.operands.iter().any(Operand::names_group)
        && !instruction.result.as_ref().is_some_and(own)
        && rules.any(|rule| rule.variable == *variable && *rule.elements == ["int".into()])
}

/// What the operands of this type hold, the document says in one word.
fn only(instruction: &SpecInstruction, variable: &str, element: &str) -> bool {
    let mut rules = instruction.type_rules.iter();
    rules.any(|rule| &*rule.variable == variable && *rule.elements == [element.into()])
}

/// An operand of integers beside one of numbers, which the result is, too: an exponent.
fn numbers_beside(instruction: &SpecInstruction, variable: &str) -> bool {
    instruction.result.as_ref().is_some_and(|result| {
        let beside = instruction.operands.iter().any(|operand| operand.ty == *result);
        beside
            && matches!(result, OperandType::Variable(own)
                if &**own != variable && only(instruction, own, "float"))
    })
}

fn data(leaves: &[Scalar], existing: u32, numbers: &mut Numbers) -> Vec<Vec<Bits>> {
    let Some(first) = leaves.first() else { return vec![Vec::new(); existing as usize] };
    let shared = Spread::chosen(*first, numbers);
    let alike = leaves.iter().all(|leaf| leaf == first) && numbers.once_in(2);
    let spreads: Vec<Spread> = leaves
        .iter()
        .map(|leaf| if alike { shared.clone() } else { Spread::chosen(*leaf, numbers) })
        .collect();
    (0..existing)
        .map(|lane| {
            let scalars = leaves.iter().zip(&spreads);
            scalars.map(|(leaf, spread)| Some(spread.value(*leaf, lane, numbers))).collect()
        })
        .collect()
}

/// Ballots: the same in all lanes, a partition of the active lanes, one that is almost a
/// partition, or anything. Bits of lanes that do not exist are garbage.
fn ballots(subgroup: &Subgroup, numbers: &mut Numbers) -> Vec<Vec<Bits>> {
    let existing = subgroup.existing;
    let sparse = |numbers: &mut Numbers| match numbers.below(4) {
        0 => numbers.lanes(),
        1 => 1 << numbers.below(128),
        2 => numbers.lanes() & numbers.lanes() & numbers.lanes(),
        _ => subgroup.active,
    };
    let unused = if existing == 128 { 0 } else { u128::MAX << existing };
    let shared = numbers.lanes() & unused;
    let own = numbers.once_in(2);
    let garbage = |numbers: &mut Numbers| if own { numbers.lanes() & unused } else { shared };
    let masks: Vec<u128> = match numbers.below(8) {
        0 => vec![sparse(numbers); existing as usize],
        1 => (0..existing).map(|_| sparse(numbers)).collect(),
        kind => {
            let subsets = 1 + numbers.below(4);
            let labels: Vec<u64> = (0..existing).map(|_| numbers.below(subsets)).collect();
            let foreign = numbers.lanes() & !subgroup.active;
            let subset = |lane: usize| {
                let own = (0..existing as usize).filter(|&other| labels[other] == labels[lane]);
                own.fold(0u128, |set, other| set | 1 << other)
            };
            let mut masks: Vec<u128> = (0..existing as usize)
                .map(|lane| {
                    let others = mixed(labels[lane]);
                    let others = u128::from(others) << 64 | u128::from(others);
                    let lanes = if existing == 128 { u128::MAX } else { (1 << existing) - 1 };
                    subset(lane) & subgroup.active | foreign & others & lanes | garbage(numbers)
                })
                .collect();
            if kind == 2 {
                let lane = numbers.below(u64::from(existing)) as usize;
                masks[lane] ^= 1 << numbers.below(u64::from(existing));
            }
            masks
        }
    };
    masks
        .into_iter()
        .map(|mask| (0..4).map(|word| Some((mask >> (32 * word)) as u64 & 0xffff_ffff)).collect())
        .collect()
}

/// Makes some scalars undefined values.
fn mark(lanes: &mut [Vec<Bits>], numbers: &mut Numbers) {
    let often = 1 + numbers.below(6);
    for leaf in lanes.iter_mut().flatten() {
        if numbers.once_in(often) {
            *leaf = None;
        }
    }
}
