// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/chip.h>

int loom_chip_topo(struct loom_topo *out, const struct loom_chip *chip, struct loom_err *err)
{
	const struct loom_topo_kind *kind = loom_topo_kind_by_code(chip->kind);
	if (!kind)
		return loom_fail(err, LOOM_EHARDWARE, "a fabric of kind %u, which this program does not know",
		                 chip->kind);
	if (chip->n_dims > LOOM_CHIP_DIMS)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "a fabric of %u dimensions, more than the %d that there are registers for",
		                 chip->n_dims, LOOM_CHIP_DIMS);
	int rc = loom_topo_of_extents(out, kind, chip->n_dims, chip->extent, err);
	return rc ? LOOM_EHARDWARE : 0;
}
