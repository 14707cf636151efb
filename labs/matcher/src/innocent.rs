//! Innocent traffic: HTTP requests as browsers, forms and programs send them.
//!
//! Sizes are roughly those of real requests. Headers have 300 to 700 bytes, and a query, form, text or JSON body has a
//! length with a long tail; the mean is 1.2 kB. Texts have what people write: quotes, dashes, semicolons, prices and
//! code. Now and then they have words that rules look for.

use forebay_core::{Rng, Seed};
use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

/// The content of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A page or a picture, with few parameters.
    Page,
    /// A search with a long query.
    Query,
    /// A form.
    Form,
    /// A JSON document for a programming interface.
    Json,
    /// A text with markup, as an editor of a site sends it.
    Text,
}

const KINDS: [(Kind, u32); 5] =
    [(Kind::Page, 35), (Kind::Query, 20), (Kind::Form, 20), (Kind::Json, 20), (Kind::Text, 5)];

// prose: allow long-sentence: words of texts, no sentence
const WORDS: &str = "the of and to in is that for it was with on as are be this have from at by not but what all were \
    when we there can an your which their said if do will each about how up out them then she many some so these would \
    other into has more her two like him see time could no make than first been its who now people my made over did \
    down only way find use may water long little very after words called just where most know get through back much \
    before go good new write our used me man too any day same right look think also around another came come work \
    three word must because does part even place well such here take why things help put years different away again \
    off went old number great tell men say small every found still between name should home big give air line set own \
    under read last never us left end along while might next sound below saw something thought both few those always \
    looked show large often together asked house world going want school important until form food keep children feet \
    land side without boy once animals life enough took sometimes four head above kind began almost live page got \
    earth need far hand high year mother light parts country father let night following picture being study second \
    eyes soon times story boys since white days ever paper hard near sentence better best across during today order \
    invoice delivery customer account payment address shipping product price colour size quantity discount voucher \
    report meeting project schedule review update version release issue comment photo gallery travel hotel booking \
    recipe kitchen garden music concert ticket station weather forecast football season player market energy battery";

/// Words that rules look for and that people use.
const RISKY: [&str; 24] = [
    "select one from the list",
    "union members",
    "don't drop the table; it's heavy",
    "insert coin",
    "1=1",
    "O'Brien",
    "rock 'n' roll",
    "<b>new</b>",
    "script for the play",
    "/etc/hosts",
    "curl up and wait",
    "if (a < b) { return a; }",
    "a && b || c",
    "C:\\Users\\me",
    "50% off -- today only",
    "alert: low stock",
    "cat & dog",
    "ping me (soon)",
    "`code`",
    "eval the results",
    "sleep 8 hours",
    "or 2 = two",
    "http://example.org/a?b=c",
    "like '%this%'",
];

const AGENTS: [&str; 5] = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "okhttp/4.12.0",
];

const FIELDS: [&str; 16] = [
    "name",
    "email",
    "page",
    "lang",
    "sort",
    "category",
    "token",
    "session",
    "q",
    "from",
    "ref",
    "utm_source",
    "item",
    "title",
    "message",
    "date",
];

/// Makes requests, for ever.
pub struct Innocent {
    rng: Rng,
    words: Vec<&'static str>,
}

