#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the testbenches under Icarus: tb/run.sh [--list] [--short|--rest] [MODULE...], all by default. SEEDS="1 2 3" are the seeds;
# --short takes the first alone and tells the bench (+short, and SHORT is defined for what it need not have), --rest does so with the second. --list runs nothing and prints the
# benches as items of a suite (tools/test_rules.py). RTL=dir takes the modules from elsewhere. LIMIT_S (900): the seconds of processor
# time that one run may take. Output under build/tb/. The exit status is 1 if any of them failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
rtl=${RTL:-$root/rtl}
out=${OUT:-$root/build/tb}
seeds=${SEEDS:-1 2 3}
mkdir -p "$out"

list=
if [[ ${1:-} == --list ]]; then
    list=1
    shift
fi
form= short=
case ${1:-} in
--short) form=--short short=+short seeds=1 ;;
--rest) form=--rest short=+short seeds=2 ;;
esac
[[ -z $form ]] || shift
names=("$@")
if ((${#names[@]} == 0)); then
    while read -r file; do
        names+=("$(basename "$file" _tb.sv)")
    done < <(printf '%s\n' "$root"/tb/*/*_tb.sv | sed 's#.*/##' | LC_ALL=C sort)
fi

if [[ $list ]]; then
    for name in "${names[@]}"; do
        printf '%s\t%s\t%s\n' "$name" "tb/run.sh sv:$(cd "$root" && ls tb/*/"${name}_tb.sv") tool:iverilog tool:vvp" "tb/run.sh ${form:+$form }$name"
    done
    exit
fi

mapfile -t packages < <(grep -l "^package " "$rtl"/*/*.sv)
folders=()
for folder in "$root"/tb/*/ "$rtl"/*/; do
    folders+=(-y "${folder%/}")
done

passed=0
failed=0
limit_s=${LIMIT_S:-900}
for name in "${names[@]}"; do
    good=1
    if ! iverilog -g2012 ${short:+-D SHORT} -I "$root/tb/help" -Y .sv "${folders[@]}" \
        -s "${name}_tb" -o "$out/$name.vvp" "${packages[@]}" "$root"/tb/*/"${name}_tb.sv" >"$out/$name.build.log" 2>&1; then
        echo "FAIL $name: iverilog, see $out/$name.build.log"
        failed=$((failed + 1))
        continue
    fi
    for seed in $seeds; do
        log=$out/$name.$seed.log
        # The limit is of processor time, so that a machine busy with other work makes no test fail.
        (ulimit -t "$limit_s" && exec vvp -n "$out/$name.vvp" "+seed=$seed" $short) >"$log" 2>&1
        status=$?
        if ((status == 0)) && grep -q "^PASS $name " "$log"; then
            grep "^PASS $name " "$log"
            continue
        fi
        # XCPU or KILL ends what reaches the limit.
        ((status != 128 + 24 && status != 128 + 9)) || echo "$name: ended after $limit_s s of processor time (LIMIT_S)" >>"$log"
        echo "FAIL $name (seed $seed), see $log"
        good=0
    done
    if ((good)); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
((failed == 0))
