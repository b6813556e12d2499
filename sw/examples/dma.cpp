// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A SystemC platform: a processor, a memory, a tiny DMA engine, and an 8-cube of wormhole routers behind its register port. The
// processor writes programs for 256 nodes into its memory; the DMA engine carries them to the nodes in bursts, and starts them;
// every node sends a message to the node farthest from it; an interrupt says that all have arrived; the DMA engine
// fetches the nodes' logs, and the processor looks whether each message came whole, and in the cycle in which it had to.
//
//   c++ -std=c++17 dma.cpp -o dma $(pkg-config --cflags --libs flitloom-systemc)
//   ./dma cube:8        (or ./dma cube:2 ftdi: with a board)
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <flitloom/link/regmap.h>
#include <flitloom/systemc.hpp>
#include <tlm_utils/simple_initiator_socket.h>

static constexpr uint32_t flits = 17; // of each message, header included
static constexpr uint32_t kind_of_cubes = 1;

using memory = std::vector<uint32_t>;

// One thing for the DMA engine to do; a list of them ends with n_words 0.
struct descriptor {
	bool to_chip;
	uint32_t chip; // word address of the register port
	uint32_t host; // index into the memory
	uint32_t n_words;
};

// Carries out a list of descriptors, each in one burst.
class dma : public sc_core::sc_module
{
      public:
	tlm_utils::simple_initiator_socket<dma, 32> socket{"socket"};

	dma(sc_core::sc_module_name name, memory &m) : sc_core::sc_module(name), memory_(m)
	{
		SC_HAS_PROCESS(dma);
		SC_THREAD(engine);
	}
	void carry(const std::vector<descriptor> &list) // from a thread; returns when all is carried
	{
		list_ = list;
		begin_.notify(sc_core::SC_ZERO_TIME);
		wait(end_);
	}

      private:
	void engine()
	{
		for (;;) {
			wait(begin_);
			for (const descriptor &d : list_)
				burst(d);
			end_.notify(sc_core::SC_ZERO_TIME);
		}
	}
	void burst(const descriptor &d)
	{
		tlm::tlm_generic_payload trans;
		sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
		trans.set_command(d.to_chip ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
		trans.set_address(UINT64_C(4) * d.chip);
		trans.set_data_ptr(reinterpret_cast<unsigned char *>(&memory_.at(d.host)));
		trans.set_data_length(4 * d.n_words);
		trans.set_streaming_width(4 * d.n_words);
		socket->b_transport(trans, delay);
		wait(delay);
		if (trans.is_response_error())
			SC_REPORT_ERROR("/example/dma", trans.get_response_string().c_str());
	}

	memory &memory_;
	std::vector<descriptor> list_;
	sc_core::sc_event begin_, end_;
};

class processor : public sc_core::sc_module
{
      public:
	sc_core::sc_in<bool> interrupt{"interrupt"};
	bool good = false; // everything came as it had to

	processor(sc_core::sc_module_name name, memory &m, dma &d) : sc_core::sc_module(name), memory_(m), dma_(d)
	{
		SC_HAS_PROCESS(processor);
		SC_THREAD(program);
	}

      private:
	uint32_t put(uint32_t word)
	{
		memory_.at(used_) = word;
		return used_++;
	}
	static uint32_t of_node(uint32_t window, uint32_t node)
	{
		return window + (node << 16);
	}

	// The program of every node: one message, in pass 0, to the node whose number has all bits the other way.
	std::vector<descriptor> load()
	{
		std::vector<descriptor> list = {
			{true, LOOM_REG_CONTROL, put(1u << LOOM_CONTROL_RESET_LOW), 1},
			{true, LOOM_REG_SEED, put(2026), 1},
			{true, LOOM_REG_FIRST_PASS, put(0), 1},
			{true, LOOM_REG_LAST_PASS, put(0), 1},
			{true, LOOM_REG_WATCHDOG, put(1000), 1},
			{true, of_node(LOOM_WINDOW_MAP, LOOM_ALL_NODES), used_, n_nodes_},
		};
		for (uint32_t node = 0; node < n_nodes_; node++)
			put(node);
		for (uint32_t node = 0; node < n_nodes_; node++) {
			list.push_back({true, of_node(LOOM_WINDOW_PROGRAM, node), put(flits), 2});
			put(n_nodes_ - 1 - node);
		}
		list.push_back({true, of_node(LOOM_WINDOW_PROGRAM_LENGTH, LOOM_ALL_NODES), put(1), 1});
		list.push_back({true, LOOM_REG_CONTROL, put(1u << LOOM_CONTROL_START_LOW), 1});
		return list;
	}

