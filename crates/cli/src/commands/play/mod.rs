//! `forebay play`: the playground on this machine, with the native library behind it.

mod api;
mod fragment;
mod opened;
mod pages;
mod server;

use crate::args::PlayArgs;
use crate::{Done, interrupt};
use api::Api;
use forebay::error::{Result, UserError};
use opened::OpenedFiles;
use pages::Pages;
use std::io::Write as _;

pub(crate) fn run(args: &PlayArgs) -> Result<Done> {
    let pages = Pages::find(args.pages.as_deref())?;
    let opened = OpenedFiles::open(&args.files)?;
    let server = tiny_http::Server::http(("127.0.0.1", args.port)).map_err(|error| {
        let message =
            format!("127.0.0.1:{} cannot be used: {error}; give another port, or 0 for a free one", args.port);
        UserError::argument("port", message)
    })?;
    let port = server.server_addr().to_ip().map_or(args.port, |address| address.port());
    interrupt::watch();
    // If nobody reads standard output, the pages are served all the same.
    let _ = writeln!(std::io::stdout(), "http://127.0.0.1:{port}/{}\nCtrl-C ends it.", opened.fragment());
    let pages = pages.with_files(&opened.traces());
    server::serve(&server, port, &pages, &Api::new(opened));
    Ok(Done { text: String::new(), status: 0 })
}
