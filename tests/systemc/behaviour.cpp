// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what docs/systemc.md says of flitloom::chip and flitloom::link, thing by thing: time, the interrupt, bursts,
// responses, time-outs.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <flitloom/link/regmap.h>
#include <flitloom/systemc.hpp>
#include <tlm_utils/simple_initiator_socket.h>

#include "memory_link.hpp"

namespace
{

const sc_core::sc_time period(10, sc_core::SC_NS);
unsigned passed = 0, failed = 0;
DECLARE_EXTENDED_PHASE(extra_phase);

void check(bool ok, const std::string &what)
{
	(ok ? passed : failed)++;
	if (!ok)
		std::printf("FAIL: %s: %s\n", sc_core::sc_time_stamp().to_string().c_str(), what.c_str());
}

// Reads and writes single words, by b_transport.
struct user : sc_core::sc_module {
	tlm_utils::simple_initiator_socket<user, 32> socket{"socket"};
	sc_core::sc_in<bool> interrupt{"interrupt"};
	sc_core::sc_signal<bool> wire{"wire"};

	unsigned responses = 0;

	user(sc_core::sc_module_name name, flitloom::chip &chip) : sc_core::sc_module(name)
	{
		socket.register_nb_transport_bw(this, &user::respond);
		socket.bind(chip.socket);
		chip.interrupt(wire);
		interrupt(wire);
	}
	tlm::tlm_response_status access(bool write, uint32_t address, uint32_t &word, sc_core::sc_time &delay)
	{
		tlm::tlm_generic_payload trans;
		trans.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
		trans.set_address(UINT64_C(4) * address);
		trans.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
		trans.set_data_length(4);
		trans.set_streaming_width(4);
		socket->b_transport(trans, delay);
		return trans.get_response_status();
	}
	tlm::tlm_sync_enum respond(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_core::sc_time &)
	{
		responses += phase == tlm::BEGIN_RESP;
		return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
	}
	uint32_t read(uint32_t address, sc_core::sc_time delay = sc_core::SC_ZERO_TIME)
	{
		uint32_t word = 0;
		check(access(false, address, word, delay) == tlm::TLM_OK_RESPONSE, "a read fails");
		wait(delay);
		return word;
	}
	void write(uint32_t address, uint32_t word)
	{
		sc_core::sc_time delay;
		check(access(true, address, word, delay) == tlm::TLM_OK_RESPONSE, "a write fails");
		wait(delay);
	}
};

// A target that notes what comes and answers as it is told.
struct odd_target : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
	tlm::tlm_target_socket<32> socket{"socket"};
	tlm::tlm_response_status answer = tlm::TLM_OK_RESPONSE;
	std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_core::sc_time &)> on_nb;
	struct seen {
		uint64_t address;
		unsigned length, width;
		bool write;
	};
	std::vector<seen> all;

	explicit odd_target(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		socket.bind(*this);
	}
	void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override
	{
		all.push_back(
			{trans.get_address(), trans.get_data_length(), trans.get_streaming_width(), trans.is_write()});
		trans.set_response_status(answer);
		delay += period;
	}
	tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
	                                   sc_core::sc_time &delay) override
	{
		if (phase == tlm::END_RESP)
			return tlm::TLM_COMPLETED;
		all.push_back(
			{trans.get_address(), trans.get_data_length(), trans.get_streaming_width(), trans.is_write()});
		return on_nb(trans, phase, delay);
	}
	bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override
	{
		return false;
	}
	unsigned transport_dbg(tlm::tlm_generic_payload &) override
	{
		return 0;
	}
};

struct tests : sc_core::sc_module {
	flitloom::chip cube{"cube", "sim", "cube:3", period};
	memory_link words;
	flitloom::chip memory{"memory", &words.link, period};
	user at_cube{"at_cube", cube}, at_memory{"at_memory", memory};
	odd_target odd{"odd"}, odd_at{"odd_at"};
	flitloom::link lt{"lt", flitloom::link::style::lt, period, 0x40000000000};
	flitloom::link at{"at", flitloom::link::style::at, period};
	struct loom_err err = {};

