// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Chance in a testbench: the same numbers with the same +seed=N.
integer state;

// The state is N, or 1 without one, times a factor and plus an offset, by which modules differ.
task seed_by(input integer factor, input integer offset);
  if (!$value$plusargs("seed=%d", state)) state = 1;
  state = state * factor + offset;
endtask

// A number from 0 to below - 1.
function integer random(input integer below);
  random = $unsigned($random(state)) % below;
endfunction
