// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the list of what a sweep runs: fabrics (given, or those of a kind that have about so many nodes), lengths of
// message, machines.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli_sweep.h"

#define FABRICS_MAX 512
#define LENGTHS_MAX 1000
#define ROWS_MAX 2000

struct fabrics {
	size_t n;
	struct {
		struct loom_topo topo;
		char curve[LOOM_TOPO_NAME];
	} at[FABRICS_MAX];
};

static int add_fabric(struct fabrics *list, const struct loom_topo *topo, const char *curve, struct loom_err *err)
{
	if (list->n == FABRICS_MAX)
		return loom_fail(err, LOOM_EINPUT, "sweep: %d fabrics at most", FABRICS_MAX);
	loom_topo_copy(&list->at[list->n].topo, topo);
	(void)snprintf(list->at[list->n++].curve, sizeof list->at[0].curve, "%s", curve);
	return 0;
}

static bool has_fabric(const struct fabrics *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->at[i].topo.name, name) == 0)
			return true;
	return false;
}

// A kind: of every power of two of nodes its fabric that has about as many.
static int add_kind(struct fabrics *list, const struct cli_request *request, const char *name, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->at[i].curve, name) == 0)
			return loom_fail(err, LOOM_EINPUT, "sweep: \"%s\" is there twice", name);
	for (uint32_t n = request->nodes_first; rc == 0 && n <= request->nodes_last; n *= 2) {
		struct loom_topo topo;
		rc = loom_topo_near(&topo, name, n, err);
		if (rc == 0 && !has_fabric(list, topo.name))
			rc = add_fabric(list, &topo, name, err);
	}
	return rc;
}

static int read_fabrics(struct fabrics *out, const struct cli_request *request, struct loom_err *err)
{
	const char *list = request->words[0];
	bool kinds = false, sized = (request->given & CLI_BIT(CLI_NODES)) != 0;
	int rc = 0;
	for (const char *at = list; rc == 0; at++) {
		char name[LOOM_TOPO_NAME];
		struct loom_topo topo = {0};
		size_t length = strcspn(at, ",");
		(void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
		if (length == 0)
			return loom_fail(err, LOOM_EINPUT,
			                 "sweep: \"%.60s\": a fabric is missing; such as omega,cube or cube:3,omega:16",
			                 list);
		if (strchr(name, ':')) {
			rc = loom_topo_parse(&topo, name, err);
			if (rc == 0 && has_fabric(out, topo.name))
				rc = loom_fail(err, LOOM_EINPUT, "sweep: \"%s\" is there twice", topo.name);
			if (rc == 0)
				rc = add_fabric(out, &topo, topo.name, err);
		} else {
			kinds = true;
			if ((rc = loom_topo_near(&topo, name, 2, err)) == 0 && !sized)
				rc = loom_fail(err, LOOM_EINPUT,
				               "sweep: %s of how many nodes? such as --nodes 2:64, or %s", name,
				               topo.name);
			if (rc == 0)
				rc = add_kind(out, request, name, err);
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

// Reads the lengths: from the first on the double of the one before, and at the end the last one; or so much more each.
static int read_lengths(uint32_t out[LENGTHS_MAX], size_t *n_out, const struct cli_request *request,
                        struct loom_err *err)
{
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

int sweep_rows_make(struct sweep *s, struct loom_err *err)
{
	const struct cli_request *request = s->request;
	static const enum loom_machine all[] = {LOOM_MACHINE_FAST, LOOM_MACHINE_PAPER};
	struct fabrics *fabrics = calloc(1, sizeof *fabrics);
	uint32_t *lengths = calloc(LENGTHS_MAX, sizeof *lengths);
	size_t n_lengths = 0, n_machines = request->machines == 3 ? 2 : 1;
	int rc = fabrics && lengths ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	if (rc == 0)
		rc = read_fabrics(fabrics, request, err);
	if (rc == 0)
		rc = read_lengths(lengths, &n_lengths, request, err);
	if (rc == 0 && fabrics->n * n_lengths * n_machines > ROWS_MAX)
		rc = loom_fail(err, LOOM_EINPUT, "sweep: %zu rows; %d at most", fabrics->n * n_lengths * n_machines,
		               ROWS_MAX);
	if (rc == 0 && !(s->rows = calloc(fabrics->n * n_lengths * n_machines, sizeof *s->rows)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	for (size_t f = 0; rc == 0 && f < fabrics->n; f++)
		for (size_t l = 0; l < n_lengths; l++)
			for (size_t m = 0; m < n_machines; m++) {
				struct sweep_row *row = &s->rows[s->n_rows++];
				loom_topo_copy(&row->topo, &fabrics->at[f].topo);
				(void)snprintf(row->curve, sizeof row->curve, "%s", fabrics->at[f].curve);
				row->flits_asked = lengths[l];
				row->machine = n_machines == 1 ? request->machine : all[m];
			}
	s->n_seeds = request->n_seeds ? request->n_seeds : 1;
	s->many_flits = n_lengths > 1;
	s->many_machines = n_machines > 1;
	free(lengths);
	for (size_t f = 0; fabrics && f < fabrics->n; f++)
		loom_topo_free(&fabrics->at[f].topo);
	free(fabrics);
	return rc;
}
