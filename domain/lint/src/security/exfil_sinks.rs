//! Calls and commands that send to another machine.

use crate::security::{context_window, flow};
use std::ops::Range;

/// What sends to another machine, in lower case.
pub const SINKS: &[&str] = &[
    "curl ",
    "http post",
    "http put",
    "https post",
    "curl.exe ",
    "wget ",
    "| nc ",
    "|nc ",
    "nc -",
    "ncat ",
    "netcat ",
    "socat ",
    "telnet ",
    "/dev/tcp/",
    "scp ",
    "rsync ",
    "sftp ",
    "ftp ",
    "lftp ",
    "aws s3 ",
    "gsutil ",
    "rclone ",
    "az storage",
    "requests.post(",
    "requests.put(",
    "requests.request(",
    "requests.get(",
    "httpx.",
    "aiohttp",
    ".post(",
    "urlopen(",
    "urllib.request.request(",
    "request.request(",
    "http.client",
    "httpsconnection",
    "httpconnection",
    ".request(",
    "fetch(",
    "axios(",
    "axios.post(",
    "axios.put(",
    "axios.get(",
    "got(",
    "got.post(",
    "sendall(",
    ".send(",
    "sendto(",
    "invoke-restmethod",
    "invoke-webrequest",
    "irm ",
    "iwr ",
    "uploadstring(",
    "uploadfile(",
    "uploaddata(",
    "sendmail",
    "smtplib",
    "send_message(",
    "mail -s",
    "mutt ",
    "nslookup ",
    "dig ",
    "net::http",
    "http.newrequest(",
    "http.post(",
    "upload_file(",
    "put_object(",
    "storbinary(",
    "websocket",
    "sendbeacon(",
    "transfer.sh",
    "ssh ",
    "httppost(",
    "postasync(",
];
/// What a sink takes to prove who is asking, and does not send on.
pub const PROVES: &str = "authorization|bearer| -i |--key|--cert|--user|-u $|--netrc|x-api-key|pkey|key_filename|identityfile|--kubeconfig|-h \"x-|token $|auth=";

/// Whether a value goes to a call that sends it, and not only to prove who is asking.
pub fn flows(text: &str, place: &Range<usize>) -> bool {
    let Some(sink) = flow::reaches(text, place, SINKS) else { return false };
    // What fetches them from another machine does not send them.
    let is_fetched = text[place.clone()].contains("://") && sink.start < place.start;
    let line = text[context_window::line(text, sink.start)].to_ascii_lowercase();
    // A header that takes a whole file in carries it away.
    let is_read = ["$(cat", "$(base64", "`cat ", "$(<"].iter().any(|reads| line.contains(reads));
    !is_fetched && (is_read || !PROVES.split('|').any(|word| line.contains(word)))
}
