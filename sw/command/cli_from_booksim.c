// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom from-booksim: translates a configuration of BookSim2 into a command of flitloom. Each setting that cannot
// be translated becomes a comment, so the output is a shell script. docs/coming-from.md says how the two differ.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/topo.h>
#include <flitloom/traffic.h>

#include "base/text.h"
#include "booksim_file.h"
#include "booksim_names.h"
#include "booksim_rule.h"
#include "cli.h"

// --- Settings of BookSim2 --------------------------------------------------------------------------------------------

// Patterns under another name, or the same one.
static const struct {
	const char *booksim, *flitloom, *note;
} patterns[] = {{"uniform", "uniform", "BookSim2's nodes send to themselves as well; here to all others"},
                {"bitcomp", "complement", NULL},
                {"bitrev", "bit-reverse", NULL},
                {"shuffle", "shuffle", NULL},
                {"transpose", "transpose", NULL},
                {"tornado", "tornado", NULL},
                {"neighbor", "neighbor", NULL},
                {"randperm", "random-perm", "another permutation, by --seed"}};
enum { N_PATTERNS = sizeof patterns / sizeof patterns[0] };

// --- The command ----------------------------------------------------------------------------------------------------

struct translation {
	const char *path;
	struct booksim_file file;
	char fabric[64], pattern[64];
	const char *pattern_note;
	struct loom_topo topo;
	uint32_t flits;
	double load;
	uint64_t reply_flits; // 0: there are no requests and replies
	uint64_t read_flits, write_flits;
	double writes; // the part of the requests that are
	uint64_t window;
	uint64_t warmup, measure, seed, n_seeds;
	uint64_t buffers, link_delay;
	uint64_t batch; // messages of each node; 0: a load
	char arrivals[64];
};

// Returns the value of a setting that this file knows: as given, or BookSim2's default.
static const char *value_of(const struct translation *t, const char *name)
{
	const struct booksim_setting *given = booksim_file_find(&t->file, name);
	if (given)
		return given->value;
	return booksim_default(name);
}

// Fails with LOOM_EINPUT; the file, the line and the setting come before the text.
static int fail_setting(const struct translation *t, const char *name, const char *why, struct loom_err *err)
{
	const struct booksim_setting *given = booksim_file_find(&t->file, name);
	char where[96], shown[64];
	loom_text_show(shown, sizeof shown, value_of(t, name));
	if (given && given->line)
		return loom_fail(err, LOOM_EINPUT, "from-booksim: %s, line %zu: %s = %s: %s",
		                 loom_text_where(where, sizeof where, t->path), given->line, name, shown, why);
	return loom_fail(err, LOOM_EINPUT, "from-booksim: %s = %s%s: %s", name, shown,
	                 given ? "" : " (BookSim2's default)", why);
}

static int whole(uint64_t *out, const struct translation *t, const char *name, uint64_t least, uint64_t most,
                 struct loom_err *err)
{
	const char *value = value_of(t, name);
	char why[96];
	if (loom_text_number(out, value, strlen(value)) && *out >= least && *out <= most)
		return 0;
	(void)snprintf(why, sizeof why, "a number from %" PRIu64 " to %" PRIu64 " can be taken over", least, most);
	return fail_setting(t, name, why, err);
}

static int number(double *out, const struct translation *t, const char *name, struct loom_err *err)
{
	const char *value = value_of(t, name);
	char *end;
	*out = strtod(value, &end);
	return end != value && *end == '\0' && isfinite(*out) && *out >= 0
	               ? 0
	               : fail_setting(t, name, "one number, 0 or more, can be taken over", err);
}

static bool is_number(const char *text, double *out)
{
	char *end;
	*out = strtod(text, &end);
	return end != text && *end == '\0';
}

// True if both are the same word, or the same number.
static bool same(const char *a, const char *b)
{
	double x, y;
	return strcmp(a, b) == 0 || (is_number(a, &x) && is_number(b, &y) && x == y);
}

// --- Translation ---------------------------------------------------------------------------------------------------

// Names a mesh or a torus. False: it has too many dimensions.
static bool name_grid(struct translation *t, const char *kind, uint64_t k, uint64_t n)
{
	size_t used = (size_t)snprintf(t->fabric, sizeof t->fabric, "%s:", kind);
	for (uint64_t d = 0; d < n && used < sizeof t->fabric; d++)
		used += (size_t)snprintf(t->fabric + used, sizeof t->fabric - used, "%s%" PRIu64, d ? "x" : "", k);
	return used + strlen("v8") < sizeof t->fabric;
}

