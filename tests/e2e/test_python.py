#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the Python package with the command: the same figures in reports, tables, sweeps, checks and pictures on every kind of
fabric that `flitloom list fabrics` names, and the same one line for each error; Ctrl-C, progress, and the interpreter's lock.

By Debian's Python, with its cffi and NumPy; FLITLOOM: the command. Ends in "N passed, N failed".
"""
import csv
import inspect
import io
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time

import kinds
from command import HOME, check, document, main, output, run
from report_page import Page

STAGED = os.path.abspath("python-package")  # overwritten by the test that makes it
PATTERNS = ("uniform:20 --flits 6", "random-perm", "all-to-all --flits 4", "allreduce:ring --bytes 16", "shift:1 --machine paper --map identity")
# Options, each on a fabric where it has an effect.
OPTIONS = (
    "cube:4 transpose --flits 20 --map 0,1,2,3", "cube:4 transpose --place identity", "mesh:4x4 gaussian --place greedy",
    "table-mesh:4x4v2 transpose --planner reroute --load messages --detours 2", "otis-mesh:4 bpc:shuffle --cost electronic=1,otis=4",
    "cube:4 set:transpose+bit-reverse --objective maxsum", "line:6 random-perm --half-duplex", "ring:8v2 random-perm --rule one-way",
    "cube:3 uniform:30 --seed 7", "cube:3 uniform:30 --buffers 4 --link-delay 2", "mesh:3x3 uniform:30 --router-delay 2", "cube:3 allreduce:ring --bytes 64 --flit-bits 64", "mesh:4x4 uniform:20 --fail 5->6 --lanes 2",
    "cube:3 allreduce:ring --bytes 64 --flit-bytes 8", "cube:3 random-perm --planner best", "cube:3 uniform:9 --objective cycles",
    "table-mesh:3x2 uniform:20 --tables tables.csv", "mesh:3x3 uniform:20 --rule turns:best", "random:8,3,1 uniform:20 --rule turns:best --seed 4", "mesh:3x3 uniform:20 --rule west-first",
    "table-mesh:2x3v5 uniform:20")
RUN_OPTIONS = ("omega:8 all-to-all --schedule table", "omega:8 random-perm --planner min_passes --preset")
REFUSED = (
    "plan cub:3 transpose", "plan cube:3 transpose", "plan cube:3 nonsense", "plan cube:3 bit-reverse --map 0,0,1", "plan cube:3 bit-reverse --planner nobody",
    "plan missing.json", "plan cube:3 bit-reverse --rule one-way", "run cube:3 bit-reverse --link nowhere", "run cube:3 messages:missing.csv --link model",
    "check nothing:3", "check cube:3 --tables missing.csv", "sweep cube:3 uniform --load 0.5 --arrivals never", "sweep cube:3 transpose",
    "sweep cube:3 all-to-all --load 0.5", "sweep cube:3 uniform --load 0.5 --flits 3:0.5", "run cube:3 bit-reverse --rule turns:missing.txt --link model",
    "sweep cube:3 uniform --load 0.5 --rule turns:missing.txt")
SIZES = ("cube:2,mesh:3x3,omega:8 random-perm", "cube,line bit-reverse --nodes 2:16 --seeds 3", "cube:3 all-to-all --flits 4:32 --machine fast,paper --plan-only",
         "mesh:4x4,cube:3 transpose --flits 5:9:2 --planner greedy,direct", "cube:3,mesh:2x4 allreduce:ring --bytes 32", "mesh:4x4 uniform:20 --seeds 2 --fail 5->6",
         "ocs:8,mesh:2x4,ocs:8x2 uniform:30 --dark 0:20:10 --seeds 2 --flits 5:10", "ocs:8,cube:3 shift:1 --dark 3 --relay --planner rotor,direct", "ocs:4,ring:4 demand:skew:1,2,30 --dark 7:7:1 --plan-only")
LOADS = (
    "cube:3,mesh:3x3 uniform --load 0.1:0.9:0.4", "cube:4 transpose --load 0.5 --machine fast,paper", "omega:8 hotspot:1:0.2 --load 0.2 --seeds 3",
    "mesh:3x3 uniform --load 0.3 --precision 5% --seeds 12", "cube:3 uniform --load max", "cube:3 uniform --load 0.3 --flits 1:0.6,5:0.4 --arrivals burst:20:80",
    "table-mesh:3x3v2 uniform --load 0.2 --planner all-pairs", "ring:8v2 uniform --load 0.2 --rule one-way", "mesh:3x3 uniform --load 0.2 --map 1,0,2,3,4,5,6,7,8",
    "cube:4 uniform --load 0.2 --map best:transpose", "cube:3 uniform --load 0.2 --requests 4,reply=5,service=20", "cube:3 uniform --batch 20",
    "cube:3,mesh:3x3 uniform --batch 10 --seeds 3 --requests 2,reply=3", "mesh:4x4 uniform --load 0.2 --fail 5->6 --seeds 2", "mesh:4x4 uniform --load 0.2 --fail 5--6 --rule turns:best", "mesh:4x4 uniform --load 0.2 --buffers 4",
    "mesh:3x3,cube:3 uniform --load 0.2 --rule turns:best --seed 2", "cube:3 uniform --load 0.1,0.2:0.4:0.1,0.55")


def arguments(words):
    """Turns FABRIC PATTERN --flits 6 --half-duplex into Python: ["FABRIC", "PATTERN"], {"flits": 6, "half_duplex": True}."""
    plain, options = [], {}
    words = words.split()
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            plain.append(word)
            continue
        value = words.pop(0) if words and not words[0].startswith("--") else True
        options[word[2:].replace("-", "_")] = int(value) if str(value).isdigit() else value
    return plain, options


def python(what, words):
    """Returns Python's answer: a result, or its Error."""
    plain, options = arguments(words)
    try:
        return getattr(flitloom, what)(*plain, **options), None
    except flitloom.Error as error:
        return None, error


