// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_SYSTEMC_PROCESS_HPP
#define FLITLOOM_SYSTEMC_PROCESS_HPP

#include <systemc>

namespace flitloom
{

// True if the caller is a process that can wait.
inline bool in_thread()
{
	const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
	return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

} // namespace flitloom

#endif
