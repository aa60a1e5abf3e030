//! Families in styles.

use std::collections::BTreeSet;

use crate::detour::Detour;
use crate::families::families;
use crate::family::{Family, Kind};
use crate::form::{Form, Index};
use crate::number::hash;
use crate::plan::styles;
use crate::shader::erase::skeleton;
use crate::shader::visit::any_of;
use crate::shader::{Expr, Function, Module, parse};
use crate::style::{ActivityAssumption, LoopShape, Operator, Payload, Style};
use crate::text::Text;
use crate::through::{SPELLINGS, assumed};
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
    /// What it is about.
    pub kinds: BTreeSet<Kind>,
    /// How it is written.
    pub style: Style,
    /// Operator and type.
    pub of: String,
    /// 0: it is right.
    pub variant: usize,
    /// The module, or those of the source and the target.
    pub texts: Vec<String>,
    /// What is left of it without operators, widths, sizes and constants.
    pub skeleton: String,
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

    /// A number by which instances are picked and shared out, the same in every process.
    pub fn number(&self) -> u64 {
        hash(self.name())
    }

    /// The names of its files, and what is in them.
    pub fn files(&self) -> Vec<(String, &str)> {
        let name = self.name().replace('/', "_");
        let extension = self.style.form.extension();
        let sides: &[&str] = if self.texts.len() == 1 { &[""] } else { &["_source", "_target"] };
        let names = sides.iter().map(|side| format!("{name}{side}.{extension}"));
        names.zip(self.texts.iter().map(String::as_str)).collect()
    }
}

/// Right instances and wrong ones of the selected cells, operators and types picked by `seed`. No
/// two right ones have the same skeleton.
pub fn instances(seed: u64, selected: Selected, sizes: &[u32]) -> Vec<LoweringInstance> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    for family in families() {
        for style in styles(family, seed) {
            let picked = hash((seed, family.name, style));
            let aside = picked % PARTS == 0;
            let Some(three) = of_cell(family, style, picked, sizes) else { continue };
            if !seen.insert(three[0].skeleton.clone()) {
                continue;
            }
            if match selected {
                Selected::Open => !aside,
                Selected::Aside => aside,
                Selected::All => true,
            } {
                all.extend(three);
            }
        }
    }
    all
}

/// Workgroups have so many invocations, or as many as the largest subgroup has lanes.
const WORKGROUP: u32 = 64;

/// The right instance of a cell, and the wrong ones; `None` where the style is none of the family.
fn of_cell(
    family: &'static Family,
    style: Style,
    picked: u64,
    sizes: &[u32],
) -> Option<Vec<LoweringInstance>> {
    let pick = |salt: u64, length: usize| (hash((picked, salt)) % length as u64) as usize;
    let size = *sizes.get(pick(3, sizes.len().max(1)))?;
    // The first type is the most used one.
    let payload = match pick(1, 2) {
        0 => family.payloads[0],
        _ => family.payloads[pick(2, family.payloads.len())],
    };
    let (payload, operators) = match style.detour {
        Detour::Direct => (payload, family.operators.to_vec()),
        detour => detour.of(family)?,
    };
    let operator = operators[pick(0, operators.len())];
    let writer = Writer { style, operator, payload, size };
    let sizes = if style.shape == LoopShape::BySize { sizes.to_vec() } else { vec![size] };
    let mut all = Vec::new();
    // Larger subgroups would never be full.
    let invocations = sizes.iter().copied().fold(WORKGROUP, u32::max);
    let at = if pick(4, 2) == 0 { Index::Local } else { Index::Global };
    for variant in 0..3 {
        let module = module(family, &writer, variant, pick(5, SPELLINGS))?;
        all.push(LoweringInstance {
            family: family.name,
            kinds: kinds(family, style, operator, payload),
            style,
            of: format!("{}-{}", operator.name(), payload.name()),
            variant,
            texts: style.form.texts(&module, at, invocations)?,
            skeleton: format!("{}\n{}", style.form, skeleton(&module)),
            sizes: sizes.clone(),
        });
    }
    Some(all)
}

fn kinds(family: &Family, style: Style, operator: Operator, payload: Payload) -> BTreeSet<Kind> {
    let mut kinds = BTreeSet::from([family.uses.kind]);
    if style.entry == ActivityAssumption::Assumption {
        kinds.insert(Kind::Assumptions);
    }
    let is_word = matches!(payload, Payload::Uint | Payload::Int);
    let multiplies = family.uses.operator && operator == Operator::Mul;
    if !is_word || multiplies || style.detour != Detour::Direct {
        kinds.insert(Kind::Widths);
    }
    if !matches!(style.form, Form::Functions | Form::Assembly | Form::WgslFunctions) {
        kinds.insert(Kind::Memory);
    }
    kinds
}

/// The claim of a family in a style.
fn module(family: &Family, writer: &Writer, variant: usize, spelling: usize) -> Option<Module> {
    let style = writer.style;
    if style.form == Form::Optimized && !family.uses.optimizer {
        return None;
    }
    let mut module = match style.detour.writer(writer) {
        None => rewritten(style, parsed(writer, (family.write)(writer, variant)))?,
        Some(inner) => {
            let text = (family.write)(writer, 0);
            // It takes the one value that is reduced, and gives one.
            let ty = writer.ty();
            if text.result != ty || text.parameters != format!("{ty} x") {
                return None;
            }
            let source = parsed(writer, text).source;
            let inner = parsed(&inner, (family.write)(&inner, variant));
            style.detour.join(source, rewritten(style, inner)?, writer.operator)?
        }
    };
    assumed(&mut module.source, style.entry, spelling);
    let bodies: Vec<_> = module.helpers.iter().chain([&module.source, &module.target]).collect();
    let called = |helper: &Function| {
        let is = &mut |it: &Expr| matches!(it, Expr::Call(name, _) if *name == helper.name);
        bodies.iter().any(|it| any_of(&it.body, is))
    };
    let kept: Vec<Function> = module.helpers.iter().filter(|it| called(it)).cloned().collect();
    Some(Module { helpers: kept, ..module })
}

fn rewritten(style: Style, mut module: Module) -> Option<Module> {
    module.target.body = style.rewriting.apply(&module.target.body)?;
    Some(module)
}

fn parsed(writer: &Writer, text: Text) -> Module {
    let function = |name: &str, body: &str| Function {
        result: text.result.clone(),
        name: name.to_owned(),
        parameters: parse::parameters(&text.parameters),
        body: parse::body(body),
    };
    Module {
        shared: parse::parameters(&text.shared),
        helpers: writer.helpers(),
        source: function("src", &text.source),
        target: function("tgt", &text.target),
    }
}
