// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles of an open fabric on a chip that the test simulates and controls: beats that cross, calls that are refused,
// beats from labels of no node, and the words of the register port.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/link/regmap.h>

#include "base/rng.h"
#include "links/open_internal.h"

enum { NODES = 40, WORDS = 2, LABEL_BITS = 6, ANSWERS = 128 }; // line:40; labels 40 to 63 belong to no node

// The chip, as the calls have left it, and as the test sets it.
static struct {
	bool offered[NODES], last[NODES];
	uint64_t data[NODES];
	unsigned label[NODES];
	uint32_t accepts[WORDS];
	// Set by the test.
	uint32_t room[WORDS], beats[WORDS];
	uint64_t out_data[NODES];
	unsigned out_label[NODES];
	bool out_last[NODES];
	// The register port: a word is asked for, and answered by the delay'th cycle with its address + 1, by the second at the
	// earliest; delay 0: never.
	bool asks, writes;
	unsigned address, written, delay, n_asked, n_answered;
	uint32_t asked[ANSWERS];
	uint64_t due[ANSWERS];
	// Clock.
	uint64_t n_cycles;
	unsigned char clk;
	bool entered;
} chip;

static void offer(unsigned node, unsigned long long data, unsigned char last, unsigned label)
{
	assert_true(node < NODES && chip.entered && chip.clk == 1);
	chip.offered[node] = true;
	chip.data[node] = data;
	chip.last[node] = last;
	chip.label[node] = label;
}

static void withdraw(unsigned node)
{
	assert_true(node < NODES && chip.offered[node]);
	chip.offered[node] = false;
}

static void accept(unsigned word, unsigned nodes)
{
	assert_true(word < WORDS);
	chip.accepts[word] = nodes;
}

static void hands(unsigned word, unsigned *room, unsigned *beats)
{
	assert_true(word < WORDS && chip.clk == 0);
	*room = chip.room[word];
	*beats = chip.beats[word];
}

static int beat(unsigned node, unsigned long long *data, unsigned *label)
{
	*data = chip.out_data[node];
	*label = chip.out_label[node];
	return chip.out_last[node];
}

static void request(unsigned char write, unsigned address, unsigned data)
{
	chip.asks = true;
	chip.writes = write;
	chip.address = address;
	chip.written = data;
}

static void release(void)
{
	chip.asks = false;
}

static int answer(unsigned *data)
{
	if (chip.n_answered == chip.n_asked || chip.due[chip.n_answered] > chip.n_cycles)
		return 0;
	*data = chip.asked[chip.n_answered++] + 1;
	return 1;
}

static void *set_scope(void *scope)
{
	chip.entered = true;
	return scope;
}

static void seq_update(void *object, unsigned char clk)
{
	(void)object;
	assert_int_not_equal(chip.clk, clk);
	chip.clk = clk;
	if (!clk)
		return;
	chip.n_cycles++;
	if (chip.asks && chip.delay) {
		assert_true(chip.n_asked < ANSWERS);
		chip.asked[chip.n_asked] = chip.address;
		chip.due[chip.n_asked++] = chip.n_cycles + chip.delay - 1;
	}
}

static double half_cycles;

static void begin(struct loom_open_fabric *f)
{
	memset(&chip, 0, sizeof chip);
	chip.clk = 1;
	*f = (struct loom_open_fabric){
		.model = {.half_cycles = &half_cycles, .seq_update = seq_update, .set_scope = set_scope},
		.port = {.request = request, .release = release, .answer = answer},
		.offer = offer,
		.withdraw = withdraw,
		.accept = accept,
		.hands = hands,
		.beat = beat,
		.data_bits = 20};
	assert_int_equal(loom_topo_parse(&f->topo, "line:40", NULL), 0);
	assert_int_equal(f->topo.label_bits, LABEL_BITS);
	f->entry = calloc(NODES, sizeof *f->entry);
	f->accepts = calloc(WORDS, sizeof *f->accepts);
	f->node_of = malloc(sizeof *f->node_of << LABEL_BITS);
	assert_true(f->entry && f->accepts && f->node_of);
	for (uint32_t label = 0; label < 1u << LABEL_BITS; label++)
		f->node_of[label] = LOOM_OPEN_NO_NODE;
	for (uint32_t u = 0; u < NODES; u++)
		f->node_of[loom_topo_label(&f->topo, u)] = u;
}

