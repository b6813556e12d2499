// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_H
#define LOOM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Open-loop traffic: every node makes messages at random times, whatever becomes of them, and the fabric carries what it
// can. A message is released in the cycle in which it is made; until its node sends it, it waits in an unbounded
// queue in front of the node. Its latency counts from its release. Traffic may be closed (struct loom_load_closed),
// and may be a batch.

// The method by which destinations are drawn.
enum loom_traffic_kind {
	LOOM_TRAFFIC_ONE,     // each processor to one destination of its own
	LOOM_TRAFFIC_UNIFORM, // to any other processor, all alike
	LOOM_TRAFFIC_HOTSPOT, // with probability `fraction` to `hot`, else as uniform
	LOOM_TRAFFIC_FLOWS,   // each flow, from one processor to another, has a share
	LOOM_TRAFFIC_SUM,     // several others at once, each at a part of the load
};

struct loom_flows;

#define LOOM_LENGTHS_MOST 64

// The lengths of messages, in flits, header included. Each has a probability; these add up to 1.
struct loom_lengths {
	uint32_t n; // 1 .. LOOM_LENGTHS_MOST
	uint32_t flits[LOOM_LENGTHS_MOST];
	double probability[LOOM_LENGTHS_MOST];
};
// Reads lengths and their probabilities: "1:0.6,5:0.4"; those of a range share one, "2-5:0.5,20:0.5"; a range alone has 1, "2-8".
// LOOM_EINPUT: a length that is none or is there twice, more than LOOM_LENGTHS_MOST, probabilities that do not add up to 1.
int loom_lengths_parse(struct loom_lengths *out, const char *text, struct loom_err *err);
double loom_lengths_mean(const struct loom_lengths *lengths);

// Traffic between processors.
struct loom_traffic {
	enum loom_traffic_kind kind;
	char name[128];
	uint32_t n_nodes;
	uint32_t *destination; // owned; of ONE, per processor: LOOM_TRAFFIC_SILENT if it sends nothing
	uint32_t hot;
	double fraction; // 0 to 1
	// The processors among whom messages of UNIFORM and HOTSPOT go where some nodes take no part, ascending. NULL: all.
	uint32_t *among; // owned
	uint32_t n_among;
	struct loom_flows *flows;   // owned; of FLOWS
	size_t n_terms;             // of SUM
	struct loom_traffic *terms; // owned; none of them a SUM
	double *weights; // owned, as many: what part of the sum each is; made so that the sum's rates have mean 1
};
#define LOOM_TRAFFIC_SILENT UINT32_MAX
#define LOOM_TRAFFIC_TERMS_MOST 16
#define LOOM_TRAFFIC_FLOWS_MOST 1048576
#define LOOM_TRAFFIC_CLASS_MOST 255u // of a flow

// Reads who sends to whom: "uniform", "hotspot:NODE", "hotspot:NODE:FRACTION", "traffic:FILE", "matrix:FILE" (docs/load.md has
// the files), a pattern in which no processor has more than one destination, or a sum of these, "0.7*uniform+0.3*transpose".
// LOOM_EINPUT names the processor that has more, or a message that is not of options->flits flits, the line of a file that is not as it
// should be, and whatever loom_pattern_parse refuses. LOOM_EFILE: unreadable file.
int loom_traffic_parse(struct loom_traffic *out, const char *spec, const struct loom_topo *topo,
                       const struct loom_pattern_options *options, struct loom_err *err);
void loom_traffic_free(struct loom_traffic *traffic); // NULL allowed; leaves *traffic zeroed

// The rate of processor v in flits per cycle at load 1: at load r it sends r times as much. The mean over all that send is 1; only
// those of files and of sums differ. 0: it sends nothing.
double loom_traffic_rate(const struct loom_traffic *traffic, uint32_t v);
// The load at which the sources send at the rates of their file. mean_flits: the mean length of messages, for a file
// without lengths. Not a number: there is no such load.
double loom_traffic_own_load(const struct loom_traffic *traffic, double mean_flits);
// The lengths of messages that the traffic's file says: the least and the most; 0, 0: it says none. Returns true if it says all, so
// that what is asked for of lengths does not matter.
bool loom_traffic_own_lengths(uint32_t *least, uint32_t *most, const struct loom_traffic *traffic);
// True if processor v sends at all. One that would send to itself alone does not, unless such messages use the network
// (loom_topo_kind.self_uses_network). A load is the mean over all that send.
bool loom_traffic_sends(const struct loom_traffic *traffic, const struct loom_topo *topo, uint32_t v);
uint32_t loom_traffic_senders_count(const struct loom_traffic *traffic, const struct loom_topo *topo);

