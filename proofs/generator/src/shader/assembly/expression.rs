//! Expressions as instructions.

use super::super::Expr;
use super::super::types::TYPES;
use super::super::visit::is_group;
use super::Writing;
use super::values::Value;

/// What a type is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Bool,
    Unsigned,
    Signed,
    Float,
}

pub(super) fn class(ty: &str) -> Class {
    match ty {
        "bool" | "bvec4" => Class::Bool,
        "int" | "int64_t" => Class::Signed,
        "float" | "double" => Class::Float,
        _ => Class::Unsigned,
    }
}

fn width(ty: &str) -> u32 {
    match ty {
        "uint64_t" | "int64_t" | "double" => 64,
        "uint16_t" => 16,
        _ => 32,
    }
}

impl Writing<'_> {
    /// An instruction with a result.
    pub(super) fn emit(&mut self, name: &str, ty: &str, operands: &str) -> Option<Value> {
        let (of, id) = (self.text.ty(ty)?, self.text.fresh("v"));
        self.text.line(&format!("{id} = {name} {of} {operands}"));
        Some(Value { id, ty: ty.to_owned() })
    }

    /// The value of an expression; a number without a suffix has the type that is expected.
    pub(super) fn value(&mut self, of: &Expr, expected: Option<&str>) -> Option<Value> {
        match of {
            Expr::Name(name) => self.name(name),
            Expr::Literal(text) => {
                let ty = self.types.of_expression(of);
                let ty = ty.as_deref().or(expected).unwrap_or("uint");
                let number = match ty {
                    "float" | "double" | "bool" => text.as_str(),
                    _ => text.trim_end_matches(['u', 'U', 'L']),
                };
                self.text.number(ty, number)
            }
            Expr::Unary(operator, inner) => {
                let value = self.value(inner, expected)?;
                let name = match (*operator, class(&value.ty)) {
                    ("!", _) => "OpLogicalNot",
                    ("~", _) => "OpNot",
                    (_, Class::Float) => "OpFNegate",
                    _ => "OpSNegate",
                };
                self.emit(name, &value.ty.clone(), &value.id)
            }
            Expr::Binary(operator, a, b) => self.binary(operator, a, b, expected),
            Expr::Choice(test, a, b) => {
                if is_group(a) || is_group(b) {
                    return None;
                }
                let ty = self.types.of_expression(of);
                let ty = ty.as_deref().or(expected);
                let test = self.value(test, Some("bool"))?;
                let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
                let b = self.converted(b, &a.ty)?;
                // Before version 1.4, a vector is chosen by a vector.
                if a.ty.starts_with("uvec") {
                    return None;
                }
                self.emit("OpSelect", &a.ty.clone(), &format!("{} {} {}", test.id, a.id, b.id))
            }
            Expr::Call(name, arguments) => match TYPES.contains(&name.as_str()) {
                true => self.constructed(name, arguments),
                false => self.call(name, arguments),
            },
            Expr::Index(of, index) => {
                if let Expr::Name(name) = &**of
                    && let Some(cell) = self.cell(name, index)
                {
                    return self.emit("OpLoad", &cell.ty.clone(), &cell.id);
                }
                let (of, index) = (self.value(of, None)?, self.value(index, Some("uint"))?);
                self.emit("OpVectorExtractDynamic", "uint", &format!("{} {}", of.id, index.id))
            }
            Expr::Member(of, member) => {
                let (of, at) = (self.value(of, None)?, "xyzw".find(member.as_str())?);
                self.emit("OpCompositeExtract", "uint", &format!("{} {at}", of.id))
            }
        }
    }

    fn name(&mut self, name: &str) -> Option<Value> {
        let (built_in, ty) = match name {
            "gl_SubgroupInvocationID" => ("SubgroupLocalInvocationId", "uint"),
            "gl_SubgroupSize" => ("SubgroupSize", "uint"),
            "gl_SubgroupLtMask" => ("SubgroupLtMask", "uvec4"),
            "gl_SubgroupLeMask" => ("SubgroupLeMask", "uvec4"),
            "gl_SubgroupGtMask" => ("SubgroupGtMask", "uvec4"),
            "gl_SubgroupGeMask" => ("SubgroupGeMask", "uvec4"),
            "gl_SubgroupEqMask" => ("SubgroupEqMask", "uvec4"),
            name => return self.names.get(name).cloned(),
        };
        let variable = self.text.built_in(built_in, ty)?;
        self.emit("OpLoad", ty, &variable)
    }

    /// The address of an element of a shared array.
    pub(super) fn cell(&mut self, name: &str, index: &Expr) -> Option<Value> {
        let (array, ty) = self.text.array(name)?;
        let index = self.value(index, Some("uint"))?;
        let (of, id) = (self.text.ty(&ty)?, self.text.fresh("cell"));
        let pointer = self.text.constant(&format!("OpTypePointer Workgroup {of}"));
        self.text.line(&format!("{id} = OpAccessChain {pointer} {array} {}", index.id));
        Some(Value { id, ty })
    }

    fn binary(
        &mut self,
        operator: &'static str,
        a: &Expr,
        b: &Expr,
        expected: Option<&str>,
    ) -> Option<Value> {
        if matches!(operator, "&&" | "||") && is_group(b) {
            return None;
        }
        let shifts = matches!(operator, "<<" | ">>");
        let of_a = self.types.of_expression(a);
        let both = if shifts { of_a } else { of_a.or_else(|| self.types.of_expression(b)) };
        let both = both.as_deref().or(expected);
        let a = self.value(a, both)?;
        let b = self.value(b, if shifts { Some("uint") } else { Some(a.ty.as_str()) })?;
        let b = if shifts { b } else { self.converted(b, &a.ty)? };
        let kind = class(&a.ty);
        let sort = match kind {
            Class::Signed => "S",
            Class::Float => "FOrd",
            _ => "U",
        };
        let (name, compares) = match (operator, kind) {
            ("&&", _) => ("OpLogicalAnd".to_owned(), true),
            ("||", _) => ("OpLogicalOr".to_owned(), true),
            ("^^", _) => ("OpLogicalNotEqual".to_owned(), true),
            ("<", _) => (format!("Op{sort}LessThan"), true),
            (">", _) => (format!("Op{sort}GreaterThan"), true),
            ("<=", _) => (format!("Op{sort}LessThanEqual"), true),
            (">=", _) => (format!("Op{sort}GreaterThanEqual"), true),
            ("==", Class::Bool) => ("OpLogicalEqual".to_owned(), true),
            ("!=", Class::Bool) => ("OpLogicalNotEqual".to_owned(), true),
            ("==", Class::Float) => ("OpFOrdEqual".to_owned(), true),
            ("!=", Class::Float) => ("OpFUnordNotEqual".to_owned(), true),
            ("==", _) => ("OpIEqual".to_owned(), true),
            ("!=", _) => ("OpINotEqual".to_owned(), true),
            ("+", Class::Float) => ("OpFAdd".to_owned(), false),
            ("-", Class::Float) => ("OpFSub".to_owned(), false),
            ("*", Class::Float) => ("OpFMul".to_owned(), false),
            ("+", _) => ("OpIAdd".to_owned(), false),
            ("-", _) => ("OpISub".to_owned(), false),
            ("*", _) => ("OpIMul".to_owned(), false),
            ("/", Class::Unsigned) => ("OpUDiv".to_owned(), false),
            ("%", Class::Unsigned) => ("OpUMod".to_owned(), false),
            ("&", _) => ("OpBitwiseAnd".to_owned(), false),
            ("|", _) => ("OpBitwiseOr".to_owned(), false),
            ("^", _) => ("OpBitwiseXor".to_owned(), false),
            ("<<", _) => ("OpShiftLeftLogical".to_owned(), false),
            (">>", Class::Signed) => ("OpShiftRightArithmetic".to_owned(), false),
            (">>", _) => ("OpShiftRightLogical".to_owned(), false),
            _ => return None,
        };
        // Vectors are not compared, and shifted by vectors only.
        if (compares || shifts) && a.ty.starts_with("uvec") {
            return None;
        }
        let ty = if compares { "bool".to_owned() } else { a.ty.clone() };
        self.emit(&name, &ty, &format!("{} {}", a.id, b.id))
    }

    /// What GLSL converts by itself: numbers of one width.
    pub(super) fn converted(&mut self, value: Value, ty: &str) -> Option<Value> {
        let same = value.ty == ty;
        let signs = [value.ty.as_str(), ty];
        match signs {
            _ if same => Some(value),
            ["int", "uint"] | ["uint", "int"] => self.emit("OpBitcast", ty, &value.id),
            _ => None,
        }
    }

    fn constructed(&mut self, ty: &str, arguments: &[Expr]) -> Option<Value> {
        if ty.starts_with("uvec") {
            let parts: Vec<Value> =
                arguments.iter().map(|it| self.value(it, Some("uint"))).collect::<Option<_>>()?;
            let parts: Vec<Value> =
                parts.into_iter().map(|it| self.converted(it, "uint")).collect::<Option<_>>()?;
            let length = if ty == "uvec2" { 2 } else { 4 };
            let parts = if parts.len() == 1 { vec![parts[0].clone(); length] } else { parts };
            let ids: Vec<_> = parts.iter().map(|it| it.id.as_str()).collect();
            return self.emit("OpCompositeConstruct", ty, &ids.join(" "));
        }
        let [one] = arguments else { return None };
        if let Expr::Literal(text) = one
            && class(ty) != Class::Float
            && text != "true"
            && text != "false"
        {
            let number = match (ty, text.strip_prefix("0x8000000")) {
                // The assembler wants it in its range.
                ("int", Some(_)) => "-2147483648",
                _ => text.trim_end_matches(['u', 'U', 'L']),
            };
            return self.text.number(ty, number);
        }
        let value = self.value(one, None)?;
        let name = match (class(&value.ty), class(ty)) {
            _ if value.ty == ty => return Some(value),
            (Class::Bool, Class::Unsigned | Class::Signed) => {
                let (yes, no) = (self.text.number(ty, "1")?, self.text.number(ty, "0")?);
                return self.emit("OpSelect", ty, &format!("{} {} {}", value.id, yes.id, no.id));
            }
            (Class::Unsigned, Class::Unsigned) => "OpUConvert",
            (Class::Unsigned, Class::Signed) | (Class::Signed, Class::Unsigned)
                if width(&value.ty) == width(ty) =>
            {
                "OpBitcast"
            }
            (Class::Float, Class::Float) => "OpFConvert",
            (Class::Unsigned, Class::Float) => "OpConvertUToF",
            (Class::Signed, Class::Float) => "OpConvertSToF",
            (Class::Float, Class::Unsigned) => "OpConvertFToU",
            _ => return None,
        };
        self.emit(name, ty, &value.id)
    }
}
