#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests sweep --load: random traffic on simulated fabrics, wrong requests, points side by side, and Ctrl-C. Other
# programs test its options and the kinds of fabrics. Needs python3. FLITLOOM: the command; default build/flitloom.
# `test_load.sh long` has larger fabrics: figures of docs/load.md.
set -u

flitloom=${FLITLOOM:-build/flitloom}
case $flitloom in */*) flitloom=$(cd "$(dirname "$flitloom")" && pwd)/$(basename "$flitloom") ;; esac
. "$(dirname "$0")/scratch.sh"
FLITLOOM_CACHE=${FLITLOOM_CACHE:-$home/build/models}
export FLITLOOM_CACHE

refused() {
	said=$1
	shift
	"$flitloom" sweep "$@" >out 2>err
	status=$?
	check "$*: status $status, $(cat err)" eval '[ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -e "$said" err'
}

# curves WHAT PYTHON: `r` is the JSON in `out`, `c` its curves.
curves() {
	what=$1
	shift
	check "$what: $(cat err)" python3 -c 'import json
r = json.load(open("out"))
c = r["curves"]
'"$1"
}

# This must hold of `uniform` below saturation: the latency of messages that wait nowhere is F + h + 1, with the mean
# distance between two nodes for h; more load, more latency; what is offered is accepted.
uniform='
def uniform(c, flits, hops):
    low = c["points"][0]
    assert all(p["verdict"] == "pass" for p in c["points"]), c
    assert abs(low["latency"]["without_wait"] - (flits + hops + 1)) < 0.02 * (hops + 1), (low, hops)
    assert low["latency"]["min"] >= flits + 2 and low["latency"]["mean"] >= low["latency"]["without_wait"]
    means = [p["latency"]["mean"] for p in c["points"] if not p["saturated"]]
    assert len(means) >= 2 and means == sorted(means), means
    for p in c["points"]:
        assert p["saturated"] or abs(p["accepted"] / p["offered"] - 1) < 0.01, p
        assert abs(p["offered"] / p["load"] - 1) < 0.04, p
    state = [p["saturated"] for p in c["points"]]
    assert state == sorted(state), state
'

if [ "${1:-}" = long ]; then
	"$flitloom" sweep cube:6,mesh:8x8,omega:64 uniform --link sim --load 0.05:0.5:0.05 --flits 20 --json >out 2>err
	curves 'cube:6, mesh:8x8, omega:64 over ten loads' "$uniform"'
assert [len(x["points"]) for x in c] == [10] * 3
uniform(c[0], 20, 6 * 32 / 63)
uniform(c[1], 20, 2 * (64 - 1) / 24 * 64 / 63)
uniform(c[2], 20, 5)
for x in c:
    print(x["fabric"], [(p["load"], round(p["accepted"], 4), p["latency"] and round(p["latency"]["mean"], 1)) for p in x["points"]])'
	finish
	exit
fi

# --- Wrong requests ---
for loads in 0:0:0 0:0.5:0.1 0.9:0.1:0.1 0.1:1.1:0.1 2 0 0.3,0.2 0.3,0.3 0.1:0.4:0.1,0.4 0.3,2 0,0.3; do refused 'above 0 and at most 1' cube:3 uniform "--load=$loads"; done
for loads in -0.1:0.5:0.1 nan inf 1e-3 0.1:0.2 abc 0.1:0.2:0.1:0.1 0.1: . 0.1:x:0.1 0.3, ,0.3 0.3,,0.4 max,0.3 0.3,max 0.3,0.4:0.5; do
	refused 'neither A:B:STEP nor A nor a list of these nor max' cube:3 uniform "--load=$loads"
done
refused 'the step is above 0' cube:3 uniform --load 0.1:0.9:0
refused '1000 loads at most' cube:3 uniform --load 0.1:0.9:0.0001
refused '1000 loads at most' cube:3 uniform --load 0.001:0.5:0.001,0.5005:0.9995:0.001,0.9999
refused 'sends more than one message' cube:3 all-to-all --load 0.1
refused 'no message uses the network' cube:3 identity --load 0.1
refused 'the size of cube is its dimensions, cube:1 to cube:20' cube uniform --load 0.1
refused '0..7' cube:3 hotspot:8 --load 0.1
refused '0 to 1' cube:3 hotspot:1:2 --load 0.1
refused 'has no plan' cube:3 uniform --load 0.1 --map best
refused 'item of the list is missing' cube:3 uniform --load 0.1 --compare identity,,best
refused 'does not go with --load' cube:3 uniform --load 0.1 --plan-only
for precision in 0% 200% 100% 2 % -1% 2%% abc '2 %' 1e-1% .5%; do
	refused 'not a part in percent' cube:3 uniform --load 0.1 "--precision=$precision"
done
refused 'its P% is missing' cube:3 uniform --load 0.1 --precision
refused 'goes with --load' cube:3 uniform:40 --precision 2%
refused 'with --load max give --seeds N' cube:3 uniform --load max --precision 2%
refused 'too few for --precision' cube:3 uniform --load 0.1 --precision 2% --seeds 4
for seeds in 0 1e9 1000000000 -1 2.5; do refused 'whole number in 1..10000' cube:3 uniform --load 0.1 "--seeds=$seeds"; done
refused 'goes with --load' cube:3 uniform:40 --jobs 3
refused 'goes with --load' cube:3 uniform:40 --map identity
refused 'one length' cube:3 uniform --load 0.1 --flits 3:9
refused 'poisson, bernoulli' cube:3 uniform --load 0.1 --arrivals foo
refused '1..1024' cube:3 uniform --load 0.1 --jobs 0
refused 'for ever' ring:8 uniform --load 0.1
refused 'one direction' benes:8 uniform --load 0.1
refused 'whole number' cube:3 uniform --load 0.1 --measure 0

# --- Over the load, on a direct and on a multistage network ---
"$flitloom" sweep cube:3,omega:8 uniform --link sim --load 0.05:0.55:0.1 --flits 8 --measure 30000 --json --csv rows.csv >out 2>err
curves 'uniform on cube:3 and omega:8' "$uniform"'
uniform(c[0], 8, 3 * 4 / 7)
uniform(c[1], 8, 2)
assert r["request"]["command"][2:4] == ["cube:3,omega:8", "uniform"] and "--load" in r["request"]["command"]'
check 'CSV has a row for each point' python3 -c 'import csv, json
c = json.load(open("out"))["curves"]
rows = list(csv.DictReader(open("rows.csv")))
points = [(x["fabric"], p) for x in c for p in x["points"]]
assert len(rows) == len(points) == 12
for row, (fabric, p) in zip(rows, points):
    assert row["fabric"] == fabric and float(row["load"]) == p["load"] and row["verdict"] == "pass"
    assert p["saturated"] or (abs(float(row["latency"]) - p["latency"]["mean"]) < 1e-6 and int(row["p99"]) == p["latency"]["p99"])'
check 'the JSON is as docs/flitloom.schema.json says' /usr/bin/python3 -c 'import json, jsonschema, sys
s = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator({"$schema": s["$schema"], "$ref": "#/$defs/load", "$defs": s["$defs"]}).validate(json.load(open("out")))' \
	"$home/docs/flitloom.schema.json"
cp out points
for jobs in 1 5; do
	"$flitloom" sweep cube:3,omega:8 uniform --link sim --load 0.05:0.55:0.1 --flits 8 --measure 30000 --jobs $jobs --json >out 2>err
	check "with --jobs $jobs the same comes out" cmp -s out points
done

# --- A list of loads: its points are those of each load alone, in every report ---
list='--load 0.1,0.2:0.4:0.1,0.55 --flits 8 --warmup 300 --measure 900 --link model'
"$flitloom" sweep cube:3 uniform $list --json --csv list.csv --svg list.svg --journal list >out 2>err
curves 'a list of loads' '
assert [p["load"] for p in c[0]["points"]] == [0.1, 0.2, 0.3, 0.4, 0.55], c
at = r["request"]["command"].index("--load")
assert r["request"]["command"][at + 1] == r["request"]["load"] == "0.1,0.2:0.4:0.1,0.55", r["request"]'
cp out points
sed 1d list.csv >rows
for load in 0.1 0.2:0.4:0.1 0.55; do
	"$flitloom" sweep cube:3 uniform $list --load $load --csv each.csv --journal list --merge --quiet >>table 2>&1
	sed 1d each.csv
done >each
check 'the rows of a list are those of its items' cmp -s rows each
check 'a list, merged' eval '"$flitloom" sweep cube:3 uniform $list --json --journal list --merge | cmp -s points -'
check 'a list in the plot' grep -q '<title>' list.svg

# --- Maps, machines, arrivals, a hot spot ---
"$flitloom" sweep cube:4 transpose --link sim --load 0.3 --flits 6 --compare identity,best,1,0,3,2 --machine fast,paper --json >out 2>err
curves 'maps and machines are curves' '
assert [(x["map"], x["machine"]) for x in c] == [(m, k) for m in ("identity", "best", "1,0,3,2") for k in ("fast", "paper")]
assert [x["capacity"] for x in c] == [0.5] * 2 + [1] * 2 + [0.5] * 2 and all(x["senders"] == 12 for x in c)
latency = [x["points"][0]["latency"]["mean"] for x in c]
assert latency[2] < latency[0] and latency[2] < latency[3], latency'
"$flitloom" sweep cube:3 hotspot:5:0.25 --link sim --load 0.2 --flits 4 --arrivals bernoulli --json >out 2>err
curves 'a hot spot, Bernoulli' '
assert r["arrivals"] == "bernoulli" and c[0]["senders"] == 8 and c[0]["points"][0]["verdict"] == "pass"
assert abs(c[0]["capacity"] - 1 / (7 * (0.25 + 0.75 / 7) )) < 1e-9'

# --- The highest load that is sustained: a higher one is not ---
"$flitloom" sweep cube:4 transpose --link sim --load max --flits 10 --compare identity --machine paper --json >out 2>err
curves 'the highest load' '
p = c[0]["points"]
assert r["highest"] and len(p) == 1 and 0.3 < p[0]["load"] < 0.5 and not p[0]["saturated"] and c[0]["capacity"] == 0.5, p
open("highest", "w").write("%.4f" % p[0]["load"])'
"$flitloom" sweep cube:4 transpose --link sim --load "$(python3 -c 'print("%.4f" % (float(open("highest").read()) + 0.05))')" --flits 10 \
	--compare identity --machine paper >table 2>err
check "5% of the channel above it is not: $(tail -n 1 table)" grep -q 'pass, saturated$' table

# --- The plot ---
if command -v gnuplot >/dev/null; then
	"$flitloom" sweep cube:3 uniform --link sim --load 0.1:0.9:0.2 --flits 4 --measure 4000 -q --svg plot.svg
	check 'the plot names its axes' grep -q 'latency, cycles' plot.svg
	check 'mean and three percentiles, the same in the key, accepted and offered' test "$(grep -c '<title>.*_plot_[0-9]*[a-z]*</title>' plot.svg)" -eq 10
fi

# --- Ctrl-C keeps the points that are done, also where it is ignored here, as in a job in the background ---
python3 - "$flitloom" <<'EOF' >out 2>err
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "sweep", "cube:3", "uniform", "--link", "sim", "--load", "0.1:0.5:0.2", "--measure", "3000000", "--jobs", "1", "--json"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
def points():  # only the processes of points run flitloom itself; the build of the model runs other programs
    children = open(f"/proc/{p.pid}/task/{p.pid}/children").read().split() if p.poll() is None else []
    return {c for c in children if os.path.realpath(f"/proc/{c}/exe") == os.path.realpath(sys.argv[1])}
before = set()
while p.poll() is None and not before & points():  # seen twice: then it is no process that is about to run another program
    before = points()
    time.sleep(0.1)
p.send_signal(signal.SIGINT)
out, err = p.communicate(timeout=60)
assert p.returncode == 3 and "interrupted after" in err, (p.returncode, err)
print(out, end="")
EOF
status=$?
check "Ctrl-C: $(cat err)" test "$status" -eq 0
curves 'the points that were done are kept' 'assert "interrupted after" in r["error"] and len(c) == 1 and len(c[0]["points"]) < 3'

# --- If the process of any point is killed, the others end and the command names that point ---
for killed in 0 1; do
	python3 - "$flitloom" $killed <<'EOF' 2>err
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "sweep", "cube:3", "uniform", "--link", "sim", "--load", "0.1,0.3", "--measure", "3000000", "--jobs", "2"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
def points():  # in the order of their start, otherwise as points() of Ctrl-C above
    children = open(f"/proc/{p.pid}/task/{p.pid}/children").read().split() if p.poll() is None else []
    return [c for c in children if os.path.realpath(f"/proc/{c}/exe") == os.path.realpath(sys.argv[1])]
before = []
while p.poll() is None and (len(before) < 2 or before != points()):
    before = points()
    time.sleep(0.1)
os.kill(int(before[int(sys.argv[2])]), signal.SIGKILL)
out, err = p.communicate(timeout=60)
said = "flitloom: the process of load %s ended without a word (status 0x9)\n" % ("0.1", "0.3")[int(sys.argv[2])]
assert p.returncode == 3 and err == said and not out, (p.returncode, out, err)
EOF
	status=$?
	check "point $killed is killed: $(cat err)" test "$status" -eq 0
done

# --- Examples in docs/load.md on small fabrics ---
grep -E '^build/flitloom sweep ((cube:[34]|omega:8)|(table-)?mesh:4x4(v2)?) ' "$home/docs/load.md" | sed 's/ *#.*//; s/^build.flitloom //' >examples
check 'docs/load.md has no examples' test -s examples
while read -r line; do
	# shellcheck disable=SC2086 # its words
	"$flitloom" $line >out 2>err
	status=$?
	check "$line: $(cat err)" test "$status" -eq 0
done <examples

# --- Links without stream ports ---
refused 'takes the link sim' cube:1 uniform --load 0.1 --link sim-uart:cube:1
# --- The plot: both frames fill the picture, with the names below them ---
if command -v gnuplot >/dev/null; then
	"$flitloom" sweep cube:3 uniform --link sim --load 0.1:0.3:0.1 --measure 1000 -q --svg plot.svg 2>err
	check "the plot leaves room empty: $(cat err)" python3 -c 'import re
text = open("plot.svg").read()
width = float(re.search(r"viewBox=.0 0 (\d+)", text).group(1))
right = [float(x) for x in re.findall(r"gridline.*?L([0-9.]+),", text)]
assert len(right) > 8 and max(right) > 0.94 * width, (width, max(right))
names = [float(x) for x, name in re.findall(r"translate\(([0-9.]+),[0-9.]+\)[^>]*>\s*<text>(?:<!\[CDATA\[)?\s*([^<\]]*)", text) if "cube:3" in name]
assert len(names) == 1 and max(names) < 0.9 * width, names'
	"$flitloom" sweep cube:3 uniform --link sim --load 0.95 --measure 1000 -q --svg none.svg 2>err
	check "a plot where nothing is sustained: $(cat err)" test -s none.svg
fi

finish