	explicit tests(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		lt.socket.bind(odd.socket);
		at.socket.bind(odd_at.socket);
		SC_HAS_PROCESS(tests);
		SC_THREAD(run);
	}
	int read(flitloom::link &link, size_t n, bool fixed = false, unsigned timeout_ms = 1)
	{
		std::vector<uint32_t> all(n);
		struct loom_transfer t = {};
		t.address = 0x10;
		t.n_words = n;
		t.read = all.data();
		t.fixed = fixed;
		err = {};
		return link.handle()->kind->transfer(link.handle(), &t, 1, timeout_ms, &err);
	}
	bool says(const char *what)
	{
		return std::strstr(err.text, what) != nullptr && std::strchr(err.text, '\n') == nullptr;
	}

	// The chip's cycles are those of simulated time, whatever is between two reads.
	void test_time()
	{
		at_cube.write(LOOM_REG_CONFIG, 1u << LOOM_CONFIG_OPEN_LOW); // the pass does not end
		at_cube.write(LOOM_REG_CONTROL, 1u << LOOM_CONTROL_START_LOW);
		for (unsigned i = 0; i < 40; i++) {
			const uint32_t first = at_cube.read(LOOM_REG_SINCE_START);
			const sc_core::sc_time begin = sc_core::sc_time_stamp();
			wait(i * i * 3.7, sc_core::SC_NS);
			const uint32_t second = at_cube.read(LOOM_REG_SINCE_START, i * 11 * period);
			const double periods = (sc_core::sc_time_stamp() - begin) / period;
			check(second - first <= periods + 1 && second - first + 1 >= periods,
			      "the chip had " + std::to_string(second - first) + " cycles in " +
			              std::to_string(periods) + " periods");
		}
		check(!at_cube.interrupt.read(), "an interrupt during a run");
		at_cube.write(LOOM_REG_CONFIG, 0);
		wait(2000 * period);
		check(at_cube.interrupt.read(), "no interrupt after the run");
	}

	void test_interrupt()
	{
		at_cube.write(LOOM_REG_CONTROL, 1u << LOOM_CONTROL_START_LOW);
		wait(10 * period);
		check(!at_cube.interrupt.read(), "the interrupt stays when a run begins");
		wait(200 * period);
		check(at_cube.interrupt.read(), "no interrupt after a run without messages");
		at_cube.write(LOOM_REG_CONTROL, 1u << LOOM_CONTROL_RESET_LOW);
		wait(10 * period);
		check(!at_cube.interrupt.read(), "the interrupt stays after a reset");
		// A program that waits for a message which no node sends.
		at_cube.write(LOOM_REG_WATCHDOG, 50);
		at_cube.write(LOOM_WINDOW_PROGRAM, 1);
		at_cube.write(LOOM_WINDOW_PROGRAM + 1, 1u << LOOM_PROGRAM1_WAIT_LOW);
		at_cube.write(LOOM_WINDOW_PROGRAM_LENGTH, 1);
		at_cube.write(LOOM_REG_CONTROL, 1u << LOOM_CONTROL_START_LOW);
		wait(500 * period);
		check(at_cube.interrupt.read() && at_cube.read(LOOM_REG_STATUS) == 3,
		      "no interrupt of a fabric that is stuck");
		// The command has another address in which bits 27 to 8 differ.
		at_cube.write(LOOM_REG_CONTROL | 0xabcde00, 1u << LOOM_CONTROL_RESET_LOW);
		wait(10 * period);
		check(!at_cube.interrupt.read() && at_cube.read(LOOM_REG_STATUS) == 0,
		      "no reset by another address of CONTROL");
	}

	// A program that waits for the end of a run must not find that of the one before, however soon it looks.
	void test_runs_in_a_row()
	{
		for (unsigned run = 0; run < 3; run++) {
			at_cube.write(LOOM_REG_CONFIG, 1u << LOOM_CONFIG_OPEN_LOW); // the pass does not end
			at_cube.write(LOOM_REG_CONTROL, 1u << LOOM_CONTROL_START_LOW);
			check(!at_cube.interrupt.read(), "the interrupt of the run before, after START");
			check(at_cube.read(LOOM_REG_STATUS) == 1 && !at_cube.interrupt.read(),
			      "an interrupt of a run that goes on");
			at_cube.write(LOOM_REG_CONFIG, 0);
			while (at_cube.read(LOOM_REG_STATUS) == 1)
				;
			wait(100 * period);
			check(at_cube.interrupt.read(), "no interrupt after run " + std::to_string(run));
		}
	}

