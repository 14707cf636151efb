//! Passages of a page in Markdown: paragraphs, items of lists, headings and cells of tables. Code is no prose.

use super::inline;
use super::passage::{Comment, Kind, Passage, Text};

pub(crate) fn read(text: &str) -> Text {
    let mut page = Page::default();
    for (line, number) in text.lines().zip(1..) {
        page.line(number, line);
    }
    page.text()
}

/// A page that is read line by line.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: Text,
    /// The number of the next block.
    block: usize,
    open: Open,
    /// Where the text of each list item starts around the present line, outermost first.
    items: Vec<usize>,
    /// How many `>` stand before the present line.
    quotes: usize,
}

/// What the next line may continue.
#[derive(Debug, Default)]
enum Open {
    #[default]
    Nothing,
    Paragraph {
        line: usize,
        lines: Vec<String>,
    },
    Table {
        line: usize,
        rows: Vec<String>,
    },
    /// A code fence: its letter and how many of them.
    Fence(char, usize),
    Comment {
        line: usize,
        text: String,
    },
}

impl Page {
    pub(crate) fn line(&mut self, number: usize, line: &str) {
        let line = line.replace('\t', "    ");
        let content = line.trim();
        match &mut self.open {
            Open::Fence(letter, length) => {
                if content.chars().all(|other| other == *letter) && content.len() >= *length {
                    self.open = Open::Nothing;
                }
                return;
            }
            Open::Comment { text, .. } => {
                text.push(' ');
                text.push_str(content);
                return self.end_comment();
            }
            _ => {}
        }
        if content.is_empty() {
            return self.end();
        }
        self.indented(number, line.len() - line.trim_start().len(), content);
    }

    /// A line with something on it, outside of fences and comments.
    fn indented(&mut self, number: usize, indent: usize, content: &str) {
        let is_nothing = matches!(self.open, Open::Nothing);
        let marker = if self.may_begin_item(content) { marker(content) } else { None };
        if is_nothing || marker.is_some() {
            self.items.retain(|start| *start <= indent);
        }
        if is_nothing && indent >= self.items.last().unwrap_or(&0) + 4 {
            return; // Indented code.
        }
        if let Some(width) = marker {
            self.end();
            self.items.push(indent + width);
            let rest = content[width.min(content.len())..].trim_start();
            if !rest.is_empty() {
                self.indented(number, indent + width, rest);
            }
            return;
        }
        let quotes =
            content.chars().take_while(|letter| matches!(letter, '>' | ' ')).filter(|letter| *letter == '>').count();
        if quotes != self.quotes {
            self.end();
            self.quotes = quotes;
        }
        self.content(number, content.trim_start_matches(['>', ' ']));
    }

    fn content(&mut self, number: usize, content: &str) {
        if let Some((letter, length)) = fence(content) {
            self.end();
            self.open = Open::Fence(letter, length);
        } else if content.starts_with("<!--") {
            self.end();
            self.open = Open::Comment { line: number, text: content.to_owned() };
            self.end_comment();
        } else if let Some(heading) = heading(content) {
            self.end();
            self.push(Kind::Heading, number, heading);
        } else if is_rule(content) {
            self.underlined(content);
        } else if content.starts_with('|') {
            self.row(number, content);
        } else if !is_definition(content) {
            match &mut self.open {
                Open::Paragraph { lines, .. } => lines.push(content.to_owned()),
                _ => {
                    self.end();
                    self.open = Open::Paragraph { line: number, lines: vec![content.to_owned()] };
                }
            }
        }
    }

    /// Whether a marker before this text would begin an item, and not stand in the middle of a sentence.
    fn may_begin_item(&self, content: &str) -> bool {
        let is_within = matches!(self.open, Open::Paragraph { .. }) && self.items.is_empty();
        !is_within || !content.starts_with(|letter: char| letter.is_ascii_digit()) || content.starts_with("1.")
    }

    /// A line of dashes or the like: what is open was a heading, or the line is a rule.
    fn underlined(&mut self, content: &str) {
        match std::mem::take(&mut self.open) {
            Open::Paragraph { line, lines } if content.starts_with(['=', '-']) => {
                self.push(Kind::Heading, line, &lines.join("\n"));
            }
            open => {
                self.open = open;
                self.end();
            }
        }
    }

    fn row(&mut self, number: usize, content: &str) {
        match &mut self.open {
            Open::Table { rows, .. } => rows.push(content.to_owned()),
            _ => {
                self.end();
                self.open = Open::Table { line: number, rows: vec![content.to_owned()] };
            }
        }
    }

    /// Nothing before here goes on.
    pub(crate) fn end(&mut self) {
        match std::mem::take(&mut self.open) {
            Open::Paragraph { line, lines } => self.push(Kind::Prose, line, &lines.join("\n")),
            Open::Table { line, rows } => {
                for (row, line) in rows.iter().zip(line..) {
                    for cell in inline::plain(row).split('|') {
                        self.add(Kind::Cell, line, cell);
                    }
                }
                self.block += 1;
            }
            Open::Nothing | Open::Fence(..) | Open::Comment { .. } => {}
        }
    }

    fn end_comment(&mut self) {
        if let Open::Comment { line, text } = &self.open
            && let Some(inner) =
                text.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")).map(|(inner, _)| inner)
        {
            if let Some(words) = inner.trim().strip_prefix("prose:") {
                self.text.comments.push(Comment { line: *line, text: words.trim().to_owned(), block: self.block });
            }
            self.open = Open::Nothing;
        }
    }

