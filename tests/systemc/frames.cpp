// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// User models on all nodes of a flitloom::fabric, which send each other random frames and stall at random on both sides:
//   systemc_frames [FABRIC] [words=N] [seed=N] [sockets] [fault=KIND]
// FABRIC: cube:4; words: of all frames together (20000), besides which each frame is a header flit; sockets: every second node
// speaks TLM (node_sockets), half of them with phases. What comes is compared with a plan made beforehand (frame_checker.hpp), and the counters of the
// ejection channels with its size. fault: a model does something wrong once, and the checker must find it: drop, flip, swap,
// twice, end (of a frame, one word early), elsewhere, deaf (the last word of all is not handed on). What the fabric itself reports: wide, nowhere, unbound (a node's port).
// Status 0 and a line "PASS ..." if all was right, else 1 and "FAIL ...".
#include <cstring>
#include <memory>

#include <flitloom/link/regmap.h>
#include <flitloom/systemc/link.hpp>
#include <flitloom/systemc/node_sockets.hpp>

#include "frame_checker.hpp"

using namespace sc_core;
using flitloom::beat;

namespace
{

struct settings {
	std::string fabric = "cube:4", fault;
	uint64_t words = 20000, seed = 1;
	bool sockets = false;
};

// One for all models: says of one word in the middle of the run that it is to go wrong.
class saboteur
{
      public:
	saboteur(const settings &s, uint64_t n_words) : kind_(s.fault), left_(n_words / 2)
	{
	}
	// The kind is struck at one word: the middle one of the run's words that can carry it.
	bool strikes(const char *kind)
	{
		return kind_ == kind && left_ && --left_ == 0;
	}
	bool is(const char *kind) const
	{
		return kind_ == kind;
	}

      private:
	const std::string kind_;
	uint64_t left_;
};

// The parts that every model has: its node, its part of the plan, and its own way of stalling.
struct user : sc_module {
	sc_in<bool> clk;
	user(sc_module_name name, unsigned node, const frame_plan &p, frame_checker &c, saboteur &s, uint64_t seed)
	    : sc_module(name), here(node), plan(p), checker(c), spoil(s), sending(seed * 2), receiving(seed * 2 + 1)
	{
		send_eagerly = sending() % 4 ? 14 : 3;
		take_eagerly = receiving() % 4 ? 14 : 3;
	}

      protected:
	const unsigned here;
	const frame_plan &plan;
	frame_checker &checker;
	saboteur &spoil;
	std::mt19937_64 sending, receiving;
	unsigned send_eagerly, take_eagerly; // about how many of 16 cycles it sends in, takes in

	void stall(std::mt19937_64 &random, unsigned eagerly)
	{
		while (random() % 16 >= eagerly)
			wait(clk.posedge_event());
	}

	// The frame as beats, or what sabotage makes of it.
	std::vector<beat> beats_of(const frame &f)
	{
		std::vector<beat> out;
		for (size_t i = 0; i < f.word.size(); i++) {
			beat b;
			b.data = f.word[i];
			b.node = f.to;
			b.last = i + 1 == f.word.size();
			out.push_back(b);
		}
		const size_t n = out.size();
		if (n > 1 && spoil.strikes("drop"))
			out.erase(out.begin());
		if (spoil.strikes("flip"))
			out[n / 2].data ^= 1u << 17;
		if (n > 2 && spoil.strikes("swap"))
			std::swap(out[0].data, out[1].data);
		if (n > 1 && spoil.strikes("twice"))
			out.insert(out.begin(), out[0]), out[0].last = false;
		if (n > 1 && spoil.strikes("end"))
			out[n - 2].last = true;
		if (spoil.strikes("wide"))
			out[0].data |= UINT64_C(1) << 40;
		if (spoil.strikes("nowhere"))
			out[0].node = 99;
		if (spoil.strikes("elsewhere"))
			for (beat &b : out)
				b.node = (b.node + 1) % static_cast<unsigned>(plan.of_node.size());
		return out;
	}

