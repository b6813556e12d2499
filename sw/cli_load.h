// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_LOAD_H
#define FLITLOOM_CLI_LOAD_H

#include <flitloom/traffic.h>

#include "cli.h"

// `sweep --load`: a fabric under random traffic, at several loads, or the highest that it sustains.

// A fabric, a placement, a machine.
struct load_curve {
	struct loom_topo topo;
	enum loom_machine machine;
	char map_name[128]; // as asked for, or "best", "identity"
	char name[LOOM_TOPO_NAME +
	          160]; // what tells it from the others: fabric, map, machine; the fabric of the only one
	struct loom_traffic traffic;
	uint32_t *map; // owned
	double capacity;
};

enum load_state { LOAD_WAITS, LOAD_RUNS, LOAD_DONE };

struct load_row {
	const struct load_curve *curve;
	double load; // 0: the highest that is sustained
	enum load_state state;
	double part; // of what is to be done, as far as it has been said
	struct loom_load_point point;
};

struct load_sweep {
	const struct cli_request *request;
	size_t n_curves, n_rows;
	struct load_curve *curves; // owned
	struct load_row *rows;     // owned; curve by curve, loads ascending
	const char *error;         // why it ended early; NULL: it did not
};

// Makes the list of what to run (cli_load_curves.c). Free with load_sweep_free, whatever comes of it.
int load_sweep_make(struct load_sweep *s, struct loom_err *err);
void load_sweep_free(struct load_sweep *s);
// Finds where processors sit, by --map or an item of --compare: map[n_nodes] (cli_load_maps.c).
int load_map(uint32_t *map, const char *text, const struct loom_topo *topo, const struct loom_traffic *traffic,
             const struct cli_request *request, struct loom_err *err);

// Runs the rows, so many at a time, each in a process of its own (cli_load_jobs.c). `done` is called in the order of the
// rows, once for each that is done.
int load_run_rows(struct load_sweep *s,
                  int (*done)(struct load_sweep *s, const struct load_row *row, struct loom_err *err),
                  struct loom_err *err);
// Runs one row, on a link of its own (cli_load_point.c). watch is told the part that is done.
int load_run_row(struct loom_load_point *out, const struct load_sweep *s, const struct load_row *row,
                 int (*watch)(void *user, double part), void *user, struct loom_err *err);

// Write the results (cli_load_output.c, cli_load_plot.c).
void load_put_heading(const struct load_sweep *s);
int load_put_row(const struct load_sweep *s, const struct load_row *row, struct loom_err *err);
int load_put_json(const struct load_sweep *s, struct loom_err *err);
int load_write_csv(const struct load_sweep *s, struct loom_err *err); // to --csv
int load_plot(const struct load_sweep *s, struct loom_err *err);      // to --svg

#endif
