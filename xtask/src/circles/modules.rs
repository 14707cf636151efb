//! The modules of a crate, one for each file, and the file in which a path ends.

use super::tokens::{Word, words};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A path such as `crate::a::B`, word by word. A path may end in `*`.
type Names = Vec<String>;

/// One file of a crate.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) file: String,
    parent: usize,
    children: BTreeMap<String, usize>,
    /// The names that `use` brings in: each with the path from which it comes.
    taken: Vec<(String, Names)>,
    /// Paths written out in the code.
    written: BTreeSet<Names>,
    /// Names that the file defines.
    defined: BTreeSet<String>,
    /// Names that stand in the file outside of `use`.
    mentioned: BTreeSet<String>,
}

/// The modules of a crate; the first is its root.
#[derive(Debug, Default)]
pub(crate) struct Modules(pub(crate) Vec<Module>);

/// How often a name may be handed on before the search for its file ends.
const MAX_HANDS: usize = 12;

impl Modules {
    /// Reads the crate whose root is the file `root`. `read` gives a file's text, or nothing where there is none.
    pub(crate) fn of(root: &str, read: &impl Fn(&str) -> Option<String>) -> Self {
        let mut modules = Self::default();
        modules.add(root, 0, &folder_of(root), read);
        modules
    }

    /// Adds a file and the modules that it declares. `folder` is where their files are.
    fn add(&mut self, file: &str, parent: usize, folder: &str, read: &impl Fn(&str) -> Option<String>) {
        let Some(text) = read(file) else { return };
        let index = self.0.len();
        let (module, declared) = Module::read(file, parent, &words(&text));
        self.0.push(module);
        for (name, path) in declared {
            let next = self.0.len();
            self.0[index].children.entry(name.clone()).or_insert(next);
            match path {
                Some(path) => {
                    let child = format!("{}/{path}", folder_of(file));
                    self.add(&child, index, &folder_of(&child), read);
                }
                None if read(&format!("{folder}/{name}.rs")).is_some() => {
                    self.add(&format!("{folder}/{name}.rs"), index, &format!("{folder}/{name}"), read);
                }
                None => self.add(&format!("{folder}/{name}/mod.rs"), index, &format!("{folder}/{name}"), read),
            }
        }
    }

    /// The files that the file `index` uses: those from which its names come. A name that a file only hands on
    /// (`pub use`) ties the file that takes the name, and not the one that hands it on. The file that declares `index` as
    /// a module is left out.
    pub(crate) fn used_by(&self, index: usize) -> BTreeSet<usize> {
        let module = &self.0[index];
        let taken = module
            .taken
            .iter()
            .filter(|(name, _)| name == "*" || module.mentioned.contains(name))
            .map(|(_, path)| path);
        let mut used: BTreeSet<usize> =
            taken.chain(&module.written).filter_map(|path| self.find(index, path, MAX_HANDS)).collect();
        used.remove(&index);
        used.remove(&module.parent);
        used
    }

    /// The file in which a path ends that is written in the file `from`; nothing for other crates.
    fn find(&self, from: usize, path: &[String], hands: usize) -> Option<usize> {
        let (first, mut rest) = path.split_first()?;
        let hands = hands.checked_sub(1)?;
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.0[from].parent,
            name => match self.0[from].children.get(name) {
                Some(&child) => child,
                None => {
                    let (_, taken) =
                        self.0[from].taken.iter().find(|(known, path)| known == name && path != &[name])?;
                    return self.find(from, &[taken, rest].concat(), hands);
                }
            },
        };
        while let Some((name, after)) = rest.split_first() {
            let module = self.0.get(at)?;
            if name == "super" {
                at = module.parent;
            } else if let Some(&child) = module.children.get(name) {
                at = child;
            } else if module.defined.contains(name) {
                return Some(at);
            } else {
                return Some(self.handed_on(at, name, after, hands).unwrap_or(at));
            }
            rest = after;
        }
        (at < self.0.len()).then_some(at)
    }

    /// Follows a name that the file `at` takes from elsewhere, by itself or with all others (`*`).
    fn handed_on(&self, at: usize, name: &str, after: &[String], hands: usize) -> Option<usize> {
        let taken = &self.0[at].taken;
        if let Some((_, path)) = taken.iter().find(|(known, _)| known == name) {
            return self.find(at, &[path, after].concat(), hands);
        }
        taken.iter().filter(|(known, _)| known == "*").find_map(|(_, path)| {
            let source = self.find(at, path, hands)?;
            self.0[source].defined.contains(name).then_some(source)
        })
    }
}

