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

// Open-loop traffic: every node makes messages at random times, whatever happens to them, and the fabric carries as
// many as it can. A message is released in the cycle in which it is made. It waits in an unbounded queue in front of
// its node until the node sends it. Its latency counts from its release. Traffic may also be closed (struct
// loom_load_closed), or a batch.

// The method by which destinations are drawn.
enum loom_traffic_kind {
	LOOM_TRAFFIC_ONE,     // each processor sends to one destination of its own
	LOOM_TRAFFIC_UNIFORM, // to any other processor with the same probability
	LOOM_TRAFFIC_HOTSPOT, // to `hot` with probability `fraction`, else as uniform
	LOOM_TRAFFIC_FLOWS,   // flows from one processor to another, each with its share
	LOOM_TRAFFIC_SUM,     // a sum of other traffic, each at a part of the load
};

struct loom_flows;

#define LOOM_LENGTHS_MOST 64

// The lengths of messages, in flits, header included. Each has a probability; these add up to 1.
struct loom_lengths {
	uint32_t n; // 1 .. LOOM_LENGTHS_MOST
	uint32_t flits[LOOM_LENGTHS_MOST];
	double probability[LOOM_LENGTHS_MOST];
};
// Reads lengths and their probabilities: "1:0.6,5:0.4". The lengths of a range share a probability, "2-5:0.5,20:0.5";
// a range alone has probability 1, "2-8". LOOM_EINPUT: a length that is illegal or occurs twice, more than
// LOOM_LENGTHS_MOST lengths, or probabilities that do not add up to 1.
int loom_lengths_parse(struct loom_lengths *out, const char *text, struct loom_err *err);
double loom_lengths_mean(const struct loom_lengths *lengths);

// Traffic between processors.
struct loom_traffic {
	enum loom_traffic_kind kind;
	char name[128];
	uint32_t n_nodes;
	uint32_t *destination; // owned; for ONE, by processor; LOOM_TRAFFIC_SILENT: it sends nothing
	uint32_t hot;
	double fraction; // 0 to 1
	// The processors that take part in UNIFORM and HOTSPOT, ascending, if some nodes do not. NULL: all take part.
	uint32_t *among; // owned
	uint32_t n_among;
	struct loom_flows *flows;   // owned; for FLOWS
	size_t n_terms;             // for SUM
	struct loom_traffic *terms; // owned; none of them a SUM
	// owned, n_terms of them: the part of each term in the sum, scaled so that the sum's rates have mean 1
	double *weights;
};
#define LOOM_TRAFFIC_SILENT UINT32_MAX
#define LOOM_TRAFFIC_TERMS_MOST 16
#define LOOM_TRAFFIC_FLOWS_MOST 1048576
#define LOOM_TRAFFIC_CLASS_MOST 255u // the highest class of a flow

// Reads traffic: "uniform", "hotspot:NODE", "hotspot:NODE:FRACTION", "traffic:FILE", "matrix:FILE" (docs/load.md
// describes the files), a pattern in which no processor has more than one destination, or a sum of these,
// "0.7*uniform+0.3*transpose". LOOM_EINPUT names the processor that has more destinations, a message that does not
// have options->flits flits, or the faulty line of a file; also whatever loom_pattern_parse refuses. LOOM_EFILE:
// unreadable file.
int loom_traffic_parse(struct loom_traffic *out, const char *spec, const struct loom_topo *topo,
                       const struct loom_pattern_options *options, struct loom_err *err);
void loom_traffic_free(struct loom_traffic *traffic); // NULL allowed; leaves *traffic zeroed

// Returns the rate of processor v in flits per cycle at load 1; at load r it sends r times as much. The mean over all
// processors that send is 1; rates differ only in traffic from files and in sums. 0: it sends nothing.
double loom_traffic_rate(const struct loom_traffic *traffic, uint32_t v);
// Returns the load at which the sources send at the rates of their file. mean_flits: the mean length of messages, for
// a file without lengths. Not a number: there is no such load.
double loom_traffic_own_load(const struct loom_traffic *traffic, double mean_flits);
// Finds the shortest and the longest length of messages that the traffic's file gives; 0 and 0 if it gives none.
// Returns true if it gives all lengths, so that lengths in the options have no effect.
bool loom_traffic_own_lengths(uint32_t *least, uint32_t *most, const struct loom_traffic *traffic);
// True if processor v sends at all. A processor that would send only to itself does not, unless such messages use the
// network (loom_topo_kind.self_uses_network). A load is the mean over all processors that send.
bool loom_traffic_sends(const struct loom_traffic *traffic, const struct loom_topo *topo, uint32_t v);
uint32_t loom_traffic_senders_count(const struct loom_traffic *traffic, const struct loom_topo *topo);

