# SPDX-License-Identifier: MIT
# argon2fast. `make help` lists the targets; CONTRIBUTING.md explains the rest.

VERSION := $(shell sed -n 's/^\#define A2F_VERSION "\(.*\)"/\1/p' libcore/argon2fast.h)
PREFIX  ?= /usr/local
CC      ?= cc
AR      ?= ar
ARCH    := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
# What this compiler's machine calls its library directory (Debian: multiarch).
LIBDIR  ?= $(PREFIX)/lib

# ---- flags ---------------------------------------------------------------
SAN   ?=
comma := ,
BUILD ?= build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))

OPT      ?= -O3
CFLAGS   ?= $(OPT) -g
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla $(if $(WERROR),-Werror)
HARDEN   := -fstack-protector-strong -fstack-clash-protection \
            -D_FORTIFY_SOURCE=2
ifneq ($(SAN)$(filter -O0,$(OPT) $(CFLAGS)),)
HARDEN   :=
endif
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all \
            -fno-omit-frame-pointer)
# Offsets and times have 64 bits on 32-bit machines, too.
WIDE := $(if $(filter 4,$(shell echo __SIZEOF_LONG__ | $(CC) -E -P -)),\
            -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
# The core is linked into shared objects, so everything is PIC and hidden.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WIDE) -Ilibcore $(WARN) -fPIC \
             -fvisibility=hidden -pthread $(HARDEN) $(SANFLAGS) \
             $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = -pthread $(SANFLAGS) -Wl,-z,relro,-z,now $(LDFLAGS)
# What every host module is: kept mapped, bound to itself, exporting one list.
MODULE_LDFLAGS = -shared $(ALL_LDFLAGS) -Wl,-z,nodelete -Wl,-Bsymbolic \
                 $(if $(SAN),,$(if $(NO_DEFS),,-Wl,-z,defs))

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $(patsubst $(BUILD)/%,%,$@))

# ---- the kernels: one flags line for each file with ISA flags --------------
ISA_x86_64  := sse2 ssse3 avx2 avx512
ISA_aarch64 := neon neon_sha3 neon_sve2
ISA         := $(ISA_$(ARCH))
FLAGS_sse2      := -msse2
FLAGS_ssse3     := -mssse3
FLAGS_avx2      := -mavx2
FLAGS_avx512    := -mavx512f
FLAGS_neon_sha3 := -march=armv8.2-a+sha3
FLAGS_neon_sve2 := -march=armv8.2-a+sve2

# ---- the core --------------------------------------------------------------
CORE_SRC := $(wildcard libcore/*.c) \
            $(addprefix libcore/simd/,kernels.c scalar.c $(ISA:%=%.c))
CORE_OBJ := $(CORE_SRC:%.c=$(BUILD)/%.o)
CORE     := $(BUILD)/libargon2fast.a

.DELETE_ON_ERROR:
.SUFFIXES:
all:
.PHONY: all core install check bench lint format format-check help clean

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(FLAGS_$(*F)) $(OBJ_CFLAGS) -MMD -MP -c -o $@ $<

core: $(CORE)
$(CORE): $(CORE_OBJ)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^

# ---- the rooms upstairs ----------------------------------------------------
# Each .mk adds its targets to HOSTS (built by `all`), its install-<host> to
# INSTALLS, its tests to TESTS; or says in LEFT_OUT what it misses.
HOSTS    :=
INSTALLS :=
TESTS    :=
LEFT_OUT :=
include cli/cli.mk $(wildcard modules/*/module.mk) tests/fuzz/fuzz.mk tests/tests.mk
include bench/bench.mk tests/proof/proof.mk tests/guest/guest.mk tests/ports/ports.mk packaging/packaging.mk

all: core $(HOSTS)
	$(if $(LEFT_OUT),@echo 'left out: $(LEFT_OUT)',@:)

install: $(INSTALLS)

clean:
	rm -rf build

help:
	@sed -n 's/^#: //p' $(MAKEFILE_LIST)

#: make                  build what the present host headers allow
#: make core             build/libargon2fast.a
#: make install          everything that is built (DESTDIR, PREFIX)
#: make clean            remove build/
#: SAN=address,undefined or SAN=thread: a sanitizer build, in its own directory
#: V=1: show the commands;  WERROR=1: warnings are errors;  CC=clang

-include $(shell find $(BUILD) \( -path '$(BUILD)/san-*' -o -path '$(BUILD)/roots' \
            -o -path '$(BUILD)/ports' \) \
            -prune -o -type f -name '*.d' -print 2>/dev/null)
