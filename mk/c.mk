# The library, the programs and the C tests.

$(BUILD)/obj/%.o: %.c $(BUILD)/gen/regmap.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -fPIC -MMD -MP -c $< -o $@

# The same sources under ASan and UBSan: what the tests link.
$(BUILD)/san/%.o: %.c $(BUILD)/gen/regmap.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(SANITIZE) -MMD -MP -c $< -o $@

$(BUILD)/libflitloom.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/tests/%: $(BUILD)/san/tests/unit/%.o $(LIB_SRC:%.c=$(BUILD)/san/%.o) $(REF_SRC:%.c=$(BUILD)/san/%.o)
	@mkdir -p $(@D)
	$(CC) $(SANITIZE) $^ -o $@ -lcmocka $(LDLIBS)

unit-build: $(UNIT:%=$(BUILD)/tests/%)

# libFuzzer programs, by clang.
$(BUILD)/fuzz/%: tests/fuzz/%.c $(LIB_SRC)
	@mkdir -p $(@D)
	clang-14 -std=c11 -D_GNU_SOURCE -O1 -g -Ihost -I$(BUILD)/gen -fsanitize=fuzzer,address,undefined $^ -o $@ $(LDLIBS)

-include $(shell find $(BUILD)/obj $(BUILD)/san -name '*.d' 2>/dev/null)
.PHONY: unit-build
.SECONDARY:
