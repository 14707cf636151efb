//! Addresses that C gives: each is looked at once, here.

#![expect(unsafe_code, reason = "C says where its structs are")]

use crate::status::Status;

/// The value at an address; null is an error.
///
/// # Safety
/// An address that is not null is that of an aligned `T`, which no thread writes meanwhile.
pub(crate) unsafe fn read<T: Copy>(from: *const T) -> Result<T, Status> {
    if from.is_null() {
        return Err(Status::NullPointer);
    }
    // SAFETY: it is not null, and the caller vouches for the rest.
    Ok(unsafe { from.read() })
}

/// Some values from an address on, copied; with none of them the address does not matter.
///
/// # Safety
/// An address that is not null is that of so many aligned `T`, which no thread writes meanwhile.
pub(crate) unsafe fn read_all<T: Copy>(from: *const T, count: usize) -> Result<Vec<T>, Status> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if from.is_null() {
        return Err(Status::NullPointer);
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Status::Invalid);
    }
    // SAFETY: it is not null, so many values are no more than an object can have, and the caller vouches for the rest.
    Ok(unsafe { std::slice::from_raw_parts(from, count) }.to_vec())
}

/// Writes a value to an address, which is not null: [`writable`] has said so.
///
/// # Safety
/// It is the address of room for an aligned `T`, which no other thread uses meanwhile.
pub(crate) unsafe fn write<T>(to: *mut T, value: T) {
    // SAFETY: the caller vouches for it.
    unsafe { to.write(value) }
}

/// That an address is not null, before anything is done whose result would have no place.
pub(crate) fn writable<T>(to: *mut T) -> Result<(), Status> {
    if to.is_null() { Err(Status::NullPointer) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_an_error_and_values_are_copied() {
        let numbers = [1_u32, 2, 3];
        // SAFETY: null, or the address of these numbers.
        unsafe {
            assert_eq!(read(std::ptr::null::<u32>()), Err(Status::NullPointer));
            assert_eq!(read(&raw const numbers[1]), Ok(2));
            assert_eq!(read_all(std::ptr::null::<u32>(), 0), Ok(Vec::new()));
            assert_eq!(read_all(std::ptr::null::<u32>(), 1), Err(Status::NullPointer));
            assert_eq!(read_all(numbers.as_ptr(), 3), Ok(vec![1, 2, 3]));
            assert_eq!(read_all(numbers.as_ptr(), usize::MAX), Err(Status::Invalid));
            let mut into = 0_u32;
            write(&raw mut into, 9);
            assert_eq!(into, 9);
        }
        assert_eq!(writable(std::ptr::null_mut::<u32>()), Err(Status::NullPointer));
    }
}
