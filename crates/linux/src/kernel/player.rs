//! Plays operations on a policy in the kernel, one by one. Frames enter one of a pair of devices at given times, and depart
//! when the port gets the command to send.

use crate::kernel::counters::{Counters, RULES};
use crate::kernel::deployment::Deployment;
use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::policy::KernelPolicy;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::socket::sockopt::{Mark, RcvBufForce, SndBufForce};
use nix::sys::socket::{
    AddressFamily, LinkAddr, MsgFlags, SockFlag, SockProtocol, SockType, bind, recv, send, setsockopt, socket,
};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::process::Command;

/// Runs `run` in its own network namespace, which is removed afterwards with all its devices.
///
/// # Errors
/// If no namespace can be created.
///
/// # Panics
/// If `run` panics.
pub fn alone<T: Send>(run: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            unshare(CloneFlags::CLONE_NEWNET).map_err(Error::system("a network namespace"))?;
            run()
        });
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

const ENTRY: &str = "forebay-in";
const EXIT: &str = "forebay-out";

/// The size of a socket's buffer in bytes: enough for all packets of any policy.
const ROOM: usize = 1 << 28;

/// A frame that only wakes the device (`OQ_WAKE_TYPE`, `OQ_WAKE_MARK` of the target).
const WAKE: [u8; 60] = {
    let mut frame = [0; 60];
    frame[0] = 2;
    frame[6] = 2;
    frame[12] = 0x88;
    frame[13] = 0xb5;
    frame
};
const WAKE_MARK: u32 = 0x6f71_7771;

/// A policy at its own device.
pub struct Player {
    deployment: Deployment,
    entry: OwnedFd,
    waker: OwnedFd,
    exit: OwnedFd,
    counters: Counters,
    refused: u64,
    pushed_out: u64,
    ticket: u64,
}

/// The outcome of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// The packet was queued.
    Queued,
    /// The packet was dropped on arrival by this rule.
    Refused(&'static str),
    /// The packet departed: its frame, its value and its marks.
    Sent(Vec<u8>, u32, u8),
    /// No packet was queued.
    Nothing,
    /// The parameter was set.
    Set,
}

impl Player {
    /// Creates a pair of devices, with the policy at one. Call this in a network namespace of its own ([`alone`]).
    ///
    /// # Errors
    /// If a requirement is missing.
    pub fn new(policy: &KernelPolicy) -> Result<Self> {
        crate::kernel::check()?;
        ip(&["link", "add", ENTRY, "type", "veth", "peer", "name", EXIT])?;
        for device in [ENTRY, EXIT] {
            // Where there is no IPv6, it says nothing.
            let _ = std::fs::write(format!("/proc/sys/net/ipv6/conf/{device}/disable_ipv6"), "1");
            ip(&["link", "set", device, "mtu", "9000", "up"])?;
        }
        let device = Device { name: ENTRY.to_owned(), netns: None };
        let rates = vec![0; policy.ports.len()];
        let mut deployment = Deployment::put(&device, policy, &rates)?;
        deployment.unlock();
        deployment.control(|control| {
            control.hold = 1;
            // Frames arrive as they are given.
            control.notifies = 0;
        })?;
        let waker = open(ENTRY, None)?;
        setsockopt(&waker, Mark, &WAKE_MARK).map_err(Error::system("a mark for packets"))?;
        let entry = open(ENTRY, None)?;
        // The other device would take VLAN tags off.
        let exit = open(ENTRY, Some(SockProtocol::EthAll))?;
        let counters = Counters::default();
        Ok(Self { deployment, entry, waker, exit, counters, refused: 0, pushed_out: 0, ticket: 0 })
    }

    /// Lets a frame arrive at a time in nanoseconds, which must not be 0.
    ///
    /// # Errors
    /// If the kernel cannot play the operation.
    pub fn enqueue(&mut self, now: u64, frame: &[u8]) -> Result<Played> {
        self.deployment.control(|control| control.clock = now)?;
        push(&self.entry, frame)?;
        let counted = self.deployment.counted()?;
        if (counted.refused, counted.pushed_out) == (self.refused, self.pushed_out) {
            return Ok(Played::Queued);
        }
        let before = std::mem::replace(&mut self.counters, self.deployment.newest_counters()?);
        let refused = counted.refused != self.refused;
        (self.refused, self.pushed_out) = (counted.refused, counted.pushed_out);
        if !refused {
            return Ok(Played::Queued);
        }
        // In the order of admission, the last: those that the packet pushed out before are counted, too.
        let order = ["slots", "unclassified", "overflow", "queue", "buffer"];
        let grew = |rule: &str| {
            let index = RULES.iter().position(|known| *known == rule).unwrap_or(0);
            self.counters.dropped[index] > before.dropped[index]
        };
        Ok(Played::Refused(order.into_iter().find(|rule| grew(rule)).unwrap_or("no rule")))
    }

