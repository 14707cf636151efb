//! Network devices, by way of `tc` and `ip`.

use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A network device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// The device's name.
    pub name: String,
    /// The device's network namespace, as `ip netns` names it; `None` is the one of this process.
    pub netns: Option<String>,
}

/// A queueing discipline in the output of `tc -j qdisc show`.
#[derive(Debug, Deserialize)]
struct Shown {
    kind: String,
    #[serde(default)]
    root: bool,
}

/// The name of the hook for programs that see packets before they are queued.
const PLACE: &str = "clsact";

/// The arguments that select forebay's program among those at the hook.
const NOTIFIER: [&str; 6] = ["protocol", "all", "pref", "28527", "handle", "1"];

impl Device {
    /// Returns the kind of the device's queueing discipline.
    ///
    /// # Errors
    /// If there is no such device, or no `tc`.
    pub(crate) fn kind(&self, host: &dyn Host) -> Result<Option<String>> {
        Ok(self.disciplines(host)?.into_iter().find(|one| one.root).map(|one| one.kind))
    }

    /// Whether the device has the hook for programs that see packets before they are queued.
    pub(crate) fn has_place(&self, host: &dyn Host) -> Result<bool> {
        Ok(self.disciplines(host)?.iter().any(|one| one.kind == PLACE))
    }

    fn disciplines(&self, host: &dyn Host) -> Result<Vec<Shown>> {
        let text = self.tc(host, &["-j", "qdisc", "show", "dev", &self.name])?;
        serde_json::from_str(&text).map_err(|error| Error::Command {
            command: "tc -j qdisc show".to_owned(),
            message: format!("its output cannot be read: {error}"),
        })
    }

    /// Attaches a queueing discipline of this kind to the device.
    pub(crate) fn attach(&self, host: &dyn Host, kind: &str) -> Result<()> {
        self.tc(host, &["qdisc", "replace", "dev", &self.name, "root", kind]).map(drop)
    }

    /// Removes the queueing discipline; the kernel then attaches its default.
    pub(crate) fn detach(&self, host: &dyn Host) -> Result<()> {
        self.tc(host, &["qdisc", "del", "dev", &self.name, "root"]).map(drop)
    }

    /// Creates the hook for programs that see packets before they are queued. Returns whether the hook was missing.
    ///
    /// Meanwhile the kernel accepts no packet for the device, so arriving packets are lost.
    pub(crate) fn make_place(&self, host: &dyn Host) -> Result<bool> {
        match self.tc(host, &["qdisc", "add", "dev", &self.name, PLACE]) {
            Ok(_) => Ok(true),
            // It is there.
            Err(Error::Command { message, .. }) if message.contains("Exclusivity") => Ok(false),
            Err(Error::Command { .. }) => Err(Error::NoNotifier),
            Err(error) => Err(error),
        }
    }

    /// Removes the hook that [`make_place`](Self::make_place) creates, if no other program uses it.
    pub(crate) fn remove_place(&self, host: &dyn Host) -> Result<()> {
        if self.has_place(host)? && self.has_no_filter(host, "ingress")? && self.has_no_filter(host, "egress")? {
            self.tc(host, &["qdisc", "del", "dev", &self.name, PLACE])?;
        }
        Ok(())
    }

    /// Attaches a pinned program that sees packets before they are queued.
    pub(crate) fn attach_notifier(&self, host: &dyn Host, program: &Path) -> Result<()> {
        let program = program.display().to_string();
        let filter = ["filter", "replace", "dev", &self.name, "egress"];
        let what = ["bpf", "direct-action", "object-pinned", &program];
        match self.tc(host, &[&filter[..], &NOTIFIER, &what].concat()) {
            Err(Error::Command { .. }) => Err(Error::NoNotifier),
            done => done.map(drop),
        }
    }

    /// Detaches the program that [`attach_notifier`](Self::attach_notifier) attaches.
    pub(crate) fn detach_notifier(&self, host: &dyn Host) -> Result<()> {
        match self.tc(host, &[&["filter", "del", "dev", &self.name, "egress"][..], &NOTIFIER, &["bpf"]].concat()) {
            // A command that was killed may have recorded that it attaches one, and done no more.
            Err(Error::Command { .. }) if !self.has_place(host)? || !self.has_notifier(host)? => Ok(()),
            done => done.map(drop),
        }
    }

    /// Whether no program or rule is attached at a hook.
    fn has_no_filter(&self, host: &dyn Host, place: &str) -> Result<bool> {
        Ok(self.filters(host, place)?.trim().is_empty())
    }

    /// Whether forebay's program is attached.
    fn has_notifier(&self, host: &dyn Host) -> Result<bool> {
        Ok(self.filters(host, "egress")?.contains(&format!("pref {}", NOTIFIER[3])))
    }

    fn filters(&self, host: &dyn Host, place: &str) -> Result<String> {
        self.tc(host, &["filter", "show", "dev", &self.name, place])
    }

    /// Checks that the device's packets begin with Ethernet headers.
    pub(crate) fn check_ethernet(&self, host: &dyn Host) -> Result<()> {
        let text = self.run(host, "ip", &["-o", "link", "show", "dev", &self.name])?;
        let link = text.split_once("link/").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("unknown");
        if matches!(link, "ether" | "loopback") {
            return Ok(());
        }
        Err(Error::NotEthernet { name: self.name.clone(), link: link.to_owned() })
    }

    fn tc(&self, host: &dyn Host, arguments: &[&str]) -> Result<String> {
        self.run(host, "tc", arguments)
    }

    /// Runs a program of iproute2, and returns its output.
    fn run(&self, host: &dyn Host, program: &str, arguments: &[&str]) -> Result<String> {
        let said =
            host.iproute(self.netns.as_deref(), program, arguments).map_err(|error| not_started(program, error))?;
        if said.success {
            return Ok(said.output);
        }
        let said = said.error;
        if said.contains("Cannot find device") || said.contains("does not exist") {
            return Err(Error::NoDevice { name: self.name.clone(), netns: self.netns.clone() });
        }
        if let (true, Some(netns)) = (said.contains("Cannot open network namespace"), &self.netns) {
            return Err(Error::NoNetns(netns.clone()));
        }
        let message = said.lines().next().unwrap_or("it gave no reason").trim().to_owned();
        Err(Error::Command { command: format!("{program} {}", arguments.join(" ")), message })
    }
}

/// Returns the error of a program that cannot be started.
fn not_started(program: &str, error: std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::Missing { program: program.to_owned(), package: "iproute2", clang: false }
        }
        _ => Error::File { path: program.into(), error },
    }
}
