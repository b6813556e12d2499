// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: plans FABRIC LISTS SEED [lt=LINK | at=LINK]...
// Random message lists, each planned once and run by link sim, by flitloom::link to flitloom::chip in this SystemC process, loosely
// and approximately timed, and so, by one of the two, in front of every LINK ("lt=uart:tty"): every message and every channel as planned, the traces
// the same word for word, and the rules of TLM kept all the while.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include <flitloom.h>
#include <flitloom/systemc.hpp>

#include "same_trace.hpp"
#include "tlm_checker.hpp"

namespace
{

const sc_core::sc_time period(8, sc_core::SC_NS);

// A link, its chip, and the checker between them.
struct way {
	std::string name;
	flitloom::link link;
	tlm_checker checker;
	flitloom::chip chip;

	way(int number, const char *spec, const char *fabric, flitloom::link::style style)
	    : name(std::string(style == flitloom::link::style::lt ? "LT" : "AT") + " to " + spec),
	      link(("link" + std::to_string(number)).c_str(), style, period),
	      checker(("checker" + std::to_string(number)).c_str()),
	      chip(("chip" + std::to_string(number)).c_str(), spec, fabric, period)
	{
		link.socket.bind(checker.in);
		checker.out.bind(chip.socket);
	}
};

struct bench : sc_core::sc_module {
	std::string fabric;
	unsigned lists, passed = 0, failed = 0;
	std::mt19937_64 random;
	std::vector<std::unique_ptr<way>> ways;
	struct loom_topo topo = {};

	bench(sc_core::sc_module_name name, const char *of, unsigned n, uint64_t seed)
	    : sc_core::sc_module(name), fabric(of), lists(n), random(seed)
	{
		SC_HAS_PROCESS(bench);
		SC_THREAD(run);
		set_stack_size(1 << 20);
	}

	// "lt=sim", "at=uart:tty"
	void add(const std::string &what)
	{
		const auto style = what[0] == 'l' ? flitloom::link::style::lt : flitloom::link::style::at;
		ways.push_back(
			std::make_unique<way>(static_cast<int>(ways.size()), what.c_str() + 3, fabric.c_str(), style));
	}

	bool check(bool ok, const std::string &what)
	{
		(ok ? passed : failed)++;
		if (!ok)
			std::printf("FAIL: %s: %s\n", fabric.c_str(), what.c_str());
		return ok;
	}

	uint32_t below(uint32_t n)
	{
		return static_cast<uint32_t>(random() % n);
	}

	bool make_plan(struct loom_plan *out, unsigned i, struct loom_err *err)
	{
		struct loom_pattern pattern = {};
		struct loom_plan_options options = {};
		std::vector<struct loom_message> messages(1 + below(80));
		const uint32_t longest = below(4) ? 24 : 200, focus = below(topo.n_nodes);
		for (auto &m : messages) {
			m = {};
			m.source = below(topo.n_nodes);
			m.destination = below(3) ? below(topo.n_nodes) : focus;
			m.flits = 1 + below(longest);
		}
		options.planner = i % 2 ? "direct" : nullptr;
		int code = loom_pattern_from_messages(&pattern, "random list", topo.n_nodes, messages.data(),
		                                      messages.size(), err);
		if (code == 0)
			code = loom_plan_make(out, &topo, &pattern, &options, err);
		loom_pattern_free(&pattern);
		return code == 0;
	}

	// Loads and runs; the verdict must be a pass.
	bool run_on(struct loom_link *link, const std::string &by, const struct loom_plan &plan, unsigned i,
	            uint64_t seed, struct loom_trace *trace)
	{
		struct loom_device *device = nullptr;
		struct loom_image image = {};
		struct loom_verdict verdict = {};
		struct loom_err err = {};
		struct loom_image_options options = {};
		struct loom_run_options run_options = {};
		options.machine = i % 3 ? LOOM_MACHINE_FAST : LOOM_MACHINE_PAPER;
		options.seed = seed;
		run_options.back_to_back = i % 4 == 0;
		const bool ran = loom_device_open(&device, link, &err) == 0 &&
		                 loom_image_make(&image, &plan, loom_device_chip(device), &options, &err) == 0 &&
		                 loom_device_load(device, &image, &err) == 0 &&
		                 loom_device_run(device, &image, &run_options, trace, &err) == 0 &&
		                 loom_verdict_make(&verdict, &plan, trace, &err) == 0;
		const bool good = ran && verdict.n_mismatches == 0;
		check(good,
		      "list " + std::to_string(i) + " by " + by + ": " + (ran ? verdict.mismatches[0] : err.text));
		loom_verdict_free(&verdict);
		loom_image_free(&image);
		loom_device_close(device);
		return good;
	}

	void run_list(struct loom_link *sim, unsigned i)
	{
		struct loom_plan plan = {};
		struct loom_err err = {};
		struct loom_trace alone = {};
		const uint64_t seed = random();
		if (!check(make_plan(&plan, i, &err), err.text))
			return;
		if (run_on(sim, "sim", plan, i, seed, &alone))
			for (auto &w : ways) {
				struct loom_trace trace = {};
				if (run_on(w->link.handle(), w->name, plan, i, seed, &trace)) {
					const std::string text = trace_difference(alone, trace);
					check(text.empty(), "list " + std::to_string(i) + ": the trace by " + w->name +
					                            " is another than by sim: " + text);
				}
				loom_trace_free(&trace);
			}
		loom_trace_free(&alone);
		loom_plan_free(&plan);
	}

	void run()
	{
		struct loom_link sim = {};
		struct loom_err err = {};
		struct loom_link_options options = {};
		options.fabric = fabric.c_str();
		if (check(loom_topo_parse(&topo, fabric.c_str(), &err) == 0 &&
		                  loom_link_open(&sim, "sim", &options, &err) == 0,
		          err.text))
			for (unsigned i = 0; i < lists; i++)
				run_list(&sim, i);
		loom_link_close(&sim);
		loom_topo_free(&topo);
		for (auto &w : ways) {
			check(w->checker.broken() == 0, w->checker.first());
			check(w->checker.begun > 0 && w->checker.begun == w->checker.ended,
			      w->name + ": transactions that did not end");
		}
		sc_core::sc_stop();
	}
};

} // namespace

int sc_main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	try {
		const auto seed = std::strtoull(argv[3], nullptr, 10);
		bench b("bench", argv[1], static_cast<unsigned>(std::atoi(argv[2])), seed);
		b.add("lt=sim");
		b.add("at=sim");
		for (int i = 4; i < argc; i++)
			b.add(argv[i]);
		sc_core::sc_start();
		if (b.failed)
			std::printf("seed %llu\n", seed);
		std::printf("%u passed, %u failed\n", b.passed, b.failed);
		return b.failed || !b.passed ? 1 : 0;
	} catch (const sc_core::sc_report &report) {
		std::printf("FAIL: %s\n0 passed, 1 failed\n", report.what());
		return 1;
	}
}
