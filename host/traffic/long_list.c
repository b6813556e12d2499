// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a list in pieces. The messages of each processor go, block by block, into one temporary file. Memory holds only
// the positions of the blocks.
#include "traffic/long_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "base/text.h"
#include "pattern/message_lines.h"

#define BLOCK_MESSAGES 512u
#define PIECE_BYTES ((size_t)1 << 20)

// A processor's messages. A sender is first filled, then emptied.
struct sender {
	struct loom_long_message *block; // owned, of BLOCK_MESSAGES; NULL if it sends nothing
	uint32_t n, next;                // in the block: messages, and the first that has not been taken
	uint64_t *at;                    // owned: the places of its full blocks, of which n_read have been read
	size_t n_blocks, n_read, size;
};

struct loom_long_list {
	struct loom_long_facts facts;
	FILE *file; // owned: temporary
	uint64_t end;
	uint32_t n_nodes;
	uint8_t *pairs;        // owned, bits: [source * n_nodes + destination]; NULL: there are too many
	struct sender *sender; // owned, by processor
};

const struct loom_long_facts *loom_long_list_facts(const struct loom_long_list *list)
{
	return &list->facts;
}

bool loom_long_list_has(const struct loom_long_list *l, uint32_t source, uint32_t destination)
{
	const size_t pair = (size_t)source * l->n_nodes + destination;
	return !l->pairs || l->pairs[pair / 8] >> pair % 8 & 1;
}

void loom_long_list_free(struct loom_long_list *l)
{
	if (!l)
		return;
	for (uint32_t v = 0; l->sender && v < l->n_nodes; v++) {
		free(l->sender[v].block);
		free(l->sender[v].at);
	}
	if (l->file)
		(void)fclose(l->file);
	free(l->sender);
	free(l->pairs);
	free(l);
}

// --- Filling ---------------------------------------------------------------------------------------------------------

static int fail_file(struct loom_err *err)
{
	return loom_fail(err, LOOM_EFILE, "the temporary file of a long list: %s", strerror(errno));
}

