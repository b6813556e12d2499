// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what node_sockets.hpp says, thing by thing: which writes are refused and how, delays, frames that are too
// long, reset.
#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn
#include <cstring>

#include <flitloom/link/regmap.h>
#include <flitloom/systemc/node_sockets.hpp>

#include "tally.hpp"

using flitloom::beat;

namespace
{

const sc_core::sc_time period(10, sc_core::SC_NS);
constexpr uint64_t window = flitloom::node_sockets::window;
using words = std::vector<uint32_t>;

void check(bool ok, const std::string &what)
{
	the_tally().check(ok, what);
}

// A model that writes frames, and notes those that come.
struct model : sc_core::sc_module {
	tlm_utils::simple_initiator_socket<model, 32> to{"to"};
	tlm_utils::simple_target_socket<model, 32> from{"from"};
	struct seen {
		uint64_t address;
		words data;
		sc_core::sc_time when;
	};
	std::vector<seen> all;
	tlm::tlm_response_status answer = tlm::TLM_OK_RESPONSE;
	sc_core::sc_time takes;
	bool blocked = false;
	sc_core::sc_event unblock;
	sc_core::sc_time delay; // of write

	model(sc_core::sc_module_name name, flitloom::node_sockets &node) : sc_core::sc_module(name)
	{
		to.bind(node.send);
		node.receive.bind(from);
		from.register_b_transport(this, &model::take);
	}
	void take(tlm::tlm_generic_payload &trans, sc_core::sc_time &d)
	{
		const uint32_t n = trans.get_data_length() / 4;
		words data(n);
		std::memcpy(data.data(), trans.get_data_ptr(), trans.get_data_length());
		all.push_back({trans.get_address(), data, sc_core::sc_time_stamp()});
		if (blocked)
			wait(unblock);
		d += takes;
		trans.set_response_status(answer);
	}
	static void prepare(tlm::tlm_generic_payload &trans, words &data)
	{
		trans.set_write();
		trans.set_address(window);
		trans.set_data_ptr(reinterpret_cast<unsigned char *>(data.data()));
		trans.set_data_length(static_cast<unsigned>(4 * data.size()));
		trans.set_streaming_width(trans.get_data_length());
	}
	tlm::tlm_response_status send(tlm::tlm_generic_payload &trans)
	{
		to->b_transport(trans, delay);
		return trans.get_response_status();
	}
	tlm::tlm_response_status write(words data)
	{
		tlm::tlm_generic_payload trans;
		prepare(trans, data);
		return send(trans);
	}
};

words count(size_t n, uint32_t from)
{
	words w(n);
	for (uint32_t &x : w)
		x = from++;
	return w;
}

struct tests : sc_core::sc_module {
	sc_core::sc_clock clock{"clock", period};
	flitloom::fabric network{"network", "cube:1"}, mixed{"mixed", "cube:1"};
	flitloom::node_sockets node0{"node0", network, 0}, node1{"node1", network, 1},
		node_mixed{"node_mixed", mixed, 1};
	model a{"a", node0}, b{"b", node1}, c{"c", node_mixed};
	sc_core::sc_fifo<beat> to{"to", 2}; // of node 0 of mixed

	explicit tests(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		network.clk(clock);
		mixed.clk(clock);
		mixed.in[0](to);
		SC_HAS_PROCESS(tests);
		SC_THREAD(run);
	}

	void test_refusals()
	{
		unsigned char enables[4] = {255, 255, 255, 255};
		words four(4), too_many(window / 4 + 1);
		tlm::tlm_generic_payload enabled, streamed, longer, null;
		model::prepare(enabled, four);
		enabled.set_byte_enable_ptr(enables);
		enabled.set_byte_enable_length(4);
		check(a.send(enabled) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "byte enables");
		model::prepare(streamed, four);
		streamed.set_streaming_width(12);
		check(a.send(streamed) == tlm::TLM_BURST_ERROR_RESPONSE, "a short streaming width");
		model::prepare(longer, too_many);
		check(a.send(longer) == tlm::TLM_BURST_ERROR_RESPONSE, "a write longer than a window");
		for (unsigned length : {0u, 1u, 2u, 3u, 5u, 6u, 7u, 15u}) {
			tlm::tlm_generic_payload odd;
			model::prepare(odd, four);
			odd.set_data_length(length);
			check(a.send(odd) == tlm::TLM_BURST_ERROR_RESPONSE,
			      "a write of " + std::to_string(length) + " bytes");
		}
		model::prepare(null, four);
		null.set_data_ptr(nullptr);
		check(a.send(null) == tlm::TLM_GENERIC_ERROR_RESPONSE, "no data pointer");
		wait(100 * period);
		check(b.all.empty() && !network.busy(), "what was refused was sent");
	}