def one_line(error, stderr):
    """True if the error is the one line of the command, without the dashes of options and without advice on --link model."""
    text = str(error)
    return "\n" not in text and 5 < len(text) < 500 and error.status == 2 and (f"flitloom: {text}\n" == stderr or re.sub("--|; --link model.*", "", stderr) == f"flitloom: {text}\n")


def without_request(report):
    return {name: value for name, value in report.items() if name != "request"}


def same_cell(cell, value):
    if cell == "":
        return value == "" or value != value
    if isinstance(value, str):
        return cell == value
    return abs(float(cell) - float(value)) <= 1e-9 * max(1.0, abs(float(cell)))


def differing(text, table, left_out=()):
    """Returns where a table differs from the command's CSV; None: nowhere."""
    rows = list(csv.DictReader(io.StringIO(text)))
    if len(rows) != len(table):
        return f"{len(table)} rows, not {len(rows)}"
    names = [name for name in rows[0] if name not in left_out]
    if set(names) != set(table.dtype.names):
        return f"columns {set(names) ^ set(table.dtype.names)}"
    for i, row in enumerate(rows):
        for name in names:
            if not same_cell(row[name], table[name][i].item()):
                return f"row {i}, {name}: {table[name][i]}, not {row[name]}"
    return None


def test_package():
    global flitloom, STAGED
    STAGED = os.path.abspath("package")
    made = subprocess.run([sys.executable, HOME + "/python/backend.py", "stage", STAGED], capture_output=True, text=True)
    check(made.returncode == 0 and not made.stdout + made.stderr, f"stage: {made.stderr[:300]}")
    sys.path.insert(0, STAGED)
    import flitloom as package

    flitloom = package
    check(os.path.dirname(flitloom.__file__) == STAGED + "/flitloom", f"imported from {flitloom.__file__}")
    check(f"flitloom {flitloom.__version__}\n" == output("--version"), "the version is the command's")
    check(os.path.exists(STAGED + "/flitloom/py.typed"), "py.typed")
    from flitloom._library import lib

    calls = [line.split()[0].partition("@")[0] for line in open(HOME + "/debian/libflitloom0.1.symbols") if line.startswith(" loom_")]
    missing = [name for name in calls if not hasattr(lib, name)]
    check(len(calls) > 150 and not missing, f"{len(calls)} public calls can be called from Python, but {missing}")
    for name in flitloom.__all__:
        it = getattr(flitloom, name)
        check(name == "__version__" or inspect.getdoc(it), f"{name} has a text")
        for inner, member in vars(it).items() if inspect.isclass(it) else ():
            documented = inner.startswith("_") or not (callable(member) or isinstance(member, property)) or inspect.getdoc(member)
            check(documented, f"{name}.{inner} has a text")
        if inspect.isfunction(it):
            bare = [p.name for p in inspect.signature(it).parameters.values() if p.annotation is p.empty]
            check(not bare and inspect.signature(it).return_annotation, f"{name}: types of {bare}")


