//! Source and target with unrolled loops, with as few iterations as are enough.

use std::cell::OnceCell;

use laneproof_lower::{
    Flat, Loops, aliases, apart, as_pure_functions, flatten, less_coherent, promised_by_source,
    promised_only, promises_more, specializations,
};
use laneproof_obligation::{MemoryShape, shapes};
use laneproof_outcome::Unknown;
use laneproof_semantics::Specification;

use crate::globals::compare_globals;
use crate::options::Side;

/// The numbers of iterations that are tried in turn. A loop over all lanes tests its condition once more
/// than there are lanes; one that counts past the largest size, twice more.
const ITERATIONS: [u32; 6] = [5, 9, 17, 33, 65, 130];
/// Enough for loops that double up to the largest size.
const DOUBLING: usize = 1;

/// The two functions, flattened.
pub(crate) struct Unrolled {
    pub source: Flat,
    pub target: Option<Flat>,
    /// The memories of both sides.
    pub shapes: Vec<MemoryShape>,
    /// The number of unrolled iterations of each loop.
    pub iterations: u32,
    /// Which verdicts do not count, because memory may differ from its encoding.
    pub doubt: Doubt,
}

impl Unrolled {
    /// What they load and store at the lane's own place is given and returned.
    fn into_pure_functions(self) -> Result<Self, Unknown> {
        let pure = self.target.as_ref().and_then(|it| as_pure_functions(&self.source, it));
        let Some([source, target]) = pure else { return Err(Unknown::incomplete(NOT_PURE)) };
        let shapes = shapes(&source, Some(&target)).map_err(Unknown::unsupported)?;
        let refutations = Some(Unknown::incomplete(NOT_PURE));
        let doubt = Doubt { refutations, ..self.doubt };
        Ok(Self { source, target: Some(target), shapes, doubt, ..self })
    }
}

/// Which verdicts do not count, because memory may differ from its encoding, and why.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubt {
    /// A proof other than by traces.
    pub proofs: Option<Unknown>,
    /// A proof by traces.
    pub traces: Option<Unknown>,
    /// A refutation.
    pub refutations: Option<Unknown>,
}

/// Why two sides are not functions of what they load, and why such functions refute nothing.
const NOT_PURE: &str = "memory holds more than what one lane loads and stores";
/// Why it is not certain what a barrier orders.
const UNORDERED: &str = "in the Vulkan memory model a barrier orders only accesses that are \
    `NonPrivatePointer`, made available and made visible, and some here are not";
/// Why it is not certain how many subgroups there are.
const COUNTED: &str = "how many subgroups a workgroup of some size has is not among the facts";

impl Doubt {
    fn of(
        source: &Flat,
        target: Option<&Flat>,
        promised: Option<String>,
        by_source: Option<String>,
    ) -> Self {
        let left = source.depends_on_callers().map(Unknown::incomplete);
        let [promised, by_source] = [promised, by_source].map(|it| it.map(Unknown::incomplete));
        let unordered = || Unknown::incomplete(UNORDERED);
        let excuse = source.is_unordered().then(unordered);
        let unordered = target.is_some_and(Flat::is_unordered).then(unordered);
        Self {
            proofs: excuse
                .clone()
                .or_else(|| left.clone())
                .or(unordered)
                .or_else(|| aliases(source, target).map(Unknown::incomplete))
                .or_else(|| promised.clone()),
            // The same accesses read the same values, unless the memory is private to each lane.
            traces: left.filter(|_| source.interface.reads_globals).or(promised),
            refutations: excuse
                .or(by_source)
                .or_else(|| counts_twice(source, target).then(|| Unknown::incomplete(COUNTED))),
        }
    }
}

/// `NumEnqueuedSubgroups` follows from the workgroup's size, which does not bound `NumSubgroups` here.
fn counts_twice(source: &Flat, target: Option<&Flat>) -> bool {
    let read =
        |name| [Some(source), target].into_iter().flatten().any(|it| it.reads_built_in(name));
    read("NumEnqueuedSubgroups") && (read("NumSubgroups") || read("SubgroupId"))
}

