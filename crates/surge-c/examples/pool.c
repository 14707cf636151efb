/*
 * Documents of three kinds, of which one is expensive for its size. The scheduler learns what a byte of each kind costs, serves the
 * cheap ones first, and drops the worst when there is no room.
 *
 *   cc -o pool pool.c -I../include -L../../../target/release -lforebay_surge_c -lpthread
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "forebay_surge.h"

#define WORKERS 2
#define DOCUMENTS 3000u
#define ROOM 200u

struct document {
	uint32_t kind;
	uint64_t bytes;
};

static uint64_t surge;
static uint64_t dropped_of_kind[3];

static void check(int32_t status, const char *what)
{
	if (status < 0) {
		fprintf(stderr, "%s: %s\n", what, forebay_surge_text(status));
		exit(1);
	}
}

/* What a document costs, in nanoseconds: one of kind 2 costs a hundred times as much for each byte. */
static uint64_t work_on(const struct document *document)
{
	return document->bytes * (document->kind == 2 ? 1000 : 10);
}

/* A worker: takes the best document, works on it, and says what it has cost. */
static void *worker(void *unused)
{
	struct forebay_surge_served served;

	(void)unused;
	while (forebay_surge_pull(surge, FOREBAY_SURGE_NOT_GIVEN, &served) == FOREBAY_SURGE_OK) {
		uint64_t spent = work_on(served.job);

		check(forebay_surge_finish(surge, served.ticket, spent), "finish");
		free(served.job);
	}
	return NULL;
}

static void drop(struct document *document)
{
	dropped_of_kind[document->kind]++;
	free(document);
}

/* Hands in a document. What is dropped for it is freed, and so is the document itself if there is no room for it. */
static void submit(uint32_t number)
{
	struct document *document = malloc(sizeof *document);
	uint64_t dropped;
	int32_t status;
	void *job;

	if (!document)
		exit(1);
	document->kind = number % 3;
	document->bytes = 100;
	status = forebay_surge_submit(surge, document, number % 7, document->bytes, 1000, &document->kind, 1, &dropped);
	check(status, "submit");
	if (status != FOREBAY_SURGE_OK)
		drop(document);
	while (forebay_surge_take_dropped(surge, &job) == FOREBAY_SURGE_OK)
		drop(job);
}

int main(void)
{
	struct forebay_surge_options options = FOREBAY_SURGE_OPTIONS(ROOM);
	struct forebay_surge_counts counts;
	struct forebay_surge_served served;
	pthread_t workers[WORKERS];

	options.estimator = FOREBAY_SURGE_WORST_PER_BYTE;
	check(forebay_surge_create(&options, &surge), "create");

	/* The first of each kind teaches what a byte of it costs. */
	for (uint32_t kind = 0; kind < 3; kind++)
		submit(kind);
	while (forebay_surge_pull(surge, 0, &served) == FOREBAY_SURGE_OK) {
		check(forebay_surge_finish(surge, served.ticket, work_on(served.job)), "finish");
		free(served.job);
	}

	/* More than there is room for: documents of kind 2 are the worst. */
	for (uint32_t number = 0; number < DOCUMENTS; number++)
		submit(number);
	printf("dropped of kind 0, 1, 2: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", dropped_of_kind[0], dropped_of_kind[1],
	       dropped_of_kind[2]);

	for (unsigned i = 0; i < WORKERS; i++)
		if (pthread_create(&workers[i], NULL, worker, NULL))
			return 1;
	check(forebay_surge_close(surge), "close"); /* workers finish what waits, and end */
	for (unsigned i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);

	check(forebay_surge_count(surge, &counts), "count");
	printf("submitted %" PRIu64 ", refused %" PRIu64 ", evicted %" PRIu64 ", done %" PRIu64 "\n", counts.submitted,
	       counts.refused, counts.evicted, counts.done);
	check(forebay_surge_destroy(surge), "destroy");
	printf("%s\n", forebay_surge_text(forebay_surge_destroy(surge)));
	return 0;
}
