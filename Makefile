# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Everything that is built goes under build/.

CC ?= gcc
BUILD := build
PREFIX ?= /usr/local
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Werror
OPT ?= -O2 -g
CFLAGS_ALL := -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) -Ihost -I$(BUILD)/gen -DLOOM_HOME=\"$(CURDIR)\"
LDLIBS := -ljansson -ldl -lm
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

LIB_SRC := $(wildcard host/*.c host/planners/*.c host/links/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o)
REF_SRC := $(wildcard tests/reference/*.c)
UNIT := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

include mk/*.mk
