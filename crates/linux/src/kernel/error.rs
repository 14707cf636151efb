//! Errors, and their remedies.

use std::path::PathBuf;

/// The result of this module's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation failed. A failed operation leaves nothing behind.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The feature `load` is off.
    #[error(
        "this forebay was built without the loader for the kernel; install libelf-dev and zlib1g-dev, and build it \
         with `cargo install --path crates/cli --features kernel`"
    )]
    NoLoader,
    /// The user is not root.
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
        /// The name that the user gave.
        name: String,
        /// The network namespace that the user gave.
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
        /// Other devices; the remains of their earlier policies are removed now.
        others: Vec<String>,
    },
    /// No policy of forebay is at the device. The remains of an earlier policy are removed now.
    #[error(
        "no policy was in force at device `{name}`; remains of an earlier one are removed now; `forebay deploy --dev \
         {name} POLICY.oq` deploys a policy{}",
        also_cleared(others)
    )]
    ClearedAway {
        /// The device.
        name: String,
        /// Other devices; the remains of their earlier policies are removed now.
        others: Vec<String>,
    },
    /// A program is missing.
    #[error("{program} is missing; install it with `apt-get install {package}`{}", if *.clang { ", or name it with CLANG=PATH" } else { "" })]
    Missing {
        /// The missing program.
        program: String,
        /// The package that contains the program.
        package: &'static str,
        /// Whether the program is the compiler.
        clang: bool,
    },
    /// The compiler rejected the program.
    #[error("{compiler} cannot build the policy: {message}; clang 19 or later is needed")]
    Compiler {
        /// The compiler.
        compiler: String,
        /// The compiler's first message.
        message: String,
    },
    /// A folder has no compiled programs.
    #[error("{}: there is no such file; `forebay compile POLICY.oq --target bpf -o FOLDER && make -C FOLDER` makes it", path.display())]
    NotBuilt {
        /// The missing file.
        path: PathBuf,
    },
    /// The compiled programs belong to another policy or version.
    #[error(
        "{}: it was built of another policy, with other --param or --live, or by another version of forebay; \
         `forebay compile POLICY.oq --target bpf -o FOLDER && make -C FOLDER` builds it anew",
        path.display()
    )]
    OtherBuilt {
        /// The policy's object file.
        path: PathBuf,
    },
    /// The policy reads headers of Ethernet frames, and the device's packets have other headers.
    #[error(
        "`{name}` is no Ethernet device (`ip link` says link/{link}), and the policy reads headers of Ethernet frames"
    )]
    NotEthernet {
        /// The device.
        name: String,
        /// The kernel's name for its link.
        link: String,
    },
    /// The kernel rejected the program.
    #[error("the kernel does not accept the policy ({doing}): {message}")]
    Refused {
        /// The step that failed.
        doing: &'static str,
        /// The kernel's message.
        message: String,
    },
    /// The kernel's verifier did not finish in time.
    #[error(
        "the kernel has not checked the programs ({doing}) within {seconds} s, so loading was stopped; give the policy fewer different \
         conditions or shorter ones (`forebay check --target bpf` estimates what the kernel has to check)"
    )]
    TooSlow {
        /// The step that was stopped.
        doing: &'static str,
        /// The time limit in seconds.
        seconds: u64,
    },
    /// Another program failed.
    #[error("`{command}` failed: {message}")]
    Command {
        /// The command that failed.
        command: String,
        /// The command's message.
        message: String,
    },
    /// Another version of forebay loaded the programs at the device.
    #[error("the programs were built by another version of forebay; undeploy the policy, build it again and deploy it")]
    OtherForebay,
    /// Too many older policies still have queued packets.
    #[error(
        "{} at this device still ha{} packets that wait; try again when they have departed",
        if *.0 == 1 { "an older policy".to_owned() } else { format!("{} older policies", .0) },
        if *.0 == 1 { "s" } else { "ve" }
    )]
    Draining(usize),
    /// The new policy has another number of ports.
    #[error("the policy has {wanted} ports, and the one at the device has {present}; undeploy that first")]
    OtherPorts {
        /// The number of ports at the device.
        present: usize,
        /// The number of ports of the new policy.
        wanted: usize,
    },
    /// A packet was sent, and did not arrive.
    #[error("the device did not send a packet that the policy has sent")]
    Lost,
    /// A system call failed.
    #[error("{doing}: {error}")]
    System {
        /// The attempted operation.
        doing: &'static str,
        /// The system's error.
        error: nix::errno::Errno,
    },
    /// A file could not be read, written or made.
    #[error("{}: {error}", path.display())]
    File {
        /// The file's path.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A file has contents that forebay does not write.
    #[error("{}: forebay did not write this: {message}; `forebay undeploy` removes the policy all the same", path.display())]
    Damaged {
        /// The file's path.
        path: PathBuf,
        /// The defect of the contents.
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
