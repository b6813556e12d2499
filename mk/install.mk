# Where things go on a system, and what keeps the tree tidy.

SHARE := $(DESTDIR)$(PREFIX)/share

install: $(BUILD)/flitloom $(BUILD)/libflitloom.a ## under PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include/flitloom/planners
	install -m 755 $(BUILD)/flitloom $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/libflitloom.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(wildcard host/*.h) $(REGMAP_H) $(DESTDIR)$(PREFIX)/include/flitloom/
	install -m 644 $(wildcard host/plan/planners/*.h) $(DESTDIR)$(PREFIX)/include/flitloom/planners/
	install -d $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	install -d $(SHARE)/flitloom/tools
	install -m 644 docs/flitloom.1 $(SHARE)/man/man1/
	install -m 644 sw/completion/flitloom.bash $(SHARE)/bash-completion/completions/flitloom
	install -m 644 sw/completion/_flitloom $(SHARE)/zsh/site-functions/
	install -d $(DESTDIR)$(PREFIX)/lib/udev/rules.d
	install -m 644 udev/70-flitloom.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/
	install -m 755 tools/model.sh $(SHARE)/flitloom/tools/
	install -m 644 tools/model_time.c $(SHARE)/flitloom/tools/
	find rtl -type f -exec install -D -m 644 {} $(SHARE)/flitloom/{} \;

uninstall: ## takes back what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/flitloom $(DESTDIR)$(PREFIX)/lib/libflitloom.a $(SHARE)/man/man1/flitloom.1
	rm -f $(SHARE)/bash-completion/completions/flitloom $(SHARE)/zsh/site-functions/_flitloom
	rm -f $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-flitloom.rules
	rm -rf $(DESTDIR)$(PREFIX)/include/flitloom $(SHARE)/flitloom

C_SRC = $(shell find host sw tests tools -name '*.[ch]')

format: ## C by clang-format (.clang-format)
	clang-format-14 -i $(C_SRC)

check-format: ## fails if `make format` would change anything
	@clang-format-14 --dry-run --Werror $(C_SRC)

clean: ## removes build/, models included
	rm -rf $(BUILD)

.PHONY: install uninstall format check-format clean
