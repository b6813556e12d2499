// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_FST_H
#define FLITLOOM_CLI_FST_H

#include <stddef.h>

#include <flitloom/err.h>

// A signal of a waveform (FST) and its name, in the order of the file. Paths are those of GTKWave: "a.b.count[31:0]".
struct cli_fst_signal {
	char *path;     // owned
	size_t n_scope; // of its bytes are the scope, "a.b"
	unsigned n_bits;
};

struct cli_fst {
	struct cli_fst_signal *signals; // owned
	size_t n_signals;
};

// LOOM_EFILE: it cannot be read, or its list of signals is not as expected.
int cli_fst_read(struct cli_fst *out, const char *path, struct loom_err *err);
void cli_fst_free(struct cli_fst *fst); // leaves *fst zeroed

#endif