static int put_block(struct loom_long_list *l, struct sender *s, struct loom_err *err)
{
	if (!LOOM_ROOM(s->at, s->size, s->n_blocks + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for the places of %zu blocks", s->n_blocks + 1);
	if (fwrite(s->block, sizeof *s->block, BLOCK_MESSAGES, l->file) != BLOCK_MESSAGES)
		return fail_file(err);
	s->at[s->n_blocks++] = l->end;
	l->end += BLOCK_MESSAGES * sizeof *s->block;
	s->n = 0;
	return 0;
}

static int put(struct loom_long_list *l, const struct loom_long_message *m, uint32_t source, struct loom_err *err)
{
	struct sender *s = &l->sender[source];
	if (!s->block && !(s->block = malloc(BLOCK_MESSAGES * sizeof *s->block)))
		return loom_fail(err, LOOM_ENOMEM, "no memory for the messages of %" PRIu32 " processors", l->n_nodes);
	const int rc = s->n == BLOCK_MESSAGES ? put_block(l, s, err) : 0;
	if (rc == 0)
		s->block[s->n++] = *m;
	return rc;
}

static int add_line(void *user, const struct loom_message_line *line, const struct cursor *at, struct loom_err *err)
{
	struct loom_long_list *l = user;
	struct loom_long_facts *f = &l->facts;
	const struct loom_message *m = &line->message;
	const struct loom_long_message one = {m->destination, m->flits, line->release};
	const size_t pair = (size_t)m->source * l->n_nodes + m->destination;
	int rc = 0;
	(void)at;
	for (uint32_t i = 0; rc == 0 && i < line->count; i++)
		rc = put(l, &one, m->source, err);
	if (l->pairs)
		l->pairs[pair / 8] |= (uint8_t)(1u << pair % 8);
	f->least_flits = f->n_messages == 0 || m->flits < f->least_flits ? m->flits : f->least_flits;
	f->most_flits = m->flits > f->most_flits ? m->flits : f->most_flits;
	f->n_messages += line->count;
	f->n_flits += (uint64_t)line->count * m->flits;
	return rc;
}

// Reads whole lines, and keeps the text after the last one for the next piece.
static int read_pieces(struct loom_long_list *l, struct loom_message_lines *lines, FILE *from, char *text,
                       struct loom_err *err)
{
	size_t kept = 0;
	int rc = 0;
	for (bool first = true, more = true; rc == 0 && more; first = false) {
		const size_t n = kept + fread(text + kept, 1, PIECE_BYTES - kept, from);
		more = n == PIECE_BYTES;
		const size_t mark = first ? loom_text_mark(text, n) : 0;
		size_t end = n;
		while (more && end > 0 && text[end - 1] != '\n')
			end--;
		if (ferror(from))
			return loom_fail(err, LOOM_EFILE, "%s: cannot be read: %s", lines->where, strerror(errno));
		if (memchr(text, 0, n))
			return loom_fail(err, LOOM_EFILE, "%s: is no text: it has a byte 0", lines->where);
		if (end == 0 && more)
			return loom_fail(err, LOOM_EINPUT, "%s, line %zu: a line of more than %zu bytes", lines->where,
			                 lines->line, PIECE_BYTES);
		rc = loom_message_lines_read(lines, text + mark, end - mark, add_line, l, err);
		kept = n - end;
		memmove(text, text + end, kept);
	}
	return rc;
}

static int read_file(struct loom_long_list *l, const char *path, uint32_t default_flits, struct loom_err *err)
{
	struct loom_message_lines lines;
	FILE *from = fopen(path, "rb");
	char *text = malloc(PIECE_BYTES);
	int rc = !text   ? loom_fail(err, LOOM_ENOMEM, "no memory to read %s", path)
	         : !from ? loom_fail(err, LOOM_EFILE, "%s: cannot be opened: %s", path, strerror(errno))
	                 : 0;
	loom_message_lines_begin(&lines, l->n_nodes, default_flits, path);
	if (rc == 0)
		rc = read_pieces(l, &lines, from, text, err);
	if (rc == 0 && l->facts.n_messages == 0)
		rc = loom_message_lines_fail_empty(&lines, err);
	l->facts.has_releases = loom_message_lines_have_releases(&lines);
	free(text);
	if (from)
		(void)fclose(from);
	return rc;
}

int loom_long_list_open(struct loom_long_list **out, const char *path, uint32_t n_nodes, uint32_t default_flits,
                        struct loom_err *err)
{
	struct loom_long_list *l = calloc(1, sizeof *l);
	if (l) {
		l->n_nodes = n_nodes;
		l->sender = calloc(n_nodes, sizeof *l->sender);
		if (n_nodes <= LOOM_LONG_PAIRS_NODES)
			l->pairs = calloc(((size_t)n_nodes * n_nodes + 7) / 8, 1);
	}
	if (!l || !l->sender || (n_nodes <= LOOM_LONG_PAIRS_NODES && !l->pairs)) {
		loom_long_list_free(l);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the messages of %" PRIu32 " processors", n_nodes);
	}
	l->file = tmpfile();
	int rc = l->file ? read_file(l, path, default_flits, err) : fail_file(err);
	for (uint32_t v = 0; rc == 0 && v < n_nodes; v++) {
		const uint64_t n = l->sender[v].n_blocks * (uint64_t)BLOCK_MESSAGES + l->sender[v].n;
		l->facts.most_sent = n > l->facts.most_sent ? n : l->facts.most_sent;
	}
	// The last block of each processor has to follow its others.
	for (uint32_t v = 0; rc == 0 && v < n_nodes; v++) {
		struct sender *s = &l->sender[v];
		if (s->n_blocks == 0)
			continue;
		const uint32_t n = s->n;
		rc = put_block(l, s, err);
		s->n = n;
		s->next = BLOCK_MESSAGES; // no message of the block in memory is left
	}
	if (rc == 0 && fflush(l->file) != 0)
		rc = fail_file(err);
	if (rc != 0)
		loom_long_list_free(l);
	else
		*out = l;
	return rc;
}

// --- Emptying -------------------------------------------------------------------------------------------------------

// Reads a processor's next block. s->n stays the length of its last block.
static int read_block(struct loom_long_list *l, struct sender *s, struct loom_err *err)
{
	if (fseeko(l->file, (off_t)s->at[s->n_read++], SEEK_SET) != 0 ||
	    fread(s->block, sizeof *s->block, BLOCK_MESSAGES, l->file) != BLOCK_MESSAGES)
		return fail_file(err);
	s->next = 0;
	return 0;
}

bool loom_long_list_take(struct loom_long_message *out, struct loom_long_list *l, uint32_t source, int *rc,
                         struct loom_err *err)
{
	struct sender *s = &l->sender[source];
	const bool is_last = s->n_read == s->n_blocks;
	if (s->next == (is_last ? s->n : BLOCK_MESSAGES)) {
		if (is_last || (*rc = read_block(l, s, err)) != 0)
			return false;
	}
	*out = s->block[s->next++];
	return true;
}
