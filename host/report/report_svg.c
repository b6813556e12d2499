// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the picture that suits the fabric and writes it.
#include "report/report_svg.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/file.h"
#include "machine/compute.h"
#include "topo/topo_min.h"
#include "topo/topo_ocs.h"

static int check_panel(const char *path, enum loom_picture picture, const struct loom_panel *panel,
                       struct loom_err *err)
{
	const struct loom_plan *plan = panel->plan;
	const struct loom_trace *trace = panel->trace;
	if (trace && (trace->n_channels != loom_topo_channels(&plan->topo) || trace->n_passes != plan->n_passes))
		return loom_fail(err, LOOM_EINTERNAL, "%.200s: a trace and a plan of different shapes", path);
	if (panel->pass && *panel->pass >= plan->n_passes)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.200s: there is no pass %" PRIu32 " to draw; the plan has %" PRIu32, path,
		                 *panel->pass, plan->n_passes);
	if (plan->most && (picture == LOOM_PICTURE_PATHS || picture == LOOM_PICTURE_CHART))
		return loom_fail(
			err, LOOM_EINPUT,
			"%.200s: by rule %s routers choose, and a plan has no paths to draw; loads can be drawn", path,
			loom_rule_name(plan->messages[0].rule));
	if (picture == LOOM_PICTURE_PATHS && plan->topo.n_nodes > LOOM_PATHS_NODES)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.200s: paths of %" PRIu32 " nodes could not be told apart; of %d at most, or loads",
		                 path, plan->topo.n_nodes, LOOM_PATHS_NODES);
	return 0;
}

// The usual picture; `staged`: all panels are of multistage networks; `moves`: all are plans of moves.
static enum loom_picture usual(bool staged, bool moves, const struct loom_panel *panels, size_t n_panels)
{
	if (moves)
		return LOOM_PICTURE_MOVES;
	bool paths = true;
	for (size_t i = 0; i < n_panels; i++)
		paths = paths && !panels[i].plan->most;
	for (size_t i = 0; !staged && i < n_panels; i++)
		paths = paths && panels[i].pass && loom_topo_links(&panels[i].plan->topo) > 0 &&
		        panels[i].plan->topo.n_nodes <= LOOM_PATHS_NODES;
	return paths ? LOOM_PICTURE_PATHS : LOOM_PICTURE_LOADS;
}

// Properties that hold for all panels.
struct alike {
	bool staged, direct, grid, moves, circuits;
};

static struct alike what_is_alike(const struct loom_panel *panels, size_t n_panels)
{
	struct alike all = {true, true, true, true, true};
	for (size_t i = 0; i < n_panels; i++) {
		const struct loom_topo *topo = &panels[i].plan->topo;
		struct loom_min net;
		all.staged = all.staged && loom_topo_min(&net, topo, LOOM_RULE_ASCENDING);
		all.direct = all.direct && loom_topo_links(topo) > 0;
		all.grid = all.grid && loom_svg_grid_suits(topo);
		all.moves = all.moves && loom_svg_moves_suit(panels[i].plan);
		all.circuits = all.circuits && loom_topo_has_circuits(topo);
	}
	return all;
}

static enum loom_picture choose(enum loom_picture picture, const struct alike *all, const struct loom_panel *panels,
                                size_t n_panels)
{
	if (picture != LOOM_PICTURE_USUAL)
		return picture;
	return all->circuits ? LOOM_PICTURE_CHART : usual(all->staged, all->moves, panels, n_panels);
}

int loom_report_picture_check(const char *path, enum loom_picture picture, const struct loom_panel *panels,
                              size_t n_panels, struct loom_err *err)
{
	const struct alike all = what_is_alike(panels, n_panels);
	picture = choose(picture, &all, panels, n_panels);
	for (size_t i = 0; i < n_panels; i++) {
		int rc = check_panel(path, picture, &panels[i], err);
		if (rc != 0)
			return rc;
	}
	if (picture == LOOM_PICTURE_MOVES && !all.moves)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.200s: this is no plan of moves, one hop each, on an otis-mesh of up to 16 groups; "
		                 "loads or paths can be drawn",
		                 path);
	return 0;
}

static int put_picture(FILE *stream, const char *path, enum loom_picture picture, const struct loom_panel *panels,
                       size_t n_panels, struct loom_err *err)
{
	const struct alike all = what_is_alike(panels, n_panels);
	picture = choose(picture, &all, panels, n_panels);
	if (picture == LOOM_PICTURE_CHART && all.circuits)
		return loom_svg_circuits(stream, panels, n_panels, err);
	if (picture == LOOM_PICTURE_CHART)
		return loom_svg_chart(stream, panels, n_panels, path, err);
	int rc = picture == LOOM_PICTURE_MOVES ? loom_svg_moves(stream, panels, n_panels)
	         : picture != LOOM_PICTURE_PATHS || !(all.staged || all.direct)
	                 ? (all.grid ? loom_svg_grid : loom_svg_groups)(stream, panels, n_panels)
	                 : (all.staged ? loom_svg_stages : loom_svg_paths)(stream, panels, n_panels);
	return rc == 0 ? 0 : loom_fail(err, rc, "out of memory for a picture of %zu panels", n_panels);
}

// If routers choose, the machine says what channels carry; of those panels that show no trace.
static int put_computed(FILE *stream, const char *path, enum loom_picture picture, const struct loom_panel *panels,
                        size_t n_panels, struct loom_err *err)
{
	struct loom_panel *with = calloc(n_panels, sizeof *with);
	struct loom_trace *traces = calloc(n_panels, sizeof *traces);
	int rc =
		with && traces ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a picture of %zu panels", n_panels);
	for (size_t i = 0; rc == 0 && i < n_panels; i++) {
		const struct loom_machine_options options = {.image = {.machine = panels[i].machine}};
		with[i] = panels[i];
		if (panels[i].trace || !panels[i].plan->most)
			continue;
		rc = loom_machine_compute(&traces[i], panels[i].plan, &options, err);
		with[i].trace = &traces[i];
	}
	if (rc == 0)
		rc = put_picture(stream, path, picture, with, n_panels, err);
	for (size_t i = 0; traces && i < n_panels; i++)
		loom_trace_free(&traces[i]);
	free(traces);
	free(with);
	return rc;
}

int loom_report_picture(const char *path, enum loom_picture picture, const struct loom_panel *panels, size_t n_panels,
                        struct loom_err *err)
{
	char *text = NULL;
	size_t size = 0;
	assert(n_panels > 0);
	int rc = loom_report_picture_check(path, picture, panels, n_panels, err);
	if (rc != 0)
		return rc;
	FILE *stream = open_memstream(&text, &size);
	rc = stream ? put_computed(stream, path, picture, panels, n_panels, err)
	            : loom_fail(err, LOOM_ENOMEM, "out of memory for a picture of %zu panels", n_panels);
	if (stream && (fclose(stream) != 0 || !text) && rc == 0)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a picture of %zu panels", n_panels);
	if (rc == 0)
		rc = loom_file_write_text(path, text, size, err);
	free(text);
	return rc;
}
