//! Interfaces that join a running switch, and leave it.

use crate::switch::change::{CannotAdd, CannotRemove};
use crate::switch::egress::Egress;
use crate::switch::forwarding::Forwarding;
use crate::switch::interface::{Backend, Interface as _};
use crate::switch::prepare::PreparedPort;
use crate::switch::stats::PortStats;
use crate::switch::switching::{ETHERNET_HEADER, Switch};
use crate::switch::watched_interface::Watched;
use forebay_core::Rate;

impl Switch {
    /// Allows ports to be added. This back end opens their interfaces, and `rate` is the rate of ports that get none of their own.
    #[must_use]
    pub fn with_backend(mut self, backend: &'static dyn Backend, rate: Option<Rate>) -> Self {
        self.opener = Some((backend, rate));
        self
    }

    /// Opens the interface of a prepared port, and adds the port after the others. Returns the interface's mode, if there are several.
    ///
    /// # Errors
    /// If the switch was changed since, or the interface cannot be opened. Then nothing was changed.
    pub fn add_port(&mut self, prepared: PreparedPort) -> Result<Option<String>, CannotAdd> {
        let PreparedPort { name, rate, policy, live, epoch } = prepared;
        let (backend, _) = self.opener.ok_or(CannotAdd::NoBackend)?;
        let Forwarding::Learning(table) = &mut self.fabric.forwarding else { return Err(CannotAdd::Table) };
        if epoch != self.epoch {
            return Err(CannotAdd::Outdated);
        }
        let interface =
            Watched::open(backend, &name).map_err(|why| CannotAdd::NotOpened { name: name.clone(), why })?;
        let mode = interface.mode();
        table.add_port();
        self.ports.add(name, interface.mtu() + ETHERNET_HEADER, Egress::of(policy, live, &[rate], None));
        self.interfaces.push(Box::new(interface));
        self.epoch += 1;
        Ok(mode)
    }

    /// Removes a port: drops and counts its queued packets, forgets its addresses, and closes its interface. Returns how many frames were
    /// dropped.
    ///
    /// # Errors
    /// If there is no such port, or the switch needs it. Then nothing was changed.
    pub fn remove_port(&mut self, name: &str) -> Result<usize, CannotRemove> {
        let ports: Vec<String> = self.port_names().map(str::to_owned).collect();
        let Some(number) = ports.iter().position(|known| known == name) else {
            return Err(CannotRemove::NoPort { name: name.to_owned(), ports });
        };
        if self.ports.are_shared() {
            return Err(CannotRemove::Shared { ports: ports.len() });
        }
        let Forwarding::Learning(table) = &mut self.fabric.forwarding else { return Err(CannotRemove::Table) };
        if ports.len() < 3 {
            return Err(CannotRemove::TooFew { ports });
        }
        table.remove_port(number);
        let (dropped, stats) = self.ports.remove(number);
        let lost_before = self.interfaces.remove(number).lost();
        self.removed.add(&PortStats { lost_before, ..stats });
        for step in &mut self.steps {
            step.before.retain(|before| before.egress != number);
            for before in &mut step.before {
                before.egress -= usize::from(before.egress > number);
            }
        }
        self.steps.retain(|step| !step.before.is_empty());
        self.epoch += 1;
        Ok(dropped)
    }
}
