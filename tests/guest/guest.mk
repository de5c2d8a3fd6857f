# SPDX-License-Identifier: MIT
# What a guest owes its host, asked of each adapter by the same tests: one
# runner, and one short driver for each host (host_*.c).

#: make guest            each adapter in forks, limits, sandboxes, failures
#: make soak             each host at full load for SOAK_SECONDS=600

GUEST_DIR    := $(BUILD)/tests/guest
GUEST_RUNNER := $(addprefix $(GUEST_DIR)/,guest.o forks.o limits.o failures.o \
                reload.o self.o) $(BUILD)/tests/support/support.o
GUEST_WATCH  := $(GUEST_DIR)/watch.o
GUEST_HOSTS  := $(addprefix $(GUEST_DIR)/host_,sqlite ossl pam)

$(GUEST_DIR)/%.o: OBJ_CFLAGS += -Itests/support -Itests/integration/ossl
# A program's own functions, which the modules are to find; unfortified, or
# calls would have other names.
$(GUEST_WATCH): OBJ_CFLAGS += -U_FORTIFY_SOURCE -fvisibility=default -fno-builtin
$(GUEST_HOSTS): %: %.o $(GUEST_RUNNER) $(GUEST_WATCH)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -rdynamic -o $@ $(filter %.o,$^) $(GUEST_LIBS) \
	    -largon2 -lm
$(GUEST_DIR)/host_sqlite: GUEST_LIBS := -lsqlite3
$(GUEST_DIR)/host_sqlite: | $(SQLITE_SO)
$(GUEST_DIR)/host_ossl: GUEST_LIBS := -lcrypto
$(GUEST_DIR)/host_ossl: $(OSSL_CLIENT) | $(OSSL_SO)
$(GUEST_DIR)/host_pam: GUEST_LIBS := -lpam
$(GUEST_DIR)/host_pam: | $(BUILD)/pam_argon2fast.so

# In the server the runner is an extension of its own, and what stands before
# the C library is preloaded.
GUEST_PG := $(addprefix $(GUEST_DIR)/,host_pg.so watch.so)
$(GUEST_DIR)/host_pg.o: OBJ_CFLAGS += -isystem $(PG_INCLUDE) -Wno-sign-conversion \
    -fvisibility=default
$(GUEST_DIR)/host_pg.so: $(GUEST_DIR)/host_pg.o $(GUEST_RUNNER)
	$(call say,LD)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -o $@ $^ -largon2 -lm
$(GUEST_DIR)/watch.so: $(GUEST_WATCH)
	$(call say,LD)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -o $@ $^
TIDY_tests/guest/host_pg := -isystem $(PG_INCLUDE)
TIDY_tests/guest/host_ossl := -Itests/integration/ossl

# What this machine has the hosts for; the drivers of C run as they are.
GUEST_TESTS := $(if $(filter $(SQLITE_SO),$(HOSTS)),$(GUEST_DIR)/host_sqlite) \
               $(if $(filter ossl,$(HOSTS)),$(GUEST_DIR)/host_ossl) \
               $(if $(filter $(PAM_BUILT),$(HOSTS)),tests/guest/pam.py) \
               $(if $(filter $(PG_SO),$(HOSTS)),tests/guest/pg.t)
GUEST_NEEDS := $(filter $(BUILD)/%,$(GUEST_TESTS)) \
               $(if $(filter %/pam.py,$(GUEST_TESTS)),$(GUEST_DIR)/host_pam $(PAM_BUILT)) \
               $(if $(filter %/pg.t,$(GUEST_TESTS)),$(GUEST_PG) $(PG_SO))

.PHONY: guest soak
guest: $(GUEST_NEEDS)
	$(Q)TEST_TIMEOUT=3600 $(RUN_TESTS) $(GUEST_TESTS)
# One host at a time: each is to have the whole machine.
soak: $(GUEST_NEEDS)
	$(Q)A2F_GUEST=soak TEST_TIMEOUT=7200 TEST_JOBS=1 $(RUN_TESTS) -v $(GUEST_TESTS)
