//! Loads programs with libbpf, and pins them in the kernel.

use crate::kernel::error::{Error, Result};
use crate::kernel::parameter::Parameter;
use crate::kernel::pins::version_folder;
use crate::kernel::policy::KernelPolicy;
use crate::kernel::program_actions::Does;
use crate::time_limit::within;
use libbpf_rs::{MapCore, MapFlags, MapHandle, MapType, Object, ObjectBuilder, OpenObject, PrintLevel, Program};
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The time limit of the kernel's verifier for the programs of a policy, and again for the queueing discipline.
const LIMIT: Duration = Duration::from_mins(1);

/// The last messages of libbpf about a failure, which include the kernel's reasons.
static SAID: Mutex<String> = Mutex::new(String::new());

/// Whether this build can load at all.
pub(crate) fn check() -> Result<()> {
    Ok(())
}

/// Loads the queueing discipline, registers its kind with the kernel, and pins it.
pub(crate) fn load_qdisc(folder: &Path, kind: &str, object: &Path) -> Result<()> {
    let mut open = open(object)?;
    for mut map in open.maps_mut() {
        if map.map_type() == MapType::StructOps
            && let Some(value) = map.initial_value_mut()
        {
            // `id` is the first member, of 16 bytes.
            let kind = kind.as_bytes();
            value[..16].fill(0);
            value[..kind.len().min(15)].copy_from_slice(&kind[..kind.len().min(15)]);
        }
    }
    let mut loaded = load(open, "queueing discipline")?;
    for mut program in loaded.progs_mut() {
        let name = match program.name().to_str() {
            Some("qdisc_enqueue") => "enqueue",
            Some("qdisc_dequeue") => "dequeue",
            Some("oq_notify") => "notify",
            _ => continue,
        };
        program.pin(folder.join(name)).map_err(refused("pins"))?;
    }
    for mut map in loaded.maps_mut() {
        let name = match map.name().to_str() {
            Some("oq_shared") => "shared",
            Some("oq_control") => "control",
            Some("oq_names") => "names",
            Some(".data.counted") => "counted",
            _ => continue,
        };
        map.pin(folder.join(name)).map_err(refused("pins"))?;
    }
    for mut map in loaded.maps_mut() {
        if map.map_type() == MapType::StructOps {
            let mut link = map.attach_struct_ops().map_err(refused("queueing discipline"))?;
            link.pin(folder.join("link")).map_err(refused("pins"))?;
        }
    }
    Ok(())
}

/// Loads a version of the policy, attaches it to the discipline, and pins it; `names` are the numbers of its queues' names.
pub(crate) fn load_policy(folder: &Path, version: u32, policy: &KernelPolicy, names: &[u32]) -> Result<Does> {
    let of_version = version_folder(folder, version);
    let mut open = open(&policy.built.policy)?;
    let mut does = Does::default();
    for mut map in open.maps_mut() {
        match map.name().to_str() {
            Some("oq_shared") => map.reuse_pinned_map(folder.join("shared")).map_err(refused("policy"))?,
            Some("oq_names") => map.reuse_pinned_map(folder.join("names")).map_err(refused("policy"))?,
            Some(".rodata.names") => {
                let words = map.initial_value_mut().map(|value| value.chunks_exact_mut(4)).into_iter().flatten();
                words.zip(names).for_each(|(word, name)| word.copy_from_slice(&name.to_ne_bytes()));
            }
            Some(".rodata.version") => {
                if let Some(value) = map.initial_value_mut() {
                    value.copy_from_slice(&version.to_ne_bytes());
                }
            }
            Some(".rodata.digest")
                if map.initial_value_mut().is_none_or(|value| *value != policy.digest.to_ne_bytes()) =>
            {
                return Err(Error::OtherBuilt { path: policy.built.policy.clone() });
            }
            Some(".rodata.reads_head") => does.reads_headers = is_set(map.initial_value_mut()),
            Some(".rodata.parameters") => {
                does.parameters = map.initial_value_mut().map_or_else(Vec::new, |value| Parameter::read_all(value));
            }
            Some(".rodata.notifies") => does.notifies = is_set(map.initial_value_mut()),
            _ => {}
        }
    }
    let target = |name: &str| Program::fd_from_pinned_path(folder.join(name)).map_err(refused("discipline's programs"));
    let (enqueue, dequeue) = (target("enqueue")?, target("dequeue")?);
    for mut program in open.progs_mut() {
        let (to, function) = match program.name().to_str() {
            Some("policy_arrive") => (&enqueue, "oq_arrive"),
            Some("policy_leave") => (&dequeue, "oq_leave"),
            Some("policy_drained") => (&dequeue, "oq_drained"),
            _ => continue,
        };
        program.set_attach_target(to.as_fd().as_raw_fd(), Some(function.to_owned())).map_err(refused("policy"))?;
    }
    let mut loaded = load(open, "policy")?;
    for mut map in loaded.maps_mut() {
        let name = match map.name().to_str() {
            Some(".data.queues") => "queues",
            Some(".data.counters") => "counters",
            Some(".data.parameters") => "parameters",
            _ => continue,
        };
        map.pin(of_version.join(name)).map_err(refused("pins"))?;
    }
    for program in loaded.progs_mut() {
        let name = program.name().to_string_lossy().into_owned();
        let mut link = program.attach().map_err(refused("policy"))?;
        link.pin(of_version.join(&name)).map_err(refused("pins"))?;
    }
    Ok(does)
}

