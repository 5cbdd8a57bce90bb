//! A reader that fails after a number of bytes, so that a forged archive cannot make the library read forever.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

/// A reader that draws on an allowance, at any position of its source.
pub(crate) struct BoundedReader<R> {
    source: R,
    allowance: Allowance,
}

/// The number of bytes that may still be read; clones share it.
#[derive(Clone)]
pub(crate) struct Allowance(Rc<Cell<u64>>);

impl Allowance {
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Rc::new(Cell::new(bytes)))
    }

    pub(crate) fn renew(&self, bytes: u64) {
        self.0.set(bytes);
    }
}

impl<R> BoundedReader<R> {
    pub(crate) fn new(source: R, allowance: Allowance) -> Self {
        Self { source, allowance }
    }
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.0.get();
        if left == 0 && !buffer.is_empty() {
            return Err(io::Error::other("reading the archive takes too many bytes"));
        }
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.source.read(&mut buffer[..most])?;
        self.allowance.0.set(left - count as u64);
        Ok(count)
    }
}

impl<R: Seek> Seek for BoundedReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}
