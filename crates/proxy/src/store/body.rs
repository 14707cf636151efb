//! Stored bodies, and reading them.

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use forebay_core::convert;
use pingora_cache::eviction::CacheEntryId;
use pingora_cache::storage::HandleHit;
use pingora_cache::trace::SpanHandle;
use pingora_cache::{CacheKey, Storage};
use pingora_core::{Error, ErrorType, OrErr, Result};
use std::any::Any;
use std::io::SeekFrom;
use std::path::Path;
use std::sync::Arc;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

/// How much of a body is handed on at a time.
const PIECE: u64 = 1 << 16;

/// A stored body.
#[derive(Clone)]
pub(crate) enum Body {
    Memory(Bytes),
    /// The file, and how long it is.
    File(Arc<Path>, u64),
}

impl Body {
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    /// The body, ready to be read, however soon it is removed. [`None`] if its file was removed.
    pub(super) async fn open(&self) -> Option<Open> {
        match self {
            Self::Memory(bytes) => Some(Open::Memory(bytes.clone())),
            Self::File(path, _) => File::open(path).await.ok().map(Open::File),
        }
    }
}

/// A body that is being read.
pub(super) enum Open {
    Memory(Bytes),
    File(File),
}

/// Reads a body, or a part of it.
pub(super) struct Hit {
    body: Open,
    length: u64,
    position: u64,
    end: u64,
    weight: usize,
    id: Option<CacheEntryId>,
}

impl Hit {
    pub(super) fn new(body: Open, length: u64, weight: usize, id: Option<CacheEntryId>) -> Self {
        Self { body, length, position: 0, end: length, weight, id }
    }
}

#[async_trait]
impl HandleHit for Hit {
    async fn read_body(&mut self) -> Result<Option<Bytes>> {
        let wanted = (self.end - self.position).min(PIECE);
        if wanted == 0 {
            return Ok(None);
        }
        let piece = match &mut self.body {
            Open::Memory(bytes) => {
                let from = convert::index(self.position);
                bytes.slice(from..from + convert::index(wanted))
            }
            Open::File(file) => {
                let at = SeekFrom::Start(self.position);
                file.seek(at).await.or_err(ErrorType::FileReadError, "place in a stored body")?;
                let mut piece = BytesMut::zeroed(convert::index(wanted));
                file.read_exact(&mut piece).await.or_err(ErrorType::FileReadError, "stored body")?;
                piece.freeze()
            }
        };
        self.position += wanted;
        Ok(Some(piece))
    }

    async fn finish(self: Box<Self>, _: &'static (dyn Storage + Sync), _: &CacheKey, _: &SpanHandle) -> Result<()> {
        Ok(())
    }

    fn can_seek(&self) -> bool {
        true
    }

    fn seek(&mut self, start: usize, end: Option<usize>) -> Result<()> {
        let start = start as u64;
        if start >= self.length {
            let message = format!("a part of a body from byte {start} on, which has {}", self.length);
            return Error::e_explain(ErrorType::InternalError, message);
        }
        self.position = start;
        self.end = end.map_or(self.length, |end| (end as u64).clamp(start, self.length));
        Ok(())
    }

    fn get_eviction_weight(&self) -> usize {
        self.weight
    }

    fn entry_id(&self) -> Option<CacheEntryId> {
        self.id
    }

    fn as_any(&self) -> &(dyn Any + Send + Sync) {
        self
    }

    fn as_any_mut(&mut self) -> &mut (dyn Any + Send + Sync) {
        self
    }
}
