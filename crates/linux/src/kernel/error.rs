//! What can go wrong, and what to do about it.

use std::path::PathBuf;

/// As of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something was not done. Nothing is left behind then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The feature `load` is off.
    #[error(
        "this forebay was built without the loader for the kernel; install libelf-dev and zlib1g-dev, and build it \
         with `cargo install --path crates/cli --features kernel`"
    )]
    NoLoader,
    /// Not root.
    #[error("only root can load programs into the kernel; run it with sudo")]
    NoPrivileges,
    /// The kernel has no queueing disciplines in BPF.
    #[error(
        "this kernel ({0}) cannot run queueing disciplines in BPF; use Linux 6.16 or later with CONFIG_NET_SCH_BPF=y \
         and CONFIG_DEBUG_INFO_BTF=y (Debian's kernels have them from 6.17)"
    )]
    KernelWithout(String),
    /// There is no such device.
    #[error("there is no device `{name}`{}; `ip link` lists them", netns.as_ref().map_or(String::new(), |netns| format!(" in network namespace `{netns}`")))]
    NoDevice {
        /// As it was given.
        name: String,
        /// The network namespace that was given.
        netns: Option<String>,
    },
    /// There is no such network namespace.
    #[error("there is no network namespace `{0}`; `ip netns` lists them")]
    NoNetns(String),
    /// The kernel has no programs at the egress of devices.
    #[error(
        "the policy notifies, and this kernel has no programs at the egress of devices that could write notifications \
         into packets; load the modules sch_ingress and cls_bpf (CONFIG_NET_SCH_INGRESS, CONFIG_NET_CLS_BPF)"
    )]
    NoNotifier,
    /// No policy of forebay is at the device.
    #[error(
        "no policy of forebay is at device `{name}`; `forebay deploy --dev {name} POLICY.oq` deploys one{}",
        also_cleared(others)
    )]
    NotDeployed {
        /// The device.
        name: String,
        /// Other devices of which remains of earlier policies are removed now.
        others: Vec<String>,
    },
    /// No policy of forebay is at the device; what was left of one is removed.
    #[error(
        "no policy was in force at device `{name}`; remains of an earlier one are removed now; `forebay deploy --dev \
         {name} POLICY.oq` deploys a policy{}",
        also_cleared(others)
    )]
    ClearedAway {
        /// The device.
        name: String,
        /// Other devices of which remains of earlier policies are removed now.
        others: Vec<String>,
    },
    /// A program is missing.
    #[error("{program} is missing; install it with `apt-get install {package}`{}", if *.clang { ", or name it with CLANG=PATH" } else { "" })]
    Missing {
        /// The program that was to run.
        program: String,
        /// The package that has it.
        package: &'static str,
        /// Whether it is the compiler.
        clang: bool,
    },
    /// The compiler did not take the program.
    #[error("{compiler} cannot build the policy: {message}; clang 19 or later is needed")]
    Compiler {
        /// Which one.
        compiler: String,
        /// Its first complaint.
        message: String,
    },
    /// A folder has no programs that are built.
    #[error("{}: there is no such file; `forebay compile POLICY.oq --target bpf -o FOLDER && make -C FOLDER` makes it", path.display())]
    NotBuilt {
        /// The missing file.
        path: PathBuf,
    },
    /// The programs are of something else.
    #[error(
        "{}: it was built of another policy, with other --param or --live, or by another version of forebay; \
         `forebay compile POLICY.oq --target bpf -o FOLDER && make -C FOLDER` builds it anew",
        path.display()
    )]
    OtherBuilt {
        /// The policy's object file.
        path: PathBuf,
    },
    /// The policy reads headers, and the device's packets have others.
    #[error(
        "`{name}` is no Ethernet device (`ip link` says link/{link}), and the policy reads headers of Ethernet frames"
    )]
    NotEthernet {
        /// The device.
        name: String,
        /// The kernel's name for its link.
        link: String,
    },
    /// The kernel did not take the program.
    #[error("the kernel does not accept the policy ({doing}): {message}")]
    Refused {
        /// At what.
        doing: &'static str,
        /// What it says.
        message: String,
    },
    /// The kernel's verifier has not finished in time.
    #[error(
        "the kernel has not checked the programs ({doing}) within {seconds} s, so loading was stopped; give the policy fewer different \
         conditions or shorter ones (`forebay check --target bpf` estimates what the kernel has to check)"
    )]
    TooSlow {
        /// At what.
        doing: &'static str,
        /// The limit.
        seconds: u64,
    },
    /// Another program failed.
    #[error("`{command}` failed: {message}")]
    Command {
        /// The command.
        command: String,
        /// Its message.
        message: String,
    },
    /// The programs are not this one's.
    #[error("the programs were built by another version of forebay; undeploy the policy, build it again and deploy it")]
    OtherForebay,
    /// Too many older policies still have packets.
    #[error(
        "{} at this device still ha{} packets that wait; try again when they have departed",
        if *.0 == 1 { "an older policy".to_owned() } else { format!("{} older policies", .0) },
        if *.0 == 1 { "s" } else { "ve" }
    )]
    Draining(usize),
    /// The policy is for other ports.
    #[error("the policy has {wanted} ports, and the one at the device has {present}; undeploy that first")]
    OtherPorts {
        /// At the device.
        present: usize,
        /// Of the new policy.
        wanted: usize,
    },
    /// A packet that was sent was not seen.
    #[error("the device did not send a packet that the policy has sent")]
    Lost,
    /// A system call failed.
    #[error("{doing}: {error}")]
    System {
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        error: nix::errno::Errno,
    },
    /// A file could not be read, written or made.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file has not what forebay writes there.
    #[error("{}: forebay did not write this: {message}; `forebay undeploy` removes the policy all the same", path.display())]
    Damaged {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl Error {
    pub(crate) fn system(doing: &'static str) -> impl FnOnce(nix::errno::Errno) -> Self {
        move |error| Self::System { doing, error }
    }

    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}

fn also_cleared(others: &[String]) -> String {
    match others {
        [] => String::new(),
        others => format!("; what remained of earlier policies at {} is removed now", others.join(", ")),
    }
}
