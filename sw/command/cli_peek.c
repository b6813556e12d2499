// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom peek and poke: read and write words behind a link, whatever they mean. For bring-up: only the link is
// checked.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link.h>
#include <flitloom/link/register_name.h>
#include <flitloom/topo.h>

#include "cli.h"
#include "cli_terminal.h"

#define WORDS_MOST 65536u

int cli_open_link(struct loom_link *out, const struct cli_request *request, struct loom_err *err)
{
	struct loom_topo topo = {0};
	struct cli_progress progress;
	int rc = request->fabric ? loom_topo_parse(&topo, request->fabric, err) : 0;
	if (rc != 0)
		return rc;
	cli_progress_init(&progress, request);
	const struct loom_link_options options = {.fabric = request->fabric ? topo.name : NULL,
	                                          .topo = request->fabric ? &topo : NULL,
	                                          .timeout_ms = request->timeout_ms,
	                                          .progress = cli_progress_model,
	                                          .user = &progress};
	rc = loom_link_open(out, request->words[0], &options, err);
	cli_progress_end(&progress);
	loom_topo_free(&topo);
	return rc;
}

static int number(uint32_t *out, const char *text, const char *what, uint32_t least, uint32_t most,
                  struct loom_err *err)
{
	char *end;
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	unsigned long long value = strtoull(digits, &end, hex ? 16 : 10);
	if (!*digits || strspn(digits, "0123456789abcdefABCDEF") != strlen(digits) || *end || strlen(digits) > 10 ||
	    value < least || value > most)
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\" is no %s in %" PRIu32 "..%" PRIu32 " (decimal, or 0x...)",
		                 text, what, least, most);
	*out = (uint32_t)value;
	return 0;
}

static int check_range(uint32_t address, size_t n, struct loom_err *err)
{
	if (n - 1 <= UINT32_MAX - address)
		return 0;
	return loom_fail(err, LOOM_EINPUT, "%zu words from 0x%08" PRIx32 " go beyond the last address, 0xffffffff", n,
	                 address);
}

static int put_json(const struct cli_request *request, uint32_t address, const uint32_t *words, size_t n,
                    struct loom_err *err)
{
	(void)putchar('{');
	const int rc = cli_put_asked(stdout, request, err);
	if (rc != 0)
		return rc;
	(void)printf(",\"address\":%" PRIu32 ",\"words\":[", address);
	for (size_t i = 0; i < n; i++)
		(void)printf("%s%" PRIu32, i ? "," : "", words[i]);
	(void)puts("]}");
	return 0;
}

int cli_peek(const struct cli_request *request, struct loom_err *err)
{
	uint32_t address = 0, n = 1;
	struct loom_link link = {0};
	int rc = loom_register_parse(&address, request->words[1], err);
	if (rc == 0 && request->n_words > 2)
		rc = number(&n, request->words[2], "number of words", 1, WORDS_MOST, err);
	if (rc == 0)
		rc = check_range(address, n, err);
	if (rc != 0)
		return rc;
	uint32_t *words = calloc(n, sizeof *words);
	if (!words)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " words", n);
	rc = cli_open_link(&link, request, err);
	if (rc == 0)
		rc = loom_link_read(&link, address, words, n, link.timeout_ms, err);
	loom_link_close(&link);
	if (rc == 0 && request->json)
		rc = put_json(request, address, words, n, err);
	for (uint32_t i = 0; rc == 0 && !request->json && !request->quiet && i < n; i++) {
		char name[64];
		loom_register_name(name, sizeof name, address + i);
		(void)printf("0x%08" PRIx32 "  0x%08" PRIx32 "  %10" PRIu32 "%s%s\n", address + i, words[i], words[i],
		             *name ? "  " : "", name);
	}
	free(words);
	return rc;
}

int cli_poke(const struct cli_request *request, struct loom_err *err)
{
	uint32_t address = 0;
	size_t n = (size_t)request->n_words - 2;
	struct loom_link link = {0};
	int rc = loom_register_parse(&address, request->words[1], err);
	if (rc == 0)
		rc = check_range(address, n, err);
	if (rc != 0)
		return rc;
	uint32_t *words = calloc(n, sizeof *words);
	if (!words)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu words", n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = number(&words[i], request->words[i + 2], "word", 0, UINT32_MAX, err);
	if (rc == 0)
		rc = cli_open_link(&link, request, err);
	if (rc == 0)
		rc = loom_link_write(&link, address, words, n, link.timeout_ms, err);
	loom_link_close(&link);
	if (rc == 0 && request->json)
		rc = put_json(request, address, words, n, err);
	free(words);
	return rc;
}
