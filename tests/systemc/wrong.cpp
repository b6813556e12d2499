// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The TLM checker must notice what it is there for: targets and initiators that are wrong on purpose, each in one thing. Each must
// break the rule that is named, and no other; those who do everything right must break none.
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "scene.hpp"

namespace
{

using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::TLM_UPDATED;

struct part {
	const char *name;
	int rule; // -1: none
	std::function<void(scene &)> play;
};

// A target that spoils something of the transaction, in b_transport and before END_REQ of nb_transport.
part spoils_b(const char *name, tlm_checker::rule rule, std::function<void(payload &, scene &)> spoil)
{
	return {name, rule, [spoil](scene &s) {
			s.on_b = [&s, spoil](payload &p, sc_core::sc_time &) {
				s.ok();
				spoil(p, s);
			};
			s.b();
		}};
}

part spoils_nb(const char *name, tlm_checker::rule rule, std::function<void(payload &, scene &)> spoil)
{
	return {name, rule, [spoil](scene &s) {
			s.fw(BEGIN_REQ);
			s.ok();
			s.on_bw = [](payload &, tlm::tlm_phase &, sc_core::sc_time &) { return TLM_COMPLETED; };
			spoil(s.t, s);
			s.bw(BEGIN_RESP);
		}};
}

part spoils_debug(const char *name, tlm_checker::rule rule, std::function<void(payload &, scene &)> spoil)
{
	return {name, rule, [spoil](scene &s) {
			s.on_debug = [&s, spoil](payload &p) {
				spoil(p, s);
				return 8u;
			};
			s.initiator->transport_dbg(s.t);
		}};
}

tlm::tlm_sync_enum updated(tlm::tlm_phase &phase, tlm::tlm_phase to)
{
	phase = to;
	return TLM_UPDATED;
}

void four_phases(scene &s, payload &p)
{
	s.fw(p, BEGIN_REQ);
	s.bw(p, END_REQ);
	s.ok(p);
	s.bw(p, BEGIN_RESP);
	s.fw(p, END_RESP);
}

// The initiator ends the first response 5 ns later, and the second comes after 4.
void after_a_slow_response(scene &s, tlm::tlm_sync_enum how)
{
	s.on_bw = [how](payload &, tlm::tlm_phase &p, sc_core::sc_time &d) {
		d += 5 * ns;
		return how == TLM_UPDATED ? updated(p, END_RESP) : TLM_COMPLETED;
	};
	s.fw(BEGIN_REQ);
	s.ok();
	s.bw(BEGIN_RESP);
	s.fw(s.other, BEGIN_REQ);
	s.ok(s.other);
	s.bw(s.other, BEGIN_RESP, 4 * ns);
}

std::vector<part> good_parts()
{
	return {
		{"b_transport", -1, [](scene &s) { s.b(); }},
		{"b_transport ahead of time", -1, [](scene &s) { s.b(1000 * ns); }},
		{"b_transport twice", -1,
	         [](scene &s) {
			 s.b();
			 s.t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
			 s.b();
		 }},
		{"b_transport that waits", -1,
	         [](scene &s) {
			 s.on_b = [&s](payload &, sc_core::sc_time &d) {
				 wait(d + 3 * ns);
				 d = none;
				 s.ok();
			 };
			 s.b(5 * ns);
		 }},
		{"a read brings data", -1,
	         [](scene &s) {
			 s.t.set_read();
			 s.on_b = [&s](payload &p, sc_core::sc_time &) {
				 std::memset(p.get_data_ptr(), 7, 8);
				 s.ok();
			 };
			 s.b();
		 }},
		{"debug", -1, [](scene &s) { s.initiator->transport_dbg(s.t); }},
		{"four phases", -1, [](scene &s) { four_phases(s, s.t); }},
		{"two transactions, one after the other", -1,
	         [](scene &s) {
			 four_phases(s, s.t);
			 four_phases(s, s.other);
		 }},
		{"a second request during the first response", -1,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
			 s.fw(s.other, BEGIN_REQ);
			 s.fw(END_RESP);
			 s.ok(s.other);
			 s.bw(s.other, BEGIN_RESP);
			 s.fw(s.other, END_RESP);
		 }},
		{"a second response when the delay of END_RESP is over", -1,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
			 s.fw(END_RESP, 5 * ns);
			 s.fw(s.other, BEGIN_REQ);
			 s.ok(s.other);
			 s.bw(s.other, BEGIN_RESP, 5 * ns);
			 s.fw(s.other, END_RESP, 5 * ns);
		 }},
		{"early completion", -1,
	         [](scene &s) {
			 s.on_fw = [&s](payload &, tlm::tlm_phase &, sc_core::sc_time &d) {
				 s.ok();
				 d += ns;
				 return TLM_COMPLETED;
			 };
			 s.fw(BEGIN_REQ);
		 }},
		{"by the return path", -1,
	         [](scene &s) {
			 s.on_fw = [](payload &, tlm::tlm_phase &p, sc_core::sc_time &) { return updated(p, END_REQ); };
			 s.on_bw = [](payload &, tlm::tlm_phase &p, sc_core::sc_time &) {
				 return updated(p, END_RESP);
			 };
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
		 }},
	};
}

