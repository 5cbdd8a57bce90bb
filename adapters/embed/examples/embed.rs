//! Prints the embedding of each text, given as one JSON string per line, as one JSON array per line: `embed FOLDER <
//! texts`, with the folder from `skc model status`. With `--times`, prints the duration of loading and of each text on
//! stderr.

use skillc_domain::model::MODELS;
use skillc_embed::BertEmbedder;
use skillc_ports::Embedder;
use std::io::BufRead;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("usage: embed FOLDER [--times] < texts")?;
    let are_times_told = arguments.iter().any(|argument| argument == "--times");
    let is_in_folder = |name: &str| std::path::Path::new(folder).join(name).is_file();
    let model = MODELS.iter().find(|model| is_in_folder(model.weights().name)).ok_or("no model there")?;
    let embedder = BertEmbedder::new(model, folder);
    let start = Instant::now();
    embedder.embed("")?;
    if are_times_told {
        eprintln!("load {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    }
    for line in std::io::stdin().lock().lines() {
        // As a JSON string, a text with line breaks is a single line.
        let text: String = serde_json::from_str(&line?)?;
        let start = Instant::now();
        let vector = embedder.embed(&text)?;
        if are_times_told {
            eprintln!("{:.2} ms", start.elapsed().as_secs_f64() * 1e3);
        }
        println!("{}", serde_json::to_string(&vector)?);
    }
    Ok(())
}
