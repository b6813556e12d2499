// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds with one mistake each, as somebody may make it who adds a topology: the line that names it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "unit/help/hex.h"
#include "topo/grid.h"
#include "topo/topo_kinds.h"
#include "topo/topo_size.h"

static void refused_at(const struct loom_topo_kind *kind, const char *size, const char *says)
{
	struct loom_topo t, before;
	struct loom_err err = {0};
	memset(&t, 0xa5, sizeof t);
	before = t;
	assert_int_equal(loom_topo_of_size(&t, kind, size, &err), LOOM_EINTERNAL);
	assert_memory_equal(&t, &before, sizeof t);
	char whole[400];
	(void)snprintf(whole, sizeof whole, "mistake in kind %s: %s", kind->name, says);
	if (strcmp(err.text, whole) != 0)
		fail_msg("\"%s\" is not \"%s\"", err.text, whole);
}

static void refused(const struct loom_topo_kind *kind, const char *says)
{
	refused_at(kind, "3x5", says);
}

static void test_none(void **state)
{
	(void)state;
	static const char *const sizes[] = {"3x5", "1x2", "2x1", "16x16", "32x40", "1x300", "1024x1024"};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		if (loom_topo_of_size(&t, &hex_kind, sizes[i], &err) != 0)
			fail_msg("hex:%s: %s", sizes[i], err.text);
		assert_string_equal(t.name + 4, sizes[i]);
	}
	struct loom_topo t;
	assert_int_equal(loom_topo_of_size(&t, &hex_kind, "3x5", NULL), 0);
	assert_int_equal(t.label_bits, 4);
	assert_int_equal(t.no_link, 0);
	assert_int_equal(loom_topo_of_size(&t, &hex_kind, "1x5", NULL), 0);
	assert_int_equal(t.no_link, 0x3c);
	assert_int_equal(loom_topo_of_size(&t, &hex_kind, "5x1", NULL), 0);
	assert_int_equal(t.no_link, 0x33);
}

// --- The row -------------------------------------------------------------------------------------------------------