	void hand_on(const beat &b)
	{
		if (!spoil.is("deaf") || checker.taken() + 1 < plan.n_words)
			checker.take(here, b);
	}
};

// By FIFOs.
struct fifo_user : user {
	sc_fifo<beat> to, from;
	fifo_user(sc_module_name name, unsigned node, const frame_plan &p, frame_checker &c, saboteur &s, uint64_t seed,
	          flitloom::fabric &network)
	    : user(name, node, p, c, s, seed), to("to", 1 + int(sending() % 3)), from("from", 1 + int(receiving() % 3))
	{
		network.in[node](to);
		if (node != 1 || !s.is("unbound"))
			network.out[node](from);
		SC_HAS_PROCESS(fifo_user);
		SC_THREAD(send);
		SC_THREAD(take);
	}
	void send()
	{
		for (const frame &f : plan.of_node[here])
			for (const beat &b : beats_of(f)) {
				stall(sending, send_eagerly);
				to.write(b);
				wait(clk.posedge_event());
			}
	}
	void take()
	{
		for (;;) {
			stall(receiving, take_eagerly);
			hand_on(from.read());
			wait(clk.posedge_event());
		}
	}
};

// By TLM, loosely timed; or, what it sends, approximately timed: a burst of flitloom::link's is one write.
struct socket_user : user {
	flitloom::node_sockets node;
	std::unique_ptr<tlm_utils::simple_initiator_socket<socket_user, 32>> to;
	std::unique_ptr<flitloom::link> by_phases;
	tlm_utils::simple_target_socket<socket_user, 32> from;
	socket_user(sc_module_name name, unsigned u, const frame_plan &p, frame_checker &c, saboteur &s, uint64_t seed,
	            flitloom::fabric &network)
	    : user(name, u, p, c, s, seed), node("node", network, u), from("from")
	{
		if (u % 4 == 3) {
			by_phases = std::make_unique<flitloom::link>("by_phases", flitloom::link::style::at);
			by_phases->socket.bind(node.send);
		} else {
			to = std::make_unique<tlm_utils::simple_initiator_socket<socket_user, 32>>("to");
			to->bind(node.send);
		}
		node.receive.bind(from);
		from.register_b_transport(this, &socket_user::take);
		SC_HAS_PROCESS(socket_user);
		SC_THREAD(send);
	}

	tlm::tlm_response_status write(uint64_t address, std::vector<uint32_t> words, unsigned length,
	                               tlm::tlm_command command = tlm::TLM_WRITE_COMMAND)
	{
		tlm::tlm_generic_payload trans;
		sc_time delay(static_cast<double>(sending() % 20), SC_NS);
		trans.set_command(command);
		trans.set_address(address);
		trans.set_data_ptr(reinterpret_cast<unsigned char *>(words.data()));
		trans.set_data_length(length);
		trans.set_streaming_width(length);
		(*to)->b_transport(trans, delay);
		wait(delay);
		return trans.get_response_status();
	}
	void expect(tlm::tlm_response_status status, tlm::tlm_response_status right, const char *what)
	{
		if (status != right)
			SC_REPORT_ERROR("frames", what);
	}

