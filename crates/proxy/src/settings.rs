//! The settings of a proxy, as its configuration file states them.

mod check;
mod quantity;

pub use quantity::{Size, Time};

use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// The settings of a proxy. Every one has a default, except the origin.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// Where clients connect.
    pub listen: Vec<Listen>,
    /// The address of the page for operators: /metrics (OpenMetrics), /health, and POST /purge-all. None by default.
    pub admin: Option<String>,
    /// The policy that chooses which objects leave, as on forebay's command line.
    pub policy: String,
    /// Threads that serve requests. Default: one for each processor.
    pub threads: Option<usize>,
    /// The file of the access log; `-` is standard output. None by default.
    pub log: Option<PathBuf>,
    /// How long requests that are being answered may take when the proxy is told to stop.
    pub grace: Time,
    /// What is stored, and where.
    pub storage: Storage,
    /// What is cached, and for how long.
    pub caching: Caching,
    /// The groups of origin servers. The first whose `hosts` fit the request serves it.
    #[serde(rename = "site")]
    pub sites: Vec<Site>,
}

/// An address at which the proxy listens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Listen {
    /// HTTP, for example "127.0.0.1:8080".
    Plain(String),
    /// HTTPS.
    Tls(TlsListen),
}

/// An address for HTTPS.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TlsListen {
    /// For example "0.0.0.0:8443".
    pub address: String,
    /// The file of the certificate and its chain, PEM.
    pub certificate: PathBuf,
    /// The file of its key, PEM.
    pub key: PathBuf,
}

/// What is stored, and where.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Storage {
    /// The sum of the sizes of all stored answers.
    pub size: Size,
    /// The folder for stored answers. They are in memory by default.
    pub folder: Option<PathBuf>,
    /// The longest body that is stored. Longer ones are passed on. Default: an eighth of `size`, at most 1 GB.
    pub largest: Option<Size>,
    /// How much bodies on their way into the store may take beside the stored ones. Answers beyond it are passed on.
    /// Default: an eighth of `size`, and room for one body at least.
    pub on_their_way: Option<Size>,
}

/// What is cached, and for how long.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Caching {
    /// How long an answer without any statement of its own is fresh, if its status may be cached. None by default: then
    /// a tenth of the time since `Last-Modified`, at most a day (RFC 9111, 4.2.2).
    pub default_lifetime: Option<Time>,
    /// How long a stale answer may be served while it is fetched anew, if the origin says nothing.
    pub stale_while_revalidate: Time,
    /// How long a stale answer may be served when the origin fails, if the origin says nothing.
    pub stale_if_error: Time,
    /// Whether `Cache-Control` of requests counts: `no-cache`, `max-age` and others. If not, clients cannot force a
    /// fetch.
    pub obey_clients: bool,
    /// How long a request waits for another that fetches the same object. It then asks the origin itself.
    pub wait: Time,
    /// After how long another request may fetch the same object at the same time.
    pub lock_age: Time,
    /// From which addresses the method PURGE is allowed.
    pub purge_from: Vec<std::net::IpAddr>,
}

/// A group of origin servers for some hosts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Site {
    /// The hosts that it serves, without port; `*.example.org` is all below. Empty: every host.
    pub hosts: Vec<String>,
    /// Its servers, for example "http://127.0.0.1:9000" or "https://origin.example.org". All have the same content;
    /// requests go to one after another.
    pub origins: Vec<String>,
    /// The `Host` that origins get. Default: that of the request.
    pub host_header: Option<String>,
    /// The path of a health check, for example "/health": an origin that answers with 200 gets requests. Default: that
    /// it takes a connection is enough.
    pub health_path: Option<String>,
    /// How often each origin is checked.
    pub health_interval: Time,
    /// How long a connection to an origin may take.
    pub connect_timeout: Time,
    /// How long an origin may send nothing.
    pub read_timeout: Time,
    /// Whether certificates of origins with https are not checked.
    pub accept_any_certificate: bool,
}
