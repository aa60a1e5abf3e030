//! What a compiler may make of an expression: a product and a sum that are rounded once, and, where
//! operations may be rearranged, what real numbers' laws make of it.

use super::Random;
use super::tree::Tree;

use Tree::{Difference, Fused, Negated, Number, Product, Quotient, Sum};

fn of(tree: &Tree) -> Box<Tree> {
    Box::new(tree.clone())
}

/// The expression after a few steps.
pub(super) fn rewritten(random: &mut Random, tree: &Tree, rearranges: bool) -> Tree {
    let mut tree = tree.clone();
    if rearranges {
        for _ in 0..random.below(6) {
            tree = somewhere(random, &tree, &mut |random, it| pick(random, laws(it)));
        }
    }
    for _ in 0..random.below(3) {
        tree = somewhere(random, &tree, &mut |random, it| pick(random, contracted(it)));
    }
    tree
}

fn pick(random: &mut Random, all: Vec<Tree>) -> Option<Tree> {
    if all.is_empty() { None } else { Some(random.of(&all)) }
}

/// One step at some place where there is one.
fn somewhere(
    random: &mut Random,
    tree: &Tree,
    step: &mut dyn FnMut(&mut Random, &Tree) -> Option<Tree>,
) -> Tree {
    let parts = tree.parts();
    if parts.is_empty() || random.one_in(2) {
        return step(random, tree).unwrap_or_else(|| tree.clone());
    }
    let chosen = random.below(parts.len());
    let mut parts: Vec<Tree> = parts.into_iter().cloned().collect();
    parts[chosen] = somewhere(random, &parts[chosen], step);
    tree.with(&parts)
}

fn contracted(tree: &Tree) -> Vec<Tree> {
    match tree {
        Sum(a, b) => {
            let mut all = Vec::new();
            for (product, other) in [(a, b), (b, a)] {
                match &**product {
                    Product(x, y) => all.push(Fused(x.clone(), y.clone(), other.clone())),
                    Negated(inner) => {
                        if let Product(x, y) = &**inner {
                            all.push(Fused(Box::new(negated(x)), y.clone(), other.clone()));
                        }
                    }
                    _ => {}
                }
            }
            all
        }
        Difference(a, b) => {
            let mut all = Vec::new();
            if let Product(x, y) = &**a {
                all.push(Fused(x.clone(), y.clone(), Box::new(negated(b))));
            }
            if let Product(x, y) = &**b {
                all.push(Fused(Box::new(negated(x)), y.clone(), a.clone()));
            }
            all
        }
        _ => Vec::new(),
    }
}

fn sum(a: &Tree, b: &Tree) -> Tree {
    Sum(of(a), of(b))
}

fn difference(a: &Tree, b: &Tree) -> Tree {
    Difference(of(a), of(b))
}

fn product(a: &Tree, b: &Tree) -> Tree {
    Product(of(a), of(b))
}

fn quotient(a: &Tree, b: &Tree) -> Tree {
    Quotient(of(a), of(b))
}

fn negated(a: &Tree) -> Tree {
    Negated(of(a))
}

/// What the laws make of the outermost operations.
fn laws(tree: &Tree) -> Vec<Tree> {
    match tree {
        Sum(a, b) => of_sum(a, b),
        Difference(a, b) => of_difference(a, b),
        Product(a, b) => of_product(a, b),
        Quotient(a, b) => of_quotient(a, b),
        Negated(a) => of_negated(a).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn of_sum(a: &Tree, b: &Tree) -> Vec<Tree> {
    let mut all = vec![sum(b, a)];
    if a == b {
        all.push(product(&Number(2.0), a));
    }
    match (a, b) {
        (Sum(x, y), _) => all.push(sum(x, &sum(y, b))),
        (Difference(x, y), _) => {
            all.push(sum(x, &difference(b, y)));
            if **y == *b {
                all.push((**x).clone());
            }
        }
        (Product(x, y), Product(v, w)) => {
            for [p, q, r, s] in [[x, y, v, w], [y, x, v, w], [x, y, w, v], [y, x, w, v]] {
                if p == r {
                    all.push(product(p, &sum(q, s)));
                }
            }
        }
        (Quotient(x, y), Quotient(v, w)) if y == w => all.push(quotient(&sum(x, v), y)),
        _ => {}
    }
    all
}

fn of_difference(a: &Tree, b: &Tree) -> Vec<Tree> {
    let mut all = vec![sum(a, &negated(b)), negated(&difference(b, a))];
    if a == b {
        all.push(Number(0.0));
    }
    match a {
        Sum(x, y) => {
            all.push(sum(x, &difference(y, b)));
            if **x == *b {
                all.push((**y).clone());
            }
            if **y == *b {
                all.push((**x).clone());
            }
        }
        Difference(x, y) => all.push(difference(x, &sum(y, b))),
        _ => {}
    }
    match b {
        Sum(x, y) => all.push(difference(&difference(a, x), y)),
        Difference(x, y) => all.push(sum(&difference(a, x), y)),
        _ => {}
    }
    all
}

fn of_product(a: &Tree, b: &Tree) -> Vec<Tree> {
    let mut all = vec![product(b, a)];
    match a {
        Number(2.0) => all.push(sum(b, b)),
        Product(x, y) => all.push(product(x, &product(y, b))),
        Sum(x, y) => all.push(sum(&product(x, b), &product(y, b))),
        Difference(x, y) => all.push(difference(&product(x, b), &product(y, b))),
        Quotient(x, y) => {
            all.push(quotient(&product(x, b), y));
            all.push(product(x, &quotient(b, y)));
            if **y == *b {
                all.push((**x).clone());
            }
        }
        Negated(x) => all.push(negated(&product(x, b))),
        _ => {}
    }
    all
}

fn of_quotient(a: &Tree, b: &Tree) -> Vec<Tree> {
    let mut all = Vec::new();
    // By itself a division has the error of a division, however it is computed.
    if a.is_computed() || b.is_computed() {
        all.push(product(a, &quotient(&Number(1.0), b)));
    }
    if a == b {
        all.push(Number(1.0));
    }
    match a {
        Product(x, y) => {
            all.push(product(x, &quotient(y, b)));
            if **x == *b {
                all.push((**y).clone());
            }
            if **y == *b {
                all.push((**x).clone());
            }
        }
        Quotient(x, y) => {
            all.push(quotient(x, &product(y, b)));
            all.push(quotient(&quotient(x, b), y));
        }
        Sum(x, y) => all.push(sum(&quotient(x, b), &quotient(y, b))),
        _ => {}
    }
    if let Quotient(x, y) = b {
        all.push(quotient(&product(a, y), x));
        all.push(product(&quotient(a, x), y));
    }
    all
}

fn of_negated(a: &Tree) -> Option<Tree> {
    match a {
        Negated(x) => Some((**x).clone()),
        Sum(x, y) => Some(difference(&negated(x), y)),
        Difference(x, y) => Some(difference(y, x)),
        Product(x, y) => Some(product(&negated(x), y)),
        Quotient(x, y) => Some(quotient(x, &negated(y))),
        _ => None,
    }
}
