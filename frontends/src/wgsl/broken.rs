//! Where naga panics: it has no polyfill for some of what its validator accepts.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::{Block, Function, Module, Span, Statement};

/// Runs a part of naga.
///
/// # Errors
///
/// The first line of its words if it panics.
pub(super) fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // What it may have left half done is dropped.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| said(payload.as_ref()))
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&'static str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let line = text.and_then(|text| text.lines().next()).unwrap_or("no message");
    line.trim_start_matches("internal error: entered unreachable code: ").to_owned()
}

/// The first statement with which a module breaks naga, where it is a statement: a module that
/// ends before it does not.
pub(super) fn culprit(module: &Module, breaks: impl Fn(&Module) -> bool) -> Option<Span> {
    let (mut fine, mut broken) = (0, cut(module, usize::MAX).statements);
    if breaks(&cut(module, fine).module) {
        return None;
    }
    while broken - fine > 1 {
        let middle = fine + (broken - fine) / 2;
        if breaks(&cut(module, middle).module) {
            broken = middle;
        } else {
            fine = middle;
        }
    }
    cut(module, broken).last
}

/// A module with its first statements only.
struct Cut {
    module: Module,
    statements: usize,
    last: Option<Span>,
}

fn cut(module: &Module, most: usize) -> Cut {
    let mut module = module.clone();
    let mut taken = Taken { most, statements: 0, last: None };
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    for Function { body, .. } in functions.chain(entries) {
        taken.shorten(body);
    }
    Cut { module, statements: taken.statements, last: taken.last }
}

/// The statements that were kept so far, each before those that are nested in it.
struct Taken {
    most: usize,
    statements: usize,
    last: Option<Span>,
}

impl Taken {
    fn shorten(&mut self, block: &mut Block) {
        let mut kept = 0;
        for (statement, span) in block.span_iter_mut() {
            if self.statements == self.most {
                break;
            }
            self.statements += 1;
            self.last = span.map(|span| *span);
            kept += 1;
            self.nested(statement);
        }
        block.cull(kept..);
    }

    fn nested(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Block(block) => self.shorten(block),
            Statement::If { accept, reject, .. } => {
                self.shorten(accept);
                self.shorten(reject);
            }
            Statement::Switch { cases, .. } => {
                cases.iter_mut().for_each(|case| self.shorten(&mut case.body));
            }
            Statement::Loop { body, continuing, break_if } => {
                self.shorten(body);
                self.shorten(continuing);
                // Its condition may have been computed by what is gone.
                if self.statements == self.most {
                    *break_if = None;
                }
            }
            _ => {}
        }
    }
}
