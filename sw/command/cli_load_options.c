// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the values of sweep --load.
#include <string.h>

#include <flitloom/traffic.h>

#include "cli.h"

#define DIGITS 9 // behind the point
#define ONE UINT64_C(1000000000)

// Reads "0.05", ".5" or "1" in units of 1e-9, so that steps add up exactly. Returns what follows, or NULL.
static const char *read_load(uint64_t *out, const char *text)
{
	uint64_t value = 0, place = ONE;
	const char *at = text;
	for (; *at >= '0' && *at <= '9' && value <= 1000; at++)
		value = 10 * value + (uint64_t)(*at - '0');
	const char *point = at;
	value *= ONE;
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9' && place > 1; at++)
			value += (place /= 10) * (uint64_t)(*at - '0');
	if (point == text && at <= point + 1)
		return NULL; // no digit
	*out = value;
	return at;
}

// An item of the list: n loads, first, first + step, ...
struct item {
	uint64_t first, step, last, n;
};

// Reads "0.3" or "0.1:0.9:0.2". Returns what follows, a comma or the end, or NULL. A step of 0 makes an item without
// loads.
static const char *read_item(struct item *out, const char *at)
{
	uint64_t value[3] = {0};
	size_t n = 0;
	for (bool more = true; more && n < 3; at += more) {
		at = read_load(&value[n++], at);
		if (!at)
			return NULL;
		more = *at == ':';
	}
	if (n == 2 || (*at != ',' && *at != '\0'))
		return NULL;
	*out = (struct item){.first = value[0], .step = value[2], .last = n == 1 ? value[0] : value[1], .n = n == 1};
	if (n == 3 && out->step > 0 && out->last >= out->first)
		out->n = (out->last - out->first) / out->step + 1;
	return at;
}

int cli_loads_parse(struct cli_loads *out, const char *text, struct loom_err *err)
{
	uint64_t n = 0, before = 0;
	if (strcmp(text, "max") == 0) {
		*out = (struct cli_loads){.text = text, .max = true};
		return 0;
	}
	for (const char *at = text; at; at = *at ? at + 1 : NULL) {
		struct item item;
		at = read_item(&item, at);
		if (!at)
			return loom_fail(
				err, LOOM_EINPUT,
				"--load: \"%.60s\" is neither A:B:STEP nor A nor a list of these nor max; such "
				"as 0.05:0.9:0.05 or 0.3,0.4,0.55",
				text);
		if (item.first <= before || item.last > ONE || item.last < item.first)
			return loom_fail(err, LOOM_EINPUT,
			                 "--load: \"%.60s\": loads are above 0 and at most 1 flit per cycle and node, "
			                 "ascending",
			                 text);
		n += item.n;
		if (item.n == 0 || n > CLI_LOADS_MOST)
			return loom_fail(err, LOOM_EINPUT,
			                 "--load: \"%.60s\": the step is above 0, and makes %d loads at most", text,
			                 CLI_LOADS_MOST);
		before = item.first + (item.n - 1) * item.step;
	}
	*out = (struct cli_loads){.text = text, .n = n};
	return 0;
}

double cli_load_at(const struct cli_loads *loads, size_t i)
{
	struct item item = {0};
	for (const char *at = loads->text; at && *at; at += *at == ',') {
		at = read_item(&item, at);
		if (i < item.n)
			break;
		i -= item.n;
	}
	return (double)(item.first + i * item.step) / (double)ONE;
}

// True if a sweep is one of random traffic: at loads, or batches.
static bool is_traffic(const struct cli_request *request)
{
	return request->loads.text || request->batch > 0;
}

bool cli_replicates(const struct cli_request *request)
{
	return is_traffic(request) && (request->n_seeds > 1 || request->precision);
}

// The search for the highest load does not: it tries many loads, each of which would need its own warm-up.
bool cli_finds_warmup(const struct cli_request *request)
{
	return cli_replicates(request) && request->loads.text && !request->loads.max && !cli_given(request, CLI_WARMUP);
}
