// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The parallel FFT of [Hou01], section 6.2, as messages and the cycles in which they begin.
#include <flitloom/math/fft.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS_MOST (UINT64_C(1) << 40)

// 4.47 / 0.57 is 8 cycles; what is a whole number but for rounding stays it.
static uint64_t cycles_of(double us, const struct loom_fft_costs *costs)
{
	return (uint64_t)ceil(us / costs->cycle_us - 1e-9);
}

static int log2_of(uint64_t value)
{
	int n = 0;
	while (value >> n > 1)
		n++;
	return value == UINT64_C(1) << n ? n : -1;
}

int loom_fft_make(struct loom_fft *out, uint32_t n_nodes, uint64_t points, const struct loom_fft_costs *costs,
                  struct loom_err *err)
{
	int n = log2_of(n_nodes), m = points == 0 ? n : log2_of(points);
	if (n < 1)
		return loom_fail(err, LOOM_EINPUT,
		                 "the stages of an FFT need 2, 4, 8, ... processors; the fabric has %" PRIu32, n_nodes);
	if (m < n || (m - n) % 2 != 0 || points > POINTS_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "an FFT of %" PRIu64 " points on %" PRIu32 " processors: points must be %" PRIu32
		                 ", or 4, 16, 64, ... times as many",
		                 points, n_nodes, n_nodes);
	uint64_t each = UINT64_C(1) << (m - n);
	uint64_t body = (each * costs->point_bytes + costs->flit_bytes - 1) / costs->flit_bytes;
	uint64_t software = cycles_of(costs->software_us, costs),
		 local = cycles_of((m - n) / 2 * (double)(each / 2) * costs->butterfly_us, costs),
		 remote = cycles_of((double)each * costs->half_us, costs);
	if (body >= LOOM_FLITS_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "an FFT of %" PRIu64 " points on %" PRIu32 " processors has messages of %" PRIu64
		                 " flits; at most %u",
		                 points, n_nodes, body + 1, LOOM_FLITS_MOST);
	if (software > INT32_MAX || local > INT32_MAX || remote > INT32_MAX)
		return loom_fail(err, LOOM_EINPUT, "an FFT of %" PRIu64 " points: a stage takes more than 2^31 cycles",
		                 points);
	unsigned d = (unsigned)(m - n) / 2;
	*out = (struct loom_fft){.n_nodes = n_nodes,
	                         .n_dims = (unsigned)n,
	                         .n_local = d,
	                         .points = UINT64_C(1) << m,
	                         .flits = (uint32_t)body + 1,
	                         .software = (uint32_t)software,
	                         .local = (uint32_t)local,
	                         .remote = (uint32_t)remote,
	                         .computing = 2 * local + (uint64_t)n * remote,
	                         .cycle_us = costs->cycle_us};
	return 0;
}

static uint32_t reversed(const struct loom_fft *fft, uint32_t v)
{
	uint32_t r = 0;
	for (unsigned i = 0; i < fft->n_dims; i++)
		r |= (v >> i & 1) << (fft->n_dims - 1 - i);
	return r;
}

// The processor to which processor v sends message number `stage` of its program, and from which it gets one: both are
// involutions.
static uint32_t partner(const struct loom_fft *fft, unsigned stage, uint32_t v)
{
	return stage == 0 ? reversed(fft, v) : v ^ UINT32_C(1) << (stage - 1);
}