def hold(what, words, command=None):
    """Compares report and tables of a plan or a run by Python with those by the command."""
    link = " --link model" if what == "run" and "--link" not in words else ""
    tables = " --messages m.csv --channels c.csv"
    done = run(f"{what} {words}{link}{tables} --json")
    result, error = python(what, words + link)
    if done.returncode not in (0, 1):
        check(error and one_line(error, done.stderr), f"{what} {words}: refused with {error}, not {done.stderr}")
        return None
    if not check(not error, f"{what} {words}: {error}"):
        return None
    import json

    wanted = without_request(json.loads(done.stdout))
    check(without_request(result.report) == wanted, f"{what} {words}: another report")
    for name, file in (("messages", "m.csv"), ("channels", "c.csv")):
        where = differing(open(file).read(), getattr(result, name))
        check(where is None, f"{what} {words}: {name}: {where}")
    check((result.map == wanted["map_nodes"]).all() if "map_nodes" in wanted else len(result.map) == wanted["nodes"], f"{words}: map")
    if what == "run":
        facts = wanted["measured"]
        check((result.cycles, result.passed, result.delivered) == (facts["cycles"], wanted["verdict"] == "pass", facts["delivered_messages"]), f"{words}: attributes")
    check((result.planner, result.nodes, result.passes, result.contention, result.lower_bound, result.predicted_cycles)
          == (wanted["planner"], wanted["nodes"], wanted["passes"], wanted["predicted"]["contention"], wanted["predicted"]["lower_bound"], wanted["predicted"]["cycles"]),
          f"{what} {words}: attributes")
    return result


def test_kinds():
    """Plans and computes every kind of fabric."""
    n = 0
    for fabric, _ in kinds.fabrics(False):
        fabric = fabric.replace("tests/", HOME + "/tests/")
        for pattern in PATTERNS:
            n += hold("run", f"{fabric} {pattern}") is not None
        hold("plan", f"{fabric} uniform:12")
    check(n > 60, f"{n} runs that were not refused")


def test_options():
    open("tables.csv", "w").write(output("plan table-mesh:3x2 uniform:20 --tables-out -"))
    for words in OPTIONS:
        check(hold("plan", words) is not None, f"plan {words} is not refused")
        check(hold("run", words) is not None, f"run {words} is not refused")
    for words in RUN_OPTIONS:
        hold("run", words)
    plan = flitloom.plan("cube:4", "transpose")
    plan.write("plan.json")
    check(hold("run", "plan.json") is not None, "a plan from a file")
    hold("run", "plan.json --flits 3")
    check(str(plan) == output("plan cube:4 transpose"), "the table as text")
    check((flitloom.plan("cube:2", "bit-reverse", map=[0, 2, 1, 3]).map == [0, 2, 1, 3]).all(), "a map as numbers")
    loads = plan.load
    check(loads.shape == (1, 16 * 6) and loads.max() == 1 and loads.sum() == plan.channels["predicted_messages"].sum(), f"loads: {loads.shape}")
    check(plan.channel_name(0) == plan.channels["channel"][0], "a channel's name")
    for words, options in (("cube:3", {"map": "best", "place": "best"}), ("cube:3", {"flits": 0}), ("cube:3", {"machine": "slow"}), ("cube:3", {"budget": -1}),
                           ("cube:3", {"flits": 2.5}), ("cube:3b4", {"buffers": 8}), ("cube:3", {"lanes": 2}), ("cube:3", {"calc_cycles": 3}), ("mesh:2x2", {"fail": "0->1@40"}), ("cube:3r1", {"router_delay": 2})):
        try:
            flitloom.plan(words, "bit-reverse", **options)
            check(False, f"{options} is taken")
        except flitloom.Error as error:
            check(next(iter(options)) in str(error) and error.code == "LOOM_EINPUT", f"{options}: {error}")


