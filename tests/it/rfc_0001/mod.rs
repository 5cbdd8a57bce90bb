//! RFC-0001: building, deploying and taking back.
