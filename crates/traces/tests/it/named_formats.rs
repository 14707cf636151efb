//! Formats with fixed columns.

use crate::support::{reader, refused, requests};

const SECOND: u64 = 1_000_000_000;

/// The warnings of a file, read in this format or the one that is found.
#[track_caller]
fn warnings(file: &[u8], format: Option<&str>) -> Vec<String> {
    let mut reader = reader(file, "trace", format).unwrap();
    reader.fill(&mut Vec::new(), 1_000).unwrap();
    reader.warnings()
}

#[test]
fn ranges_of_disks_are_requests_for_their_first_byte_or_their_blocks() {
    // The keys are XXH64 of volume and offset, each below the one before.
    let spc = b"0,20941264,8192,W,0.551706\n0,20941264,8192,r,0.554041\n";
    let key = 0x9b2c_8ab7_db90_90a0;
    assert_eq!(requests(spc, None), [(0, key, 8_192), (2_335_000, key, 8_192)]);
    assert_eq!(requests(spc, Some("spc:operations=reads")), [(0, key, 8_192)]);
    assert_eq!(requests(spc, Some("spc:operations=writes")), [(0, key, 8_192)]);
    assert_eq!(requests(spc, Some("spc:blocks=4KiB")).len(), 4);

    let (_, message) = refused(b"1,2,3,R,5\n", None);
    assert!(message.contains("if it is a trace of spc: --format-in spc"), "{message}");

    let msr = b"128166372003061629,src1,1,Read,8192,4096,1331\n128166372003061639,src1,1,Write,8192,512,9\n";
    let key = 0x38c7_dd04_b404_eab2;
    assert_eq!(requests(msr, None), [(0, key, 4_096), (1_000, key, 512)]);
    let flush = [&msr[..], b"128166372003061649,src1,1,Flush,0,0,1\n"].concat();
    assert_eq!(requests(&flush, None).len(), 2);
    assert_eq!(warnings(&flush, None), ["lines with other operations, such as `Flush`, were left out: 1"]);
    let (_, message) = refused(b"0.00,W,1,4096\n0.01,R,9,4096\n", None);
    assert!(message.contains("say in which columns the time, the key and the size are"), "{message}");
    let (_, message) = refused(b"0,SET,1\n1,GET,2\n", None);
    assert!(message.contains("--format-in libcachesim-csv:time=1,key=3,size=0,op=2,operations=GET+READ"), "{message}");

    let alibaba = b"3,R,126703644672,4096,1577808000000046\n3,W,126703644672,8192,1577808000000050\n";
    let key = 0xc54d_b649_0a6e_e2c8;
    assert_eq!(requests(alibaba, None), [(0, key, 4_096), (4_000, key, 8_192)]);
    let with_names = [b"device_id,opcode,offset,length,timestamp\n", &alibaba[..]].concat();
    assert_eq!(requests(&with_names, None), requests(alibaba, None));

    let tencent = b"1538323200,12910952,128,0,1063\n1538323201,12910952,1,1,1063\n";
    let key = 0x405d_da9c_e000_ce44;
    assert_eq!(requests(tencent, Some("tencent-block")), [(0, key, 65_536), (SECOND, key, 512)]);
    let blocks = requests(tencent, Some("tencent-block:blocks=4KiB"));
    assert_eq!(blocks.len(), 17);
    assert_eq!(blocks[..2], [(0, 0x4f03_58ed_bf3b_784d, 4_096), (0, 0x7e02_e07c_310c_dca5, 4_096)]);
    let (_, message) = refused(tencent, None);
    assert!(message.contains("if it is a trace of tencent-block: --format-in tencent-block"), "{message}");
}

