//! Problems put to Z3.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use laneproof_semantics::term::{Constant, Interpretation, Node, Pool, Symbol, Term};
use z3::ast::Bool;
use z3::{
    Config, Context, Params, SatResult, Solver, StatisticsValue, Tactic, set_global_param,
    with_z3_config,
};

use crate::float::portable;
use crate::functions::Functions;
use crate::page::Page;
use crate::translation::{TooLong, Translation};
use crate::unknown::{TimeLimit, Unknown};

/// What is known already is written down if that takes no longer.
const WRITING: Duration = Duration::from_secs(60);
/// The least time that the solver gets.
const MOMENT: Duration = Duration::from_millis(2);

/// No question that is limited by work takes longer than this on the slowest machine.
const WORKING: Duration = Duration::from_secs(600);

/// One part in so many of a question's limit is for asking it with functions in the place of
/// operations of floating point.
const FOR_FUNCTIONS: u32 = 3;
const BY_FUNCTIONS: &str =
    "; Operations of floating point are functions here, of which only these facts are known.\n";

/// How much the solver may do for an answer.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// So long. What is answered in it depends on the machine and on what else it does.
    Time(Duration),
    /// So many of Z3's own units of work: what is answered is the same on every machine.
    Work(u32),
}

impl From<Duration> for Limit {
    fn from(time: Duration) -> Self {
        Self::Time(time)
    }
}

impl Limit {
    /// What is stated by then may be asked.
    pub(crate) fn until(self, started: Instant) -> Instant {
        started + self.time()
    }

    /// The time that is waited for an answer.
    fn time(self) -> Duration {
        match self {
            Self::Time(time) => time.max(MOMENT),
            Self::Work(_) => WORKING,
        }
    }

    /// What is left of it: of time what did not pass since it was `started`.
    fn after(self, started: Instant) -> Self {
        match self {
            Self::Time(time) => Self::Time(time.saturating_sub(started.elapsed()).max(MOMENT)),
            Self::Work(_) => self,
        }
    }

    /// One of so many equal parts.
    pub(crate) fn part(self, parts: u32) -> Self {
        match self {
            Self::Time(time) => Self::Time(time / parts),
            Self::Work(units) => Self::Work((units / parts).max(1)),
        }
    }

    /// The solver's parameters. Time is not among them: Z3's own timer looks only now and then, and
    /// has been seen to wait for itself for ever.
    fn params(self) -> Params {
        let mut params = Params::new();
        // Whose process it is decides what an interrupt from the keyboard does.
        params.set_bool("ctrl_c", false);
        if let Self::Work(units) = self {
            params.set_u32("rlimit", units);
        }
        params
    }
}

/// What the solver said.
#[derive(Debug)]
pub(crate) enum Answer {
    Unsat,
    Sat(Model),
    Unknown(Unknown),
}

/// Values for everything free.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub variables: HashMap<Symbol, Constant>,
    pub applications: HashMap<(Symbol, u32), Constant>,
}

impl Model {
    /// The value at a lane that the solver had to choose, if it had to.
    pub(crate) fn chosen(&self, symbol: Symbol, lane: u32) -> Option<Constant> {
        self.applications.get(&(symbol, lane)).copied()
    }

    /// Another value is taken at a lane.
    pub(crate) fn choose(&mut self, symbol: Symbol, lane: u32, value: Constant) {
        self.applications.insert((symbol, lane), value);
    }

    /// Every value that was chosen for a function of lanes.
    pub(crate) fn applications(&self) -> impl Iterator<Item = (Symbol, u32, Constant)> {
        self.applications.iter().map(|(&(symbol, lane), &value)| (symbol, lane, value))
    }
}

impl Interpretation for Model {
    fn variable(&self, symbol: Symbol) -> Constant {
        self.variables.get(&symbol).copied().unwrap_or(Constant::Bits(0))
    }

    fn apply(&self, symbol: Symbol, lane: u32) -> Constant {
        self.applications.get(&(symbol, lane)).copied().unwrap_or(Constant::Bits(0))
    }
}

