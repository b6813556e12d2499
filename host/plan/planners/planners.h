// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNERS_H
#define LOOM_PLANNERS_H

#include <flitloom/planner.h>

// The planners, loom_planner_NAME each, in order of preference.
// clang-format off
#define LOOM_PLANNERS(X)                                                                                               \
	X(lcc)                                                                                                         \
	X(linear_map)                                                                                                  \
	X(lcc_set)                                                                                                     \
	X(latin)                                                                                                       \
	X(exchange)                                                                                                    \
	X(two_pass)                                                                                                    \
	X(otis)                                                                                                        \
	X(min_passes)                                                                                                  \
	X(mesh)                                                                                                        \
	X(torus)                                                                                                       \
	X(line)                                                                                                        \
	X(ring)                                                                                                        \
	X(exact)                                                                                                       \
	X(greedy)                                                                                                      \
	X(ad_hoc)                                                                                                      \
	X(direct)                                                                                                      \
	X(xy)                                                                                                          \
	X(yx)                                                                                                          \
	X(block)                                                                                                       \
	X(reroute)                                                                                                     \
	X(routes_passes)                                                                                               \
	X(order)                                                                                                       \
	X(all_pairs)                                                                                                   \
	X(by_destination)                                                                                              \
	X(light)                                                                                                       \
	X(birkhoff)                                                                                                    \
	X(solstice)                                                                                                    \
	X(eclipse)                                                                                                     \
	X(rotor)                                                                                                       \
	X(tables)
// clang-format on
#define X(name) extern const struct loom_planner loom_planner_##name;
LOOM_PLANNERS(X)
#undef X

// For planners that are used only if the request names them.
bool loom_planner_never_volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern);
// A message, and its place before messages were sorted by pass.
struct loom_planner_entry {
	struct loom_plan_message message;
	size_t place;
};
void loom_planner_sort(struct loom_planner_entry *entries, size_t n);
// For planners that report the objective of a set although they did not choose by it.
void loom_planner_report_objective(struct loom_plan *plan, const struct loom_planner_request *request);

// Chooses a free map for lcc and lcc_set, and reports their facts about it: for one communication the order of
// address bits; for a set the bound and the objective with its name (the order of a set is set only if the map is
// free).
int loom_lcc_settle(unsigned *order, const struct loom_lcc *lcc, struct loom_err *err);
struct loom_lcc_settled {
	const char *objective; // the name of the objective
	uint64_t value;        // the value of the objective
	uint32_t lower_bound;  // a lower bound of the contention
};
int loom_lcc_set_settle(unsigned *order, struct loom_lcc_settled *out, const struct loom_pattern *pattern,
                        const char *objective, bool is_free, struct loom_err *err);
// Sets the formulas' predictions for each pass of the plan, whose members these are, under that order.
int loom_lcc_set_theory(struct loom_plan *plan, const struct loom_lcc *lccs, const unsigned *order,
                        struct loom_err *err);

#endif