// Names the lanes of each link: as many as there are virtual channels, up to the most that a link can have.
static int name_lanes(struct translation *t, uint64_t least, struct loom_err *err)
{
	uint64_t n = 0;
	int rc = whole(&n, t, "num_vcs", 1, UINT32_MAX, err);
	n = n < least ? least : n > LOOM_LANES_MAX ? LOOM_LANES_MAX : n;
	if (rc == 0 && n > 1)
		(void)snprintf(t->fabric + strlen(t->fabric), sizeof t->fabric - strlen(t->fabric), "v%" PRIu64, n);
	return rc;
}

static int find_fabric(struct translation *t, struct loom_err *err)
{
	const char *topology = value_of(t, "topology");
	const bool is_mesh = strcmp(topology, "mesh") == 0, is_torus = strcmp(topology, "torus") == 0;
	uint64_t k = 0, n = 0;
	if (!is_mesh && !is_torus && strcmp(topology, "fly") != 0)
		return fail_setting(t, "topology",
		                    "mesh, torus and fly can be taken over; a graph of your own is graph:FILE "
		                    "(docs/graphs.md)",
		                    err);
	int rc = whole(&k, t, "k", 2, UINT32_MAX, err);
	if (rc == 0)
		rc = whole(&n, t, "n", 1, 20, err);
	if (rc != 0)
		return rc;
	if (is_torus && k == 2)
		return fail_setting(t, "k", "a torus of extent 2 has two links between its nodes there, one here", err);
	if (!is_mesh && !is_torus && k != 2)
		return fail_setting(t, "k", "switches of multistage networks are 2x2 here", err);
	bool fits = true;
	if (is_torus)
		fits = name_grid(t, n == 1 ? "ring" : "torus", k, n);
	else if (is_mesh && k > 2)
		fits = name_grid(t, n == 1 ? "line" : "mesh", k, n);
	else if (is_mesh)
		(void)snprintf(t->fabric, sizeof t->fabric, "cube:%" PRIu64, n);
	else
		(void)snprintf(t->fabric, sizeof t->fabric, "omega:%" PRIu64, UINT64_C(1) << n);
	if (!fits)
		return fail_setting(t, "n", "too many dimensions", err);
	if ((is_mesh || is_torus) &&
	    (rc = name_lanes(t, is_torus ? 2 : 1, err)) != 0) // two close a ring without locking
		return rc;
	return loom_topo_parse(&t->topo, t->fabric, err);
}

// "hotspot(5)", or "hotspot({5})": all to one node.
static bool read_hotspot(char out[64], const char *traffic)
{
	uint64_t node = 0;
	int end = 0;
	if (sscanf(traffic, "hotspot(%" SCNu64 ")%n", &node, &end) != 1 || end == 0)
		end = 0;
	if (end == 0 && (sscanf(traffic, "hotspot({%" SCNu64 "})%n", &node, &end) != 1 || end == 0))
		return false;
	(void)snprintf(out, 64, "hotspot:%" PRIu64 ":1", node);
	return traffic[end] == '\0';
}

// Translates patterns that mean different things on different networks. LOOM_EINPUT: there is no such pattern here.
static int adapt_pattern(struct translation *t, struct loom_err *err)
{
	const bool is_binary = same(value_of(t, "k"), "2");
	const uint64_t n_bits = t->topo.label_bits;
	if (strcmp(t->pattern, "neighbor") == 0 && is_binary)
		(void)snprintf(t->pattern, sizeof t->pattern, "complement"); // plus one modulo 2, in every dimension
	if (strcmp(t->pattern, "tornado") == 0 && is_binary)
		return fail_setting(t, "traffic", "with k = 2 every node sends to itself", err);
	if (strcmp(t->pattern, "transpose") == 0 && (is_binary ? n_bits % 2 != 0 : !same(value_of(t, "n"), "2")))
		return fail_setting(t, "traffic",
		                    "on such a network the halves of the address do not change places here", err);
	return 0;
}

static int find_pattern(struct translation *t, struct loom_err *err)
{
	const char *traffic = value_of(t, "traffic");
	bool is_known = read_hotspot(t->pattern, traffic);
	for (size_t i = 0; i < N_PATTERNS; i++) {
		if (strcmp(traffic, patterns[i].booksim) != 0)
			continue;
		(void)snprintf(t->pattern, sizeof t->pattern, "%s", patterns[i].flitloom);
		t->pattern_note = patterns[i].note;
		is_known = true;
	}
	if (!is_known)
		return fail_setting(t, "traffic",
		                    "uniform, bitcomp, bitrev, shuffle, transpose, tornado, neighbor, randperm and "
		                    "hotspot(NODE) can be taken over",
		                    err);
	uint32_t extent[LOOM_DIMS_MAX];
	const struct loom_pattern_options options = {
		.flits = t->flits, .seed = t->seed, .n_dims = loom_topo_shape(extent, &t->topo), .extent = extent};
	struct loom_traffic read = {0};
	int rc = adapt_pattern(t, err);
	if (rc == 0)
		rc = loom_traffic_parse(&read, t->pattern, &t->topo, &options, err);
	loom_traffic_free(&read);
	return rc;
}

