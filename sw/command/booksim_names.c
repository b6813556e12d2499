// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "booksim_names.h"

#include <string.h>

// Settings that become a part of the command, with their values if they are not given.
static const struct booksim_name taken[] = {{"topology", "torus", NULL, NULL},
                                            {"k", "8", NULL, NULL},
                                            {"n", "2", NULL, NULL},
                                            {"traffic", "uniform", NULL, NULL},
                                            {"injection_rate", "0.1", NULL, NULL},
                                            {"injection_rate_uses_flits", "0", NULL, NULL},
                                            {"packet_size", "1", NULL, NULL},
                                            {"injection_process", "bernoulli", NULL, NULL},
                                            {"burst_alpha", "0.5", NULL, NULL},
                                            {"burst_beta", "0.5", NULL, NULL},
                                            {"burst_r1", "-1.0", NULL, NULL},
                                            {"sim_count", "1", NULL, NULL},
                                            {"warmup_periods", "3", NULL, NULL},
                                            {"sample_period", "1000", NULL, NULL},
                                            {"max_samples", "10", NULL, NULL},
                                            {"seed", "0", NULL, NULL},
                                            {"sim_type", "latency", NULL, NULL},
                                            {"batch_size", "1000", NULL, NULL},
                                            {"batch_count", "1", NULL, NULL},
                                            {"max_outstanding_requests", "0", NULL, NULL},
                                            {"use_read_write", "0", NULL, NULL},
                                            {"write_fraction", "0.5", NULL, NULL},
                                            {"read_request_size", "1", NULL, NULL},
                                            {"write_request_size", "1", NULL, NULL},
                                            {"read_reply_size", "1", NULL, NULL},
                                            {"write_reply_size", "1", NULL, NULL},
                                            {"vc_buf_size", "8", NULL, NULL},
                                            {"use_noc_latency", "1", NULL, NULL}};
enum { N_TAKEN = sizeof taken / sizeof taken[0] };

// Settings that change the network: a configuration is refused unless they have this value.
static const struct booksim_name wanted[] = {{"c", "1", NULL, "a router has one node"},
                                             {"subnets", "1", NULL, "there is one network"},
                                             {"classes", "1", NULL, "there is one class of messages"},
                                             {"link_failures", "0", NULL, "links do not fail"}};
enum { N_WANTED = sizeof wanted / sizeof wanted[0] };

// Settings that change figures, and that have no counterpart here. `same` is the value with which both programs do
// the same; NULL: no value is.
static const struct booksim_name left[] = {
	{"num_vcs", "16", NULL,
         "a link has up to 8 lanes, where links close a ring two at least; a message's lane follows from its "
         "destination, not from "
         "which is free (docs/deadlock.md)"},
	{"buf_size", "-1", "-1", "each lane has a FIFO of its own"},
	{"routing_delay", "1", "0",
         "a header is routed in the cycle in which it could cross; --router-delay makes routers slower"},
	{"vc_alloc_delay", "1", NULL, "a lane is granted in the cycle in which the header crosses"},
	{"sw_alloc_delay", "1", NULL, "a router has no pipeline: a flit crosses a channel in one cycle"},
	{"st_final_delay", "1", NULL, "the same"},
	{"credit_delay", "0", "0", "room is seen in the next cycle"},
	{"vc_allocator", "islip", NULL, "the header that has asked longest goes first"},
	{"sw_allocator", "islip", NULL, "links go round the lanes that can send"},
	{"router", "iq", "iq", "a router has FIFOs at its inputs"},
	{"speculative", "0", "0", "nothing is speculated"},
	{"alloc_iters", "1", "1", "an arbiter decides once"},
	{"hold_switch_for_packet", "0", "0", "without lanes a worm keeps its channel to its tail"},
	{"wait_for_tail_credit", "0", "0", "a lane is free again when the tail has crossed"},
	{"perm_seed", "0", "0", "--seed draws the permutation"},
	{"input_speedup", "1", "1", "an input sends one flit a cycle"},
	{"output_speedup", "1", "1", "an output takes one flit a cycle"},
	{"internal_speedup", "1.0", "1", "a router runs as fast as its links"},
	{"priority", "none", "none", "messages have no priority"},
	{"latency_thres", "500.0", NULL, "a point is saturated at ten times the latency without contention"},
	{"include_queuing", "1", "1", "latency counts from a message's release"}};
enum { N_LEFT = sizeof left / sizeof left[0] };

// Settings for files and texts that BookSim2 writes, and for stopping early; they do not change figures.
static const char *const beside[] = {
	"print_activity", "print_csv_results", "viewer_trace",     "watch_file",     "watch_flits",
	"watch_packets",  "watch_out",         "stats_out",        "pair_stats",     "sim_power",
	"tech_file",      "power_output_file", "channel_width",    "channel_sweep",  "deadlock_warn_timeout",
	"measure_stats",  "warmup_thres",      "acc_warmup_thres", "stopping_thres", "acc_stopping_thres"};
enum { N_BESIDE = sizeof beside / sizeof beside[0] };

const struct booksim_name *booksim_wanted_at(size_t i)
{
	return i < N_WANTED ? &wanted[i] : NULL;
}

const struct booksim_name *booksim_left_at(size_t i)
{
	return i < N_LEFT ? &left[i] : NULL;
}

static const struct booksim_name *find(const struct booksim_name *table, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

const char *booksim_default(const char *name)
{
	const struct booksim_name *found = find(taken, N_TAKEN, name);
	if (!found)
		found = find(left, N_LEFT, name);
	return found ? found->value : "";
}

bool booksim_is_known(const char *name)
{
	return find(taken, N_TAKEN, name) || find(wanted, N_WANTED, name) || find(left, N_LEFT, name) ||
	       strcmp(name, "routing_function") == 0;
}

bool booksim_is_beside(const char *name)
{
	for (size_t i = 0; i < N_BESIDE; i++)
		if (strcmp(beside[i], name) == 0)
			return true;
	return false;
}
