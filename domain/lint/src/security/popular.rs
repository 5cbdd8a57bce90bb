//! Packages that everybody installs, by registry, and what is like them and yet itself.

use crate::security::packages::Registry;
use skillc_domain::text::edit_distance::edit_distance;

/// Letters of the shortest name that is compared: too many short names are one letter apart.
const LETTERS_MIN: usize = 5;
/// Letters of the longest one.
const LETTERS_MAX: usize = 60;

/// Names by registry, those that are imitated most: the ones with the most downloads.
const POPULAR: &[(Registry, &str)] = &[
    (
        Registry::PyPi,
        "requests numpy pandas matplotlib scipy scikit-learn tensorflow torch torchvision transformers pillow flask \
         django fastapi uvicorn sqlalchemy pydantic pytest selenium playwright beautifulsoup4 urllib3 cryptography \
         paramiko boto3 botocore openai anthropic langchain httpx aiohttp openpyxl python-dateutil python-dotenv \
         python-docx python-pptx pyyaml setuptools colorama psutil jinja2 click pypdf pdfplumber opencv-python \
         virtualenv pymongo networkx plotly seaborn discord.py jellyfish",
    ),
    (
        Registry::Npm,
        "react react-dom express lodash axios typescript webpack eslint prettier chalk commander mongoose nodemon \
         puppeteer playwright cross-env dotenv moment jquery electron tailwindcss vitest rimraf inquirer socket.io \
         node-fetch discord.js colors body-parser bluebird underscore winston cheerio nodemailer esbuild rollup \
         vercel wrangler firebase svelte",
    ),
    (
        Registry::Crates,
        "serde serde_json tokio reqwest anyhow thiserror regex ripgrep chrono rayon hyper rust_decimal",
    ),
    (Registry::Gems, "rails bundler rspec nokogiri devise sinatra jekyll rubocop"),
    (
        Registry::Go,
        "github.com/spf13/cobra github.com/spf13/viper github.com/gorilla/mux github.com/gin-gonic/gin \
         github.com/sirupsen/logrus github.com/stretchr/testify github.com/boltdb/bolt google.golang.org/grpc",
    ),
];

/// Packages of their own that are one letter from one of these.
const THEMSELVES: &str = "\
    scapy boto simpy psycopg pyaml unicorn openapi grequests urequests torchx preact \
    reactn tslint jslint enquirer color query dotenvx momento regexp crayon chronos chalks flaskr pandera \
    plotpy network pypff willow gsutil flake8 serdes panda3d pyclick spec";

/// Names that were put up to be taken for others, more than a letter apart.
const CONFUSED: &[(Registry, &str, &str)] = &[
    (Registry::PyPi, "python3-dateutil", "python-dateutil"),
    (Registry::PyPi, "pytorch", "torch"),
    (Registry::PyPi, "request", "requests"),
    (Registry::Npm, "crossenv", "cross-env"),
    (Registry::Npm, "twilio-npm", "twilio"),
    (Registry::Go, "github.com/boltdb-go/bolt", "github.com/boltdb/bolt"),
];

/// The popular package that a name can be taken for; `None` for a name that is one itself, or is like none.
pub fn taken_for(registry: Registry, name: &str) -> Option<&'static str> {
    let letters = name.chars().count();
    if !(LETTERS_MIN..=LETTERS_MAX).contains(&letters) || THEMSELVES.split(' ').any(|own| own == name) {
        return None;
    }
    let popular = || POPULAR.iter().filter(|(of, _)| *of == registry).flat_map(|(_, names)| names.split(' '));
    if popular().any(|popular| popular == name) {
        return None;
    }
    let confused = CONFUSED.iter().find(|(of, confused, _)| *of == registry && *confused == name);
    // A digit at the end is most often a version: `psycopg2`, `jquery3`.
    let bare = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let near = |popular: &&str| {
        if name[..bare(name)] == popular[..bare(popular)] {
            return false;
        }
        popular.len().abs_diff(name.len()) <= 4 && popular.len() >= LETTERS_MIN && is_one_slip(name, popular)
    };
    confused.map(|(_, _, meant)| *meant).or_else(|| popular().find(near))
}

/// One letter more, less or another, or two letters that changed places.
fn is_one_slip(a: &str, b: &str) -> bool {
    let differ = || a.chars().zip(b.chars()).enumerate().filter(|(_, (x, y))| x != y);
    let is_swapped = a.chars().count() == b.chars().count() && {
        let found: Vec<_> = differ().take(3).collect();
        matches!(found[..], [(i, (x, y)), (j, (v, w))] if j == i + 1 && x == w && y == v)
    };
    is_swapped || edit_distance(a, b) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_one_slip_from_a_popular_one_is_taken_for_it() {
        for (registry, name, expected) in [
            (Registry::PyPi, "reqeusts", Some("requests")),
            (Registry::PyPi, "request", Some("requests")),
            (Registry::PyPi, "colourama", Some("colorama")),
            (Registry::PyPi, "requésts", Some("requests")),
            (Registry::PyPi, "requests", None),
            (Registry::PyPi, "scapy", None),
            (Registry::PyPi, "urllib", None),
            (Registry::Npm, "jquery3", None),
            (Registry::PyPi, "express", None),
            (Registry::Npm, "loadash", Some("lodash")),
            (Registry::Npm, "crossenv", Some("cross-env")),
            (Registry::Npm, "preact", None),
            (Registry::Npm, "request", None),
            (Registry::Crates, "rustdecimal", Some("rust_decimal")),
            (Registry::Go, "github.com/sprif13/viper", None),
            (Registry::Go, "github.com/siruspen/logrus", Some("github.com/sirupsen/logrus")),
            (Registry::Gems, "", None),
        ] {
            assert_eq!(taken_for(registry, name), expected, "{name}");
        }
    }
}