	void write_frame(unsigned to_node, const std::vector<uint32_t> &words)
	{
		const uint64_t address = to_node * flitloom::node_sockets::window;
		struct loom_err err;
		if (!by_phases)
			expect(write(address, words, unsigned(words.size()) * 4), tlm::TLM_OK_RESPONSE, "a frame");
		else if (loom_link_write(by_phases->handle(), static_cast<uint32_t>(address / 4), words.data(),
		                         words.size(), 1000, &err) != 0)
			SC_REPORT_ERROR("frames", err.text);
	}
	void write_what_is_refused()
	{
		constexpr uint64_t window = flitloom::node_sockets::window;
		const std::vector<uint32_t> some(4);
		expect(write(window * plan.of_node.size(), some, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE, "no such node");
		expect(write(window + 4, some, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE, "inside a window");
		expect(write(window, some, 6), tlm::TLM_BURST_ERROR_RESPONSE, "half a word");
		expect(write(window, some, 0), tlm::TLM_BURST_ERROR_RESPONSE, "nothing");
		expect(write(window, some, 4, tlm::TLM_READ_COMMAND), tlm::TLM_COMMAND_ERROR_RESPONSE, "a read");
		expect(write(window, some, 4, tlm::TLM_IGNORE_COMMAND), tlm::TLM_OK_RESPONSE, "ignored");
	}

	// Beats of frames that sabotage has cut in two are two frames here.
	void send()
	{
		if (to)
			write_what_is_refused();
		for (const frame &f : plan.of_node[here]) {
			std::vector<uint32_t> words;
			for (const beat &b : beats_of(f)) {
				stall(sending, send_eagerly);
				words.push_back(static_cast<uint32_t>(b.data));
				if (!b.last)
					continue;
				write_frame(b.node, words);
				words.clear();
			}
		}
	}
	void take(tlm::tlm_generic_payload &trans, sc_time &delay)
	{
		const unsigned n = trans.get_data_length() / 4;
		for (unsigned i = 0; i < n; i++) {
			stall(receiving, take_eagerly);
			uint32_t word;
			std::memcpy(&word, trans.get_data_ptr() + 4 * i, 4);
			beat b;
			b.data = word;
			b.node = static_cast<unsigned>(trans.get_address() / flitloom::node_sockets::window);
			b.last = i + 1 == n;
			hand_on(b);
		}
		delay = SC_ZERO_TIME;
		trans.set_response_status(tlm::TLM_OK_RESPONSE);
	}
};

// Ends the simulation when all has come, or nothing comes any more; meanwhile it uses the register port.
struct observer : sc_module {
	sc_in<bool> clk;
	flitloom::fabric &network;
	const frame_checker &checker;
	uint64_t ejected = 0; // flits, by the counters
	observer(sc_module_name name, flitloom::fabric &f, const frame_checker &c)
	    : sc_module(name), network(f), checker(c)
	{
		SC_HAS_PROCESS(observer);
		SC_THREAD(observe);
	}

	uint64_t read_ejected()
	{
		const struct loom_topo &t = network.topo();
		const uint32_t per_tile = loom_topo_channels_per_tile(&t);
		uint64_t sum = 0;
		for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
			char group[16];
			uint32_t word[4];
			struct loom_err err;
			loom_topo_group_name(&t, loom_topo_group_of(&t, c), group);
			if (std::strcmp(group, "eject") != 0)
				continue;
			if (loom_link_read(network.link(),
			                   LOOM_WINDOW_COUNTS | c / per_tile << LOOM_INDEX_LOW | c % per_tile * 4, word,
			                   4, 1000, &err) != 0)
				SC_REPORT_ERROR("frames", err.text);
			sum += word[1];
		}
		return sum;
	}

	void observe()
	{
		uint64_t before = 0;
		do {
			before = checker.taken();
			for (unsigned i = 0; i < 5000 && !checker.complete(); i++)
				wait(clk.posedge_event());
			const uint64_t cycle = network.now();
			uint32_t nodes = 0;
			struct loom_err err;
			if (loom_link_read(network.link(), LOOM_REG_NODES, &nodes, 1, 1000, &err) != 0 ||
			    nodes != network.nodes())
				SC_REPORT_ERROR("frames", "register NODES");
			if (network.now() - cycle > 20 || network.now() == cycle)
				SC_REPORT_ERROR("frames",
				                "a word of the register port took another time than it should");
		} while (!checker.complete() && checker.taken() != before);
		for (unsigned i = 0; i < 200; i++) // for what is too much
			wait(clk.posedge_event());
		ejected = read_ejected();
		sc_stop();
	}
};

settings read(int argc, char **argv)
{
	settings s;
	for (int i = 1; i < argc; i++) {
		const std::string a = argv[i];
		if (a.rfind("words=", 0) == 0)
			s.words = std::stoull(a.substr(6));
		else if (a.rfind("seed=", 0) == 0)
			s.seed = std::stoull(a.substr(5));
		else if (a.rfind("fault=", 0) == 0)
			s.fault = a.substr(6);
		else if (a == "sockets")
			s.sockets = true;
		else
			s.fabric = a;
	}
	return s;
}

} // namespace

int sc_main(int argc, char **argv)
{
	sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", SC_DO_NOTHING);
	sc_report_handler::set_actions("/OSCI/SystemC", SC_DO_NOTHING);
	const settings s = read(argc, argv);
	sc_clock clock("clock", 10, SC_NS);
	flitloom::fabric network("network", s.fabric.c_str());
	network.clk(clock);
	const frame_plan plan(network.nodes(), s.words, 20, s.seed);
	frame_checker checker(plan);
	saboteur spoil(s, plan.n_frames);
	std::vector<std::unique_ptr<user>> users;
	for (unsigned u = 0; u < network.nodes(); u++) {
		const std::string name = "user" + std::to_string(u);
		const uint64_t seed = s.seed * 1000 + u;
		if (s.sockets && u % 2)
			users.push_back(
				std::make_unique<socket_user>(name.c_str(), u, plan, checker, spoil, seed, network));
		else
			users.push_back(
				std::make_unique<fifo_user>(name.c_str(), u, plan, checker, spoil, seed, network));
		users.back()->clk(clock);
	}
	observer end("end", network, checker);
	end.clk(clock);
	sc_start();

	bool passed = checker.verdict() && plan.n_words == s.words;
	const uint64_t flits = plan.n_words + plan.n_frames;
	if (end.ejected != flits || end.read_ejected() != flits) {
		std::printf("FAIL: the ejection channels carried %llu flits; the plan has %llu\n",
		            static_cast<unsigned long long>(end.ejected), static_cast<unsigned long long>(flits));
		passed = false;
	}
	std::printf("%s %s, seed %llu: %llu words in %llu frames, %llu flits, %llu cycles\n", passed ? "PASS" : "FAIL",
	            s.fabric.c_str(), static_cast<unsigned long long>(s.seed),
	            static_cast<unsigned long long>(checker.taken()), static_cast<unsigned long long>(plan.n_frames),
	            static_cast<unsigned long long>(end.ejected), static_cast<unsigned long long>(network.now()));
	return passed ? 0 : 1;
}
