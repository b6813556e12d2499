// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/systemc/fabric.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "control.hpp"
#include "process.hpp"

namespace flitloom
{

namespace
{

constexpr const char *reporter = "/flitloom/fabric";

// True if the caller can wait for the clock.
bool can_wait()
{
	return sc_core::sc_is_running() && in_thread();
}

bool is_reset(uint32_t address, uint32_t data)
{
	return is_control(address) && data >> LOOM_CONTROL_RESET_LOW & 1;
}

bool resets(const struct loom_transfer *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t w = 0; list[i].write && w < list[i].n_words; w++)
			if (is_reset(list[i].address + (list[i].fixed ? 0 : static_cast<uint32_t>(w)),
			             list[i].write[w]))
				return true;
	return false;
}

} // namespace

std::ostream &operator<<(std::ostream &out, const beat &b)
{
	char text[64];
	(void)std::snprintf(text, sizeof text, "0x%" PRIx64 " (%u)%s", b.data, b.node, b.last ? " last" : "");
	return out << text;
}

fabric::fabric(sc_core::sc_module_name name, const char *spec, const struct loom_link_options &options)
    : sc_core::sc_module(name), clk("clk"), in("in"), out("out")
{
	static const struct loom_link_kind kind = [] {
		struct loom_link_kind k = {};
		k.name = "fabric";
		k.argument = "";
		k.help = "the register port of flitloom::fabric";
		k.transfer = transfer;
		k.run = run;
		k.close = close;
		return k;
	}();
	link_.kind = &kind;
	link_.state = this;
	link_.timeout_ms = LOOM_LINK_TIMEOUT_MS;

	struct loom_err err = {};
	if (loom_open_fabric_open(&fabric_, spec, &options, &err) != 0) {
		fabric_ = nullptr;
		SC_REPORT_ERROR(reporter, err.text);
		return;
	}
	ports_.resize(nodes());
	in.init(nodes());
	out.init(nodes());
	SC_HAS_PROCESS(fabric);
	SC_METHOD(cycle);
	sensitive << clk.pos();
	dont_initialize();
}

fabric::~fabric()
{
	loom_open_fabric_close(fabric_);
}

unsigned fabric::nodes() const
{
	return fabric_ ? loom_open_fabric_nodes(fabric_) : 0;
}

unsigned fabric::data_bits() const
{
	return fabric_ ? loom_open_fabric_data_bits(fabric_) : 0;
}

const sc_core::sc_event &fabric::reset_event() const
{
	return reset_;
}

uint64_t fabric::now() const
{
	return fabric_ ? loom_open_fabric_now(fabric_) : 0;
}

bool fabric::busy() const
{
	return fabric_ && loom_open_fabric_busy(fabric_);
}

const struct loom_topo &fabric::topo() const
{
	return *loom_open_fabric_topo(fabric_);
}

// --- A cycle -------------------------------------------------------------------------------------------------------

void fabric::set_ports()
{
	for (unsigned u = 0; u < ports_.size(); u++) {
		struct loom_open_port &p = ports_[u];
		beat b;
		if (!p.offer && in[u].size() && in[u]->nb_read(b)) {
			p.offer = true;
			p.in.data = b.data;
			p.in.node = b.node;
			p.in.last = b.last;
		}
		p.accept = out[u].size() == 0 || out[u]->num_free() > 0;
	}
}

void fabric::look_at_ports()
{
	for (unsigned u = 0; u < ports_.size(); u++) {
		struct loom_open_port &p = ports_[u];
		if (p.taken)
			p.offer = false;
		if (!p.got)
			continue;
		if (out[u].size() == 0) {
			const std::string text = "node " + std::to_string(u) + ": a frame from node " +
			                         std::to_string(p.out.node) + ", and port out is not bound";
			failed_ = true;
			SC_REPORT_ERROR(reporter, text.c_str());
			continue;
		}
		beat b;
		b.data = p.out.data;
		b.node = p.out.node;
		b.last = p.out.last;
		out[u]->nb_write(b); // there was room
	}
}

// Handles a reset, by which the routers have discarded all offers.
void fabric::begin_anew()
{
	for (struct loom_open_port &p : ports_)
		p.offer = false;
	reset_.notify(sc_core::SC_ZERO_TIME);
}

