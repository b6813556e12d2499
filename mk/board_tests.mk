# The virtual board: a bitstream as Verilog, verilated, behind a pseudo-terminal or an emulated FTDI chip.

MOCK_CFLAGS := $(shell pkg-config --cflags umockdev-1.0 2>/dev/null)
MOCK_LIBS := $(shell pkg-config --libs umockdev-1.0 2>/dev/null || echo -lumockdev)

$(BUILD)/simclock.so: tests/board/simclock.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) -fPIC -shared $< -o $@

$(BUILD)/obj/tests/board/board_ftdi.o: CFLAGS_ALL += $(MOCK_CFLAGS) -Wno-pedantic

# Runs under umockdev-wrapper: no sanitizers.
$(BUILD)/board_ftdi: $(BUILD)/obj/tests/board/board_ftdi.o $(BUILD)/obj/tests/board/ftdi_chip.o $(BUILD)/libflitloom.a | $(BUILD)/simclock.so
	$(CC) $^ -o $@ $(LDLIBS) $(MOCK_LIBS) -pthread

$(BUILD)/board_%: $(BUILD)/obj/tests/board/%.o $(BUILD)/libflitloom.a
	$(CC) $^ -o $@ $(LDLIBS)
