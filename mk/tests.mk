# Tests, from quick to long.

E2E_SRC := $(patsubst %,tests/e2e/%.c,e2e checks plans golden lccs lists adaptive chosen programs relays back_to_back stages links passes otis otis_moves goals circuits streams rig against_reference machine_check) \
  tests/unit/help/random_programs.c tests/unit/help/random_turns.c tests/unit/help/timed_reference.c
FUZZ_SECONDS ?= 600

# Tests work in folders of their own.
ifneq ($(FLITLOOM_CACHE),)
export FLITLOOM_CACHE := $(shell realpath -m -- '$(FLITLOOM_CACHE)')
endif

$(BUILD)/e2e: $(patsubst %.c,$(BUILD)/san/%.o,$(filter tests/e2e/%,$(E2E_SRC))) | $(BUILD)/libtests.so
	$(call step,LD,$@)$(call link_test)

# The same without sanitizers, for the long runs.
$(BUILD)/e2e_long: $(E2E_SRC:%.c=$(BUILD)/obj/%.o) $(REF_SRC:%.c=$(BUILD)/obj/%.o) $(LIB_OBJ)
	$(call step,LD,$@)$(CC) $^ -o $@ $(LDLIBS)

$(BUILD)/board_pty: $(BUILD)/san/tests/e2e/board_pty.o | $(BUILD)/libtests.so
	$(call step,LD,$@)$(call link_test)

$(BUILD)/open_frames: $(patsubst %,$(BUILD)/san/tests/e2e/%.o,open_frames open_calls open_registers) | $(BUILD)/libtests.so
	$(call step,LD,$@)$(call link_test)

OPEN_FABRICS := omega:8 cube:3 torus:3x3v2 table-mesh:3x2

open-long: $(BUILD)/open_frames ## frames between nodes of the user's on fabrics of all kinds, 400 from each node, stalled at random; 18 models are built
	@$(BUILD)/open_frames frames=400 calls registers $(OPEN_FABRICS) otis-mesh:4l2v2 line:5 ring:6v2 mesh:3x4 mesh:2x2x3 cube:4 cube:6 table-cube:3v2 \
		graph:tests/e2e/graphs/petersen.dot graph:tests/e2e/graphs/chords.txt baseline:8 icube:8 romega:16 benes:8

demo: ## installs what is missing, then a 256-node hypercube carries a matrix transpose twice
	@tools/setup.sh build
	@$(MAKE) -s $(BUILD)/flitloom
	@$(BUILD)/flitloom run cube:8 transpose --compare --svg $(BUILD)/transpose.svg
	@echo "The picture of both: $(BUILD)/transpose.svg"

# Unit tests that take three seconds or more: `make test-all` has them.
UNIT_REST := $(addprefix test_,memory report_memory graph topo topo_all deadlock_orders reference place_time planners_min otis_worms otis_planner otis_witness \
  greedy linear_map report_grid load load_routes load_compute engine_lanes pair_routes pair_anneal routes fewer_cycles session order otis_golden \
  adaptive min_passes collective ring route_planners reference_lists placement)
UNIT_TEST := $(filter-out $(UNIT_REST),$(UNIT))

# The things that `make test` installs (tools/setup.sh), and those that it builds before the suites run.
TEST_NEEDS := build test plot
TEST_PROGRAMS = \
  $(BUILD)/flitloom \
  $(UNCHECKED)/flitloom \
  $(UNIT_TEST:%=$(BUILD)/tests/%) \
  $(BUILD)/e2e \
  $(BUILD)/board_pty

# The same for `make test-all`. What comes from PyPI is waited for while the other programs are compiled.
PYPI := python fusesoc cocotb perfetto axe
BENCHES := planners min sim machine passes objective circuits
TEST_ALL_NEEDS := $(TEST_NEEDS) board ice40 systemc axi package
TEST_ALL_PROGRAMS = \
  $(BUILD)/flitloom \
  board-ahead \
  $(PYPI:%=pypi-%) \
  $(UNIT:%=$(BUILD)/tests/%) \
  $(BUILD)/e2e \
  $(BUILD)/libflitloom.so.$(VERSION) \
  $(BUILD)/board_pty \
  $(BUILD)/open_frames \
  $(BENCHES:%=$(BUILD)/bench_%) \
  $(VIRTUAL) \
  $(MPI_PROGRAM) \
  $(SYSTEMC_TESTS)

