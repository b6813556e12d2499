// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All of libflitloom. `pkg-config --cflags --libs flitloom`; docs/library.md has an example.
#ifndef FLITLOOM_H
#define FLITLOOM_H

// To plan, run and read what came of it.
#include <flitloom/back_to_back.h>
#include <flitloom/circuits.h>
#include <flitloom/demand.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/goal.h>
#include <flitloom/interval.h>
#include <flitloom/long_list.h>
#include <flitloom/link.h>
#include <flitloom/machine.h>
#include <flitloom/pattern.h>
#include <flitloom/plan.h>
#include <flitloom/planner.h>
#include <flitloom/report.h>
#include <flitloom/report_request.h>
#include <flitloom/run.h>
#include <flitloom/timing.h>
#include <flitloom/topo.h>
#include <flitloom/trace.h>
#include <flitloom/traffic.h>
#include <flitloom/verdict.h>
#include <flitloom/version.h>

// The mathematics alone, without a plan.
#include <flitloom/math/admissible.h>
#include <flitloom/math/benes.h>
#include <flitloom/math/fft.h>
#include <flitloom/math/formula.h>
#include <flitloom/math/gf2.h>
#include <flitloom/math/latin.h>
#include <flitloom/math/lcc.h>
#include <flitloom/math/lcc_set.h>
#include <flitloom/math/line_passes.h>
#include <flitloom/math/min.h>
#include <flitloom/math/min_passes.h>
#include <flitloom/math/otis.h>
#include <flitloom/math/otis_embeddings.h>
#include <flitloom/math/payload.h>

// Networks and routes of your own.
#include <flitloom/routes/certificate.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/graph.h>
#include <flitloom/routes/pair_routes.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/routes/route_tables.h>
#include <flitloom/routes/routes.h>
#include <flitloom/routes/rule_freedom.h>
#include <flitloom/routes/via.h>
#include <flitloom/routes/virtual_networks.h>

// A chip, its registers, and the way there.
#include <flitloom/link/chip.h>
#include <flitloom/link/image.h>
#include <flitloom/link/open_fabric.h>
#include <flitloom/link/pipe.h>
#include <flitloom/link/register_name.h>
#include <flitloom/link/regmap.h>
#include <flitloom/link/session.h>
#include <flitloom/link/stream.h>

#endif