	// A chip that runs is clocked for all the time there is, one that does nothing is not.
	void test_clock()
	{
		words.words[LOOM_REG_STATUS] = 1;
		at_memory.write(LOOM_REG_CONTROL, 1);
		uint64_t before = words.cycles + 6 * words.transfers;
		wait(10000 * period);
		(void)at_memory.read(0);
		const uint64_t clocked = words.cycles + 6 * words.transfers - before;
		check(clocked >= 10000 && clocked <= 10012, "of 10006 cycles the chip had " + std::to_string(clocked));
		words.words[LOOM_REG_STATUS] = 0;
		wait(100 * period);
		before = words.cycles;
		wait(1, sc_core::SC_SEC);
		(void)at_memory.read(0);
		check(words.cycles - before == 64, "a chip that does nothing is clocked for " +
		                                           std::to_string(words.cycles - before) +
		                                           " cycles, not until what an access set off is over");
		for (unsigned pause = 0; pause < 200; pause += 9) {
			before = words.cycles;
			(void)at_memory.read(0, pause * period);
			check(words.cycles - before == std::min(pause, 64u),
			      "in a pause of " + std::to_string(pause) + " periods a chip that does nothing has " +
			              std::to_string(words.cycles - before) + " cycles");
		}
	}

	void test_failure()
	{
		uint32_t word = 0x12345;
		sc_core::sc_time delay;
		check(memory.error().empty(), "an error before there is one: " + memory.error());
		check(at_memory.access(false, 0xf0000000, word, delay) == tlm::TLM_GENERIC_ERROR_RESPONSE &&
		              word == 0x12345,
		      "the response when the link fails");
		check(memory.error() == "the memory's line is gone",
		      "what is said of a link that failed: " + memory.error());
		check(at_memory.access(false, 0, word, delay) == tlm::TLM_OK_RESPONSE, "nothing works after a failure");
	}