// The routes of traffic that a planner chose: one for each pair of nodes between which messages go.
struct loom_load_routes;
// Chooses the routes of traffic by options->planner, or by options->tables. The planner gets one message for each
// pair of nodes. The flits of this message are in proportion to the flits between the two, and every message of the
// pair then takes its route. map: physical node of each processor; options->map is ignored. LOOM_EINPUT: the planner
// does not give each message a route of its own on a given map, in one pass (LOOM_TAKES_TRAFFIC of
// flitloom/planner.h; the line says which planners do); whatever loom_plan_make refuses, such as routes on which
// messages can lock; traffic to all others on more than LOOM_TRAFFIC_PAIRS_NODES nodes; chosen routes on a fabric
// whose routers have no tables. LOOM_EFIT: their tables hold fewer labels.
int loom_load_routes_plan(struct loom_load_routes **out, const struct loom_traffic *traffic,
                          const struct loom_topo *topo, const uint32_t *map, const struct loom_plan_options *options,
                          struct loom_err *err);
void loom_load_routes_free(struct loom_load_routes *routes); // NULL allowed
// Returns the plan behind the routes. It has one pass, its processors are the nodes, and the flits of a message are
// its share.
const struct loom_plan *loom_load_routes_plan_of(const struct loom_load_routes *routes);

struct loom_load_options;
// Computes the load at which a fabric is full. At this load, in flits per cycle and sending node, the busiest channel
// would carry a flit in every cycle; it is at most 1, because a node injects one flit a cycle. No fabric carries
// more. map: physical node of each processor. The function uses the routes in options (rule, routes). For traffic to
// all others it looks at all pairs, so it computes the load for at most LOOM_TRAFFIC_PAIRS_NODES nodes; on larger
// fabrics, and if routers choose, *out is not a number. LOOM_EINPUT: routes for other traffic, or beside replies.
// LOOM_ENOMEM.
int loom_traffic_capacity(double *out, const struct loom_traffic *traffic, const struct loom_topo *topo,
                          const uint32_t *map, const struct loom_load_options *options, struct loom_err *err);
#define LOOM_TRAFFIC_PAIRS_NODES 1024

// The fate of a message of a run at a load.
struct loom_load_message {
	uint32_t source, destination; // processors
	uint32_t flits;
	uint64_t number; // its number among the messages of its source, from 0
	// the cycles, from 1, of its release and of the arrival of its header and tail
	uint64_t release, header, tail;
	bool is_reply;
	// the cycle in which its header crossed the injection channel; 0: unknown, on a chip (options->beside)
	uint64_t entered;
};

// The counts of a channel: messages and flits that it carried, and cycles in which headers waited for it.
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

// The keys by which figures of a run are grouped. For messages: source, destination (processors), both (source *
// n_nodes + destination), links of their route, flits, class (of their flow in a file, else 0), or latency. For
// channels: window of cycles (window * n_channels + channel).
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
	uint64_t n_messages; // messages that were measured; for a channel: headers that crossed in the window
	// Flits delivered, as loom_load_point.accepted counts them. For a channel: those of the messages whose
	// headers crossed in the window; if links have lanes or light, flits that crossed in it.
	uint64_t flits;
	// for a channel: cycles in which headers waited for it. Without lanes, they count when the header crosses
	uint64_t blocked;
	uint64_t sum_latency, sum_at_source; // of n_messages
	double sum_means, sum_squares;       // over the mean latencies of the runs that had such messages
	uint32_t n_means;
	// the cycle in which the last of its messages arrived; over several runs the sum of these cycles
	uint64_t finish;
	uint64_t flits_late;     // used only during a run
	size_t first_latency, n; // its latencies in loom_load_groups.latency, once sorted
};