// Returns the mean number of cycles in a state that a node leaves with a probability in each cycle.
static int mean_cycles(uint32_t *out, const struct translation *t, const char *name, struct loom_err *err)
{
	double p = 0;
	int rc = number(&p, t, name, err);
	if (rc != 0)
		return rc;
	const double mean = p > 0 && p <= 1 ? 1 / p : 0, whole_mean = round(mean);
	if (whole_mean < 1 || whole_mean > LOOM_BURST_CYCLES_MOST || fabs(mean - whole_mean) > 1e-6 * mean)
		return fail_setting(
			t, name, "of probabilities 1, 0.5, 1/3, ... can be taken over: one in a whole number of cycles",
			err);
	*out = (uint32_t)whole_mean;
	return 0;
}

static int find_arrivals(struct translation *t, struct loom_err *err)
{
	const char *process = value_of(t, "injection_process");
	uint32_t on = 0, off = 0;
	(void)snprintf(t->arrivals, sizeof t->arrivals, "bernoulli");
	if (strcmp(process, "bernoulli") == 0)
		return 0;
	if (strcmp(process, "on_off") != 0)
		return fail_setting(t, "injection_process", "bernoulli and on_off can be taken over", err);
	if (value_of(t, "burst_r1")[0] != '-')
		return fail_setting(t, "burst_r1", "the rate of bursts follows from burst_alpha and burst_beta here",
		                    err);
	int rc = mean_cycles(&on, t, "burst_beta", err);
	if (rc == 0)
		rc = mean_cycles(&off, t, "burst_alpha", err);
	if (rc == 0)
		(void)snprintf(t->arrivals, sizeof t->arrivals, "burst:%" PRIu32 ":%" PRIu32, on, off);
	return rc;
}

// Reads and writes: requests of two lengths, and replies of one.
static int find_requests(struct translation *t, struct loom_err *err)
{
	uint64_t replies[2] = {0};
	if (same(value_of(t, "use_read_write"), "0"))
		return 0;
	if (strcmp(value_of(t, "sim_type"), "batch") == 0)
		return fail_setting(t, "use_read_write", "a batch counts requests here, there replies as well", err);
	int rc = number(&t->writes, t, "write_fraction", err);
	if (rc == 0)
		rc = whole(&t->read_flits, t, "read_request_size", 1, LOOM_FLITS_MOST, err);
	if (rc == 0)
		rc = whole(&t->write_flits, t, "write_request_size", 1, LOOM_FLITS_MOST, err);
	if (rc == 0)
		rc = whole(&replies[0], t, "read_reply_size", 1, LOOM_FLITS_MOST, err);
	if (rc == 0)
		rc = whole(&replies[1], t, "write_reply_size", 1, LOOM_FLITS_MOST, err);
	if (rc == 0 && t->writes > 1)
		rc = fail_setting(t, "write_fraction", "a part of all requests, 0 to 1", err);
	const bool reads_only = t->writes <= 0, writes_only = t->writes >= 1;
	if (rc == 0 && replies[0] != replies[1] && !reads_only && !writes_only)
		rc = fail_setting(t, "write_reply_size", "replies to all requests have one length here", err);
	if (rc == 0)
		t->reply_flits = replies[writes_only];
	return rc;
}

static int find_load(struct translation *t, struct loom_err *err)
{
	double rate = 0, uses_flits = 0;
	uint64_t flits = 0;
	int rc = number(&rate, t, "injection_rate", err);
	if (rc == 0)
		rc = number(&uses_flits, t, "injection_rate_uses_flits", err);
	if (rc == 0)
		rc = whole(&flits, t, "packet_size", 1, LOOM_FLITS_MOST, err);
	if (rc == 0)
		rc = find_requests(t, err);
	if (rc != 0)
		return rc;
	t->flits = (uint32_t)flits;
	double mean = (double)flits, counted = mean; // flits of a packet; what BookSim2 takes for them
	if (t->reply_flits) {
		mean = t->writes * (double)t->write_flits + (1 - t->writes) * (double)t->read_flits;
		counted = (double)((t->read_flits + t->write_flits + 2 * t->reply_flits) / 2);
	}
	t->load = rate * mean / (uses_flits != 0 ? counted : 1);
	if (t->load < 1e-9 || t->load > 1)
		return fail_setting(t, "injection_rate",
		                    "a node sends more than 0 and at most 1 flit a cycle; the rate is in packets of "
		                    "packet_size flits unless injection_rate_uses_flits is 1",
		                    err);
	return find_arrivals(t, err);
}

