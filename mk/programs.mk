# The command and the benchmarks.

CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sw/command/*.c))

$(BUILD)/flitloom: $(CLI_OBJ) $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/bench_%: $(BUILD)/obj/sw/bench/bench_%.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# These time the cycles of simulated fabrics.
$(BUILD)/bench_sim $(BUILD)/bench_machine: $(BUILD)/obj/sw/bench/metered.o

$(BUILD)/otis_table: $(BUILD)/obj/sw/bench/otis_table.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# Sweeps over many machines, where there is MPI: it begins the command, and the command knows nothing of it.
MPICC ?= $(firstword $(wildcard /usr/bin/mpicc) $(shell command -v mpicc))
MPI_PROGRAM := $(if $(MPICC),$(BUILD)/flitloom-mpi)
MPI_SRC := $(wildcard sw/mpi/*.c)

$(BUILD)/flitloom-mpi: $(MPI_SRC) $(wildcard sw/mpi/*.h) mk/programs.mk
	$(call step,MPICC,$@)$(MPICC) -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) $(MPI_SRC) -o $@ $(LDFLAGS)

mpi: $(BUILD)/flitloom-mpi ## flitloom-mpi, by which the ranks of mpirun share a sweep (docs/cluster.md); wants MPI

install-mpi: $(BUILD)/flitloom-mpi ## flitloom-mpi under PREFIX, after make install
	$(call step,INSTALL,$(DESTDIR)$(PREFIX)/bin/flitloom-mpi)install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1
	$(Q)install -m 755 $(BUILD)/flitloom-mpi $(DESTDIR)$(PREFIX)/bin/
	$(Q)install -m 644 docs/flitloom-mpi.1 $(SHARE)/man/man1/

.PHONY: mpi install-mpi

# It has searches of the tests.
$(BUILD)/bench_circuits: $(BUILD)/obj/sw/bench/bench_circuits.o $(BUILD)/obj/tests/reference/ref_circuits.o $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

circuits-exact: $(BUILD)/bench_circuits ## all demands of 0 to 2 flits between 5 nodes or fewer, and random ones of 6 and 7: light's schedules are the shortest; some ten minutes
	@$(BUILD)/bench_circuits exact nodes=3
	@$(BUILD)/bench_circuits exact nodes=4
	@$(BUILD)/bench_circuits random nodes=6
	@$(BUILD)/bench_circuits random nodes=7
	@$(BUILD)/bench_circuits exact nodes=5

.PHONY: circuits-exact

# It opens fabrics as the tests do.
$(BUILD)/bench_passes: $(patsubst %,$(BUILD)/obj/%.o,sw/bench/bench_passes tests/e2e/rig tests/e2e/machine_check) $(BUILD)/libflitloom.a
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

# The command without the check for deadlocks: what the watchdog then says is a test's to ask (tests/e2e/test_deadlock.py).
UNCHECKED := $(BUILD)/unchecked

$(UNCHECKED)/deadlock.o: $(BUILD)/obj/host/plan/deadlock.o
	@mkdir -p $(@D)
	$(call step,CC,$@)$(CC) $(CFLAGS_ALL) -DLOOM_NO_DEADLOCK_CHECK -c host/plan/deadlock.c -o $@

$(UNCHECKED)/flitloom: $(CLI_OBJ) $(filter-out %/deadlock.o,$(LIB_OBJ)) $(UNCHECKED)/deadlock.o
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)
