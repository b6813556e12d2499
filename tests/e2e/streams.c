// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that are fed while they run, and logs that are handed out meanwhile: the same messages arrive in the same
// cycles as with programs loaded before; and messages can be more than programs and logs hold.
#include <flitloom/link/regmap.h>
#include <flitloom/link/stream.h>

#include "e2e.h"

enum {
	ENTRIES = 60, // entries of a node's program, which fits into a chip
	FED_WITHIN =
		64,  // cycles after the start until nodes have fetched what they can: a run takes some cycles to begin
	AHEAD = 400, // cycles before the first entry
	MANY = 1500, // messages from the other nodes to node 0: more than logs hold
	MOST_CYCLES = 400000,
};

struct scene {
	struct e2e *t;
	struct rig *rig;
	struct loom_rng *rng;
	bool paper, good;
	struct loom_stream_entry (*program)[ENTRIES]; // the program of each node
	struct loom_stream stream;
};

static void put(struct scene *s, uint32_t address, uint32_t word)
{
	struct loom_err err = {0};
	if (s->good && loom_link_write(&s->rig->link, address, &word, 1, 1000, &err))
		s->good = check(s->t, false, "%s", err.text);
}

static uint32_t get(struct scene *s, uint32_t address)
{
	uint32_t word = 0;
	struct loom_err err = {0};
	if (s->good && loom_link_read(&s->rig->link, address, &word, 1, 1000, &err))
		s->good = check(s->t, false, "%s", err.text);
	return word;
}

static uint32_t at_node(uint32_t window, uint32_t node, uint32_t word)
{
	return (window | node << LOOM_INDEX_LOW) + word;
}

static void begin(struct scene *s, bool streamed)
{
	put(s, LOOM_REG_CONTROL, 1u << LOOM_CONTROL_RESET_LOW);
	put(s, LOOM_REG_CONFIG,
	    (uint32_t)s->paper << LOOM_CONFIG_PAPER_LOW | (uint32_t)streamed << LOOM_CONFIG_OPEN_LOW);
	put(s, LOOM_REG_SEED, 77);
	for (uint32_t v = 0; v < s->rig->topo.n_nodes; v++)
		put(s, at_node(LOOM_WINDOW_MAP, LOOM_ALL_NODES, v), v);
	put(s, LOOM_REG_FIRST_PASS, 0);
	put(s, LOOM_REG_LAST_PASS, 0);
}

// Closes the streams and waits for the end of the run. True if it ended well.
static bool wait_for_end(struct scene *s, bool streamed)
{
	struct loom_err err = {0};
	put(s, LOOM_REG_CONFIG, (uint32_t)s->paper << LOOM_CONFIG_PAPER_LOW);
	for (uint32_t cycles = 0; s->good && cycles < MOST_CYCLES; cycles += 200) {
		uint32_t status = get(s, LOOM_REG_STATUS);
		if (status != 1)
			return check(s->t, status == 2, "%s: the run ends with status %u", s->rig->fabric, status);
		int code = streamed ? s->rig->link.kind->stream(&s->rig->link, &s->stream, 200, &err)
		                    : s->rig->link.kind->run(&s->rig->link, 200, &err);
		s->good = check(s->t, code == 0, "%s", err.text);
	}
	return check(s->t, false, "%s: the run does not end", s->rig->fabric);
}

static void start(struct scene *s)
{
	put(s, LOOM_REG_CONTROL, 1u << LOOM_CONTROL_START_LOW);
}

static bool stream_cycles(struct scene *s, uint64_t n)
{
	struct loom_err err = {0};
	s->good = s->good &&
	          check(s->t, s->rig->link.kind->stream(&s->rig->link, &s->stream, n, &err) == 0, "%s", err.text);
	return s->good;
}

