// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what docs/systemc.md and fabric.hpp say of flitloom::fabric, thing by thing: throughput, the register port,
// time-outs, reset, errors.
#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn
#include <cstring>
#include <functional>

#include <flitloom/link/regmap.h>
#include <flitloom/systemc/fabric.hpp>

#include "tally.hpp"

using flitloom::beat;

namespace
{

const sc_core::sc_time period(10, sc_core::SC_NS);

void check(bool ok, const std::string &what)
{
	the_tally().check(ok, what);
}

beat make_beat(uint64_t data, unsigned node, bool last)
{
	beat b;
	b.data = data;
	b.node = node;
	b.last = last;
	return b;
}

// Two nodes; FIFOs from node 0 and to node 1.
struct pair : sc_core::sc_module {
	flitloom::fabric network{"network", "cube:1"};
	sc_core::sc_fifo<beat> to{"to", 2}, from{"from", 2};
	struct loom_err err = {};

	pair(sc_core::sc_module_name name, sc_core::sc_signal_in_if<bool> &clock, bool takes = true)
	    : sc_core::sc_module(name)
	{
		network.clk(clock);
		network.in[0](to);
		if (takes)
			network.out[1](from);
	}
	int transfer(uint32_t address, std::vector<uint32_t> &words, bool write, bool fixed, unsigned timeout_ms = 1000)
	{
		struct loom_transfer t = {};
		t.address = address;
		t.n_words = words.size();
		if (write)
			t.write = words.data();
		else
			t.read = words.data();
		t.fixed = fixed;
		err = {};
		return network.link()->kind->transfer(network.link(), &t, 1, timeout_ms, &err);
	}
	uint32_t read(uint32_t address)
	{
		std::vector<uint32_t> word(1);
		check(transfer(address, word, false, false) == 0, std::string("a read fails: ") + err.text);
		return word[0];
	}
	void write(uint32_t address, std::vector<uint32_t> words, bool fixed = false)
	{
		check(transfer(address, words, true, fixed) == 0, std::string("a write fails: ") + err.text);
	}
	int run(uint64_t n_cycles)
	{
		err = {};
		return network.link()->kind->run(network.link(), n_cycles, &err);
	}
	bool says(const char *what) const
	{
		return std::strstr(err.text, what) != nullptr;
	}
	// The register port, called from anywhere.
	void test_words()
	{
		std::vector<uint32_t> words(3);
		write(LOOM_REG_WATCHDOG, {1234});
		check(read(LOOM_REG_WATCHDOG) == 1234, "what was written is not there");
		check(transfer(LOOM_REG_MAGIC, words, false, false) == 0 && words[0] == 0x4d4f4f4c &&
		              words[1] == LOOM_MAP_VERSION_IS,
		      "words of consecutive addresses");
		check(transfer(LOOM_REG_MAGIC, words, false, true) == 0 && words[0] == 0x4d4f4f4c &&
		              words[1] == words[0] && words[2] == words[0],
		      "words of one address");
		write(LOOM_REG_WATCHDOG, {5, 6, 7}, true);
		check(read(LOOM_REG_WATCHDOG) == 7, "three words to one address");
	}
};

struct tests : sc_core::sc_module {
	sc_core::sc_clock clock{"clock", period};
	sc_core::sc_in<bool> clk{"clk"};
	sc_core::sc_signal<bool> gated{"gated"};
	pair plain{"plain", clock}, still{"still", gated}, deaf{"deaf", clock, false};
	bool open = false, cthread_done = false; // the gate
	uint64_t first = 0, last = 0, n_taken = 0;
	std::function<void()> access; // of test_method
	sc_core::sc_event call;
	unsigned n_told = 0;

	explicit tests(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		SC_HAS_PROCESS(tests);
		clk(clock);
		SC_THREAD(run);
		SC_THREAD(drive);
		SC_CTHREAD(run_clocked, clk.pos());
	}
	void drive()
	{
		for (;;) {
			wait(period / 2);
			gated.write(open && !gated.read());
		}
	}
	// Takes 1000 beats as they come.
	void take()
	{
		while (n_taken < 1000) {
			const beat b = plain.from.read();
			check(b == make_beat(n_taken, 0, n_taken == 999), "another beat");
			(n_taken++ ? last : first) = plain.network.now();
		}
	}