/// The solver's name and version.
pub fn solver_version() -> &'static str {
    z3::full_version()
}

/// Lets the solver take so much memory, in MiB, in all of this process: beyond it, it gives up, and
/// what it was asked is unknown. Without this it takes what the system gives.
pub fn limit_memory(mebibytes: u64) {
    MEMORY.store(mebibytes, Ordering::Relaxed);
    set_global_param("memory_max_size", &mebibytes.to_string());
}

/// MiB that the solver may take in this process; 0: no limit.
static MEMORY: AtomicU64 = AtomicU64::new(0);

/// Works with a solver that has done nothing yet: what it answers, and which model it finds, does
/// not hang on what this thread asked before.
pub fn afresh<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    with_z3_config(&Config::new(), work)
}

/// Is there a state in which all `assertions` hold? The problem is also written to `page`, first
/// as it is asked, then with its answer.
pub(crate) fn solve(
    pool: &Pool,
    assertions: &[Term],
    limit: impl Into<Limit>,
    page: Option<&Page>,
) -> Answer {
    let limit = limit.into();
    if assertions.iter().any(|&term| pool.bool_of(term) == Some(false)) && page.is_none() {
        return Answer::Unsat;
    }
    let started = Instant::now();
    // What a context has seen makes slower what comes later.
    if repeats_an_operation(pool, assertions)
        && afresh(|| {
            let ask = || has_none_by_functions(pool, assertions, limit, page);
            within_memory(ask, |_| false)
        })
    {
        return Answer::Unsat;
    }
    let limit = limit.after(started);
    afresh(|| within_memory(|| put(pool, assertions, limit, page), Answer::Unknown))
}

/// Asks within the limit of memory. Beyond it Z3 makes no more terms, of which its bindings know
/// nothing: they panic.
fn within_memory<R>(ask: impl FnOnce() -> R, without: impl FnOnce(Unknown) -> R) -> R {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| match out_of_memory() {
        Some(reason) => without(reason),
        None => resume_unwind(panic),
    })
}

/// That the limit of memory was reached, if it ever was in this process.
fn out_of_memory() -> Option<Unknown> {
    let limit = MEMORY.load(Ordering::Relaxed);
    let most = match Solver::new().get_statistics().value("max memory") {
        Some(StatisticsValue::Double(most)) => most,
        _ => 0.0,
    };
    // What was refused is not counted, and may have been large.
    (limit > 0 && most >= limit as f64 / 2.0).then_some(Unknown::OutOfMemory(limit))
}

/// What decision diagrams say: that no state satisfies all `assertions`, or nothing. The problem is
/// also written to `page`, with the answer.
pub(crate) fn by_diagrams(
    pool: &Pool,
    assertions: &[Term],
    steps: u64,
    time: Duration,
    page: Option<&Page>,
) -> Answer {
    let started = Instant::now();
    let limit = laneproof_diagrams::Limit { steps, deadline: started + time.max(MOMENT) };
    match laneproof_diagrams::has_no_state(pool, assertions, limit) {
        Ok(true) => {}
        Ok(false) => {
            return Answer::Unknown(Unknown::incomplete("decision diagrams do not settle it"));
        }
        Err(_) if Instant::now() >= limit.deadline => {
            return Answer::Unknown(Unknown::TimedOut(TimeLimit::Share(time)));
        }
        Err(exhausted) => return Answer::Unknown(Unknown::incomplete(exhausted.to_string())),
    }
    let stated = page.map(|page| (page, Stated::new(pool, assertions, started + WRITING)));
    match stated {
        Some((page, Ok(stated))) => stated.answered_on(page, || Answer::Unsat),
        _ => Answer::Unsat,
    }
}

/// An operation of floating point is used twice: as functions others have nothing to be equal to.
fn repeats_an_operation(pool: &Pool, assertions: &[Term]) -> bool {
    let mut used = HashSet::new();
    pool.reachable(assertions).iter().any(|&term| match pool.node(term) {
        Node::Float(op, format, _) => !used.insert((op, format)),
        _ => false,
    })
}

