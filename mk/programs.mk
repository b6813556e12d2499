# The command, the benchmarks, and a tool which says what a network is in the RTL.

CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,sw/flitloom.c $(wildcard sw/cli_*.c))

$(BUILD)/flitloom: $(CLI_OBJ) $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/rtl_parameters: $(BUILD)/obj/tools/rtl_parameters.o $(BUILD)/libflitloom.a
	$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/bench_%: $(BUILD)/obj/sw/bench_%.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)
