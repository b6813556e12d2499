// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_suffix.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/graph.h"
#include "topo/link_delays.h"
#include "topo/topo_ocs.h"
#include "topo/topo_otis.h"

#define NONE UINT_MAX // what "b0" and "f0" say: refused, as too many are; 0 is that nothing is said

#define DIGITS_MOST 4

// True if the first `length` bytes end in a second colon and suffixes that precede the one with the letter `before`,
// such as :v2b4 before d.
static bool ends_in_suffixes(const char *text, size_t length, char before)
{
	size_t at = length;
	while (at > 0 && text[at - 1] != ':')
		at--;
	const size_t begin = at;
	for (const char *letter = "vbdr"; *letter && *letter != before && at > 0; letter++) {
		const size_t digits = at < length && text[at] == *letter ? strspn(text + at + 1, "0123456789.") : 0;
		at += digits > 0 && at + digits < length ? digits + 1 : 0;
	}
	return begin > 0 && memchr(text, ':', begin - 1) && at > begin && at == length;
}

// Splits off a letter and a number at the end of the first `length` bytes, after the colon of the kind. Sets *number
// and *is_there if they are there. Returns the length without them. The name of a file needs another colon behind it,
// and one colon does for several suffixes.
static size_t split_number(unsigned *number, bool *is_there, const char *text, size_t length, char letter)
{
	const char *colon = strchr(text, ':');
	const bool in_file = colon && colon - text == (ptrdiff_t)strlen("graph") && strncmp(text, "graph", 5) == 0;
	size_t at = length;
	while (at > 0 && length - at < DIGITS_MOST && isdigit((unsigned char)text[at - 1]))
		at--;
	if (!colon || at == length || at < 2 || text[at - 1] != letter || (size_t)(colon - text) + 1 >= at - 1)
		return length;
	const bool has_colon = in_file && text[at - 2] == ':';
	if (in_file && !has_colon && !ends_in_suffixes(text, at - 1, letter))
		return length;
	*number = (unsigned)strtoul(text + at, NULL, 10);
	*is_there = true;
	return at - 1 - has_colon;
}

// Splits off several numbers with dots between them: the delays of links.
static size_t split_delays(struct loom_topo_suffix *out, const char *text, size_t length)
{
	unsigned of[LOOM_LINK_CLASSES_MAX], n = 0;
	bool is_there = false;
	size_t at = length;
	while (at > 0 && (isdigit((unsigned char)text[at - 1]) || text[at - 1] == '.'))
		at--;
	const char *number = text + at, *end = text + length;
	if (memchr(number, '.', length - at) == NULL) {
		const size_t left = split_number(&of[0], &is_there, text, length, 'd');
		return is_there && loom_link_delays_set(out, of, 1) == 0 ? left : length;
	}
	while (n < LOOM_LINK_CLASSES_MAX && number < end) {
		const size_t digits = strspn(number, "0123456789");
		if (digits == 0 || digits > DIGITS_MOST)
			return length;
		of[n++] = (unsigned)strtoul(number, NULL, 10);
		number += digits;
		if (number >= end)
			break;
		number++; // skips the dot
	}
	if (number != end || !isdigit((unsigned char)end[-1]))
		return length;
	// Up to the first number it has the form of a single number.
	const size_t left = split_number(&of[0], &is_there, text, at + strspn(text + at, "0123456789"), 'd');
	return is_there && loom_link_delays_set(out, of, n) == 0 ? left : length;
}

size_t loom_topo_suffix_split(struct loom_topo_suffix *out, const char *text)
{
	bool has_buffers = false, has_flit_bits = false;
	*out = (struct loom_topo_suffix){0};
	size_t length = split_number(&out->flit_bits, &has_flit_bits, text, strlen(text), 'f');
	length = split_number(&out->router_delay, &out->has_router_delay, text, length, 'r');
	length = split_delays(out, text, length);
	length = split_number(&out->buffers, &has_buffers, text, length, 'b');
	out->buffers = has_buffers && out->buffers == 0 ? NONE : out->buffers;
	out->flit_bits = has_flit_bits && out->flit_bits == 0 ? NONE : out->flit_bits;
	return length;
}