	// Initiators that do not keep to the base protocol: a warning, and nothing worse.
	void test_protocol()
	{
		struct managed : tlm::tlm_generic_payload, tlm::tlm_mm_interface {
			void free(tlm::tlm_generic_payload *) override
			{
			}
		} trans;
		uint32_t word = 0;
		const auto call = [&](tlm::tlm_phase phase) {
			sc_core::sc_time delay;
			return at_memory.socket->nb_transport_fw(trans, phase, delay);
		};
		trans.set_read();
		trans.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
		trans.set_data_length(4);
		trans.set_streaming_width(4);
		check(call(tlm::BEGIN_REQ) == tlm::TLM_COMPLETED &&
		              trans.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE,
		      "a transaction that nobody manages");
		trans.set_mm(&trans);
		trans.acquire();
		trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
		check(call(tlm::END_RESP) == tlm::TLM_ACCEPTED && call(tlm::END_REQ) == tlm::TLM_ACCEPTED &&
		              call(tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED && call(extra_phase) == tlm::TLM_ACCEPTED,
		      "phases of a transaction that has not begun");
		check(call(tlm::BEGIN_REQ) == tlm::TLM_ACCEPTED && call(tlm::BEGIN_REQ) == tlm::TLM_ACCEPTED &&
		              call(tlm::END_RESP) == tlm::TLM_ACCEPTED,
		      "a transaction that is begun twice, and ended before there is a response");
		wait(100 * period);
		check(at_memory.responses == 1 && trans.is_response_ok() && trans.get_ref_count() == 1,
		      "it has " + std::to_string(at_memory.responses) + " responses");
	}

	void test_responses()
	{
		const std::pair<tlm::tlm_response_status, const char *> all[] = {
			{tlm::TLM_ADDRESS_ERROR_RESPONSE, "TLM_ADDRESS_ERROR_RESPONSE"},
			{tlm::TLM_BURST_ERROR_RESPONSE, "TLM_BURST_ERROR_RESPONSE"},
			{tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "TLM_BYTE_ENABLE_ERROR_RESPONSE"},
			{tlm::TLM_COMMAND_ERROR_RESPONSE, "TLM_COMMAND_ERROR_RESPONSE"},
			{tlm::TLM_GENERIC_ERROR_RESPONSE, "TLM_GENERIC_ERROR_RESPONSE"},
			{tlm::TLM_INCOMPLETE_RESPONSE, "TLM_INCOMPLETE_RESPONSE"},
		};
		for (const auto &[status, name] : all) {
			odd.answer = status;
			check(read(lt, 3) == LOOM_ELINK && says(name) && says("tests.lt") && says("0x40000000040"),
			      std::string(name) + ": " + err.text);
		}
		odd.answer = tlm::TLM_OK_RESPONSE;
	}

	// A transfer is one burst.
	void test_bursts()
	{
		odd.all.clear();
		check(read(lt, 1000) == 0 && odd.all.size() == 1 && odd.all[0].length == 4000 &&
		              odd.all[0].width == 4000 && odd.all[0].address == 0x40000000040 && !odd.all[0].write,
		      "1000 words are not one burst");
		odd.all.clear();
		check(read(lt, 50, true) == 0 && odd.all.size() == 1 && odd.all[0].length == 200 &&
		              odd.all[0].width == 4,
		      "50 words to one address are not one burst");
		odd.all.clear();
		lt.burst_words = 30;
		check(read(lt, 100) == 0 && odd.all.size() == 4 && odd.all[3].length == 40 &&
		              odd.all[3].address == 0x40000000040 + 360,
		      "100 words in bursts of 30");
		odd.all.clear();
		check(read(lt, 40, true) == 0 && odd.all.size() == 2 && odd.all[1].address == 0x40000000040,
		      "40 words to one address in bursts of 30");
		check(read(lt, 0) == 0 && odd.all.size() == 2, "no words are a transaction");
	}

	// Ahead of simulated time, by as much as the quantum allows.
	void test_quantum()
	{
		tlm_utils::tlm_quantumkeeper::set_global_quantum(1000 * period);
		lt.sync();
		wait(1000 * period - sc_core::sc_time_stamp() % (1000 * period)); // quanta are counted from time 0
		lt.sync();
		const sc_core::sc_time begin = sc_core::sc_time_stamp();
		for (unsigned i = 0; i < 20; i++)
			check(read(lt, 1) == 0, err.text);
		check(sc_core::sc_time_stamp() == begin, "time passes within a quantum");
		check(lt.handle()->kind->run(lt.handle(), 100, &err) == 0 && sc_core::sc_time_stamp() == begin,
		      "and by run");
		lt.sync();
		check(sc_core::sc_time_stamp() == begin + 120 * period, "20 reads and 100 cycles, and then sync");
		check(lt.handle()->kind->run(lt.handle(), 5000, &err) == 0 &&
		              sc_core::sc_time_stamp() >= begin + 5000 * period,
		      "more than a quantum");
		tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::SC_ZERO_TIME);
		lt.sync();
	}

	// All the ways in which a target may answer.
	void test_approximate()
	{
		tlm::tlm_generic_payload *kept = nullptr;
		odd_at.on_nb = [](auto &trans, auto &, auto &delay) {
			trans.set_response_status(tlm::TLM_OK_RESPONSE);
			delay += 7 * period;
			return tlm::TLM_COMPLETED;
		};
		sc_core::sc_time begin = sc_core::sc_time_stamp();
		check(read(at, 2) == 0 && sc_core::sc_time_stamp() == begin + 7 * period, "completed at once");
		odd_at.on_nb = [](auto &trans, auto &phase, auto &delay) {
			trans.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
			phase = tlm::BEGIN_RESP;
			delay += 5 * period;
			return tlm::TLM_UPDATED;
		};
		begin = sc_core::sc_time_stamp();
		check(read(at, 2) == LOOM_ELINK && says("TLM_BURST_ERROR_RESPONSE") &&
		              sc_core::sc_time_stamp() == begin + 5 * period,
		      std::string("responded at once: ") + err.text);
		// Nothing comes; then the next request has to wait for the first.
		odd_at.on_nb = [&kept](auto &trans, auto &, auto &) {
			trans.acquire();
			kept = &trans;
			return tlm::TLM_ACCEPTED;
		};
		begin = sc_core::sc_time_stamp();
		check(read(at, 2, false, 3) == LOOM_ETIMEOUT && says("no response within 3 ms") &&
		              sc_core::sc_time_stamp() == begin + sc_core::sc_time(3, sc_core::SC_MS),
		      std::string("a silent target: ") + err.text);
		const size_t asked = odd_at.all.size();
		check(read(at, 2, false, 3) == LOOM_ETIMEOUT && says("has not taken an earlier request") &&
		              odd_at.all.size() == asked,
		      std::string("a request before the one before is over: ") + err.text);
		tlm::tlm_phase phase = tlm::BEGIN_RESP;
		sc_core::sc_time delay;
		kept->set_response_status(tlm::TLM_OK_RESPONSE);
		check(odd_at.socket->nb_transport_bw(*kept, phase, delay) == tlm::TLM_COMPLETED, "a late response");
		kept->release();
		odd_at.on_nb = [](auto &trans, auto &, auto &) {
			trans.set_response_status(tlm::TLM_OK_RESPONSE);
			return tlm::TLM_COMPLETED;
		};
		check(read(at, 2) == 0, std::string("after a late response: ") + err.text);
	}