// The latency of a message, and its group.
struct loom_load_latency {
	uint32_t group, latency;
};

// Figures of one or several runs by a key. The caller sets key, and window_cycles for channels; all else is zero at
// first.
struct loom_load_groups {
	enum loom_load_key key;
	uint64_t window_cycles; // 1 or more; windows that a run did not complete are left out
	uint32_t n_runs;
	uint64_t cycles; // the cycles over which `flits` counts, of all runs
	size_t n, size;
	struct loom_load_group *group; // owned
	size_t n_latencies, latencies_size;
	// owned: of each message that was measured; none for keys latency and channel
	struct loom_load_latency *latency;
	size_t n_places;
	uint32_t *place; // owned: an index of groups by key
};
void loom_load_groups_free(struct loom_load_groups *groups); // NULL allowed; leaves *groups zeroed
// Adds the figures of other runs by the same key. After LOOM_ENOMEM, *into can only be freed.
int loom_load_groups_merge(struct loom_load_groups *into, const struct loom_load_groups *from, struct loom_err *err);
// Sorts the groups by key, and the latencies of each. Nothing may be added after that.
void loom_load_groups_sort(struct loom_load_groups *groups);
// Returns the least latency that at least `percent` percent of a group's messages do not exceed; 0 if it has none.
// Call it after sorting.
uint32_t loom_load_group_percentile(const struct loom_load_groups *groups, const struct loom_load_group *group,
                                    unsigned percent);

// The injection process: the times at which a node makes messages. Poisson: the times between two messages are
// exponential, and a message is released in the cycle in which its time falls, so that one cycle can have several.
// Bernoulli: each cycle has one message or none, by the toss of a coin. Periodic: the times between two messages are
// all the same, and the first is at random. Burst: a node is on and off in turns; a coin, tossed after each cycle,
// decides how long. While the node is on, it makes messages as by Bernoulli, at the rate that the load then needs.
enum loom_injection { LOOM_INJECTION_POISSON, LOOM_INJECTION_BERNOULLI, LOOM_INJECTION_PERIODIC, LOOM_INJECTION_BURST };
// The name of an injection process.
const char *loom_injection_name(unsigned injection); // "poisson"; NULL after the last
#define LOOM_BURST_CYCLES_MOST 1000000u
// Reads a name. For burst the mean numbers of cycles for which a node is on and off follow, "burst:20:80"; for the
// others these are 0. LOOM_EINPUT.
int loom_injection_parse(enum loom_injection *out, uint32_t *on_cycles, uint32_t *off_cycles, const char *text,
                         struct loom_err *err);

// Closed traffic: messages that wait for one another. Zeroed: traffic is open.
//
// A node takes service_cycles to handle a message that has arrived. If its tail arrives in cycle T, the reply to a
// request is released in T + service_cycles, and from that cycle on a new request may take the place of a finished
// one. A request that finds no place waits, and is released when it gets one. Replies and requests of a node share
// one queue, in the order of their releases; in the same cycle the reply goes first.
struct loom_load_closed {
	uint32_t reply_flits;      // flits of the reply to each message, which is then a request; 0: no replies
	enum loom_rule reply_rule; // the rule of replies
	// The most requests (without replies: messages) of a node that may be under way. A request is under way until
	// it is answered. 0: any number.
	uint32_t window;
	uint32_t service_cycles; // LOOM_SERVICE_LEAST .. LOOM_SERVICE_MOST
	// The most requests that a node may have received and not yet answered. Nodes accept whatever comes, so there
	// must never be more: loom_load_check refuses settings that could exceed it. 0: not checked.
	uint32_t reply_queue;
};
#define LOOM_SERVICE_USUAL 16u
#define LOOM_SERVICE_LEAST 11u // a chip reports an arrival 7 cycles later, and must know of a release beforehand
#define LOOM_SERVICE_MOST 1000000u
// Returns the usual rule of replies to messages that go by `rule`: another virtual network's if lanes of a link are
// virtual networks; else, and if routers choose or nodes are drawn, the same.
enum loom_rule loom_load_reply_rule(const struct loom_topo *topo, enum loom_rule rule);

