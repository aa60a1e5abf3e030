//! A litmus test as a person reads it.

use std::fmt::Write as _;

use laneproof_forms::Held;
use laneproof_semantics::evaluate::{Bits, Memory};

use super::{Lane, Litmus, Prediction, Tells, UNTOUCHED};
use crate::finding::{Finding, Scene};

pub(super) fn readme(
    litmus: &Litmus,
    finding: &Finding,
    scene: &Scene,
    operands: &[Held],
) -> String {
    let mut out = format!("# {}\n\n{}\n\n", finding.id, finding.summary);
    let clauses: Vec<String> = finding.clauses.iter().map(|it| format!("`{it}`")).collect();
    if !clauses.is_empty() {
        let _ = writeln!(out, "Clauses: {}.\n", clauses.join(", "));
    }
    let _ = writeln!(out, "## State\n\n`{}`. {}\n", scene.instruction.name, sizes(litmus));
    out += &table(litmus, scene, operands);
    out += &running(litmus);
    out += "\n## What the outcomes mean\n\n";
    for prediction in &litmus.predictions {
        let predicted = litmus.in_its_words(&predicted(prediction));
        let _ = writeln!(out, "- **{}**: {predicted}", prediction.name);
        let otherwise = prediction.otherwise.iter();
        let otherwise = otherwise.map(|it| format!("{} as {}", it.reading, it.way));
        let otherwise: Vec<String> = otherwise.collect();
        if !otherwise.is_empty() {
            let _ = writeln!(
                out,
                "  Something else, listed in `readings.json`, if a reader takes {}.",
                otherwise.join(", or ")
            );
        }
    }
    out.push('\n');
    out += &litmus.in_its_words(&verdict(litmus));
    out
}

impl Litmus {
    /// Replaces lanes by elements in a text, if these are observed.
    fn in_its_words(&self, text: &str) -> String {
        match self.written {
            Some(_) => text.replace("lane ", "element ").replace("Lane ", "Element "),
            None => text.to_owned(),
        }
    }
}

fn sizes(litmus: &Litmus) -> String {
    let subgroup = &litmus.subgroup;
    let (size, max_size, existing) = (subgroup.size, subgroup.max_size, subgroup.existing);
    match litmus.rank {
        Some(0) => format!("A full subgroup of {size} lanes."),
        Some(1) => format!(
            "A workgroup of {existing} invocations in a subgroup of {size} lanes: no full subgroup \
             shows it."
        ),
        Some(_) => format!(
            "A subgroup of {size} lanes where SubgroupMaxSize is {max_size}: only where the two \
             differ does it show, as in a workgroup smaller than a subgroup where SubgroupSize \
             tells how many lanes there are."
        ),
        None => format!(
            "**No state of the size that was asked for shows it.** This one has SubgroupSize \
             {size}, SubgroupMaxSize {max_size} and {existing} existing lanes: hardly a machine has \
             such sizes, and a run on another one tells nothing."
        ),
    }
}

/// Operands, lane by lane, where lanes differ; the others in a sentence.
fn table(litmus: &Litmus, scene: &Scene, operands: &[Held]) -> String {
    let mut out = String::new();
    let subgroup = &litmus.subgroup;
    for (place, held) in operands.iter().enumerate() {
        let number = super::FIRST_OPERAND + place;
        out += &match *held {
            Held::Memory(operand) => memory(litmus, scene, operand, number),
            Held::Place(operand) => places(litmus, scene, operand, number),
            Held::Value(_) => continue,
        };
    }
    for (operand, held) in subgroup.operands.iter().enumerate() {
        let Some(first) = held.first() else { continue };
        let name = &scene.instruction.operands[operand].name;
        let place = match operands.iter().position(|it| *it == Held::Value(operand)) {
            Some(place) => format!("buffer {}", super::FIRST_OPERAND + place),
            None => "a constant".to_owned(),
        };
        let same = held.iter().all(|lane| lane == first);
        let shown =
            if same { format!("{} in all lanes", words(first)) } else { runs(held).join("; ") };
        let _ = writeln!(out, "- {name} ({place}): {shown}");
    }
    let idle: Vec<String> = (0..subgroup.existing)
        .filter(|lane| subgroup.active >> lane & 1 == 0)
        .map(|lane| lane.to_string())
        .collect();
    if !idle.is_empty() {
        let _ = writeln!(out, "- Lanes that do not execute the instruction: {}", idle.join(", "));
    }
    out
}

