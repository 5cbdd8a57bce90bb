use super::*;
use sha2::{Digest as _, Sha256};
use skillc_domain::digest::Digest;
use skillc_domain::model::{MINILM, ModelFile, ModelHub, SHAPE, SKILLS};
use skillc_ports::PortError;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A model small enough for tests, and the contents of its files.
struct Small {
    model: &'static EmbeddingModel,
    contents: Vec<(&'static str, Vec<u8>)>,
}

fn small() -> Small {
    let shape: Vec<String> = SHAPE.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    let contents = vec![
        ("config.json", format!("{{{}}}", shape.join(",")).into_bytes()),
        ("tokenizer.json", b"{}".to_vec()),
        ("model.safetensors", (0..200_000u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>()),
    ];
    let file = |(name, bytes): &(&'static str, Vec<u8>)| ModelFile {
        name,
        bytes: bytes.len() as u64,
        sha256: Digest(Sha256::digest(bytes).into()).to_string().leak(),
    };
    let files = [file(&contents[0]), file(&contents[1]), file(&contents[2])];
    let hub = Some(ModelHub { repository: "o/small", revision: "r1" });
    let model = Box::leak(Box::new(EmbeddingModel { name: "small", hub, files, ..MINILM }));
    Small { model, contents }
}

/// The hub's behavior for successive requests; the last one is repeated.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Fine,
    /// Closes the connection after this many bytes of the body.
    CutAt(usize),
    /// Stops sending after this many bytes, and closes the connection when the client does.
    SilentAt(usize),
    /// From this byte on, sends one byte at a time.
    TrickleAt(usize),
    /// Does not support ranges.
    Whole,
    /// Changes a byte in the middle.
    Wrong,
    Status(&'static str),
}

/// File and range of a request.
type Asked = (String, Option<String>);

struct Hub {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Hub {
    /// A hub whose behavior changes only with requests for the weights.
    fn new(contents: Vec<(&'static str, Vec<u8>)>, moods: &[Mood]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, mut moods) = (asked.clone(), moods.to_vec());
        // The thread ends with the test process.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let (path, range) = request(&stream);
                seen.lock().unwrap().push((path.rsplit('/').next().unwrap().to_owned(), range.clone()));
                assert!(path.starts_with("/o/small/resolve/r1/"), "{path}");
                let mood = match path.ends_with("model.safetensors") {
                    true if moods.len() > 1 => moods.remove(0),
                    true => moods[0],
                    false => Mood::Fine,
                };
                let content = contents.iter().find(|(name, _)| path.ends_with(name));
                answer(&mut stream, mood, content.map(|(_, bytes)| bytes.clone()), range);
            }
        });
        Self { address, asked }
    }

    fn ranges(&self) -> Vec<Option<String>> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|(file, _)| file == "model.safetensors").map(|(_, range)| range.clone()).collect()
    }
}

fn request(stream: &TcpStream) -> (String, Option<String>) {
    let mut lines = BufReader::new(stream).lines().map(|line| line.unwrap());
    let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let range = head.iter().find_map(|line| line.to_lowercase().strip_prefix("range: ").map(str::to_owned));
    (path, range)
}

fn answer(stream: &mut TcpStream, mood: Mood, content: Option<Vec<u8>>, range: Option<String>) {
    let send = |stream: &mut TcpStream, head: String, body: &[u8]| {
        // A client may have closed the connection already.
        let _ = stream.write_all(format!("HTTP/1.1 {head}connection: close\r\n\r\n").as_bytes());
        let _ = stream.write_all(body);
    };
    let (Some(mut bytes), false) = (content, matches!(mood, Mood::Status(_))) else {
        let status = if let Mood::Status(status) = mood { status } else { "404 Not Found" };
        return send(stream, format!("{status}\r\ncontent-length: 0\r\n"), &[]);
    };
    let total = bytes.len();
    if mood == Mood::Wrong {
        bytes[total / 2] ^= 1;
    }
    let from = range.and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok());
    let from = from.filter(|_| mood != Mood::Whole);
    let head = match from {
        Some(from) => format!("206 Partial Content\r\ncontent-range: bytes {from}-{}/{total}\r\n", total - 1),
        None => "200 OK\r\n".to_owned(),
    };
    let body = &bytes[from.unwrap_or(0)..];
    let sent = match mood {
        Mood::CutAt(at) | Mood::SilentAt(at) | Mood::TrickleAt(at) => at.min(body.len()),
        _ => body.len(),
    };
    send(stream, format!("{head}content-length: {}\r\n", body.len()), &body[..sent]);
    match mood {
        Mood::SilentAt(_) => drop(stream.read(&mut [0])),
        Mood::TrickleAt(_) => trickle(stream, &body[sent..]),
        _ => {}
    }
}

