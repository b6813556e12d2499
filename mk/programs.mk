# The command and the benchmarks.

CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sw/command/*.c))

$(BUILD)/flitloom: $(CLI_OBJ) $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/bench_%: $(BUILD)/obj/sw/bench/bench_%.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# These time the cycles of simulated fabrics.
$(BUILD)/bench_sim $(BUILD)/bench_machine: $(BUILD)/obj/sw/bench/metered.o

$(BUILD)/otis_table: $(BUILD)/obj/sw/bench/otis_table.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# It opens fabrics as the tests do.
$(BUILD)/bench_passes: $(patsubst %,$(BUILD)/obj/%.o,sw/bench/bench_passes tests/e2e/rig tests/e2e/machine_check) $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# The command without the check for deadlocks: what the watchdog then says is a test's to ask (tests/e2e/test_deadlock.py).
UNCHECKED := $(BUILD)/unchecked

$(UNCHECKED)/deadlock.o: $(BUILD)/obj/host/plan/deadlock.o
	@mkdir -p $(@D)
	$(call step,CC,$@)$(CC) $(CFLAGS_ALL) -DLOOM_NO_DEADLOCK_CHECK -c host/plan/deadlock.c -o $@

$(UNCHECKED)/flitloom: $(CLI_OBJ) $(filter-out %/deadlock.o,$(LIB_OBJ)) $(UNCHECKED)/deadlock.o
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)
