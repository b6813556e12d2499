#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: faults.sh [rest | all | FAULT...]
# Puts one fault at a time into a copy of the sources, builds it, runs a pattern on cube:3, and checks that the fault is
# noticed: the verdict is not PASS, and the text names a channel or a message; a fault of the link makes words come out
# wrong on a bad line. Without arguments: nine of the faults, `few` below; with `rest`: others, among them one of each
# arbiter; with `all`: all. The copies go to build/faults; models that were built before are used again.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/build/faults
clean=$work/clean # a copy of the sources, which others may change while this runs
tree=$work/tree   # the copy that the faults are put into
n_passed=0
n_failed=0

# The settings of a make that calls this script are not for the copy.
unset MAKEFLAGS MAKELEVEL MFLAGS
whole=${FLITLOOM_CACHE:-$root/build/models} # the models of the unchanged sources
export FLITLOOM_HOME="$tree" FLITLOOM_CACHE="$work/models"

give_up() { echo "faults.sh: $*" >&2; exit 2; }
report() { printf '%-4s %-26s %s\n' "$1" "$fault" "$2"; }
passed() { n_passed=$((n_passed + 1)); report ok "$1"; }
failed() { n_failed=$((n_failed + 1)); report FAIL "$1"; }

# change FILE OLD NEW: in FILE, puts NEW in the place of OLD. If OLD is not there exactly once, the sources have changed
# and the fault needs a new text: it counts as failed.
change() {
	OLD=$2 NEW=$3 awk '
		BEGIN { old = ENVIRON["OLD"]; new = ENVIRON["NEW"] }
		{ all = all $0 "\n" }
		END {
			at = index(all, old)
			if (!at || index(substr(all, at + 1), old)) exit 1
			printf "%s", substr(all, 1, at - 1) new substr(all, at + length(old))
		}' "$tree/$1" >"$work/changed" || { broken="$1 does not have, once: $2"; return; }
	cp "$work/changed" "$tree/$1"
	changed="$changed $1"
}

restore() {
	for file in $changed; do cp "$clean/$file" "$tree/$file"; done
	changed='' broken=''
}

# Builds the command in the copy. Optimising it would take longer than running it.
build() {
	[ -z "$broken" ] && ! make -s -C "$tree" -j"$(nproc)" OPT=-O0 build/flitloom >"$work/make.log" 2>&1 &&
		broken="the copy does not build: $(grep -m1 -E 'error|Error' "$work/make.log"); see $work/make.log"
	[ -z "$broken" ] || { failed "$broken"; return 1; }
}

