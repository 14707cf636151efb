//! The access log: a line for each request, in a format of nginx that `forebay cache` reads.

use crate::exchange::Exchange;
use crate::failure::StartError;
use crate::{key, status};
use pingora_proxy::Session;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The format, as nginx would have it in `log_format`. The last field is how long the request waited for another that
/// fetched the same object.
pub const LOG_FORMAT: &str = r#"$msec $request_time $upstream_response_time $remote_addr $host "$request" $status $body_bytes_sent $upstream_cache_status $cache_wait"#;

/// How many lines wait for a slow disk. Beyond it lines are lost, and counted.
const QUEUE: usize = 1 << 14;
/// After how long a line is in the file at the latest.
const FLUSH: Duration = Duration::from_millis(500);

/// Writes lines in a thread of its own.
pub(crate) struct AccessLog {
    queue: SyncSender<Task>,
    lost: AtomicU64,
}

enum Task {
    Line(String),
    /// Open the file anew, after somebody has moved it away.
    Reopen,
    /// Write everything, then say so.
    Flush(SyncSender<()>),
}

impl AccessLog {
    /// Opens a file, or standard output for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, StartError> {
        let out = sink(path).map_err(|error| StartError::File {
            path: path.to_owned(),
            error,
            fix: "choose a file that this user may write, with `log` or --log",
        })?;
        let (queue, tasks) = sync_channel(QUEUE);
        let path = path.to_owned();
        thread::spawn(move || write(out, &path, &tasks));
        Ok(Self { queue, lost: AtomicU64::new(0) })
    }

    pub(crate) fn write(&self, line: String) {
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = self.queue.try_send(Task::Line(line)) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many lines were lost because the disk was too slow.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    pub(crate) fn reopen(&self) {
        let _ = self.queue.try_send(Task::Reopen);
    }

    /// Waits until everything is written.
    pub(crate) fn flush(&self) {
        let (done, written) = sync_channel(1);
        if self.queue.send(Task::Flush(done)).is_ok() {
            let _ = written.recv_timeout(Duration::from_secs(5));
        }
    }
}

fn sink(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufWriter::new(io::stdout())));
    }
    let file: File = OpenOptions::new().create(true).append(true).open(path)?;
    Ok(Box::new(BufWriter::with_capacity(1 << 16, file)))
}

fn write(mut out: Box<dyn Write + Send>, path: &Path, tasks: &Receiver<Task>) {
    loop {
        let done = match tasks.recv_timeout(FLUSH) {
            Ok(Task::Line(line)) => out.write_all(line.as_bytes()),
            Ok(Task::Reopen) => out.flush().and_then(|()| {
                out = sink(path)?;
                Ok(())
            }),
            Ok(Task::Flush(done)) => {
                let written = out.flush();
                let _ = done.send(());
                written
            }
            Err(RecvTimeoutError::Timeout) => out.flush(),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if let Err(error) = done {
            log::error!("{}: {error}; lines of the access log are lost", path.display());
        }
    }
}

/// Whether a client has come over TLS.
pub(crate) fn has_tls(session: &Session) -> bool {
    session.digest().is_some_and(|digest| digest.ssl_digest.is_some())
}

/// The line of a request that is answered.
pub(crate) fn line(session: &Session, exchange: &Exchange) -> String {
    let request = session.req_header();
    let ended = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = |duration: Duration| format!("{:.6}", duration.as_secs_f64());
    let or_dash = |duration: Option<Duration>| duration.map_or_else(|| "-".to_owned(), seconds);
    let client = session.client_addr().and_then(|address| address.as_inet()).map(|address| address.ip().to_string());
    let host = key::host(request);
    format!(
        "{} {} {} {} {} \"{} {} {:?}\" {} {} {} {}\n",
        seconds(ended),
        seconds(exchange.began.elapsed()),
        or_dash(exchange.answered),
        client.as_deref().unwrap_or("-"),
        if host.is_empty() { "-" } else { &host },
        request.method,
        key::path(request).replace('"', "%22"),
        request.version,
        session.response_written().map_or(0, |answer| answer.status.as_u16()),
        session.body_bytes_sent(),
        status::word(&session.cache),
        or_dash(session.cache.lock_duration()),
    )
}
