//! Names of other languages and systems, and their OpenQueue names.

use super::properties::Owner;
use super::scope::{Place, Scope};
use crate::parser::foreign_syntax::instead_of;

/// Synonyms of properties: the owner, the names elsewhere, and the name in OpenQueue. If the meaning is certain, there is a fix.
const SYNONYMS: [(Owner, &[&str], &str); 13] = [
    (Owner::Packet, &["deadline"], "arrival + p.slack"),
    (Owner::Packet, &["dscp", "priority", "prio", "tos", "pcp", "tc"], "class"),
    (Owner::Packet, &["length", "len", "bytes"], "size"),
    (Owner::Packet, &["flowId", "flow_id", "flowid", "id"], "flow"),
    (Owner::Packet, &["time", "timestamp", "arrivalTime", "arrival_time"], "arrival"),
    (Owner::Packet, &["work", "cycles"], "processing"),
    (Owner::Packet, &["weight"], "value"),
    (Owner::Queue, &["length", "len", "bytes", "occupancy", "backlog", "depth"], "currSize"),
    (Owner::Queue, &["processing", "work", "cycles", "currWork"], "currProcessing"),
    (Owner::Queue, &["capacity", "limit"], "size"),
    (Owner::Queue, &["head", "front", "first", "peek"], "findHigh()"),
    (Owner::Buffer, &["length", "len", "bytes", "occupancy"], "currSize"),
    (Owner::Buffer, &["capacity", "limit"], "size"),
];

/// Returns the OpenQueue name of a property of other languages, if it is known.
pub(super) fn synonym(owner: Owner, name: &str) -> Option<&'static str> {
    let of_owner = SYNONYMS.iter().filter(|(of, ..)| *of == owner);
    of_owner.filter(|(_, names, _)| names.contains(&name)).map(|(.., meant)| *meant).next()
}

/// Returns help on an unknown name: its OpenQueue name or another way, and the replacement if that is certain.
pub(super) fn habit(name: &str, scope: &Scope) -> Option<(String, Option<String>)> {
    let small = name.to_ascii_lowercase();
    if ["true", "false", "not", "and", "or"].contains(&small.as_str()) {
        return Some((format!("write `{small}`"), Some(small)));
    }
    let in_congestion = matches!(scope.place, Place::Condition(Owner::Queue | Owner::Buffer, _));
    if in_congestion && ["p", "p1", "packet", "pkt"].contains(&name) {
        return Some(("the arriving packet is `arriving`".to_owned(), Some("arriving".to_owned())));
    }
    instead_of(name).map(|help| (help.to_owned(), None))
}
