// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "metered.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/rng.h"

static const struct loom_link_kind *inner;
static struct loom_link_kind outer;
static struct meter meter;

double children_s(void)
{
	struct rusage r;
	(void)getrusage(RUSAGE_CHILDREN, &r);
	return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6;
}

static int metered_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	const double start = now_s();
	const int code = inner->run(link, n_cycles, err);
	meter.run_s += now_s() - start;
	meter.cycles += n_cycles;
	return code;
}

static int metered_stream(struct loom_link *link, struct loom_stream *stream, uint64_t n_cycles, struct loom_err *err)
{
	if (meter.stream_from_s == 0)
		meter.stream_from_s = now_s();
	const int code = inner->stream(link, stream, n_cycles, err);
	meter.stream_to_s = now_s();
	meter.cycles += n_cycles;
	return code;
}

int metered_open(struct metered *out, const char *fabric, bool adaptive, struct loom_err *err)
{
	const struct loom_link_options options = {.fabric = fabric, .adaptive = adaptive};
	*out = (struct metered){0};
	int code = loom_topo_parse(&out->topo, fabric, err);
	if (code)
		return code;
	const double start = loom_clock_s(), started = children_s();
	code = loom_link_open(&out->link, "sim", &options, err);
	if (code)
		return code;
	out->build_s = loom_clock_s() - start;
	out->compilers_s = children_s() - started;
	inner = out->link.kind;
	outer = *inner;
	outer.run = metered_run;
	outer.stream = inner->stream ? metered_stream : NULL;
	out->link.kind = &outer;
	return loom_device_open(&out->device, &out->link, err);
}

void metered_close(struct metered *metered)
{
	loom_device_close(metered->device);
	if (metered->link.kind)
		loom_link_close(&metered->link);
	loom_topo_free(&metered->topo);
	*metered = (struct metered){0};
}

void metered_reset(void)
{
	meter = (struct meter){0};
}

struct meter metered_read(void)
{
	return meter;
}

double metered_idle_s(struct metered *metered, uint32_t n_cycles, struct loom_err *err)
{
	const double start = now_s();
	return inner->run(&metered->link, n_cycles, err) ? 0 : (now_s() - start) / n_cycles;
}

bool has_reversal(const struct loom_topo *topo)
{
	return topo->n_nodes == UINT32_C(1) << topo->label_bits;
}

static uint32_t reverse(uint32_t x, unsigned n_bits)
{
	uint32_t y = 0;
	for (unsigned k = 0; k < n_bits; k++)
		y |= (x >> k & 1) << (n_bits - 1 - k);
	return y;
}

int saturating_pattern(struct loom_pattern *out, const struct loom_topo *topo, const char *name, bool uniform,
                       uint32_t n_each, uint32_t flits, struct loom_err *err)
{
	const size_t n = (size_t)topo->n_nodes * n_each;
	struct loom_rng rng;
	struct loom_message *messages = calloc(n + 1, sizeof *messages);
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages", n);
	loom_rng_init(&rng, 1);
	for (size_t i = 0; i < n; i++) {
		const uint32_t source = (uint32_t)(i % topo->n_nodes);
		const uint32_t destination =
			uniform ? (uint32_t)loom_rng_below(&rng, topo->n_nodes) : reverse(source, topo->label_bits);
		messages[i] = (struct loom_message){source, destination, flits, 0};
	}
	const int code = loom_pattern_from_messages(out, name, topo->n_nodes, messages, n, err);
	free(messages);
	return code;
}
