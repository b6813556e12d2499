// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// When the phases of flitloom::chip come, to the period; when it looks at its state; what it says of a link that is silent.
#include <cstdio>
#include <functional>
#include <vector>

#include <flitloom/link/regmap.h>
#include <flitloom/systemc.hpp>

#include "memory_link.hpp"

namespace
{

const sc_core::sc_time period(10, sc_core::SC_NS), none;
constexpr unsigned done = 2; // of STATUS
using payload = tlm::tlm_generic_payload;

// A memory that can fall silent, and notes how long it was given.
struct silent_link : memory_link {
	bool silent = false;
	unsigned timeout_ms = 0;
	struct loom_link_kind kind;

	silent_link() : kind(*link.kind)
	{
		kind.transfer = transfer;
		link.kind = &kind;
	}
	static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
	                    struct loom_err *err)
	{
		auto *self = static_cast<silent_link *>(static_cast<memory_link *>(link->state));
		self->timeout_ms = timeout_ms;
		if (self->silent)
			return loom_fail(err, LOOM_ETIMEOUT, "the memory is silent");
		return memory_link().link.kind->transfer(link, list, n, timeout_ms, err);
	}
};

struct access : payload, tlm::tlm_mm_interface {
	std::vector<uint32_t> words;

	explicit access(size_t n_words, uint64_t address = 0) : payload(this), words(n_words)
	{
		acquire();
		set_read();
		set_address(4 * address);
		set_data_ptr(reinterpret_cast<unsigned char *>(words.data()));
		set_data_length(static_cast<unsigned>(4 * n_words));
		set_streaming_width(get_data_length());
	}
	void free(payload *) override
	{
	}
};

