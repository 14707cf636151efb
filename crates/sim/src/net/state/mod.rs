//! State in nodes: a packet that arrives at such a switch or host needs an entry of a cache, and waits while the entry is fetched. A node
//! may have several applications, each with its cache and its store.
//!
//! A hit is forwarded at once, a miss waits for its fetch, and a delayed hit waits for the rest of a fetch; then the packet is forwarded.
//! Waiting packets block no others, or all packets behind them on their link ([`Waits`]). Ticks of the
//! [`StateCache`](forebay_cache::StateCache) are picoseconds here.
//!
//! The module is a hook of the network ([`crate::net::Hooks`]): `lookup_hook.rs` holds packets back, and `notification_hook.rs` notifies
//! nodes of packets that wait for them. The network names neither. [`Network`] is the network with this hook.

mod counts;
mod fetches;
mod future_accesses;
mod head_of_line;
mod impairments;
mod key;
mod live_states;
mod lookup_hook;
mod network;
mod node;
mod notification_hook;
mod notification_links;
mod notified_node;
mod notifier;
mod notifying_port;
mod objects;
mod optimum;
mod outcome;
mod packet_name;
mod queue_choice;
mod relay;
mod state_census;
mod state_node;
mod states;
mod store;
mod timers;

pub use counts::{StateNodeCounts, ToldCounts};
pub use fetches::{FetchCounts, RemoteStore};
pub use future_accesses::Foreseen;
pub use head_of_line::Waits;
pub use impairments::Impairments;
pub use key::{AskedOf, StateKey};
pub use network::Network;
pub use node::StatefulNode;
pub use notified_node::Told;
pub use notifier::{Notifier, NotifierCounts};
pub use objects::Objects;
pub use optimum::belady_counts;
pub use outcome::{StateAccess, StateOutcome, ToldOutcome};
pub use queue_choice::{Order, QueueChoice, RankBounds, Refused};
pub use state_census::{Census, StatesOfFlows};
pub use states::States;
pub use store::StateStore;