static int find_batch(struct translation *t, struct loom_err *err)
{
	if (!same(value_of(t, "batch_count"), "1"))
		return fail_setting(t, "batch_count", "there is one batch of each node", err);
	int rc = whole(&t->window, t, "max_outstanding_requests", 0, CLI_WINDOW_MOST, err);
	return rc == 0 ? whole(&t->batch, t, "batch_size", 1, LOOM_BATCH_MOST, err) : rc;
}

static int find_seeds(struct translation *t, struct loom_err *err)
{
	int rc = whole(&t->n_seeds, t, "sim_count", 1, 10000, err);
	if (rc != 0)
		return rc;
	return strcmp(value_of(t, "seed"), "time") == 0 ? 0 : whole(&t->seed, t, "seed", 0, UINT32_MAX, err);
}

// Buffers, and links of a torus, which are a cycle longer there.
static int find_routers(struct translation *t, struct loom_err *err)
{
	t->link_delay = strcmp(value_of(t, "topology"), "torus") == 0 && !same(value_of(t, "use_noc_latency"), "0");
	return whole(&t->buffers, t, "vc_buf_size", LOOM_BUFFERS_USUAL, LOOM_BUFFERS_MAX, err);
}

static int find_phases(struct translation *t, struct loom_err *err)
{
	const char *type = value_of(t, "sim_type");
	uint64_t period = 0, before = 0, samples = 0;
	if (strcmp(type, "batch") == 0)
		return find_batch(t, err);
	if (strcmp(type, "latency") != 0 && strcmp(type, "throughput") != 0)
		return fail_setting(t, "sim_type", "latency, throughput and batch can be taken over", err);
	int rc = whole(&period, t, "sample_period", 1, LOOM_LOAD_CYCLES_MOST, err);
	if (rc == 0)
		rc = whole(&before, t, "warmup_periods", 0, LOOM_LOAD_CYCLES_MOST, err);
	if (rc == 0)
		rc = whole(&samples, t, "max_samples", 1, LOOM_LOAD_CYCLES_MOST, err);
	if (rc != 0)
		return rc;
	if (samples <= before) // these count as samples there
		return fail_setting(t, "max_samples", "more than warmup_periods, which are the first of them", err);
	t->warmup = before * period;
	t->measure = (samples - before) * period;
	if (t->warmup + t->measure > LOOM_LOAD_CYCLES_MOST)
		return fail_setting(t, "sample_period",
		                    "with warmup_periods and max_samples, 1000000000 cycles at most", err);
	return 0;
}

static int translate(struct translation *t, struct loom_err *err)
{
	const struct booksim_name *wanted;
	for (size_t i = 0; (wanted = booksim_wanted_at(i)); i++) {
		const struct booksim_setting *given = booksim_file_find(&t->file, wanted->name);
		if (given && !same(given->value, wanted->value))
			return fail_setting(t, wanted->name, wanted->why, err);
	}
	int rc = find_fabric(t, err);
	if (rc == 0)
		rc = find_load(t, err);
	if (rc == 0)
		rc = find_phases(t, err);
	if (rc == 0)
		rc = find_seeds(t, err);
	if (rc == 0)
		rc = find_routers(t, err);
	return rc != 0 ? rc : find_pattern(t, err);
}

// --- The comments ---------------------------------------------------------------------------------------------------

static void put_comment(const struct booksim_setting *given, const char *name, const char *value, const char *what)
{
	char shown_name[64], shown_value[128];
	loom_text_show(shown_name, sizeof shown_name, name);
	loom_text_show(shown_value, sizeof shown_value, value);
	(void)printf("# %s = %s%s: %s\n", shown_name, shown_value, given ? "" : " (BookSim2's default)", what);
}

