// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads --requests.
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli.h"

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
	char name[32] = "";
	if (length >= sizeof name)
		return false;
	memcpy(name, text, length);
	const unsigned rule = loom_rule_by_name(name);
	*out = (enum loom_rule)rule;
	return rule < LOOM_RULES_NAMED;
}

// Reads one setting behind the window: NAME=VALUE.
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
	    !read_number(&r->closed.window, text, first, 1, CLI_WINDOW_MOST))
		return loom_fail(err, LOOM_EINPUT,
		                 "--requests: \"%.60s\" does not begin with a number of them; " WANTED, text);
	for (const char *at = text + first; rc == 0 && *at == ',';) {
		const size_t length = strcspn(at + 1, ",");
		rc = read_setting(r, at + 1, length, err);
		at += 1 + length;
	}
	if (rc == 0 && r->closed.window == 0 && r->closed.reply_flits == 0)
		rc = loom_fail(
			err, LOOM_EINPUT,
			"--requests: any number of requests without replies is what a run without --requests does");
	if (rc == 0 && r->closed.reply_flits == 0 && (r->reply_rule_given || r->closed.reply_queue > 0))
		rc = loom_fail(err, LOOM_EINPUT, "--requests: %s= is of replies: reply=FLITS",
		               r->reply_rule_given ? "rule" : "queue");
	r->requests_text = text;
	return rc;
}
