// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the list of a sweep over sizes: fabrics (given, or those of a kind with about a given number of nodes), lengths
// of messages, machines.
#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>

#include "cli_sweep.h"

#define FABRICS_MAX 512
#define LENGTHS_MAX 1000
#define ROWS_MAX 2000

const char *sweep_size_planner(char name[64], const char *list)
{
	size_t length = strcspn(list, ",");
	(void)snprintf(name, 64, "%.*s", (int)(length < 64 ? length : 63), list);
	return list[length] ? list + length + 1 : NULL;
}

static int check_planners(const struct cli_request *request, struct loom_err *err)
{
	const bool one = request->planner && !strchr(request->planner, ',');
	for (const char *at = request->planner; at && !one;) { // of one the library tells, with what there is
		char name[64];
		at = sweep_size_planner(name, at);
		if (!loom_planner_named(name))
			return loom_fail(err, LOOM_EINPUT,
			                 "--planner: there is no planner \"%s\"; see: flitloom list planners", name);
	}
	return 0;
}

static bool has_fabric(const struct sweep *s, const char *name)
{
	for (size_t i = 0; i < s->n_curves; i++)
		if (strcmp(s->curves[i].fabric, name) == 0)
			return true;
	return false;
}

// Takes away the links that fail with each seed, and counts them; the fabric is then that of the first seed.
static int fail_links(struct sweep_curve *c, const struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && i < (r->fail_parts.n ? s->n_seeds : 1); i++) {
		struct sweep_fail of_seed = {0}, *text = i ? &of_seed : &c->fail;
		struct loom_topo topo;
		const struct cli_request one = sweep_fail_request(text, r, c->i_fail, r->planner, r->seed + i);
		rc = cli_fabric_parse(&topo, &one, c->fabric, err);
		if (rc != 0)
			return rc;
		sweep_fail_add(&c->fail, &topo, LOOM_RULE_ASCENDING);
		if (i == 0) {
			loom_topo_free(&c->topo);
			c->topo = topo;
		} else {
			loom_topo_free(&topo);
		}
	}
	return rc;
}

// Adds a fabric: a curve for each share of the links that fails, each dark time and each machine.
static int add_fabric(struct sweep *s, const struct loom_topo *topo, const char *name, struct loom_err *err)
{
	const uint32_t n_darks = sweep_darks_count(s->request, topo);
	const size_t n = sweep_fails_count(s->request) * n_darks * s->n_machines;
	int rc = 0;
	if (s->n_curves + n > FABRICS_MAX * s->n_machines)
		return loom_fail(err, LOOM_EINPUT, "sweep: %d fabrics at most", FABRICS_MAX);
	for (size_t k = 0; rc == 0 && k < n; k++) {
		struct sweep_curve *c = &s->curves[s->n_curves++];
		c->machine = s->machines[k % s->n_machines];
		c->i_dark = (uint32_t)(k / s->n_machines) % n_darks;
		c->i_fail = k / s->n_machines / n_darks;
		(void)snprintf(c->name, sizeof c->name, "%s", name);
		(void)snprintf(c->fabric, sizeof c->fabric, "%s", topo->name);
		loom_topo_copy(&c->topo, topo);
		if (s->request->fail)
			rc = fail_links(c, s, err);
	}
	return rc;
}

// Makes the request for fabrics without failures yet.
static struct cli_request whole_of(const struct cli_request *request)
{
	struct cli_request whole = *request;
	if (whole.fail)
		whole.n_lanes = 0;
	whole.fail = NULL;
	return whole;
}

// Adds a kind: for every power of two of nodes, its fabric with about that many.
static int add_kind(struct sweep *s, const char *name, struct loom_err *err)
{
	const struct cli_request whole = whole_of(s->request);
	int rc = 0;
	for (size_t i = 0; i < s->n_curves; i++)
		if (strcmp(s->curves[i].name, name) == 0)
			return loom_fail(err, LOOM_EINPUT, "sweep: \"%s\" is there twice", name);
	for (uint32_t n = s->request->nodes_first; rc == 0 && n <= s->request->nodes_last; n *= 2) {
		struct loom_topo topo;
		rc = loom_topo_near(&topo, name, n, err);
		if (rc == 0)
			rc = cli_fabric_set(&topo, &whole, err);
		if (rc == 0 && !has_fabric(s, topo.name))
			rc = add_fabric(s, &topo, name, err);
	}
	return rc;
}

