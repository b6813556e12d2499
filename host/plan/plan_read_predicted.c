// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the predictions in a plan's file against what its messages give.
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>

#include "plan/cycles/objective.h"
#include "plan/plan_json.h"
#include "plan/plan_values.h"

static int get_objective(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	static const char *const keys[] = {"name", "value"}, *const names[] = {"maxmax", "maxsum", "sumsum",
	                                                                       LOOM_OBJECTIVE_CYCLES};
	if (json_is_null(value))
		return 0;
	int rc = loom_plan_check_keys(value, "\"objective\"", keys, sizeof keys / sizeof keys[0], 0, err);
	if (rc == 0)
		rc = loom_plan_get_name(plan->objective, sizeof plan->objective, json_object_get(value, "name"), "name",
		                        err);
	if (rc != 0)
		return rc;
	const json_int_t number = json_integer_value(json_object_get(value, "value"));
	if (loom_objective_is_cycles(plan->objective)) // compared last, when all else is known to be right
		plan->objective_value = number > 0 ? (uint64_t)number : 0;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], plan->objective) == 0)
			return 0;
	return loom_fail(err, LOOM_EINPUT, "objective \"%s\" is not maxmax, maxsum, sumsum or cycles", plan->objective);
}

static int get_theory(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	unsigned n_groups = loom_topo_groups(&plan->topo);
	if (json_is_null(value))
		return 0;
	if (!json_is_array(value) || json_array_size(value) != plan->n_passes)
		return loom_fail(err, LOOM_EINPUT, "\"theory\" is neither null nor a row per pass");
	size_t n = (size_t)plan->n_passes * n_groups;
	plan->theory = calloc(n, sizeof *plan->theory);
	if (!plan->theory)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu theoretical loads", n);
	plan->n_theory = n;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		const json_t *row = json_array_get(value, pass);
		if (json_array_size(row) != n_groups)
			return loom_fail(err, LOOM_EINPUT, "theory[%" PRIu32 "] is not a list of %u numbers", pass,
			                 n_groups);
		for (unsigned g = 0; g < n_groups; g++) {
			const json_t *item = json_array_get(row, g);
			uint32_t *out = &plan->theory[(size_t)pass * n_groups + g];
			char what[48];
			(void)snprintf(what, sizeof what, "theory[%" PRIu32 "][%u]", pass, g);
			int rc = json_is_null(item) ? 0
			                            : loom_plan_get_number(out, item, what, LOOM_THEORY_NONE - 1, err);
			if (rc != 0)
				return rc;
			if (json_is_null(item))
				*out = LOOM_THEORY_NONE;
		}
	}
	return 0;
}

// Reads the planner's claim, which is at most the number of passes.
static int get_proved(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	static const char *const keys[] = {"passes", "by"};
	if (!value || json_is_null(value)) // the key may be missing
		return 0;
	int rc = loom_plan_check_keys(value, "\"passes_proved\"", keys, sizeof keys / sizeof keys[0], 0, err);
	if (rc == 0)
		rc = loom_plan_get_number(&plan->passes_proved, json_object_get(value, "passes"),
		                          "\"passes\" of \"passes_proved\", at most the passes,", plan->n_passes, err);
	if (rc != 0)
		return rc;
	const char *by = json_string_value(json_object_get(value, "by"));
	for (plan->proof = LOOM_PROOF_LOAD; by && loom_proof_name(plan->proof); plan->proof++)
		if (strcmp(by, loom_proof_name(plan->proof)) == 0 && plan->passes_proved > 0)
			return 0;
	return loom_fail(
		err, LOOM_EINPUT,
		"\"passes_proved\" is neither null nor a number of passes from 1 on and load, clique or search");
}

static int compare_optimal(const struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	bool optimal = loom_plan_is_optimal(plan);
	if (!value || (json_is_boolean(value) && json_is_true(value) == optimal))
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "\"optimal\" is not %s, which is what the messages, passes_bound and "
	                 "passes_proved come to",
	                 optimal ? "true" : "false");
}

