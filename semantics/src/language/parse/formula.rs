//! Formulas over real numbers.

use pest::iterators::Pair;

use super::{Place, Rule};
use crate::error::Mistake;
use crate::language::formula::{Combination, Formula};

/// How deep a formula may nest: everything after the parser walks it recursively.
const MAX_DEPTH: u32 = 32;

/// Reads a `formula`.
pub(super) fn formula(place: Place, pair: Pair<'_, Rule>) -> Result<Formula, Mistake> {
    nested(place, pair, 0)
}

fn nested(place: Place, pair: Pair<'_, Rule>, depth: u32) -> Result<Formula, Mistake> {
    if depth > MAX_DEPTH {
        let message = format!("this formula is more than {MAX_DEPTH} levels deep");
        return Err(Mistake::new(place.span(&pair), message, "too deep"));
    }
    let inner = |pair| nested(place, pair, depth + 1);
    let rule = pair.as_rule();
    match rule {
        Rule::decimal => return Ok(Formula::Number(pair.as_str().into())),
        Rule::formula_name => return Ok(Formula::Name(pair.as_str().into())),
        _ => {}
    }
    let mut parts = place.parts(pair);
    match rule {
        Rule::formula_choice => {
            let [left, right] = [inner(parts.next()?)?, inner(parts.next()?)?];
            let [then, otherwise] = [inner(parts.next()?)?, inner(parts.next()?)?];
            Ok(Formula::Choice(Box::new([left, right, then, otherwise])))
        }
        Rule::formula_call => {
            let name = parts.text()?;
            let mut arguments = Vec::new();
            while let Some(argument) = parts.take() {
                arguments.push(inner(argument)?);
            }
            Ok(Formula::Call(name, arguments))
        }
        Rule::formula_factor => {
            let negated = parts.take_if(Rule::negate).is_some();
            let mut value = inner(parts.next()?)?;
            if let Some(power) = parts.take_if(Rule::power) {
                value = Formula::Power(Box::new(value), exponent(place, &power)?);
            }
            Ok(if negated { Formula::Negated(Box::new(value)) } else { value })
        }
        // A sum or a product, from left to right.
        _ => {
            let mut left = inner(parts.next()?)?;
            while let Some(operator) = parts.take() {
                let combination = match operator.as_rule() {
                    Rule::add => Combination::Sum,
                    Rule::subtract => Combination::Difference,
                    Rule::multiply => Combination::Product,
                    _ => Combination::Quotient,
                };
                let right = inner(parts.next()?)?;
                left = Formula::Combined(Box::new(left), combination, Box::new(right));
            }
            Ok(left)
        }
    }
}

fn exponent(place: Place, pair: &Pair<'_, Rule>) -> Result<i32, Mistake> {
    let text = pair.as_str().trim_start_matches('^').replace(' ', "");
    let known = text.parse().ok().filter(|exponent: &i32| exponent.abs() <= 1 << 12);
    known.ok_or_else(|| Mistake::new(place.span(pair), "such an exponent is too large", "here"))
}