/// Both sides at every number of iterations, unrolled on demand.
pub(crate) struct Unrollings<'a> {
    specification: &'a Specification,
    source: Side<'a>,
    target: Option<Side<'a>>,
    made: [OnceCell<Result<Unrolled, Unknown>>; ITERATIONS.len()],
    cut: OnceCell<Result<Unrolled, Unknown>>,
    /// What they load and store at the lane's own place is given and returned.
    pure: bool,
}

impl<'a> Unrollings<'a> {
    pub(crate) fn new(
        specification: &'a Specification,
        source: Side<'a>,
        target: Option<Side<'a>>,
    ) -> Self {
        Self {
            specification,
            source,
            target,
            made: Default::default(),
            cut: OnceCell::new(),
            pure: false,
        }
    }

    /// The same sides as functions of what they load, if they can be seen so.
    pub(crate) fn as_pure_functions(&self) -> Option<Self> {
        // Most sides are none, which takes no second unrolling to see.
        let first = self.first().ok()?;
        as_pure_functions(&first.source, first.target.as_ref()?)?;
        Some(Self { pure: true, ..Self::new(self.specification, self.source, self.target) })
    }

    /// With the fewest iterations that are tried; or why not even these.
    pub(crate) fn first(&self) -> Result<&Unrolled, Unknown> {
        self.at(0)
    }

    fn at(&self, step: usize) -> Result<&Unrolled, Unknown> {
        let made = self.made[step]
            .get_or_init(|| self.make(Loops::Iterations(ITERATIONS[step]), ITERATIONS[step]));
        made.as_ref().map_err(Clone::clone)
    }

    /// With the next larger number of iterations, if there are loops and it is not too much.
    pub(crate) fn after(&self, iterations: u32) -> Option<&Unrolled> {
        let next = ITERATIONS.iter().position(|&it| it > iterations)?;
        self.loops().then(|| self.at(next).ok())?
    }

    /// With this number of iterations, if it is one that is tried.
    pub(crate) fn with(&self, iterations: u32) -> Option<&Unrolled> {
        let step = ITERATIONS.iter().position(|&it| it == iterations)?;
        self.at(step).ok()
    }

    /// With enough iterations for loops that double up to a size.
    pub(crate) fn doubling(&self) -> Option<&Unrolled> {
        self.loops().then(|| self.at(DOUBLING).ok())?
    }

    /// Some loop may take more iterations than are tried first.
    pub(crate) fn loops(&self) -> bool {
        let unrolled = self.first();
        unrolled.is_ok_and(|it| {
            it.source.may_overrun() || it.target.as_ref().is_some_and(Flat::may_overrun)
        })
    }

    /// With loops cut open.
    pub(crate) fn cut(&self) -> Result<&Unrolled, Unknown> {
        let made = self.cut.get_or_init(|| self.make(Loops::Cut, 1));
        made.as_ref().map_err(Clone::clone)
    }

    fn make(&self, loops: Loops, iterations: u32) -> Result<Unrolled, Unknown> {
        let programs = [Some(self.source), self.target].into_iter().flatten();
        let specializations =
            specializations(programs.map(|side| side.program)).map_err(Unknown::unsupported)?;
        let apart = apart(self.source.function);
        let flat = |side: Side<'_>| {
            let (program, function) = (side.program, side.function);
            flatten(program, self.specification, function, &specializations, loops, &apart)
                .map_err(|error| error.of(side.program))
        };
        let mut source = flat(self.source)?;
        let mut target = self.target.map(flat).transpose()?;
        if let (Some(side), Some(target)) = (self.target, target.as_mut()) {
            compare_globals((self.source, &mut source), (side, target))?;
        }
        let shapes = shapes(&source, target.as_ref()).map_err(Unknown::unsupported)?;
        let promised = self.target.zip(target.as_ref());
        let promised = promised.and_then(|(side, flat)| {
            let [of_source, of_target] = [self.source, side].map(|it| (it.program, it.function));
            promises_more(&apart, side.function, flat)
                .or_else(|| promised_only(of_source, of_target, flat))
                .or_else(|| less_coherent(&source, flat))
        });
        let of_source = (self.source.program, self.source.function);
        let by_source = self.target.and_then(|_| promised_by_source(of_source, &source));
        let doubt = Doubt::of(&source, target.as_ref(), promised, by_source);
        let unrolled = Unrolled { source, target, shapes, iterations, doubt };
        if self.pure { unrolled.into_pure_functions() } else { Ok(unrolled) }
    }
}