    /// Sets a live parameter to a value in units of 1/65,536.
    ///
    /// # Errors
    /// If the kernel cannot play the operation.
    pub fn set(&mut self, parameter: u16, units: i64) -> Result<Played> {
        self.deployment.set(&[(parameter.into(), units)])?;
        Ok(Played::Set)
    }

    /// Lets a port send at a time in nanoseconds.
    ///
    /// # Errors
    /// If the kernel cannot play the operation.
    pub fn dequeue(&mut self, now: u64, port: u16) -> Result<Played> {
        self.ticket += 1;
        let sent = self.deployment.counted()?.sent;
        self.deployment.control(|control| {
            control.clock = now;
            control.ticket = self.ticket;
            control.ticket_port = port.into();
        })?;
        push(&self.waker, &WAKE)?;
        let counted = self.deployment.counted()?;
        if counted.sent == sent {
            return Ok(Played::Nothing);
        }
        let (value, marks) = counted.last;
        Ok(Played::Sent(self.receive()?, value, marks))
    }

    fn receive(&self) -> Result<Vec<u8>> {
        let mut frame = vec![0; 10_000];
        let seconds = PollTimeout::from(5_000_u16);
        let ready = poll(&mut [PollFd::new(self.exit.as_fd(), PollFlags::POLLIN)], seconds);
        if ready.map_err(Error::system("waiting for a packet"))? == 0 {
            return Err(Error::Lost);
        }
        let length = recv(self.exit.as_raw_fd(), &mut frame, MsgFlags::empty()).map_err(Error::system("receiving"))?;
        frame.truncate(length);
        Ok(frame)
    }

    /// Removes the policy.
    ///
    /// # Errors
    /// If something could not be removed.
    pub fn end(self) -> Result<()> {
        self.deployment.remove().map(drop)
    }
}

fn ip(arguments: &[&str]) -> Result<()> {
    let output = Command::new("ip").args(arguments).output().map_err(|_| Error::Missing {
        program: "ip".to_owned(),
        package: "iproute2",
        clang: false,
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let message = said.lines().next().unwrap_or("it gave no reason").to_owned();
    Err(Error::Command { command: format!("ip {}", arguments.join(" ")), message })
}

/// Opens a socket for frames of a device; without a protocol the socket only sends.
fn open(device: &str, protocol: Option<SockProtocol>) -> Result<OwnedFd> {
    let fd = socket(AddressFamily::Packet, SockType::Raw, SockFlag::SOCK_CLOEXEC, protocol)
        .map_err(Error::system("a socket for frames"))?;
    bind(fd.as_raw_fd(), &address(device)?).map_err(Error::system("a socket for frames"))?;
    setsockopt(&fd, SndBufForce, &ROOM).map_err(Error::system("room for frames"))?;
    setsockopt(&fd, RcvBufForce, &ROOM).map_err(Error::system("room for frames"))?;
    Ok(fd)
}

fn address(device: &str) -> Result<LinkAddr> {
    let mut all = nix::ifaddrs::getifaddrs().map_err(Error::system("the list of devices"))?;
    let link = all.find_map(|one| one.address?.as_link_addr().filter(|_| one.interface_name == device).copied());
    link.ok_or_else(|| Error::NoDevice { name: device.to_owned(), netns: None })
}

/// Sends a frame. A frame that the queueing discipline drops counts as sent.
fn push(socket: &OwnedFd, frame: &[u8]) -> Result<()> {
    match send(socket.as_raw_fd(), frame, MsgFlags::empty()) {
        Ok(_) | Err(Errno::ENOBUFS) => Ok(()),
        Err(error) => Err(Error::System { doing: "sending", error }),
    }
}
