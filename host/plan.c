// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "planners/lcc_set.h"
#include "planners/planner.h"
#include "suggest.h"

// Loads that a plan may hold (256 MiB of them): no file and no planner can ask for more than a machine has.
#define LOADS_MAX ((uint64_t)1 << 26)
#define SLOTS 256 // from_slot and keep_slot are bytes

// --- The map -------------------------------------------------------------------------------------------------------

// n when n_nodes is 2^n, otherwise 0.
static unsigned address_bits(uint32_t n_nodes)
{
	unsigned n = 0;
	while (n < 31 && UINT32_C(1) << n < n_nodes)
		n++;
	return n_nodes == UINT32_C(1) << n ? n : 0;
}

// The bit order behind a map (which is a permutation), if there is one: its bits can be read from the images of 2^j.
static unsigned order_of_map(unsigned order[LOOM_GF2_MAX], const uint32_t *map, uint32_t n_nodes)
{
	unsigned n = address_bits(n_nodes);
	for (unsigned d = 0; d < n; d++) {
		order[d] = 0;
		while (order[d] < n && map[UINT32_C(1) << order[d]] != UINT32_C(1) << d)
			order[d]++;
		if (order[d] == n)
			return 0;
	}
	for (uint32_t v = 0; v < n_nodes; v++)
		if (map[v] != (n ? loom_gf2_reorder_vector(v, n, order) : v))
			return 0;
	return n;
}

static const char *map_word_at(size_t i)
{
	static const char *const words[] = {"best", "identity"};
	return i < sizeof words / sizeof words[0] ? words[i] : NULL;
}

static int fail_not_a_map(const struct loom_topo *topo, const char *text, const char *at, struct loom_err *err)
{
	const char *near = loom_suggest(text, map_word_at);
	unsigned n = address_bits(topo->n_nodes);
	char bits[40] = "", meant[40] = "";
	if (n)
		(void)snprintf(bits, sizeof bits, "%u numbers (a bit order) or ", n);
	if (near)
		(void)snprintf(meant, sizeof meant, "; did you mean \"%s\"?", near);
	return loom_fail(err, LOOM_EINPUT,
	                 "map \"%.60s\": no number at character %zu; it is \"best\", \"identity\", or %s%" PRIu32
	                 " numbers (a node for each processor), separated by commas%s",
	                 text, (size_t)(at - text) + 1, bits, topo->n_nodes, meant);
}

// Reads "0,4,2": stores the first `capacity` numbers, UINT32_MAX for one too large for any use, and counts them all.
static int parse_numbers(uint32_t *out, size_t capacity, size_t *n_out, const struct loom_topo *topo, const char *text,
                         struct loom_err *err)
{
	size_t n = 0;
	for (const char *c = text;; c++, n++) {
		while (*c == ' ')
			c++;
		if (*c < '0' || *c > '9')
			return fail_not_a_map(topo, text, c, err);
		uint32_t value = 0;
		for (; *c >= '0' && *c <= '9'; c++)
			value = value > 100000000 ? UINT32_MAX : value * 10 + (uint32_t)(*c - '0');
		if (n < capacity)
			out[n] = value;
		while (*c == ' ')
			c++;
		if (*c == '\0')
			break;
		if (*c != ',')
			return fail_not_a_map(topo, text, c, err);
	}
	*n_out = n + 1;
	return 0;
}

// `place` (n_nodes entries) is scratch: where each number was seen, counted from 1.
static int check_permutation(const uint32_t *number, size_t n, uint32_t *place, const char *what, struct loom_err *err)
{
	memset(place, 0, n * sizeof *place);
	for (size_t i = 0; i < n; i++) {
		if (number[i] >= n) {
			char value[16] = "it";
			if (number[i] != UINT32_MAX)
				(void)snprintf(value, sizeof value, "%" PRIu32, number[i]);
			return loom_fail(err, LOOM_EINPUT,
			                 "map: %s at place %zu is out of range: %zu numbers are %s, 0..%zu", value,
			                 i + 1, n, what, n - 1);
		}
		if (place[number[i]])
			return loom_fail(err, LOOM_EINPUT,
			                 "map: %" PRIu32 " is repeated, at places %" PRIu32
			                 " and %zu: %zu numbers are %s, each of 0..%zu once",
			                 number[i], place[number[i]], i + 1, n, what, n - 1);
		place[number[i]] = (uint32_t)i + 1;
	}
	return 0;
}

