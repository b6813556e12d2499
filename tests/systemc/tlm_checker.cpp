// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm_checker.hpp"

#include <cstring>
#include <utility>

// sc_time has no sign: what went below zero is far in the future.
static const sc_core::sc_time far_away(3600, sc_core::SC_SEC);

const char *tlm_checker::name_of(rule r)
{
	static const char *const names[] = {"response",   "phases",  "exclusion", "delay",
	                                    "extensions", "payload", "reuse",     "debug"};
	return names[r];
}

tlm_checker::tlm_checker(sc_core::sc_module_name name) : sc_core::sc_module(name), in("in"), out("out")
{
	in.bind(*this);
	out.bind(*this);
}

uint64_t tlm_checker::broken() const
{
	uint64_t sum = 0;
	for (uint64_t n : broken_)
		sum += n;
	return sum;
}

void tlm_checker::broke(rule r, const std::string &what)
{
	if (broken() == 0)
		first_ = std::string(name()) + ", " + sc_core::sc_time_stamp().to_string() + ", " + name_of(r) + ": " +
		         what;
	broken_[r]++;
}

void tlm_checker::check(bool right, rule r, const char *what)
{
	if (!right)
		broke(r, what);
}

// --- What a transaction is -----------------------------------------------------------------------------------------

static std::vector<const tlm::tlm_extension_base *> extensions_of(const tlm::tlm_generic_payload &trans)
{
	std::vector<const tlm::tlm_extension_base *> all;
	for (unsigned i = 0; i < tlm::max_num_extensions(); i++)
		all.push_back(trans.get_extension(i));
	return all;
}

tlm_checker::image::image(const payload &trans)
    : command(trans.get_command()), address(trans.get_address()), data(trans.get_data_ptr()),
      enables(trans.get_byte_enable_ptr()), length(trans.get_data_length()), n_enables(trans.get_byte_enable_length()),
      width(trans.get_streaming_width()), option(trans.get_gp_option()), dmi(trans.is_dmi_allowed()),
      extensions(extensions_of(trans))
{
	if (command == tlm::TLM_WRITE_COMMAND && data)
		written.assign(data, data + length);
	if (enables)
		enabled.assign(enables, enables + n_enables);
}

bool tlm_checker::image::same_payload(const payload &trans) const
{
	return command == trans.get_command() && address == trans.get_address() && data == trans.get_data_ptr() &&
	       enables == trans.get_byte_enable_ptr() && length == trans.get_data_length() &&
	       n_enables == trans.get_byte_enable_length() && width == trans.get_streaming_width() &&
	       option == trans.get_gp_option() && dmi == trans.is_dmi_allowed() &&
	       (written.empty() || std::memcmp(written.data(), data, written.size()) == 0) &&
	       (enabled.empty() || std::memcmp(enabled.data(), enables, enabled.size()) == 0);
}

bool tlm_checker::image::same_extensions(const payload &trans) const
{
	return extensions == extensions_of(trans);
}

void tlm_checker::check_image(const image &came, const payload &trans)
{
	check(came.same_payload(trans), PAYLOAD, "the target has changed more than data read and response");
	check(came.same_extensions(trans), EXTENSIONS, "the target has changed an extension");
}

// --- Loosely timed, debug ------------------------------------------------------------------------------------------

void tlm_checker::b_transport(payload &trans, sc_core::sc_time &delay)
{
	const sc_core::sc_time before = sc_core::sc_time_stamp() + delay;
	const image came(trans);
	const bool fresh = flights_.emplace(&trans, flight{came, REQUEST, before, trans.get_response_status()}).second;
	begun++;
	check(fresh, REUSE, "b_transport with a transaction that is not over");
	check(trans.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, RESPONSE, "b_transport: it is set already");
	check(delay < far_away, DELAY, "b_transport with a negative delay");
	out->b_transport(trans, delay);
	check_image(came, trans);
	check(trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, RESPONSE, "b_transport: it is not set");
	check(delay < far_away && sc_core::sc_time_stamp() + delay >= before, DELAY,
	      "b_transport ends before it began");
	if (fresh)
		flights_.erase(&trans);
	ended++;
}

unsigned tlm_checker::transport_dbg(payload &trans)
{
	const image came(trans);
	const tlm::tlm_response_status response = trans.get_response_status();
	const sc_core::sc_time before = sc_core::sc_time_stamp();
	const unsigned moved = out->transport_dbg(trans);
	check_image(came, trans);
	check(moved <= came.length, DEBUG, "transport_dbg has moved more than there is");
	check(trans.get_response_status() == response, DEBUG, "transport_dbg has set the response");
	check(sc_core::sc_time_stamp() == before, DEBUG, "transport_dbg has taken time");
	return moved;
}

bool tlm_checker::get_direct_mem_ptr(payload &trans, tlm::tlm_dmi &dmi)
{
	return out->get_direct_mem_ptr(trans, dmi);
}

void tlm_checker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last)
{
	in->invalidate_direct_mem_ptr(first, last);
}

// --- Approximately timed -------------------------------------------------------------------------------------------

