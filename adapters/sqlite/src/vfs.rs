//! A file layer (VFS) for SQLite that keeps descriptor paths as they are.
//!
//! It is SQLite's own layer with two functions replaced (adr/0031):
//!
//! - SQLite resolves every link on a database's path before it opens the file, also `/proc/self/fd/N`, and opens the
//!   result by name, so that another process could put a link in between. Here a path below `/proc/self/fd` is kept
//!   as it is, and every file is reached through the folder that is held open.
//! - A rollback journal may name a super-journal, which SQLite deletes once the journal is rolled back. A forged
//!   journal in a cloned repository could name any of the user's files. Our transactions never span two databases, so
//!   a super-journal is never opened, and without opening it SQLite does not delete it.
#![allow(unsafe_code)]

use rusqlite::ffi;
use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

/// The layer's name in SQLite.
const NAME: &CStr = c"skillc";
/// Prefix of descriptor paths.
const DESCRIPTORS: &[u8] = b"/proc/self/fd/";

/// The functions of SQLite's own layer that are replaced.
static OWN: OnceLock<(FullPathname, Open)> = OnceLock::new();
/// Whether the layer could be registered.
static IS_ADDED: OnceLock<bool> = OnceLock::new();

/// Size and number of the pieces of memory that a connection has ready. SQLite's default of 40 takes 48 KiB, all of which is written
/// when a connection opens.
const LOOKASIDE_BYTES: c_int = 1200;
const LOOKASIDE_SLOTS: c_int = 16;

type FullPathname = unsafe extern "C" fn(*mut ffi::sqlite3_vfs, *const c_char, c_int, *mut c_char) -> c_int;

type Open = unsafe extern "C" fn(
    *mut ffi::sqlite3_vfs,
    ffi::sqlite3_filename,
    *mut ffi::sqlite3_file,
    c_int,
    *mut c_int,
) -> c_int;

/// The layer's name; the first call registers it. `None` if SQLite has no layer to copy.
pub fn name() -> Option<&'static CStr> {
    IS_ADDED.get_or_init(add).then_some(NAME)
}

fn add() -> bool {
    // SAFETY: each option takes the integers that are passed. SQLite refuses options once it is initialized, which is
    // harmless.
    unsafe {
        // Nobody asks how much memory is allocated, and counting takes a lock for each allocation.
        ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0);
        ffi::sqlite3_config(ffi::SQLITE_CONFIG_LOOKASIDE, LOOKASIDE_BYTES, LOOKASIDE_SLOTS);
    }
    // SAFETY: `sqlite3_vfs_find` initializes SQLite, and returns its default layer or null. The structure lives as long
    // as the process and is not changed after its registration, so that it can be copied.
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
    // SAFETY: the copy is leaked, so that it lives as long as the process, as SQLite demands. Its functions are those
    // of SQLite's own layer, which read nothing of the structure but `pAppData` and `mxPathname`, both copied.
    unsafe { ffi::sqlite3_vfs_register(Box::leak(Box::new(copy)), 0) == ffi::SQLITE_OK }
}

/// SQLite's `xFullPathname`, except for descriptor paths.
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
        // SAFETY: `out` has room for `out_bytes` bytes, no fewer than are copied, and is SQLite's own buffer, apart
        // from the path.
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
            // SAFETY: SQLite passes room for a file; a null table of methods marks it as not open, so that it is not
            // closed.
            unsafe { (*file).pMethods = std::ptr::null() };
            ffi::SQLITE_CANTOPEN
        }
    }
}
