// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_SWEEP_H
#define FLITLOOM_CLI_SWEEP_H

#include "cli.h"

// A quantity over the seeds of a row (cli_sweep_spread.c).
struct sweep_spread {
	uint32_t n;
	uint64_t least, most;
	double mean, square; // sum of the squared distances from the mean
};

void sweep_spread_add(struct sweep_spread *s, uint64_t value);
double sweep_spread_deviation(const struct sweep_spread *s); // of a sample; 0 of one value

enum sweep_state { SWEEP_WAITS, SWEEP_DONE, SWEEP_LEFT_OUT };

// One fabric, one length of message, one machine; all seeds.
struct sweep_row {
	struct loom_topo topo;
	char curve[LOOM_TOPO_NAME]; // the kind that --nodes goes through, or the fabric as given
	uint32_t flits_asked;       // of a message, where the pattern does not say
	// The shortest and the longest message of the pattern; 0 until it is planned. With own_lengths --flits has no say in them.
	uint32_t flits_least, flits_most;
	bool own_lengths;
	enum loom_machine machine;
	enum sweep_state state;
	char reason[200]; // why it was left out; or the first difference, of a row that differs
	char planner[32];
	uint64_t messages, flits;                                    // of the last seed
	struct sweep_spread passes, contention, predicted, measured; // measured: none with --plan-only
	struct sweep_spread back_to_back; // from the first START, barriers included; of the seeds for which it is known
	bool one_start;                   // every seed is one pass, or free-running: nothing is between passes
	bool predicted_known;             // for every seed
	size_t n_mismatches;              // over all seeds
};

struct sweep {
	const struct cli_request *request;
	size_t n_rows;
	struct sweep_row *rows; // owned; fabric by fabric, then length by length, then machine by machine
	uint32_t n_seeds;
	bool many_flits, many_machines; // more than one
	const char *error;              // why it ended early; NULL: it did not
};

// Makes the list of what to run (cli_sweep_rows.c): fabrics, lengths and machines, as the request says. Free with
// free(s->rows).
int sweep_rows_make(struct sweep *s, struct loom_err *err);

// The results (cli_sweep_output.c).
bool sweep_measures(const struct sweep *s);
// The one length of the row's messages; 0: they differ, or nobody knows, as the row was left out.
uint32_t sweep_flits_per_message(const struct sweep_row *row);
bool sweep_has_back_to_back(const struct sweep *s, const struct sweep_row *row);
// Writes what stands behind the pattern's name: ", 17 flits a message", "" if there is nothing to say.
void sweep_lengths(char *out, size_t size, const struct sweep *s);
void sweep_put_heading(const struct sweep *s);
int sweep_put_row(const struct sweep *s, const struct sweep_row *row, struct loom_err *err);
int sweep_put_json(const struct sweep *s, struct loom_err *err);
int sweep_write_csv(const struct sweep *s, struct loom_err *err); // to --csv
int sweep_plot(const struct sweep *s, struct loom_err *err);      // to --svg (cli_sweep_plot.c)

#endif
