# SPDX-License-Identifier: MIT
# The test programs of the core, and how all test programs run. A test program
# is anything in TESTS that prints TAP; those of host H live in
# tests/integration/H/ and are also run by check-H.

#: make check            build everything, run every test
#: make check-core       the core alone; also check-cli, check-sqlite ..
#: make check-kernels    each kernel against scalar; BENCH=1: measure them too
#: make lint             clang-tidy, shellcheck, python
#: make format           lay out all C files; format-check: only say which

# One binary per core file, and the programs that test the core as a whole.
UNIT_TESTS  := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/core/*.c)))
WHOLE_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/*.c)))
# A sanitizer's own locks do not survive a fork amid other threads' work.
WHOLE_TESTS := $(if $(SAN),$(filter-out %/forks,$(WHOLE_TESTS)),$(WHOLE_TESTS))
CORE_TESTS  := $(UNIT_TESTS) $(WHOLE_TESTS)
SHAPE_TESTS := tests/check_layers.sh tests/check_symbols.sh \
               tests/check_style.sh tests/check_header.sh tests/check_common.sh
TESTS       := $(CORE_TESTS) $(SHAPE_TESTS) $(TESTS)
# Where a race is likeliest; SAN=thread check runs them all.
RACE_TESTS  := $(filter %/pool %/lease %/fill %/engine_shared %/batch \
               %/threads %/test_batch.py %/life.sh %/regress.t \
               %/test_conversation.py,$(TESTS))

TEST_SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
# The core's door to the system as a test can break it; see sys.h. Linked
# ahead of the library, it stands in for the member of the same name.
BROKEN_SYS := $(BUILD)/tests/support/broken_sys.o
$(BROKEN_SYS): libcore/sys.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -DA2F_FAIL_POINTS -MMD -MP -c -o $@ $<

NEEDS_BROKEN_SYS := $(addprefix $(BUILD)/tests/core/,sys arena pool lease engine_shared dummy secret keys)
$(NEEDS_BROKEN_SYS): TEST_OBJ := $(BROKEN_SYS)
$(NEEDS_BROKEN_SYS): $(BROKEN_SYS)
$(NEEDS_BROKEN_SYS:%=%.o): OBJ_CFLAGS += -DA2F_FAIL_POINTS
$(UNIT_TESTS): TEST_LIBS := -lcmocka
$(BUILD)/tests/differential: TEST_LIBS := -largon2
# Counts what the core asks the system for; on 32-bit machines, by mmap64.
$(BUILD)/tests/corpus: TEST_LIBS := \
        -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=mmap \
        -Wl,--wrap=mmap64,--defsym=__wrap_mmap64=__wrap_mmap

$(CORE_TESTS:%=%.o): OBJ_CFLAGS += -Itests/support
$(CORE_TESTS): %: %.o $(TEST_SUPPORT) $(CORE)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(TEST_OBJ) $(TEST_SUPPORT) $(CORE) $(TEST_LIBS)

RUN_TESTS = BUILD='$(abspath $(BUILD))' CC='$(CC)' SAN='$(SAN)' tests/run.sh

.PHONY: check-core check-race check-kernels
check: all $(CORE_TESTS) $(filter $(BUILD)/%,$(TESTS))
	$(Q)$(RUN_TESTS) $(TESTS)
check-core: core $(CORE_TESTS)
	$(Q)$(RUN_TESTS) $(CORE_TESTS) $(SHAPE_TESTS)
check-race: all $(CORE_TESTS) $(filter $(BUILD)/%,$(TESTS))
	$(Q)$(RUN_TESTS) $(RACE_TESTS)
check-kernels: $(BUILD)/tests/kernels
	$(Q)$(RUN_TESTS) $<
	$(Q)$(if $(BENCH),$< --bench)

define check_host
.PHONY: check-$(1)
check-$(1): $(1) $(2)
	$$(Q)$$(RUN_TESTS) $(2)
endef
tests_of = $(filter tests/integration/$(1)/% $(BUILD)/tests/integration/$(1)/%,$(TESTS))
$(foreach host,$(notdir $(wildcard tests/integration/*)),\
  $(if $(call tests_of,$(host)),\
    $(eval $(call check_host,$(host),$(call tests_of,$(host))))))

# ---- what needs no run -----------------------------------------------------
ROOMS    := $(wildcard bench cli demo libcore modules packaging tests)
C_FILES  := $(shell find $(ROOMS) -name '*.[ch]' | LC_ALL=C sort)
SH_FILES := bootstrap.sh .ci/run \
            $(shell find $(ROOMS) -name '*.sh' | LC_ALL=C sort)
PY_FILES := $(shell find $(ROOMS) -name '*.py' | LC_ALL=C sort)
# Kernels of other machines cannot be read here; for those of this one their
# own flags are part of what clang-tidy must see.
TIDY_FILES := $(CORE_SRC) $(filter-out libcore/%,$(filter %.c,$(C_FILES)))
TIDY_JOBS  := $(TIDY_FILES:%.c=tidy-%)

.PHONY: lint-c lint-sh lint-py $(TIDY_JOBS)
lint: lint-c lint-sh lint-py
lint-c: $(TIDY_JOBS)
$(TIDY_JOBS): tidy-%:
	$(if $(V),,@printf '  TIDY %s.c\n' $*)
	$(Q)clang-tidy --quiet --warnings-as-errors='*' $*.c -- -std=c11 \
	    -D_GNU_SOURCE -Ilibcore -Itests/support $(FLAGS_$(*F)) $(TIDY_$*) \
	    2>/dev/null
lint-sh:
	$(Q)shellcheck -x $(SH_FILES)
lint-py:
	$(Q)for f in $(PY_FILES); do \
	    /usr/bin/python3 -c 'import ast,sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' $$f \
	    || exit 1; done

format:
	clang-format -i $(C_FILES)
format-check:
	$(Q)clang-format --dry-run -Werror $(C_FILES)

include tests/docs/docs.mk
