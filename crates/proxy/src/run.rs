//! Starting, running and ending a proxy.

use crate::access_log::AccessLog;
use crate::admin::Admin;
use crate::failure::StartError;
use crate::manager::Manager;
use crate::origins::Site;
use crate::service::{Current, Proxy};
use crate::settings::{Listen, Settings, Site as SiteSettings};
use crate::store::{Kept, Store};
use arc_swap::ArcSwap;
use async_trait::async_trait;
use forebay_clock::MonotonicClock;
use pingora_cache::eviction::{CacheEntryKey, EvictionManager};
use pingora_cache::predictor::Predictor;
use pingora_core::apps::HttpServerOptions;
use pingora_core::listeners::tls::TlsSettings;
use pingora_core::server::configuration::ServerConf;
use pingora_core::server::{ExecutionPhase, RunArgs, Server, ShutdownWatch};
use pingora_core::services::background::{BackgroundService, background_service};
use pingora_core::services::listening::Service;
use pingora_proxy::http_proxy_service_with_name;
use std::collections::HashMap;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

/// How many objects that cannot be stored each of the 16 parts of the predictor remembers.
const UNCACHEABLE: usize = 4096;
/// How often the end of the last request is looked for when the proxy stops.
const LOOK: Duration = Duration::from_millis(20);

/// A proxy that is ready to run.
pub struct Running {
    settings: Settings,
    server: Server,
    parts: Parts,
}

/// What the services share.
#[derive(Clone)]
struct Parts {
    current: Arc<ArcSwap<Current>>,
    store: &'static Store,
    manager: &'static Manager,
    active: Arc<AtomicUsize>,
    log: Option<Arc<AccessLog>>,
    folder: Option<PathBuf>,
}

impl Running {
    /// Prepares a proxy: opens its storage and log, and checks that it can listen. `config` is read again on SIGHUP.
    ///
    /// # Errors
    /// If a setting cannot be, a file cannot be used, or another program listens at an address.
    pub fn prepare(settings: Settings, config: Option<PathBuf>) -> Result<Self, StartError> {
        settings.check()?;
        let addresses = settings.listen.iter().map(Listen::address).chain(settings.admin.as_deref());
        addresses.clone().try_for_each(can_listen)?;
        let parts = Parts::new(&settings)?;
        let threads = settings.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
        let server_settings = ServerConf {
            threads,
            grace_period_seconds: Some(settings.grace.0.as_secs().max(1)),
            graceful_shutdown_timeout_seconds: Some(1),
            ..ServerConf::default()
        };
        let mut server = Server::new_with_opt_and_conf(None, server_settings);
        server.bootstrap();
        server.add_service(parts.proxy(&settings, &server)?);
        if let Some(address) = &settings.admin {
            let mut admin = Service::new("admin".to_owned(), parts.admin());
            admin.threads = Some(1);
            admin.add_tcp(address);
            server.add_service(admin);
        }
        let upkeep = Upkeep { parts: parts.clone(), config, started: settings.clone() };
        server.add_service(background_service("upkeep", upkeep));
        Ok(Self { settings, server, parts })
    }

    /// One line that says what runs.
    #[must_use]
    pub fn summary(&self) -> String {
        let Settings { listen, policy, storage, sites, .. } = &self.settings;
        let listen = listen.iter().map(Listen::address).collect::<Vec<_>>().join(", ");
        let origins = sites.iter().flat_map(|site| &site.origins).map(String::as_str).collect::<Vec<_>>().join(", ");
        let place =
            storage.folder.as_ref().map_or_else(|| "in memory".to_owned(), |folder| format!("in {}", folder.display()));
        let kept = self.parts.manager.total_items();
        let kept = if kept == 0 { String::new() } else { format!(", {kept} objects from before") };
        format!("{listen} -> {origins}, {policy}, {} bytes {place}{kept}", storage.size.0)
    }