static int parse_map(uint32_t *map, bool *is_free, const struct loom_topo *topo, const char *text, struct loom_err *err)
{
	uint32_t n_nodes = topo->n_nodes;
	unsigned bits = address_bits(n_nodes);
	for (uint32_t v = 0; v < n_nodes; v++)
		map[v] = v;
	*is_free = !text || strcmp(text, "best") == 0;
	if (*is_free || strcmp(text, "identity") == 0)
		return 0;

	int rc = LOOM_ENOMEM;
	size_t n = 0;
	uint32_t *number = calloc((size_t)n_nodes * 2, sizeof *number);
	if (!number)
		return loom_fail(err, rc, "out of memory for a map of %" PRIu32 " nodes", n_nodes);
	rc = parse_numbers(number, n_nodes, &n, topo, text, err);
	if (rc != 0)
		goto out;
	if (n == n_nodes) {
		rc = check_permutation(number, n, number + n_nodes, "the node of each processor", err);
		if (rc == 0)
			memcpy(map, number, n_nodes * sizeof *map);
	} else if (bits && n == bits) {
		rc = check_permutation(number, n, number + n_nodes, "a bit order", err);
		if (rc != 0)
			goto out;
		unsigned order[LOOM_GF2_MAX] = {0};
		for (unsigned d = 0; d < bits; d++)
			order[d] = number[d];
		for (uint32_t v = 0; v < n_nodes; v++)
			map[v] = (uint32_t)loom_gf2_reorder_vector(v, bits, order);
	} else if (bits) {
		rc = loom_fail(err, LOOM_EINPUT,
		               "map: %zu number%s, but %s takes %u (a bit order) or %" PRIu32
		               " (the node of each processor)",
		               n, n == 1 ? "" : "s", topo->name, bits, n_nodes);
	} else {
		rc = loom_fail(err, LOOM_EINPUT,
		               "map: %zu number%s, but %s takes %" PRIu32 " (the node of each processor)", n,
		               n == 1 ? "" : "s", topo->name, n_nodes);
	}
out:
	free(number);
	return rc;
}

// --- Choosing a planner --------------------------------------------------------------------------------------------

static const char *planner_name_at(size_t i)
{
	const struct loom_planner *planner = loom_planner_at(i);
	return planner ? planner->name : NULL;
}

// The names of all planners, or of those which accept the pattern.
static void list_planners(char *out, size_t size, const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	size_t used = 0;
	(void)snprintf(out, size, "none");
	for (size_t i = 0; loom_planner_at(i) && used < size; i++)
		if (!pattern || loom_planner_at(i)->accepts(topo, pattern))
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", planner_name_at(i));
}

static int choose_planner(const struct loom_planner **out, const struct loom_topo *topo,
                          const struct loom_pattern *pattern, const char *name, struct loom_err *err)
{
	char others[160];
	for (size_t i = 0; loom_planner_at(i); i++) {
		const struct loom_planner *planner = loom_planner_at(i);
		bool volunteers = !planner->volunteers || planner->volunteers(topo);
		if (name ? strcmp(planner->name, name) == 0 : volunteers && planner->accepts(topo, pattern)) {
			*out = planner;
			if (planner->accepts(topo, pattern))
				return 0;
			list_planners(others, sizeof others, topo, pattern);
			return loom_fail(err, LOOM_EINPUT,
			                 "planner %s (%.80s) cannot plan %.60s on %s; planners that can: %s",
			                 planner->name, planner->help, pattern->name, topo->name, others);
		}
	}
	if (!name)
		return loom_fail(err, LOOM_EINPUT, "no planner can plan %.60s on %s", pattern->name, topo->name);
	const char *near = loom_suggest(name, planner_name_at);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown planner \"%.40s\"; did you mean \"%s\"?", name, near);
	list_planners(others, sizeof others, topo, NULL);
	return loom_fail(err, LOOM_EINPUT, "unknown planner \"%.40s\"; there is: %s", name, others);
}

// --- Making --------------------------------------------------------------------------------------------------------

