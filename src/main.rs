//! laneproof on the command line.
use laneproof_semantics::Specification;
use std::path::Path;
fn main() {
    let file = std::env::args().nth(1).unwrap_or_default();
    let program = match laneproof_module::load(Path::new(&file)) {
        Ok(p) => p,
        Err(e) => {
            println!("{e:?}");
            std::process::exit(2)
        }
    };
    let spec = Specification::built_in();
    let (s, t) = (program.function("src"), program.function("tgt"));
    let (s, t) = match (s, t) {
        (Some(s), t) => (s, t),
        _ => (program.function("property").unwrap(), None),
    };
    let mk = |f| laneproof_smt::Side { program: &program, function: f };
    let start = std::time::Instant::now();
    let r = laneproof_smt::verify(spec, mk(s), t.map(mk), &Default::default());
    println!("{r:#?} {:?}", start.elapsed());
}
