//! The parts of a program that change its policy while packets wait: the policy as a version, and the host's side of a change
//! (`docs/targets.md`, "Change while packets wait").

use super::fixed_files;
use super::tables::table;
use super::writer::Writer;
use crate::{File, Files};
use forebay_lang::{Policy, Ratio};

/// Returns the files of a version, in addition to those of the core.
pub(crate) fn versions(policy: &Policy) -> Files {
    let fixed = [
        ("oq_version.h", include_str!("version.h")),
        ("oq_running.h", include_str!("running.h")),
        ("oq_live.h", include_str!("live.h")),
        ("version.c", include_str!("version.c")),
    ];
    let described = File { name: "oq_described.h", text: described(policy) };
    fixed_files(&fixed, policy).chain([described]).collect()
}

/// Returns the text of `oq_described.h`.
fn described(policy: &Policy) -> String {
    let mut out = Writer::default();
    let (queues, ports, buffers) = (&policy.queues, &policy.ports, &policy.buffers);
    let mut texts = |name: &str, length: &str, texts: &mut dyn Iterator<Item = String>| {
        let quoted: Vec<String> = texts.map(|text| format!("\"{text}\"")).collect();
        table(&mut out, "char *const", name, length, &quoted);
    };
    texts("oq_queue_names", "OQ_QUEUES", &mut queues.iter().map(|queue| queue.name.clone()));
    texts("oq_port_names", "OQ_PORTS", &mut ports.iter().map(|port| port.name.clone()));
    texts("oq_buffer_names", "OQ_BUFFERS", &mut buffers.iter().map(|buffer| buffer.name.clone()));
    let exact = |state: &Ratio| state.to_string();
    texts("oq_exact_queue_adm_states", "OQ_QUEUES", &mut queues.iter().map(|queue| exact(&queue.adm_state)));
    texts("oq_exact_queue_sched_states", "OQ_QUEUES", &mut queues.iter().map(|queue| exact(&queue.sched_state)));
    texts("oq_exact_port_sched_states", "OQ_PORTS", &mut ports.iter().map(|port| exact(&port.sched_state)));
    texts("oq_exact_buffer_adm_states", "OQ_BUFFERS", &mut buffers.iter().map(|buffer| exact(&buffer.adm_state)));
    let port_of: Vec<String> = queues.iter().map(|queue| format!("{}u", queue.port.0)).collect();
    table(&mut out, "oq_u32", "oq_queue_port", "OQ_QUEUES", &port_of);
    out.line("");
    out.header("The policy's parts for a host: their names, their exact initial states, their ports.", "OQ_DESCRIBED_H")
}
