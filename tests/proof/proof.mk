# SPDX-License-Identifier: MIT
# Proofs of what SECURITY.md promises: constant time, memory errors and secrets
# left behind. All hosts are needed. LONG=1: more of each, for campaigns.

#: make ct               no branch and no address depends on a secret

PROOF     := $(BUILD)/tests/proof
PROOF_DIR := tests/proof
PROOF_ENV  = $(if $(LONG),PROOF_LONG=1)
VALGRIND  ?= valgrind

# ---- constant time ---------------------------------------------------------
# The programs count valgrind's reports themselves: some of them must be made.
# Without what clang 14 says for debuggers, which valgrind 3.19 cannot read.
CT_TESTS := $(PROOF)/ct $(PROOF)/ct_helper
CT_RUN    = $(VALGRIND) -q --error-limit=no --expensive-definedness-checks=yes
$(CT_TESTS:%=%.o): OBJ_CFLAGS += -Itests/support -I$(PAM_DIR)
$(CT_TESTS): %: %.o $(BUILD)/tests/support/support.o $(CORE)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $(CT_WRAP) \
	    $(if $(findstring clang,$(CC)),-Wl$(comma)--strip-debug) \
	    -o $@ $(filter %.o,$^) $(CORE)
$(PROOF)/ct_helper: $(call pam_objects,$(PAM_ANSWERS) $(PAM_READS) $(PAM_TALKS))
$(PROOF)/ct_helper: CT_WRAP := -Wl,--wrap=a2f_equal,--wrap=crypt_r
TIDY_tests/proof/ct_helper := -I$(PAM_DIR)

.PHONY: ct
ct: $(CT_TESTS)
	$(Q)rm -f $(PROOF)/ct.*.log
	$(Q)$(PROOF_ENV) EMULATOR='$(CT_RUN) --log-file=$(PROOF)/ct.%p.log' \
	    $(RUN_TESTS) $^ || { cat $(PROOF)/ct.*.log; exit 1; }

# ---- memory errors ---------------------------------------------------------
#: make memcheck         valgrind over the modules in their hosts
PROOF_HOSTS := $(SQLITE_SO) $(OSSL_SO) $(PAM_BUILT) $(PG_SO) $(BUILD)/argon2fast
PROOF_RUN    = $(Q)$(PROOF_ENV) PYTHONDONTWRITEBYTECODE=1 $(RUN_TESTS)

# Kept mapped as ours are: of what is gone valgrind knows no name at the end.
$(PROOF)/argon2_faulty.so: $(PROOF)/faulty.o
	$(call say,LD)
	$(Q)$(CC) $(MODULE_LDFLAGS) -o $@ $^

.PHONY: memcheck
memcheck: $(PROOF_HOSTS) $(PROOF)/argon2_faulty.so
	$(PROOF_RUN) $(wildcard $(PROOF_DIR)/memcheck_*.py)

# ---- secrets left behind ---------------------------------------------------
#: make secrets          search hosts, and their core dumps, after their calls
SCAN        := $(PROOF)/scan
SCAN_OBJ    := $(addprefix $(PROOF)/,needles.o memory.o) \
               $(BUILD)/tests/support/naive.o
SECRETS_C   := $(addprefix $(PROOF)/secrets_,core sqlite ossl)
SECRETS_OBJ := $(PROOF)/secret_host.o $(BUILD)/tests/support/support.o
$(SCAN_OBJ) $(SECRETS_OBJ) $(SCAN).o $(SECRETS_C:%=%.o): OBJ_CFLAGS += -Itests/support

$(SECRETS_C): $(SECRETS_OBJ)
$(SCAN) $(SECRETS_C): %: %.o $(SCAN_OBJ) $(CORE)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(CORE) $(SECRETS_LIBS)
$(PROOF)/secrets_core: $(BROKEN_SYS)
$(PROOF)/secrets_core.o: OBJ_CFLAGS += -DA2F_FAIL_POINTS
$(PROOF)/secrets_sqlite: SECRETS_LIBS := -lsqlite3
$(PROOF)/secrets_ossl: SECRETS_LIBS := -lcrypto

.PHONY: secrets
secrets: $(PROOF_HOSTS) $(SCAN) $(SECRETS_C) $(PAM_TESTS)/talk
	$(PROOF_RUN) $(SECRETS_C) $(wildcard $(PROOF_DIR)/secrets_*.py)
