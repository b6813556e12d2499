// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds passes on a row of nodes. The messages that use a link, in one direction or in both, are intervals, and these
// are coloured from left to right. At a node x four sorts of message begin or end:
//
//                left of x    right of x
//   leave x      out_left     out_right
//   arrive at x  in_left      in_right
//
// In this sweep, messages on the left of x end there, and messages on the right begin. out_left and out_right conflict,
// as both leave x; so do in_left and in_right. So out_right can take over a pass of in_left, and in_right one of
// out_left, but not the other way round.
#include <flitloom/math/line_passes.h>

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum { RIGHTWARD = 1, LEFTWARD = 2 };

struct row {
	uint32_t n_nodes;
	size_t n;
	const uint32_t *source, *destination;
	uint32_t *pass;
	uint32_t *first_out, *first_in; // [node]: a message that leaves, or arrives; or NONE
	uint32_t *next_out, *next_in;   // [message]: another message of the same node, or NONE
};

static void free_row(struct row *row)
{
	free(row->first_out);
	free(row->next_out);
}

// Makes the lists, in the order of the messages. Messages to their sender get pass 0 and are in no list.
static bool make_row(struct row *row)
{
	row->first_out = malloc(2 * (size_t)row->n_nodes * sizeof *row->first_out);
	row->next_out = malloc((2 * row->n + 1) * sizeof *row->next_out);
	if (!row->first_out || !row->next_out)
		return false;
	row->first_in = row->first_out + row->n_nodes;
	row->next_in = row->next_out + row->n;
	memset(row->first_out, 0xff, 2 * (size_t)row->n_nodes * sizeof *row->first_out);
	for (size_t i = row->n; i-- > 0;) {
		uint32_t from = row->source[i], to = row->destination[i];
		row->pass[i] = 0;
		if (from == to)
			continue;
		row->next_out[i] = row->first_out[from];
		row->first_out[from] = (uint32_t)i;
		row->next_in[i] = row->first_in[to];
		row->first_in[to] = (uint32_t)i;
	}
	return true;
}

// --- One interval graph ----------------------------------------------------------------------------------------------

// Free passes, last in first out: pass[used] and those after it. Passes that were never in use are at the end, in
// ascending order. So a new pass is begun only if no other pass is free.
struct stack {
	uint32_t *pass;
	uint32_t used, most_used; // most_used: the number of passes
};

static void fill_stack(struct stack *s, uint32_t *room, size_t n)
{
	*s = (struct stack){.pass = room};
	for (size_t k = 0; k <= n; k++)
		s->pass[k] = (uint32_t)k;
}

static uint32_t take(struct stack *s)
{
	uint32_t pass = s->pass[s->used++];
	s->most_used = s->used > s->most_used ? s->used : s->most_used;
	return pass;
}

static void give(struct stack *s, uint32_t pass)
{
	s->pass[--s->used] = pass;
}

// Returns the next message of node x, from message `i` on, that leaves it to the right (or to the left).
static uint32_t skip_out(const struct row *row, uint32_t i, uint32_t x, bool right)
{
	while (i != NONE && (row->destination[i] > x) != right)
		i = row->next_out[i];
	return i;
}

static uint32_t skip_in(const struct row *row, uint32_t i, uint32_t x, bool right)
{
	while (i != NONE && (row->source[i] > x) != right)
		i = row->next_in[i];
	return i;
}

// Colours the messages of one direction, or of both if half duplex. The messages that begin at x first take over the
// passes that they may, then free passes. The remaining passes of messages that ended then become free. A new pass is
// begun only if messages that conflict with one another use all passes: those over x, and
// - out_right and in_right, if both need more than was left to them: all use the link to the right;
// - out_left and out_right, if only out_right does; in_left and in_right likewise: all leave, or arrive at, x.
// So there are as many passes as the largest such set has messages.
static void sweep(struct stack *s, const struct row *row, unsigned directions)
{
	bool rightward = directions & RIGHTWARD, leftward = directions & LEFTWARD;
	for (uint32_t x = 0; x < row->n_nodes; x++) {
		uint32_t first_out = row->first_out[x], first_in = row->first_in[x];
		uint32_t out_left = leftward ? skip_out(row, first_out, x, false) : NONE;
		uint32_t in_left = rightward ? skip_in(row, first_in, x, false) : NONE;
		uint32_t out_right = rightward ? skip_out(row, first_out, x, true) : NONE;
		uint32_t in_right = leftward ? skip_in(row, first_in, x, true) : NONE;
		for (; out_right != NONE; out_right = skip_out(row, row->next_out[out_right], x, true)) {
			row->pass[out_right] = in_left != NONE ? row->pass[in_left] : take(s);
			if (in_left != NONE)
				in_left = skip_in(row, row->next_in[in_left], x, false);
		}
		for (; in_right != NONE; in_right = skip_in(row, row->next_in[in_right], x, true)) {
			row->pass[in_right] = out_left != NONE ? row->pass[out_left] : take(s);
			if (out_left != NONE)
				out_left = skip_out(row, row->next_out[out_left], x, false);
		}
		for (; out_left != NONE; out_left = skip_out(row, row->next_out[out_left], x, false))
			give(s, row->pass[out_left]);
		for (; in_left != NONE; in_left = skip_in(row, row->next_in[in_left], x, false))
			give(s, row->pass[in_left]);
	}
}

