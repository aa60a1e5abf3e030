//! Which styles a family is written in.

use crate::detour::Detour;
use crate::family::Family;
use crate::form::Form;
use crate::number::hash;
use crate::rewrite::Rewriting;
use crate::style::{ActivityAssumption, Ballots, Guard, LoopShape, Style};

/// Of all combinations of guards, shapes and so on, those in which a rewriting, a detour or a form
/// is tried.
const TRIED: usize = 3;
/// And those in which nothing further is tried.
const PLAIN: usize = 12;

/// The styles: combinations of what the family itself is written with, and some of them with
/// each rewriting, each detour and each form. Which, the seed decides.
pub(crate) fn styles(family: &Family, seed: u64) -> Vec<Style> {
    let plain = combinations(family);
    let picked = |salt: u64, length: usize| -> Vec<Style> {
        let mut order = plain.clone();
        order.sort_by_key(|style| hash((seed, family.name, salt, style)));
        order.truncate(length);
        order
    };
    let some = |salt: u64| picked(salt, TRIED);
    let mut all = picked(0, PLAIN);
    let one = |salt: u64, forms: &[Form]| {
        forms[(hash((seed, family.name, salt)) % forms.len() as u64) as usize]
    };
    for (number, rewriting) in Rewriting::ALL.into_iter().enumerate().skip(1) {
        let salt = 100 + number as u64;
        let other = one(salt, &Form::ALL);
        for (place, style) in some(salt).into_iter().enumerate() {
            let form = if place == 0 { Form::Functions } else { other };
            all.push(Style { rewriting, form, ..style });
        }
    }
    for (number, detour) in Detour::ALL.into_iter().enumerate().skip(1) {
        let salt = 200 + number as u64;
        let other = one(salt, &Form::ALL);
        for (place, style) in some(salt).into_iter().enumerate() {
            let form = if place == 0 { Form::Functions } else { other };
            all.push(Style { detour, form, ..style });
        }
    }
    for (number, form) in Form::ALL.into_iter().enumerate().skip(1) {
        all.extend(some(300 + number as u64).into_iter().map(|style| Style { form, ..style }));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Every combination of what the family itself is written with.
fn combinations(family: &Family) -> Vec<Style> {
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
    let (rewriting, detour, form) = (Rewriting::Plain, Detour::Direct, Form::Functions);
    let mut styles = Vec::new();
    for &entry in entries {
        for &guard in guards {
            for &shape in shapes {
                for &ballots in ballots {
                    for &helper in helpers {
                        let style =
                            Style { entry, guard, shape, ballots, helper, rewriting, detour, form };
                        styles.push(style);
                    }
                }
            }
        }
    }
    styles
}
