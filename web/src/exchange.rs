//! Bytes between the worker and the room.

use crate::progress::Reported;
use forebay_play::Room;
use std::cell::RefCell;

#[derive(Default)]
struct Page {
    room: Room,
    /// The bytes that the worker has written.
    incoming: Vec<u8>,
    /// The answer that the worker reads next.
    answer: String,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Reserves `bytes` bytes, and returns the address to which the worker writes them.
#[expect(unsafe_code, reason = "the worker finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.incoming.clear();
        page.incoming.resize(bytes, 0);
        page.incoming.as_mut_ptr()
    })
}

/// Stores the written bytes as a file: `name_bytes` bytes of its name, then its content.
#[expect(unsafe_code, reason = "the worker finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn put(name_bytes: usize) {
    PAGE.with_borrow_mut(|page| {
        let mut name = std::mem::take(&mut page.incoming);
        let content = name.split_off(name_bytes.min(name.len()));
        page.room.put(&String::from_utf8_lossy(&name), content);
    });
}

/// Answers the written question. Returns the length of the answer in bytes.
#[expect(unsafe_code, reason = "the worker finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    PAGE.with_borrow_mut(|page| {
        let question = String::from_utf8_lossy(&page.incoming);
        page.answer = page.room.ask(&question, &Reported::default());
        page.answer.len()
    })
}

/// Returns the address of the answer, which is valid until the next question.
#[expect(unsafe_code, reason = "the worker finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer_address() -> *const u8 {
    PAGE.with_borrow(|page| page.answer.as_ptr())
}
