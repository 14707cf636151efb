//! `forebay verify CERTIFICATE TRACE`: checks a certificate of `forebay bound` without the search that wrote it.

use crate::Done;
use crate::args::VerifyArgs;
use crate::terminal::TERMINAL;
use forebay::Observer as _;
use forebay::caching::Reading;
use forebay::error::{Result, UserError};
use forebay::requests::RequestTrace;
use forebay_cache::verify::{Certificate, VerifyError};
use std::fs::File;
use std::io::BufReader;

pub(crate) fn run(args: &VerifyArgs) -> Result<Done> {
    let wrong = |error: VerifyError| UserError::at(args.certificate.display(), error.to_string());
    let file = File::open(&args.certificate).map_err(|error| UserError::io(&args.certificate, "read", &error))?;
    let certificate = Certificate::read(BufReader::new(file)).map_err(wrong)?;
    let trace = RequestTrace::new(&args.trace, args.reading.format_in.as_ref())?;
    let mut reading = Reading::open(&trace, certificate.sizes == "bytes")?;
    let requests = reading.rest(&|| TERMINAL.goes_on())?;
    if !TERMINAL.goes_on() {
        return Err(UserError::new("interrupted before all requests were read: nothing is checked"));
    }
    certificate.check(&requests).map_err(wrong)?;
    let unit = if certificate.sizes == "bytes" { "bytes" } else { "entries" };
    let Certificate { capacity, latency, lower, .. } = certificate;
    let others = match certificate.objects.len() {
        0 => String::new(),
        count => format!(" (other latencies for {count} objects, see the certificate)"),
    };
    Ok(Done::ok(format!(
        "proven: no cache of {capacity} {unit} has a total latency below {lower} ticks on the {} requests of {}, if a \
         fetch takes {latency} ticks{others}\n",
        certificate.requests,
        trace.place(),
    )))
}
