# Arbiter. `make help` lists the targets.
#
# Layers (DESIGN in ARCHITECTURE.md): service -> api -> games -> {rules, storage}.
# Each layer is one archive; the order in which they are linked is the order of the layers.

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
HOSTCC  ?= cc
# Debian's own, which is the one that its python3-yaml belongs to.
PYTHON  ?= $(firstword $(wildcard /usr/bin/python3) python3)

# SANITIZE=address,undefined or SANITIZE=thread builds the same tree into a folder of its own.
SANITIZE ?=
comma    := ,
CONFIG   := $(if $(SANITIZE),$(subst $(comma),-,$(SANITIZE)),release)
BUILD    ?= build
OUT      := $(BUILD)/$(CONFIG)

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wundef -Wformat=2 -Wcast-qual -Wwrite-strings $(if $(WERROR),-Werror)
HARDENING := -fstack-protector-strong $(if $(SANITIZE),-fno-pie,-fPIE -D_FORTIFY_SOURCE=2)
OPTIMIZE := $(if $(SANITIZE),-O1 -fno-omit-frame-pointer -fsanitize=$(SANITIZE) -fno-sanitize-recover=all,-O2)

# A report of a sanitizer names functions and lines, and those need no types and no variables.
DEBUGGING := $(if $(SANITIZE),-g1,-g)

PACKAGES := libmicrohttpd libcjson sqlite3 libsodium zlib
LAYER_CPPFLAGS := -I. -I$(OUT)/gen -D_GNU_SOURCE -DARBITER_VERSION='"$(VERSION)"'
ALL_CFLAGS  = -std=c17 $(DEBUGGING) $(OPTIMIZE) $(WARNINGS) $(HARDENING) -pthread $(CFLAGS)
ALL_LDFLAGS = $(if $(SANITIZE),-no-pie,-pie) -Wl,-z,relro,-z,now -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)
# Asked once, by the first link.
LIBS        = $(eval LIBS := $(shell pkg-config --libs $(PACKAGES)) -lm)$(LIBS)

# V=1 shows whole command lines.
Q    := $(if $(V),,@)
say   = $(if $(V),@:,@echo) '  $(1)'

LAYERS := service api games storage rules
ARCHIVES := $(LAYERS:%=$(OUT)/lib%.a)

