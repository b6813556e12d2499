// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "check/expected.h"

#include <stdlib.h>

#include <flitloom/link/image.h>

#include "base/numbers.h"
#include "chip/chosen_labels.h"

static int compare(const void *a, const void *b)
{
	const struct loom_expected *x = a, *y = b;
	int by = loom_order(x->source, y->source);
	by = by ? by : loom_order(x->number, y->number);
	by = by ? by : loom_order(x->pass, y->pass);
	return by ? by : loom_order(x->destination, y->destination);
}

int loom_expected_make(struct loom_expected **out, size_t *n_out, const struct loom_plan *plan, struct loom_err *err)
{
	size_t n = 0;
	int code = 0;
	struct loom_expected *list = calloc(plan->n_messages + 1, sizeof *list);
	uint32_t *numbers = calloc(plan->n_messages + 1, sizeof *numbers);
	uint32_t *destinations = calloc(plan->n_messages + 1, sizeof *destinations);
	if (!list || !numbers || !destinations)
		code = loom_fail(err, LOOM_ENOMEM, "no memory to check %zu messages", plan->n_messages);
	if (code == 0)
		code = loom_image_numbers(numbers, plan, err);
	if (code == 0)
		code = loom_chosen_labels_destinations(destinations, plan, err);
	for (size_t i = 0; code == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (!loom_plan_uses_network(plan, m))
			continue;
		size_t root = loom_plan_root(plan, i);
		list[n++] = (struct loom_expected){.source = plan->map[plan->messages[root].source],
		                                   .number = numbers[root],
		                                   .pass = m->pass & LOOM_EXPECTED_PASS_MASK,
		                                   .destination = destinations[i],
		                                   .node = plan->map[m->destination],
		                                   .message = i};
	}
	free(numbers);
	free(destinations);
	if (code) {
		free(list);
		return code;
	}
	qsort(list, n, sizeof *list, compare);
	*out = list;
	*n_out = n;
	return 0;
}

void loom_expected_order(struct loom_expected *list, size_t n, const struct loom_machine_times *times)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && compare(&list[k - 1], &list[k]) == 0 &&
		                   times[list[k].message].header < times[list[k - 1].message].header;
		     k--) {
			const struct loom_expected later = list[k - 1];
			list[k - 1] = list[k];
			list[k] = later;
		}
}

struct loom_expected *loom_expected_find(struct loom_expected *list, size_t n, const struct loom_arrival *arrival)
{
	const struct loom_expected key = {.source = arrival->source,
	                                  .number = arrival->number,
	                                  .pass = arrival->pass,
	                                  .destination = arrival->destination};
	struct loom_expected *e = bsearch(&key, list, n, sizeof *list, compare);
	while (e && e > list && compare(e - 1, &key) == 0)
		e--;
	while (e && e->n_arrived && e + 1 < list + n && compare(e + 1, &key) == 0)
		e++;
	return e;
}
