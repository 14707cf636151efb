//! Sites: which origin server answers a request.

use crate::failure::StartError;
use crate::settings;
use async_trait::async_trait;
use http::{Extensions, Uri};
use pingora_core::protocols::l4::socket::SocketAddr;
use pingora_core::upstreams::peer::{ALPN, HttpPeer};
use pingora_core::{ErrorType, OrErr, Result};
use pingora_load_balancing::discovery::ServiceDiscovery;
use pingora_load_balancing::health_check::{HealthCheck, HealthObserve, HttpHealthCheck, TcpHealthCheck};
use pingora_load_balancing::selection::RoundRobin;
use pingora_load_balancing::{Backend, Backends, LoadBalancer};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// How many origins are looked at to find one that works.
const TRIES: usize = 64;
/// How many requests share a connection to an origin with HTTP/2 at most.
const STREAMS: usize = 100;

/// A group of origins for some hosts.
pub(crate) struct Site {
    settings: settings::Site,
    balancer: LoadBalancer<RoundRobin>,
    has_tls: bool,
    server_name: String,
}

/// The address of an origin, as the settings state it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    host: String,
    port: u16,
    has_tls: bool,
}

/// Looks up the addresses of origins, time and again.
struct Names(Vec<Origin>);

#[async_trait]
impl ServiceDiscovery for Names {
    async fn discover(&self) -> Result<(BTreeSet<Backend>, HashMap<u64, bool>)> {
        let mut backends = BTreeSet::new();
        for Origin { host, port, .. } in &self.0 {
            let found = tokio::net::lookup_host((host.as_str(), *port)).await;
            let found = found.or_err_with(ErrorType::ConnectNoRoute, || format!("no address for origin {host}"))?;
            backends.extend(found.map(|address| Backend {
                addr: SocketAddr::Inet(address),
                weight: 1,
                ext: Extensions::new(),
            }));
        }
        Ok((backends, HashMap::new()))
    }
}

/// Says in the log when an origin stops to answer, and when it answers again.
struct Tell;

#[async_trait]
impl HealthObserve for Tell {
    async fn observe(&self, origin: &Backend, answers: bool) {
        let how = if answers { "answers" } else { "does not answer" };
        log::warn!("origin {} {how}", origin.addr);
    }
}

impl Origin {
    fn parse(text: &str) -> Result<Self, StartError> {
        let wrong = |what: &str| {
            StartError::Settings(format!("origin `{text}` {what}; write it as http://HOST:PORT or https://HOST:PORT"))
        };
        let uri: Uri = text.parse().map_err(|_| wrong("is no address"))?;
        let has_tls = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(wrong("has no scheme")),
        };
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| wrong("has no host"))?;
        if uri.path_and_query().is_some_and(|path| path.as_str() != "/") {
            return Err(wrong("has a path, which is not supported"));
        }
        let after_host =
            uri.authority().and_then(|authority| authority.as_str().rsplit_once(host)).map(|(_, rest)| rest);
        let port = match after_host.and_then(|rest| rest.strip_prefix(':')) {
            Some(port) => {
                port.parse().ok().filter(|port| *port > 0).ok_or_else(|| wrong("has no port between 1 and 65535"))?
            }
            None if has_tls => 443,
            None => 80,
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port, has_tls })
    }
}

