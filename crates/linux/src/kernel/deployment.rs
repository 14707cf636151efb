//! Deploys a policy at a device, replaces it, inspects it and removes it.

use crate::kernel::control::{Control, PORTS};
use crate::kernel::counters::{Counted, Counters, QueueCounters, VERSIONS};
use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::{Held, Host};
use crate::kernel::leftovers::{self, Removed};
use crate::kernel::notifier::Notifier;
use crate::kernel::parameter::{Parameter, ParameterValue};
use crate::kernel::pins::Pins;
use crate::kernel::policy::KernelPolicy;
use crate::kernel::record::{FOLDER, Record, Version};
use crate::kernel::this_machine::Machine;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// The rate of each port in bits per second; 0 means as fast as the device accepts packets.
pub type Rates = Vec<u64>;

/// A device with a policy.
#[derive(Debug)]
pub struct Deployment {
    device: Device,
    pins: Pins,
    record: Record,
    lock: Option<Box<dyn Held>>,
    cleared: Vec<Device>,
}

/// The state of a deployment.
#[derive(Debug, Clone, Serialize)]
pub struct Statistics {
    /// The name of the policy that enqueues arriving packets.
    pub policy: String,
    /// The version of this policy; the first is 1.
    pub version: u32,
    /// The live parameters of this policy.
    pub parameters: Vec<ParameterValue>,
    /// The counters of the queueing discipline.
    pub packets: Counted,
    /// Packets that are queued now.
    pub waiting: u64,
    /// The part of `waiting` that is queued under older versions.
    pub draining: u64,
    /// The counters of all versions.
    pub counters: Counters,
    /// The queues of all versions, by name.
    pub queues: Vec<QueueCounters>,
}

/// The most versions: older ones with queued packets, and the current one. The kernel attaches at most 38 programs to a function.
const MOST_VERSIONS: usize = 32;

impl Deployment {
    /// Opens the deployment at a device. Other commands wait until the deployment is dropped.
    ///
    /// # Errors
    /// If the device has no policy, or this program may not read it.
    pub fn at(device: &Device) -> Result<Self> {
        Self::at_on(&machine(), device)
    }

    /// Opens the deployment at a device of another machine, as [`at`](Self::at) does.
    ///
    /// # Errors
    /// As for [`at`](Self::at).
    pub fn at_on(host: &Arc<dyn Host>, device: &Device) -> Result<Self> {
        let (lock, cleared) = entered(host)?;
        let pins = pins_at(host, device)?.ok_or_else(|| leftovers::not_there(device, &cleared))?;
        Self::found(device, pins, lock, cleared)
    }

    fn found(device: &Device, pins: Pins, lock: Box<dyn Held>, cleared: Vec<Device>) -> Result<Self> {
        pins.check_maps()?;
        let current = Control::read(&pins.read("control")?).version;
        let record = Record::read_until(&*pins.host, &pins.kind, current)?;
        Ok(Self { device: device.clone(), pins, record, lock: Some(lock), cleared })
    }

    /// Returns the devices of which this command has removed remains: devices that had lost their discipline, and devices of commands that
    /// were killed.
    #[must_use]
    pub fn cleared(&self) -> &[Device] {
        &self.cleared
    }

    /// Releases the lock, so that other commands can run while this one continues.
    pub(crate) fn unlock(&mut self) {
        self.lock = None;
    }

    /// Deploys a policy at a device, or replaces the policy there. Queued packets leave under the policy that enqueued them, and none is
    /// lost. Other commands wait until the returned deployment is dropped.
    ///
    /// # Errors
    /// If a requirement is missing. Nothing is left behind then, and an earlier policy stays.
    pub fn put(device: &Device, policy: &KernelPolicy, rates: &Rates) -> Result<Self> {
        Self::put_on(&machine(), device, policy, rates)
    }

