# Makes from host/chip/regmap.def a C header (built), a Verilog package and a page of the docs (kept, checked by check-gen),
# and the cores for FuseSoC from rtl/*.f.

REGMAP_H := $(BUILD)/gen/flitloom/link/regmap.h

$(BUILD)/gen_regmap: tools/gen_regmap.c host/chip/regmap.def
	@mkdir -p $(@D)
	$(call step,CC,$<)$(CC) -std=c11 -Wall -Wextra -Werror -Ihost $< -o $@

$(REGMAP_H): $(BUILD)/gen_regmap
	@mkdir -p $(@D)
	$(call step,GEN,$@)$< c > $@

# The facts about the boards in constraints/*.mk, for the command.
$(BUILD)/gen/boards.def: tools/boards_def.sh constraints $(wildcard constraints/*.mk)
	@mkdir -p $(@D)
	@$< $(wildcard constraints/*.mk) > $@

$(BUILD)/obj/sw/command/cli_program.o $(BUILD)/san/sw/command/cli_program.o: $(BUILD)/gen/boards.def

# The script and the style of HTML reports, and their hashes.
PAGE := $(patsubst %,host/report/page/%,page.css base.js run.js network.js chosen.js sums.js curves.js other.js)
$(BUILD)/gen/report_page.h: tools/report_page.sh $(PAGE)
	@mkdir -p $(@D)
	@$^ > $@

$(BUILD)/obj/host/report/report_html.o $(BUILD)/san/host/report/report_html.o: $(BUILD)/gen/report_page.h

gen: $(BUILD)/gen_regmap
	$(call step,GEN,rtl/chip/regmap.sv)$< verilog > rtl/chip/regmap.sv
	$(call step,GEN,docs/registers.md)$< markdown > docs/registers.md
	$(call step,GEN,flitloom-*.core)tools/gen_cores.py

check-gen: $(BUILD)/gen_regmap
	@$< verilog | cmp - rtl/chip/regmap.sv && $< markdown | cmp - docs/registers.md && tools/gen_cores.py --check && \
		echo "check-gen: generated files are up to date"

.PHONY: gen check-gen
