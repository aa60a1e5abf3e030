//! However a tool ends and whatever it leaves, the report is right.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use laneproof_toolchains::{
    CampaignEvent, CampaignExtent, CampaignPlan, FaultKind, LocatedTool, ModuleProfile, Places,
    Summary, campaign, find, read,
};

/// A transformation that is a script of the shell, given the files in and out as `$0` and `$1`.
fn script(folder: &Path, script: &str, seconds: f64) -> Vec<LocatedTool> {
    let text = format!(
        "[[tool]]\nname = \"script\"\nkind = \"transform\"\nprograms = [\"sh\"]\n\
         steps = [[\"sh\", \"-c\", '''{script}''', \"{{in}}\", \"{{out}}\"]]\n\
         limits = {{ seconds = {seconds:?} }}\n"
    );
    let file = folder.join("tools.toml");
    std::fs::write(&file, text).unwrap();
    let stop = AtomicBool::new(false);
    read(&file).unwrap().iter().map(|tool| find(tool, &Places::new(), &stop)).collect()
}

fn run(text: &str, seconds: f64) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let found = script(folder.path(), text, seconds);
    let plan = CampaignPlan {
        extent: CampaignExtent { count: Some(3), ..CampaignExtent::default() },
        profiles: vec![ModuleProfile::Single],
        reduction: Duration::from_millis(100),
        prove: false,
        ..CampaignPlan::default()
    };
    campaign(&plan, &found, &Places::new(), &AtomicBool::new(false), &|_| {}).unwrap()
}

/// The kind that all findings have, and what they say.
#[test]
fn each_way_to_fail_is_told_from_the_others() {
    use FaultKind::{Crash, Hang, InvalidOutput, RejectedValid};
    let cases = [
        ("true", InvalidOutput, "exit status 0, but it wrote no module"),
        (": >$1", InvalidOutput, "exit status 0, but the file that it wrote is empty"),
        ("printf ab >$1", InvalidOutput, "exit status 0, but the file that it wrote has no magic"),
        ("echo nonsense >$1", InvalidOutput, "begins with 0x736e6f6e, not SPIR-V's magic"),
        ("(cat $0; printf xy) >$1", InvalidOutput, "bytes, which are no whole number of words"),
        ("mkfifo $1", InvalidOutput, "exit status 0, but what it wrote is not a file"),
        ("mkdir $1", InvalidOutput, "exit status 0, but what it wrote is not a file"),
        ("ln -s /dev/zero $1", InvalidOutput, "exit status 0, but what it wrote is not a file"),
        ("truncate -s 100M $1", InvalidOutput, "exit status 0, but it wrote 104857600 bytes"),
        ("cp $0 $1; exit 3", RejectedValid, "exit status 3, without a message"),
        ("echo error: no >&2; exit 1", RejectedValid, "error: no"),
        ("printf 'it is invalid: \\n\\tbreak\\n' >&2; exit 1", RejectedValid, "invalid: break"),
        ("cp $0 $1; kill -SEGV $$", Crash, "SIGSEGV"),
        ("exit 134", Crash, "SIGABRT"),
        ("echo 'a.cpp:7: Assertion `x` failed' >&2; exit 1", Crash, "Assertion `x` failed"),
        ("sleep 100", Hang, "it had not ended after 0.2 seconds, twice"),
    ];
    for (text, kind, detail) in cases {
        let start = Instant::now();
        let summary = run(text, if kind == Hang { 0.2 } else { 10.0 });
        assert_eq!(summary.rows["script"].wrong, 3, "{text}: {:?}", summary.rows);
        for finding in &summary.findings {
            assert_eq!(finding.fault.kind, kind, "{text}: {}", finding.line());
            assert!(finding.fault.detail.contains(detail), "{text}: {}", finding.line());
        }
        assert!(!summary.findings.is_empty(), "{text}");
        assert!(start.elapsed() < Duration::from_secs(60), "{text}: {:?}", start.elapsed());
    }
}

