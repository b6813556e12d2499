// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All of libflitloom. `pkg-config --cflags --libs flitloom`; docs/library.md has an example.
#ifndef FLITLOOM_H
#define FLITLOOM_H

#include <flitloom/admissible.h>
#include <flitloom/back_to_back.h>
#include <flitloom/benes.h>
#include <flitloom/chip.h>
#include <flitloom/deadlock.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/fft.h>
#include <flitloom/formula.h>
#include <flitloom/gf2.h>
#include <flitloom/goal.h>
#include <flitloom/graph.h>
#include <flitloom/image.h>
#include <flitloom/latin.h>
#include <flitloom/lcc.h>
#include <flitloom/lcc_set.h>
#include <flitloom/line_passes.h>
#include <flitloom/link.h>
#include <flitloom/min.h>
#include <flitloom/min_passes.h>
#include <flitloom/open_fabric.h>
#include <flitloom/otis.h>
#include <flitloom/otis_embeddings.h>
#include <flitloom/own_tables.h>
#include <flitloom/pattern.h>
#include <flitloom/payload.h>
#include <flitloom/pipe.h>
#include <flitloom/plan.h>
#include <flitloom/planner.h>
#include <flitloom/register_name.h>
#include <flitloom/report.h>
#include <flitloom/report_request.h>
#include <flitloom/route_tables.h>
#include <flitloom/routes.h>
#include <flitloom/session.h>
#include <flitloom/stream.h>
#include <flitloom/timing.h>
#include <flitloom/topo.h>
#include <flitloom/trace.h>
#include <flitloom/traffic.h>
#include <flitloom/verdict.h>
#include <flitloom/version.h>
#include <flitloom/virtual_networks.h>
#include <flitloom/regmap.h>

#endif
