// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Names by which other simulators know patterns.
#include <string.h>
#include <strings.h>

#include "pattern/pattern_elsewhere.h"
#include "pattern/pattern_internal.h"

struct foreign_name {
	const char *name, *whose;
	const char *ours; // NULL: flitloom has none like it
};

// _ and - are the same, and so are capitals and small letters. Names that mean the same here are not in the list.
static const struct foreign_name names[] = {
	{"bitcomp", "BookSim2", "complement"},
	{"bitrev", "BookSim2", "bit-reverse"},
	{"randperm", "BookSim2", "random-perm"},
	{"background", "BookSim2", NULL},
	{"diagonal", "BookSim2", NULL},
	{"asymmetric", "BookSim2", NULL},
	{"taper64", "BookSim2", NULL},
	{"bad_dragon", "BookSim2", NULL},
	{"badperm_yarc", "BookSim2", NULL},
	{"bit_complement", "Garnet", "complement"},
	{"bit_reverse", "Garnet", "bit-reverse"},
	{"bit_rotation", "Garnet", "unshuffle"},
	{"uniform_random", "Garnet", "uniform:COUNT"},
	{"bitreversal", "Noxim", "bit-reverse"},
	{"random", "Noxim", "uniform:COUNT"},
	{"transpose1", "Noxim", "reflect-antidiagonal"},
	{"transpose2", "Noxim", "transpose"},
};

static char folded(char c)
{
	return c == '-' ? '_' : c;
}

static int is_same(const char *name, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char a = folded(name[i]), b = folded(word[i]);
		if (!a || strncasecmp(&a, &b, 1) != 0)
			return 0;
	}
	return name[length] == 0;
}

const char *loom_pattern_elsewhere(const char *spec)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (is_same(names[i].name, spec, strlen(spec)))
			return names[i].ours;
	return NULL;
}

int loom_pattern_fail_foreign(struct loom_err *err, const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct foreign_name *n = &names[i];
		if (!is_same(n->name, word, length))
			continue;
		if (n->ours)
			return loom_fail(err, LOOM_EINPUT,
			                 "unknown pattern \"%.*s\", a name of %s: flitloom calls it \"%s\"",
			                 (int)length, word, n->whose, n->ours);
		return loom_fail(err, LOOM_EINPUT,
		                 "unknown pattern \"%.*s\", a name of %s: flitloom has none like it; list its "
		                 "messages as messages:FILE",
		                 (int)length, word, n->whose);
	}
	return 0;
}
