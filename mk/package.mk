# What others take flitloom by: packages, cores for FuseSoC.

# The list of public calls, held to by tests/e2e/test_install.sh, and by Debian's tools.
symbols: $(BUILD)/libflitloom.so.$(VERSION) ## writes debian/libflitloom*.symbols, after public calls were added or taken away
	@tools/symbols.sh $< $(VERSION) debian/libflitloom$(SERIES).symbols >$(BUILD)/symbols.new
	$(Q)mv $(BUILD)/symbols.new debian/libflitloom$(SERIES).symbols

# From PyPI, in a folder of its own.
FUSESOC := $(BUILD)/venv-fusesoc/bin/fusesoc
FUSESOC_IS := fusesoc==2.4.7 edalize==0.6.8

$(FUSESOC):
	@echo "installing $(FUSESOC_IS) into $(BUILD)/venv-fusesoc" >&2
	@/usr/bin/python3 -m venv $(BUILD)/venv-fusesoc && $(BUILD)/venv-fusesoc/bin/pip install -q $(FUSESOC_IS)

fusesoc: $(FUSESOC) ## every core by fusesoc run: lint, all testbenches, a bitstream for hx8k
	@tools/setup.sh build test ice40 package
	@tests/package/test_fusesoc.sh long

.PHONY: fusesoc symbols
