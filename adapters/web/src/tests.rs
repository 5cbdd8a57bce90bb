//! Tests with misbehaving servers.

use super::*;
use std::io::Write;
use std::net::TcpListener;

/// A server that passes each connection to a function.
fn server(handle: impl Fn(std::net::TcpStream, String) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let own = address.clone();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4096];
            let _ = stream.read(&mut head);
            handle(stream, own.clone());
        }
    });
    address
}

fn get(address: &str, time_max: Duration) -> Result<SiteResponse, ErrorKind> {
    HttpSiteReader::default().get(address, 1_000, time_max).map_err(|error| error.kind)
}

const PATIENT: Duration = Duration::from_secs(20);

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn a_file_is_read_within_its_bounds() {
    let body = |text: String| {
        server(move |mut stream, _| {
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
            let _ = write!(stream, "{head}{text}");
        })
    };
    let address = body("demo".to_owned());
    let response = get(&address, PATIENT).unwrap();
    assert_eq!((response.status, &response.bytes[..]), (200, &b"demo"[..]));
    assert_eq!(get(&body("x".repeat(1_000)), PATIENT).unwrap().bytes.len(), 1_000);
    assert_eq!(get(&body("x".repeat(1_001)), PATIENT), Err(ErrorKind::TooLarge));
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn a_server_that_sends_too_slowly_is_left() {
    let slow = server(|mut stream, _| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        while stream.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let since = Instant::now();
    assert_eq!(get(&slow, Duration::from_millis(500)), Err(ErrorKind::OutOfTime));
    assert!(since.elapsed() < Duration::from_secs(10));
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn redirects_are_followed_to_permitted_addresses_only() {
    let to = |location: &'static str| {
        server(move |mut stream, own| {
            let location = location.replace("{own}", &own);
            let _ = write!(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
        })
    };
    for location in ["file:///etc/passwd", "{own}/again", "ftp://a.example/", "http://ada:x@127.0.0.1/"] {
        assert_eq!(get(&to(location), PATIENT), Err(ErrorKind::Invalid), "{location}");
    }
    assert_eq!(get("http://127.0.0.1:9", PATIENT), Err(ErrorKind::Unreachable));
}