# Runs the command on cube:3, unless the fault sets another fabric.
run() {
	timeout 120 "$tree/build/flitloom" run "$fabric" "$@" --json -q >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# Prints the command's findings: the differences, one a line, or the line on standard error.
told() {
	cat "$work/err"
	sed -n 's/.*"mismatches":\[\(.*\)\],"mismatch_count".*/\1/p' "$work/out" | sed 's/","/\n/g; s/^"//; s/"$//'
}

# differs TEXT ARGUMENT...: the run is not as planned, and one of the differences reads like TEXT.
differs() {
	text=$1
	shift
	build || return
	run "$@"
	if [ "$status" -ne 1 ] || ! grep -q '"verdict":"fail"' "$work/out"; then
		failed "status $status, not 1: $(told | head -n1 | cut -c1-300)"
	elif ! told | grep -qE "$text"; then
		failed "nothing like \"$text\": $(told | head -n3)"
	else
		n=$(sed -n 's/.*"mismatch_count":\([0-9]*\).*/\1/p' "$work/out")
		passed "1: $(told | grep -m1 -E "$text") [$n]"
	fi
}

# sweep_differs TEXT ARGUMENT...: a sweep whose last row is run on the RTL as well fails in that row, and one of the differences there
# reads like TEXT.
sweep_differs() {
	text=$1
	shift
	timeout 120 "$tree/build/flitloom" sweep "$fabric" "$@" --check-on sim:1 -q --csv "$work/rows.csv" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	if [ "$status" -ne 1 ] || [ "$(grep -c ',fail,' "$work/rows.csv")" -ne 1 ] || ! tail -n1 "$work/rows.csv" | grep -qE ",fail,\"?on sim: .*$text"; then
		failed "a sweep with --check-on: status $status: $(cat "$work/err" "$work/rows.csv")"
	else
		passed "a sweep with --check-on: $(tail -n1 "$work/rows.csv" | grep -oE "on sim: [^\",]*")"
	fi
}

# stops STATUS TEXT ARGUMENT...: the run ends in that status and one line that reads like TEXT.
stops() {
	wanted=$1 text=$2
	shift 2
	build || return
	run "$@"
	if [ "$status" -ne "$wanted" ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
		failed "status $status, not $wanted: $(told | head -n1 | cut -c1-300)"
	elif ! grep -qE "^flitloom: .*$text" "$work/err"; then
		failed "nothing like \"$text\": $(cat "$work/err")"
	else
		passed "$wanted: $(sed 's/^flitloom: //' "$work/err")"
	fi
}

# unit_notices TEST TEXT: the fault is in the checker, so no run can show it; TEST must fail in the case named TEXT.
unit_notices() {
	build || return
	if ! (cd "$tree" && gcc -std=c11 -D_GNU_SOURCE -Iinclude -Ihost -Itests -Ibuild/gen "tests/unit/check/$1.c" tests/unit/help/*.c tests/reference/*.c build/libflitloom.a \
		-o "$work/$1" -lcmocka $(make -s ldlibs)) >"$work/make.log" 2>&1; then
		failed "$1 does not build; see $work/make.log"
	elif (cd "$tree" && timeout 120 "$work/$1") >"$work/unit" 2>&1; then
		failed "$1 passes"
	elif ! grep -qE "^\[  FAILED  \] .*$2" "$work/unit"; then
		failed "$1 does not fail in $2: $(grep -m1 FAILED "$work/unit")"
	else
		n=$(sed -n 's/^ *\([0-9]*\) FAILED TEST.*/\1/p' "$work/unit")
		passed "$1: $n fail, $(grep -m1 -oE "$2[^ ]*" "$work/unit") too"
	fi
}

# torture_notices TEXT LINE: on a cube:1 behind a bad line of that kind, words must come out wrong, and be counted.
torture_notices() {
	build || return
	if ! make -s -C "$tree" OPT=-O0 build/board_torture >"$work/make.log" 2>&1; then
		failed "board_torture does not build; see $work/make.log"
	elif ! "$tree/build/flitloom" probe -q sim-uart:cube:1 2>"$work/err"; then # builds the model
		failed "no board: $(cat "$work/err")"
	elif timeout 240 "$tree/build/board_torture" cube:1 200000 0 1 "$2" >"$work/out" 2>"$work/err"; then
		failed "board_torture passes"
	elif ! grep -qE "^FAIL $2: $1" "$work/out"; then
		failed "nothing like \"$1\": $(cat "$work/err") $(grep FAIL "$work/out")"
	else
		passed "$(grep -m1 -E "^FAIL $2: $1" "$work/out")"
	fi
}

# --- Router --------------------------------------------------------------------------------------------------------

router_wrong_port() { # to node 5 by another way: everything arrives, but over other channels
	change rtl/net/route_order.sv 'left = here ^ destination[i*LABEL_W+:LABEL_W];
            if (descending[i]) begin' 'left = here ^ destination[i*LABEL_W+:LABEL_W];
            if (descending[i] || destination[i*LABEL_W+:LABEL_W] == LABEL_W'"'"'(5)) begin'
	differs 'channel [0-7]->[0-7] \(dim [0-2]\) carried [0-9]+ messages in pass 0 instead of' all-to-all --planner direct --flits 5
}

router_wrong_node() { # node 4 ejects the messages for node 5
	change rtl/net/route_order.sv '= here ^ destination[i*LABEL_W+:LABEL_W];' \
		'= here ^ destination[i*LABEL_W+:LABEL_W] ^ LABEL_W'"'"'(destination[i*LABEL_W+:LABEL_W] == LABEL_W'"'"'(5));'
	differs 'message [0-9]+ \([0-7] to 5, pass 0\) arrived at node 4 instead of node 5' all-to-all --planner direct --flits 5
}

router_duplicates_flit() { # some flits go into both places of an empty buffer
	change rtl/cells/stream_buffer.sv '= in_valid & in_ready & head_full_q;' '= in_valid & in_ready;'
	change rtl/cells/stream_buffer.sv '<= ~pop & (spare_full_q | (in_valid & head_full_q));' \
		'<= (~pop & (spare_full_q | (in_valid & head_full_q))) |
			(in_valid & ~head_full_q & ~in_last & {LANES{in_flit[3:0] == 4'"'"'d7}});'
	differs 'message [0-9]+ .* arrived with [0-9]+ flits instead of 20' complement --flits 20
}

router_drops_flit() { # a flit that has to wait behind another is lost, if it is no tail
	change rtl/cells/stream_buffer.sv '(in_valid & head_full_q));' '(in_valid & head_full_q & in_last));'
	differs 'message [0-9]+ .* arrived with [0-9]+ flits instead of 5' all-to-all --planner direct --flits 5
}

flip_bit() { # in the payload, at one port
	change rtl/wh/wh_router.sv '.in_flit(head_flit),' \
		'.in_flit(o == 2 ? head_flit ^ {{(PORTS-4)*FLIT_W{1'"'"'b0}}, FLIT_W'"'"'(!head_header[3]), FLIT_W'"'"'(!head_header[2]),
			FLIT_W'"'"'(!head_header[1]), FLIT_W'"'"'(!head_header[0])} : head_flit),'
}

router_flips_bit() {
	flip_bit
	differs 'message [0-9]+ .* arrived corrupted at node [0-7]' all-to-all --planner direct --flits 5
}

router_interleaves() { # a worm loses the channel when another header requests it
	change rtl/wh/wh_order.sv 'before_d = before_q | {PORTS{next_comes}};' 'before_d = before_q & ~{PORTS{next_comes}};'
	change rtl/wh/wh_order.sv '= next_comes & ~early;' '= ~next_comes | ~early;'
	stops 3 'stuck in pass 0.*[0-7]->[0-7] \(dim [0-2]\)' all-to-all --planner direct --flits 3
}

router_never_grants() { # the header at port 2 is never served
	change rtl/wh/wh_output.sv 'SHARED == 0 ? first & in_valid : first;' 'first & in_valid & ~(in_header & PORTS'"'"'(4));'
	stops 3 'stuck in pass 0.*[0-7]->[0-7] \(dim [0-2]\)' all-to-all --planner direct --flits 5
}

# --- Arbiters -----------------------------------------------------------------------------------------------------

# shellcheck source=tests/e2e/arbiter_faults.sh
. "$root/tests/e2e/arbiter_faults.sh"

# --- Light ---------------------------------------------------------------------------------------------------------

light_too_fast() { # a flit is offered a cycle before it can have arrived
	change rtl/otis/otis_link.sv 'assign comes = flight_q[FLIGHT-V+:V];' 'assign comes = flight_q[FLIGHT-2*V+:V];'
	fabric=otis-mesh:4l3w2
	differs 'message [0-9]+ .* was complete in cycle [0-9]+ instead of' random-perm --flits 5
}

light_loses_credits() { # loses a credit that comes back while a flit is sent; the last one is left, so everything goes on, slowly
	change rtl/otis/otis_link.sv 'if (sent[v] != home[v]) credits_q <= home[v] ?' 'if (sent[v] || home[v]) credits_q <= home[v] && !sent[v] ?'
	fabric=otis-mesh:4l3
	differs 'message [0-9]+ .* was complete in cycle [0-9]+ instead of' random-perm --flits 40
}

light_runs_over() { # sends without credits, so tails are lost
	change rtl/otis/otis_link.sv "= gap_q == '0 && credits_q != '0;" "= gap_q == '0;"
	fabric=otis-mesh:4l3v2
	stops 3 'stuck in pass 0' all-to-all --planner direct --flits 5
}

light_at_another_processor() { # two optical hops where one would do as well; some go out where there is no link
	change rtl/net/route_otis.sv "home || more < 0 ? to_p" "home || more <= 0 ? to_p"
	fabric=otis-mesh:4v2
	differs 'channel [0-9]+->[0-9]+ \(optical\) carried [0-9]+ messages in pass 0 instead of' all-to-all --planner direct --flits 5
}

# --- Node ----------------------------------------------------------------------------------------------------------

node_sends_one_less() {
	change rtl/node/node_sender.sv 'left_q  <= in_flits - 1'"'"'b1;' 'left_q  <= in_flits - 2'"'"'d2;'
	differs 'message [0-9]+ .* arrived with 4 flits instead of 5' complement --flits 5
}

node_sends_wrong_data() {
	change rtl/node/node_sender.sv 'state_q <= start;' 'state_q <= start ^ STATE_W'"'"'(here == LABEL_W'"'"'(3));'
	differs 'message [0-9]+ \(3 to 4, pass 0\) arrived corrupted at node 4' complement --flits 5
}

node_miscounts() {
	change rtl/node/node_receiver.sv ': LENGTH_W'"'"'(1);' ': LENGTH_W'"'"'(2);'
	differs 'message [0-9]+ .* arrived with 6 flits instead of 5' complement --flits 5
}

node_maps_next() { # the table is read one place too high
	change rtl/node/node_program.sv 'map_mem[bus_map_q ? map_at_q : named];' \
		'map_mem[bus_map_q ? map_at_q : named + 1'"'"'b1];'
	differs 'message [0-9]+ \([0-7] to [0-7], pass 0\) never arrived' complement --flits 5
}

node_keeps_wrong_map() { # an entry of the table is not what was written: found before anything runs
	change rtl/node/node_program.sv 'map_mem[bus_address[LABEL_W-1:0]] <= bus_wdata[LABEL_W-1:0];' \
		'map_mem[bus_address[LABEL_W-1:0]] <= bus_wdata[LABEL_W-1:0] ^ LABEL_W'"'"'(
			bus_address[LABEL_W-1:0] == LABEL_W'"'"'(5));'
	stops 3 'address 0x10004005 was written 0x0000000[0-7] and reads 0x0000000[0-7]' complement --flits 5
}

node_sends_twice() { # every message
	change rtl/node/node_program.sv 'wire more = fetch_q != length;' 'wire more = fetch_q != length << 1;'
	change rtl/node/node_program.sv 'assign fetch_index = fetch_q[INDEX_W-1:0];' 'assign fetch_index = INDEX_W'"'"'(fetch_q >> 1);'
	change rtl/node/node_program.sv 'index_q <= fetch_q[INDEX_W-1:0];' 'index_q <= INDEX_W'"'"'(fetch_q >> 1);'
	differs 'message [0-9]+ .* arrived 2 times, again at node [0-7]' complement --flits 5
}

node_sends_for_ever() { # no tail ever comes: flits keep moving, so the watchdog does not act
	change rtl/node/node_sender.sv 'out_last = left_q == LENGTH_W'"'"'(1);' 'out_last = 1'"'"'b0;'
	stops 3 'pass 0 is not done after .*not arrived: message 0 \(0 to 7, pass 0\), .* and 5 more; [0-7]->[0-7] \(dim [0-2]\) carried [0-9]+ of 5 flits' \
		complement --flits 5
}

node_logs_no_pass() { # in a free run, which only omega networks have here
	change rtl/node/node_receiver.sv '{cycle, intact, pass, flits}' '{cycle, intact, PASS_W'"'"'(0), flits}'
	fabric=omega:8
	differs 'message [0-9]+ .* is logged at node [0-7] in pass 0; a free run.s is its last pass, 7' all-to-all --flits 5
}

node_logs_half_the_cycle() { # in a run where no formula says when a tail arrives
	change rtl/node/node_receiver.sv 'end_d = {cycle,' 'end_d = {cycle >> 1,'
	differs 'message [0-9]+ .* was complete in cycle [0-9]+ instead of [0-9]+' all-to-all --planner direct --flits 5
}

node_asks_for_a_slot() { # all data arrives, but the receiver would keep it in the slot of other data
	change rtl/node/node_sender.sv 'out_flit[SLOT_LOW+:SLOT_W] = in_keep;' \
		'out_flit[SLOT_LOW+:SLOT_W] = ~in_keep;'
	differs 'the header of message [0-9]+ .* says rule 0 and slot 3 instead of 0 and 0' complement --flits 5
}

node_checks_nothing() { # while a router flips bits: only the signature shows it
	change rtl/node/node_receiver.sv 'wire corrupt = body_q &&' 'wire corrupt = 1'"'"'b0 && body_q &&'
	flip_bit
	differs 'message [0-9]+ .* arrived at node [0-7] with signature 0x[0-9a-f]+; that of its payload is 0x[0-9a-f]+' \
		all-to-all --planner direct --flits 5
}

# --- Monitor -------------------------------------------------------------------------------------------------------

monitor_counts_twice() { # worms, on one channel of each tile
	change rtl/chip/monitor.sv ' = worms_q[c*WORM_W+:WORM_W] + 1'"'"'b1;' \
		' = worms_q[c*WORM_W+:WORM_W] + WORM_W'"'"'(c == 1 ? 2 : 1);'
	differs 'channel [0-7]->[0-7] \(dim 1\) carried 2 messages in pass 0 instead of 1' complement --flits 5
}

monitor_loses_flits() {
	change rtl/chip/monitor.sv 'if (obs_flit[c] && !(&' 'if (obs_flit[c] && !obs_blocked[c] && !(&'
	differs 'channel [0-7]->[0-7] \(dim [0-2]\) carried [0-9]+ flits in pass 0 instead of [0-9]+' \
		all-to-all --planner direct --flits 5
}

monitor_sees_waiting() { # counts blocked cycles where no header waits
	change rtl/chip/monitor.sv 'if (|obs_blocked) begin' 'begin'
	change rtl/chip/monitor.sv 'if (obs_blocked[c] && !(&' 'if (!(&'
	differs 'headers waited [0-9]+ cycles for channel .* in pass 0 instead of 0' \
		complement --flits 5
}

# If the chip has histories, the counts of a pass come from them alone, in free runs, too.
passes='all-to-all --planner min_passes --flits 5'

history_counts_twice() { # flits, in one pass
	change rtl/chip/history.sv 'flits_mem[c] = flits_mem[c] + 1'"'"'b1;' \
		'flits_mem[c] = flits_mem[c] + (pass == 16'"'"'d3 ? 16'"'"'d2 : 16'"'"'d1);'
	fabric=omega:8
	# shellcheck disable=SC2086 # several words
	differs 'channel .* carried 10 flits in pass 3 instead of 5' $passes
}

history_mixes_passes() { # counts two consecutive passes together
	change rtl/chip/history.sv 'number = by_pass ? pass :' 'number = by_pass ? pass >> 1 :'
	fabric=omega:8
	# shellcheck disable=SC2086 # several words
	differs 'channel .* carried 2 messages in pass 0 instead of 1' $passes
}

# --- Planner -------------------------------------------------------------------------------------------------------

# Two messages share a channel.
crossing='unshuffle --map identity --flits 5'

planner_other_routes() { # plans the highest dimension first; `next` itself is compared with the routers' order when a fabric is read
	change host/topo/topo_direct.c 'next(t, route->at, route->destination, route->rule)' \
		'next(t, route->at, route->destination, (enum loom_rule)(route->rule ^ 1))'
	# shellcheck disable=SC2086 # several words
	differs 'channel [0-7]->[0-7] \(dim [0-2]\) carried [0-9]+ messages in pass 0 instead of [0-9]+' $crossing
}

planner_wrong_formula() { # twice the load that the theorem gives
	change host/plan/planners/lcc.c '0 : loom_bit(i - rank);' '0 : loom_bit(i - rank + 1);'
	differs 'channel [0-7]->[0-7] \(dim [0-2]\) carried 1 messages in pass 0; the theorem says 2 for dim[0-2]' \
		complement --flits 5
}

planner_other_order() { # the theory is for another map
	change host/plan/planners/lcc_planner.c 'loom_lcc_theory(theory + (size_t)pass * (n + 2), lcc, plan->order);' \
		'loom_lcc_theory(theory + (size_t)pass * (n + 2), lcc, (const unsigned[]){1, 0, 2});'
	# shellcheck disable=SC2086 # several words
	differs 'channel [0-7]->[0-7] \(dim [0-2]\) carried [0-9] messages in pass 0; the theorem says [0-9]' $crossing
}

planner_wrong_map() { # the map does not belong to the order: found before anything runs
	change host/plan/planners/lcc_planner.c 'loom_gf2_reorder_vector(v, n, plan->order);' \
		'loom_gf2_reorder_vector(v ^ 1, n, plan->order);'
	stops 2 'the bit order is not that of the map' bit-reverse --flits 5
}

planner_drops_message() { # the last message
	change host/plan/plan_by_one.c 'plan->n_messages = pattern->n_messages;' 'plan->n_messages = pattern->n_messages - 1;'
	stops 3 'planner lcc loses message 7 of "hotspot:0", 5 flits from 7 to 0 .*7 of 8 messages' hotspot:0 --map identity --flits 5
}

# --- Image ---------------------------------------------------------------------------------------------------------

image_wrong_destination() { # of the message from processor 2
	change host/chip/programs.c ': m->destination) <<' ': m->destination ^ (m->source == 2)) <<'
	differs 'message 2 \(2 to 5, pass 0\) never arrived' complement --flits 5
}

image_wrong_number() { # programs number messages from 0
	change host/chip/image.c '(uint32_t)(e - programs.first[v]);' '(uint32_t)(e - programs.first[v]) + 1;'
	differs 'node [0-7] received, in pass 0, message 0 of node [0-7] for node [0-7], which the plan does not have' \
		all-to-all --planner direct --flits 5
}

image_wrong_order() { # a node's messages are reversed: each has the number of another
	change host/chip/image.c 'loom_entry_words(word + 2 * (size_t)i, &entry[i], plan, label);' \
		'loom_entry_words(word + 2 * (size_t)(n - 1 - i), &entry[i], plan, label);'
	differs 'message [0-9]+ of node [0-7] for node [0-7], which the plan does not have' all-to-all --planner direct --flits 5
}

image_wrong_node() { # the entry of each node in the map tables, but not the place of its program
	change host/chip/image.c ': loom_topo_label(&plan->topo, plan->map[v]);' \
		': loom_topo_label(&plan->topo, plan->map[(v + 1) % n]);'
	differs 'message [0-9]+ .* never arrived' complement --flits 5
}

# --- Checker -------------------------------------------------------------------------------------------------------

checker_other_channel() { # compares every channel with the planned load of its neighbour
	change host/check/verdict.c 'if (count->worms != plan->load[at])' 'if (count->worms != plan->load[at ^ 1])'
	differs 'channel [0-7]->[0-7] \(dim [0-2]\) carried [0-9]+ messages' shift:1 --flits 5
}

checker_other_number() { # takes the processor for the node
	change host/check/expected.c '.destination = destinations[i],' '.destination = m->destination,'
	differs 'message [0-9]+ .* never arrived' complement --map 1,2,0 --flits 5
}

checker_sees_no_corruption() { # while a router flips bits: only the counts of the nodes show it
	change host/check/verdict_messages.c 'if (!a->intact)' 'if (a->flits == 0)'
	flip_bit
	differs 'channel eject [0-7] delivered [0-9]+ corrupted flits' all-to-all --planner direct --flits 5
	unit_notices test_verdict_messages test_corrupted
}

checker_accepts_all() { # counts no differences at all: no run can show it, so the unit tests must
	change host/check/verdict_messages.c '	v->n_mismatches++;' ''
	unit_notices test_verdict_messages test_lost
}

checker_skips_channels() {
	change host/check/verdict.c 'code = check_channels(v, plan, trace, &due, err);' 'code = 0;'
	change host/check/verdict.c 'static int check_channels(' '__attribute__((unused)) static int check_channels('
	unit_notices test_verdict_channels test_channel
}

checker_skips_theory() {
	change host/check/verdict.c 'theory != UINT32_MAX && count->worms' 'theory == 0 && count->worms'
	unit_notices test_verdict_channels test_theory
}

checker_skips_cycles() {
	change host/check/verdict_messages.c 'if (a->last_cycle != due->tail)' 'if (a->last_cycle == 0)'
	unit_notices test_verdict_messages test_cycle
}

# --- Link ----------------------------------------------------------------------------------------------------------

link_host_takes_damage() { # the host accepts answers with a wrong CRC
	change host/links/frame.c 'get32(plain + n_plain) != crc_of(plain, n_plain)' \
		'get32(plain + n_plain) != crc_of(plain, n_plain) && n_plain == 0'
	torture_notices '[0-9]+ wrong words' 'flip 1e-4'
}

link_board_takes_damage() { # the board accepts requests with a wrong CRC
	change rtl/link/link_receiver.sv 'wire intact = frame_good && crc_q == RESIDUE;' 'wire intact = frame_good;'
	torture_notices '[0-9]+ wrong words' 'flip 1e-4'
}

# --- All of it -----------------------------------------------------------------------------------------------------

few='router_wrong_port node_sends_wrong_data planner_other_routes planner_wrong_formula image_wrong_destination
order_ties_by_port checker_other_channel checker_sees_no_corruption link_host_takes_damage'
rest="$arbiters light_too_fast light_at_another_processor light_loses_credits light_runs_over
router_duplicates_flit router_flips_bit router_interleaves router_never_grants router_wrong_node router_drops_flit
node_maps_next node_sends_twice node_sends_for_ever node_logs_no_pass node_logs_half_the_cycle node_asks_for_a_slot node_checks_nothing
node_keeps_wrong_map node_sends_one_less node_miscounts
monitor_counts_twice monitor_loses_flits monitor_sees_waiting history_counts_twice history_mixes_passes
planner_other_order planner_drops_message planner_wrong_map
image_wrong_number image_wrong_order image_wrong_node
checker_accepts_all checker_skips_channels checker_other_number checker_skips_theory checker_skips_cycles
link_board_takes_damage"

case ${1-} in
'') faults=$few ;;
rest) faults=$rest ;;
all) faults="$few $rest $more_arbiters" ;;
*) faults=$* ;;
esac
for fault in $faults; do
	known=
	for name in $few $rest $more_arbiters; do [ "$name" = "$fault" ] && known=1; done
	# shellcheck disable=SC2086 # several words
	[ "$known" ] || give_up "unknown fault \"$fault\"; there is:" $few $rest $more_arbiters
done

rm -rf "$clean" "$tree"
(umask 077 && mkdir -p "$clean" "$work/models")
cd "$root" || exit 2
cp -pR Makefile rtl tools include host sw mk constraints "$clean"
mkdir -p "$clean/tests/unit/check" "$clean/tests/unit/help" "$clean/tests/board"
cp -pR tests/reference "$clean/tests" || exit 2
cp -p tests/unit/check/test_verdict_*.c "$clean/tests/unit/check" || exit 2
for help in verdict_scene plan_reference timed_reference networks; do
	cp -p tests/unit/help/$help.[ch] "$clean/tests/unit/help" || exit 2
done
cp -p tests/board/torture.c "$clean/tests/board" || exit 2
cp -R "$clean" "$tree"
changed='' broken='' fabric=cube:3

# Without a fault each of these runs must be as planned; otherwise the tests below would prove nothing.
fault=none
build || exit 2
FLITLOOM_CACHE=$whole
for words in 'all-to-all --planner direct --flits 5' 'all-to-all --flits 3' 'complement --flits 5' 'complement --flits 20' \
	"$crossing" 'bit-reverse --flits 5' 'shift:1 --flits 5' \
	'hotspot:0 --map identity --flits 5' 'complement --map 1,2,0 --flits 5'; do
	# shellcheck disable=SC2086
	run $words
	[ "$status" -eq 0 ] || give_up "without a fault, run cube:3 $words ends in status $status: $(told | head -n1)"
done
FLITLOOM_CACHE=$work/models

for fault in $faults; do
	n_before=$((n_passed + n_failed))
	"$fault"
	[ $((n_passed + n_failed)) -ne "$n_before" ] || failed "nothing was looked at"
	restore
	fabric=cube:3
done

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
