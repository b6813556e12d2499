// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A function that frees a structure gives back all that is in it, leaves it zeroed, and may be called again. So a structure that
// is freed on two ways out of a function is freed once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/goal.h>
#include <flitloom/link/image.h>
#include <flitloom/math/formula.h>
#include <flitloom/math/otis.h>
#include <flitloom/plan.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/graph.h>
#include <flitloom/routes/route_tables.h>
#include <flitloom/routes/rule_freedom.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/routes/virtual_networks.h>
#include <flitloom/trace.h>
#include <flitloom/traffic.h>

#include "chip/programs.h"
#include "check/due.h"
#include "goal/goal_internal.h"
#include "links/rtl_module.h"
#include "machine/agenda.h"
#include "machine/network.h"
#include "machine/play.h"
#include "pattern/pattern_internal.h"
#include "plan/cycles/cycles.h"
#include "plan/cycles/message_order.h"
#include "plan/placement/placement.h"
#include "plan/routes/box.h"
#include "plan/routes/distances.h"
#include "plan/routes/table_ways.h"
#include "report/report_admissible.h"
#include "report/report_chart.h"
#include "report/report_html_ways.h"
#include "report/report_svg_places.h"
#include "report/report_svg_waits.h"
#include "topo/channel_graph.h"
#include "traffic/book.h"
#include "traffic/histogram.h"
#include "traffic/load_queue.h"
#include "unit/help/memory/failing_memory.h"

enum { FIELDS_MOST = 12, SIZE_MOST = 1 << 16, PIECE = 4096 };

struct row {
	const char *name;
	size_t size;
	bool null_allowed;
	void (*give_back)(void *it);
	size_t n, field[FIELDS_MOST]; // the offsets of pointers that it owns
};

static void free_loom_topo(void *it)
{
	loom_topo_free(it);
}

static void free_loom_graph_wires(void *it)
{
	loom_graph_wires_free(it);
}

static void free_loom_failures(void *it)
{
	loom_failures_free(it);
}

static void free_loom_routes(void *it)
{
	loom_routes_free(it);
}

static void free_loom_route_tables(void *it)
{
	loom_route_tables_free(it);
}

static void free_loom_table_file(void *it)
{
	loom_table_file_free(it);
}

static void free_loom_table_faults(void *it)
{
	loom_table_faults_free(it);
}

static void free_loom_dependency_cycle(void *it)
{
	loom_dependency_cycle_free(it);
}

static void free_loom_lane_circle(void *it)
{
	loom_lane_circle_free(it);
}

static void free_loom_turns(void *it)
{
	loom_turns_free(it);
}

static void free_loom_rule_freedom(void *it)
{
	loom_rule_freedom_free(it);
}

static void free_loom_goal(void *it)
{
	loom_goal_free(it);
}

static void free_loom_pattern(void *it)
{
	loom_pattern_free(it);
}

static void free_loom_plan(void *it)
{
	loom_plan_free(it);
}

static void free_loom_formula(void *it)
{
	loom_formula_free(it);
}

static void free_loom_otis_moves(void *it)
{
	loom_otis_moves_free(it);
}

static void free_loom_image(void *it)
{
	loom_image_free(it);
}

static void free_loom_trace(void *it)
{
	loom_trace_free(it);
}

static void free_loom_traffic(void *it)
{
	loom_traffic_free(it);
}

static void free_loom_load_groups(void *it)
{
	loom_load_groups_free(it);
}

static void free_loom_load_log(void *it)
{
	loom_load_log_free(it);
}

static void free_loom_channel_graph(void *it)
{
	loom_channel_graph_free(it);
}

static void free_loom_lane_graphs(void *it)
{
	loom_lane_graphs_free(it);
}

static void free_loom_goal_index(void *it)
{
	loom_goal_index_free(it);
}

static void free_loom_message_list(void *it)
{
	loom_message_list_free(it);
}

static void free_loom_play(void *it)
{
	loom_play_free(it);
}

static void free_loom_machine_network(void *it)
{
	loom_machine_network_free(it);
}

static void free_loom_agenda(void *it)
{
	loom_agenda_free(it);
}

static void free_loom_chart(void *it)
{
	loom_chart_free(it);
}

static void free_loom_svg_waits(void *it)
{
	loom_svg_waits_free(it);
}

static void free_loom_svg_places(void *it)
{
	loom_svg_places_free(it);
}

static void free_loom_report_admissible(void *it)
{
	loom_report_admissible_free(it);
}

static void free_loom_message_order(void *it)
{
	loom_message_order_free(it);
}

static void free_loom_route_change(void *it)
{
	loom_route_change_free(it);
}

static void free_loom_task_graph(void *it)
{
	loom_task_graph_free(it);
}