def test_refusals():
    for words in REFUSED:
        done = run(words.split())
        _, error = python(*words.split(" ", 1))
        check(done.returncode == 2 and error and one_line(error, done.stderr), f"{words}: {error}, not {done.stderr}")
    error = python("run", "cube:3 uniform:30 --link model --max-cycles 9")[1]
    check(error and (error.code, error.status) == ("LOOM_ELIMIT", 3), f"max_cycles: {error}")


def test_rtl():
    """Runs on the RTL the fabrics that have a model."""
    for fabric in ("cube:3", "omega:8"):
        result = flitloom.run(fabric, "uniform:20", flits=6)
        computed = flitloom.run(fabric, "uniform:20", flits=6, link="model")
        check(result.passed and result.link == "sim" and result.cycles == computed.cycles, f"{fabric}: {result!r}")
        check((result.messages["tail"] == computed.messages["tail"]).all(), f"{fabric}: tails")
    rows = flitloom.sweep("cube:3", "uniform", load=[0.2, 0.4], measure=2000, link="sim").rows
    computed = flitloom.sweep("cube:3", "uniform", load="0.2:0.4:0.2", measure=2000).rows
    check((rows["latency"] == computed["latency"]).all() and (rows["verdict"] == "pass").all(), f"loads on sim: {rows}")


def test_sweeps():
    for words in SIZES:
        output(["sweep", *words.split(), "--csv", "rows.csv", "-q"])
        found, error = python("sweep", words)
        where = str(error) if error else differing(open("rows.csv").read(), found.rows, ("checked_on",))
        check(where is None, f"sweep {words}: {where}")
    for words in LOADS:
        words += " --measure 1500" + ("" if "--seeds" in words or "--precision" in words else " --warmup 300") if "--batch" not in words else ""
        output(["sweep", *words.split(), "--csv", "rows.csv", "-q"])
        found, error = python("sweep", words)
        where = str(error) if error else differing(open("rows.csv").read(), found.rows, ("checked_on",))
        check(where is None, f"sweep {words}: {where}")
        check(error or found.passed, f"sweep {words}: {found}")
    rows = flitloom.sweep(["cube:3"], "uniform", load=[0.1, 0.5], flits={1: 0.5, 5: 0.5}, precision=0.1, seeds=6, measure=1000).rows
    check(list(rows["load"]) == [0.1, 0.5] and (rows["seeds"] >= 5).all(), f"loads as a list: {rows}")
    for options in ({"load": 0}, {"load": "0.1:0.2"}, {"load": "0.5:0.1:0.1"}, {"load": "0.3,0.2"}, {"load": "0.3,"}, {"load": "0.1:0.3:0.1,0.3"}, {"load": 0.1, "batch": 2}, {"load": 0.1, "plan_only": True}, {"warmup": 5},
                    {"load": "max", "precision": "2%"}, {"load": 0.1, "precision": "200%"}, {"load": 0.1, "precision": "2%", "seeds": 3}, {"load": 0.1, "jobs": 0}, {"load": 0.1, "requests": "4,never=1"}, {"load": 0.1, "requests": "any"},
                    {"flits": "9:5"}, {"nodes": "2:8"}, {"dark": "0:5"}, {"dark": "5:0:1"}, {"dark": "0:5:0"}, {"dark": 5}):
        try:
            flitloom.sweep("cube:3", "uniform", **options)
            check(False, f"sweep {options} is taken")
        except flitloom.Error as error:
            check(error.status == 2 and "\n" not in str(error), f"sweep {options}: {error}")


