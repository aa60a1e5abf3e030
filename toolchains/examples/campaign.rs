//! A campaign without the command line: for machines that have only this program.
//!
//! ```text
//! cargo run --release -p laneproof-toolchains --example campaign -- \
//!     TOOLS.toml|- NAME,… SECONDS SEED OUT JOBS [PROFILE,… [FOLDER]]
//! ```

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use laneproof_toolchains::{
    CampaignEvent, CampaignExtent, CampaignPlan, LocatedTool, ModuleProfile, Places, built_in,
    campaign, find, functions_in, read,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, names, seconds, seed, out, jobs, more @ ..] = arguments.as_slice() else {
        eprintln!("usage: campaign TOOLS.toml|- NAME,… SECONDS SEED OUT JOBS [PROFILE,… [FOLDER]]");
        return ExitCode::from(2);
    };
    let places = Places::new();
    let mut tools = built_in().unwrap_or_default();
    if file != "-" {
        match read(Path::new(file)) {
            Ok(more) => tools.extend(more),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        }
    }
    let wanted: Vec<&str> = names.split(',').collect();
    let found: Vec<LocatedTool> = tools
        .iter()
        .filter(|tool| wanted.contains(&tool.name.as_str()))
        .map(|tool| find(tool, &places, &AtomicBool::new(false)))
        .inspect(|it| eprintln!("{}: {} {:?}", it.tool.name, it.version, it.missing))
        .filter(|it| it.missing.is_none())
        .collect();
    let profiles = more.first().map_or("", String::as_str).split(',');
    let profiles: Vec<ModuleProfile> = profiles
        .filter_map(|name| ModuleProfile::ALL.into_iter().find(|it| it.name() == name))
        .collect();
    let go_on = AtomicBool::new(false);
    let folder = more.get(1).map(Path::new);
    let foreign = folder.map(|folder| functions_in(folder, &go_on)).unwrap_or_default();
    eprintln!("{} modules with functions to call", foreign.len());
    let plan = CampaignPlan {
        seed: seed.parse().unwrap_or(0),
        extent: CampaignExtent {
            time: Some(Duration::from_secs(seconds.parse().unwrap_or(60))),
            ..CampaignExtent::default()
        },
        out: Some(out.into()),
        jobs: jobs.parse().unwrap_or(1),
        profiles: if profiles.is_empty() { ModuleProfile::ALL.to_vec() } else { profiles },
        foreign: foreign.into(),
        ..CampaignPlan::default()
    };
    let report = |event: CampaignEvent<'_>| {
        if let CampaignEvent::Line(line) = event {
            println!("{line}");
        }
    };
    match campaign(&plan, &found, &places, &AtomicBool::new(false), &report) {
        Ok(summary) => {
            println!("{:#?}", summary.rows);
            println!(
                "{} findings, {:?} generated, {} covered, {:?} defined",
                summary.findings.len(),
                summary.generated,
                summary.covered.len(),
                summary.defined
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
