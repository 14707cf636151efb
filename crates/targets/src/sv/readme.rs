//! `README.md` of a policy's hardware, for readers who connect it.

use super::block::Block;
use super::intervals::Intervals;
use super::layout::Layout;
use super::same_queues::same_queues;
use super::shape::Shape;
use crate::names::Names;
use forebay_core::BufferSize;
use forebay_lang::Fixed;

const BEGINNING: &str = "`policy.sv` is the top, `policy.f` lists all files in order of compilation. `make lint` shows Verilator's warnings. `make` \
     builds the\nhardware with Verilator, plays `operations.ops` on it, if that file exists, and compares with `answers.txt`; `make play` is much \
     faster\n(forebay's docs/targets/sv.md).\n";

/// Which bit of the marks of a packet says what.
const MARKS: &str = "marks; bit 0: mark, bit 1: notification";

/// Of one policy.
pub(super) fn of_one(shape: &Shape<'_>, layout: &Layout, front: u32, intervals: Intervals) -> String {
    [
        format!("# A policy in hardware\n\n{BEGINNING}"),
        objects(shape, "##"),
        ports(layout),
        streams(layout),
        time_and_size(shape, front, intervals, layout.departs(), "##"),
        registers(false),
        parameters(shape, "##"),
    ]
    .concat()
}

