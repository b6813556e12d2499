// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "rig.h"

#include "machine_check.h"

#include <stdio.h>
#include <stdlib.h>

// Verilator's run-time leaks a name of 46 bytes when a model is closed. The model is unloaded by then, so this leak
// cannot be told from one of flitloom's by name. The unit tests look for flitloom's leaks.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static void tell(void *user, const char *text)
{
	(void)user;
	(void)fprintf(stderr, "%s\n", text);
}

static bool open_rig(struct rig *rig, const char *fabric, const char *trace_file, enum routers routers)
{
	struct loom_err err = {0};
	*rig = (struct rig){0};
	(void)snprintf(rig->fabric, sizeof rig->fabric, "%s", fabric);
	struct loom_link_options options = {.fabric = rig->fabric,
	                                    .progress = tell,
	                                    .trace_file = trace_file,
	                                    .turns = routers == ROUTERS_BY_TURNS,
	                                    .adaptive = routers == ROUTERS_THAT_CHOOSE,
	                                    .via = routers == ROUTERS_BY_WAY,
	                                    .coverage = getenv("RTL_COVERAGE") != NULL && !trace_file};
	if (loom_topo_parse(&rig->topo, fabric, &err) == 0 &&
	    loom_run_open(&rig->link, &rig->device, "sim", &options, &err) == 0)
		return true;
	printf("FAIL %s: %s\n", fabric, err.text);
	rig_close(rig);
	return false;
}

bool rig_open(struct rig *rig, const char *fabric, const char *trace_file)
{
	return open_rig(rig, fabric, trace_file, ROUTERS_USUAL);
}

bool rig_open_with(struct rig *rig, const char *fabric, enum routers routers)
{
	return open_rig(rig, fabric, NULL, routers);
}

void rig_close(struct rig *rig)
{
	loom_device_close(rig->device);
	loom_link_close(&rig->link);
	loom_topo_free(&rig->topo);
	*rig = (struct rig){0};
}

bool rig_run_image(struct rig *rig, struct run *run, const struct loom_image_options *options)
{
	struct loom_err err = {0};
	// No run of the RTL may reach the limit that ends one which has gone wrong.
	const struct loom_run_options run_options = {.max_cycles = loom_plan_cycle_limit(&run->plan),
	                                             .back_to_back = true};
	int code = loom_run_plan(&run->trace, &run->verdict, rig->device, &run->plan, options, &run_options, &err);
	if (code)
		printf("FAIL %s %s: %s\n", rig->fabric, run->plan.pattern, err.text);
	return code == 0 && machine_agrees(rig->fabric, &run->plan, options, &run->trace);
}

bool rig_run_plan(struct rig *rig, struct run *run, enum loom_machine machine, uint64_t seed)
{
	struct loom_image_options options = {.machine = machine, .seed = seed};
	return rig_run_image(rig, run, &options);
}

bool rig_run(struct rig *rig, struct run *run, const char *map, enum loom_machine machine, uint64_t seed)
{
	struct loom_err err = {0};
	struct loom_plan_options options = {.map = map};
	if (loom_plan_make(&run->plan, &rig->topo, &run->pattern, &options, &err) != 0) {
		printf("FAIL %s %s: %s\n", rig->fabric, run->pattern.name, err.text);
		return false;
	}
	return rig_run_plan(rig, run, machine, seed);
}

void run_free(struct run *run)
{
	loom_verdict_free(&run->verdict);
	loom_trace_free(&run->trace);
	loom_plan_free(&run->plan);
	loom_pattern_free(&run->pattern);
	*run = (struct run){0};
}
