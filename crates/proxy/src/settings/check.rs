//! Defaults, reading, and what values may be together.

use super::{Caching, Listen, Settings, Site, Size, Storage, Time};
use crate::failure::StartError;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;

/// The policy if none is chosen.
const POLICY: &str = "lru-mad(sample=64)";
/// The share of the storage that the largest body may take, and that bodies on their way may take beside it.
const PART: u64 = 8;
/// The longest body that is stored by default.
const LARGEST: u64 = 1 << 30;

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: vec![Listen::Plain("127.0.0.1:8080".into())],
            admin: None,
            policy: POLICY.into(),
            threads: None,
            log: None,
            grace: Time::seconds(10),
            storage: Storage::default(),
            caching: Caching::default(),
            sites: Vec::new(),
        }
    }
}

impl Default for Storage {
    fn default() -> Self {
        Self { size: Size(256 << 20), folder: None, largest: None, on_their_way: None }
    }
}

impl Default for Caching {
    fn default() -> Self {
        Self {
            default_lifetime: None,
            stale_while_revalidate: Time::seconds(0),
            stale_if_error: Time::seconds(0),
            obey_clients: true,
            wait: Time::seconds(5),
            lock_age: Time::seconds(60),
            purge_from: vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)],
        }
    }
}

impl Default for Site {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            host_header: None,
            health_path: None,
            health_interval: Time::seconds(5),
            connect_timeout: Time::seconds(5),
            read_timeout: Time::seconds(60),
            accept_any_certificate: false,
        }
    }
}

impl Storage {
    /// The longest body that is stored.
    pub(crate) fn largest(&self) -> u64 {
        self.largest.map_or((self.size.0 / PART).min(LARGEST), |size| size.0)
    }

    /// How much bodies on their way may take.
    pub(crate) fn on_their_way(&self) -> u64 {
        self.on_their_way.map_or((self.size.0 / PART).max(self.largest()), |size| size.0)
    }
}

impl Settings {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is no TOML, or has an unknown name or a value that cannot be; with the line.
    pub fn read(path: &Path) -> Result<Self, StartError> {
        let text = fs::read_to_string(path).map_err(|error| StartError::File {
            path: path.to_owned(),
            error,
            fix: "give the path of a configuration file, or leave out --config",
        })?;
        toml::from_str(&text)
            .map_err(|error| StartError::Settings(format!("{}: {}", path.display(), error.to_string().trim_end())))
    }

    /// Checks what single values cannot show.
    ///
    /// # Errors
    /// If there is no origin, or values contradict each other; with what to change.
    pub fn check(&self) -> Result<(), StartError> {
        match self.wrong() {
            Some(text) => Err(StartError::Settings(text)),
            None => Ok(()),
        }
    }

    fn wrong(&self) -> Option<String> {
        let Self { listen, threads, storage, sites, .. } = self;
        if sites.is_empty() {
            return Some(
                "no origin server: give --origin http://HOST:PORT, or [[site]] with `origins` in a file".into(),
            );
        }
        if listen.is_empty() {
            return Some("`listen` is empty: name at least one address, for example \"127.0.0.1:8080\"".into());
        }
        if *threads == Some(0) {
            return Some("`threads` is 0: at least one thread must serve requests".into());
        }
        if storage.size.0 == 0 {
            return Some("`size` in [storage] is 0: nothing could be stored".into());
        }
        if storage.largest() > storage.size.0 {
            return Some("`largest` in [storage] is above `size`: such a body never fits".into());
        }
        if storage.on_their_way() < storage.largest() {
            return Some("`on-their-way` in [storage] is below `largest`: such a body never fits".into());
        }
        sites.iter().enumerate().find_map(|(index, site)| {
            let times = [site.health_interval, site.connect_timeout, site.read_timeout];
            let what = if site.origins.is_empty() {
                "has no `origins`"
            } else if times.iter().any(|time| time.0.is_zero()) {
                "has a time of 0, which leaves no time to answer"
            } else {
                return None;
            };
            Some(format!("[[site]] number {} {what}", index + 1))
        })
    }

    /// Whether other settings differ only in what can change while the proxy runs.
    pub(crate) fn same_process(&self, other: &Self) -> bool {
        let Self { caching, sites, .. } = self.clone();
        *self == Self { caching, sites, ..other.clone() }
    }

    /// The JSON schema of the configuration file.
    #[must_use]
    pub fn schema() -> String {
        serde_json::to_string_pretty(&schemars::schema_for!(Self)).unwrap_or_default()
    }
}
