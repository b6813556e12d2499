// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_goal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT64_MAX
#define NOBODY SIZE_MAX
#define LABEL 32

enum kind { CALC, SEND, RECV };

struct op {
	enum kind kind;
	char label[LABEL];
	unsigned rank, peer;
	long tag; // -1: any
	uint64_t size;
	size_t partner;      // the receive of a send, or the send of a receive
	uint64_t cost;       // cycles for which it keeps its rank busy
	uint64_t begun, end; // UNKNOWN: it has not begun, or not ended
	bool is_written;
	uint64_t number; // of a send: its number among those of its rank to that peer
};

struct need {
	size_t op, on;
	bool start;
};

struct reader {
	struct op *op;
	size_t n_ops;
	struct need *need;
	size_t n_needs;
	uint64_t *is_free; // by rank: the time from which it is free
	unsigned n_ranks;
	size_t block; // the first operation that a label can name: the first of the rank's block
};

// --- Text ----------------------------------------------------------------------------------------------------------

static size_t find(const struct reader *r, unsigned rank, const char *label)
{
	for (size_t i = r->block; i < r->n_ops; i++) {
		if (r->op[i].rank == rank && strcmp(r->op[i].label, label) == 0)
			return i;
	}
	return NOBODY;
}

static size_t block_of(const struct reader *r, unsigned rank)
{
	size_t i = 0;

	while (i < r->n_ops && r->op[i].rank != rank)
		i++;
	return i;
}

// Replaces comments by blanks.
static void blank_comments(char *text)
{
	for (char *c = text; *c; c++) {
		if (c[0] == '/' && c[1] == '/') {
			while (*c && *c != '\n')
				*c++ = ' ';
		} else if (c[0] == '/' && c[1] == '*') {
			while (c[1] && !(c[0] == '*' && c[1] == '/')) {
				if (*c != '\n')
					*c = ' ';
				c++;
			}
			c[0] = ' ';
			if (c[1])
				c[1] = ' ';
		}
		if (!*c)
			break;
	}
}

// Reads an operation without its label. `tag` and other fields may stand in any order.
static bool read_op(struct op *out, const char *line)
{
	unsigned long long size;
	int used = 0;
	char word[8];
	long value;

	if (sscanf(line, " send %llub to %u%n", &size, &out->peer, &used) == 2 && used)
		out->kind = SEND;
	else if (sscanf(line, " recv %llub from %u%n", &size, &out->peer, &used) == 2 && used)
		out->kind = RECV;
	else if (sscanf(line, " calc %llu%n", &size, &used) == 1 && used)
		out->kind = CALC;
	else
		return false;
	out->size = size;
	for (line += used; sscanf(line, " %7[a-z] %ld%n", word, &value, &used) == 2; line += used) {
		if (strcmp(word, "tag") == 0)
			out->tag = value;
		else if (strcmp(word, "cpu") != 0 && strcmp(word, "nic") != 0)
			return false;
	}
	return line[strspn(line, " \t\r")] == '\0';
}

// Reads a statement of a rank's block.
static bool read_statement(struct reader *r, unsigned rank, const char *line, bool needs)
{
	char a[LABEL], b[LABEL], word[12];
	struct op op = {.rank = rank, .partner = NOBODY, .begun = UNKNOWN, .end = UNKNOWN};
	int used = 0;

	if (sscanf(line, " %31[A-Za-z0-9_] %11[a-z] %31[A-Za-z0-9_]", a, word, b) == 3 &&
	    (strcmp(word, "requires") == 0 || strcmp(word, "irequires") == 0)) {
		struct need need = {find(r, rank, a), find(r, rank, b), word[0] == 'i'};

		if (needs)
			r->need[r->n_needs++] = need;
		return !needs || (need.op != NOBODY && need.on != NOBODY);
	}
	if (needs)
		return true;
	if (sscanf(line, " %31[A-Za-z0-9_]%*[ \t]:%n", a, &used) == 1 && used)
		strcpy(op.label, a);
	else if (sscanf(line, " %31[A-Za-z0-9_]:%n", a, &used) == 1 && used)
		strcpy(op.label, a);
	else
		used = 0;
	if (!read_op(&op, line + used) || (op.kind != CALC && op.peer >= r->n_ranks))
		return false;
	r->op[r->n_ops++] = op;
	return true;
}