static int check_request(const struct loom_topo *topo, const struct loom_pattern *pattern, const char *objective,
                         struct loom_err *err)
{
	if (pattern->n_nodes != topo->n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s is a pattern of %" PRIu32 " processors, but %s has %" PRIu32
		                 " nodes: the numbers must agree",
		                 pattern->name, pattern->n_nodes, topo->name, topo->n_nodes);
	if (pattern->n_messages > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.60s: %zu messages, %d at most", pattern->name,
		                 pattern->n_messages, LOOM_MESSAGES_MAX);
	if (!objective)
		return 0;
	enum loom_objective known;
	int rc = loom_objective_parse(&known, objective, err);
	if (rc == 0 && pattern->n_members < 2)
		rc = loom_fail(err, LOOM_EINPUT,
		               "objective %s: it weighs the members of a set, and %.60s is no set of two or more",
		               objective, pattern->name);
	return rc;
}

// Everything that a planner is handed.
static int fill(struct loom_plan *plan, const struct loom_topo *topo, const struct loom_pattern *pattern,
                const char *map, bool *map_is_free, struct loom_err *err)
{
	plan->topo = *topo;
	(void)snprintf(plan->pattern, sizeof plan->pattern, "%s", pattern->name);
	plan->n_members = plan->n_passes = pattern->n_members;
	plan->n_messages = pattern->n_messages;
	plan->messages = calloc(plan->n_messages + !plan->n_messages, sizeof *plan->messages);
	plan->map = calloc(topo->n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(plan->n_passes, sizeof *plan->member_of_pass);
	if (!plan->messages || !plan->map || !plan->member_of_pass)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a plan of %zu messages", plan->n_messages);

	int rc = parse_map(plan->map, map_is_free, topo, map, err);
	if (rc != 0)
		return rc;
	plan->n_order = order_of_map(plan->order, plan->map, topo->n_nodes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		plan->member_of_pass[pass] = pass;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_message *message = &pattern->messages[i];
		plan->messages[i] = (struct loom_plan_message){
			.pass = message->member,
			.source = message->source,
			.destination = message->destination,
			.flits = message->flits,
			.rule = LOOM_RULE_ASCENDING,
			.origin = (uint32_t)i,
		};
	}
	return 0;
}

// What a planner may not change: who sends what to whom, by whatever way.
struct delivery {
	uint32_t member, source, destination, flits;
};

static int compare_deliveries(const void *a, const void *b)
{
	const struct delivery *x = a, *y = b;
	if (x->member != y->member)
		return x->member < y->member ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->destination != y->destination)
		return x->destination < y->destination ? -1 : 1;
	return x->flits < y->flits ? -1 : x->flits > y->flits;
}

// What the messages of a plan come to, end to end: a message which only brings data to the next sender is left out.
static size_t deliveries_of_plan(struct delivery *out, bool *is_relayed, const struct loom_plan *plan)
{
	size_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].from_slot)
			is_relayed[plan->messages[i].origin] = true;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i],
					       *root = &plan->messages[loom_plan_root(plan, i)];
		if (!is_relayed[i])
			out[n++] = (struct delivery){plan->member_of_pass[m->pass], root->source, m->destination,
			                             m->flits};
	}
	return n;
}

// Neither loads nor theory can tell a message that is missing where each channel carries one.
static int check_planned(const struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err)
{
	int rc = 0;
	size_t n = 0, n_wanted = pattern->n_messages;
	struct delivery *planned = calloc(plan->n_messages + 1, sizeof *planned);
	struct delivery *wanted = calloc(n_wanted + 1, sizeof *wanted);
	bool *is_relayed = calloc(plan->n_messages + 1, sizeof *is_relayed);
	if (!planned || !wanted || !is_relayed) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory to compare %zu messages with their pattern", n_wanted);
		goto out;
	}
	n = deliveries_of_plan(planned, is_relayed, plan);
	for (size_t i = 0; i < n_wanted; i++) {
		const struct loom_message *m = &pattern->messages[i];
		wanted[i] = (struct delivery){m->member, m->source, m->destination, m->flits};
	}
	qsort(planned, n, sizeof *planned, compare_deliveries);
	qsort(wanted, n_wanted, sizeof *wanted, compare_deliveries);
	for (size_t i = 0; rc == 0 && i < n && i < n_wanted; i++)
		if (compare_deliveries(&planned[i], &wanted[i]) != 0)
			rc = loom_fail(err, LOOM_EINTERNAL,
			               "planner %s delivers %" PRIu32 " flits from %" PRIu32 " to %" PRIu32
			               " where %.60s wants %" PRIu32 " from %" PRIu32 " to %" PRIu32,
			               plan->planner, planned[i].flits, planned[i].source, planned[i].destination,
			               pattern->name, wanted[i].flits, wanted[i].source, wanted[i].destination);
	if (rc == 0 && n != n_wanted)
		rc = loom_fail(err, LOOM_EINTERNAL, "planner %s delivers %zu messages of the %zu of %.60s",
		               plan->planner, n, n_wanted, pattern->name);
