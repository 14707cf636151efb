//! `forebay trace cut` and `trace split-directions`.

use super::trace::{refuse_itself, said, write_error};
use crate::args::{FilterArgs, TraceCutArgs, TraceSplitArgs};
use crate::atomic_write::write_whole;
use crate::{Done, warn};
use forebay::error::{Result, UserError};
use forebay::requests::RequestTrace;
use forebay::scenario::trace_error;
use forebay_traces::pack::{Packed, Packing};
use forebay_traces::{IpHeader, TraceError, filters_of_directions};
use std::path::Path;

pub(super) fn cut(args: &TraceCutArgs) -> Result<Done> {
    let count = cut_out(&args.trace, &args.output, &args.filter)?;
    Ok(said(&args.output, count, "packets"))
}

pub(super) fn split(args: &TraceSplitArgs) -> Result<Done> {
    let outputs = [&args.first, &args.second];
    if args.first == args.second {
        return Err(UserError::at(args.second.display(), "is named for both directions; name another file"));
    }
    outputs.into_iter().try_for_each(|output| refuse_itself(&args.trace, output))?;
    let trace = RequestTrace::new(&args.trace, None)?;
    trace.refuse_pipe("trace split-directions")?;
    let filters = filters_of_directions(trace.content()?).map_err(|error| wrong(&args.trace, error))?;
    let mut text = String::new();
    for (filter, output) in filters.into_iter().zip(outputs) {
        let what = format!("packets ({filter})");
        text += &said(
            output,
            cut_out(&args.trace, output, &FilterArgs { filter: Some(filter), ip_header: IpHeader::Outer })?,
            &what,
        )
        .text;
    }
    Ok(Done::ok(text))
}

/// Writes the packets that match, and returns their number.
fn cut_out(trace: &Path, output: &Path, args: &FilterArgs) -> Result<u64> {
    refuse_itself(trace, output)?;
    let content = RequestTrace::new(trace, None)?.content()?;
    let packing = Packing::of_name(&output.to_string_lossy()).0;
    let cut = write_whole(output, |file| {
        let failed = |error: &std::io::Error| UserError::io(output, "written", error);
        let mut packed = Packed::new(file, packing).map_err(|error| failed(&error))?;
        let cut =
            forebay_traces::cut(content, args.filter.clone(), args.ip_header, &mut packed).map_err(
                |error| match error {
                    TraceError::Io(_) => write_error(output, error),
                    error => wrong(trace, error),
                },
            )?;
        packed.finish().map_err(|error| failed(&error))?;
        Ok(cut)
    })?;
    for warning in &cut.warnings {
        warn(&format!("{}: {warning}", trace.display()));
    }
    Ok(cut.packets)
}

fn wrong(trace: &Path, error: TraceError) -> UserError {
    trace_error(&trace.display().to_string(), error)
}
