// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated chip, its register port driven through the C functions which rtl/chip/sim_top.sv exports.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/stream.h>

#include "links/links.h"
#include "links/sim_port.h"
#include "links/verilated.h"

// --- Streams

// The streams of a verilated chip: they bring its nodes the entries for their programs, and hand out what these
// receive, while a pass runs.
struct streams {
	void (*turn)(unsigned char on); // functions that rtl/chip/sim_top.sv exports
	int (*handing)(void);
	uint32_t n_nodes;
	struct loom_stream *stream; // of the call under way, or NULL
	// Logs that came between two calls, while words were read or written: the next call brings them. `log` is
	// owned.
	struct loom_stream kept;
	bool lost; // a log, for there was no memory
};

// Whom the model's nodes call: tools/model_stream.c has it, and each loaded model one of its own.
struct user {
	void *self;
	bool (*next)(void *self, unsigned node, unsigned word[3]);
	void (*take)(void *self, unsigned node, const unsigned word[5]);
};

static bool next(void *self, unsigned node, unsigned word[3])
{
	struct streams *s = self;
	struct loom_stream_queue *q = s->stream ? &s->stream->queue[node] : NULL;
	if (!q || q->n == 0)
		return false;
	const struct loom_stream_entry *e = &q->entry[q->first++];
	q->n--;
	word[0] = e->word[0];
	word[1] = e->word[1];
	word[2] = e->at;
	return true;
}

// Room for n more logs.
static bool make_room(struct loom_stream *stream, size_t n)
{
	size_t size = stream->logs_size ? stream->logs_size : 1024;
	if (stream->n_logs + n <= stream->logs_size)
		return true;
	while (size < stream->n_logs + n)
		size *= 2;
	struct loom_stream_log *longer = realloc(stream->log, size * sizeof *longer);
	if (!longer)
		return false;
	stream->log = longer;
	stream->logs_size = size;
	return true;
}

static void take(void *self, unsigned node, const unsigned word[5])
{
	struct streams *s = self;
	struct loom_stream *to = s->stream ? s->stream : &s->kept;
	if (!make_room(to, 1)) {
		s->lost = true;
		return;
	}
	to->log[to->n_logs++] = (struct loom_stream_log){
		.node = node, .word = {word[0], word[1], word[2], word[3]}, .signature = word[4]};
}

// Finds the streams in the model of a fabric with so many nodes; *out must stay where it is. LOOM_ELINK: such a model
// has no streams.
static int find_streams(struct streams *out, const struct loom_verilated *model, uint32_t n_nodes, struct loom_err *err)
{
	const char *missing = NULL;
	struct user *user = NULL;
	*out = (struct streams){.n_nodes = n_nodes};
	LOOM_VERILATED_SYMBOL(model, "loom_sim_stream", out->turn, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_handing", out->handing, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_user", user, &missing);
	if (missing)
		return loom_verilated_fail_symbol(missing, err);
	*user = (struct user){.self = out, .next = next, .take = take};
	return 0;
}

static void free_streams(struct streams *s)
{
	free(s->kept.log);
	s->kept = (struct loom_stream){0};
}

// Brings the logs that were kept, which come first; but a log of a run before the last reset is nobody's any more.
static bool bring_kept(struct streams *s, struct loom_stream *stream)
{
	size_t n = s->handing() ? s->kept.n_logs : 0;
	if (!make_room(stream, n))
		return false;
	if (n)
		memcpy(stream->log + stream->n_logs, s->kept.log, n * sizeof *stream->log);
	stream->n_logs += n;
	s->kept.n_logs = 0;
	return true;
}

// Does what struct loom_link_kind.stream says. LOOM_EINPUT: the stream has another number of nodes.
static int run_streams(struct streams *s, struct loom_verilated *model, struct loom_stream *stream, uint64_t n_cycles,
                       struct loom_err *err)
{
	if (stream->n_nodes != s->n_nodes)
		return loom_fail(err, LOOM_EINPUT, "a stream for %u nodes, and the fabric has %u", stream->n_nodes,
		                 s->n_nodes);
	loom_verilated_enter(model);
	s->lost = s->lost || !bring_kept(s, stream);
	s->stream = stream;
	s->turn(1);
	for (uint64_t i = 0; i < n_cycles; i++)
		loom_verilated_cycle(model);
	s->turn(0);
	s->stream = NULL;
	bool lost = s->lost;
	s->lost = false;
	return lost ? loom_fail(err, LOOM_ENOMEM, "no memory for the logs of a stream") : 0;
}

// --- The link

struct sim {
	struct loom_verilated model;
	struct loom_sim_port port;
	struct streams streams;
};

static void sim_close(struct loom_link *link)
{
	struct sim *s = link->state;
	if (!s)
		return;
	loom_verilated_close(&s->model);
	free_streams(&s->streams);
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
		code = find_streams(&s->streams, &s->model, rtl.chip.n_nodes, err);
	loom_rtl_free(&rtl);
	if (code == 0)
		code = loom_sim_port_start(&s->port, &s->model, err);
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

static void cycle(void *model)
{
	loom_verilated_cycle(model);
}

static int sim_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                        struct loom_err *err)
{
	struct sim *s = link->state;
	(void)timeout_ms;
	loom_verilated_enter(&s->model);
	return loom_sim_port_transfer(&s->port, list, n, cycle, &s->model, err);
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
	return run_streams(&s->streams, &s->model, stream, n_cycles, err);
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