static void end(struct loom_open_fabric *f)
{
	free(f->entry);
	free(f->accepts);
	free(f->node_of);
	loom_topo_free(&f->topo);
}

static bool bit(const uint32_t *words, uint32_t u)
{
	return words[u / 32] >> u % 32 & 1;
}

static void set_bit(uint32_t *words, uint32_t u, bool is)
{
	words[u / 32] = (words[u / 32] & ~(UINT32_C(1) << u % 32)) | (is ? UINT32_C(1) << u % 32 : 0);
}

static void cycle(struct loom_open_fabric *f, struct loom_open_port *ports)
{
	struct loom_err err = {0};
	uint64_t before = chip.n_cycles;
	if (loom_open_fabric_cycle(f, ports, &err) != 0)
		fail_msg("cycle %" PRIu64 ": %s", chip.n_cycles, err.text);
	assert_int_equal(chip.n_cycles, before + 1);
	assert_int_equal(chip.clk, 1);
}

static struct loom_open_beat any_beat(struct loom_rng *rng)
{
	return (struct loom_open_beat){.data = loom_rng_below(rng, 1 << 20),
	                               .node = (uint32_t)loom_rng_below(rng, NODES),
	                               .last = loom_rng_below(rng, 3) == 0};
}

// --- Beats -----------------------------------------------------------------------------------------------------------

// Sets random outputs of the chip for this cycle.
static void any_chip(const struct loom_open_fabric *f, struct loom_rng *rng)
{
	for (uint32_t u = 0; u < NODES; u++) {
		set_bit(chip.room, u, loom_rng_below(rng, 2));
		set_bit(chip.beats, u, loom_rng_below(rng, 2));
		chip.out_data[u] = loom_rng_below(rng, UINT64_C(1) << 40);
		chip.out_label[u] = loom_topo_label(&f->topo, (uint32_t)loom_rng_below(rng, NODES));
		chip.out_last[u] = loom_rng_below(rng, 2);
	}
}

// The other end of a node's port: what the caller has done so far.
struct caller {
	bool inside;
	unsigned label; // of the frame that it is inside of
};

// Checks that the chip got the node's offer, with the label of the frame's first beat, and nothing else.
static void check_shown(const struct loom_open_fabric *f, const struct loom_open_port *p, struct caller *c, uint32_t u)
{
	assert_int_equal(chip.offered[u], p->offer);
	assert_int_equal(bit(chip.accepts, u), p->accept);
	if (!p->offer)
		return;
	c->label = c->inside ? c->label : loom_topo_label(&f->topo, p->in.node);
	assert_int_equal(chip.data[u], p->in.data);
	assert_int_equal(chip.last[u], p->in.last);
	assert_int_equal(chip.label[u], c->label);
}

static void check_crossed(const struct loom_open_fabric *f, const struct loom_open_port *p, uint32_t u)
{
	assert_int_equal(p->taken, p->offer && bit(chip.room, u));
	assert_int_equal(p->got, p->accept && bit(chip.beats, u));
	assert_int_equal(p->waits, !p->accept && bit(chip.beats, u));
	if (!p->got)
		return;
	assert_int_equal(p->out.data, chip.out_data[u]);
	assert_int_equal(p->out.last, chip.out_last[u]);
	assert_int_equal(loom_topo_label(&f->topo, p->out.node), chip.out_label[u]);
}