struct tests : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
	struct note {
		tlm::tlm_phase phase;
		const payload *of;
		sc_core::sc_time at;
	};
	tlm::tlm_initiator_socket<32> socket{"socket"}, to_instant{"to_instant"}, to_ready{"to_ready"};
	sc_core::sc_signal<bool> interrupt{"interrupt"}, ready_interrupt{"ready_interrupt"};
	silent_link words, of_instant, of_ready;
	flitloom::chip chip{"chip", &words.link, period};
	flitloom::chip instant{"instant", &of_instant.link, sc_core::SC_ZERO_TIME};
	flitloom::chip ready{"ready", &of_ready.link, period};
	std::vector<note> notes;
	std::function<tlm::tlm_sync_enum(payload &, tlm::tlm_phase &, sc_core::sc_time &)> on_response;
	unsigned passed = 0, failed = 0;

	explicit tests(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		of_ready.words[LOOM_REG_STATUS] = done;
		for (auto *s : {&socket, &to_instant, &to_ready})
			s->bind(*this);
		socket.bind(chip.socket);
		to_instant.bind(instant.socket);
		to_ready.bind(ready.socket);
		chip.interrupt(interrupt);
		ready.interrupt(ready_interrupt);
		SC_HAS_PROCESS(tests);
		SC_THREAD(run);
		set_stack_size(1 << 18);
	}
	void check(bool ok, const std::string &what)
	{
		(ok ? passed : failed)++;
		if (!ok)
			std::printf("FAIL: %s: %s\n", sc_core::sc_time_stamp().to_string().c_str(), what.c_str());
	}
	tlm::tlm_sync_enum nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
	{
		notes.push_back({phase, &trans, sc_core::sc_time_stamp() + delay});
		return phase == tlm::BEGIN_RESP ? on_response(trans, phase, delay) : tlm::TLM_ACCEPTED;
	}
	void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override
	{
	}
	void begin(access &a, sc_core::sc_time delay = none)
	{
		tlm::tlm_phase phase = tlm::BEGIN_REQ;
		check(socket->nb_transport_fw(a, phase, delay) == tlm::TLM_ACCEPTED, "BEGIN_REQ is not accepted");
	}
	void end(payload &trans, sc_core::sc_time delay)
	{
		tlm::tlm_phase phase = tlm::END_RESP;
		(void)socket->nb_transport_fw(trans, phase, delay);
	}
	// When it had this phase; never: 0.
	sc_core::sc_time time_of(const payload &trans, tlm::tlm_phase phase) const
	{
		for (const note &n : notes)
			if (n.of == &trans && n.phase == phase)
				return n.at;
		return none;
	}
	void to_control(unsigned n_words, uint32_t address, unsigned width)
	{
		access a(n_words, address);
		sc_core::sc_time delay;
		a.set_write();
		a.set_streaming_width(width);
		socket->b_transport(a, delay);
		check(a.is_response_ok(), "a write is answered by " + a.get_response_string());
		wait(delay);
	}

	// n words are taken in n periods, and the answer comes 5 later.
	void test_times()
	{
		on_response = [](auto &, auto &, auto &) { return tlm::TLM_COMPLETED; };
		for (unsigned n : {1, 3, 100})
			for (unsigned late : {0, 7}) {
				access a(n);
				const sc_core::sc_time start = sc_core::sc_time_stamp() + late * period;
				notes.clear();
				begin(a, late * period);
				wait(200 * period);
				check(notes.size() == 2 && time_of(a, tlm::END_REQ) == start + n * period &&
				              time_of(a, tlm::BEGIN_RESP) == start + (n + 5) * period,
				      std::to_string(n) + " words from " + start.to_string() + ": END_REQ at " +
				              time_of(a, tlm::END_REQ).to_string() + ", BEGIN_RESP at " +
				              time_of(a, tlm::BEGIN_RESP).to_string());
				check(a.is_response_ok() && a.get_ref_count() == 1, "an access is not over");
			}
		access refused(1);
		const sc_core::sc_time start = sc_core::sc_time_stamp();
		notes.clear();
		refused.set_address(2);
		begin(refused);
		wait(20 * period);
		check(notes.size() == 1 && time_of(refused, tlm::BEGIN_RESP) == start &&
		              refused.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE,
		      "a transaction that is refused takes time");
	}

	// A response lasts as long as its END_RESP says, by whichever way that comes.
	void test_slow_initiator()
	{
		const sc_core::sc_time slow = 50 * period;
		for (unsigned way = 0; way < 3; way++) {
			access first(1), second(1);
			sc_core::sc_event responds;
			on_response = [&](auto &trans, auto &phase, auto &delay) {
				if (&trans != &first || way == 0)
					delay += &trans == &first ? slow : none;
				else if (way == 1) {
					phase = tlm::END_RESP;
					delay += slow;
					return tlm::TLM_UPDATED;
				} else {
					responds.notify(3 * period);
					return tlm::TLM_ACCEPTED;
				}
				return tlm::TLM_COMPLETED;
			};
			notes.clear();
			begin(first);
			wait(2 * period);
			begin(second);
			if (way == 2) {
				wait(responds);
				end(first, slow - 3 * period);
			}
			wait(100 * period);
			check(time_of(second, tlm::BEGIN_RESP) == time_of(first, tlm::BEGIN_RESP) + slow,
			      "way " + std::to_string(way) + ": responses at " +
			              time_of(first, tlm::BEGIN_RESP).to_string() + " and " +
			              time_of(second, tlm::BEGIN_RESP).to_string());
		}
	}

	// Nobody could keep it: neither taken, nor answered later.
	void test_without_manager()
	{
		access a(1);
		tlm::tlm_phase phase = tlm::BEGIN_REQ;
		sc_core::sc_time delay;
		a.set_mm(nullptr);
		notes.clear();
		check(socket->nb_transport_fw(a, phase, delay) == tlm::TLM_COMPLETED && phase == tlm::BEGIN_REQ &&
		              a.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE,
		      "a transaction without a memory manager is taken");
		wait(100 * period);
		check(notes.empty(), "a transaction without a memory manager has phases");
	}

	// CONTROL is known as such in a stream of words to it, but not where a stream to the word before would have come to.
	void test_streams()
	{
		words.words[LOOM_REG_STATUS] = done;
		to_control(2, LOOM_REG_CONTROL - 1, 4);
		wait(1000 * period);
		check(!interrupt.read(), "a stream to the word before CONTROL is known as a command");
		to_control(3, LOOM_REG_CONTROL, 4);
		wait(20 * period);
		check(interrupt.read(), "a stream to CONTROL is not known as a command");
		words.words[LOOM_REG_STATUS] = 0;
		to_control(2, LOOM_REG_CONTROL - 1, 8);
		wait(20 * period);
		check(!interrupt.read(), "a burst over CONTROL is not known as a command");
	}

	// A run that ends is seen at the next look.
	void test_polls()
	{
		for (unsigned cycles : {64, 5, 1000, 0}) {
			if (cycles != 64) // which it is from the beginning
				chip.set_poll_cycles(cycles);
			words.words[LOOM_REG_STATUS] = 1;
			to_control(1, LOOM_REG_CONTROL, 4);
			wait(2100 * period);
			check(!interrupt.read(), "an interrupt during a run");
			words.words[LOOM_REG_STATUS] = done;
			const uint64_t before = words.transfers;
			const sc_core::sc_time begin = sc_core::sc_time_stamp();
			wait(3000 * period, interrupt.posedge_event());
			const double took = (sc_core::sc_time_stamp() - begin) / period;
			check(interrupt.read() && words.transfers == before + 1 && took <= cycles + 7,
			      "looked at every " + std::to_string(cycles) + " cycles, the end is seen after " +
			              std::to_string(took));
			words.words[LOOM_REG_STATUS] = 1;
			to_control(1, LOOM_REG_CONTROL, 4);
			const uint64_t from = words.transfers;
			wait(6000 * period);
			const double looks = static_cast<double>(words.transfers - from);
			check(looks * (cycles + 8) >= 6000 && looks * std::max(cycles, 1u) <= 6000 + 2 * cycles,
			      std::to_string(looks) + " looks in 6000 periods, one each " + std::to_string(cycles));
		}
		chip.set_poll_cycles(64);
	}

	// A command by an initiator that is ahead of simulated time: the line falls now, and rises when time is there.
	void test_ahead()
	{
		access start(1, LOOM_REG_CONTROL);
		sc_core::sc_time delay = 100 * period;
		words.words[LOOM_REG_STATUS] = done;
		wait(200 * period);
		const sc_core::sc_time begin = sc_core::sc_time_stamp();
		start.set_write();
		socket->b_transport(start, delay);
		wait(99 * period);
		check(!interrupt.read(), "an interrupt before the command");
		wait(100 * period, interrupt.posedge_event());
		check(interrupt.read() && sc_core::sc_time_stamp() >= begin + delay, "no interrupt after the command");
	}

	void test_silence()
	{
		const auto warnings = [] {
			return sc_core::sc_report_handler::get_count("/flitloom/chip", sc_core::SC_WARNING);
		};
		access a(2);
		sc_core::sc_time delay;
		words.words[LOOM_REG_STATUS] = done;
		to_control(1, LOOM_REG_CONTROL, 4);
		wait(20 * period);
		check(interrupt.read() && words.timeout_ms == LOOM_LINK_TIMEOUT_MS,
		      "the link's time-out is not the usual one");
		words.link.timeout_ms = 77;
		words.silent = true;
		const int before = warnings();
		socket->b_transport(a, delay);
		check(a.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE && words.timeout_ms == 77,
		      "a link that is silent: " + a.get_response_string());
		check(chip.error() == "the memory is silent", "what is said of a link that is silent: " + chip.error());
		check(warnings() == before + 1, "no warning of a link that is silent");
		wait(delay);
		access start(1, LOOM_REG_CONTROL); // what the chip does then, nobody knows
		start.set_write();
		start.set_streaming_width(4);
		delay = none;
		socket->b_transport(start, delay);
		wait(delay + 20 * period);
		check(start.is_response_error() && !interrupt.read(), "the interrupt of a chip that is silent");
		words.silent = false;
	}

	void test_direct_memory()
	{
		access a(1);
		tlm::tlm_dmi dmi;
		check(!socket->get_direct_mem_ptr(a, dmi) && dmi.get_start_address() == 0 &&
		              dmi.get_end_address() == ~UINT64_C(0) && dmi.is_read_write_allowed() &&
		              dmi.get_dmi_ptr() == nullptr && !a.is_dmi_allowed(),
		      "direct memory is not denied for all addresses, to readers and writers");
	}

	// A period of 0 is the shortest that there is.
	void test_instant()
	{
		access a(10);
		sc_core::sc_time delay;
		to_instant->b_transport(a, delay);
		check(a.is_response_ok() && delay > none && delay <= 15 * sc_core::sc_get_time_resolution(),
		      "a period of 0: " + delay.to_string());
	}

	void run()
	{
		wait(period);
		check(ready_interrupt.read(), "a chip that is done before the simulation begins has no interrupt");
		check(!interrupt.read(), "an interrupt of a chip that does nothing");
		test_times();
		test_slow_initiator();
		test_without_manager();
		test_streams();
		test_polls();
		test_ahead();
		test_silence();
		test_direct_memory();
		test_instant();
		sc_core::sc_stop();
	}
};

} // namespace

int sc_main(int, char **)
{
	sc_core::sc_report_handler::set_actions("/flitloom/chip", sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
	tests t("tests");
	sc_core::sc_start();
	std::printf("%u passed, %u failed\n", t.passed, t.failed);
	return t.failed ? 1 : 0;
}
