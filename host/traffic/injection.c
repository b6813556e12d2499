// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/injection.h"

#include <math.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"

static const char *name_at(size_t i)
{
	static const char *const names[] = {[LOOM_INJECTION_POISSON] = "poisson",
	                                    [LOOM_INJECTION_BERNOULLI] = "bernoulli",
	                                    [LOOM_INJECTION_PERIODIC] = "periodic",
	                                    [LOOM_INJECTION_BURST] = "burst"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

const char *loom_injection_name(unsigned injection)
{
	return name_at(injection);
}

static int parse_burst(uint32_t *on, uint32_t *off, const char *text, struct loom_err *err)
{
	uint64_t value[2] = {0, 0};
	const size_t first = strcspn(text, ":");
	const char *second = text[first] ? text + first + 1 : "";
	if (!loom_text_number(&value[0], text, first) || !loom_text_number(&value[1], second, strlen(second)) ||
	    value[0] < 1 || value[1] < 1 || value[0] > LOOM_BURST_CYCLES_MOST || value[1] > LOOM_BURST_CYCLES_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "arrivals burst:%.40s: after burst: come the cycles for which a node is on and off, "
		                 "1..%u each, such as burst:20:80",
		                 text, LOOM_BURST_CYCLES_MOST);
	*on = (uint32_t)value[0];
	*off = (uint32_t)value[1];
	return 0;
}

int loom_injection_parse(enum loom_injection *out, uint32_t *on_cycles, uint32_t *off_cycles, const char *text,
                         struct loom_err *err)
{
	const size_t length = strcspn(text, ":");
	unsigned k = 0;
	while (name_at(k) && !(strlen(name_at(k)) == length && strncmp(text, name_at(k), length) == 0))
		k++;
	if (!name_at(k) || (k != LOOM_INJECTION_BURST && text[length])) {
		const char *near = loom_suggest(text, name_at);
		return loom_fail(err, LOOM_EINPUT, "unknown arrivals \"%.60s\"; %s%s%s", text,
		                 near ? "did you mean \"" : "there is: poisson, bernoulli, periodic, burst:ON:OFF",
		                 near ? near : "", near ? "\"?" : "");
	}
	uint32_t on = 0, off = 0;
	int rc = k == LOOM_INJECTION_BURST ? parse_burst(&on, &off, text + length + (text[length] == ':'), err) : 0;
	if (rc != 0)
		return rc;
	*out = (enum loom_injection)k;
	*on_cycles = on;
	*off_cycles = off;
	return 0;
}

// Returns the most messages that a node makes on average in a cycle in which it makes any.
static double messages_in_cycle(const struct loom_load_options *o, double mean_gap)
{
	const double on = o->injection == LOOM_INJECTION_BURST
	                          ? (double)o->on_cycles / ((double)o->on_cycles + o->off_cycles)
	                          : 1;
	return 1 / (mean_gap * on);
}

double loom_load_most(const struct loom_traffic *traffic, const struct loom_load_options *options)
{
	struct loom_load_options at_1 = *options;
	double most = 1;
	at_1.load = 1;
	for (uint32_t v = 0; options->injection != LOOM_INJECTION_POISSON && v < traffic->n_nodes; v++)
		if (loom_traffic_rate(traffic, v) > 0) {
			const double load = 1 / messages_in_cycle(&at_1, loom_shares_gap(traffic, &at_1, v));
			most = load < most ? load : most;
		}
	return most;
}

// Rounds cycles down. Numbers beyond LOOM_INJECTION_NEVER are all equal to it.
static uint64_t whole(double cycles)
{
	return cycles < (double)LOOM_INJECTION_NEVER ? (uint64_t)cycles : LOOM_INJECTION_NEVER;
}

static uint64_t later(uint64_t cycle, uint64_t by)
{
	return by < LOOM_INJECTION_NEVER - cycle ? cycle + by : LOOM_INJECTION_NEVER;
}

// Returns the tosses up to the first success, `mean` on average, by one draw. With a mean of 1 log1p is -infinity, and
// the result is 1.
static uint64_t tosses(struct loom_rng *rng, double mean)
{
	return later(1, whole(log(loom_rng_part(rng)) / log1p(-1 / mean)));
}

// Draws the state of a node that has been on and off for ever. The rest of a period does not depend on the part that is
// over.
static void begin_burst(struct loom_injection_of *a)
{
	if (loom_rng_part(&a->times) * (a->on_cycles + a->off_cycles) >= a->on_cycles)
		a->cycle = tosses(&a->times, a->off_cycles);
	a->on = tosses(&a->times, a->on_cycles);
}

void loom_injection_begin(struct loom_injection_of *out, const struct loom_load_options *o, double mean_gap,
                          uint32_t processor)
{
	uint64_t state = o->seed;
	state = loom_splitmix64(&state) ^ processor;
	*out = (struct loom_injection_of){
		.kind = o->injection, .mean_gap = mean_gap, .on_cycles = o->on_cycles, .off_cycles = o->off_cycles};
	loom_rng_init(&out->times, loom_splitmix64(&state));
	loom_rng_init(&out->destinations, loom_splitmix64(&state));
	loom_rng_init(&out->lengths, loom_splitmix64(&state));
	if (out->kind == LOOM_INJECTION_PERIODIC)
		out->time = loom_rng_part(&out->times) * mean_gap;
	if (out->kind == LOOM_INJECTION_BURST)
		begin_burst(out);
}

static uint64_t next_of_burst(struct loom_injection_of *a)
{
	const double gap = a->mean_gap * (a->on_cycles / (a->on_cycles + a->off_cycles));
	uint64_t by;
	while ((by = tosses(&a->times, gap > 1 ? gap : 1)) > a->on && a->cycle < LOOM_INJECTION_NEVER) {
		a->cycle = later(later(a->cycle, a->on), tosses(&a->times, a->off_cycles));
		a->on = tosses(&a->times, a->on_cycles);
	}
	a->on -= by < a->on ? by : a->on;
	return a->cycle = later(a->cycle, by);
}

uint64_t loom_injection_next(struct loom_injection_of *a)
{
	double time = a->time;
	switch (a->kind) {
	case LOOM_INJECTION_BERNOULLI: return a->cycle = later(a->cycle, tosses(&a->times, a->mean_gap));
	case LOOM_INJECTION_BURST: return next_of_burst(a);
	case LOOM_INJECTION_PERIODIC: a->time += a->mean_gap; break;
	// Sums the times before rounding, so that rounding does not change the load.
	case LOOM_INJECTION_POISSON: time = a->time -= a->mean_gap * log(loom_rng_part(&a->times)); break;
	}
	return later(whole(time), 1);
}

struct loom_drawn loom_injection_draw(struct loom_injection_of *a, const struct loom_traffic *traffic,
                                      const struct loom_load_options *options, uint32_t v)
{
	return loom_shares_draw(traffic, options, v, &a->destinations, &a->lengths);
}
