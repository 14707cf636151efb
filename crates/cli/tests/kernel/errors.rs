//! Errors: one line, and nothing left behind.

use crate::guest::policy;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The single line of a command that failed.
#[track_caller]
fn refused(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    assert!(output.stdout.is_empty());
    text.trim_end().to_owned()
}

fn deploy() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
    command.arg("deploy").arg(policy("fifo")).args(["--dev", "no-such-dev"]);
    command
}

fn has_bpf_disciplines() -> bool {
    let types = std::fs::read("/sys/kernel/btf/vmlinux").unwrap_or_default();
    types.windows(20).any(|window| window == b"\0bpf_qdisc_skb_drop\0")
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout == b"0\n"
}

#[test]
fn without_privileges() {
    // A copy that everybody may read.
    let folder = TempDir::new().unwrap();
    let mut command = deploy();
    if is_root() {
        let open = |path: &Path| {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        let copy = folder.path().join("forebay");
        // By another process: a test beside this one may fork, and the child would hold open for writing what is run here.
        assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_forebay")).arg(&copy).status().unwrap().success());
        std::fs::copy(policy("fifo"), folder.path().join("fifo.oq")).unwrap();
        [folder.path(), &copy, &folder.path().join("fifo.oq")].into_iter().for_each(open);
        use std::os::unix::process::CommandExt;
        command = Command::new(copy);
        command.arg("deploy").arg(folder.path().join("fifo.oq")).args(["--dev", "no-such-dev"]).uid(65_534);
    }
    assert!(
        refused(&command.output().unwrap()).ends_with("only root can load programs into the kernel; run it with sudo")
    );
}

#[test]
fn a_kernel_without() {
    if !is_root() || has_bpf_disciplines() {
        println!("skipped: it takes root, and a kernel that has no queueing disciplines in BPF");
        return;
    }
    let said = refused(&deploy().output().unwrap());
    assert!(said.contains("cannot run queueing disciplines in BPF; use Linux 6.16 or later"), "{said}");
}

#[test]
fn a_field_that_is_unsaid_is_named() {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
    command.arg("compile").arg(policy("srpt")).args(["--target", "bpf", "--output"]).arg(folder.path().join("out"));
    let said = refused(&command.output().unwrap());
    assert!(said.contains("packet.processing") && said.contains("--field"), "{said}");
    assert!(!folder.path().join("out").exists(), "nothing is left behind");
}

#[test]
fn in_the_machine() {
    let guest = crate::guest_or_skip!(&[("fifo", &[]), ("lqd", &["--field", "queue=udp[8:1]&3"])]);
    let said = guest.run(
        "try() { label=$1; shift; \"$@\" >/dev/null 2>/tmp/complaint; say $label $? $(wc -l </tmp/complaint) $(cat /tmp/complaint); }
        pair v0 v1
        fifo='/p/fifo/policy.oq --dev'
        try device forebay deploy $fifo none --built /p/fifo
        try clang forebay deploy $fifo v0
        try built forebay deploy $fifo v0 --built /p
        try namespace forebay deploy $fifo v0 --built /p/fifo --netns none
        try stats forebay stats --dev v0
        try undeploy forebay undeploy --dev v0
        umount /sys/fs/bpf
        try pins forebay deploy $fifo v0 --built /p/fifo
        mount -t bpf bpf /sys/fs/bpf
        mv /usr/bin/tc /usr/bin/not-tc
        mv /bin/tc /bin/not-tc
        try tc forebay deploy $fifo v0 --built /p/fifo
        mv /usr/bin/not-tc /usr/bin/tc
        say left $(pins) $(ls /run/forebay/*.json 2>/dev/null | wc -l)
        # A command that is killed before the device has its policy leaves something, which the next one clears away.
        mkdir -p /sys/fs/bpf/forebay/forebay7
        mv /usr/bin/tc /usr/bin/real-tc
        printf '#!/bin/sh\ncase \"$*\" in *replace*) kill -9 $PPID; exit 1;; esac\nexec /usr/bin/real-tc \"$@\"\n' >/usr/bin/tc
        chmod +x /usr/bin/tc
        forebay deploy $fifo v0 --built /p/fifo >/dev/null 2>&1
        mv /usr/bin/real-tc /usr/bin/tc
        say killed $(pins) $(ls /run/forebay/*.json | wc -l)
        try cleaned forebay stats --dev v0
        say clean $(pins) $(ls /run/forebay/*.json 2>/dev/null | wc -l)
        put v0 fifo
        try ports forebay deploy /p/lqd/policy.oq --dev v0 --built /p/lqd
        stats after v0
        say versions $(ls /sys/fs/bpf/forebay/forebay0 | grep -c '^v[0-9]')
        echo 'q = Queue(9 pkts); out = Port(100);' >/tmp/other.oq
        try other forebay deploy /tmp/other.oq --dev v0 --built /p/fifo
        try params forebay deploy $fifo v0 --built /p/fifo --param B=4
        # Two at once, and one that looks: all that were accepted are there.
        for i in 1 2 3; do
            forebay deploy $fifo v0 --built /p/fifo >/dev/null 2>&1 & one=$!
            forebay deploy $fifo v0 --built /p/fifo >/dev/null 2>&1 & other=$!
            forebay stats --dev v0 >/dev/null || say failed stats
            wait $one || say failed one
            wait $other || say failed other
        done
        stats both v0
        # The first packet leaves at once, and keeps the link busy for minutes; then one waits under each of 31 versions.
        put v0 fifo --rate 8bps
        traffic send v0 1 200 1 >/dev/null
        for version in $(seq 1 31); do
            traffic send v0 1 200 1 >/dev/null
            put v0 fifo --rate 8bps
        done
        try draining forebay deploy $fifo v0 --built /p/fifo
        stats stacked v0
        # As a command leaves it that is killed when it has written of its version, and before packets arrive under it.
        control forebay0 0 38
        stats ahead v0
        control forebay0 0 39
        # A map of another size, as other programs may have.
        mv /sys/fs/bpf/forebay/forebay0/counted /sys/fs/bpf/forebay/forebay0/aside
        ln /sys/fs/bpf/forebay/forebay0/control /sys/fs/bpf/forebay/forebay0/counted
        try programs forebay deploy $fifo v0 --built /p/fifo
        rm /sys/fs/bpf/forebay/forebay0/counted
        mv /sys/fs/bpf/forebay/forebay0/aside /sys/fs/bpf/forebay/forebay0/counted
        echo '{}' >/run/forebay/forebay0.json
        try damaged forebay stats --dev v0
        try removed forebay undeploy --dev v0
        say cleared $(pins) $(ls /run/forebay/*.json 2>/dev/null | wc -l)
        ",
        600,
    );
    let expected = [
        ("device", "there is no device `none`; `ip link` lists them"),
        ("clang", "clang is missing; install it with `apt-get install clang-19`, or name it with CLANG=PATH"),
        (
            "built",
            "/p/qdisc.bpf.o: there is no such file; `forebay compile POLICY.oq --target bpf -o FOLDER && make -C FOLDER` makes it",
        ),
        ("namespace", "there is no network namespace `none`; `ip netns` lists them"),
        ("stats", "no policy of forebay is at device `v0`; `forebay deploy --dev v0 POLICY.oq` deploys one"),
        ("undeploy", "no policy of forebay is at device `v0`"),
        ("pins", "there is no BPF file system at /sys/fs/bpf; run `mount -t bpf bpf /sys/fs/bpf`"),
        ("tc", "tc is missing; install it with `apt-get install iproute2`"),
        ("other", "/p/fifo/policy.bpf.o: it was built of another policy"),
        ("params", "/p/fifo/policy.bpf.o: it was built of another policy, with other --param"),
        (
            "draining",
            "31 older policies at this device still have packets that wait; try again when they have departed",
        ),
        (
            "programs",
            "the programs were built by another version of forebay; undeploy the policy, build it again and deploy it",
        ),
        ("damaged", "/run/forebay/forebay0.json: forebay did not write this"),
        ("ports", "the policy has 4 ports, and the one at the device has 1; undeploy that first"),
    ];
    for (label, message) in expected {
        let text = said.text(label);
        println!("{label}: {text}");
        assert!(text.starts_with("2 1 error: ") && text.contains(message), "{label}: {text}");
    }
    assert_eq!(said.numbers("left"), [0, 0], "nothing is left behind");
    assert_eq!(said.numbers("killed"), [1, 1], "it was killed, and had cleared the empty folder away");
    assert_eq!(said.numbers("clean"), [0, 0], "what was left is cleared away");
    assert!(said.text("cleaned").contains("remains of an earlier one are removed now"), "{}", said.text("cleaned"));
    assert_eq!(said.stats("both").version(), 7, "one after the other");
    assert_eq!((said.stats("stacked").draining(), said.stats("stacked").version()), (31, 7 + 32));
    assert_eq!((said.stats("ahead").version(), said.stats("ahead").draining()), (38, 30), "it is not in use");
    assert!(said.text("removed").starts_with("0 "), "{}", said.text("removed"));
    assert_eq!(said.numbers("cleared"), [0, 0], "what is damaged is removed as well");
    assert_eq!((said.stats("after").version(), said.number("versions")), (1, 1), "what is there stays");
}
