//! `forebay lsp`: a language server on standard input and output.

use crate::Done;
use crate::policy_file::included;
use forebay::error::{Result, UserError};
use forebay_lang::lsp::{Message, Server};
use std::io::{BufRead, ErrorKind, Read, Write};

/// Longest message in bytes: a policy has at most 64 MiB, and JSON can turn one character into six.
const MAX_MESSAGE: u64 = 512 << 20;

/// Longest header of a message in bytes.
const MAX_HEADER: u64 = 8 << 10;

pub(crate) fn run() -> Result<Done> {
    serve(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Answers messages one after another until the client sends `exit` or disconnects.
fn serve(input: &mut impl BufRead, output: &mut impl Write) -> Result<Done> {
    let mut server = Server::with_files(included);
    while let Some(body) = read_body(input)? {
        let answers = match serde_json::from_slice::<Message>(&body) {
            Ok(message) => server.handle(message).iter().map(as_json).collect::<Result<Vec<String>>>()?,
            Err(error) => vec![unreadable(&body, &error)],
        };
        for answer in answers {
            let sent = write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len()).and_then(|()| output.flush());
            match sent {
                // The client has disconnected.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(ended(1)),
                sent => sent.map_err(|error| UserError::new(format!("the answer cannot be written: {error}")))?,
            }
        }
        if let Some(status) = server.exit_status() {
            return Ok(ended(status));
        }
    }
    Ok(ended(1))
}

/// The result of the command. It prints no text, since standard output carries only messages.
fn ended(status: u8) -> Done {
    Done { text: String::new(), status }
}

/// The next message, or `None` at the end of the input.
fn read_body(input: &mut impl BufRead) -> Result<Option<Vec<u8>>> {
    let unreadable = |error: std::io::Error| UserError::at("standard input", format!("cannot be read: {error}"));
    let mut length = None;
    let mut header = input.take(MAX_HEADER);
    loop {
        let mut line = Vec::new();
        header.read_until(b'\n', &mut line).map_err(unreadable)?;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if line.is_empty() && length.is_none() && header.limit() == MAX_HEADER {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(no_message("this does not begin a message; is there an editor at the other end?"));
        }
        if text.is_empty() {
            break;
        }
        if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let Some(length) = length.filter(|length| *length <= MAX_MESSAGE) else {
        return Err(no_message("a message begins with its `Content-Length`, of at most 512 MiB"));
    };
    let mut body = Vec::new();
    let read = input.take(length).read_to_end(&mut body).map_err(unreadable)?;
    if read as u64 != length {
        return Err(no_message("the last message is not complete"));
    }
    Ok(Some(body))
}

fn no_message(why: &str) -> UserError {
    UserError::at("standard input", why)
}

/// A message as the protocol writes it.
fn as_json(message: &Message) -> Result<String> {
    #[derive(serde::Serialize)]
    struct Versioned<'a> {
        jsonrpc: &'static str,
        #[serde(flatten)]
        message: &'a Message,
    }
    serde_json::to_string(&Versioned { jsonrpc: "2.0", message })
        .map_err(|error| UserError::new(format!("the answer cannot be written: {error}")))
}

/// The response to an invalid message: -32700 if it is not JSON, otherwise -32600 (JSON-RPC 2.0, section 5.1).
fn unreadable(body: &[u8], error: &serde_json::Error) -> String {
    let code = if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() { -32600 } else { -32700 };
    let error = serde_json::json!({ "code": code, "message": format!("this is not a message: {error}") });
    serde_json::json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> (String, Result<u8>) {
        let mut output = Vec::new();
        let done = serve(&mut &input[..], &mut output);
        (String::from_utf8_lossy(&output).into_owned(), done.map(|done| done.status))
    }

    fn framed(body: &str) -> String {
        format!("Content-Type: application/vscode-jsonrpc\r\ncontent-length:{}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_is_no_message_gets_an_error_and_the_next_one_its_answer() {
        let broken = framed("{oops") + &framed("[1]") + &framed(r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#);
        let (output, status) = answers(broken.as_bytes());
        assert!(output.contains("-32700") && output.contains("-32600") && output.contains("\"id\":7"), "{output}");
        assert_eq!(status, Ok(1), "the client left without a goodbye");
    }

    #[test]
    fn input_that_is_no_conversation_ends_with_an_error() {
        assert_eq!(answers(b""), (String::new(), Ok(1)));
        for input in
            ["q1 = Queue(B)\n", "Content-Length: 5\r\n\r\nabc", "Content-Length: 99999999999999\r\n\r\n", "\r\n"]
        {
            let (output, status) = answers(input.as_bytes());
            assert!(output.is_empty() && status.is_err(), "{input:?}: {output} {status:?}");
        }
        assert!(answers("x".repeat(1 << 20).as_bytes()).1.is_err());
    }
}
