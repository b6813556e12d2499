// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "unit/help/flows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char path[64];

void flows_begin(void)
{
	(void)snprintf(path, sizeof path, "/tmp/flitloom-flows-%ld", (long)getpid());
}

void flows_end(void)
{
	(void)unlink(path);
}

void flows_write(const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

int flows_parse(struct loom_traffic *out, struct loom_topo *topo, const char *fabric, const char *format,
                struct loom_err *err)
{
	uint32_t extent[LOOM_DIMS_MAX];
	char spec[400] = "";
	const char *at = strstr(format, "FILE");
	(void)snprintf(spec, sizeof spec, "%.*s%s%s", at ? (int)(at - format) : 300, format, at ? path : "",
	               at ? at + 4 : "");
	assert_int_equal(loom_topo_parse(topo, fabric, err), 0);
	const struct loom_pattern_options options = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, topo), .extent = extent};
	return loom_traffic_parse(out, spec, topo, &options, err);
}

void flows_parse_good(struct loom_traffic *out, const char *fabric, const char *format)
{
	struct loom_topo topo;
	struct loom_err err = {0};
	if (flows_parse(out, &topo, fabric, format, &err) != 0)
		fail_msg("%s: %s", format, err.text);
	loom_topo_free(&topo);
}

void assert_real(const char *what, double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-9 * (1 + fabs(wanted))))
		fail_msg("%s: %.12g instead of %.12g", what, value, wanted);
}
