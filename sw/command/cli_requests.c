// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed traffic of a sweep: what --requests says, and what is told of it.
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli_sweep.h"

#define WINDOW_MOST 1000000000u
#define WANTED "such as 4, or 4,reply=5,service=20,rule=descending,queue=60; any in place of 4: any number"

static bool read_number(uint32_t *out, const char *text, size_t length, uint32_t least, uint32_t most)
{
	uint64_t value = 0;
	if (!loom_text_number(&value, text, length) || value < least || value > most)
		return false;
	*out = (uint32_t)value;
	return true;
}

static bool read_rule(enum loom_rule *out, const char *text, size_t length)
{
	unsigned rule = 0;
	while (loom_rule_name(rule) &&
	       !(strlen(loom_rule_name(rule)) == length && strncmp(loom_rule_name(rule), text, length) == 0))
		rule++;
	*out = (enum loom_rule)rule;
	return loom_rule_name(rule) != NULL;
}

// One setting behind the window: NAME=VALUE.
static int read_setting(struct cli_request *r, const char *text, size_t length, struct loom_err *err)
{
	struct loom_load_closed *c = &r->closed;
	const char *value = memchr(text, '=', length);
	const size_t name = value ? (size_t)(value - text) : length, rest = value ? length - name - 1 : 0;
	const struct {
		const char *name;
		uint32_t *to, least, most;
	} numbers[] = {{"reply", &c->reply_flits, 1, LOOM_FLITS_MOST},
	               {"service", &c->service_cycles, LOOM_SERVICE_LEAST, LOOM_SERVICE_MOST},
	               {"queue", &c->reply_queue, 1, UINT32_MAX}};
	for (size_t i = 0; value && i < sizeof numbers / sizeof numbers[0]; i++) {
		if (strlen(numbers[i].name) != name || strncmp(numbers[i].name, text, name) != 0)
			continue;
		if (read_number(numbers[i].to, value + 1, rest, numbers[i].least, numbers[i].most))
			return 0;
		return loom_fail(err, LOOM_EINPUT, "--requests: %s=%.*s: a whole number in %" PRIu32 "..%" PRIu32,
		                 numbers[i].name, (int)(rest < 40 ? rest : 40), value + 1, numbers[i].least,
		                 numbers[i].most);
	}
	if (value && name == 4 && strncmp(text, "rule", 4) == 0) {
		r->reply_rule_given = read_rule(&c->reply_rule, value + 1, rest);
		return r->reply_rule_given ? 0
		                           : loom_fail(err, LOOM_EINPUT,
		                                       "--requests: unknown rule \"%.*s\"; there is: ascending, "
		                                       "descending, one-way, one-way-descending",
		                                       (int)(rest < 40 ? rest : 40), value + 1);
	}
	return loom_fail(err, LOOM_EINPUT, "--requests: \"%.*s\" is none of reply=, service=, rule=, queue=; " WANTED,
	                 (int)(length < 40 ? length : 40), text);
}

int cli_requests_parse(struct cli_request *r, const char *text, struct loom_err *err)
{
	const size_t first = strcspn(text, ",");
	int rc = 0;
	r->closed = (struct loom_load_closed){.service_cycles = LOOM_SERVICE_USUAL};
	r->reply_rule_given = false;
	if (!(first == 3 && strncmp(text, "any", 3) == 0) &&
	    !read_number(&r->closed.window, text, first, 1, WINDOW_MOST))
		return loom_fail(err, LOOM_EINPUT,
		                 "--requests: \"%.60s\" does not begin with a number of them; " WANTED, text);
	for (const char *at = text + first; rc == 0 && *at == ',';) {
		const size_t length = strcspn(at + 1, ",");
		rc = read_setting(r, at + 1, length, err);
		at += 1 + length;
	}
	if (rc == 0 && r->closed.window == 0 && r->closed.reply_flits == 0)
		rc = loom_fail(err, LOOM_EINPUT,
		               "--requests: any number of them, without replies, is what is without the option");
	if (rc == 0 && r->closed.reply_flits == 0 && (r->reply_rule_given || r->closed.reply_queue > 0))
		rc = loom_fail(err, LOOM_EINPUT, "--requests: %s= is of replies: reply=FLITS",
		               r->reply_rule_given ? "rule" : "queue");
	r->requests_text = text;
	return rc;
}

// --- What is told ---------------------------------------------------------------------------------------------------

void sweep_closed_put_heading(const struct sweep *s)
{
	const struct cli_request *r = s->request;
	const struct loom_load_closed *c = &r->closed;
	if (!r->requests_text)
		return;
	(void)printf("closed: ");
	if (c->window > 0)
		(void)printf("at most %" PRIu32 " under way from each node, ", c->window);
	if (c->reply_flits > 0)
		(void)printf("answered by %" PRIu32 " flits, ", c->reply_flits);
	(void)printf("seen to after %" PRIu32 " cycles\n", c->service_cycles);
}

int sweep_closed_json(json_t *out, const struct sweep *s)
{
	const char *text = s->request->requests_text;
	return text ? json_object_set_new(out, "requests", json_string(text)) : 0;
}

// Makes room for cells in front of the one that JSON calls so.
static struct sweep_cell *make_room(struct sweep_cells *cells, const char *json, size_t n)
{
	size_t i = 0;
	while (i < cells->n && !(cells->at[i].json && strcmp(cells->at[i].json, json) == 0))
		i++;
	memmove(&cells->at[i + n], &cells->at[i], (cells->n - i) * sizeof cells->at[0]);
	cells->n += n;
	return &cells->at[i];
}

void sweep_closed_add_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct cli_request *r = s->request;
	const struct loom_load_part *q = &row->point.request, *p = &row->point.reply;
	const bool flows = !row->point.saturated, replies = r->closed.reply_flits > 0, one = !cli_replicates(r);
	if (!r->requests_text)
		return;
	// Percentiles are of one run.
	const struct sweep_cell cells[] = {
		{" request", 9, "request", "request.mean", sweep_real(q->mean, 2, flows && replies), false},
		{NULL, 0, "request_p95", "request.p95", sweep_count(q->p95, flows && replies && one), false},
		{NULL, 0, "request_p99", "request.p99", sweep_count(q->p99, flows && replies && one), false},
		{NULL, 0, "request_max", "request.max", sweep_count(q->most, flows && replies), false},
		{" reply", 9, "reply", "reply.mean", sweep_real(p->mean, 2, flows && replies), false},
		{NULL, 0, "reply_p95", "reply.p95", sweep_count(p->p95, flows && replies && one), false},
		{NULL, 0, "reply_p99", "reply.p99", sweep_count(p->p99, flows && replies && one), false},
		{NULL, 0, "reply_max", "reply.max", sweep_count(p->most, flows && replies), false},
		{NULL, 0, "wait_for_place", "wait_for_place", sweep_real(row->point.wait_for_place, 2, flows), false},
		{NULL, 0, "requests", NULL, sweep_text(r->requests_text), true},
	};
	memcpy(make_room(out, "measured_messages", sizeof cells / sizeof cells[0]), cells, sizeof cells);
}
