//! Applications that work on packets: the work of each packet, and the information about it in advance.
//!
//! [`tcp`] puts the segments of TCP flows in order. [`matcher`] looks for rules in payloads. [`tuple_space_search`],
//! [`hash_table`] and [`decompression`] are one [`Recipe`] each. Each can be used in two ways:
//!
//! - As a stream of [`Arrival`](crate::attack::Arrival)s ([`Application::arrivals`]), whose work is computed as if all earlier packets had
//!   been served in order of arrival. So the same packets make the same work under every policy, and the truth can be known in advance, as
//!   the simulations of section 3.6.2 assume.
//! - As a [`Service`](crate::Service) ([`Running`]), whose state depends on the packets that were really served. There a dropped packet
//!   changes the work of later packets, and only an estimate is known in advance, as in section 3.6.1.
//!
//! A [`Workload`] is an application with its innocent and attack inputs: [`Innocent`](crate::attack::Innocent) uses it in the first way,
//! [`LiveTrial`] in the second.
//!
//! A new application is one file and one line below. `docs/add-an-application.md` shows how.

mod application;
mod entry;
mod recipe;
mod request;
mod running;
mod workload;

pub use application::{Application, Told};
pub use entry::{ApplicationEntry, MakeApplication};
pub use recipe::{Attackable, Recipe, cost, plus};
pub use request::{Request, Senders};
pub use running::{Running, Watched, Working};
pub use workload::{Live, LiveTrial, Workload};

forebay_core::registry! {
    /// Every application, in the order in which `forebay list` shows them.
    pub static APPLICATIONS: [ApplicationEntry] = {
        mod tcp;
        mod matcher;
        mod tuple_space_search;
        mod hash_table;
        mod decompression;
    }
}
