// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The link to a simulated fabric: waveforms, and several links at once.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <flitloom/link/regmap.h>

#include "e2e.h"

// These subjects run on the smallest cube alone; one fabric is enough.
static bool is_smallest(const struct loom_topo *topo)
{
	return is_cube(topo) && topo->n_dims == 1;
}

static uint64_t big_endian(const uint8_t bytes[8])
{
	uint64_t value = 0;
	for (unsigned i = 0; i < 8; i++)
		value = value << 8 | bytes[i];
	return value;
}

// Checks by the header of a waveform that it has the chip's signals and all cycles of the run.
static void test_waveform(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	(void)rng;
	char path[] = "/tmp/e2e_XXXXXX";
	uint8_t head[73] = {0};
	struct rig traced = {0};
	struct run run = {0};
	int fd = mkstemp(path);
	if (!check(t, fd >= 0, "no file for a waveform"))
		return;
	if (check(t, rig_open(&traced, rig->fabric, path), "%s with a waveform does not open", rig->fabric) &&
	    parse(t, &run, &traced, "complement", 20, 1) &&
	    check(t, rig_run(&traced, &run, "identity", LOOM_MACHINE_FAST, 1),
	          "complement with a waveform does not run"))
		check_verdict(t, &run, "waveform", 0);
	rig_close(&traced);
	close(fd);
	fd = open(path, O_RDONLY); // the run has replaced the file of that name
	check(t, fd >= 0 && read(fd, head, sizeof head) == sizeof head && head[0] == 0 && big_endian(head + 1) == 329,
	      "the waveform has no FST header");
	check(t, big_endian(head + 17) >= 20, "the waveform ends at %" PRIu64, big_endian(head + 17));
	check(t, big_endian(head + 57) > 100, "the waveform has %" PRIu64 " signals", big_endian(head + 57));
	check(t, big_endian(head + 65) > 0, "the waveform has no changes of value");
	close(fd);
	unlink(path);
	run_free(&run);
}

// Returns the chip's register SEED; -1: it cannot be read.
static int64_t seed_of(struct loom_link *link)
{
	uint32_t word = 0;
	const struct loom_transfer read = {.address = LOOM_REG_SEED, .n_words = 1, .read = &word};
	struct loom_err err = {0};
	return link->kind->transfer(link, &read, 1, 1000, &err) == 0 ? (int64_t)word : -1;
}

// A thread: writes a number that belongs to its link into its chip, runs the chip for a while, and compares; NULL: the
// number stayed.
static void *use_link(void *user)
{
	struct loom_link *link = user;
	struct loom_err err = {0};
	uint32_t word = (uint32_t)(uintptr_t)link;
	const struct loom_transfer write = {.address = LOOM_REG_SEED, .n_words = 1, .write = &word};
	for (int i = 0; i < 200; i++)
		if (link->kind->transfer(link, &write, 1, 1000, &err) || link->kind->run(link, 50, &err) ||
		    seed_of(link) != word)
			return link;
	return NULL;
}

// Checks that several simulations of one fabric in one program are separate chips, also in threads other than the one
// that opened them.
static void test_many_links(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	(void)rng;
	enum { N = 3 };
	struct loom_link links[N];
	pthread_t threads[N];
	const struct loom_link_options options = {.fabric = rig->fabric};
	struct loom_err err = {0};
	for (uint32_t i = 0; i < N; i++) {
		const struct loom_transfer write = {
			.address = LOOM_REG_SEED, .n_words = 1, .write = &(uint32_t){i + 1}};
		if (!check(t, loom_link_open(&links[i], "sim", &options, &err) == 0, "link %u: %s", i, err.text))
			return;
		check(t, links[i].kind->transfer(&links[i], &write, 1, 1000, &err) == 0, "link %u: %s", i, err.text);
	}
	for (uint32_t i = 0; i < N; i++)
		check(t, seed_of(&links[i]) == i + 1, "link %u has the seed %" PRId64, i, seed_of(&links[i]));
	for (uint32_t i = 0; i < N; i++)
		check(t, pthread_create(&threads[i], NULL, use_link, &links[i]) == 0, "no thread");
	for (uint32_t i = 0; i < N; i++) {
		void *failed = NULL;
		pthread_join(threads[i], &failed);
		check(t, !failed, "link %u in a thread of its own reads another's seed", i);
	}
	loom_link_close(&links[0]);
	check(t, seed_of(&links[1]) == (uint32_t)(uintptr_t)&links[1], "closing a link has changed another");
	for (uint32_t i = 1; i < N; i++)
		loom_link_close(&links[i]);
	check(t, loom_link_open(&links[0], "sim", &options, &err) == 0 && seed_of(&links[0]) == 0,
	      "a link opened anew has the state of an earlier one");
	loom_link_close(&links[0]);
}

const struct subject waveform = {"waveform", is_smallest, test_waveform};
const struct subject many_links = {"many links", is_smallest, test_many_links};
