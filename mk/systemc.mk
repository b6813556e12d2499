# libflitloom-systemc: flitloom as a part of SystemC platforms. C++ is only here. `make all` does without it.

# Nothing where SystemC is in the compiler's own folders.
SYSTEMC_CFLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags systemc 2>/dev/null))
SYSTEMC_LIBS := $(shell pkg-config --libs systemc 2>/dev/null || echo -lsystemc)
CXXFLAGS_SYSTEMC := -std=c++17 -Wall -Wextra -Werror $(OPT) "-ffile-prefix-map=$(CURDIR)=." -D_GNU_SOURCE \
  -Isw/systemc/include -Iinclude -I$(BUILD)/gen $(SYSTEMC_CFLAGS)

SYSTEMC_SRC := $(sort $(wildcard sw/systemc/*.cpp))
SYSTEMC_OBJ := $(SYSTEMC_SRC:%.cpp=$(BUILD)/obj/%.o)
SYSTEMC_SONAME := libflitloom-systemc.so.$(SERIES)

$(BUILD)/obj/%.o: %.cpp $(REGMAP_H) Makefile mk/systemc.mk
	@mkdir -p $(@D)
	$(call step,CXX,$<)$(CXX) $(CXXFLAGS_SYSTEMC) -fPIC -MMD -MP -c $< -o $@

$(BUILD)/libflitloom-systemc.a: $(SYSTEMC_OBJ)
	@rm -f $@
	$(call step,AR,$@)$(AR) rcs $@ $^

$(BUILD)/libflitloom-systemc.so.$(VERSION): $(SYSTEMC_OBJ) $(BUILD)/libflitloom.so.$(VERSION)
	$(call step,LD,$@)$(CXX) -shared -Wl,-soname,$(SYSTEMC_SONAME) -Wl,-z,defs $(LDFLAGS) $^ -o $@ $(SYSTEMC_LIBS)

$(BUILD)/flitloom-systemc.pc: sw/systemc/flitloom-systemc.pc.in include/flitloom/version.h FORCE
	@mkdir -p $(@D)
	@sed 's#@PREFIX@#$(PREFIX)#; s#@LIBDIR@#$(LIBDIR)#; s#@INCLUDEDIR@#$(INCLUDEDIR)#; s#@VERSION@#$(VERSION)#' $< > $@

systemc: $(BUILD)/libflitloom-systemc.a $(BUILD)/libflitloom-systemc.so.$(VERSION) ## libflitloom-systemc, for SystemC platforms (tools/setup.sh systemc)

# Beside what `make install` installs. `make uninstall` takes it back, too.
install-systemc: $(BUILD)/libflitloom-systemc.a $(BUILD)/libflitloom-systemc.so.$(VERSION) $(BUILD)/flitloom-systemc.pc ## libflitloom-systemc under PREFIX, after make install
	$(call step,INSTALL,$(DESTDIR)$(LIBDIR)/libflitloom-systemc.so)install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/flitloom/systemc
	$(Q)install -m 644 $(BUILD)/libflitloom-systemc.a $(DESTDIR)$(LIBDIR)/
	$(Q)install -m 644 $(BUILD)/libflitloom-systemc.so.$(VERSION) $(DESTDIR)$(LIBDIR)/
	$(Q)ln -sf libflitloom-systemc.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SYSTEMC_SONAME)
	$(Q)ln -sf $(SYSTEMC_SONAME) $(DESTDIR)$(LIBDIR)/libflitloom-systemc.so
	$(Q)install -m 644 $(BUILD)/flitloom-systemc.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	$(Q)install -m 644 sw/systemc/include/flitloom/systemc.hpp $(DESTDIR)$(INCLUDEDIR)/flitloom/
	$(Q)install -m 644 sw/systemc/include/flitloom/systemc/*.hpp $(DESTDIR)$(INCLUDEDIR)/flitloom/systemc/
	$(Q)install -d $(SHARE)/flitloom/examples
	$(Q)install -m 644 sw/examples/*.cpp $(SHARE)/flitloom/examples/
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

# Programs of the tests: what they share, and one file each. SystemC elaborates once in a process.
SYSTEMC_TEST_HELP := $(patsubst %,$(BUILD)/obj/tests/systemc/%.o,tlm_checker same_trace chip_model memory_link)

$(BUILD)/systemc_%: $(BUILD)/obj/tests/systemc/%.o $(SYSTEMC_TEST_HELP) $(BUILD)/libflitloom-systemc.a $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CXX) $^ -o $@ $(SYSTEMC_LIBS) $(LDLIBS)

# The examples.
$(BUILD)/dma $(BUILD)/accelerator: $(BUILD)/%: $(BUILD)/obj/sw/examples/%.o $(BUILD)/libflitloom-systemc.a $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CXX) $^ -o $@ $(SYSTEMC_LIBS) $(LDLIBS)

# OF_DOCS: a program from the documentation, as others compile theirs.
$(BUILD)/of_docs: $(OF_DOCS) $(BUILD)/libflitloom-systemc.a $(BUILD)/libflitloom.a
	$(call step,CXX,$@)$(CXX) $(CXXFLAGS_SYSTEMC) $^ -o $@ $(SYSTEMC_LIBS) $(LDLIBS)

SYSTEMC_TESTS := \
  $(BUILD)/dma \
  $(BUILD)/accelerator \
  $(patsubst %,$(BUILD)/systemc_%, \
    plans \
    random \
    wrong \
    behaviour \
    phases \
    frames \
    fabric_behaviour \
    node_behaviour \
  )

systemc-long: $(SYSTEMC_TESTS) $(BUILD)/board_pty $(BUILD)/flitloom ## 100 random message lists on cube:3 and omega:8 by every way through SystemC, 3 x 10^5 random transactions, the example on cube:8; 10^6 flits between 16 user models on cube:4
	@LISTS=100 SHOTS=100 DMA=cube:8 tests/systemc/test_systemc.sh
	@WORDS=1000000 tests/systemc/test_frames.sh

.PHONY: systemc install-systemc systemc-long
