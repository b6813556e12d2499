#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Reads traces of --perfetto by Perfetto's own schema (PyPI): there is no field that it does not know, each slice is on a track
that exists and within the slices around it, and each flow has at least two ends. tools/pypi.sh's Python runs it: see usage.
FLITLOOM: the command.

usage: test_perfetto.py            installs the schema if it is missing, and runs itself by the Python that has it
Ends in "N passed, N failed".
"""
import os
import subprocess
import sys
import tempfile
from collections import Counter

HOME = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
PYTHON = HOME + "/build/venv-perfetto/bin/python"
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
REQUESTS = (
    "run mesh:4x4 all-to-all --link model", "plan cube:4 transpose", "run cube:3 allreduce:ring --link model", "run otis-mesh:4 bpc:shuffle --link model",
    "run torus:4x4v2 uniform:9 --link model", "run omega:16 bit-reverse --link model", "run benes:8 random-perm --link model",
    "run ocs:8 uniform:6 --dark 5 --link model", f"run graph:{HOME}/tests/e2e/graphs/chords.txt:v2 all-to-all --link model", "plan line:16 complement --planner greedy",
)

if len(sys.argv) == 1:
    if subprocess.run([HOME + "/tools/pypi.sh", "perfetto"], check=False).returncode:
        sys.exit(3)
    os.execv(PYTHON, [PYTHON, __file__, "read"])

from google.protobuf import unknown_fields  # noqa: E402
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema  # noqa: E402


def unknown(message, where):
    """Names of messages that have fields beyond the schema."""
    found = [where] if len(unknown_fields.UnknownFieldSet(message)) else []
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for part in value if field.is_repeated else [value]:
                found += unknown(part, f"{where}.{field.name}")
    return found


def wrong(trace):
    """Each thing wrong with it, in words; and how many slices it has."""
    faults, tracks, depth, flows, slices = unknown(trace, "trace"), set(), Counter(), Counter(), 0
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            if track.uuid in tracks or track.parent_uuid and track.parent_uuid not in tracks:
                faults.append(f"track {track.name}: twice, or before the one that it belongs to")
            tracks.add(track.uuid)
        if packet.HasField("track_event"):
            event = packet.track_event
            flows.update([*event.flow_ids, *event.terminating_flow_ids])
            slices += event.type == schema.TrackEvent.TYPE_SLICE_BEGIN
            depth[event.track_uuid] += {schema.TrackEvent.TYPE_SLICE_BEGIN: 1, schema.TrackEvent.TYPE_SLICE_END: -1}[event.type]
            if event.track_uuid not in tracks or depth[event.track_uuid] < 0:
                faults.append(f"an event at {packet.timestamp} without a track, or an end without a beginning")
    if any(depth.values()):
        faults.append("a slice without an end")
    faults += [f"flow {flow} has one end" for flow, ends in flows.items() if ends < 2]
    return faults, slices


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for request in REQUESTS:
            name = os.path.join(folder, "it.perfetto")
            done = subprocess.run([FLITLOOM, *request.split(), "--perfetto", name, "-q"], capture_output=True, text=True, check=False)
            faults, slices = [done.stderr], 0
            if done.returncode == 0:
                trace = schema.Trace()
                with open(name, "rb") as it:
                    trace.ParseFromString(it.read())
                faults, slices = wrong(trace)
            passed, failed = (passed + 1, failed) if slices and not faults else (passed, failed + 1)
            if not slices or faults:
                print(f"FAIL {request}: {slices} slices; {faults[:3]}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