def test_option_names():
    """Checks that every option of the four commands is a parameter, or one that docs/python.md leaves to the command."""
    of_files = {"json", "svg", "picture", "pass", "messages", "channels", "csv", "output", "trace_json", "html", "perfetto", "quiet", "help", "usage", "progress", "show"}
    only = {"compare", "before", "stages", "points", "costs", "trace", "trace_from", "trace_cycles", "by", "window", "by_csv", "by_svg", "check_on", "journal", "shard",
            "merge", "take", "certificate", "tables_out", "loggops"}
    for what in ("plan", "run", "sweep", "check"):
        options = {word.replace("-", "_") for word in re.findall(r"^ +(?:-\w, )?--([a-z-]+)", output(f"help {what}"), re.MULTILINE)}
        known = set(inspect.signature(getattr(flitloom, what)).parameters)
        check(len(options) > 9 and not options - known - of_files - only, f"{what} has no {options - known - of_files - only}")
        check(not known - options - {"fabric", "fabrics", "pattern", "progress"}, f"{what} has {known - options}, which the command has not")


def test_checks():
    for fabric, _ in kinds.fabrics(False):
        fabric = fabric.replace("tests/", HOME + "/tests/")
        wanted = document(f"check {fabric}", status=run(f"check {fabric} -q").returncode)
        found, error = python("check", fabric)
        if not check(not error, f"check {fabric}: {error}"):
            continue
        check((found.fabric, found.nodes, found.deadlock_free) == tuple(wanted[name] for name in ("fabric", "nodes", "deadlock_free")), f"check {fabric}: {found}")
        rules = [{"rule": row["rule"].item(), "deadlock_free": row["deadlock_free"].item(),
                  "circle": [dict(zip(circle.dtype.names, line.item())) for line in circle]} for row, circle in zip(found.rows, found.circles.values())]
        check(rules == wanted["rules"], f"check {fabric}: rules {rules}")
        check(found.facts == ({"slow_links": wanted["slow_links"]} if "slow_links" in wanted else {}), f"check {fabric}: {found.facts}")
    for words in ("torus:3x3 --all-pairs", "mesh:3x3 --all-pairs --fail 0->1,4", "mesh:3x3 --all-pairs --lanes 2 --seed 3", "ring:5 --all-pairs --by-destination", "torus:3x3 --all-pairs --link-delay wrap:4 --fail 0->1"):
        wanted, found = document("check " + words), python("check", words)[0]
        facts = {**found.facts, "fabric": found.fabric, "nodes": found.nodes, "deadlock_free": found.deadlock_free}
        rows = [dict(zip(found.rows.dtype.names, row.item())) for row in found.rows]
        near = all(same_cell(str(w[name]), round(r[name], 6)) for w, r in zip(wanted["rows"], rows) for name in w)
        check(len(rows) == len(wanted["rows"]) and near, f"check {words}: {rows}")
        check({name: facts[name] for name in facts if name != "hops"} == {name: wanted[name] for name in facts if name != "hops"}, f"check {words}: {facts}")
    open("bad.csv", "w").write("node,network,label,port\n3,0,0,+x\n0,0,1,+x\n")
    for words in ("table-mesh:3x2 --tables tables.csv", "table-mesh:3x2 --tables bad.csv"):
        wanted, found = document("check " + words, status=run("check " + words).returncode), python("check", words)[0]
        faults = [dict(zip(found.rows.dtype.names, row.item())) for row in found.rows]
        check(faults == wanted["faults"] and found.deadlock_free == wanted["deadlock_free"] and all(wanted[n] == v for n, v in found.facts.items()), f"check {words}: {found}")
    for words in ("mesh:3x4 --rule odd-even", "cube:3 --rule p-cube", "torus:4x4v2 --rule duato", "cube:3 --rule turns:/dev/null", "mesh:4x4 --rule turns:best"):
        wanted, found = document("check " + words, status=run("check " + words).returncode), python("check", words)[0]
        circle = [{**dict(zip(wait.dtype.names, wait.item())), "via": [int(node) for node in wait["via"].item().split()]} for wait in next(iter(found.circles.values()))]
        facts = {name: round(value, 6) if name == "adaptiveness" else value for name, value in found.facts.items() if name != "turns"}
        turns = (found.facts["turns"], {**wanted["turns"], "forbidden": len(wanted["turns"]["forbidden"])}) if "turns" in wanted else (0, 0)
        check(circle == wanted["circle"] and found.deadlock_free == wanted["deadlock_free"], f"check {words}: {found}")
        check(all(wanted[name] == value for name, value in facts.items()) and turns[0] == turns[1], f"check {words}: {found.facts}")
    check(python("check", "cube:3 --rule sideways")[1], "an unknown rule")
    check(python("check", "cube:3 --all-pairs --rule ascending")[1], "all pairs and a rule")


