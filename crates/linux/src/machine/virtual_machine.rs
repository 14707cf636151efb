//! Boots a machine and runs a script in it.

use crate::machine::archive::Archive;
use crate::machine::error::{Error, Result};
use crate::machine::libraries::libraries;
use crate::machine::parts::Parts;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A virtual machine that does not run yet.
#[derive(Debug)]
pub struct Machine {
    parts: Parts,
    archive: Archive,
    libraries: BTreeMap<String, PathBuf>,
    /// The time of an instruction is 2 to this power, in nanoseconds.
    instruction: u32,
}

/// The output of a script.
#[derive(Debug, Clone)]
pub struct Output {
    /// The console, including the kernel's messages.
    pub console: String,
    /// The bytes that were written to `/dev/ttyS1`.
    pub written: Vec<u8>,
}

/// The first program: loads modules, runs the script, and ends the machine.
const INIT: &str = r#"#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp /run
/bin/busybox --install -s /bin
export PATH=/usr/bin:/bin LD_LIBRARY_PATH=/lib
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mount -t bpf bpf /sys/fs/bpf
stty -F /dev/ttyS1 raw -echo
for module in /modules/*.ko; do insmod $module; done
# The shell would take its own programs of these names.
tc() { /usr/bin/tc "$@"; }
ip() { /usr/bin/ip "$@"; }
. /script
echo "SCRIPT ENDED"
poweroff -f
"#;

/// The line that the first program writes when the script has ended.
const ENDED: &str = "SCRIPT ENDED";

impl Machine {
    /// Creates a machine with `tc`, `ip` and busybox.
    ///
    /// # Errors
    /// If a part is missing.
    pub fn new(parts: Parts) -> Result<Self> {
        let mut machine = Self { archive: Archive::default(), libraries: BTreeMap::new(), instruction: 1, parts };
        for folder in ["bin", "dev", "lib", "lib64", "proc", "sys", "tmp", "modules"] {
            machine.archive.folder(folder);
        }
        let busybox = machine.parts.busybox.clone();
        machine.file("bin/busybox", &busybox)?;
        for (place, module) in machine.parts.modules.clone().iter().enumerate() {
            let name = module.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            // They are loaded in the order of their names.
            machine.file(&format!("modules/{place:02}-{name}"), module)?;
        }
        for name in ["tc", "ip"] {
            let program = machine.parts.program(name)?;
            machine.program(name, &program)?;
        }
        machine.text("init", INIT);
        Ok(machine)
    }

    /// Makes each instruction take 8 ns of the machine's time instead of 2, so that a busy minute is a quarter of the work.
    pub fn slow(&mut self) {
        self.instruction = 3;
    }

    /// Adds a text file, such as a script.
    pub fn text(&mut self, path: &str, text: &str) {
        self.archive.file(path, text.as_bytes());
    }

    /// Adds a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn file(&mut self, path: &str, from: &Path) -> Result<()> {
        self.archive.file(path, &fs::read(from).map_err(Error::file(from))?);
        Ok(())
    }

    /// Adds a program with its libraries, without debugging symbols.
    ///
    /// # Errors
    /// If the program cannot be read.
    pub fn program(&mut self, name: &str, from: &Path) -> Result<()> {
        let small = tempfile::NamedTempFile::new().map_err(Error::file(from))?;
        let stripped = Command::new("strip").arg("-o").arg(small.path()).arg(from).stderr(Stdio::null()).status();
        let is_small = stripped.is_ok_and(|status| status.success());
        self.file(&format!("usr/bin/{name}"), if is_small { small.path() } else { from })?;
        for library in libraries(from) {
            let name = library.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            self.libraries.insert(name, library);
        }
        Ok(())
    }

    /// Boots the machine, runs the script, and returns its output.
    ///
    /// # Errors
    /// If the script does not end in time.
    pub fn run(mut self, script: &str, timeout: Duration) -> Result<Output> {
        self.text("script", script);
        for (name, library) in std::mem::take(&mut self.libraries) {
            let folder = if name.starts_with("ld-linux") { "lib64" } else { "lib" };
            self.file(&format!("{folder}/{name}"), &library)?;
        }
        let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
        let (initial, console, written) =
            (folder.path().join("initial"), folder.path().join("console"), folder.path().join("written"));
        fs::write(&initial, std::mem::take(&mut self.archive).finish()).map_err(Error::file(&initial))?;
        boot(&self.parts, self.instruction, [&initial, &console, &written], timeout)?;
        let text = String::from_utf8_lossy(&fs::read(&console).map_err(Error::file(&console))?).replace('\r', "");
        if !text.contains(ENDED) {
            let last =
                text.lines().find(|line| line.contains("panic")).or(text.lines().rfind(|line| !line.trim().is_empty()));
            let last = last.unwrap_or("nothing").to_owned();
            return Err(Error::Unfinished { seconds: timeout.as_secs(), last });
        }
        Ok(Output { console: text, written: fs::read(&written).map_err(Error::file(&written))? })
    }
}

/// Runs the machine until it ends or the time limit is reached.
fn boot(parts: &Parts, instruction: u32, files: [&Path; 3], timeout: Duration) -> Result<()> {
    let [initial, console, written] = files;
    let root = parts.root();
    let libraries = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"].map(|place| root.join(place));
    let chardev = |id: &str, path: &Path| format!("file,id={id},path={}", path.display());
    let mut command = Command::new(&parts.qemu);
    if parts.qemu.starts_with(&root) {
        let joined = libraries.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(":");
        command.env("LD_LIBRARY_PATH", joined);
        command.arg("-L").arg(root.join("usr/share/qemu")).arg("-L").arg(root.join("usr/share/seabios"));
    }
    let mut child = command
        .args(["-machine", "q35", "-accel", "tcg", "-cpu", "max", "-m", "1024", "-smp", "1"])
        // Its time is what it has done, 2^`shift` ns an instruction, and passes at once where it would wait: other work on this
        // machine makes no timer late and no packet slow.
        .arg("-icount")
        .arg(format!("shift={instruction},sleep=off"))
        .args(["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"])
        .args(["-chardev", &chardev("console", console), "-serial", "chardev:console"])
        .args(["-chardev", &chardev("written", written), "-serial", "chardev:written"])
        .arg("-kernel")
        .arg(&parts.kernel)
        .arg("-initrd")
        .arg(initial)
        // An emulator that gets no processor for a while fails the kernel's check of its timer.
        .args(["-append", "console=ttyS0 panic=-1 quiet no_timer_check"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Error::file(&parts.qemu))?;
    let step = Duration::from_millis(50);
    let mut left = timeout;
    while !left.is_zero() {
        if child.try_wait().map_err(Error::file(&parts.qemu))?.is_some() {
            return Ok(());
        }
        sleep(step);
        left = left.saturating_sub(step);
    }
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
    Ok(())
}
