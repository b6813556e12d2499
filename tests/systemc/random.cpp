// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: random memory|cube:3|any TRANSACTIONS SEED
// Random transactions, many of them bad ones, at a flitloom::chip: loosely timed, approximately timed with several under way, and by
// debug transport, all three at once. Of "any", a cube:3, all registers are written, so that it starts, runs and is stuck as it comes.
// Each must get one of the answers that are right (chip_model), what is read must be what was
// written, and the rules of TLM must hold.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <flitloom/systemc.hpp>

#include "chip_model.hpp"
#include "memory_link.hpp"
#include "tlm_checker.hpp"

namespace
{

const sc_core::sc_time period(10, sc_core::SC_NS);
constexpr unsigned char guard = 0xa5;

struct note : tlm::tlm_extension<note> {
	unsigned number = 0;
	tlm::tlm_extension_base *clone() const override
	{
		return new note(*this);
	}
	void free() override // a shot's own
	{
	}
	void copy_from(const tlm::tlm_extension_base &other) override
	{
		number = static_cast<const note &>(other).number;
	}
};

// A transaction, with room for its data between guards, at any alignment.
struct shot : tlm::tlm_mm_interface {
	note extension; // outlives the transaction, which lets go of it
	tlm::tlm_generic_payload trans;
	std::vector<unsigned char> buffer, enables, before;
	size_t offset = 0;
	bool free_again = true; // of those that have a memory manager
	std::set<tlm::tlm_response_status> right;
	std::vector<std::pair<size_t, uint32_t>> words; // a read must bring these, by their numbers

	unsigned char *data()
	{
		return buffer.data() + offset;
	}
	void free(tlm::tlm_generic_payload *) override
	{
		free_again = true;
	}
};

// The places that one of the three initiators may write to: their own, so that it does not matter who comes first.
struct share {
	std::vector<uint32_t> first; // word addresses of stretches of 8 words
};

struct initiator : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
	tlm::tlm_initiator_socket<32> socket{"socket"};
	sc_core::sc_in<bool> interrupt{"interrupt"};
	chip_model model;
	bool memory, any;
	unsigned count, passed = 0, failed = 0, bad = 0, live = 0, interrupts = 0;
	std::mt19937_64 random;
	std::vector<std::unique_ptr<shot>> pool;
	share loose, approximate, debug;

	initiator(sc_core::sc_module_name name, chip_model::behind what, unsigned n, uint64_t seed)
	    : sc_core::sc_module(name), model(what), memory(what == chip_model::behind::memory),
	      any(what == chip_model::behind::any), count(n), random(seed)
	{
		SC_HAS_PROCESS(initiator);
		socket.bind(*this);
		// Nodes' map tables; of the memory also its ends, and where the link fails.
		for (uint32_t node = 0; node < 8; node++)
			(node < 3 ? loose : node < 6 ? approximate : debug).first.push_back(0x10004000 + (node << 16));
		if (memory) {
			loose.first.insert(loose.first.end(), {0x100, 0xeffffff8, 0xf1234560});
			approximate.first.insert(approximate.first.end(), {0x200, 0x77777770, 0xfffffff8});
			debug.first.insert(debug.first.end(), {0x300, 0xf0000000, 0x80000000});
		}
		if (any)
			for (share *s : {&loose, &approximate, &debug})
				s->first = {0x18,       0x20,       0x10000000, 0x10002000,
				            0x1fff0000, 0x1fff2000, 0x20000000, 0x50000000};
		SC_THREAD(run_loose);
		SC_THREAD(run_approximate);
		SC_THREAD(run_debug);
		SC_THREAD(end_responses);
		SC_METHOD(count_interrupts);
		sensitive << interrupt.pos();
		dont_initialize();
	}

	void count_interrupts()
	{
		interrupts++;
	}
	uint64_t below(uint64_t n)
	{
		return random() % n;
	}
	bool one_in(unsigned n)
	{
		return below(n) == 0;
	}
	void check(bool ok, const std::string &what)
	{
		(ok ? passed : failed)++;
		if (!ok && failed < 20)
			std::printf("FAIL: %s: %s\n", sc_core::sc_time_stamp().to_string().c_str(), what.c_str());
	}
	static std::string text(const shot &s)
	{
		char out[200];
		(void)std::snprintf(out, sizeof out,
		                    "command %d, address 0x%llx, length %u, width %u, enables %d, data %d: %s",
		                    s.trans.get_command(), static_cast<unsigned long long>(s.trans.get_address()),
		                    s.trans.get_data_length(), s.trans.get_streaming_width(),
		                    s.trans.get_byte_enable_ptr() != nullptr, s.trans.get_data_ptr() != nullptr,
		                    s.trans.get_response_string().c_str());
		return out;
	}

