//! Several instances of a policy in one program do not touch each other.

use crate::program::{can_compile, compile, files, run};
use crate::same::line;
use crate::traffic::{Kind, operations};
use forebay_core::Seed;
use forebay_lang::{Overrides, analyse, analyse_live};
use std::fs;

/// Plays each operation on two instances.
const HOST: &str = r#"
struct oq_instance;
static struct oq_instance *this;
#define OQ_INSTANCE this
#define main play_alone
#include "main.c"
#undef main

int main(void)
{
    struct oq_instance *both[2];
    char line[512];
    (void)play_alone;
    for (int i = 0; i < 2; i++) {
        both[i] = this = calloc(1, sizeof *this);
        oq_init(11);
    }
    while (fgets(line, sizeof line, stdin))
        for (int i = 0; i < 2; i++) {
            this = both[i];
            if (!play(line))
                return 2;
        }
    return 0;
}
"#;

/// Gives a live parameter of one of two instances a value.
const VALUES: &str = r#"
struct oq_instance;
static struct oq_instance *this;
#define OQ_INSTANCE this
#define main play_alone
#include "main.c"
#undef main

int main(void)
{
    static const char *const names[] = OQ_PARAMETER_NAMES;
    struct oq_instance *both[2];
    (void)play_alone;
    for (int i = 0; i < 2; i++) {
        both[i] = this = calloc(1, sizeof *this);
        oq_init(11);
    }
    oq_parameters[0] = OQ_WHOLE(7);
    for (int i = 0; i < 2; i++) {
        this = both[i];
        printf("%s %d\n", names[0], (int)oq_floor(oq_parameters[0]));
    }
    return 0;
}
"#;

#[test]
fn each_instance_has_its_live_parameters() {
    if !can_compile() {
        return;
    }
    let text = "param K = 5 pkts; q = Queue(9 pkts); out = Port(100); q.congestion(q) = (q.currSize > K, drop(1));";
    let folder = files(&analyse_live(text, &Overrides::new(), &["K".to_owned()]).policy.unwrap());
    fs::write(folder.path().join("two.c"), VALUES).unwrap();
    assert_eq!(run(&compile(&folder, "two.c"), &[], ""), ["K 5", "K 7"]);
}

#[test]
fn instances_do_not_touch_each_other() {
    if !can_compile() {
        return;
    }
    for name in ["pfabric", "red", "lqd", "wsjf-inorder"] {
        let path = format!("{}/../../policies/{name}.oq", env!("CARGO_MANIFEST_DIR"));
        let policy = analyse(&fs::read_to_string(path).unwrap(), &Overrides::new()).policy.unwrap();
        let traffic = operations(&policy, Seed(2).stream(name), Kind::Plausible, 4_000);
        let text: String = traffic.iter().map(line).collect();
        let folder = files(&policy);
        fs::write(folder.path().join("two.c"), HOST).unwrap();
        let one = run(&compile(&folder, "main.c"), &["11"], &text);
        let two = run(&compile(&folder, "two.c"), &[], &text);
        assert_eq!(two.len(), 2 * one.len());
        assert!(one.iter().zip(two.chunks(2)).all(|(one, two)| two[0] == *one && two[1] == *one), "{name}");
    }
}
