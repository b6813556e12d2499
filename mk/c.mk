# Compiles and links C.

$(BUILD)/obj/%.o: %.c $(REGMAP_H) Makefile mk/c.mk
	@mkdir -p $(@D)
	$(call step,CC,$<)$(CC) $(CFLAGS_ALL) -fPIC -MMD -MP -c $< -o $@

# The engines of computed runs are a few per cent faster so.
$(BUILD)/obj/host/machine/%.o: CFLAGS_ALL += $(patsubst -O2,-O3,$(filter -O2,$(OPT)))

# The same sources under ASan and UBSan: what the tests link. Lightly optimized, for they are compiled more often than they run
# long; all names can be seen, for the tests call what the library keeps to itself. At -O1 GCC sees less of what values may be, and two of its
# warnings are wrong where at -O2 they are right.
SAN_OPT ?= -O1 -g1 -Wno-format-truncation -Wno-maybe-uninitialized
$(BUILD)/san/%.o: %.c $(REGMAP_H) Makefile mk/c.mk
	@mkdir -p $(@D)
	$(call step,CC,$< (sanitized))$(CC) $(CFLAGS_ALL) $(SAN_OPT) -fvisibility=default -fPIC $(SANITIZE) -MMD -MP -c $< -o $@

# The library, the reference machines and what the unit tests share, once for all test programs.
$(BUILD)/libtests.so: $(LIB_SAN) $(REF_SAN) $(HELP_SAN)
	$(call step,LD,$@)$(CC) $(SANITIZE) -shared -Wl,-soname,$(@F) $^ -o $@ -lcmocka $(LDLIBS)

# A test program of $^, linked with libtests.so, which is found from where the program lies. It need not be linked again when that
# has changed; what it misses there it says as it starts.
link_test = $(CC) $(SANITIZE) $^ -o $@ -L$(BUILD) -ltests -lcmocka $(LDLIBS) -Wl,-z,now -Wl,-rpath,'$$ORIGIN$1'

$(BUILD)/libflitloom.a: $(LIB_OBJ)
	@rm -f $@
	$(call step,AR,$@)$(AR) rcs $@ $^

# The library as others link it: what include/flitloom declares, and nothing else, is exported. Until 1.0 every 0.x has an
# interface of its own.
VERSION := $(shell sed -n 's/^#define LOOM_VERSION "\(.*\)".*/\1/p' include/flitloom/version.h)
SERIES := $(basename $(VERSION))
SONAME := libflitloom.so.$(SERIES)
EXPORTS := $(BUILD)/flitloom.map
SHARED := -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$(EXPORTS) -Wl,-z,defs $(LDFLAGS)

$(EXPORTS): host/flitloom.map.in include/flitloom/version.h mk/c.mk
	@mkdir -p $(@D)
	@sed 's#@SERIES@#$(SERIES)#' $< > $@

$(BUILD)/libflitloom.so.$(VERSION): $(LIB_OBJ) $(EXPORTS)
	$(call step,LD,$@)$(CC) $(SHARED) $(LIB_OBJ) -o $@ $(LDLIBS)

$(BUILD)/san/tests/%.o $(BUILD)/obj/tests/%.o: CFLAGS_ALL += -Itests
# The reference machines are slow by design: for most of what they are asked it pays to optimize them.
$(REF_SAN): SAN_OPT := -O2 -g1 -Wno-format-truncation -Wno-maybe-uninitialized
# A unit test's own code takes no time beside the library's: not optimized, it is compiled in half the time.
$(UNIT_SRC:%.c=$(BUILD)/san/%.o): SAN_OPT := -O0 -g1
# But this one's, which goes through all orders.
$(BUILD)/san/tests/unit/plan/test_deadlock_orders.o: SAN_OPT := -O1 -g1

$(foreach source,$(UNIT_SRC),$(eval $(BUILD)/tests/$(basename $(notdir $(source))): $(source:%.c=$(BUILD)/san/%.o)))

# The command's own sources, which are not in the library.
$(BUILD)/san/tests/unit/command/%.o: CFLAGS_ALL += -Isw/command
$(BUILD)/tests/test_sweep_work: $(BUILD)/san/sw/command/cli_sweep_work.o
$(BUILD)/tests/test_progress: $(BUILD)/san/sw/command/cli_progress.o $(BUILD)/san/sw/command/cli_terminal.o

# In these memory runs out on demand: all that allocates calls tests/unit/help/memory/failing_memory.c.
WRAPPED := malloc calloc realloc aligned_alloc free strdup realpath fopen fdopen open_memstream
WITHOUT_MEMORY := $(addprefix $(BUILD)/tests/test_,memory load_memory load_routes load_groups engine_lanes_memory machine_memory \
	one_pass_memory pass_order report_memory pair_memory rule_memory circuits_memory free)

$(filter-out $(WITHOUT_MEMORY),$(UNIT:%=$(BUILD)/tests/%)): | $(BUILD)/libtests.so
	@mkdir -p $(@D)
	$(call step,LD,$@)$(call link_test,/..)

$(WITHOUT_MEMORY): $(BUILD)/san/tests/unit/help/memory/failing_memory.o $(HELP_SAN) $(LIB_SAN) $(REF_SAN)
	@mkdir -p $(@D)
	$(call step,LD,$@)$(CC) $(SANITIZE) $^ -o $@ $(WRAPPED:%=-Wl,--wrap=%) -lcmocka $(LDLIBS)

# libFuzzer programs, by clang.
$(BUILD)/fuzz/%: tests/fuzz/%.c $(LIB_SRC) $(REGMAP_H) $(BUILD)/gen/report_page.h
	@mkdir -p $(@D)
	$(call step,CLANG,$@)clang -std=c11 $(DEFINES) -O1 -g -fsanitize=fuzzer,address,undefined $(filter %.c,$^) -o $@ $(LDLIBS)

-include $(shell find $(BUILD)/obj $(BUILD)/san -name '*.d' 2>/dev/null)
