//! `policy_front.sv`: which queue a packet enters, and its rank there, as a pipeline in front of all decisions.

use super::fields::Fields;
use super::net::{Id, Net, Op, Range, TooWide};
use super::numbers::{FRACTION, Numbers, Value, Wrong};
use super::pipeline::Pipeline;
use super::ranks::Ranking;
use super::scope::{Reads, member};
use super::shape::Shape;
use super::text::Text;
use crate::names::Names;
use forebay_lang::ir::{Entry, PacketField};

/// What the front finds out.
struct Found {
    /// Whether there is a queue for the packet.
    classified: Id,
    queue: Id,
    rank: Id,
}

/// `policy_front.sv`, and its cycles.
pub(super) fn front(shape: &Shape<'_>, fields: &Fields, names: &Names) -> Result<(String, u32), Wrong> {
    let mut net = Net::default();
    let found = found(shape, &mut net)?;
    let pipeline = Pipeline::new(&net, &[found.classified, found.queue, found.rank]);
    let depth = pipeline.depth;
    let mut out = Text::default();
    head(&mut out, shape, names, depth);
    out.deeper();
    out.line("logic en;");
    out.line(&format!("logic [{}:0] valid_q;", depth - 1));
    out.line(&format!("assign en        = !valid_q[{}] || op_ready_i;", depth - 1));
    out.line("assign s_ready_o = en && !rst_i;");
    out.line("");
    out.open("always_ff @(posedge clk_i) begin");
    out.line("if (rst_i) valid_q <= '0;");
    let shifted = if depth == 1 { "s_valid_i".to_owned() } else { format!("{{valid_q[{}:0], s_valid_i}}", depth - 2) };
    out.line(&format!("else if (en) valid_q <= {shifted};"));
    out.close("end");
    out.line("");
    out.comment("The metadata of the packet moves along.");
    out.line("logic kind;");
    out.line("logic [PortWidth-1:0] port;");
    out.line("logic [TimeWidth-1:0] now;");
    out.line("arrive_t arrive;");
    out.line(&format!(
        "policy_delay #(.Width(1 + PortWidth + TimeWidth + $bits(arrive_t)), .Cycles({depth})) i_along ("
    ));
    out.line("  .clk_i, .en_i(en), .d_i({kind_i, port_i, now_i, arrive_i}),");
    out.line("  .q_o({kind, port, now, arrive})");
    out.line(");");
    out.line("");
    pipeline.write(&mut out);
    out.line("");
    out.open("always_comb begin");
    out.line("op_o            = '0;");
    out.line("op_o.kind       = kind_e'(kind);");
    out.line(&format!("op_o.classified = {};", pipeline.bit(found.classified)));
    out.line(&format!("op_o.queue_index = QueueWidth'({});", result(&pipeline, &net, found.queue)));
    out.line(&format!("op_o.rank       = RankWidth'({});", result(&pipeline, &net, found.rank)));
    out.line("op_o.port       = port;");
    out.line("op_o.now        = now;");
    out.line("op_o.ticket.id    = arrive.id;");
    out.line("op_o.ticket.marks = arrive.marks;");
    if fields.size {
        out.line("op_o.ticket.size  = arrive.size;");
    }
    let value = |field: PacketField| match field {
        PacketField::Arrival => "now".to_owned(),
        field => format!("arrive.{}", member(field)),
    };
    for field in &fields.rules {
        out.line(&format!("op_o.fields.{} = {};", member(*field), value(*field)));
    }
    for field in &fields.kept {
        out.line(&format!("op_o.ticket.kept.{} = {};", member(*field), value(*field)));
    }
    out.close("end");
    out.line("");
    out.line(&format!("assign op_valid_o = valid_q[{}];", depth - 1));
    out.line("assign empty_o    = valid_q == '0;");
    out.back();
    out.line("");
    Ok((format!("{}endmodule\n/* verilator lint_on UNUSEDSIGNAL */\n", out.text()), depth))
}

fn result(pipeline: &Pipeline<'_>, net: &Net, id: Id) -> String {
    pipeline.result(id, net.range(id).bits())
}

fn head(out: &mut Text, shape: &Shape<'_>, names: &Names, depth: u32) {
    out.comment(&format!(
        "The front of the policy: which queue a packet enters, and its rank there.\n\
         Source: docs/openqueue-semantics.md, sections 3, 4 and 5. Made by forebay for one policy.\n\
         Throughput: one operation a cycle. Latency: {depth} cycles. It stops as a whole while op_o is not accepted."
    ));
    for entry in &shape.model.policy.classify {
        out.comment(&names.in_text(&format!(
            "classify: ({}, enter number {} of {})",
            entry.when,
            entry.index,
            entry.queues.len()
        )));
    }
    for (queue, ranking) in shape.model.policy.queues.iter().zip(&shape.rankings) {
        let parts: Vec<String> = ranking
            .parts
            .iter()
            .map(|part| match part.cut {
                0 => format!("{} ({} bits)", part.key, part.bits()),
                cut => format!("{} ({} bits, without the lowest {cut})", part.key, part.bits()),
            })
            .collect();
        let order = if parts.is_empty() { "order of arrival".to_owned() } else { parts.join(", then ") };
        out.comment(&format!("rank in {}: {order}", queue.name));
    }
    out.line("");
    out.comment("A policy reads some of the ports.");
    out.line("/* verilator lint_off UNUSEDSIGNAL */");
    out.open("module policy_front");
    out.line("import policy_pkg::*;");
    out.back();
    let ports = [
        "input  logic                        clk_i",
        "input  logic                        rst_i",
        "input  logic                        s_valid_i",
        "output logic                        s_ready_o",
        "input  kind_e                       kind_i",
        "input  arrive_t                     arrive_i",
        "input  logic [PortWidth-1:0]        port_i",
        "input  logic [TimeWidth-1:0]        now_i",
        "input  logic [Parameters-1:0][63:0] param_i",
        "output logic                        op_valid_o",
        "input  logic                        op_ready_i",
        "output operation_t                  op_o",
        "output logic                        empty_o",
    ];
    out.ports(&ports);
}