impl Module {
    /// Reads a file's words, and gives the modules that it declares with the paths that are said of them.
    fn read(file: &str, parent: usize, words: &[Word<'_>]) -> (Self, Vec<(String, Option<String>)>) {
        let mut module = Self { file: file.to_owned(), parent, ..Self::default() };
        let mut declared = Vec::new();
        let mut said = None;
        let mut at = 0;
        while at < words.len() {
            match &words[at..] {
                [Word::Name("path"), Word::Sign(b'='), Word::Text(path), ..] => said = Some((*path).to_owned()),
                [Word::Name("mod"), Word::Name(name), Word::Sign(b';'), ..] => {
                    declared.push(((*name).to_owned(), said.take()));
                }
                [Word::Name("use"), Word::Name(_) | Word::Sign(b'{'), ..] => {
                    at = module.take(words, at + 1, &[]);
                    continue;
                }
                [
                    Word::Name("struct" | "enum" | "union" | "trait" | "fn" | "type" | "const" | "static"),
                    Word::Name(name),
                    ..,
                ] => {
                    module.defined.insert((*name).to_owned());
                    at += 1;
                }
                [Word::Name(_), Word::PathSign, ..] if at == 0 || words[at - 1] != Word::PathSign => {
                    at = module.write(words, at);
                    continue;
                }
                [Word::Name(name), ..] => {
                    module.mentioned.insert((*name).to_owned());
                }
                _ => {}
            }
            at += 1;
        }
        (module, declared)
    }

    /// Reads what stands behind `use`, or a part of it in braces; gives the place where it ends.
    fn take(&mut self, words: &[Word<'_>], mut at: usize, before: &[String]) -> usize {
        let mut path = before.to_vec();
        while let Some(word) = words.get(at) {
            match word {
                Word::Name("as") => {
                    let name = words.get(at + 1).and_then(|word| word.name()).unwrap_or("_");
                    self.taken.push((name.to_owned(), std::mem::take(&mut path)));
                    at += 1;
                }
                Word::Name("self") if !path.is_empty() => {}
                Word::Name(name) => path.push((*name).to_owned()),
                Word::Sign(b'*') => self.taken.push(("*".to_owned(), std::mem::take(&mut path))),
                Word::Sign(b'{') => {
                    at = self.take(words, at + 1, &path);
                    path.clear();
                    continue;
                }
                Word::Sign(sign @ (b',' | b'}' | b';')) => {
                    if let Some(last) = path.last().cloned()
                        && (path.len() > before.len() || words[at - 1] == Word::Name("self"))
                    {
                        self.taken.push((last, path));
                    }
                    path = before.to_vec();
                    if *sign != b',' {
                        return at + 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Reads a path in the code; gives the place where it ends.
    fn write(&mut self, words: &[Word<'_>], mut at: usize) -> usize {
        let mut path = Vec::new();
        while let Some(Word::Name(name)) = words.get(at) {
            path.push((*name).to_owned());
            if words.get(at + 1) != Some(&Word::PathSign) {
                at += 1;
                break;
            }
            at += 2;
        }
        self.mentioned.insert(path[0].clone());
        self.written.insert(path);
        at
    }
}

fn folder_of(file: &str) -> String {
    Path::new(file).parent().map(|folder| folder.display().to_string()).unwrap_or_default()
}