// A run at one load ([Jiang13], BookSim2's three phases). Messages released in cycles warmup + 1 .. warmup + measure
// are measured. Traffic goes on until all of them have arrived. Then nothing more is released, and the remaining
// messages drain. Or a batch: each node that sends has `batch` messages, all released in cycle 1, and the run ends
// when they have arrived.
struct loom_load_options {
	// Flits per cycle and sending node: above 0, at most 1. A batch ignores it, and the members that belong to
	// it.
	double load;
	uint64_t batch;                 // messages of each node, at most LOOM_BATCH_MOST; 0: no batch
	struct loom_load_closed closed; // `load` is then that of requests
	// The length of each message, header included, unless the traffic gives it: `flits` or, if `lengths` is
	// given, one of these, drawn for each message.
	uint32_t flits;
	const struct loom_lengths *lengths; // NULL allowed
	enum loom_injection injection;
	uint32_t on_cycles, off_cycles; // mean lengths of bursts and pauses: 1 .. LOOM_BURST_CYCLES_MOST
	uint64_t seed;
	uint64_t warmup_cycles, measure_cycles;
	// The mean latency, with waiting at the sources, from which on the fabric counts as saturated. It is tested
	// from the end of the warm-up on, and ends the run. 0: LOOM_LOAD_LATENCY_TIMES times the mean latency without
	// contention. For traffic to all others on more than LOOM_TRAFFIC_PAIRS_NODES nodes, the latter is that of
	// the messages made so far.
	double latency_limit;
	enum loom_rule rule; // the rule of messages
	// the rule of preference of routers that choose (enum loom_select), if `rule` lets them; else 0
	unsigned select;
	// Routes of the messages, made for this traffic, fabric and map; the rule is then ignored. NULL: messages go
	// by the rule.
	const struct loom_load_routes *routes;
	enum loom_machine machine;
	// On a chip: the machine computes the same run, message by message, and adds what a chip does not log: when
	// headers entered the network. Any message whose cycles differ is a mismatch. Without a chip it has no
	// effect.
	bool beside;
	// Called after every few hundred cycles. When it returns true, the run ends with LOOM_ETIMEOUT. NULL allowed.
	bool (*watch)(void *user, uint64_t cycle, uint64_t of_about);
	void *user;
	// Called with every message that arrives, in any order; for closed traffic with every request that is
	// answered, whose header and tail are then those of its reply. NULL allowed.
	void (*each)(void *user, const struct loom_load_message *message);
	void *each_user;
	// Filled in with the figures of the run by its key. The caller sets the key, zeroes the rest, and frees it.
	// On a chip, figures of channels need `beside`. NULL allowed.
	struct loom_load_groups *groups;
	// zeroed and then filled in, also if the run fails. The caller frees it. NULL allowed
	struct loom_load_log *log;
};
#define LOOM_LOAD_LATENCY_TIMES 10
#define LOOM_BATCH_MOST 1000000000u
#define LOOM_LOAD_CYCLES_MOST 1000000000u // cycles of warm-up and measurement together: logs have 32 bits for a cycle

// Latencies of one class of messages, from release to tail.
struct loom_load_part {
	uint64_t n; // messages
	double mean;
	uint64_t p50, p95, p99, most;
};

// The result of a batch. A node has finished when the last of its messages has arrived or, with replies, when it has
// the last reply.
struct loom_load_finish {
	uint64_t cycle;   // the cycle in which the last node finished
	uint32_t last;    // the processor of that node
	uint64_t least;   // the cycle in which the first node finished
	double mean;      // the mean of these cycles over the nodes that send
	uint64_t n_flits; // of all messages, replies included
};

