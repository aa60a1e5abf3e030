//! The verifier: options, and the call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use laneproof_semantics::Specification;
use laneproof_verify::{Claim, Named, Options, verify};

use crate::deep::deep;
use crate::error::Error;
use crate::input::Input;
use crate::profile::Profile;
use crate::report::Report;

/// The default limit of all sizes together.
const TOTAL: Duration = Duration::from_secs(60);

/// Verifies that one function refines another. It can be used any number of times, from any thread.
#[derive(Clone, Debug)]
#[must_use]
pub struct Verifier {
    options: Options,
    functions: Option<[String; 2]>,
    specification: Arc<Specification>,
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Verifier {
    /// All sizes from 1 to 128, every set of active lanes, the module's own profile, ten seconds for
    /// each obligation and a minute for all of them.
    pub fn new() -> Self {
        let options = Options { total_timeout: Some(TOTAL), ..Options::default() };
        Self {
            options,
            functions: None,
            specification: Arc::new(Specification::built_in().clone()),
        }
    }

    /// Subgroup sizes in lanes, powers of two up to 128, in any order.
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = u32>) -> Self {
        let mut sizes: Vec<u32> = sizes.into_iter().collect();
        sizes.sort_unstable();
        sizes.dedup();
        (self.options.states.sizes, self.options.states.any_size) = (sizes, false);
        self
    }

    /// The profile that settles open points; by default the one of the module's kind.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.profile = Some(profile.name().to_owned());
        self
    }

    /// Overrides one reading of the profile.
    pub fn reading(mut self, reading: &str, alternative: &str) -> Self {
        self.options.readings.push((reading.to_owned(), alternative.to_owned()));
        self
    }

    /// The function to compare, by its name in both modules. By default `src` of the first and
    /// `tgt` of the second, or their single entry points.
    pub fn function(self, name: &str) -> Self {
        self.functions(name, name)
    }

    /// The functions to compare, by their names.
    pub fn functions(mut self, source: &str, target: &str) -> Self {
        self.functions = Some([source.to_owned(), target.to_owned()]);
        self
    }

    /// All existing lanes enter, instead of any nonempty set of them.
    pub fn all_active(mut self) -> Self {
        self.options.states.all_active = true;
        self
    }

    /// Fewer lanes may exist than `SubgroupSize`.
    pub fn partial(mut self) -> Self {
        self.options.states.partial = true;
        self
    }

    /// The subgroup may be any of its workgroup, instead of the first.
    pub fn any_subgroup(mut self) -> Self {
        self.options.states.any_subgroup = true;
        self
    }

    /// Verifies whole workgroups with each of these numbers of subgroups.
    pub fn subgroups(mut self, numbers: impl IntoIterator<Item = u32>) -> Self {
        self.options.states.subgroups = numbers.into_iter().collect();
        self.options.states.subgroups.sort_unstable();
        self.options.states.subgroups.dedup();
        self
    }

    /// Also compares what pointer parameters point to at the end.
    pub fn outputs(mut self) -> Self {
        self.options.outputs = true;
        self
    }

    /// The limit of each obligation.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.options.timeout = limit;
        self
    }

    /// The limit of all obligations together.
    pub fn total_timeout(mut self, limit: Duration) -> Self {
        self.options.total_timeout = Some(limit);
        self
    }

    /// Adds a specification in the language of `semantics/spec`: an extension, or a primitive of a
    /// machine. `name` is what errors call it.
    ///
    /// # Errors
    ///
    /// It does not parse, or contradicts the specification.
    pub fn specification(mut self, name: &str, text: &str) -> Result<Self, Error> {
        let extended = self.specification.extended_with(name, text).map_err(Box::new)?;
        self.specification = Arc::new(extended);
        Ok(self)
    }

    /// Does `target` refine `source`?
    ///
    /// # Errors
    ///
    /// A module does not compile or is not valid, the functions are not there or cannot be compared,
    /// or the options do not fit the modules.
    pub fn verify(
        &self,
        source: impl Into<Input>,
        target: impl Into<Input>,
    ) -> Result<Report, Error> {
        let (source, target) = (source.into(), target.into());
        let started = Instant::now();
        deep(|| {
            let [of_source, of_target] = [source.name("source"), target.name("target")];
            let [before, after] = [source.program("source")?, target.program("target")?];
            let functions = self.functions.as_ref();
            let functions = functions.map(|[source, target]| [source.as_str(), target.as_str()]);
            let claim = Claim::between(
                Named { program: &before, name: &of_source },
                Named { program: &after, name: &of_target },
                functions,
            )?;
            self.settled(claim, started)
        })
    }

    /// Does what the module claims hold: that its `tgt` refines its `src`, or that its `property` is
    /// true in every active lane?
    ///
    /// # Errors
    ///
    /// As [`Verifier::verify`].
    pub fn verify_claim(&self, module: impl Into<Input>) -> Result<Report, Error> {
        let module = module.into();
        let started = Instant::now();
        deep(|| {
            let program = module.program("module")?;
            let claim = Claim::of(&program, &module.name("module"))?;
            self.settled(claim, started)
        })
    }

    fn settled(&self, claim: Claim<'_>, started: Instant) -> Result<Report, Error> {
        let Claim { source, target } = claim;
        let report = verify(&self.specification, source, target, &self.options)?;
        let property = target.is_none();
        let (options, specification) = (self.options.clone(), self.specification.clone());
        Ok(Report::new(report, options, specification, property, started.elapsed()))
    }
}
