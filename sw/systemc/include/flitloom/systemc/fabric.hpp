// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_SYSTEMC_FABRIC_HPP
#define FLITLOOM_SYSTEMC_FABRIC_HPP

#include <deque>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <systemc>

#include <flitloom/link/open_fabric.h>

namespace flitloom
{

// A beat of a frame: a word of fabric::data_bits() bits.
struct beat {
	uint64_t data = 0;
	unsigned node =
		0; // into the fabric: where the frame goes, looked at at its first beat; out of it: where it comes from
	bool last = true; // of its frame

	bool operator==(const beat &other) const
	{
		return data == other.data && node == other.node && last == other.last;
	}
};

std::ostream &operator<<(std::ostream &out, const beat &b); // as sc_fifo wants it

// A network of verilated routers whose nodes are models of the user's: at each rising edge of `clk` the RTL does one cycle
// (flitloom/link/open_fabric.h).
//
//   flitloom::fabric fabric("fabric", "cube:4");
//   sc_core::sc_fifo<flitloom::beat> to_network(2), from_network(2);
//   fabric.clk(clock);
//   fabric.in[3](to_network);     // the model of node 3 writes frames there, and reads those for it here
//   fabric.out[3](from_network);
//
// A FIFO is looked at once a cycle each: what was written before an edge can go into the network at that edge or later, and
// what comes out can be read after the edge. A FIFO that is full stalls the network behind it, as a TREADY of 0 does. With FIFOs of
// 2 a beat can pass in every cycle. Frames of one beat are frames. A port `in` that is not bound sends nothing; a frame that
// comes to a port `out` that is not bound is an error.
//
// Errors are SC_REPORT_ERROR("/flitloom/fabric", why): a fabric that cannot be opened, a frame to a node that does not exist, data
// wider than a beat, a frame to a port `out` that is not bound. After one the routers stand still. For models that speak TLM: flitloom/systemc/node_sockets.hpp.
class fabric : public sc_core::sc_module
{
      public:
	template <class interface> using port = sc_core::sc_port<interface, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

	sc_core::sc_in<bool> clk;
	sc_core::sc_vector<port<sc_core::sc_fifo_in_if<beat>>> in;   // of each node: what it sends
	sc_core::sc_vector<port<sc_core::sc_fifo_out_if<beat>>> out; // beats that come to it

	// `options`: as loom_open_fabric_open takes them.
	fabric(sc_core::sc_module_name name, const char *spec, const struct loom_link_options &options = {});
	~fabric() override;

	unsigned nodes() const; // 0: it could not be opened
	unsigned data_bits() const;
	uint64_t now() const;                 // cycles that were done
	bool busy() const;                    // flits are under way
	const struct loom_topo &topo() const; // only of one that was opened

	// The register port: counters of the channels, CONTROL.RESET, route tables. Called by an SC_THREAD or SC_CTHREAD, its words go in with
	// the cycles of `clk`, one in each, and the call waits until they are done; if the clock does not do that within the time-out,
	// it is LOOM_ETIMEOUT, and words that have not gone in do not go in later. `run` waits until its cycles were done, however
	// long that takes. Called by something else, such as sc_main before and after sc_start, it clocks the RTL itself, ahead of
	// simulated time. The link is the fabric's.
	struct loom_link *link();
	// Happens when link() has written CONTROL.RESET. All that was in the network is gone, half frames included, and
	// the next beat of each port `in` begins a frame; what is in the FIFOs is their owners' to throw away.
	const sc_core::sc_event &reset_event() const;

      private:
	void cycle(); // method, at clk's rising edges
	void set_ports();
	void look_at_ports();
	void begin_anew();

	static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
	                    struct loom_err *err);
	static int run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err);
	static void close(struct loom_link *link);
	int transfer_by_clock(const struct loom_transfer *list, size_t n, unsigned timeout_ms, struct loom_err *err);

	struct loom_open_fabric *fabric_ = nullptr;
	std::vector<struct loom_open_port> ports_;
	struct loom_link link_ = {};
	// Words of the register port that the RTL has not been given yet, and those whose answers have not come. They outlive who asked.
	using word = std::shared_ptr<struct loom_open_request>;
	std::deque<word> asked_, under_way_;
	int wait_for(const std::vector<word> &words, unsigned timeout_ms, struct loom_err *err);
	int fail_standing(struct loom_err *err) const;
	sc_core::sc_event cycled_, reset_;
	bool failed_ = false; // the RTL is not clocked any more
};

} // namespace flitloom

#endif