    /// Deploys a policy at a device of another machine, as [`put`](Self::put) does.
    ///
    /// # Errors
    /// As for [`put`](Self::put).
    pub fn put_on(host: &Arc<dyn Host>, device: &Device, policy: &KernelPolicy, rates: &Rates) -> Result<Self> {
        let (lock, cleared) = entered(host)?;
        match pins_at(host, device)? {
            Some(pins) => {
                let mut deployment = Self::found(device, pins, lock, cleared)?;
                deployment.replace(policy, rates)?;
                Ok(deployment)
            }
            None => Self::begin(Pins::claim(host)?, device, policy, rates, lock, cleared),
        }
    }

    fn begin(
        pins: Pins,
        device: &Device,
        policy: &KernelPolicy,
        rates: &Rates,
        lock: Box<dyn Held>,
        cleared: Vec<Device>,
    ) -> Result<Self> {
        let record = Record::new(device);
        let mut deployment = Self { device: device.clone(), pins, record, lock: Some(lock), cleared };
        let done = deployment.load(policy).and_then(|()| deployment.change(1, policy, rates));
        let done = done.and_then(|()| device.attach(deployment.host(), &deployment.pins.kind));
        if let Err(error) = done {
            // The first failure matters more than a failure while clearing up, which the next command tries again.
            let notifier = deployment.record.notifier;
            let _ = leftovers::discard(&deployment.pins, notifier.map(|notifier| (device, notifier)));
            return Err(error);
        }
        Ok(deployment)
    }

    /// Loads the discipline, and creates the hook for the notifier. Objects that have no pin are recorded before they are created.
    fn load(&mut self, policy: &KernelPolicy) -> Result<()> {
        let host = Arc::clone(&self.pins.host);
        host.load_discipline(self.pins.folder(), &self.pins.kind, &policy.built.qdisc)?;
        self.pins.check_maps()?;
        self.record.notifier = Some(Notifier::planned(&*host, &self.device)?);
        self.record.write(&*host, &self.pins.kind)?;
        self.record.notifier = Notifier::prepare(&*host, &self.device)?;
        Ok(())
    }

    fn host(&self) -> &dyn Host {
        &*self.pins.host
    }

    fn replace(&mut self, policy: &KernelPolicy, rates: &Rates) -> Result<()> {
        let newest = self.newest();
        let (present, wanted) = (newest.ports.len(), policy.ports.len());
        let number = newest.number + 1;
        if present != wanted {
            return Err(Error::OtherPorts { present, wanted });
        }
        self.bury()?;
        // The discipline tells so many numbers apart.
        let span = (number - self.record.versions[0].number) as usize;
        if self.record.versions.len() >= MOST_VERSIONS || span >= VERSIONS {
            return Err(Error::Draining(self.record.versions.len() - 1));
        }
        let before = self.record.clone();
        let control = Control::read(&self.pins.read("control")?);
        self.change(number, policy, rates).inspect_err(|_| {
            // What failed is more interesting than what fails while it is cleared away. What packets arrive under stays.
            if self.control(|present| *present = control).is_err() {
                return;
            }
            let mut restored = before.clone();
            if let (Some(mut notifier), true) = (self.record.notifier, self.record.notifier != before.notifier) {
                // What cannot be removed is remembered, and what is removed is not taken for there.
                notifier.doubt();
                restored.notifier = Some(notifier);
                if restored.write(self.host(), &self.pins.kind).is_err() {
                    return;
                }
                let _ = notifier.detach(self.host(), &self.device);
                restored.notifier = Some(notifier);
            }
            let _ = self.pins.remove_version(number);
            let _ = restored.write(self.host(), &self.pins.kind);
        })
    }

