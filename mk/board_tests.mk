# The virtual board: a bitstream as Verilog, verilated, behind a pseudo-terminal or an emulated FTDI chip.

MOCK_CFLAGS := $(shell pkg-config --cflags umockdev-1.0 2>/dev/null)
MOCK_LIBS := $(shell pkg-config --libs umockdev-1.0 2>/dev/null || echo -lumockdev)

$(BUILD)/simclock.so: tests/board/simclock.c
	@mkdir -p $(@D)
	$(call step,LD,$@)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) -fPIC -shared $< -o $@

$(BUILD)/obj/tests/board/board_ftdi.o: CFLAGS_ALL += $(MOCK_CFLAGS) -Wno-pedantic

# Runs under umockdev-wrapper: no sanitizers.
$(BUILD)/board_ftdi: $(BUILD)/obj/tests/board/board_ftdi.o $(BUILD)/obj/tests/board/ftdi_chip.o $(BUILD)/libflitloom.a | $(BUILD)/simclock.so
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS) $(MOCK_LIBS) -pthread

$(BUILD)/board_%: $(BUILD)/obj/tests/board/%.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# The netlist of a bitstream, and the tests on it. The short form has the smallest board, the long one what is offered.
$(BUILD)/boards/%.v: $(BUILD)/boards/%.bin tools/netlist.py
	$(call step,NETLIST,$@)tools/netlist.py $< constraints/$(patsubst %/,%,$(dir $*)).pcf $@

# For an ECP5, the design as Yosys mapped it: nothing reads its bitstreams back into cells.
$(BUILD)/boards/ulx3s/%.v: $(BUILD)/boards/ulx3s/%.json tools/netlist_ecp5.py tools/dp16kd.v
	$(call step,NETLIST,$@)tools/netlist_ecp5.py $< $@

VIRTUAL := $(BUILD)/flitloom $(BUILD)/board_ftdi $(BUILD)/board_torture $(BUILD)/board_efficiency
BOARD_SHORT := $(BUILD)/boards/hx8k/cube1.v
# board-test puts this to the test: any fabric that hx8k holds.
VIRTUAL_FABRIC := $(or $(if $(BOARD),,$(FABRIC)),cube:2)
BOARD_LONG := $(BUILD)/boards/hx8k/$(subst :,,$(VIRTUAL_FABRIC)).v
TORTURE_BYTES ?= 10000000
TORTURE_STRINGS ?= 1000000
LCCS ?= 100
LISTS ?= 20
PULLS ?= 50

# Bitstreams and models take longer than the tests on them: they are made before.
board-short: $(VIRTUAL)
	@$(MAKE) -s $(BOARD_SHORT:.v=.bin) BOARD=hx8k FABRIC=cube:1
	@$(MAKE) -s $(BOARD_SHORT)
	@$(BUILD)/flitloom probe -q sim-uart:$(BOARD_SHORT) --timeout 60000

# The same, while `make test` compiles the rest; a failure is left for the suite to report. The make inside finds the
# library made: else both would write the same objects.
board-ahead: $(BUILD)/flitloom
	-@$(MAKE) -s $(BOARD_SHORT:.v=.bin) BOARD=hx8k FABRIC=cube:1 && $(MAKE) -s $(BOARD_SHORT)

board-test: ## hx8k's bitstream [FABRIC=cube:2], simulated, behind a pseudo-terminal and an emulated FTDI chip: acceptance programs, plug pulls
	@tools/setup.sh build test ice40 board
	@$(MAKE) -s -j2 $(VIRTUAL)
	@$(MAKE) -s $(BOARD_LONG:.v=.bin) BOARD=hx8k FABRIC=$(VIRTUAL_FABRIC)
	@$(MAKE) -s $(BOARD_LONG)
	@$(BUILD)/flitloom probe -q sim-uart:$(BOARD_LONG) --timeout 60000
	@LCCS=$(LCCS) LISTS=$(LISTS) PULLS=$(PULLS) tests/board/test_board.sh $(BOARD_LONG)
	@$(MAKE) -s efficiency

board-test-qemu: ## the same behind the FTDI chip of QEMU, in a guest with Debian's kernel (LCCS, LISTS)
	@tools/setup.sh build ice40 qemu
	@$(MAKE) -s -j2 $(BUILD)/flitloom
	@$(MAKE) -s $(BOARD_LONG:.v=.bin) BOARD=hx8k FABRIC=$(VIRTUAL_FABRIC)
	@$(MAKE) -s $(BOARD_LONG)
	@$(BUILD)/flitloom probe -q sim-uart:$(BOARD_LONG) --timeout 60000
	@LCCS=$(LCCS) LISTS=$(LISTS) tests/board/qemu.sh $(BOARD_LONG)

ECP5 := cube:1
board-ecp5: $(BUILD)/flitloom ## the design of ulx3s as Yosys mapped it (ECP5=cube:1), simulated, by its UART's pins: patterns, fast and paper
	@tools/setup.sh build ecp5
	@$(MAKE) -s $(BUILD)/boards/ulx3s/$(subst :,,$(ECP5)).json BOARD=ulx3s FABRIC=$(ECP5)
	@$(MAKE) -s $(BUILD)/boards/ulx3s/$(subst :,,$(ECP5)).v
	@set -e; for machine in fast paper; do for pattern in bit-reverse all-to-all; do \
		$(BUILD)/flitloom run $(ECP5) $$pattern --machine $$machine --timeout 60000 \
			--link sim-uart:$(BUILD)/boards/ulx3s/$(subst :,,$(ECP5)).v,clock=25000000 | grep '^verdict'; done; done

efficiency: ## loading and reading at 3 Mbaud over the emulated FTDI chip: at least 85% of the line's byte rate
	@tools/setup.sh build board
	@$(MAKE) -s -j2 $(VIRTUAL)
	@$(BUILD)/flitloom probe -q sim-uart:cube:2 --timeout 60000
	@umockdev-wrapper $(BUILD)/board_ftdi cube:2 $(BUILD)/board_efficiency ftdi: 3000000 1000 85

link-torture: ## 10^7 bytes each way over each kind of bad line, 10^6 random strings (TORTURE_BYTES, TORTURE_STRINGS)
	@tools/setup.sh build
	@$(MAKE) -s $(BUILD)/board_torture
	@$(BUILD)/board_torture cube:1 $(TORTURE_BYTES) $(TORTURE_STRINGS) 1

.PHONY: board-short board-ahead board-test board-test-qemu board-ecp5 efficiency link-torture