/// Sends one byte at a time until the client closes the connection.
fn trickle(stream: &mut TcpStream, body: &[u8]) {
    for byte in body {
        if stream.write_all(&[*byte]).is_err() {
            return;
        }
        sleep(Duration::from_millis(5));
    }
}

struct Scene {
    home: TempDir,
    small: Small,
    store: DiskModelStore,
    hub: Hub,
}

fn scene(moods: &[Mood]) -> Scene {
    let (home, small) = (tempfile::tempdir().unwrap(), small());
    let hub = Hub::new(small.contents.clone(), moods);
    let store = DiskModelStore::new(&home.path().join("models"), &hub.address);
    Scene { home, small, store, hub }
}

impl Scene {
    fn fetch(&self) -> Result<bool, PortError> {
        self.store.install(self.small.model, &ModelOrigin::Hub, &Quiet)
    }

    /// The same store with short time limits.
    fn impatient(mut self) -> Self {
        self.store.limits = HubLimits {
            silence_max: Duration::from_millis(300),
            pace_time: Duration::from_millis(300),
            pace_bytes_min: 10_000,
            install_max: Duration::from_millis(300),
        };
        self
    }

    fn copy(&self, from: &Path) -> Result<bool, PortError> {
        self.store.install(self.small.model, &ModelOrigin::Disk(from.to_owned()), &Quiet)
    }

    fn state(&self) -> ModelState {
        self.store.state(self.small.model, &Quiet).unwrap()
    }

    /// A folder with the model's files.
    fn snapshot(&self) -> PathBuf {
        let folder = self.home.path().join("snapshot");
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in &self.small.contents {
            fs::write(folder.join(name), bytes).unwrap();
        }
        folder
    }

    /// The files next to the model's folder.
    fn sibling(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home.path().join("models")).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn flaw(error: PortError) -> String {
    error.source.unwrap().downcast_ref::<ModelFlaw>().unwrap().to_string()
}

/// RFC-0013:C-MODEL
#[test]
fn a_fetched_model_is_sound_and_nothing_else_is_left() {
    let scene = scene(&[Mood::Fine]);
    assert_eq!(scene.state(), ModelState::Missing);
    assert!(scene.fetch().unwrap());
    assert_eq!(
        (scene.state(), scene.sibling()),
        (ModelState::Sound, vec![".lock".to_owned(), "small".to_owned()])
    );
    assert!(!scene.fetch().unwrap(), "what is sound is left as it is");
    assert_eq!(scene.hub.ranges(), [None]);
}

/// RFC-0013:C-MODEL
#[test]
fn a_fetch_that_was_interrupted_goes_on_where_it_stopped() {
    let scene = scene(&[Mood::CutAt(300_000), Mood::CutAt(100_000), Mood::Fine]);
    for _ in 0..2 {
        assert_eq!(scene.fetch().unwrap_err().kind, ErrorKind::Unreachable);
        assert_eq!(scene.state(), ModelState::Missing);
    }
    assert!(scene.fetch().unwrap());
    assert_eq!(scene.state(), ModelState::Sound);
    let ranges = scene.hub.ranges();
    assert_eq!(ranges[0], None);
    assert_eq!(ranges[2].as_deref(), Some("bytes=400000-"));
    let configs = scene.hub.asked.lock().unwrap().iter().filter(|(file, _)| file == "config.json").count();
    assert_eq!(configs, 1, "a file that is whole is not fetched again");
}

/// RFC-0013:C-MODEL
#[test]
fn a_hub_that_knows_no_parts_sends_the_whole_again() {
    let scene = scene(&[Mood::CutAt(300_000), Mood::Whole]);
    scene.fetch().unwrap_err();
    assert!(scene.fetch().unwrap());
    assert_eq!(scene.state(), ModelState::Sound);
}

/// RFC-0013:C-MODEL
#[test]
fn other_bytes_than_the_published_ones_are_thrown_away() {
    let scene = scene(&[Mood::Wrong, Mood::Fine]);
    let error = scene.fetch().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Corrupt);
    assert_eq!(flaw(error), "'model.safetensors' is not the published file: its SHA-256 differs");
    assert!(scene.fetch().unwrap());
    assert_eq!(scene.hub.ranges(), [None, None]);
}

