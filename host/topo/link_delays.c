// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and keeps the delays of links if they differ: by class of links, or by link of a graph.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/graph.h"
#include "topo/link_delays.h"

#define DIGITS_MOST 4

static bool is_made(const struct loom_topo *t)
{
	return t->graph && t->graph->link_class;
}

// Returns the number of dimensions whose links form a class each, or 0 if links have no classes.
static unsigned dimensions(const struct loom_topo *t)
{
	const bool has_dimensions = t->kind->router == LOOM_ROUTER_ORDER || t->kind->router == LOOM_ROUTER_TABLE;
	return has_dimensions && !t->graph ? t->n_dims : 0;
}

unsigned loom_topo_link_classes(const struct loom_topo *t)
{
	const unsigned n = is_made(t) ? t->graph->wires.n_link_classes : dimensions(t);
	return n > 0 && t->kind->wraps ? n + 1 : n;
}

void loom_topo_link_class_name(const struct loom_topo *t, unsigned link_class, char out[16])
{
	if (is_made(t) && t->kind->link_classes)
		(void)snprintf(out, 16, "%s", t->kind->link_classes[link_class]);
	else if (is_made(t) || link_class < dimensions(t))
		(void)snprintf(out, 16, "%u", link_class);
	else
		(void)snprintf(out, 16, "wrap");
}

// True if link p of node u closes a ring of three nodes or more.
static bool is_wrap(const struct loom_topo *t, uint32_t u, unsigned p)
{
	const unsigned d = p / 2;
	uint32_t weight = 1;
	for (unsigned below = 0; below < d; below++)
		weight *= t->extent[below];
	const uint32_t at = u / weight % t->extent[d];
	return t->kind->wraps && t->extent[d] > 2 && at == (p % 2 == 0 ? t->extent[d] - 1 : 0);
}

static unsigned class_of(const struct loom_topo *t, uint32_t u, unsigned p)
{
	if (is_made(t))
		return t->graph->link_class[u * t->graph->n_ports + p];
	if (!t->kind->complements_bits && t->delays.n > t->n_dims && is_wrap(t, u, p))
		return t->n_dims;
	return t->kind->complements_bits ? p : p / 2;
}

unsigned loom_topo_link_delay(const struct loom_topo *t, uint32_t channel)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t), u = channel / per_tile, p = channel % per_tile;
	if (t->link_delay == 0 || p + 2 >= per_tile)
		return 0;
	if (t->graph && t->graph->delay)
		return t->graph->delay[(size_t)u * t->graph->n_ports + p];
	return t->delays.n > 0 ? t->delays.of[class_of(t, u, p)] : t->link_delay;
}

static bool go_by_class(const struct loom_topo *t)
{
	return t->delays.n > 0 && !(t->graph && t->graph->delay);
}

unsigned loom_topo_slow_group(const struct loom_topo *t, uint32_t channel)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	const unsigned delay = loom_topo_channel_exists(t, channel) ? loom_topo_link_delay(t, channel) : 0;
	if (delay == 0)
		return LOOM_SLOW_GROUPS;
	return go_by_class(t) ? class_of(t, channel / per_tile, channel % per_tile) : delay;
}

unsigned loom_topo_slow_links(struct loom_slow_links out[LOOM_SLOW_GROUPS], const struct loom_topo *t)
{
	unsigned n = 0;
	memset(out, 0, LOOM_SLOW_GROUPS * sizeof *out);
	for (uint32_t c = 0, n_channels = t->link_delay > 0 ? loom_topo_channels(t) : 0; c < n_channels; c++) {
		const unsigned group = loom_topo_slow_group(t, c);
		if (group == LOOM_SLOW_GROUPS)
			continue;
		if (out[group].n_channels++ > 0)
			continue;
		out[group].delay = loom_topo_link_delay(t, c);
		if (go_by_class(t))
			loom_topo_link_class_name(t, group, out[group].link_class);
		n++;
	}
	return n;
}

bool loom_topo_slow_text(char out[LOOM_SLOW_TEXT], const struct loom_topo *t)
{
	struct loom_slow_links links[LOOM_SLOW_GROUPS];
	const size_t room = LOOM_SLOW_TEXT - sizeof ", ... cycles";
	size_t used = 0;
	const char *comma = "", *more = "";
	out[0] = '\0';
	if (loom_topo_slow_links(links, t) == 0)
		return false;
	for (const struct loom_slow_links *at = links; at < links + LOOM_SLOW_GROUPS; at++) {
		char text[32];
		if (at->n_channels == 0)
			continue;
		const int length = snprintf(text, sizeof text, "%s%s%s%u", comma, at->link_class,
		                            *at->link_class ? ":" : "", at->delay);
		if (used + (size_t)length > room) {
			more = ", ...";
			break;
		}
		memcpy(out + used, text, (size_t)length);
		used += (size_t)length;
		comma = ", ";
	}
	(void)snprintf(out + used, LOOM_SLOW_TEXT - used, "%s cycle%s", more, t->link_delay == 1 ? "" : "s");
	return true;
}

bool loom_topo_link_delays_differ(const struct loom_topo *t)
{
	return t->delays.n > 0 || (t->graph && t->graph->delay);
}

uint32_t loom_topo_link_delays_mark(const struct loom_topo *t)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t), n = loom_topo_channels(t);
	uint32_t mark = 0x811c9dc5; // FNV-1a
	bool differ = false;
	if (!loom_topo_link_delays_differ(t))
		return 0;
	for (uint32_t c = 0; c < n; c++) {
		if (c % per_tile + 2 >= per_tile)
			continue;
		const unsigned delay = loom_topo_channel_exists(t, c) ? loom_topo_link_delay(t, c) : t->link_delay;
		differ = differ || delay != t->link_delay;
		mark = (mark ^ delay) * 0x01000193;
	}
	mark &= INT32_MAX; // a number that Verilog takes without a size
	return !differ ? 0 : mark ? mark : 1;
}

