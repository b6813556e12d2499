# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2086 # faults.sh uses $fabric; $meeting is several words
#
# Faults of the arbiters, for faults.sh, which sources this file: five in each of the five arbiters of rtl/, and two in
# the control of outputs. All messages arrive whole; if routers choose, some come by other channels. Only cycles show
# these faults.
meeting='uniform:400 --planner direct --flits 3' # messages that contend for channels
off_cycle='(the header of message [0-9]+ .* arrived in cycle [0-9]+ instead of|message [0-9]+ .* was complete in cycle [0-9]+ instead of|headers waited [0-9]+ cycles for channel .* instead of)'

# named ARGUMENT...: a pass with contention fails, and the report names a message or a channel with its wrong cycles.
named() { differs "$off_cycle" $meeting "$@"; }

# --- wh_order: messages for an output, where a link has one lane ---------------------------------------------------------

order() {
	change rtl/wh/wh_order.sv 'before_d = before_q | {PORTS{next_comes}};' "$1"
	change rtl/wh/wh_order.sv '= next_comes & ~early;' "$2"
	named
}

order_ties_by_port() { # headers that come together are granted in the order of their ports
	change rtl/net/net_router.sv "assign early[i] = here[(i-1)/V];" "assign early[i] = 1'b0;"
	named
	sweep_differs "$off_cycle" $meeting:6
}

order_ties_turned() { # headers that come together are granted in the opposite order
	change rtl/net/net_router.sv "assign early[i] = here[(i-1)/V];" "assign early[i] = !here[(i-1)/V];"
	named
}

order_last_first() { # grants the waiting header that came last
	order 'for (int i = 0; i < PORTS; i++) before_d[i*PORTS+:PORTS] = before_q[i*PORTS+:PORTS] & ~next_comes | {PORTS{first[i]}} & next_comes;' \
		'= next_comes & ~early | ~(next_comes | first);'
}

order_lowest_first() { # grants the waiting header at the lowest input
	order 'before_d = {PORTS{~first | next_comes}};' '= ~first | next_comes;'
}

order_highest_first() { # grants the waiting header at the highest input
	order 'for (int i = 0; i < PORTS; i++) before_d[i*PORTS+:PORTS] = {PORTS{first[i] && !next_comes[i]}};' "= {PORTS{1'b0}};"
}

# --- wh_claim: messages for a lane of a link that has several ------------------------------------------------------------

claim() {
	change rtl/wh/wh_claim.sv 'before_q <= before_d;' "before_q <= $1;"
	fabric=mesh:4x4v2
	named
}

claim_lowest_first() { claim "'1"; }
claim_highest_first() { claim "'0"; }
claim_own_last() { claim "{before_d[LANES*LANES-1:LANES], LANES'(0)}"; } # the node's own header, at input 0, is granted last

claim_ties_turned() {
	change rtl/wh/wh_claim.sv "rivals = (early & ~((LANES'(2) << i) - LANES'(1))) | ({LANES{!early[i]}} & ((LANES'(1) << i) - LANES'(1)));" \
		"rivals = ~((LANES'(2) << i) - LANES'(1));"
	change rtl/wh/wh_claim.sv '= next_comes & ~early;' "= {LANES{1'b0}};"
	fabric=mesh:4x4v2
	named
}

claim_last_first() {
	change rtl/wh/wh_claim.sv 'before_d = before_q | {LANES{next_comes}};' 'before_d = before_q & ~{LANES{next_comes}};'
	change rtl/wh/wh_claim.sv '= next_comes & ~early;' '= ~next_comes | ~early;'
	fabric=mesh:4x4v2
	named
}

# --- wh_share: lanes that have a flit, for their link --------------------------------------------------------------------

share() {
	change rtl/wh/wh_share.sv "$1" "$2"
	fabric=mesh:4x4v2
	named
}
turn="<= ~(may[l*V+:V] | (may[l*V+:V] - V'(1)));"
forgets="if (asked[l*V+:V] == '0) later_q[l*V+:V] <= '1;"