/// There is no such state, whatever the operations of floating point give, as far as they are
/// functions. Only then something is written to `page`.
pub(crate) fn has_none_by_functions(
    pool: &Pool,
    assertions: &[Term],
    limit: Limit,
    page: Option<&Page>,
) -> bool {
    let limit = limit.part(FOR_FUNCTIONS);
    let started = Instant::now();
    let Ok(stated) = Stated::with_functions(pool, assertions, limit.until(started)) else {
        return false;
    };
    if !matches!(check(&stated, limit, started), Answer::Unsat) {
        return false;
    }
    let written = page.map(|page| stated.answered_on(&page.with(BY_FUNCTIONS), || Answer::Unsat));
    written.is_none_or(|answer| matches!(answer, Answer::Unsat))
}

fn put(pool: &Pool, assertions: &[Term], limit: Limit, page: Option<&Page>) -> Answer {
    let started = Instant::now();
    let stated = match Stated::new(pool, assertions, limit.until(started)) {
        Ok(stated) => stated,
        Err(TooLong::Late) => return Answer::Unknown(ran_out(limit)),
        Err(TooLong::Pairs) => {
            return Answer::Unknown(Unknown::incomplete(
                "the question is too large for the solver",
            ));
        }
    };
    let check = || check(&stated, limit, started);
    match page {
        Some(page) => stated.answered_on(page, check),
        None => check(),
    }
}

/// A model that was found without the solver, which `page` is told of.
pub(crate) fn found_without(
    pool: &Pool,
    assertions: &[Term],
    model: Model,
    page: Option<&Page>,
) -> Answer {
    let stated = page.map(|page| (page, Stated::new(pool, assertions, Instant::now() + WRITING)));
    match stated {
        Some((page, Ok(stated))) => stated.answered_on(page, || Answer::Sat(model)),
        _ => Answer::Sat(model),
    }
}

/// A problem of which is asked what can be had besides, again and again: what was learned of it
/// is kept.
pub(crate) struct Further<'p> {
    stated: Stated<'p>,
    solver: Solver,
    /// For each wish a name that implies it.
    names: Vec<Bool>,
    /// What Z3 had worked before.
    before: u32,
}

impl<'p> Further<'p> {
    /// Besides `assertions`, which hold, any of `wishes` may be asked for.
    pub(crate) fn new(
        pool: &'p Pool,
        assertions: &[Term],
        wishes: &[Term],
        until: Instant,
    ) -> Result<Self, TooLong> {
        let mut stated = Stated::new(pool, &[assertions, wishes].concat(), until)?;
        let wished = stated.problem.drain(assertions.len()..assertions.len() + wishes.len());
        let wished: Vec<Bool> = wished.collect();
        let solver = by_default(stated.logic);
        for assertion in &stated.problem {
            solver.assert(assertion);
        }
        let name = |wish: &Bool| {
            let name = Bool::fresh_const("wish");
            solver.assert(name.implies(wish));
            name
        };
        let names = wished.iter().map(name).collect();
        let before = worked(&solver);
        Ok(Self { stated, solver, names, before })
    }

    /// These wishes hold from now on.
    pub(crate) fn keep(&self, wishes: &[usize]) {
        wishes.iter().for_each(|&wish| self.solver.assert(&self.names[wish]));
    }

    /// More has been done, since it was `started`, than it is worth.
    pub(crate) fn is_past(&self, limit: Limit, started: Instant) -> bool {
        match limit {
            Limit::Time(time) => started.elapsed() > time,
            Limit::Work(units) => worked(&self.solver).wrapping_sub(self.before) > units,
        }
    }

    /// A model with these wishes too, if it is found in time.
    pub(crate) fn with(&self, wishes: &[usize], limit: Limit) -> Option<Model> {
        self.solver.set_params(&limit.params());
        let named: Vec<Bool> = wishes.iter().map(|&wish| self.names[wish].clone()).collect();
        match interruptible(limit.time(), || self.solver.check_assumptions(&named)) {
            SatResult::Sat => self.solver.get_model().map(|it| self.stated.translation.read(&it)),
            SatResult::Unsat | SatResult::Unknown => None,
        }
    }
}