static void make_programs(struct scene *s)
{
	for (uint32_t u = 0; u < s->rig->topo.n_nodes; u++)
		for (uint32_t i = 0, at = AHEAD; i < ENTRIES; i++) {
			bool silent = loom_rng_below(s->rng, 8) == 0;
			at += (uint32_t)loom_rng_below(s->rng, 30);
			s->program[u][i] = (struct loom_stream_entry){
				.at = loom_rng_below(s->rng, 4) ? at : 0,
				.word = {1 + (uint32_t)loom_rng_below(s->rng, 12),
			                 (uint32_t)loom_rng_below(s->rng, s->rig->topo.n_nodes) |
			                         (uint32_t)silent << LOOM_PROGRAM1_SILENT_LOW}};
			if (i == 0)
				s->program[u][i].at = AHEAD;
		}
}

static void run_loaded(struct scene *s)
{
	begin(s, false);
	for (uint32_t u = 0; u < s->rig->topo.n_nodes; u++) {
		for (uint32_t i = 0; i < ENTRIES; i++) {
			put(s, at_node(LOOM_WINDOW_PROGRAM, u, 2 * i), s->program[u][i].word[0]);
			put(s, at_node(LOOM_WINDOW_PROGRAM, u, 2 * i + 1), s->program[u][i].word[1]);
			put(s, at_node(LOOM_WINDOW_AT, u, i), s->program[u][i].at);
		}
		put(s, at_node(LOOM_WINDOW_PROGRAM_LENGTH, u, 0), ENTRIES);
	}
	start(s);
	(void)wait_for_end(s, false);
}

// Runs a few cycles at a time, and before each time appends some entries to nodes' queues, all before they are due.
static void run_streamed(struct scene *s)
{
	uint32_t n = s->rig->topo.n_nodes;
	uint32_t *fed = calloc(n, sizeof *fed);
	uint64_t cycles = 0;
	begin(s, true);
	start(s);
	for (uint32_t left = n * ENTRIES; fed && s->good && left;) {
		for (uint32_t u = 0; u < n; u++)
			for (uint32_t k = (uint32_t)loom_rng_below(s->rng, 30); k && fed[u] < ENTRIES; k--, left--) {
				struct loom_stream_queue *q = &s->stream.queue[u];
				q->entry[q->first + q->n++] = s->program[u][fed[u]++];
			}
		uint64_t portion = 1 + loom_rng_below(s->rng, 20);
		(void)stream_cycles(s, portion);
		cycles += portion;
		for (uint32_t u = 0; u < n && cycles >= FED_WITHIN; u++)
			check(s->t, s->stream.queue[u].n == 0 || s->stream.queue[u].first > 0, "node %u is not fed", u);
	}
	check(s->t, get(s, LOOM_REG_CYCLE) < AHEAD, "fed too late for a comparison");
	(void)(wait_for_end(s, true) && stream_cycles(s, 0));
	free(fed);
}

// Compares the logs of the streamed run with those in the chip, which are from the loaded run.
static void compare(struct scene *s)
{
	static const uint32_t n_words = 4;
	size_t of_all = 0;
	for (uint32_t u = 0; s->good && u < s->rig->topo.n_nodes; u++) {
		uint32_t count = get(s, at_node(LOOM_WINDOW_LOG_COUNT, u, 0)), i = 0;
		bool same = true;
		for (size_t k = 0; k < s->stream.n_logs; k++) {
			const struct loom_stream_log *log = &s->stream.log[k];
			if (log->node != u)
				continue;
			for (uint32_t w = 0; w < n_words; w++)
				same = same && log->word[w] == get(s, at_node(LOOM_WINDOW_LOG, u, n_words * i + w));
			same = same && log->signature == get(s, at_node(LOOM_WINDOW_SIGNATURE, u, i));
			i++;
		}
		check(s->t, same && i == count, "%s: node %u received %u messages when loaded, %u streamed, %s",
		      s->rig->fabric, u, count, i, same ? "the same" : "not the same");
		of_all += count;
	}
	check(s->t, of_all > 0, "no messages");
}

