//! Checks whether a datapath handles packets as the reference engine does.
//!
//! An [`Operation`] is a call of a policy, and an [`Answer`] is its result. [`operations`] makes random operations; others are read from a
//! text. [`expected`] returns the answers of the reference engine, and [`mod@compare`] finds where others differ. [`datapath`] has every
//! datapath that can be compared, and [`p4model`] a model of a P4 switch. Datapaths that see frames get those of [`Frames`], which contain
//! all fields of a packet. Code that finds headers is tested on the frames of [`mod@encapsulated`], and inside tunnels on those of
//! [`mod@tunneled`]. A [`FrameSet`] replaces [`Frames`] by such frames.

mod answer;
mod causes;
mod compare;
pub mod datapath;
mod encapsulated;
mod expected_answers;
mod frame_set;
mod frames;
mod numbers;
mod operation;
pub mod p4model;
mod replacement;
mod traffic;
mod tunneled;

pub use answer::{Answer, Marked, Verdict, WrongAnswer};
pub use causes::{Differing, Holds};
pub use compare::{ComparisonOutcome, Difference, compare};
pub use encapsulated::{Encapsulated, encapsulated};
pub use expected_answers::{expected, expected_live, expected_replaced};
pub use frame_set::{CannotPlay, FrameSet};
pub use frames::Frames;
pub use numbers::Numbers;
pub use operation::{Fault, Operation, Played, WrongOperation, bits, read};
pub use replacement::Replaced;
pub use traffic::{Recipe, operations, replacements};
pub use tunneled::{Header, Tunneled, tunneled};