/// The units that Z3 has worked in all, in this thread.
fn worked(solver: &Solver) -> u32 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(units)) => units,
        _ => 0,
    }
}

/// A problem in Z3's words.
struct Stated<'p> {
    problem: Vec<Bool>,
    translation: Translation<'p>,
    logic: Logic,
}

impl<'p> Stated<'p> {
    fn new(pool: &'p Pool, assertions: &[Term], until: Instant) -> Result<Self, TooLong> {
        Self::by(Translation::new(pool), assertions, until)
    }

    /// Less is said: operations of floating point are functions of which little is known.
    fn with_functions(
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
    fn answered_on(&self, page: &Page, answer: impl FnOnce() -> Answer) -> Answer {
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
            Answer::Unsat => write("unsat"),
            Answer::Sat(_) => write("sat"),
            Answer::Unknown(_) => {}
        }
        answer
    }
}

/// Asks Z3.
fn check(stated: &Stated<'_>, limit: Limit, started: Instant) -> Answer {
    let Stated { problem, translation, logic } = stated;
    let mut reason = String::new();
    for (solver, share) in ways(*logic) {
        let left = limit.after(started).part(share);
        for assertion in problem {
            solver.assert(assertion);
        }
        solver.set_params(&left.params());
        match interruptible(left.time(), || solver.check()) {
            SatResult::Unsat => return Answer::Unsat,
            SatResult::Unknown => reason = solver.get_reason_unknown().unwrap_or_default(),
            SatResult::Sat => {
                return match solver.get_model() {
                    Some(model) => Answer::Sat(translation.read(&model)),
                    None => Answer::Unknown(Unknown::incomplete("the solver gave no model")),
                };
            }
        }
    }
    Answer::Unknown(match reason.as_str() {
        "timeout"
        | "canceled"
        | "interrupted"
        | "interrupted from keyboard"
        | "max. resource limit exceeded" => ran_out(limit),
        "out of memory" | "max. memory exceeded" => {
            Unknown::OutOfMemory(MEMORY.load(Ordering::Relaxed))
        }
        other => Unknown::incomplete(format!("the solver gave up: {other}")),
    })
}

fn ran_out(limit: Limit) -> Unknown {
    Unknown::TimedOut(match limit {
        Limit::Time(time) => TimeLimit::Share(time),
        Limit::Work(units) => TimeLimit::Work(units),
    })
}

/// Solvers in turn, each with one part in so many of what is left of the limit: each is good where
/// the other one is lost.
fn ways(logic: Logic) -> Vec<(Solver, u32)> {
    let by_bits = |first: &str| vec![(by_bits(first), 2), (by_default(logic), 1)];
    match logic {
        Logic::Bits => by_bits("simplify"),
        Logic::Functions => vec![(by_congruence(), 1)],
        Logic::Numbers => by_bits("fpa2bv"),
    }
}

/// Simplified, then searched with what is known of functions: they are no bits.
fn by_congruence() -> Solver {
    one_by_one(["simplify", "propagate-values", "solve-eqs", "smt"].map(Tactic::new))
}

/// Simplified, then bits: quick on products beside masks, where Z3's own choice gets lost.
fn by_bits(first: &str) -> Solver {
    let mut hoisting = Params::new();
    hoisting.set_bool("hoist_mul", true);
    let before = [first, "simplify", "propagate-values", "solve-eqs"].map(Tactic::new);
    let hoist = Tactic::new("simplify").with(&hoisting);
    let after = ["max-bv-sharing", "bit-blast", "sat"].map(Tactic::new);
    one_by_one(before.into_iter().chain([hoist]).chain(after))
}

fn one_by_one(steps: impl IntoIterator<Item = Tactic>) -> Solver {
    steps.into_iter().fold(Tactic::create_skip(), |before, next| before.and_then(&next)).solver()
}

