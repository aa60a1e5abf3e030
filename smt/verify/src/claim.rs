//! What a module claims: that `tgt` refines `src`, or that `property` holds.

use std::collections::BTreeSet;

use laneproof_module::{Function, Parameter, Program};
use thiserror::Error;

use crate::options::Side;

/// The functions that an obligation is about.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The function to be refined, or the property.
    pub source: Side<'a>,
    /// The function that must refine it; `None`: the source is a property.
    pub target: Option<Side<'a>>,
}

/// Why a module makes no claim.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The module has neither a pair nor a property.
    #[error(
        "{module}: expected functions `src` and `tgt`, or a function `property`; there {functions}"
    )]
    Missing {
        /// The module.
        module: String,
        /// The functions that it has instead, as the end of a sentence.
        functions: String,
    },
    /// Several functions of one name.
    #[error("{module}: `{function}` names {count} functions ({found}): rename all but one")]
    Overloaded {
        /// The module.
        module: String,
        /// The name.
        function: String,
        /// How many have it.
        count: usize,
        /// What each takes, or its `<id>`.
        found: String,
    },
    /// The entry points declare different workgroups.
    #[error(
        "{module}: `src` declares a workgroup of {source_size} invocations, `tgt` one of \
         {target_size}: they do not do the same work, so declare the same for both"
    )]
    Workgroups {
        /// The module.
        module: String,
        /// Along each axis.
        source_size: String,
        /// Likewise.
        target_size: String,
    },
    /// No function is named, and a module does not have exactly one entry point.
    #[error(
        "{module}: no function `src` in the first module and `tgt` in the second, nor a single entry \
         point here ({count}): name the function to compare with --function; there {functions}"
    )]
    EntryPoints {
        /// The module.
        module: String,
        /// How many entry points it has.
        count: usize,
        /// The functions that it has, as the end of a sentence.
        functions: String,
    },
    /// A module does not have the named function.
    #[error("{module}: has no function `{function}`; there {functions}")]
    NoFunction {
        /// The module.
        module: String,
        /// The named function.
        function: String,
        /// The functions that it has, as the end of a sentence.
        functions: String,
    },
    /// The module has both a pair and a property.
    #[error(
        "{0}: there are `property` and `src` or `tgt`, so it is not clear which claim is meant"
    )]
    Both(String),
}

impl<'a> Claim<'a> {
    /// The claim of one module; errors call it `name`.
    ///
    /// # Errors
    ///
    /// If the functions are missing, or make two claims.
    pub fn of(program: &'a Program, name: &str) -> Result<Self, ClaimError> {
        for function in ["src", "tgt", "property"] {
            only(program, function, name)?;
        }
        let side =
            |function: &str| program.function(function).map(|function| Side { program, function });
        match (side("src"), side("tgt"), side("property")) {
            (Some(source), Some(target), None) => Self::pair(source, target, name),
            (None, None, Some(source)) => Ok(Self { source, target: None }),
            (None, None, None) | (Some(_), None, None) | (None, Some(_), None) => {
                Err(ClaimError::Missing { module: name.to_owned(), functions: functions(program) })
            }
            _ => Err(ClaimError::Both(name.to_owned())),
        }
    }
}

impl<'a> Claim<'a> {
    /// The claim that one function refines another; errors call them `name`.
    ///
    /// # Errors
    ///
    /// If both are entry points and declare different workgroups.
    pub fn pair(source: Side<'a>, target: Side<'a>, name: &str) -> Result<Self, ClaimError> {
        let declared = |side: Side<'_>| {
            let mut entries = side.program.entry_points.iter();
            entries.find(|entry| entry.function == side.function.id)?.local_size
        };
        if let (Some(of_source), Some(of_target)) = (declared(source), declared(target))
            && of_source != of_target
        {
            let [source_size, target_size] =
                [of_source, of_target].map(|[x, y, z]| format!("{x} × {y} × {z}"));
            let module = name.to_owned();
            return Err(ClaimError::Workgroups { module, source_size, target_size });
        }
        Ok(Self { source, target: Some(target) })
    }
}

/// A module, and what errors call it.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The module.
    pub program: &'a Program,
    /// What errors call it.
    pub name: &'a str,
}

