// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the list of what sweep --load runs: fabrics, maps and machines, each of which with each is a curve; and the
// loads.
#include <stdlib.h>
#include <string.h>

#include "cli_load.h"

#define ITEMS_MOST 64

struct items {
	size_t n;
	char text[ITEMS_MOST][LOOM_TOPO_NAME];
};

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789 ")] == '\0';
}

// A list with commas. Numbers that follow each other are one item, a map.
static int split(struct items *out, const char *list, const char *option, struct loom_err *err)
{
	bool numbers = false;
	for (const char *at = list;; at++) {
		char item[LOOM_TOPO_NAME];
		size_t length = strcspn(at, ",");
		if (length == 0 || length >= sizeof item)
			return loom_fail(err, LOOM_EINPUT, "%s: \"%.60s\": an item of the list is %s", option, list,
			                 length ? "too long" : "missing");
		(void)snprintf(item, sizeof item, "%.*s", (int)length, at);
		if (numbers && is_number(item)) {
			char *map = out->text[out->n - 1];
			size_t used = strlen(map);
			if (used + 1 + length >= sizeof out->text[0])
				return loom_fail(err, LOOM_EINPUT,
				                 "%s: \"%.60s\": a map of so many numbers goes into a file", option,
				                 list);
			(void)snprintf(map + used, sizeof out->text[0] - used, ",%.*s", (int)length, at);
		} else if (out->n == ITEMS_MOST) {
			return loom_fail(err, LOOM_EINPUT, "%s: %d items at most", option, ITEMS_MOST);
		} else {
			memcpy(out->text[out->n++], item, sizeof item);
		}
		numbers = is_number(item);
		at += length;
		if (*at == '\0')
			return 0;
	}
}

// Fabrics and maps: those of FABRIC and --map, and what --compare adds.
static int read_items(struct items *fabrics, struct items *maps, const struct cli_request *request,
                      struct loom_err *err)
{
	struct items compared = {0};
	int rc = split(fabrics, request->words[0], "sweep", err);
	if (rc == 0 && request->map)
		(void)snprintf(maps->text[maps->n++], sizeof maps->text[0], "%.150s", request->map);
	if (rc == 0 && request->compared)
		rc = split(&compared, request->compared, "--compare", err);
	for (size_t i = 0; rc == 0 && i < compared.n; i++) {
		struct loom_topo topo;
		struct items *list = loom_topo_parse(&topo, compared.text[i], NULL) == 0 ? fabrics : maps;
		if (list == fabrics)
			loom_topo_free(&topo);
		if (list->n == ITEMS_MOST)
			return loom_fail(err, LOOM_EINPUT, "--compare: %d items at most", ITEMS_MOST);
		memcpy(list->text[list->n++], compared.text[i], sizeof list->text[0]);
	}
	return rc;
}

// Fails because no map could be planned. If messages lock, what is said of a plan, such as its planner and its passes,
// is no help at a load: that of traffic is said.
static int fail_circle(const struct load_curve *c, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_load_options options = {.load = 1, .flits = request->flits, .measure_cycles = 1};
	struct loom_err why = {0};
	for (uint32_t v = 0; v < c->topo.n_nodes; v++)
		c->map[v] = v;
	if (loom_load_check(&c->topo, &c->traffic, c->map, &options, &why) != 0)
		*err = why;
	return LOOM_EINPUT;
}

static int make_curve(struct load_curve *c, const struct load_sweep *s, const char *fabric, const char *map,
                      struct loom_err *err)
{
	const struct cli_request *request = s->request;
	uint32_t extent[LOOM_DIMS_MAX];
	int rc = strchr(fabric, ':')
	                 ? loom_topo_parse(&c->topo, fabric, err)
	                 : loom_fail(err, LOOM_EINPUT,
	                             "sweep --load: \"%.60s\" is no fabric with its size, such as cube:8", fabric);
	if (rc != 0)
		return rc;
	const struct loom_pattern_options options = {.flits = request->flits,
	                                             .seed = request->seed,
	                                             .n_dims = loom_topo_shape(extent, &c->topo),
	                                             .extent = extent};
	rc = loom_traffic_parse(&c->traffic, request->words[1], &c->topo, &options, err);
	if (rc == 0 && !(c->map = calloc(c->topo.n_nodes, sizeof *c->map)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a map");
	if (rc != 0)
		return rc;
	map = map ? map : c->traffic.kind == LOOM_TRAFFIC_ONE ? "best" : "identity";
	(void)snprintf(c->map_name, sizeof c->map_name, "%.127s", map);
	rc = load_map(c->map, map, &c->topo, &c->traffic, request, err);
	if (rc == LOOM_EINPUT)
		rc = fail_circle(c, request, err);
	if (rc == 0)
		rc = loom_traffic_capacity(&c->capacity, &c->traffic, &c->topo, c->map, LOOM_RULE_ASCENDING, err);
	return rc;
}

static void name_curve(struct load_curve *c, size_t n_fabrics, size_t n_maps, size_t n_machines)
{
	const bool fabric = n_fabrics > 1 || (n_maps == 1 && n_machines == 1), map = n_maps > 1;
	(void)snprintf(c->name, sizeof c->name, "%s%s%s%s%s", fabric ? c->topo.name : "", fabric && map ? ", " : "",
	               map ? c->map_name : "", (fabric || map) && n_machines > 1 ? ", " : "",
	               n_machines > 1 ? cli_machine_name(c->machine) : "");
}

static int make_rows(struct load_sweep *s, struct loom_err *err)
{
	const struct cli_loads *loads = &s->request->loads;
	const size_t per_curve = loads->max ? 1 : loads->n;
	s->rows = calloc(s->n_curves * per_curve, sizeof *s->rows);
	if (!s->rows)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	for (size_t i = 0; i < s->n_curves; i++)
		for (size_t k = 0; k < per_curve; k++)
			s->rows[s->n_rows++] = (struct load_row){.curve = &s->curves[i],
			                                         .load = loads->max ? 0 : cli_load_at(loads, k)};
	return 0;
}

int load_sweep_make(struct load_sweep *s, struct loom_err *err)
{
	static const enum loom_machine machines[] = {LOOM_MACHINE_FAST, LOOM_MACHINE_PAPER};
	const size_t n_machines = s->request->machines == 3 ? 2 : 1;
	struct items *items = calloc(2, sizeof *items), *fabrics = items, *maps = items ? items + 1 : NULL;
	int rc = items ? read_items(fabrics, maps, s->request, err)
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	const size_t n_maps = rc == 0 && maps->n ? maps->n : 1;
	if (rc == 0 && !(s->curves = calloc(fabrics->n * n_maps * n_machines, sizeof *s->curves)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	for (size_t f = 0; rc == 0 && f < fabrics->n; f++)
		for (size_t m = 0; rc == 0 && m < n_maps; m++)
			for (size_t k = 0; rc == 0 && k < n_machines; k++) {
				struct load_curve *c = &s->curves[s->n_curves++];
				c->machine = n_machines == 1 ? s->request->machine : machines[k];
				rc = make_curve(c, s, fabrics->text[f], maps->n ? maps->text[m] : NULL, err);
				name_curve(c, fabrics->n, n_maps, n_machines);
			}
	free(items);
	return rc == 0 ? make_rows(s, err) : rc;
}

void load_sweep_free(struct load_sweep *s)
{
	for (size_t i = 0; i < s->n_curves; i++) {
		loom_topo_free(&s->curves[i].topo);
		loom_traffic_free(&s->curves[i].traffic);
		free(s->curves[i].map);
	}
	free(s->curves);
	free(s->rows);
	*s = (struct load_sweep){0};
}
