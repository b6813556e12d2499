# The command and the benchmarks.

CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,sw/flitloom.c $(wildcard sw/cli_*.c))

$(BUILD)/flitloom: $(CLI_OBJ) $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/bench_%: $(BUILD)/obj/sw/bench_%.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)
