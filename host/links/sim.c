// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated chip, its register port driven through the C functions which rtl/chip/sim_top.sv exports.
#include <stdbool.h>
#include <stdlib.h>

#include "links/links.h"
#include "links/sim_stream.h"
#include "links/verilated.h"

#define RESET_CYCLES 8
#define ANSWER_CYCLES 64 // a chip which takes longer to answer a request does not answer

struct sim {
	struct loom_verilated model;
	void (*reset)(unsigned char level);
	void (*request)(unsigned char write, unsigned address, unsigned data);
	void (*release)(void);
	int (*answer)(unsigned *data);
	struct loom_sim_stream stream;
};

static int start(struct sim *s, struct loom_err *err)
{
	const char *missing = NULL;
	LOOM_VERILATED_SYMBOL(&s->model, "loom_sim_reset", s->reset, &missing);
	LOOM_VERILATED_SYMBOL(&s->model, "loom_sim_request", s->request, &missing);
	LOOM_VERILATED_SYMBOL(&s->model, "loom_sim_release", s->release, &missing);
	LOOM_VERILATED_SYMBOL(&s->model, "loom_sim_answer", s->answer, &missing);
	if (missing)
		return loom_verilated_fail_symbol(missing, err);
	s->reset(1);
	for (int i = 0; i < RESET_CYCLES; i++)
		loom_verilated_cycle(&s->model);
	s->reset(0);
	for (int i = 0; i < RESET_CYCLES; i++)
		loom_verilated_cycle(&s->model);
	return 0;
}

static void sim_close(struct loom_link *link)
{
	struct sim *s = link->state;
	if (!s)
		return;
	loom_verilated_close(&s->model);
	loom_sim_stream_free(&s->stream);
	free(s);
	link->state = NULL;
}

static int get_rtl(struct loom_rtl *out, const char *argument, const struct loom_link_options *options,
                   struct loom_err *err)
{
	if (*argument)
		return loom_fail(err, LOOM_EINPUT,
		                 "link \"sim:%s\": sim takes no argument, the fabric says which model", argument);
	if (options && options->topo)
		return loom_rtl_of_topo(out, options->topo, err);
	if (!options || !options->fabric)
		return loom_fail(err, LOOM_EINPUT,
		                 "link \"sim\": which fabric? (--fabric cube:8; in a program, loom_link_options)");
	return loom_rtl_of_fabric(out, options->fabric, err);
}

static int sim_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                    struct loom_err *err)
{
	struct loom_rtl rtl;
	int code = get_rtl(&rtl, argument, options, err);
	if (code)
		return code;
	struct sim *s = calloc(1, sizeof *s);
	if (!s) {
		loom_rtl_free(&rtl);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a simulation");
	}
	link->state = s;
	code = loom_verilated_open(&s->model, &rtl, options, err);
	if (code == 0)
		code = loom_sim_stream_find(&s->stream, &s->model, rtl.chip.n_nodes, err);
	loom_rtl_free(&rtl);
	if (code == 0)
		code = start(s, err);
	if (code)
		sim_close(link);
	return code;
}

static int sim_expect(struct loom_chip *out, const char *argument, const struct loom_link_options *options,
                      struct loom_err *err)
{
	struct loom_rtl rtl;
	int code = get_rtl(&rtl, argument, options, err);
	if (code)
		return code;
	*out = rtl.chip;
	loom_rtl_free(&rtl);
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

// One word per cycle; the answers follow a fixed number of cycles later, in order. Time is counted in cycles of the
// chip: a simulation may be slow without being at fault.
static int sim_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                        struct loom_err *err)
{
	struct sim *s = link->state;
	struct cursor asked = {0}, answered = {0};
	(void)timeout_ms;
	loom_verilated_enter(&s->model);
	for (unsigned idle = 0; next_word(&answered, list, n); idle++) {
		uint32_t data = 0;
		if (next_word(&asked, list, n)) {
			const struct loom_transfer *t = &list[asked.at];
			s->request(t->write != NULL, address_of(&asked, list), t->write ? t->write[asked.word] : 0);
			asked.word++;
		} else {
			s->release();
		}
		loom_verilated_cycle(&s->model);
		if (s->answer(&data)) {
			if (list[answered.at].read)
				list[answered.at].read[answered.word] = data;
			answered.word++;
			idle = 0;
		}
		if (idle > ANSWER_CYCLES) {
			s->release();
			return loom_fail(err, LOOM_ETIMEOUT,
			                 "the simulated chip does not answer a request at address 0x%08x",
			                 address_of(&answered, list));
		}
	}
	s->release();
	return 0;
}

static int sim_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct sim *s = link->state;
	(void)err;
	loom_verilated_enter(&s->model);
	for (uint64_t i = 0; i < n_cycles; i++)
		loom_verilated_cycle(&s->model);
	return 0;
}

static int sim_stream(struct loom_link *link, struct loom_stream *stream, uint64_t n_cycles, struct loom_err *err)
{
	struct sim *s = link->state;
	return loom_sim_stream_run(&s->stream, &s->model, stream, n_cycles, err);
}

const struct loom_link_kind loom_link_sim = {
	.name = "sim",
	.argument = "",
	.help = "the RTL of the fabric, verilated on demand",
	.open = sim_open,
	.expect = sim_expect,
	.transfer = sim_transfer,
	.run = sim_run,
	.stream = sim_stream,
	.close = sim_close,
};
