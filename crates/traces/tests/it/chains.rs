//! Requests that follow others: what files and recipes say of them.

use crate::support::{reader, refused};
use forebay_core::{Follows, Request};
use forebay_traces::requests::{Recipe, RequestReader};
use std::collections::BTreeMap;

/// All requests, and what each follows.
fn all(mut reader: Box<dyn RequestReader>) -> (Vec<Request>, Vec<Option<Follows>>) {
    reader.links().expect("requests follow others").begin();
    let mut requests = Vec::new();
    while reader.fill(&mut requests, 7).unwrap() {}
    let follows = reader.links().unwrap().each().to_vec();
    assert_eq!(requests.len(), follows.len());
    (requests, follows)
}

#[test]
fn a_file_says_what_each_request_follows() {
    let file = b"slot,key,after,think\n3,7,,\n,8,1,10\n5,9,,\n,7,3,\n,1,2,0\n";
    let (requests, follows) = all(reader(file, "trace", None).unwrap());
    let seen: Vec<_> = requests.iter().map(|own| (own.time, own.key, own.size)).collect();
    // In order of the earliest times: 3, 5, 5 after the second, 13 = 3 + 10, 13.
    assert_eq!(seen, [(3, 7, 1), (5, 9, 1), (5, 7, 1), (13, 8, 1), (13, 1, 1)]);
    let link = |request, think| Some(Follows { request, think });
    assert_eq!(follows, [None, None, link(1, 0), link(0, 10), link(3, 0)]);
    let file = b"time_ns,key,size_bytes,after,think_ns\n500,7,80,,\n,8,90,1,10\n";
    let (requests, _) = all(reader(file, "trace", None).unwrap());
    assert_eq!(requests, [Request { time: 0, key: 7, size: 80 }, Request { time: 10, key: 8, size: 90 }]);
}

#[test]
fn wrong_chains_are_refused_with_their_line() {
    let of = |row: &str| refused(format!("slot,key,after,think\n3,7,,\n{row}\n").as_bytes(), None);
    for (row, part) in [
        (",8,2,", "`after` must be the number of an earlier request, from 1 to 1, not 2"),
        (",8,0,", "from 1 to 1, not 0"),
        ("4,8,1,", "no time of its own; leave `slot` empty"),
        ("4,8,,5", "`think` needs `after`"),
        (",8,,", "`slot` must be a whole number"),
        (",8,x,", "`after` must be a whole number"),
        (",8,1,-1", "`think` must be a whole number"),
        (",8,1", "3 columns, but the first line has 4"),
        (",8,1,18446744073709551615", "the clock ends after 584 years"),
    ] {
        let (line, message) = of(row);
        assert_eq!(line, 3, "{row}: {message}");
        assert!(message.contains(part), "{row}: {message}");
    }
    let (_, message) = refused(b"slot,key,after,think\n", None);
    assert_eq!(message, "the trace has no requests");
}

/// A page has its own object first; each chain then has one request after the other, with the same objects at every view.
#[test]
fn pages_are_chains_side_by_side() {
    let (levels, width, think) = (4_usize, 3, 5);
    let recipe =
        format!("pages:objects=40,pages=6,levels={levels},width={width},think={think},requests=5_000,rate=1e6");
    let (requests, follows) = all(Recipe::parse(&recipe).unwrap().open().unwrap());
    let mut first: Vec<usize> = Vec::new();
    let mut level: Vec<u64> = Vec::new();
    let mut pages: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, own) in follows.iter().enumerate() {
        let parent = own.map(|own| usize::try_from(own.request).unwrap());
        assert!(own.is_none_or(|own| own.think == think));
        first.push(parent.map_or(number, |parent| first[parent]));
        level.push(parent.map_or(0, |parent| level[parent] + 1));
        pages.entry(first[number]).or_default().push(number);
    }
    let mut objects: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let whole = pages.values().filter(|own| own.len() == 1 + (levels - 1) * width);
    for own in whole.clone() {
        let levels_of: Vec<u64> = own.iter().map(|&number| level[number]).collect();
        assert_eq!(levels_of, [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        let followers = |of: usize| follows.iter().flatten().filter(|link| link.request == of as u64).count();
        assert_eq!(own.iter().map(|&number| followers(number)).collect::<Vec<_>>(), [3, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
        let keys: Vec<u64> = own.iter().map(|&number| requests[number].key).collect();
        assert!(keys[0] >= 40 && keys[1..].iter().all(|key| *key < 40));
        assert_eq!(*objects.entry(keys[0]).or_insert_with(|| keys.clone()), keys);
        // As if answers took no time.
        assert!(own.iter().all(|&number| requests[number].time == requests[own[0]].time + level[number] * think));
    }
    assert!(whole.count() > 480 && objects.len() == 6, "{}", objects.len());
}

#[test]
fn pages_mix_with_other_requests() {
    let recipe = "zipf:objects=5,requests=300 + pages:objects=9,pages=2,levels=2,width=1,requests=100";
    let (requests, follows) = all(Recipe::parse(recipe).unwrap().open().unwrap());
    let followers = follows.iter().enumerate().filter_map(|(number, own)| Some((number, (*own)?)));
    let mut seen = 0;
    for (number, own) in followers {
        let parent = usize::try_from(own.request).unwrap();
        // The keys of pages stand behind those of the other part: 5 to 13 embedded, 14 and 15 the pages' own.
        assert!(parent < number && (14..16).contains(&requests[parent].key) && (5..14).contains(&requests[number].key));
        seen += 1;
    }
    assert_eq!(seen, 50);
    let alone = Recipe::parse("pages:levels=1").unwrap().open().unwrap().links().is_some();
    assert!(!alone && Recipe::parse("zipf").unwrap().open().unwrap().links().is_none());
}
