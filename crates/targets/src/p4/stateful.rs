//! Rank functions that a switch keeps state for: they replace the policy's `procPrio`.
//!
//! They are those of simulations (`forebay explain stfq`, `fifo-plus`), in the numbers of a switch; `docs/targets/p4.md` says how
//! far they differ.

use super::fields;
use super::headers::{Needs, header};
use super::switch_rank::SwitchRank;
use super::text::Text;
use crate::TargetOptions;
use crate::headers::{Field, Layer, Part, Source};

/// Ports, as `egress_spec` has 9 bits.
const PORTS: u32 = 512;
/// Finish times at each port; flows whose numbers have the same lowest bits share one.
pub(super) const FLOWS: u64 = 1024;
/// Averages at each port.
const CLASSES: u32 = 256;
/// A packet's share in the average delay of its class is 1 over 2 to this.
const AVERAGE_OVER_BITS: u32 = 10;

/// Registers of both pipelines, which stand outside of controls.
pub(super) fn registers(text: &mut Text, rank: SwitchRank, bits: u8) {
    match rank {
        SwitchRank::Stfq => {
            text.line("// The start of the packet sent last, at each port: the virtual time, in bytes.");
            text.line(&format!("register<bit<{bits}>>({PORTS}) virtual_time;"));
            text.line("// When the last packet of each flow will have finished, at each port.");
            text.line(&format!("register<bit<{bits}>>({}) finish;", u64::from(PORTS) * FLOWS));
        }
        SwitchRank::FifoPlus => {
            text.line(&format!(
                "// How long packets of a class waited on average, at each port: 1/{} ns, and the highest bit once there was one.",
                1_u32 << AVERAGE_OVER_BITS
            ));
            text.line(&format!("register<bit<64>>({}) average;", PORTS * CLASSES));
        }
    }
    text.line("");
}

/// Metadata that a packet keeps until it departs.
pub(super) fn metadata(text: &mut Text, rank: SwitchRank, options: &TargetOptions) {
    // A second pass keeps it as well.
    let kept = if options.switch.resubmit { "@field_list(1) " } else { "" };
    match rank {
        SwitchRank::Stfq => text.line(&format!("{kept}bit<{}> rank;", options.switch.rank_bits)),
        SwitchRank::FifoPlus => {
            text.line(&format!("{kept}bit<64> slack;"));
            text.line(&format!("{kept}bit<32> class;"));
        }
    }
}

/// Declares `rank`, of STFQ: `flow` and `size` are what is computed of the packet.
pub(super) fn stfq(text: &mut Text, bits: u8, flow: &str, size: &str) {
    let half = 1_u64 << (bits - 1);
    text.line(&format!("bit<{bits}> now;"));
    text.line("virtual_time.read(now, port);");
    text.line(&format!("bit<32> flow = port * {FLOWS} + (bit<32>){flow};"));
    text.line(&format!("bit<{bits}> rank;"));
    text.line("finish.read(rank, flow);");
    text.line("// The later one of both; times wrap.");
    text.block(&format!("if (rank - now >= {half})"), |text| text.line("rank = now;"));
    text.line("// A flow that is so far ahead that its time would wrap is not charged.");
    text.block(&format!("if (rank - now < {})", half / 2), |text| {
        text.line(&format!("finish.write(flow, rank + (bit<{bits}>){size});"));
    });
    text.line("meta.rank = rank;");
}

/// The work of egress on a departing packet.
pub(super) fn egress(text: &mut Text, rank: SwitchRank, options: &TargetOptions, needs: &Needs) {
    text.line("bit<32> port = (bit<32>)standard_metadata.egress_port;");
    match rank {
        SwitchRank::Stfq => {
            let bits = options.switch.rank_bits;
            text.line(&format!("bit<{bits}> now;"));
            text.line("virtual_time.read(now, port);");
            text.line("// Packets may leave out of order; time does not go back.");
            text.block(&format!("if (meta.rank - now < {})", 1_u64 << (bits - 1)), |text| {
                text.line("virtual_time.write(port, meta.rank);");
            });
        }
        SwitchRank::FifoPlus => {
            let over = AVERAGE_OVER_BITS;
            let known = 1_u64 << 63;
            text.line("// Microseconds.");
            text.line("bit<64> waited = (bit<64>)standard_metadata.deq_timedelta * 1000;");
            text.line(&format!("bit<32> class = port * {CLASSES} + meta.class;"));
            text.line("bit<64> mean;");
            text.line("average.read(mean, class);");
            text.block(&format!("if (mean < {known})"), |text| {
                text.line(&format!("mean = {known} + (waited << {over});"));
            });
            text.line(&format!("mean = mean - {known};"));
            text.line("// The slack grows by the average wait, and shrinks by the packet's own wait.");
            text.line(&format!("bit<64> slack = meta.slack + (mean >> {over});"));
            text.block("if (slack < waited)", |text| text.line("slack = 0;"));
            text.block("else", |text| text.line("slack = slack - waited;"));
            text.line(&format!("average.write(class, {known} + mean - (mean >> {over}) + waited);"));
            for line in rewrite(options.mapping.source(Field::Slack), needs) {
                text.line(&line);
            }
        }
    }
}

/// Where a packet's slack is rewritten, and how many bits it has there; or why it cannot be.
pub(super) fn writable(source: Option<Source>) -> Result<(Layer, u16, u16), String> {
    match source {
        Some(Source {
            part: Part::Bytes { layer: layer @ (Layer::Tcp | Layer::Udp), offset, width },
            shift: 0,
            mask,
            ..
        }) if width < 8 && mask >> (8 * u32::from(width) - 1) != 0 && u16::from(offset) >= header(layer).bytes() => {
            Ok((layer, offset.into(), width.into()))
        }
        _ => Err(format!(
            "each hop rewrites the packet's slack, so it must be 1, 2 or 4 whole bytes behind the header of TCP or \
             UDP, such as \
             --field {}=udp[8:4]",
            Field::Slack.name()
        )),
    }
}

/// Whether no other field ends inside of the slack, so that it is in one piece of the packet.
pub(super) fn is_in_one_piece(source: Option<Source>, needs: &Needs) -> bool {
    writable(source)
        .is_ok_and(|(layer, offset, width)| needs.place(layer, offset) == needs.place(layer, offset + width - 1))
}

/// The statement that rewrites the slack.
pub(super) fn rewrite(source: Option<Source>, needs: &Needs) -> Vec<String> {
    let Ok((layer, offset, width)) = writable(source) else { return Vec::new() };
    let (bits, most) = (8 * width, (1_u64 << (8 * width)) - 1);
    let (last, _) = needs.place(layer, offset + width - 1);
    let target = fields::bytes(layer, offset, width, needs);
    vec![
        format!("if (slack > {most}) {{"),
        format!("    slack = {most};"),
        "}".to_owned(),
        format!("if (hdr.{last}.isValid()) {{"),
        format!("    {target} = (bit<{bits}>)slack;"),
        "}".to_owned(),
    ]
}