// The ways of traffic that a planner chose: one for each pair of nodes between which messages go.
struct loom_load_routes;
// Has options->planner, or options->tables, choose ways. The planner is handed one message for each pair, whose flits are in
// proportion to the flits that go between them, and every message of the pair goes by its way. map: physical node of each processor;
// options->map is not looked at. LOOM_EINPUT: the planner does not give each message a way of its own on a given map, in one pass
// (LOOM_TAKES_TRAFFIC of flitloom/planner.h; the line says which ones do), or whatever loom_plan_make refuses, such as ways on
// which messages can lock; traffic to all others on more than LOOM_TRAFFIC_PAIRS_NODES nodes; chosen ways on a fabric whose routers
// have no tables. LOOM_EFIT: their tables hold fewer labels.
int loom_load_routes_plan(struct loom_load_routes **out, const struct loom_traffic *traffic,
                          const struct loom_topo *topo, const uint32_t *map, const struct loom_plan_options *options,
                          struct loom_err *err);
void loom_load_routes_free(struct loom_load_routes *routes); // NULL allowed
// The plan behind them: of one pass, its processors are the nodes, and a message's flits say its share.
const struct loom_plan *loom_load_routes_plan_of(const struct loom_load_routes *routes);

struct loom_load_options;
// Computes the load at which a fabric is full. At this load, in flits per cycle and sending node, the busiest channel
// would carry a flit in every cycle; it is at most 1, because a node injects one flit a cycle. No fabric carries
// more. map: physical node of each processor. Of options, the ways (rule, routes) are looked at. For traffic to all
// others it is computed for at most LOOM_TRAFFIC_PAIRS_NODES nodes, because it looks at all pairs; on larger fabrics,
// and if routers choose, *out is not a number. LOOM_ENOMEM.
int loom_traffic_capacity(double *out, const struct loom_traffic *traffic, const struct loom_topo *topo,
                          const uint32_t *map, const struct loom_load_options *options, struct loom_err *err);
#define LOOM_TRAFFIC_PAIRS_NODES 1024

// The fate of a message of a run at a load.
struct loom_load_message {
	uint32_t source, destination; // processors
	uint32_t flits;
	uint64_t number;                // of its source's messages, from 0
	uint64_t release, header, tail; // the cycles, from 1, of its release and its arrival
	bool is_reply;
	uint64_t
		entered; // the cycle in which its header crossed the injection channel; 0: a chip does not tell (options->beside)
};

// The counts of a channel: messages and flits that it carried, cycles for which headers waited for it.
struct loom_load_count {
	uint64_t messages, flits, blocked;
};

// All messages of a run at a load, and all channels.
struct loom_load_log {
	size_t n_messages, size;
	struct loom_load_message *messages; // owned, with room for `size`; in any order
	uint32_t n_channels;
	struct loom_load_count *counts; // owned, by channel
};
void loom_load_log_free(struct loom_load_log *log); // NULL allowed; leaves *log zeroed
// Compares a log with the one expected, in every cycle and every count. Returns the number of differences, and
// describes the first one in `first`, of `size` bytes. Sorts the messages of both.
size_t loom_load_log_compare(char *first, size_t size, struct loom_load_log *is, struct loom_load_log *should,
                             const struct loom_topo *topo);

// The keys by which figures of a run are told apart. Messages: by source, destination (processors), both (source * n_nodes +
// destination), links of their way, flits, class (of their flow in a file, 0 of others), or latency. Channels: by window of cycles (window * n_channels + channel).
enum loom_load_key {
	LOOM_LOAD_BY_SOURCE,
	LOOM_LOAD_BY_DESTINATION,
	LOOM_LOAD_BY_FLOW,
	LOOM_LOAD_BY_DISTANCE,
	LOOM_LOAD_BY_LENGTH,
	LOOM_LOAD_BY_CLASS,
	LOOM_LOAD_BY_LATENCY,
	LOOM_LOAD_BY_CHANNEL,
};
// The name of a key.
const char *loom_load_key_name(unsigned key); // "source"; NULL after the last

