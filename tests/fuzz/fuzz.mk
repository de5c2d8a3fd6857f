# SPDX-License-Identifier: MIT
# Fuzzing; docs/fuzzing.md. Each target is one file with one function. `check`
# links it with replay.c, which runs the inputs in tests/fuzz/corpus; `fuzz`,
# which starts this make again with other flags, with libFuzzer.

#: make fuzz             libFuzzer, FUZZ_SECONDS=10 for each target; needs clang
#: make fuzz-long        the same, an hour for each; more than 100 million inputs
#: make check-fuzz       their corpora alone, without libFuzzer

FUZZ_DIR     := tests/fuzz
FUZZ_SECONDS ?= 10
FUZZ_TARGETS := phc params keys phc_peer tag_peer
fuzz_program  = $(1:%=$(BUILD)/$(FUZZ_DIR)/%)

# Those of a host, where it can be built.
FUZZ_TARGETS += $(if $(filter $(SQLITE_SO),$(HOSTS)),sqlite) \
                $(if $(filter ossl,$(HOSTS)),ossl)
FUZZ_PAM     := $(addprefix pam_,conf options entry change wire answer)
FUZZ_TARGETS += $(if $(filter $(PAM_BUILT),$(HOSTS)),$(FUZZ_PAM))

FUZZ_BUILT  := $(call fuzz_program,$(FUZZ_TARGETS))
FUZZ_SHARED := $(call fuzz_program,support.o)
FUZZ_REPLAY := $(call fuzz_program,replay.o)
# The program's main function.
FUZZ_DRIVER := $(if $(FUZZER),,$(FUZZ_REPLAY) $(BUILD)/tests/support/support.o)
TESTS       += $(FUZZ_BUILT)

$(FUZZ_REPLAY) $(call fuzz_program,tag_peer.o): OBJ_CFLAGS += -Itests/support
$(FUZZ_BUILT): %: %.o $(FUZZ_SHARED) $(FUZZ_DRIVER) $(CORE)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $(if $(FUZZER),-fsanitize=fuzzer) -o $@ \
	    $(filter %.o,$^) $(CORE) $(FUZZ_LIBS)

# What each is linked with, beside the core. libargon2 has its decoder in the
# archive alone.
$(call fuzz_program,phc_peer): FUZZ_LIBS := -l:libargon2.a
$(call fuzz_program,tag_peer): FUZZ_LIBS := -largon2
$(call fuzz_program,sqlite): FUZZ_LIBS := -lsqlite3 -Wl,--wrap=a2f_keys_read
$(call fuzz_program,sqlite): $(SQLITE_STATIC)
$(call fuzz_program,ossl): $(OSSL_STATIC)
$(call fuzz_program,pam_conf): $(call pam_objects,conf lines)
$(call fuzz_program,pam_options): $(call pam_objects,options)
$(call fuzz_program,pam_entry): $(call pam_objects,entry lines)
$(call fuzz_program,pam_change): $(call pam_objects,$(PAM_WRITES) $(PAM_READS) wire)
$(call fuzz_program,pam_wire): $(call pam_objects,wire)
$(call fuzz_program,pam_answer): FUZZ_LIBS := -lcrypt
$(call fuzz_program,pam_answer): $(call pam_objects,$(PAM_ANSWERS) $(PAM_READS) wire)

fuzz_include = $(call fuzz_program,$(1:%=%.o)): OBJ_CFLAGS += -I$(2)
$(call fuzz_include,sqlite,$(SQLITE_DIR))
$(call fuzz_include,ossl,$(OSSL_DIR))
$(call fuzz_include,$(FUZZ_PAM),$(PAM_DIR))
$(foreach t,$(FUZZ_PAM),$(eval TIDY_$(FUZZ_DIR)/$(t) := -I$(PAM_DIR)))
TIDY_$(FUZZ_DIR)/sqlite := -I$(SQLITE_DIR)
TIDY_$(FUZZ_DIR)/ossl   := -I$(OSSL_DIR)

.PHONY: check-fuzz fuzz fuzz-long fuzz-run
check-fuzz: $(FUZZ_BUILT)
	$(Q)$(RUN_TESTS) $^
fuzz:
	$(Q)$(MAKE) --no-print-directory CC=clang BUILD=$(BUILD)/fuzz FUZZER=yes \
	    SAN=address,undefined CFLAGS='-O2 -g -fsanitize=fuzzer-no-link' fuzz-run
fuzz-long:
	$(Q)$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=3600
fuzz-run: $(FUZZ_BUILT)
	$(Q)BUILD='$(abspath $(BUILD))' FUZZ_SECONDS='$(FUZZ_SECONDS)' \
	    $(FUZZ_DIR)/run.sh $(FUZZ_TARGETS)
