#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests sweeps on simulated fabrics: the values that vary, the rows that are left out, and the results that are kept
# when something fails or at Ctrl-C; also a long run's progress and its end by Ctrl-C. Needs python3. FLITLOOM: the
# command; default build/flitloom.
set -u

flitloom=${FLITLOOM:-build/flitloom}
case $flitloom in */*) flitloom=$(cd "$(dirname "$flitloom")" && pwd)/$(basename "$flitloom") ;; esac
. "$(dirname "$0")/scratch.sh"
FLITLOOM_CACHE=${FLITLOOM_CACHE:-$home/build/models}
export FLITLOOM_CACHE

# rows WHAT PYTHON: `r` is the JSON in `out`, `c` the rows of rows.csv as dictionaries.
rows() {
	what=$1
	shift
	check "$what" python3 -c 'import csv, json, sys
r = json.load(open("out"))
c = list(csv.DictReader(open("rows.csv")))
'"$1"
}

# last_line REGEX: the last line of `err` is this, after the command's name.
last_line() { tail -n 1 err | grep -qxE "flitloom: $1"; }

# --- Two kinds, a size that has no such pattern ---
"$flitloom" sweep cube,omega transpose --link sim --nodes 2:4 --json --csv rows.csv >out 2>err </dev/null
status=$?
check "a size is left out: $(cat err)" test "$status" -eq 0
rows 'sizes that the pattern does not have are left out' '
assert [(x["fabric"], x["verdict"]) for x in r["runs"]] == [("cube:2", "pass"), ("omega:4", "pass")], r
assert [x["fabric"] for x in r["left_out"]] == ["cube:1", "omega:2"] and r["error"] is None
assert all("multiple of 2" in x["reason"] for x in r["left_out"])
assert [x["fabric"] for x in c] == ["cube:1", "cube:2", "omega:2", "omega:4"]
assert [x["verdict"] for x in c] == ["left out", "pass"] * 2 and "multiple of 2" in c[0]["reason"]'
"$flitloom" sweep cube,omega transpose --nodes 2:4 --plan-only >out 2>err
check 'the row does not say what is left out' grep -q '^cube:1 .*left out: .*multiple of 2' out

# --- Lengths, machines, seeds ---
"$flitloom" sweep cube:2,omega:4 complement --link sim --flits 5:33 --machine fast,paper --json --csv rows.csv >out 2>err
status=$?
check "lengths and machines: $(cat err)" test "$status" -eq 0
rows 'lengths are doubled up to the last one, both machines each; the formula holds' '
want = [(f, n, m) for f in ("cube:2", "omega:4") for n in (5, 10, 20, 33) for m in ("fast", "paper")]
assert [(x["fabric"], x["flits_per_message"], x["machine"]) for x in r["runs"]] == want
assert [(x["fabric"], int(x["flits_per_message"]), x["machine"]) for x in c] == want
for x in r["runs"]:
    if x["passes"] == 1 and x["fabric"] == "cube:2":
        assert x["measured_cycles"] == x["flits_per_message"] + 3, x
assert r["flits_per_message"] is None and [x["verdict"] for x in r["runs"]] == ["pass"] * 16'
"$flitloom" sweep cube:2 complement --flits 3:10:3 --plan-only --json --csv rows.csv >out 2>err
rows 'a step is added' 'assert [x["flits_per_message"] for x in r["runs"]] == [3, 6, 9]'
"$flitloom" sweep cube:2 complement --flits 3:9:3 --plan-only --json --csv rows.csv >out 2>err
rows 'a step that meets the last one' 'assert [x["flits_per_message"] for x in r["runs"]] == [3, 6, 9]'

"$flitloom" sweep cube:2 uniform:40 --link sim --seeds 5 --seed 3 --json --csv rows.csv >out 2>err
status=$?
check "seeds: $(cat err)" test "$status" -eq 0
for seed in 3 4 5 6 7; do
	"$flitloom" run cube:2 uniform:40 --seed $seed --json
done >singles
rows 'mean, deviation and range are those of the single runs' '
import statistics
one = [json.loads(line)["measured"]["cycles"] for line in open("singles")]
x = r["runs"][0]
assert len(one) == 5 and len(set(one)) > 1 and r["seeds"] == 5, one
assert abs(x["measured_cycles"] - statistics.mean(one)) < 1e-9
assert abs(x["measured_spread"]["sd"] - statistics.stdev(one)) < 1e-9
assert (x["measured_spread"]["min"], x["measured_spread"]["max"]) == (min(one), max(one))
assert abs(float(c[0]["measured_sd"]) - statistics.stdev(one)) < 1e-6 and c[0]["seeds"] == "5"'

# --- Rules side by side, by either word ---
"$flitloom" sweep cube:3v2 bit-reverse --load 0.1 --measure 2000 --rule e-cube,p-cube,duato >by_rule 2>err
check "several rules: $(cat err)" test -s by_rule
"$flitloom" sweep cube:3v2 bit-reverse --load 0.1 --measure 2000 --compare-rules e-cube,p-cube,duato >out 2>err
check "--compare-rules: $(cat err)" cmp by_rule out
"$flitloom" run cube:3 transpose --compare-rules duato >out 2>err
check "run takes no --compare-rules: $(cat err)" grep -qx 'flitloom: unknown option --compare-rules.*' err

# --- Cycles from the first START on, barriers included ---
"$flitloom" sweep cube:2,omega:4 all-to-all --link sim --flits 9 --planner latin,exchange,greedy --json --csv rows.csv >out 2>err
status=$?
check "back to back: $(cat err)" test "$status" -eq 0
rows 'each fabric has the first planner that can' '
assert [x["planner"] for x in r["runs"]] == ["exchange", "latin"], r
assert r["request"]["planner"] == "latin,exchange,greedy"'
rows 'cycles back to back: 8 before each pass and 3 behind all but the last; of a free run the one and the 8 before it' '
assert r["runs"][0]["passes"] == 3, r
want = [r["runs"][0]["measured_cycles"] + 3 * 11 - 3, r["runs"][1]["measured_cycles"] + 8]
assert [x["back_to_back_cycles"] for x in r["runs"]] == want, (r, want)
assert [x["back_to_back_cycles"] for x in c] == [str(w) for w in want], c'
"$flitloom" sweep cube:2,omega:4 all-to-all --link sim --flits 9 --planner latin,exchange,greedy >table 2>err
check "the table has them beside the sum: $(cat table)" python3 -c 'import json
lines = open("table").read().splitlines()[3:]
assert len(lines) == 2
for line, x in zip(lines, json.load(open("out"))["runs"]):
    assert line.split()[-3:] == [str(x["measured_cycles"]), str(x["back_to_back_cycles"]), "pass"], line'
"$flitloom" sweep cube:2,mesh:1x2,mesh:2x2 all-to-all --flits 9 --planner exchange,greedy --plan-only --json --csv rows.csv \
	>out 2>err
rows 'predicted as measured; of one pass it is that one' '
x = r["runs"]
assert [y["planner"] for y in x] == ["exchange", "greedy", "greedy"] and x[1]["passes"] == 1 < x[2]["passes"], r
want = [x[0]["predicted_cycles"] + 30, x[1]["predicted_cycles"] + 8, x[2]["predicted_cycles"] + 11 * x[2]["passes"] - 3]
assert [y["back_to_back_cycles"] for y in x] == want, (r, want)
assert [y["back_to_back_cycles"] for y in c] == [str(w) for w in want], c'
"$flitloom" sweep cube:2 uniform:9 --plan-only >table 2>err
check "predicted where messages meet: $(cat table)" grep -qE '^cube:2 .* 87 +95$' table
"$flitloom" sweep cube:2 all-to-all --plan-only --planner exchange,nix >out 2>err
check "an unknown planner behind one that can: status $?, $(cat err)" grep -q 'there is no planner "nix"' err
"$flitloom" sweep cube:2 all-to-all --plan-only --planner latin,two_pass >out 2>err
check "no planner of several: status $?, $(cat err)" grep -q 'two_pass .* cannot plan all-to-all on cube:2' err

# --- The reason for which a row is left out ---
"$flitloom" sweep mesh:4x4,torus:4x4 all-to-all --csv whole.csv >out 2>err
check 'a reason is told to its end' grep -q 'left out: pass 0 can lock.*, or use fabric torus:4x4v2$' out
check 'and in CSV' grep -q '"pass 0 can lock.*, or use fabric torus:4x4v2"' whole.csv

# --- The lower axis of a plot is the value that varies ---
if command -v gnuplot >/dev/null; then
	"$flitloom" sweep cube:2,cube:3 complement --flits 5:40 --plan-only -q --svg plot.svg
	check 'the plot has lengths below' grep -q 'flits a message' plot.svg
	check 'a curve for each fabric' test "$(grep -c '<title>.*_plot_[0-9]*</title>' plot.svg)" -eq 2
	"$flitloom" sweep cube complement --nodes 2:8 --plan-only -q --svg plot.svg
	check 'the plot has nodes below' grep -q '>nodes<' plot.svg
	"$flitloom" sweep cube,omega all-to-all --nodes 2:8 --plan-only -q --svg plot.svg
	check 'the passes alone beside those with barriers' test "$(grep -c 'passes alone' plot.svg)" -eq 1
	check 'they are dashed' grep -q "stroke-dasharray=' 5,8'" plot.svg
	# Two networks with long names that differ only at their ends look different in every output.
	mkdir a-folder-of-networks-with-a-long-name
	for k in one two; do printf 'a b\nb c\nc a\nc %s\n' $k >a-folder-of-networks-with-a-long-name/network-$k.txt; done
	long=graph:a-folder-of-networks-with-a-long-name/network
	"$flitloom" sweep $long-one.txt,$long-two.txt complement --flits 5:20 --plan-only --svg long.svg >out 2>err
	check "long names in the table: $(cat out)" test "$(grep -c "^$long-one.txt  *4 " out)" -eq 3 -a "$(grep -c "^$long-two.txt  *4 " out)" -eq 3
	check 'long names in the plot' grep -q "$long-one.txt.*$long-two.txt\|$long-one.txt" long.svg
	check 'the other long name in the plot' grep -q "$long-two.txt" long.svg
	"$flitloom" sweep cube,omega all-to-all --nodes 2:8 --plan-only -q --svg plot.svg
	check 'a free run is one curve' test "$(grep -c '<title>.*_plot_[0-9]*</title>' plot.svg)" -eq 3
fi

# --- A model that cannot be made: the rows before it are kept, JSON and CSV written, status 3 ---
mkdir -p broken/tools broken/rtl
printf '#!/bin/sh\ncase $* in *-GLINKS=0*) ;; *) exec "%s/tools/model.sh" "$@" ;; esac\necho "model.sh: no such luck" >&2\nexit 3\n' \
	"$home" >broken/tools/model.sh # cubes only
chmod +x broken/tools/model.sh
FLITLOOM_HOME=$PWD/broken "$flitloom" sweep cube:2,omega:4,cube:3 complement --link sim --json --csv rows.csv >out 2>err
check 'a failure in the middle: status 3' test $? -eq 3
check "a failure in the middle: one line: $(cat err)" test "$(grep -c '^flitloom: .*no such luck' err)" = 1
rows 'the rows before a failure are kept' '
assert [x["fabric"] for x in r["runs"]] == ["cube:2"] and "no such luck" in r["error"]
assert [x["fabric"] for x in c] == ["cube:2"] and c[0]["verdict"] == "pass"'

# --- Outputs that fail leave the others ---
rm -f rows.csv
"$flitloom" sweep cube:2 complement --plan-only --json --csv rows.csv >/dev/full 2>err
status=$?
check "JSON cannot be written: $(cat err)" test "$status" -eq 2
check "JSON cannot be written: $(cat err)" grep -q '^flitloom: standard output' err
check 'nor was CSV' grep -q '^cube:2,' rows.csv

# --- Ctrl-C ---
timeout --preserve-status -s INT 4 "$flitloom" sweep cube:2 uniform:40 --link sim --seeds 10000 --flits 5:12:7 --json --csv rows.csv \
	>out 2>err
status=$?
check "Ctrl-C in a sweep: status $status, not 3 ($(cat err))" test "$status" -eq 3
check "Ctrl-C in a sweep: $(cat err)" last_line "interrupted( after cube:2|: given up in pass [0-9]+ at cycle [0-9]+|: given up while [a-z' ]+, at word [0-9]+ of [0-9]+)"
rows 'Ctrl-C in a sweep: JSON and CSV are whole' '
assert open("err").read().splitlines()[-1] == "flitloom: " + r["error"]
assert len(r["runs"]) == len(c)'
for signal in INT TERM; do
	timeout --preserve-status -s $signal 3 "$flitloom" run cube:2 uniform:900 --flits 60000 --svg none.svg >out 2>err
	status=$?
	check "SIG$signal in a run: status $status, not 3" test "$status" -eq 3
	check "SIG$signal in a run: $(cat err)" last_line "interrupted: given up (in pass 0 at cycle [1-9][0-9]*|while [a-z' ]+, at word [0-9]+ of [0-9]+)"
	check "SIG$signal in a run leaves files or output" test ! -e none.svg -a ! -s out
done

# Ctrl-C during the first build of a model stops the build.
python3 - "$flitloom" "$PWD/empty" >err <<'EOF'
import os, signal, subprocess, sys, time
flitloom, cache = sys.argv[1:]
p = subprocess.Popen([flitloom, "sweep", "cube:1", "complement", "--link", "sim", "--json", "--csv", "rows.csv"], stdout=open("out", "w"),
                     stderr=subprocess.PIPE, text=True, env={**os.environ, "FLITLOOM_CACHE": cache},
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
first = p.stderr.readline()
time.sleep(1)
p.send_signal(signal.SIGINT)
rest = p.communicate()[1]
print(p.returncode, first + rest, os.listdir(cache))
EOF
check "Ctrl-C in a sweep that builds: $(cat err)" grep -q '^3 .*model of cube:1' err
check "Ctrl-C in a sweep that builds: $(cat err)" grep -qx 'flitloom: interrupted while the model of cube:1 was built' err
check "Ctrl-C in a sweep that builds leaves some of it: $(cat err)" grep -qx ' \[\]' err
rows 'Ctrl-C in a sweep that builds: JSON is whole' '
assert r["error"] == "interrupted while the model of cube:1 was built" and r["runs"] == c == []'

# Signals that the calling process ignores.
(trap '' INT TERM && exec "$flitloom" run cube:2 uniform:900 --flits 30000 -q) 2>err >out &
child=$!
sleep 0.5
kill -TERM $child
kill -INT $child
wait $child
status=$?
check "ignored signals: status $status: $(cat err)" test "$status" -eq 0

finish
