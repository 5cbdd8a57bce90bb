//! The C interface of sqlite-vec, and the only unsafe code of this program (adr/0026).
#![allow(unsafe_code)]

use rusqlite::{Connection, Error, Result, ffi};
use std::ffi::{c_char, c_int};
use std::ptr::{null, null_mut};

/// The signature of an SQLite extension's entry point (sqlite.org/loadext.html).
type Entry =
    unsafe extern "C" fn(*mut ffi::sqlite3, *mut *mut c_char, *const ffi::sqlite3_api_routines) -> c_int;

/// Adds the module `vec0` and its functions to one connection.
pub fn register(db: &Connection) -> Result<()> {
    let entry: unsafe extern "C" fn() = sqlite_vec::sqlite3_vec_init;
    // SAFETY: the crate declares the entry without its arguments; sqlite-vec.c defines it as `Entry` says. Both are
    // function pointers of one size.
    let entry = unsafe { std::mem::transmute::<unsafe extern "C" fn(), Entry>(entry) };
    let mut message: *mut c_char = null_mut();
    // SAFETY: the handle belongs to `db`, which lives through the call, and is used by this thread only, since a
    // `Connection` is not `Sync`. Linked in, the entry calls this program's SQLite directly and reads no table of
    // routines. A message that it leaves comes from SQLite's allocator, and freeing none does nothing.
    let code = unsafe {
        let code = entry(db.handle(), &raw mut message, null());
        ffi::sqlite3_free(message.cast());
        code
    };
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => {
            Err(Error::SqliteFailure(ffi::Error::new(code), Some("vec0 cannot be registered".to_owned())))
        }
    }
}