# The inputs of suites (tools/test_rules.py): models are made of the RTL by tools/; the command's tests read all that there is
# but benches, the unit tests, and what tests test-all.
TOOLS_USED := $(patsubst %,tool:%,bash make gcc g++ verilator verilator_bin python3 iverilog yosys gnuplot dot neato rsvg-convert xmllint mandoc groff)
MODEL_IN := rtl tools tests/golden tests/e2e $(TOOLS_USED)
E2E_IN := prog:$(BUILD)/e2e $(MODEL_IN)
UNIT_IN := prog:$(BUILD)/libtests.so tests/golden tests/e2e/graphs
TREE_IN := $(filter-out $(BUILD) tb tests debian CHANGELOG.md,$(wildcard *)) $(wildcard tests/e2e tests/golden tests/rtl tests/reference tests/package)
CLI_IN := prog:$(BUILD)/flitloom $(TREE_IN) $(TOOLS_USED)

# One or two small networks of each kind, verilated; test-all has the rest.
TEST_FABRICS := cube:3 omega:8 benes:8 mesh:3x5 ring:8v2 table-mesh:4x4v2 otis-mesh:4l17w3v2 graph:tests/e2e/graphs/chords.txt:v2 ocs:8 ocs-benes:8 cube:3,greedy omega:8,greedy

# The suites, as tools/run_tests.sh takes them; long ones first. Those of `make test` are quick, or belong to every change; what is
# left to `make test-all` is exhaustive, or about what is built around flitloom.
TEST_SUITES = \
	"formal@tb/formal/prove.sh --list --short" \
	"tb@tb/run.sh --list --short" \
	"fabrics:$(E2E_IN)=$(BUILD)/e2e lccs=3 lists=6 perms=6 others=20 two=10 $(TEST_FABRICS)" \
	"unit@tools/unit_tests.sh --list '$(UNIT_IN)' $(UNIT_TEST:%=$(BUILD)/tests/%)" \
	"lint@tools/lint.sh --list --short" \
	"faults:host tests $(CLI_IN)=tests/e2e/faults.sh" \
	"deadlock:prog:$(UNCHECKED)/flitloom $(CLI_IN)=tests/e2e/test_deadlock.py" \
	$(foreach suite, \
	  cli=test_cli.sh \
	  results=test_results.py \
	  again=test_again.py \
	  refusals=test_refusals.py \
	  lengths=test_lengths.py \
	  product=test_product.py \
	  pictures=test_pictures.py \
	  report=test_report.py \
	  requests=test_requests.sh \
	  from-booksim=test_from_booksim.py \
	  loggops=test_loggops.py \
	  coming-from=test_coming_from.py \
	  agreement=test_agreement.py \
	  outputs=test_outputs.py \
	  sweep=test_sweep.sh \
	  check-on=test_check_on.py \
	  load=test_load.sh \
	  load-options=test_load_options.py \
	  load-seeds=test_load_seeds.py \
	  journal=test_journal.py \
	  load-by=test_load_by.py \
	  load-asked=test_load_asked.py \
	  choices=test_choices.py \
	  waveform=test_waveform.sh \
	  routes=test_routes.sh \
	  tables=test_tables.sh \
	  graphs=test_graphs.sh \
	  all-pairs=test_all_pairs.py \
	, "$(subst =,:$(CLI_IN)=tests/e2e/,$(suite))") \
	"adaptive:$(E2E_IN)=$(BUILD)/e2e lists=10 cube:3,adaptive" \
	"turns:$(E2E_IN)=$(BUILD)/e2e lists=8 mesh:3x3,turns" \
	"circuit-plans:tools/check_circuits.py $(CLI_IN)=tests/e2e/test_circuits.py" \
	"sharing:$(CLI_IN)=tests/e2e/test_tile_sharing.sh" \
	"planner:$(CLI_IN)=tests/e2e/test_planner.sh" \
	"link:prog:$(BUILD)/board_pty $(CLI_IN)=tests/e2e/test_link.sh" \
	"references=tests/e2e/test_references.sh" \
	"runner=tests/e2e/test_runner.sh" \
	"lost-status=tests/e2e/test_lost_status.sh" \
	"suites=tests/e2e/test_suites.sh" \
	"gen=make -s check-gen && echo '1 passed, 0 failed'"

