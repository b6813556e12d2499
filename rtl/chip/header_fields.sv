// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The fields of a message's header, the first flit of flitloom's nodes: from bit 0 on destination and source (label_w bits
// each), rule (rule_w; of more than 4 bits those above 4 are the label of a node through which it goes), slot of the
// receiver's store that keeps the message (slot_w(slots) bits, for a store of `slots` slots; 0: none), number of the message among
// its source's (the rest, but for what is above number_w bits, which is 0). Routers read destination and rule only. On the host's side host/chip/header.c knows the same. Use
// as header_fields::NAME, for constants.
`default_nettype none

package header_fields;
  // Bits of a slot's number, 1 to slots, or 0.
  function automatic integer slot_w(input integer slots);
    slot_w = slots > 7 ? 4 : slots > 3 ? 3 : 2;
  endfunction

  // The lowest bit of a field.
  function automatic integer source_low(input integer label_w);
    source_low = label_w;
  endfunction
  function automatic integer rule_low(input integer label_w);
    rule_low = 2 * label_w;
  endfunction
  function automatic integer slot_low(input integer label_w, input integer rule_w);
    slot_low = rule_low(label_w) + rule_w;
  endfunction
  function automatic integer number_low(input integer label_w, input integer rule_w, input integer slots);
    number_low = slot_low(label_w, rule_w) + slot_w(slots);
  endfunction

  // Bits of a message's number: the rest of the flit, but no more than payload can tell apart with a state of state_w bits.
  function automatic integer number_w(input integer flit_w, input integer low, input integer label_w, input integer state_w);
    number_w = flit_w - low < state_w - 1 - label_w ? flit_w - low : state_w - 1 - label_w;
  endfunction
endpackage

`default_nettype wire
