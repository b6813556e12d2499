// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_KINDS_H
#define LOOM_TOPO_KINDS_H

#include <flitloom/topo.h>

// The kinds of fabric, in the order in which a person sees them. X(cube) is `loom_topo_kind_cube` of topo_cube.c: a new
// kind is a row here and a file topo_<kind>.c. The multistage networks share topo_min.c. graph comes before the other
// kinds that are the same kind to a chip.
#define LOOM_TOPO_KINDS(X)                                                                                             \
	X(cube)                                                                                                        \
	X(line)                                                                                                        \
	X(ring)                                                                                                        \
	X(mesh)                                                                                                        \
	X(torus)                                                                                                       \
	X(table_mesh)                                                                                                  \
	X(table_torus)                                                                                                 \
	X(table_cube)                                                                                                  \
	X(otis_mesh)                                                                                                   \
	X(graph)                                                                                                       \
	X(twisted_torus)                                                                                               \
	X(hyperx)                                                                                                      \
	X(dragonfly)                                                                                                   \
	X(fat_tree)                                                                                                    \
	X(slim_fly)                                                                                                    \
	X(random) X(baseline) X(omega) X(icube) X(rbaseline) X(romega) X(ricube) X(benes) X(ocs) X(ocs_benes)

#define X(kind) extern const struct loom_topo_kind loom_topo_kind_##kind;
LOOM_TOPO_KINDS(X)
#undef X

// Makes the fabric of `kind`, which need not be a row above. `size` is the text after the colon of a name.
// LOOM_EINTERNAL: the kind has a mistake.
int loom_topo_of_size(struct loom_topo *out, const struct loom_topo_kind *kind, const char *size, struct loom_err *err);
// Computes the label's bits from kind, n_nodes, n_dims and extent.
unsigned loom_topo_label_bits(const struct loom_topo *t);
// Fills in what follows from the rest of *t, and does all checks of topo_check.h.
int loom_topo_finish(struct loom_topo *t, struct loom_err *err);

#endif