	// A good transaction within a stretch of 8 words, or a read from anywhere.
	void make_good(shot &s, const share &mine)
	{
		const uint32_t at = static_cast<uint32_t>(below(8)), n = 1 + static_cast<uint32_t>(below(8 - at));
		const bool fixed = one_in(4), anywhere = one_in(5);
		const bool is_long = anywhere && one_in(40),
			   repeats = fixed && &mine != &debug; // to debug it is no stream
		const size_t words = is_long ? 1 + below(memory ? 65536 : 3000) : repeats ? 1 + below(20) : n;
		const uint32_t place = anywhere ? static_cast<uint32_t>(random() >> below(33))
		                                : mine.first[below(mine.first.size())] + at;
		s.trans.set_command(anywhere || one_in(2) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
		s.trans.set_address(UINT64_C(4) * place);
		s.trans.set_data_length(static_cast<unsigned>(4 * words));
		s.trans.set_streaming_width(fixed ? 4 : s.trans.get_data_length() * (one_in(5) ? 3u : 1u));
		s.trans.set_byte_enable_ptr(nullptr);
		s.trans.set_byte_enable_length(0);
		s.trans.set_dmi_allowed(false);
		s.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
	}

	void spoil(shot &s)
	{
		const unsigned length = s.trans.get_data_length();
		switch (below(9)) {
		case 0: s.trans.set_address(s.trans.get_address() + 1 + below(3)); break;
		case 1:
			s.trans.set_address((UINT64_C(1) << 34) - 4 * below(3) + (random() >> below(64)) / 4 * 4);
			break;
		case 2: s.trans.set_data_length(static_cast<unsigned>(below(length + 1))); break;
		case 3:
			s.trans.set_data_length(static_cast<unsigned>(65536 * 4 + 4 * below(3) + (memory ? 0 : 4)));
			break;
		case 4: s.trans.set_streaming_width(static_cast<unsigned>(below(length + 2))); break;
		case 5:
			s.enables.assign(1 + below(8), 0xff);
			s.trans.set_byte_enable_ptr(s.enables.data());
			s.trans.set_byte_enable_length(static_cast<unsigned>(s.enables.size()));
			break;
		case 6: s.trans.set_command(static_cast<tlm::tlm_command>(2 + below(2))); break;
		case 7: s.trans.set_streaming_width(0); break;
		case 8: s.trans.set_data_ptr(nullptr); break;
		}
	}

	void make(shot &s, const share &mine)
	{
		make_good(s, mine);
		s.offset = 16 + below(4);
		s.trans.set_data_ptr(reinterpret_cast<unsigned char *>(&s)); // there is some; where, is set below
		for (unsigned spoilt = one_in(3) ? 1 + one_in(4) : 0; spoilt > 0; spoilt--)
			spoil(s);
		s.buffer.assign(s.trans.get_data_length() + 40u, guard);
		for (unsigned i = 0; i < s.trans.get_data_length();
		     i += 8) { // a few of them beyond the end, where guards are
			const uint64_t eight =
				any && one_in(2) ? below(4) << 32 | below(4) : random(); // so that runs end
			std::memcpy(s.data() + i, &eight, 8);
		}
		if (s.trans.get_data_ptr())
			s.trans.set_data_ptr(s.data());
		s.before = s.buffer;
		if (one_in(3))
			s.trans.set_extension(&s.extension);
		else
			s.trans.clear_extension<note>();
		s.extension.number = static_cast<unsigned>(random());
	}

	// Others may write there at any time.
	bool is_of_others(uint32_t place, const share &mine) const
	{
		for (const share *s : {&loose, &approximate, &debug})
			for (uint32_t first : s->first)
				if (s != &mine && place - first < 8)
					return true;
		return false;
	}

	// Does in the model what the chip is to do, and notes what a read must bring.
	void expect(shot &s, bool moves, const share &mine)
	{
		s.words.clear();
		if (!moves || s.trans.get_command() == tlm::TLM_IGNORE_COMMAND)
			return;
		const std::vector<uint32_t> places = chip_model::places(s.trans, &mine == &debug);
		for (size_t i = 0; i < places.size(); i++) {
			uint32_t word;
			std::memcpy(&word, s.data() + 4 * i, 4);
			if (s.trans.is_write())
				model.write(places[i], word);
			else if (const auto known = model.read(places[i]); known && !is_of_others(places[i], mine))
				s.words.emplace_back(i, *known);
		}
	}

	// After it is over.
	void check_data(shot &s, bool moved)
	{
		const bool reads = s.trans.is_read() && moved;
		for (const auto &[i, word] : s.words) {
			uint32_t got;
			std::memcpy(&got, s.data() + 4 * i, 4);
			if (got != word)
				return check(false, text(s) + ", word " + std::to_string(i) + " is " +
				                            std::to_string(got) + ", not " + std::to_string(word));
		}
		if (reads)
			std::memcpy(s.before.data() + s.offset, s.data(), s.trans.get_data_length());
		check(s.buffer == s.before, text(s) + ": bytes have changed that were not asked for");
	}

	void check_answer(shot &s)
	{
		const bool right = s.right.count(s.trans.get_response_status()) != 0;
		check(right, text(s));
		bad += s.trans.is_response_error();
		if (right)
			check_data(s, s.trans.is_response_ok());
	}

	void ended()
	{
		if (--live == 0)
			sc_core::sc_stop();
	}

	// --- Loosely timed --------------------------------------------------------------------------------------------

	void run_loose()
	{
		live++;
		shot s;
		sc_core::sc_time ahead;
		for (unsigned i = 0; i < count / 2; i++) {
			make(s, loose);
			s.right = model.answers(s.trans);
			expect(s, s.right == std::set<tlm::tlm_response_status>{tlm::TLM_OK_RESPONSE}, loose);
			const sc_core::sc_time before = ahead;
			socket->b_transport(s.trans, ahead);
			check(ahead >= before && (s.trans.is_response_error() ||
			                          s.trans.get_command() == tlm::TLM_IGNORE_COMMAND ||
			                          ahead - before >= (s.trans.get_data_length() / 4 + 4) * period),
			      text(s) + " took " + (ahead - before).to_string());
			check_answer(s);
			if (one_in(3)) { // else it is ahead of the others
				wait(ahead);
				ahead = sc_core::SC_ZERO_TIME;
			}
			if (one_in(20))
				wait(period * static_cast<double>(below(100)) * 0.37);
		}
		ended();
	}

	// --- Debug ----------------------------------------------------------------------------------------------------

	void run_debug()
	{
		live++;
		shot s;
		for (unsigned i = 0; i < count / 6; i++) {
			tlm::tlm_dmi dmi;
			make(s, debug);
			s.right = {tlm::TLM_INCOMPLETE_RESPONSE};
			const unsigned due = model.debug_bytes(s.trans);
			expect(s, due > 0, debug);
			const unsigned moved = socket->transport_dbg(s.trans);
			check(moved == due,
			      text(s) + ": debug has moved " + std::to_string(moved) + ", not " + std::to_string(due));
			check_data(s, moved > 0);
			check(!socket->get_direct_mem_ptr(s.trans, dmi), "direct memory is granted");
			wait(period * static_cast<double>(below(200)));
		}
		ended();
	}

	// --- Approximately timed --------------------------------------------------------------------------------------

	sc_core::sc_event moved_on, responds;
	shot *requesting = nullptr; // its request is not yet taken
	std::vector<shot *> to_end; // BEGIN_RESP was accepted, END_RESP is to come
	unsigned outstanding = 0;

	shot &fresh()
	{
		for (auto &s : pool)
			if (s->free_again)
				return *s;
		pool.push_back(std::make_unique<shot>());
		pool.back()->trans.set_mm(pool.back().get());
		return *pool.back();
	}

	void done(shot &s)
	{
		check_answer(s);
		outstanding--;
		moved_on.notify(sc_core::SC_ZERO_TIME);
		s.trans.release();
	}

	void run_approximate()
	{
		live++;
		for (unsigned i = 0; i < count - count / 2 - count / 6; i++) {
			while (outstanding >= 4 || requesting)
				wait(moved_on);
			shot &s = fresh();
			s.free_again = false;
			s.trans.acquire();
			make(s, approximate);
			s.right = model.answers(s.trans);
			expect(s, s.right == std::set<tlm::tlm_response_status>{tlm::TLM_OK_RESPONSE}, approximate);
			tlm::tlm_phase phase = tlm::BEGIN_REQ;
			sc_core::sc_time delay =
				one_in(2) ? sc_core::SC_ZERO_TIME : period * static_cast<double>(below(30)) * 0.3;
			outstanding++;
			requesting = &s;
			switch (socket->nb_transport_fw(s.trans, phase, delay)) {
			case tlm::TLM_ACCEPTED: break;
			case tlm::TLM_UPDATED: check(false, "TLM_UPDATED, which this initiator does not know"); break;
			case tlm::TLM_COMPLETED:
				requesting = nullptr;
				done(s);
				break;
			}
			if (one_in(4))
				wait(period * static_cast<double>(below(60)));
		}
		while (outstanding > 0)
			wait(moved_on);
		ended();
	}

	void end_responses()
	{
		for (;;) {
			while (to_end.empty())
				wait(responds);
			wait(period * static_cast<double>(below(12)) * 0.7);
			shot *s = to_end.front();
			to_end.erase(to_end.begin());
			tlm::tlm_phase phase = tlm::END_RESP;
			sc_core::sc_time delay = period * static_cast<double>(below(3));
			(void)socket->nb_transport_fw(s->trans, phase, delay);
			done(*s);
		}
	}

	tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
	                                   sc_core::sc_time &delay) override
	{
		shot *s = nullptr;
		for (auto &one : pool)
			s = &one->trans == &trans ? one.get() : s;
		requesting = requesting == s ? nullptr : requesting;
		moved_on.notify(sc_core::SC_ZERO_TIME);
		if (phase != tlm::BEGIN_RESP)
			return tlm::TLM_ACCEPTED;
		switch (below(3)) {
		case 0:
			to_end.push_back(s);
			responds.notify(sc_core::SC_ZERO_TIME);
			return tlm::TLM_ACCEPTED;
		case 1:
			phase = tlm::END_RESP;
			delay += period * static_cast<double>(below(4));
			done(*s);
			return tlm::TLM_UPDATED;
		default:
			delay += period * static_cast<double>(below(4));
			done(*s);
			return tlm::TLM_COMPLETED;
		}
	}
	void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override
	{
	}
};

} // namespace

