// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_API_H
#define LOOM_API_H

// These two macros enclose the declarations of the library's interface. The shared object exports what they enclose,
// with C linkage for C++.
#ifdef __cplusplus
#define LOOM_API_BEGIN                                                                                                 \
	extern "C" {                                                                                                   \
	_Pragma("GCC visibility push(default)")
#define LOOM_API_END                                                                                                   \
	_Pragma("GCC visibility pop")                                                                                  \
	}
#else
#define LOOM_API_BEGIN _Pragma("GCC visibility push(default)")
#define LOOM_API_END _Pragma("GCC visibility pop")
#endif

#endif