std::vector<part> wrong_in_b()
{
	const auto response = tlm_checker::RESPONSE, delay = tlm_checker::DELAY, extensions = tlm_checker::EXTENSIONS,
		   rest = tlm_checker::PAYLOAD, debug = tlm_checker::DEBUG;
	return {
		{"b_transport without a response", response,
	         [](scene &s) {
			 s.on_b = [](payload &, sc_core::sc_time &) {};
			 s.b();
		 }},
		{"b_transport with a response from before", response,
	         [](scene &s) {
			 s.ok();
			 s.b();
		 }},
		{"b_transport ends before it began", delay,
	         [](scene &s) {
			 s.on_b = [&s](payload &, sc_core::sc_time &d) {
				 s.ok();
				 d -= ns;
			 };
			 s.b(5 * ns);
		 }},
		{"b_transport returns a negative delay", delay,
	         [](scene &s) {
			 s.on_b = [&s](payload &, sc_core::sc_time &d) {
				 s.ok();
				 d = none - ns;
			 };
			 s.b();
		 }},
		{"b_transport called with a negative delay", delay, [](scene &s) { s.b(none - ns); }},
		spoils_b("address", rest, [](payload &p, scene &) { p.set_address(68); }),
		spoils_b("command", rest, [](payload &p, scene &) { p.set_read(); }),
		spoils_b("length", rest, [](payload &p, scene &) { p.set_data_length(4); }),
		spoils_b("streaming width", rest, [](payload &p, scene &) { p.set_streaming_width(4); }),
		spoils_b("data pointer", rest, [](payload &p, scene &s) { p.set_data_ptr(s.other.data); }),
		spoils_b("data written", rest, [](payload &p, scene &) { p.get_data_ptr()[7]++; }),
		spoils_b("byte enables", rest, [](payload &p, scene &) { p.set_byte_enable_ptr(nullptr); }),
		spoils_b("a byte enable", rest, [](payload &p, scene &) { p.get_byte_enable_ptr()[1] = 255; }),
		spoils_b("direct memory allowed", rest, [](payload &p, scene &) { p.set_dmi_allowed(true); }),
		spoils_b("an extension taken away", extensions, [](payload &p, scene &) { p.clear_extension<note>(); }),
		spoils_b("an extension changed", extensions, [](payload &p, scene &s) { p.set_extension(&s.another); }),
		spoils_debug("debug sets the response", debug, [](payload &, scene &s) { s.ok(); }),
		spoils_debug("debug takes time", debug, [](payload &, scene &) { wait(ns); }),
		spoils_debug("debug changes the address", rest, [](payload &p, scene &) { p.set_address(0); }),
		{"debug moves too much", debug,
	         [](scene &s) {
			 s.on_debug = [](payload &p) { return p.get_data_length() + 1; };
			 s.initiator->transport_dbg(s.t);
		 }},
	};
}

std::vector<part> wrong_in_nb()
{
	const auto response = tlm_checker::RESPONSE, delay = tlm_checker::DELAY, phases = tlm_checker::PHASES;
	return {
		{"BEGIN_RESP without a response", response,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.bw(BEGIN_RESP);
			 s.ok();
			 s.fw(END_RESP);
		 }},
		{"the response changes after BEGIN_RESP", response,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
			 s.t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
			 s.fw(END_RESP);
		 }},
		{"early completion without a response", response,
	         [](scene &s) {
			 s.on_fw = [](payload &, tlm::tlm_phase &, sc_core::sc_time &) { return TLM_COMPLETED; };
			 s.fw(BEGIN_REQ);
		 }},
		{"END_REQ twice", phases,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.bw(END_REQ);
			 s.bw(END_REQ);
		 }},
		{"BEGIN_RESP twice", phases,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
			 s.bw(BEGIN_RESP);
		 }},
		{"END_REQ after BEGIN_RESP", phases,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
			 s.bw(END_REQ);
		 }},
		{"END_REQ before BEGIN_REQ", phases, [](scene &s) { s.bw(END_REQ); }},
		{"BEGIN_RESP after the end", phases,
	         [](scene &s) {
			 four_phases(s, s.t);
			 s.bw(BEGIN_RESP);
		 }},
		{"END_RESP before BEGIN_RESP", phases,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.fw(END_RESP);
		 }},
		{"the target begins a request", phases, [](scene &s) { s.bw(BEGIN_REQ); }},
		{"the initiator ends its request", phases,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.fw(END_REQ);
		 }},
		{"accepted, and the phase has changed", phases,
	         [](scene &s) {
			 s.on_fw = [](payload &, tlm::tlm_phase &p, sc_core::sc_time &) {
				 p = END_REQ;
				 return TLM_ACCEPTED;
			 };
			 s.fw(BEGIN_REQ);
		 }},
		{"updated at END_REQ", phases,
	         [](scene &s) {
			 s.on_bw = [&s](payload &, tlm::tlm_phase &p, sc_core::sc_time &) {
				 s.ok();
				 return updated(p, BEGIN_RESP);
			 };
			 s.fw(BEGIN_REQ);
			 s.bw(END_REQ);
		 }},
		{"accepted, and the delay has changed", delay,
	         [](scene &s) {
			 s.on_fw = [](payload &, tlm::tlm_phase &, sc_core::sc_time &d) {
				 d += ns;
				 return TLM_ACCEPTED;
			 };
			 s.fw(BEGIN_REQ);
		 }},
		{"completed with a delay that has shrunk", delay,
	         [](scene &s) {
			 s.on_fw = [&s](payload &, tlm::tlm_phase &, sc_core::sc_time &d) {
				 s.ok();
				 d = none;
				 return TLM_COMPLETED;
			 };
			 s.fw(BEGIN_REQ, ns);
		 }},
		{"BEGIN_RESP before END_REQ has come", delay,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.bw(END_REQ, 5 * ns);
			 s.ok();
			 s.bw(BEGIN_RESP, 4 * ns);
			 s.fw(END_RESP, 9 * ns);
		 }},
		{"a negative delay of a phase", delay,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.bw(END_REQ, none - ns);
		 }},
		spoils_nb("an address between two phases", tlm_checker::PAYLOAD,
	                  [](payload &p, scene &) { p.set_address(0); }),
		spoils_nb("data written, between two phases", tlm_checker::PAYLOAD,
	                  [](payload &p, scene &) { p.get_data_ptr()[0]++; }),
		spoils_nb("an extension between two phases", tlm_checker::EXTENSIONS,
	                  [](payload &p, scene &) { p.clear_extension<note>(); }),
	};
}