    /// Loads a version, and makes it the one that enqueues packets from the next packet on.
    fn change(&mut self, number: u32, policy: &KernelPolicy, rates: &Rates) -> Result<()> {
        // Of a policy alone there are never too many.
        let older = self.record.versions.len().saturating_sub(1);
        let names = self.record.numbers_of(&policy.queues).ok_or(Error::Draining(older))?;
        self.pins.make_version(number)?;
        let host = Arc::clone(&self.pins.host);
        let does = host.load_policy(self.pins.folder(), number, policy, &names)?;
        if does.reads_headers {
            self.device.check_ethernet(&*host)?;
        }
        if does.notifies && self.record.notifier.as_mut().ok_or(Error::NoNotifier)?.begin() {
            // It is remembered before it is there.
            self.record.write(&*host, &self.pins.kind)?;
            if let Some(notifier) = &mut self.record.notifier {
                notifier.attach(&*host, &self.device, &self.pins.path("notify"))?;
            }
        }
        let mut record = self.record.clone();
        record.versions.push(Version {
            number,
            policy: policy.name.clone(),
            queues: policy.queues.clone(),
            names,
            ports: policy.ports.clone(),
            parameters: does.parameters,
        });
        record.write(self.host(), &self.pins.kind)?;
        self.record = record;
        self.control(|control| {
            control.version = number.into();
            control.wants_head = does.reads_headers.into();
            control.notifies = does.notifies.into();
            control.seed = policy.seed;
            control.ports = policy.ports.len() as u64;
            control.rates = rates_of(rates);
        })
    }

    /// Returns the state of the deployment.
    ///
    /// # Errors
    /// If the kernel does not return its counters.
    pub fn statistics(&mut self) -> Result<Statistics> {
        self.bury()?;
        let packets = self.counted()?;
        let newest = self.newest();
        let waiting = packets.all_waiting();
        let current = packets.waiting.get(newest.number as usize % VERSIONS).copied().unwrap_or(0);
        let mut all = self.record.clone();
        for version in &self.record.versions {
            let (counters, queues) = self.counters(version)?;
            all.bury(&counters, queues);
        }
        Ok(Statistics {
            policy: newest.policy.clone(),
            version: newest.number,
            parameters: self.parameters()?,
            waiting,
            draining: waiting - u64::from(current),
            packets,
            counters: all.gone,
            queues: all.gone_queues,
        })
    }

    /// Returns the policy that enqueues arriving packets, and its version.
    #[must_use]
    pub fn policy(&self) -> (&str, u32) {
        (&self.newest().policy, self.newest().number)
    }

    /// Returns the live parameters of the newest version.
    ///
    /// # Errors
    /// If the kernel does not return their values.
    pub fn parameters(&self) -> Result<Vec<ParameterValue>> {
        let newest = self.newest();
        if newest.parameters.is_empty() {
            return Ok(Vec::new());
        }
        Ok(Parameter::valued(&newest.parameters, &self.host().read_map(&self.parameter_map())?))
    }

    /// Sets live parameters of the newest version, each given by its index and its value in units of 1/65,536. The values apply from the
    /// next packet on. Older versions keep their values.
    ///
    /// # Errors
    /// If the kernel rejects the values.
    pub fn set(&self, values: &[(usize, i64)]) -> Result<()> {
        let path = self.parameter_map();
        let mut map = self.host().read_map(&path)?;
        for (place, units) in values {
            if let Some(word) = map.chunks_exact_mut(8).nth(*place) {
                word.copy_from_slice(&units.to_ne_bytes());
            }
        }
        self.host().write_map(&path, &map)
    }

    fn parameter_map(&self) -> std::path::PathBuf {
        self.pins.of_version(self.newest().number, "parameters")
    }

    /// Removes the policy of a device. The kernel then attaches its default queueing discipline, and queued packets are lost.
    ///
    /// # Errors
    /// If something could not be removed; the next command continues from there.
    pub fn remove_at(device: &Device) -> Result<Removed> {
        Self::remove_on(&machine(), device)
    }

    /// Removes the policy of a device of another machine, as [`remove_at`](Self::remove_at) does.
    ///
    /// # Errors
    /// As for [`remove_at`](Self::remove_at).
    pub fn remove_on(host: &Arc<dyn Host>, device: &Device) -> Result<Removed> {
        let (_lock, cleared) = entered(host)?;
        let pins = pins_at(host, device)?.ok_or_else(|| leftovers::not_there(device, &cleared))?;
        let notifier = Record::if_there(&**host, &pins.kind)?.and_then(|record| record.notifier);
        Ok(Removed { packets: remove(device, &pins, notifier)?, cleared })
    }

