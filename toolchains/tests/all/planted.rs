//! Tools that are wrong on purpose are found, reduced and explained.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use laneproof_proofs::Shard;
use laneproof_toolchains::{
    CampaignEvent, CampaignExtent, CampaignPlan, FaultKind, ModuleProfile, Places, Summary,
    ToolFinding, built_in, campaign, changed_functions_in, corpus, find, functions_in,
    instructions, read,
};

/// The program with the planted tools, which is an example of this package.
fn planted() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().parent().unwrap();
    let program = folder.join("examples").join("planted");
    assert!(program.is_file(), "{} was not built", program.display());
    program
}

/// A campaign of `count` modules against a tool of a description file, until a fault of a kind is found.
fn run(
    kind: &str,
    mode: &str,
    more: &str,
    count: u64,
    expected: FaultKind,
) -> (Summary, tempfile::TempDir) {
    run_with((kind, mode, more), count, expected, CampaignPlan::default())
}

/// The words of a mode, as a description file lists them.
fn listed(mode: &str) -> String {
    mode.split(' ').map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

fn run_with(
    (kind, mode, more): (&str, &str, &str),
    count: u64,
    expected: FaultKind,
    plan: CampaignPlan,
) -> (Summary, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let program = planted().display().to_string();
    let files = match kind {
        "accept" => r#", "{in}""#,
        "execute" => "",
        _ => r#", "{in}", "{out}""#,
    };
    let text = format!(
        "[[tool]]\nname = \"planted\"\nkind = \"{kind}\"\nprograms = [\"{program}\"]\n\
         steps = [[\"{program}\", {mode}{files}]]\n{more}\n",
        mode = listed(mode)
    );
    let file = folder.path().join("tools.toml");
    std::fs::write(&file, text).unwrap();
    let tools = read(&file).unwrap();
    let places = Places::new();
    let found: Vec<_> =
        tools.iter().map(|tool| find(tool, &places, &AtomicBool::new(false))).collect();
    let plan = CampaignPlan {
        extent: CampaignExtent { count: Some(count), ..CampaignExtent::default() },
        out: Some(folder.path().join("out")),
        jobs: 2,
        // On a loaded machine everything takes longer, and must come out the same.
        reduction: Duration::from_secs(3600),
        ..plan
    };
    // The first defect of the kind is enough. One of another kind must not end its reduction.
    let stop = AtomicBool::new(false);
    let of_kind = format!(": {}: ", expected.name());
    let see = |event: CampaignEvent<'_>| {
        if matches!(event, CampaignEvent::Line(line) if line.contains(&of_kind) && !line.contains("(takes "))
        {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let summary = campaign(&plan, &found, &places, &stop, &see).unwrap();
    (summary, folder)
}

/// The finding with the fewest instructions, which has everything in its folder.
fn smallest(summary: &Summary, kind: FaultKind, files: &[&str]) -> ToolFinding {
    let of_kind = summary.findings.iter().filter(|it| it.fault.kind == kind && !it.is_reading());
    let finding = of_kind.min_by_key(|finding| instructions(&finding.generated.tree));
    let finding = finding.unwrap_or_else(|| panic!("not found; {:?}", summary.rows)).clone();
    assert!(instructions(&finding.generated.tree) < 10, "{:?}", finding.generated.tree);
    let folder = finding.folder.clone().unwrap();
    for name in ["module.spv", "module.spvasm", "inputs.json", "report.md", "finding.json"] {
        assert!(folder.join(name).is_file(), "{name} is missing");
    }
    for name in files {
        assert!(folder.join(name).is_file(), "{name} is missing");
    }
    finding
}

#[test]
fn swapped_operands_are_found() {
    let (summary, _folder) = run(
        "transform",
        "swap ISub,FSub,ULessThan,SLessThan,UGreaterThan",
        "",
        40,
        FaultKind::WrongValue,
    );
    let files = ["output.spv", "expected.json", "observed.json"];
    smallest(&summary, FaultKind::WrongValue, &files);
}

#[test]
fn a_ballot_out_of_a_branch_is_found() {
    let gate = "[tool.gate]\ncapabilities = [\"GroupNonUniform\", \"GroupNonUniformBallot\"]";
    let (summary, _folder) =
        run("transform", "hoist GroupNonUniformBallot", gate, 640, FaultKind::WrongValue);
    let finding = smallest(&summary, FaultKind::WrongValue, &["output.spv"]);
    assert!(finding.key.contains("Ballot"), "{}", finding.key);
}

#[test]
fn a_device_that_returns_the_first_lane_is_found() {
    let gate = "[tool.gate]\nmodule-kinds = [\"shader\"]\nno-maximal-reconvergence = true";
    let (summary, _folder) = run("execute", "lane 0", gate, 20, FaultKind::WrongValue);
    let finding = smallest(&summary, FaultKind::WrongValue, &["expected.json", "observed.json"]);
    let report = std::fs::read_to_string(finding.folder.unwrap().join("report.md")).unwrap();
    assert!(report.contains("Version: `planted`"), "{report}");
    assert!(report.contains("$PWD/inputs.json"), "{report}");
    assert!(!report.contains("0x5eed0bad |"), "{report}");
    assert!(report.contains('✗') && !report.contains("{self}"), "{report}");
    assert!(report.contains("# planted: wrong value"), "{report}");
    assert!(report.contains("invocation ") && report.contains(" instead of "), "{report}");
}

/// A device that does not start ends a campaign that requires it, and no other.
#[test]
fn a_device_that_does_not_start_is_no_endless_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.toml");
    let text = "[[tool]]\nname = \"absent\"\nkind = \"execute\"\n\
        steps = [[\"sh\", \"-c\", \"echo '{ \\\"error\\\": \\\"no driver\\\" }'\"]]\n";
    std::fs::write(&file, text).unwrap();
    let places = Places::new();
    let mut tools = read(&file).unwrap();
    tools.extend(built_in().unwrap().into_iter().filter(|tool| tool.name == "rspirv"));
    let found: Vec<_> =
        tools.iter().map(|tool| find(tool, &places, &AtomicBool::new(false))).collect();
    let plan = CampaignPlan {
        extent: CampaignExtent {
            count: Some(20),
            time: Some(Duration::from_secs(300)),
            ..CampaignExtent::default()
        },
        ..CampaignPlan::default()
    };
    let stop = AtomicBool::new(false);
    let summary = campaign(&plan, &found, &places, &stop, &|_| {}).unwrap();
    assert_eq!(summary.rows["absent"].failure.as_deref(), Some("no driver"));
    assert_eq!(summary.rows["rspirv"].modules, 20);
    // Without a count and a time a campaign has no end but this one.
    let required = CampaignPlan {
        extent: CampaignExtent { count: None, time: None, ..CampaignExtent::default() },
        required: true,
        ..plan
    };
    let error = campaign(&required, &found, &places, &stop, &|_| {}).unwrap_err();
    assert_eq!(error.to_string(), "`absent` does not start: no driver");
}

#[test]
fn a_validator_that_accepts_all_is_found() {
    let (summary, _folder) = run("accept", "accept", "", 40, FaultKind::AcceptedInvalid);
    smallest(&summary, FaultKind::AcceptedInvalid, &[]);
    // What two workers found at the same time is one finding.
    let keys: BTreeSet<&str> = summary.findings.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(keys.len(), summary.findings.len(), "{keys:?}");
    for finding in &summary.findings {
        let file = finding.folder.as_ref().unwrap().join("module.spvasm");
        assert!(std::fs::read_to_string(file).unwrap().lines().count() > 20, "{}", finding.key);
    }
}

/// Other instructions, other changes, other places.
#[test]
fn variants_are_found() {
    let shuffles = "[tool.gate]\ncapabilities = [\"GroupNonUniform\", \"GroupNonUniformShuffle\", \
        \"GroupNonUniformShuffleRelative\"]";
    let sums = "[tool.gate]\ncapabilities = [\"GroupNonUniform\", \"GroupNonUniformArithmetic\"]";
    let clusters = "[tool.gate]\ncapabilities = [\"GroupNonUniform\", \
        \"GroupNonUniformArithmetic\", \"GroupNonUniformClustered\"]";
    let ballots = "[tool.gate]\ncapabilities = [\"GroupNonUniform\", \"GroupNonUniformBallot\"]";
    let votes = "[tool.gate]\ncapabilities = [\"GroupNonUniform\", \"GroupNonUniformVote\"]";
    let device = "[tool.gate]\nmodule-kinds = [\"shader\"]\nno-maximal-reconvergence = true";
    let impatient = "[tool.limits]\nseconds = 0.5";
    let variants = [
        (
            "transform",
            "swap ShiftLeftLogical,SGreaterThan,UGreaterThanEqual",
            "",
            80,
            FaultKind::WrongValue,
        ),
        ("transform", "hoist GroupNonUniformAllEqual", votes, 320, FaultKind::WrongValue),
        ("transform", "hoist GroupNonUniformIAdd", sums, 320, FaultKind::WrongValue),
        ("transform", "operation Reduce InclusiveScan", sums, 60, FaultKind::WrongValue),
        ("transform", "operation ExclusiveScan InclusiveScan", sums, 60, FaultKind::WrongValue),
        ("transform", "arms", "", 60, FaultKind::WrongValue),
        ("transform", "without ControlBarrier", "", 400, FaultKind::UndefinedBehavior),
        (
            "transform",
            "instead GroupNonUniformSMin GroupNonUniformUMin",
            sums,
            120,
            FaultKind::WrongValue,
        ),
        ("transform", "farther GroupNonUniformShuffleUp", shuffles, 60, FaultKind::WrongValue),
        ("transform", "unclustered", clusters, 120, FaultKind::WrongValue),
        ("transform", "own GroupNonUniformBroadcastFirst", ballots, 60, FaultKind::WrongValue),
        ("transform", "full", ballots, 60, FaultKind::WrongValue),
        ("execute", "stale", device, 400, FaultKind::WrongValue),
        ("transform", "undeclared", "", 20, FaultKind::InvalidOutput),
        ("transform", "crash GroupNonUniformShuffle", shuffles, 60, FaultKind::Crash),
        ("transform", "hang GroupNonUniformShuffle", impatient, 120, FaultKind::Hang),
        ("execute", "lane 3", device, 20, FaultKind::WrongValue),
        ("execute", "device operation Reduce ExclusiveScan", device, 60, FaultKind::WrongValue),
        ("execute", "device swap ISub,FSub,ULessThan", device, 60, FaultKind::WrongValue),
        ("execute", "device crash GroupNonUniformAll", device, 60, FaultKind::Crash),
        ("accept", "refuse GroupNonUniformShuffle", shuffles, 60, FaultKind::RejectedValid),
        ("accept", "lenient capabilit", "", 200, FaultKind::AcceptedInvalid),
        ("accept", "lenient operands", "", 200, FaultKind::AcceptedInvalid),
    ];
    for (kind, mode, more, count, expected) in variants {
        let start = std::time::Instant::now();
        let (summary, _folder) = run(kind, mode, more, count, expected);
        let finding = smallest(&summary, expected, &[]);
        println!("{mode}: {} after {:.1?}", finding.line(), start.elapsed());
    }
}

/// A tool that crashes every other time: the report says that it does not show each time.
#[test]
fn what_does_not_show_each_time_is_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("odd").display().to_string();
    let text = format!(
        "[[tool]]\nname = \"moody\"\nkind = \"transform\"\nsteps = [[\"sh\", \"-c\", \
         \"if mkdir {odd} 2>/dev/null; then kill -ABRT $$; fi; rmdir {odd}; cp $0 $1\", \"{{in}}\", \"{{out}}\"]]\n"
    );
    let file = folder.path().join("tools.toml");
    std::fs::write(&file, text).unwrap();
    let places = Places::new();
    let tools = read(&file).unwrap();
    let go_on = AtomicBool::new(false);
    let found: Vec<_> = tools.iter().map(|tool| find(tool, &places, &go_on)).collect();
    let plan = CampaignPlan {
        extent: CampaignExtent { count: Some(2), ..CampaignExtent::default() },
        out: Some(folder.path().join("out")),
        jobs: 1,
        ..CampaignPlan::default()
    };
    let summary = campaign(&plan, &found, &places, &go_on, &|_| {}).unwrap();
    let finding = smallest(&summary, FaultKind::Crash, &[]);
    assert_eq!(finding.again, Some((2, 4)));
    let report = std::fs::read_to_string(finding.folder.unwrap().join("report.md")).unwrap();
    assert!(report.contains("It does not show each time: 2 of 4 more runs"), "{report}");
}