/// What Z3 chooses for this logic: quick on comparisons of many lanes.
fn by_default(logic: Logic) -> Solver {
    Solver::new_for_logic(logic.name()).unwrap_or_default()
}

/// What a problem speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logic {
    /// Bit-vectors.
    Bits,
    /// Functions of them, too.
    Functions,
    /// Floating-point numbers, too.
    Numbers,
}

impl Logic {
    /// SMT-LIB's name for it.
    const fn name(self) -> &'static str {
        match self {
            Self::Bits => "QF_BV",
            Self::Functions => "QF_UFBV",
            Self::Numbers => "QF_BVFP",
        }
    }
}

/// How often the solver is interrupted until it heeds it: what comes between two steps of it is lost.
const AGAIN: Duration = Duration::from_millis(20);

/// Ends a check that takes too long, from outside.
fn interruptible(limit: Duration, check: impl FnOnce() -> SatResult) -> SatResult {
    let context = Context::thread_local();
    let handle = context.handle();
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut patience = limit;
            while wait.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
                handle.interrupt();
                patience = AGAIN;
            }
        });
        let result = check();
        drop(done);
        result
    })
}

/// Declarations, assertions and the question; what Z3 would say of its origin and status is said
/// by the page.
fn smt2_text(problem: &[Bool]) -> String {
    let solver = Solver::new();
    for assertion in problem {
        solver.assert(assertion);
    }
    let text = solver.to_smt2();
    let own = |line: &&str| !line.starts_with("; benchmark") && !line.starts_with("(set-info ");
    portable(&text.lines().filter(own).fold(String::new(), |text, line| text + line + "\n"))
}

#[cfg(test)]
mod tests {
    use laneproof_semantics::term::{Binary, Sort};

    use super::*;

    /// A function is asked for at so many lanes of which nothing is known that nobody could say
    /// where it must agree.
    fn endless(pool: &mut Pool) -> Vec<Term> {
        let function = pool.symbol("f", Sort::Bits(8));
        let zero = pool.bits(0, 8);
        let mut at = || {
            let lane = pool.fresh("lane", Sort::Bits(32));
            let there = pool.apply(function, lane);
            pool.equal(there, zero)
        };
        (0..1000).map(|_| at()).collect()
    }

    #[test]
    fn what_is_too_large_is_not_put() {
        let mut pool = Pool::default();
        let problem = endless(&mut pool);
        let answer = solve(&pool, &problem, Duration::from_secs(3600), None);
        let Answer::Unknown(reason) = answer else { unreachable!("{answer:?}") };
        assert_eq!(reason, Unknown::incomplete("the question is too large for the solver"));
    }

    #[test]
    fn stating_a_problem_ends_in_time() {
        let mut pool = Pool::default();
        let problem = endless(&mut pool);
        let answer = solve(&pool, &problem, Duration::ZERO, None);
        let Answer::Unknown(reason) = answer else { unreachable!("{answer:?}") };
        assert!(matches!(reason, Unknown::TimedOut(TimeLimit::Share(_))), "{reason:?}");
    }

    /// What is interrupted gives many reasons, by what it was at.
    #[test]
    fn a_search_that_is_ended_ran_out_of_time() {
        let mut pool = Pool::default();
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bits(64)));
        let below = pool.bits(1 << 32, 64);
        let product = pool.binary(Binary::Mul, a, b);
        // Of two primes.
        let known = pool.bits(3_037_000_493 * 2_147_483_647, 64);
        let problem = [pool.less(a, below), pool.less(b, below), pool.equal(product, known)];
        for milliseconds in [1, 20, 100, 300] {
            let limit = Duration::from_millis(milliseconds);
            let answer = solve(&pool, &problem, limit, None);
            let Answer::Unknown(reason) = answer else { unreachable!("{answer:?}") };
            let timed_out = matches!(reason, Unknown::TimedOut(TimeLimit::Share(_)));
            assert!(timed_out, "{milliseconds} ms: {reason:?}");
        }
    }
}
