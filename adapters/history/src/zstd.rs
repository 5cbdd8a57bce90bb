//! Decompresses everything before damaged data, and then reports the damage.

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

/// An empty last block, and a checksum that is not verified. It makes the decoder return the data that it holds back
/// as its window.
const END_OF_FRAME: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// A compressed source that may be damaged or truncated.
pub struct ZstdReader<R: Read> {
    decoder: StreamingDecoder<R, FrameDecoder>,
    failure: Option<io::Error>,
}

impl<R: Read> ZstdReader<R> {
    /// Reads the header of the frame.
    pub fn new(source: R) -> Result<Self, FrameDecoderError> {
        Ok(Self { decoder: StreamingDecoder::new(source)?, failure: None })
    }
}

impl<R: Read> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.failure.is_none() {
            match self.decoder.read(buffer) {
                Ok(read) => return Ok(read),
                Err(error) => {
                    self.failure = Some(error);
                    let strategy = BlockDecodingStrategy::UptoBlocks(1);
                    // If even that fails, the rest is lost together with the damaged data.
                    let _ = self.decoder.decoder.decode_blocks(&END_OF_FRAME[..], strategy);
                }
            }
        }
        match self.decoder.decoder.is_finished() {
            true => match self.decoder.read(buffer)? {
                0 => self.failure.take().map_or(Ok(0), Err),
                read => Ok(read),
            },
            false => self.failure.take().map_or(Ok(0), Err),
        }
    }
}
