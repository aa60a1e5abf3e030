//! Families in styles, as GLSL.

use std::hash::{DefaultHasher, Hasher as _};

use crate::family::{FAMILIES, Family};
use crate::style::{ActivityAssumption, Ballots, Guard, LoopShape, Payload, Style};
use crate::write::Writer;

/// One cell in this many is set aside.
const PARTS: u64 = 5;

/// Which cells are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// Those to work with.
    Open,
    /// Those set aside, to measure only.
    Aside,
    /// Both.
    All,
}

/// A lowering, or a wrong one.
#[derive(Clone, Debug)]
pub struct LoweringInstance {
    /// The family.
    pub family: &'static str,
    /// How it is written.
    pub style: Style,
    /// Operator and type.
    pub of: String,
    /// 0: it is right.
    pub variant: usize,
    /// The module.
    pub text: String,
    /// The sizes that it is about.
    pub sizes: Vec<u32>,
}

impl LoweringInstance {
    /// Its name.
    pub fn name(&self) -> String {
        let twin =
            if self.variant == 0 { String::new() } else { format!("/wrong-{}", self.variant) };
        format!("{}/{}/{}{twin}", self.family, self.style, self.of)
    }
}

const EXTENSIONS: &str = "#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
";
const FULL: &str = "assumeEXT(subgroupBallotBitCount(subgroupBallot(true)) == gl_SubgroupSize);\n";

/// Right instances and wrong ones of the selected cells, operators and types picked by `seed`.
pub fn instances(seed: u64, selected: Selected, sizes: &[u32]) -> Vec<LoweringInstance> {
    let mut all = Vec::new();
    for family in FAMILIES {
        for style in styles(family) {
            let picked = hash((seed, family.name, style));
            let aside = picked % PARTS == 0;
            if (selected == Selected::Open && aside) || (selected == Selected::Aside && !aside) {
                continue;
            }
            let pick = |salt: u64, length: usize| (hash((picked, salt)) % length as u64) as usize;
            let operator = family.operators[pick(0, family.operators.len())];
            // The first type is the most used one.
            let payload = match pick(1, 2) {
                0 => family.payloads[0],
                _ => family.payloads[pick(2, family.payloads.len())],
            };
            let Some(&size) = sizes.get(pick(3, sizes.len().max(1))) else { continue };
            let writer = Writer { style, operator, payload, size };
            let sizes = if style.shape == LoopShape::BySize { sizes.to_vec() } else { vec![size] };
            for variant in 0..3 {
                all.push(LoweringInstance {
                    family: family.name,
                    style,
                    of: format!("{}-{}", operator.name(), payload.name()),
                    variant,
                    text: text(family, &writer, variant),
                    sizes: sizes.clone(),
                });
            }
        }
    }
    all
}

fn hash(value: impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish() >> 3
}

/// The styles that a family is written in.
fn styles(family: &Family) -> Vec<Style> {
    let uses = family.uses;
    let entries: &[ActivityAssumption] = match uses.full {
        true => &[ActivityAssumption::Option, ActivityAssumption::Assumption],
        false => &[ActivityAssumption::Any],
    };
    let guards: &[Guard] = match uses.guard {
        true => &[Guard::Select, Guard::Branch, Guard::Mask],
        false => &[Guard::Select],
    };
    let shapes: &[LoopShape] = match uses.shape {
        true => &[LoopShape::BySize, LoopShape::ByConstant, LoopShape::Unrolled],
        false => &[LoopShape::BySize],
    };
    let ballots: &[Ballots] = match uses.ballots {
        true => &[Ballots::Whole, Ballots::Words],
        false => &[Ballots::Whole],
    };
    let helpers: &[bool] = if uses.operator { &[false, true] } else { &[false] };
    let mut styles = Vec::new();
    for &entry in entries {
        for &guard in guards {
            for &shape in shapes {
                for &ballots in ballots {
                    for &helper in helpers {
                        styles.push(Style { entry, guard, shape, ballots, helper });
                    }
                }
            }
        }
    }
    styles
}

fn text(family: &Family, writer: &Writer, variant: usize) -> String {
    let text = (family.write)(writer, variant);
    let mut extensions = EXTENSIONS.to_owned();
    for (payload, width) in [(Payload::Uint64, "64"), (Payload::Uint16, "16")] {
        if writer.payload == payload {
            extensions += &format!(
                "#extension GL_EXT_shader_explicit_arithmetic_types_int{width} : require\n\
                 #extension GL_EXT_shader_subgroup_extended_types_int{width} : require\n"
            );
        }
    }
    let assumption = match writer.style.entry {
        ActivityAssumption::Assumption => FULL,
        ActivityAssumption::Any | ActivityAssumption::Option => "",
    };
    if !assumption.is_empty() || text.source.contains("assumeEXT") {
        extensions += "#extension GL_EXT_expect_assume : require\n";
    }
    let (result, parameters) = (&text.result, &text.parameters);
    format!(
        "{extensions}{}{result} src({parameters}) {{\n{assumption}{}}}\n\
         {result} tgt({parameters}) {{\n{}}}\n",
        writer.helpers(),
        text.source,
        text.target,
    )
}
