//! What the proxy does with a request, step by step.

use crate::access_log::{self, AccessLog};
use crate::exchange::Exchange;
use crate::origins::Site;
use crate::settings::Caching;
use crate::store::Store;
use crate::{Manager, headers, invalidation, key, rules, status};
use arc_swap::ArcSwap;
use async_trait::async_trait;
use bytes::Bytes;
use http::header::{AGE, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, VIA};
use http::{Method, StatusCode};
use pingora_cache::eviction::EvictionManager;
use pingora_cache::key::HashBinary;
use pingora_cache::predictor::Predictor;
use pingora_cache::storage::{HitHandler, PurgeOutcome, PurgeTarget, PurgeType};
use pingora_cache::trace::Span;
use pingora_cache::{
    CacheKey, CacheMeta, CacheOptionOverrides, ForcedFreshness, NoCacheReason, RespCacheable, Storage,
};
use pingora_core::upstreams::peer::HttpPeer;
use pingora_core::{Error, ErrorSource, ErrorType, Result};
use pingora_http::{RequestHeader, ResponseHeader};
use pingora_proxy::{FailToProxy, ProxyHttp, ProxyWarnLogContext, RangeType, Session, range_header_filter};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, SystemTime};

/// The name of the proxy in `Via` and `Cache-Status`.
pub(crate) const NAME: &str = "forebay-proxy";

/// How often an origin is tried for a request, if no byte of an answer has come.
const TRIES: usize = 2;
/// Requests for so many ranges or more get the whole object, so that they cannot make much work.
const MOST_RANGES: usize = 200;
/// The method that removes an object.
const PURGE: &str = "PURGE";

/// What can change while the proxy runs.
pub(crate) struct Current {
    pub(crate) sites: Vec<Arc<Site>>,
    pub(crate) caching: Caching,
}

/// The proxy.
pub(crate) struct Proxy {
    pub(crate) current: Arc<ArcSwap<Current>>,
    pub(crate) store: &'static Store,
    pub(crate) manager: &'static Manager,
    /// Objects that cannot be stored, so that requests for them need not wait for each other.
    pub(crate) predictor: &'static Predictor<16>,
    pub(crate) active: Arc<AtomicUsize>,
    pub(crate) log: Option<Arc<AccessLog>>,
}

impl Proxy {
    fn is_purge(session: &Session) -> bool {
        session.req_header().method.as_str() == PURGE
    }

    /// Removes the object at the address of a request, all its variants included.
    async fn invalidate(&self, key: &CacheKey) {
        let compact = key.to_compact();
        let target = PurgeTarget::Active(&compact);
        let trace = Span::inactive().handle();
        if let Ok(PurgeOutcome::Purged(id)) = self.store.purge(target, PurgeType::Invalidation, &trace).await {
            self.manager.remove(target.removed_entry(id));
        }
    }

    /// Removes the objects that an answer to an unsafe request makes invalid (RFC 9111, 4.4).
    async fn invalidate_by(&self, session: &Session, answer: &ResponseHeader) {
        let request = session.req_header();
        let has_tls = access_log::has_tls(session);
        for path in invalidation::paths(request, answer, has_tls) {
            self.invalidate(&key::key(request, has_tls, &path)).await;
        }
    }

