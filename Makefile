# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Everything that is built goes under build/.

BUILD := build
PREFIX ?= /usr/local
DESTDIR ?=
# What newer libraries and compilers are of another mind about is no error.
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Werror -Wno-error=deprecated-declarations -Wno-error=maybe-uninitialized
OPT ?= -O2 -g
USB_CFLAGS := $(shell pkg-config --cflags libftdi1 2>/dev/null || echo -I/usr/include/libftdi1 -I/usr/include/libusb-1.0)
# Without libscotch there is no --place search.
SCOTCH_H := $(firstword $(wildcard /usr/include/scotch/scotch.h /usr/include/scotch-int32/scotch.h /usr/include/scotch.h))
SCOTCH_CFLAGS := $(if $(SCOTCH_H),-DLOOM_HAVE_SCOTCH -isystem $(dir $(SCOTCH_H)))
SCOTCH_LIBS := $(if $(SCOTCH_H),-lscotch -lscotcherr)
# Without libexpat there are no GraphML files.
EXPAT_H := $(firstword $(wildcard /usr/include/expat.h))
EXPAT_CFLAGS := $(if $(EXPAT_H),-DLOOM_HAVE_EXPAT)
EXPAT_LIBS := $(if $(EXPAT_H),-lexpat)
DEFINES := -D_GNU_SOURCE -Iinclude -Ihost -I$(BUILD)/gen $(USB_CFLAGS) $(SCOTCH_CFLAGS) $(EXPAT_CFLAGS)
# The built files do not contain the name of the folder that they were built in.
CFLAGS_ALL := -std=c11 -fvisibility=hidden $(DEFINES) $(WARN) $(OPT) "-ffile-prefix-map=$(CURDIR)=."
LDLIBS := -ljansson $(shell pkg-config --libs libftdi1 libusb-1.0 2>/dev/null || echo -lftdi1 -lusb-1.0) $(SCOTCH_LIBS) $(EXPAT_LIBS) -lz -ldl -lm
# A line for each step; V=1 shows the commands instead, -s nothing: $(call step,CC,what) before a command, $(Q) before
# those that belong to the same step.
ifneq ($(V),1)
Q := @
ifeq ($(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),)
step = @$(info $()  $(1) $(2))
else
step = @
endif
endif
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

LIB_SRC := $(sort $(shell find host -name "*.c"))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o)
LIB_SAN := $(LIB_SRC:%.c=$(BUILD)/san/%.o)
REF_SRC := $(sort $(wildcard tests/reference/*.c))
REF_SAN := $(REF_SRC:%.c=$(BUILD)/san/%.o)
# The sources that the unit tests share.
HELP_SRC := $(wildcard tests/unit/help/*.c)
HELP_SAN := $(HELP_SRC:%.c=$(BUILD)/san/%.o)
# A unit test is a program build/tests/test_NAME; its source lies in the room of what it tests.
UNIT_SRC := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT := $(sort $(basename $(notdir $(UNIT_SRC))))
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

all: $(BUILD)/flitloom $(BUILD)/libflitloom.a ## the command and the library

ldlibs: ## what is linked with libflitloom.a
	@echo $(LDLIBS)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

include mk/gen.mk mk/c.mk mk/programs.mk mk/tests.mk mk/boards.mk mk/install.mk mk/board_tests.mk
include mk/systemc.mk
include mk/package.mk
include mk/python.mk

.DEFAULT_GOAL := all
.PHONY: all help
.SECONDARY:
.DELETE_ON_ERROR:
