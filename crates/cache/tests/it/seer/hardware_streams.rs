//! The streams that the hardware is held against say what the cache does.

#[path = "../../../examples/make_hardware_streams/stream.rs"]
mod stream;

use stream::{SHAPES, stream};

#[test]
fn the_streams_are_what_the_cache_does() {
    for shape in SHAPES {
        let path = shape.path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text == stream(&shape).unwrap(),
            "{} is not what the cache does; run: cargo run -p forebay-cache --example make_hardware_streams",
            path.display()
        );
        let count = |word: &str| text.lines().filter(|line| line.contains(word)).count();
        for word in
            [" fpm ", " push ", " come ", " drop ", " fetch ", " fill ", " enters ", " refused ", " away", " coming"]
        {
            assert!(count(word) > 5, "{}: {} lines with{word}", path.display(), count(word));
        }
    }
}
