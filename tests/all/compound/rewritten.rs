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
    let negated = |it: &Tree| Box::new(Negated(of(it)));
    match tree {
        Sum(a, b) => {
            let mut all = Vec::new();
            for (product, other) in [(a, b), (b, a)] {
                match &**product {
                    Product(x, y) => all.push(Fused(x.clone(), y.clone(), other.clone())),
                    Negated(inner) => {
                        if let Product(x, y) = &**inner {
                            all.push(Fused(negated(x), y.clone(), other.clone()));
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
                all.push(Fused(x.clone(), y.clone(), negated(b)));
            }
            if let Product(x, y) = &**b {
                all.push(Fused(negated(x), y.clone(), a.clone()));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// What the laws make of the outermost operations.
fn laws(tree: &Tree) -> Vec<Tree> {
    let one = || Box::new(Number(1.0));
    let two = || Box::new(Number(2.0));
    let mut all = Vec::new();
    match tree {
        Sum(a, b) => {
            all.push(Sum(b.clone(), a.clone()));
            if a == b {
                all.push(Product(two(), a.clone()));
            }
            match &**a {
                Sum(x, y) => all.push(Sum(x.clone(), Box::new(Sum(y.clone(), b.clone())))),
                Difference(x, y) => {
                    all.push(Sum(x.clone(), Box::new(Difference(b.clone(), y.clone()))));
                    if y == b {
                        all.push((**x).clone());
                    }
                }
                _ => {}
            }
            if let (Product(x, y), Product(v, w)) = (&**a, &**b) {
                for [p, q, r, s] in [[x, y, v, w], [y, x, v, w], [x, y, w, v], [y, x, w, v]] {
                    if p == r {
                        all.push(Product(p.clone(), Box::new(Sum(q.clone(), s.clone()))));
                    }
                }
            }
            if let (Quotient(x, y), Quotient(v, w)) = (&**a, &**b)
                && y == w
            {
                all.push(Quotient(Box::new(Sum(x.clone(), v.clone())), y.clone()));
            }
        }
        Difference(a, b) => {
            all.push(Sum(a.clone(), Box::new(Negated(b.clone()))));
            all.push(Negated(Box::new(Difference(b.clone(), a.clone()))));
            if a == b {
                all.push(Number(0.0));
            }
            match &**a {
                Sum(x, y) => {
                    all.push(Sum(x.clone(), Box::new(Difference(y.clone(), b.clone()))));
                    if x == b {
                        all.push((**y).clone());
                    }
                    if y == b {
                        all.push((**x).clone());
                    }
                }
                Difference(x, y) => {
                    all.push(Difference(x.clone(), Box::new(Sum(y.clone(), b.clone()))));
                }
                _ => {}
            }
            match &**b {
                Sum(x, y) => {
                    all.push(Difference(Box::new(Difference(a.clone(), x.clone())), y.clone()));
                }
                Difference(x, y) => {
                    all.push(Sum(Box::new(Difference(a.clone(), x.clone())), y.clone()))
                }
                _ => {}
            }
        }
        Product(a, b) => {
            all.push(Product(b.clone(), a.clone()));
            if **a == *two() {
                all.push(Sum(b.clone(), b.clone()));
            }
            match &**a {
                Product(x, y) => {
                    all.push(Product(x.clone(), Box::new(Product(y.clone(), b.clone()))))
                }
                Sum(x, y) => all.push(Sum(
                    Box::new(Product(x.clone(), b.clone())),
                    Box::new(Product(y.clone(), b.clone())),
                )),
                Difference(x, y) => all.push(Difference(
                    Box::new(Product(x.clone(), b.clone())),
                    Box::new(Product(y.clone(), b.clone())),
                )),
                Quotient(x, y) => {
                    all.push(Quotient(Box::new(Product(x.clone(), b.clone())), y.clone()));
                    all.push(Product(x.clone(), Box::new(Quotient(b.clone(), y.clone()))));
                    if y == b {
                        all.push((**x).clone());
                    }
                }
                Negated(x) => all.push(Negated(Box::new(Product(x.clone(), b.clone())))),
                _ => {}
            }
        }
        Quotient(a, b) => {
            // By itself a division has the error of a division, however it is computed.
            if a.is_computed() || b.is_computed() {
                all.push(Product(a.clone(), Box::new(Quotient(one(), b.clone()))));
            }
            if a == b {
                all.push(Number(1.0));
            }
            match &**a {
                Product(x, y) => {
                    all.push(Product(x.clone(), Box::new(Quotient(y.clone(), b.clone()))));
                    if x == b {
                        all.push((**y).clone());
                    }
                    if y == b {
                        all.push((**x).clone());
                    }
                }
                Quotient(x, y) => {
                    all.push(Quotient(x.clone(), Box::new(Product(y.clone(), b.clone()))));
                    all.push(Quotient(Box::new(Quotient(x.clone(), b.clone())), y.clone()));
                }
                Sum(x, y) => all.push(Sum(
                    Box::new(Quotient(x.clone(), b.clone())),
                    Box::new(Quotient(y.clone(), b.clone())),
                )),
                _ => {}
            }
            if let Quotient(x, y) = &**b {
                all.push(Quotient(Box::new(Product(a.clone(), y.clone())), x.clone()));
                all.push(Product(Box::new(Quotient(a.clone(), x.clone())), y.clone()));
            }
        }
        Negated(a) => match &**a {
            Negated(x) => all.push((**x).clone()),
            Sum(x, y) => all.push(Difference(Box::new(Negated(x.clone())), y.clone())),
            Difference(x, y) => all.push(Difference(y.clone(), x.clone())),
            Product(x, y) => all.push(Product(Box::new(Negated(x.clone())), y.clone())),
            Quotient(x, y) => all.push(Quotient(x.clone(), Box::new(Negated(y.clone())))),
            _ => {}
        },
        _ => {}
    }
    all
}
