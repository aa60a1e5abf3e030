//! Phis in a function that has none: in some blocks one or two, of parameters and constants, and where an
//! edge leads back to a loop's header, of each other.

use std::collections::HashMap;
use std::fmt::Write;

use crate::numbers::Numbers;

/// The blocks of a function from which each block is reached, in the order of the text.
fn predecessors<'t>(text: &'t str, entry: &'t str) -> HashMap<&'t str, Vec<&'t str>> {
    let mut found: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut here = entry;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let targets = match words[..] {
            [label, "=", "OpLabel"] => {
                here = label;
                continue;
            }
            ["OpBranch", target] => vec![target],
            ["OpBranchConditional", _, then, otherwise] => vec![then, otherwise],
            ["OpSwitch", _, ref targets @ ..] => {
                targets.iter().copied().filter(|word| word.starts_with('%')).collect()
            }
            _ => continue,
        };
        for target in targets {
            let known = found.entry(target).or_default();
            if !known.contains(&here) {
                known.push(here);
            }
        }
    }
    found
}

/// The text of a function's body with phis; names begin with `prefix`, which is the function's own.
pub(super) fn with_phis(numbers: &mut Numbers, text: &str, prefix: &str) -> String {
    let entry = format!("%{prefix}entry");
    let predecessors = predecessors(text, &entry);
    let mut place: HashMap<&str, usize> = HashMap::from([(&*entry, 0)]);
    let labels = text.lines().filter_map(|line| line.strip_suffix(" = OpLabel"));
    place.extend(labels.enumerate().map(|(number, label)| (label, number + 1)));
    let plain =
        [format!("%{prefix}x"), format!("%{prefix}y"), "%u1".into(), "%u2".into(), "%u5".into()];
    let (mut out, mut count) = (String::new(), 0);
    for line in text.lines() {
        let _ = writeln!(out, "{line}");
        let Some(label) = line.strip_suffix(" = OpLabel") else { continue };
        let Some(from) = predecessors.get(label) else { continue };
        if numbers.below(3) == 0 {
            continue;
        }
        let phis: Vec<String> =
            (0..=numbers.below(2)).map(|number| format!("%{prefix}phi{count}_{number}")).collect();
        for phi in &phis {
            let _ = write!(out, "{phi} = OpPhi %uint");
            for before in from {
                let back = place[before] >= place[label];
                let values: Vec<&String> =
                    plain.iter().chain(phis.iter().filter(|_| back)).collect();
                let value = values[numbers.below(values.len() as u64) as usize];
                let _ = write!(out, " {value} {before}");
            }
            out.push('\n');
        }
        for (number, phi) in phis.iter().enumerate() {
            let [held, sum] = ["held", "sum"].map(|it| format!("%{prefix}{it}{count}_{number}"));
            let _ = writeln!(
                out,
                "{held} = OpLoad %uint %{prefix}v\n{sum} = OpIAdd %uint {held} {phi}\n\
                 OpStore %{prefix}v {sum}"
            );
        }
        count += 1;
    }
    out
}