void loom_link_delays_write(char out[LOOM_LINK_DELAYS_TEXT], const struct loom_link_delays *delays, unsigned link_delay)
{
	size_t used = (size_t)snprintf(out, LOOM_LINK_DELAYS_TEXT, "d%u", delays->n ? delays->of[0] : link_delay);
	for (unsigned k = 1; k < delays->n; k++)
		used += (size_t)snprintf(out + used, LOOM_LINK_DELAYS_TEXT - used, ".%u", delays->of[k]);
}

int loom_link_delays_set(struct loom_topo_suffix *out, const unsigned *of, unsigned n)
{
	struct loom_topo_suffix suffix = *out;
	bool differ = false;
	suffix.has_link_delay = true;
	suffix.link_delay = 0;
	suffix.delays = (struct loom_link_delays){0};
	if (n == 0 || n > LOOM_LINK_CLASSES_MAX)
		return -1;
	for (unsigned k = 0; k < n; k++) {
		suffix.link_delay = of[k] > suffix.link_delay ? of[k] : suffix.link_delay;
		suffix.delays.of[k] = (uint8_t)(of[k] < 255 ? of[k] : 255);
		differ = differ || of[k] != of[0];
	}
	suffix.delays.n = differ ? n : 0;
	if (!differ)
		suffix.delays = (struct loom_link_delays){0};
	*out = suffix;
	return 0;
}

// --- Texts of an option ----------------------------------------------------------------------------------------------

static int fail_text(const struct loom_topo *t, const char *text, const char *why, struct loom_err *err)
{
	char names[160] = "", name[16];
	const unsigned n = loom_topo_link_classes(t);
	if (n == 0 && t->kind->is_in_file)
		return loom_fail(err, LOOM_EINPUT,
		                 "\"%.60s\"%s: links of %.60s have no classes; its file can say the delay of each, as "
		                 "a b delay=3",
		                 text, why, t->name);
	if (n == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "\"%.60s\"%s: links of %.60s have no classes; those of meshes, tori and cubes can "
		                 "differ by dimension, as in mesh:4x4d1.2",
		                 text, why, t->name);
	for (unsigned k = 0; k < n; k++) {
		loom_topo_link_class_name(t, k, name);
		(void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "", name);
	}
	return loom_fail(
		err, LOOM_EINPUT,
		"\"%.60s\"%s: cycles for all links, 0..%d, or CLASS:CYCLES and more of these with commas, where "
		"%.60s has the classes %s",
		text, why, LOOM_LINK_DELAY_MAX, t->name, names);
}

// Reads digits at *at, and moves it behind them. Returns LOOM_LINK_DELAY_MAX + 1 if there are none, or if the number is
// too large.
static unsigned read_cycles(const char **at)
{
	char *end;
	const size_t n = strspn(*at, "0123456789");
	const unsigned long cycles = n > 0 && n <= DIGITS_MOST ? strtoul(*at, &end, 10) : LOOM_LINK_DELAY_MAX + 1;
	*at += n;
	return cycles > LOOM_LINK_DELAY_MAX ? LOOM_LINK_DELAY_MAX + 1 : (unsigned)cycles;
}

static unsigned class_called(const struct loom_topo *t, const char *name, size_t length)
{
	char known[16];
	unsigned k = 0;
	for (; k < loom_topo_link_classes(t); k++) {
		loom_topo_link_class_name(t, k, known);
		if (strlen(known) == length && memcmp(known, name, length) == 0)
			break;
	}
	return k;
}

int loom_link_delays_parse(struct loom_topo_suffix *out, const struct loom_topo *t, const char *text,
                           struct loom_err *err)
{
	unsigned of[LOOM_LINK_CLASSES_MAX] = {0};
	bool is_said[LOOM_LINK_CLASSES_MAX] = {false};
	const unsigned n = loom_topo_link_classes(t);
	const char *at = text;
	if (isdigit((unsigned char)*text) && text[strspn(text, "0123456789")] == '\0') {
		of[0] = read_cycles(&at);
		if (of[0] > LOOM_LINK_DELAY_MAX)
			return fail_text(t, text, "", err);
		return loom_link_delays_set(out, of, 1);
	}
	for (;;) {
		const size_t length = strcspn(at, ":,");
		const unsigned k = class_called(t, at, length);
		if (at[length] != ':' || k >= n)
			return fail_text(t, text, "", err);
		at += length + 1;
		of[k] = read_cycles(&at);
		if (of[k] > LOOM_LINK_DELAY_MAX || is_said[k] || (*at != ',' && *at != '\0'))
			return fail_text(t, text, is_said[k] ? " says a class twice" : "", err);
		is_said[k] = true;
		if (*at++ == '\0')
			break;
	}
	// Links that close rings are like those of their dimension, unless the text gives their delay.
	return loom_link_delays_set(out, of, t->kind->wraps && !is_said[n - 1] ? n - 1 : n);
}

int loom_link_delays_check(const struct loom_topo *t, const struct loom_link_delays *delays, struct loom_err *err)
{
	const unsigned n = loom_topo_link_classes(t);
	if (delays->n == 0 || (n > 0 && (delays->n == n || (t->kind->wraps && delays->n + 1 == n))))
		return 0;
	if (n == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "links of several delays, on %.60s; those of meshes, tori and cubes can differ by "
		                 "dimension, as mesh:4x4d1.2",
		                 t->name);
	return loom_fail(err, LOOM_EINPUT, "%u delays of links: %.60s takes one for all links, or %u", delays->n,
	                 t->name, n);
}