// The figures of messages with the same key, or of a channel in a window of cycles.
struct loom_load_group {
	uint64_t key;
	uint64_t n_messages; // that were measured; of a channel, headers that crossed in the window
	// Delivered, as loom_load_point.accepted counts. Of a channel: of messages whose header crossed in the window; where links have
	// lanes or light, that crossed in it.
	uint64_t flits;
	uint64_t
		blocked; // of a channel: cycles for which headers waited for it; told when they cross, where there are no lanes
	uint64_t sum_latency, sum_at_source; // of n_messages
	double sum_means, sum_squares;       // of the mean latencies of the runs that had such messages
	uint32_t n_means;
	uint64_t finish;     // the cycle in which the last of its messages arrived; over several runs the sum of theirs
	uint64_t flits_late; // while a run is under way
	size_t first_latency, n; // its latencies, once they are sorted
};

// The latency of a message, and which group it is of.
struct loom_load_latency {
	uint32_t group, latency;
};

// Figures of one or several runs by a key. The caller sets key, and window_cycles for channels; all else is zero at first.
struct loom_load_groups {
	enum loom_load_key key;
	uint64_t window_cycles; // 1 or more; windows that a run did not complete are left out
	uint32_t n_runs;
	uint64_t cycles; // in which `flits` were delivered, over all runs
	size_t n, size;
	struct loom_load_group *group; // owned
	size_t n_latencies, latencies_size;
	struct loom_load_latency *latency; // owned: of each message that was measured; none by latency, or of channels
	size_t n_places;
	uint32_t *place; // owned: to find a group by its key
};
void loom_load_groups_free(struct loom_load_groups *groups); // NULL allowed; leaves *groups zeroed
// Adds the figures of other runs by the same key. LOOM_ENOMEM: *into is then of no more use.
int loom_load_groups_merge(struct loom_load_groups *into, const struct loom_load_groups *from, struct loom_err *err);
// Puts groups in ascending order of keys, and their latencies in order. Nothing is added after that.
void loom_load_groups_sort(struct loom_load_groups *groups);
// The least latency of a group that `percent` of its messages, at least, do not exceed; 0 if there are none. After sorting.
uint32_t loom_load_group_percentile(const struct loom_load_groups *groups, const struct loom_load_group *group,
                                    unsigned percent);

// The injection process: the times at which a node makes messages. Poisson: the times between two are exponential, and a message is released
// in the cycle in which its time falls, so several can be in one cycle. Bernoulli: in each cycle one or none, as a coin
// falls. Periodic: the times between two are all the same, and the first is at random. Burst: a node is on and off by turns, each for
// a number of cycles that a coin decides, tossed after each; while it is on, as Bernoulli, at the rate that the load then needs.
enum loom_injection { LOOM_INJECTION_POISSON, LOOM_INJECTION_BERNOULLI, LOOM_INJECTION_PERIODIC, LOOM_INJECTION_BURST };
// The name of an injection process.
const char *loom_injection_name(unsigned injection); // "poisson"; NULL after the last
#define LOOM_BURST_CYCLES_MOST 1000000u
// Reads a name; of burst with the mean numbers of cycles for which a node is on and off, "burst:20:80", else these are 0.
// LOOM_EINPUT.
int loom_injection_parse(enum loom_injection *out, uint32_t *on_cycles, uint32_t *off_cycles, const char *text,
                         struct loom_err *err);

// The waits of messages for one another. Zeroed: none, the loop is open.
//
// A node takes service_cycles to handle a message that has arrived. If its tail arrives in cycle T, the reply to a
// request is released in T + service_cycles, and from that cycle on a new request may take the place of a finished
// one. A request that finds no place waits, and is released when it gets one. Replies and requests of a node share
// one queue, in the order of their releases; in the same cycle the reply goes first.
struct loom_load_closed {
	uint32_t reply_flits;      // of the message with which each one, a request then, is answered; 0: none is
	enum loom_rule reply_rule; // by which replies go
	uint32_t
		window; // requests (messages, without replies) that a node may have under way, each until it is answered; 0: any number
	uint32_t service_cycles; // LOOM_SERVICE_LEAST .. LOOM_SERVICE_MOST
	// The most requests that a node may have taken in and not answered yet. Nodes take in whatever comes, so
	// there must never be more: loom_load_check refuses settings that could exceed it. 0: not checked.
	uint32_t reply_queue;
};
#define LOOM_SERVICE_USUAL 16u
#define LOOM_SERVICE_LEAST 11u // a chip tells of an arrival 7 cycles later, and is to be told of a release beforehand
#define LOOM_SERVICE_MOST 1000000u
// The usual rule of replies to what goes by `rule`: where lanes of a link are virtual networks, another one's; else the same.
enum loom_rule loom_load_reply_rule(const struct loom_topo *topo, enum loom_rule rule);