	void test_throughput()
	{
		sc_core::sc_spawn([this] { take(); });
		check(!plain.network.busy(), "busy before anything is sent");
		const uint64_t begin = plain.network.now();
		for (unsigned i = 0; i < 1000; i++)
			plain.to.write(make_beat(i, 1, i == 999));
		check(plain.network.busy(), "not busy with a frame under way");
		wait(20 * period);
		check(!plain.network.busy(), "busy when all has come");
		check(n_taken == 1000 && last - first == 999,
		      std::to_string(n_taken) + " beats in " + std::to_string(last - first + 1) + " cycles");
		check(last - begin < 1020, "the first beat came late");
	}

	// In a thread words go in with the clock, one in each cycle.
	void test_link()
	{
		plain.test_words();
		std::vector<uint32_t> words(64);
		uint64_t begin = plain.network.now();
		check(plain.transfer(LOOM_REG_MAGIC, words, false, true) == 0 && plain.network.now() - begin >= 64 &&
		              plain.network.now() - begin < 80,
		      "64 words take " + std::to_string(plain.network.now() - begin) + " cycles");
		begin = plain.network.now();
		const sc_core::sc_time then = sc_core::sc_time_stamp();
		check(plain.run(101) == 0 && plain.network.now() - begin == 101 &&
		              sc_core::sc_time_stamp() - then == 101 * period,
		      "a run of 101 cycles");
	}

	void test_time_out()
	{
		std::vector<uint32_t> word = {99};
		const sc_core::sc_time begin = sc_core::sc_time_stamp();
		check(still.transfer(LOOM_REG_WATCHDOG, word, true, false, 3) == LOOM_ETIMEOUT &&
		              still.says("within 3 ms") &&
		              sc_core::sc_time_stamp() - begin == sc_core::sc_time(3, sc_core::SC_MS),
		      std::string("a clock that stands still: ") + still.err.text);
		open = true;
		wait(20 * period);
		check(still.network.now() >= 19 && still.read(LOOM_REG_WATCHDOG) != 99,
		      "a word went in after its time-out");
		still.test_words();
		open = false;
	}

	// With the network full of half a frame, whose next beat stands at the router.
	void test_reset()
	{
		beat b;
		const uint32_t reset = 1u << LOOM_CONTROL_RESET_LOW;
		for (unsigned round = 0; round < 2; round++) {
			unsigned stuck = 0;
			while (stuck < 50) {
				stuck = plain.to.nb_write(make_beat(77, 1, false)) ? 0 : stuck + 1;
				wait(period);
			}
			bool told = false;
			sc_core::sc_spawn([&] {
				wait(plain.network.reset_event());
				told = true;
			});
			wait(period);
			while (plain.to.nb_read(b)) // or they would be the next ones
				;
			wait(period / 4); // before the next edge
			plain.write(LOOM_REG_CONTROL | (round ? 0xabcde00 : 0), {reset});
			while (plain.from.nb_read(b))
				;
			check(told, "nobody is told of a reset");
			plain.to.write(make_beat(5, 1, false));
			plain.to.write(make_beat(6, 0, true));
			wait(40 * period);
			check(plain.from.num_available() == 2 && plain.from.read() == make_beat(5, 0, false) &&
			              plain.from.read() == make_beat(6, 0, true),
			      "after a reset another frame comes");
			wait(40 * period);
			check(plain.from.num_available() == 0 && !plain.network.busy(), "and more of it");
		}
	}