TEST_ALL_SUITES = \
	"unit-rest@tools/unit_tests.sh --list '$(UNIT_IN)' $(UNIT_REST:%=$(BUILD)/tests/%)" \
	"formal-rest@tb/formal/prove.sh --list --rest" \
	"load-kinds=tests/e2e/test_load_kinds.py" \
	"cubes=$(BUILD)/e2e cubes" \
	"wrappers=tests/e2e/test_rtl_wrappers.py" \
	"tb-rest@tb/run.sh --list --rest" \
	"faults-rest=tests/e2e/faults.sh rest" \
	"routers=tests/e2e/test_routers.py" \
	"turns-rest:prog:$(BUILD)/e2e $(BUILD)/unchecked/flitloom $(CLI_IN)=tests/e2e/test_turns.py" \
	"flit-bits:$(CLI_IN)=tests/e2e/test_flit_bits.py" \
	"adaptive-rest:prog:$(BUILD)/e2e $(CLI_IN)=tests/e2e/test_adaptive.py" \
	"circuits=$(BUILD)/e2e all circuits" \
	"delays=$(BUILD)/e2e lists=12 delays" \
	"long-programs=tests/e2e/test_long_programs.py" \
	"lists=tests/e2e/test_rtl_lists.sh" \
	"direct=$(BUILD)/e2e direct" \
	"model=tests/e2e/test_model.sh" \
	"load-closed=tests/e2e/test_load_closed.py" \
	"stages=$(BUILD)/e2e stages" \
	"model-kinds=tests/e2e/test_model_kinds.py" \
	"parameters=tests/e2e/test_rtl_parameters.sh" \
	"benches:$(BENCHES:%=prog:$(BUILD)/bench_%) tests/golden/benches.txt $(MODEL_IN)=tests/e2e/test_benches.py" \
	"files:$(CLI_IN)=tests/e2e/test_cli_files.sh" \
	"open=$(BUILD)/open_frames calls registers $(OPEN_FABRICS)" \
	"board=make -s board-short && LCCS=2 LISTS=2 PULLS=3 tests/board/test_board.sh $(BOARD_SHORT)" \
	"synthesis@tools/lint.sh --list --rest" \
	"options:$(CLI_IN)=tests/e2e/test_options.py" \
	"python=tests/e2e/test_python.py" \
	$(call from_pypi,python,pip=tests/package/test_pip.sh) \
	"drawn:prog:$(CLI_IN) tools/check_certificate.py tools/check_rule_certificate.py=tests/e2e/test_drawn.py" \
	"failures=tests/e2e/test_failures.py" \
	"fft=tests/e2e/fft_table.py small" \
	"rules:prog:$(BUILD)/flitloom $(CLI_IN)=tests/e2e/test_rules.py" \
	"stamps=tests/e2e/test_stamps.sh" \
	"line=$(BUILD)/board_torture cube:1 30000 20000 1" \
	"install=tests/e2e/test_install.sh" \
	$(MPI) \
	$(call from_pypi,fusesoc,package=tests/package/test_fusesoc.sh) \
	"load-ways=tests/e2e/test_load_ways.py" \
	$(BROWSER) \
	"mutants=tests/mutation/test_mutation.py" \
	"tutorials=tests/e2e/test_tutorials.sh" \
	"via:$(E2E_IN)=$(BUILD)/e2e lists=10 via" \
	"rows=$(BUILD)/e2e perms=40 rows" \
	"frames=tests/systemc/test_frames.sh" \
	"systemc=tests/systemc/test_systemc.sh" \
	"rate=make -s efficiency" \
	"ways=tests/package/test_ways.sh" \
	"man=tests/package/test_man.sh" \
	$(call from_pypi,cocotb,axi=tests/cocotb/axi.sh) \
	$(call from_pypi,python,pandas=tests/package/test_pandas.sh) \
	"otis=$(BUILD)/e2e lccs=10 perms=6 lists=10 otis" \
	"programs=$(BUILD)/e2e programs" \
	"queueing=tests/e2e/test_queueing.py" \
	"passes=$(BUILD)/e2e perms=4 lists=4 passes" \
	"goals=$(BUILD)/e2e goals" \
	$(call from_pypi,perfetto,perfetto=tests/package/test_perfetto.py)

