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
	struct loom_err why = {0};
	if (loom_topo_of_extents(out, kind, chip->n_dims, chip->extent, &why) != 0 ||
	    loom_topo_set_vcs(out, chip->n_vcs ? chip->n_vcs : 1, &why) != 0)
		return loom_fail(err, LOOM_EHARDWARE, "a fabric of a shape that cannot be: %.300s", why.text);
	return 0;
}

int loom_chip_check(const struct loom_chip *chip, struct loom_err *err)
{
	struct loom_topo t;
	struct loom_err why = {0};
	if (loom_chip_topo(&t, chip, &why) != 0)
		return loom_fail(err, LOOM_EHARDWARE, "the chip holds %.380s", why.text);
	if (chip->n_nodes != t.n_nodes || chip->n_tiles != t.n_tiles ||
	    chip->n_channels != loom_topo_channels_per_tile(&t) || chip->label_bits != t.label_bits)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "the chip calls itself %s, which has %u nodes, %u tiles of %u channels and labels of "
		                 "%u bits, but says that it has %u, %u of %u and %u",
		                 t.name, t.n_nodes, t.n_tiles, loom_topo_channels_per_tile(&t), t.label_bits,
		                 chip->n_nodes, chip->n_tiles, chip->n_channels, chip->label_bits);
	for (unsigned d = chip->n_dims; d < LOOM_CHIP_DIMS; d++)
		if (chip->extent[d] != 0)
			return loom_fail(err, LOOM_EHARDWARE,
			                 "the chip calls itself %s, but has an extent of %u in dimension %u", t.name,
			                 chip->extent[d], d);
	return 0;
}