/// What an operand leads to.
fn memory(litmus: &Litmus, scene: &Scene, operand: usize, number: usize) -> String {
    let name = &scene.instruction.operands[operand].name;
    let cells = |cells: &[Bits]| {
        let cells: Vec<Vec<Bits>> = cells.iter().map(|cell| vec![*cell]).collect();
        runs(&cells).join("; ").replace("lane ", "")
    };
    match litmus.subgroup.memory.get(&operand) {
        Some(Memory::Buffer { elements, .. }) => {
            format!("- What {name} leads to (buffer {number}): element {}\n", cells(elements))
        }
        Some(Memory::Image { width, height, words, .. }) => {
            let mut out = format!(
                "- {name} (argument {number}): {height} rows of {width} elements of four bytes\n"
            );
            for (row, words) in words.chunks((*width).max(1) as usize).enumerate() {
                let _ = writeln!(out, "  - row {row}: element {}", cells(words));
            }
            out
        }
        None => String::new(),
    }
}

/// Where lanes' pointers lead.
fn places(litmus: &Litmus, scene: &Scene, operand: usize, number: usize) -> String {
    let name = &scene.instruction.operands[operand].name;
    let Some(Memory::Buffer { pointers, .. }) = litmus.subgroup.memory.get(&operand) else {
        return String::new();
    };
    let held: Vec<Vec<Bits>> = pointers.iter().map(|it| vec![Some(u64::from(*it))]).collect();
    format!("- The element that {name} points to (buffer {number}): {}\n", runs(&held).join("; "))
}

fn words(leaves: &[Bits]) -> String {
    let word = |bits: &Bits| match bits {
        Some(bits) if *bits < 100_000 => bits.to_string(),
        Some(bits) => format!("{bits:#x}"),
        None => "anything".to_owned(),
    };
    match leaves {
        [one] => word(one),
        all => format!("({})", all.iter().map(word).collect::<Vec<_>>().join(" ")),
    }
}

fn running(litmus: &Litmus) -> String {
    let subgroup = &litmus.subgroup;
    let (size, max_size) = (subgroup.size, subgroup.max_size);
    let shader = litmus.inputs.get("bindings").is_some();
    let buffers = if shader {
        "One workgroup; storage buffers by set.binding as in `inputs.json`, each an array of 32-bit \
         words. The results are binding 0.0, SubgroupSize as each lane sees it is 0.1."
    } else {
        match litmus.written {
            None => {
                "One workgroup; the arguments are as in `inputs.json`, buffers of 32-bit words. The \
                 results are the first one, SubgroupSize as each lane sees it is the second."
            }
            Some(_) => {
                "One workgroup; the arguments are as in `inputs.json`, buffers of 32-bit words. What \
                 is written is the first operand's, SubgroupSize as each lane sees it is the second \
                 argument."
            }
        }
    };
    format!(
        "\n## How to run it\n\n```\nlaneproof run module.spvasm --inputs inputs.json --subgroup-size \
         {size} --max-size {max_size}\n```\n\nElsewhere: `module.spvasm` is valid for {}. {buffers} \
         A run counts only if every lane saw a SubgroupSize of {size}. A result that is still \
         {UNTOUCHED:#x} was not written.\n",
        litmus.environment
    )
}

