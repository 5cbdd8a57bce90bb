//! A file layer for SQLite that takes paths of descriptors as they are.
//!
//! SQLite's own layer with two functions replaced (adr/0031):
//!
//! - SQLite resolves every link on a database's path before it opens the file, also `/proc/self/fd/N`, and opens the result by
//!   name, so that another process could put a link in between. Here a path below `/proc/self/fd` is kept as it is, and every file
//!   is reached through the folder that is held open.
//! - A rollback journal may name a super-journal, which SQLite deletes once the journal is rolled back. A forged journal in a
//!   cloned repository could name any file of the user's. No transaction of ours spans two databases, so a super-journal is never
//!   opened, and without opening it SQLite does not delete it.
#![allow(unsafe_code)]

use rusqlite::ffi;
use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

/// The name under which SQLite knows it.
const NAME: &CStr = c"skillc";
/// What paths of descriptors begin with.
const DESCRIPTORS: &[u8] = b"/proc/self/fd/";

/// SQLite's own layer, which the new one copies.
static OWN: OnceLock<(FullPathname, Open)> = OnceLock::new();
/// Whether the layer could be added.
static IS_ADDED: OnceLock<bool> = OnceLock::new();

type FullPathname = unsafe extern "C" fn(*mut ffi::sqlite3_vfs, *const c_char, c_int, *mut c_char) -> c_int;

type Open = unsafe extern "C" fn(
    *mut ffi::sqlite3_vfs,
    ffi::sqlite3_filename,
    *mut ffi::sqlite3_file,
    c_int,
    *mut c_int,
) -> c_int;

/// The layer's name; it is added at the first call. `None` where SQLite has no layer to copy.
pub fn name() -> Option<&'static CStr> {
    IS_ADDED.get_or_init(add).then_some(NAME)
}

fn add() -> bool {
    // SAFETY: `sqlite3_vfs_find` initialises SQLite, and returns its default layer or null. The structure lives as long as the
    // process and is not changed after its registration, so that it can be copied.
    let own = unsafe { ffi::sqlite3_vfs_find(std::ptr::null()).as_ref() };
    let Some((own, functions)) = own.and_then(|own| Some((own, (own.xFullPathname?, own.xOpen?)))) else {
        return false;
    };
    OWN.get_or_init(|| functions);
    let copy = ffi::sqlite3_vfs {
        pNext: std::ptr::null_mut(),
        zName: NAME.as_ptr(),
        xFullPathname: Some(keep_descriptor_paths),
        xOpen: Some(open_no_super_journal),
        ..*own
    };
    // SAFETY: the copy is leaked, so that it lives as long as the process, as SQLite demands. Its functions are those of SQLite's
    // own layer, which read nothing of the structure but `pAppData` and `mxPathname`, both copied.
    unsafe { ffi::sqlite3_vfs_register(Box::leak(Box::new(copy)), 0) == ffi::SQLITE_OK }
}

/// SQLite's `xFullPathname`, but for paths of descriptors.
unsafe extern "C" fn keep_descriptor_paths(
    vfs: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    out_bytes: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes a path that ends with NUL.
    let bytes = unsafe { CStr::from_ptr(path) }.to_bytes_with_nul();
    if !bytes.starts_with(DESCRIPTORS) {
        let Some((own, _)) = OWN.get() else { return ffi::SQLITE_CANTOPEN };
        // SAFETY: the arguments are those that SQLite passed, to the function that it would have called.
        return unsafe { own(vfs, path, out_bytes, out) };
    }
    if usize::try_from(out_bytes).is_ok_and(|room| bytes.len() <= room) {
        // SAFETY: `out` has room for `out_bytes` bytes, no fewer than are copied, and is SQLite's own buffer, apart from the path.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), out, bytes.len()) };
        return ffi::SQLITE_OK;
    }
    ffi::SQLITE_CANTOPEN
}

/// SQLite's `xOpen`, except for super-journals.
unsafe extern "C" fn open_no_super_journal(
    vfs: *mut ffi::sqlite3_vfs,
    path: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    match OWN.get() {
        Some((_, own)) if flags & ffi::SQLITE_OPEN_SUPER_JOURNAL == 0 => {
            // SAFETY: the arguments are those that SQLite passed, to the function that it would have called.
            unsafe { own(vfs, path, file, flags, out_flags) }
        }
        _ => {
            // SAFETY: SQLite passes room for a file; a null table of methods marks it as not open, so that it is not closed.
            unsafe { (*file).pMethods = std::ptr::null() };
            ffi::SQLITE_CANTOPEN
        }
    }
}
