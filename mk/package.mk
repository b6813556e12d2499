# The forms in which others take flitloom: manual pages of the library, packages, cores for FuseSoC.

# Pages of section 3, from the comments of the public headers. A machine without Python installs none.
MAN3 := $(BUILD)/man/made
PYTHON := $(firstword $(wildcard /usr/bin/python3) $(shell command -v python3))
MAN3_OF := $(filter-out %/api.h %/version.h,$(wildcard include/flitloom/*.h include/flitloom/*/*.h))

$(MAN3): $(MAN3_OF) tools/gen_man3.py tools/header_docs.py include/flitloom/version.h
	@mkdir -p $(@D)
	$(call step,GEN,$(BUILD)/man/man3)$(if $(PYTHON),$(PYTHON) tools/gen_man3.py $(BUILD)/man/man3 $(MAN3_OF),rm -rf $(BUILD)/man/man3 && mkdir $(BUILD)/man/man3 && echo "no Python: no manual pages of section 3" >&2)
	@touch $@

man: $(MAN3) ## manual pages of the library, in build/man

# The list of public calls, held to by tests/e2e/test_install.sh, and by Debian's tools.
symbols: $(BUILD)/libflitloom.so.$(VERSION) ## writes debian/libflitloom*.symbols, after public calls were added or taken away
	@tools/symbols.sh $< $(VERSION) debian/libflitloom$(SERIES).symbols >$(BUILD)/symbols.new
	$(Q)mv $(BUILD)/symbols.new debian/libflitloom$(SERIES).symbols

# Debian packages, in build/deb: built from a copy of the sources, by debian/rules.
deb: ## Debian packages of the command and the libraries, in build/deb
	@tools/setup.sh build systemc mpi deb
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb/flitloom-$(VERSION)
	@tar -c --exclude=./$(BUILD) --exclude=./.git . | tar -x -C $(BUILD)/deb/flitloom-$(VERSION)
	$(call step,DEB,$(BUILD)/deb)cd $(BUILD)/deb/flitloom-$(VERSION) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc -j$$(nproc) >../build.log 2>&1 || \
		{ tail -n 20 ../build.log | cut -c1-300 >&2; exit 1; }
	@rm -rf $(BUILD)/deb/flitloom-$(VERSION)
	@ls $(BUILD)/deb/*.deb

deb-test: deb ## installs the packages in an empty Debian root, runs the command and compiles the examples there (as root)
	@tools/setup.sh deb-test
	@tests/package/test_deb.sh

fusesoc: ## every core by fusesoc run: lint, all testbenches, a bitstream for hx8k
	@tools/setup.sh build test ice40 package
	@tests/package/test_fusesoc.sh long

.PHONY: fusesoc symbols man deb deb-test
