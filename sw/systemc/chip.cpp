// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/systemc/chip.hpp>

#include <algorithm>
#include <cstring>

#include <flitloom/link/regmap.h>

#include "control.hpp"

namespace flitloom
{

namespace
{

constexpr const char *reporter = "/flitloom/chip";
constexpr uint64_t space_bytes = UINT64_C(4) << 32;
// cycles after which the effects of an access are over, unless it started a run
constexpr unsigned settle_cycles = 64;

enum state { idle, running, done, stuck };

// True if the transaction may start or reset the chip.
bool commands(const tlm::tlm_generic_payload &trans, bool fixed)
{
	const uint32_t first = static_cast<uint32_t>(trans.get_address() / 4);
	const unsigned n_words = fixed ? 1 : trans.get_data_length() / 4;
	bool found = false;
	for (unsigned i = 0; trans.is_write() && i < n_words; i++)
		found |= is_control(first + i);
	return found;
}

// Checks a transaction, except byte enables and streaming, which debug transport does not have. `fixed`: all words at
// one address.
tlm::tlm_response_status check_place(const tlm::tlm_generic_payload &trans, bool fixed)
{
	const uint64_t address = trans.get_address(), length = trans.get_data_length();
	if (!trans.is_read() && !trans.is_write())
		return tlm::TLM_COMMAND_ERROR_RESPONSE;
	if (address % 4 != 0 || address >= space_bytes)
		return tlm::TLM_ADDRESS_ERROR_RESPONSE;
	if (length == 0 || length % 4 != 0 || length / 4 > chip::max_words)
		return tlm::TLM_BURST_ERROR_RESPONSE;
	if (address + (fixed ? 4 : length) > space_bytes)
		return tlm::TLM_ADDRESS_ERROR_RESPONSE;
	return trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

bool is_stream(const tlm::tlm_generic_payload &trans)
{
	return trans.get_streaming_width() < trans.get_data_length();
}

tlm::tlm_response_status check(const tlm::tlm_generic_payload &trans)
{
	if (trans.get_byte_enable_ptr())
		return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
	if (trans.get_streaming_width() == 0 || (is_stream(trans) && trans.get_streaming_width() != 4))
		return tlm::TLM_BURST_ERROR_RESPONSE;
	return check_place(trans, is_stream(trans));
}

struct loom_link_options only_fabric(const char *fabric)
{
	struct loom_link_options options = {};
	options.fabric = fabric;
	return options;
}

} // namespace

// --- Opening -------------------------------------------------------------------------------------------------------

chip::chip(sc_core::sc_module_name name, sc_core::sc_time period, struct loom_link *link)
    : sc_core::sc_module(name), socket("socket"), interrupt("interrupt"), link_(link),
      period_(std::max(period, sc_core::sc_get_time_resolution())), unheard_("unheard"), requests_("requests")
{
	socket.bind(*this);
}

// SystemC keeps the threads of a module whose constructor has failed, so none must exist then.
void chip::begin()
{
	SC_HAS_PROCESS(chip);
	SC_THREAD(serve);
	SC_THREAD(watch);
}

chip::chip(sc_core::sc_module_name name, struct loom_link *link, sc_core::sc_time period) : chip(name, period, link)
{
	begin();
}

chip::chip(sc_core::sc_module_name name, const char *spec, const struct loom_link_options &options,
           sc_core::sc_time period)
    : chip(name, period, &own_)
{
	struct loom_err err = {};
	if (loom_link_open(&own_, spec, &options, &err) != 0) {
		link_ = nullptr;
		error_ = err.text;
		SC_REPORT_ERROR(reporter, error_.c_str());
	}
	begin();
}

chip::chip(sc_core::sc_module_name name, const char *spec, const char *fabric, sc_core::sc_time period)
    : chip(name, spec, only_fabric(fabric), period)
{
}

chip::~chip()
{
	loom_link_close(&own_);
}

void chip::before_end_of_elaboration()
{
	if (interrupt.bind_count() == 0)
		interrupt.bind(unheard_);
}

// --- The link ------------------------------------------------------------------------------------------------------

// Runs the chip for all whole periods up to `to` that it has not run yet.
int chip::catch_up(const sc_core::sc_time &to, struct loom_err &err)
{
	if (to <= reached_)
		return 0;
	const uint64_t cycles = (to - reached_).value() / period_.value();
	reached_ += sc_core::sc_time::from_value(cycles * period_.value());
	const uint64_t run = idle_ ? std::min<uint64_t>(cycles, settle_cycles) : cycles;
	return run ? link_->kind->run(link_, run, &err) : 0;
}

// Transfers words at time `at`, or as soon as the chip can.
bool chip::transfer(const struct loom_transfer &t, const sc_core::sc_time &at)
{
	struct loom_err err = {};
	int code = link_ ? catch_up(at, err) : loom_fail(&err, LOOM_ELINK, "%s", error_.c_str());
	reached_ += sc_core::sc_time::from_value((t.n_words + latency) * period_.value());
	if (code == 0)
		code = link_->kind->transfer(link_, &t, 1, link_->timeout_ms ? link_->timeout_ms : LOOM_LINK_TIMEOUT_MS,
		                             &err);
	if (code == 0)
		return true;
	error_ = err.text;
	SC_REPORT_WARNING(reporter, error_.c_str());
	return false;
}

// --- An access -----------------------------------------------------------------------------------------------------

// Transfers the words of a legal transaction.
bool chip::move(payload &trans, bool fixed, const sc_core::sc_time &at)
{
	const unsigned length = trans.get_data_length();
	struct loom_transfer t = {};
	t.address = static_cast<uint32_t>(trans.get_address() / 4);
	t.n_words = length / 4;
	t.fixed = fixed;
	words_.resize(t.n_words);
	if (trans.is_read())
		t.read = words_.data();
	else
		t.write = words_.data();
	if (t.write)
		std::memcpy(words_.data(), trans.get_data_ptr(), length);
	const bool moved = transfer(t, at);
	if (moved && t.read)
		std::memcpy(trans.get_data_ptr(), words_.data(), length);
	return moved;
}

// Makes the answer. `at`: the time of the access; becomes the time of its end.
tlm::tlm_response_status chip::access(payload &trans, sc_core::sc_time &at)
{
	if (trans.get_command() == tlm::TLM_IGNORE_COMMAND)
		return tlm::TLM_OK_RESPONSE;
	const tlm::tlm_response_status status = check(trans);
	if (status != tlm::TLM_OK_RESPONSE)
		return status;
	const bool moved = move(trans, is_stream(trans), at);
	at = std::max(at, reached_);
	if (commands(trans, is_stream(trans))) {
		idle_ = false;
		told_ = true;
		command_.notify(sc_core::SC_ZERO_TIME);
	}
	return moved ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

// --- Loosely timed, debug ------------------------------------------------------------------------------------------

void chip::b_transport(payload &trans, sc_core::sc_time &delay)
{
	const sc_core::sc_time now = sc_core::sc_time_stamp();
	sc_core::sc_time at = now + delay;
	trans.set_response_status(access(trans, at));
	delay = at - now;
}

bool chip::get_direct_mem_ptr(payload &, tlm::tlm_dmi &dmi)
{
	dmi.init();             // to all addresses
	dmi.allow_read_write(); // the denied kinds of access
	return false;
}

// Debug transport takes no simulated time, so the chip is ahead of it afterwards, and the next access comes later by
// as much.
unsigned chip::transport_dbg(payload &trans)
{
	if (check_place(trans, false) != tlm::TLM_OK_RESPONSE || commands(trans, false))
		return 0;
	return move(trans, false, sc_core::sc_time_stamp()) ? trans.get_data_length() : 0;
}

// --- Approximately timed -------------------------------------------------------------------------------------------

tlm::tlm_sync_enum chip::nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
	if (phase == tlm::BEGIN_REQ && !trans.has_mm()) {
		SC_REPORT_WARNING(reporter, "nb_transport: a transaction without a memory manager");
		trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
		return tlm::TLM_COMPLETED;
	}
	if (phase == tlm::BEGIN_REQ && under_way_.insert(&trans).second) {
		trans.acquire();
		requests_.notify(trans, delay);
		return tlm::TLM_ACCEPTED;
	}
	if (phase == tlm::END_RESP && &trans == responding_) {
		responded(delay);
		return tlm::TLM_COMPLETED;
	}
	if (phase <= tlm::END_RESP) // others may be ignored
		SC_REPORT_WARNING(reporter, "nb_transport: a phase that this transaction is not in");
	return tlm::TLM_ACCEPTED;
}

void chip::responded(const sc_core::sc_time &delay)
{
	payload *trans = responding_;
	responding_ = nullptr;
	response_free_ = sc_core::sc_time_stamp() + delay;
	responded_.notify(sc_core::SC_ZERO_TIME);
	under_way_.erase(trans);
	trans->release();
}

void chip::respond(payload &trans, tlm::tlm_response_status status)
{
	tlm::tlm_phase phase = tlm::BEGIN_RESP;
	sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
	while (responding_)
		wait(responded_);
	wait_until(response_free_);
	trans.set_response_status(status);
	responding_ = &trans;
	const tlm::tlm_sync_enum answer = socket->nb_transport_bw(trans, phase, delay);
	const bool over = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
	if (over && responding_ == &trans)
		responded(delay);
}

// Serves the requests one after the other. It takes a word in each period, then waits until the answer is accepted.
void chip::serve()
{
	const sc_core::sc_time answer = latency * period_;
	for (;;) {
		payload *trans;
		while (!(trans = requests_.get_next_transaction()))
			wait(requests_.get_event());
		sc_core::sc_time at = sc_core::sc_time_stamp();
		const sc_core::sc_time asked = at;
		const tlm::tlm_response_status status = access(*trans, at);
		if (at > asked) { // BEGIN_RESP alone also ends the request
			tlm::tlm_phase phase = tlm::END_REQ;
			sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
			wait_until(at - answer);
			socket->nb_transport_bw(*trans, phase, delay);
			wait_until(at);
		}
		respond(*trans, status);
	}
}

// --- The interrupt -------------------------------------------------------------------------------------------------

void chip::wait_until(const sc_core::sc_time &at)
{
	if (at > sc_core::sc_time_stamp())
		wait(at - sc_core::sc_time_stamp());
}

// Reads the chip's state. False: the link has failed.
bool chip::look()
{
	uint32_t word = 0;
	struct loom_transfer t = {};
	t.address = LOOM_REG_STATUS;
	t.n_words = 1;
	t.read = &word;
	if (!transfer(t, sc_core::sc_time_stamp()))
		return false;
	state_ = word >> LOOM_STATUS_STATE_LOW & ((1u << LOOM_STATUS_STATE_WIDTH) - 1);
	idle_ = state_ != running;
	return true;
}

// Reads the state at the beginning, because a board may be in the middle of a run. Before time begins, this takes no
// time.
void chip::start_of_simulation()
{
	(void)look();
	reached_ = sc_core::SC_ZERO_TIME;
}

// Polls the state after each command, and now and then during a run. After a command by an initiator that is ahead of
// simulated time, it polls when simulated time has come there. The line rises at the time of the poll, which takes
// the port some periods more: a program that then reads STATUS finds the same state.
void chip::watch()
{
	for (;;) {
		interrupt.write(state_ == done || state_ == stuck);
		if (state_ == running)
			wait(poll_cycles_ * period_, command_);
		else
			while (!told_)
				wait(command_);
		// the earlier state is over: a program that waits for the end of a run must not see that of the run
		// before
		if (told_)
			interrupt.write(false);
		wait_until(reached_);
		told_ = false;
		if (!look())
			state_ = idle;
	}
}

} // namespace flitloom
