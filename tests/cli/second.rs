//! `laneproof prove --check-with`: a second solver that agrees, one that disagrees, one that gives
//! up, and a program that is not a solver.

use serde_json::Value;

use crate::laneproof::{json, laneproof};

fn prove(what: &str, solver: &str) -> (i32, Value) {
    json(&["prove", what, "--check-with", solver])
}

#[test]
fn proofs_are_confirmed_and_refutations_need_no_second_opinion() {
    let (exit, document) = prove("rotate/as-shuffle", "sh solvers/agrees.sh");
    assert_eq!(exit, 0);
    let results = document["results"].as_array().unwrap();
    let asked = |verdict: &str| {
        let of = results.iter().filter(|it| it["verdict"] == verdict);
        of.map(|it| it["second"]["confirmed"].as_u64()).collect::<Vec<_>>()
    };
    assert!(asked("proved").len() >= 5 && asked("refuted").len() >= 5);
    assert!(asked("proved").iter().all(|confirmed| confirmed.is_some_and(|it| it > 0)));
    assert!(asked("refuted").iter().all(Option::is_none));
}

#[test]
fn a_solver_that_finds_a_state_is_bad_news_with_a_file_to_look_at() {
    let (exit, document) = prove("rotate/by-nothing", "sh solvers/finds_states.sh");
    assert_eq!(exit, 1);
    let results = document["results"].as_array().unwrap();
    let contradicted = |it: &&Value| it["second"]["contradicted"].is_array();
    let proofs: Vec<&Value> = results.iter().filter(contradicted).collect();
    assert!(!proofs.is_empty());
    for proof in proofs {
        assert!(proof["unexpected"].as_str().unwrap().contains("second solver finds a state"));
        let file = proof["second"]["contradicted"][0].as_str().unwrap();
        let question = std::fs::read_to_string(file).unwrap();
        assert!(question.contains("(check-sat)"));
        let folder = std::path::Path::new(file).parent().unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn what_a_solver_leaves_open_is_undecided() {
    let (exit, document) = prove("rotate/by-nothing", "sh solvers/gives_up.sh");
    assert_eq!(exit, 3);
    let open = document["results"].as_array().unwrap().iter();
    assert!(open.map(|it| it["second"]["open"].as_u64().unwrap_or(0)).sum::<u64>() > 0);
}

#[test]
fn what_is_no_solver_is_refused_at_once() {
    for (command, says) in [
        ("echo unsat", "it printed `unsat"),
        ("true", "printed nothing"),
        ("no-such-solver", "does not start"),
        ("", "no command"),
    ] {
        let output = laneproof(&["prove", "rotate/by-nothing", "--check-with", command]);
        assert_eq!(output.exit, 2, "{command}");
        assert!(output.err.contains(says), "{}", output.err);
    }
}

#[test]
fn a_proof_that_nothing_confirmed_fails_the_check_of_releases() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/proofs/second-solver/confirmed.py");
    for (solver, confirms) in [("sh solvers/agrees.sh", true), ("sh solvers/gives_up.sh", false)] {
        let (_, document) = prove("rotate/by-nothing", solver);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), document.to_string()).unwrap();
        let ended = std::process::Command::new("python3")
            .args([script.as_ref(), file.path()])
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status.success(), confirms, "{output}");
        assert_eq!(output.contains("left open"), !confirms, "{output}");
    }
}
