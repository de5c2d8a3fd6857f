# SPDX-License-Identifier: MIT
# The benchmark; not part of `all`. It needs the packages in bench/packages; of
# the peers, those that are missing are left out, and it says so.

#: make bench            ours and the peers; BENCH_ARGS=--help lists options
#: make bench-report     several copies of it; docs/performance.md and its plots
#: make bench-plots      the plots alone, from the latest report

BENCH_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/*.c))
BENCH_DATA ?= docs/bench/latest.json
BENCH_PAGE ?= docs/performance.md
BENCH_ARGS ?=
PYTHON     ?= /usr/bin/python3

$(BUILD)/bench/bench: $(BENCH_OBJ) $(CORE)
	$(call say,LD)
	$(Q)$(CC) -pie $(ALL_LDFLAGS) -o $@ $^ -ldl

.PHONY: bench bench-report bench-tables bench-plots
bench: $(BUILD)/bench/bench
	$(Q)$< $(BENCH_ARGS)
bench-report: $(BUILD)/bench/bench
	$(Q)mkdir -p $(dir $(BENCH_DATA))
	$(Q)$(PYTHON) bench/repeat.py $< $(BENCH_DATA) $(BENCH_ARGS)
	$(Q)$(MAKE) --no-print-directory bench-tables bench-plots
bench-tables:
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) bench/tables.py $(BENCH_DATA) $(BENCH_PAGE)
bench-plots:
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) bench/plots.py $(BENCH_DATA) $(dir $(BENCH_DATA))