void tlm_checker::begin(payload &trans, const sc_core::sc_time &delay)
{
	check(trans.has_mm() && trans.get_ref_count() > 0, REUSE, "nb_transport: nobody manages the transaction");
	check(requesting_ == nullptr, EXCLUSION, "BEGIN_REQ before the request before it is over");
	check(trans.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, RESPONSE, "BEGIN_REQ: it is set already");
	const auto found = flights_.find(&trans);
	check(found == flights_.end(), REUSE, "BEGIN_REQ of a transaction that is not over");
	if (found != flights_.end())
		return;
	begun++;
	flights_.emplace(&trans,
	                 flight{image(trans), REQUEST, sc_core::sc_time_stamp() + delay, tlm::TLM_INCOMPLETE_RESPONSE});
	requesting_ = &trans;
}

void tlm_checker::end(payload &trans)
{
	const auto found = flights_.find(&trans);
	if (found == flights_.end())
		return;
	check_image(found->second.came, trans);
	check(trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, RESPONSE, "the end: it is not set");
	check(found->second.at != RESPONDING || trans.get_response_status() == found->second.response, RESPONSE,
	      "the end: it has changed since BEGIN_RESP");
	flights_.erase(found);
	requesting_ = requesting_ == &trans ? nullptr : requesting_;
	responding_ = responding_ == &trans ? nullptr : responding_;
	ended++;
}

// The transaction is now in this phase, BEGIN_REQ left out.
void tlm_checker::move_on(payload &trans, const tlm::tlm_phase &phase, const sc_core::sc_time &delay)
{
	const auto found = flights_.find(&trans);
	if (found == flights_.end())
		return broke(PHASES, std::string(phase.get_name()) + " of a transaction that is not under way");
	flight &f = found->second;
	const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
	check(delay < far_away && time >= f.time, DELAY, "a phase begins before the one before it");
	f.time = time;
	check_image(f.came, trans);
	if (phase == tlm::END_REQ) {
		check(f.at == REQUEST, PHASES, "END_REQ not after BEGIN_REQ");
		f.at = TAKEN;
	} else if (phase == tlm::BEGIN_RESP) {
		check(f.at != RESPONDING, PHASES, "BEGIN_RESP twice");
		check((responding_ == nullptr || responding_ == &trans) && time >= response_free_, EXCLUSION,
		      "BEGIN_RESP before the response before it is over");
		f.response = trans.get_response_status();
		check(f.response != tlm::TLM_INCOMPLETE_RESPONSE, RESPONSE, "BEGIN_RESP: it is not set");
		f.at = RESPONDING;
		responding_ = &trans;
	} else { // END_RESP
		check(f.at == RESPONDING, PHASES, "END_RESP not after BEGIN_RESP");
		response_free_ = time;
		return end(trans);
	}
	requesting_ = requesting_ == &trans ? nullptr : requesting_;
}

// Checks what a call of nb_transport has returned.
void tlm_checker::returned(payload &trans, tlm::tlm_sync_enum answer, const tlm::tlm_phase &before,
                           const tlm::tlm_phase &after, const sc_core::sc_time &delay_before,
                           const sc_core::sc_time &delay)
{
	switch (answer) {
	case tlm::TLM_ACCEPTED:
		check(after == before, PHASES, "TLM_ACCEPTED, and the phase has changed");
		check(delay == delay_before, DELAY, "TLM_ACCEPTED, and the delay has changed");
		break;
	case tlm::TLM_UPDATED:
		check((before == tlm::BEGIN_REQ && (after == tlm::END_REQ || after == tlm::BEGIN_RESP)) ||
		              (before == tlm::BEGIN_RESP && after == tlm::END_RESP),
		      PHASES, "TLM_UPDATED to a phase that cannot follow");
		move_on(trans, after, delay);
		break;
	case tlm::TLM_COMPLETED:
		check(before != tlm::END_REQ, PHASES, "TLM_COMPLETED at END_REQ");
		check(delay < far_away && delay >= delay_before, DELAY, "TLM_COMPLETED with a delay that has shrunk");
		if (before == tlm::BEGIN_RESP)
			response_free_ = sc_core::sc_time_stamp() + delay;
		end(trans);
		break;
	}
}

tlm::tlm_sync_enum tlm_checker::nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
	const tlm::tlm_phase before = phase;
	const sc_core::sc_time delay_before = delay;
	const bool over = phase == tlm::END_RESP; // the transaction may be gone when the call returns
	check(delay < far_away, DELAY, "nb_transport_fw with a negative delay");
	check(phase == tlm::BEGIN_REQ || over, PHASES, "nb_transport_fw in a phase that is the target's");
	if (phase == tlm::BEGIN_REQ)
		begin(trans, delay);
	else if (over)
		move_on(trans, phase, delay);
	const tlm::tlm_sync_enum answer = out->nb_transport_fw(trans, phase, delay);
	if (!over)
		returned(trans, answer, before, phase, delay_before, delay);
	else
		check(answer != tlm::TLM_UPDATED, PHASES, "TLM_UPDATED at END_RESP");
	return answer;
}

tlm::tlm_sync_enum tlm_checker::nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
	const tlm::tlm_phase before = phase;
	const sc_core::sc_time delay_before = delay;
	check(delay < far_away, DELAY, "nb_transport_bw with a negative delay");
	if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
		move_on(trans, phase, delay);
	else
		broke(PHASES, "nb_transport_bw in a phase that is the initiator's");
	const tlm::tlm_sync_enum answer = in->nb_transport_bw(trans, phase, delay);
	returned(trans, answer, before, phase, delay_before, delay);
	return answer;
}
