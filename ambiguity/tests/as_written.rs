#![allow(missing_docs, clippy::unwrap_used)]
use laneproof_ambiguity::ledger::{Account, Ledger};
use laneproof_semantics::as_written::AsWritten;
#[test]
fn show() {
    let texts = match AsWritten::extended_with(Vec::new()) {
        Ok(t) => t,
        Err(e) => {
            println!("{e:?}");
            return;
        }
    };
    for p in &texts.choice_points {
        println!("choice {} in {}: {}", p.name, p.clause, p.term);
    }
    for i in &texts.ill_typed {
        println!("ILL {:?} {}", texts.specification.locate(i.span), i.message);
        println!("   {}", i.found);
    }
    for (ledger, _) in Ledger::built_in().unwrap() {
        let a = Account::of(&ledger, &texts.specification);
        println!(
            "{} {:?} missing {:?}\n overlaps {:?}\n strays {:?}",
            a.document,
            a.shares(),
            a.missing(),
            a.overlaps.iter().map(|o| (&o.section, o.sentence)).collect::<Vec<_>>(),
            a.strays
        );
    }
}
