//! `deploy` and `undeploy` on a simulated kernel: any call fails, commands are killed at any call, and devices are deleted.

mod kernel;
mod state;

use super::{Life, System};
use crate::fault::{Coverage, Fault, Faults, Site};
use forebay_linux::kernel::{Built, Deployment, Device, Error, Host, KernelPolicy};
use kernel::{Kernel, Kill};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "deploy",
    title: "A policy at a device is whole, or the next command removes what is left of it, whatever fails or is killed",
    run: live,
    lives: 400,
};

const COMMANDS: u64 = 12;

/// The devices; the second already has the hook for programs, and a program there.
const DEVICES: [&str; 2] = ["v0", "v1"];

/// The policies; the second gives congestion notifications.
const POLICIES: [&str; 3] = ["fifo", "notifies", "red"];

const DELETED: [Fault; 1] = ["deleted"];

/// How a command ended.
enum Ended<T> {
    Returned(Result<T, Error>),
    Killed,
}

fn live(life: &Life) -> Coverage {
    let kernel = Arc::new(Kernel::new(Faults::new(life.seed, 25), life.planted, &DEVICES));
    let host: Arc<dyn Host> = Arc::clone(&kernel) as Arc<dyn Host>;
    for _ in 0..COMMANDS {
        let (device, policy, kind) = kernel.draw(|faults| {
            (DEVICES[faults.place(DEVICES.len())], POLICIES[faults.place(POLICIES.len())], faults.below(10))
        });
        let before = kernel.in_force(device);
        match kind {
            0..6 => deploy(&kernel, &host, device, policy, before.as_deref()),
            6..9 => undeploy(&kernel, &host, device, before.is_some()),
            _ => {
                let site = Site { call: "delete", of: "a device" };
                if kernel.draw(|faults| faults.draw(site, &DELETED)).is_some() {
                    kernel.replace_device(device);
                }
            }
        }
        kernel.check_whole();
    }
    kernel.draw(|faults| faults.rate = 0);
    for name in DEVICES {
        let was_there = kernel.in_force(name).is_some();
        match Deployment::remove_on(&host, &device(name)) {
            Ok(_) => assert!(was_there, "{name} had no policy, and one was removed"),
            Err(Error::NotDeployed { .. } | Error::ClearedAway { .. }) => {
                assert!(!was_there, "{name} has a policy, and it is not found");
            }
            Err(error) => panic!("{name} cannot be undeployed in a world that works: {error}"),
        }
    }
    kernel.check_nothing_left();
    kernel.draw(|faults| faults.coverage.clone())
}

fn device(name: &str) -> Device {
    Device { name: name.to_owned(), netns: None }
}

/// Runs a command, which may be killed.
fn run<T>(work: impl FnOnce() -> Result<T, Error>) -> Ended<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => Ended::Returned(result),
        Err(panic) if panic.is::<Kill>() => Ended::Killed,
        Err(panic) => resume_unwind(panic),
    }
}

fn deploy(kernel: &Kernel, host: &Arc<dyn Host>, name: &str, policy: &str, before: Option<&str>) {
    let object = |file: &str| PathBuf::from(format!("/tmp/{file}"));
    let policy = KernelPolicy {
        name: policy.to_owned(),
        built: Built { qdisc: object("qdisc.bpf.o"), policy: object("policy.bpf.o") },
        queues: vec!["q".to_owned()],
        ports: vec!["out".to_owned()],
        seed: 1,
        digest: 1,
    };
    let left = kernel.left_behind();
    let ended = run(|| {
        let deployment = Deployment::put_on(host, &device(name), &policy, &vec![0])?;
        Ok(names(deployment.cleared()))
    });
    let now = kernel.in_force(name);
    match ended {
        Ended::Returned(Ok(cleared)) => {
            assert_eq!(now.as_deref(), Some(&*policy.name), "what was deployed is in force");
            check_said(&left, &cleared);
        }
        // What was there stays, unless what failed could not be undone either: then the new one is whole.
        Ended::Returned(Err(error)) => {
            assert!(!error.to_string().is_empty(), "an error says why");
            assert!(now.as_deref() == before || before.is_some(), "{error}: {name} had {before:?} and has {now:?}");
        }
        Ended::Killed => {}
    }
}

fn names(devices: &[Device]) -> Vec<String> {
    devices.iter().map(|device| device.name.clone()).collect()
}

/// Checks that the removal of remains was reported.
fn check_said(left: &[String], cleared: &[String]) {
    for device in left {
        assert!(cleared.contains(device), "what was left of {device} was removed in silence");
    }
}

fn undeploy(kernel: &Kernel, host: &Arc<dyn Host>, name: &str, was_there: bool) {
    let left = kernel.left_behind();
    let ended = run(|| Deployment::remove_on(host, &device(name)));
    let is_there = kernel.in_force(name).is_some();
    match ended {
        Ended::Returned(Ok(removed)) => {
            assert!(was_there && !is_there, "an undeployed policy is no longer attached");
            check_said(&left, &names(&removed.cleared));
            kernel.check_gone(name);
        }
        Ended::Returned(Err(Error::NotDeployed { others, .. })) => {
            assert!(!was_there, "{name} has a policy");
            check_said(&left, &others);
        }
        Ended::Returned(Err(Error::ClearedAway { name, others })) => {
            assert!(!was_there, "{name} has a policy");
            check_said(&left, &[&[name], &others[..]].concat());
        }
        Ended::Returned(Err(_)) | Ended::Killed => assert!(was_there || !is_there, "undeploy has deployed"),
    }
}