static int read_fabrics(struct sweep *s, struct loom_err *err)
{
	const struct cli_request whole = whole_of(s->request);
	const char *list = s->request->words[0];
	bool kinds = false, sized = cli_given(s->request, CLI_NODES);
	int rc = 0;
	for (const char *at = list; rc == 0; at++) {
		char name[LOOM_TOPO_NAME];
		struct loom_topo topo = {0};
		size_t length = cli_item_length(at);
		(void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
		if (length == 0)
			return loom_fail(err, LOOM_EINPUT,
			                 "sweep: \"%.60s\": a fabric is missing; such as omega,cube or cube:3,omega:16",
			                 list);
		if (strchr(name, ':')) {
			rc = cli_fabric_parse(&topo, &whole, name, err);
			if (rc == 0 && has_fabric(s, topo.name))
				rc = loom_fail(err, LOOM_EINPUT, "sweep: \"%s\" is there twice", topo.name);
			if (rc == 0)
				rc = add_fabric(s, &topo, topo.name, err);
		} else {
			kinds = true;
			if ((rc = loom_topo_near(&topo, name, 2, err)) == 0 && !sized)
				rc = loom_fail(err, LOOM_EINPUT,
				               "sweep: %s of how many nodes? such as --nodes 2:64, or %s", name,
				               topo.name);
			if (rc == 0)
				rc = add_kind(s, name, err);
		}
		loom_topo_free(&topo);
		at += length;
		if (*at == '\0')
			break;
	}
	if (rc == 0 && sized && !kinds)
		rc = loom_fail(err, LOOM_EINPUT,
		               "--nodes: \"%.60s\" has its sizes; it goes with kinds, such as omega,cube", list);
	return rc;
}

// Reads the lengths: from the first on each is the double of the one before, or larger by the step; the last length is
// included.
static int read_lengths(uint32_t out[LENGTHS_MAX], size_t *n_out, const struct cli_request *request,
                        struct loom_err *err)
{
	if (request->lengths_text)
		return loom_fail(
			err, LOOM_EINPUT,
			"--flits: \"%.60s\": probabilities go with --load; over sizes it is N, A:B or A:B:STEP",
			request->lengths_text);
	uint64_t length = request->flits, last = request->flits_last > length ? request->flits_last : length;
	*n_out = 0;
	while (length <= last) {
		if (*n_out == LENGTHS_MAX)
			return loom_fail(err, LOOM_EINPUT, "--flits: that is more than %d lengths; take larger steps",
			                 LENGTHS_MAX);
		out[(*n_out)++] = (uint32_t)length;
		if (request->flits_step)
			length += request->flits_step;
		else
			length = length < last && length * 2 > last ? last : length * 2;
	}
	return 0;
}

int sweep_size_make(struct sweep *s, struct loom_err *err)
{
	uint32_t lengths[LENGTHS_MAX];
	size_t n_lengths = 0, i = 0;
	int rc = check_planners(s->request, err);
	if (rc == 0 && !(s->curves = calloc(FABRICS_MAX * s->n_machines, sizeof *s->curves)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	if (rc == 0)
		rc = read_fabrics(s, err);
	if (rc == 0)
		rc = read_lengths(lengths, &n_lengths, s->request, err);
	if (rc == 0 && s->n_curves * n_lengths > ROWS_MAX)
		rc = loom_fail(err, LOOM_EINPUT, "sweep: %zu rows; %d at most", s->n_curves * n_lengths, ROWS_MAX);
	if (rc == 0 && !(s->rows = calloc(s->n_curves * n_lengths, sizeof *s->rows)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	s->n_rows = rc == 0 ? s->n_curves * n_lengths : 0;
	for (size_t f = 0; rc == 0 && f < s->n_curves; f += s->n_machines)
		for (size_t l = 0; l < n_lengths; l++)
			for (size_t m = 0; m < s->n_machines; m++)
				s->rows[i++] = (struct sweep_row){.curve = &s->curves[f + m], .flits = lengths[l]};
	s->many_flits = n_lengths > 1;
	return rc;
}