static void free_loom_place_net(void *it)
{
	loom_place_net_free(it);
}

static void free_loom_chosen_ways(void *it)
{
	loom_chosen_ways_free(it);
}

static void free_loom_region(void *it)
{
	loom_region_free(it);
}

static void free_loom_box(void *it)
{
	loom_box_free(it);
}

static void free_loom_box_search(void *it)
{
	loom_box_search_free(it);
}

static void free_loom_distances(void *it)
{
	loom_distances_free(it);
}

static void free_loom_programs(void *it)
{
	loom_programs_free(it);
}

static void free_loom_due(void *it)
{
	loom_due_free(it);
}

static void free_loom_machine_crossings(void *it)
{
	loom_machine_crossings_free(it);
}

static void free_loom_html_ways(void *it)
{
	loom_html_ways_free(it);
}

static void free_loom_book(void *it)
{
	loom_book_free(it);
}

static void free_loom_histogram(void *it)
{
	loom_histogram_free(it);
}

static void free_loom_load_queue(void *it)
{
	loom_load_queue_free(it);
}

static void free_loom_rtl_module(void *it)
{
	loom_rtl_module_free(it);
}

static const struct row rows[] = {
	{"loom_topo", sizeof(struct loom_topo), true, free_loom_topo, 0, {0}},
	{"loom_graph_wires",
         sizeof(struct loom_graph_wires),
         true,
         free_loom_graph_wires,
         2,
         {offsetof(struct loom_graph_wires, name), offsetof(struct loom_graph_wires, link)}},
	{"loom_routes",
         sizeof(struct loom_routes),
         true,
         free_loom_routes,
         2,
         {offsetof(struct loom_routes, first), offsetof(struct loom_routes, channel)}},
	{"loom_route_tables",
         sizeof(struct loom_route_tables),
         true,
         free_loom_route_tables,
         3,
         {offsetof(struct loom_route_tables, port), offsetof(struct loom_route_tables, label),
          offsetof(struct loom_route_tables, network)}},
	{"loom_table_file",
         sizeof(struct loom_table_file),
         true,
         free_loom_table_file,
         1,
         {offsetof(struct loom_table_file, entry)}},
	{"loom_table_faults",
         sizeof(struct loom_table_faults),
         true,
         free_loom_table_faults,
         1,
         {offsetof(struct loom_table_faults, fault)}},
	{"loom_dependency_cycle",
         sizeof(struct loom_dependency_cycle),
         true,
         free_loom_dependency_cycle,
         1,
         {offsetof(struct loom_dependency_cycle, channel)}},
	{"loom_lane_circle",
         sizeof(struct loom_lane_circle),
         true,
         free_loom_lane_circle,
         1,
         {offsetof(struct loom_lane_circle, at)}},
	{"loom_turns",
         sizeof(struct loom_turns),
         true,
         free_loom_turns,
         2,
         {offsetof(struct loom_turns, forbidden), offsetof(struct loom_turns, from)}},
	{"loom_rule_freedom",
         sizeof(struct loom_rule_freedom),
         true,
         free_loom_rule_freedom,
         2,
         {offsetof(struct loom_rule_freedom, number), offsetof(struct loom_rule_freedom, wait)}},
	{"loom_goal",
         sizeof(struct loom_goal),
         true,
         free_loom_goal,
         2,
         {offsetof(struct loom_goal, ops), offsetof(struct loom_goal, needs)}},
	{"loom_pattern",
         sizeof(struct loom_pattern),
         true,
         free_loom_pattern,
         2,
         {offsetof(struct loom_pattern, messages), offsetof(struct loom_pattern, lccs)}},
	{"loom_plan",
         sizeof(struct loom_plan),
         true,
         free_loom_plan,
         12,
         {offsetof(struct loom_plan, messages), offsetof(struct loom_plan, routes.first),
          offsetof(struct loom_plan, routes.channel), offsetof(struct loom_plan, label),
          offsetof(struct loom_plan, map), offsetof(struct loom_plan, load), offsetof(struct loom_plan, most),
          offsetof(struct loom_plan, cycles), offsetof(struct loom_plan, member_contention),
          offsetof(struct loom_plan, member_of_pass), offsetof(struct loom_plan, theory),
          offsetof(struct loom_plan, making)}},
	{"loom_formula",
         sizeof(struct loom_formula),
         true,
         free_loom_formula,
         2,
         {offsetof(struct loom_formula, member_contention), offsetof(struct loom_formula, cycles)}},
	{"loom_otis_moves",
         sizeof(struct loom_otis_moves),
         true,
         free_loom_otis_moves,
         4,
         {offsetof(struct loom_otis_moves, at), offsetof(struct loom_otis_moves, direction),
          offsetof(struct loom_otis_moves, first), offsetof(struct loom_otis_moves, hop)}},
	{"loom_image",
         sizeof(struct loom_image),
         true,
         free_loom_image,
         4,
         {offsetof(struct loom_image, blocks), offsetof(struct loom_image, pool), offsetof(struct loom_image, configs),
          offsetof(struct loom_image, entries)}},
	{"loom_trace",
         sizeof(struct loom_trace),
         true,
         free_loom_trace,
         7,
         {offsetof(struct loom_trace, arrivals), offsetof(struct loom_trace, counts), offsetof(struct loom_trace, sent),
          offsetof(struct loom_trace, corrupt), offsetof(struct loom_trace, released),
          offsetof(struct loom_trace, first_entry), offsetof(struct loom_trace, lost),
          offsetof(struct loom_trace, back_to_back)}},
	{"loom_failures",
         sizeof(struct loom_failures),
         true,
         free_loom_failures,
         3,
         {offsetof(struct loom_failures, text), offsetof(struct loom_failures, link),
          offsetof(struct loom_failures, node)}},
	{"loom_traffic",
         sizeof(struct loom_traffic),
         true,
         free_loom_traffic,
         2,
         {offsetof(struct loom_traffic, destination), offsetof(struct loom_traffic, among)}},
	{"loom_load_groups",
         sizeof(struct loom_load_groups),
         true,
         free_loom_load_groups,
         3,
         {offsetof(struct loom_load_groups, group), offsetof(struct loom_load_groups, latency),
          offsetof(struct loom_load_groups, place)}},
	{"loom_load_log",
         sizeof(struct loom_load_log),
         true,
         free_loom_load_log,
         2,
         {offsetof(struct loom_load_log, messages), offsetof(struct loom_load_log, counts)}},
	{"loom_channel_graph",
         sizeof(struct loom_channel_graph),
         false,
         free_loom_channel_graph,
         2,
         {offsetof(struct loom_channel_graph, edge), offsetof(struct loom_channel_graph, arrays)}},
	{"loom_lane_graphs",
         sizeof(struct loom_lane_graphs),
         false,
         free_loom_lane_graphs,
         1,
         {offsetof(struct loom_lane_graphs, lane)}},
	{"loom_goal_index",
         sizeof(struct loom_goal_index),
         false,
         free_loom_goal_index,
         2,
         {offsetof(struct loom_goal_index, first), offsetof(struct loom_goal_index, need)}},
	{"loom_message_list",
         sizeof(struct loom_message_list),
         true,
         free_loom_message_list,
         2,
         {offsetof(struct loom_message_list, messages), offsetof(struct loom_message_list, release)}},
	{"loom_play",
         sizeof(struct loom_play),
         false,
         free_loom_play,
         4,
         {offsetof(struct loom_play, programs.entry), offsetof(struct loom_play, programs.first),
          offsetof(struct loom_play, arrays), offsetof(struct loom_play, way)}},
	{"loom_machine_network",
         sizeof(struct loom_machine_network),
         false,
         free_loom_machine_network,
         2,
         {offsetof(struct loom_machine_network, rank), offsetof(struct loom_machine_network, is_light)}},
	{"loom_agenda", sizeof(struct loom_agenda), false, free_loom_agenda, 1, {offsetof(struct loom_agenda, far)}},
	{"loom_chart",
         sizeof(struct loom_chart),
         false,
         free_loom_chart,
         4,
         {offsetof(struct loom_chart, began), offsetof(struct loom_chart, cycles), offsetof(struct loom_chart, rows),
          offsetof(struct loom_chart, bars)}},
	{"loom_svg_waits",
         sizeof(struct loom_svg_waits),
         false,
         free_loom_svg_waits,
         4,
         {offsetof(struct loom_svg_waits, due.times), offsetof(struct loom_svg_waits, due.last),
          offsetof(struct loom_svg_waits, due.trace.arrivals), offsetof(struct loom_svg_waits, fates)}},
	{"loom_svg_places",
         sizeof(struct loom_svg_places),
         false,
         free_loom_svg_places,
         1,
         {offsetof(struct loom_svg_places, at)}},
	{"loom_report_admissible",
         sizeof(struct loom_report_admissible),
         true,
         free_loom_report_admissible,
         1,
         {offsetof(struct loom_report_admissible, settings)}},
	{"loom_message_order",
         sizeof(struct loom_message_order),
         false,
         free_loom_message_order,
         2,
         {offsetof(struct loom_message_order, place), offsetof(struct loom_message_order, first)}},
	{"loom_route_change",
         sizeof(struct loom_route_change),
         false,
         free_loom_route_change,
         7,
         {offsetof(struct loom_route_change, messages), offsetof(struct loom_route_change, region.box.room),
          offsetof(struct loom_route_change, region.of_box.best),
          offsetof(struct loom_route_change, region.distances.arrays), offsetof(struct loom_route_change, cost),
          offsetof(struct loom_route_change, channel), offsetof(struct loom_route_change, old)}},
	{"loom_task_graph",
         sizeof(struct loom_task_graph),
         true,
         free_loom_task_graph,
         3,
         {offsetof(struct loom_task_graph, edge), offsetof(struct loom_task_graph, first),
          offsetof(struct loom_task_graph, incident)}},
	{"loom_place_net",
         sizeof(struct loom_place_net),
         true,
         free_loom_place_net,
         2,
         {offsetof(struct loom_place_net, neighbour), offsetof(struct loom_place_net, hops)}},
	{"loom_chosen_ways",
         sizeof(struct loom_chosen_ways),
         true,
         free_loom_chosen_ways,
         4,
         {offsetof(struct loom_chosen_ways, routes.first), offsetof(struct loom_chosen_ways, routes.channel),
          offsetof(struct loom_chosen_ways, network), offsetof(struct loom_chosen_ways, label)}},
	{"loom_region",
         sizeof(struct loom_region),
         true,
         free_loom_region,
         4,
         {offsetof(struct loom_region, box.room), offsetof(struct loom_region, of_box.best),
          offsetof(struct loom_region, of_box.choice), offsetof(struct loom_region, distances.arrays)}},
	{"loom_box", sizeof(struct loom_box), true, free_loom_box, 1, {offsetof(struct loom_box, room)}},
	{"loom_box_search",
         sizeof(struct loom_box_search),
         true,
         free_loom_box_search,
         2,
         {offsetof(struct loom_box_search, best), offsetof(struct loom_box_search, choice)}},
	{"loom_distances",
         sizeof(struct loom_distances),
         true,
         free_loom_distances,
         1,
         {offsetof(struct loom_distances, arrays)}},
	{"loom_programs",
         sizeof(struct loom_programs),
         true,
         free_loom_programs,
         2,
         {offsetof(struct loom_programs, entry), offsetof(struct loom_programs, first)}},
	{"loom_due",
         sizeof(struct loom_due),
         false,
         free_loom_due,
         4,
         {offsetof(struct loom_due, times), offsetof(struct loom_due, last), offsetof(struct loom_due, trace.arrivals),
          offsetof(struct loom_due, trace.counts)}},
	{"loom_machine_crossings",
         sizeof(struct loom_machine_crossings),
         true,
         free_loom_machine_crossings,
         2,
         {offsetof(struct loom_machine_crossings, first), offsetof(struct loom_machine_crossings, at)}},
	{"loom_html_ways",
         sizeof(struct loom_html_ways),
         false,
         free_loom_html_ways,
         2,
         {offsetof(struct loom_html_ways, place), offsetof(struct loom_html_ways, next)}},
	{"loom_book", sizeof(struct loom_book), false, free_loom_book, 1, {offsetof(struct loom_book, arrays)}},
	{"loom_histogram",
         sizeof(struct loom_histogram),
         false,
         free_loom_histogram,
         1,
         {offsetof(struct loom_histogram, count)}},
	{"loom_load_queue",
         sizeof(struct loom_load_queue),
         false,
         free_loom_load_queue,
         1,
         {offsetof(struct loom_load_queue, entry)}},
	{"loom_rtl_module",
         sizeof(struct loom_rtl_module),
         false,
         free_loom_rtl_module,
         1,
         {offsetof(struct loom_rtl_module, files)}},
};

static void test_given_back(void **state)
{
	(void)state;
	static const unsigned char zeros[SIZE_MOST];
	static _Alignas(max_align_t) unsigned char it[SIZE_MOST];
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		const struct row *row = &rows[r];
		assert_true(row->size <= SIZE_MOST);
		memset(it, 0, row->size);
		memory_arm(0, false);
		const size_t live = memory_live();
		for (size_t i = 0; i < row->n; i++) {
			void *piece = calloc(1, PIECE);
			assert_non_null(piece);
			memcpy(it + row->field[i], &piece, sizeof piece);
		}
		assert_int_equal(memory_live(), live + row->n);
		row->give_back(it);
		if (memory_live() != live)
			fail_msg("%s: %zu of %zu pieces are left", row->name, memory_live() - live, row->n);
		if (memcmp(it, zeros, row->size) != 0)
			fail_msg("%s is not zeroed", row->name);
		row->give_back(it);
		if (row->null_allowed)
			row->give_back(NULL);
		(void)memory_disarm();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_given_back)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