// --- Comparing the file's predictions with those of its messages ----------------------------------------------------

static int compare(const json_t *value, const char *what, uint64_t ours, struct loom_err *err)
{
	uint32_t theirs = 0;
	if (ours == LOOM_CYCLES_UNKNOWN && json_is_null(value))
		return 0;
	if (ours == LOOM_CYCLES_UNKNOWN)
		return loom_fail(err, LOOM_EINPUT, "%s is predicted, but there is contention: null would be right",
		                 what);
	if (json_is_integer(value) && json_integer_value(value) >= 0 && (uint64_t)json_integer_value(value) == ours)
		return 0;
	int rc = loom_plan_get_number(&theirs, value, what, UINT32_MAX, err);
	if (rc != 0)
		return rc;
	return loom_fail(err, LOOM_EINPUT, "%s is predicted as %" PRIu32 ", but the messages come to %" PRIu64, what,
	                 theirs, ours);
}

static int compare_list(const json_t *list, const char *what, const struct loom_plan *plan, bool of_passes,
                        struct loom_err *err)
{
	size_t n = of_passes ? plan->n_passes : plan->n_members;
	if (!json_is_array(list) || json_array_size(list) != n)
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a list of %zu", what, n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char item[64];
		(void)snprintf(item, sizeof item, "%s[%zu]", what, i);
		rc = compare(json_array_get(list, i), item, of_passes ? plan->cycles[i] : plan->member_contention[i],
		             err);
	}
	return rc;
}

// Checks that the rows are exactly the loads other than 0, in order.
static int compare_loads(const json_t *list, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	size_t n_loads = (size_t)plan->n_passes * n_channels, row = 0;
	if (!json_is_array(list))
		return loom_fail(err, LOOM_EINPUT, "\"load\" is not a list");
	for (size_t i = 0; i < n_loads; i++) {
		if (plan->load[i] == 0)
			continue;
		uint32_t *value = NULL;
		char what[64], channel[48];
		(void)snprintf(what, sizeof what, "load[%zu]", row);
		loom_topo_channel_name(topo, (uint32_t)(i % n_channels), channel);
		if (row >= json_array_size(list))
			return loom_fail(err, LOOM_EINPUT, "\"load\" ends before pass %zu, channel %zu (%s)",
			                 i / n_channels, i % n_channels, channel);
		int rc = loom_plan_get_list(&value, json_array_get(list, row), what, 3, UINT32_MAX, err);
		if (rc != 0)
			return rc;
		bool same = value[0] == i / n_channels && value[1] == i % n_channels && value[2] == plan->load[i];
		if (!same)
			rc = loom_fail(err, LOOM_EINPUT,
			               "%s is [%" PRIu32 ", %" PRIu32 ", %" PRIu32
			               "], but the messages come to [%zu, %zu, %" PRIu32 "]: channel %s",
			               what, value[0], value[1], value[2], i / n_channels, i % n_channels,
			               plan->load[i], channel);
		free(value);
		if (rc != 0)
			return rc;
		row++;
	}
	if (row != json_array_size(list))
		return loom_fail(err, LOOM_EINPUT, "\"load\" has %zu rows, but only %zu channels are used",
		                 json_array_size(list), row);
	return 0;
}