/// RFC-0013:C-MODEL, L9
#[test]
fn a_hub_that_sends_nothing_or_next_to_nothing_is_given_up_and_what_came_is_kept() {
    for stalls in [Mood::SilentAt(300_000), Mood::TrickleAt(300_000)] {
        let scene = scene(&[stalls, Mood::Fine]).impatient();
        assert_eq!(scene.fetch().unwrap_err().kind, ErrorKind::Stalled);
        assert_eq!(scene.state(), ModelState::Missing);
        assert!(scene.fetch().unwrap());
        assert_eq!(scene.state(), ModelState::Sound);
        let range = scene.hub.ranges()[1].clone().unwrap();
        let from: u64 = range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse().unwrap();
        assert!((300_000..310_000).contains(&from), "{range}");
    }
}

/// RFC-0013:C-MODEL, L9
#[test]
fn an_install_beside_one_that_hangs_ends_and_says_whose_process_that_is() {
    let scene = scene(&[Mood::Fine]).impatient();
    let hanging = scene.store.of(scene.small.model).lock(&Quiet).unwrap();
    let error = scene.fetch().unwrap_err();
    let holder = error.source.as_ref().unwrap().downcast_ref::<OtherInstall>().copied();
    assert_eq!(
        (error.kind, holder),
        (ErrorKind::Busy, Some(OtherInstall { process: Some(std::process::id()) }))
    );
    assert_eq!(scene.state(), ModelState::Missing);
    drop(hanging);
    assert!(scene.fetch().unwrap());
}

/// L9
#[cfg(unix)]
#[test]
fn a_lock_that_is_a_link_is_taken_and_what_it_leads_to_stays() {
    let scene = scene(&[Mood::Fine]);
    let precious = scene.home.path().join("precious");
    fs::write(&precious, "text").unwrap();
    fs::create_dir_all(scene.home.path().join("models")).unwrap();
    std::os::unix::fs::symlink(&precious, scene.home.path().join("models/.lock")).unwrap();
    assert!(scene.fetch().unwrap());
    assert_eq!(fs::read_to_string(&precious).unwrap(), "text");
}

#[test]
fn answers_of_a_hub_are_distinguished_by_kind() {
    for (status, kind) in [
        ("404 Not Found", ErrorKind::NotFound),
        ("403 Forbidden", ErrorKind::Denied),
        ("503 Service Unavailable", ErrorKind::Unreachable),
        ("206 Partial Content", ErrorKind::Unreachable),
    ] {
        let scene = scene(&[Mood::Status(status)]);
        assert_eq!(scene.fetch().unwrap_err().kind, kind, "{status}");
    }
    let home = tempfile::tempdir().unwrap();
    for (address, kind) in
        [("http://127.0.0.1:9", ErrorKind::Unreachable), ("no address", ErrorKind::Invalid)]
    {
        let store = DiskModelStore::new(home.path(), address);
        assert_eq!(
            store.install(small().model, &ModelOrigin::Hub, &Quiet).unwrap_err().kind,
            kind,
            "{address}"
        );
    }
}

/// RFC-0013:C-MODEL
#[test]
fn a_folder_is_copied_and_stays() {
    let scene = scene(&[Mood::Fine]);
    let snapshot = scene.snapshot();
    assert!(scene.copy(&snapshot).unwrap());
    assert_eq!(scene.state(), ModelState::Sound);
    assert!(snapshot.join("model.safetensors").is_file());
    assert!(scene.hub.ranges().is_empty(), "the network is not asked");
}

