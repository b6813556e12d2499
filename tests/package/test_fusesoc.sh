#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the cores flitloom-*.core with FuseSoC: lint, and the testbench of each. The testbenches of `router` and
# `open-fabric` take half a minute, so they are only compiled; suite `tb` runs them. With the argument `long` it runs
# every target of every core. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
tools/pypi.sh fusesoc || exit 3
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
# Nothing of FuseSoC's goes to the user's home, and it looks for no cores in build/.
export XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache
touch build/FUSESOC_IGNORE
n_passed=0
n_failed=0

verdict() { # WHAT STATUS
	if [ "$2" = 0 ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL fusesoc: $1"
		grep -E 'rror|WARN|FATAL|%Warn|FAIL' "$folder/log" | head -n 8
	fi
}

fusesoc() { # ARGUMENT...
	(cd "$folder" && "$root/build/venv-fusesoc/bin/fusesoc" --cores-root "$root" "$@") >"$folder/log" 2>&1 &&
		! grep -q '^WARNING' "$folder/log"
}

# run CORE TARGET [ARGUMENT...]: the target ends well, and a testbench says so.
run() {
	local core=$1 target=$2
	fusesoc run --target="$target" "flitloom:rtl:$core" "${@:3}" && case $target in
	sim*) grep -q '^PASS ' "$folder/log" ;;
	synth*)
		if grep -q 'pnr: none' "$root/flitloom-$core.core"; then
			grep -q 'Executing JSON backend' "$folder/log"
		else
			grep -q '^Info: Program finished normally' "$folder/log" && ls "$folder"/build/*_"${core}"_*/"$target"/*.bin >/dev/null
		fi ;;
	esac
	verdict "--target=$target flitloom:rtl:$core ${*:3}" $?
	[ -z "$long" ] || case $target in
	sim*) grep '^PASS ' "$folder/log" ;;
	synth*) grep -q 'pnr: none' "$root/flitloom-$core.core" && echo "$core: $(grep -oE 'SB_LUT4 +[0-9]+' "$folder/log" | tail -n 1 | grep -oE '[0-9]+$') LUT4" ||
		echo "$core: $(grep -oE 'ICESTORM_LC: +[0-9]+/' "$folder/log" | tail -n 1 | grep -oE '[0-9]+') logic cells," \
		"$(grep -oE "Max frequency[^:]*: [0-9.]+ MHz" "$folder/log" | tail -n 1 | grep -oE '[0-9.]+ MHz')" ;;
	esac
	return 0
}

# The package has pins for all ports of a core that is built without a board around it: the long form places and routes it.
pins() { # CORE
	local file=flitloom-$1.core top parameters set=
	top=$(sed -n '/^  synth:/,/^  [a-z]*:$/s/^    toplevel: //p' "$file")
	parameters=$(sed -n '/^  synth:/,$s/^    parameters: \[\(.*\)\]/\1/p' "$file" | tr -d ',')
	for parameter in $parameters; do set+=" -chparam ${parameter/=/ }"; done
	yosys -q -p "read_verilog -sv -DSYNTHESIS $(sed -n 's#^[a-z].*\.sv$#rtl/&#p' "rtl/$top.f" | tr '\n' ' ')
		hierarchy -top $top$set; proc; write_json $folder/ports.json" >"$folder/log" 2>&1
	python3 - "$folder/ports.json" >>"$folder/log" <<-'EOF'
		import json, sys
		top = [m for m in json.load(open(sys.argv[1]))["modules"].values() if "top" in m["attributes"]]
		wires = sum(len(port["bits"]) for port in top[0]["ports"].values())
		if wires > 206:
		    sys.exit(print(f"error: {wires} wires, and the HX8K in package ct256 has 206 pins") or 1)
	EOF
	verdict "$1: pins" $?
}

long=${1:-}
tools/gen_cores.py --check 2>"$folder/log"
status=$?
verdict "$(head -n 1 "$folder/log")" $status
for file in flitloom-*.core; do
	core=${file#flitloom-} core=${core%.core}
	run "$core" lint
	! grep -q 'package, ct256' "$file" || grep -q 'pnr: none\|\.pcf' "$file" || pins "$core"
	for target in $(sed -n 's/^  \(sim[a-z_-]*\|synth\):$/\1/p' "$file"); do
		if [ "$long" ]; then
			run "$core" "$target"
		elif [[ "$core $target" =~ ^(router|open-fabric)\ sim$ ]]; then
			fusesoc run --setup --build --target=sim "flitloom:rtl:$core"
			verdict "--build --target=sim flitloom:rtl:$core" $?
		elif [ "$target" = sim ]; then
			run "$core" sim
		fi
	done
done
# Parameters get there: an omega network of eight nodes.
run fabric lint --KIND 3 --NODES 8 --LINKS 0
grep -q GLINKS=0 "$folder"/build/flitloom_rtl_fabric_*/lint/*.vc
verdict "parameters of the fabric" $?
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
