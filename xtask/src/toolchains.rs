//! Other people's tools in a private folder, for `laneproof fuzz`: packages of Debian's newest
//! suite, unpacked without root and without touching the system.
//!
//! Programs of that suite need its C library, so each gets a wrapper that goes through the
//! folder's own dynamic loader. The mirror is the one that this machine's apt already uses.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;

/// The suite with this year's tools.
const SUITE: &str = "sid";

/// Packages that are unpacked with all that they need.
const PACKAGES: [&str; 10] = [
    "spirv-tools",
    "spirv-cross",
    "glslang-tools",
    "llvm-spirv-22",
    "llvm-22",
    "mesa-vulkan-drivers",
    "libvulkan1",
    "libstdc++6",
    "ocl-icd-libopencl1",
    "mesa-opencl-icd",
];

/// A package of which only one library is used, without the dependencies of the rest.
const SWIFTSHADER: &str = "chromium-common";

/// Programs that get a wrapper, and the package that each is of.
const PROGRAMS: [(&str, &str); 8] = [
    ("spirv-opt", "spirv-tools"),
    ("spirv-val", "spirv-tools"),
    ("spirv-as", "spirv-tools"),
    ("spirv-cross", "spirv-cross"),
    ("glslang", "glslang-tools"),
    ("llvm-spirv-22", "llvm-spirv-22"),
    ("opt-22", "llvm-22"),
    ("llc-22", "llvm-22"),
];

/// Where `laneproof fuzz` looks for them.
pub fn folder() -> PathBuf {
    if let Some(folder) = env::var_os("LANEPROOF_TOOLCHAINS") {
        return folder.into();
    }
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(&env::var_os("HOME").unwrap_or_else(|| ".".into())).join(".local/share")
    });
    data.join("laneproof").join("toolchains")
}

/// Fetches and unpacks everything; prints what there is then.
pub fn fetch() -> Result<(), Error> {
    let folder = folder();
    let apt = Apt::prepare(&folder)?;
    eprintln!("fetching into {}", folder.display());
    apt.get(&["update"])?;
    let mut install = vec!["--yes", "--download-only", "install"];
    install.extend(PACKAGES);
    apt.get(&install)?;
    let root = folder.join("root");
    create(&root)?;
    let archives = folder.join("apt/cache/archives");
    for archive in packages(&archives)? {
        run(Command::new("dpkg-deb").arg("--extract").arg(&archive).arg(&root))?;
    }
    wrappers(&folder)?;
    lavapipe(&folder)?;
    if let Err(error) = rusticl(&folder) {
        eprintln!("no rusticl: {error}");
    }
    if let Err(error) = swiftshader(&apt, &folder) {
        eprintln!("no SwiftShader: {error}");
    }
    eprintln!("unpacked; `laneproof fuzz --list` shows what there is");
    Ok(())
}

/// apt with lists, cache and status of its own.
struct Apt {
    options: Vec<OsString>,
    archives: PathBuf,
}

impl Apt {
    fn prepare(folder: &Path) -> Result<Self, Error> {
        let home = folder.join("apt");
        for part in ["lists/partial", "cache/archives/partial", "etc"] {
            create(&home.join(part))?;
        }
        // The package status is empty, so the C library comes, too.
        write(&home.join("status"), "")?;
        let mirror = mirror()?;
        let list = home.join("etc/sources.list");
        let key = "/usr/share/keyrings/debian-archive-keyring.gpg";
        write(&list, &format!("deb [signed-by={key}] {mirror} {SUITE} main\n"))?;
        let path = |name: &str, part: &str| -> [OsString; 2] {
            let value = format!("{name}={}", home.join(part).display());
            ["-o".into(), value.into()]
        };
        let mut options = Vec::new();
        options.extend(path("Dir::State::Lists", "lists"));
        options.extend(path("Dir::State::status", "status"));
        options.extend(path("Dir::Etc::sourcelist", "etc/sources.list"));
        options.extend(path("Dir::Cache", "cache"));
        for option in [
            "Dir::Etc::sourceparts=/dev/null",
            "APT::Install-Recommends=false",
            "Debug::NoLocking=1",
        ] {
            options.extend(["-o".into(), option.into()]);
        }
        Ok(Self { options, archives: home.join("cache/archives") })
    }

    fn get(&self, words: &[&str]) -> Result<(), Error> {
        run(Command::new("apt-get").args(&self.options).args(words).stdout(Stdio::null()))
    }

    /// One package, without what it needs; where its archive is.
    fn download(&self, package: &str) -> Result<PathBuf, Error> {
        let mut command = Command::new("apt-get");
        command.args(&self.options).args(["download", package]).current_dir(&self.archives);
        run(command.stdout(Stdio::null()))?;
        let found = packages(&self.archives)?;
        let wanted = |path: &&PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| name.starts_with(&format!("{package}_")))
        };
        found.iter().find(wanted).cloned().ok_or_else(|| Error::NoToolchain(package.to_owned()))
    }
}

/// The mirror of this machine's own configuration.
fn mirror() -> Result<String, Error> {
    let program = OsString::from("apt-get");
    let output = Command::new(&program)
        .args(["indextargets", "--format", "$(SITE) $(ORIGIN)", "Created-By: Packages"])
        .output()
        .map_err(|source| Error::start(&program, source))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sites = text.lines().filter_map(|line| line.split_whitespace().next());
    // Security updates have the same origin and another archive.
    let debian = |site: &&str| site.ends_with("/debian") || site.ends_with("/debian/");
    let found = sites.into_iter().find(debian).map(str::to_owned);
    found.ok_or_else(|| {
        Error::NoToolchain("a Debian mirror in apt's configuration (run `apt-get update`)".into())
    })
}