// A run at one load ([Jiang13], BookSim2's three phases). Messages released in cycles warmup + 1 .. warmup + measure are
// measured. Traffic goes on until all of them have arrived. Then nothing more is released, and the rest drains.
// Or a batch: each node that sends has so many messages, all there in cycle 1, and the run ends when they have arrived.
struct loom_load_options {
	double load; // flits per cycle and sending node: above 0, at most 1. Of a batch not looked at, as is what belongs to it
	uint64_t batch;                 // messages of each node; 0: no batch. At most LOOM_BATCH_MOST
	struct loom_load_closed closed; // load: of requests
	// The length of each message whose traffic does not say it, header included: `flits`, or, if given, one of `lengths`, drawn
	// for each.
	uint32_t flits;
	const struct loom_lengths *lengths; // NULL allowed
	enum loom_injection injection;
	uint32_t on_cycles, off_cycles; // of bursts, on average: 1 .. LOOM_BURST_CYCLES_MOST
	uint64_t seed;
	uint64_t warmup_cycles, measure_cycles;
	// The mean latency, waiting at the sources included, from which on the fabric counts as saturated. It is
	// tested from the end of the warm-up on, and ends the run. 0: LOOM_LOAD_LATENCY_TIMES times the mean latency
	// without contention; of traffic to all others, with more than LOOM_TRAFFIC_PAIRS_NODES nodes, that of the
	// messages made so far.
	double latency_limit;
	enum loom_rule rule; // by which messages go
	unsigned select; // the rule of preference of routers that choose (enum loom_select), with such a rule; else 0
	// Or the ways by which they go, made for this traffic, fabric and map; the rule is not looked at then. NULL: by the rule.
	const struct loom_load_routes *routes;
	enum loom_machine machine;
	// On a chip: the machine computes the run beside it, message by message, and tells what chips have no logs of: when
	// headers entered the network. Any message whose cycles differ is a mismatch. Elsewhere not looked at.
	bool beside;
	// Called after every few hundred cycles. When it returns true, the run ends with LOOM_ETIMEOUT. NULL allowed.
	bool (*watch)(void *user, uint64_t cycle, uint64_t of_about);
	void *user;
	// Called with every message that arrives, in any order; of closed traffic with every request that is over, whose header and
	// tail are then those of its reply. NULL allowed.
	void (*each)(void *user, const struct loom_load_message *message);
	void *each_user;
	// Filled with the figures of the run by its key. The caller sets the key, zeroes the rest, and frees it. On a
	// chip, figures of channels need `beside`. NULL allowed.
	struct loom_load_groups *groups;
	struct loom_load_log
		*log; // is zeroed before, and filled, also of a run that fails: the caller's to free. NULL allowed
};
#define LOOM_LOAD_LATENCY_TIMES 10
#define LOOM_BATCH_MOST 1000000000u
#define LOOM_LOAD_CYCLES_MOST 1000000000u // of warm-up and measurement together: logs have 32 bits for a cycle

// Latencies of one class of messages, from release to tail.
struct loom_load_part {
	uint64_t n; // messages
	double mean;
	uint64_t p50, p95, p99, most;
};

// The result of a batch. A node has finished when the last of its messages has arrived; with replies, when it has the last reply.
struct loom_load_finish {
	uint64_t cycle;   // in which the last node has
	uint32_t last;    // that processor
	uint64_t least;   // that of the node which is first
	double mean;      // over the nodes that send
	uint64_t n_flits; // of all messages, replies included
};

