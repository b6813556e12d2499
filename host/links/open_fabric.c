// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated open fabric, driven through the C functions which rtl/chip/sim_open.sv exports.
#include <flitloom/open_fabric.h>

#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/regmap.h>

#include "links/open_tables.h"
#include "links/sim_port.h"
#include "links/verilated.h"

#define NO_NODE UINT32_MAX
#define WORD 32u                               // nodes that the model is told about at a time
#define REQUESTS (LOOM_SIM_ANSWER_CYCLES + 1u) // that can be under way

// A node's way into the network.
struct entry {
	struct loom_open_beat beat; // offered last
	bool stands;                // it waits to be taken
	bool shown;                 // the model has it as an offer
	bool slipped;               // it was taken while the link ran the clock; the caller does not know yet
	bool inside;                // of a frame: its first beat has gone
	uint32_t label;             // of the frame's destination
};

// Words of the register port under way, in the order of asking.
struct requests {
	struct loom_open_request *ask;             // goes in with the next cycle, or NULL
	struct loom_open_request *under[REQUESTS]; // a ring
	unsigned first, n, idle;                   // idle: cycles since the last answer
};

struct loom_open_fabric {
	struct loom_verilated model;
	struct loom_sim_port port;
	void (*offer)(unsigned node, unsigned long long data, unsigned char last, unsigned label);
	void (*withdraw)(unsigned node);
	void (*accept)(unsigned word, unsigned nodes);
	void (*hands)(unsigned word, unsigned *room, unsigned *beats);
	int (*beat)(unsigned node, unsigned long long *data, unsigned *label);
	int (*busy)(void);
	void (*begin)(void);
	struct loom_topo topo;
	struct loom_link link;
	struct requests requests;
	unsigned data_bits;
	uint64_t now;
	struct entry *entry; // of each node
	uint32_t *accepts;   // as the model has it, by words
	uint32_t *node_of;   // by label; NO_NODE
};

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

static int check_entry(const struct loom_open_fabric *f, uint32_t u, const struct loom_open_port *p,
                       struct loom_err *err)
{
	const struct entry *e = &f->entry[u];
	if (e->stands || e->slipped) {
		if (p->offer && p->in.data == e->beat.data && p->in.node == e->beat.node && p->in.last == e->beat.last)
			return 0;
		return loom_fail(err, LOOM_EINPUT,
		                 "node %" PRIu32
		                 ": the beat that it offered was %s before it was taken; an offer stays",
		                 u, p->offer ? "changed" : "withdrawn");
	}
	if (!p->offer)
		return 0;
	if (!e->inside && p->in.node >= f->topo.n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "node %" PRIu32 ": a frame to node %" PRIu32 "; %.100s has nodes 0 to %" PRIu32, u,
		                 p->in.node, f->topo.name, f->topo.n_nodes - 1);
	if (f->data_bits < 64 && p->in.data >> f->data_bits)
		return loom_fail(err, LOOM_EINPUT, "node %" PRIu32 ": data 0x%" PRIx64 " in a beat of %u bits", u,
		                 p->in.data, f->data_bits);
	return 0;
}

// What the nodes do in the coming cycle; NULL: nothing, and what was offered stays.
static void set_ports(struct loom_open_fabric *f, const struct loom_open_port *ports)
{
	uint32_t n = f->topo.n_nodes;
	for (uint32_t word = 0; word * WORD < n; word++) {
		uint32_t accepts = 0;
		for (uint32_t u = word * WORD; ports && u < n && u < (word + 1) * WORD; u++)
			accepts |= (ports[u].accept ? UINT32_C(1) : 0) << (u - word * WORD);
		if (accepts != f->accepts[word])
			f->accept(word, accepts);
		f->accepts[word] = accepts;
	}
	for (uint32_t u = 0; u < n; u++) {
		struct entry *e = &f->entry[u];
		if (ports && ports[u].offer && !e->stands && !e->slipped) {
			e->beat = ports[u].in;
			e->stands = e->shown = true;
			if (!e->inside)
				e->label = loom_topo_label(&f->topo, e->beat.node);
			f->offer(u, e->beat.data, e->beat.last, e->label);
		} else if (e->shown && !e->stands) {
			e->shown = false;
			f->withdraw(u);
		}
	}
}