	// Header, flits with marks, first and last cycle, behind the number of messages.
	bool check(uint32_t node, const uint32_t *log) const
	{
		const uint32_t label = (1u << label_bits_) - 1, source = log[1] >> label_bits_ & label;
		const bool right =
			log[0] == 1 && (log[1] & label) == node && source == n_nodes_ - 1 - node &&
			(log[2] & 0xffff) == flits && log[2] >> LOOM_LOG1_HERE_LOW == 3 &&
			log[4] == flits + label_bits_ + 1; // a hop for each dimension, and the wires at both ends
		if (!right)
			std::printf("node %u: %u messages; from node %u, %u flits, tail in cycle %u\n", node, log[0],
			            source, log[2] & 0xffff, log[4]);
		return right;
	}

	void program()
	{
		dma_.carry({{false, LOOM_REG_NODES, 0, 1},
		            {false, LOOM_REG_LABEL_BITS, 1, 1},
		            {false, LOOM_REG_KIND, 2, 1}});
		if (memory_[2] != kind_of_cubes) {
			(void)std::fprintf(stderr, "cubes only, as cube:8: the chip's register KIND is %u, not %u\n",
			                   memory_[2], kind_of_cubes);
			sc_core::sc_stop();
			return;
		}
		n_nodes_ = memory_[0];
		label_bits_ = memory_[1];
		const std::vector<descriptor> list = load();
		dma_.carry(list);
		std::printf("%s: %zu bursts loaded, and the nodes started\n",
		            sc_core::sc_time_stamp().to_string().c_str(), list.size());
		while (!interrupt.read())
			wait(interrupt.value_changed_event());
		std::printf("%s: the interrupt\n", sc_core::sc_time_stamp().to_string().c_str());

		std::vector<descriptor> fetch;
		const uint32_t logs = used_;
		for (uint32_t node = 0; node < n_nodes_; node++) {
			fetch.push_back({false, of_node(LOOM_WINDOW_LOG_COUNT, node), logs + 5 * node, 1});
			fetch.push_back({false, of_node(LOOM_WINDOW_LOG, node), logs + 5 * node + 1, 4});
		}
		dma_.carry(fetch);
		good = true;
		for (uint32_t node = 0; node < n_nodes_; node++)
			good &= check(node, &memory_[logs + 5 * node]);
		std::printf("%s: %u messages of %u flits, %s\n", sc_core::sc_time_stamp().to_string().c_str(), n_nodes_,
		            flits,
		            good ? "each whole, and in the cycle in which it had to come"
		                 : "not all as they had to come");
		sc_core::sc_stop();
	}

	memory &memory_;
	dma &dma_;
	uint32_t used_ = 0, n_nodes_ = 0, label_bits_ = 0;
};

int sc_main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "cube:8", *where = argc > 2 ? argv[2] : "sim";
	try {
		memory m(65536);
		dma d("dma", m);
		processor p("processor", m, d);
		flitloom::chip chip("chip", where, fabric);
		sc_core::sc_signal<bool> interrupt("interrupt");
		d.socket.bind(chip.socket);
		chip.interrupt(interrupt);
		p.interrupt(interrupt);
		sc_core::sc_start();
		return p.good ? EXIT_SUCCESS : EXIT_FAILURE;
	} catch (const std::exception &error) {
		(void)std::fprintf(stderr, "%s\n", error.what());
		return EXIT_FAILURE;
	}
}
