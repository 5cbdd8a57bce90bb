//! The import graph between the files of a crate.
//!
//! `use` declarations and inline paths count. A `pub use` is an import only if the file itself uses the name: code
//! that uses an item through a re-export imports the file that defines it. Modules have no edges to modules that they
//! only declare.

use super::tokens::{behind_bracket, starts_with, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The files that a file imports, each with the name imported from it.
pub type Imports = BTreeMap<String, BTreeMap<String, String>>;

type ModulePath = Vec<String>;

/// A name that a `use` brings into a module.
struct Use {
    /// `None` for `*`.
    name: Option<String>,
    path: Vec<String>,
    is_public: bool,
}

#[derive(Default)]
struct Module {
    file: String,
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// Paths in the code, single names included.
    paths: BTreeSet<Vec<String>>,
}

#[derive(Default)]
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    /// Macros with `#[macro_export]`, which have their path at the root.
    macros: BTreeMap<String, String>,
}

/// The imports of each file below `src`, by paths relative to it.
pub fn imports(src: &Path) -> Imports {
    let mut parsed = Crate::default();
    for file in super::rust_files(src) {
        let name = file.strip_prefix(src).unwrap().to_string_lossy().replace('\\', "/");
        let is_second_root = name == "main.rs" && src.join("lib.rs").exists();
        if !is_second_root && !name.ends_with("tests.rs") && !name.contains("tests/") {
            parsed.add_file(&name, &tokens(&std::fs::read_to_string(&file).unwrap()));
        }
    }
    parsed.imports()
}

impl Crate {
    fn add_file(&mut self, file: &str, tokens: &[String]) {
        let mut path: ModulePath = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if path.last().is_some_and(|last| last == "mod") || matches!(file, "lib.rs" | "main.rs") {
            path.pop();
        }
        self.add_module(path, file, tokens);
    }

    fn add_module(&mut self, path: ModulePath, file: &str, tokens: &[String]) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        let (mut at, mut depth) = (0, 0);
        while at < tokens.len() {
            let token = tokens[at].as_str();
            if token == "mod" && depth == 0 && tokens.get(at + 2).is_some_and(|next| next == "{") {
                let end = behind_bracket(tokens, at + 2);
                let inner = [path.clone(), vec![tokens[at + 1].clone()]].concat();
                self.add_module(inner, file, &tokens[at + 3..end - 1]);
                at = end;
                continue;
            }
            if token == "use" {
                let end = (at..tokens.len()).find(|at| tokens[*at] == ";").unwrap_or(tokens.len());
                let is_public = at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
                module.add_use(&tokens[at + 1..end], &[], is_public);
                at = end + 1;
                continue;
            }
            depth += match token {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
            if depth == 0 {
                self.add_item(&mut module, tokens, at);
            }
            at = module.add_path(tokens, at);
        }
        self.modules.insert(path, module);
    }

    fn add_item(&mut self, module: &mut Module, tokens: &[String], at: usize) {
        let Some(name) = tokens.get(at + 1) else { return };
        match tokens[at].as_str() {
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => {
                let name = if name == "mut" || name == "fn" { &tokens[at + 2] } else { name };
                module.items.insert(name.clone());
            }
            "macro_rules" => {
                let name = tokens[at + 2].clone();
                if at >= 4 && starts_with(tokens, at - 4, &["#", "[", "macro_export", "]"]) {
                    self.macros.insert(name.clone(), module.file.clone());
                }
                module.items.insert(name);
            }
            _ => {}
        }
    }

    fn imports(&self) -> Imports {
        let mut found = Imports::new();
        for (path, module) in &self.modules {
            let mut add = |target: &[String]| {
                if let Some(file) = self.file_of(path, target, 0)
                    && file != module.file
                {
                    found
                        .entry(module.file.clone())
                        .or_default()
                        .entry(file)
                        .or_insert_with(|| target.join("::"));
                }
            };
            module.paths.iter().for_each(|path| add(path));
            let is_used = |name: &String| module.paths.iter().any(|path| &path[0] == name);
            let imported =
                module.uses.iter().filter(|u| u.name.as_ref().is_some_and(|n| !u.is_public || is_used(n)));
            imported.for_each(|u| add(&u.path));
        }
        found
    }

