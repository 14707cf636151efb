//! State in nodes: a packet that comes to such a switch or host needs an entry of a cache, and waits while it is fetched. A node
//! may have several applications, each with its cache and its store.
//!
//! A hit goes on at once, a miss waits for its fetch, a delayed hit for the rest of one; then the packet goes on. Packets
//! that wait block no others, or all behind them on their link ([`Waits`]). Ticks of the [`StateCache`](forebay_cache::StateCache) are picoseconds here.
//!
//! All of this is a hook of the network ([`crate::net::Hooks`]): `ask.rs` holds packets back, `telling.rs` tells nodes what waits for
//! them, and the network names neither. [`Network`] is the network with this hook.

mod alive;
mod announcing;
mod ask;
mod census;
mod counts;
mod fetches;
mod foreseen;
mod impairments;
mod key;
mod line;
mod name;
mod network;
mod node;
mod notifier;
mod objects;
mod optimum;
mod order;
mod outcome;
mod relay;
mod site;
mod states;
mod store;
mod telling;
mod timers;
mod told;
mod wiring;

pub use census::{Census, StatesOfFlows};
pub use counts::{StateNodeCounts, ToldCounts};
pub use fetches::{FetchCounts, RemoteStore};
pub use foreseen::Foreseen;
pub use impairments::Impairments;
pub use key::{AskedOf, StateKey};
pub use line::Waits;
pub use network::Network;
pub use node::StatefulNode;
pub use notifier::{Notifier, NotifierCounts};
pub use objects::Objects;
pub use optimum::belady_counts;
pub use order::{Order, QueueChoice, RankBounds, Refused};
pub use outcome::{StateAccess, StateOutcome, ToldOutcome};
pub use states::States;
pub use store::StateStore;
pub use told::Told;
