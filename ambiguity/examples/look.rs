#![allow(missing_docs)]
use laneproof_ambiguity::*;
use laneproof_semantics::as_written::AsWritten;
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let litmus_wanted = args.first().is_some_and(|a| a == "--litmus");
    if litmus_wanted { args.remove(0); }
    let t = std::time::Instant::now();
    let options = Options { names: &args, litmus: litmus_wanted.then_some(16), ..Options::default() };
    let report = search(AsWritten::built_in(), &options, || eprintln!("  {:.1}", t.elapsed().as_secs_f32()));
    for f in &report.findings {
        println!("{}\n   {}\n   in {:?}\n   clauses {:?}", f.id, f.summary, f.instructions, f.clauses);
        if let Some(w) = &f.witness { println!("   {}", serde_json::to_string(w).unwrap()); }
        for r in &f.readings { println!("     {:20} {}", r.name, r.outcome); }
        if litmus_wanted {
            match litmus(AsWritten::built_in(), f) { Ok(l) => println!("   LITMUS rank {:?} env {} sizes {} tells {:?}", l.rank, l.environment, l.subgroup.size, l.tells().len()), Err(e) => println!("   no litmus: {e}") }
        }
    }
    println!("{} findings, {} forms, {} points, harmless {:#?}\nunsearched {:#?}\n{:.1}s", report.findings.len(), report.forms, report.choice_points, report.harmless, report.unsearched, t.elapsed().as_secs_f32());
}
