//! A client that sees what goes over the wire.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// After how long a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// How the cache handled it, without the name of the proxy.
    pub(crate) fn cache(&self) -> &str {
        self.header("cache-status").unwrap_or("").trim_start_matches("forebay-proxy; ")
    }
}

/// Asks once, over a connection of its own.
pub(crate) fn ask(address: SocketAddr, method: &str, target: &str, headers: &[(&str, &str)]) -> io::Result<Got> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut head = format!("{method} {target} HTTP/1.1\r\nconnection: close\r\n");
    if headers.iter().all(|(name, _)| *name != "host") {
        // Not the address: a proxy that is started again has another.
        head.push_str("host: site.test\r\n");
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    read(&mut BufReader::new(stream), method == "HEAD")
}

/// A `GET` without further headers, which must be answered.
pub(crate) fn get(address: SocketAddr, target: &str) -> Got {
    ask(address, "GET", target, &[]).unwrap_or_else(|error| panic!("{target}: {error}"))
}

/// Reads the status and the headers of an answer.
fn head(reader: &mut BufReader<TcpStream>) -> io::Result<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse().ok())
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "no status"))?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Ok((status, headers))
}

/// Reads an answer to its end. A body that ends too early is an error.
fn read(reader: &mut BufReader<TcpStream>, is_head: bool) -> io::Result<Got> {
    let odd = |what: &str| io::Error::new(ErrorKind::InvalidData, what.to_owned());
    let (mut status, mut headers) = head(reader)?;
    while (100..200).contains(&status) {
        // Not the answer yet.
        (status, headers) = head(reader)?;
    }
    let mut got = Got { status, headers, body: Vec::new() };
    if is_head || matches!(status, 204 | 304) {
        return Ok(got);
    }
    if let Some(length) = got.header("content-length") {
        let length: usize = length.parse().map_err(|_| odd("no length"))?;
        got.body.resize(length, 0);
        reader.read_exact(&mut got.body)?;
    } else if got.header("transfer-encoding").is_some() {
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let length =
                usize::from_str_radix(line.trim(), 16).map_err(|_| io::Error::from(ErrorKind::UnexpectedEof))?;
            let mut piece = vec![0; length + 2];
            reader.read_exact(&mut piece)?;
            got.body.extend_from_slice(&piece[..length]);
            if length == 0 {
                break;
            }
        }
    } else {
        reader.read_to_end(&mut got.body)?;
    }
    Ok(got)
}