// --- Both directions, which meet at the nodes ------------------------------------------------------------------------

// The messages on the busiest link, and the most that one node sends or receives.
struct loads {
	uint32_t link, node;
	bool meet; // a node sends in both directions, or receives from both
};

static struct loads loads_of(const struct row *row)
{
	struct loads loads = {0};
	uint32_t right = 0, left = 0; // on the links after x
	for (uint32_t x = 0; x < row->n_nodes; x++) {
		uint32_t out_left = 0, out_right = 0, in_left = 0, in_right = 0;
		for (uint32_t i = row->first_out[x]; i != NONE; i = row->next_out[i])
			row->destination[i] > x ? out_right++ : out_left++;
		for (uint32_t i = row->first_in[x]; i != NONE; i = row->next_in[i])
			row->source[i] > x ? in_right++ : in_left++;
		right += out_right - in_left;
		left += in_right - out_left;
		uint32_t link = right > left ? right : left, out = out_left + out_right, in = in_left + in_right;
		loads.link = link > loads.link ? link : loads.link;
		loads.node = out > loads.node ? out : loads.node;
		loads.node = in > loads.node ? in : loads.node;
		loads.meet = loads.meet || (out_left && out_right) || (in_left && in_right);
	}
	return loads;
}

// Sets of passes as bits: in use by messages over x, to the right and to the left, and by those that end at x.
struct in_use {
	size_t words;
	uint64_t *right, *left, *out_left, *in_left;
};

static void set_bit(uint64_t *bits, uint32_t pass, bool on)
{
	uint64_t bit = UINT64_C(1) << pass % 64;
	bits[pass / 64] = on ? bits[pass / 64] | bit : bits[pass / 64] & ~bit;
}

