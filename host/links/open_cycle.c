// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a cycle of an open fabric: the offers and acceptances of its nodes, and its register port.
#include <inttypes.h>

#include <flitloom/link/regmap.h>

#include "links/open_internal.h"

static int check_entry(const struct loom_open_fabric *f, uint32_t u, const struct loom_open_port *p,
                       struct loom_err *err)
{
	const struct loom_open_entry *e = &f->entry[u];
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

// Sets the offers and acceptances of the nodes for the coming cycle; NULL: the nodes do nothing, and offers stay.
static void set_ports(struct loom_open_fabric *f, const struct loom_open_port *ports)
{
	uint32_t n = f->topo.n_nodes;
	for (uint32_t word = 0; word * LOOM_OPEN_WORD < n; word++) {
		uint32_t accepts = 0;
		for (uint32_t u = word * LOOM_OPEN_WORD; ports && u < n && u < (word + 1) * LOOM_OPEN_WORD; u++)
			accepts |= (ports[u].accept ? UINT32_C(1) : 0) << (u - word * LOOM_OPEN_WORD);
		if (accepts != f->accepts[word])
			f->accept(word, accepts);
		f->accepts[word] = accepts;
	}
	for (uint32_t u = 0; u < n; u++) {
		struct loom_open_entry *e = &f->entry[u];
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
	p->out.node = label >> f->topo.label_bits ? LOOM_OPEN_NO_NODE : f->node_of[label];
	if (p->out.node == LOOM_OPEN_NO_NODE)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "node %" PRIu32 ": a beat from label %u, which no node of %.100s has", u, label,
		                 f->topo.name);
	return 0;
}

static bool accepted(const struct loom_open_fabric *f, uint32_t u)
{
	return f->accepts[u / LOOM_OPEN_WORD] >> u % LOOM_OPEN_WORD & 1;
}

// Reads, between the falling edge and the rising one, the beats that will have crossed. The first failure is
// reported.
static int shake_hands(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err)
{
	int code = 0;
	unsigned room = 0, beats = 0;
	for (uint32_t u = 0; u < f->topo.n_nodes; u++) {
		struct loom_open_entry *e = &f->entry[u];
		if (u % LOOM_OPEN_WORD == 0)
			f->hands(u / LOOM_OPEN_WORD, &room, &beats);
		bool taken = e->stands && room >> u % LOOM_OPEN_WORD & 1, beat = beats >> u % LOOM_OPEN_WORD & 1;
		if (ports) {
			struct loom_open_port *p = &ports[u];
			p->taken = taken || e->slipped;
			p->got = beat && accepted(f, u);
			p->waits = beat && !p->got;
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

void loom_open_note_write(struct loom_open_fabric *f, uint32_t address, uint32_t data)
{
	// Only the lowest eight bits of an address in space GLOBAL count.
	if (address >> 28 != 0 || (address & 0xff) != LOOM_REG_CONTROL || !(data >> LOOM_CONTROL_RESET_LOW & 1))
		return;
	f->held = LOOM_OPEN_RESET_CYCLES;
	for (uint32_t u = 0; u < f->topo.n_nodes; u++)
		f->entry[u].stands = f->entry[u].slipped = f->entry[u].inside = false;
}

// Sends a request into the fabric, if there is one and there is room for it.
void loom_open_ask(struct loom_open_fabric *f)
{
	struct loom_open_requests *r = &f->requests;
	if (!r->ask) {
		f->port.release();
		return;
	}
	if (r->ask->write)
		loom_open_note_write(f, r->ask->address, r->ask->data);
	f->port.request(r->ask->write, r->ask->address, r->ask->data);
	r->under[(r->first + r->n++) % LOOM_OPEN_REQUESTS] = r->ask;
	r->ask = NULL;
}

int loom_open_hear(struct loom_open_fabric *f, struct loom_err *err)
{
	struct loom_open_requests *r = &f->requests;
	unsigned data;
	struct loom_open_request *oldest = r->under[r->first];
	if (r->n == 0)
		return 0;
	if (f->port.answer(&data)) {
		if (!oldest->write)
			oldest->data = data;
		oldest->done = true;
		r->first = (r->first + 1) % LOOM_OPEN_REQUESTS;
		r->n--;
		r->idle = 0;
		return 0;
	}
	if (++r->idle <= LOOM_SIM_ANSWER_CYCLES)
		return 0;
	uint32_t address = oldest->address;
	*r = (struct loom_open_requests){0};
	return loom_fail(err, LOOM_ETIMEOUT, "the simulated chip does not answer a request at address 0x%08" PRIx32,
	                 address);
}

int loom_open_cycle(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err)
{
	set_ports(f, f->held ? NULL : ports);
	f->held -= f->held ? 1 : 0;
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
		loom_open_ask(f);
	int code = loom_open_cycle(f, ports, err), unheard = loom_open_hear(f, code ? NULL : err);
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
