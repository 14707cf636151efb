//! The parameters that all kinds of TCP share.

use crate::net::congestion::Limits;
use crate::net::transport_params::small;
use forebay_core::params::ParamSpec;
use forebay_core::{Duration, ParamError, Params};

/// The setup and the behaviour of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TcpOptions {
    /// Bytes of the flow in a full segment.
    pub(crate) mss: u32,
    /// Bytes of all headers; also the length of packets without data.
    pub(crate) header_bytes: u32,
    /// First congestion window in bytes.
    pub(crate) initial_window: u64,
    /// Window in bytes at which slow start ends; the greatest number if only a loss ends it.
    pub(crate) initial_ssthresh: u64,
    /// The most bytes in flight that the receiver allows.
    pub(crate) max_window_bytes: u64,
    /// Retransmission timeout before the first sample.
    pub(crate) initial_rto: Duration,
    /// Least timeout after a sample.
    pub(crate) min_rto: Duration,
    /// Greatest timeout.
    pub(crate) max_rto: Duration,
    /// Whether SYN and SYN-ACK go before the data.
    pub(crate) handshake: bool,
    /// Whether they are the first sample of the round-trip time.
    pub(crate) handshake_sample: bool,
    /// Duplicate acknowledgements that mean a loss.
    pub(crate) dupack_threshold: u32,
    /// Segments in order for each acknowledgement.
    pub(crate) ack_every: u32,
    /// The time that an acknowledgement waits for more segments.
    pub(crate) ack_delay: Duration,
    /// Whether the first two duplicate acknowledgements send new data.
    pub(crate) limited_transmit: bool,
    /// Whether acknowledgements are selective.
    pub(crate) sack: bool,
    /// Whether losses are then found by time, and not by counting.
    pub(crate) rack: bool,
    /// Whether duplicates of data that a timeout has sent again do not count as a loss.
    pub(crate) careful: bool,
    /// The information about their flow in data packets.
    pub(crate) announces: Announces,
}

/// The information about their flow in data packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Announces {
    /// The bytes that are not acknowledged.
    Remaining,
    /// The bytes that have never been sent, including those of the packet.
    Unsent,
    /// All bytes of the flow.
    Size,
}

/// The parameters that a scenario can set.
pub(crate) const PARAMS: [ParamSpec; 18] = [
    ParamSpec::integer("mss", 1, 1_000_000, Some(1_460), "bytes of the flow in a full segment"),
    ParamSpec::integer(
        "header_bytes",
        1,
        1_000,
        Some(40),
        "bytes of all headers, and the length of packets without data",
    ),
    ParamSpec::integer("initial_window", 1, 1_000_000, Some(10), "first congestion window, in segments (RFC 6928)"),
    ParamSpec::integer(
        "initial_ssthresh",
        2,
        1_000_000,
        None,
        "segments at which slow start ends; default: only a loss ends it",
    ),
    ParamSpec::integer(
        "max_window_bytes",
        1,
        1 << 50,
        None,
        "bytes that the receiver allows in flight; default: no bound",
    ),
    ParamSpec::duration(
        "initial_rto",
        "1 s",
        "retransmission timeout before the first round trip is measured (RFC 6298)",
    ),
    ParamSpec::duration("min_rto", "1 ms", "least timeout; for data centres: RFC 6298 says 1 s; may be \"0 s\""),
    ParamSpec::duration("max_rto", "60 s", "greatest timeout, to which it doubles"),
    ParamSpec::boolean("handshake", true, "whether SYN, SYN-ACK and ACK go before the data"),
    ParamSpec::boolean("handshake_sample", true, "whether the handshake gives the first sample of the round trip"),
    ParamSpec::integer("dupack_threshold", 1, 1_000, Some(3), "duplicate acknowledgements that mean a loss"),
    ParamSpec::integer(
        "ack_every",
        1,
        1_000,
        Some(1),
        "segments in order for each acknowledgement; 2: delayed ones (RFC 1122)",
    ),
    ParamSpec::duration("ack_delay", "500 us", "how long an acknowledgement waits for further segments"),
    ParamSpec::boolean("limited_transmit", true, "whether the first two duplicates send new data (RFC 3042)"),
    ParamSpec::boolean(
        "sack",
        false,
        "whether acknowledgements are selective (RFC 2018) and losses repaired by PRR (RFC 6937)",
    ),
    ParamSpec::boolean(
        "rack",
        true,
        "with `sack`: whether losses are found by time (RACK-TLP, RFC 8985), and not by counting (RFC 6675)",
    ),
    ParamSpec::boolean(
        "careful",
        true,
        "without `sack`: whether duplicates of retransmissions after a timeout count as no loss (RFC 6582, section 3.2, step 2)",
    ),
    ParamSpec::choice(
        "announces",
        &["remaining", "unsent", "size"],
        "remaining",
        "bytes that data packets report of their flow, for `rank = \"remaining-bytes\"`: those not acknowledged; those never \
         sent; or all",
    ),
];

