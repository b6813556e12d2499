// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/link.h>

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "links/links.h"

static const struct loom_link_kind *const kinds[] = {
	&loom_link_sim, &loom_link_model, &loom_link_sim_uart, &loom_link_uart, &loom_link_ftdi, &loom_link_fault,
};

const struct loom_link_kind *loom_link_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

// Returns a kind: the caller's first, then flitloom's.
static const struct loom_link_kind *kind_at(size_t i, const struct loom_link_options *options)
{
	const struct loom_link_kind *const *own = options ? options->kinds : NULL;
	size_t n_own = 0;
	for (; own && own[n_own]; n_own++)
		if (n_own == i)
			return own[i];
	return loom_link_kind_at(i - n_own);
}

static const char *kind_name(size_t i, const void *options)
{
	const struct loom_link_kind *kind = kind_at(i, options);
	return kind ? kind->name : NULL;
}

int loom_link_find(const struct loom_link_kind **out, const char **argument, const char *spec,
                   const struct loom_link_options *options, struct loom_err *err)
{
	size_t length = strcspn(spec, ":");
	const struct loom_link_kind *kind;
	for (size_t i = 0; (kind = kind_at(i, options)); i++)
		if (strlen(kind->name) == length && strncmp(kind->name, spec, length) == 0) {
			*argument = spec[length] ? spec + length + 1 : "";
			*out = kind;
			return 0;
		}
	char word[64], hint[110];
	(void)snprintf(word, sizeof word, "%.*s", length < 60 ? (int)length : 60, spec);
	return loom_fail(err, LOOM_EINPUT, "unknown link \"%.60s\"; %s", spec,
	                 loom_suggest_hint_from(hint, sizeof hint, word, kind_name, options));
}

int loom_link_open(struct loom_link *out, const char *spec, const struct loom_link_options *options,
                   struct loom_err *err)
{
	struct loom_link link = {.timeout_ms =
	                                 options && options->timeout_ms ? options->timeout_ms : LOOM_LINK_TIMEOUT_MS};
	const char *argument;
	int code = loom_link_find(&link.kind, &argument, spec, options, err);
	if (code == 0)
		code = link.kind->open(&link, argument, options, err);
	if (code == 0)
		*out = link;
	return code;
}

int loom_link_expect(struct loom_chip *out, const char *spec, const struct loom_link_options *options,
                     struct loom_err *err)
{
	const struct loom_link_kind *kind;
	const char *argument;
	struct loom_chip chip = {0};
	int code = loom_link_find(&kind, &argument, spec, options, err);
	if (code == 0 && kind->expect)
		code = kind->expect(&chip, argument, options, err);
	if (code == 0)
		*out = chip;
	return code;
}

int loom_link_read(struct loom_link *link, uint32_t address, uint32_t *out, size_t n_words, unsigned timeout_ms,
                   struct loom_err *err)
{
	const struct loom_transfer one = {.address = address, .n_words = n_words, .read = out};
	return link->kind->transfer(link, &one, 1, timeout_ms, err);
}

int loom_link_write(struct loom_link *link, uint32_t address, const uint32_t *words, size_t n_words,
                    unsigned timeout_ms, struct loom_err *err)
{
	const struct loom_transfer one = {.address = address, .n_words = n_words, .write = words};
	return link->kind->transfer(link, &one, 1, timeout_ms, err);
}

void loom_link_close(struct loom_link *link)
{
	if (link && link->kind) {
		link->kind->close(link);
		*link = (struct loom_link){0};
	}
}