/// Of two policies.
pub(super) fn of_pair(shapes: &[Shape<'_>; 2], layout: &Layout, fronts: [u32; 2], intervals: [Intervals; 2]) -> String {
    let mut text = format!(
        "# Two policies in hardware\n\n{BEGINNING}\nPolicy 0 is in force after reset. A write to 0x044 puts the other \
         one in force, between two packets; packets that wait depart first.\n",
    );
    text.push_str(&ports(layout));
    text.push_str(&streams(layout));
    text.push_str("\nQueues have the numbers of the policy under which the packet waits or waited.\n");
    text.push_str(&registers(true));
    for (place, shape) in shapes.iter().enumerate() {
        text.push_str(&format!("\n## Policy {place}\n"));
        text.push_str(&objects(shape, "###"));
        let same = same_queues(shapes, place);
        let queues = shape.model.policy.queues.iter().zip(&same);
        let shared: Vec<&str> = queues.filter(|(_, same)| same.is_some()).map(|(queue, _)| &*queue.name).collect();
        let shared = if shared.is_empty() { "no queue".to_owned() } else { shared.join(", ") };
        text.push_str(&format!("\nPackets that drain count in the other policy if they wait in: {shared}.\n"));
        text.push_str(&time_and_size(shape, fronts[place], intervals[place], layout.departs(), "###"));
        text.push_str(&parameters(shape, "###"));
    }
    text
}

/// The objects of the policy, and the notes about properties that are not kept.
fn objects(shape: &Shape<'_>, heading: &str) -> String {
    let policy = shape.model.policy;
    let names = Names::new(policy);
    let mut text = format!("\n{heading} Objects\n\n| object | size | |\n| --- | --- | --- |\n");
    let size = |size: BufferSize| match size {
        BufferSize::Packets(size) => format!("{size} packets"),
        BufferSize::Bytes(size) => format!("{size} bytes"),
    };
    for ((id, queue), ranking) in policy.queues.iter().enumerate().zip(&shape.rankings) {
        let keys: Vec<String> = ranking
            .parts
            .iter()
            .map(|part| format!("`{}` in {} bits", names.in_text(&part.key.to_string()), part.bits()))
            .collect();
        let order = if keys.is_empty() { "in the order of arrival".to_owned() } else { keys.join(", then ") };
        text.push_str(&format!("| queue {id}, {} | {} | {order} |\n", queue.name, size(queue.size)));
    }
    for (id, buffer) in policy.buffers.iter().enumerate() {
        text.push_str(&format!("| buffer {id}, {} | {} | |\n", buffer.name, size(buffer.size)));
    }
    for (id, port) in policy.ports.iter().enumerate() {
        text.push_str(&format!("| port {id}, {} | | the reader that pulls keeps its rate |\n", port.name));
    }
    let notes: String = shape.notes().iter().map(|note| format!("- {note}.\n")).collect();
    if !notes.is_empty() {
        text.push_str(&format!("\n{heading} What is not kept\n\n{notes}"));
    }
    text
}

/// The ports of `policy.sv`.
fn ports(layout: &Layout) -> String {
    let all = |parts: &[(&str, u32)]| parts.iter().map(|(_, bits)| bits).sum::<u32>();
    let address = if layout.queues.len() > 1 { 15 } else { 13 };
    format!(
        "\n## Ports\n\n| port | bits of data | |\n| --- | ---: | --- |\n\
         | `clk_i` | 1 | everything happens at its rising edge |\n\
         | `rst_i` | 1 | synchronous, active high |\n\
         | `now_i` | {} | the time in nanoseconds, read when an operation is accepted |\n\
         | `s_axis_arrive_*` | {} | AXI-Stream: a packet arrives |\n\
         | `s_axis_pull_*` | {} | AXI-Stream: the number of a port that requests a packet |\n\
         | `m_axis_depart_*` | {} | AXI-Stream: a packet departs, one word for each pull, in their order |\n\
         | `m_axis_drop_*` | {} | AXI-Stream: a packet is dropped |\n\
         | `s_axil_*` | 32 | AXI4-Lite, {address} bits of address |\n\n\
         A word is taken at an edge at which `tvalid` and `tready` are 1. A reader of `m_axis_*` that is not ready stops all operations in the end.\n",
        layout.time,
        all(&layout.arriving),
        layout.port,
        all(&departing(layout)),
        all(&dropped(layout)),
    )
}

/// The parts of a word about a departing packet, the lowest bits first.
fn departing(layout: &Layout) -> Vec<(&'static str, u32)> {
    let one = [
        ("id", layout.id),
        ("queue", layout.queue),
        ("port", layout.port),
        (MARKS, 2),
        ("none: the port has no packet, and only `port` is valid", 1),
    ];
    one.into_iter().chain(policy(layout)).collect()
}

/// The parts of a word about a dropped packet, the lowest bits first.
fn dropped(layout: &Layout) -> Vec<(&'static str, u32)> {
    let one = [
        ("id", layout.id),
        ("queue", layout.queue),
        ("rule: 0 no queue, 1 the queue's, 2 the buffer's, 3 over its size, 4 no slot", 3),
        ("1: it waited, and was pushed out; 0: it had just arrived", 1),
    ];
    one.into_iter().chain(policy(layout)).collect()
}

fn policy(layout: &Layout) -> Option<(&'static str, u32)> {
    (layout.queues.len() > 1).then_some(("policy that decided", 1))
}

/// The parts of the words in the streams.
fn streams(layout: &Layout) -> String {
    let table = |name: &str, parts: &[(&str, u32)]| {
        let rows: String = parts.iter().map(|(part, bits)| format!("| {part} | {bits} |\n")).collect();
        format!("\n`{name}_tdata`, the lowest bits first:\n\n| part | bits |\n| --- | ---: |\n{rows}")
    };
    let arriving: Vec<_> =
        layout.arriving.iter().map(|(part, bits)| (if *part == "marks" { MARKS } else { *part }, *bits)).collect();
    [
        "\n## Streams\n\nThe ids of packets that wait must differ.\n".to_owned(),
        table("s_axis_arrive", &arriving),
        table("m_axis_depart", &departing(layout)),
        table("m_axis_drop", &dropped(layout)),
    ]
    .concat()
}

/// The registers, except for the parameters.
fn registers(pair: bool) -> String {
    let mut text = "\n## Registers\n\nWords of 32 bits. Other addresses read 0. Only registers that say so can be \
                    written, as a whole word; other writes answer SLVERR.\nCounters wrap around.\n\n| address | |\n| \
                    --- | --- |\n\
                    | 0x000, 0x004 | 0x46425053; version of this map, 1 |\n\
                    | 0x008, 0x00c | digest of the policy, lower and upper word |\n\
                    | 0x010, 0x014, 0x018, 0x01c | queues, ports, live parameters, version of the policy |\n\
                    | 0x020 | packets that had no queue |\n"
        .to_owned();
    if pair {
        text.push_str(
            "| 0x040 | number of policies |\n\
             | 0x044 | the policy in force; a write of the other one requests a replacement: OKAY when it is made, SLVERR while packets drain |\n\
             | 0x048 | packets that drain |\n| 0x04c | replacements that were rejected |\n",
        );
    }
    text.push_str(
        "| 0x400 + 8 i | live parameter i, see there; written |\n\
         | 0x1000 + 64 q + 0x00, 0x04 | of queue q: packets that arrived, that were sent |\n\
         | + 0x08, 0x0c, 0x10, 0x14 | dropped by the queue's rule, by the buffer's, for its size, for want of a slot |\n\
         | + 0x18, 0x1c | marked, notified |\n\
         | + 0x20, 0x24 | packets now; occupancy now, in the unit of its size |\n",
    );
    if pair {
        text.push_str(
            "\nFrom 0 these registers are of the policy in force, from 0x2000 of policy 0, from 0x4000 of policy 1. \
             Parameters can be written from 0 only.\n",
        );
    }
    text
}

/// How long it takes, and how much there is of it.
fn time_and_size(shape: &Shape<'_>, front: u32, intervals: Intervals, departs: u32, heading: &str) -> String {
    format!(
        "\n{heading} Time\n\n{}\n{heading} Size\n\n| | |\n| --- | --- |\n\
         | queue block | {} |\n| packets, with one that arrives | {} |\n| bits of a rank | {} |\n",
        time(shape, front, intervals, departs),
        match shape.block {
            Block::Bbq { levels, width } => format!("bbq, {levels} levels of width {width}"),
            Block::BbqFront { levels, width } => format!("bbq-front, {levels} levels of width {width}"),
            Block::Pifo => "pifo".to_owned(),
        },
        shape.capacity,
        shape.rank_bits,
    )
}

/// Where the live parameters are.
fn parameters(shape: &Shape<'_>, heading: &str) -> String {
    let policy = shape.model.policy;
    let mut text = String::new();
    if !policy.parameters.is_empty() {
        text.push_str(&format!(
            "\n{heading} Live parameters\n\nIn units of 1/65,536, low and high word; a write of the high word sets \
             both.\n\n",
        ));
        text.push_str("| address | parameter | begins as |\n| --- | --- | --- |\n");
        for (id, parameter) in policy.parameters.iter().enumerate() {
            let Fixed(units) = parameter.initial;
            text.push_str(&format!("| {:#x} | {} | {units} |\n", 0x400 + 8 * id, parameter.name));
        }
    }
    text
}

/// How long operations take.
fn time(shape: &Shape<'_>, front: u32, intervals: Intervals, departs: u32) -> String {
    let Intervals { arrival, acting, further, pull, acting_pull, .. } = intervals;
    let mut text = format!(
        "The front takes {front} cycle{}. It accepts an operation in each cycle, unless the decision before needs \
         more cycles:\n\n\
         | operation | cycles until the next one |\n| --- | ---: |\n| an arrival on which nothing acts | {arrival} |\n",
        if front == 1 { "" } else { "s" }
    );
    if acting > arrival {
        text.push_str(&format!(
            "| any other arrival that drops one packet or none | up to {acting} |\n\
             | for each further packet that it drops | up to {further} more |\n"
        ));
    }
    text.push_str(&format!("| a pull | {}{pull} |\n", if shape.waits { "up to " } else { "" }));
    if acting_pull > pull {
        text.push_str(&format!("| a pull on which `postSchedAct` acts | up to {acting_pull} |\n"));
    }
    text.push_str(&format!(
        "\nA departing packet is offered up to {departs} cycles after the pull was accepted, if no earlier operation \
         is still being decided.\n\n\
         `make play` builds a program that counts them: it fails if an operation takes more, or if many operations at full speed take more than each alone.\n",
    ));
    if shape.waits {
        text.push_str(
            "Before a packet departs, or is dropped by rank, the hardware reads it from the queue block. \
                       The latency of that is in these figures.\n",
        );
    }
    text
}