void fabric::cycle()
{
	struct loom_err err = {};
	if (failed_)
		return;
	set_ports();
	int code = 0;
	bool resets = false;
	if (!asked_.empty()) {
		const word &w = asked_.front();
		resets = w->write && is_reset(w->address, w->data);
		code = loom_open_fabric_request(fabric_, w.get(), &err);
		under_way_.push_back(w);
		asked_.pop_front();
	}
	if (code == 0)
		code = loom_open_fabric_cycle(fabric_, ports_.data(), &err);
	cycled_.notify(sc_core::SC_ZERO_TIME);
	if (code != 0) {
		failed_ = true;
		SC_REPORT_ERROR(reporter, err.text);
		return;
	}
	while (!under_way_.empty() && under_way_.front()->done)
		under_way_.pop_front();
	look_at_ports();
	if (resets)
		begin_anew();
}

// --- The register port ---------------------------------------------------------------------------------------------

struct loom_link *fabric::link()
{
	return &link_;
}

int fabric::fail_standing(struct loom_err *err) const
{
	return loom_fail(err, LOOM_ELINK, "%s: the fabric has failed and is not clocked any more", this->name());
}

// Waits until all requests have been answered. Requests that have not entered the fabric when time is up are
// withdrawn.
int fabric::wait_for(const std::vector<word> &words, unsigned timeout_ms, struct loom_err *err)
{
	const sc_core::sc_time until = sc_core::sc_time_stamp() + sc_core::sc_time(timeout_ms, sc_core::SC_MS);
	while (!words.empty() && !words.back()->done && !failed_ && sc_core::sc_time_stamp() < until)
		sc_core::wait(until - sc_core::sc_time_stamp(), cycled_);
	if (words.empty() || words.back()->done)
		return 0;
	asked_.erase(
		std::remove_if(asked_.begin(), asked_.end(),
	                       [&](const word &w) { return std::find(words.begin(), words.end(), w) != words.end(); }),
		asked_.end());
	if (failed_)
		return fail_standing(err);
	return loom_fail(err, LOOM_ETIMEOUT, "%s: the %zu words of a transfer were not all answered within %u ms",
	                 this->name(), words.size(), timeout_ms);
}

// Transfers words, one in each cycle.
int fabric::transfer_by_clock(const struct loom_transfer *list, size_t n, unsigned timeout_ms, struct loom_err *err)
{
	if (failed_)
		return fail_standing(err);
	std::vector<word> words;
	for (size_t i = 0; i < n; i++)
		for (size_t w = 0; w < list[i].n_words; w++) {
			word r = std::make_shared<struct loom_open_request>();
			r->address = list[i].address + (list[i].fixed ? 0 : static_cast<uint32_t>(w));
			r->write = list[i].write != nullptr;
			r->data = r->write ? list[i].write[w] : 0;
			words.push_back(r);
		}
	asked_.insert(asked_.end(), words.begin(), words.end());
	const int code = wait_for(words, timeout_ms, err);
	if (code)
		return code;
	size_t at = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t w = 0; w < list[i].n_words; w++, at++)
			if (list[i].read)
				list[i].read[w] = words[at]->data;
	return 0;
}

int fabric::transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                     struct loom_err *err)
{
	fabric *self = static_cast<fabric *>(link->state);
	if (!self->fabric_)
		return loom_fail(err, LOOM_ELINK, "%s: there is no fabric", self->name());
	if (can_wait())
		return self->transfer_by_clock(list, n, timeout_ms, err);
	struct loom_link *rtl = loom_open_fabric_link(self->fabric_);
	const int code = rtl->kind->transfer(rtl, list, n, timeout_ms, err);
	if (code == 0 && resets(list, n))
		self->begin_anew();
	return code;
}

int fabric::run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	fabric *self = static_cast<fabric *>(link->state);
	if (!self->fabric_)
		return loom_fail(err, LOOM_ELINK, "%s: there is no fabric", self->name());
	if (can_wait()) {
		const uint64_t until = self->now() + n_cycles;
		while (self->now() < until && !self->failed_)
			sc_core::wait(self->cycled_);
		return self->failed_ ? self->fail_standing(err) : 0;
	}
	struct loom_link *rtl = loom_open_fabric_link(self->fabric_);
	return rtl->kind->run(rtl, n_cycles, err);
}

void fabric::close(struct loom_link *)
{
}

} // namespace flitloom