out:
	free(planned);
	free(wanted);
	free(is_relayed);
	return rc;
}

int loom_plan_make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                   const struct loom_plan_options *options, struct loom_err *err)
{
	static const struct loom_plan_options defaults = {0};
	const struct loom_planner *planner = NULL;
	struct loom_plan plan = {0};
	bool map_is_free = false;
	options = options ? options : &defaults;

	int rc = check_request(topo, pattern, options->objective, err);
	if (rc != 0)
		goto out;
	rc = choose_planner(&planner, topo, pattern, options->planner, err);
	if (rc != 0)
		goto out;
	rc = fill(&plan, topo, pattern, options->map, &map_is_free, err);
	if (rc != 0)
		goto out;
	(void)snprintf(plan.planner, sizeof plan.planner, "%s", planner->name);
	rc = planner->plan(&plan, pattern, options->objective, map_is_free, err);
	if (rc == 0)
		rc = check_planned(&plan, pattern, err);
	if (rc != 0)
		goto out;
	*out = plan;
	memset(&plan, 0, sizeof plan);
out:
	loom_plan_free(&plan);
	return rc;
}

void loom_plan_free(struct loom_plan *plan)
{
	if (!plan)
		return;
	free(plan->messages);
	free(plan->map);
	free(plan->load);
	free(plan->cycles);
	free(plan->member_contention);
	free(plan->member_of_pass);
	free(plan->theory);
	memset(plan, 0, sizeof *plan);
}

// --- The invariants ------------------------------------------------------------------------------------------------

