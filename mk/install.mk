# Installing, formatting and cleaning.

LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
SHARE := $(DESTDIR)$(PREFIX)/share
# The folders of headers below flitloom/.
HEADER_ROOMS := math routes link
# The files beside rtl/ that the cores for FuseSoC name.
CORE_FILES = $(shell sed -n 's/^      - \([a-z][^:]*\).*/\1/p' flitloom-*.core | grep -v '^rtl/' | sort -u)

$(BUILD)/flitloom.pc: host/flitloom.pc.in include/flitloom/version.h FORCE
	@mkdir -p $(@D)
	@sed 's#@PREFIX@#$(PREFIX)#; s#@LIBDIR@#$(LIBDIR)#; s#@INCLUDEDIR@#$(INCLUDEDIR)#; s#@VERSION@#$(VERSION)#; s#@LIBS_PRIVATE@#$(strip $(SCOTCH_LIBS) $(EXPAT_LIBS) -ldl -lm)#' $< > $@

# One object knows where it is installed; what is in build/ stays as it is, since others may be running it.
INSTALLED := $(BUILD)/installed
INSTALLED_OBJ := $(filter-out %/verilated_home.o,$(LIB_OBJ)) $(INSTALLED)/verilated_home.o

$(INSTALLED)/verilated_home.o: host/links/verilated_home.c FORCE
	@mkdir -p $(@D)
	$(call step,CC,$<)$(CC) $(CFLAGS_ALL) -fPIC '-DLOOM_DATADIR="$(PREFIX)/share/flitloom"' -c $< -o $@

$(INSTALLED)/libflitloom.a: $(INSTALLED_OBJ)
	@rm -f $@
	$(call step,AR,$@)$(AR) rcs $@ $^

$(INSTALLED)/libflitloom.so: $(INSTALLED_OBJ) $(EXPORTS)
	$(call step,LD,$@)$(CC) $(SHARED) $(INSTALLED_OBJ) -o $@ $(LDLIBS)

$(INSTALLED)/flitloom: $(CLI_OBJ) $(INSTALLED)/libflitloom.a
	$(call step,LD,$@)$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)

install: $(INSTALLED)/flitloom $(INSTALLED)/libflitloom.a $(INSTALLED)/libflitloom.so $(BUILD)/flitloom.pc $(BUILD)/man/made ## under PREFIX (/usr/local)
	$(call step,INSTALL,$(DESTDIR)$(PREFIX))install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/flitloom
	$(Q)install -m 755 $(INSTALLED)/flitloom $(DESTDIR)$(PREFIX)/bin/
	$(Q)install -m 644 $(INSTALLED)/libflitloom.a $(DESTDIR)$(LIBDIR)/
	$(Q)install -m 644 $(INSTALLED)/libflitloom.so $(DESTDIR)$(LIBDIR)/libflitloom.so.$(VERSION)
	$(Q)ln -sf libflitloom.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	$(Q)ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libflitloom.so
	$(Q)install -m 644 $(BUILD)/flitloom.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	$(Q)install -m 644 include/flitloom.h $(DESTDIR)$(INCLUDEDIR)/
	$(Q)install -m 644 include/flitloom/*.h $(DESTDIR)$(INCLUDEDIR)/flitloom/
	$(Q)install -d $(HEADER_ROOMS:%=$(DESTDIR)$(INCLUDEDIR)/flitloom/%)
	$(Q)for room in $(HEADER_ROOMS); do install -m 644 include/flitloom/$$room/*.h $(DESTDIR)$(INCLUDEDIR)/flitloom/$$room/; done
	$(Q)install -m 644 $(REGMAP_H) $(DESTDIR)$(INCLUDEDIR)/flitloom/link/
	$(Q)install -d $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	$(Q)install -d $(SHARE)/flitloom/tools $(SHARE)/flitloom/examples
	$(Q)install -m 644 docs/flitloom.1 $(SHARE)/man/man1/
	$(Q)install -d $(SHARE)/man/man3
	$(Q)! ls $(BUILD)/man/man3/*.3 >/dev/null 2>&1 || cp -P $(BUILD)/man/man3/*.3 $(SHARE)/man/man3/
	$(Q)install -m 644 sw/completion/flitloom.bash $(SHARE)/bash-completion/completions/flitloom
	$(Q)install -m 644 sw/completion/_flitloom $(SHARE)/zsh/site-functions/
	$(Q)install -d $(DESTDIR)$(PREFIX)/lib/udev/rules.d
	$(Q)install -m 644 udev/70-flitloom.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/
	$(Q)install -m 755 tools/model.sh $(SHARE)/flitloom/tools/
	$(Q)install -m 644 tools/model_*.c $(SHARE)/flitloom/tools/
	$(Q)install -m 644 sw/examples/*.c $(SHARE)/flitloom/examples/
	$(Q)install -d $(SHARE)/doc/flitloom
	$(Q)install -m 644 README.md docs/*.md docs/*.json docs/*.svg docs/*.png docs/*.ipynb $(SHARE)/doc/flitloom/
	$(Q)find rtl -type f -exec install -D -m 644 {} $(SHARE)/flitloom/{} \;
	$(Q)install -m 644 flitloom-*.core $(SHARE)/flitloom/
	$(Q)for file in $(CORE_FILES); do install -D -m 644 $$file $(SHARE)/flitloom/$$file; done
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

uninstall: $(BUILD)/man/made ## takes back what install put there
	$(call step,UNINSTALL,$(DESTDIR)$(PREFIX))rm -f $(DESTDIR)$(PREFIX)/bin/flitloom $(SHARE)/man/man1/flitloom.1 $(DESTDIR)$(LIBDIR)/pkgconfig/flitloom.pc
	$(Q)rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libflitloom.a libflitloom.so $(SONAME) libflitloom.so.$(VERSION))
	$(Q)rm -f $(DESTDIR)$(PREFIX)/bin/flitloom-mpi $(SHARE)/man/man1/flitloom-mpi.1
	$(Q)rm -f $(SHARE)/bash-completion/completions/flitloom $(SHARE)/zsh/site-functions/_flitloom
	$(Q)rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libflitloom-systemc.a libflitloom-systemc.so $(SYSTEMC_SONAME) libflitloom-systemc.so.$(VERSION) pkgconfig/flitloom-systemc.pc)
	$(Q)rm -f $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-flitloom.rules $(DESTDIR)$(INCLUDEDIR)/flitloom.h
	$(Q)ls $(BUILD)/man/man3 | sed 's#^#$(SHARE)/man/man3/#' | xargs -r rm -f
	$(Q)rm -rf $(DESTDIR)$(INCLUDEDIR)/flitloom $(SHARE)/flitloom $(SHARE)/doc/flitloom

C_SRC = $(shell find host include sw tests tools -name '*.[ch]' -o -name '*.[ch]pp')

format: ## C and C++ by clang-format (.clang-format)
	$(Q)tools/clang_format.sh -i $(C_SRC)

check-format: ## fails if `make format` would change anything
	@tools/clang_format.sh --dry-run --Werror $(C_SRC)

clean: ## removes build/, models included
	$(Q)rm -rf $(BUILD)

FORCE:

.PHONY: install uninstall format check-format clean FORCE
