// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Lists the planners of circuits by name.
#include <flitloom/circuits.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "circuits/circuit_light.h"
#include "circuits/remains.h"

static int birkhoff(struct loom_circuit_list *out, const struct loom_demand *demand,
                    const struct loom_circuit_options *options, struct loom_err *err)
{
	bool done;
	return loom_circuit_birkhoff(out, &done, demand, options->dark, LOOM_NO_LIMIT, err);
}

static int solstice(struct loom_circuit_list *out, const struct loom_demand *demand,
                    const struct loom_circuit_options *options, struct loom_err *err)
{
	bool done;
	return loom_circuit_solstice(out, &done, demand, options->dark, LOOM_NO_LIMIT, err);
}

static int eclipse(struct loom_circuit_list *out, const struct loom_demand *demand,
                   const struct loom_circuit_options *options, struct loom_err *err)
{
	bool done;
	return loom_circuit_eclipse(out, &done, demand, options->dark, LOOM_NO_LIMIT, err);
}

static const struct loom_circuit_planner planners[] = {
	{"light", NULL, loom_circuit_light}, {"rotor", NULL, loom_circuit_rotor},
	{"birkhoff", birkhoff, NULL}, // [Birkhoff46]
	{"solstice", solstice, NULL}, // [Liu15]
	{"eclipse", eclipse, NULL},   // [Venkatakrishnan16]
};
#define N_PLANNERS (sizeof planners / sizeof planners[0])

const char *loom_circuit_planner_name(size_t i)
{
	return i < N_PLANNERS ? planners[i].name : NULL;
}

static int find(const struct loom_circuit_planner **out, const char *name, struct loom_err *err)
{
	char shown[48];
	size_t i = 0;
	while (name && i < N_PLANNERS && strcmp(planners[i].name, name) != 0)
		i++;
	*out = &planners[i < N_PLANNERS ? i : 0];
	if (i < N_PLANNERS)
		return 0;
	const char *near =
		loom_suggest(loom_text_quote(shown, sizeof shown, name, strlen(name)), loom_circuit_planner_name);
	return loom_fail(
		err, LOOM_EINPUT,
		"unknown planner of circuits \"%s\": there are light, rotor, birkhoff, solstice and eclipse%s%s%s",
		shown, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int check_options(const struct loom_circuit_options *o, struct loom_err *err)
{
	if (o->n_switches < 1 || o->n_switches > LOOM_CIRCUIT_SWITCHES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " switches: there can be 1 to %u", o->n_switches,
		                 LOOM_CIRCUIT_SWITCHES_MAX);
	if (o->dark > LOOM_CIRCUIT_DARK_MOST || o->relay_cycles > LOOM_CIRCUIT_DARK_MOST)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " dark cycles at a change: there can be 0 to %u",
		                 o->dark > o->relay_cycles ? o->dark : o->relay_cycles, LOOM_CIRCUIT_DARK_MOST);
	return 0;
}

static int plan_by_list(struct loom_circuit_schedule *s, const struct loom_circuit_planner *planner,
                        const struct loom_demand *demand, const struct loom_circuit_options *options,
                        struct loom_err *err)
{
	struct loom_circuit_list list = {.n = demand->n};
	int rc = planner->list(&list, demand, options, err);
	if (rc == 0)
		rc = loom_circuit_share_out(s, &list, err);
	if (rc == 0)
		rc = loom_circuit_fill(s, demand, err);
	loom_circuit_list_free(&list);
	return rc;
}

int loom_circuit_plan(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                      const struct loom_circuit_options *options, struct loom_err *err)
{
	const struct loom_circuit_planner *planner;
	struct loom_circuit_schedule s = {.n_nodes = demand->n,
	                                  .n_switches = options->n_switches,
	                                  .dark = options->dark,
	                                  .relay_cycles = options->relay_cycles};
	int rc = find(&planner, options->planner ? options->planner : planners[0].name, err);
	if (rc == 0)
		rc = check_options(options, err);
	if (rc == 0)
		rc = loom_demand_check(demand, err);
	if (rc != 0)
		return rc;
	s.on = calloc(s.n_switches, sizeof *s.on);
	if (!s.on)
		return loom_circuit_no_memory(err);
	rc = planner->list ? plan_by_list(&s, planner, demand, options, err)
	                   : planner->schedule(&s, demand, options, err);
	if (rc == 0)
		rc = loom_circuit_sort(&s, err);
	s.makespan = loom_circuit_end(&s);
	if (rc == 0)
		*out = s;
	else
		loom_circuit_schedule_free(&s);
	return rc;
}
