// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles "-": standard input in place of a file that is read, standard output in place of one that is written.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "cli.h"

#define BYTES_MOST ((size_t)64 << 20)

static bool is_standard(const char *path)
{
	return path && loom_file_is_standard(path);
}

// Finds "lcc:-", or a set with such a member: only these kinds take a file.
static bool is_standard_pattern(const char *pattern)
{
	static const char *const kinds[] = {"perm:-", "lcc:-",     "set:-",   "messages:-",
	                                    "goal:-", "traffic:-", "matrix:-"};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(pattern, kinds[i]) == 0)
			return true;
	bool found = false;
	if (strncmp(pattern, "set:", 4) == 0)
		for (const char *at = pattern + 4; !found && *at; at += strcspn(at, "+"), at += *at == '+')
			found = strncmp(at, "lcc:-", 5) == 0 && strchr("+", at[5]);
	return found;
}

// Finds "graph:-", with or without lanes.
static bool is_standard_graph(const char *fabric)
{
	static const char standard[] = "graph:-";
	size_t n = sizeof standard - 1;
	return strncmp(fabric, standard, n) == 0 && (fabric[n] == '\0' || fabric[n] == ':');
}

// Returns the word of the command line whose file is standard input, except the fabric; NULL: none.
static const char *word_that_reads(const struct cli_request *request)
{
	if (!cli_takes(request->command, CLI_PLANNER)) // plans nothing
		return NULL;
	if (cli_is_file(request) && is_standard(request->words[0]))
		return "the plan";
	return request->n_words == 2 && is_standard_pattern(request->words[1]) ? "the pattern" : NULL;
}

// Reads a map as text: the end of a line counts as a comma, and none is needed at the end.
static int read_map(struct cli_request *request, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_file_read(&text, &length, "-", BYTES_MOST, err);
	if (rc != 0)
		return rc;
	while (length > 0 && strchr(", \t\r\n", text[length - 1]))
		length--;
	char *map = malloc(length + 1);
	if (!map) {
		free(text);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %zu bytes", length);
	}
	memcpy(map, text, length);
	map[length] = '\0';
	free(text);
	for (char *c = map; *c; c++)
		if (*c == '\n')
			*c = ',';
		else if (*c == '\r' || *c == '\t')
			*c = ' ';
	request->map = request->standard_map = map;
	return *map ? 0 : loom_fail(err, LOOM_EINPUT, "--map: standard input is empty");
}

// Keeps the contents of a pipe as a file in memory, because a comparison and a sweep read their words more than once.
static int keep_input(struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_file_read(&text, &length, "-", BYTES_MOST, err);
	if (rc != 0)
		return rc;
	int fd = memfd_create("standard input", MFD_CLOEXEC);
	bool kept = fd >= 0;
	for (size_t at = 0; kept && at < length;) {
		ssize_t n = write(fd, text + at, length - at);
		kept = n > 0 || (n < 0 && errno == EINTR);
		at += n > 0 ? (size_t)n : 0;
	}
	kept = kept && dup2(fd, STDIN_FILENO) >= 0;
	int reason = errno;
	if (fd >= 0)
		(void)close(fd);
	free(text);
	return kept ? 0 : loom_fail(err, LOOM_EFILE, "standard input: cannot be kept: %s", strerror(reason));
}

static int set_output(struct cli_request *request, enum cli_option option, const char *path, struct loom_err *err)
{
	if (!is_standard(path))
		return 0;
	if (option == CLI_TRACE)
		return loom_fail(err, LOOM_EINPUT,
		                 "--trace: a waveform cannot go to standard output: its writer goes back in the file; "
		                 "give it a name");
	if (request->json || request->standard_output)
		return loom_fail(err, LOOM_EINPUT, "--%s and --%s both write standard output",
		                 request->json ? cli_option_name(CLI_JSON) : cli_option_name(request->standard_option),
		                 cli_option_name(option));
	request->standard_output = true;
	request->standard_option = option;
	return 0;
}

int cli_standard_begin(struct cli_request *request, struct loom_err *err)
{
	int rc = 0;
	struct cli_output outputs[CLI_OUTPUTS_MAX];
	size_t n = cli_outputs(outputs, request);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = set_output(request, outputs[i].option, outputs[i].path, err);
	if (rc != 0)
		return rc;
	const char *reads = word_that_reads(request);
	bool reads_graph = request->n_words > 0 && is_standard_graph(request->words[0]);
	if (reads && reads_graph)
		return loom_fail(err, LOOM_EINPUT, "the fabric and %s both come from standard input", reads);
	if (reads_graph)
		reads = "the fabric";
	if (reads && is_standard(request->tables))
		return loom_fail(err, LOOM_EINPUT, "%s and --tables both come from standard input", reads);
	if (is_standard(request->tables))
		reads = "the tables";
	if (reads && is_standard(request->map))
		return loom_fail(err, LOOM_EINPUT, "%s and --map both come from standard input", reads);
	if (is_standard(request->map))
		return read_map(request, err);
	return reads ? keep_input(err) : 0;
}

void cli_standard_end(struct cli_request *request)
{
	free(request->standard_map);
	request->standard_map = NULL;
}
