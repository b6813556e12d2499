// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// What a move of each sort costs: "electronic=1,otis=4".
#include <string.h>

#include <flitloom/otis.h>

#define COST_MOST 1e6
#define RIGHT_WOULD_BE "such as electronic=1,otis=4"

// A decimal number of so many characters: "4", "0.25".
static bool read_number(double *out, const char *text, size_t length)
{
	double value = 0, place = 0;
	bool digits = false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.' && place == 0 && digits) {
			place = 1;
			digits = false;
		} else if (text[i] >= '0' && text[i] <= '9') {
			digits = true;
			place /= 10;
			value = place > 0 ? value + (text[i] - '0') * place : 10 * value + (text[i] - '0');
		} else {
			return false;
		}
	}
	*out = value;
	return digits && length < 16 && value <= COST_MOST;
}

static int read_part(struct loom_otis_cost *cost, bool given[2], const char *part, size_t length, struct loom_err *err)
{
	static const char *const names[2] = {"electronic", "otis"};
	const char *equals = memchr(part, '=', length);
	size_t name = equals ? (size_t)(equals - part) : length;
	for (unsigned k = 0; k < 2; k++) {
		if (name != strlen(names[k]) || strncmp(part, names[k], name) != 0)
			continue;
		if (given[k])
			return loom_fail(err, LOOM_EINPUT, "cost: %s is given twice", names[k]);
		given[k] = true;
		if (!equals || !read_number(k ? &cost->otis : &cost->electronic, equals + 1, length - name - 1))
			return loom_fail(err, LOOM_EINPUT,
			                 "cost: \"%.*s\" is not %s= and a number from 0 to 1000000; " RIGHT_WOULD_BE,
			                 (int)(length < 40 ? length : 40), part, names[k]);
		return 0;
	}
	return loom_fail(err, LOOM_EINPUT, "cost: \"%.*s\" is neither electronic nor otis; " RIGHT_WOULD_BE,
	                 (int)(name < 40 ? name : 40), part);
}

int loom_otis_cost_parse(struct loom_otis_cost *out, const char *text, struct loom_err *err)
{
	struct loom_otis_cost cost = {1, 1};
	bool given[2] = {false, false};
	int rc = 0;
	for (const char *part = text; rc == 0 && part;) {
		const char *comma = strchr(part, ',');
		rc = read_part(&cost, given, part, comma ? (size_t)(comma - part) : strlen(part), err);
		part = comma ? comma + 1 : NULL;
	}
	if (rc == 0 && cost.electronic == 0 && cost.otis == 0)
		rc = loom_fail(err, LOOM_EINPUT,
		               "cost: both are 0, so no moves are better than others; " RIGHT_WOULD_BE);
	if (rc == 0)
		*out = cost;
	return rc;
}

double loom_otis_cost_of(const struct loom_otis_cost *cost, uint32_t electronic, uint32_t otis)
{
	return cost->electronic * electronic + cost->otis * otis;
}
