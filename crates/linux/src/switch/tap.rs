//! Records sent frames with their times.

use forebay_core::Time;
use forebay_traces::TraceError;
use forebay_traces::frame_writer::FrameWriter;
use std::io::Write;

/// A recording of the frames that all ports send.
pub struct Tap {
    writer: Option<FrameWriter<Box<dyn Write>>>,
    /// The zero of the switch's time, in nanoseconds since 1970.
    epoch_ns: u64,
    error: Option<String>,
}

impl Tap {
    /// Begins a recording. `epoch_ns` is the zero of the switch's time, in nanoseconds since 1970.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(out: Box<dyn Write>, epoch_ns: u64) -> Result<Self, TraceError> {
        let writer = FrameWriter::new(out)?;
        Ok(Self { writer: Some(writer), epoch_ns, error: None })
    }

    /// Records a sent frame. If it cannot be written, the recording ends and the switch continues.
    pub(crate) fn frame(&mut self, now: Time, frame: &[u8]) {
        let ns = self.epoch_ns.saturating_add(now.as_ps() / 1_000);
        let done = self.writer.as_mut().map(|writer| writer.write(ns, frame));
        self.stop_if_failed(done);
    }

    /// Writes buffered output.
    pub(crate) fn flush(&mut self) {
        let done = self.writer.as_mut().map(FrameWriter::flush);
        self.stop_if_failed(done);
    }

    fn stop_if_failed(&mut self, done: Option<Result<(), TraceError>>) {
        if let Some(Err(error)) = done {
            self.writer = None;
            self.error = Some(error.to_string());
        }
    }

    /// Returns why the recording has ended; `None` if it has not.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }
}
