//! Network devices, by way of `tc` and `ip`.

use crate::kernel::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// A network device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// The network namespace that it is in, as `ip netns` names it; `None`: the one of this process.
    pub netns: Option<String>,
}

/// As `tc -j qdisc show` says it.
#[derive(Debug, Deserialize)]
struct Shown {
    kind: String,
    #[serde(default)]
    root: bool,
}

/// Which of the programs that see packets before they are queued is forebay's.
const NOTIFIER: [&str; 6] = ["protocol", "all", "pref", "28527", "handle", "1"];

impl Device {
    /// The kind of its queueing discipline.
    ///
    /// # Errors
    /// If there is no such device, or no `tc`.
    pub(crate) fn kind(&self) -> Result<Option<String>> {
        let text = self.tc(&["-j", "qdisc", "show", "dev", &self.name])?;
        let all: Vec<Shown> = serde_json::from_str(&text).map_err(|error| Error::Command {
            command: "tc -j qdisc show".to_owned(),
            message: format!("it says what is not understood: {error}"),
        })?;
        Ok(all.into_iter().find(|one| one.root).map(|one| one.kind))
    }

    /// Puts a queueing discipline there.
    pub(crate) fn attach(&self, kind: &str) -> Result<()> {
        self.tc(&["qdisc", "replace", "dev", &self.name, "root", kind]).map(drop)
    }

    /// Removes the queueing discipline; the kernel puts its default there.
    pub(crate) fn detach(&self) -> Result<()> {
        self.tc(&["qdisc", "del", "dev", &self.name, "root"]).map(drop)
    }

    /// Makes the place for programs that see packets before they are queued. Whether it was not there.
    ///
    /// While the kernel does so it takes no packet for the device: what comes is lost.
    pub(crate) fn make_place(&self) -> Result<bool> {
        match self.tc(&["qdisc", "add", "dev", &self.name, "clsact"]) {
            Ok(_) => Ok(true),
            // It is there.
            Err(Error::Command { message, .. }) if message.contains("Exclusivity") => Ok(false),
            Err(Error::Command { .. }) => Err(Error::NoNotifier),
            Err(error) => Err(error),
        }
    }

    /// Removes that place, if nobody else uses it.
    pub(crate) fn remove_place(&self) -> Result<()> {
        if self.has_no_filter("ingress")? && self.has_no_filter("egress")? {
            self.tc(&["qdisc", "del", "dev", &self.name, "clsact"])?;
        }
        Ok(())
    }

    /// Lets a pinned program see packets before they are queued.
    pub(crate) fn attach_notifier(&self, program: &Path) -> Result<()> {
        let program = program.display().to_string();
        let filter = ["filter", "replace", "dev", &self.name, "egress"];
        let what = ["bpf", "direct-action", "object-pinned", &program];
        match self.tc(&[&filter[..], &NOTIFIER, &what].concat()) {
            Err(Error::Command { .. }) => Err(Error::NoNotifier),
            done => done.map(drop),
        }
    }

    /// Removes that program.
    pub(crate) fn detach_notifier(&self) -> Result<()> {
        self.tc(&[&["filter", "del", "dev", &self.name, "egress"][..], &NOTIFIER, &["bpf"]].concat()).map(drop)
    }

    /// Whether no program or rule sees packets there.
    fn has_no_filter(&self, place: &str) -> Result<bool> {
        let text = self.tc(&["filter", "show", "dev", &self.name, place])?;
        Ok(text.trim().is_empty())
    }

    /// Makes sure that its packets begin with Ethernet headers.
    pub(crate) fn check_ethernet(&self) -> Result<()> {
        let text = self.run("ip", &["-o", "link", "show", "dev", &self.name])?;
        let link = text.split_once("link/").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("unknown");
        if matches!(link, "ether" | "loopback") {
            return Ok(());
        }
        Err(Error::NotEthernet { name: self.name.clone(), link: link.to_owned() })
    }

    fn tc(&self, arguments: &[&str]) -> Result<String> {
        self.run("tc", arguments)
    }

    /// Runs a program of iproute2; what it wrote.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(program);
        if let Some(netns) = &self.netns {
            command.args(["-n", netns]);
        }
        let output = command.args(arguments).output().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Error::Missing { program: program.to_owned(), package: "iproute2", clang: false }
            }
            _ => Error::File { path: program.into(), error },
        })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("Cannot find device") || said.contains("does not exist") {
            return Err(Error::NoDevice { name: self.name.clone(), netns: self.netns.clone() });
        }
        if let (true, Some(netns)) = (said.contains("Cannot open network namespace"), &self.netns) {
            return Err(Error::NoNetns(netns.clone()));
        }
        let message = said.lines().next().unwrap_or("it does not say why").trim().to_owned();
        Err(Error::Command { command: format!("{program} {}", arguments.join(" ")), message })
    }
}