static void test_beats(void **state)
{
	(void)state;
	struct loom_open_fabric f;
	struct loom_open_port ports[NODES] = {0};
	struct caller callers[NODES] = {0};
	struct loom_rng rng;
	loom_rng_init(&rng, 40);
	begin(&f);
	for (unsigned i = 0; i < 500; i++) {
		for (uint32_t u = 0; u < NODES; u++) {
			struct loom_open_port *p = &ports[u];
			p->accept = loom_rng_below(&rng, 2);
			if (p->offer && !p->taken)
				continue;
			p->offer = loom_rng_below(&rng, 3) != 0;
			p->in = any_beat(&rng);
			p->in.node +=
				callers[u].inside ? NODES * (uint32_t)loom_rng_below(&rng, 2) : 0; // counts no longer
		}
		any_chip(&f, &rng);
		cycle(&f, ports);
		assert_int_equal(loom_open_fabric_now(&f), i + 1);
		for (uint32_t u = 0; u < NODES; u++) {
			check_shown(&f, &ports[u], &callers[u], u);
			check_crossed(&f, &ports[u], u);
			callers[u].inside = ports[u].taken ? !ports[u].in.last : callers[u].inside;
		}
	}
	end(&f);
}

// Cycles that the link runs: no beat is accepted, an offer stays, and if the network takes it, the next cycle reports
// that.
static void test_between(void **state)
{
	(void)state;
	struct loom_open_fabric f;
	struct loom_open_port ports[NODES] = {0};
	begin(&f);
	for (uint32_t u = 0; u < NODES; u++) {
		ports[u].offer = u % 2;
		ports[u].in = (struct loom_open_beat){.data = u, .node = u, .last = u % 4 == 1};
		ports[u].accept = true;
		set_bit(chip.beats, u, true);
	}
	cycle(&f, ports);
	for (uint32_t u = 0; u < NODES; u++)
		assert_true(!ports[u].taken && ports[u].got);
	for (uint32_t u = 0; u < NODES; u++)
		set_bit(chip.room, u, u % 3 == 0);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(loom_open_cycle(&f, NULL, NULL), 0);
		assert_int_equal(chip.accepts[0] | chip.accepts[1], 0);
		for (uint32_t u = 0; u < NODES; u++)
			assert_int_equal(chip.offered[u], u % 2 && !(i && u % 3 == 0));
	}
	for (uint32_t u = 0; u < NODES; u++)
		set_bit(chip.room, u, false);
	cycle(&f, ports);
	for (uint32_t u = 0; u < NODES; u++) {
		assert_int_equal(ports[u].taken, u % 2 && u % 3 == 0);
		assert_int_equal(chip.offered[u], u % 2 && u % 3 != 0);
		assert_true(ports[u].got);
	}
	cycle(&f, ports); // a node whose beat was taken offers another one
	for (uint32_t u = 0; u < NODES; u++) {
		assert_int_equal(chip.offered[u], u % 2);
		assert_false(ports[u].taken);
	}
	end(&f);
}

// Labels that no node has, in the first word and in the second: the first is named, and all ports are set.
static void test_from_nowhere(void **state)
{
	(void)state;
	struct loom_open_fabric f;
	struct loom_open_port ports[NODES] = {0};
	struct loom_err err = {0};
	begin(&f);
	for (uint32_t u = 0; u < NODES; u++) {
		set_bit(chip.beats, u, true);
		chip.out_label[u] = loom_topo_label(&f.topo, u);
		chip.out_data[u] = 100 + u;
		ports[u].accept = true;
	}
	static const unsigned wrong[][2] = {{3, 63}, {35, 40}, {0, 64 + 5}};
	for (size_t i = 0; i < 3; i++) {
		chip.out_label[wrong[i][0]] = wrong[i][1];
		assert_int_equal(loom_open_fabric_cycle(&f, ports, &err), LOOM_EHARDWARE);
		assert_non_null(
			strstr(err.text, i < 2 ? "node 3: a beat from label 63," : "node 0: a beat from label 69,"));
		assert_int_equal(chip.n_cycles, i + 1);
		for (uint32_t u = 0; u < NODES; u++) {
			bool is_wrong = false;
			for (size_t k = 0; k <= i; k++)
				is_wrong = is_wrong || wrong[k][0] == u;
			assert_true(ports[u].got);
			assert_int_equal(ports[u].out.node, is_wrong ? UINT32_MAX : u);
			assert_int_equal(ports[u].out.data, 100 + u);
		}
	}
	ports[0].accept = ports[3].accept = ports[35].accept = false; // a beat that no node accepts is not checked
	cycle(&f, ports);
	end(&f);
}