// Times here count cycles that are over: something that ends with cycle 7 ends at 7, and what follows begins in cycle 8.
void loom_fft_begin(uint64_t *begin, uint64_t *end, const struct loom_fft *fft, const uint64_t *tail)
{
	for (uint32_t v = 0; v < fft->n_nodes; v++) {
		begin[v] = (uint64_t)fft->software + 1;
		end[v] = tail[partner(fft, 0, v)] + fft->local;
	}
	// end[v]: when processor v is ready for the next exchange
	for (unsigned stage = 1; stage <= fft->n_dims; stage++) {
		size_t at = (size_t)stage * fft->n_nodes;
		for (uint32_t v = 0; v < fft->n_nodes; v++) {
			uint32_t other = partner(fft, stage, v);
			uint64_t both = end[v] > end[other] ? end[v] : end[other];
			begin[at + v] = both + fft->software + 1;
		}
		for (uint32_t v = 0; v < fft->n_nodes; v++)
			end[v] = tail[at + partner(fft, stage, v)] + fft->remote;
	}
	for (uint32_t v = 0; v < fft->n_nodes; v++)
		end[v] += fft->local;
}

// A wait for the message of each stage from its partner, which is the k-th from there.
static struct loom_gate wait_for(const struct loom_fft *fft, unsigned stage, uint32_t v)
{
	uint32_t source = partner(fft, stage, v), k = 0;
	for (unsigned s = 0; s <= stage; s++)
		k += partner(fft, s, v) == source;
	return (struct loom_gate){LOOM_GATE_WAIT, k, source};
}

static struct loom_gate at_cycle(uint64_t cycle)
{
	return (struct loom_gate){LOOM_GATE_AT, (uint32_t)cycle, 0};
}

// Puts the gates in front of message `stage` of processor v: the wait for the messages that it needs, and the cycle.
static size_t put_gates(struct loom_gate *gate, const struct loom_fft *fft, unsigned stage, uint32_t v, uint64_t cycle)
{
	size_t n = 0;
	if (stage > 0 && partner(fft, stage - 1, v) != v)
		gate[n++] = wait_for(fft, stage - 1, v);
	if (cycle > 0) // 0: there is nothing to send, and nothing to compute
		gate[n++] = at_cycle(cycle);
	return n;
}

static void fill(struct loom_pattern *p, const struct loom_fft *fft, const uint64_t *begin, const uint64_t *end)
{
	size_t n = 0, i = 0;
	for (unsigned stage = 0; stage <= fft->n_dims; stage++)
		for (uint32_t v = 0; v < fft->n_nodes; v++, i++) {
			p->messages[i] = (struct loom_message){
				.source = v, .destination = partner(fft, stage, v), .flits = fft->flits};
			p->timing->first[i] = n;
			n += put_gates(p->timing->gate + n, fft, stage, v, begin[i]);
		}
	for (uint32_t v = 0; v < fft->n_nodes; v++, i++) {
		p->timing->first[i] = n;
		n += put_gates(p->timing->gate + n, fft, fft->n_dims + 1, v, end[v]);
	}
	p->timing->first[i] = n;
}

int loom_fft_pattern(struct loom_pattern *out, const struct loom_fft *fft, const uint64_t *begin, const uint64_t *end,
                     struct loom_err *err)
{
	size_t n = LOOM_FFT_MESSAGES(fft);
	struct loom_pattern p = {.n_nodes = fft->n_nodes, .n_messages = n, .n_members = 1};
	for (size_t i = 0; i < n + fft->n_nodes; i++)
		if ((i < n ? begin[i] : end[i - n]) > UINT32_MAX)
			return loom_fail(err, LOOM_EINPUT,
			                 "an FFT of %" PRIu64
			                 " points takes more cycles than programs can count: %" PRIu64 " of %" PRIu32,
			                 fft->points, i < n ? begin[i] : end[i - n], UINT32_MAX);
	p.messages = calloc(n, sizeof *p.messages);
	p.timing = loom_timing_new(n, fft->n_nodes, 2 * (n + fft->n_nodes));
	if (!p.messages || !p.timing) {
		loom_pattern_free(&p);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the %zu messages of an FFT", n);
	}
	(void)snprintf(p.name, sizeof p.name, "fft of %" PRIu64 " points by stages", fft->points);
	fill(&p, fft, begin, end);
	*out = p;
	return 0;
}