def test_pictures():
    for words, picture in itertools.product(("cube:4 transpose", "mesh:4x4 uniform:20", "omega:8 random-perm"), ("loads", "paths", "chart")):
        output(["run", *words.split(), "--link", "model", "--svg", "p.svg", "--picture", picture, "-q"])
        found = flitloom.run(*words.split(), link="model").svg(picture)
        check(found == open("p.svg").read(), f"{words}: {picture} is another picture")
    result = flitloom.run("cube:3", "uniform:20", link="model")
    check(result._repr_svg_().startswith("<?xml") or result._repr_svg_().startswith("<svg"), "inline")
    check(flitloom.plan("mesh:4x4", "random-perm", planner="greedy").svg("paths", pass_=0) != flitloom.plan("mesh:4x4", "random-perm", planner="greedy").svg("paths", pass_=1), "a pass")
    check(flitloom.plan("cube:13", "transpose" if False else "bit-reverse", flits=2).svg() is not None, "a large one")


# --- Long work ---------------------------------------------------------------------------------------------------------

LONG = {
    "a search": 'flitloom.plan("mesh:16x16", "uniform:2000", planner="greedy", budget=60)',
    "a run": 'flitloom.run("mesh:32x32", "uniform:1000000", flits=400, link="model")',
    "a sweep over loads": 'flitloom.sweep("mesh:16x16", "uniform", load="0.01:0.03:0.01", measure=100000000)',
    "a sweep over sizes": 'flitloom.sweep("mesh:32x32", "uniform:1000000", flits=[400, 500])',
}


def page_of(result, *more):
    check(result.html("it.html", *more) is None, "html of a file says nothing")
    with open("it.html", encoding="utf-8") as it:
        check(it.read() == result.html(None, *more), "a page as text is another one")
    page = Page("it.html")
    check(not page.faults(), f"{result!r}: {page.faults()}")
    return page


def test_pages():
    """Compares pages with the command's: the report without the request, and the data of the run; sweeps and checks by their numbers."""
    for what, words in (("plan", "cube:4 transpose"), ("run", "mesh:3x3 uniform:40 --link model"), ("run", "ocs:8 uniform:30 --dark 3 --link model"), ("plan", "ring:5 allreduce:ring")):
        result = python(what, words)[0]
        page = page_of(result)
        output([what, *words.split(), "--html", "its.html", "-q"])
        its = Page("its.html")
        check(without_request(page.report) == without_request(its.report), f"{what} {words}: another report")
        check([{**r.raw, "title": ""} for r in page.runs] == [{**r.raw, "title": ""} for r in its.runs], f"{what} {words}: other data")
    for options in ({"load": "0.1:0.3:0.1", "seeds": 2}, {"batch": 9, "seeds": 2}, {"load": 0.2}):
        more = {} if "batch" in options else {"measure": 500}
        page = page_of(flitloom.sweep("cube:3,mesh:3x3", "uniform", **more, **options), "loads")
        words = " ".join(f"--{name} {value}" for name, value in {**more, **options}.items())
        wanted = document(f"sweep cube:3,mesh:3x3 uniform {words}")
        for mine, other in zip(page.report["curves"], wanted["curves"], strict=True):
            check(mine["fabric"] == other["fabric"] and len(mine["points"]) == len(other["points"]), f"{options}: curves")
            for a, b in zip(mine["points"], other["points"]):
                shared = {name: value for name, value in b.items() if name in a and not isinstance(value, dict)}
                check("accepted" in shared and all(a[name] == value for name, value in shared.items() if name not in ("settled",)), f"{options}: {a} and {b}")
                for outer in ("latency", "finish"):
                    check(all((a[outer] or {}).get(name) == value for name, value in (b.get(outer) or {}).items() if name in (a.get(outer) or {})) and (outer in a) == (outer in b), f"{options}: {outer} {a} and {b}")
    page = page_of(flitloom.sweep("ocs:8,mesh:2x4", "uniform:30", dark="0:10:5"))
    wanted = document("sweep ocs:8,mesh:2x4 uniform:30 --dark 0:10:5")["runs"]
    check([[row[k] for k in ("fabric", "dark", "measured_cycles", "nodes")] for row in page.report["runs"]] == [[row[k] for k in ("fabric", "dark", "measured_cycles", "nodes")] for row in wanted], "rows over dark times")
    page = page_of(flitloom.check("ring:5"))
    check(page.report["deadlock_free"] is False and any(name.startswith("circle") for name in page.report), f"a check: {list(page.report)}")
    check(page_of(flitloom.check("dragonfly:2,1", all_pairs=True)).report["fabric"] == "dragonfly:2,1", "a check of all pairs")