fn found(shape: &Shape<'_>, net: &mut Net) -> Result<Found, Wrong> {
    let wide = |_: TooWide| Wrong::TooWide("classify".to_owned());
    let policy = shape.model.policy;
    let (classified, queue) = match (&policy.classify[..], policy.queues.len()) {
        ([], 1) => (net.number(1), net.number(0)),
        ([], queues) => directed(shape, net, queues).map_err(wide)?,
        (entries, _) => entered(shape, net, entries)?,
    };
    let mut groups: Vec<(&Ranking, Vec<usize>)> = Vec::new();
    for (id, ranking) in shape.rankings.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == ranking) {
            Some((_, among)) => among.push(id),
            None => groups.push((ranking, vec![id])),
        }
    }
    let mut rank = net.number(0);
    for (place, (ranking, among)) in groups.iter().enumerate() {
        let own = ranking.node(&shape.model, net)?;
        if place == 0 {
            rank = own;
            continue;
        }
        let mut is_own = net.number(0);
        for id in among {
            let id = net.number(*id as i128);
            let equal = net.add(Op::Equal(queue, id)).map_err(wide)?;
            is_own = net.add(Op::Or(is_own, equal)).map_err(wide)?;
        }
        rank = net.add(Op::Choose(is_own, own, rank)).map_err(wide)?;
    }
    Ok(Found { classified, queue, rank })
}

/// The queue that the packet's `queue` says.
fn directed(shape: &Shape<'_>, net: &mut Net, queues: usize) -> Result<(Id, Id), TooWide> {
    let bits = shape.model.bits(PacketField::Queue);
    let queue = net.input("arrive_i.queue_index", false, Range::new(0, (1 << bits) - 1));
    one_of(net, queue, queues)
}

/// Returns whether an index is below `count`, and the index, or 0 if it is not.
fn one_of(net: &mut Net, index: Id, count: usize) -> Result<(Id, Id), TooWide> {
    let (zero, end) = (net.number(0), net.number(count as i128));
    let negative = net.add(Op::Less(index, zero))?;
    let begun = net.add(Op::Not(negative))?;
    let ends = net.add(Op::Less(index, end))?;
    let inside = net.add(Op::And(begun, ends))?;
    let index = net.add(Op::Choose(inside, index, zero))?;
    Ok((inside, net.add(Op::Within(index, 0, count as i128 - 1))?))
}

/// The queue of the first case of the classifier that holds.
fn entered(shape: &Shape<'_>, net: &mut Net, entries: &[Entry]) -> Result<(Id, Id), Wrong> {
    let wide = |_: TooWide| Wrong::TooWide("classify".to_owned());
    let scope = Reads::front(&shape.model);
    let (mut classified, mut queue) = (net.number(0), net.number(0));
    for entry in entries.iter().rev() {
        let holds = Numbers { net, scope: &scope }.truth(&entry.when)?;
        let index = match (Numbers { net, scope: &scope }).number(&entry.index)? {
            Value::Known(index) => net.number(index.floor().to_integer()),
            Value::Node { id, whole } => net.add(Op::Down(id, if whole { 0 } else { FRACTION })).map_err(wide)?,
        };
        let first = net.number(entry.first.into());
        let index = net.add(Op::Sub(index, first)).map_err(wide)?;
        let (inside, index) = one_of(net, index, entry.queues.len()).map_err(wide)?;
        let entered = named(net, index, entry).map_err(wide)?;
        classified = net.add(Op::Choose(holds, inside, classified)).map_err(wide)?;
        queue = net.add(Op::Choose(holds, entered, queue)).map_err(wide)?;
    }
    Ok((classified, queue))
}

/// The queue that is at a place in the list of a case.
fn named(net: &mut Net, index: Id, entry: &Entry) -> Result<Id, TooWide> {
    let first = entry.queues.first().map_or(0, |id| id.0);
    let id = net.number(first.into());
    if entry.queues.iter().zip(first..).all(|(queue, expected)| queue.0 == expected) {
        return net.add(Op::Add(index, id));
    }
    let mut queue = id;
    for (place, id) in entry.queues.iter().enumerate().skip(1) {
        let (place, id) = (net.number(place as i128), net.number(id.0.into()));
        let is_it = net.add(Op::Equal(index, place))?;
        queue = net.add(Op::Choose(is_it, id, queue))?;
    }
    Ok(queue)
}
