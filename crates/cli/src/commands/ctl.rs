//! `forebay ctl`: asks a switch that runs.

use super::switch::{control_path, counters};
use super::switch_table;
use crate::args::{CtlArgs, CtlCommand, CtlPolicyArgs, CtlPortCommand, OnChange};
use crate::policy_file::PolicyFile;
use crate::{Done, note};
use forebay::error::{Result, UserError};
use forebay_linux::switch::control::{Answer, MOST_REQUEST_BYTES, NextPolicy, NextValues, Request, Waiting};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Time to wait for an answer. A switch answers between two rounds, and spends less than this on checking a policy.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &CtlArgs) -> Result<Done> {
    let path = control_path(&args.control);
    let request = match &args.command {
        CtlCommand::Policy(policy) => Request::Policy(next_policy(policy)?),
        CtlCommand::Set { values, port } => Request::Set(NextValues { values: values.clone(), port: port.clone() }),
        CtlCommand::Rollback { transition } => Request::Rollback { transition: waiting(*transition) },
        CtlCommand::Stats { .. } => Request::Stats {},
        CtlCommand::Ports => Request::Ports {},
        CtlCommand::Port(CtlPortCommand::Add { port, rate }) => {
            Request::PortAdd { port: port.clone(), rate: rate.clone() }
        }
        CtlCommand::Port(CtlPortCommand::Remove { port }) => Request::PortRemove { port: port.clone() },
        CtlCommand::Stop => Request::Stop {},
    };
    let answer = ask(&path, &request)?;
    let text = match (answer, &args.command) {
        (Answer::Error(why), _) => return Err(UserError::new(why)),
        (Answer::Stats(stats), CtlCommand::Stats { format }) => counters(&stats, *format)?,
        (Answer::Added { port, mode }, _) => {
            if let Some(mode) = mode {
                note(&format!("{}: {mode}", port.name));
            }
            format!("port {}: added; it runs {}\n", port.name, port.policy)
        }
        (Answer::Removed { port, dropped }, _) => {
            format!("port {port}: removed; {dropped} frames that waited were dropped\n")
        }
        (Answer::Ports(ports), _) => switch_table::ports(&ports),
        (Answer::Stopping(waiting), _) => format!("stopping; {waiting} frames wait\n"),
        (Answer::Set(ports), CtlCommand::Set { values, .. }) => {
            ports.iter().map(|port| format!("port {port}: {}\n", values.join(", "))).collect()
        }
        (Answer::Changed(changes), _) => changes.iter().map(|change| format!("{change}\n")).collect(),
        (Answer::Stats(_) | Answer::Set(_), _) => {
            return Err(UserError::at(path.display(), "gives the answer to another request"));
        }
    };
    Ok(Done::ok(text))
}

fn next_policy(args: &CtlPolicyArgs) -> Result<NextPolicy> {
    let file = PolicyFile::read(&args.file)?;
    let (name, text) = (file.name.clone(), file.whole().to_owned());
    let transition = waiting(args.transition);
    let (params, live, port) = (args.params.clone(), args.live.clone(), args.port.clone());
    Ok(NextPolicy { name, text, params, live, transition, port })
}

/// The transition in the form of a request.
fn waiting(on_change: OnChange) -> Waiting {
    match on_change {
        OnChange::Drain => Waiting::Drain,
        OnChange::Rerank => Waiting::Rerank,
    }
}

fn ask(path: &Path, request: &Request) -> Result<Answer> {
    let failed = |error: &std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => {
            UserError::at(path.display(), "no switch is controlled here; start one, or name its socket with --control")
        }
        ErrorKind::WouldBlock | ErrorKind::TimedOut => UserError::at(path.display(), "the switch does not answer"),
        _ => UserError::io(path, "asked", error),
    };
    let mut line = serde_json::to_vec(request).map_err(|error| UserError::new(error.to_string()))?;
    if line.len() > MOST_REQUEST_BYTES {
        let bytes = line.len();
        return Err(UserError::new(format!(
            "the request would have {bytes} bytes, and a switch reads {MOST_REQUEST_BYTES}; make the policy shorter"
        )));
    }
    line.push(b'\n');
    let mut stream = UnixStream::connect(path).map_err(|error| failed(&error))?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(|error| failed(&error))?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(|error| failed(&error))?;
    stream.write_all(&line).map_err(|error| failed(&error))?;
    let mut answer = Vec::new();
    BufReader::new(stream).read_until(b'\n', &mut answer).map_err(|error| failed(&error))?;
    serde_json::from_slice(&answer)
        .map_err(|_| UserError::at(path.display(), "gives no answer that this version of forebay understands"))
}
