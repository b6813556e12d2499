// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the costs of an FFT's parts on a processor: "software=164,half=4.47".
#include <flitloom/math/fft.h>

#include "base/named_numbers.h"

#define MOST 1e6
#define RIGHT_WOULD_BE "software=164,half=4.47"

enum { CYCLE, SOFTWARE, BUTTERFLY, HALF, POINT, FLIT, N_NAMES };

int loom_fft_costs_parse(struct loom_fft_costs *costs, const char *text, struct loom_err *err)
{
	static const char *const name[N_NAMES] = {[CYCLE] = "cycle", [SOFTWARE] = "software", [BUTTERFLY] = "butterfly",
	                                          [HALF] = "half",   [POINT] = "point",       [FLIT] = "flit"};
	static const struct loom_named_numbers names = {
		.what = "costs", .example = RIGHT_WOULD_BE, .name = name, .n = N_NAMES, .most = MOST};
	double value[N_NAMES] = {
		[CYCLE] = costs->cycle_us, [SOFTWARE] = costs->software_us, [BUTTERFLY] = costs->butterfly_us,
		[HALF] = costs->half_us,   [POINT] = costs->point_bytes,    [FLIT] = costs->flit_bytes};
	int rc = loom_named_numbers_parse(value, &names, text, err);
	if (rc)
		return rc;
	uint32_t point = (uint32_t)value[POINT], flit = (uint32_t)value[FLIT];
	if (value[CYCLE] < 1e-6)
		return loom_fail(err, LOOM_EINPUT, "costs: cycle is below 0.000001 us; such as cycle=0.57");
	if (point < 1 || flit < 1 || point != value[POINT] || flit != value[FLIT])
		return loom_fail(err, LOOM_EINPUT,
		                 "costs: point and flit are whole numbers of bytes from 1 on; such as point=16,flit=4");
	*costs = (struct loom_fft_costs){.cycle_us = value[CYCLE],
	                                 .software_us = value[SOFTWARE],
	                                 .butterfly_us = value[BUTTERFLY],
	                                 .half_us = value[HALF],
	                                 .point_bytes = point,
	                                 .flit_bytes = flit};
	return 0;
}