#define WITHOUT(member)                                                                                                \
	do {                                                                                                           \
		struct loom_topo_kind kind = hex_kind;                                                                 \
		kind.member = 0;                                                                                       \
		refused(&kind, "it has no " #member);                                                                  \
	} while (0)

static void test_row(void **state)
{
	(void)state;
	WITHOUT(code);
	WITHOUT(dims_of_coordinate);
	WITHOUT(sizes);
	WITHOUT(size_is);
	WITHOUT(help);
	WITHOUT(read_size);
	WITHOUT(write_size);
	WITHOUT(size_near);
	WITHOUT(link);
	WITHOUT(next);
	WITHOUT(link_name);
	WITHOUT(one_way);
	WITHOUT(rule_of);
	WITHOUT(bound);
	WITHOUT(route_next);
	WITHOUT(groups);
	WITHOUT(group_of);
	WITHOUT(group_name);
	WITHOUT(channel_name);
	struct loom_topo_kind kind = hex_kind;
	kind.link = NULL;
	kind.next = NULL;
	refused(&kind, "it has no link");
	kind.next = hex_kind.next;
	kind.link_name = NULL;
	refused(&kind, "it has no link");
	kind = hex_kind;
	kind.router = LOOM_ROUTER_STAGES;
	refused(&kind, "it has no router; LOOM_ROUTER_TABLE takes any next");
	kind = hex_kind;
	kind.code = 11;
	refused(&kind, "its code, 11, is that of mesh; take one that is free");
	kind = hex_kind;
	kind.spare_label_bits = 2;
	refused(&kind, "spare_label_bits 2, and its link is neither loom_grid_link nor loom_cube_link; leave it 0");
	kind = hex_kind;
	kind.name = "benes";
	refused(&kind, "two kinds have this name");
	for (size_t i = 0; loom_topo_kind_at(i); i++) { // multistage ones
		kind = *loom_topo_kind_at(i);
		if (kind.link)
			continue;
		kind.route_next = NULL;
		refused(&kind, "it has no link, next and link_name, nor a route_next");
	}
}

// --- read_size -----------------------------------------------------------------------------------------------------

static struct loom_topo filled; // what read_size says

static int read_filled(struct loom_topo *t, const char *size, struct loom_err *err)
{
	const struct loom_topo_kind *kind = t->kind;
	(void)size, (void)err;
	*t = filled;
	t->kind = kind;
	return 0;
}

static struct loom_topo_kind reading(void)
{
	struct loom_topo_kind kind = hex_kind;
	assert_int_equal(loom_topo_of_size(&filled, &hex_kind, "3x5", NULL), 0);
	kind.read_size = read_filled;
	return kind;
}

static void test_read_size(void **state)
{
	(void)state;
	struct loom_topo t;
	struct loom_topo_kind kind = reading();
	assert_int_equal(loom_topo_of_size(&t, &kind, "3x5", NULL), 0);
	filled.n_tiles = 0;
	refused(&kind, "read_size gives n_nodes 15 and n_tiles 0; a direct network has a tile per node");
	kind = reading();
	filled.n_tiles = 16;
	refused(&kind, "read_size gives n_nodes 15 and n_tiles 16; a direct network has a tile per node");
	kind = reading();
	filled.n_nodes = filled.n_tiles = 1;
	refused(&kind, "read_size gives n_nodes 1; 2 to 1048576 are possible");
	filled.n_nodes = filled.n_tiles = LOOM_NODES_MAX + 1;
	refused(&kind, "read_size gives n_nodes 1048577; 2 to 1048576 are possible");
	filled.n_nodes = filled.n_tiles = 14;
	refused(&kind, "read_size gives n_nodes 14, and the product of its 2 extents is 15; they must be the same");
	kind = reading();
	filled.extent[1] = 0;
	refused(&kind, "read_size gives n_nodes 15, and the product of its 2 extents is 0; they must be the same");
	filled.extent[0] = filled.extent[1] = 65536; // 0 in 32 bits
	refused(&kind, "read_size gives n_nodes 15, and the product of its 2 extents is 4294967296 or more; they must "
	               "be the same");
	kind = reading();
	filled.n_dims = 0;
	refused(&kind, "read_size gives n_dims 0; 1 to 20 are possible");
	filled.n_dims = 21;
	refused(&kind, "read_size gives n_dims 21; 1 to 20 are possible");
	kind = reading();
	filled.ports = 0;
	refused(&kind, "read_size gives ports 0; 2 to 64 are possible, of a direct network one more than links");
	filled.ports = 1;
	refused(&kind, "read_size gives ports 1; 2 to 64 are possible, of a direct network one more than links");
	filled.ports = 65;
	refused(&kind, "read_size gives ports 65; 2 to 64 are possible, of a direct network one more than links");
	kind = reading();
	kind.router = LOOM_ROUTER_ORDER;
	refused(&kind,
	        "read_size gives ports 7, and LOOM_ROUTER_ORDER needs 5 in 2 dimensions; LOOM_ROUTER_TABLE takes "
	        "any");
	filled.ports = 3;
	kind.complements_bits = true;
	refused(&kind, "complements_bits, and extent[0] is 5, not 2");
	kind.wraps = true;
	refused(&kind, "wraps, and complements_bits, whose dimensions are no rings");
	// A size that is wrong is the user's fault.
	struct loom_err err = {0};
	assert_int_equal(loom_topo_of_size(&t, &hex_kind, "3", &err), LOOM_EINPUT);
}

static void write_backwards(const struct loom_topo *t, char out[40])
{
	(void)snprintf(out, 40, "%ux%u", t->extent[0], t->extent[1]);
}

static void test_write_size(void **state)
{
	(void)state;
	struct loom_topo_kind kind = hex_kind;
	kind.write_size = write_backwards;
	refused(&kind, "of its own extents it makes the size \"5x3\", and read_size reads another");
}

// --- Links ---------------------------------------------------------------------------------------------------------

static uint32_t at_node; // where the mistake is
static unsigned at_link;
static uint32_t lies_v;
static unsigned lies_q;

static bool lying_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	bool there = hex_kind.link(t, u, p, v, q);
	if (u != at_node || p != at_link)
		return there;
	*v = lies_v;
	*q = lies_q;
	return true;
}

static bool forgetful_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	return (u != at_node || p != at_link) && hex_kind.link(t, u, p, v, q);
}

static void lie(uint32_t u, unsigned p, uint32_t v, unsigned q)
{
	at_node = u;
	at_link = p;
	lies_v = v;
	lies_q = q;
}

static void same_name(const struct loom_topo *t, unsigned p, char out[16])
{
	(void)t;
	(void)snprintf(out, 16, "%s", p == 2 || p == 5 ? "down" : (const char *[]){"a", "b", "c", "d", "e"}[p]);
}