// The result of a run at one load. Latencies are in cycles, from release to the tail's arrival, both included: F + h +
// 1 for F flits over h hops that wait nowhere.
struct loom_load_point {
	double load; // as asked for
	// Flits per cycle and sending node, released and delivered in the cycles measured; if it is saturated, from half of the
	// warm-up until that was known.
	double offered, accepted;
	bool saturated;            // the figures below are of what was measured and arrived, if anything
	uint64_t n_measured;       // messages
	double mean, without_wait; // latency; and what it would be if nobody waited for anybody
	uint64_t least, p50, p95, p99, most;
	// For closed traffic all of the above is of requests, from when they were made until they are over: accepted flits are those of requests
	// that are over, latencies are round trips. These are the parts of the same; and their wait for a place, on average.
	struct loom_load_part request, reply;
	double wait_for_place;
	struct loom_load_finish finish; // of a batch
	// The two parts of the mean latency: cycles from the release until the header crosses the injection channel, and from that
	// cycle on until the tail has arrived. Not numbers: a chip does not tell.
	double at_source, in_network;
	// Fairness, from the flits of each sending node that were delivered, divided by its rate (counted as
	// `accepted`): the least of these divided by their mean; and Jain's index, the squared sum divided by the sum
	// of squares and the number of nodes [Jain84]. 1: all nodes fare alike. Not numbers: nothing was delivered.
	double worst_share, jain;
	uint64_t n_messages, n_cycles; // of the whole run
	// The check: every message once, at its node, in order, intact, not too early, and each channel's counts.
	size_t n_mismatches;
	char mismatch[200]; // the first
};

// Runs traffic at one load and measures it. map: physical node of each processor. The device's chip is one with stream
// ports, and of this topo. LOOM_EFIT: it has none, the messages are too long for it, or the run takes more cycles than its logs can
// tell. LOOM_EINPUT: messages could wait
// for one another for ever. LOOM_ESTUCK: they do. LOOM_EINPUT, too: no message was released in the cycles measured, so
// there is nothing to tell. On failure *out is untouched.
int loom_load_run(struct loom_load_point *out, struct loom_device *device, const struct loom_topo *topo,
                  const struct loom_traffic *traffic, const uint32_t *map, const struct loom_load_options *options,
                  struct loom_err *err);
// The same without a chip: has the machine compute the run (flitloom/machine.h). The point is that of a chip which works, so it has no
// mismatches. Networks of any size; no table of all pairs is kept. LOOM_EINPUT, LOOM_ESTUCK, as loom_load_run. LOOM_EFIT: the run
// takes more cycles than UINT32_MAX.
int loom_load_compute(struct loom_load_point *out, const struct loom_topo *topo, const struct loom_traffic *traffic,
                      const uint32_t *map, const struct loom_load_options *options, struct loom_err *err);
// The warm-up that the data ask for.
struct loom_load_warmup {
	uint64_t cycles;       // to leave out
	uint64_t pilot_cycles; // of each of the runs that say so
	bool steady;           // false: they show no steady state, or the fabric is saturated
};

// Finds the warm-up of runs at a load: LOOM_LOAD_PILOTS runs without one, on the machine, with seeds of their own (the
// complement of options->seed, and those below it), each of warmup_cycles + measure_cycles. MSER-5 on the mean latency of
// what was released in each small part of them finds the beginning that biases the mean of one run; twice as much is
// left out, because the means of many runs share that bias. If the cut is beyond half of a run, the runs are repeated
// twice as long, up to LOOM_LOAD_PILOT_TIMES as long; if it still is, or if one of them is saturated, out->steady is
// false and out->cycles is options->warmup_cycles. Errors as loom_load_compute.
int loom_load_find_warmup(struct loom_load_warmup *out, const struct loom_topo *topo,
                          const struct loom_traffic *traffic, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err);
#define LOOM_LOAD_PILOTS 20u
#define LOOM_LOAD_PILOT_TIMES 4u

// Nodes up to which loom_load_check asks whether messages from everybody to everybody could wait for one another for ever; in larger
// networks a run finds out.
#define LOOM_LOAD_CIRCLE_NODES 4096
// The highest load at which every node makes its messages: 1, or less where one would have to make more than one in a cycle, which
// only Poisson's can. options: load is not looked at.
double loom_load_most(const struct loom_traffic *traffic, const struct loom_load_options *options);
// Checks what both check before they run.
int loom_load_check(const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                    const struct loom_load_options *options, struct loom_err *err);

LOOM_API_END

#endif
