//! An origin server whose answers a test chooses.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A request that has come.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
}

impl Request {
    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What the origin answers.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// How long it takes until the first byte.
    pub(crate) delay: Duration,
    /// How long it takes between halves of the body.
    pub(crate) pause: Duration,
    /// Whether it ends the connection in the middle of the body.
    pub(crate) breaks: bool,
    /// Whether it sends the body in pieces, without its length.
    pub(crate) chunked: bool,
    /// Whether the body is all that it sends, head included. The connection ends then.
    pub(crate) raw: bool,
}

impl Answer {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::of(200).header("cache-control", "max-age=600").body(body)
    }

    pub(crate) fn of(status: u16) -> Self {
        let (delay, pause) = (Duration::ZERO, Duration::ZERO);
        Self { status, headers: Vec::new(), body: Vec::new(), delay, pause, breaks: false, chunked: false, raw: false }
    }

    /// Sets a header, instead of one of the same name.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a header, beside others of the same name.
    pub(crate) fn also(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

type Handler = dyn Fn(&Request) -> Answer + Send + Sync;

/// The origin. It ends when this is dropped.
pub(crate) struct Origin {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    at_once: Arc<(AtomicUsize, AtomicUsize)>,
    ended: Arc<AtomicBool>,
}

impl Origin {
    pub(crate) fn start(handler: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::<Mutex<Vec<Request>>>::default();
        let at_once = Arc::<(AtomicUsize, AtomicUsize)>::default();
        let ended = Arc::<AtomicBool>::default();
        let handler: Arc<Handler> = Arc::new(handler);
        let shared = (Arc::clone(&requests), Arc::clone(&at_once), Arc::clone(&ended));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (requests, at_once, ended) = shared.clone();
                if ended.load(Ordering::Acquire) {
                    return;
                }
                let handler = Arc::clone(&handler);
                let serve = move || stream.and_then(|stream| serve(&stream, &*handler, &requests, &at_once));
                // That a client leaves is no fault of the test.
                thread::Builder::new().stack_size(1 << 17).spawn(serve).map(drop).expect("a thread");
            }
        });
        Self { address, requests, at_once, ended }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }

    /// How many requests arrived for a target.
    pub(crate) fn count(&self, target: &str) -> usize {
        self.requests().iter().filter(|request| request.target == target).count()
    }

    /// The greatest number of requests that it answered at the same time.
    pub(crate) fn most_at_once(&self) -> usize {
        self.at_once.1.load(Ordering::Acquire)
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        // The thread that accepts looks once more.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    stream: &TcpStream,
    handler: &Handler,
    requests: &Mutex<Vec<Request>>,
    at_once: &(AtomicUsize, AtomicUsize),
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = read(&mut reader)? {
        let now = at_once.0.fetch_add(1, Ordering::AcqRel) + 1;
        at_once.1.fetch_max(now, Ordering::AcqRel);
        requests.lock().expect("no panic").push(request.clone());
        let answer = handler(&request);
        thread::sleep(answer.delay);
        let sent = send(stream, &request, &answer);
        at_once.0.fetch_sub(1, Ordering::AcqRel);
        sent?;
        if answer.breaks || answer.raw {
            return stream.shutdown(Shutdown::Both);
        }
    }
    Ok(())
}

fn read(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let request = Request { method, target, headers };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    io::copy(&mut io::Read::take(&mut *reader, length), &mut io::sink())?;
    Ok(Some(request))
}

fn send(mut stream: &TcpStream, request: &Request, answer: &Answer) -> io::Result<()> {
    if answer.raw {
        return stream.write_all(&answer.body);
    }
    let mut head = format!("HTTP/1.1 {} Answer\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let bodiless = matches!(answer.status, 204 | 304);
    if answer.chunked {
        head.push_str("transfer-encoding: chunked\r\n");
    } else if !bodiless {
        head.push_str(&format!("content-length: {}\r\n", answer.body.len()));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if bodiless || request.method == "HEAD" {
        return Ok(());
    }
    let (first, second) = answer.body.split_at(answer.body.len() / 2);
    let mut piece = |piece: &[u8]| match answer.chunked {
        true if piece.is_empty() => Ok(()),
        true => stream.write_all(&[format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat()),
        false => stream.write_all(piece),
    };
    piece(first)?;
    if answer.breaks {
        return Ok(());
    }
    thread::sleep(answer.pause);
    piece(second)?;
    if answer.chunked { stream.write_all(b"0\r\n\r\n") } else { Ok(()) }
}
