// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/link/register_name.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <flitloom/link/regmap.h>

#include "base/suggest.h"
#include "links/frame.h"

static const struct {
	const char *name;
	uint32_t address;
	bool window;      // repeated in each node or tile
	const char *text; // "RO: ...": read only; RW: read and write; WO: write only
} table[] = {
#define VERSION(v)
#define SPACE(name, base, text)
#define FIELD(owner, name, low, width, text)
#define REG(name, address, access, text) {#name, address, false, #access ": " text},
#define WINDOW(name, space, offset, text) {#name, LOOM_WINDOW_##name, true, text},
#include "chip/regmap.def"
#undef VERSION
#undef SPACE
#undef FIELD
#undef REG
#undef WINDOW
	{"LINK_MAGIC", LOOM_LINK_REG_MAGIC, false, "RO: marks this as the link of a flitloom board"},
	{"LINK_VERSION", LOOM_LINK_REG_VERSION, false, "RO: version of the link protocol"},
	{"LINK_CLOCK_HZ", LOOM_LINK_REG_CLOCK_HZ, false, "RO: frequency of the chip's clock"},
	{"LINK_BAUD", LOOM_LINK_REG_BAUD, false, "RO: symbols per second of a UART, 0 on other lines"},
	{"LINK_DAMAGED", LOOM_LINK_REG_DAMAGED, false, "RO: frames that came damaged since the chip's reset"},
	{"LINK_REFUSED", LOOM_LINK_REG_REFUSED, false, "RO: frames that the chip refused: out of order, malformed"},
	{"LINK_LOST", LOOM_LINK_REG_LOST, false, "RO: bytes that the chip lost, or that broke on the line"},
	{"LINK_UNANSWERED", LOOM_LINK_REG_UNANSWERED, false, "RO: accesses that the chip's registers did not answer"},
};
enum { N = sizeof table / sizeof table[0] };

const char *loom_register_at(size_t i)
{
	return i < N ? table[i].name : NULL;
}

uint32_t loom_register_address(size_t i)
{
	return table[i].address;
}

const char *loom_register_text(size_t i)
{
	return table[i].text;
}

bool loom_register_is_window(size_t i)
{
	return table[i].window;
}

// Reads digits up to the end; 0x begins a hexadecimal number.
static bool number(uint32_t *out, const char *text, uint32_t most)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	if (!*digits || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits) ||
	    strlen(digits) > 10)
		return false;
	unsigned long long value = strtoull(digits, NULL, hex ? 16 : 10);
	if (value > most)
		return false;
	*out = (uint32_t)value;
	return true;
}

int loom_register_parse(uint32_t *out, const char *text, struct loom_err *err)
{
	char name[40], index[16] = "", offset[16] = "";
	size_t length = strcspn(text, ".+"), rest = length, i = 0;
	uint32_t node = 0, words = 0;
	if (number(out, text, UINT32_MAX))
		return 0;
	(void)snprintf(name, sizeof name, "%.*s", length < 39 ? (int)length : 39, text);
	if (text[rest] == '.') {
		size_t n = strcspn(text + rest + 1, "+");
		(void)snprintf(index, sizeof index, "%.*s", n < 15 ? (int)n : 15, text + rest + 1);
		rest += n + 1;
	}
	if (text[rest] == '+')
		(void)snprintf(offset, sizeof offset, "%.15s", text + rest + 1);
	while (i < N && strcasecmp(table[i].name, name) != 0)
		i++;
	if (i == N) {
		for (char *c = name; *c; c++)
			*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
		const char *near = loom_suggest(name, loom_register_at);
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\" is no address (0x26, 38) and no register; %s%s%s", text,
		                 near ? "did you mean \"" : "docs/registers.md lists them", near ? near : "",
		                 near ? "\"?" : "");
	}
	if (text[length] == '.' && !table[i].window)
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\": there is one %s, without a number", text, table[i].name);
	if (text[length] != '.' && table[i].window)
		return loom_fail(
			err, LOOM_EINPUT,
			"\"%.60s\": of which node or tile? %s.0 is that of the first, %s.all writes all nodes'", text,
			table[i].name, table[i].name);
	if (table[i].window && strcmp(index, "all") == 0)
		node = LOOM_ALL_NODES;
	else if (table[i].window && !number(&node, index, LOOM_ALL_NODES - 1))
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\": after the point comes a number in 0..%u, or all", text,
		                 LOOM_ALL_NODES - 1);
	if (text[rest] == '+' && !number(&words, offset, 0xffff))
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\": after + comes a number of words in 0..65535", text);
	if (table[i].window && (table[i].address & 0xffff) + words > 0xffff)
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\" lies beyond the last word of the node or tile, %s+%u",
		                 text, table[i].name, 0xffff - (table[i].address & 0xffff));
	*out = (table[i].address | node << LOOM_INDEX_LOW) + words;
	return 0;
}

void loom_register_name(char *out, size_t size, uint32_t address)
{
	uint32_t space = address & 0xf0000000u, index = address >> LOOM_INDEX_LOW & LOOM_ALL_NODES;
	bool window = space >= LOOM_SPACE_NODE && space <= LOOM_SPACE_CIRCUIT;
	uint32_t plain = window ? address & ~(LOOM_ALL_NODES << LOOM_INDEX_LOW) : address;
	size_t best = N;
	*out = 0;
	// In a window, finds the nearest name at or below the address. Only tables have several words; a node's first
	// registers are single words.
	for (size_t i = 0; i < N; i++) {
		bool is_table = table[i].window && (space != LOOM_SPACE_NODE || (table[i].address & 0xffff) >= 0x1000);
		if (table[i].window == window && (table[i].address & 0xf0000000u) == space &&
		    (table[i].address == plain || (is_table && table[i].address < plain)) &&
		    (best == N || table[i].address > table[best].address))
			best = i;
	}
	if (best == N)
		return;
	uint32_t words = plain - table[best].address;
	char number_text[16] = "", plus[16] = "";
	if (window && index == LOOM_ALL_NODES)
		(void)snprintf(number_text, sizeof number_text, ".all");
	else if (window)
		(void)snprintf(number_text, sizeof number_text, ".%u", index);
	if (words)
		(void)snprintf(plus, sizeof plus, "+%u", words);
	(void)snprintf(out, size, "%s%s%s", table[best].name, number_text, plus);
}
