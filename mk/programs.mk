# The command and the benchmarks.

CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,sw/flitloom.c $(wildcard sw/cli_*.c))

$(BUILD)/flitloom: $(CLI_OBJ) $(BUILD)/libflitloom.a
	$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/bench_%: $(BUILD)/obj/sw/bench_%.o $(BUILD)/libflitloom.a
	$(CC) $^ -o $@ $(LDLIBS)

# The command without the check for deadlocks: what the watchdog then says is a test's to ask (tests/e2e/test_deadlock.sh).
UNCHECKED := $(BUILD)/unchecked

$(UNCHECKED)/deadlock.o: $(BUILD)/obj/host/plan/deadlock.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -DLOOM_NO_DEADLOCK_CHECK -c host/plan/deadlock.c -o $@

$(UNCHECKED)/flitloom: $(CLI_OBJ) $(filter-out %/deadlock.o,$(LIB_OBJ)) $(UNCHECKED)/deadlock.o
	$(CC) $^ -o $@ $(LDLIBS)