// Returns the length of the suffix that ends before `end`: a letter of `letters` and a number, or several numbers with
// dots between. Returns 0 if there is none.
static size_t one_suffix(const char *text, size_t end, const char *letters)
{
	size_t at = end;
	while (at > 0 && (isdigit((unsigned char)text[at - 1]) || text[at - 1] == '.'))
		at--;
	return at > 0 && at < end && strchr(letters, text[at - 1]) ? end - at + 1 : 0;
}

bool loom_topo_suffix_order(char out[LOOM_TOPO_NAME], const char *text)
{
	static const char letters[] = "vbdrf";
	const char *of[sizeof letters - 1] = {0};
	size_t length[sizeof letters - 1] = {0}, end = strlen(text), n;
	while ((n = one_suffix(text, end, letters)) > 0) {
		const size_t letter = (size_t)(strchr(letters, text[end - n]) - letters);
		if (of[letter]) // the letter occurs twice
			return false;
		of[letter] = text + end - n;
		length[letter] = n;
		end -= n;
		const char *colon = strchr(text, ':');
		end -= end > 0 && text[end - 1] == ':' && colon < text + end - 1;
	}
	const bool is_file = text[end] == ':';
	int used = snprintf(out, LOOM_TOPO_NAME, "%.*s%s", (int)end, text, is_file ? ":" : "");
	for (size_t i = 0; i < sizeof letters - 1 && used >= 0 && used < LOOM_TOPO_NAME; i++)
		used += snprintf(out + used, (size_t)(LOOM_TOPO_NAME - used), "%.*s", (int)length[i],
		                 of[i] ? of[i] : "");
	return used >= 0 && used < LOOM_TOPO_NAME && strcmp(out, text) != 0;
}

// Refuses slower links or routers on fabrics that cannot have them.
static int check_slower(const struct loom_topo *t, const char *what, unsigned cycles, unsigned most,
                        struct loom_err *err)
{
	const char *plural = cycles == 1 ? "" : "s";
	if (cycles > most)
		return loom_fail(err, LOOM_EINPUT, "%s that are %u cycle%s slower, on %.60s; 0 to %u are possible",
		                 what, cycles, plural, t->name, most);
	if (cycles > 0 && (t->kind->router == LOOM_ROUTER_STAGES || loom_topo_has_circuits(t)))
		return loom_fail(err, LOOM_EINPUT,
		                 "%s that are %u cycle%s slower, on %.60s; those of direct networks can be, such as "
		                 "mesh:4x4",
		                 what, cycles, plural, t->name);
	if (cycles > 0 && loom_otis_has_light(t))
		return loom_fail(err, LOOM_EINPUT,
		                 "%s that are %u cycle%s slower, on %.60s; those of an otis-mesh can be where its "
		                 "light is a wire, without l and w",
		                 what, cycles, plural, t->name);
	return 0;
}

static unsigned told(unsigned n)
{
	return n == NONE ? 0 : n;
}

static int check(const struct loom_topo *t, unsigned buffers, unsigned link_delay, unsigned router_delay,
                 struct loom_err *err)
{
	int rc;
	if (buffers < LOOM_BUFFERS_USUAL || buffers > LOOM_BUFFERS_MAX)
		return loom_fail(err, LOOM_EINPUT, "buffers of %u flit%s, on %.60s; %d to %d are possible",
		                 told(buffers), buffers == 1 ? "" : "s", t->name, LOOM_BUFFERS_USUAL, LOOM_BUFFERS_MAX);
	if (buffers != LOOM_BUFFERS_USUAL && loom_topo_has_circuits(t))
		return loom_fail(err, LOOM_EINPUT,
		                 "buffers of %u flits, on %.60s, whose light goes through without any", buffers,
		                 t->name);
	rc = check_slower(t, "links", link_delay, LOOM_LINK_DELAY_MAX, err);
	return rc != 0 ? rc : check_slower(t, "routers", router_delay, LOOM_ROUTER_DELAY_MAX, err);
}

