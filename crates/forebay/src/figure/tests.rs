//! Tests of properties that the figures of all kinds have for any data.

use super::layout;
use super::scene::{Item, Path, Rect, Role, Scene, Step};
use super::{Axis, Figure, KINDS, Page, Panel, Point, Series, Unit};
use rand::{RngExt as _, SeedableRng as _, rngs::SmallRng};

const PANELS: usize = 5;

/// A figure with chance in everything that a layout depends on.
fn figure(random: &mut SmallRng) -> Figure {
    let units =
        [Unit::Plain, Unit::Share, Unit::Seconds, Unit::Bytes, Unit::BitsPerSecond, Unit::Count("packets".to_owned())];
    let words = |random: &mut SmallRng, most: usize| -> String {
        let letters = random.random_range(1..=most);
        (0..letters)
            .map(|place| if place % 7 == 6 { ' ' } else { char::from(b'a' + random.random_range(0..26)) })
            .collect()
    };
    let number = |random: &mut SmallRng| 10_f64.powf(random.random_range(-9.0..9.0));
    let (least, spread) = (number(random), random.random_range(0.0..4.0));
    let names: Vec<String> = if random.random_bool(0.3) {
        let most = [6, 30][random.random_range(0..2)];
        (0..random.random_range(1..30)).map(|place| format!("{place}{}", words(random, most))).collect()
    } else {
        Vec::new()
    };
    let axis = |random: &mut SmallRng| Axis {
        title: words(random, 60),
        unit: units[random.random_range(0..units.len())].clone(),
        is_logarithmic: random.random_bool(0.5),
        names: Vec::new(),
    };
    let x = if names.is_empty() { axis(random) } else { Axis::named(words(random, 30), names.clone()) };
    let y = axis(random);
    let policies: Vec<String> = (0..random.random_range(1..12)).map(|_| words(random, 40)).collect();
    let panel = |random: &mut SmallRng, x: &Axis, y: &Axis| {
        let points = if names.is_empty() { random.random_range(0..12) } else { names.len() };
        let title = words(random, 50);
        let series = policies.iter().map(|name| {
            let mut points: Vec<Point> = (0..points)
                .map(|place| {
                    let at = if names.is_empty() {
                        least * 10_f64.powf(random.random_range(0.0..=spread))
                    } else {
                        place as f64
                    };
                    let value = least * 10_f64.powf(random.random_range(0.0..=spread));
                    let sign = if random.random_bool(0.05) { -1.0 } else { 1.0 };
                    let ci95 = random.random_bool(0.7).then(|| value * random.random_range(0.0..1.5));
                    Point { ci95, ..Point::of(at, sign * value) }
                })
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { name: name.clone(), points }
        });
        Panel { title, x: x.clone(), y: y.clone(), series: series.collect() }
    };
    let panels = (0..random.random_range(1..=PANELS)).map(|_| {
        let own = if random.random_bool(0.5) { y.clone() } else { axis(random) };
        panel(random, &x, &own)
    });
    let panels = panels.collect();
    let title = if random.random_bool(0.5) { words(random, 200) } else { String::new() };
    Figure { title, by: words(random, 20), panels, others: Vec::new(), across: None }
}

/// The rectangle around a path.
fn bounds(path: &Path) -> Rect {
    let mut rect = Rect { left: f64::MAX, top: f64::MAX, right: f64::MIN, bottom: f64::MIN };
    let mut add = |x: f64, y: f64| {
        assert!(x.is_finite() && y.is_finite(), "{path:?}");
        rect =
            Rect { left: rect.left.min(x), top: rect.top.min(y), right: rect.right.max(x), bottom: rect.bottom.max(y) };
    };
    for step in &path.steps {
        match *step {
            Step::Move(x, y) | Step::Line(x, y) => add(x, y),
            Step::Curve(a, b, c, d, x, y) => {
                add(a, b);
                add(c, d);
                add(x, y);
            }
            Step::Close => {}
        }
    }
    rect
}

fn check(scene: &Scene, is_written_on: bool, what: &str) {
    let texts: Vec<_> = scene.texts().map(|text| (text.words.clone(), text.bounds())).collect();
    let page = Rect { left: 0.0, top: 0.0, right: scene.width, bottom: scene.height };
    for (place, (words, text)) in texts.iter().enumerate() {
        let is_on_page = text.left >= page.left
            && text.right <= page.right + 0.01
            && text.top >= page.top
            && text.bottom <= page.bottom + 0.01;
        assert!(is_on_page, "{what}: `{words}` leaves the page: {text:?} {page:?}");
        for (other, rect) in &texts[place + 1..] {
            assert!(!text.overlaps(rect), "{what}: `{words}` and `{other}` overlap: {text:?} {rect:?}");
        }
    }
    for item in &scene.items[1..] {
        let Item::Path(path) = item else { continue };
        let rect = bounds(path);
        // A line has no area of its own.
        let thick = path.stroke.map_or(0.0, |stroke| stroke.width / 2.0);
        let wide = Rect {
            left: rect.left - thick,
            right: rect.right + thick,
            top: rect.top - thick,
            bottom: rect.bottom + thick,
        };
        let may_cover = |words: &str| is_written_on && path.role == Role::Data && words.len() < 16;
        for (words, text) in &texts {
            assert!(
                may_cover(words) || !text.overlaps(&wide) || is_edge(path),
                "{what}: a line crosses `{words}`: {wide:?} {text:?}"
            );
        }
        let is_on_page = wide.left >= -0.01
            && wide.right <= page.right + 0.01
            && wide.top >= -0.01
            && wide.bottom <= page.bottom + 0.01;
        assert!(is_on_page, "{what}: a line leaves the page: {wide:?}");
    }
}