// hex:3x5: nodes 0 to 4, 5 to 9, 10 to 14.
static void test_links(void **state)
{
	(void)state;
	struct loom_topo_kind kind = hex_kind;
	kind.link = lying_link;
	lie(7, 2, 15, 3);
	refused(&kind, "link 2 of node 7 leads to node 15; there are nodes 0 to 14");
	lie(14, 0, UINT32_MAX, 1); // over the edge
	refused(&kind, "link 0 of node 14 leads to node 4294967295; there are nodes 0 to 14");
	lie(7, 2, 12, 6);
	refused(&kind, "link 2 of node 7 leads to node 12 and back by its link 6; there are links 0 to 5");
	lie(0, 0, 14, 0);
	refused(&kind, "link 0 of node 0 leads to node 14 and back by its link 0, which does not exist");
	lie(0, 0, 6, 1);
	refused(&kind,
	        "link 0 of node 0 leads to node 6 and back by its link 1, but that one leads to node 5 and back by "
	        "link 0");
	lie(0, 0, 1, 2); // a link of node 1, but not the one that leads here
	refused(&kind,
	        "link 0 of node 0 leads to node 1 and back by its link 2, but that one leads to node 6 and back by "
	        "link 3");
	kind.link = forgetful_link;
	lie(8, 5, 0, 0);
	refused(&kind, "link 4 of node 12 leads to node 8 and back by its link 5, which does not exist");
	kind = hex_kind;
	kind.link_name = same_name;
	refused(&kind, "links 2 and 5 are both called \"down\"");
}

// A lie at any node and link is noticed, on a fabric as large as are checked as a whole.
static void test_links_anywhere(void **state)
{
	(void)state;
	struct loom_topo_kind kind = hex_kind;
	kind.link = lying_link;
	for (uint32_t u = 0; u < 15; u++)
		for (unsigned p = 0; p < HEX_LINKS; p++) {
			struct loom_topo t;
			lie(u, p, 15, 0);
			assert_int_equal(loom_topo_of_size(&t, &kind, "3x5", NULL), LOOM_EINTERNAL);
		}
	lie(65535, 1, 65534, 1);
	refused_at(
		&kind, "256x256",
		"link 0 of node 65534 leads to node 65535 and back by its link 1, but that one leads to node 65534 and "
		"back by link 1");
}

// --- Ways ----------------------------------------------------------------------------------------------------------

static enum loom_rule of_rule;
static uint32_t of_destination;

static unsigned lying_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	if (here == at_node && destination == of_destination && rule == of_rule)
		return at_link;
	return hex_kind.next(t, here, destination, rule);
}

static void lie_next(uint32_t here, uint32_t destination, enum loom_rule rule, unsigned p)
{
	at_node = here;
	of_destination = destination;
	of_rule = rule;
	at_link = p;
}

static void test_ways(void **state)
{
	(void)state;
	struct loom_topo_kind kind = hex_kind;
	kind.next = lying_next;
	lie_next(3, 9, LOOM_RULE_ASCENDING, 6);
	refused(&kind, "next says that a message to node 9 leaves node 3 by link 6, and it has no such link");
	lie_next(4, 9, LOOM_RULE_DESCENDING, 0); // at the edge
	refused(&kind, "next says that a message to node 9 leaves node 4 by link 0, and it has no such link");
	lie_next(3, 9, LOOM_RULE_DESCENDING, 1); // back to where it came from
	refused(&kind, "by next a message from node 0 to node 9 never arrives: after 15 links it is at node 3");
	// Every step back to the previous node is found, and no detour counts as a mistake.
	unsigned n_wrong = 0;
	for (uint32_t here = 0; here < 15; here++)
		for (uint32_t to = 0; to < 15; to++)
			for (unsigned p = 0; p < HEX_LINKS; p++) {
				struct loom_topo t;
				uint32_t v;
				unsigned q;
				assert_int_equal(loom_topo_of_size(&t, &hex_kind, "3x5", NULL), 0);
				if (here == to)
					continue;
				lie_next(here, to, LOOM_RULE_ASCENDING, p);
				bool never = !hex_kind.link(&t, here, p, &v, &q);
				for (; !never && v != to && v != here;)
					assert_true(hex_kind.link(&t, v, hex_kind.next(&t, v, to, of_rule), &v, &q));
				never = never || v == here;
				n_wrong += never;
				assert_int_equal(loom_topo_of_size(&t, &kind, "3x5", NULL), never ? LOOM_EINTERNAL : 0);
			}
	assert_true(n_wrong > 100);
}

