//! Forms in which a claim is put: functions, entry points, languages.

use std::fmt;

use laneproof_frontends::Language;

use crate::shader::visit::{change_all, replace};
use crate::shader::{Expr, Function, Module, Stmt, Variable, assembly, glsl, wgsl};

/// The form of a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// Functions in GLSL that return.
    #[default]
    Functions,
    /// Functions in GLSL that load and store at the lane's own index.
    Stores,
    /// Two shaders, whose entry points load and store so.
    Shaders,
    /// Two shaders that `spirv-opt -O` has optimized.
    Optimized,
    /// Functions as SPIR-V assembly in SSA form.
    Assembly,
    /// Functions in WGSL.
    WgslFunctions,
    /// Entry points in WGSL.
    WgslEntries,
}

/// Where a lane loads and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    /// At its index in the subgroup: other subgroups store there, too, so this is for functions.
    Lane,
    /// At its index in the workgroup.
    Local,
    /// At its index in the whole grid.
    Global,
}

impl Index {
    fn expression(self) -> Expr {
        match self {
            Self::Lane => Expr::name("gl_SubgroupInvocationID"),
            Self::Local => Expr::name("gl_LocalInvocationIndex"),
            Self::Global => {
                Expr::Member(Box::new(Expr::name("gl_GlobalInvocationID")), "x".to_owned())
            }
        }
    }
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Functions,
        Self::Stores,
        Self::Shaders,
        Self::Optimized,
        Self::Assembly,
        Self::WgslFunctions,
        Self::WgslEntries,
    ];

    /// The language of its texts; `None`: assembly.
    pub fn language(self) -> Option<Language> {
        match self {
            Self::WgslFunctions | Self::WgslEntries => Some(Language::Wgsl),
            Self::Assembly => None,
            _ => Some(Language::Glsl),
        }
    }

    /// The end of the names of its files.
    pub fn extension(self) -> &'static str {
        match self.language() {
            Some(Language::Wgsl) => "wgsl",
            Some(Language::Glsl) => "comp",
            None => "spvasm",
        }
    }

    /// The texts of a claim: one, or one for each side; `None` where it has none in this form. Entry
    /// points have workgroups of so many `invocations`.
    pub(crate) fn texts(self, module: &Module, at: Index, invocations: u32) -> Option<Vec<String>> {
        match self {
            Self::Functions => {
                let mut text = shared_and_helpers(module);
                text += &glsl::function(&module.source);
                text += &glsl::function(&module.target);
                Some(vec![with_extensions(&text)])
            }
            Self::Stores => {
                let mut text = buffers(module) + &shared_and_helpers(module);
                text += &glsl::function(&stored(&module.source, &module.source.name, Index::Lane));
                text += &glsl::function(&stored(&module.target, &module.target.name, Index::Lane));
                Some(vec![with_extensions(&text)])
            }
            Self::Shaders | Self::Optimized => {
                let side = |function: &Function| {
                    let head = format!("layout(local_size_x = {invocations}) in;\n");
                    let helpers = module.helpers.iter();
                    let helpers = helpers.map(|it| apart(it.clone(), &module.shared)).collect();
                    let module = Module { helpers, ..module.clone() };
                    let head = head + &buffers(&module) + &shared_and_helpers(&module);
                    let main = apart(stored(function, "main", at), &module.shared);
                    with_extensions(&(head + &glsl::function(&main)))
                };
                Some(vec![side(&module.source), side(&module.target)])
            }
            Self::Assembly => Some(vec![assembly::module(module)?]),
            Self::WgslFunctions => Some(vec![wgsl::functions(module)?]),
            Self::WgslEntries => {
                Some(vec![wgsl::entries(module, at == Index::Global, invocations)?])
            }
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Functions => "functions",
            Self::Stores => "stores",
            Self::Shaders => "shaders",
            Self::Optimized => "optimized",
            Self::Assembly => "assembly",
            Self::WgslFunctions => "wgsl-functions",
            Self::WgslEntries => "wgsl-entries",
        })
    }
}

