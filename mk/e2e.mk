# The verilated fabrics against everything else.

E2E_SRC := tests/e2e/rtl.c tests/e2e/rig.c

$(BUILD)/e2e_rtl: $(E2E_SRC:%.c=$(BUILD)/san/%.o) $(LIB_SRC:%.c=$(BUILD)/san/%.o) $(REF_SRC:%.c=$(BUILD)/san/%.o)
	$(CC) $(SANITIZE) $^ -o $@ $(LDLIBS)
