use laneproof_semantics::Specification;
use std::path::Path;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let program = match laneproof_module::load(Path::new(&args[1])) {
        Ok(p) => p,
        Err(e) => {
            println!("{e:?}");
            std::process::exit(2)
        }
    };
    let text = std::fs::read_to_string(&args[1]).unwrap_or_default();
    let mut spec = Specification::built_in().clone();
    let mut o = laneproof_smt::Options::default();
    for l in text.lines().take_while(|l| l.starts_with(';')) {
        let Some((k, v)) = l[1..].trim().split_once(':') else { continue };
        let v = v.trim();
        match k.trim() {
            "sizes" if v != "all" => {
                o.sizes = v.split(',').map(|s| s.trim().parse().unwrap()).collect()
            }
            "profile" => o.profile = Some(v.into()),
            "reading" => {
                let (a, b) = v.split_once('=').unwrap();
                o.readings.push((a.trim().into(), b.trim().into()));
            }
            "active" => o.all_active = v == "all",
            "partial" => o.partial = v == "yes",
            "spec" => {
                let p = Path::new(&args[1]).parent().unwrap().join(v);
                spec = spec.extended_with(v, &std::fs::read_to_string(p).unwrap()).unwrap();
            }
            _ => {}
        }
    }
    if let Ok(d) = std::env::var("SMT2") {
        o.smt2 = Some(d.into());
    }
    let (s, t) = (program.function("src"), program.function("tgt"));
    let (s, t) = match (s, t) {
        (Some(s), t) => (s, t),
        _ => (program.function("property").unwrap(), None),
    };
    let start = std::time::Instant::now();
    let r = std::thread::scope(|sc| {
        std::thread::Builder::new()
            .stack_size(1 << 28)
            .spawn_scoped(sc, || {
                let mk = |f| laneproof_smt::Side { program: &program, function: f };
                laneproof_smt::verify(&spec, mk(s), t.map(mk), &o)
            })
            .unwrap()
            .join()
            .unwrap()
    });
    if args.len() > 2 {
        println!("{r:#?}");
    }
    match r {
        Ok(r) => println!(
            "verdict {} {:.3} {:?} {:?}",
            r.verdict,
            start.elapsed().as_secs_f64(),
            r.reason,
            r.obligations
                .iter()
                .map(|o| (o.subgroup_size, o.rung, o.milliseconds))
                .collect::<Vec<_>>()
        ),
        Err(e) => println!("error {e}"),
    }
}
