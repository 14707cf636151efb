//! TCP NewReno: the TCP of the textbooks.
//!
//! A window of data is in flight. It grows with acknowledgements, doubling in each round trip up to a threshold, and by
//! one segment beyond. Three duplicate acknowledgements mean a loss: the window is halved, and what is missing sent
//! again, one segment in each round trip. The machine is in `crates/sim/src/net/tcp.rs`; here are its parameters.

use crate::net::endpoint::{Endpoint, FlowContext, Transport, TransportEntry};
use crate::net::given::yes_or_no;
use crate::net::tcp::{Halving, Latched, NoReaction, Options, PARAMS, Receiver, Sender, Unmarked, with_common};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{About, Exactness};
use std::sync::Arc;

const ALL_PARAMS: [ParamSpec; PARAMS.len() + 1] = with_common([ParamSpec {
    name: "ecn",
    kind: ParamKind::Text { default: "no" },
    meaning: "whether marks are asked for and count as losses (RFC 3168): \"yes\" or \"no\"",
}]);

/// The registry's entry for [`NewReno`].
pub const ENTRY: TransportEntry = TransportEntry {
    about: About {
        name: "newreno",
        title: "TCP that takes losses for congestion and repairs several of them in one window",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per segment; 16 bytes per gap at the receiver",
        source: "RFC 5681, RFC 6582, RFC 6298, RFC 3042, RFC 3168",
        params: &ALL_PARAMS,
    },
    build: |params| Ok(Box::new(NewReno { options: Arc::new(Options::read(params)?), ecn: yes_or_no(params, "ecn")? })),
};

/// Opens TCP connections.
#[derive(Debug, Clone)]
pub struct NewReno {
    options: Arc<Options>,
    ecn: bool,
}

impl Transport for NewReno {
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        let (options, bytes) = (&self.options, context.flow.bytes);
        if self.ecn {
            let receiver = Receiver::new(options, Latched::default(), bytes);
            (Box::new(Sender::new(options, Halving, bytes)), Box::new(receiver))
        } else {
            let receiver = Receiver::new(options, Unmarked, bytes);
            (Box::new(Sender::new(options, NoReaction, bytes)), Box::new(receiver))
        }
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        self.options.segment_bytes()
    }
}