	// Outside of a thread: who waits for a reset is told of one, and of nothing else; what stood at the router is gone.
	void test_method()
	{
		sc_core::sc_spawn_options method, told;
		method.spawn_method();
		method.dont_initialize();
		method.set_sensitivity(&call);
		told.spawn_method();
		told.dont_initialize();
		told.set_sensitivity(&plain.network.reset_event());
		sc_core::sc_spawn([this] { access(); }, "a_method", &method);
		sc_core::sc_spawn([this] { n_told++; }, "who_is_told", &told);
		const auto after = [&](const std::function<void()> &what) {
			n_told = 0;
			access = what;
			call.notify(sc_core::SC_ZERO_TIME);
			wait(20 * period);
			return n_told;
		};
		const uint32_t reset = 1u << LOOM_CONTROL_RESET_LOW;
		check(after([this] { (void)plain.read(LOOM_REG_NODES); }) == 0, "a read in a method is a reset");
		check(after([this] { plain.write(LOOM_REG_WATCHDOG, {reset}); }) == 0,
		      "a write in a method is a reset");
		check(after([this] { plain.write(LOOM_REG_CONTROL, {0}); }) == 0, "a write of 0 to CONTROL is a reset");
		check(after([this] { plain.write(LOOM_REG_CONTROL, {reset}); }) == 1,
		      "nobody is told of a method's reset");
		check(after([this] {
			      plain.write(LOOM_REG_CONTROL - 1, {0, reset});
		      }) == 1,
		      "nobody is told of a reset by the second word of a transfer");
		check(after([this] {
			      plain.write(LOOM_REG_CONTROL - 1, {0, reset}, true);
		      }) == 0,
		      "two words at the address before CONTROL are a reset");
		check(after([this] {
			      struct loom_err e = {};
			      std::vector<uint32_t> word = {reset};
			      struct loom_transfer t = {};
			      t.address = LOOM_REG_CONTROL;
			      t.n_words = 1;
			      t.read = word.data();
			      (void)plain.network.link()->kind->transfer(plain.network.link(), &t, 1, 1000, &e);
		      }) == 0,
		      "a read of CONTROL is a reset");
		wait(100 * period);
	}

	// After an error the routers stand still.
	void test_unbound()
	{
		std::vector<uint32_t> word(1);
		deaf.to.write(make_beat(1, 1, true));
		wait(40 * period);
		the_tally().check_report("node 1: a frame from node 0, and port out is not bound");
		const uint64_t now = deaf.network.now();
		wait(10 * period);
		check(now < plain.network.now() && deaf.network.now() == now, "the routers go on after an error");
		check(deaf.transfer(0, word, false, false) == LOOM_ELINK && deaf.says("not clocked any more"),
		      "a read after an error");
		check(deaf.run(10) == LOOM_ELINK && deaf.says("not clocked any more"), "a run after an error");
	}

	// It waits for the clock as an SC_THREAD does.
	void run_clocked()
	{
		wait();
		for (unsigned i = 0; i < 5; i++) {
			const uint64_t before = plain.network.now();
			const sc_core::sc_time begin = sc_core::sc_time_stamp();
			check(plain.read(LOOM_REG_NODES) == 2, "a read by an SC_CTHREAD");
			const double cycles = (sc_core::sc_time_stamp() - begin) / period;
			const double had = static_cast<double>(plain.network.now() - before);
			check(had > 2 && had <= cycles + 1 && had + 1 >= cycles,
			      "by an SC_CTHREAD: " + std::to_string(had) + " cycles in " + std::to_string(cycles));
		}
		cthread_done = true;
		for (;;)
			wait();
	}

	void run()
	{
		wait(period / 4);
		wait(200 * period); // the SC_CTHREAD
		check(cthread_done, "the SC_CTHREAD waits for ever");
		test_throughput();
		test_link();
		test_reset();
		test_method();
		test_unbound();
		test_time_out();
		check(the_tally().reports.empty(), "a report that nobody expects");
		sc_core::sc_stop();
	}
};

// Outside of a thread the RTL goes ahead by itself.
void test_outside(pair &p)
{
	p.test_words();
	const uint64_t begin = p.network.now();
	check(p.run(10) == 0 && p.network.now() == begin + 10, "a run outside of a thread");
}

} // namespace

int sc_main(int, char **)
{
	keep_reports();
	tests t("tests");
	test_outside(t.plain);
	sc_core::sc_start();
	return the_tally().verdict();
}
