//! Columns with names in the first line: flow traces, and the flows of a result.

use super::FlowListEntry;
use crate::flow_records::read_flow_records;

/// The registry's entry.
pub const ENTRY: FlowListEntry = FlowListEntry {
    name: "columns",
    title: "CSV whose first line has start_ns,src,dst,size_bytes",
    recognise: |first| first.contains(','),
    read: |content, _, take| read_flow_records(content, take),
};
