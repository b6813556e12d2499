// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of transfers through the register port of a chip of the test's own, which answers `delay` cycles later: a word is asked
// for in each cycle, the answers are put where they belong, and silence is not waited for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "links/sim_port.h"

enum { MEMORY = 64, MOST = 1000 };

// The chip: a memory of 64 words. Address 0x1000 is a register that gives another word each time.
static struct {
	uint32_t memory[MEMORY], popped;
	bool asks, writes;
	uint32_t address, data;
	unsigned delay, n_asked, n_answered, cycles, answers_most; // answers_most: the most that it gives
	uint32_t answer[MOST];
	unsigned due[MOST];
} chip;

static void request(unsigned char write, unsigned address, unsigned data)
{
	chip.asks = true;
	chip.writes = write;
	chip.address = address;
	chip.data = data;
}

static void release(void)
{
	chip.asks = false;
}

static int answer(unsigned *data)
{
	if (chip.n_answered == chip.n_asked || chip.due[chip.n_answered] > chip.cycles ||
	    chip.n_answered == chip.answers_most)
		return 0;
	*data = chip.answer[chip.n_answered++];
	return 1;
}

static void cycle(void *of)
{
	assert_ptr_equal(of, &chip);
	chip.cycles++;
	if (!chip.asks)
		return;
	assert_true(chip.n_asked < MOST);
	uint32_t *word = &chip.memory[chip.address % MEMORY];
	bool pops = chip.address == 0x1000;
	chip.answer[chip.n_asked] = chip.writes ? 0xbad : pops ? chip.popped++ : *word;
	chip.due[chip.n_asked++] = chip.cycles + chip.delay - 1;
	if (chip.writes && pops)
		chip.popped = 2 * chip.popped + chip.data;
	else if (chip.writes)
		*word = chip.data;
}

static struct loom_sim_port port = {.request = request, .release = release, .answer = answer};

static void begin(unsigned delay)
{
	memset(&chip, 0, sizeof chip);
	chip.delay = delay;
	chip.answers_most = MOST;
	for (uint32_t i = 0; i < MEMORY; i++)
		chip.memory[i] = 1000 + i;
}

// Random lists against what one word after the other does.
static void test_lists(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 7);
	for (unsigned round = 0; round < 200; round++) {
		uint32_t memory[MEMORY], popped = 0, words[12][9], wanted[12][9], written[12][9];
		struct loom_transfer list[12];
		size_t n = loom_rng_below(&rng, 13), n_words = 0;
		begin(1 + round % 7);
		memcpy(memory, chip.memory, sizeof memory);
		memset(words, 0, sizeof words);
		memset(wanted, 0, sizeof wanted);
		for (size_t i = 0; i < n; i++) {
			bool fixed = loom_rng_below(&rng, 3) == 0, reads = loom_rng_below(&rng, 2);
			uint32_t at =
				fixed && loom_rng_below(&rng, 2) ? 0x1000 : (uint32_t)loom_rng_below(&rng, MEMORY - 9);
			size_t length = loom_rng_below(&rng, 10);
			for (size_t k = 0; k < length; k++) {
				uint32_t *word = &memory[fixed ? at % MEMORY : at + k];
				written[i][k] = (uint32_t)loom_rng_below(&rng, UINT64_C(1) << 32);
				if (reads)
					wanted[i][k] = at == 0x1000 ? popped++ : *word;
				else if (at == 0x1000)
					popped = 2 * popped + written[i][k];
				else
					*word = written[i][k];
			}
			list[i] = (struct loom_transfer){.address = at,
			                                 .n_words = length,
			                                 .fixed = fixed,
			                                 .read = reads ? words[i] : NULL,
			                                 .write = reads ? NULL : written[i]};
			n_words += length;
		}
		assert_int_equal(loom_sim_port_transfer(&port, list, n, cycle, &chip, NULL), 0);
		assert_memory_equal(words, wanted, sizeof words);
		assert_memory_equal(chip.memory, memory, sizeof memory);
		assert_int_equal(chip.popped, popped);
		assert_int_equal(chip.n_asked, n_words); // each word is requested once
		assert_int_equal(chip.cycles, n_words ? n_words + chip.delay - 1 : 0);
		assert_false(chip.asks);
	}
}

// The limit of cycles without an answer ends a list wherever the answers stop; the message names the address.
static void test_silence(void **state)
{
	(void)state;
	uint32_t words[2][9];
	const struct loom_transfer list[] = {{.address = 0x20, .n_words = 3, .read = words[0]},
	                                     {.address = 0x1000, .n_words = 3, .read = words[1], .fixed = true}};
	static const char *const says[] = {"0x00000020", "0x00000021", "0x00000022", "0x00001000", "0x00001000"};
	for (unsigned n = 0; n < 5; n++) {
		struct loom_err err = {0};
		begin(2);
		chip.answers_most = n;
		assert_int_equal(loom_sim_port_transfer(&port, list, 2, cycle, &chip, &err), LOOM_ETIMEOUT);
		assert_non_null(strstr(err.text, "the simulated chip does not answer a request at address "));
		assert_non_null(strstr(err.text, says[n]));
		assert_int_equal(chip.cycles, n + LOOM_SIM_ANSWER_CYCLES + 2);
		assert_false(chip.asks);
	}
	// The longest allowed time is accepted: the limit counts the cycles between a request and its answer.
	begin(LOOM_SIM_ANSWER_CYCLES + 2);
	assert_int_equal(loom_sim_port_transfer(&port, list, 2, cycle, &chip, NULL), 0);
	begin(LOOM_SIM_ANSWER_CYCLES + 3);
	assert_int_equal(loom_sim_port_transfer(&port, list, 2, cycle, &chip, NULL), LOOM_ETIMEOUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_silence)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
