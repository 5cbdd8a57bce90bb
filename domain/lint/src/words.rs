//! Small questions about texts that several rules ask.
