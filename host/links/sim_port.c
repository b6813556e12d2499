// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/sim_port.h"

#define RESET_CYCLES 8

int loom_sim_port_start(struct loom_sim_port *out, struct loom_verilated *model, struct loom_err *err)
{
	const char *missing = NULL;
	LOOM_VERILATED_SYMBOL(model, "loom_sim_reset", out->reset, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_request", out->request, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_release", out->release, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_answer", out->answer, &missing);
	if (missing)
		return loom_verilated_fail_symbol(missing, err);
	out->reset(1);
	for (int i = 0; i < RESET_CYCLES; i++)
		loom_verilated_cycle(model);
	out->reset(0);
	for (int i = 0; i < RESET_CYCLES; i++)
		loom_verilated_cycle(model);
	return 0;
}

// A word of a list: transfer `at`, word `word` of it.
struct cursor {
	size_t at, word;
};

static bool next_word(struct cursor *c, const struct loom_transfer *list, size_t n)
{
	while (c->at < n && c->word == list[c->at].n_words)
		*c = (struct cursor){c->at + 1, 0};
	return c->at < n;
}

static uint32_t address_of(const struct cursor *c, const struct loom_transfer *list)
{
	return list[c->at].address + (list[c->at].fixed ? 0 : (uint32_t)c->word);
}

// Transfers one word per cycle; the answers follow a fixed number of cycles later, in order.
int loom_sim_port_transfer(struct loom_sim_port *port, const struct loom_transfer *list, size_t n,
                           void (*cycle)(void *of), void *of, struct loom_err *err)
{
	struct cursor asked = {0}, answered = {0};
	for (unsigned idle = 0; next_word(&answered, list, n); idle++) {
		uint32_t data = 0;
		if (next_word(&asked, list, n)) {
			const struct loom_transfer *t = &list[asked.at];
			port->request(t->write != NULL, address_of(&asked, list), t->write ? t->write[asked.word] : 0);
			asked.word++;
		} else {
			port->release();
		}
		cycle(of);
		if (port->answer(&data)) {
			if (list[answered.at].read)
				list[answered.at].read[answered.word] = data;
			answered.word++;
			idle = 0;
		}
		if (idle > LOOM_SIM_ANSWER_CYCLES) {
			port->release();
			return loom_fail(err, LOOM_ETIMEOUT,
			                 "the simulated chip does not answer a request at address 0x%08x",
			                 address_of(&answered, list));
		}
	}
	port->release();
	return 0;
}
