// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERSION_H
#define LOOM_VERSION_H

#define LOOM_VERSION "0.1.0" // the one place; Makefile, man page and packages follow it

#endif