static unsigned never_right(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	(void)destination, (void)rule;
	return here % t->extent[0] + 1 < t->extent[0] ? 0 : 1;
}

static unsigned row_last(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	return loom_grid_next(t, here, destination, (enum loom_rule) !rule);
}

static void test_ways_of_large_ones(void **state)
{
	(void)state;
	struct loom_topo_kind kind = hex_kind;
	kind.next = never_right;
	static const char *const sizes[] = {"8x8", "16x16", "256x257", "1024x1024"};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_of_size(&t, &kind, sizes[i], &err), LOOM_EINTERNAL);
		assert_non_null(strstr(err.text, " never arrives: "));
	}
	// Routers that go by dimension order do not ask next.
	kind = *loom_topo_kind_by_code(11);
	kind.name = "mash";
	kind.code = 99;
	struct loom_topo t;
	assert_int_equal(loom_topo_of_size(&t, &kind, "3x5", NULL), 0);
	kind.next = row_last;
	refused(&kind,
	        "next says that a message to node 0 leaves node 6 by link 3, and its routers (LOOM_ROUTER_ORDER) "
	        "take link 1; LOOM_ROUTER_TABLE follows next");
	kind.router = LOOM_ROUTER_TABLE;
	assert_int_equal(loom_topo_of_size(&t, &kind, "3x5", NULL), 0);
	kind = *loom_topo_kind_by_code(1);
	kind.name = "kube";
	kind.code = 99;
	assert_int_equal(loom_topo_of_size(&t, &kind, "3", NULL), 0);
}

// --- Sizes ---------------------------------------------------------------------------------------------------------

static void says(const struct loom_topo_kind *kind, const char *size, unsigned least, unsigned most, const char *text)
{
	struct loom_topo t = {.kind = kind};
	struct loom_err err = {0};
	uint32_t n = 12345;
	int rc = loom_size_extents(&t, &n, size, least, most, &err);
	assert_int_equal(rc, *text ? LOOM_EINPUT : 0);
	if (rc != 0 ? n != 12345 : n == 12345)
		fail_msg("%s: n_nodes %u", size, n);
	if (strcmp(err.text, text) != 0)
		fail_msg("%s: \"%s\" is not \"%s\"", size, err.text, text);
}

static void test_extents(void **state)
{
	(void)state;
	const char *two =
		"the size of hex is its rows and columns: 2 numbers from 1 to 1048576 with an x between, such as "
		"hex:4x4";
	static const char *const bad[] = {"",    "4",   "4x",  "x4",   "4x4x4", "4x4x",
	                                  "0x4", "4x0", "4y4", "4x4 ", "-1x4",  "99999999999999999999x2"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		says(&hex_kind, bad[i], 2, 2, two);
	says(&hex_kind, "3x4", 2, 2, "");
	says(&hex_kind, "1x1", 2, 2, "that is 1 node; 2 to 1048576 nodes are possible");
	says(&hex_kind, "1024x1025", 2, 2, "that is too many nodes; 2 to 1048576 nodes are possible");
	says(&hex_kind, "4x", 1, 1,
	     "the size of hex is its rows and columns: 1 number from 1 to 1048576, such as hex:4");
	says(&hex_kind, "4x4", 3, 4,
	     "the size of hex is its rows and columns: 3 to 4 numbers from 1 to 1048576 with an x between, such as "
	     "hex:4x4x4");
	says(&hex_kind, "4x4x4x4x4", 3, 4,
	     "the size of hex is its rows and columns: 3 to 4 numbers from 1 to 1048576 with an x between, such as "
	     "hex:4x4x4");
	says(&hex_kind, "4x4x4", 3, 4, "");
	says(&hex_kind, "4x4x4x4", 3, 4, "");
	says(&hex_kind, "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", 16, 16, "");
	says(&hex_kind, "2", 16, 16,
	     "the size of hex is its rows and columns: 16 numbers from 1 to 1048576 with an x between, such as "
	     "hex:4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),      cmocka_unit_test(test_row),
		cmocka_unit_test(test_read_size), cmocka_unit_test(test_write_size),
		cmocka_unit_test(test_links),     cmocka_unit_test(test_links_anywhere),
		cmocka_unit_test(test_ways),      cmocka_unit_test(test_ways_of_large_ones),
		cmocka_unit_test(test_extents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