/// Returns [`PARAMS`] and the parameters of one kind of TCP.
///
/// # Panics
/// If `ALL` is not the number of both; so that the program does not compile.
pub(crate) const fn with_common<const OWN: usize, const ALL: usize>(own: [ParamSpec; OWN]) -> [ParamSpec; ALL] {
    assert!(ALL == PARAMS.len() + OWN, "the number of parameters");
    let mut all = [PARAMS[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < PARAMS.len() { PARAMS[at] } else { own[at - PARAMS.len()] };
        at += 1;
    }
    all
}

impl TcpOptions {
    /// Reads the parameters of [`PARAMS`].
    ///
    /// # Errors
    /// If a text cannot be read, or no connection with these numbers could work.
    pub(crate) fn read(params: &Params) -> Result<Self, ParamError> {
        let mss = small(params, "mss");
        let segments = |name| params.integer(name).map_or(u64::MAX, |segments| segments * u64::from(mss));
        let options = Self {
            mss,
            header_bytes: small(params, "header_bytes"),
            initial_window: segments("initial_window"),
            initial_ssthresh: segments("initial_ssthresh"),
            max_window_bytes: params.integer("max_window_bytes").unwrap_or(u64::MAX),
            initial_rto: params.duration("initial_rto"),
            min_rto: params.duration("min_rto"),
            max_rto: params.duration("max_rto"),
            handshake: params.boolean("handshake"),
            handshake_sample: params.boolean("handshake_sample"),
            dupack_threshold: small(params, "dupack_threshold"),
            ack_every: small(params, "ack_every"),
            ack_delay: params.duration("ack_delay"),
            limited_transmit: params.boolean("limited_transmit"),
            sack: params.boolean("sack"),
            rack: params.boolean("rack"),
            careful: params.boolean("careful"),
            announces: match params.text("announces") {
                "unsent" => Announces::Unsent,
                "size" => Announces::Size,
                _ => Announces::Remaining,
            },
        };
        if options.max_window_bytes < u64::from(mss) {
            return Err(ParamError::of(
                "max_window_bytes",
                format!("`max_window_bytes` must hold a segment of {mss} B"),
            ));
        }
        if options.initial_rto == Duration::ZERO || options.initial_rto > options.max_rto {
            let message = "`initial_rto` must be more than 0 and at most `max_rto`";
            return Err(ParamError::of("initial_rto", message));
        }
        if options.min_rto > options.max_rto {
            return Err(ParamError::of("min_rto", "`min_rto` must be at most `max_rto`"));
        }
        Ok(options)
    }

    /// Returns the limits that a congestion control needs to know.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            segment_bytes: u64::from(self.mss),
            initial_window_bytes: self.initial_window,
            initial_threshold_bytes: self.initial_ssthresh,
            max_window_bytes: self.max_window_bytes,
        }
    }

    /// The bytes that a data packet reports of a flow of `total` bytes, of which `acknowledged` are acknowledged. The first `sent` bytes
    /// had been sent before it.
    #[inline]
    pub(crate) fn announced(&self, total: u64, acknowledged: u64, sent: u64) -> u64 {
        match self.announces {
            Announces::Remaining => total - acknowledged,
            Announces::Unsent => total - sent,
            Announces::Size => total,
        }
    }

    /// Bytes on the wire of a full segment, and of one without data.
    pub(crate) fn segment_bytes(&self) -> (u32, u32) {
        (self.mss + self.header_bytes, self.header_bytes)
    }
}