/// Whether a number in a program's data is not 0.
fn is_set(value: Option<&mut [u8]>) -> bool {
    value.is_some_and(|value| value.iter().any(|byte| *byte != 0))
}

/// Returns the value of a pinned map.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let map = MapHandle::from_pinned_path(path).map_err(refused("maps"))?;
    let value = map.lookup(&0_u32.to_ne_bytes(), MapFlags::ANY).map_err(refused("maps"))?;
    Ok(value.unwrap_or_default())
}

/// Writes the value of a pinned map.
pub(crate) fn write(path: &Path, value: &[u8]) -> Result<()> {
    let map = MapHandle::from_pinned_path(path).map_err(refused("maps"))?;
    map.update(&0_u32.to_ne_bytes(), value, MapFlags::ANY).map_err(refused("maps"))
}

/// Loads an opened object within the time limit.
fn load(open: OpenObject, doing: &'static str) -> Result<Object> {
    let (loaded, interrupted) = within(LIMIT, || open.load());
    // It may have been done just then.
    loaded.map_err(|error| match interrupted {
        true => Error::TooSlow { doing, seconds: LIMIT.as_secs() },
        false => refused(doing)(error),
    })
}

fn open(object: &Path) -> Result<OpenObject> {
    libbpf_rs::set_print(Some((PrintLevel::Warn, listen)));
    ObjectBuilder::default().open_file(object).map_err(refused("object file"))
}

/// Stores a message of libbpf, so that an error is one line.
#[expect(clippy::needless_pass_by_value, reason = "libbpf-rs calls it with a text of its own")]
fn listen(_: PrintLevel, message: String) {
    if let Ok(mut said) = SAID.lock() {
        said.push_str(&message);
    }
}

fn refused(doing: &'static str) -> impl FnOnce(libbpf_rs::Error) -> Error {
    move |error| {
        let said = SAID.lock().map(|mut said| std::mem::take(&mut *said)).unwrap_or_default();
        let reason = said.lines().map(str::trim).rfind(|line| is_reason(line)).map(str::to_owned);
        let message = match reason {
            Some(reason) => format!("{error}: {reason}"),
            None => error.to_string(),
        };
        Error::Refused { doing, message }
    }
}

/// Whether a line of libbpf or of the kernel's verifier gives a reason, and is no listing or sum.
fn is_reason(line: &str) -> bool {
    let begins = |text: &str| line.starts_with(text);
    !line.is_empty()
        && !begins("libbpf: failed to load object")
        && !begins("-- ")
        && !begins("processed ")
        && !begins("libbpf: prog '")
        && !begins(";")
}