/// A right result is no finding: a round trip through a library that only reads and writes, and
/// this project's own engines.
#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    let places = Places::new();
    let tools = built_in().unwrap();
    let own = tools.iter().filter(|tool| tool.built_in.is_some());
    let found: Vec<_> = own.map(|tool| find(tool, &places, &AtomicBool::new(false))).collect();
    assert_eq!(found.len(), 2);
    let plan = CampaignPlan {
        extent: CampaignExtent { count: Some(200), ..CampaignExtent::default() },
        jobs: 2,
        ..CampaignPlan::default()
    };
    let summary = campaign(&plan, &found, &places, &AtomicBool::new(false), &|_| {}).unwrap();
    assert!(summary.findings.is_empty(), "{:?}", summary.findings[0].json());
    assert_eq!(summary.generated, (400, 400));
    // What our own engines take is the tool's time: the rate says how many modules a second there are.
    let time = &summary.rows["self"].time;
    assert!(time.tool > time.oracle, "{time:?}");
}

/// Functions of a folder are called, unchanged and with a change, and a tool that is wrong on them
/// is found.
#[test]
fn functions_of_a_folder_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let text = "; a difference, twice\n; expect: proved\n; sizes: 4, 8\n; why: both sides are one function\nOpCapability Shader\nOpCapability Linkage\n\
        OpMemoryModel Logical GLSL450\nOpName %src \"src\"\nOpName %tgt \"tgt\"\n\
        %uint = OpTypeInt 32 0\n%function = OpTypeFunction %uint %uint %uint\n\
        %src = OpFunction %uint None %function\n%x = OpFunctionParameter %uint\n\
        %y = OpFunctionParameter %uint\n%a = OpLabel\n%p = OpIMul %uint %x %y\n\
        %q = OpISub %uint %p %y\n%r = OpIAdd %uint %q %x\nOpReturnValue %r\nOpFunctionEnd\n\
        %tgt = OpFunction %uint None %function\n%x_t = OpFunctionParameter %uint\n\
        %y_t = OpFunctionParameter %uint\n%b = OpLabel\n%p_t = OpIMul %uint %y_t %x_t\n\
        %q_t = OpISub %uint %p_t %y_t\n%r_t = OpIAdd %uint %x_t %q_t\nOpReturnValue %r_t\nOpFunctionEnd\n";
    std::fs::write(folder.path().join("difference.spvasm"), text).unwrap();
    let go_on = AtomicBool::new(false);
    let foreign = functions_in(folder.path(), &go_on);
    assert_eq!(foreign[0].sizes, [4, 8]);
    let changed = (0..40).flat_map(|seed| changed_functions_in(folder.path(), seed, &go_on));
    let changed: BTreeSet<Vec<u32>> = changed.map(|foreign| foreign.words().to_vec()).collect();
    assert!(changed.len() >= 3, "{} changes", changed.len());
    assert!(!changed.contains(foreign[0].words()), "nothing is changed");
    let plan = CampaignPlan {
        profiles: vec![ModuleProfile::Lowered],
        foreign: foreign.into(),
        ..CampaignPlan::default()
    };
    let (summary, _folder) =
        run_with(("transform", "swap ISub,FSub", ""), 60, FaultKind::WrongValue, plan);
    let called = |finding: &&ToolFinding| finding.json()["calls"].is_string();
    let found = summary.findings.iter().find(called);
    let found = found.unwrap_or_else(|| panic!("not found; {:?}", summary.rows));
    // The call, the difference in what is called, and what makes its operands differ.
    let instructions = |op: &str| {
        let listing = std::fs::read_to_string(found.folder.clone().unwrap().join("module.spvasm"));
        listing.unwrap().matches(op).count()
    };
    assert!(found.json()["instructions"].as_u64().unwrap() <= 3, "{}", found.json());
    assert_eq!(["OpISub", "OpFunctionCall", "OpFunction "].map(instructions), [1, 1, 2]);
}