# Reports in a browser, which tools/setup.sh browser installs; it is too large to be installed for this alone. Accessibility is
# looked at by axe-core, where PyPI can be reached.
BROWSER = $$(tests/e2e/test_browser.py --can && { tools/pypi.sh --have axe; echo browser=tests/e2e/test_browser.py; } || echo "make test-all leaves out browser" >&2)

# The ranks of mpirun, where there is MPI (tools/setup.sh mpi).
MPI = $$(tests/e2e/test_mpi.py --can && echo mpi=tests/e2e/test_mpi.py || echo "make test-all leaves out mpi" >&2)

# A suite that needs programs from PyPI: $(call from_pypi,WHICH,SUITE). Where PyPI cannot be reached it is left out, and a line
# says so.
from_pypi = $$(tools/pypi.sh --have $1 && echo $2 || echo "make test-all leaves out $2" >&2)

pypi-%:
	@tools/pypi.sh $* || :

# As many jobs as there are cores, unless the make around says how many.
JOBS_HERE = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

test: ## what belongs to every change: proofs, benches, unit tests, verilated fabrics, the command; installs what is missing
	@tools/setup.sh $(TEST_NEEDS)
	@tools/clang_format.sh --version >/dev/null || echo "make test leaves out make check-format" >&2
	@$(MAKE) -s $(JOBS_HERE) $(TEST_PROGRAMS)
	@echo "Left to make test-all: $$($(MAKE) -s suites | sed -n 's/^test-all \([^ ]*\).*/\1/p' | tr '\n' ' ')"
	+@tools/run_tests.sh $(TEST_SUITES)

test-all: ## what `make test` leaves out: boards, links, SystemC, AXI, installing, packages, all faults
	@tools/setup.sh $(TEST_ALL_NEEDS)
	@$(MAKE) -s $(JOBS_HERE) $(TEST_ALL_PROGRAMS)
	+@tools/run_tests.sh $(TEST_ALL_SUITES)

# Lists each suite with the one of the two that it belongs to, and its command.
suites: from_pypi = "$2"
suites: BROWSER = "browser=tests/e2e/test_browser.py"
suites: MPI = "mpi=tests/e2e/test_mpi.py"
suites: ## which suites belong to test and to test-all, and their commands
	@for suite in $(TEST_SUITES); do echo "test $${suite%%[@:=]*} $${suite#*[@=]}"; done
	@for suite in $(TEST_ALL_SUITES); do echo "test-all $${suite%%[@:=]*} $${suite#*[@=]}"; done

unit: $(UNIT:%=$(BUILD)/tests/%) ## unit tests of the library, under ASan and UBSan
	+@tools/run_tests.sh "unit@tools/unit_tests.sh --list '$(UNIT_IN)' $(UNIT:%=$(BUILD)/tests/%)"

lint: ## every RTL module alone through Verilator and Icarus, the chip through Yosys, how the C is laid out
	+@tools/run_tests.sh "lint@tools/lint.sh --list"

tb: ## testbenches with seeded stalls, under Icarus
	+@tools/run_tests.sh "tb@tb/run.sh --list"

formal: ## proofs of every module's contract
	+@tools/run_tests.sh "formal@tb/formal/prove.sh --list"

e2e: $(BUILD)/e2e ## verilated fabrics of all kinds against formulas, vectors and the slow reference
	@$(BUILD)/e2e

e2e-long: $(BUILD)/e2e_long ## cubes with 1,000 random LCCs and 1,000 random message lists
	@$(BUILD)/e2e_long all lccs=143 lists=125 cubes

min-long: $(BUILD)/e2e_long ## multistage networks of up to 256 nodes, all admissible permutations of 8, 1,000 others
	@$(BUILD)/e2e_long all others=1000 two=500 lists=12 stages

