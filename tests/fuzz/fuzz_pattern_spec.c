// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

// A fuzzer must not open files of its own choice. Of a set, only one whose every member is harmless is let through; the
// first has to be followed by a +, or else it could be a file itself.
static int names_a_file(const char *spec)
{
	if (begins(spec, "set:")) {
		spec += 4;
		size_t first = strcspn(spec, "+");
		if (!spec[first] || memchr(spec, '.', first) || memchr(spec, '/', strcspn(spec, "+:")))
			return 1;
		for (const char *member = spec; member; member = strchr(member, '+')) {
			member += *member == '+';
			if (begins(member, "perm:") || names_a_file(member))
				return 1;
		}
		return 0;
	}
	if (begins(spec, "perm:"))
		return spec[5 + strspn(spec + 5, "0123456789, \t")] != 0;
	return begins(spec, "lcc:") || begins(spec, "messages:") || begins(spec, "goal:");
}

// A shape from the seed: if its high bit is set, as many extents of what its other bits say as divide n_nodes, then what
// is left. 0 is no extent, and makes a shape that must be refused.
static void choose_shape(struct loom_pattern_options *options, uint32_t extent[LOOM_PATTERN_DIMS_MAX], uint32_t n_nodes)
{
	uint32_t side = options->seed & 0x7f;
	if (!(options->seed & 0x80))
		return;
	while (side > 1 && n_nodes > 0 && n_nodes % side == 0) {
		extent[options->n_dims++] = side;
		n_nodes /= side;
	}
	if (side < 2)
		extent[options->n_dims++] = side;
	extent[options->n_dims++] = n_nodes;
	options->extent = extent;
}

// The first two bytes are the number of processors, the third the seed, which also says the shape, the rest the
// specification.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char spec[256];
	if (size < 3 || size - 3 >= sizeof spec)
		return 0;
	memcpy(spec, data + 3, size - 3);
	spec[size - 3] = 0;
	if (names_a_file(spec))
		return 0;

	uint32_t n_nodes = (uint32_t)data[0] << 8 | data[1];
	struct loom_pattern p;
	uint32_t extent[LOOM_PATTERN_DIMS_MAX];
	struct loom_pattern_options options = {.flits = 1, .seed = data[2]};
	choose_shape(&options, extent, n_nodes);
	struct loom_err err = {0};
	int code = loom_pattern_parse(&p, spec, n_nodes, &options, &err);
	if (code) {
		if (code != err.code || !err.text[0])
			abort();
		return 0;
	}
	if (p.n_nodes != n_nodes || p.n_messages == 0 || p.n_members == 0)
		abort();
	for (size_t i = 0; i < p.n_messages; i++)
		if (p.messages[i].source >= n_nodes || p.messages[i].destination >= n_nodes ||
		    (p.messages[i].flits != 1 && !p.timing) || p.messages[i].member >= p.n_members)
			abort();
	loom_pattern_free(&p);
	return 0;
}
