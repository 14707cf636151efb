//! Requests of the page, each in a thread of its own.

use super::api::Api;
use super::pages::Pages;
use crate::interrupt;
use percent_encoding::percent_decode_str;
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// Time between two checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(200);

/// Serves until Ctrl-C.
pub(super) fn serve(server: &Server, port: u16, pages: &Pages, api: &Api) {
    thread::scope(|scope| {
        while !interrupt::requested() {
            if let Ok(Some(request)) = server.recv_timeout(LOOK) {
                scope.spawn(move || answer(request, port, pages, api));
            }
        }
        api.cancel();
    });
}

/// A response: status, content type and content.
type Reply = (u16, &'static str, Vec<u8>);

fn answer(mut request: Request, port: u16, pages: &Pages, api: &Api) {
    let (status, kind, content) = if is_own(&request, port) {
        reply(&mut request, pages, api)
    } else {
        (403, "text/plain", b"only pages of this server may send requests".to_vec())
    };
    let mut response = Response::from_data(content).with_status_code(status);
    for (name, value) in [("Content-Type", kind), ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff")]
    {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // A page that was closed does not read the response.
    let _ = request.respond(response);
}

/// Whether the request comes from a page of this server. Another site could point its own name to this address.
fn is_own(request: &Request, port: u16) -> bool {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let header = |name: &'static str| {
        let header = request.headers().iter().find(|header| header.field.equiv(name));
        header.map(|header| header.value.as_str().to_owned())
    };
    let host = header("Host").is_some_and(|host| hosts.contains(&host));
    let origin = header("Origin").is_none_or(|origin| hosts.iter().any(|host| origin == format!("http://{host}")));
    host && origin
}

fn reply(request: &mut Request, pages: &Pages, api: &Api) -> Reply {
    let path = request.url().split(['?', '#']).next().unwrap_or_default().to_owned();
    let json = |text: String| (200, "application/json", text.into_bytes());
    match (request.method(), path.as_str()) {
        (Method::Get, "/api/progress") => json(api.progress()),
        (Method::Post, "/api/cancel") => {
            api.cancel();
            json("{}".to_owned())
        }
        (Method::Post, "/api/ask") => match body(request) {
            Ok(question) => json(api.ask(&String::from_utf8_lossy(&question))),
            Err(error) => (400, "text/plain", error.into_bytes()),
        },
        (Method::Put, path) if path.starts_with("/api/files/") => match body(request) {
            Ok(content) => {
                let name = percent_decode_str(&path["/api/files/".len()..]).decode_utf8_lossy();
                api.put(&name, &content);
                json("{}".to_owned())
            }
            Err(error) => (400, "text/plain", error.into_bytes()),
        },
        (Method::Get, path) => match pages.page(path) {
            Some((content, kind)) => (200, kind, content),
            None => (404, "text/plain", b"there is no such page".to_vec()),
        },
        _ => (405, "text/plain", b"this request is not supported".to_vec()),
    }
}

fn body(request: &mut Request) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    match request.as_reader().read_to_end(&mut body) {
        Ok(_) => Ok(body),
        Err(error) => Err(format!("the request cannot be read: {error}")),
    }
}