static int check_shape(const struct loom_plan *plan, struct loom_err *err)
{
	uint64_t n_loads = (uint64_t)plan->n_passes * loom_topo_channels(&plan->topo);
	if (plan->n_passes < 1 || n_loads > LOADS_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " passes on %s: 1 to %" PRIu64 " is possible",
		                 plan->n_passes, plan->topo.name, LOADS_MAX / loom_topo_channels(&plan->topo));
	if (plan->n_messages > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages, %d at most", plan->n_messages, LOOM_MESSAGES_MAX);
	if (plan->n_members < 1 || plan->n_members > plan->n_passes)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " members in %" PRIu32 " passes: every member has a pass",
		                 plan->n_members, plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		if (plan->member_of_pass[pass] >= plan->n_members)
			return loom_fail(err, LOOM_EINPUT,
			                 "pass %" PRIu32 " is of member %" PRIu32 ", there are %" PRIu32, pass,
			                 plan->member_of_pass[pass], plan->n_members);
	unsigned n_groups = plan->topo.kind->groups(&plan->topo);
	if (plan->n_theory != 0 && plan->n_theory != (size_t)plan->n_passes * n_groups)
		return loom_fail(err, LOOM_EINPUT, "%zu theoretical loads for %" PRIu32 " passes of %u groups",
		                 plan->n_theory, plan->n_passes, n_groups);
	return 0;
}

static int check_map(const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_nodes = plan->topo.n_nodes;
	uint32_t *place = calloc(n_nodes, sizeof *place);
	if (!place)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %" PRIu32 " nodes", n_nodes);
	int rc = check_permutation(plan->map, n_nodes, place, "the node of each processor", err);
	free(place);
	if (rc != 0)
		return rc;

	unsigned order[LOOM_GF2_MAX], n = order_of_map(order, plan->map, n_nodes);
	if (plan->n_order != n || memcmp(order, plan->order, n * sizeof order[0]) != 0)
		return loom_fail(err, LOOM_EINPUT, "the bit order is not that of the map (%s)",
		                 n ? "which has one" : "which has none");
	return 0;
}

static int check_message(const struct loom_plan *plan, size_t i, struct loom_err *err)
{
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t n_nodes = plan->topo.n_nodes;
	if (m->pass >= plan->n_passes)
		return loom_fail(err, LOOM_EINPUT, "message %zu: pass %" PRIu32 ", there are %" PRIu32, i, m->pass,
		                 plan->n_passes);
	if (i > 0 && m->pass < plan->messages[i - 1].pass)
		return loom_fail(err, LOOM_EINPUT, "message %zu: pass %" PRIu32 " after pass %" PRIu32, i, m->pass,
		                 plan->messages[i - 1].pass);
	if (m->source >= n_nodes || m->destination >= n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "message %zu: from %" PRIu32 " to %" PRIu32 ", processors are 0..%" PRIu32, i,
		                 m->source, m->destination, n_nodes - 1);
	if (m->flits < 1)
		return loom_fail(err, LOOM_EINPUT, "message %zu: no flits, the header is one", i);
	if (m->rule != LOOM_RULE_ASCENDING && m->rule != LOOM_RULE_DESCENDING)
		return loom_fail(err, LOOM_EINPUT, "message %zu: rule %d, 0 is ascending and 1 descending", i, m->rule);
	if (m->from_slot == 0 && m->origin != i)
		return loom_fail(err, LOOM_EINPUT, "message %zu: generated data, but origin %" PRIu32, i, m->origin);
	if (!loom_plan_uses_network(plan, m) && m->keep_slot != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "message %zu: to oneself, it never enters a store, but is to be kept in slot %d", i,
		                 m->keep_slot);
	return 0;
}

// Relayed data: at the start of each pass, slot k of a sender's store must hold what `origin` brought there. Plays
// the passes through the stores, so that a slot overwritten in between is noticed as well.
static int check_relays(const struct loom_plan *plan, struct loom_err *err)
{
	bool any = false;
	for (size_t i = 0; i < plan->n_messages; i++)
		any = any || plan->messages[i].from_slot || plan->messages[i].keep_slot;
	if (!any)
		return 0;
	int rc = 0;
	uint32_t *held = calloc((size_t)plan->topo.n_nodes * SLOTS, sizeof *held); // index of a message + 1; 0: nothing
	if (!held)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the stores of %" PRIu32 " nodes",
		                 plan->topo.n_nodes);
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		uint32_t pass = plan->messages[first].pass;
		for (end = first; end < plan->n_messages && plan->messages[end].pass == pass; end++) {
			const struct loom_plan_message *m = &plan->messages[end];
			size_t slot = (size_t)m->source * SLOTS + m->from_slot;
			if (rc == 0 && m->from_slot && held[slot] != (uint64_t)m->origin + 1)
				rc = loom_fail(err, LOOM_EINPUT,
				               "message %zu: in pass %" PRIu32 " slot %d of processor %" PRIu32
				               " does not hold what its origin, message %" PRIu32 ", brought",
				               end, pass, m->from_slot, m->source, m->origin);
		}
		for (size_t i = first; rc == 0 && i < end; i++) {
			const struct loom_plan_message *m = &plan->messages[i];
			uint32_t *slot = &held[(size_t)m->destination * SLOTS + m->keep_slot];
			if (m->keep_slot && *slot > first)
				rc = loom_fail(err, LOOM_EINPUT,
				               "message %zu: slot %d of processor %" PRIu32
				               " is taken by message %" PRIu32 " of the same pass",
				               i, m->keep_slot, m->destination, *slot - 1);
			if (m->keep_slot)
				*slot = (uint32_t)i + 1;
		}
	}
	free(held);
	return rc;
}

// What lets the passes of a free run stay in step (see plan.h). Messages are in ascending order of pass.
static int check_free_running(const struct loom_plan *plan, struct loom_err *err)
{
	if (!plan->free_running)
		return 0;
	int rc = 0;
	uint32_t *sent = calloc(plan->topo.n_nodes, sizeof *sent); // pass of a node's last message, from 1
	if (!sent)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " nodes", plan->topo.n_nodes);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->flits != plan->messages[0].flits)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: %" PRIu32 " flits and others %" PRIu32
			               ": in a free run all have the same",
			               i, m->flits, plan->messages[0].flits);
		else if (m->from_slot || m->keep_slot)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: relayed, which takes a barrier between the passes", i);
		else if (sent[m->source] > m->pass)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: processor %" PRIu32 " sends two messages in pass %" PRIu32
			               " of a free run",
			               i, m->source, m->pass);
		sent[m->source] = m->pass + 1;
	}
	free(sent);
	return rc;
}