static void many_to_one(struct scene *s)
{
	uint32_t n = s->rig->topo.n_nodes, n_each = MANY * 16 / n;
	uint32_t *next = calloc(n, sizeof *next);
	begin(s, true);
	for (uint32_t u = 1; u < n; u++) {
		struct loom_stream_queue *q = &s->stream.queue[u];
		*q = (struct loom_stream_queue){
			.entry = realloc(q->entry, n_each * sizeof *q->entry), .size = n_each, .n = n_each};
		for (uint32_t i = 0; q->entry && i < n_each; i++)
			q->entry[i] = (struct loom_stream_entry){.word = {1 + i % 3, 0}};
	}
	start(s);
	size_t left = 1;
	for (uint32_t cycles = 0; s->good && left && cycles < MOST_CYCLES; cycles += 1000) {
		(void)stream_cycles(s, 1000);
		left = 0;
		for (uint32_t u = 1; u < n; u++)
			left += s->stream.queue[u].n;
	}
	check(s->t, left == 0, "%s: %zu entries are not fed", s->rig->fabric, left);
	(void)(wait_for_end(s, true) && stream_cycles(s, 0));
	check(s->t, s->stream.n_logs == (size_t)(n - 1) * n_each, "%s: %zu messages of %u came", s->rig->fabric,
	      s->stream.n_logs, (n - 1) * n_each);
	// The numbers of a source's messages start again after the length of its program.
	const struct loom_chip *chip = loom_device_chip(s->rig->device);
	bool good = next != NULL;
	for (size_t k = 0; good && k < s->stream.n_logs; k++) {
		const struct loom_stream_log *log = &s->stream.log[k];
		uint32_t source = log->word[0] >> chip->label_bits & (n - 1);
		uint32_t number = log->word[0] >> (2 * chip->label_bits + chip->rule_bits + 2);
		good = log->node == 0 && log->word[1] >> LOOM_LOG1_HERE_LOW == 3 &&
		       number == next[source] % chip->program_depth && (log->word[1] & 0xffff) == 1 + next[source] % 3;
		next[source]++;
	}
	check(s->t, good, "%s: messages are not as fed", s->rig->fabric);
	check(s->t, s->stream.n_logs > chip->log_depth, "logs would have held them");
	free(next);
}

static bool is_small(const struct loom_topo *topo)
{
	return (is_cube(topo) || is_multistage(topo)) && topo->n_nodes >= 4 && topo->n_nodes <= 16;
}

static void test_streams(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint32_t n = rig->topo.n_nodes;
	struct scene s = {.t = t, .rig = rig, .rng = rng, .good = true};
	s.program = calloc(n, sizeof *s.program);
	s.stream = (struct loom_stream){.n_nodes = n, .queue = calloc(n, sizeof *s.stream.queue)};
	bool room = s.program && s.stream.queue;
	for (uint32_t u = 0; room && u < n; u++) {
		s.stream.queue[u] = (struct loom_stream_queue){
			.entry = calloc(ENTRIES, sizeof *s.stream.queue[u].entry), .size = ENTRIES};
		room = s.stream.queue[u].entry;
	}
	for (int i = 0; check(t, room, "no memory") && i < 2; i++) {
		s.paper = i;
		make_programs(&s);
		for (uint32_t u = 0; u < n; u++)
			s.stream.queue[u].first = s.stream.queue[u].n = 0;
		s.stream.n_logs = 0;
		run_streamed(&s);
		size_t n_logs = s.stream.n_logs;
		run_loaded(&s);
		(void)stream_cycles(&s, 0);
		check(t, s.stream.n_logs == n_logs, "%s: a run that is not streamed hands out messages", rig->fabric);
		compare(&s);
	}
	s.stream.n_logs = 0;
	many_to_one(&s);
	put(&s, LOOM_REG_CONTROL, 1u << LOOM_CONTROL_RESET_LOW);
	for (uint32_t u = 0; s.stream.queue && u < n; u++)
		free(s.stream.queue[u].entry);
	free(s.stream.queue);
	free(s.stream.log);
	free(s.program);
}

const struct subject streams = {"streams", is_small, test_streams};
