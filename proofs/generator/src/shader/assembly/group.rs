//! Calls: group operations, ballots, bits, barriers.

use super::super::Expr;
use super::Writing;
use super::expression::{Class, class};
use super::values::Value;

/// Group operations on one number, with what their instructions are called.
const OPERATORS: [(&str, [&str; 4]); 7] = [
    ("Add", ["IAdd", "IAdd", "FAdd", ""]),
    ("Mul", ["IMul", "IMul", "FMul", ""]),
    ("Min", ["UMin", "SMin", "FMin", ""]),
    ("Max", ["UMax", "SMax", "FMax", ""]),
    ("And", ["BitwiseAnd", "BitwiseAnd", "", "LogicalAnd"]),
    ("Or", ["BitwiseOr", "BitwiseOr", "", "LogicalOr"]),
    ("Xor", ["BitwiseXor", "BitwiseXor", "", "LogicalXor"]),
];

fn column(ty: &str) -> usize {
    match class(ty) {
        Class::Unsigned => 0,
        Class::Signed => 1,
        Class::Float => 2,
        Class::Bool => 3,
    }
}

/// The instruction for an operator, and the end of the name in front of it.
fn operation(name: &str, ty: &str) -> Option<(&'static str, String)> {
    OPERATORS.iter().find_map(|(operator, names)| {
        let front = name.strip_suffix(operator)?;
        let found = names[column(ty)];
        (!found.is_empty()).then(|| (found, front.to_owned()))
    })
}