	// An SC_REPORT_ERROR, say of a bus that leads nowhere, ends that transfer alone.
	void test_exceptions()
	{
		tlm::tlm_generic_payload *seen = nullptr;
		const auto refuse = [&seen](auto &trans, auto &, auto &) -> tlm::tlm_sync_enum {
			trans.acquire(); // to see later who holds it
			seen = &trans;
			SC_REPORT_ERROR("/bus", "no such address");
			return tlm::TLM_ACCEPTED;
		};
		const auto answer = [](auto &trans, auto &, auto &) {
			trans.set_response_status(tlm::TLM_OK_RESPONSE);
			return tlm::TLM_COMPLETED;
		};
		for (unsigned i = 0; i < 3; i++) {
			odd_at.on_nb = refuse;
			check(read(at, 2) == LOOM_ELINK && says("no such address") && says("tests.at"),
			      std::string("a target that reports an error: ") + err.text);
			check(seen->get_ref_count() == 1, "the transaction is kept after the target's error");
			seen->release();
			odd_at.on_nb = answer;
			check(read(at, 2) == 0, std::string("after a target's error: ") + err.text);
		}
	}

	// By the name of the module, as any other link.
	void test_names()
	{
		const struct loom_link_kind *const kinds[] = {&flitloom::link::kind, nullptr};
		struct loom_link_options options = {};
		struct loom_link link = {};
		uint32_t word;
		options.kinds = kinds;
		check(loom_link_open(&link, "systemc:tests.lt", &options, &err) == 0 &&
		              loom_link_read(&link, 0, &word, 1, 1000, &err) == 0,
		      "a link by its name");
		loom_link_close(&link);
		check(loom_link_open(&link, "systemc:tests.odd", &options, &err) == LOOM_EINPUT && says("tests.odd"),
		      "a link by the name of something else");
	}

	void run()
	{
		test_time();
		test_runs_in_a_row();
		test_interrupt();
		test_clock();
		test_failure();
		test_protocol();
		test_responses();
		test_bursts();
		test_quantum();
		lt.burst_words = 65536;
		test_approximate();
		test_exceptions();
		test_names();
		sc_core::sc_stop();
	}
};

// Before there is time.
void test_outside(tests &t)
{
	check(t.read(t.lt, 1) == LOOM_EINPUT && t.says("SC_THREAD"),
	      std::string("a link outside of a thread: ") + t.err.text);
	try {
		flitloom::chip none("none", "sim", "cube:99", period);
		check(false, "a chip of cube:99");
	} catch (const sc_core::sc_report &report) {
		check(std::strstr(report.get_msg(), "cube:99") != nullptr, std::string("cube:99: ") + report.what());
	}
}

} // namespace

int sc_main(int, char **)
{
	sc_core::sc_report_handler::set_actions("/flitloom/chip", sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
	tests t("tests");
	test_outside(t);
	sc_core::sc_start();
	std::printf("%u passed, %u failed\n", passed, failed);
	return failed ? 1 : 0;
}