    async fn respond(session: &mut Session, code: u16, text: &str) -> Result<()> {
        let mut header = ResponseHeader::build(code, Some(4))?;
        header.insert_header(CONTENT_TYPE, "text/plain; charset=utf-8")?;
        header.insert_header(CONTENT_LENGTH, text.len())?;
        header.insert_header(http::header::CACHE_CONTROL, "no-store")?;
        let is_head = session.req_header().method == Method::HEAD;
        session.write_response_header(Box::new(header), is_head).await?;
        if !is_head {
            session.write_response_body(Some(Bytes::copy_from_slice(text.as_bytes())), true).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl ProxyHttp for Proxy {
    type CTX = Exchange;

    fn new_ctx(&self) -> Exchange {
        Exchange::begin(&self.active)
    }

    async fn request_filter(&self, session: &mut Session, exchange: &mut Exchange) -> Result<bool> {
        let current = self.current.load();
        let host = key::host(session.req_header());
        exchange.site = current.sites.iter().find(|site| site.serves(&host)).cloned();
        if exchange.site.is_none() {
            Self::respond(session, 421, "This proxy serves no site of this name.\n").await?;
            return Ok(true);
        }
        if Self::is_purge(session) {
            let from = session.client_addr().and_then(|address| address.as_inet()).map(std::net::SocketAddr::ip);
            if !from.is_some_and(|from| current.caching.purge_from.contains(&from)) {
                Self::respond(session, 403, "PURGE is not allowed from this address.\n").await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn request_cache_filter(&self, session: &mut Session, _: &mut Exchange) -> Result<()> {
        if Self::is_purge(session) || rules::may_look_up(session.req_header()) {
            let mut overrides = CacheOptionOverrides::default();
            overrides.wait_timeout = Some(self.current.load().caching.wait.0);
            let Self { store, manager, predictor, .. } = self;
            session.cache.enable(*store, Some(*manager), Some(*predictor), Some(*manager), Some(overrides));
        }
        Ok(())
    }

    fn cache_key_callback(&self, session: &Session, _: &mut Exchange) -> Result<CacheKey> {
        let request = session.req_header();
        Ok(key::key(request, access_log::has_tls(session), &key::path(request)))
    }

    fn is_purge(&self, session: &Session, _: &Exchange) -> bool {
        Self::is_purge(session)
    }

    fn cache_vary_filter(&self, meta: &CacheMeta, _: &mut Exchange, request: &RequestHeader) -> Option<HashBinary> {
        key::variance(meta, request)
    }

    fn range_header_filter(&self, session: &mut Session, answer: &mut ResponseHeader, _: &mut Exchange) -> RangeType {
        let changed = headers::for_ranges(session.req_header());
        range_header_filter(changed.as_ref().unwrap_or(session.req_header()), answer, Some(MOST_RANGES))
    }

    async fn cache_hit_filter(
        &self,
        session: &mut Session,
        meta: &CacheMeta,
        _: &mut HitHandler,
        _: bool,
        _: &mut Exchange,
    ) -> Result<Option<ForcedFreshness>> {
        let obeys = self.current.load().caching.obey_clients;
        Ok(if obeys { rules::wished(session.req_header(), meta) } else { None })
    }

    async fn proxy_upstream_filter(&self, session: &mut Session, _: &mut Exchange) -> Result<bool> {
        if rules::only_if_cached(session.req_header()) {
            if session.cache.enabled() {
                session.cache.disable(NoCacheReason::DeclinedToUpstream);
            }
            Self::respond(session, 504, "The object is not in the cache.\n").await?;
            return Ok(false);
        }
        Ok(true)
    }

    async fn upstream_peer(&self, _: &mut Session, exchange: &mut Exchange) -> Result<Box<HttpPeer>> {
        exchange.tries += 1;
        exchange.asked = Some(std::time::Instant::now());
        let peer = exchange.site.as_ref().and_then(|site| site.peer());
        let none = || Error::explain(ErrorType::ConnectNoRoute, "no origin has an address").into_up();
        peer.map(Box::new).ok_or_else(none)
    }

    async fn upstream_request_filter(
        &self,
        session: &mut Session,
        request: &mut RequestHeader,
        exchange: &mut Exchange,
    ) -> Result<()> {
        if let Some(host) = exchange.site.as_ref().and_then(|site| site.host_header()) {
            request.insert_header(HOST, host)?;
        }
        let version = if session.is_http2() { "2" } else { "1.1" };
        request.append_header(VIA, format!("{version} {NAME}"))?;
        if let Some(address) = session.client_addr().and_then(|address| address.as_inet()) {
            let ip = address.ip().to_string();
            let name = HeaderName::from_static("x-forwarded-for");
            let before = request.headers.get_all(&name).iter().filter_map(|value| value.to_str().ok());
            let all = before.chain([ip.as_str()]).collect::<Vec<_>>().join(", ");
            request.insert_header(name, all)?;
        }
        let scheme = key::scheme(access_log::has_tls(session));
        request.insert_header(HeaderName::from_static("x-forwarded-proto"), scheme)
    }

    fn response_cache_filter(
        &self,
        session: &Session,
        answer: &ResponseHeader,
        exchange: &mut Exchange,
    ) -> Result<RespCacheable> {
        if answer.status.is_server_error() && !answer.headers.contains_key(http::header::CACHE_CONTROL) {
            return Ok(RespCacheable::Uncacheable(NoCacheReason::UpstreamError));
        }
        let renewed = exchange.renewing.take().map(|by| headers::renewed(answer, &by)).transpose()?;
        let stored = renewed.as_ref().unwrap_or(answer);
        let meta = match rules::store(session.req_header(), stored, &self.current.load().caching) {
            RespCacheable::Cacheable(meta) => meta,
            no => return Ok(no),
        };
        if renewed.is_some() {
            // Its body is there already.
            return Ok(RespCacheable::Cacheable(meta));
        }
        let length = answer.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let length = if answer.status == StatusCode::NO_CONTENT { Some(0) } else { length };
        if length.is_some_and(|length: u64| length > self.store.largest()) {
            return Ok(RespCacheable::Uncacheable(NoCacheReason::ResponseTooLarge));
        }
        exchange.reservation = self.store.reserve(length);
        Ok(match exchange.reservation {
            Some(_) => RespCacheable::Cacheable(meta),
            // There is no room for it beside the others on their way. The next request for it may find room.
            None => RespCacheable::Uncacheable(NoCacheReason::Deferred),
        })
    }

    async fn upstream_response_filter(
        &self,
        session: &mut Session,
        answer: &mut ResponseHeader,
        exchange: &mut Exchange,
    ) -> Result<()> {
        headers::remove_those_of_the_connection(answer);
        exchange.renewing = (answer.status == StatusCode::NOT_MODIFIED).then(|| answer.headers.clone());
        let succeeded = answer.status.is_success() || answer.status.is_redirection();
        if succeeded && rules::is_unsafe(&session.req_header().method) {
            self.invalidate_by(session, answer).await;
        }
        Ok(())
    }

    fn upstream_response_body_filter(
        &self,
        session: &mut Session,
        body: &mut Option<Bytes>,
        end: bool,
        exchange: &mut Exchange,
    ) -> Result<Option<Duration>> {
        exchange.length += body.as_ref().map_or(0, |body| body.len() as u64);
        let length = exchange.length;
        if session.cache.enabled() && exchange.reservation.as_mut().is_some_and(|room| !room.cover(length)) {
            // Its length was not stated. Those that wait for it are told at once.
            let is_too_long = length > self.store.largest();
            let reason = if is_too_long { NoCacheReason::ResponseTooLarge } else { NoCacheReason::Deferred };
            session.cache.response_became_uncacheable(reason);
            session.cache.disable(reason);
            exchange.reservation = None;
        }
        if end {
            exchange.answered = exchange.asked.map(|asked| asked.elapsed());
        }
        Ok(None)
    }

    async fn response_filter(
        &self,
        session: &mut Session,
        answer: &mut ResponseHeader,
        _: &mut Exchange,
    ) -> Result<()> {
        answer.append_header(VIA, format!("1.1 {NAME}"))?;
        answer.insert_header(HeaderName::from_static("cache-status"), status::cache_status(&session.cache))?;
        if let Some(meta) = session.cache.maybe_cache_meta()
            && status::is_stored(&session.cache)
        {
            answer.insert_header(AGE, rules::age(meta).as_secs())?;
            return Ok(());
        }
        // Pingora replaces `Date` by the present, so `Age` has to say how old the answer is (RFC 9111, 4.2.3).
        let age = rules::initial_age(&answer.headers, SystemTime::now()).as_secs();
        if age > 0 {
            answer.insert_header(AGE, age)?;
        }
        Ok(())
    }

    fn should_serve_stale(&self, session: &mut Session, _: &mut Exchange, error: Option<&Error>) -> bool {
        let allowed = session.cache.maybe_cache_meta().is_none_or(|meta| !rules::must_validate(meta));
        allowed && error.is_none_or(|error| *error.esource() == ErrorSource::Upstream)
    }

    fn fail_to_connect(
        &self,
        _: &mut Session,
        _: &HttpPeer,
        exchange: &mut Exchange,
        mut error: Box<Error>,
    ) -> Box<Error> {
        // Nothing was sent: another origin may answer.
        error.set_retry(exchange.tries < TRIES);
        error
    }

    async fn fail_to_proxy(&self, session: &mut Session, error: &Error, _: &mut Exchange) -> FailToProxy {
        let is_late = matches!(
            error.etype(),
            ErrorType::ConnectTimedout
                | ErrorType::ReadTimedout
                | ErrorType::WriteTimedout
                | ErrorType::TLSHandshakeTimedout
        );
        let (code, text) = match (error.etype(), error.esource()) {
            (ErrorType::HTTPStatus(code), _) => (*code, "The request failed.\n"),
            (_, ErrorSource::Upstream) if is_late => (504, "The origin server did not answer in time.\n"),
            (_, ErrorSource::Upstream) => (502, "The origin server did not answer as it should.\n"),
            (ErrorType::WriteError | ErrorType::ReadError | ErrorType::ConnectionClosed, ErrorSource::Downstream) => {
                (0, "")
            }
            (_, ErrorSource::Downstream) => (400, "The request is not valid.\n"),
            (_, ErrorSource::Internal | ErrorSource::Unset) => (500, "The proxy failed.\n"),
        };
        // After the first bytes of an answer, only the end of the connection can say that something is missing.
        if code > 0 && session.response_written().is_none() {
            let sent = Self::respond(session, code, text).await;
            if let Err(error) = sent {
                log::debug!("the client did not take the error: {error}");
            }
        }
        FailToProxy { error_code: code, can_reuse_downstream: false }
    }

    fn suppress_error_log(&self, _: &Session, _: &Exchange, _: &Error) -> bool {
        // The access log has it.
        true
    }

    fn suppress_proxy_warn_log(&self, _: &Session, _: &Exchange, _: &Error, _: ProxyWarnLogContext) -> bool {
        true
    }

    async fn logging(&self, session: &mut Session, _: Option<&Error>, exchange: &mut Exchange) {
        if let Some(log) = &self.log {
            log.write(access_log::line(session, exchange));
        }
    }
}
