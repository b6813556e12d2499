// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chips.h"

struct loom_chip chip_for(const struct loom_topo *t)
{
	struct loom_chip chip = {.kind = t->kind->code,
	                         .n_nodes = t->n_nodes,
	                         .n_tiles = t->n_tiles,
	                         .n_channels = loom_topo_channels_per_tile(t),
	                         .flit_bits = 32,
	                         .label_bits = t->label_bits,
	                         .rule_bits = 1,
	                         .length_bits = 16,
	                         .count_bits = 32,
	                         .cycle_bits = 32,
	                         .pass_bits = 16,
	                         .program_depth = 64,
	                         .log_depth = 64,
	                         .store_slots = 3,
	                         .slot_flits = 64};
	loom_chip_set_shape(&chip, t);
	return chip;
}
