# Arbiter. `make help` lists the targets.
#
# Layers (DESIGN in ARCHITECTURE.md): service -> api -> games -> {rules, storage}.
# Each layer is one archive; the order in which they are linked is the order of the layers.

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
HOSTCC  ?= cc

# SANITIZE=address,undefined or SANITIZE=thread builds the same tree into a folder of its own.
SANITIZE ?=
comma    := ,
CONFIG   := $(if $(SANITIZE),$(subst $(comma),-,$(SANITIZE)),release)
BUILD    ?= build
OUT      := $(BUILD)/$(CONFIG)

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wundef -Wformat=2 -Wcast-qual -Wwrite-strings $(if $(WERROR),-Werror)
HARDENING := -fstack-protector-strong -fPIE $(if $(SANITIZE),,-D_FORTIFY_SOURCE=2)
OPTIMIZE := $(if $(SANITIZE),-O1 -fno-omit-frame-pointer -fsanitize=$(SANITIZE) -fno-sanitize-recover=all,-O2)

PACKAGES := libmicrohttpd libcjson sqlite3
LAYER_CPPFLAGS := -I. -I$(OUT)/gen -D_GNU_SOURCE -DARBITER_VERSION='"$(VERSION)"'
ALL_CFLAGS  = -std=c17 -g $(OPTIMIZE) $(WARNINGS) $(HARDENING) -pthread $(CFLAGS)
ALL_LDFLAGS = -pie -Wl,-z,relro,-z,now -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)
LIBS        = $(shell pkg-config --libs $(PACKAGES))

LAYERS := service api games storage rules
ARCHIVES := $(LAYERS:%=$(OUT)/lib%.a)

rules_SRC   := $(wildcard rules/*.c)
storage_SRC := $(wildcard storage/*.c)
games_SRC   := $(wildcard games/*.c)
api_SRC     := $(wildcard api/*.c)
service_SRC := $(filter-out service/main.c,$(wildcard service/*.c)) $(wildcard service/commands/*.c)
HEADERS     := $(wildcard rules/*.h storage/*.h games/*.h api/*.h service/*.h service/commands/*.h tests/support/*.h)

# The sliders' BMI2 build of the generator is x86-64 only; it is chosen at run time where PEXT is fast.
ifneq ($(filter x86_64-%,$(shell $(CC) -dumpmachine)),)
BMI2_CFLAGS := -mbmi -mbmi2 -mlzcnt -mpopcnt
endif

obj = $(patsubst %.c,$(OUT)/%.o,$(1))

.PHONY: all
all: $(BUILD)/arbiterd

$(BUILD)/arbiterd: $(OUT)/arbiterd
	@mkdir -p $(@D)
	cp $< $@

$(OUT)/arbiterd: $(OUT)/service/main.o $(ARCHIVES)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

define archive
$(OUT)/lib$(1).a: $(call obj,$($(1)_SRC)) $(if $($(1)_GEN_OBJ),$($(1)_GEN_OBJ))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef

# Generated sources: attack tables (rules), the embedded API description (api).
rules_GEN_OBJ := $(OUT)/gen/attack_tables.o

$(foreach l,$(LAYERS),$(eval $(call archive,$(l))))

$(OUT)/gen/attack_tables.c: tools/attack_tables.c rules/board.h
	@mkdir -p $(@D)
	$(HOSTCC) -std=c17 -O1 -I. -o $(OUT)/gen/attack_tables_generator $<
	$(OUT)/gen/attack_tables_generator > $@.tmp && mv $@.tmp $@

$(OUT)/gen/%.o: $(OUT)/gen/%.c
	$(CC) $(LAYER_CPPFLAGS) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/rules/%_bmi2.o: ALL_CFLAGS += $(BMI2_CFLAGS)

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(LAYER_CPPFLAGS) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
