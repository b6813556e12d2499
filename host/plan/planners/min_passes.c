// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/min_passes.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "plan/planners/conflicts.h"

// --- Rows of the Latin square ----------------------------------------------------------------------------------------

struct row_of {
	uint32_t source, destination, message;
	// The bits in which its destination differs from the node that it reaches if all switches are straight
	uint32_t row;
	uint32_t again; // the number of equal messages before it
};

static int by_ends(const void *a, const void *b)
{
	const struct row_of *x = a, *y = b;
	int by = loom_order(x->source, y->source);
	by = by ? by : loom_order(x->destination, y->destination);
	return by ? by : loom_order(x->message, y->message);
}

static int by_row(const void *a, const void *b)
{
	const struct row_of *x = a, *y = b;
	const int by = loom_order(x->again, y->again);
	return by ? by : loom_order(x->row, y->row);
}

// Colours messages by the bits in which the destination differs from the node that the source reaches if all switches
// are straight. Messages with the same such bits are in one row, and never in conflict. The second and further equal
// messages get their own rows.
static bool colour_by_rows(uint32_t *pass, uint32_t *n_passes, const struct loom_min *net, const uint32_t *source,
                           const uint32_t *destination, size_t n)
{
	struct row_of *of = malloc((n + 1) * sizeof *of);
	if (!of)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t straight = source[i];
		for (unsigned s = 0; s <= net->m; s++)
			straight = loom_min_wire(net, s, straight);
		of[i] = (struct row_of){source[i], destination[i], (uint32_t)i, straight ^ destination[i], 0};
	}
	qsort(of, n, sizeof *of, by_ends);
	for (size_t i = 1; i < n; i++)
		if (of[i].source == of[i - 1].source && of[i].destination == of[i - 1].destination)
			of[i].again = of[i - 1].again + 1;
	qsort(of, n, sizeof *of, by_row);
	uint32_t colour = 0;
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && by_row(&of[i - 1], &of[i]) != 0)
			colour++;
		pass[of[i].message] = colour;
	}
	*n_passes = n ? colour + 1 : 0;
	free(of);
	return true;
}

// --- Channels --------------------------------------------------------------------------------------------------------

static bool make_conflicts(struct loom_conflicts *out, const struct loom_min *net, const uint32_t *source,
                           const uint32_t *destination, size_t n)
{
	// The hops of a message are injection, the m-1 links and ejection. The channels of a hop are numbered by line.
	size_t n_hops = net->m + 1, n_nodes = loom_min_nodes(net);
	uint32_t path[LOOM_MIN_M_MAX];
	size_t *at = malloc((n + 1) * sizeof *at);
	uint32_t *hop = malloc((n * n_hops + 1) * sizeof *hop);
	if (!at || !hop) {
		free(at);
		free(hop);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		at[i] = i * n_hops;
		loom_min_path(path, net, source[i], destination[i]);
		for (unsigned k = 0; k < n_hops; k++) {
			uint32_t line = k == 0 ? source[i] : k < net->m ? path[k - 1] : destination[i];
			hop[at[i] + k] = (uint32_t)(k * n_nodes + line);
		}
	}
	at[n] = n * n_hops;
	return loom_conflicts_make(out, n, at, hop, n_hops * n_nodes);
}

static int check_input(const struct loom_min *net, const uint32_t *source, const uint32_t *destination, size_t n,
                       struct loom_err *err)
{
	uint32_t n_nodes = loom_min_nodes(net);
	if (n >= UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages are too many for one schedule", n);
	for (size_t i = 0; i < n; i++)
		if (source[i] >= n_nodes || destination[i] >= n_nodes)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu from %u to %u; a network of %u nodes has 0 to %u", i, source[i],
			                 destination[i], n_nodes, n_nodes - 1);
	return 0;
}

int loom_min_passes_schedule(uint32_t *pass, struct loom_min_passes *out, const struct loom_min *net,
                             const uint32_t *source, const uint32_t *destination, size_t n, struct loom_err *err)
{
	struct loom_conflicts g = {0};
	uint32_t *found = NULL, n_passes = 0;
	int rc = check_input(net, source, destination, n, err);
	if (rc != 0)
		return rc;
	found = malloc((n + 1) * sizeof *found);
	if (found && make_conflicts(&g, net, source, destination, n) &&
	    colour_by_rows(found, &n_passes, net, source, destination, n) &&
	    loom_conflicts_colour(found, &n_passes, &g)) {
		memcpy(pass, found, n * sizeof *pass);
		*out = (struct loom_min_passes){.n_passes = n_passes, .lower_bound = g.largest_load};
	} else {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a schedule of %zu messages", n);
	}
	loom_conflicts_free(&g);
	free(found);
	return rc;
}
