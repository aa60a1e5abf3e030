//! Trees as WGSL. What it has no words for has none here: the family is not written in this style.

use super::types::{TYPES, Types};
use super::visit::is_group;
use super::{Expr, Function, Module, Stmt, Variable};

/// What GLSL has built in and WGSL authors write themselves.
const PRELUDE: &[(&str, &str)] = &[
    (
        "ballot_count",
        "fn ballot_count(b: vec4<u32>) -> u32 {
let n = countOneBits(b);
return n.x + n.y + n.z + n.w;
}
",
    ),
    (
        "ballot_first",
        "fn ballot_first(b: vec4<u32>) -> u32 {
if (b.x != 0u) { return firstTrailingBit(b.x); }
if (b.y != 0u) { return 32u + firstTrailingBit(b.y); }
if (b.z != 0u) { return 64u + firstTrailingBit(b.z); }
return 96u + firstTrailingBit(b.w);
}
",
    ),
    (
        "ballot_last",
        "fn ballot_last(b: vec4<u32>) -> u32 {
if (b.w != 0u) { return 96u + firstLeadingBit(b.w); }
if (b.z != 0u) { return 64u + firstLeadingBit(b.z); }
if (b.y != 0u) { return 32u + firstLeadingBit(b.y); }
return firstLeadingBit(b.x);
}
",
    ),
    (
        "ballot_bit",
        "fn ballot_bit(b: vec4<u32>, lane: u32) -> bool {
return ((b[lane >> 5u] >> (lane & 31u)) & 1u) != 0u;
}
",
    ),
    (
        "mask_below",
        "fn mask_below(lane: u32) -> vec4<u32> {
let bits = (1u << (lane & 31u)) - 1u;
let word = lane >> 5u;
return vec4<u32>(
select(select(0u, 0xffffffffu, word > 0u), bits, word == 0u),
select(select(0u, 0xffffffffu, word > 1u), bits, word == 1u),
select(select(0u, 0xffffffffu, word > 2u), bits, word == 2u),
select(0u, bits, word == 3u));
}
",
    ),
    (
        "mask_own",
        "fn mask_own(lane: u32) -> vec4<u32> {
let bit = 1u << (lane & 31u);
let word = vec4<u32>(lane >> 5u);
return select(vec4<u32>(0u), vec4<u32>(bit), word == vec4<u32>(0u, 1u, 2u, 3u));
}
",
    ),
];

/// Group operations with the same name.
const SAME: &[&str] = &[
    "subgroupAdd",
    "subgroupMul",
    "subgroupMin",
    "subgroupMax",
    "subgroupAnd",
    "subgroupOr",
    "subgroupXor",
    "subgroupExclusiveAdd",
    "subgroupExclusiveMul",
    "subgroupInclusiveAdd",
    "subgroupInclusiveMul",
    "subgroupAll",
    "subgroupAny",
    "subgroupBroadcastFirst",
    "subgroupShuffle",
    "subgroupShuffleXor",
    "subgroupShuffleUp",
    "subgroupShuffleDown",
    "subgroupBallot",
    "subgroupBarrier",
    "min",
    "max",
    "abs",
    "any",
    "all",
    "atomicAdd",
];

/// The claim as a module with two entry points, whose parameters and results are in buffers at the
/// lane's own index.
pub(crate) fn entries(module: &Module, global: bool, invocations: u32) -> Option<String> {
    let (at, built_in) = match global {
        true => ("grid_id.x", "global_invocation_id) grid_id: vec3<u32>"),
        false => ("local_index", "local_invocation_index) local_index: u32"),
    };
    // naga's barrier of a subgroup does not order the workgroup's memory.
    if !module.shared.is_empty() {
        return None;
    }
    let result = ty(&module.source.result)?;
    let mut text =
        format!("@group(0) @binding(0) var<storage, read_write> results: array<{result}>;\n");
    for (number, Variable { ty: of, name, .. }) in module.source.parameters.iter().enumerate() {
        let (binding, of) = (number + 1, ty(of)?);
        text +=
            &format!("@group(0) @binding({binding}) var<storage, read> in_{name}: array<{of}>;\n");
    }
    for helper in &module.helpers {
        text += &helper_text(module, helper)?;
    }
    for function in [&module.source, &module.target] {
        let writer =
            Wgsl { types: Types::of(function, &module.shared, &module.helpers), at: Some(at) };
        let loads: Vec<String> = function
            .parameters
            .iter()
            .map(|it| Some(format!("var v_{0}: {1} = in_{0}[{at}];\n", it.name, ty(&it.ty)?)))
            .collect::<Option<_>>()?;
        text += &format!(
            "@compute @workgroup_size({invocations})\nfn {}(@builtin(subgroup_invocation_id) lane_id: u32, \
             @builtin(subgroup_size) group_size: u32, @builtin({built_in}) {{\n{}{}}}\n",
            function.name,
            loads.concat(),
            writer.statements(&function.body, true)?,
        );
    }
    Some(with_prelude(&text))
}

