// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Linked into every model: the time that Verilator writes into waveforms, in half clock cycles, set by links/sim.c.
// Verilator asks for it under the C++ name of sc_time_stamp().
double loom_sim_time;
double loom_sim_time_stamp(void) __asm__("_Z13sc_time_stampv");

double loom_sim_time_stamp(void)
{
	return loom_sim_time;
}