impl Writing<'_> {
    fn subgroup(&mut self) -> Option<String> {
        Some(self.text.number("uint", "3")?.id)
    }

    /// A call without a result.
    pub(super) fn effect(&mut self, of: &Expr) -> Option<()> {
        let Expr::Call(name, arguments) = of else { return None };
        match (name.as_str(), &arguments[..]) {
            ("subgroupBarrier", []) => {
                let scope = self.subgroup()?;
                // Acquire and release, of workgroup memory.
                let semantics = self.text.number("uint", "264")?.id;
                self.text.line(&format!("OpControlBarrier {scope} {scope} {semantics}"));
            }
            ("assumeEXT", [condition]) => {
                let condition = self.value(condition, Some("bool"))?;
                self.text.line(&format!("OpAssumeTrueKHR {}", condition.id));
            }
            (name, [Expr::Index(array, index), value]) if name.starts_with("atomic") => {
                let Expr::Name(array) = &**array else { return None };
                let cell = self.cell(array, index)?;
                let value = self.value(value, Some(&cell.ty))?;
                let (operation, _) = operation(name, &cell.ty)?;
                let atomic = format!("OpAtomic{}", operation.replace("Bitwise", ""));
                let (scope, relaxed) =
                    (self.text.number("uint", "1")?.id, self.text.number("uint", "0")?.id);
                let operands = format!("{} {scope} {relaxed} {}", cell.id, value.id);
                self.emit(&atomic, &cell.ty.clone(), &operands)?;
            }
            _ => return None,
        }
        Some(())
    }

    pub(super) fn call(&mut self, name: &str, arguments: &[Expr]) -> Option<Value> {
        if self.types.is_helper(name) {
            let mut ids = String::new();
            for argument in arguments {
                ids += &format!(" {}", self.value(argument, None)?.id);
            }
            let ty = self.types.of_expression(&Expr::call(name, arguments.to_vec()))?;
            return self.emit("OpFunctionCall", &ty, &format!("%{name}{ids}"));
        }
        match name.strip_prefix("subgroup") {
            Some(operation) => self.group(operation, arguments),
            None => self.plain(name, arguments),
        }
    }

    fn group(&mut self, name: &str, arguments: &[Expr]) -> Option<Value> {
        let scope = self.subgroup()?;
        let Some(first) = arguments.first() else {
            return (name == "Elect")
                .then(|| self.emit("OpGroupNonUniformElect", "bool", &scope))?;
        };
        let value = self.value(first, None)?;
        let (id, ty) = (value.id.clone(), value.ty.clone());
        let moves = ["Shuffle", "ShuffleXor", "ShuffleUp", "ShuffleDown", "Broadcast"];
        if moves.contains(&name) {
            let lane = self.value(arguments.get(1)?, Some("uint"))?;
            let lane = self.converted(lane, "uint")?;
            let operands = format!("{scope} {id} {}", lane.id);
            return self.emit(&format!("OpGroupNonUniform{name}"), &ty, &operands);
        }
        match name {
            "BroadcastFirst" => {
                self.emit("OpGroupNonUniformBroadcastFirst", &ty, &format!("{scope} {id}"))
            }
            "All" | "Any" => {
                self.emit(&format!("OpGroupNonUniform{name}"), "bool", &format!("{scope} {id}"))
            }
            "AllEqual" => self.emit("OpGroupNonUniformAllEqual", "bool", &format!("{scope} {id}")),
            "Ballot" => self.emit("OpGroupNonUniformBallot", "uvec4", &format!("{scope} {id}")),
            "InverseBallot" => {
                self.emit("OpGroupNonUniformInverseBallot", "bool", &format!("{scope} {id}"))
            }
            "BallotBitExtract" => {
                let lane = self.value(arguments.get(1)?, Some("uint"))?;
                let operands = format!("{scope} {id} {}", lane.id);
                self.emit("OpGroupNonUniformBallotBitExtract", "bool", &operands)
            }
            "BallotFindLSB" | "BallotFindMSB" => {
                self.emit(&format!("OpGroupNonUniform{name}"), "uint", &format!("{scope} {id}"))
            }
            "BallotBitCount" => self.count(&scope, "Reduce", &id),
            "BallotInclusiveBitCount" => self.count(&scope, "InclusiveScan", &id),
            "BallotExclusiveBitCount" => self.count(&scope, "ExclusiveScan", &id),
            _ => {
                let (operation, front) = operation(name, &ty)?;
                let kind = match front.as_str() {
                    "" => "Reduce".to_owned(),
                    "Inclusive" | "Exclusive" => format!("{front}Scan"),
                    "Clustered" => "ClusteredReduce".to_owned(),
                    _ => return None,
                };
                let cluster = match arguments.get(1) {
                    Some(cluster) => format!(" {}", self.value(cluster, Some("uint"))?.id),
                    None => String::new(),
                };
                let operands = format!("{scope} {kind} {id}{cluster}");
                self.emit(&format!("OpGroupNonUniform{operation}"), &ty, &operands)
            }
        }
    }

    fn count(&mut self, scope: &str, kind: &str, id: &str) -> Option<Value> {
        self.emit("OpGroupNonUniformBallotBitCount", "uint", &format!("{scope} {kind} {id}"))
    }

    fn plain(&mut self, name: &str, arguments: &[Expr]) -> Option<Value> {
        let ty = arguments.iter().find_map(|it| self.types.of_expression(it))?;
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, Some(&ty))?);
        }
        let ids: Vec<_> = values.iter().map(|it| it.id.as_str()).collect();
        let ids = ids.join(" ");
        let letter = ["U", "S", "F", ""][column(&ty)];
        match name {
            "min" | "max" => {
                let end = if name == "min" { "Min" } else { "Max" };
                self.emit("OpExtInst", &ty, &format!("%std {letter}{end} {ids}"))
            }
            "abs" if letter == "F" => self.emit("OpExtInst", &ty, &format!("%std FAbs {ids}")),
            "findLSB" => self.emit("OpExtInst", "uint", &format!("%std FindILsb {ids}")),
            "findMSB" => self.emit("OpExtInst", "uint", &format!("%std FindUMsb {ids}")),
            "bitCount" => self.emit("OpBitCount", "uint", &ids),
            "isnan" => self.emit("OpIsNan", "bool", &ids),
            "floatBitsToUint" => self.emit("OpBitcast", "uint", &ids),
            "uintBitsToFloat" => self.emit("OpBitcast", "float", &ids),
            "any" => self.emit("OpAny", "bool", &ids),
            "all" => self.emit("OpAll", "bool", &ids),
            "equal" => self.emit("OpIEqual", "bvec4", &ids),
            "notEqual" => self.emit("OpINotEqual", "bvec4", &ids),
            _ => None,
        }
    }
}