	void test_delays()
	{
		const sc_core::sc_time begin = sc_core::sc_time_stamp();
		a.delay = 50 * period;
		b.takes = 70 * period;
		check(a.write({1, 2}) == tlm::TLM_OK_RESPONSE && a.delay == sc_core::SC_ZERO_TIME &&
		              sc_core::sc_time_stamp() >= begin + 52 * period,
		      "the writer's delay");
		check(a.write({3}) == tlm::TLM_OK_RESPONSE, "a second frame");
		wait(200 * period);
		check(b.all.size() == 2 && b.all[0].data == words{1, 2} && b.all[1].data == words{3}, "two frames");
		if (b.all.size() == 2)
			check(b.all[0].when > begin + 50 * period && b.all[1].when >= b.all[0].when + 70 * period,
			      "the delay of who takes a frame");
		b.takes = sc_core::SC_ZERO_TIME;
		b.all.clear();
	}

	// Comes back when the fabric has taken the last beat, and not before.
	void test_return()
	{
		for (size_t n = 1; n < 4; n++) {
			wait(50 * period);
			const uint64_t begin = network.now();
			check(a.write(count(n, 1)) == tlm::TLM_OK_RESPONSE, "a frame");
			const uint64_t took = network.now() - begin;
			check(took >= n && took <= n + 3,
			      std::to_string(n) + " words: back after " + std::to_string(took) + " cycles");
		}
		wait(50 * period);
		b.all.clear();
	}

	// As long as a write may be, to where another node's window begins.
	void test_whole_window()
	{
		check(a.write(count(window / 4, 7)) == tlm::TLM_OK_RESPONSE, "a write of a whole window");
		wait(100 * period);
		check(b.all.size() == 1 && b.all[0].data == count(window / 4, 7),
		      "a frame of a whole window by sockets");
		b.all.clear();
	}

	void test_two_writers()
	{
		unsigned ended = 0;
		for (uint32_t w = 0; w < 2; w++)
			sc_core::sc_spawn([this, w, &ended] {
				for (unsigned i = 0; i < 5; i++)
					check(a.write(count(30, w * 1000)) == tlm::TLM_OK_RESPONSE,
					      "one of two writers");
				ended++;
			});
		wait(1000 * period);
		check(ended == 2 && b.all.size() == 10, std::to_string(b.all.size()) + " frames of two writers");
		for (const model::seen &s : b.all)
			check(s.address == 0 && s.data == count(30, s.data[0]), "a frame of two writers");
		b.all.clear();
	}

	void test_refused_by_model()
	{
		b.answer = tlm::TLM_ADDRESS_ERROR_RESPONSE;
		check(a.write({1}) == tlm::TLM_OK_RESPONSE, "a frame that is refused at the other end");
		wait(50 * period);
		the_tally().check_report("a frame from node 0 was refused: TLM_ADDRESS_ERROR_RESPONSE");
		b.answer = tlm::TLM_OK_RESPONSE;
		b.all.clear();
	}

	void send_beats(size_t n, bool ends)
	{
		for (size_t i = 0; i < n; i++) {
			beat x;
			x.data = i;
			x.node = 1;
			x.last = ends && i + 1 == n;
			to.write(x);
		}
		wait(50 * period);
	}

	void test_long_frames()
	{
		send_beats(window / 4 + 1, true);
		the_tally().check_report("a frame from node 0 was refused: it has 16385 words, more than a window");
		check(c.all.empty(), "a frame longer than a window is written");
		send_beats(window / 4, true);
		check(c.all.size() == 1 && c.all[0].address == 0 && c.all[0].data == count(window / 4, 0),
		      "a frame of a whole window");
		c.all.clear();
	}

	static void reset(flitloom::fabric &f)
	{
		struct loom_err err = {};
		const uint32_t word = 1u << LOOM_CONTROL_RESET_LOW;
		check(loom_link_write(f.link(), LOOM_REG_CONTROL, &word, 1, 1, &err) == 0, err.text);
	}

	void test_reset()
	{
		send_beats(7, false); // half a frame has come
		reset(mixed);
		send_beats(3, true);
		check(c.all.size() == 1 && c.all[0].data == count(3, 0), "half a frame outlives a reset");

		// A writer that the network keeps waiting, since the model does not take the frame before.
		b.blocked = true;
		check(a.write({1}) == tlm::TLM_OK_RESPONSE, "the frame before");
		bool cut = false;
		sc_core::sc_spawn([this, &cut] { cut = a.write(count(200, 5)) == tlm::TLM_GENERIC_ERROR_RESPONSE; });
		wait(300 * period);
		check(!cut && network.busy(), "the network does not keep the writer waiting");
		reset(network);
		wait(2 * period);
		check(cut, "a write that a reset cuts");
		b.blocked = false;
		b.unblock.notify();
		check(a.write({8, 9}) == tlm::TLM_OK_RESPONSE, "a write after a reset");
		wait(100 * period);
		check(b.all.size() == 2 && b.all[0].data == words{1} && b.all[1].data == words{8, 9},
		      "frames after a reset: " + std::to_string(b.all.size()));
	}

	void run()
	{
		wait(period / 4);
		test_refusals();
		test_delays();
		test_return();
		test_whole_window();
		test_two_writers();
		test_refused_by_model();
		test_long_frames();
		test_reset();
		check(the_tally().reports.empty(), "a report that nobody expects");
		sc_core::sc_stop();
	}
};

} // namespace

int sc_main(int, char **)
{
	keep_reports();
	tests t("tests");
	sc_core::sc_start();
	return the_tally().verdict();
}