std::vector<part> wrong_together()
{
	const auto exclusion = tlm_checker::EXCLUSION, reuse = tlm_checker::REUSE;
	return {
		{"a request before the one before it is over", exclusion,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.fw(s.other, BEGIN_REQ);
		 }},
		{"a response before the one before it is over", exclusion,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.bw(END_REQ);
			 s.fw(s.other, BEGIN_REQ);
			 s.ok();
			 s.ok(s.other);
			 s.bw(BEGIN_RESP);
			 s.bw(s.other, BEGIN_RESP);
		 }},
		{"a response before the delay of END_RESP is over", exclusion,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.ok();
			 s.bw(BEGIN_RESP);
			 s.fw(END_RESP, 5 * ns);
			 s.fw(s.other, BEGIN_REQ);
			 s.ok(s.other);
			 s.bw(s.other, BEGIN_RESP, 4 * ns);
		 }},
		{"a response before the delay of an END_RESP that was returned is over", exclusion,
	         [](scene &s) { after_a_slow_response(s, TLM_UPDATED); }},
		{"a response before the delay of a completion is over", exclusion,
	         [](scene &s) { after_a_slow_response(s, TLM_COMPLETED); }},
		{"begun again before it is over", reuse,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.bw(END_REQ);
			 s.fw(BEGIN_REQ);
		 }},
		{"b_transport with a transaction under way", reuse,
	         [](scene &s) {
			 s.fw(BEGIN_REQ);
			 s.b();
		 }},
		{"nobody manages the transaction", reuse,
	         [](scene &s) {
			 s.t.set_mm(nullptr);
			 s.fw(BEGIN_REQ);
		 }},
	};
}

struct director : sc_core::sc_module {
	std::vector<part> parts;
	std::vector<std::unique_ptr<scene>> scenes;
	unsigned passed = 0, failed = 0;

	explicit director(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		for (const auto &some : {good_parts(), wrong_in_b(), wrong_in_nb(), wrong_together()})
			parts.insert(parts.end(), some.begin(), some.end());
		for (size_t i = 0; i < parts.size(); i++)
			scenes.push_back(std::make_unique<scene>(("scene" + std::to_string(i)).c_str()));
		SC_HAS_PROCESS(director);
		SC_THREAD(run);
	}

	void run()
	{
		bool caught[tlm_checker::RULES] = {};
		for (size_t i = 0; i < parts.size(); i++) {
			const tlm_checker &c = scenes[i]->checker;
			parts[i].play(*scenes[i]);
			const int rule = parts[i].rule;
			const uint64_t due = rule < 0 ? 0 : c.broken(static_cast<tlm_checker::rule>(rule));
			if (c.broken() == due && (rule < 0 || due > 0)) {
				passed++;
				if (rule >= 0)
					caught[rule] = true;
				continue;
			}
			failed++;
			std::printf("FAIL: %s: the checker should say \"%s\", and says: %s\n", parts[i].name,
			            rule < 0 ? "" : tlm_checker::name_of(static_cast<tlm_checker::rule>(rule)),
			            c.first().c_str());
		}
		for (int rule = 0; rule < tlm_checker::RULES; rule++)
			caught[rule] ? passed++ : failed++;
		sc_core::sc_stop();
	}
};

} // namespace

int sc_main(int, char **)
{
	director d("director");
	sc_core::sc_start();
	std::printf("%u passed, %u failed\n", d.passed, d.failed);
	return d.failed ? 1 : 0;
}