/// The claim as two functions, where no lane asks for its index.
pub(crate) fn functions(module: &Module) -> Option<String> {
    let mut text = String::new();
    let helpers = module.helpers.iter().chain([&module.source, &module.target]);
    for function in helpers {
        text += &helper_text(module, function)?;
    }
    let free =
        module.shared.is_empty() && !text.contains("lane_id") && !text.contains("group_size");
    free.then(|| with_prelude(&text))
}

fn helper_text(module: &Module, helper: &Function) -> Option<String> {
    let writer = Wgsl { types: Types::of(helper, &module.shared, &module.helpers), at: None };
    let mut parameters = Vec::new();
    let mut copies = String::new();
    for Variable { ty: of, name, .. } in &helper.parameters {
        parameters.push(format!("p_{name}: {}", ty(of)?));
        copies += &format!("var v_{name} = p_{name};\n");
    }
    // naga asks for a return at the end even behind a loop that is never left.
    let Some(Stmt::Return(Some(_))) = helper.body.last() else { return None };
    let (name, result) = (&helper.name, ty(&helper.result)?);
    let body = writer.statements(&helper.body, false)?;
    // Helpers have no built-in values.
    let reads = body.contains("lane_id") || body.contains("group_size");
    (!reads)
        .then(|| format!("fn {name}({}) -> {result} {{\n{copies}{body}}}\n", parameters.join(", ")))
}

fn with_prelude(text: &str) -> String {
    let used = PRELUDE.iter().filter(|(name, _)| text.contains(name));
    let prelude: String = used.map(|(_, text)| *text).collect();
    format!("enable subgroups;\n{prelude}{text}")
}

fn ty(name: &str) -> Option<&'static str> {
    Some(match name {
        "uint" => "u32",
        "int" => "i32",
        "bool" => "bool",
        "float" => "f32",
        "uint64_t" => "u64",
        "int64_t" => "i64",
        "uvec2" => "vec2<u32>",
        "ivec2" => "vec2<i32>",
        "uvec4" => "vec4<u32>",
        _ => return None,
    })
}

struct Wgsl {
    types: Types,
    /// Where results are stored; `None`: they are returned.
    at: Option<&'static str>,
}

impl Wgsl {
    /// `last`: nothing comes after them.
    fn statements(&self, of: &[Stmt], last: bool) -> Option<String> {
        let mut text = String::new();
        for (number, statement) in of.iter().enumerate() {
            text += &self.statement(statement, last && number + 1 == of.len())?;
            text.push('\n');
        }
        Some(text)
    }

    fn block(&self, of: &[Stmt]) -> Option<String> {
        Some(format!("{{\n{}}}", self.statements(of, false)?))
    }

    fn simple(&self, of: &Stmt) -> Option<String> {
        Some(match of {
            Stmt::Declare { ty: of, name, length: None, value } => {
                let value = match value {
                    Some(value) => format!(" = {}", self.expression(value)?),
                    None => String::new(),
                };
                format!("var v_{name}: {}{value}", ty(of)?)
            }
            Stmt::Declare { ty: of, name, length: Some(length), value: None } => {
                format!("var v_{name}: array<{}, {length}>", ty(of)?)
            }
            Stmt::Assign { place, operator, value } => {
                format!("{} {operator}= {}", self.expression(place)?, self.expression(value)?)
            }
            Stmt::Do(Expr::Call(name, _)) if name == "barrier" => "workgroupBarrier()".to_owned(),
            Stmt::Do(value @ Expr::Call(name, _)) if name == "subgroupBarrier" => {
                self.expression(value)?
            }
            _ => return None,
        })
    }

    fn statement(&self, of: &Stmt, last: bool) -> Option<String> {
        Some(match of {
            Stmt::If { test, then, other } => {
                let other = match other.is_empty() {
                    true => String::new(),
                    false => format!(" else {}", self.block(other)?),
                };
                format!("if ({}) {}{other}", self.expression(test)?, self.block(then)?)
            }
            Stmt::For { first: None, test: None, step: None, body } => {
                format!("loop {}", self.block(body)?)
            }
            Stmt::For { first, test, step, body } => {
                let simple = |of: &Option<Box<Stmt>>| match of {
                    Some(of) => self.simple(of),
                    None => Some(String::new()),
                };
                let test = match test {
                    Some(test) => self.expression(test)?,
                    None => String::new(),
                };
                format!("for ({}; {test}; {}) {}", simple(first)?, simple(step)?, self.block(body)?)
            }
            Stmt::While { test, body } => {
                format!("while ({}) {}", self.expression(test)?, self.block(body)?)
            }
            Stmt::DoWhile { body, test } => format!(
                "loop {{\n{}continuing {{\nbreak if !({});\n}}\n}}",
                self.statements(body, false)?,
                self.expression(test)?
            ),
            Stmt::Switch { of, cases } => {
                let mut text = format!("switch ({}) {{\n", self.expression(of)?);
                for (label, body) in cases {
                    let label =
                        label.as_ref().map_or("default".to_owned(), |it| format!("case {it}"));
                    text += &format!("{label}: {}\n", self.block(body)?);
                }
                text + "}"
            }
            Stmt::Break => "break;".to_owned(),
            Stmt::Continue => "continue;".to_owned(),
            Stmt::Return(Some(value)) if self.at.is_some() => {
                let at = self.at?;
                let store = format!("results[{at}] = {};", self.expression(value)?);
                if last { store } else { format!("{store}\nreturn;") }
            }
            Stmt::Return(Some(value)) => format!("return {};", self.expression(value)?),
            Stmt::Return(None) => "return;".to_owned(),
            Stmt::Block(inner) => self.block(inner)?,
            simple => self.simple(simple)? + ";",
        })
    }

