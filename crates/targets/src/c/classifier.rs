//! The function that returns the queue of a packet (`docs/openqueue-semantics.md`, section 5).

use super::Model;
use super::comparators::unused;
use super::expressions::{number, truth};
use super::scope::Scope;
use super::value::{Truth, Value};
use super::writer::Writer;
use forebay_core::QueueId;
use forebay_lang::ir::Entry;

/// Writes the function `oq_classify`.
pub(super) fn classifier(out: &mut Writer, model: &Model<'_>) {
    let mut body = Writer::default();
    let queues = model.policy.queues.len();
    if model.policy.classify.is_empty() {
        if queues == 1 {
            body.line("return 0;");
        } else {
            let queue = "OQ_PACKET(slot).fields.queue";
            body.line(&format!("return {queue} < OQ_POLICY_QUEUES ? {queue} : OQ_NONE;"));
        }
    } else {
        let mut scope = Scope::new(model);
        scope.this_packet = Some("slot");
        let mut open = true;
        for (place, entry) in model.policy.classify.iter().enumerate() {
            let holds = match truth(&entry.when, &scope) {
                Truth::Const(false) => continue,
                Truth::Const(true) => None,
                Truth::Text(text) => Some(text),
            };
            let entered = match &entry.queues[..] {
                [_] => listed(entry, model),
                _ => format!("{} of {}", entry.index, listed(entry, model)),
            };
            let text = format!("({}, enter({entered}))", entry.when);
            body.comment(&model.names.in_text(&text));
            match holds {
                Some(holds) => {
                    body.open(&format!("if ({holds})"));
                    enter(out, &mut body, place, entry, &scope);
                    body.close();
                }
                None => {
                    enter(out, &mut body, place, entry, &scope);
                    open = false;
                    break;
                }
            }
        }
        if open {
            body.line("return OQ_NONE;");
        }
    }
    out.comment("The queue that a packet enters, or OQ_NONE.");
    out.function("OQ_GLOBAL oq_u32 oq_classify(oq_u32 slot, oq_u64 now)");
    if body.text().contains("index = ") {
        out.line("oq_i64 index;");
        out.line("");
    }
    unused(out, &["slot", "now"], &[body.text()]);
    body.text().lines().for_each(|line| out.line(line));
    out.end();
}

/// Writes the statement that chooses among the queues of a case.
fn enter(out: &mut Writer, body: &mut Writer, place: usize, entry: &Entry, scope: &Scope<'_>) {
    match number(&entry.index, scope) {
        Value::Const(index) => {
            let index = index.floor().to_integer() - i128::from(entry.first);
            let queue = usize::try_from(index).ok().and_then(|index| entry.queues.get(index));
            body.line(&queue.map_or("return OQ_NONE;".to_owned(), |queue| format!("return {};", queue.0)));
        }
        Value::Text(text) => {
            let count = entry.queues.len();
            body.line(&format!("index = oq_floor({text}) - ({});", entry.first));
            body.when(&format!("index < 0 || index >= {count}"), "return OQ_NONE;");
            let first = entry.queues.first().map_or(0, |id| id.0);
            if entry.queues.iter().zip(first..).all(|(queue, expected)| *queue == QueueId(expected)) {
                body.line(&format!("return {first} + (oq_u32)index;"));
            } else {
                let length = count.next_power_of_two();
                let queues: Vec<String> = entry.queues.iter().map(|id| id.0.to_string()).collect();
                let queues = queues.join(", ");
                out.line(&format!("OQ_TABLE oq_u16 oq_entry_{place}[{length}] = {{ {queues} }};"));
                out.line("");
                body.line(&format!("return OQ_AT(oq_entry_{place}, (oq_u32)index, {}u);", length - 1));
            }
        }
    }
}

/// Returns the text with the first and the last queue of a case.
fn listed(entry: &Entry, model: &Model<'_>) -> String {
    let name = |id: Option<&QueueId>| id.map_or("", |id| model.policy.queues[usize::from(id.0)].name.as_str());
    match &entry.queues[..] {
        [only] => name(Some(only)).to_owned(),
        queues => format!("{}..{}", name(queues.first()), name(queues.last())),
    }
}