static void put_comments(const struct translation *t, const struct booksim_rule *rule)
{
	const struct booksim_setting *routing = booksim_file_find(&t->file, "routing_function");
	const char *seed = value_of(t, "seed");
	if (t->pattern_note)
		put_comment(booksim_file_find(&t->file, "traffic"), "traffic", value_of(t, "traffic"), t->pattern_note);
	if (strcmp(t->topo.kind->name, "omega") == 0)
		(void)printf("# topology = fly: not wired as an omega network; which messages meet can differ\n");
	if (rule->note[0])
		put_comment(routing, "routing_function", routing->value, rule->note);
	if (strcmp(seed, "time") == 0)
		put_comment(booksim_file_find(&t->file, "seed"), "seed", seed,
		            "not taken over: --seed 0 gives the same run again");
	if (!t->batch)
		(void)printf("# max_samples = %s: BookSim2 may stop sooner; here all but the warm-up are measured\n",
		             value_of(t, "max_samples"));
	if (t->window || t->reply_flits)
		(void)printf("# requests: here a node sees to what has arrived %u cycles later, there at once\n",
		             LOOM_SERVICE_LEAST);
	if (t->reply_flits)
		(void)puts("# use_read_write: reads and writes are requests, answered in the same way; there each "
		           "class has lanes");
	const struct booksim_name *left;
	for (size_t i = 0; (left = booksim_left_at(i)); i++) {
		const struct booksim_setting *given = booksim_file_find(&t->file, left->name);
		const char *value = given ? given->value : left->value;
		if (!left->same || !same(value, left->same))
			put_comment(given, left->name, value, left->why);
	}
	for (size_t i = 0; i < t->file.n; i++) {
		const struct booksim_setting *s = &t->file.setting[i];
		if (!booksim_is_known(s->name))
			put_comment(s, s->name, s->value,
			            booksim_is_beside(s->name) ? "says what BookSim2 writes, or when it stops"
			                                       : "not known here: not taken over");
	}
}

// The lengths of messages as --flits takes them.
static void flits_text(char out[96], const struct translation *t)
{
	const bool two = t->reply_flits && t->read_flits != t->write_flits && t->writes > 0 && t->writes < 1;
	const uint64_t one = !t->reply_flits ? t->flits : t->writes >= 1 ? t->write_flits : t->read_flits;
	if (two)
		(void)snprintf(out, 96, "%" PRIu64 ":%.9g,%" PRIu64 ":%.9g", t->read_flits, 1 - t->writes,
		               t->write_flits, t->writes);
	else
		(void)snprintf(out, 96, "%" PRIu64, one);
}

static void put_command(const struct translation *t, const char *rule)
{
	(void)printf("flitloom sweep %s %s", t->fabric, t->pattern);
	char flits[96];
	flits_text(flits, t);
	if (t->batch)
		(void)printf(" --batch %" PRIu64 " --flits %s", t->batch, flits);
	else
		(void)printf(" --load %.9g --flits %s --arrivals %s --warmup %" PRIu64 " --measure %" PRIu64, t->load,
		             flits, t->arrivals, t->warmup, t->measure);
	if (t->reply_flits)
		(void)printf(" --requests any,reply=%" PRIu64 ",service=%u", t->reply_flits, LOOM_SERVICE_LEAST);
	else if (t->window)
		(void)printf(" --requests %" PRIu64 ",service=%u", t->window, LOOM_SERVICE_LEAST);
	(void)printf("%s --seed %" PRIu64, rule, t->seed);
	if (t->n_seeds > 1)
		(void)printf(" --seeds %" PRIu64, t->n_seeds);
	if (t->buffers != LOOM_BUFFERS_USUAL)
		(void)printf(" --buffers %" PRIu64, t->buffers);
	if (t->link_delay)
		(void)printf(" --link-delay %" PRIu64, t->link_delay);
	if (t->topo.kind->complements_bits) // a cube's processors are placed unless it is said where they sit
		(void)printf(" --map identity");
	(void)putchar('\n');
}

int cli_from_booksim(const struct cli_request *request, struct loom_err *err)
{
	struct translation t = {.path = request->words[0]};
	char where[96];
	int rc = booksim_file_read(&t.file, t.path, err);
	for (int i = 1; rc == 0 && i < request->n_words; i++)
		rc = booksim_file_add(&t.file, request->words[i], err);
	if (rc == 0)
		rc = translate(&t, err);
	if (rc == 0) {
		(void)printf("# from BookSim2's configuration %s\n", loom_text_where(where, sizeof where, t.path));
		const struct booksim_setting *routing = booksim_file_find(&t.file, "routing_function");
		struct booksim_rule rule;
		booksim_rule_of(&rule, routing ? routing->value : "dor", &t.topo);
		put_comments(&t, &rule);
		put_command(&t, rule.options);
	}
	loom_topo_free(&t.topo);
	booksim_file_free(&t.file);
	return rc;
}
