//! What joins the parts of a policy's hardware: `policy.sv`, the list of files, and what people and the test bench are told.

use super::block::Block;
use super::fields::Fields;
use super::intervals::Intervals;
use super::scope::member;
use super::shape::Shape;
use crate::File;
use forebay_core::BufferSize;
use forebay_lang::Fixed;

/// `policy.sv`
pub(super) fn top(shape: &Shape<'_>) -> String {
    joined(include_str!("policy.sv"), shape)
}

/// A module in which a core and a queue block are joined.
pub(super) fn joined(module: &str, shape: &Shape<'_>) -> String {
    module
        .replace("  @queue@\n", include_str!("queue.sv"))
        .replace("    @core_ports@\n", include_str!("core_ports.sv"))
        .replace("@block@", &queue_block(shape))
}

/// The queue block with its parameters.
fn queue_block(shape: &Shape<'_>) -> String {
    let parameters: Vec<(&str, String)> = match shape.block {
        Block::Bbq { levels, width } => {
            let ranks = 1_u64 << shape.kept_bits;
            vec![("Levels", levels.to_string()), ("Width", width.to_string()), ("Ranks", ranks.to_string())]
        }
        Block::BbqFront { levels, width } => {
            vec![("Levels", levels.to_string()), ("Width", width.to_string()), ("RankWidth", "RankWidth".to_owned())]
        }
        Block::Pifo => vec![("RankWidth", "RankWidth".to_owned())],
    };
    let common = [("Entries", "Capacity"), ("DataWidth", "$bits(ticket_t)"), ("Partitions", "Queues")];
    let all = common.map(|(name, value)| (name, value.to_owned())).into_iter().chain(parameters);
    let all: Vec<String> = all.map(|(name, value)| format!("    .{name:<10}({value})")).collect();
    format!("{} #(\n{}\n  )", block(shape.block), all.join(",\n"))
}

fn block(block: Block) -> &'static str {
    match block {
        Block::Bbq { .. } => "bbq",
        Block::BbqFront { .. } => "bbq_front_queue",
        Block::Pifo => "pifo",
    }
}

/// `policy.f`
pub(super) fn list(sources: &[File]) -> String {
    sources.iter().map(|file| format!("{}\n", file.name)).collect()
}

/// `README.md`
pub(super) fn readme(shape: &Shape<'_>, fields: &Fields, front: u32, intervals: Intervals) -> String {
    format!(
        "# A policy in hardware\n\n`policy.sv` is the top, `policy.f` lists all files in order of compilation. `make` builds the hardware \
         with Verilator\nand plays `operations.ops` on it, if that is there, and compares with `answers.txt` \
         (docs/targets/sv.md).\n{}{}\
         \nThe ids of packets that wait must differ. `s_axis_pull` is the number of a port, `m_axis_depart` {{none, 2 marks, port, queue, \
         id}}\nand `m_axis_drop` {{pushed out, 3 rule, queue, id}}, the id lowest; rules are 0 unclassified, 1 queue, 2 buffer, 3 overflow, \
         4 no slot.\n{}{}",
        objects(shape, "##"),
        streams(shape, fields),
        time_and_size(shape, front, intervals, "##"),
        parameters(shape, "##"),
    )
}

/// What there is, and what of it is not kept.
pub(super) fn objects(shape: &Shape<'_>, heading: &str) -> String {
    let policy = shape.model.policy;
    let mut text = format!("\n{heading} Objects\n\n| object | size | |\n| --- | --- | --- |\n");
    let size = |size: BufferSize| match size {
        BufferSize::Packets(size) => format!("{size} packets"),
        BufferSize::Bytes(size) => format!("{size} bytes"),
    };
    for ((id, queue), ranking) in policy.queues.iter().enumerate().zip(&shape.rankings) {
        let keys: Vec<String> =
            ranking.parts.iter().map(|part| format!("`{}` in {} bits", part.key, part.bits())).collect();
        let order = if keys.is_empty() { "in the order of arrival".to_owned() } else { keys.join(", then ") };
        text.push_str(&format!("| queue {id}, {} | {} | {order} |\n", queue.name, size(queue.size)));
    }
    for (id, buffer) in policy.buffers.iter().enumerate() {
        text.push_str(&format!("| buffer {id}, {} | {} | |\n", buffer.name, size(buffer.size)));
    }
    for (id, port) in policy.ports.iter().enumerate() {
        text.push_str(&format!("| port {id}, {} | | its rate is kept by who pulls |\n", port.name));
    }
    let notes: String = shape.notes().iter().map(|note| format!("- {note}.\n")).collect();
    if !notes.is_empty() {
        text.push_str(&format!("\n{heading} What is not kept\n\n{notes}"));
    }
    text
}

/// What arrives with a packet.
pub(super) fn streams(shape: &Shape<'_>, fields: &Fields) -> String {
    let model = &shape.model;
    let mut text =
        String::from("\n## Streams\n\n`s_axis_arrive`, the lowest bits first:\n\n| field | bits |\n| --- | --- |\n");
    text.push_str(&format!(
        "| id | {} |\n| marks (bit 0: mark, bit 1: notification) | 2 |\n",
        model.options.hardware.id_bits
    ));
    for field in fields.arriving.iter().rev() {
        text.push_str(&format!("| {} | {} |\n", member(*field), model.bits(*field)));
    }
    text
}

/// How long it takes, and how much there is of it.
pub(super) fn time_and_size(shape: &Shape<'_>, front: u32, intervals: Intervals, heading: &str) -> String {
    format!(
        "\n{heading} Time\n\n{}\n{heading} Size\n\n| | |\n| --- | --- |\n\
         | queue block | {} |\n| packets, with one that arrives | {} |\n| bits of a rank | {} |\n",
        time(shape, front, intervals),
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
pub(super) fn parameters(shape: &Shape<'_>, heading: &str) -> String {
    let policy = shape.model.policy;
    let mut text = String::new();
    if !policy.parameters.is_empty() {
        text.push_str(&format!(
            "\n{heading} Live parameters\n\nIn units of 1/65,536, low and high word; a write of the high one takes both.\n\n",
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
fn time(shape: &Shape<'_>, front: u32, intervals: Intervals) -> String {
    let Intervals { arrival, acting, further, pull, acting_pull, .. } = intervals;
    let mut text = format!(
        "The front takes {front} cycle{}, and takes an operation in each unless the decision before needs more:\n\n\
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
    text.push_str(
        "\n`make play` builds a program that counts them: it fails if an operation takes more, and if many at full speed take more than \
         each alone.\n",
    );
    if shape.waits {
        text.push_str("Whoever leaves, or is dropped by rank, is asked of the queue block before, and its latency is in these figures.\n");
    }
    text
}
