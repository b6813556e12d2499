// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: rtl_parameters FABRIC [PREFIX]
// The parameters of the RTL which say what network it is (rtl/net/net_fabric.sv), a line each: PREFIX (-G by default, as
// Verilator wants it), then NAME=VALUE; with the PREFIX "-chparam " it is NAME VALUE, as Yosys wants it.
#include <stdio.h>
#include <string.h>

#include "links/rtl.h"

int main(int argc, char **argv)
{
	struct loom_err err = {0};
	struct loom_rtl rtl;
	const char *prefix = argc > 2 ? argv[2] : "-G";
	if (argc < 2 || argc > 3) {
		fputs("usage: rtl_parameters FABRIC [PREFIX]\n", stderr);
		return 2;
	}
	if (loom_rtl_of_network(&rtl, argv[1], &err)) {
		fprintf(stderr, "rtl_parameters: %s\n", err.text);
		return 2;
	}
	for (size_t i = 0; i < rtl.n_words; i++) {
		char *name = rtl.words[i] + strlen("-G"), *value = strchr(name, '=');
		*value++ = '\0';
		printf("%s%s%c%s\n", prefix, name, strchr(prefix, ' ') ? ' ' : '=', value);
	}
	loom_rtl_free(&rtl);
	return 0;
}