// Checks that the cycle is refused: it did not happen, and the ports did not change.
static void refused(struct loom_open_fabric *f, struct loom_open_port *ports, const char *part)
{
	struct loom_open_port before[NODES];
	struct loom_err err = {0};
	uint64_t n_cycles = chip.n_cycles;
	memcpy(before, ports, sizeof before);
	assert_int_equal(loom_open_fabric_cycle(f, ports, &err), LOOM_EINPUT);
	if (!strstr(err.text, part))
		fail_msg("not \"%s\": %s", part, err.text);
	assert_memory_equal(before, ports, sizeof before);
	assert_int_equal(chip.n_cycles, n_cycles);
}

static void test_refused(void **state)
{
	(void)state;
	struct loom_open_fabric f;
	struct loom_open_port ports[NODES] = {0}, *p = &ports[NODES - 1];
	begin(&f);
	p->offer = true;
	p->in = (struct loom_open_beat){.data = 5, .node = NODES};
	refused(&f, ports, "node 39: a frame to node 40; line:40 has nodes 0 to 39");
	p->in.node = NODES - 1;
	p->in.data = 1 << 20;
	refused(&f, ports, "node 39: data 0x100000 in a beat of 20 bits");
	p->in.data = (1 << 20) - 1;
	cycle(&f, ports);
	// The offer waits, so each of its parts must stay.
	const struct loom_open_port stands = *p;
	p->offer = false;
	refused(&f, ports, "node 39: the beat that it offered was withdrawn before it was taken");
	*p = stands;
	p->in.data ^= 1;
	refused(&f, ports, "node 39: the beat that it offered was changed before it was taken");
	*p = stands;
	p->in.node--;
	refused(&f, ports, "was changed before");
	*p = stands;
	p->in.last = !p->in.last;
	refused(&f, ports, "was changed before");
	*p = stands;
	// The same holds for an offer that the network took while the caller could not know.
	set_bit(chip.room, NODES - 1, true);
	assert_int_equal(loom_open_cycle(&f, NULL, NULL), 0);
	p->in.data ^= 1;
	refused(&f, ports, "was changed before");
	*p = stands;
	cycle(&f, ports);
	assert_true(p->taken);
	// Beats of 64 bits have no data that is too wide.
	f.data_bits = 64;
	p->in.data = UINT64_MAX;
	cycle(&f, ports);
	assert_int_equal(chip.data[NODES - 1], UINT64_MAX);
	end(&f);
}

// --- The register port -----------------------------------------------------------------------------------------------

// One request in each cycle: they are answered in order, a fixed number of cycles later, and what was written stays.
static void test_words(void **state)
{
	(void)state;
	for (unsigned delay = 2; delay <= LOOM_SIM_ANSWER_CYCLES; delay += 31) {
		struct loom_open_fabric f;
		struct loom_open_port ports[NODES] = {0};
		struct loom_open_request r[100], another = {0};
		begin(&f);
		chip.delay = delay;
		for (unsigned i = 0; i < 100 + delay; i++) {
			struct loom_err err = {0};
			if (i < 100) {
				r[i] = (struct loom_open_request){
					.address = 0x10000000 + i, .data = 7 * i, .write = i % 3 == 0, .done = true};
				assert_int_equal(loom_open_fabric_request(&f, &r[i], &err), 0);
				assert_false(r[i].done);
				assert_int_equal(loom_open_fabric_request(&f, &another, &err), LOOM_EINPUT);
				assert_non_null(strstr(err.text, "a second request"));
			}
			cycle(&f, ports);
			assert_int_equal(chip.asks, i < 100);
			if (i < 100) {
				assert_int_equal(chip.address, r[i].address);
				assert_int_equal(chip.writes, r[i].write);
				assert_int_equal(chip.written, 7 * i);
			}
			for (unsigned k = 0; k < 100 && k <= i; k++) {
				assert_int_equal(r[k].done, k + delay <= i + 1);
				assert_int_equal(r[k].data, r[k].done && !r[k].write ? r[k].address + 1 : 7 * k);
			}
		}
		assert_int_equal(f.requests.n, 0);
		end(&f);
	}
}