share_lowest_first() { share "$turn" "<= '1;"; }
share_highest_first() { share "later = later_q[l*V+:V] | V'(1) << (V - 1);" "later = V'(1) << (V - 1);"; }
share_stays() { share "$turn" "<= ~(may[l*V+:V] - V'(1));"; } # grants the lane that sent last again, while it can send
share_never_forgets() { share "$forgets" "if (1'b0) later_q[l*V+:V] <= '1;"; }
share_forgets_at_once() { share "$forgets" "if (may[l*V+:V] == '0) later_q[l*V+:V] <= '1;"; } # forgets the turn as soon as no lane sends

# --- wh_choose: messages that may have one of several lanes --------------------------------------------------------------

choose() {
	change rtl/wh/wh_choose.sv "$1" "$2"
	fabric=${3-mesh:4x4}
	named --rule "${4-west-first}"
}
row='[i*LANES+:LANES]'

choose_ties_turned() {
	choose "early[i] ? early & ~(LOWER$row | LANES'(1) << i) : early | LOWER$row;" "~(LOWER$row | LANES'(1) << i);"
}

choose_last_first() {
	choose "next_comes[i] ? ~next_comes | ties$row : ahead_q$row & ~next_comes;" "next_comes[i] ? next_comes & ties$row : ahead_q$row | next_comes;"
}

choose_lowest_first() { choose 'ahead_q <= ahead;' 'ahead_q <= LOWER;'; }

choose_highest_lane() { # takes the highest free lane, so messages take other routes
	change rtl/wh/wh_choose.sv "row = LANES'(1) << o;" "row = LANES'(1) << (o < SINGLE ? o : LANES - 1 - (o - SINGLE));"
	fabric=mesh:4x4
	differs 'channel [0-9]+->[0-9]+ .* carried [0-9]+ messages in pass 0 instead of' $meeting --rule west-first
}

choose_behind_others() { choose "(last$row == '0 ? '1 : clear)" "{LANES{1'b1}}" cube:3v2 duato; } # may take a lane behind another message where it could not escape

# --- min_switch: two messages for a line ---------------------------------------------------------------------------------

switch() {
	change rtl/min/min_switch.sv "(first_q & first_across_q) | (~first_q & across & ~(straight & UPPER));" "$1;"
	fabric=omega:8
	named
}

switch_ties_turned() { switch '(first_q & first_across_q) | (~first_q & across & ~(straight & ~UPPER))'; }
switch_last_first() { switch '(first_q & (first_across_q ^ (straight & across))) | (~first_q & across & ~(straight & UPPER))'; }
switch_straight_first() { switch 'across & ~straight'; }
switch_across_first() { switch 'across'; }
switch_upper_first() { switch 'across & ~(straight & UPPER)'; }

# --- wh_output -----------------------------------------------------------------------------------------------------------

output_takes_any_slot() { # with machine paper a header does not wait for an empty buffer
	change rtl/wh/wh_output.sv 'held_q | out_empty | {PORTS{!paper}};' "held_q | out_empty | {PORTS{1'b1}};"
	named --machine paper
}

output_waits_for_empty() { # with machine fast it does
	change rtl/wh/wh_output.sv 'held_q | out_empty | {PORTS{!paper}};' 'held_q | out_empty;'
	named
}

arbiters='order_last_first claim_last_first share_stays choose_highest_lane switch_ties_turned output_takes_any_slot'
more_arbiters='order_ties_turned order_lowest_first order_highest_first
claim_ties_turned claim_lowest_first claim_highest_first claim_own_last
share_lowest_first share_highest_first share_never_forgets share_forgets_at_once
choose_ties_turned choose_last_first choose_lowest_first choose_behind_others
switch_last_first switch_straight_first switch_across_first switch_upper_first
output_waits_for_empty'