net-long: $(BUILD)/e2e_long ## lines, rings, meshes and tori of up to 256 nodes, 300 random lists or permutations on each
	@$(BUILD)/e2e_long all lists=300 perms=300 direct

routes-table: $(BUILD)/flitloom ## what less congestion buys on two lanes: transpose of 10x10 to 20x20 and 30x30, and others, as a table; 14 models are built
	@FLITLOOM=$(BUILD)/flitloom tests/e2e/routes_table.py

fft-table: $(BUILD)/flitloom ## Table 2 of [Hou01], the parallel FFT on 256 processors by stages, on the RTL and to the cycle
	@FLITLOOM=$(BUILD)/flitloom tests/e2e/fft_table.py

otis-table: $(BUILD)/flitloom $(BUILD)/otis_table ## [Sahni97]'s Tables 1 and 3: the moves of eight permutations by formula, simulated 4-D mesh, planner, bound, and on the RTL
	@FLITLOOM=$(BUILD)/flitloom OTIS_TABLE=$(BUILD)/otis_table tests/e2e/otis_table.py

programs-long: $(BUILD)/e2e_long ## 1,000 random programs (sends, waits, delays, cycles) on each of cube:4, omega:16 and three other networks, in both timings: every message's cycles as the reference machine has them
	@$(BUILD)/e2e_long all programs=1000 programs

heavy-long: $(BUILD)/e2e_long ## 10,000 random message lists under heavy load on networks with virtual channels: none locks
	@$(BUILD)/e2e_long all lists=10000 heavy

delays-long: $(BUILD)/e2e_long ## 300 random lists on each of 17 networks whose links or routers have delays: every cycle as the reference machine has it
	@$(BUILD)/e2e_long all lists=300 delays

networks-long: $(BUILD)/e2e_long ## twisted tori, HyperX, dragonflies, fat trees, Slim Flies, random graphs on the RTL: 200 random lists on each of 13, every cycle as the reference machine has it; 10,000 heavy lists on each of four: none locks
	@$(BUILD)/e2e_long all lists=200 networks
	@$(BUILD)/e2e_long all lists=10000 networks-heavy

otis-long: $(BUILD)/e2e_long ## worms on OTIS-Meshes of 16 and 256 nodes, with light and without: all pairs, all-to-all, random lists, every cycle as the reference machine has it; their tiles share one body
	@$(BUILD)/e2e_long all lists=300 perms=100 otis
	@$(BUILD)/e2e_long all lists=20 perms=20 reference=256 otis-16
	@tests/e2e/test_tile_sharing.sh all

otis-heavy-long: $(BUILD)/e2e_long ## 10,000 random message lists under heavy load on each of three OTIS-Meshes of 16 nodes, 1,000 on two of 256: none locks
	@$(BUILD)/e2e_long all lists=10000 otis-heavy
	@$(BUILD)/e2e_long all lists=1000 otis-heavy-16

otis-moves-long: $(BUILD)/e2e_long ## planner otis on the RTL: all 384 BPC permutations of 16 processors, 200 of 256, 1,000 random permutations of each
	@$(BUILD)/e2e_long all lccs=200 perms=1000 otis-moves

.PHONY: axi-long amaranth
axi-long: $(BUILD)/flitloom ## the open fabric under cocotb: 10,000 frames of AXI-Stream, with pauses, on a cube, an omega network and a mesh
	@tools/setup.sh build axi
	@tests/cocotb/axi.sh 10000 cube:3 omega:8 mesh:3x3

amaranth: $(BUILD)/flitloom ## the example in Amaranth (PyPI): its Verilog and the open fabric under Icarus
	@tools/setup.sh build axi
	@tests/amaranth/test_amaranth.sh

graphs-long: $(BUILD)/e2e_long ## 20 random graphs of 8 to 64 nodes, on each 500 random lists; 20 models are built
	@tests/e2e/random_graphs.py $(BUILD)/e2e_long

passes-long: $(BUILD)/e2e_long $(BUILD)/flitloom ## 300 random permutations of each network, 1,000 random message lists in passes, [Youssef93]'s vectors
	@$(BUILD)/e2e_long all perms=300 lists=1000 passes
	@$(BUILD)/e2e_long all perms=300 rows
	@tests/e2e/golden_passes.py