// The limit of cycles without an answer is counted from the last answer. All under way are forgotten then; new ones can
// be asked. A beat from nowhere in the same cycle comes first.
static void test_no_answer(void **state)
{
	(void)state;
	for (unsigned both = 0; both < 2; both++) {
		struct loom_open_fabric f;
		struct loom_open_port ports[NODES] = {0};
		struct loom_open_request r[3] = {{.address = 8}, {.address = 0x20}, {.address = 0x30}};
		struct loom_err err = {0};
		begin(&f);
		chip.delay = 2;
		assert_int_equal(loom_open_fabric_request(&f, &r[0], NULL), 0);
		cycle(&f, ports);
		chip.delay = 0;
		assert_int_equal(loom_open_fabric_request(&f, &r[1], NULL), 0);
		cycle(&f, ports);
		assert_true(r[0].done && r[0].data == 9);
		for (unsigned i = 0; i < LOOM_SIM_ANSWER_CYCLES; i++)
			cycle(&f, ports);
		if (both) {
			chip.beats[0] = 1;
			chip.out_label[0] = 50;
			ports[0].accept = true;
		}
		assert_int_equal(loom_open_fabric_cycle(&f, ports, &err), both ? LOOM_EHARDWARE : LOOM_ETIMEOUT);
		assert_non_null(
			strstr(err.text, both ? "node 0: a beat from label 50" : "a request at address 0x00000020"));
		assert_false(r[1].done);
		assert_int_equal(f.requests.n, 0);
		chip.delay = 2;
		chip.beats[0] = 0;
		assert_int_equal(loom_open_fabric_request(&f, &r[2], NULL), 0);
		cycle(&f, ports);
		cycle(&f, ports);
		assert_true(r[2].done && !r[1].done && r[2].data == 0x31);
		end(&f);
	}
}

// CONTROL.RESET, and it alone: nodes do nothing for as long as it lasts, and begin frames anew.
static void test_reset(void **state)
{
	(void)state;
	const uint32_t reset = UINT32_C(1) << LOOM_CONTROL_RESET_LOW;
	const struct {
		uint32_t address, data;
		bool write, resets;
	} rows[] = {{LOOM_REG_CONTROL, reset, true, true},
	            {LOOM_REG_CONTROL | 0xfff00, UINT32_MAX, true, true}, // higher bits do not count
	            {LOOM_REG_CONTROL, ~reset, true, false},
	            {LOOM_REG_CONTROL + 1, reset, true, false},
	            {LOOM_REG_CONTROL | UINT32_C(1) << 28, reset, true, false},
	            {LOOM_REG_CONTROL, reset, false, false}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_open_fabric f;
		struct loom_open_port ports[NODES] = {0}, *p = &ports[33];
		struct loom_open_request r = {.address = rows[i].address, .data = rows[i].data, .write = rows[i].write};
		begin(&f);
		chip.delay = 2;
		p->offer = true;
		p->in.node = 7;
		set_bit(chip.room, 33, true);
		cycle(&f, ports); // the frame's first beat is in
		assert_true(p->taken);
		set_bit(chip.room, 33, false);
		p->in.node = 8;
		cycle(&f, ports);
		assert_int_equal(chip.label[33], loom_topo_label(&f.topo, 7));
		set_bit(chip.beats, 33, true);
		p->accept = true;
		assert_int_equal(loom_open_fabric_request(&f, &r, NULL), 0);
		for (unsigned k = 0; k < LOOM_OPEN_RESET_CYCLES; k++) {
			cycle(&f, ports);
			assert_int_equal(chip.offered[33], !rows[i].resets);
			assert_int_equal(p->got, !rows[i].resets);
			assert_true(p->got || p->waits);
		}
		cycle(&f, ports);
		assert_true(chip.offered[33] && p->got);
		assert_int_equal(chip.label[33], loom_topo_label(&f.topo, rows[i].resets ? 8 : 7));
		end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_beats),   cmocka_unit_test(test_between), cmocka_unit_test(test_from_nowhere),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_words),   cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