/// The archives in a folder.
fn packages(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(|source| Error::file(folder, source))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|end| end == "deb")).collect())
}

/// The lines of a wrapper that go through the folder's own loader.
fn through(folder: &Path, program: &str) -> String {
    let root = folder.join("root");
    let libraries = root.join("usr/lib/x86_64-linux-gnu");
    let (libraries, llvm) = (libraries.display(), root.join("usr/lib/llvm-22/lib"));
    format!(
        "#!/bin/sh\nexec {libraries}/ld-linux-x86-64.so.2 --library-path {libraries}:{} {program}\n",
        llvm.display()
    )
}

fn wrappers(folder: &Path) -> Result<(), Error> {
    let (bin, versions) = (folder.join("bin"), folder.join("versions"));
    create(&bin)?;
    create(&versions)?;
    let executable = |path: &Path, text: &str| -> Result<(), Error> {
        write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
            .map_err(|source| Error::file(path, source))
    };
    for (program, package) in PROGRAMS {
        let file = folder.join("root/usr/bin").join(program);
        if !file.exists() {
            eprintln!("no {program} in {package}");
            continue;
        }
        let call = format!("{} \"$@\"", file.display());
        executable(&bin.join(program), &through(folder, &call))?;
    }
    executable(&bin.join("laneproof-host"), &through(folder, "\"$@\""))?;
    for archive in packages(&folder.join("apt/cache/archives"))? {
        let name = archive.file_name().map(|it| it.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let mut parts = name.split('_');
        let (package, version) = (parts.next().unwrap_or_default(), parts.next());
        for (program, _) in PROGRAMS.iter().filter(|(_, of)| *of == package) {
            let version = version.unwrap_or_default().replace("%3a", ":");
            write(&versions.join(program), &format!("{package} {version}\n"))?;
        }
    }
    Ok(())
}

/// A description of lavapipe for the Vulkan loader, with the library's path here.
fn lavapipe(folder: &Path) -> Result<(), Error> {
    let library = folder.join("root/usr/lib/x86_64-linux-gnu/libvulkan_lvp.so");
    description(&folder.join("lvp_icd.json"), &library)
}

/// Mesa's OpenCL looks for a library in SPIR-V in a folder of the system; this copy looks in
/// `lib/clc` below the folder that it runs in.
fn rusticl(folder: &Path) -> Result<(), Error> {
    let libraries = folder.join("root/usr/lib/x86_64-linux-gnu");
    let original = libraries.join("libRusticlOpenCL.so.1");
    let mut bytes = fs::read(&original).map_err(|source| Error::file(&original, source))?;
    let (system, own) = (b"/usr/lib/clc/", b"././/lib/clc/");
    for at in 0..bytes.len().saturating_sub(system.len()) {
        if bytes[at..].starts_with(system) {
            bytes[at..at + own.len()].copy_from_slice(own);
        }
    }
    let copy = libraries.join("libRusticlHere.so");
    fs::write(&copy, bytes).map_err(|source| Error::file(&copy, source))
}

/// Intel's OpenCL runtime for CPUs, out of its packages for Python. Its licence is not an open one,
/// so it is fetched only on request.
pub fn fetch_intel() -> Result<(), Error> {
    const WHEELS: [&str; 4] = ["intel-opencl-rt", "intel-cmplr-lib-rt", "tbb", "tcmlib"];
    let folder = folder();
    let (wheels, libraries) = (folder.join("intel/wheels"), folder.join("intel/lib"));
    create(&wheels)?;
    create(&libraries)?;
    let mut download = Command::new("python3");
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]);
    run(download.arg(&wheels).args(WHEELS))?;
    let entries = fs::read_dir(&wheels).map_err(|source| Error::file(&wheels, source))?;
    for wheel in entries.flatten().map(|entry| entry.path()) {
        if wheel.extension().is_some_and(|end| end == "whl") {
            let into = wheel.with_extension("d");
            run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&into))?;
            let parts = fs::read_dir(&into).map_err(|source| Error::file(&into, source))?;
            for part in parts.flatten().map(|entry| entry.path().join("data/lib")) {
                if part.is_dir() {
                    run(Command::new("cp").arg("-a").arg(part.join(".")).arg(&libraries))?;
                }
            }
        }
    }
    eprintln!("unpacked into {}; it is Intel's, under its licence", libraries.display());
    fs::remove_dir_all(&wheels).map_err(|source| Error::file(&wheels, source))
}

fn description(file: &Path, library: &Path) -> Result<(), Error> {
    if !library.is_file() {
        return Err(Error::NoToolchain(library.display().to_string()));
    }
    let text = format!(
        "{{\"file_format_version\": \"1.0.0\", \"ICD\": {{\"library_path\": \"{}\", \
         \"api_version\": \"1.3.0\"}}}}\n",
        library.display()
    );
    write(file, &text)
}

fn swiftshader(apt: &Apt, folder: &Path) -> Result<(), Error> {
    let archive = apt.download(SWIFTSHADER)?;
    let root = folder.join("swiftshader");
    create(&root)?;
    run(Command::new("dpkg-deb").arg("--extract").arg(&archive).arg(&root))?;
    let library = root.join("usr/lib/chromium/libvk_swiftshader.so");
    description(&folder.join("swiftshader_icd.json"), &library)
}

fn create(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| Error::file(folder, source))
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    fs::write(file, text).map_err(|source| Error::file(file, source))
}

/// Runs a program that must succeed.
fn run(command: &mut Command) -> Result<(), Error> {
    let program = command.get_program().to_owned();
    let status = command.status().map_err(|source| Error::start(&program, source))?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::NoToolchain(format!("`{}` ended with {status}", program.display()))),
    }
}
