// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Link "model", which is no link: its runs are computed (flitloom/machine.h), so there is no chip with registers.
#include "links/links.h"

static int open_model(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                      struct loom_err *err)
{
	(void)link, (void)argument, (void)options;
	return loom_fail(
		err, LOOM_EINPUT,
		"link model computes runs and has no chip: run, sweep and loom_run take it; registers are those "
		"of link sim");
}

const struct loom_link_kind loom_link_model = {
	.name = "model",
	.argument = "",
	.help = "no routers: the same cycles, computed, of fabrics of any size",
	.open = open_model,
};
