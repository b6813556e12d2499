// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands between a session and its line: flips, drops, duplicates, swaps and cuts bytes by a seed.
#include "links/fault.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/session.h>

#include "base/clock.h"
#include "base/rng.h"
#include "links/links.h"

#define CHUNK 64u
#define STALL_ONE_IN 256u
#define TAKE 2048u // bytes of one exchange, each of which may be duplicated
#define QUEUE (2 * TAKE + 2)

struct direction {
	struct loom_rng rng;
	double to_flip; // bits that are good before the next bad one
	uint64_t at;    // bytes so far
	uint64_t cut;   // from this byte of the stream to the end of its chunk all bytes are lost
	uint64_t late_until_us;
	bool holds; // a byte is held back, to come after the next one
	uint8_t held;
	size_t n, used; // queue[used .. n) has passed the faults
	uint8_t queue[QUEUE];
};

struct fault {
	struct loom_pipe inner;
	struct loom_fault_settings set;
	struct direction out, in;
};

static uint64_t now_us(struct fault *f)
{
	if (f->inner.kind->now_us)
		return f->inner.kind->now_us(&f->inner);
	return loom_clock_us();
}

// A random number in (0, 1].
static double uniform(struct loom_rng *rng)
{
	return ((double)loom_rng_below(rng, UINT32_MAX) + 1) / (double)UINT32_MAX;
}

static bool happens(struct direction *d, double rate)
{
	return rate > 0 && uniform(&d->rng) <= rate;
}

// Good bits before the next bad one are geometrically distributed.
static double next_flip(struct direction *d, double rate)
{
	return rate <= 0 ? INFINITY : rate >= 1 ? 0 : floor(log(uniform(&d->rng)) / log1p(-rate));
}

static void pass(struct fault *f, struct direction *d, const uint8_t *bytes, size_t n)
{
	const struct loom_fault_settings *set = &f->set;
	if (d->used == d->n)
		d->used = d->n = 0;
	for (size_t i = 0; i < n; i++, d->at++) {
		uint8_t byte = bytes[i];
		if (d->at % CHUNK == 0) {
			d->cut = UINT64_MAX;
			if (happens(d, set->truncate))
				d->cut = d->at + loom_rng_below(&d->rng, CHUNK);
			if (set->stall_ms && loom_rng_below(&d->rng, STALL_ONE_IN) == 0)
				d->late_until_us = now_us(f) + set->stall_ms * UINT64_C(1000);
		}
		for (; d->to_flip < 8; d->to_flip += 1 + next_flip(d, set->flip))
			byte ^= (uint8_t)(1u << (unsigned)d->to_flip);
		d->to_flip -= 8;
		if (d->at >= d->cut || happens(d, set->drop))
			continue;
		if (!d->holds && happens(d, set->swap)) {
			d->held = byte;
			d->holds = true;
			continue;
		}
		d->queue[d->n++] = byte;
		if (happens(d, set->duplicate))
			d->queue[d->n++] = byte;
		if (d->holds)
			d->queue[d->n++] = d->held;
		d->holds = false;
	}
}

static int fault_exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
                          struct loom_err *err)
{
	struct fault *f = pipe->state;
	uint8_t raw[TAKE];
	bytes->n_sent = bytes->n_came = 0;
	if (bytes->n_out && f->out.used == f->out.n) {
		bytes->n_sent = bytes->n_out < TAKE ? bytes->n_out : TAKE;
		pass(f, &f->out, bytes->out, bytes->n_sent);
	}
	uint64_t now = f->set.stall_ms ? now_us(f) : 0;
	bool out_late = now < f->out.late_until_us, in_late = now < f->in.late_until_us;
	if (bytes->n_sent || (f->in.used < f->in.n && !in_late))
		timeout_us = 0;
	if (out_late && timeout_us > f->out.late_until_us - now)
		timeout_us = f->out.late_until_us - now;
	if (in_late && timeout_us > f->in.late_until_us - now)
		timeout_us = f->in.late_until_us - now;
	struct loom_pipe_bytes inner = {.out = f->out.queue + f->out.used,
	                                .n_out = out_late ? 0 : f->out.n - f->out.used,
	                                .in = raw,
	                                .in_room = f->in.used == f->in.n ? TAKE : 0};
	int code = f->inner.kind->exchange(&f->inner, &inner, timeout_us, err);
	f->out.used += inner.n_sent;
	pass(f, &f->in, raw, inner.n_came);
	if (code)
		return code;
	if (f->set.stall_ms) // the bytes that came may be the first of the late ones
		in_late = now_us(f) < f->in.late_until_us;
	if (!in_late) {
		bytes->n_came = f->in.n - f->in.used < bytes->in_room ? f->in.n - f->in.used : bytes->in_room;
		memcpy(bytes->in, f->in.queue + f->in.used, bytes->n_came);
		f->in.used += bytes->n_came;
	}
	return 0;
}

static void fault_discard(struct loom_pipe *pipe)
{
	struct fault *f = pipe->state;
	f->in.n = f->in.used = f->out.n = f->out.used = 0;
	f->in.holds = f->out.holds = false;
	if (f->inner.kind->discard)
		f->inner.kind->discard(&f->inner);
}

static void fault_close(struct loom_pipe *pipe)
{
	struct fault *f = pipe->state;
	f->inner.kind->close(&f->inner);
	free(f);
	pipe->state = NULL;
}