    /// Runs until a signal ends it: SIGTERM after the requests that are being answered, SIGINT at once.
    pub fn run(self) {
        let Self { settings, server, parts } = self;
        let mut phases = server.watch_execution_phase();
        let grace = settings.grace.0;
        let closing = parts.clone();
        std::thread::spawn(move || {
            while let Ok(phase) = phases.blocking_recv() {
                if matches!(phase, ExecutionPhase::ShutdownGracePeriod) {
                    let end = Instant::now() + grace;
                    while closing.active.load(Ordering::Acquire) > 0 && Instant::now() < end {
                        std::thread::sleep(LOOK);
                    }
                    closing.close();
                    std::process::exit(0);
                }
            }
        });
        server.run(RunArgs::default());
        parts.close();
    }
}

impl Listen {
    /// The address without anything else.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Plain(address) => address,
            Self::Tls(listen) => &listen.address,
        }
    }
}

impl Parts {
    fn new(settings: &Settings) -> Result<Self, StartError> {
        let storage = &settings.storage;
        let (largest, on_the_way) = (storage.largest(), storage.on_their_way());
        let clock = Box::new(MonotonicClock::start());
        let manager = Manager::with(&settings.policy, storage.size.0, largest, settings.caching.lock_age.0, clock)?;
        let (store, kept) = match &storage.folder {
            None => (Store::in_memory(largest, on_the_way), Vec::new()),
            Some(folder) => Store::in_folder(folder, largest, on_the_way)?,
        };
        put_back(&manager, &store, kept, storage.folder.as_deref());
        let log = settings.log.as_deref().map(AccessLog::open).transpose()?.map(Arc::new);
        let current = Arc::new(ArcSwap::from_pointee(Current::new(settings)?));
        // Pingora wants them for ever.
        let (manager, store) = (Box::leak(Box::new(manager)), Box::leak(Box::new(store)));
        Ok(Self { current, store, manager, active: Arc::default(), log, folder: storage.folder.clone() })
    }

    fn proxy(
        &self,
        settings: &Settings,
        server: &Server,
    ) -> Result<Service<pingora_proxy::HttpProxy<Proxy>>, StartError> {
        let predictor = Box::leak(Box::new(Predictor::new(UNCACHEABLE, None)));
        let Self { current, store, manager, active, log, .. } = self.clone();
        let proxy = Proxy { current, store, manager, predictor, active, log };
        let mut service = http_proxy_service_with_name(&server.configuration, proxy, "proxy");
        if let Some(logic) = service.app_logic_mut() {
            let mut options = HttpServerOptions::default();
            options.h2c = true;
            logic.server_options = Some(options);
        }
        for listen in &settings.listen {
            match listen {
                Listen::Plain(address) => service.add_tcp(address),
                Listen::Tls(listen) => {
                    for path in [&listen.certificate, &listen.key] {
                        std::fs::File::open(path).map_err(|error| StartError::File {
                            path: path.clone(),
                            error,
                            fix: "give a PEM file that this user may read, in `listen`",
                        })?;
                    }
                    let (certificate, key) = (listen.certificate.to_string_lossy(), listen.key.to_string_lossy());
                    let mut tls = TlsSettings::intermediate(&certificate, &key)
                        .map_err(|error| StartError::Settings(format!("certificate of {}: {error}", listen.address)))?;
                    tls.enable_h2();
                    service.add_tls_with_settings(&listen.address, None, tls);
                }
            }
        }
        Ok(service)
    }

    fn admin(&self) -> Admin {
        let Self { current, store, manager, active, log, .. } = self.clone();
        Admin { current, manager, store, active, log }
    }

    /// Writes everything that the next run may use.
    fn close(&self) {
        if let Some(log) = &self.log {
            log.flush();
        }
        if let Some(folder) = &self.folder {
            let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string());
            let saved = runtime.and_then(|runtime| {
                runtime.block_on(self.manager.save(&folder.to_string_lossy())).map_err(|error| error.to_string())
            });
            if let Err(error) = saved {
                log::warn!("{error}; the next run starts with the objects in any order");
            }
            self.store.close();
        }
    }
}