// Reads the whole text. The caller calls it twice, because a label may stand below a statement that names it.
static bool read_text(struct reader *r, char *text, bool needs)
{
	bool inside = false;
	unsigned rank = 0;
	char *rest = NULL;
	char *copy = strdup(text);
	bool good = copy != NULL;

	// Reads a brace as the end of a line.
	for (char *line = good ? strtok_r(copy, "\n;", &rest) : NULL; good && line;
	     line = strtok_r(NULL, "\n;", &rest)) {
		while (good && line) {
			char *brace = strpbrk(line, "{}");
			char which = brace ? *brace : '\0';

			if (brace)
				*brace = '\0';
			if (line[strspn(line, " \t\r")] != '\0') {
				if (inside)
					good = read_statement(r, rank, line, needs);
				else if (sscanf(line, " num_ranks %u", &r->n_ranks) != 1)
					good = sscanf(line, " rank %u", &rank) == 1 && rank < r->n_ranks;
			}
			if (which == '{')
				r->block = block_of(r, rank);
			inside = which == '{' ? true : which == '}' ? false : inside;
			line = brace ? brace + 1 : NULL;
		}
	}
	free(copy);
	return good && !inside;
}

// --- Which receive takes which message -----------------------------------------------------------------------------

static bool match(struct reader *r)
{
	for (size_t k = 0; k < r->n_ops; k++) {
		struct op *recv = &r->op[k];

		for (size_t i = 0; recv->kind == RECV && recv->partner == NOBODY && i < r->n_ops; i++) {
			struct op *send = &r->op[i];

			if (send->kind == SEND && send->partner == NOBODY && send->rank == recv->peer &&
			    send->peer == recv->rank && (recv->tag == -1 || recv->tag == send->tag)) {
				send->partner = k;
				recv->partner = i;
			}
		}
	}
	for (size_t k = 0; k < r->n_ops; k++) {
		if (r->op[k].kind != CALC && r->op[k].partner == NOBODY)
			return false;
	}
	return true;
}

// --- The imagined machine ------------------------------------------------------------------------------------------

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

// Finds for each operation the time from which all that it needs is done; UNKNOWN, the latest time: not known yet.
static void find_ready(uint64_t *out, const struct reader *r)
{
	for (size_t i = 0; i < r->n_ops; i++)
		out[i] = 0;
	for (size_t k = 0; k < r->n_needs; k++) {
		const struct need *need = &r->need[k];
		const struct op *on = &r->op[need->on];

		out[need->op] = later(out[need->op], need->start ? on->begun : on->end);
	}
}

// Sets the times of operations that take no time and can be known now. False: there are none.
static bool settle(uint64_t *known, struct reader *r)
{
	bool news = false;

	find_ready(known, r);
	for (size_t i = 0; i < r->n_ops; i++) {
		struct op *op = &r->op[i];
		uint64_t there = 0;

		if (op->cost > 0 || op->end != UNKNOWN)
			continue;
		if (op->begun == UNKNOWN) {
			op->begun = known[i];
			news = news || op->begun != UNKNOWN;
		}
		if (op->kind == RECV) {
			const struct op *send = &r->op[op->partner];

			there = send->end == UNKNOWN ? UNKNOWN : send->end + (send->cost > 0 ? 4 : 0);
		}
		op->end = later(op->begun, there);
		news = news || op->end != UNKNOWN;
	}
	return news;
}

// Finds the operation of all ranks that begins next, and its time; NOBODY: none can.
static size_t choose(uint64_t *out_time, const struct reader *r, const uint64_t *known)
{
	size_t best = NOBODY;

	*out_time = UNKNOWN;
	for (size_t i = 0; i < r->n_ops; i++) {
		const struct op *op = &r->op[i];

		if (op->cost == 0 || op->end != UNKNOWN || known[i] == UNKNOWN)
			continue;

		uint64_t time = later(known[i], r->is_free[op->rank]);
		bool is_before = time < *out_time;

		// At one time, on one rank: sends first, then in the order of the text.
		if (time == *out_time && r->op[best].rank == op->rank)
			is_before = op->kind == SEND && r->op[best].kind == CALC;
		if (is_before) {
			best = i;
			*out_time = time;
		}
	}
	return best;
}

