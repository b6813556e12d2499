// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Models of accelerators on a network of verilated routers. The node 0 of a 3-cube multiplies a matrix by a vector: it sends
// each row, as a frame, to one of the other nodes, where an accelerator knows the vector, takes four cycles for each
// element, and sends back the row's number and the product. The routers between them are the RTL, clock by clock.
//
//   c++ -std=c++17 accelerator.cpp -o accelerator $(pkg-config --cflags --libs flitloom-systemc)
//   ./accelerator 7        (how many accelerators, 1 to 7)
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <flitloom/systemc.hpp>

using flitloom::beat;

static constexpr unsigned n_rows = 42, n_columns = 16, cycles_of_element = 4;

static uint32_t element(unsigned row, unsigned column)
{
	return row * 31 + column * column;
}
static uint32_t vector_at(unsigned column)
{
	return 3 * column + 1;
}

// A node's model: two FIFOs, bound to the ports of its node.
struct node : sc_core::sc_module {
	sc_core::sc_in<bool> clk{"clk"};
	sc_core::sc_fifo<beat> to_network{2}, from_network{2};

	node(sc_core::sc_module_name name, flitloom::fabric &network, unsigned number) : sc_core::sc_module(name)
	{
		network.in[number](to_network);
		network.out[number](from_network);
	}
	void send(uint32_t data, unsigned to, bool last)
	{
		beat b;
		b.data = data;
		b.node = to;
		b.last = last;
		to_network.write(b);
	}
};

struct accelerator : node {
	accelerator(sc_core::sc_module_name name, flitloom::fabric &network, unsigned number)
	    : node(name, network, number)
	{
		SC_HAS_PROCESS(accelerator);
		SC_THREAD(work);
	}
	void work()
	{
		for (;;) {
			// The whole row first: a frame that is read more slowly keeps its channels, and others wait.
			std::vector<uint32_t> words;
			beat b;
			do {
				b = from_network.read();
				words.push_back(static_cast<uint32_t>(b.data));
			} while (!b.last);
			uint32_t sum = 0;
			for (unsigned column = 0; column + 1 < words.size(); column++)
				sum += words[column + 1] * vector_at(column);
			for (unsigned cycle = 0; cycle < (words.size() - 1) * cycles_of_element; cycle++)
				wait(clk.posedge_event());
			send(words[0], b.node, false);
			send(sum, b.node, true);
		}
	}
};

struct processor : node {
	const unsigned n_accelerators;
	std::vector<uint32_t> product;

	processor(sc_core::sc_module_name name, flitloom::fabric &network, unsigned n)
	    : node(name, network, 0), n_accelerators(n), product(n_rows)
	{
		SC_HAS_PROCESS(processor);
		SC_THREAD(give);
		SC_THREAD(gather);
	}
	void give()
	{
		for (unsigned row = 0; row < n_rows; row++) {
			const unsigned to = 1 + row % n_accelerators;
			send(row, to, false);
			for (unsigned column = 0; column < n_columns; column++)
				send(element(row, column), to, column + 1 == n_columns);
		}
	}
	void gather()
	{
		for (unsigned n = 0; n < n_rows; n++) {
			const uint32_t row = static_cast<uint32_t>(from_network.read().data);
			product.at(row) = static_cast<uint32_t>(from_network.read().data);
		}
		sc_core::sc_stop();
	}
};

int sc_main(int argc, char **argv)
try {
	const unsigned n = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 7;
	sc_core::sc_clock clock("clock", 10, sc_core::SC_NS);
	flitloom::fabric network("network", "cube:3");
	if (n < 1 || n >= network.nodes()) {
		std::fprintf(stderr, "accelerator: 1 to %u of them\n", network.nodes() - 1);
		return 2;
	}
	network.clk(clock);
	processor p("processor", network, n);
	p.clk(clock);
	std::vector<std::unique_ptr<accelerator>> all;
	for (unsigned u = 1; u <= n; u++) {
		all.push_back(std::make_unique<accelerator>(("accelerator" + std::to_string(u)).c_str(), network, u));
		all.back()->clk(clock);
	}
	sc_core::sc_start();

	for (unsigned row = 0; row < n_rows; row++) {
		uint32_t sum = 0;
		for (unsigned column = 0; column < n_columns; column++)
			sum += element(row, column) * vector_at(column);
		if (p.product[row] != sum) {
			std::printf("row %u: %u, not %u\n", row, p.product[row], sum);
			return 1;
		}
	}
	std::printf("%u rows of %u elements, accelerators: %u, cycles: %llu\n", n_rows, n_columns, n,
	            static_cast<unsigned long long>(network.now()));
	return 0;
} catch (const std::exception &e) {
	std::fprintf(stderr, "accelerator: %s\n", e.what());
	return 1;
}
