//! Tests across all crates, in one binary.

mod architecture;
mod contract;
mod docs;
mod glossary;
mod golden;
mod hints;
mod hostile;
mod light;
mod lint;
mod mcp;
mod not_called;
mod postgres;
mod publish;
mod random;
mod rfc;
mod rfc_0000;
mod rfc_0001;
mod rfc_0002;
mod rfc_0003;
mod rfc_0004;
mod rfc_0005;
mod rfc_0006;
mod rfc_0007;
mod rfc_0009;
mod rfc_0010;
mod rfc_0011;
mod rfc_0012;
mod rfc_0013;
mod rfc_0014;
mod rfc_0015;
#[cfg(unix)]
mod rfc_0016;
mod site;
mod timing;