def test_interrupt():
    for what, call in LONG.items():
        source = f"import flitloom\nprint('begun', flush=True)\ntry:\n    {call}\n    print('over')\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
        process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": STAGED})
        process.stdout.readline()
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        check(out == "interrupted\n" and not err, f"Ctrl-C in {what}: {out}{err[-300:]}")


def test_lock():
    """Checks that another thread goes on while the library works, also in a call without callbacks."""
    for what, call in (("a plan", lambda: flitloom.plan("cube:16", "transpose")), ("a load", lambda: flitloom.sweep("cube:6", "uniform", load=0.2, measure=500000, jobs=1))):
        ticks, over = [], threading.Event()

        def tick():
            while not over.wait(0.005):
                ticks.append(None)

        thread = threading.Thread(target=tick)
        thread.start()
        before = len(ticks)
        call()
        within = len(ticks) - before
        over.set()
        thread.join()
        check(within >= 5, f"{what}: {within} ticks while it went on; a lock that is kept allows one or two")


AT_ONCE = "from flitloom import _watch; _watch.FIRST_SECONDS = _watch.BETWEEN_SECONDS = 0; "  # otherwise work of less than a second reports no progress


def test_progress():
    said = []
    exec(AT_ONCE)
    flitloom.run("mesh:16x16", "uniform:200000", flits=100, link="model", progress=said.append)
    check(said and all(re.fullmatch(r"cycle \d+", text) for text in said), f"progress of a run: {said[:3]}")

    n_asked = []

    def enough(text):
        n_asked.append(text)
        raise RuntimeError("enough")

    for what, call in (("a run", lambda: flitloom.run("mesh:16x16", "uniform:200000", flits=100, link="model", progress=enough)),
                       ("a search", lambda: flitloom.plan("mesh:32x32", "uniform:20000", planner="reroute", budget=3600, progress=enough))):
        n_asked.clear()
        signal.alarm(300)  # the test ends if the search does not
        try:
            call()
            check(False, f"what progress of {what} raises is lost")
        except RuntimeError as error:
            check(str(error) == "enough" and 1 <= len(n_asked) <= 3, f"progress of {what}: {error}, after {len(n_asked)} texts")
        signal.alarm(0)
    source = AT_ONCE + 'import flitloom; flitloom.run("mesh:16x16", "uniform:200000", flits=100, link="model"%s)'
    for more, wanted in (("", False), (", progress=True", True), (", progress=False", False)):
        done = subprocess.run([sys.executable, "-c", source % more], capture_output=True, env={**os.environ, "PYTHONPATH": STAGED})
        shown = re.fullmatch(rb"(\rcycle \d+ *)+\r +\r", done.stderr) if wanted else done.stderr == b""
        check(done.returncode == 0 and not done.stdout and shown, f"progress{more}: {done.stderr[:200]!r}")


def test_library():
    """Checks which library is loaded, and the error if there is none."""
    source = "import flitloom"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": STAGED, "FLITLOOM_LIBRARY": "/nowhere.so"})
    check(done.returncode == 1 and "ImportError: flitloom: " in done.stderr.splitlines()[-1] and "/nowhere.so" in done.stderr, f"no library: {done.stderr[-300:]}")


if __name__ == "__main__":
    main(test_package, test_kinds, test_options, test_refusals, test_rtl, test_sweeps, test_option_names, test_checks, test_pictures, test_pages, test_interrupt, test_lock, test_progress, test_library)