static int take_out(struct loom_open_fabric *f, uint32_t u, struct loom_open_port *p, struct loom_err *err)
{
	unsigned long long data;
	unsigned label;
	p->out.last = f->beat(u, &data, &label) != 0;
	p->out.data = data;
	p->out.node = label >> f->topo.label_bits ? NO_NODE : f->node_of[label];
	if (p->out.node == NO_NODE)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "node %" PRIu32 ": a beat from label %u, which no node of %.100s has", u, label,
		                 f->topo.name);
	return 0;
}

// Between the falling edge and the rising one: what will have crossed. The first failure counts.
static int shake_hands(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err)
{
	int code = 0;
	unsigned room = 0, beats = 0;
	for (uint32_t u = 0; u < f->topo.n_nodes; u++) {
		struct entry *e = &f->entry[u];
		if (u % WORD == 0)
			f->hands(u / WORD, &room, &beats);
		bool taken = e->stands && room >> u % WORD & 1, beat = beats >> u % WORD & 1;
		if (ports) {
			struct loom_open_port *p = &ports[u];
			p->taken = taken || e->slipped;
			p->got = beat && p->accept;
			p->waits = beat && !p->accept;
			e->slipped = false;
			int failed = p->got ? take_out(f, u, p, code ? NULL : err) : 0;
			code = code ? code : failed;
		} else if (taken) {
			e->slipped = true;
		}
		if (taken) {
			e->stands = false;
			e->inside = !e->beat.last;
		}
	}
	return code;
}

// A request goes in, if there is one and room for it.
static void ask(struct loom_open_fabric *f)
{
	struct requests *r = &f->requests;
	if (!r->ask) {
		f->port.release();
		return;
	}
	f->port.request(r->ask->write, r->ask->address, r->ask->data);
	r->under[(r->first + r->n++) % REQUESTS] = r->ask;
	r->ask = NULL;
}

static int hear(struct loom_open_fabric *f, struct loom_err *err)
{
	struct requests *r = &f->requests;
	unsigned data;
	struct loom_open_request *oldest = r->under[r->first];
	if (r->n == 0)
		return 0;
	if (f->port.answer(&data)) {
		if (!oldest->write)
			oldest->data = data;
		oldest->done = true;
		r->first = (r->first + 1) % REQUESTS;
		r->n--;
		r->idle = 0;
		return 0;
	}
	if (++r->idle <= LOOM_SIM_ANSWER_CYCLES)
		return 0;
	uint32_t address = oldest->address;
	*r = (struct requests){0};
	return loom_fail(err, LOOM_ETIMEOUT, "the simulated chip does not answer a request at address 0x%08" PRIx32,
	                 address);
}

// ports: NULL, while the link has the register port.
static int cycle(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err)
{
	set_ports(f, ports);
	loom_verilated_fall(&f->model);
	int code = shake_hands(f, ports, err);
	loom_verilated_rise(&f->model);
	f->now++;
	return code;
}

int loom_open_fabric_cycle(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err)
{
	for (uint32_t u = 0; u < f->topo.n_nodes; u++) {
		int code = check_entry(f, u, &ports[u], err);
		if (code)
			return code;
	}
	loom_verilated_enter(&f->model);
	if (f->requests.ask || f->requests.n)
		ask(f);
	int code = cycle(f, ports, err), unheard = hear(f, code ? NULL : err);
	return code ? code : unheard;
}

int loom_open_fabric_request(struct loom_open_fabric *f, struct loom_open_request *request, struct loom_err *err)
{
	if (f->requests.ask)
		return loom_fail(err, LOOM_EINPUT, "a second request to the register port in one cycle");
	request->done = false;
	f->requests.ask = request;
	return 0;
}

static void cycle_of_link(void *of)
{
	(void)cycle(of, NULL, NULL);
}

// What was asked for beside the clock comes first.
static int finish_requests(struct loom_open_fabric *f, struct loom_err *err)
{
	while (f->requests.ask || f->requests.n) {
		ask(f);
		cycle_of_link(f);
		int code = hear(f, err);
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
	f->accepts = calloc(n / WORD + 1, sizeof *f->accepts);
	f->node_of = malloc(n_labels * sizeof *f->node_of);
	if (!f->entry || !f->accepts || !f->node_of)
		return loom_fail(err, LOOM_ENOMEM, "no memory for an open fabric of %zu nodes", n);
	for (size_t label = 0; label < n_labels; label++)
		if (!loom_topo_node_of_label(&f->node_of[label], &f->topo, (uint32_t)label))
			f->node_of[label] = NO_NODE;
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