    fn atom(&self, of: &Expr) -> Option<String> {
        let text = self.expression(of)?;
        Some(match of {
            Expr::Unary(..) | Expr::Binary(..) => format!("({text})"),
            _ => text,
        })
    }

    fn is(&self, of: &Expr, ty: &str) -> bool {
        self.types.of_expression(of).as_deref() == Some(ty)
    }

    fn expression(&self, of: &Expr) -> Option<String> {
        Some(match of {
            Expr::Name(name) => match name.as_str() {
                "gl_SubgroupInvocationID" => "lane_id".to_owned(),
                "gl_SubgroupSize" => "group_size".to_owned(),
                "gl_SubgroupLtMask" => "mask_below(lane_id)".to_owned(),
                "gl_SubgroupLeMask" => "(mask_below(lane_id) | mask_own(lane_id))".to_owned(),
                "gl_SubgroupGeMask" => "(~mask_below(lane_id))".to_owned(),
                "gl_SubgroupGtMask" => "(~(mask_below(lane_id) | mask_own(lane_id)))".to_owned(),
                "gl_SubgroupEqMask" => "mask_own(lane_id)".to_owned(),
                name if name.starts_with("gl_") => return None,
                name => format!("v_{name}"),
            },
            Expr::Literal(text) => match text.strip_suffix("UL") {
                Some(number) => format!("{number}lu"),
                None => text.clone(),
            },
            Expr::Unary("-", inner) if !self.is(inner, "int") && !self.is(inner, "float") => {
                format!("({}() - {})", ty(&self.types.of_expression(inner)?)?, self.atom(inner)?)
            }
            Expr::Unary(operator, inner) => format!("{operator}{}", self.atom(inner)?),
            Expr::Binary("^^", a, b) => format!("{} != {}", self.atom(a)?, self.atom(b)?),
            Expr::Binary(operator @ ("<<" | ">>"), a, b) => {
                let by = self.expression(b)?;
                let by = if self.is(b, "uint") { format!("({by})") } else { format!("u32({by})") };
                format!("{} {operator} {by}", self.atom(a)?)
            }
            Expr::Binary(operator, a, b) => {
                format!("{} {operator} {}", self.atom(a)?, self.atom(b)?)
            }
            Expr::Choice(test, a, b) if !is_group(a) && !is_group(b) => format!(
                "select({}, {}, {})",
                self.expression(b)?,
                self.expression(a)?,
                self.expression(test)?
            ),
            Expr::Choice(..) => return None,
            Expr::Call(name, arguments) => self.call(name, arguments)?,
            Expr::Index(of, index) => format!("{}[{}]", self.atom(of)?, self.expression(index)?),
            Expr::Member(of, name) => format!("{}.{name}", self.atom(of)?),
        })
    }

    fn call(&self, name: &str, arguments: &[Expr]) -> Option<String> {
        let all: Vec<String> =
            arguments.iter().map(|it| self.expression(it)).collect::<Option<_>>()?;
        let all = all.join(", ");
        Some(match name {
            _ if TYPES.contains(&name) => format!("{}({all})", ty(name)?),
            "subgroupBroadcast" => match &arguments[1] {
                Expr::Literal(_) => format!("{name}({all})"),
                _ => return None,
            },
            _ if SAME.contains(&name) || self.types.is_helper(name) => format!("{name}({all})"),
            "equal" | "notEqual" => {
                let sign = if name == "equal" { "==" } else { "!=" };
                let (a, b) = (self.atom(&arguments[0])?, self.atom(&arguments[1])?);
                format!("({a} {sign} {b})")
            }
            "bitCount" => format!("countOneBits({all})"),
            "findLSB" => format!("firstTrailingBit({all})"),
            "findMSB" => format!("firstLeadingBit({all})"),
            "floatBitsToUint" => format!("bitcast<u32>({all})"),
            "uintBitsToFloat" => format!("bitcast<f32>({all})"),
            "subgroupBallotBitCount" => format!("ballot_count({all})"),
            "subgroupBallotExclusiveBitCount" => {
                format!("ballot_count(({all}) & mask_below(lane_id))")
            }
            "subgroupBallotInclusiveBitCount" => {
                format!("ballot_count(({all}) & (mask_below(lane_id) | mask_own(lane_id)))")
            }
            "subgroupBallotFindLSB" => format!("ballot_first({all})"),
            "subgroupBallotFindMSB" => format!("ballot_last({all})"),
            "subgroupBallotBitExtract" => format!("ballot_bit({all})"),
            "subgroupInverseBallot" => format!("ballot_bit({all}, lane_id)"),
            _ => return None,
        })
    }
}
