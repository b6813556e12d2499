// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: efficiency LINK BAUD MESSAGES PERCENT
// Fills every node's program with MESSAGES messages, loads it, runs it and reads the logs, by LINK. Prints the share
// of the line's byte rate that the words had while the image was written, while it was read back, and while the logs
// were read. Fails if writing the image or reading the logs is below PERCENT. Time is CLOCK_MONOTONIC: under
// board_ftdi that of the board.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <flitloom/device.h>
#include <flitloom/link/image.h>
#include <flitloom/link.h>
#include <flitloom/pattern.h>
#include <flitloom/plan.h>
#include <flitloom/link/regmap.h>
#include <flitloom/topo.h>
#include <flitloom/trace.h>
#include <flitloom/verdict.h>

#define FLITS 2u
#define WORDS_PER_ARRIVAL 4u

static double now_s(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// Every node sends the same number of messages, to all others in turn.
static int make_plan(struct loom_plan *out, const struct loom_chip *chip, unsigned messages, struct loom_err *err)
{
	char path[] = "/tmp/loom-efficiency-XXXXXX", spec[64];
	struct loom_topo topo;
	struct loom_pattern pattern;
	const struct loom_pattern_options pattern_options = {.flits = FLITS, .seed = 1};
	const struct loom_plan_options plan_options = {.map = "identity"};
	int fd = mkstemp(path);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!f)
		return loom_fail(err, LOOM_EFILE, "no temporary file");
	for (unsigned i = 0; i < messages; i++)
		for (unsigned v = 0; v < chip->n_nodes; v++)
			(void)fprintf(f, "%u,%u,%u\n", v, (v + 1 + i % (chip->n_nodes - 1)) % chip->n_nodes, FLITS);
	(void)fclose(f);
	(void)snprintf(spec, sizeof spec, "messages:%s", path);
	int code = loom_chip_topo(&topo, chip, err);
	if (code == 0)
		code = loom_pattern_parse(&pattern, spec, topo.n_nodes, &pattern_options, err);
	(void)remove(path);
	if (code)
		return code;
	code = loom_plan_make(out, &topo, &pattern, &plan_options, err);
	loom_pattern_free(&pattern);
	return code;
}

// One call for all; prints and returns the percentage.
static int timed(double *percent, const char *what, struct loom_link *link, const struct loom_transfer *list, size_t n,
                 double baud, struct loom_err *err)
{
	size_t words = 0;
	for (size_t i = 0; i < n; i++)
		words += list[i].n_words;
	double begin = now_s();
	int code = link->kind->transfer(link, list, n, link->timeout_ms, err);
	double took = now_s() - begin;
	*percent = 100.0 * 4 * (double)words / took / (baud / 10);
	if (code == 0)
		(void)printf("%s: %zu words in %.3f ms, %.1f%% of the line's byte rate\n", what, words, 1e3 * took,
		             *percent);
	return code;
}

struct lists {
	struct loom_transfer *list;
	uint32_t *words;
};

static int measure(struct loom_link *link, struct loom_device *device, const struct loom_plan *plan, double baud,
                   double least, struct lists *l, struct loom_err *err)
{
	const struct loom_chip *chip = loom_device_chip(device);
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST, .seed = 1};
	struct loom_image image;
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	double written = 0, back = 0, logs = 0;
	size_t n_words = 0, n = 0;
	int code = loom_image_make(&image, plan, chip, &options, err);
	if (code)
		return code;
	for (size_t i = 0; i < image.n_blocks; i++)
		n_words += image.blocks[i].n_words;
	size_t log_words = plan->n_messages * WORDS_PER_ARRIVAL;
	l->list = calloc(image.n_blocks + chip->n_nodes, sizeof *l->list);
	l->words = calloc(n_words > log_words ? n_words : log_words, sizeof *l->words);
	if (!l->list || !l->words)
		code = loom_fail(err, LOOM_ENOMEM, "no memory");
	if (code == 0)
		code = loom_device_load(device, &image, err); // the session has come to know the line
	for (size_t i = 0; code == 0 && i < image.n_blocks; i++)
		l->list[i] = (struct loom_transfer){.address = image.blocks[i].address,
		                                    .n_words = image.blocks[i].n_words,
		                                    .write = image.blocks[i].words};
	if (code == 0)
		code = timed(&written, "image, written", link, l->list, image.n_blocks, baud, err);
	n_words = 0;
	for (size_t i = 0; code == 0 && i < image.n_blocks; i++)
		if (image.blocks[i].read_back && (image.blocks[i].address >> 16 & LOOM_ALL_NODES) != LOOM_ALL_NODES) {
			l->list[n++] = (struct loom_transfer){.address = image.blocks[i].address,
			                                      .n_words = image.blocks[i].n_words,
			                                      .read = l->words + n_words};
			n_words += image.blocks[i].n_words;
		}
	if (code == 0)
		code = timed(&back, "image, read back", link, l->list, n, baud, err);
	if (code == 0)
		code = loom_device_run(device, &image, NULL, &trace, err);
	if (code == 0)
		code = loom_verdict_make(&verdict, plan, &trace, err);
	if (code == 0 && verdict.n_mismatches)
		code = loom_fail(err, LOOM_EHARDWARE, "%s", verdict.mismatches[0]);
	n = n_words = 0;
	for (size_t i = 0; code == 0 && i < trace.n_arrivals;) {
		uint32_t node = trace.arrivals[i].node;
		size_t first = i;
		while (i < trace.n_arrivals && trace.arrivals[i].node == node)
			i++;
		l->list[n++] = (struct loom_transfer){.address = LOOM_WINDOW_LOG | node << 16,
		                                      .n_words = (i - first) * WORDS_PER_ARRIVAL,
		                                      .read = l->words + n_words};
		n_words += (i - first) * WORDS_PER_ARRIVAL;
	}
	if (code == 0)
		code = timed(&logs, "trace, read", link, l->list, n, baud, err);
	if (code == 0 && (written < least || logs < least))
		code = loom_fail(err, LOOM_EHARDWARE, "%.1f%% and %.1f%%: less than %.0f%%", written, logs, least);
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_image_free(&image);
	return code;
}

int main(int argc, char **argv)
{
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	struct loom_plan plan = {0};
	struct lists lists = {0};
	struct loom_err err = {0};
	if (argc != 5)
		return 2;
	int code = loom_link_open(&link, argv[1], NULL, &err);
	if (code == 0)
		code = loom_device_open(&device, &link, &err);
	if (code == 0)
		code = make_plan(&plan, loom_device_chip(device), (unsigned)strtoul(argv[3], NULL, 10), &err);
	if (code == 0)
		code = measure(&link, device, &plan, strtod(argv[2], NULL), strtod(argv[4], NULL), &lists, &err);
	if (code)
		(void)printf("FAIL: %s\n", err.text);
	(void)printf("%d passed, %d failed\n", code == 0, code != 0);
	free(lists.list);
	free(lists.words);
	loom_plan_free(&plan);
	loom_device_close(device);
	loom_link_close(&link);
	return code != 0;
}
