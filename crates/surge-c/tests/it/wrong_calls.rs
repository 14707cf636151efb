//! Each wrong use is answered, and harms nothing.

use crate::c::{can_compile, output_of};
use std::fs;

/// A program's calls, and their answers.
const SOURCE: &str = r#"
#include <stdio.h>
#include "forebay_surge.h"

#define SAY(call) printf("%d\n", (int)(call))

int main(void)
{
	struct forebay_surge_options options = FOREBAY_SURGE_OPTIONS(2), wrong;
	struct forebay_surge_served served;
	struct forebay_surge_counts counts;
	uint64_t surge, other = 0, dropped, spent[1] = { 5 };
	uint32_t feature = 7;
	void *job;
	int jobs[4];

	/* Null. */
	SAY(forebay_surge_create(NULL, &surge));
	SAY(forebay_surge_create(&options, NULL));
	/* Options out of their ranges. */
	wrong = options; wrong.jobs = 0; SAY(forebay_surge_create(&wrong, &other));
	wrong = options; wrong.jobs = 1ull << 40; SAY(forebay_surge_create(&wrong, &other));
	wrong = options; wrong.policy = 3; SAY(forebay_surge_create(&wrong, &other));
	wrong = options; wrong.estimator = 4; SAY(forebay_surge_create(&wrong, &other));
	wrong = options; wrong.measure = 2; SAY(forebay_surge_create(&wrong, &other));
	wrong = options; wrong.struct_bytes = 8; SAY(forebay_surge_create(&wrong, &other));
	printf("%d\n", other == 0);
	/* Numbers that nothing has. */
	SAY(forebay_surge_destroy(0));
	SAY(forebay_surge_submit(99, jobs, 0, 1, 1, NULL, 0, &dropped));
	SAY(forebay_surge_pull(99, 0, &served));
	SAY(forebay_surge_close(99));

	options.bytes = 100;
	SAY(forebay_surge_create(&options, &surge));
	SAY(forebay_surge_submit(surge, jobs, 0, 1, 1, NULL, 1, &dropped));
	SAY(forebay_surge_submit(surge, jobs, 0, 1, 1, NULL, 0, NULL));
	SAY(forebay_surge_submit(surge, jobs, 0, 1, 1, &feature, SIZE_MAX, &dropped));
	SAY(forebay_surge_pull(surge, 0, NULL));
	SAY(forebay_surge_pull(surge, 0, &served));
	SAY(forebay_surge_pull(surge, 1000, &served));
	SAY(forebay_surge_take_dropped(surge, &job));
	SAY(forebay_surge_take_dropped(surge, NULL));
	SAY(forebay_surge_finish(surge, 1, 1));
	SAY(forebay_surge_finish_parts(surge, 1, &feature, spent, 1));
	SAY(forebay_surge_requeue(surge, 1, 1, &dropped));
	SAY(forebay_surge_cancel(surge, 1));
	SAY(forebay_surge_count(surge, NULL));
	SAY(forebay_surge_drain(surge, NULL));
	/* Two fit; of the third and the fourth the worst is dropped, or refused. */
	SAY(forebay_surge_submit(surge, &jobs[0], 0, 10, 1000, NULL, 0, &dropped));
	SAY(forebay_surge_submit(surge, &jobs[1], 0, 10, 900, NULL, 0, &dropped));
	SAY(forebay_surge_submit(surge, &jobs[2], 0, 10, 100, NULL, 0, &dropped));
	printf("%d\n", (int)dropped);
	SAY(forebay_surge_submit(surge, &jobs[3], 0, 10, 5000, NULL, 0, &dropped));
	SAY(forebay_surge_submit(surge, &jobs[3], 0, 101, 1, NULL, 0, &dropped));
	SAY(forebay_surge_destroy(surge));
	SAY(forebay_surge_take_dropped(surge, &job));
	printf("%d\n", job == &jobs[0]);
	SAY(forebay_surge_pull(surge, FOREBAY_SURGE_NOT_GIVEN, &served));
	printf("%d\n", served.job == &jobs[2] && served.size_bytes == 10 && served.estimate_ns == 100);
	SAY(forebay_surge_requeue(surge, served.ticket, 50, &dropped));
	SAY(forebay_surge_finish(surge, served.ticket, 1));
	SAY(forebay_surge_pull(surge, 0, &served));
	printf("%d\n", served.job == &jobs[2] && served.spent_before_ns == 50);
	SAY(forebay_surge_finish_parts(surge, served.ticket, &feature, spent, 1));
	SAY(forebay_surge_pull(surge, 0, &served));
	SAY(forebay_surge_destroy(surge));
	SAY(forebay_surge_cancel(surge, served.ticket));
	SAY(forebay_surge_close(surge));
	SAY(forebay_surge_submit(surge, &jobs[3], 0, 10, 1, NULL, 0, &dropped));
	SAY(forebay_surge_pull(surge, 0, &served));
	SAY(forebay_surge_count(surge, &counts));
	printf("%d %d %d %d\n", (int)counts.submitted, (int)counts.refused, (int)counts.evicted, (int)counts.cancelled);
	SAY(forebay_surge_drain(surge, &dropped));
	SAY(forebay_surge_destroy(surge));
	SAY(forebay_surge_destroy(surge));
	printf("%s\n", forebay_surge_text(-3));
	printf("%s\n", forebay_surge_text(77));
	return 0;
}
"#;

#[test]
fn each_wrong_use_is_answered() {
    if !can_compile() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.c");
    fs::write(&file, SOURCE).unwrap();
    let said = output_of(&file);
    let wanted = [
        &["-1", "-1", "-4", "-4", "-4", "-4", "-4", "-4", "1", "-2", "-2", "-2", "-2"][..],
        &["0", "-1", "-1", "-4", "-1", "1", "1", "1", "-1", "-3", "-3", "-3", "-3", "-1", "-1"],
        &[
            "0", "0", "0", "1", "3", "4", "-5", "0", "1", "0", "1", "0", "-3", "0", "1", "0", "0", "-5", "0", "0", "2",
            "2",
        ],
        &["0", "6 3 1 1", "0", "0", "-2"],
        &["no job in service has this number; it was never pulled, or has ended", "no such status"],
    ]
    .concat();
    assert_eq!(said.lines().collect::<Vec<_>>(), wanted);
}