// Runs the imagined machine. sequence: the operations that take time, in the order of their beginning. False: some wait
// for each other in a circle.
static bool imagine(size_t *sequence, size_t *n_out, struct reader *r)
{
	uint64_t *known = malloc((r->n_ops + 1) * sizeof(*known));
	size_t i, n = 0;
	uint64_t time;

	if (!known)
		return false;
	for (;;) {
		while (settle(known, r))
			;
		i = choose(&time, r, known);
		if (i == NOBODY)
			break;
		r->op[i].begun = time;
		r->op[i].end = r->is_free[r->op[i].rank] = time + r->op[i].cost;
		sequence[n++] = i;
	}
	free(known);
	*n_out = n;
	for (size_t k = 0; k < r->n_ops; k++) {
		if (r->op[k].end == UNKNOWN)
			return false;
	}
	return true;
}

// --- Programs ------------------------------------------------------------------------------------------------------

struct list {
	size_t *op;
	size_t n;
};

// Lists the receives that operation i needs, also through operations that take no time. A start of a receive needs what
// the receive needs.
static void gather(struct list *out, struct reader *r, size_t i)
{
	for (size_t k = 0; k < r->n_needs; k++) {
		const struct need *need = &r->need[k];
		struct op *on = &r->op[need->on];

		if (need->op != i || on->cost > 0 || on->is_written)
			continue;
		if (on->kind == RECV && !need->start) {
			on->is_written = true;
			out->op[out->n++] = need->on;
		}
		gather(out, r, need->on);
		// A message of the rank to itself takes no time either.
		if (on->kind == RECV && !need->start && on->peer == on->rank)
			gather(out, r, on->partner);
	}
}

static void sort(const struct list *list, const struct reader *r)
{
	for (size_t i = 1; i < list->n; i++) {
		for (size_t k = i; k > 0; k--) {
			size_t a = list->op[k - 1], b = list->op[k];

			if (r->op[a].end < r->op[b].end || (r->op[a].end == r->op[b].end && a < b))
				break;
			list->op[k - 1] = b;
			list->op[k] = a;
		}
	}
}

// Returns the highest message from `source` for which the program waits already.
static uint64_t waited(const struct ref_program *p, unsigned source)
{
	uint64_t most = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->entry[i].kind == REF_WAIT && p->entry[i].source == source)
			most = later(most, p->entry[i].value);
	}
	return most;
}

static void write_waits(struct ref_program *p, const struct list *list, const struct reader *r)
{
	for (size_t k = 0; k < list->n; k++) {
		const struct op *recv = &r->op[list->op[k]];
		uint64_t number = r->op[recv->partner].number;
		bool is_implied = recv->peer == recv->rank || number <= waited(p, recv->peer);

		for (size_t j = 0; j < list->n; j++) {
			const struct op *other = &r->op[list->op[j]];

			is_implied = is_implied || (other->peer == recv->peer && r->op[other->partner].number > number);
		}
		if (!is_implied)
			p->entry[p->n++] = (struct ref_entry){.kind = REF_WAIT, .value = number, .source = recv->peer};
	}
}

static void number_sends(struct reader *r, const size_t *sequence, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		struct op *op = &r->op[sequence[k]];

		for (size_t j = 0; op->kind == SEND && j <= k; j++) {
			const struct op *other = &r->op[sequence[j]];

			op->number += other->kind == SEND && other->rank == op->rank && other->peer == op->peer;
		}
	}
}

static void write_program(struct ref_goal *out, struct reader *r, unsigned rank, const size_t *sequence, size_t n,
                          struct list *list)
{
	struct ref_program *p = &out->program[rank];

