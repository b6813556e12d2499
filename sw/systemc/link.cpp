// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/systemc/link.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <vector>

#include "process.hpp"

namespace flitloom
{

// A transaction of style at. It outlives a time-out: its target may still write to it.
struct link::access : tlm::tlm_generic_payload, tlm::tlm_mm_interface {
	std::vector<uint32_t> words;

	explicit access(size_t n_words) : tlm::tlm_generic_payload(this), words(n_words)
	{
		acquire();
	}
	void free(tlm::tlm_generic_payload *) override
	{
		delete this;
	}
};

static struct loom_link_kind make_kind(decltype(loom_link_kind::open) open, decltype(loom_link_kind::transfer) transfer,
                                       decltype(loom_link_kind::run) run, decltype(loom_link_kind::close) close)
{
	struct loom_link_kind kind = {};
	kind.name = "systemc";
	kind.argument = "MODULE";
	kind.help = "a flitloom::link of the SystemC platform, by its hierarchical name";
	kind.open = open;
	kind.transfer = transfer;
	kind.run = run;
	kind.close = close;
	return kind;
}

const struct loom_link_kind link::kind = make_kind(link::open, link::transfer, link::run, link::close);

link::link(sc_core::sc_module_name name, style how, sc_core::sc_time period, uint64_t base)
    : sc_core::sc_module(name), socket("socket"), style_(how), period_(period), base_(base)
{
	handle_.kind = &kind;
	handle_.state = this;
	handle_.timeout_ms = LOOM_LINK_TIMEOUT_MS;
	socket.bind(*this);
}

void link::sync()
{
	keeper_.sync();
}

// --- As a loom_link ------------------------------------------------------------------------------------------------

static bool can_wait(struct loom_err *err)
{
	if (in_thread())
		return true;
	(void)loom_fail(err, LOOM_EINPUT, "a flitloom::link was used outside of an SC_THREAD: only there can it wait");
	return false;
}

int link::open(struct loom_link *out, const char *argument, const struct loom_link_options *, struct loom_err *err)
{
	auto *found = dynamic_cast<link *>(sc_core::sc_find_object(argument));
	if (!found)
		return loom_fail(err, LOOM_EINPUT, "link \"systemc:%.100s\": there is no flitloom::link of this name",
		                 argument);
	out->state = found;
	return 0;
}

void link::close(struct loom_link *)
{
}

int link::transfer(struct loom_link *handle, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                   struct loom_err *err)
{
	link *l = static_cast<link *>(handle->state);
	if (!can_wait(err))
		return LOOM_EINPUT;
	int code = 0;
	try {
		for (size_t i = 0; code == 0 && i < n; i++)
			code = l->carry(list[i], timeout_ms, err);
	} catch (const sc_core::sc_report &report) {
		code = loom_fail(err, LOOM_ELINK, "%s: %s", l->name(), report.what());
	}
	return code;
}

int link::run(struct loom_link *handle, uint64_t n_cycles, struct loom_err *err)
{
	link *l = static_cast<link *>(handle->state);
	if (!can_wait(err))
		return LOOM_EINPUT;
	const sc_core::sc_time time = sc_core::sc_time::from_value(n_cycles * l->period_.value());
	l->keeper_.inc(time);
	if (l->style_ == style::at || l->keeper_.need_sync())
		l->keeper_.sync();
	return 0;
}

// --- A transfer ----------------------------------------------------------------------------------------------------

int link::carry(const struct loom_transfer &t, unsigned timeout_ms, struct loom_err *err)
{
	int code = 0;
	for (size_t from = 0; code == 0 && from < t.n_words; from += burst_words) {
		struct loom_transfer part = t;
		part.n_words = std::min<size_t>(t.n_words - from, burst_words);
		part.address = t.address + (t.fixed ? 0 : static_cast<uint32_t>(from));
		part.write = t.write ? t.write + from : nullptr;
		part.read = t.read ? t.read + from : nullptr;
		code = style_ == style::lt ? burst_lt(part, err) : burst_at(part, timeout_ms, err);
	}
	return code;
}

void link::set(payload &trans, const struct loom_transfer &t, void *words) const
{
	const auto length = static_cast<unsigned>(4 * t.n_words);
	trans.set_command(t.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
	trans.set_address(base_ + UINT64_C(4) * t.address);
	trans.set_data_ptr(static_cast<unsigned char *>(words));
	trans.set_data_length(length);
	trans.set_streaming_width(t.fixed ? 4 : length);
	trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

int link::check(const payload &trans, const struct loom_transfer &t, struct loom_err *err) const
{
	if (trans.is_response_ok())
		return 0;
	return loom_fail(err, LOOM_ELINK, "%s: %s to the %s of %zu words at byte address 0x%" PRIx64 " (word 0x%08x)",
	                 name(), trans.get_response_string().c_str(), t.write ? "write" : "read", t.n_words,
	                 static_cast<uint64_t>(trans.get_address()), t.address);
}

// The target only reads the words to be written.
int link::burst_lt(const struct loom_transfer &t, struct loom_err *err)
{
	payload trans;
	sc_core::sc_time delay = keeper_.get_local_time();
	set(trans, t, t.write ? const_cast<uint32_t *>(t.write) : t.read);
	socket->b_transport(trans, delay);
	keeper_.set_and_sync(delay);
	return check(trans, t, err);
}

// --- Approximately timed -------------------------------------------------------------------------------------------

bool link::wait_for(const bool &what, const sc_core::sc_time &until)
{
	while (!what && sc_core::sc_time_stamp() < until)
		wait(until - sc_core::sc_time_stamp(), moved_);
	return what;
}

// Makes an exchange from BEGIN_REQ to the response; false: there was none in time.
bool link::exchange(access &a, const sc_core::sc_time &until)
{
	tlm::tlm_phase phase = tlm::BEGIN_REQ;
	sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
	current_ = &a;
	request_of_ = &a;
	request_free_ = responded_ = false;
	const tlm::tlm_sync_enum answer = socket->nb_transport_fw(a, phase, delay);
	if (answer == tlm::TLM_COMPLETED) {
		request_free_ = true;
		wait(delay);
		return true;
	}
	if (answer == tlm::TLM_UPDATED)
		(void)nb_transport_bw(a, phase, delay);
	if (!wait_for(responded_, until))
		return false;
	if (response_at_ > sc_core::sc_time_stamp())
		wait(response_at_ - sc_core::sc_time_stamp());
	phase = tlm::END_RESP;
	delay = sc_core::SC_ZERO_TIME;
	(void)socket->nb_transport_fw(a, phase, delay);
	return true;
}

tlm::tlm_sync_enum link::nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
	const bool is_response = phase == tlm::BEGIN_RESP;
	if (!is_response && phase != tlm::END_REQ)
		return tlm::TLM_ACCEPTED;
	if (&trans == request_of_)
		request_free_ = true;
	moved_.notify(sc_core::SC_ZERO_TIME);
	if (&trans != current_)
		return is_response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
	responded_ = is_response;
	response_at_ = sc_core::sc_time_stamp() + delay;
	return tlm::TLM_ACCEPTED;
}

int link::burst_at(const struct loom_transfer &t, unsigned timeout_ms, struct loom_err *err)
{
	const sc_core::sc_time until = sc_core::sc_time_stamp() + sc_core::sc_time(timeout_ms, sc_core::SC_MS);
	if (!wait_for(request_free_, until))
		return loom_fail(err, LOOM_ETIMEOUT, "%s: the target has not taken an earlier request within %u ms",
		                 name(), timeout_ms);
	auto *a = new access(t.n_words);
	set(*a, t, a->words.data());
	if (t.write)
		std::memcpy(a->words.data(), t.write, 4 * t.n_words);
	int code;
	try {
		code = exchange(*a, until)
		               ? check(*a, t, err)
		               : loom_fail(err, LOOM_ETIMEOUT,
		                           "%s: no response within %u ms to the %s at byte address 0x%" PRIx64, name(),
		                           timeout_ms, t.write ? "write" : "read",
		                           static_cast<uint64_t>(a->get_address()));
	} catch (const sc_core::sc_report &) { // an error of the target, which will not come back to this request
		request_free_ = true;
		give_up(*a);
		throw;
	}
	if (code == 0 && t.read)
		std::memcpy(t.read, a->words.data(), 4 * t.n_words);
	give_up(*a);
	return code;
}

void link::give_up(access &a)
{
	current_ = nullptr;
	a.release();
}

void link::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64)
{
}

} // namespace flitloom
