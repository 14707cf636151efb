use super::*;
use crate::network::sample;

#[test]
fn there_is_a_picture_of_everything_that_was_measured() {
    let files = files(&sample::sweep()).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
    println!("{names:?}");
    for (name, svg) in &files {
        std::fs::write(format!("/tmp/netreport-pics/{name}"), svg).unwrap();
    }
}