// Returns the least pass in neither set. There is one, because a message conflicts with fewer passes than there are
// bits.
static uint32_t least_free(const uint64_t *a, const uint64_t *b)
{
	size_t w = 0;
	while (~(a[w] | b[w]) == 0)
		w++;
	return (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(~(a[w] | b[w]));
}

// Gives each message the least pass that is free. Returns the number of passes.
static uint32_t first_fit(const struct row *row, const struct in_use *use)
{
	uint32_t n_passes = 0;
	memset(use->right, 0, 4 * use->words * sizeof *use->right);
	for (uint32_t x = 0; x < row->n_nodes; x++) {
		uint32_t first_out = row->first_out[x], first_in = row->first_in[x], i;
		for (i = skip_out(row, first_out, x, false); i != NONE; i = skip_out(row, row->next_out[i], x, false)) {
			set_bit(use->left, row->pass[i], false);
			set_bit(use->out_left, row->pass[i], true);
		}
		for (i = skip_in(row, first_in, x, false); i != NONE; i = skip_in(row, row->next_in[i], x, false)) {
			set_bit(use->right, row->pass[i], false);
			set_bit(use->in_left, row->pass[i], true);
		}
		for (i = skip_out(row, first_out, x, true); i != NONE; i = skip_out(row, row->next_out[i], x, true)) {
			row->pass[i] = least_free(use->right, use->out_left);
			set_bit(use->right, row->pass[i], true);
			n_passes = row->pass[i] + 1 > n_passes ? row->pass[i] + 1 : n_passes;
		}
		for (i = skip_in(row, first_in, x, true); i != NONE; i = skip_in(row, row->next_in[i], x, true)) {
			row->pass[i] = least_free(use->left, use->in_left);
			set_bit(use->left, row->pass[i], true);
			n_passes = row->pass[i] + 1 > n_passes ? row->pass[i] + 1 : n_passes;
		}
		for (i = skip_out(row, first_out, x, false); i != NONE; i = skip_out(row, row->next_out[i], x, false))
			set_bit(use->out_left, row->pass[i], false);
		for (i = skip_in(row, first_in, x, false); i != NONE; i = skip_in(row, row->next_in[i], x, false))
			set_bit(use->in_left, row->pass[i], false);
	}
	return n_passes;
}

// Colours both directions together. A message conflicts with fewer others than the loads of the busiest link and node
// add up to.
static bool colour_both(uint32_t *n_passes, const struct row *row, const struct loads *loads)
{
	struct in_use use = {.words = (loads->link + (size_t)loads->node) / 64 + 1};
	use.right = malloc(4 * use.words * sizeof *use.right);
	if (!use.right)
		return false;
	use.left = use.right + use.words;
	use.out_left = use.left + use.words;
	use.in_left = use.out_left + use.words;
	*n_passes = first_fit(row, &use);
	free(use.right);
	return true;
}

// --- At most one message to and from each node -----------------------------------------------------------------------

// A partial permutation. At each node at most one message begins and one ends, so nothing above can clash, and one
// sweep does both directions. With half duplex `right` and `left` are one stack. The loops have no branches, because a
// processor cannot predict them for a random permutation.
#define PASS (UINT32_C(1) << 31) // in `arriving`: marks the pass in which a message from the left arrives

static inline uint32_t take_if(bool really, struct stack *s)
{
	uint32_t pass = s->pass[s->used];
	s->used += really;
	s->most_used = s->used > s->most_used ? s->used : s->most_used;
	return pass;
}

static inline void give_if(bool really, struct stack *s, uint32_t pass)
{
	s->used -= really;
	uint32_t *top = &s->pass[s->used], other = *top;
	*top = really ? pass : other;
}

// Sweeps both directions. to[x]: the node to which x sends, or NONE. leaving[x]: the pass of that message. arriving[y]:
// the node on the right that sends to y, or PASS and a pass, or NONE. Both have one more element, which is not read.
static inline void sweep_single(uint32_t *restrict leaving, uint32_t *restrict arriving, struct stack *first,
                                struct stack *second, const uint32_t *restrict to, uint32_t n_nodes)
{
	struct stack one = *first, other = second ? *second : one, *right = &one, *left = second ? &other : &one;
	for (uint32_t x = 0; x < n_nodes; x++) {
		uint32_t y = to[x], in = arriving[x], out = leaving[x];
		bool in_left = (in != NONE) & (in >= PASS), in_right = in < PASS;
		bool out_left = y < x, out_right = (y != NONE) & (y > x);
		give_if(out_left, left, out);
		give_if(in_left, right, in & ~PASS);
		uint32_t pass = take_if(out_right, right);
		leaving[x] = out_right ? pass : out;
		arriving[out_right ? y : n_nodes] = pass | PASS;
		pass = take_if(in_right, left);
		leaving[in_right ? in : n_nodes] = pass;
	}
	*first = one;
	if (second)
		*second = other;
}

// Finds the node to which each node sends, and the node on its right that sends to it. Returns false if a node has two
// messages.
static bool find_single(uint32_t *to, uint32_t *arriving, uint64_t *reached, uint32_t n_nodes, const uint32_t *source,
                        const uint32_t *destination, size_t n)
{
	memset(to, 0xff, n_nodes * sizeof *to);
	memset(arriving, 0xff, n_nodes * sizeof *arriving);
	memset(reached, 0, (n_nodes / 64 + 1) * sizeof *reached);
	bool single = true;
	for (size_t i = 0; single && i < n; i++) {
		uint32_t x = source[i], y = destination[i];
		uint64_t bit = UINT64_C(1) << y % 64;
		single = to[x] == NONE && !(reached[y / 64] & bit);
		reached[y / 64] |= bit;
		to[x] = y;
		arriving[y < x ? y : n_nodes] = x;
	}
	return single;
}

// Returns the place of the second stack in the block. For a permutation both stacks are equally full. So the second is
// shifted by half a page: a load from the same offset in a page as a recent store would wait for it.
#define PAGE_WORDS 1024
static size_t second_stack(uint32_t n_nodes)
{
	return (n_nodes / 2 + (size_t)PAGE_WORDS) / PAGE_WORDS * PAGE_WORDS + PAGE_WORDS / 2;
}

// Colours a partial permutation. Sets *is_single to false, and does nothing, if a node sends or receives several
// messages. Returns false if memory runs out.
static bool colour_single(struct loom_line_passes *out, bool *is_single, uint32_t *pass,
                          const struct loom_line_messages *m)
{
	const uint32_t n_nodes = m->n_nodes;
	uint32_t *to = malloc(3 * ((size_t)n_nodes + 1) * sizeof *to);
	uint64_t *reached = malloc((n_nodes / 64 + 1) * sizeof *reached);
	uint32_t *stacks = malloc(2 * second_stack(n_nodes) * sizeof *stacks);
	bool done = to && reached && stacks;
	*is_single = done && m->n <= n_nodes && n_nodes < PASS &&
	             find_single(to, to + n_nodes + 1, reached, n_nodes, m->source, m->destination, m->n);
	if (*is_single) {
		struct stack one, other;
		uint32_t *arriving = to + n_nodes + 1, *leaving = arriving + n_nodes + 1;
		// A link carries at most as many messages to the right as there are nodes on either side of it.
		fill_stack(&other, stacks + second_stack(n_nodes), m->half_duplex ? 0 : n_nodes / 2);
		fill_stack(&one, stacks, m->half_duplex ? m->n : n_nodes / 2);
		if (m->half_duplex) // a separate call, so that the compiler keeps the stacks in registers
			sweep_single(leaving, arriving, &one, NULL, to, n_nodes);
		else
			sweep_single(leaving, arriving, &one, &other, to, n_nodes);
		for (size_t i = 0; i < m->n; i++)
			pass[i] = m->source[i] == m->destination[i] ? 0 : leaving[m->source[i]];
		out->n_passes = one.most_used > other.most_used ? one.most_used : other.most_used;
		out->lower_bound = out->n_passes;
	}
	free(stacks);
	free(reached);
	free(to);
	return done;
}

// --- All messages ----------------------------------------------------------------------------------------------------

static bool colour(struct loom_line_passes *out, const struct row *row, bool half_duplex)
{
	struct loads loads = {0};
	if (!half_duplex)
		loads = loads_of(row);
	if (loads.meet) {
		out->lower_bound = loads.link > loads.node ? loads.link : loads.node;
		return colour_both(&out->n_passes, row, &loads);
	}
	struct stack s;
	uint32_t *room = malloc((row->n + 1) * sizeof *room);
	if (!room)
		return false;
	fill_stack(&s, room, row->n);
	sweep(&s, row, half_duplex ? RIGHTWARD | LEFTWARD : RIGHTWARD);
	if (!half_duplex)
		sweep(&s, row, LEFTWARD); // all passes are free again
	out->n_passes = out->lower_bound = s.most_used;
	free(room);
	return true;
}

static bool colour_lists(struct loom_line_passes *out, uint32_t *pass, const struct loom_line_messages *m)
{
	struct row row = {.n_nodes = m->n_nodes, .n = m->n, .source = m->source, .destination = m->destination};
	row.pass = malloc((m->n + 1) * sizeof *row.pass);
	bool done = row.pass && make_row(&row) && colour(out, &row, m->half_duplex);
	if (done)
		memcpy(pass, row.pass, m->n * sizeof *pass);
	free_row(&row);
	free(row.pass);
	return done;
}

int loom_line_passes_schedule(uint32_t *pass, struct loom_line_passes *out, const struct loom_line_messages *messages,
                              struct loom_err *err)
{
	const uint32_t *source = messages->source, *destination = messages->destination, n_nodes = messages->n_nodes;
	const size_t n = messages->n;
	struct loom_line_passes found = {0, 0};
	bool is_single;
	if (n >= UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages are too many for one schedule", n);
	for (size_t i = 0; i < n; i++)
		if (source[i] >= n_nodes || destination[i] >= n_nodes)
			return loom_fail(err, LOOM_EINPUT, "message %zu from %u to %u; a row of %u nodes has 0 to %u",
			                 i, source[i], destination[i], n_nodes, n_nodes - 1);
	bool done = colour_single(&found, &is_single, pass, messages);
	if (done && !is_single)
		done = colour_lists(&found, pass, messages);
	if (!done)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a schedule of %zu messages", n);
	if (n != 0 && found.n_passes == 0)
		found.n_passes = 1; // all messages are to their senders
	*out = found;
	return 0;
}
