// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/chip.h>

int loom_chip_topo(struct loom_topo *out, const struct loom_chip *chip, struct loom_err *err)
{
	const struct loom_topo_kind *kind = loom_topo_kind_by_code(chip->kind);
	uint32_t extent[LOOM_DIMS_MAX] = {chip->size};
	unsigned n_dims = 1;
	if (!kind)
		return loom_fail(err, LOOM_EHARDWARE, "a fabric of kind %u, which this program does not know",
		                 chip->kind);
	if (kind->complements_bits)
		for (n_dims = 0; n_dims < chip->size && n_dims < LOOM_DIMS_MAX; n_dims++)
			extent[n_dims] = 2;
	int rc = loom_topo_of_extents(out, kind, n_dims, extent, err);
	return rc ? LOOM_EHARDWARE : 0;
}
