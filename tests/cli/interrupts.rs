//! Signals to the whole process group of a campaign, as terminals and batch systems send them: it
//! ends soon, says what it found, and leaves no process and no file.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::laneproof::with_signals;

/// Signals end what they end, whatever the tests themselves ignore.
const DEFAULT: &str = "--default-signal=INT,TERM,HUP";

/// What no other process has among its words.
fn mark() -> String {
    format!("{}", 300_000_000 + u64::from(std::process::id()))
}

/// A tool that takes its time, whose processes have the mark among their words.
fn slow(folder: &Path) -> String {
    let file = folder.join("tools.toml");
    let text = format!(
        "[[tool]]\nname = \"slow\"\nkind = \"accept\"\n\
         steps = [[\"sh\", \"-c\", \"sleep {} & wait\", \"{{in}}\"]]\n\
         [tool.limits]\nseconds = 600\n",
        mark()
    );
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

fn group(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap()
}

/// However busy the machine is, it gets there.
fn wait_until(mut there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Until `env` has set the signals and become the program.
fn wait_for_the_program(child: &Child) {
    let program = format!("/proc/{}/exe", child.id());
    wait_until(|| fs::read_link(&program).is_ok_and(|it| it.ends_with("laneproof")));
}

/// Until it handles the signals that it was not started to ignore.
fn wait_for_the_supervisor(child: &Child) {
    const TERM: u64 = 1 << 14;
    wait_for_the_program(child);
    let status = format!("/proc/{}/status", child.id());
    wait_until(|| {
        let status = fs::read_to_string(&status).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() & TERM != 0
    });
}

/// Until its worker has this folder, or a file in it, open.
fn wait_for_a_reader_of(folder: &Path, child: &Child) {
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let reads = |worker: &str| {
        let open = fs::read_dir(format!("/proc/{worker}/fd")).into_iter().flatten().flatten();
        open.filter_map(|it| fs::read_link(it.path()).ok()).any(|it| it.starts_with(folder))
    };
    wait_until(|| fs::read_to_string(&children).unwrap().split_whitespace().any(reads));
}

/// When a signal comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Perhaps before there is a supervisor: then it ends the process, as it ends any.
    Started,
    /// So many milliseconds after the supervisor handles it.
    Supervised(u64),
    /// While a tool runs.
    AtWork,
}

/// Processes that have the mark among their words.
fn left() -> usize {
    let all = Command::new("ps").args(["-eo", "args"]).output().unwrap();
    let text = String::from_utf8_lossy(&all.stdout).into_owned();
    text.lines().filter(|line| line.starts_with("sleep") && line.contains(&mark())).count()
}

#[test]
fn a_campaign_ends_by_a_signal_at_any_moment() {
    use std::os::unix::process::CommandExt as _;
    let folder = std::env::temp_dir().join(format!("laneproof-interrupts-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (tools, temporary) = (slow(&folder), folder.join("tmp"));
    fs::create_dir_all(&temporary).unwrap();
    let mut summaries = 0;
    for (moment, signal, exit) in [
        (Moment::Started, Signal::INT, 130),
        (Moment::Supervised(0), Signal::INT, 130),
        (Moment::Supervised(5), Signal::INT, 130),
        (Moment::Supervised(10), Signal::TERM, 143),
        (Moment::Supervised(20), Signal::HUP, 129),
        (Moment::Supervised(40), Signal::INT, 130),
        (Moment::Supervised(80), Signal::TERM, 143),
        (Moment::AtWork, Signal::INT, 130),
        (Moment::AtWork, Signal::TERM, 143),
        (Moment::AtWork, Signal::HUP, 129),
    ] {
        let words = ["fuzz", "--tools", &tools, "--tool", "slow", "--tool", "self"];
        let child = with_signals(DEFAULT, &[&words[..], &["--seconds", "600"]].concat())
            .env("TMPDIR", &temporary)
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        match moment {
            Moment::Started => wait_for_the_program(&child),
            Moment::Supervised(after) => {
                wait_for_the_supervisor(&child);
                std::thread::sleep(Duration::from_millis(after));
            }
            Moment::AtWork => wait_until(|| left() > 0),
        }
        let start = Instant::now();
        kill_process_group(group(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let case = format!("{signal:?}, {moment:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{case}: {:?}", start.elapsed());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let summary = text.contains("0 findings");
        let code = output.status.code();
        let early = moment == Moment::Started && code.is_none();
        let expected = if summary { 130 } else { exit };
        assert!(early || code == Some(expected), "{case}: {code:?} {text}");
        assert!(moment != Moment::AtWork || summary, "{case}: {text}");
        summaries += usize::from(summary);
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{case}");
        assert_eq!(left(), 0, "{case}");
    }
    assert!(summaries >= 3);
    fs::remove_dir_all(&folder).unwrap();
}

/// `nohup`, and a shell that starts it in the background of a script.
#[test]
fn a_signal_that_it_was_started_to_ignore_ends_nothing() {
    use std::os::unix::process::CommandExt as _;
    for (ignored, signal) in [("HUP", Signal::HUP), ("INT", Signal::INT)] {
        let words = ["fuzz", "--tool", "self", "--seconds", "4"];
        let child = with_signals(&format!("--ignore-signal={ignored}"), &words)
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_the_supervisor(&child);
        std::thread::sleep(Duration::from_millis(500));
        kill_process_group(group(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{ignored}: {text}");
        assert!(!text.contains("interrupted"), "{ignored}: {text}");
    }
}

/// Reading a folder with many modules takes longer than anybody waits.
#[test]
fn a_campaign_ends_while_it_reads_a_large_corpus() {
    use std::os::unix::process::CommandExt as _;
    let folder = std::env::temp_dir().join(format!("laneproof-large-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let first = folder.join("0.spvasm");
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wrong");
    let mut modules = fs::read_dir(module).unwrap().map(|it| it.unwrap().path());
    let module = modules.find(|it| it.extension().is_some_and(|it| it == "spvasm")).unwrap();
    fs::copy(module, &first).unwrap();
    for number in 1..30_000 {
        fs::hard_link(&first, folder.join(format!("{number}.spvasm"))).unwrap();
    }
    let corpus = folder.display().to_string();
    let words = ["fuzz", "--tool", "rspirv", "--seconds", "600", "--corpus", &corpus];
    let child = with_signals(DEFAULT, &words)
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_a_reader_of(&folder, &child);
    let start = Instant::now();
    kill_process_group(group(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}: {text}", start.elapsed());
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains(" modules ") && text.contains("0 findings"), "{text}");
    fs::remove_dir_all(&folder).unwrap();
}