static int check(const struct loom_plan *plan, struct loom_err *err)
{
	int rc = check_shape(plan, err);
	if (rc == 0)
		rc = check_map(plan, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = check_message(plan, i, err);
	if (rc == 0)
		rc = check_relays(plan, err);
	if (rc == 0)
		rc = check_free_running(plan, err);
	return rc;
}

// --- Predicting ----------------------------------------------------------------------------------------------------

bool loom_plan_uses_network(const struct loom_plan *plan, const struct loom_plan_message *message)
{
	return message->source != message->destination || plan->topo.kind->self_uses_network;
}

static unsigned route_of(const struct loom_plan *plan, const struct loom_plan_message *m, uint32_t out[LOOM_ROUTE_MAX])
{
	if (!loom_plan_uses_network(plan, m))
		return 0;
	return plan->topo.kind->route(&plan->topo, plan->map[m->source], plan->map[m->destination],
	                              (enum loom_rule)m->rule, out);
}

uint64_t loom_plan_message_cycles(const struct loom_plan *plan, const struct loom_plan_message *message)
{
	uint32_t route[LOOM_ROUTE_MAX];
	unsigned length = route_of(plan, message, route);
	if (length == 0)
		return 0;
	uint64_t begins = plan->free_running ? (uint64_t)message->pass * message->flits : 0;
	// Injection and ejection are no hops: F + (length - 2) + 1.
	return begins + message->flits + length - 1;
}

// In a free run a pass meets the one before it nowhere only if each channel is as far from every sender that uses it:
// place[c] is its place on the routes, counted from 1.
static bool keeps_step(uint32_t *place, const uint32_t *route, unsigned length)
{
	for (unsigned k = 0; k < length; k++) {
		if (place[route[k]] != 0 && place[route[k]] != k + 1)
			return false;
		place[route[k]] = k + 1;
	}
	return true;
}

// Cycles of a free run: the first pass takes what a message takes, every other one as many more as it has flits.
static void predict_free_run(uint64_t *cycles, const struct loom_plan *plan, bool in_step)
{
	bool known = in_step;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		known = known && cycles[pass] != LOOM_CYCLES_UNKNOWN;
	uint64_t before = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint64_t until = cycles[pass] > before ? cycles[pass] : before;
		cycles[pass] = known ? until - before : LOOM_CYCLES_UNKNOWN;
		before = until;
	}
}

static uint32_t largest(const struct loom_plan *plan, const uint32_t *load, bool with_local)
{
	uint32_t most = 0, n_channels = loom_topo_channels(&plan->topo);
	for (uint32_t c = 0; c < n_channels; c++)
		if (load[c] > most && (with_local || !loom_topo_is_local(&plan->topo, c)))
			most = load[c];
	return most;
}

// T_ri of the objective: the largest load of group i in the passes of member r; local channels do not count.
static int objective_value(uint64_t *out, const struct loom_plan *plan, const uint32_t *load)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	unsigned n_groups = topo->kind->groups(topo);
	uint64_t maxmax = 0, maxsum = 0, sumsum = 0;
	uint32_t *t = calloc((size_t)plan->n_members * n_groups, sizeof *t);
	if (!t)
		return -1;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t value = load[(size_t)pass * n_channels + c];
			if (value == 0 || loom_topo_is_local(topo, c))
				continue;
			uint32_t *worst =
				&t[(size_t)plan->member_of_pass[pass] * n_groups + topo->kind->group_of(topo, c)];
			*worst = value > *worst ? value : *worst;
		}
	for (unsigned g = 0; g < n_groups; g++) {
		uint64_t sum = 0;
		for (uint32_t r = 0; r < plan->n_members; r++) {
			uint32_t value = t[(size_t)r * n_groups + g];
			sum += value;
			maxmax = value > maxmax ? value : maxmax;
		}
		maxsum = sum > maxsum ? sum : maxsum;
		sumsum += sum;
	}
	free(t);
	*out = maxmax;
	if (strcmp(plan->objective, "maxsum") == 0)
		*out = maxsum;
	if (strcmp(plan->objective, "sumsum") == 0)
		*out = sumsum;
	return 0;
}