#[test]
fn requests_slightly_out_of_order_are_sorted() {
    let file = b"3,R,0,4096,1577808000000050\n3,R,4096,4096,1577808000000046\n";
    assert_eq!(requests(file, None).iter().map(|request| request.0).collect::<Vec<_>>(), [0, 4_000]);
    assert_eq!(warnings(file, None), ["1 requests were earlier than a request before them; sorted by time"]);
    let late: String = (0..5_000).map(|n| format!("3,R,0,4096,{}\n", 1_577_808_000_000_000_u64 + n)).collect();
    let (line, message) = refused(format!("{late}3,R,0,4096,1577808000000000\n").as_bytes(), None);
    assert!(line == 5_001 && message.starts_with("it is earlier than the 4096 requests before it"), "{message}");
}

#[test]
fn arc_asks_for_each_block() {
    let file = b"100 3 0 0\n5 1 0 1\n";
    assert_eq!(requests(file, None), [(0, 100, 512), (1, 101, 512), (2, 102, 512), (3, 5, 512)]);
    let (_, message) = refused(b"5 3 0 0\n100 1 0 1\n", None);
    assert!(message.contains("--format-in arc or --format-in webcachesim"), "{message}");
    assert_eq!(requests(b"5 3 0 0\n100 1 0 1\n", Some("webcachesim")), [(0, 3, 1), (95 * SECOND, 1, 1)]);
    let (_, message) = refused(b"1 2 3\n4 5 6\n", None);
    assert!(message.contains("if it is a trace of webcachesim: --format-in webcachesim"), "{message}");
    assert_eq!(requests(b"1 2 3\n4 5 6 9 9\n", Some("lrb:unit=ms")), [(0, 2, 3), (3_000_000, 5, 6)]);
}

#[test]
fn objects_of_ibm_are_asked_for_by_get() {
    let file = b"1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056\n1232488 REST.GET.OBJECT 95d363d3fbdc0b03 1168 0 1167\n\
                 1233000 REST.DELETE.OBJECT 8d4fcda3d675bac9\n1233488 REST.GET.OBJECT 8d4fcda3d675bac9 1056 0 9\n";
    let [first, second] = [0x16db_b00e_4e87_bdeb, 0xcc88_ed3d_dc11_e283];
    assert_eq!(requests(file, None), [(0, first, 1_168), (SECOND, second, 1_056)]);
    assert!(
        warnings(file, None)[0].contains("such as `REST.PUT.OBJECT`, were left out: 2 (operations=all takes them)")
    );
    assert_eq!(requests(file, Some("ibm:operations=all")).len(), 3);
}

#[test]
fn cachelib_repeats_requests() {
    let old = b"key,op,size,op_count,key_size\nk1,GET,7,2,5\nk1,SET,7,1,5\n7,GET_LEASE,0,1,9\n";
    let key = 0xdfa4_515d_dff4_07d3;
    assert_eq!(requests(old, None), [(0, key, 12), (1, key, 12), (2, 7, 9)]);
    assert_eq!(requests(old, Some("cachelib:operations=all")).len(), 4);
    let new = b"op_time,key,key_size,op,op_count,size,cache_hits,ttl\n10,k1,5,GET,2,7,0,0\n12,k1,5,GET,1,7,1,0\n";
    assert_eq!(requests(new, None), [(0, key, 12), (0, key, 12), (2 * SECOND, key, 12)]);
}

#[test]
fn wikipedia_has_two_datasets() {
    let key = 0x60fc_61cb_a92e_38d6;
    let upload =
        b"relative_unix\thashed_path_query\timage_type\tresponse_size\ttime_firstbyte\n5\t-5000\tjpeg\t900\t0.25\n";
    let text = b"relative_unix\thashed_host_path_query\tresponse_size\ttime_firstbyte\n5\t-5000\t900\t0.25\n";
    for file in [&upload[..], text] {
        assert_eq!(requests(file, None), [(0, key, 900)]);
    }
    assert_eq!(requests(b"5\t-5000\tjpeg\t900\t0.25\n", Some("wikipedia-cdn:dataset=upload")), [(0, key, 900)]);
    assert_eq!(requests(b"5\t-5000\t900\t0.25\n", Some("wikimedia:dataset=text")), [(0, key, 900)]);
}