// Checks the claims of the theory: theory[g] is the load of every used channel of group g.
static int compare_theory(const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	unsigned n_groups = loom_topo_groups(topo);
	for (uint32_t pass = 0; plan->n_theory && pass < plan->n_passes; pass++) {
		const uint32_t *theory = plan->theory + (size_t)pass * n_groups;
		const uint32_t *load = plan->load + (size_t)pass * n_channels;
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t claimed = theory[loom_topo_group_of(topo, c)];
			if (load[c] == 0 || load[c] == claimed || claimed == LOOM_THEORY_NONE)
				continue;
			char channel[48];
			loom_topo_channel_name(topo, c, channel);
			return loom_fail(err, LOOM_EINPUT,
			                 "theory gives channel %s %" PRIu32 " messages in pass %" PRIu32
			                 ", but it has %" PRIu32,
			                 channel, claimed, pass, load[c]);
		}
		for (unsigned g = 0; g < n_groups; g++) {
			bool used = theory[g] == 0 || theory[g] == LOOM_THEORY_NONE;
			for (uint32_t c = 0; !used && c < n_channels; c++)
				used = load[c] && loom_topo_group_of(topo, c) == g;
			if (!used)
				return loom_fail(err, LOOM_EINPUT,
				                 "theory gives group %u %" PRIu32 " messages in pass %" PRIu32
				                 ", but no channel of it is used",
				                 g, theory[g], pass);
		}
	}
	return 0;
}

static int get_bound_in_flits(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	uint64_t most = 0;
	int rc = loom_plan_contention_flits(&most, plan, err);
	if (rc != 0)
		return rc;
	if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > most)
		return loom_fail(err, LOOM_EINPUT,
		                 "\"lower_bound_flits\" is no number from 0 to %" PRIu64
		                 ", the flits on the busiest channel",
		                 most);
	plan->lower_bound_flits = (uint64_t)json_integer_value(value);
	return 0;
}

int loom_plan_get_predicted(struct loom_plan *plan, const json_t *predicted, struct loom_err *err)
{
	// The last three keys may be missing. Earlier versions of flitloom did not write passes_proved; only plans with
	// routes chosen by flits have lower_bound_flits.
	enum { MAY_LACK = 3 };
	static const char *const keys[] = {"contention",       "cycles", "lower_bound", "passes_bound", "objective",
	                                   "members",          "load",   "theory",      "optimal",      "passes_proved",
	                                   "lower_bound_flits"};
	int rc = loom_plan_check_keys(predicted, "\"predicted\"", keys, sizeof keys / sizeof keys[0], MAY_LACK, err);
	if (rc == 0)
		rc = get_objective(plan, json_object_get(predicted, "objective"), err);
	if (rc == 0)
		rc = get_theory(plan, json_object_get(predicted, "theory"), err);
	if (rc == 0)
		rc = get_proved(plan, json_object_get(predicted, "passes_proved"), err);
	if (rc == 0)
		rc = loom_plan_predict(plan, err);
	if (rc == 0)
		rc = compare(json_object_get(predicted, "contention"), "contention", loom_plan_contention(plan), err);
	if (rc == 0)
		rc = compare(json_object_get(predicted, "passes_bound"), "passes_bound", plan->passes_bound, err);
	if (rc == 0)
		rc = compare_optimal(plan, json_object_get(predicted, "optimal"), err);
	if (rc == 0)
		rc = compare_list(json_object_get(predicted, "cycles"), "cycles", plan, true, err);
	if (rc == 0)
		rc = compare_list(json_object_get(predicted, "members"), "members", plan, false, err);
	if (rc == 0 && plan->objective[0])
		rc = compare(json_object_get(json_object_get(predicted, "objective"), "value"), "the objective",
		             plan->objective_value, err);
	if (rc == 0)
		rc = compare_loads(json_object_get(predicted, "load"), plan, err);
	if (rc == 0)
		rc = compare_theory(plan, err);
	if (rc == 0)
		rc = loom_plan_get_number(&plan->lower_bound, json_object_get(predicted, "lower_bound"),
		                          "lower_bound, at most the contention,",
		                          plan->most ? loom_plan_most_contention(plan) : loom_plan_contention(plan),
		                          err);
	if (rc == 0 && json_object_get(predicted, "lower_bound_flits"))
		rc = get_bound_in_flits(plan, json_object_get(predicted, "lower_bound_flits"), err);
	// The file does not say which routes the bound covers, so an unknown planner gets the weakest claim.
	const struct loom_planner *planner = loom_planner_named(plan->planner);
	plan->bound = planner ? planner->bound : LOOM_BOUND_PLACEMENT;
	return rc;
}