goals-long: $(BUILD)/e2e_long ## collectives of 8, 16 and 64 ranks on the RTL: every message's cycles as the slow interpreter of GOAL has them
	@$(BUILD)/e2e_long all goals

big: $(BUILD)/flitloom ## cube:9 and cube:10 end to end; builds their models, and says what memory they take
	@JOBS=1 tools/run_tests.sh \
		"cube9=tests/e2e/big.sh cube:9 bit-reverse" \
		"cube10=tests/e2e/big.sh cube:10 transpose"

closed-long: $(BUILD)/tests/test_closed ## 10,000 heavy batches of requests and replies on lanes of their own, computed: none locks
	@LOOM_RUNS=10000 $(BUILD)/tests/test_closed

load-long: $(BUILD)/flitloom ## uniform random traffic on cube:6, mesh:8x8 and omega:64 over ten loads: latency by formula, accepted as offered
	@FLITLOOM=$(BUILD)/flitloom tests/e2e/test_load.sh long

precision-long: $(BUILD)/flitloom ## sweep --load --precision 2% at 0.9 of saturation on mesh:8x8, cube:6 and torus:8x8v2: of 40 repetitions the intervals of 36 at least hold the mean of all
	@FLITLOOM=$(BUILD)/flitloom tests/e2e/precision_coverage.py

load-speed: $(BUILD)/bench_sim ## cycles/s of cube:8 under streamed traffic at load 0.3 against messages loaded before, as many channels busy: 0.9 at least
	@$(BUILD)/bench_sim --ratio cube:8

faults: $(BUILD)/flitloom ## every deliberate fault, one after the other
	@tests/e2e/faults.sh all

SEED ?= 1
COUNT ?= 30
mutation: ## COUNT (30) small changes of FILE=host/check/verdict.c (or several) or MODULE=node_receiver, drawn by SEED (1): do its tests notice?
	@[ -n "$(FILE)$(MODULE)" ] || { echo "say what is to be changed: FILE=host/check/verdict.c or MODULE=node_receiver" >&2; exit 2; }
	@tools/setup.sh build test board
	@tests/mutation/mutate.py $(or $(FILE),$(MODULE)) --seed $(SEED) --count $(COUNT)

fuzz: ## every parser for FUZZ_SECONDS (600)
	@tools/setup.sh build fuzz
	@$(MAKE) -s $(FUZZERS:%=$(BUILD)/fuzz/%)
	@for f in $(FUZZERS); do echo "$$f, $(FUZZ_SECONDS) s"; mkdir -p $(BUILD)/corpus/$$f; \
		$(BUILD)/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
			-artifact_prefix=$(BUILD)/fuzz/$$f- $(BUILD)/corpus/$$f tests/fuzz/corpus/$$f \
			>$(BUILD)/fuzz/$$f.log 2>&1 || { tail -n 20 $(BUILD)/fuzz/$$f.log; exit 1; }; \
		grep stat::number_of_executed_units $(BUILD)/fuzz/$$f.log; done

coverage: $(BUILD)/flitloom ## RTL line and toggle coverage of a few runs, annotated sources in build/coverage
	@tools/coverage.sh

objective-long: $(BUILD)/bench_objective ## 50 irregular message lists on each of four networks: plans with --objective cycles against those without, the table of docs/placement.md
	@$(BUILD)/bench_objective cube:6 mesh:8x8 torus:8x8v2 omega:64

plan-pays: $(BUILD)/bench_passes ## the table of docs/passes.md: 100 random permutations with a plan and without one
	@$(BUILD)/bench_passes line:64 ring:64 mesh:8x8 torus:8x8 cube:6 omega:64

bench: $(BUILD)/bench_planners $(BUILD)/bench_min $(BUILD)/bench_sim ## speed of the planners and of the simulation; mesh:16x16 is built anew, for the time
	@$(BUILD)/bench_planners
	@$(BUILD)/bench_min
	@$(BUILD)/bench_sim
	@rm -rf $(BUILD)/bench-models
	@FLITLOOM_CACHE="$(CURDIR)/$(BUILD)/bench-models" $(BUILD)/bench_sim mesh:16x16

