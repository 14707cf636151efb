//! An answer on its way into the store.

use super::body::Body;
use super::disk::Part;
use super::{Store, Stored};
use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use forebay_core::convert;
use pingora_cache::eviction::{CacheEntryId, CacheEntryKey};
use pingora_cache::key::CacheHashKey;
use pingora_cache::storage::{HandleMiss, MissFinishType};
use pingora_core::{Error, ErrorType, Result};
use std::sync::Arc;

/// Takes a body, and puts it into the store when it is whole.
pub(super) struct Write {
    store: &'static Store,
    entry: CacheEntryKey,
    meta: (Vec<u8>, Vec<u8>),
    body: Place,
    length: u64,
}

/// Where the body gathers.
enum Place {
    Memory(BytesMut),
    File(Part),
    /// It was too long and is no longer kept. The client gets it all the same.
    TooLong,
}

impl Write {
    pub(super) async fn begin(store: &'static Store, entry: CacheEntryKey, meta: (Vec<u8>, Vec<u8>)) -> Result<Self> {
        let body = match &store.disk {
            None => Place::Memory(BytesMut::new()),
            Some(disk) => Place::File(disk.begin(&entry).await?),
        };
        Ok(Self { store, entry, meta, body, length: 0 })
    }
}

#[async_trait]
impl HandleMiss for Write {
    async fn write_body(&mut self, data: Bytes, _: bool) -> Result<()> {
        self.length += data.len() as u64;
        if self.length > self.store.largest() {
            self.body = Place::TooLong;
        }
        match &mut self.body {
            // Copied: a piece may be a small part of a large buffer, which it would keep alive.
            Place::Memory(body) => body.extend_from_slice(&data),
            Place::File(part) => part.write(&data).await?,
            Place::TooLong => {}
        }
        Ok(())
    }

    async fn finish(self: Box<Self>) -> Result<MissFinishType> {
        let Self { store, entry, meta, body, length } = *self;
        let body = match body {
            // As one piece of the right length, without room to grow.
            Place::Memory(body) => Body::Memory(Bytes::from(body.to_vec().into_boxed_slice())),
            Place::File(part) => part.finish(&meta, length).await?,
            Place::TooLong => {
                let message = format!("an answer longer than {} bytes is not kept", store.largest());
                return Error::e_explain(ErrorType::InternalError, message);
            }
        };
        let stored = Arc::new(Stored { entry, meta, body });
        let size = convert::index(stored.size());
        let key = u128::from_be_bytes(stored.entry.key().combined_bin());
        let before = store.part(key).insert(key, stored);
        if let (Some(disk), Some(before)) = (&store.disk, before) {
            disk.remove_body(&before.entry).await;
        }
        Ok(MissFinishType::Created(size))
    }

    fn entry_id(&self) -> Option<CacheEntryId> {
        self.entry.entry_id()
    }
}
