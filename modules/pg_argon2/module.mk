# SPDX-License-Identifier: MIT
# The PostgreSQL adapter, built by PGXS (Makefile in its directory) for the
# server that PG_CONFIG belongs to.

#: make pg               build/pg/<major>/pg_argon2.so; PG_CONFIG=..
#: make bench-pg         verifications a second, beside bcrypt and libargon2

PG_CONFIG ?= pg_config
PG_DIR    := modules/pg_argon2
PG_MAJOR  := $(shell $(PG_CONFIG) --version 2>/dev/null | sed 's/[^0-9]*\([0-9]*\).*/\1/')
PG_BUILD  := $(BUILD)/pg/$(PG_MAJOR)
PG_SO     := $(PG_BUILD)/pg_argon2.so
# What `make install-pg` installs, under a directory of its own: the tests and
# the demo put it into an installation that they throw away.
PG_STAGE  := $(PG_BUILD)/stage
# Where this was built is no part of what is built, if CFLAGS says so.
PG_MAP     = $(filter -ffile-prefix-map=%,$(CFLAGS))
PG_MAKE    = $(MAKE) --no-print-directory $(if $(V),,-s) -C $(PG_BUILD) \
             -f $(abspath $(PG_DIR))/Makefile PG_CONFIG='$(PG_CONFIG)' \
             CORE=$(abspath $(CORE)) COPT='$(WARN) $(SANFLAGS) $(PG_MAP)' \
             A2F_LDFLAGS='$(SANFLAGS)'

.PHONY: pg install-pg bench-pg
ifeq ($(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null)),)
LEFT_OUT += pg(postgresql-server-dev)
else
HOSTS    += $(PG_SO)
INSTALLS += install-pg
# The other Debian's tests build there, and without sanitizers. Under the one
# for threads no signal comes before a system call, which a hash has none of.
PG_LEFT  := $(if $(SAN),debian13) \
            $(if $(filter thread,$(SAN)),cancel isolation memory scale)
TESTS    += $(filter-out $(addprefix %/,$(addsuffix .t,$(PG_LEFT))),\
              $(sort $(wildcard tests/integration/pg/*.t)))
endif

# For clang-tidy, see tests/tests.mk.
PG_INCLUDE := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)
define pg_tidy
TIDY_$(1) := -isystem $(PG_INCLUDE)

endef
$(eval $(foreach source,$(wildcard $(PG_DIR)/*.c),$(call pg_tidy,$(source:.c=))))

pg: $(PG_SO)

$(PG_SO): $(wildcard $(PG_DIR)/*) $(CORE)
	@mkdir -p $(@D)
	$(call say,PGXS)
	+$(Q)$(PG_MAKE) all
	$(Q)rm -rf $(PG_STAGE)
	+$(Q)$(PG_MAKE) install DESTDIR=$(abspath $(PG_STAGE)) >/dev/null

install-pg: $(PG_SO)
	+$(Q)$(PG_MAKE) install

bench-pg: $(PG_SO)
	$(Q)BUILD='$(abspath $(BUILD))' $(PG_DIR)/bench.sh