static int check_flit(const struct loom_topo *t, unsigned bits, struct loom_err *err)
{
	if (bits == 0 || (bits >= loom_topo_flit_least(t) && bits <= LOOM_FLIT_BITS_MAX))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "flits of %u bits, on %.60s; %u to %d are possible, which hold a header",
	                 told(bits), t->name, loom_topo_flit_least(t), LOOM_FLIT_BITS_MAX);
}

int loom_topo_suffix_set(struct loom_topo *t, const struct loom_topo_suffix *suffix, struct loom_err *err)
{
	struct loom_topo_suffix before;
	char delays_text[LOOM_LINK_DELAYS_TEXT] = "";
	const struct loom_link_delays delays = suffix->has_link_delay ? suffix->delays : t->delays;
	const unsigned buffers = suffix->buffers ? suffix->buffers : t->buffers,
		       link_delay = suffix->has_link_delay ? suffix->link_delay : t->link_delay,
		       router_delay = suffix->has_router_delay ? suffix->router_delay : t->router_delay,
		       flit_bits = suffix->flit_bits ? suffix->flit_bits : t->flit_bits;
	const char *colon = t->kind->is_in_file ? ":" : "";
	char text[32 + LOOM_LINK_DELAYS_TEXT] = "";
	if (t->graph && t->graph->damage)
		return t->graph->damage->set_suffix(t, suffix, err);
	const bool in_file = t->graph && t->graph->delay;
	int rc = check(t, buffers, link_delay, router_delay, err);
	if (rc == 0)
		rc = check_flit(t, flit_bits, err);
	if (rc == 0 && in_file && suffix->has_link_delay)
		rc = loom_fail(err, LOOM_EINPUT,
		               "%.60s says the delays of its links itself; leave out one for all of them", t->name);
	if (rc == 0)
		rc = loom_link_delays_check(t, &delays, err);
	if (rc != 0)
		return rc;
	loom_link_delays_write(delays_text, &delays, link_delay);
	const size_t length = loom_topo_suffix_split(&before, t->name);
	if (buffers != LOOM_BUFFERS_USUAL)
		(void)snprintf(text, sizeof text, "%sb%u", colon, buffers);
	if (link_delay != 0 && !in_file)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", colon, delays_text);
	if (router_delay != 0)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%sr%u", colon, router_delay);
	if (flit_bits != 0)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%sf%u", colon, flit_bits);
	if (length + strlen(text) >= sizeof t->name)
		return loom_fail(err, LOOM_EINPUT, "%.60s: its name is too long for %s behind it", t->name, text);
	memcpy(t->name + length, text, strlen(text) + 1);
	t->buffers = buffers;
	t->link_delay = link_delay;
	t->delays = delays;
	t->router_delay = router_delay;
	t->flit_bits = flit_bits;
	return 0;
}

int loom_topo_set_buffers(struct loom_topo *t, unsigned buffers, struct loom_err *err)
{
	const struct loom_topo_suffix suffix = {.buffers = buffers};
	if (buffers == 0)
		return check(t, buffers, 0, 0, err);
	return loom_topo_suffix_set(t, &suffix, err);
}

int loom_topo_set_link_delay(struct loom_topo *t, unsigned cycles, struct loom_err *err)
{
	const struct loom_topo_suffix suffix = {.link_delay = cycles, .has_link_delay = true};
	return loom_topo_suffix_set(t, &suffix, err);
}

int loom_topo_set_router_delay(struct loom_topo *t, unsigned cycles, struct loom_err *err)
{
	const struct loom_topo_suffix suffix = {.router_delay = cycles, .has_router_delay = true};
	return loom_topo_suffix_set(t, &suffix, err);
}

int loom_topo_set_flit_bits(struct loom_topo *t, unsigned bits, struct loom_err *err)
{
	const struct loom_topo_suffix suffix = {.flit_bits = bits ? bits : NONE};
	return loom_topo_suffix_set(t, &suffix, err);
}