static int fault_advance(struct loom_pipe *pipe, uint64_t n_cycles, struct loom_err *err)
{
	struct fault *f = pipe->state;
	return f->inner.kind->advance ? f->inner.kind->advance(&f->inner, n_cycles, err) : 0;
}

static uint64_t fault_now_us(struct loom_pipe *pipe)
{
	return now_us(pipe->state);
}

static void fault_set_baud(struct loom_pipe *pipe, unsigned baud)
{
	struct fault *f = pipe->state;
	if (f->inner.kind->set_baud)
		f->inner.kind->set_baud(&f->inner, baud);
	pipe->bytes_per_s = f->inner.bytes_per_s;
}

static const struct loom_pipe_kind fault_pipe = {
	.exchange = fault_exchange,
	.discard = fault_discard,
	.close = fault_close,
	.advance = fault_advance,
	.now_us = fault_now_us,
	.set_baud = fault_set_baud,
};

int loom_fault_wrap(struct loom_pipe *out, struct loom_pipe *inner, const struct loom_fault_settings *settings,
                    struct loom_err *err)
{
	struct fault *f = calloc(1, sizeof *f);
	if (!f) {
		inner->kind->close(inner);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a bad line");
	}
	*out = *inner;
	f->inner = *inner;
	f->set = *settings;
	struct direction *const both[] = {&f->out, &f->in};
	for (unsigned i = 0; i < 2; i++) {
		loom_rng_init(&both[i]->rng, 2 * settings->seed + i);
		both[i]->to_flip = next_flip(both[i], settings->flip);
		both[i]->cut = UINT64_MAX;
	}
	out->kind = &fault_pipe;
	out->state = f;
	(void)snprintf(out->name, sizeof out->name, "%.160s (faults on purpose)", inner->name);
	return 0;
}

int loom_fault_parse(struct loom_fault_settings *out, const char *text, struct loom_err *err)
{
	struct loom_fault_settings s = {0};
	double seed = 0, stall = 0;
	const struct {
		const char *name;
		double *value, most;
	} names[] = {
		{"seed", &seed, 4294967295.0},  {"flip", &s.flip, 1}, {"drop", &s.drop, 1},
		{"duplicate", &s.duplicate, 1}, {"swap", &s.swap, 1}, {"truncate", &s.truncate, 1},
		{"stall", &stall, 60000},
	};
	enum { N = sizeof names / sizeof names[0] };
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, ",="), i = 0;
		while (i < N && !(strlen(names[i].name) == length && strncmp(names[i].name, at, length) == 0))
			i++;
		if (i == N || at[length] != '=')
			return loom_fail(
				err, LOOM_EINPUT,
				"link fault: \"%.*s\" is no setting; there is: seed=, flip=, drop=, duplicate=, "
				"swap=, truncate= (rates), stall= (ms)",
				length < 40 ? (int)length : 40, at);
		char *end;
		const char *value = at + length + 1;
		*names[i].value = strtod(value, &end);
		bool whole = names[i].value != &seed && names[i].value != &stall;
		if (end == value || (*end && *end != ',') ||
		    !(*names[i].value >= 0 && *names[i].value <= names[i].most) ||
		    (!whole && floor(*names[i].value) != *names[i].value))
			return loom_fail(err, LOOM_EINPUT, "link fault: %s=%.*s is not %s in 0..%.0f", names[i].name,
			                 (int)strcspn(value, ","), value, whole ? "a rate" : "a whole number",
			                 names[i].most);
		at = *end ? end + 1 : end;
	}
	s.seed = (uint64_t)seed;
	s.stall_ms = (unsigned)stall;
	*out = s;
	return 0;
}

static int fault_open(struct loom_pipe *out, const char *argument, const struct loom_link_options *options,
                      struct loom_err *err)
{
	struct loom_fault_settings settings;
	const struct loom_link_kind *kind;
	const char *inner = strchr(argument, ':'), *rest;
	char text[200];
	if (!inner || (size_t)(inner - argument) >= sizeof text)
		return loom_fail(
			err, LOOM_EINPUT,
			"link fault: it takes SETTINGS:LINK, such as fault:seed=1,flip=1e-4:uart:/dev/ttyUSB1");
	(void)snprintf(text, sizeof text, "%.*s", (int)(inner - argument), argument);
	int code = loom_fault_parse(&settings, text, err);
	if (code == 0)
		code = loom_link_find(&kind, &rest, inner + 1, options, err);
	if (code)
		return code;
	if (!kind->pipe) {
		char with[80] = "";
		for (size_t i = 0, n = 0; loom_link_kind_at(i); i++)
			if (loom_link_kind_at(i)->pipe && n < sizeof with)
				n += (size_t)snprintf(with + n, sizeof with - n, "%s%s", n ? ", " : "",
				                      loom_link_kind_at(i)->name);
		return loom_fail(err, LOOM_EINPUT,
		                 "link fault: \"%s\" carries no bytes that could be damaged; these do: %s", kind->name,
		                 with);
	}
	struct loom_pipe pipe = {0};
	code = kind->pipe(&pipe, rest, options, err);
	return code ? code : loom_fault_wrap(out, &pipe, &settings, err);
}

const struct loom_link_kind loom_link_fault = {
	.name = "fault",
	.argument = "SETTINGS:LINK",
	.help = "another link whose line is made bad: seed=,flip=,drop=,duplicate=,swap=,truncate=,stall=",
	.pipe = fault_open,
	LOOM_SESSION_LINK,
};