/// Takes over the answers of an earlier run: in the order in which they were requested last, if it was saved.
fn put_back(manager: &Manager, store: &Store, kept: Vec<Kept>, folder: Option<&Path>) {
    let order: HashMap<CacheEntryKey, usize> = folder
        .map(|folder| {
            Manager::saved_order(folder).into_iter().enumerate().map(|(place, entry)| (entry, place)).collect()
        })
        .unwrap_or_default();
    let mut kept = kept;
    kept.sort_by_cached_key(|kept| order.get(&kept.entry).copied());
    // Those requested last are the first to get room.
    let mut room = manager.room();
    let mut fits: Vec<Kept> = Vec::new();
    for kept in kept.into_iter().rev() {
        if kept.size() <= room {
            room -= kept.size();
            fits.push(kept);
        } else {
            store.discard(&kept);
        }
    }
    fits.reverse();
    let gone = manager.restore(fits.iter().map(|kept| (kept.entry.clone(), kept.size())));
    for kept in fits {
        if gone.contains(&kept.entry) {
            store.discard(&kept);
        } else {
            store.put_back(kept);
        }
    }
}

impl Current {
    fn new(settings: &Settings) -> Result<Self, StartError> {
        let site = |site: &SiteSettings| Site::new(site.clone()).map(Arc::new);
        let sites = settings.sites.iter().map(site).collect::<Result<_, _>>()?;
        Ok(Self { sites, caching: settings.caching.clone() })
    }
}

/// Whether an address can be listened at.
fn can_listen(address: &str) -> Result<(), StartError> {
    let wrong = |error: String| StartError::Settings(format!("cannot listen at {address}: {error}"));
    let mut found =
        address.to_socket_addrs().map_err(|error| wrong(format!("{error}; write it like 127.0.0.1:8080")))?;
    let address = found.next().ok_or_else(|| wrong("it has no address".to_owned()))?;
    if address.port() == 0 {
        return Err(wrong("port 0 is no port that clients could know; choose another".to_owned()));
    }
    TcpListener::bind(address)
        .map(drop)
        .map_err(|error| wrong(format!("{error}; choose another address or stop who uses it")))
}

/// Looks after the origins, and reads the settings again on SIGHUP.
struct Upkeep {
    parts: Parts,
    config: Option<PathBuf>,
    started: Settings,
}

#[async_trait]
impl BackgroundService for Upkeep {
    async fn start(&self, mut shutdown: ShutdownWatch) {
        let Ok(mut hangups) = signal(SignalKind::hangup()) else { return };
        let mut due: Vec<Instant> = Vec::new();
        let mut sites: Vec<Arc<Site>> = Vec::new();
        loop {
            let current = self.parts.current.load_full();
            if sites.len() != current.sites.len() || sites.iter().zip(&current.sites).any(|(a, b)| !Arc::ptr_eq(a, b)) {
                sites.clone_from(&current.sites);
                due = vec![Instant::now(); sites.len()];
            }
            let now = Instant::now();
            for (site, due) in sites.iter().zip(&mut due) {
                if *due <= now {
                    site.check().await;
                    *due = Instant::now() + site.interval();
                }
            }
            let next =
                due.iter().min().map_or(Duration::from_secs(1), |due| due.saturating_duration_since(Instant::now()));
            tokio::select! {
                () = tokio::time::sleep(next) => {}
                _ = hangups.recv() => self.reload().await,
                _ = shutdown.changed() => return,
            }
        }
    }
}

impl Upkeep {
    /// Takes over new sites and caching rules. Settings with an error change nothing.
    async fn reload(&self) {
        if let Some(log) = &self.parts.log {
            log.reopen();
        }
        let Some(config) = &self.config else {
            log::warn!("SIGHUP: there is no configuration file to read; only the log was opened again");
            return;
        };
        let read = Settings::read(config).and_then(|settings| {
            settings.check()?;
            Ok((Current::new(&settings)?, settings))
        });
        match read {
            Err(error) => log::error!("{error}; the settings stay as they were"),
            Ok((current, settings)) => {
                // Looked up before the first request comes.
                for site in &current.sites {
                    site.check().await;
                }
                self.parts.current.store(Arc::new(current));
                if !self.started.same_process(&settings) {
                    log::warn!(
                        "{}: a change of listen, admin, policy, threads, log, grace or [storage] needs a restart",
                        config.display()
                    );
                }
                log::warn!("{}: read again", config.display());
            }
        }
    }
}
