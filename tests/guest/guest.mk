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

.PHONY: guest soak
guest: $(GUEST_HOSTS)
	$(Q)$(RUN_TESTS) $(GUEST_HOSTS)