impl Innocent {
    /// Requests that depend on the seed only.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self { rng: seed.stream("innocent"), words: WORDS.split_whitespace().collect() }
    }

    /// The next request, as sent over the connection.
    pub fn payload(&mut self) -> Vec<u8> {
        let kind = self.kind();
        let target = self.target(kind);
        let body = self.body_of(kind);
        let method = if body.is_empty() { "GET" } else { "POST" };
        let mut text = format!("{method} {target} HTTP/1.1\r\nHost: www.example.org\r\n");
        self.headers(&mut text);
        match kind {
            Kind::Form => text.push_str("Content-Type: application/x-www-form-urlencoded\r\n"),
            Kind::Json | Kind::Text => text.push_str("Content-Type: application/json\r\n"),
            Kind::Page | Kind::Query => {}
        }
        if !body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(&body);
        text.into_bytes()
    }

    fn kind(&mut self) -> Kind {
        let mut draw = self.rng.random_range(0..KINDS.iter().map(|(_, weight)| weight).sum());
        for (kind, weight) in KINDS {
            if draw < weight {
                return kind;
            }
            draw -= weight;
        }
        Kind::Page
    }

    fn target(&mut self, kind: Kind) -> String {
        let mut path = String::new();
        for _ in 0..self.rng.random_range(1..4) {
            path.push('/');
            path.push_str(self.word());
        }
        if matches!(kind, Kind::Page) && self.chance(0.4) {
            path.push_str([".png", ".css", ".js", ".html"][self.rng.random_range(0..4)]);
        }
        let parameters = match kind {
            Kind::Query => 12,
            Kind::Page => self.rng.random_range(0..3),
            _ => 0,
        };
        for index in 0..parameters {
            path.push(if index == 0 { '?' } else { '&' });
            let value = if kind == Kind::Query { self.text(40) } else { self.token(8) };
            path.push_str(&format!("{}={}", self.field(), encoded(&value)));
        }
        path
    }

    fn headers(&mut self, text: &mut String) {
        let agent = AGENTS[self.rng.random_range(0..AGENTS.len())];
        text.push_str(&format!("User-Agent: {agent}\r\nAccept: text/html,application/json;q=0.9,*/*;q=0.8\r\n"));
        text.push_str("Accept-Language: en-GB,en;q=0.7,de;q=0.3\r\nAccept-Encoding: gzip, deflate, br\r\n");
        if self.chance(0.7) {
            let referer = self.target(Kind::Page);
            text.push_str(&format!("Referer: https://www.example.org{referer}\r\n"));
        }
        if self.chance(0.7) {
            let (first, second) = (self.token(32), self.token(60));
            let visited = self.rng.random_range(1_600_000_000..1_800_000_000_u32);
            text.push_str(&format!("Cookie: sid={first}; prefs={second}; last={visited}; theme=dark\r\n"));
        }
        if self.chance(0.2) {
            let token = self.token(180);
            text.push_str(&format!("Authorization: Bearer {token}\r\n"));
        }
    }

    fn body_of(&mut self, kind: Kind) -> String {
        // A logarithmic normal distribution: 735 bytes in the median, twice that in one of five.
        let normal: f64 = StandardNormal.sample(&mut self.rng);
        let draw = (6.6 + 0.9 * normal).exp();
        // Between a short form and a long article; the range makes the conversion exact enough.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 40 to 8,000")]
        let length = draw.clamp(40.0, 8_000.0) as usize;
        match kind {
            Kind::Page | Kind::Query => String::new(),
            Kind::Form => {
                let mut body = String::new();
                while body.len() < length {
                    let value = if self.chance(0.5) { self.text(length / 4 + 10) } else { self.token(16) };
                    let separator = if body.is_empty() { "" } else { "&" };
                    body.push_str(&format!("{separator}{}={}", self.field(), encoded(&value)));
                }
                body
            }
            Kind::Json => {
                let mut items = Vec::new();
                let mut total = 0;
                while total < length {
                    let item = match self.rng.random_range(0..4) {
                        0 => format!("\"{}\":{}", self.field(), self.rng.random_range(0..1_000_000)),
                        1 => format!("\"{}\":\"{}\"", self.field(), self.token(24)),
                        2 => format!("\"{}\":[{},true,null]", self.field(), self.rng.random::<f32>()),
                        _ => format!("\"{}\":\"{}\"", self.field(), self.text(80).replace(['"', '\\'], " ")),
                    };
                    total += item.len() + 1;
                    items.push(item);
                }
                format!("{{{}}}", items.join(","))
            }
            Kind::Text => {
                let mut text = String::from("{\"html\":\"");
                while text.len() < 2 * length {
                    let paragraph = self.text(300).replace(['"', '\\'], " ");
                    text.push_str(&format!("<p>{paragraph}</p>\\n"));
                }
                text.push_str("\"}");
                text
            }
        }
    }

    /// Running text of about that many bytes.
    fn text(&mut self, length: usize) -> String {
        let mut text = String::new();
        while text.len() < length {
            if self.chance(0.006) {
                text.push_str(RISKY[self.rng.random_range(0..RISKY.len())]);
            } else if self.chance(0.03) {
                text.push_str(&self.rng.random_range(0..5_000).to_string());
            } else {
                text.push_str(self.word());
            }
            text.push_str(match self.rng.random_range(0..60) {
                0..4 => ". ",
                4..8 => ", ",
                8 => "; ",
                9 => ": ",
                10 => "? ",
                11 => " - ",
                12 => "! ",
                _ => " ",
            });
        }
        text
    }

    fn word(&mut self) -> &'static str {
        self.words[self.rng.random_range(0..self.words.len())]
    }

    fn field(&mut self) -> &'static str {
        FIELDS[self.rng.random_range(0..FIELDS.len())]
    }

    /// Letters and digits, as identifiers and keys are.
    fn token(&mut self, length: usize) -> String {
        const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        (0..length).map(|_| char::from(LETTERS[self.rng.random_range(0..LETTERS.len())])).collect()
    }

    fn chance(&mut self, share: f64) -> bool {
        self.rng.random_bool(share)
    }
}

/// As forms encode values.
fn encoded(text: &str) -> String {
    let mut result = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => result.push(char::from(byte)),
            b' ' => result.push('+'),
            _ => result.push_str(&format!("%{byte:02X}")),
        }
    }
    result
}