    /// The file that defines what `path` names in `module`; `None` for modules, other crates and local names.
    fn file_of(&self, module: &[String], path: &[String], depth: usize) -> Option<String> {
        match self.resolve(module, path, depth)? {
            Target::File(file) => Some(file),
            Target::Module(_) => None,
        }
    }

    fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(module.to_vec()),
            "super" => Target::Module(module.split_last()?.1.to_vec()),
            name => self.member(module, name, depth)?,
        };
        rest.iter().try_fold(start, |at, name| match at {
            Target::Module(at) if name == "super" => Some(Target::Module(at.split_last()?.1.to_vec())),
            Target::Module(at) => self.member(&at, name, depth),
            Target::File(file) => Some(Target::File(file)),
        })
    }

    fn member(&self, path: &[String], name: &str, depth: usize) -> Option<Target> {
        let module = self.modules.get(path).filter(|_| depth < 20)?;
        if module.items.contains(name) {
            return Some(Target::File(module.file.clone()));
        }
        let bound = module.uses.iter().find(|u| u.name.as_deref() == Some(name));
        if let Some(bound) = bound {
            return self.resolve(path, &bound.path, depth + 1);
        }
        let child = [path, &[name.to_owned()]].concat();
        if self.modules.contains_key(&child) {
            return Some(Target::Module(child));
        }
        if let Some(file) = self.macros.get(name).filter(|_| path.is_empty()) {
            return Some(Target::File(file.clone()));
        }
        let globs = module.uses.iter().filter(|u| u.name.is_none());
        let opened = globs.filter_map(|u| match self.resolve(path, &u.path, depth + 1)? {
            Target::Module(opened) if opened != path => Some(opened),
            _ => None,
        });
        opened.into_iter().find_map(|opened| self.member(&opened, name, depth + 1))
    }
}

enum Target {
    File(String),
    Module(ModulePath),
}

impl Module {
    /// Parses the tree of a `use`.
    fn add_use(&mut self, tree: &[String], prefix: &[String], is_public: bool) {
        let mut path = prefix.to_vec();
        let mut at = 0;
        while at < tree.len() {
            match tree[at].as_str() {
                "::" => {}
                "{" => {
                    let inner = &tree[at + 1..behind_bracket(tree, at) - 1];
                    return branches(inner)
                        .into_iter()
                        .for_each(|branch| self.add_use(branch, &path, is_public));
                }
                "*" => return self.uses.push(Use { name: None, path, is_public }),
                "as" => {
                    let name = Some(tree[at + 1].clone());
                    return self.uses.push(Use { name, path, is_public });
                }
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
            at += 1;
        }
        let name = path.last().cloned();
        if name.is_some() {
            self.uses.push(Use { name, path, is_public });
        }
    }

    /// Adds the path that begins at `at`; returns the position after it.
    fn add_path(&mut self, tokens: &[String], at: usize) -> usize {
        let is_name = |token: &String| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let follows = at > 0 && matches!(tokens[at - 1].as_str(), "::" | ".");
        if !is_name(&tokens[at]) || follows {
            return at + 1;
        }
        let (mut path, mut next) = (vec![tokens[at].clone()], at + 1);
        while starts_with(tokens, next, &["::"]) && tokens.get(next + 1).is_some_and(is_name) {
            path.push(tokens[next + 1].clone());
            next += 2;
        }
        self.paths.insert(path);
        at + 1
    }
}

/// The parts between commas outside of braces.
fn branches(tokens: &[String]) -> Vec<&[String]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        if tokens[at] == "{" {
            at = behind_bracket(tokens, at);
            continue;
        }
        if tokens[at] == "," {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
        at += 1;
    }
    parts.push(&tokens[start..]);
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// Sets of several files that reach each other through imports.
pub fn circles(imports: &Imports) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|file| (file, reach(imports, file))).collect();
    let reaches = |from: &String, to: &String| reached.get(from).is_some_and(|all| all.contains(to));
    let mut found: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    for file in imports.keys().filter(|file| reaches(file, file)) {
        found.insert(
            reached[file].iter().filter(|other| reaches(other, file)).map(|other| (*other).clone()).collect(),
        );
    }
    found.into_iter().collect()
}

fn reach<'a>(imports: &'a Imports, file: &'a String) -> BTreeSet<&'a String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(at) = open.pop() {
        for next in imports.get(at).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}
