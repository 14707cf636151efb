//! Tests of pages with hostile names, and of pages of large results.

use super::*;
use crate::demo::Embedded;
use crate::frame::{Frame, Subject};
use crate::headline::Kind;
use crate::{Changes, Question, Session};

const EVIL: &str = "</script><script>1{{data}}\"'&<!--";

fn answer(scenario: &str) -> (Question, Answer) {
    let question = Question::parse("page", scenario, &Embedded, &Changes::default()).unwrap();
    let answer = question.run(&Session::default()).unwrap();
    (question, answer)
}

/// The numbers in a page.
fn numbers_of(html: &str) -> serde_json::Value {
    let begin = html.split_once("id=\"numbers\">").unwrap().1;
    serde_json::from_str(begin.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn names_of_users_are_texts() {
    let scenario = format!(
        "name = '''{EVIL}'''\nrepetitions = 2\nport = {{ rate = \"20 Mbps\", buffer = [\"20 packets\", \"200 packets\"] }}\n\
         traffic = {{ trace = \"mixed.pcap\" }}\n[[policy]]\nname = '''{EVIL}'''\nrank = \"arrival\"\nqueue = \"fifo\"\n"
    );
    let (question, answer) = answer(&scenario);
    let page = ReportPage { scenario: question.text(), command: EVIL };
    let html = page.html(&answer).unwrap();
    assert!(!html.contains("<script>1"));
    assert_eq!(html.matches("<script").count(), 3, "the numbers, uPlot, and the page's own");
    assert_eq!(html.matches("</script>").count(), 3);
    // A name that looks like a place of the template is left as it is.
    assert!(html.contains("&lt;/script&gt;&lt;script&gt;1{{data}}&quot;&#39;&amp;&lt;!--"));
    let numbers = numbers_of(&html);
    assert_eq!(numbers["policies"][0]["name"], EVIL);
    assert_eq!(numbers["axes"][0]["name"], "buffer");
    assert_eq!(numbers["pictures"][0]["x"], "buffer");
    assert!(html.contains("<th scope=\"col\">buffer</th>"));
}

#[test]
fn the_page_asks_nothing_of_a_network() {
    let (question, answer) = answer(crate::demo::SCENARIO);
    let html = ReportPage { scenario: question.text(), command: "forebay demo" }.html(&answer).unwrap();
    for word in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!html.contains(word), "{word}");
    }
    assert!(html.contains("default-src 'none'") && html.contains("Leon Sorokin"));
}

#[test]
fn a_baseline_adds_differences() {
    let changes = |name: &str| Changes { baseline: Some(name.to_owned()), ..Changes::default() };
    let question = Question::parse("demo", crate::demo::SCENARIO, &Embedded, &changes("FIFO")).unwrap();
    let answer = question.run(&Session::default()).unwrap();
    let page = ReportPage { scenario: question.text(), command: "" };
    let numbers = numbers_of(&page.html(&answer).unwrap());
    assert_eq!(numbers["baseline"], "FIFO");
    assert_eq!(
        numbers["rows"]["difference"].as_array().unwrap().len(),
        numbers["rows"]["mean"].as_array().unwrap().len()
    );
    let wrong = Question::parse("demo", crate::demo::SCENARIO, &Embedded, &changes("FIFA")).unwrap_err().to_string();
    assert!(wrong.starts_with("--baseline: ") && wrong.contains("did you mean `FIFO`"), "{wrong}");
}

#[test]
fn large_results_are_cut_and_say_so() {
    let mut frame = Frame::new(vec!["load".to_owned()]);
    for load in 0..400 {
        let values: Vec<Option<f64>> = (0..3).map(|_| Some(1e6)).collect();
        let cell = frame.cell("FIFO", vec![Some(load.to_string())]);
        cell.add(&Subject::all(), "delay_ns_p99", &[0, 1, 2], &values);
        for rank in 0..200 {
            cell.add(&Subject::of("rank", rank.to_string()), "inversions", &[0, 1, 2], &values);
        }
    }
    assert!(frame.rows().count() > 240_000);
    let summary = frame.summary(None).unwrap();
    let (numbers, left_out) = Numbers::new(&frame, &summary, None, Kind::Port);
    let json = serde_json::to_value(&numbers).unwrap();
    assert_eq!(json["rows"]["mean"].as_array().unwrap().len(), 400, "those of all");
    assert!(left_out.unwrap().starts_with("The pictures have 400 of the 80400 means"));
    let table = overview::html(&summary, frame.axes(), Kind::Port);
    assert_eq!(table.matches("<tr>").count(), 301);
    assert!(table.contains("first 300 of 400 rows"));
}
