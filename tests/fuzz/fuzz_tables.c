// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables are either refused, with a text and nothing else changed, or have faults that are listed, or can be followed.
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/table_file.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void follow(const struct loom_route_tables *tables, const struct loom_topo *topo)
{
	struct loom_table_ways ways;
	struct loom_lane_circle circle;
	if (loom_table_ways_count(&ways, tables, topo, NULL) != 0 || ways.longest >= topo->n_nodes ||
	    ways.n_pairs > ways.n_entries)
		abort();
	if (loom_table_ways_circle(&circle, tables, topo, NULL) != 0)
		abort();
	loom_lane_circle_free(&circle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct loom_topo topo;
	struct loom_table_file own, before;
	struct loom_table_faults faults;
	struct loom_route_tables tables;
	struct loom_err err = {0};
	if (loom_topo_parse(&topo, "table-mesh:3x3", NULL) != 0)
		abort();
	memset(&own, 0xa5, sizeof own);
	memcpy(&before, &own, sizeof own);
	if (loom_table_file_parse(&own, &topo, (const char *)data, size, "fuzz", &err) != 0) {
		if (!err.text[0] || memcmp(&own, &before, sizeof own) != 0)
			abort();
		return 0;
	}
	if (own.n == 0 || loom_table_file_check(&faults, &own, &topo, NULL) != 0)
		abort();
	int rc = loom_route_tables_of_file(&tables, &own, &topo, &err);
	if ((rc != 0) != (faults.n_all != 0) || faults.n > faults.n_all)
		abort();
	if (rc == 0) {
		follow(&tables, &topo);
		loom_route_tables_free(&tables);
	}
	loom_table_faults_free(&faults);
	loom_table_file_free(&own);
	return 0;
}
