// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the cost of each sort of move: "electronic=1,otis=4".
#include <flitloom/math/otis.h>

#include "base/named_numbers.h"

#define COST_MOST 1e6
#define RIGHT_WOULD_BE "electronic=1,otis=4"

int loom_otis_cost_parse(struct loom_otis_cost *out, const char *text, struct loom_err *err)
{
	static const char *const name[] = {"electronic", "otis"};
	static const struct loom_named_numbers names = {
		.what = "cost", .example = RIGHT_WOULD_BE, .name = name, .n = 2, .most = COST_MOST};
	double value[2] = {1, 1};
	int rc = loom_named_numbers_parse(value, &names, text, err);
	if (rc)
		return rc;
	if (value[0] == 0 && value[1] == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "cost: both are 0, so no moves are better than others; such as " RIGHT_WOULD_BE);
	*out = (struct loom_otis_cost){value[0], value[1]};
	return 0;
}

double loom_otis_cost_of(const struct loom_otis_cost *cost, uint32_t electronic, uint32_t otis)
{
	return cost->electronic * electronic + cost->otis * otis;
}
