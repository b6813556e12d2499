// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "networks.h"
#include "base/rng.h"

const char *const net_names[NETS] = {"baseline", "omega", "icube", "rbaseline", "romega", "ricube"};

void plan_on(struct loom_plan *out, const char *fabric, const char *spec, const char *planner, const char *map,
             uint32_t flits, uint64_t seed)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_plan_options plan_options = {.planner = planner, .map = map};
	if (loom_topo_parse(&topo, fabric, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	const struct loom_pattern_options options = {
		.flits = flits, .seed = seed, .n_dims = topo.n_dims, .extent = topo.extent};
	if (loom_pattern_parse(&pattern, spec, topo.n_nodes, &options, &err) != 0)
		fail_msg("%s %s: %s", fabric, spec, err.text);
	if (loom_plan_make(out, &topo, &pattern, &plan_options, &err) != 0)
		fail_msg("%s %s, seed %llu: %s", fabric, spec, (unsigned long long)seed, err.text);
	loom_pattern_free(&pattern);
}

void random_map(char *out, uint32_t n, uint64_t seed)
{
	struct loom_rng rng;
	uint32_t *map = malloc(n * sizeof *map);
	assert_non_null(map);
	loom_rng_init(&rng, seed);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t other = (uint32_t)loom_rng_below(&rng, i + 1);
		map[i] = i;
		map[i] = map[other];
		map[other] = i;
	}
	for (uint32_t i = 0; i < n; i++)
		out += sprintf(out, "%s%u", i ? "," : "", map[i]);
	free(map);
}

const struct ref_min *reference_of(const struct loom_plan *plan, unsigned rule)
{
	static struct ref_min tables[2];
	static char built[2][48];
	const char *name = plan->topo.kind->name;
	char key[48];
	unsigned m = 0;
	while (1u << m < plan->topo.n_nodes)
		m++;
	if (strcmp(name, "benes") == 0)
		name = rule == LOOM_RULE_ASCENDING ? "romega" : "omega";
	(void)snprintf(key, sizeof key, "%s:%u", name, m);
	if (strcmp(built[rule], key) != 0)
		ref_min_build(&tables[rule], name, m);
	(void)strcpy(built[rule], key);
	return &tables[rule];
}

void assert_no_conflicts(const struct loom_plan *plan)
{
	uint32_t n = plan->topo.n_nodes;
	size_t n_places = (size_t)n * (REF_MIN_M_MAX + 2);
	uint32_t *user = calloc(n_places, sizeof *user); // pass of the last message there, from 1
	assert_non_null(user);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct ref_min *ref = reference_of(plan, m->rule);
		uint32_t line[REF_MIN_M_MAX + 2];
		assert_true(ref_min_path(line, ref, plan->map[m->source], plan->map[m->destination]));
		line[ref->m] = plan->map[m->source];
		line[ref->m + 1] = plan->map[m->destination];
		for (unsigned k = 0; k < ref->m + 2; k++) {
			uint32_t *place = &user[k * (size_t)n + line[k]];
			if (*place == m->pass + 1)
				fail_msg("%s, %s, %s: message %zu of pass %u meets another at place %u, line %u",
				         plan->topo.name, plan->pattern, plan->planner, i, m->pass, k, line[k]);
			*place = m->pass + 1;
		}
	}
	free(user);
}