fn predicted(prediction: &Prediction) -> String {
    if prediction.is_anything() {
        return "anything can happen: behavior is undefined".to_owned();
    }
    let mut groups: Vec<(&str, Vec<u32>)> = Vec::new();
    let mut values: Vec<Shown<'_>> = Vec::new();
    for (lane, given) in (0..).zip(&prediction.lanes) {
        let word = match given {
            Lane::NotActive => continue,
            Lane::Several => "one of several values, as the other lanes' results are",
            Lane::Unsaid => "anything, as the text does not say",
            Lane::UndefinedBehavior => "anything",
            Lane::Value(leaves) if leaves.iter().all(Option::is_none) => {
                "anything, as the value is undefined"
            }
            Lane::Value(leaves) => {
                values.push((lane, leaves));
                continue;
            }
        };
        match groups.iter_mut().find(|(known, _)| *known == word) {
            Some((_, lanes)) => lanes.push(lane),
            None => groups.push((word, vec![lane])),
        }
    }
    let mut parts = runs_of(&values);
    parts.extend(groups.iter().map(|(word, lanes)| format!("lane {}: {word}", ranges(lanes))));
    parts.join("; ")
}

/// A lane and the leaves that it has.
type Shown<'h> = (u32, &'h [Bits]);

fn runs(held: &[Vec<Bits>]) -> Vec<String> {
    let lanes: Vec<Shown<'_>> = (0..).zip(held.iter().map(Vec::as_slice)).collect();
    runs_of(&lanes)
}

/// Neighbors that have the same value, or values that count up as they do, in one.
fn runs_of(lanes: &[Shown<'_>]) -> Vec<String> {
    let follows = |a: &[Bits], b: &[Bits], step: u64| {
        step == 0 && a == b
            || a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| a.is_some_and(|a| a.checked_add(step) == *b))
    };
    let mut runs: Vec<(&[Shown<'_>], u64)> = Vec::new();
    let mut start = 0;
    for end in 1..=lanes.len() {
        let here = &lanes[start..end];
        let step = match here {
            [(_, a), (_, b), ..] if follows(a, b, 1) => 1,
            _ => 0,
        };
        let goes_on = lanes.get(end).is_some_and(|(lane, value)| {
            let (last, before) = here[here.len() - 1];
            let fits = |step| follows(before, value, step);
            *lane == last + 1 && if here.len() == 1 { fits(0) || fits(1) } else { fits(step) }
        });
        if !goes_on {
            runs.push((here, step));
            start = end;
        }
    }
    let shown = |(run, step): &(&[Shown<'_>], u64)| match run {
        [] => String::new(),
        [(lane, value)] => format!("lane {lane}: {}", words(value)),
        [(first, value), .., (last, _)] if *step == 0 => {
            format!("lane {first}-{last}: {}", words(value))
        }
        [(first, value), .., (last, other)] => {
            format!("lane {first}-{last}: {} to {}", words(value), words(other))
        }
    };
    runs.iter().map(shown).collect()
}

/// `0-3, 7`
fn ranges(lanes: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &lane in lanes {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == lane => *last = lane,
            _ => runs.push((lane, lane)),
        }
    }
    let shown = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn verdict(litmus: &Litmus) -> String {
    let mut out = String::new();
    for Tells { readings: [one, other], lanes, anyway } in litmus.tells() {
        let presumed = match anyway {
            true => "",
            false => ", if all other sentences are read as above",
        };
        let _ =
            writeln!(out, "Lane {} tells **{one}** from **{other}**{presumed}.", ranges(&lanes));
    }
    let open = litmus.open();
    for prediction in litmus.predictions.iter().filter(|it| !it.is_anything()) {
        let known = |lane: &u32| prediction.lanes.get(*lane as usize).is_some_and(Lane::is_known);
        let lanes: Vec<u32> = open.iter().copied().filter(known).collect();
        if !lanes.is_empty() {
            let _ = writeln!(
                out,
                "Lane {} refutes **{}** where it holds something else.",
                ranges(&lanes),
                prediction.name
            );
        }
    }
    if !open.is_empty() {
        let _ = writeln!(
            out,
            "In lane {} some reading allows anything: what comes there is what the implementation \
             makes of it, and refutes no such reading.",
            ranges(&open)
        );
    }
    out
}
