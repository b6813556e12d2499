// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the picture that suits the fabric and writes it.
#include "report/report_svg.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "topo/topo_min.h"

struct text {
	const char *at;
	size_t size;
};

// What could not be written the stream remembers.
static int put_file(FILE *stream, const void *user)
{
	const struct text *text = user;
	(void)fwrite(text->at, 1, text->size, stream);
	return 0;
}

int loom_report_svg(const char *path, const struct loom_panel *panels, size_t n_panels, struct loom_err *err)
{
	char *text = NULL;
	size_t size = 0;
	bool staged = true, grid = true;
	assert(n_panels > 0);
	for (size_t i = 0; i < n_panels; i++) {
		const struct loom_plan *plan = panels[i].plan;
		const struct loom_trace *trace = panels[i].trace;
		struct loom_min net;
		staged = staged && loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING);
		grid = grid && loom_svg_grid_suits(&plan->topo);
		if (trace &&
		    (trace->n_channels != loom_topo_channels(&plan->topo) || trace->n_passes != plan->n_passes))
			return loom_fail(err, LOOM_EINTERNAL, "%.200s: a trace and a plan of different shapes", path);
		if (panels[i].pass && *panels[i].pass >= plan->n_passes)
			return loom_fail(err, LOOM_EINPUT,
			                 "%.200s: there is no pass %" PRIu32 " to draw; the plan has %" PRIu32, path,
			                 *panels[i].pass, plan->n_passes);
	}
	FILE *stream = open_memstream(&text, &size);
	int rc = !stream  ? LOOM_ENOMEM
	         : staged ? loom_svg_stages(stream, panels, n_panels)
	         : grid   ? loom_svg_grid(stream, panels, n_panels)
	                  : loom_svg_groups(stream, panels, n_panels);
	if (stream && (fclose(stream) != 0 || !text))
		rc = LOOM_ENOMEM;
	if (rc != 0)
		(void)loom_fail(err, rc, "out of memory for a picture of %zu panels", n_panels);
	else
		rc = loom_file_write(path, put_file, &(struct text){text, size}, err);
	free(text);
	return rc;
}
