//! A problem in Z3's terms, and as a page of SMT-LIB 2.

use std::time::{Duration, Instant};

use laneproof_semantics::term::{Pool, Term};
use z3::Solver;
use z3::ast::Bool;

use crate::answer::SolverAnswer;
use crate::float::portable;
use crate::functions::Functions;
use crate::page::QueryFile;
use crate::translation::{TooLong, Translation};

/// The longest time to spend on writing a page whose answer is known already.
pub const WRITING: Duration = Duration::from_secs(60);

/// A problem in Z3's terms.
pub struct Stated<'p> {
    pub problem: Vec<Bool>,
    pub translation: Translation<'p>,
    pub logic: Logic,
}

impl<'p> Stated<'p> {
    pub fn new(pool: &'p Pool, assertions: &[Term], until: Instant) -> Result<Self, TooLong> {
        Self::by(Translation::new(pool), assertions, until)
    }

    /// A weaker problem: floating-point operations are functions that are only partly interpreted.
    pub fn with_functions(
        pool: &'p Pool,
        assertions: &[Term],
        until: Instant,
    ) -> Result<Self, TooLong> {
        Self::by(Translation::with_functions(pool), assertions, until)
    }

    fn by(
        mut translation: Translation<'p>,
        assertions: &[Term],
        until: Instant,
    ) -> Result<Self, TooLong> {
        translation.build(assertions, until)?;
        let mut problem: Vec<Bool> =
            assertions.iter().map(|&assertion| translation.bool(assertion)).collect();
        problem.extend(translation.congruence(until)?);
        let functions = translation.take_functions();
        let floats = translation.take_floats();
        let logic = match (&functions, floats.is_empty()) {
            (Some(_), _) => Logic::Functions,
            (None, true) => Logic::Bits,
            (None, false) => Logic::Numbers,
        };
        problem.extend(functions.into_iter().flat_map(Functions::facts));
        problem.extend_from_slice(floats.facts());
        Ok(Self { problem, translation, logic })
    }

    /// Written to `page` before there is an answer, and again with it.
    pub fn answered_on(
        &self,
        page: &QueryFile,
        answer: impl FnOnce() -> SolverAnswer,
    ) -> SolverAnswer {
        let text = smt2_text(&self.problem);
        let write = |status: &str| {
            let (header, logic) = (&page.header, self.logic.name());
            page.write(&format!(
                "{header}(set-info :status {status})\n(set-logic {logic})\n{text}"
            ));
        };
        write("unknown");
        let answer = answer();
        match &answer {
            SolverAnswer::Unsat => write("unsat"),
            SolverAnswer::Sat(_) => write("sat"),
            SolverAnswer::Unknown(_) => {}
        }
        answer
    }
}

/// The theories that a problem uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Bit-vectors.
    Bits,
    /// Functions of them, too.
    Functions,
    /// Floating-point numbers, too.
    Numbers,
}

impl Logic {
    /// SMT-LIB's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bits => "QF_BV",
            Self::Functions => "QF_UFBV",
            Self::Numbers => "QF_BVFP",
        }
    }
}

/// Declarations, assertions and `check-sat`. The page has its own header, in place of Z3's.
fn smt2_text(problem: &[Bool]) -> String {
    let solver = Solver::new();
    for assertion in problem {
        solver.assert(assertion);
    }
    let text = solver.to_smt2();
    let own = |line: &&str| !line.starts_with("; benchmark") && !line.starts_with("(set-info ");
    portable(&text.lines().filter(own).fold(String::new(), |text, line| text + line + "\n"))
}
