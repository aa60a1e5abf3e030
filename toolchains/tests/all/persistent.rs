//! A program whose `main` is called again and again: the report is the same as with separate
//! processes, and it is one process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use laneproof_toolchains::{
    CampaignExtent, CampaignPlan, FaultKind, ModuleProfile, Places, Summary, campaign, find, read,
};

/// Copies a module, notes its process, and does something else at the call that its last word names.
const PROGRAM: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int calls;
int main(int count, char **words) {
  calls++;
  FILE *notes = fopen(words[4], "a");
  fprintf(notes, "%d\n", (int)getpid());
  fclose(notes);
  char from[4096];
  size_t length;
  FILE *in = fopen(words[1], "rb"), *out = fopen(words[2], "wb");
  while ((length = fread(from, 1, sizeof from, in)) > 0) fwrite(from, 1, length, out);
  fclose(in);
  fclose(out);
  if (strcmp(words[3], "third") == 0 && calls == 3) raise(SIGSEGV);
  if (strcmp(words[3], "segfault") == 0) { fprintf(stderr, "far out\n"); raise(SIGSEGV); }
  if (strcmp(words[3], "exit") == 0) { fprintf(stderr, "error: no\n"); exit(3); }
  if (strcmp(words[3], "refuse") == 0) { fprintf(stderr, "error: no\n"); return 1; }
  if (strcmp(words[3], "signal") == 0) return 139;
  if (strcmp(words[3], "hang") == 0) for (;;) pause();
  return 0;
}
"#;

/// The number of modules of a campaign; fewer where a hang takes long.
fn modules(mode: &str) -> u64 {
    if mode == "hang" { 2 } else { 12 }
}

/// What a campaign says, and how many processes there were.
fn run(folder: &Path, mode: &str, persistent: bool, shell: bool) -> (Summary, usize) {
    let (program, notes) = (folder.join("copier"), folder.join("notes"));
    let _ = std::fs::remove_file(&notes);
    let wrapper = folder.join("wrapper");
    std::fs::write(&wrapper, format!("exec {} \"$@\"\n", program.display())).unwrap();
    // A step that is a shell's has another program's name.
    let first = match shell {
        true => format!("\"sh\", \"{}\"", wrapper.display()),
        false => format!("\"{}\"", program.display()),
    };
    let text = format!(
        "[[tool]]\nname = \"copier\"\nkind = \"transform\"\npersistent = {persistent}\n\
         steps = [[{first}, \"{{in}}\", \"{{out}}\", \"{mode}\", \"{}\"]]\n\
         limits = {{ seconds = {} }}\n",
        notes.display(),
        if mode == "hang" { 0.3 } else { 20.0 },
    );
    let file = folder.join("tools.toml");
    std::fs::write(&file, text).unwrap();
    let (places, stop) = (Places::new(), AtomicBool::new(false));
    let found: Vec<_> = read(&file).unwrap().iter().map(|it| find(it, &places, &stop)).collect();
    let plan = CampaignPlan {
        extent: CampaignExtent { count: Some(modules(mode)), ..CampaignExtent::default() },
        profiles: vec![ModuleProfile::Single],
        reduction: Duration::from_millis(1),
        ..CampaignPlan::default()
    };
    let summary = campaign(&plan, &found, &places, &stop, &|_| {}).unwrap();
    let notes = std::fs::read_to_string(&notes).unwrap_or_default();
    let processes: BTreeSet<&str> = notes.lines().collect();
    (summary, processes.len())
}

#[test]
fn a_process_that_stays_alive_says_what_others_say() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("copier.c");
    std::fs::write(&source, PROGRAM).unwrap();
    let program = folder.path().join("copier");
    let compiled = Command::new("cc").arg("-o").arg(&program).arg(&source).status();
    assert!(compiled.unwrap().success());
    let faults = |summary: &Summary| -> BTreeSet<(FaultKind, String)> {
        let findings = summary.findings.iter();
        findings.map(|it| (it.fault.kind, it.fault.detail.clone())).collect()
    };
    for mode in ["copy", "third", "segfault", "exit", "refuse", "signal", "hang"] {
        let (alone, many) = run(folder.path(), mode, false, false);
        let (kept, few) = run(folder.path(), mode, true, false);
        let counts = |summary: &Summary| {
            let row = &summary.rows["copier"];
            (row.modules, row.fine, row.wrong)
        };
        assert_eq!(counts(&alone), counts(&kept), "{mode}");
        assert_eq!(faults(&alone), faults(&kept), "{mode}");
        assert!(many as u64 >= modules(mode), "{mode}: {many}");
        match mode {
            "copy" => assert_eq!((few, counts(&kept)), (1, (12, 12, 0))),
            // Four processes that end at their third call, and each time one that does not.
            "third" => assert_eq!((few, counts(&kept)), (8, (12, 12, 0))),
            _ => assert_eq!(counts(&kept), (modules(mode), 0, modules(mode)), "{mode}"),
        }
    }
    // Without its own name it is called as any other.
    let (kept, many) = run(folder.path(), "copy", true, true);
    assert_eq!((kept.rows["copier"].fine, many), (12, 12));
}
