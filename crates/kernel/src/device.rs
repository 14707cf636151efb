//! Network devices, by way of `tc`.

use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// A network device.
#[derive(Debug, Clone, PartialEq, Eq)]
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

    /// Lets a pinned program see packets before they are queued. Whether the place for such programs had to be made.
    pub(crate) fn attach_notifier(&self, program: &Path) -> Result<bool> {
        let made = match self.tc(&["qdisc", "add", "dev", &self.name, "clsact"]) {
            Ok(_) => true,
            // It is there.
            Err(Error::Command { message, .. }) if message.contains("Exclusivity") => false,
            Err(Error::Command { .. }) => return Err(Error::NoNotifier),
            Err(error) => return Err(error),
        };
        let program = program.display().to_string();
        let filter = ["filter", "replace", "dev", &self.name, "egress"];
        let what = ["bpf", "direct-action", "object-pinned", &program];
        self.tc(&[&filter[..], &NOTIFIER, &what].concat())?;
        Ok(made)
    }

    /// Removes that program, and the place for such programs if it was made.
    pub(crate) fn detach_notifier(&self, made: bool) -> Result<()> {
        if made {
            return self.tc(&["qdisc", "del", "dev", &self.name, "clsact"]).map(drop);
        }
        self.tc(&[&["filter", "del", "dev", &self.name, "egress"][..], &NOTIFIER, &["bpf"]].concat()).map(drop)
    }

    fn tc(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new("tc");
        if let Some(netns) = &self.netns {
            command.args(["-n", netns]);
        }
        let output = command.args(arguments).output().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Error::Missing { program: "tc".to_owned(), package: "iproute2", clang: false }
            }
            _ => Error::File { path: "tc".into(), error },
        })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("Cannot find device") {
            return Err(Error::NoDevice { name: self.name.clone(), netns: self.netns.clone() });
        }
        let message = said.lines().next().unwrap_or("it does not say why").trim().to_owned();
        Err(Error::Command { command: format!("tc {}", arguments.join(" ")), message })
    }
}
