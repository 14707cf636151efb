//! The two orders of the packets of each queue: the order of service, and the order of drops.
//!
//! An order by arrival is an end of the queue's list; any other order is a heap.

use super::Model;
use super::comparators::{Of, function};
use super::functions::Functions;
use super::writer::Writer;
use forebay_lang::ir::{Comparator, Key, Num, PacketField, PacketRef, Queue, Read};

/// One of the two orders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Service,
    Victims,
}

/// A heap for all queues that have this order.
struct Heap<'a> {
    end: End,
    comparator: &'a Comparator,
    name: String,
}

/// Returns the text of `oq_orders.h`.
pub(super) fn orders(model: &Model<'_>) -> String {
    let mut out = Writer::default();
    let mut functions = Functions::default();
    let mut heaps: Vec<Heap<'_>> = Vec::new();
    // For each queue, the heap of each end; `None`: by arrival.
    let mut of_queue: Vec<[Option<usize>; 2]> = Vec::new();
    let mut comparators: Vec<(&Comparator, String)> = Vec::new();
    for queue in &model.policy.queues {
        let ends = [(End::Service, &queue.processing), (End::Victims, &queue.admission)];
        of_queue.push(ends.map(|(end, comparator)| {
            (!by_arrival(end, comparator)).then(|| {
                let is_same = |heap: &Heap<'_>| heap.end == end && heap.comparator == comparator;
                heaps.iter().position(is_same).unwrap_or_else(|| {
                    if !comparators.iter().any(|(known, _)| *known == comparator) {
                        comparators.push((comparator, functions.give("compare", &comparator.name)));
                    }
                    let name = functions.give(word(end), &comparator.name);
                    heaps.push(Heap { end, comparator, name });
                    heaps.len() - 1
                })
            })
        }));
    }
    for (comparator, name) in &comparators {
        function(&mut out, &format!("oq_{name}"), comparator, Of::Packets, model);
    }
    for heap in &heaps {
        let known = comparators.iter().find(|(comparator, _)| *comparator == heap.comparator);
        let comparator = known.map_or("", |(_, name)| name);
        out.add(&instance(heap, comparator));
        out.line("");
    }
    let pick = |end: End| of_queue.iter().map(move |ends| ends[end as usize]).collect::<Vec<_>>();
    let first = |end: End, otherwise: &str| -> Vec<String> {
        let line = |heap: Option<usize>| match heap {
            None => format!("return OQ_QUEUE(queue).{otherwise};"),
            Some(_) => {
                format!("return OQ_AT(oq_{}_heap, OQ_ROOM_BASE(queue), OQ_PLACE_MASK);", word(end))
            }
        };
        pick(end).into_iter().map(line).collect()
    };
    out.comment("The packet of a queue that is served next, or OQ_NONE.");
    out.function("OQ_INLINE oq_u32 oq_head(oq_u32 queue)");
    out.when("!OQ_QUEUE(queue).packets", "return OQ_NONE;");
    out.switch("queue", &first(End::Service, "first"));
    out.end();
    out.comment("The packet of a queue that is dropped next, or OQ_NONE.");
    out.function("OQ_INLINE oq_u32 oq_victim(oq_u32 queue)");
    out.when("!OQ_QUEUE(queue).packets", "return OQ_NONE;");
    out.switch("queue", &first(End::Victims, "last"));
    out.end();
    for (what, about) in [
        ("in", "Puts a packet into the orders of its queue, which has `count` others."),
        ("moved", "Restores the orders of a queue after one of its `count` packets has changed."),
        ("out", "Takes a packet out of the orders of its queue, which has `count` with it."),
    ] {
        out.comment(about);
        out.function(&format!("OQ_INLINE void oq_orders_{what}(oq_u32 queue, oq_u32 slot, oq_u32 count)"));
        if heaps.is_empty() {
            ["queue", "slot", "count"].iter().for_each(|name| out.line(&format!("(void){name};")));
        }
        for end in [End::Service, End::Victims] {
            let line = |heap: Option<usize>| {
                heap.map_or(String::new(), |heap| format!("oq_{}_{what}(queue, slot, count);", heaps[heap].name))
            };
            let lines: Vec<String> = pick(end).into_iter().map(line).collect();
            if pick(end).iter().any(Option::is_some) {
                out.switch("queue", &lines);
            }
        }
        out.end();
    }
    out.header(
        "The orders of the packets of each queue: which is served next, and which is dropped next.",
        "OQ_ORDERS_H",
    )
}

/// Returns the text of `oq_state.h`.
pub(super) fn state(model: &Model<'_>) -> String {
    let mut out = Writer::default();
    out.comment("The state of the policy; oq_packets.h includes it where it belongs.");
    out.add(include_str!("state.h"));
    if !model.policy.parameters.is_empty() {
        out.line("OQ_HELD oq_i64 oq_parameters[OQ_PARAMETERS]; /* live: the host may set them between two calls */");
    }
    if model.policy.sums_processing() {
        out.line(
            "OQ_HELD oq_u64 oq_queue_cycles[OQ_QUEUES]; /* of each queue, the sum of the processing of its packets */",
        );
    }
    for end in [End::Service, End::Victims] {
        let has_heap = |queue: &Queue| match end {
            End::Service => !by_arrival(end, &queue.processing),
            End::Victims => !by_arrival(end, &queue.admission),
        };
        if model.policy.queues.iter().any(has_heap) {
            out.directive(&format!("#define OQ_HAS_{}_HEAP 1", word(end).to_uppercase()));
            out.line(&format!("OQ_ROOM(oq_u32, oq_{}_heap, OQ_PLACES);", word(end)));
        }
    }
    out.text().to_owned()
}

/// Returns the functions of a heap.
fn instance(heap: &Heap<'_>, comparator: &str) -> String {
    let (about, tie) = match heap.end {
        End::Service => ("is served before", "<"),
        End::Victims => ("is dropped before", ">"),
    };
    let about = format!(
        "Whether a {about} b, by {}; of equals, the one that arrived {}.",
        heap.comparator.name,
        match heap.end {
            End::Service => "first",
            End::Victims => "last",
        }
    );
    include_str!("heap.h")
        .replace("@about@", &about.replace("*/", ""))
        .replace("@name@", &heap.name)
        .replace("@comparator@", comparator)
        .replace("@end@", word(heap.end))
        .replace("@index@", &(heap.end as usize).to_string())
        .replace("@tie@", tie)
}

fn word(end: End) -> &'static str {
    match end {
        End::Service => "service",
        End::Victims => "victims",
    }
}

/// Whether an order is an end of the list by arrival. Times of arrival never decrease.
fn by_arrival(end: End, comparator: &Comparator) -> bool {
    let arrival = Num::Read(Read::Packet(PacketRef::This, PacketField::Arrival));
    let descending = end == End::Victims;
    comparator.keys.as_deref().is_some_and(|keys| keys.is_empty() || *keys == [Key { value: arrival, descending }])
}