int sc_main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	const std::string what = argv[1];
	const bool memory = what == "memory";
	memory_link words;
	struct loom_link sim = {};
	struct loom_link_options options = {};
	struct loom_err err = {};
	options.fabric = "cube:3";
	if (!memory && loom_link_open(&sim, "sim", &options, &err) != 0) {
		std::printf("FAIL: %s\n", err.text);
		return 1;
	}
	sc_core::sc_report_handler::set_actions("/flitloom/chip", sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
	const auto behind = memory          ? chip_model::behind::memory
	                    : what == "any" ? chip_model::behind::any
	                                    : chip_model::behind::cube3;
	initiator user("user", behind, static_cast<unsigned>(std::atoi(argv[2])), std::strtoull(argv[3], nullptr, 10));
	tlm_checker checker("checker");
	flitloom::chip chip("chip", memory ? &words.link : &sim, period);
	sc_core::sc_signal<bool> interrupt;
	user.socket.bind(checker.in);
	checker.out.bind(chip.socket);
	chip.interrupt(interrupt);
	user.interrupt(interrupt);
	sc_core::sc_start();
	user.check(checker.broken() == 0, checker.first());
	user.check(checker.begun > 0 && checker.begun == checker.ended, "transactions that did not end");
	user.check(user.live == 0, "the initiators did not come to their end");
	user.check(user.bad > user.count / 10, "too few bad transactions");
	user.check(what != "any" || user.interrupts > 0,
	           "it was done or stuck " + std::to_string(user.interrupts) + " times");
	if (memory)
		user.check(chip.error() == "the memory's line is gone",
		           "the link's failure is not told: " + chip.error());
	std::printf("%s transactions, seed %s: %llu by the checker, %u answered by an error, in %s\n", argv[2], argv[3],
	            static_cast<unsigned long long>(checker.begun), user.bad,
	            sc_core::sc_time_stamp().to_string().c_str());
	std::printf("%u passed, %u failed\n", user.passed, user.failed);
	loom_link_close(&sim);
	return user.failed ? 1 : 0;
}