impl Site {
    pub(crate) fn new(settings: settings::Site) -> Result<Self, StartError> {
        let origins = settings.origins.iter().map(|text| Origin::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = origins.first() else {
            return Err(StartError::Settings("a [[site]] has no `origins`".into()));
        };
        let (has_tls, server_name) = (first.has_tls, first.host.clone());
        if origins.iter().any(|origin| origin.has_tls != has_tls) {
            let text = "the origins of a [[site]] are partly http and partly https; give each kind a site of its own";
            return Err(StartError::Settings(text.into()));
        }
        let check = health_check(&settings, &server_name, has_tls)?;
        let mut balancer = LoadBalancer::from_backends(Backends::new(Box::new(Names(origins))));
        balancer.set_health_check(check);
        Ok(Self { settings, balancer, has_tls, server_name })
    }

    /// Whether it serves a host, given in lower case and without port.
    pub(crate) fn serves(&self, host: &str) -> bool {
        self.settings.hosts.is_empty() || self.settings.hosts.iter().any(|pattern| fits(pattern, host))
    }

    /// The `Host` that its origins get, if it is not that of the request.
    pub(crate) fn host_header(&self) -> Option<&str> {
        self.settings.host_header.as_deref()
    }

    /// An origin for the next request: one that works, or else any.
    pub(crate) fn peer(&self) -> Option<HttpPeer> {
        let backend =
            self.balancer.select(b"", TRIES).or_else(|| self.balancer.select_with(b"", TRIES, |_, _| true))?;
        let mut peer = HttpPeer::new(backend, self.has_tls, self.server_name.clone());
        let options = &mut peer.options;
        options.connection_timeout = Some(self.settings.connect_timeout.0);
        options.total_connection_timeout = Some(self.settings.connect_timeout.0);
        options.read_timeout = Some(self.settings.read_timeout.0);
        options.write_timeout = Some(self.settings.read_timeout.0);
        options.idle_timeout = Some(Duration::from_secs(60));
        options.verify_cert = !self.settings.accept_any_certificate;
        options.verify_hostname = !self.settings.accept_any_certificate;
        options.max_h2_streams = STREAMS;
        options.alpn = if self.has_tls { ALPN::H2H1 } else { ALPN::H1 };
        Some(peer)
    }

    /// How often it is to be checked.
    pub(crate) fn interval(&self) -> Duration {
        self.settings.health_interval.0
    }

    /// Looks up its addresses, and tries whether they answer.
    pub(crate) async fn check(&self) {
        if let Err(error) = self.balancer.update().await {
            log::warn!("{error}");
        }
        self.balancer.backends().run_health_check(true).await;
    }

    /// The origins, and whether they answer.
    pub(crate) fn health(&self) -> Vec<(String, bool)> {
        let backends = self.balancer.backends();
        let all = backends.get_backend();
        all.iter().map(|backend| (backend.addr.to_string(), backends.ready(backend))).collect()
    }
}

fn health_check(
    settings: &settings::Site,
    server_name: &str,
    has_tls: bool,
) -> Result<Box<dyn HealthCheck + Send + Sync>, StartError> {
    let Some(path) = &settings.health_path else {
        let mut check = if has_tls { TcpHealthCheck::new_tls(server_name) } else { TcpHealthCheck::new() };
        check.health_changed_callback = Some(Box::new(Tell));
        check.peer_template.options.connection_timeout = Some(settings.connect_timeout.0);
        check.peer_template.options.verify_cert = !settings.accept_any_certificate;
        check.peer_template.options.verify_hostname = !settings.accept_any_certificate;
        return Ok(check);
    };
    let host = settings.host_header.as_deref().unwrap_or(server_name);
    let mut check = HttpHealthCheck::new(host, has_tls);
    let uri = path.parse().ok().filter(|_| path.starts_with('/'));
    let wrong =
        || StartError::Settings(format!("`health-path` is `{path}`; it must be a path, for example \"/health\""));
    check.req.set_uri(uri.ok_or_else(wrong)?);
    check.health_changed_callback = Some(Box::new(Tell));
    server_name.clone_into(&mut check.peer_template.sni);
    let options = &mut check.peer_template.options;
    options.connection_timeout = Some(settings.connect_timeout.0);
    options.read_timeout = Some(settings.read_timeout.0);
    options.verify_cert = !settings.accept_any_certificate;
    options.verify_hostname = !settings.accept_any_certificate;
    Ok(Box::new(check))
}

/// Whether a host fits a pattern: the same, or below `*.`.
fn fits(pattern: &str, host: &str) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    match pattern.strip_prefix('*') {
        Some(end) => host.len() > end.len() && host.ends_with(end),
        None => pattern == host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_fit_themselves_and_stars_all_below() {
        assert!(fits("Example.org", "example.org") && !fits("example.org", "www.example.org"));
        assert!(fits("*.example.org", "www.example.org") && fits("*.example.org", "a.b.example.org"));
        assert!(!fits("*.example.org", "example.org") && !fits("*.example.org", "badexample.org"));
    }

    #[test]
    fn an_origin_is_an_address_and_nothing_else() {
        let origin = |text| Origin::parse(text).map(|origin| (origin.host, origin.port, origin.has_tls));
        assert_eq!(origin("http://a:81").unwrap(), ("a".into(), 81, false));
        assert_eq!(origin("https://a").unwrap(), ("a".into(), 443, true));
        assert_eq!(origin("http://[::1]:81/").unwrap(), ("::1".into(), 81, false));
        for wrong in ["a:81", "ftp://a", "http://", "http://a/b", "http://a:99999", "127.0.0.1:80", ""] {
            assert!(Origin::parse(wrong).is_err(), "{wrong}");
        }
    }
}
