// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/topo.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "topo/topo_kinds.h"

static const struct loom_topo_kind *const kinds[] = {
#define X(kind) &loom_topo_kind_##kind,
	LOOM_TOPO_KINDS(X)
#undef X
};

const struct loom_topo_kind *loom_topo_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

const struct loom_topo_kind *loom_topo_kind_by_code(uint32_t code)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i]->code == code)
			return kinds[i];
	return NULL;
}

static const char *kind_name_at(size_t i)
{
	const struct loom_topo_kind *kind = loom_topo_kind_at(i);
	return kind ? kind->name : NULL;
}

static int fail_unknown_kind(const char *text, const char *word, struct loom_err *err)
{
	const char *near = loom_suggest(word, kind_name_at);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": unknown kind \"%.31s\"; did you mean \"%s\"?",
		                 text, word, near);
	char known[160] = "";
	for (size_t i = 0, used = 0; kind_name_at(i) && used < sizeof known; i++)
		used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", kind_name_at(i));
	return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": unknown kind \"%.31s\"; there is: %s", text, word, known);
}

// Digits only: strtoul would take " 8", "+8" and "-1" as well.
static int parse_size(unsigned *out, const char *digits)
{
	size_t length = strlen(digits);
	unsigned value = 0;
	if (length < 1 || length > 9)
		return -1;
	for (size_t i = 0; i < length; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return -1;
		value = value * 10 + (unsigned)(digits[i] - '0');
	}
	*out = value;
	return 0;
}

static int fail_not_a_power_of_two(const char *text, unsigned size, struct loom_err *err)
{
	unsigned below = 1;
	while (below * 2 < size)
		below *= 2;
	return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": %u is not a power of two; %u and %u are", text, size,
	                 below, below * 2);
}

int loom_topo_parse(struct loom_topo *out, const char *text, struct loom_err *err)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	char word[32];
	(void)snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), text);

	const struct loom_topo_kind *kind = NULL;
	for (size_t i = 0; !kind && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strlen(kinds[i]->name) == length && memcmp(kinds[i]->name, text, length) == 0)
			kind = kinds[i];
	if (!kind)
		return fail_unknown_kind(text, word, err);

	struct loom_topo t = {.kind = kind};
	if (!colon || parse_size(&t.size, colon + 1) != 0 || t.size < kind->min_size || t.size > kind->max_size)
		return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": the size of %s is its %s, %s:%u to %s:%u", text,
		                 kind->name, kind->size_is, kind->name, kind->min_size, kind->name, kind->max_size);
	if (kind->size_is_power_of_two && (t.size & (t.size - 1)) != 0)
		return fail_not_a_power_of_two(text, t.size, err);
	(void)snprintf(t.name, sizeof t.name, "%s:%u", kind->name, t.size);
	kind->shape(&t);
	*out = t;
	return 0;
}

int loom_topo_near(struct loom_topo *out, const char *kind, uint32_t n_nodes, struct loom_err *err)
{
	char text[64], size[24] = "0";
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const struct loom_topo_kind *k = kinds[i];
		if (strcmp(k->name, kind) != 0)
			continue;
		uint32_t within = n_nodes < k->min_size ? k->min_size : n_nodes > k->max_size ? k->max_size : n_nodes;
		if (k->size_near)
			k->size_near(size, n_nodes);
		else
			(void)snprintf(size, sizeof size, "%" PRIu32, within);
	}
	(void)snprintf(text, sizeof text, "%.32s:%s", kind, size);
	return loom_topo_parse(out, text, err);
}

uint32_t loom_topo_channels_per_tile(const struct loom_topo *t)
{
	return t->ports + 1;
}

uint32_t loom_topo_channels(const struct loom_topo *t)
{
	return t->n_tiles * loom_topo_channels_per_tile(t);
}

int loom_topo_is_local(const struct loom_topo *t, uint32_t channel)
{
	return channel % loom_topo_channels_per_tile(t) >= t->ports - 1;
}
