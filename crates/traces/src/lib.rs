//! Packet, flow and request traces: reading, writing and generating.
//!
//! This crate opens no files; readers accept `impl Read` and writers `impl Write`. A [`Trace`] is a recording in memory, a
//! [`generate::TrafficSpec`] a recipe that makes packets one at a time. Both become a [`forebay_core::Source`]. Request traces, for caches,
//! are in [`requests`].
//!
//! The feature `compression`, on by default, reads and writes files packed with xz or zstd. It builds C libraries, so programs for
//! WebAssembly are built without it. Such a program rejects these files by name; it still reads and writes gzip.

mod arrivals;
#[cfg(feature = "compression")]
mod codecs;
#[cfg(not(feature = "compression"))]
#[path = "no_codecs.rs"]
mod codecs;
pub mod connections;
mod directions;
#[path = "distribution/registry.rs"]
pub mod distribution;
mod drawn_fields;
mod error;
mod filter;
mod flow_arrivals;
pub mod flow_csv;
#[path = "flow_list/registry.rs"]
pub mod flow_list;
pub mod flow_records;
pub mod flow_table;
mod frame;
pub mod frame_writer;
pub mod generate;
pub mod pack;
pub mod packet_csv;
pub mod pcap_reader;
pub mod pcap_writer;
pub mod rank_csv;
pub mod rank_pattern;
pub mod read;
mod recording;
pub mod requests;
pub mod summary;
pub mod tcp_segments;
mod tick;
pub mod trace;
mod unix_lines;
mod unpack;
#[cfg(feature = "compression")]
mod xz;
mod xz_magic;

pub use connections::read_connections;
pub use distribution::{DISTRIBUTIONS, Distribution, DistributionEntry};
pub use drawn_fields::{DrawnFields, WithDrawnFields};
pub use error::TraceError;
pub use filter::{Filter, FilterError};
pub use flow_list::{FLOW_LISTS, read_flow_list};
pub use flow_records::{FlowRecord, read_flow_records};
pub use frame::{IpHeader, WrongIpHeader};
pub use pcap_reader::filters_of_directions;
pub use rank_pattern::{RankOrder, RankPattern};
pub use read::{PacketFormat, ReadOptions, read, read_content};
pub use recording::{Account, Cut, Why, cut};
pub use summary::Summary;
pub use tcp_segments::{TcpFlags, TcpSegment, TcpTrace, read_tcp_segments};
pub use trace::{Trace, TraceSource};
pub use unpack::Content;
