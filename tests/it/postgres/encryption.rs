//! TLS connections to a server with a self-signed certificate.

use super::cluster::{Cluster, Database, cluster};
use crate::contract::machines::block_on;
use skillc_ports::{ErrorKind, TeamStore};
use skillc_postgres::{PostgresSettings, PostgresTeamStore};
use std::path::Path;
use std::process::Command;

/// The request for a self-signed certificate for `localhost`.
const REQUEST: &str = "
[req]
distinguished_name = whose
x509_extensions = what
[whose]
[what]
subjectAltName = DNS:localhost
basicConstraints = critical,CA:FALSE
";

fn certificate(data: &Path) {
    std::fs::write(data.join("request"), REQUEST).unwrap();
    let made = Command::new("openssl")
        .args([
            "req",
            "-new",
            "-x509",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-config",
            "request",
        ])
        .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
        .args(["-keyout", "server.key", "-out", "server.crt"])
        .current_dir(data)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let own = Command::new("sh")
        .args(["-c", "chmod 600 server.key; chown --reference=. server.key server.crt"])
        .current_dir(data)
        .status();
    assert!(own.unwrap().success());
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn an_encrypted_connection_is_had_and_a_false_certificate_refused() {
    let server = Cluster::start_with_network("ssl = on", certificate);
    let database = server.database("template1");
    block_on(database.store().init()).unwrap();
    let name = database.url.split(['/', '?']).nth(3).unwrap();
    let url = |options: &str| format!("postgres://postgres@localhost:{}/{name}?{options}", server.port());
    let root = format!("sslmode=verify-full&sslrootcert={}", server.data().join("server.crt").display());
    let status = |url: &str| block_on(PostgresTeamStore::new(PostgresSettings::new(url)).status());
    for options in ["sslmode=require", &root] {
        let encryption = status(&url(options)).unwrap().encryption;
        assert!(encryption.starts_with("TLSv1."), "{options}: {encryption}");
    }
    assert_eq!(status(&url("sslmode=disable")).unwrap().encryption, "");
    for wrong in [url("sslmode=verify-full"), url(&root).replace("localhost", "127.0.0.1")] {
        let error = status(&wrong).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Insecure, "{wrong}: {:?}", error.source);
    }
    std::fs::write(
        server.data().join("pg_hba.conf"),
        "hostssl all all 127.0.0.1/32 trust\nlocal all all trust",
    )
    .unwrap();
    Database { url: server.url("postgres") }.run("SELECT pg_reload_conf()");
    // The server takes a while to reload the file.
    let refused = (0..100).find_map(|_| status(&url("sslmode=disable")).err()).unwrap();
    assert_eq!(refused.kind, ErrorKind::Insecure, "{:?}", refused.source);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_server_without_tls_is_refused_where_it_is_demanded() {
    let url = cluster().url("ready");
    let mut demanding = PostgresSettings::new(&url);
    demanding.is_tls_required = true;
    for settings in [demanding, PostgresSettings::new(format!("{url}&sslmode=require"))] {
        let error = block_on(PostgresTeamStore::new(settings).status()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Insecure, "{:?}", error.source);
    }
}
