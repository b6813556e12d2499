# Installing, formatting and cleaning.

LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
SHARE := $(DESTDIR)$(PREFIX)/share

$(BUILD)/flitloom.pc: host/flitloom.pc.in include/flitloom/version.h FORCE
	@mkdir -p $(@D)
	@sed 's#@PREFIX@#$(PREFIX)#; s#@LIBDIR@#$(LIBDIR)#; s#@INCLUDEDIR@#$(INCLUDEDIR)#; s#@VERSION@#$(VERSION)#' $< > $@

# One object knows where it is installed; what is in build/ stays as it is, since others may be running it.
INSTALLED := $(BUILD)/installed
INSTALLED_OBJ := $(filter-out %/model_home.o,$(LIB_OBJ)) $(INSTALLED)/model_home.o

$(INSTALLED)/model_home.o: host/links/model_home.c FORCE
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -fPIC '-DLOOM_DATADIR="$(PREFIX)/share/flitloom"' -c $< -o $@

$(INSTALLED)/libflitloom.a: $(INSTALLED_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(INSTALLED)/libflitloom.so: $(INSTALLED_OBJ) $(EXPORTS)
	$(CC) $(SHARED) $(INSTALLED_OBJ) -o $@ $(LDLIBS)

$(INSTALLED)/flitloom: $(CLI_OBJ) $(INSTALLED)/libflitloom.a
	$(CC) $^ -o $@ $(LDLIBS)

install: $(INSTALLED)/flitloom $(INSTALLED)/libflitloom.a $(INSTALLED)/libflitloom.so $(BUILD)/flitloom.pc ## under PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/flitloom
	install -m 755 $(INSTALLED)/flitloom $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(INSTALLED)/libflitloom.a $(DESTDIR)$(LIBDIR)/
	install -m 644 $(INSTALLED)/libflitloom.so $(DESTDIR)$(LIBDIR)/libflitloom.so.$(VERSION)
	ln -sf libflitloom.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libflitloom.so
	install -m 644 $(BUILD)/flitloom.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -m 644 include/flitloom.h $(DESTDIR)$(INCLUDEDIR)/
	install -m 644 include/flitloom/*.h $(REGMAP_H) $(DESTDIR)$(INCLUDEDIR)/flitloom/
	install -d $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	install -d $(SHARE)/flitloom/tools $(SHARE)/flitloom/examples
	install -m 644 docs/flitloom.1 $(SHARE)/man/man1/
	install -m 644 sw/completion/flitloom.bash $(SHARE)/bash-completion/completions/flitloom
	install -m 644 sw/completion/_flitloom $(SHARE)/zsh/site-functions/
	install -d $(DESTDIR)$(PREFIX)/lib/udev/rules.d
	install -m 644 udev/70-flitloom.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/
	install -m 755 tools/model.sh $(SHARE)/flitloom/tools/
	install -m 644 tools/model_time.c $(SHARE)/flitloom/tools/
	install -m 644 sw/examples/*.c $(SHARE)/flitloom/examples/
	install -d $(SHARE)/doc/flitloom
	install -m 644 README.md docs/*.md docs/*.json docs/*.svg $(SHARE)/doc/flitloom/
	find rtl -type f -exec install -D -m 644 {} $(SHARE)/flitloom/{} \;
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

uninstall: ## takes back what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/flitloom $(SHARE)/man/man1/flitloom.1 $(DESTDIR)$(LIBDIR)/pkgconfig/flitloom.pc
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libflitloom.a libflitloom.so $(SONAME) libflitloom.so.$(VERSION))
	rm -f $(SHARE)/bash-completion/completions/flitloom $(SHARE)/zsh/site-functions/_flitloom
	rm -f $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-flitloom.rules $(DESTDIR)$(INCLUDEDIR)/flitloom.h
	rm -rf $(DESTDIR)$(INCLUDEDIR)/flitloom $(SHARE)/flitloom $(SHARE)/doc/flitloom

C_SRC = $(shell find host include sw tests tools -name '*.[ch]')

format: ## C by clang-format (.clang-format)
	clang-format-14 -i $(C_SRC)

check-format: ## fails if `make format` would change anything
	@clang-format-14 --dry-run --Werror $(C_SRC)

clean: ## removes build/, models included
	rm -rf $(BUILD)

FORCE:

.PHONY: install uninstall format check-format clean FORCE