MACHINE_TESTS := test_machine test_worms test_engine_lanes test_load_compute

machine-long: $(MACHINE_TESTS:%=$(BUILD)/tests/%) ## the machine against the slow reference machine on more than 100,000 random programs, lists and loads, counted by kind of fabric
	@LOOM_RUNS=300 $(BUILD)/tests/test_machine
	@LOOM_RUNS=40000 $(BUILD)/tests/test_worms
	@LANES_RUNS=20000 $(BUILD)/tests/test_engine_lanes
	@LOOM_RUNS=5000 $(BUILD)/tests/test_load_compute

test-adaptive: $(BUILD)/tests/test_adaptive ## LOOM_RUNS (10,000) heavy random lists for each rule by which routers choose, on each fabric where it is defined: none locks, each message goes a shortest way
	@LOOM_RUNS=$${LOOM_RUNS:-10000} $(BUILD)/tests/test_adaptive

adaptive-long: $(BUILD)/e2e $(BUILD)/flitloom ## 300 random lists for each rule by which routers choose, on eleven fabrics: the RTL as the reference machine and as the model, every cycle
	@LOOM_RUNS=300 tests/e2e/test_adaptive.py all

turns-long: $(BUILD)/e2e $(BUILD)/flitloom $(UNCHECKED)/flitloom ## 300 random lists by turns of a file and by turns:best on ten fabrics: the RTL as the reference machine, the model as the RTL, every cycle
	@LOOM_RUNS=300 tests/e2e/test_turns.py all

rules-long: $(BUILD)/flitloom ## sets of lanes and circles of each rule by which routers choose, against its definition, on all grids of up to 64 nodes
	@LOOM_MOST=64 tests/e2e/test_rules.py

flit-bits-long: $(BUILD)/flitloom ## flits of other widths on the RTL of every kind of network; test-all has each sort of router
	@tests/e2e/test_flit_bits.py all

machine-rtl: $(BUILD)/flitloom ## the machine against the RTL: loads and plans on fabrics of every kind, 14 million messages, each compared
	@FLITLOOM=$(BUILD)/flitloom tests/e2e/test_load_kinds.py all count

bench-machine: $(BUILD)/bench_machine ## speed of the machine that computes runs, in turn with the RTL, and with BookSim2 where BOOKSIM names that program; large networks, with their memory
	@$(BUILD)/bench_machine $(if $(BOOKSIM),--booksim $(BOOKSIM))

routes-against-opensm: $(BUILD)/flitloom ## routes of all pairs beside those of OpenSM's LASH, DFSSSP and Nue on the same graphs; installs opensm and ibsim
	@tools/setup.sh opensm
	@tools/routes_against_opensm.py $(BUILD)/flitloom

agreement: $(BUILD)/flitloom ## docs/agreement.md: the same traffic on flitloom and on BookSim2, which BOOKSIM names; what $(BUILD)/agreement.json has is not measured again
	@[ -x "$(BOOKSIM)" ] || { echo 'make agreement: BOOKSIM="$(BOOKSIM)" is no program: give the path of BookSim2, as in make agreement BOOKSIM=booksim2/src/booksim' >&2; exit 2; }
	@rm -rf $(BUILD)/booksim-alike && cp -a $(dir $(BOOKSIM)) $(BUILD)/booksim-alike && tools/agreement_alike.py $(BUILD)/booksim-alike && $(MAKE) -s -C $(BUILD)/booksim-alike >/dev/null
	@tools/agreement.py $(BUILD)/flitloom $(BOOKSIM) --alike $(BUILD)/booksim-alike/booksim --write docs/agreement.md --rows $(BUILD)/agreement.json

.PHONY: agreement bench-machine machine-long test-adaptive adaptive-long turns-long rules-long flit-bits-long machine-rtl open-long routes-against-opensm
.PHONY: demo test test-all suites unit lint tb formal e2e e2e-long min-long net-long programs-long heavy-long delays-long networks-long otis-long otis-heavy-long otis-moves-long otis-table fft-table routes-table graphs-long load-long big faults mutation fuzz coverage bench passes-long plan-pays objective-long goals-long
.PHONY: closed-long load-speed precision-long
