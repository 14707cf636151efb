//! The back end of the playground: it answers a page's questions, both in JSON.
//!
//! A [`Room`] holds the files that a page has opened. [`Room::ask`] answers one question about them. The crate reads no clock, opens
//! no file and has no thread of its own, so that a page in a browser and a local server give the same answers.
//!
//! ```
//! use forebay::Silent;
//! use forebay_play::Room;
//!
//! let mut room = Room::default();
//! room.put("fifo.oq", b"q = Queue(8 pkts); out = Port(1);".to_vec());
//! let scenario = r#"
//!     port = { rate = "19 Mbps" }
//!     traffic = { trace = "mixed.pcap" }
//!     policy = [{ policy = "fifo.oq" }]
//! "#;
//! let question = serde_json::json!({ "ask": "run", "scenario": scenario });
//! let answer: serde_json::Value = serde_json::from_str(&room.ask(&question.to_string(), &Silent))?;
//! assert!(answer["answer"]["table"].as_str().is_some_and(|table| table.contains("fifo")));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod compile;
mod language;
mod opened;
mod question;
mod room;
mod run;

pub use room::Room;