/// A right result is no finding, nor is the end of a tool from outside.
#[test]
fn what_is_no_fault_is_not_found() {
    let start = Instant::now();
    let cases = [
        ("cp $0 $1", "fine"),
        ("cp $0 $1; echo error: none >&2", "fine"),
        // What is left behind holds the pipes open.
        ("cp $0 $1; sleep 300 &", "fine"),
        ("kill -KILL $$", "undecided"),
        ("kill -TERM $$", "undecided"),
        ("exit 137", "undecided"),
        ("echo error: unsupported thing >&2; exit 1", "unsupported"),
    ];
    for (text, expected) in cases {
        let summary = run(text, 10.0);
        let row = &summary.rows["script"];
        let counts =
            [("fine", row.fine), ("undecided", row.undecided), ("unsupported", row.unsupported)];
        for (name, count) in counts {
            assert_eq!(count, if name == expected { 3 } else { 0 }, "{text}: {name}");
        }
        assert!(summary.findings.is_empty(), "{text}: {}", summary.findings[0].line());
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// An interrupted campaign waits for no tool, and an interrupted tool has no fault.
#[test]
fn an_interrupt_is_no_finding() {
    let folder = tempfile::tempdir().unwrap();
    let found = script(folder.path(), "sleep 300", 200.0);
    let stop = AtomicBool::new(false);
    let plan = CampaignPlan { jobs: 2, ..CampaignPlan::default() };
    let (summary, ended) = std::thread::scope(|scope| {
        let interrupt = scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let summary = campaign(&plan, &found, &Places::new(), &stop, &|_| {}).unwrap();
        (summary, interrupt.join().unwrap().elapsed())
    });
    assert!(ended < Duration::from_secs(1), "{ended:?}");
    assert!(summary.interrupted && summary.findings.is_empty());
    assert!(summary.rows.values().all(|row| row.modules == 0), "{:?}", summary.rows);
    // A resumed campaign repeats the interrupted modules.
    assert_eq!(summary.next["script"], 0);
}

/// A fault of our own ends a campaign, and is told with the module at which it comes again.
#[test]
fn a_fault_of_ours_names_its_module() {
    let folder = tempfile::tempdir().unwrap();
    let found = script(folder.path(), "kill -SEGV $$", 10.0);
    let plan = CampaignPlan {
        seed: 7,
        jobs: 1,
        extent: CampaignExtent { count: Some(2), ..CampaignExtent::default() },
        reduction: Duration::from_millis(100),
        ..CampaignPlan::default()
    };
    let planted = |event: CampaignEvent<'_>| {
        assert!(!matches!(event, CampaignEvent::Line(_)), "planted");
    };
    let ended = campaign(&plan, &found, &Places::new(), &AtomicBool::new(false), &planted);
    let error = ended.unwrap_err().to_string();
    assert!(error.starts_with("internal error in laneproof, please report it: "), "{error}");
    assert!(error.contains("planted"), "{error}");
    assert!(error.ends_with("; module 0 of `script` with `--seed 7`"), "{error}");
}

/// A device that dies says why on standard error.
#[test]
fn what_a_device_says_when_it_dies_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (file, script) = (folder.path().join("tools.toml"), folder.path().join("device.sh"));
    let about = r#"{"device": "d", "subgroup_size": 4, "capabilities": ["GroupNonUniform"]}"#;
    let dies = "echo 'stack smashing detected' >&2; kill -ABRT $$";
    std::fs::write(&script, format!("echo '{about}'\nread job\n{dies}\n")).unwrap();
    let text = format!(
        "[[tool]]\nname = \"device\"\nkind = \"execute\"\nsteps = [[\"sh\", \"{}\"]]\n",
        script.display()
    );
    std::fs::write(&file, text).unwrap();
    let (places, stop) = (Places::new(), AtomicBool::new(false));
    let found: Vec<_> = read(&file).unwrap().iter().map(|it| find(it, &places, &stop)).collect();
    let plan = CampaignPlan {
        extent: CampaignExtent { count: Some(2), ..CampaignExtent::default() },
        reduction: Duration::from_millis(100),
        ..CampaignPlan::default()
    };
    let summary = campaign(&plan, &found, &places, &stop, &|_| {}).unwrap();
    assert_eq!(summary.rows["device"].wrong, 2, "{:?}", summary.rows);
    assert_eq!(summary.findings[0].fault.detail, "SIGABRT: stack smashing detected");
}