	for (size_t k = 0; k < n; k++) {
		const struct op *op = &r->op[sequence[k]];

		if (op->rank != rank)
			continue;
		list->n = 0;
		gather(list, r, sequence[k]);
		sort(list, r);
		write_waits(p, list, r);
		if (op->kind == CALC) {
			p->entry[p->n++] = (struct ref_entry){.kind = REF_DELAY, .value = op->cost};
			continue;
		}
		out->message[out->n_messages] = (struct ref_message){rank, op->peer, (unsigned)op->cost};
		p->entry[p->n++] = (struct ref_entry){.kind = REF_SEND, .message = out->n_messages++};
	}
	list->n = 0;
	for (size_t i = 0; i < r->n_ops; i++) {
		if (r->op[i].kind == RECV && r->op[i].rank == rank && !r->op[i].is_written)
			list->op[list->n++] = i;
	}
	sort(list, r);
	write_waits(p, list, r);
}

// --- All together --------------------------------------------------------------------------------------------------

static uint64_t rounded_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b > 0);
}

static void find_costs(struct reader *r, const struct ref_goal_scale *scale)
{
	for (size_t i = 0; i < r->n_ops; i++) {
		struct op *op = &r->op[i];

		if (op->kind == CALC)
			op->cost = rounded_up(op->size * scale->calc_cycles, scale->calc_units);
		else if (op->kind == SEND && op->peer != op->rank)
			op->cost = 1 + rounded_up(op->size, scale->flit_bytes);
	}
}

static int carry_out(struct ref_goal *out, struct reader *r, const struct ref_goal_scale *scale)
{
	size_t *sequence = calloc(r->n_ops + 1, sizeof(*sequence));
	struct list list = {.op = calloc(r->n_ops + 1, sizeof(*list.op))};
	size_t n;
	int rc = sequence && list.op ? 0 : -ENOMEM;

	find_costs(r, scale);
	if (rc == 0 && (!match(r) || !imagine(sequence, &n, r)))
		rc = -EINVAL;
	out->message = calloc(r->n_ops + 1, sizeof(*out->message));
	for (unsigned rank = 0; rc == 0 && rank < r->n_ranks; rank++) {
		out->program[rank].entry = calloc(r->n_ops + 1, sizeof(*out->program[rank].entry));
		if (!out->message || !out->program[rank].entry)
			rc = -ENOMEM;
	}
	if (rc == 0)
		number_sends(r, sequence, n);
	for (unsigned rank = 0; rc == 0 && rank < r->n_ranks; rank++)
		write_program(out, r, rank, sequence, n, &list);
	free(sequence);
	free(list.op);
	return rc;
}

int ref_goal_read(struct ref_goal *out, const char *text, unsigned n_nodes, const struct ref_goal_scale *scale)
{
	struct reader r = {0};
	char *clean = strdup(text);
	size_t most = strlen(text) + 1;
	int rc = 0;

	*out = (struct ref_goal){.n_nodes = n_nodes, .program = calloc(n_nodes, sizeof(*out->program))};
	r.op = calloc(most / 4 + 1, sizeof(*r.op)); // the shortest operation is "calc 1" with the line's end
	r.need = calloc(most / 4 + 1, sizeof(*r.need));
	r.is_free = calloc(n_nodes, sizeof(*r.is_free));
	if (!clean || !r.op || !r.need || !r.is_free || !out->program)
		rc = -ENOMEM;
	if (rc == 0)
		blank_comments(clean);
	if (rc == 0 && (!read_text(&r, clean, false) || r.n_ranks > n_nodes || !read_text(&r, clean, true)))
		rc = -EINVAL;
	if (rc == 0)
		rc = carry_out(out, &r, scale);
	out->n_ranks = r.n_ranks;
	free(clean);
	free(r.op);
	free(r.need);
	free(r.is_free);
	return rc;
}

void ref_goal_free(struct ref_goal *goal)
{
	for (unsigned node = 0; goal->program && node < goal->n_nodes; node++)
		free(goal->program[node].entry);
	free(goal->program);
	free(goal->message);
	*goal = (struct ref_goal){0};
}
