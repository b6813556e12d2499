// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated chip, its register port driven through the C functions which rtl/chip/sim_top.sv exports.
#include <stdlib.h>

#include "links/links.h"
#include "links/sim_port.h"
#include "links/sim_streams.h"
#include "links/verilated.h"

struct sim {
	struct loom_verilated model;
	struct loom_sim_port port;
	struct loom_sim_streams streams;
};

static void sim_close(struct loom_link *link)
{
	struct sim *s = link->state;
	if (!s)
		return;
	loom_verilated_close(&s->model);
	loom_sim_streams_free(&s->streams);
	free(s);
	link->state = NULL;
}

// Selects the routers by the options.
static int set_routers(struct loom_rtl *rtl, const struct loom_link_options *options, struct loom_err *err)
{
	struct loom_topo parsed = {0};
	int code = options->topo ? 0 : loom_topo_parse(&parsed, options->fabric, err);
	if (code == 0)
		code = (options->via     ? loom_rtl_set_via
		        : options->turns ? loom_rtl_set_turns
		                         : loom_rtl_set_adaptive)(rtl, options->topo ? options->topo : &parsed, err);
	loom_topo_free(&parsed);
	if (code)
		loom_rtl_free(rtl);
	return code;
}

static int get_rtl(struct loom_rtl *out, const char *argument, const struct loom_link_options *options,
                   struct loom_err *err)
{
	if (*argument)
		return loom_fail(err, LOOM_EINPUT,
		                 "link \"sim:%s\": sim takes no argument, the fabric says which model", argument);
	int code = 0;
	if (options && options->topo)
		code = loom_rtl_of_topo(out, options->topo, err);
	else if (options && options->fabric)
		code = loom_rtl_of_fabric(out, options->fabric, err);
	else
		return loom_fail(err, LOOM_EINPUT,
		                 "link \"sim\": which fabric? (--fabric cube:8; in a program, loom_link_options)");
	if (code == 0 && (options->adaptive || options->turns || options->via))
		code = set_routers(out, options, err);
	if (code == 0 && options->failing)
		loom_rtl_set_failing(out);
	return code;
}

static int sim_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                    struct loom_err *err)
{
	struct loom_rtl rtl;
	int code = get_rtl(&rtl, argument, options, err);
	if (code)
		return code;
	struct sim *s = calloc(1, sizeof *s);
	if (!s) {
		loom_rtl_free(&rtl);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a simulation");
	}
	link->state = s;
	code = loom_verilated_open(&s->model, &rtl, options, err);
	if (code == 0)
		code = loom_sim_streams_find(&s->streams, &s->model, rtl.chip.n_nodes, err);
	loom_rtl_free(&rtl);
	if (code == 0)
		code = loom_sim_port_start(&s->port, &s->model, err);
	if (code)
		sim_close(link);
	return code;
}

static int sim_expect(struct loom_chip *out, const char *argument, const struct loom_link_options *options,
                      struct loom_err *err)
{
	struct loom_rtl rtl;
	int code = get_rtl(&rtl, argument, options, err);
	if (code)
		return code;
	*out = rtl.chip;
	loom_rtl_free(&rtl);
	return 0;
}

static void cycle(void *model)
{
	loom_verilated_cycle(model);
}

static int sim_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                        struct loom_err *err)
{
	struct sim *s = link->state;
	(void)timeout_ms;
	loom_verilated_enter(&s->model);
	return loom_sim_port_transfer(&s->port, list, n, cycle, &s->model, err);
}

static int sim_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct sim *s = link->state;
	(void)err;
	loom_verilated_enter(&s->model);
	for (uint64_t i = 0; i < n_cycles; i++)
		loom_verilated_cycle(&s->model);
	return 0;
}

static int sim_stream(struct loom_link *link, struct loom_stream *stream, uint64_t n_cycles, struct loom_err *err)
{
	struct sim *s = link->state;
	loom_verilated_enter(&s->model);
	return loom_sim_streams_run(&s->streams, stream, n_cycles, cycle, &s->model, err);
}

const struct loom_link_kind loom_link_sim = {
	.name = "sim",
	.argument = "",
	.help = "the RTL of the fabric, verilated on demand",
	.open = sim_open,
	.expect = sim_expect,
	.transfer = sim_transfer,
	.run = sim_run,
	.stream = sim_stream,
	.close = sim_close,
};
