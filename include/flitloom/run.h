// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RUN_H
#define LOOM_RUN_H

#include <stdbool.h>

#include <flitloom/api.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/link/image.h>
#include <flitloom/link.h>
#include <flitloom/machine.h>
#include <flitloom/pattern.h>
#include <flitloom/plan.h>
#include <flitloom/trace.h>
#include <flitloom/verdict.h>

LOOM_API_BEGIN

// A run from end to end: fabric, pattern, plan, link, chip, image, run and verdict in one call; and its parts, for programs
// that plan by themselves, or run several plans on one chip.

// Describes a run and where it takes place. Zeroed, each field asks for the default of the call that takes it.
struct loom_run_request {
	const char *fabric;                 // "cube:4", as loom_topo_parse takes it; or
	const struct loom_topo *topo;       // the fabric itself, instead of its name; NULL: the name
	const char *spec;                   // "transpose", as loom_pattern_parse takes it; or
	const struct loom_pattern *pattern; // the pattern itself, instead of its name; NULL: the name
	// For the pattern by name. flits 0: one flit, a header. n_dims 0: the shape of the fabric.
	struct loom_pattern_options pattern_options;
	const struct loom_plan_options *plan;  // NULL: the first planner that accepts, the best map
	const char *link;                      // "sim", "model", "uart:/dev/ttyUSB1"; NULL: "sim"
	struct loom_link_options link_options; // fabric and topo are not looked at: they are those of the run
	struct loom_image_options image;
	struct loom_run_options run; // as loom_run_plan takes them
};

// The results of a run. Everything is owned: loom_run_free.
struct loom_run {
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
};

// Makes a plan, runs it and compares. Reads fabric and pattern, plans, looks whether the chip can hold the plan (before a
// model is built, where the link simulates), opens link and chip, runs the plan by loom_run_plan, and closes both; with link
// "model" it computes the run instead. The verdict
// says whether the run was as planned: a difference is no error. LOOM_EINPUT: also where there is no fabric or no pattern. Other
// errors are those of the calls that it makes. On failure *out is untouched.
int loom_run(struct loom_run *out, const struct loom_run_request *request, struct loom_err *err);
void loom_run_free(struct loom_run *run); // NULL allowed; leaves *run zeroed

// Checks what can speak against running a plan before anything is opened or built: what loom_image_check refuses, and of
// a link that tells its chip beforehand (loom_link_expect) what does not fit on it. LOOM_EINPUT, LOOM_EFIT. `options` are
// those of the link (NULL allowed); their fabric and topo are not looked at: the plan has them.
int loom_run_check(const struct loom_plan *plan, const char *link, const struct loom_link_options *options,
                   const struct loom_image_options *image, struct loom_err *err);

// Opens a link and the chip behind it. *link_out must stay where it is while the device is open; close the device first,
// then the link. LOOM_EHARDWARE: also a chip that is not the one that its link simulates, and would be checked less. On
// failure nothing is open, and both outputs are untouched.
int loom_run_open(struct loom_link *link_out, struct loom_device **device_out, const char *link,
                  const struct loom_link_options *options, struct loom_err *err);

// Runs a plan on a chip that is open: makes the image, loads it, runs it, and compares. `run` NULL: all zero.
// max_cycles 0: the limit of loom_plan_cycle_limit, plus the cycles after which the watchdog acts, because the
// watchdog of a stuck chip knows the channels on which headers wait. If the run fails, err also says what the chip
// tells of it. LOOM_ESTUCK: the channels on which headers wait, by name; if none waits, those that have not carried
// what the plan says. LOOM_ELIMIT: the messages that have not arrived; but for a free run also such channels. Up to
// four channels and three messages are named, and it is said how many there are more. A plan of one pass without
// chosen routes whose programs or logs are longer than the chip's is fed to it while it runs, if link and chip have
// stream ports (flitloom/link/stream.h); the cycles in which entries began are then those that the machine computes.
// On failure *trace and *verdict are untouched.
int loom_run_plan(struct loom_trace *trace, struct loom_verdict *verdict, struct loom_device *device,
                  const struct loom_plan *plan, const struct loom_image_options *image,
                  const struct loom_run_options *run, struct loom_err *err);

// True of link "model", on which runs are computed and no chip is opened.
bool loom_run_is_computed(const char *link);

// The same without a chip: has the machine compute the run, and compares (flitloom/machine.h, whose errors it returns).
// options->run.max_cycles 0: what loom_plan_cycle_limit says.
int loom_run_compute(struct loom_trace *trace, struct loom_verdict *verdict, const struct loom_plan *plan,
                     const struct loom_machine_options *options, struct loom_err *err);

LOOM_API_END

#endif
