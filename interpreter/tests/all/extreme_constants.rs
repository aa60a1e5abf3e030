//! No number in a module or an input makes the interpreter, or what looks for its margins, overflow.

use laneproof_interpreter::{
    Call, CallArgument, Choices, Enumerate, LaneValue, Latitude, RunOptions, Sizes, call,
};
use laneproof_module::names::all_of;
use laneproof_module::{Program, load_bytes};
use laneproof_oracle::Blind;

use crate::support::load;

/// What is nearest to the ends of an integer's range, as signed and as unsigned.
fn extremes(width: u32) -> [u64; 7] {
    let all = u64::MAX >> (64 - width);
    [0, 1, all / 2, all / 2 + 1, all - 1, all, u64::from(width)]
}

/// A function of one parameter; `operands` name the parameter `%x` and a constant `%c`.
fn text(opcode: &str, operands: &str, width: u32, constant: u64, result: &str) -> String {
    let widths = [(8, "Int8"), (16, "Int16"), (64, "Int64")];
    let capability = widths.iter().find(|it| it.0 == width);
    let capability = capability.map_or(String::new(), |(_, name)| format!("OpCapability {name}\n"));
    format!(
        "OpCapability Shader\nOpCapability Linkage\n{capability}OpMemoryModel Logical GLSL450\n\
         OpName %f \"f\"\nOpDecorate %r RelaxedPrecision\n\
         %bool = OpTypeBool\n%int = OpTypeInt {width} 0\n%c = OpConstant %int {constant}\n\
         %fn = OpTypeFunction %{result} %int\n%f = OpFunction %{result} None %fn\n\
         %x = OpFunctionParameter %int\n%l = OpLabel\n%r = {opcode} %{result} {operands}\n\
         OpReturnValue %r\nOpFunctionEnd\n"
    )
}

/// Looks at the whole program, and runs it; how it ends is others' business.
fn examine(program: &Program, values: &[u64]) {
    let _ = Blind::of(program);
    let _ = Latitude::default().concerns(program);
    let sizes = Sizes { existing: values.len() as u32, subgroup: 8, max: 8 };
    let lanes = values.iter().map(|bits| LaneValue(vec![Some(*bits)])).collect();
    let request = Call {
        program,
        function: program.function("f").unwrap().id,
        sizes,
        active: sizes.lanes(),
        arguments: vec![CallArgument::PerLane(lanes)],
    };
    let mut walk = Enumerate::new(16);
    while walk.next() {
        let choices: &mut dyn Choices = &mut walk;
        if call(&request, &RunOptions::default(), choices).is_err() {
            break;
        }
    }
}

/// Every instruction of one or two operands, with the parameter and a constant.
#[test]
fn no_number_overflows() {
    let mut examined = 0;
    for name in all_of("Op").flat_map(|(_, names)| names.first()) {
        for (operands, result) in forms(name) {
            for (width, constant) in numbers() {
                let text = text(name, operands, width, constant, result);
                examine(&load(&text), &extremes(width));
                examined += 1;
            }
        }
    }
    assert_eq!(examined, 1512);
}

/// Widths, and the constants of each.
fn numbers() -> impl Iterator<Item = (u32, u64)> {
    [8, 16, 32, 64].into_iter().flat_map(|width| extremes(width).map(|constant| (width, constant)))
}

/// The operands and results with which an instruction can be read at all.
fn forms(name: &str) -> Vec<(&'static str, &'static str)> {
    let operands = ["%x", "%x %c", "%c %x"];
    let all = operands.into_iter().flat_map(|it| [(it, "int"), (it, "bool")]);
    all.filter(|(operands, result)| {
        let text = text(name, operands, 32, 1, result);
        load_bytes(text.as_bytes(), "generated").is_ok()
    })
    .collect()
}
