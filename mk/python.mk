# The Python package (docs/python.md). `pip install .` builds a wheel with the library in it; here is what tests and Debian's packages need.

PYTHON_STAGED := $(BUILD)/python
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages

$(PYTHON_STAGED)/made: $(BUILD)/libflitloom.so.$(VERSION) $(wildcard python/*.py python/flitloom/*) pyproject.toml
	$(call step,GEN,$(PYTHON_STAGED))rm -rf $(PYTHON_STAGED) && $(PYTHON) python/backend.py stage $(PYTHON_STAGED)
	@touch $@

python: $(PYTHON_STAGED)/made ## the Python package in build/python, with the library: PYTHONPATH=build/python python3

install-python: $(REGMAP_H) ## the Python package without the library, under PYTHONDIR (PREFIX/lib/python3/dist-packages)
	$(call step,INSTALL,$(DESTDIR)$(PYTHONDIR)/flitloom)install -d $(DESTDIR)$(PYTHONDIR)
	$(Q)$(PYTHON) python/backend.py install $(DESTDIR)$(PYTHONDIR)

.PHONY: python install-python