// The result of a run at one load. Latencies are in cycles, from release to the tail's arrival, both included: F + h
// + 1 for F flits over h hops, if the message never waits.
struct loom_load_point {
	double load; // as requested
	// Flits per cycle and sending node, released and delivered in the measured cycles. If the fabric is
	// saturated, they are counted from half of the warm-up until that was detected.
	double offered, accepted;
	bool saturated;            // the figures below then hold for measured messages that arrived, if there are any
	uint64_t n_measured;       // messages
	double mean, without_wait; // the mean latency; and that without any contention
	uint64_t least, p50, p95, p99, most;
	// For closed traffic, all of the above counts requests, from when they were made until they are answered:
	// accepted flits are those of answered requests, latencies are round trips. These are the two parts of the
	// round trips, and the mean wait of requests for a place.
	struct loom_load_part request, reply;
	double wait_for_place;
	struct loom_load_finish finish; // for a batch
	// The two parts of the mean latency: cycles from the release until the header crosses the injection channel,
	// and from that cycle on until the tail has arrived. Not numbers if a chip does not report them.
	double at_source, in_network;
	// Fairness, from the flits of each sending node that were delivered, divided by the node's rate (counted as
	// `accepted`): the least of these divided by their mean; and Jain's index, the squared sum divided by the sum
	// of squares and the number of nodes [Jain84]. 1: all nodes have the same. Not numbers if nothing was delivered.
	double worst_share, jain;
	uint64_t n_messages, n_cycles; // messages and cycles of the whole run
	// Mismatches found by the check: every message arrives once, at its node, in order, intact and not too early,
	// and the counts of each channel are right.
	size_t n_mismatches;
	char mismatch[200]; // the first
};

// Runs traffic at one load and measures it. map: physical node of each processor. The device's chip must have stream
// ports, and be of this topo. LOOM_EFIT: it has no stream ports, the messages are too long for it, or the run takes
// more cycles than its logs can count. LOOM_EINPUT: messages could wait for one another for ever; or no message was
// released in the measured cycles, so there is no figure. LOOM_ESTUCK: messages do wait for one another for ever. On
// failure *out is untouched.
int loom_load_run(struct loom_load_point *out, struct loom_device *device, const struct loom_topo *topo,
                  const struct loom_traffic *traffic, const uint32_t *map, const struct loom_load_options *options,
                  struct loom_err *err);
// Computes the same run without a chip, by the machine (flitloom/machine.h). The point is that of a chip which works,
// so it has no mismatches. Networks may have any size; the function keeps no table of all pairs. LOOM_EINPUT,
// LOOM_ESTUCK, as loom_load_run. LOOM_EFIT: the run takes more cycles than UINT32_MAX.
int loom_load_compute(struct loom_load_point *out, const struct loom_topo *topo, const struct loom_traffic *traffic,
                      const uint32_t *map, const struct loom_load_options *options, struct loom_err *err);
// The warm-up that follows from the data.
struct loom_load_warmup {
	uint64_t cycles;       // cycles to leave out
	uint64_t pilot_cycles; // cycles of each of the runs behind this
	bool steady;           // false: these runs show no steady state, or the fabric is saturated
};

// Finds the warm-up of runs at a load. The machine computes LOOM_LOAD_PILOTS runs without a warm-up, with seeds of
// their own (the complement of options->seed, and those below it), each of warmup_cycles + measure_cycles. MSER-5 on
// the mean latency of the messages released in each small part of the runs finds the beginning that biases the mean
// of one run. The warm-up is twice as long, because the means of many runs share that bias. If the cut is beyond half
// of a run, the runs are repeated twice as long, up to LOOM_LOAD_PILOT_TIMES as long. If it then still is, or if one
// of the runs is saturated, out->steady is false and out->cycles is options->warmup_cycles. Errors as
// loom_load_compute.
int loom_load_find_warmup(struct loom_load_warmup *out, const struct loom_topo *topo,
                          const struct loom_traffic *traffic, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err);
#define LOOM_LOAD_PILOTS 20u
#define LOOM_LOAD_PILOT_TIMES 4u

// In networks of up to this number of nodes, loom_load_check tests whether messages from all nodes to all nodes could
// wait for one another for ever. In larger networks only a run shows it.
#define LOOM_LOAD_CIRCLE_NODES 4096
// Returns the highest load at which every node can make its messages: 1, or less if a node would have to make more
// than one in a cycle, which only Poisson allows. Of options, the load is ignored.
double loom_load_most(const struct loom_traffic *traffic, const struct loom_load_options *options);
// Checks what loom_load_run and loom_load_compute check before they run.
int loom_load_check(const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                    const struct loom_load_options *options, struct loom_err *err);

LOOM_API_END

#endif
