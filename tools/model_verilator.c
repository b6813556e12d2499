// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Linked into models that record waveforms or coverage: what of Verilator's run-time has no name in C. tools/model.sh looks up
// in the compiled model what the names of these functions are, and gives them as the macros FUNCTION_*; Verilator 5.006,
// 5.032 and 5.048 have them all. The functions here are for host/links/verilated*.c.
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef FUNCTION_TRACE_ON
void *find_context(void) __asm__(FUNCTION_CONTEXT);
void turn_trace_on(void *context, bool on) __asm__(FUNCTION_TRACE_ON);
void close_trace(void *symbols) __asm__(FUNCTION_TRACE_CLOSE);

void loom_sim_trace_on(void); // before the model is made
bool loom_sim_trace_ends(void *scope, void *chip);
void loom_sim_trace_end(void *scope);

static void *symbols_of(void *scope)
{
	void *symbols;
	memcpy(&symbols, scope, sizeof symbols);
	return symbols;
}

void loom_sim_trace_on(void)
{
	turn_trace_on(find_context(), true);
}

// True if loom_sim_trace_end works: the scope and the model both point to the model's symbols, if they are laid out as
// in the versions known.
bool loom_sim_trace_ends(void *scope, void *chip)
{
	void *word[3];
	memcpy(word, chip, sizeof word); // its functions, its context, its symbols
	return word[2] == symbols_of(scope);
}

// Closes the waveform.
void loom_sim_trace_end(void *scope)
{
	close_trace(symbols_of(scope));
}
#endif

#ifdef FUNCTION_COVERAGE
// A string of C++, as its library lays it out.
struct string {
	const char *text;
	size_t length, room[2];
};

void *find_coverage(void) __asm__(FUNCTION_COVERAGE);
void write_coverage(void *coverage, const void *name) __asm__(FUNCTION_COVERAGE_WRITE);

void loom_sim_cover(const char *file);

// Writes what was covered.
void loom_sim_cover(const char *file)
{
#ifdef COVERAGE_TAKES_STRING
	const struct string name = {.text = file, .length = strlen(file), .room = {strlen(file), 0}};
	write_coverage(find_coverage(), &name);
#else
	write_coverage(find_coverage(), file);
#endif
}
#endif