/// The edges of a plot are one line around two of its sides, within which other things are.
fn is_edge(path: &Path) -> bool {
    path.role == Role::Guide && path.steps.len() == 3
}

#[test]
fn no_text_touches_another_or_a_line() {
    for seed in 0..400 {
        let mut random = SmallRng::seed_from_u64(seed);
        let figure = figure(&mut random);
        for kind in KINDS {
            for page in [Page::one_column(), Page::two_columns(), Page::new(70.0, 9.0, 300.0).unwrap()] {
                let what = format!("seed {seed}, {}, {page:?}", kind.about.name);
                check(&layout::scene(&figure, kind.plot, &page), kind.about.name == "heat-map", &what);
            }
        }
    }
}

#[test]
fn no_text_of_a_column_is_below_six_points() {
    let mut random = SmallRng::seed_from_u64(1);
    for kind in KINDS {
        let scene = layout::scene(&figure(&mut random), kind.plot, &Page::one_column());
        let least = scene.texts().map(|text| text.size).fold(f64::INFINITY, f64::min);
        assert!(least >= 6.0 && least.is_finite(), "{}: {least}", kind.about.name);
        assert!((scene.width / 72.0 * 25.4 - 88.0).abs() < 1e-9);
    }
}

/// What a printer makes of a PNG: the dots of a column, and how many of them are an inch.
#[test]
fn a_column_at_300_dpi_has_1040_dots() {
    let figure = figure(&mut SmallRng::seed_from_u64(1));
    let png = figure.draw("lines", &Page::one_column(), "png").unwrap();
    let number = |from: usize| u32::from_be_bytes(png[from..from + 4].try_into().unwrap());
    assert_eq!(&png[12..16], b"IHDR");
    assert_eq!(number(16), 1040, "88 mm");
    let place = png.windows(4).position(|four| four == b"pHYs").unwrap();
    assert_eq!(number(place + 4), 11_811, "dots in a metre");
}

#[test]
fn a_page_has_the_height_that_was_asked_for() {
    for seed in 0..40 {
        let figure = figure(&mut SmallRng::seed_from_u64(seed));
        for kind in KINDS {
            let natural = layout::scene(&figure, kind.plot, &Page::two_columns()).height;
            let wanted = natural * 1.3;
            // Higher than any paper.
            let Ok(page) = Page::two_columns().with_height(wanted / 72.0 * 25.4) else { continue };
            let scene = layout::scene(&figure, kind.plot, &page);
            assert!((scene.height - wanted).abs() < 0.5, "seed {seed}: {} {wanted}", scene.height);
            check(&scene, kind.about.name == "heat-map", &format!("seed {seed}, {}", kind.about.name));
        }
    }
    let figure = figure(&mut SmallRng::seed_from_u64(3));
    let error = figure.draw("lines", &Page::one_column().with_height(21.0).unwrap(), "svg").unwrap_err();
    assert!(error.to_string().starts_with("--height: this figure needs at least "), "{error}");
}

#[test]
fn every_kind_is_written_in_every_format() {
    let mut random = SmallRng::seed_from_u64(7);
    let figure = figure(&mut random);
    for kind in KINDS {
        for (ending, start) in
            [("svg", &b"<svg "[..]), ("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("json", b"{\n"), ("csv", b"panel,")]
        {
            let bytes = figure.draw(kind.about.name, &Page::one_column(), ending).unwrap();
            assert!(bytes.starts_with(start), "{} {ending}", kind.about.name);
            assert_eq!(bytes, figure.draw(kind.about.name, &Page::one_column(), ending).unwrap(), "the same bytes");
        }
    }
    let error = figure.draw("bar", &Page::one_column(), "svg").unwrap_err();
    assert_eq!(error.to_string(), "--kind: unknown kind of plot `bar`; did you mean `bars`?");
    let error = figure.draw("bars", &Page::one_column(), "bitmap").unwrap_err();
    assert_eq!(error.to_string(), "--out: unknown format `bitmap`; known are svg, pdf, png, json, csv");
}

#[test]
fn an_empty_figure_is_an_empty_page() {
    for kind in KINDS {
        let empty = Figure { panels: vec![Panel::default()], ..Figure::default() };
        check(&layout::scene(&empty, kind.plot, &Page::one_column()), false, kind.about.name);
        assert!(Figure::default().draw(kind.about.name, &Page::one_column(), "png").is_ok());
    }
}

#[test]
fn the_numbers_of_a_figure_are_rows() {
    let point = Point { ci95: Some(0.5), samples: 3, ..Point::of(1.0, 2.25) };
    let series = vec![
        Series { name: "FIFO".to_owned(), points: vec![Point::of(0.0, 1e-6), point] },
        Series { name: "a, b".to_owned(), points: vec![Point::of(0.0, 7.0)] },
    ];
    let x = Axis::named("buffer", vec!["10 KB".to_owned(), "1 MB".to_owned()]);
    let panel = Panel { title: "load 0.5".to_owned(), x, y: Axis::linear("delay", Unit::Seconds), series };
    let figure = Figure { by: "policy".to_owned(), panels: vec![panel], ..Figure::default() };
    let csv = String::from_utf8(figure.draw("bars", &Page::one_column(), "csv").unwrap()).unwrap();
    let expected = "panel,policy,x,y,ci95,samples,x_axis,x_unit,y_axis,y_unit\n\
                    load 0.5,FIFO,10 KB,0.000001,,1,buffer,,delay,s\n\
                    load 0.5,FIFO,1 MB,2.25,0.5,3,buffer,,delay,s\n\
                    load 0.5,\"a, b\",10 KB,7,,1,buffer,,delay,s\n";
    assert_eq!(csv, expected);
}