    /// Removes this deployment, as [`remove_at`](Self::remove_at) does.
    ///
    /// # Errors
    /// As for [`remove_at`](Self::remove_at).
    pub(crate) fn remove(self) -> Result<Counted> {
        remove(&self.device, &self.pins, self.record.notifier)
    }

    fn newest(&self) -> &Version {
        &self.record.versions[self.record.versions.len() - 1]
    }

    pub(crate) fn counted(&self) -> Result<Counted> {
        Ok(Counted::read(&self.pins.read("counted")?))
    }

    /// Returns the counters of the newest version.
    pub(crate) fn newest_counters(&self) -> Result<Counters> {
        Ok(self.counters(self.newest())?.0)
    }

    fn counters(&self, version: &Version) -> Result<(Counters, Vec<QueueCounters>)> {
        let counters = self.host().read_map(&self.pins.of_version(version.number, "counters"))?;
        let queues = self.host().read_map(&self.pins.of_version(version.number, "queues"))?;
        Ok((Counters::read(&counters), QueueCounters::read(&queues, &version.queues)))
    }

    /// Removes older versions that have no queued packets, and keeps their counters.
    fn bury(&mut self) -> Result<()> {
        let waiting = self.counted()?.waiting;
        let newest = self.newest().number;
        let is_empty = |version: &Version| waiting.get(version.number as usize % VERSIONS) == Some(&0);
        let mut record = self.record.clone();
        let (gone, stay): (Vec<_>, Vec<_>) =
            record.versions.drain(..).partition(|version| version.number != newest && is_empty(version));
        record.versions = stay;
        if gone.is_empty() {
            return Ok(());
        }
        for version in &gone {
            let (counters, queues) = self.counters(version)?;
            record.bury(&counters, queues);
        }
        record.write(self.host(), &self.pins.kind)?;
        self.record = record;
        gone.iter().try_for_each(|version| self.pins.remove_version(version.number))
    }

    pub(crate) fn control(&self, change: impl FnOnce(&mut Control)) -> Result<()> {
        let path = self.pins.path("control");
        let present = Control::read(&self.host().read_map(&path)?);
        let mut next = present.clone();
        change(&mut next);
        present.steps_to(next).iter().try_for_each(|step| self.host().write_map(&path, &step.bytes()))
    }
}

/// The machine that this program runs on.
fn machine() -> Arc<dyn Host> {
    Arc::new(Machine)
}

/// Takes the lock. Returns it with the devices whose remains were removed.
fn entered(host: &Arc<dyn Host>) -> Result<(Box<dyn Held>, Vec<Device>)> {
    host.check()?;
    let lock = host.lock(Path::new(FOLDER))?;
    let cleared = leftovers::clear_away(host)?;
    Ok((lock, cleared))
}

/// Returns the pins of a device's discipline, if the discipline is forebay's.
fn pins_at(host: &Arc<dyn Host>, device: &Device) -> Result<Option<Pins>> {
    let kind = device.kind(&**host)?.filter(|kind| kind.starts_with("forebay"));
    Ok(kind.map(|kind| Pins::of(host, &kind)).filter(Pins::exist))
}

/// Removes the discipline, then its objects. Nothing of the discipline is removed while it is attached to the device.
fn remove(device: &Device, pins: &Pins, notifier: Option<Notifier>) -> Result<Counted> {
    let counted = pins.read("counted");
    device.detach(&*pins.host)?;
    // What waited is counted now.
    let counted = pins.read("counted").or(counted);
    leftovers::discard(pins, notifier.map(|notifier| (device, notifier)))?;
    Ok(Counted::read(&counted?))
}

fn rates_of(rates: &Rates) -> [u64; PORTS] {
    std::array::from_fn(|port| rates.get(port).copied().unwrap_or(0))
}