impl<'a> Named<'a> {
    fn has(self, function: &str) -> bool {
        !self.program.functions_named(function).is_empty()
    }

    /// The function of this name, or the single entry point.
    fn side(self, function: Option<&str>) -> Result<Side<'a>, ClaimError> {
        let Self { program, name } = self;
        let module = || name.to_owned();
        let found = match (function, &program.entry_points[..]) {
            (Some(function), _) => {
                only(program, function, name)?;
                program.function(function)
            }
            (None, [entry]) => program.function_by_id(entry.function),
            (None, several) => {
                let (count, functions) = (several.len(), functions(program));
                return Err(ClaimError::EntryPoints { module: module(), count, functions });
            }
        };
        found.map(|function| Side { program, function }).ok_or_else(|| ClaimError::NoFunction {
            module: module(),
            function: function.unwrap_or_default().to_owned(),
            functions: functions(program),
        })
    }
}

impl<'a> Claim<'a> {
    /// The claim that a function of one module refines one of another: the named functions, in the
    /// order source, target; by default `src` and `tgt`, or the single entry points.
    ///
    /// # Errors
    ///
    /// If a function is missing or ambiguous, or the two declare different workgroups.
    pub fn between(
        source: Named<'a>,
        target: Named<'a>,
        functions: Option<[&str; 2]>,
    ) -> Result<Self, ClaimError> {
        let functions = functions
            .or_else(|| (source.has("src") && target.has("tgt")).then_some(["src", "tgt"]));
        let name = format!("{} and {}", source.name, target.name);
        let of_source = source.side(functions.map(|[of_source, _]| of_source))?;
        let of_target = target.side(functions.map(|[_, of_target]| of_target))?;
        Self::pair(of_source, of_target, &name)
    }
}

/// Checks that at most one function has a name; errors call the module `module`.
///
/// # Errors
///
/// If several functions have it.
pub fn only(program: &Program, name: &str, module: &str) -> Result<(), ClaimError> {
    let named = program.functions_named(name);
    if named.len() < 2 {
        return Ok(());
    }
    let mut found: Vec<String> = named.iter().map(|it| takes(name, it)).collect();
    let types: BTreeSet<&String> = found.iter().collect();
    if types.len() < found.len() {
        let id = |id| program.debug.written.get(&id).cloned().unwrap_or_else(|| id.to_string());
        found = named.iter().map(|it| format!("`%{}`", id(it.id))).collect();
    }
    Err(ClaimError::Overloaded {
        module: module.to_owned(),
        function: name.to_owned(),
        count: named.len(),
        found: found.join(", "),
    })
}

/// A function with its parameters' types; a pointer to function-local storage counts as its
/// pointee, as glslang passes parameters so.
fn takes(name: &str, function: &Function) -> String {
    let ty = |parameter: &Parameter| {
        let behind = parameter.ty.pointee().map_or(&parameter.ty, |(_, pointee)| pointee);
        behind.data().map_or_else(|| "…".to_owned(), |data| data.to_string())
    };
    let types: Vec<String> = function.parameters.iter().map(ty).collect();
    format!("`{name}({})`", types.join(", "))
}

/// The functions of a module, as "is `f`", "are `f` and `g`" and so on.
pub fn functions(program: &Program) -> String {
    let named = |function: &Function| {
        let mut entries = program.entry_points.iter();
        let entry = || entries.find(|it| it.function == function.id).map(|it| it.name.clone());
        let name = function.name.clone().or_else(entry);
        format!("`{}`", name.unwrap_or_else(|| program.name_of(function.id)))
    };
    let found = match &program.functions[..] {
        [] => "is no function at all".to_owned(),
        [only] => format!("is only {}", named(only)),
        several => format!("are {}", several.iter().map(named).collect::<Vec<_>>().join(", ")),
    };
    let enters =
        |function: &Function| program.entry_points.iter().any(|it| it.function == function.id);
    let nameless = program.functions.iter().any(|it| it.name.is_none() && !enters(it));
    match nameless {
        true => format!("{found}; an `<id>` is no name: `OpName` or linkage gives a function one"),
        false => found,
    }
}