    fn push(&mut self, kind: Kind, line: usize, text: &str) {
        let (label, rest) = label(text).unwrap_or(("", text));
        self.add(Kind::Heading, line, &inline::plain(label));
        self.add(kind, line + label.matches('\n').count(), &inline::plain(rest));
        self.block += 1;
    }

    fn add(&mut self, kind: Kind, line: usize, text: &str) {
        self.text.passages.extend(Passage::new(kind, line, text, self.block));
    }

    pub(crate) fn text(mut self) -> Text {
        self.end();
        self.text
    }
}

/// The label in bold or italics with which a passage begins, such as `**What it costs.**`, and the rest.
fn label(text: &str) -> Option<(&str, &str)> {
    let stars = text.len() - text.trim_start_matches('*').len();
    let length = text[stars..].find('*').filter(|_| stars > 0)?;
    let (label, after) = text[stars..].split_at(length);
    let rest = after.trim_start_matches('*');
    (label.ends_with(['.', ':', '?', '!']) || rest.starts_with(':')).then_some((label, rest))
}

/// How wide the marker of a list item is, with the space after it.
fn marker(content: &str) -> Option<usize> {
    let digits = content.chars().take_while(char::is_ascii_digit).count();
    let sign = content.chars().nth(digits)?;
    let is_marker =
        if digits == 0 { matches!(sign, '-' | '*' | '+') } else { digits < 10 && matches!(sign, '.' | ')') };
    let after = &content[digits + usize::from(is_marker)..];
    let is_item = is_marker && !is_rule(content) && (after.is_empty() || after.starts_with(' '));
    is_item.then(|| digits + 1 + (after.len() - after.trim_start().len()).clamp(1, 4))
}

/// The letter and the length of a code fence.
fn fence(content: &str) -> Option<(char, usize)> {
    let letter = content.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
    let length = content.chars().take_while(|other| *other == letter).count();
    (length >= 3 && !content[length..].contains('`')).then_some((letter, length))
}

fn heading(content: &str) -> Option<&str> {
    let text = content.trim_start_matches('#');
    let level = content.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim_end_matches('#').trim())
}

/// A line of at least three dashes, stars or underscores, or of equals signs.
fn is_rule(content: &str) -> bool {
    let mut letters = content.chars().filter(|letter| *letter != ' ');
    let Some(first) = letters.next().filter(|letter| matches!(letter, '-' | '*' | '_' | '=')) else { return false };
    letters.clone().all(|letter| letter == first) && letters.count() >= 2
}

/// Where a link by name leads: `[name]: target`.
fn is_definition(content: &str) -> bool {
    content.starts_with('[') && content.split_once("]: ").is_some_and(|(name, _)| !name.contains(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Title of `it` #

First [link](docs/x.md \"t\") and
`code\nspan` go on. <!-- not seen -->

    indented code

- An item
  goes on

  A second paragraph of it.

      code in an item

  1. Inner
  2. ```
     fenced
     ```
* * *
Under
-----
> Quoted text
> goes on.

| a `x | y` | b \\| c |
| --- | :-: |
| d | e |
After.

~~~text
# no heading
~~~
<!-- prose: allow
long-sentence: why -->
![picture](x.png) <https://a.b> and <b>bold</b> **stars** in
1986. It is 2 * 3.
[x]: https://a.b

- **What it
  costs.** Much.
- **Bold** words and `**code**:`.
";

    #[test]
    fn a_page_with_every_construct_is_read() {
        let text = read(PAGE);
        let found: Vec<_> = text.passages.iter().map(|passage| (passage.kind, passage.line, &*passage.text)).collect();
        let expected = [
            (Kind::Heading, 1, "Title of \u{FFFC}"),
            (Kind::Prose, 3, "First link and\n\n\u{FFFC} go on."),
            (Kind::Prose, 9, "An item\ngoes on"),
            (Kind::Prose, 12, "A second paragraph of it."),
            (Kind::Prose, 16, "Inner"),
            (Kind::Heading, 21, "Under"),
            (Kind::Prose, 23, "Quoted text\ngoes on."),
            (Kind::Cell, 26, "a \u{FFFC}"),
            (Kind::Cell, 26, "b / c"),
            (Kind::Cell, 28, "d"),
            (Kind::Cell, 28, "e"),
            (Kind::Prose, 29, "After."),
            (Kind::Prose, 36, "picture \u{FFFC} and bold stars in\n1986. It is 2 * 3."),
            (Kind::Heading, 40, "What it\ncosts."),
            (Kind::Prose, 41, "Much."),
            (Kind::Prose, 42, "Bold words and \u{FFFC}."),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_comment_knows_its_line_and_the_block_after_it() {
        let text = read(PAGE);
        let last = text.passages.iter().find(|one| one.line == 36).unwrap();
        let expected = Comment { line: 34, text: "allow long-sentence: why".to_owned(), block: last.block };
        assert_eq!(text.comments, [expected]);
    }

    #[test]
    fn cells_of_a_table_are_one_block() {
        let blocks: Vec<usize> = read("One.\n\n| a | b |\n| c | d |\n").passages.iter().map(|one| one.block).collect();
        assert_eq!(blocks, [0, 1, 1, 1, 1]);
    }
}