rules_SRC   := $(wildcard rules/*.c)
storage_SRC := $(wildcard storage/*.c)
games_SRC   := $(wildcard games/*.c)
api_SRC     := $(wildcard api/*.c)
service_SRC := $(filter-out service/main.c,$(wildcard service/*.c)) $(wildcard service/commands/*.c)
HEADERS     := $(wildcard rules/*.h storage/*.h games/*.h api/*.h service/*.h service/commands/*.h tests/support/*.h bench/*.h)

# Builds of the generator that are x86-64 only; they are chosen at run time by what the processor does fast.
ifneq ($(filter x86_64-%,$(shell $(CC) -dumpmachine)),)
BMI2_CFLAGS   := -mbmi -mbmi2 -mlzcnt -mpopcnt
POPCNT_CFLAGS := -mpopcnt
endif

obj = $(patsubst %.c,$(OUT)/%.o,$(1))

.PHONY: all
all: $(BUILD)/arbiterd

$(BUILD)/arbiterd: $(OUT)/arbiterd
	@mkdir -p $(@D)
	@cp $< $@

$(OUT)/arbiterd: $(OUT)/service/main.o $(ARCHIVES)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

define archive
$(OUT)/lib$(1).a: $(call obj,$($(1)_SRC)) $(if $($(1)_GEN_OBJ),$($(1)_GEN_OBJ))
	$$(call say,AR   $$@)
	@rm -f $$@
	$$(Q)$$(AR) rcs $$@ $$^
endef

# Generated sources: attack tables (rules), the embedded API description (api).
rules_GEN_OBJ := $(OUT)/gen/attack_tables.o
api_GEN_OBJ   := $(OUT)/gen/documents.o

$(foreach l,$(LAYERS),$(eval $(call archive,$(l))))

$(OUT)/gen/attack_tables.c: tools/attack_tables.c rules/board.h
	@mkdir -p $(@D)
	$(call say,GEN  $@)
	$(Q)$(HOSTCC) -std=c17 -O1 -I. -o $(OUT)/gen/attack_tables_generator $<
	$(Q)$(OUT)/gen/attack_tables_generator > $@.tmp && mv $@.tmp $@

$(OUT)/gen/openapi.json: openapi.yaml tools/yaml_to_json.py
	@mkdir -p $(@D)
	$(call say,GEN  $@)
	$(Q)$(PYTHON) tools/yaml_to_json.py $< > $@.tmp && mv $@.tmp $@

# The page for browsers, out of web/ by node; WITH_WEB=0 builds the daemon without it, and without node.
WITH_WEB ?= 1
export WITH_WEB
WEB_OUT  := $(OUT)/gen/web
PIECES_CSS ?= $(OUT)/gen/pieces.css
WEB_SRC  := web/build.mjs web/docs.mjs $(wildcard web/src/*)

web/node_modules/.package-lock.json: web/package-lock.json web/.npmrc
	@command -v npm >/dev/null || { echo 'npm is missing: make deps brings it, make WITH_WEB=0 does without' >&2; exit 1; }
	$(call say,NPM  $(@D))
	$(Q)cd web && npm ci --ignore-scripts >/dev/null && touch node_modules/.package-lock.json

$(WEB_OUT)/index.html: $(WEB_SRC) web/cookbook.txt $(PIECES_CSS) $(OUT)/gen/openapi.json web/node_modules/.package-lock.json
	$(call say,WEB  $@)
	$(Q)node web/build.mjs $(WEB_OUT) $(OUT)/gen/openapi.json $(PIECES_CSS)

# Written where it has changed, so that a change of WITH_WEB is noticed.
.PHONY: always
$(OUT)/gen/with-web: always
	@mkdir -p $(@D)
	@echo $(WITH_WEB) | cmp -s - $@ || echo $(WITH_WEB) >$@

DOCUMENTS := $(addprefix $(OUT)/gen/text/,openapi.yaml openapi.json cookbook.txt)

$(OUT)/gen/text/%: %
	@mkdir -p $(@D) && cp $< $@
$(OUT)/gen/text/%: $(OUT)/gen/%
	@mkdir -p $(@D) && cp $< $@
$(OUT)/gen/text/%: web/%
	@mkdir -p $(@D) && cp $< $@

$(OUT)/gen/documents.c: tools/embed.c $(DOCUMENTS) $(OUT)/gen/with-web \
    $(if $(filter-out 0,$(WITH_WEB)),$(WEB_OUT)/index.html)
	$(call say,GEN  $@)
	$(Q)$(HOSTCC) -std=c17 -O1 -o $(OUT)/gen/embed $<
	$(Q)files="$(DOCUMENTS) $(if $(filter-out 0,$(WITH_WEB)),$$(echo $(WEB_OUT)/*.html $(WEB_OUT)/*.js $(WEB_OUT)/*.css \
	    $(WEB_OUT)/*.woff2))"; \
	    for file in $$files; do case $$file in *.woff2) ;; *) gzip -9nkf $$file ;; esac || exit 1; done; \
	    $(OUT)/gen/embed $$files > $@.tmp && mv $@.tmp $@

# The pieces for the page, of the table that pictures are drawn from.
PIECES_SRC := tools/pieces.c api/picture_pieces.c api/picture_style.c

$(OUT)/gen/pieces.css: $(PIECES_SRC) api/picture_pieces.h api/picture_style.h
	@mkdir -p $(@D)
	$(call say,GEN  $@)
	$(Q)$(HOSTCC) -std=c17 -O1 -I. -o $(OUT)/gen/pieces_generator $(PIECES_SRC)
	$(Q)$(OUT)/gen/pieces_generator > $@.tmp && mv $@.tmp $@

$(OUT)/gen/%.o: $(OUT)/gen/%.c
	$(call say,CC   $<)
	$(Q)$(CC) $(LAYER_CPPFLAGS) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# What threads share is read and written by those who ask rules/, which has no state and takes most of the time.
$(OUT)/rules/%.o: ALL_CFLAGS += $(if $(filter thread,$(SANITIZE)),-O2 -fno-sanitize=thread)
# What tests do themselves takes less time than compiling them well, but for the slow oracles of the rules.
$(OUT)/tests/%.o: ALL_CFLAGS += $(if $(SANITIZE),-O0,-O1)
$(OUT)/tests/rules/%.o: ALL_CFLAGS += -O2
$(OUT)/rules/%_bmi2.o: ALL_CFLAGS += $(BMI2_CFLAGS)
$(OUT)/rules/%_popcnt.o: ALL_CFLAGS += $(POPCNT_CFLAGS)

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC   $<)
	$(Q)$(CC) $(LAYER_CPPFLAGS) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<


# ---- tests --------------------------------------------------------------------------------------------------
# tests/<layer>/test_*.c: a program each, linked with the other sources of its folder, with the support files named
# for it, and with the archive of its layer and those below: a layer that reaches up does not link.

TEST_FOLDERS := rules storage games api service daemon http torture fuzz unit
rules_LINK   := rules
storage_LINK := storage
games_LINK   := games storage rules
api_LINK     := api games storage rules
service_LINK := service api games storage rules
daemon_LINK  :=
http_LINK    :=
torture_LINK := storage rules
fuzz_LINK    := service api games storage rules
unit_LINK    :=
rules_SUPPORT   :=
storage_SUPPORT := $(wildcard tests/support/storage_*.c)
games_SUPPORT   := $(wildcard tests/support/storage_*.c tests/support/games_*.c)
api_SUPPORT     := $(wildcard tests/support/storage_*.c tests/support/api_*.c) tests/support/recording.c
service_SUPPORT := $(wildcard tests/support/daemon_*.c tests/support/http_*.c) tests/support/recording.c
daemon_SUPPORT  := $(wildcard tests/support/daemon_*.c tests/support/http_*.c) tests/support/recording.c
http_SUPPORT    := $(wildcard tests/support/daemon_*.c tests/support/http_*.c) tests/support/recording.c
torture_SUPPORT := $(wildcard tests/support/daemon_*.c tests/support/http_*.c) tests/support/recording.c \
                   tests/support/storage_sql.c
fuzz_SUPPORT    :=
unit_SUPPORT    := $(daemon_SUPPORT)
TEST_LIBS   = $(eval TEST_LIBS := $(shell pkg-config --libs cmocka $(PACKAGES)) -lm)$(TEST_LIBS)
# There are two hundred of them in each build, and linking takes longer than compiling.
TEST_LINKER = $(eval TEST_LINKER := $(shell echo 'int main(void) { return 0; }' | \
              $(CC) -fuse-ld=mold -x c -o /dev/null - 2>/dev/null && echo -fuse-ld=mold))$(TEST_LINKER)

# Under a sanitizer these would only take their time. The thread sanitizer: folders that start no thread, tests that ask one
# thing at a time, and tests in which the store's writer is the only one, and everybody waits for it. Each of them: what
# ends by kill -9.
CONCURRENT := $(addprefix api/test_,cache event_listeners events pgn_import rate retry_many store_faults tickets winnable) \
              $(addprefix games/test_,check commit conflict events events_random events_several export flags import lifecycle \
              log_read many_moves presence property races receipts registry restarts rights solver subscribe takebacks timers unwinnable) \
              $(addprefix daemon/test_,bursts clock drain event_streams events idle lifecycle pgn_stream races retries)
THREADLESS := $(if $(filter thread,$(SANITIZE)),rules fuzz torture)
SEQUENTIAL := $(if $(filter thread,$(SANITIZE)),$(filter-out $(CONCURRENT),\
              $(patsubst tests/%.c,%,$(wildcard $(addsuffix /test_*.c,$(addprefix tests/,api games daemon))))) \
              $(addprefix storage/test_,allocations damage inspect sqlite_chain sqlite_refused sqlite_version_2 sqlite_version_3))
KILLED     := $(if $(SANITIZE),torture/test_torture)
# A sanitizer does what no service may.
FORBIDDEN  := $(if $(SANITIZE),unit)

# A disk that fails when it is told to: loaded into the daemon, and built without a sanitizer of its own.
FAULTS_SRC := tests/torture/faults.c
FAULTS     := $(OUT)/tests/torture/faults.so

$(FAULTS): $(FAULTS_SRC) tests/support/faults.h
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(LAYER_CPPFLAGS) -std=c17 -O2 -g $(WARNINGS) -fPIC -shared -o $@ $< -ldl

# What the systemd unit allows, laid on a program without a service manager.
CONFINE_SRC := tests/unit/confine.c
CONFINE     := $(OUT)/tests/unit/confine
# What a test runs besides itself.
DAEMONS     := $(OUT)/arbiterd $(FAULTS) $(if $(FORBIDDEN),,$(CONFINE))

$(CONFINE): $(CONFINE_SRC)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(LAYER_CPPFLAGS) -std=c17 -O2 -g $(WARNINGS) -o $@ $< -lseccomp

define test_programs
$(1)_TESTS := $$(patsubst %.c,$(OUT)/%,$$(wildcard tests/$(1)/test_*.c))
$(1)_HELP  := $$(call obj,$$(filter-out tests/$(1)/test_%.c $(FAULTS_SRC) $(CONFINE_SRC),$$(wildcard tests/$(1)/*.c)) $($(1)_SUPPORT))
$$($(1)_TESTS): $(OUT)/tests/$(1)/%: $(OUT)/tests/$(1)/%.o $$($(1)_HELP) $$($(1)_LINK:%=$(OUT)/lib%.a)
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(ALL_LDFLAGS) $$(TEST_LINKER) -o $$@ $$^ $$(TEST_LIBS)
TESTS += $$(if $$(filter $(1),$(THREADLESS) $(FORBIDDEN)),,$$(filter-out $$(patsubst %,$(OUT)/tests/%,$(SEQUENTIAL) $(KILLED)),$$($(1)_TESTS)))
.PHONY: test-$(1)
test-$(1): $$($(1)_TESTS) $$(if $$(filter daemon http torture unit,$(1)),$(DAEMONS))
	@$$(TEST_ENV) tools/run_tests.sh $$($(1)_TESTS)
endef
$(foreach f,$(TEST_FOLDERS),$(eval $(call test_programs,$(f))))
.SECONDARY:

# This one makes each allocation of a request fail.
arena_calls := alloc zalloc grow copy hold printf vprintf join
$(OUT)/tests/api/test_memory: ALL_LDFLAGS += -Wl,--wrap=api_handle $(arena_calls:%=-Wl,--wrap=arena_%)

# These make each allocation fail, of whoever is linked with them.
allocation_calls := malloc calloc realloc strdup realpath asprintf vasprintf
ALLOCATION_TESTS := $(patsubst %,$(OUT)/tests/%/test_allocations,storage games api)
$(ALLOCATION_TESTS): $(OUT)/tests/support/allocations.o
$(ALLOCATION_TESTS): ALL_LDFLAGS += $(allocation_calls:%=-Wl,--wrap=%)
$(OUT)/tests/games/test_allocations: ALL_LDFLAGS += -Wl,--wrap=snapshot_take
$(OUT)/tests/api/test_allocations: ALL_LDFLAGS += -Wl,--wrap=api_handle

# This one makes ids fail.
$(OUT)/tests/games/test_import: ALL_LDFLAGS += -Wl,--wrap=id_make

# This one counts the comparisons that take the same time whatever they find.
$(OUT)/tests/games/test_secret: ALL_LDFLAGS += -Wl,--wrap=sodium_memcmp

# Under a sanitizer the same tests run on less. What was freed is kept from being used again for the last 8 MB of it, not
# for 256: pages that are touched for the first time are what takes longest.
TEST_ENV := ARBITERD=$(OUT)/arbiterd CONFINE=$(CONFINE) $(if $(SANITIZE),TEST_PERFT_MAX=1000000 TEST_POSITIONS=4000 \
            ASAN_OPTIONS=detect_leaks=1:abort_on_error=1:verify_asan_link_order=0:quarantine_size_mb=8:thread_local_quarantine_size_kb=64 \
            UBSAN_OPTIONS=print_stacktrace=1 \
            TSAN_OPTIONS=suppressions=$(abspath tests/support/tsan.supp):halt_on_error=1)

# What the tests of the api and of the daemon ask and are answered is recorded, for check-contract.
RECORDING := $(OUT)/exchanges
run_tests = rm -f $(RECORDING).new && TEST_RECORD=$(abspath $(RECORDING)).new $(TEST_ENV) tools/run_tests.sh $(1) && \
            mv $(RECORDING).new $(RECORDING)

# These take longest, and are begun first, so that all end together.
LONGEST := torture/test_torture daemon/test_backup daemon/test_import daemon/test_seats rules/test_movegen \
           storage/test_damage api/test_pgn_import daemon/test_trouble games/test_solver rules/test_perft

.PHONY: test
test: $(TESTS) $(DAEMONS)
	@$(call run_tests,$(filter $(TESTS),$(LONGEST:%=$(OUT)/tests/%)) $(filter-out $(LONGEST:%=$(OUT)/tests/%),$(TESTS)))

$(RECORDING): $(api_TESTS) $(daemon_TESTS) $(OUT)/arbiterd $(FAULTS)
	@$(call run_tests,$(api_TESTS) $(daemon_TESTS))

# Random games with everything that can be done to them; after each action the game is held against its log and the laws.
PROPERTY_GAMES ?= 10000
.PHONY: property
property: $(OUT)/tests/games/test_property
	TEST_GAMES=$(PROPERTY_GAMES) $(TEST_ENV) $<

# kill -9 and power cuts in whatever the daemon does, and a disk whose every call fails once: make test runs a few rounds of each.
TORTURE_ROUNDS ?= 100
.PHONY: torture torture-disk torture-damage
torture: $(OUT)/tests/torture/test_torture $(OUT)/arbiterd $(FAULTS)
	TORTURE_ROUNDS=$(TORTURE_ROUNDS) $(TEST_ENV) $<

torture-disk: $(OUT)/tests/torture/test_disk $(OUT)/tests/daemon/test_trouble $(OUT)/arbiterd $(FAULTS)
	TORTURE_STRIDE=1 $(TEST_ENV) $<
	TROUBLE_LOCKED_MS=60000 $(TEST_ENV) $(OUT)/tests/daemon/test_trouble

# Stores that were damaged on the disk, so many with changed bytes.
DAMAGED_STORES ?= 1000
torture-damage: $(OUT)/tests/storage/test_damage
	TEST_DAMAGE=$(DAMAGED_STORES) $(TEST_ENV) $<

# Requests that fill the library's memory, and good ones that something has happened to. HTTP_SEED makes the same again;
# HTTP_HEALTH_MS is how long health may take.
HTTP_MUTATIONS ?= 100000
HTTP_HEALTH_MS ?= 100
FULL_ROUNDS ?= 100
SECRETS_ROUNDS ?= 300
.PHONY: fuzz-http secrets
fuzz-http: $(OUT)/tests/http/test_mutations $(OUT)/tests/http/test_full $(OUT)/arbiterd
	FULL_ROUNDS=$(FULL_ROUNDS) $(TEST_ENV) $(OUT)/tests/http/test_full
	HTTP_MUTATIONS=$(HTTP_MUTATIONS) HTTP_HEALTH_MS=$(HTTP_HEALTH_MS) $(TEST_ENV) $<

# Every kind of token is used, and looked for in memory, log, files and answers.
secrets: $(OUT)/tests/http/test_secrets $(OUT)/arbiterd
	SECRETS_ROUNDS=$(SECRETS_ROUNDS) $(TEST_ENV) $<

# ---- fuzzing ------------------------------------------------------------------------------------------------
# make fuzz FUZZ=pgn FUZZ_SECONDS=600: libFuzzer over the targets of tests/fuzz, which wants clang. What it learns
# stays in $(BUILD)/fuzz/NAME, an input that fails in $(BUILD)/fuzz/NAME-crash-…

FUZZ_TARGETS := fen san pgn clock json fields route accept client stored uci options token cursor head api
FUZZ         ?= $(FUZZ_TARGETS)
FUZZ_SECONDS ?= 60
fuzz_RUN      = $(OUT)/tests/fuzz/fuzz_$(1) -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 \
                -print_final_stats=1 -verbosity=0 $(addprefix -dict=,$(wildcard tests/fuzz/$(1).dict)) \
                -artifact_prefix=$(BUILD)/fuzz/$(1)- $(BUILD)/fuzz/$(1) tests/fuzz/corpus/$(1)

.PHONY: fuzz fuzz-programs fuzz-run
fuzz:
	@$(MAKE) --no-print-directory CC=clang SANITIZE=fuzzer-no-link,address,undefined CFLAGS='-O2 $(CFLAGS)' fuzz-run

fuzz-programs: $(FUZZ:%=$(OUT)/tests/fuzz/fuzz_%)

fuzz-run: fuzz-programs
	@mkdir -p $(FUZZ:%=$(BUILD)/fuzz/%)
	@$(foreach f,$(FUZZ),echo 'fuzzing $(f)' && $(call fuzz_RUN,$(f)) &&) true

$(FUZZ_TARGETS:%=$(OUT)/tests/fuzz/main_%.o): $(OUT)/tests/fuzz/main_%.o: tests/support/fuzz_main.c
	@mkdir -p $(@D)
	$(call say,CC   $< $*)
	$(Q)$(CC) $(LAYER_CPPFLAGS) -DFUZZ_TARGET=fuzz_$* $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(FUZZ_TARGETS:%=$(OUT)/tests/fuzz/fuzz_%): $(OUT)/tests/fuzz/fuzz_%: $(OUT)/tests/fuzz/main_%.o $(fuzz_HELP) \
    $(fuzz_LINK:%=$(OUT)/lib%.a)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# ---- the bench ----------------------------------------------------------------------------------------------
# bench/NAME.c is a program, with what bench/NAME_*.c adds to it, over the layers that it names.

BENCH_PROGRAMS := anchor games load perft pgn pictures winnable winnable_stress
bench_LINK_games    := rules
bench_LINK_perft    := rules
bench_LINK_pgn      := rules
bench_LINK_winnable := rules
bench_LINK_winnable_stress := rules
bench_LINK_pictures := api games storage rules
bench_SRC := $(wildcard bench/*.c)

define bench_program
$(OUT)/bench/$(1): $(call obj,bench/$(1).c $(if $(filter load,$(1)),$(wildcard bench/load_*.c))) $$(bench_LINK_$(1):%=$(OUT)/lib%.a)
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LIBS)
endef
$(foreach p,$(BENCH_PROGRAMS),$(eval $(call bench_program,$(p))))

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS:%=$(OUT)/bench/%)

# Against the limit of the stack, in turns. BENCH_ROUNDS, BENCH_SECONDS, BENCH_PARTS shorten it;
# BENCH_TARGETS='--target NAME=URL,CONF' measures servers besides that somebody has started.
BENCH_TARGETS ?=
.PHONY: bench
bench: bench-programs $(OUT)/arbiterd
	@$(PYTHON) -B bench/run.py --build $(OUT) $(BENCH_TARGETS)

# Where there are many connections, stored games, half-moves, streams. GROWTH_GAMES, GROWTH_CLIENTS, GROWTH_SECONDS and
# GROWTH_PARTS shorten it; the folder BENCH_FOLDER, $(OUT) without it, has to hold the largest store.
.PHONY: bench-growth
bench-growth: bench-programs $(OUT)/arbiterd
	@$(PYTHON) -B bench/growth.py --build $(OUT)

# An hour of mixed load at half of full speed, with restarts: is everything flat, and is everything there? bench/soak.py
# tells what can be set; SOAK_SECONDS=30 SOAK_RESTARTS=3 SOAK_EVERY=1 shows that it works.
.PHONY: soak
soak: bench-programs $(OUT)/arbiterd
	@$(PYTHON) -B bench/soak.py --build $(OUT)

# Whether it has become slower: instructions against bench/bounds.txt, and on a quiet machine the time against the limit.
.PHONY: check-bench
check-bench: bench-programs $(OUT)/arbiterd
	@$(PYTHON) -B -m unittest discover -s tests/bench
	@$(PYTHON) -B bench/gate.py --build $(OUT) --compiler '$(CC)'

# ---- openapi.yaml and what is made of it -----------------------------------------------------------------------
# All that takes node stands here, so that everything else does without. What it takes from npm comes into the build
# folder by a lock file, and runs no script when it is installed.

NODE_FOLDER := $(BUILD)/node
# A command under a Node that is new enough, with what the tests in JavaScript want to know.
NODE = PATH="$$(tools/node.sh $(BUILD)/node20):$$PATH" REDOCLY_TELEMETRY=off NODE_PACKAGES=$(NODE_FOLDER) \
       ARBITERD=$(abspath $(OUT)/arbiterd)

.PHONY: check-web check-contract check-openapi check-client check-examples examples \
        test-web
check-web:
	@tools/deps.sh web
	@$(MAKE) --no-print-directory -j2 all
	@$(MAKE) --no-print-directory check-openapi
	@$(MAKE) --no-print-directory check-contract
	@$(MAKE) --no-print-directory check-client
	@$(MAKE) --no-print-directory check-examples
	@$(MAKE) --no-print-directory test-examples
	@$(MAKE) --no-print-directory test-web

# The document by itself.
check-openapi: $(NODE_FOLDER)/ready
	@$(NODE) $(NODE_FOLDER)/node_modules/.bin/redocly lint --config tests/contract/redocly.yaml openapi.yaml
	@$(NODE) node tests/contract/rules.mjs openapi.yaml

# Every exchange of the tests of api/ and of the daemon, against the document and the other way round.
check-contract: $(NODE_FOLDER)/ready $(RECORDING)
	@$(NODE) node --test tests/contract/contract.test.mjs >$(NODE_FOLDER)/contract.txt || { cat $(NODE_FOLDER)/contract.txt; exit 1; }
	@$(NODE) node tests/contract/check.mjs openapi.yaml $(RECORDING)

# A client whose types are generated from the document is compiled, and plays.
check-client: $(NODE_FOLDER)/ready $(OUT)/arbiterd
	@$(NODE) node tests/client/run.mjs openapi.yaml

# The examples in the document, recorded from the daemon.
examples: $(NODE_FOLDER)/ready $(OUT)/arbiterd
	@$(NODE) node tests/contract/examples.mjs record openapi.yaml

check-examples: $(NODE_FOLDER)/ready $(OUT)/arbiterd
	@$(NODE) node tests/contract/examples.mjs check openapi.yaml

# WEB_TESTS='tests/web/x.test.mjs' runs some of them, SHOTS=FOLDER keeps pictures of the windows.
WEB_TESTS ?= $(sort $(wildcard tests/web/*.test.mjs))
test-web: $(NODE_FOLDER)/ready $(OUT)/arbiterd
	@$(NODE) node --test --test-concurrency=2 --test-timeout=180000 --test-reporter=spec $(WEB_TESTS)

$(NODE_FOLDER)/ready: tests/package.json tests/package-lock.json
	@mkdir -p $(@D)
	@cp $^ $(@D)
	$(call say,NPM  $(@D))
	$(Q)cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund >/dev/null
	@touch $@

# ---- the programs of examples/, as a user runs them: curl, Python and an IRC server -----------------------------

.PHONY: test-examples
test-examples: $(OUT)/arbiterd
	ARBITERD=$(abspath $<) $(PYTHON) -B -m unittest discover -s tests/examples

# ---- what people type -----------------------------------------------------------------------------------------

.PHONY: deps run check lint lint-tree lint-layers lint-headers analyze format install uninstall clean help dist perft
deps:
	@tools/deps.sh run
	@$(if $(filter-out 0,$(WITH_WEB)),$(MAKE) --no-print-directory web/node_modules/.package-lock.json)

run: deps
	@$(MAKE) --no-print-directory -j$$(nproc) all
	$(BUILD)/arbiterd

# One half of what CI runs, and no more of npm than the build takes (WITH_WEB=0: nothing): linters, both compilers without
# a warning (clang's come with the analysis), all tests, and the tests again under the sanitizers. The other half is
# check-web. It holds what the tests asked and were answered here against openapi.yaml: check-contract alone does that, out
# of $(RECORDING).
check:
	@tools/deps.sh check
	@$(MAKE) --no-print-directory -j2 lint
	@$(MAKE) --no-print-directory -j2 CC=gcc WERROR=1 all tests bench-programs
	@$(MAKE) --no-print-directory check-bench
	@$(MAKE) --no-print-directory -j4 check-tests check-analysis
	@echo 'good, so far; make check-web holds every answer of these tests against openapi.yaml, and tests the page'

# All tests, in every build. Many of them wait, and meanwhile the sources are analyzed, on shorter ways than by make analyze;
# that speaks only where it finds something, so that the end of the tests is the end of the log.
.PHONY: check-tests check-analysis
check-tests:
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory SANITIZE=address,undefined tests
	@$(MAKE) --no-print-directory SANITIZE=address,undefined test
	@$(MAKE) --no-print-directory SANITIZE=thread tests
	@$(MAKE) --no-print-directory SANITIZE=thread test

check-analysis:
	@nice -n 19 $(MAKE) --no-print-directory analyze ANALYZER_NODES=15000 >$(BUILD)/analysis.log 2>&1 || { cat $(BUILD)/analysis.log; exit 1; }

.PHONY: tests
tests: $(TESTS) $(DAEMONS)

lint: lint-tree lint-layers lint-headers

lint-tree:
	@tools/lint.sh

lint-layers:
	@tools/lint_test.sh

# Each by itself, so that it includes what it names.
lint-headers:
	@$(CC) -std=c17 -w -fsyntax-only $(LAYER_CPPFLAGS) -x c $(filter-out %_body.h,$(HEADERS))

ANALYZED := $(rules_SRC) $(storage_SRC) $(games_SRC) $(api_SRC) $(service_SRC) service/main.c \
            $(filter-out bench/pgn.c bench/pictures.c bench/winnable%,$(bench_SRC))
TIDY     := $(ANALYZED:%=$(BUILD)/tidy/%.ok)

analyze: $(TIDY)
	clang -fsyntax-only -Werror -std=c17 $(LAYER_CPPFLAGS) $(WARNINGS) $(filter-out $(ANALYZED),$(bench_SRC))
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
	    --suppress=missingIncludeSystem -I. -D_GNU_SOURCE -j2 $(ANALYZED)

# How far the analyzer follows the paths of a function. Of 35 files that take it longest, it has reached as many blocks by
# 60,000 nodes as by its own limit of 225,000 in 31, by fewer ways; the whole takes half of the time. It stops sooner in
# rules/winnable_mate.c, rules/winnable_plan.c, games/judge.c and api/fields.c: make analyze ANALYZER_NODES=225000.
ANALYZER_NODES ?= 60000

$(BUILD)/tidy/%.ok: % .clang-tidy $(HEADERS)
	@mkdir -p $(@D)
	$(call say,TIDY $<)
	$(Q)clang-tidy --quiet $< -- -std=c17 $(LAYER_CPPFLAGS) $(WARNINGS) \
	    -Xclang -analyzer-config -Xclang max-nodes=$(ANALYZER_NODES) 2>/dev/null && touch $@

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

perft: all
	$(BUILD)/arbiterd perft --depth 6

# The README, and what it links to.
INSTALLED_DOCS := README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE openapi.yaml bench/RESULTS.md \
                  tests/client/play.mts $(filter-out %.pyc,$(shell find examples -type f))
DOC_FOLDER      = $(DESTDIR)$(PREFIX)/share/doc/arbiter

install: all
	install -D -m 755 $(BUILD)/arbiterd $(DESTDIR)$(PREFIX)/bin/arbiterd
	install -D -m 644 systemd/arbiterd.service $(DESTDIR)$(PREFIX)/lib/systemd/system/arbiterd.service
	sed -i 's|/usr/local/|$(PREFIX)/|' $(DESTDIR)$(PREFIX)/lib/systemd/system/arbiterd.service
	install -D -m 644 systemd/arbiterd.socket $(DESTDIR)$(PREFIX)/lib/systemd/system/arbiterd.socket
	install -D -m 644 -t $(DOC_FOLDER) systemd/arbiterd.sysusers systemd/arbiterd.tmpfiles
	for file in $(INSTALLED_DOCS); do install -D -m $$([ -x $$file ] && echo 755 || echo 644) $$file $(DOC_FOLDER)/$$file || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/arbiterd $(DESTDIR)$(PREFIX)/lib/systemd/system/arbiterd.service \
	    $(DESTDIR)$(PREFIX)/lib/systemd/system/arbiterd.socket
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/arbiter

dist:
	git archive --prefix=arbiter-$(VERSION)/ -o arbiter-$(VERSION).tar.gz HEAD

clean:
	rm -rf $(BUILD)

help:
	@echo 'make            build $(BUILD)/arbiterd'
	@echo 'make run        install missing packages, build, start the daemon on 127.0.0.1:8080'
	@echo '                WITH_WEB=0 builds without the page for browsers, and without node'
	@echo 'make check      linters, warnings of gcc and clang, all tests, and the tests again under sanitizers'
	@echo 'make check-web  what takes npm and a browser: openapi.yaml, every answer of the tests of make check against it,'
	@echo '                a generated client, the examples, the page. CI runs both'
	@echo 'make check-contract  of these the answers alone: after a change of a route, without a browser'
	@echo 'make test       the tests; make test-LAYER those of one layer ($(TEST_FOLDERS))'
	@echo 'make test-examples  the programs of examples/, with curl, Python and an IRC server'
	@echo 'make property   $(PROPERTY_GAMES) random games, held against their logs: PROPERTY_GAMES'
	@echo 'make torture    kill -9 and power cuts at any moment, and everything acknowledged is there: TORTURE_ROUNDS=$(TORTURE_ROUNDS)'
	@echo 'make torture-disk  every call that touches the disk fails once; somebody else holds the store for a minute'
	@echo 'make torture-damage  stores cut off at every page and with changed bytes: DAMAGED_STORES=$(DAMAGED_STORES)'
	@echo 'make fuzz-http  $(HTTP_MUTATIONS) changed requests over HTTP: HTTP_MUTATIONS, HTTP_SEED, HTTP_HEALTH_MS'
	@echo 'make secrets    tokens, looked for in memory, log, files and answers: SECRETS_ROUNDS'
	@echo 'make examples   records the examples of openapi.yaml from the daemon'
	@echo 'make fuzz       libFuzzer over the readers: FUZZ=$(firstword $(FUZZ)), FUZZ_SECONDS=600'
	@echo 'make lint       layers, sizes, formatting; make analyze: clang-tidy and cppcheck'
	@echo 'make format     clang-format over the tree'
	@echo 'make bench      speed and memory, against the limit of the stack: BENCH_ROUNDS, BENCH_SECONDS, BENCH_PARTS'
	@echo 'make bench-growth  the same where there is much of something: GROWTH_GAMES, GROWTH_PARTS'
	@echo 'make soak       an hour at half of full speed, with restarts: SOAK_SECONDS, SOAK_RESTARTS, SOAK_RATE'
	@echo 'make check-bench  whether it has become slower: bench/bounds.txt'
	@echo 'make perft      119,060,324 positions, timed'
	@echo 'make install    to $$(DESTDIR)$$(PREFIX); make uninstall; make dist; make clean'
	@echo 'SANITIZE=address,undefined | thread, CC, CFLAGS, LDFLAGS, BUILD, WERROR=1 are respected'

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
