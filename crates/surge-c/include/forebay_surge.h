/*
 * A scheduler for jobs whose cost varies, in front of whatever works on them: jobs leave in order of work per byte, and the worst
 * are dropped when there is no room. docs/surge-library.md of forebay has the rules and the guarantees.
 *
 * Any thread may call any function, with any scheduler. Schedulers and jobs in service have numbers: a wrong number is an error and
 * never harms. A job is an address that only the program looks at. No function throws, exits or calls back.
 */
#ifndef FOREBAY_SURGE_H
#define FOREBAY_SURGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions answer: 0 or above is a result, below 0 a mistake of the caller, and nothing has changed. */
enum forebay_surge_status {
	FOREBAY_SURGE_OK = 0,
	FOREBAY_SURGE_EMPTY = 1,        /* no job may start now, or none was dropped */
	FOREBAY_SURGE_CLOSED = 2,       /* the scheduler is closed: nothing is taken, or nothing will come */
	FOREBAY_SURGE_WORST = 3,        /* not taken: no room, and all waiting jobs are better; the job is yours again */
	FOREBAY_SURGE_TOO_LARGE = 4,    /* not taken: more bytes than may wait; the job is yours again */
	FOREBAY_SURGE_NULL_POINTER = -1,
	FOREBAY_SURGE_NO_SCHEDULER = -2,
	FOREBAY_SURGE_NO_TICKET = -3,
	FOREBAY_SURGE_INVALID = -4,     /* an option is out of its range */
	FOREBAY_SURGE_BUSY = -5,        /* jobs wait, are in service, or were dropped and not taken */
	FOREBAY_SURGE_PANICKED = -6     /* a bug of the library; the call may have been done in part */
};

/* Which jobs leave first. */
enum forebay_surge_policy {
	FOREBAY_SURGE_WSJF = 0, /* least work per byte: an attacker displaces about what it sends */
	FOREBAY_SURGE_SJF = 1,  /* least work */
	FOREBAY_SURGE_FCFS = 2  /* as they come, to compare with */
};

/* Who says what a job costs: the submitter, or what jobs with the same features have cost per byte. */
enum forebay_surge_estimator {
	FOREBAY_SURGE_TOLD = 0,
	FOREBAY_SURGE_WORST_PER_BYTE = 1,
	FOREBAY_SURGE_MEDIAN_PER_BYTE = 2,
	FOREBAY_SURGE_MEAN_PER_BYTE = 3
};

/* How cost is measured where it is not given. */
enum forebay_surge_measure {
	FOREBAY_SURGE_THREAD_CPU = 0, /* the CPU time of the thread that pulled the job; costs two system calls */
	FOREBAY_SURGE_WALL = 1        /* the clock's */
};

/* What a scheduler is to be like. Begin with FOREBAY_SURGE_OPTIONS(jobs). */
struct forebay_surge_options {
	uint32_t struct_bytes; /* sizeof(struct forebay_surge_options) */
	uint32_t policy;
	uint32_t estimator;
	uint32_t measure;
	uint64_t jobs;     /* that may wait, 1 to 67,108,864 */
	uint64_t bytes;    /* of jobs that may wait; 0: no limit */
	uint64_t in_order; /* a flow's jobs stay in order, and so many are in service at most; 0: no order */
};

#define FOREBAY_SURGE_OPTIONS(most_jobs) { .struct_bytes = sizeof(struct forebay_surge_options), .jobs = (most_jobs) }

/* A job in service. */
struct forebay_surge_served {
	void *job;
	uint64_t ticket; /* its number until it ends */
	uint64_t flow;
	uint64_t size_bytes;
	uint64_t estimate_ns;
	uint64_t spent_before_ns; /* in earlier turns */
};

/* What was counted: `submitted` is the sum of `refused` to `in_service`. */
struct forebay_surge_counts {
	uint64_t submitted;
	uint64_t refused;
	uint64_t evicted;
	uint64_t drained;
	uint64_t done;
	uint64_t cancelled;
	uint64_t queued;
	uint64_t in_service;
	uint64_t requeued;
	uint64_t submitted_bytes;
	uint64_t done_bytes;
	uint64_t work_spent_ns;
	uint64_t worst_underestimate_ns;
	uint64_t latency_p99_ns;
};

/* Of a time: for ever, or what was measured. */
#define FOREBAY_SURGE_NOT_GIVEN UINT64_MAX

/* Makes a scheduler, with the memory for all jobs that may wait, and writes its number. */
int32_t forebay_surge_create(const struct forebay_surge_options *options, uint64_t *scheduler);

/* Forgets a scheduler without jobs; drain it, finish what is in service, and take what was dropped before. */
int32_t forebay_surge_destroy(uint64_t scheduler);

/*
 * Hands in a job: its flow (any number), its size (0 counts as 1), the work that it is thought to be, and features: numbers that
 * tell what it costs. Writes how many jobs were dropped for it. A job that is not taken is yours again.
 */
int32_t forebay_surge_submit(uint64_t scheduler, void *job, uint64_t flow, uint64_t size_bytes, uint64_t estimate_ns,
			     const uint32_t *features, size_t feature_count, uint64_t *dropped);

/* Takes a job that was dropped for a better one, or drained, whoever submitted it; FOREBAY_SURGE_EMPTY if there is none. */
int32_t forebay_surge_take_dropped(uint64_t scheduler, void **job);

/* Takes the best job; sleeps up to timeout_ns until there is one: 0 not at all, FOREBAY_SURGE_NOT_GIVEN for ever. */
int32_t forebay_surge_pull(uint64_t scheduler, uint64_t timeout_ns, struct forebay_surge_served *served);

/* A job in service is done; what it has cost is learnt. FOREBAY_SURGE_NOT_GIVEN: what was measured since the pull. */
int32_t forebay_surge_finish(uint64_t scheduler, uint64_t ticket, uint64_t spent_ns);

/* The same, where it is known what each feature has cost. */
int32_t forebay_surge_finish_parts(uint64_t scheduler, uint64_t ticket, const uint32_t *features, const uint64_t *costs_ns,
				   size_t count);

/* A job in service goes back unfinished, to be ranked anew; it may be dropped itself. */
int32_t forebay_surge_requeue(uint64_t scheduler, uint64_t ticket, uint64_t spent_ns, uint64_t *dropped);

/* Nobody wants a job in service any more. */
int32_t forebay_surge_cancel(uint64_t scheduler, uint64_t ticket);

/* No jobs are taken any more; those that wait can be pulled. */
int32_t forebay_surge_close(uint64_t scheduler);

/* Takes out all waiting jobs, and writes how many; take them as dropped jobs. */
int32_t forebay_surge_drain(uint64_t scheduler, uint64_t *drained);

/* Writes what was counted, all at one moment. */
int32_t forebay_surge_count(uint64_t scheduler, struct forebay_surge_counts *counts);

/* What a status means: a text that stays. */
const char *forebay_surge_text(int32_t status);

#ifdef __cplusplus
}
#endif

#endif