/// A module of the user's own: a difference of 64-bit integers in a function of a library.
const OWN: &str = "OpCapability Shader\nOpCapability Linkage\nOpCapability Int64\n\
    OpMemoryModel Logical GLSL450\n%long = OpTypeInt 64 0\n\
    %function = OpTypeFunction %long %long %long\n\
    %f = OpFunction %long None %function\n%x = OpFunctionParameter %long\n\
    %y = OpFunctionParameter %long\n%a = OpLabel\n%r = OpISub %long %x %y\n\
    OpReturnValue %r\nOpFunctionEnd\n";

/// Tools run on modules of a folder, unchanged and with a change: each crash and each invalid
/// module is reported with the changed module.
#[test]
fn modules_of_a_folder_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    let (own, out) = (folder.path().join("own"), folder.path().join("out"));
    std::fs::create_dir_all(own.join("deeper")).unwrap();
    std::fs::write(own.join("deeper").join("difference.spvasm"), OWN).unwrap();
    std::fs::write(own.join("notes.txt"), "no module").unwrap();
    // What has no end is not read.
    let pipe = std::process::Command::new("mkfifo").arg(own.join("pipe")).status().unwrap();
    assert!(pipe.success());
    std::os::unix::fs::symlink("/dev/zero", own.join("zeros")).unwrap();
    let program = planted().display().to_string();
    let tried = |mode: &str| {
        let text = format!(
            "[[tool]]\nname = \"planted\"\nkind = \"transform\"\nprograms = [\"{program}\"]\n\
             steps = [[\"{program}\", {}, \"{{in}}\", \"{{out}}\"]]\n",
            listed(mode)
        );
        let file = folder.path().join("tools.toml");
        std::fs::write(&file, text).unwrap();
        let places = Places::new();
        let found: Vec<_> = read(&file)
            .unwrap()
            .iter()
            .map(|tool| find(tool, &places, &AtomicBool::new(false)))
            .collect();
        let plan = CampaignPlan { out: Some(out.clone()), seed: 3, ..CampaignPlan::default() };
        let (mut summary, stop) = (Summary::default(), AtomicBool::new(false));
        corpus(&own, &found, &places, &plan, &mut summary, &stop, &|_| {}).unwrap();
        summary
    };
    for (mode, expected) in [("crash ISub", "crash: "), ("undeclared", "invalid output: ")] {
        let summary = tried(mode);
        let row = &summary.rows["planted"];
        assert!(row.modules > 1, "{mode}: no neighbor was tried");
        assert_eq!(summary.of_corpus.wrong.len() as u64, row.wrong, "{mode}");
        let of_file = |line: &&String| line.contains("difference.spvasm: ");
        let line = summary.of_corpus.wrong.iter().find(of_file).unwrap_or_else(|| panic!("{mode}"));
        assert!(line.contains(expected), "{mode}: {line}");
        // What was changed is kept where the line says.
        for line in summary.of_corpus.wrong.iter().filter(|line| !of_file(line)) {
            let place = line.split(": ").nth(1).unwrap();
            assert!(PathBuf::from(place).is_file(), "{line}");
        }
    }
    let summary = tried("crash GroupNonUniformShuffle");
    assert!(summary.of_corpus.wrong.is_empty(), "{:?}", summary.of_corpus);
    assert_eq!((summary.of_corpus.modules, summary.of_corpus.others), (1, 1));
    assert_eq!(summary.rows["planted"].fine, summary.rows["planted"].modules);
}

/// The same seed makes the same modules, whole or in shards.
#[test]
fn shards_make_a_whole() {
    let places = Places::new();
    let tools = built_in().unwrap();
    let own = tools.iter().filter(|tool| tool.name == "rspirv");
    let found: Vec<_> = own.map(|tool| find(tool, &places, &AtomicBool::new(false))).collect();
    let covered = |shard: Shard| {
        let plan = CampaignPlan {
            extent: CampaignExtent { count: Some(60), shard, ..CampaignExtent::default() },
            seed: 5,
            jobs: 2,
            ..CampaignPlan::default()
        };
        let summary = campaign(&plan, &found, &places, &AtomicBool::new(false), &|_| {}).unwrap();
        (summary.generated.1, summary.covered)
    };
    let (whole, all) = covered(Shard::WHOLE);
    let parts: Vec<_> = ["1/3", "2/3", "3/3"].map(|shard| covered(shard.parse().unwrap())).into();
    assert_eq!(whole, parts.iter().map(|(count, _)| *count).sum::<u64>());
    assert_eq!(all, parts.into_iter().flat_map(|(_, covered)| covered).collect());
}