const EXTENSIONS: &str = "#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
";

/// What a text needs further, by a word in it.
const FURTHER: &[(&str, &[&str])] = &[
    (
        "int64_t",
        &[
            "GL_EXT_shader_explicit_arithmetic_types_int64",
            "GL_EXT_shader_subgroup_extended_types_int64",
        ],
    ),
    (
        "int16_t",
        &[
            "GL_EXT_shader_explicit_arithmetic_types_int16",
            "GL_EXT_shader_subgroup_extended_types_int16",
            "GL_EXT_shader_16bit_storage",
        ],
    ),
    (
        "int8_t",
        &[
            "GL_EXT_shader_explicit_arithmetic_types_int8",
            "GL_EXT_shader_subgroup_extended_types_int8",
            "GL_EXT_shader_8bit_storage",
        ],
    ),
    ("assumeEXT", &["GL_EXT_expect_assume"]),
];

fn with_extensions(text: &str) -> String {
    let mut all = EXTENSIONS.to_owned();
    for (word, extensions) in FURTHER {
        if text.contains(word) {
            let lines = extensions.iter().map(|it| format!("#extension {it} : require\n"));
            all.extend(lines);
        }
    }
    all + text
}

fn shared_and_helpers(module: &Module) -> String {
    let shared = module.shared.iter().map(|it| format!("shared {};\n", glsl::variable(it)));
    shared.chain(module.helpers.iter().map(glsl::function)).collect()
}

fn buffers(module: &Module) -> String {
    let result =
        Variable { ty: module.source.result.clone(), name: "results".to_owned(), length: None };
    let parameters = module
        .source
        .parameters
        .iter()
        .map(|it| Variable { name: format!("in_{}", it.name), ..it.clone() });
    let all = std::iter::once(result).chain(parameters).enumerate();
    let buffer = |(binding, Variable { ty, name, .. })| {
        let head = format!("layout(set = 0, binding = {binding}, std430) buffer Of{binding}");
        format!("{head} {{ {ty} {name}[]; }};\n")
    };
    all.map(buffer).collect()
}

/// Lanes of the largest subgroup.
const LANES: u32 = 128;

/// Each subgroup of the workgroup has its own part of what is shared: as many elements for a lane as
/// the array has for the largest subgroup's.
fn apart(mut of: Function, shared: &[Variable]) -> Function {
    change_all(&mut of.body, &mut |it| {
        let Expr::Index(array, index) = it else { return };
        let found = shared.iter().find(|it| **array == Expr::name(&it.name));
        let length = found.and_then(|it| it.length.as_ref()?.parse::<u32>().ok());
        let Some(length) = length else { return };
        let own = Expr::binary("*", Expr::name("gl_SubgroupID"), Expr::name("gl_SubgroupSize"));
        let first = Expr::binary("*", own, Expr::literal(&format!("{}u", length / LANES)));
        **index = Expr::binary("+", first, (**index).clone());
    });
    of
}

/// A function that loads what were parameters, and stores what it returned.
fn stored(of: &Function, name: &str, at: Index) -> Function {
    let own = |name: &str| Expr::Index(Box::new(Expr::name(name)), Box::new(at.expression()));
    let load = |it: &Variable| Stmt::declare(&it.ty, &it.name, own(&format!("in_{}", it.name)));
    let mut body: Vec<Stmt> = of.parameters.iter().map(load).collect();
    body.extend(replace(of.body.clone(), &mut |it| match it {
        Stmt::Return(Some(value)) => {
            vec![Stmt::assign(own("results"), value), Stmt::Return(None)]
        }
        other => vec![other],
    }));
    if body.last() == Some(&Stmt::Return(None)) {
        body.pop();
    }
    Function { result: "void".to_owned(), name: name.to_owned(), parameters: Vec::new(), body }
}
