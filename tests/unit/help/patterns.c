// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "patterns.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const struct loom_pattern_options defaults = {.flits = 17, .seed = 1};

uint64_t slow_apply(const struct loom_lcc *lcc, uint64_t v)
{
	uint64_t y = 0;
	for (unsigned i = 0; i < lcc->a.n; i++) {
		unsigned sum = (unsigned)(lcc->b >> i & 1);
		for (unsigned j = 0; j < lcc->a.n; j++)
			sum += (unsigned)(lcc->a.row[i] >> j & 1) * (unsigned)(v >> j & 1);
		y |= (uint64_t)(sum % 2) << i;
	}
	return y;
}

void check_invariants(const struct loom_pattern *p, const char *spec)
{
	assert_true(strlen(p->name) > 0 && strlen(p->name) < sizeof p->name);
	assert_in_range(p->n_nodes, 1, LOOM_NODES_MAX);
	assert_in_range(p->n_messages, 1, LOOM_MESSAGES_MAX);
	assert_true(p->n_members >= 1);
	assert_true(p->n_lccs == 0 || p->n_lccs == p->n_members);
	assert_true((p->n_lccs == 0) == (p->lccs == NULL));
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct loom_message *m = &p->messages[i];
		if (m->source >= p->n_nodes || m->destination >= p->n_nodes || m->flits < 1 ||
		    m->member >= p->n_members || (i > 0 && m->member < m[-1].member))
			fail_msg("%s: message %zu is out of bounds or order", spec, i);
	}
	if (p->n_lccs == 0)
		return;
	assert_int_equal(p->n_messages, (size_t)p->n_lccs * p->n_nodes);
	const struct loom_message *m = p->messages;
	for (uint32_t r = 0; r < p->n_lccs; r++) {
		assert_true(loom_gf2_is_valid(&p->lccs[r].a));
		assert_int_equal(1u << p->lccs[r].a.n, p->n_nodes);
		if (p->lccs[r].kind == LOOM_LCC_PERMUTATION)
			assert_int_equal(loom_gf2_rank(&p->lccs[r].a), p->lccs[r].a.n);
		for (uint32_t v = 0; v < p->n_nodes; v++, m++) {
			bool scatter = p->lccs[r].kind == LOOM_LCC_SCATTER;
			if (m->member != r || (scatter ? m->destination : m->source) != v ||
			    (scatter ? m->source : m->destination) != slow_apply(&p->lccs[r], v))
				fail_msg("%s: message %" PRIu32 " of member %" PRIu32 " is not that of the LCC", spec,
				         v, r);
		}
	}
}

struct loom_pattern parse_with(const char *spec, uint32_t n_nodes, const struct loom_pattern_options *options)
{
	struct loom_pattern p;
	struct loom_err err = {0};
	if (loom_pattern_parse(&p, spec, n_nodes, options, &err) != 0)
		fail_msg("%s for %" PRIu32 ": %s", spec, n_nodes, err.text);
	check_invariants(&p, spec);
	assert_int_equal(p.n_nodes, n_nodes);
	return p;
}

struct loom_pattern parse(const char *spec, uint32_t n_nodes)
{
	return parse_with(spec, n_nodes, &defaults);
}

void check_error(int code, const struct loom_err *err, int wanted, const char *const parts[], const char *input)
{
	if (code != wanted || err->code != wanted)
		fail_msg("%s: %s instead of %s (%s)", input, loom_code_name(code), loom_code_name(wanted), err->text);
	for (size_t i = 0; parts[i]; i++)
		if (!strstr(err->text, parts[i]))
			fail_msg("%s: no \"%s\" in \"%s\"", input, parts[i], err->text);
	for (const char *c = err->text; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			fail_msg("%s: byte 0x%02x in \"%s\"", input, (unsigned char)*c, err->text);
}

void parse_fails_with(const char *spec, uint32_t n_nodes, const struct loom_pattern_options *options, int wanted,
                      const char *const parts[])
{
	struct loom_pattern p, before;
	struct loom_err err = {0};
	memset(&p, 0xa5, sizeof p);
	memcpy(&before, &p, sizeof p);
	int code = loom_pattern_parse(&p, spec, n_nodes, options, &err);
	check_error(code, &err, wanted, parts, spec);
	assert_memory_equal(&p, &before, sizeof p);
	assert_int_equal(loom_pattern_parse(&p, spec, n_nodes, options, NULL), wanted); // err may be NULL
}

void parse_fails(const char *spec, uint32_t n_nodes, int wanted, const char *const parts[])
{
	parse_fails_with(spec, n_nodes, &defaults, wanted, parts);
}

const char *write_file(const void *bytes, size_t length)
{
	static char path[64];
	strcpy(path, "/tmp/loom_pattern_XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	close(fd);
	return path;
}

struct loom_pattern parse_text(const char *kind, const char *text, size_t length, uint32_t n_nodes)
{
	char spec[96];
	const char *path = write_file(text, length);
	(void)snprintf(spec, sizeof spec, "%s:%s", kind, path);
	struct loom_pattern p = parse(spec, n_nodes);
	assert_string_equal(p.name, spec);
	unlink(path);
	return p;
}

void text_fails(const char *kind, const char *text, size_t length, uint32_t n_nodes, int wanted,
                const char *const parts[])
{
	char spec[96];
	const char *path = write_file(text, length);
	(void)snprintf(spec, sizeof spec, "%s:%s", kind, path);
	parse_fails(spec, n_nodes, wanted, parts);
	unlink(path);
}
