#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Proves the contracts at the end of the RTL modules: tb/formal/prove.sh [--list] [--short] [--rest] [MODULE|MODULE.N...], all of
# modules.txt by default; MODULE.N is the Nth line of a module, of those after its first. --short, --rest: only the lines called so.
# --list proves nothing and prints the lines as items of a suite (tools/test_rules.py).
# RTL=dir takes the modules from elsewhere, a broken copy for example. Logs and traces under build/formal/.
# One line per module; the exit status is 1 if any of them failed.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# The paths are relative unless the caller sets them, because Yosys accepts no spaces in a path.
rtl=${RTL:+$(realpath -m "$RTL")} out=${OUT:+$(realpath -m "$OUT")}
rtl=${rtl:-rtl} out=${out:-build/formal}
cd "$root" || exit 2
table=$root/tb/formal/modules.txt
limit_s=${LIMIT_S:-300}
# Parameters which are fields of NODE: in modules.txt they are written like the others.
fields=" $(sed -n 's/^  localparam integer \([A-Z_]*\) = .*/\1/p' "$rtl/chip/node_config.sv" | tr '\n' ' ')"

# Lists a module and all modules that it instantiates, deepest last.
closure() {
    local file=$1 seen=" " name child
    local -a queue=("$file")
    while ((${#queue[@]})); do
        name=${queue[0]}
        queue=("${queue[@]:1}")
        [[ $seen == *" $name "* ]] && continue
        seen+="$name "
        for child in $(grep -oE '^ *[a-z0-9_]+ (#\(|u_)' "$rtl"/*/"$name".sv | awk '{ print $1 }' | sort -u); do
            [[ $child != "$name" ]] && compgen -G "$rtl/*/$child.sv" >/dev/null && queue+=("$child")
        done
    done
    echo "$seen"
}

prove() {
    local module=$1 engine=$2 bmc=$3 induction=$4 cover=$5 children=$6
    shift 6
    local dir=$out/$module$again script parameter name begin=$SECONDS covers=0 mode
    local -a node=()
    rm -rf "$dir"
    mkdir -p "$dir"
    script=$dir/prove.ys
    {
        # shellcheck disable=SC2046 # the packages, names without spaces
        echo "read_verilog -sv" $(grep -l "^package " "$rtl"/*/*.sv)
        for name in $(closure "$module"); do
            mode=-formal
            [[ $children == bare && $name != "$module" ]] && mode=-DSYNTHESIS
            # Without -defer Yosys elaborates each of them with its defaults first, for nothing: a fabric's take half a minute.
            [[ $name != "$module" ]] && mode+=" -defer"
            [[ $children == cut && $name != "$module" ]] && mode=-lib
            echo "read_verilog -sv $mode $(ls "$rtl"/*/"$name".sv)"
        done
        for parameter in "$@"; do
            if [[ $fields == *" ${parameter%%=*} "* ]] && grep -qE '^ *parameter .* NODE = ' "$rtl"/*/"$module".sv; then
                node+=("$parameter")
            else
                echo "chparam -set ${parameter%%=*} ${parameter#*=} $module"
            fi
        done
        ((${#node[@]})) && echo "chparam -set NODE $(RTL=$rtl tools/node_parameter.sh "${node[@]}") $module"
        echo "prep -nordff -top $module"
        if [[ $children == cut ]]; then
            for name in $(closure "$module"); do
                [[ $name != "$module" ]] && echo "delete t:$name"
            done
        fi
        echo "chformal -assume2assert * A:top %d"
        echo "chformal -cover -remove * A:top %d"
        echo "setattr -mod -unset keep_hierarchy *"  # it is for synthesis only
        echo "flatten; opt_clean; memory_map; opt -fast"
        # If a contract refers to moments between the edges, every clock becomes an ordinary signal.
        if grep -q '(\* gclk \*)' "$rtl"/*/"$module".sv; then echo "clk2fflogic"; else echo "async2sync"; fi
        echo "dffunmap; setundef -undriven -anyseq; opt_clean"
        echo "write_smt2 -wires $dir/$module.smt2"
        # ABC's model checker searches deeper, and z3 writes a trace: a failure of ABC is repeated with z3.
        if [[ $engine != z3 ]]; then
            local map="delete -output; techmap; opt -full; dffunmap; setundef -undriven -anyseq; aigmap; opt_clean"
            echo "design -save proof; chformal -cover -remove; $map; write_aiger -zinit -vmap $dir/$module.map $dir/$module.aig"
            # A cover becomes an assertion that it is not reached.
            echo 'module \$cover (input A, EN); \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN)); endmodule' >"$dir/cover.v"
            echo "design -load proof; chformal -assert -remove; techmap -map $dir/cover.v; $map"
            echo "write_aiger -zinit $dir/cover.aig"
        fi
    } >"$script"
    if ! yosys -q "$script" >"$dir/yosys.log" 2>&1; then
        echo "FAIL $module: yosys, see $dir/yosys.log"
        return 1
    fi
    if grep -q '^Warning: .*\.f_' "$dir/yosys.log"; then
        echo "FAIL $module: part of the contract is not connected, see $dir/yosys.log"
        return 1
    fi
    step() { # log, then what to do
        local log=$dir/$1.log trace=$dir/$1.vcd
        shift
        # The limit is of processor time, so that a machine busy with other work makes no proof fail.
        (ulimit -t "$limit_s" && exec yosys-smtbmc -s z3 --unroll --noprogress --dump-vcd "$trace" "$@" "$dir/$module.smt2") \
            >"$log" 2>&1 &&
            grep -q 'Status: PASSED' "$log"
    }
    # After a time-out the log has no verdict and shows no error; the line says so.
    fail() { # step, and the step whose trace shows more
        local doubt=", no verdict"
        grep -qE 'Status: (FAILED|PREUNSAT)|asserted in frame|^SATISFIABLE' "$dir/$1.log" && doubt=
        echo "FAIL $module: $1$doubt, see $dir/$1.log${2:+ and $dir/$2.log}"
    }
    if [[ $engine == each ]]; then
        # ABC unrolls the steps into one network without registers and quantifies it over the bits of f_any, lane by lane. Logic
        # that is the same for several lanes is then there once.
        local any
        any=$(awk '$1 == "init" && $4 == "f_any" { printf "qvar -I %d; ", $2 }' "$dir/$module.map")
        if [[ -z $any ]] || awk '$1 == "init" { known[$4] = 1 } $1 == "latch" && !($4 in known) { found = 1 }
            END { exit !found }' "$dir/$module.map"; then
            echo "FAIL $module: no f_any, or a register, in a contract of engine each, see $dir/$module.map"
            return 1
        fi
        any="read_aiger $dir/$module.aig; fold; strash; frames -i -F $bmc; strash; orpos; strash; $any"
        # iprove is quicker where there is arithmetic, but it may end without an answer.
        for name in iprove dsat; do
            (ulimit -t "$limit_s" && exec yosys-abc -c "$any $name") >"$dir/abc.log" 2>&1
            if grep -qE '^(UN)?SATISFIABLE' "$dir/abc.log"; then break; fi
        done
        if ! grep -q '^UNSATISFIABLE' "$dir/abc.log"; then
            grep -q '^SATISFIABLE' "$dir/abc.log" && step bmc -t "$bmc"
            fail abc bmc
            return 1
        fi
    elif [[ $engine != z3 ]]; then
        check() { # COMMAND...: before the search
            (ulimit -t "$limit_s" && exec yosys-abc -c "read_aiger $dir/$module.aig; fold; strash; $* bmc3 -F $bmc") >"$dir/abc.log" 2>&1
        }
        check "scorr;"
        # If no register is left, scorr refuses, and there is nothing that it could do.
        if grep -q 'Does not work for combinational networks' "$dir/abc.log"; then check; fi
        if ! grep -q "No output asserted in $bmc frames" "$dir/abc.log"; then
            name=$(sed -n 's/.*asserted in frame \([0-9]*\).*/\1/p' "$dir/abc.log")
            [[ -n $name ]] && step bmc -t "$((name + 2))"
            fail abc bmc
            return 1
        fi
    elif ! step bmc -t "$bmc"; then
        fail bmc
        return 1
    fi
    if [[ $engine == ind ]]; then
        # One output for all that is asserted: after $induction steps in which it holds, it holds in the next one.
        if ! (ulimit -t "$limit_s" && exec yosys-abc -c "read_aiger $dir/$module.aig; fold; strash; orpos; ind -F $induction") \
            >"$dir/induction.log" 2>&1 || ! grep -q 'Networks are equivalent' "$dir/induction.log"; then
            fail induction
            return 1
        fi
    elif ((induction > 0)) && ! step induction -i -t "$induction"; then
        fail induction
        return 1
    fi
    if [[ $engine != z3 ]]; then
        # Without -x, which keeps the traces, ABC of Yosys 0.23 ends with a segmentation fault in some of them.
        (ulimit -t "$limit_s" && exec yosys-abc -c "read_aiger $dir/cover.aig; fold; strash; bmc3 -a -x -F $cover") \
            >"$dir/cover.log" 2>&1
        if grep -q "^All [0-9]* outputs are found to be SAT" "$dir/cover.log"; then
            covers=$(sed -n 's/^All \([0-9]*\) outputs are found.*/\1/p' "$dir/cover.log")
        fi
    fi
    if ((covers == 0)); then
        if ! step cover -c -t "$cover"; then
            fail cover
            return 1
        fi
        covers=$(grep -c 'Reached cover statement' "$dir/cover.log")
    fi
    if ((covers == 0)); then
        echo "FAIL $module: nothing to cover, see $dir/cover.log"
        return 1
    fi
    echo "PASS $module$again bmc=$bmc induction=$induction covers=$covers $((SECONDS - begin))s"
}

list=
if [[ ${1:-} == --list ]]; then
    list=1
    shift
fi
only=
while [[ ${1:-} == --short || ${1:-} == --rest ]]; do
    only+=" ${1#--} "
    shift
done
passed=0
failed=0
declare -A found # lines of each module
declare -A known # the names by which lines can be called
while read -r when module rest; do
    [[ -z $when || $when == "#"* ]] && continue
    found[$module]=$((${found[$module]:-0} + 1))
    again=
    ((found[$module] > 1)) && again=.${found[$module]}
    known[$module]=1 known[$module.${found[$module]}]=1
    (($#)) && [[ " $* " != *" $module "* && " $* " != *" $module.${found[$module]} "* ]] && continue
    [[ -n $only && $only != *" $when "* ]] && continue
    if [[ -n $list ]]; then
        # shellcheck disable=SC2046,SC2086  # the same
        printf '%s\t%s\t%s\n' "$module$again" \
            "tb/formal/prove.sh tools/node_parameter.sh rtl/chip/node_config.sv sv:$(echo "$rtl"/*/"$module".sv) \
tool:yosys tool:yosys-abc tool:yosys-smtbmc tool:z3$(printf ' -%s' $rest)" "tb/formal/prove.sh $module.${found[$module]}"
        continue
    fi
    # shellcheck disable=SC2086  # the rest of the line is a list
    if prove "$module" $rest; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done <"$table"
[[ -z $list ]] || exit 0
for module in "$@"; do
    if [[ -z ${known[$module]:-} ]]; then
        echo "FAIL $module: not in $table"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
((failed == 0))