/// RFC-0013:C-MODEL
#[test]
fn a_folder_that_is_not_the_model_is_reported_and_nothing_changes() {
    type Damage = fn(&Path);
    let damages: [(Damage, &str); 7] = [
        (
            |at| fs::write(at.join("tokenizer.json"), "[]").unwrap(),
            "'tokenizer.json' is not the published file: its SHA-256 differs",
        ),
        (|at| fs::remove_file(at.join("tokenizer.json")).unwrap(), "'tokenizer.json' is missing"),
        (|at| fs::remove_file(at.join("config.json")).unwrap(), "'config.json' is missing"),
        (
            |at| fs::write(at.join("model.safetensors"), [0; 9]).unwrap(),
            "'model.safetensors' is truncated: it has 9 of 800000 bytes",
        ),
        (
            |at| fs::write(at.join("model.safetensors"), [0; 900_000]).unwrap(),
            "'model.safetensors' is not the expected file: it has 900000 bytes, not 800000",
        ),
        (
            |at| fs::write(at.join("model.safetensors"), [0; 800_000]).unwrap(),
            "'model.safetensors' is not the published file: its SHA-256 differs",
        ),
        (
            |at| fs::write(at.join("config.json"), "{\"hidden_size\": 768}").unwrap(),
            "it is another model: 'config.json' says hidden_size 768, not 384",
        ),
    ];
    for (damage, expected) in damages {
        let scene = scene(&[Mood::Fine]);
        let snapshot = scene.snapshot();
        damage(&snapshot);
        let error = scene.copy(&snapshot).unwrap_err();
        assert_eq!((error.kind, flaw(error).as_str()), (ErrorKind::Corrupt, expected));
        assert_eq!((scene.state(), scene.sibling()), (ModelState::Missing, vec![".lock".to_owned()]));
        assert!(scene.fetch().unwrap());
        scene.copy(&snapshot).unwrap();
        assert_eq!(scene.state(), ModelState::Sound, "a sound one is not replaced");
    }
}

/// RFC-0013:C-MODEL
#[test]
fn a_damaged_model_is_reported_and_put_right() {
    let scene = scene(&[Mood::Fine]);
    scene.fetch().unwrap();
    let weights = scene.store.folder(scene.small.model).join("model.safetensors");
    let mut bytes = fs::read(&weights).unwrap();
    bytes[1000] ^= 1;
    fs::write(&weights, bytes).unwrap();
    assert_eq!(scene.state(), ModelState::Flawed(ModelFlaw::Foreign { file: "model.safetensors" }));
    assert!(scene.fetch().unwrap());
    assert_eq!(scene.state(), ModelState::Sound);
    fs::remove_file(scene.store.folder(scene.small.model).join(RECEIPT)).unwrap();
    assert_eq!(scene.state(), ModelState::Flawed(ModelFlaw::Unchecked));
}

/// RFC-0013:C-MODEL
#[test]
fn two_installs_at_once_wait_for_each_other() {
    let scene = scene(&[Mood::Fine]);
    let changed: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| scene.fetch().unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(changed.iter().filter(|changed| **changed).count(), 1);
    assert_eq!(scene.state(), ModelState::Sound);
}

/// RFC-0013:C-CHOICE
#[test]
fn a_model_that_another_version_installed_is_not_used_until_it_is_replaced() {
    let scene = scene(&[Mood::Fine]);
    scene.fetch().unwrap();
    let folder = scene.store.folder(scene.small.model);
    let receipt = fs::read_to_string(folder.join(RECEIPT)).unwrap();
    let digest = scene.small.model.weights().sha256;
    fs::write(folder.join(RECEIPT), receipt.replace(digest, &digest.replace('1', "2"))).unwrap();
    let embedder = crate::BertEmbedder::new(scene.small.model, &folder);
    assert_eq!(flaw(skillc_ports::Embedder::model(&embedder).unwrap_err()), ModelFlaw::Outdated.to_string());
    assert_eq!(scene.state(), ModelState::Flawed(ModelFlaw::Outdated));
    assert!(scene.fetch().unwrap());
    assert_eq!(scene.state(), ModelState::Sound);
    assert!(skillc_ports::Embedder::model(&embedder).is_ok());
    for receipt in ["", "{}", "[1]", "\u{0}"] {
        fs::write(folder.join(RECEIPT), receipt).unwrap();
        assert_eq!(scene.state(), ModelState::Flawed(ModelFlaw::Unchecked), "{receipt:?}");
    }
}

/// RFC-0013:C-CHOICE
#[test]
fn a_model_without_a_hub_is_not_fetched() {
    let scene = scene(&[Mood::Fine]);
    assert_eq!(scene.store.hub(&SKILLS), None);
    let error = scene.store.install(&SKILLS, &ModelOrigin::Hub, &Quiet).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(scene.hub.ranges().is_empty());
}