// A channel takes one message of a conflict-free pass, and members share no pass. -1: out of memory.
static int bound_passes(uint32_t *out, const struct loom_plan *plan, const uint32_t *load)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo);
	uint32_t *sum = calloc(n_channels, sizeof *sum);
	*out = 0;
	for (uint32_t member = 0; sum && member < plan->n_members; member++) {
		memset(sum, 0, n_channels * sizeof *sum);
		for (uint32_t pass = 0; pass < plan->n_passes; pass++)
			for (uint32_t c = 0; plan->member_of_pass[pass] == member && c < n_channels; c++)
				sum[c] += load[(size_t)pass * n_channels + c];
		*out += largest(plan, sum, true);
	}
	free(sum);
	return sum ? 0 : -1;
}

int loom_plan_predict(struct loom_plan *plan, struct loom_err *err)
{
	int rc = check(plan, err);
	if (rc != 0)
		return rc;

	uint32_t n_channels = loom_topo_channels(&plan->topo);
	uint64_t value = 0;
	uint32_t *load = calloc((size_t)plan->n_passes * n_channels, sizeof *load);
	uint64_t *cycles = calloc(plan->n_passes, sizeof *cycles);
	uint32_t *contention = calloc(plan->n_members, sizeof *contention);
	uint32_t *place = calloc(n_channels, sizeof *place);
	bool in_step = true;
	if (!load || !cycles || !contention || !place)
		goto no_memory;

	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t route[LOOM_ROUTE_MAX];
		unsigned length = route_of(plan, m, route);
		for (unsigned k = 0; k < length; k++)
			load[(size_t)m->pass * n_channels + route[k]]++;
		in_step = in_step && (!plan->free_running || keeps_step(place, route, length));
		uint64_t alone = loom_plan_message_cycles(plan, m);
		cycles[m->pass] = alone > cycles[m->pass] ? alone : cycles[m->pass];
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		const uint32_t *of_pass = load + (size_t)pass * n_channels;
		uint32_t most = largest(plan, of_pass, false), *worst = &contention[plan->member_of_pass[pass]];
		*worst = most > *worst ? most : *worst;
		// Two messages for one node wait for each other even where the network is free.
		if (largest(plan, of_pass, true) > 1)
			cycles[pass] = LOOM_CYCLES_UNKNOWN;
	}
	if (plan->free_running)
		predict_free_run(cycles, plan, in_step);
	if (bound_passes(&plan->passes_bound, plan, load) != 0)
		goto no_memory;
	if (plan->objective[0] && objective_value(&value, plan, load) != 0)
		goto no_memory;

	free(place);
	free(plan->load);
	free(plan->cycles);
	free(plan->member_contention);
	plan->load = load;
	plan->cycles = cycles;
	plan->member_contention = contention;
	plan->objective_value = value;
	return 0;

no_memory:
	free(place);
	free(load);
	free(cycles);
	free(contention);
	return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " passes on %s", plan->n_passes,
	                 plan->topo.name);
}

uint32_t loom_plan_pass_contention(const struct loom_plan *plan, uint32_t pass)
{
	assert(pass < plan->n_passes);
	return largest(plan, plan->load + (size_t)pass * loom_topo_channels(&plan->topo), false);
}

uint32_t loom_plan_contention(const struct loom_plan *plan)
{
	uint32_t most = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint32_t of_pass = loom_plan_pass_contention(plan, pass);
		most = of_pass > most ? of_pass : most;
	}
	return most;
}

uint64_t loom_plan_cycles(const struct loom_plan *plan)
{
	uint64_t sum = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		if (plan->cycles[pass] == LOOM_CYCLES_UNKNOWN)
			return LOOM_CYCLES_UNKNOWN;
		sum += plan->cycles[pass];
	}
	return sum;
}

int loom_plan_flits(uint64_t **out, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), route[LOOM_ROUTE_MAX];
	uint64_t *flits = calloc((size_t)plan->n_passes * n_channels + 1, sizeof *flits);
	if (!flits)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of %" PRIu32 " passes", plan->n_passes);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		unsigned length = route_of(plan, m, route);
		for (unsigned k = 0; k < length; k++)
			flits[(size_t)m->pass * n_channels + route[k]] += m->flits;
	}
	*out = flits;
	return 0;
}

size_t loom_plan_root(const struct loom_plan *plan, size_t i)
{
	while (plan->messages[i].from_slot)
		i = plan->messages[i].origin;
	return i;
}
