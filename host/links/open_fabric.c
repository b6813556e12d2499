// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated open fabric, driven through the C functions which rtl/chip/sim_open.sv exports: opening, and its link.
#include <stdlib.h>

#include "links/open_internal.h"
#include "links/open_tables.h"

void loom_open_fabric_close(struct loom_open_fabric *f)
{
	if (!f)
		return;
	loom_verilated_close(&f->model);
	loom_topo_free(&f->topo);
	free(f->entry);
	free(f->accepts);
	free(f->node_of);
	free(f);
}

static void cycle_of_link(void *of)
{
	(void)loom_open_cycle(of, NULL, NULL);
}

// Finishes the requests made beside the clock, which come first.
static int finish_requests(struct loom_open_fabric *f, struct loom_err *err)
{
	while (f->requests.ask || f->requests.n) {
		loom_open_ask(f);
		cycle_of_link(f);
		int code = loom_open_hear(f, err);
		if (code)
			return code;
	}
	return 0;
}

static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                    struct loom_err *err)
{
	struct loom_open_fabric *f = link->state;
	(void)timeout_ms;
	loom_verilated_enter(&f->model);
	int code = finish_requests(f, err);
	for (size_t i = 0; code == 0 && i < n; i++)
		for (size_t w = 0; list[i].write && w < list[i].n_words; w++)
			loom_open_note_write(f, list[i].address + (list[i].fixed ? 0 : (uint32_t)w), list[i].write[w]);
	return code ? code : loom_sim_port_transfer(&f->port, list, n, cycle_of_link, f, err);
}

static int run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct loom_open_fabric *f = link->state;
	loom_verilated_enter(&f->model);
	int code = finish_requests(f, err);
	for (uint64_t i = 0; code == 0 && i < n_cycles; i++)
		cycle_of_link(f);
	return code;
}

static void close_link(struct loom_link *link)
{
	(void)link; // the fabric's
}

static const struct loom_link_kind link_kind = {
	.name = "open",
	.argument = "",
	.help = "the register port of an open fabric",
	.transfer = transfer,
	.run = run,
	.close = close_link,
};

struct loom_link *loom_open_fabric_link(struct loom_open_fabric *f)
{
	f->link = (struct loom_link){.kind = &link_kind, .state = f, .timeout_ms = LOOM_LINK_TIMEOUT_MS};
	return &f->link;
}

static int find_functions(struct loom_open_fabric *f, struct loom_err *err)
{
	const char *missing = NULL;
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_offer", f->offer, &missing);
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_withdraw", f->withdraw, &missing);
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_accept", f->accept, &missing);
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_hands", f->hands, &missing);
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_beat", f->beat, &missing);
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_busy", f->busy, &missing);
	LOOM_VERILATED_SYMBOL(&f->model, "loom_open_begin", f->begin, &missing);
	return missing ? loom_verilated_fail_symbol(missing, err) : 0;
}

static int make_tables(struct loom_open_fabric *f, struct loom_err *err)
{
	size_t n = f->topo.n_nodes, n_labels = (size_t)1 << f->topo.label_bits;
	f->entry = calloc(n, sizeof *f->entry);
	f->accepts = calloc(n / LOOM_OPEN_WORD + 1, sizeof *f->accepts);
	f->node_of = malloc(n_labels * sizeof *f->node_of);
	if (!f->entry || !f->accepts || !f->node_of)
		return loom_fail(err, LOOM_ENOMEM, "no memory for an open fabric of %zu nodes", n);
	for (size_t label = 0; label < n_labels; label++)
		if (!loom_topo_node_of_label(&f->node_of[label], &f->topo, (uint32_t)label))
			f->node_of[label] = LOOM_OPEN_NO_NODE;
	return 0;
}

static int start(struct loom_open_fabric *f, const struct loom_link_options *options, struct loom_err *err)
{
	struct loom_rtl rtl;
	int code = loom_open_tables_check(&f->topo, err);
	if (code == 0)
		code = loom_rtl_of_open(&rtl, &f->topo, err);
	if (code)
		return code;
	f->data_bits = rtl.chip.flit_bits;
	code = loom_verilated_open(&f->model, &rtl, options, err);
	loom_rtl_free(&rtl);
	if (code == 0)
		code = find_functions(f, err);
	if (code == 0)
		code = make_tables(f, err);
	if (code == 0)
		code = loom_sim_port_start(&f->port, &f->model, err);
	if (code == 0)
		code = loom_open_tables_load(loom_open_fabric_link(f), &f->topo, err);
	if (code)
		return code;
	f->begin();
	f->now = 0;
	if (f->model.window)
		loom_verilated_window_step(&f->model);
	return 0;
}

int loom_open_fabric_open(struct loom_open_fabric **out, const char *fabric, const struct loom_link_options *options,
                          struct loom_err *err)
{
	if (!fabric && !(options && options->topo))
		return loom_fail(err, LOOM_EINPUT, "an open fabric: which? \"cube:4\", or options->topo");
	struct loom_open_fabric *f = calloc(1, sizeof *f);
	if (!f)
		return loom_fail(err, LOOM_ENOMEM, "no memory for an open fabric");
	int code = 0;
	if (fabric)
		code = loom_topo_parse(&f->topo, fabric, err);
	else
		loom_topo_copy(&f->topo, options->topo);
	if (code == 0)
		code = start(f, options, err);
	if (code)
		loom_open_fabric_close(f);
	else
		*out = f;
	return code;
}

uint64_t loom_open_fabric_now(const struct loom_open_fabric *f)
{
	return f->now;
}

unsigned loom_open_fabric_nodes(const struct loom_open_fabric *f)
{
	return f->topo.n_nodes;
}

unsigned loom_open_fabric_data_bits(const struct loom_open_fabric *f)
{
	return f->data_bits;
}

const struct loom_topo *loom_open_fabric_topo(const struct loom_open_fabric *f)
{
	return &f->topo;
}

bool loom_open_fabric_busy(struct loom_open_fabric *f)
{
	loom_verilated_enter(&f->model);
	return f->busy() != 0;
}
