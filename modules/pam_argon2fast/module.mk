# SPDX-License-Identifier: MIT
# The PAM module, its two helpers, their configuration and man pages.

#: make pam              pam_argon2fast.so, argon2fast_chkpwd, argon2fast_update

PAM_DIR     := modules/pam_argon2fast
# The helpers' paths are compiled into the module.
PAM_SBINDIR ?= $(PREFIX)/sbin
PAM_MODDIR  ?= $(or $(shell pkg-config --variable=libdir pam 2>/dev/null),/lib)/security
PAM_GROUP   ?= shadow

PAM_BUILT   := $(addprefix $(BUILD)/,pam_argon2fast.so argon2fast_chkpwd \
               argon2fast_update)
pam_objects  = $(patsubst %,$(BUILD)/$(PAM_DIR)/%.o,$(1))

# What asks; what answers; what writes; and what any of them needs.
PAM_ASKS    := auth password session options log launch
PAM_ANSWERS := answer work history staging slots room conf foreign
PAM_WRITES  := change records edit attributes locks
PAM_READS   := entry lines stamp
PAM_TALKS   := wire
# What `argon2fast shadow` is linked with.
PAM_SHADOW_OBJ := $(call pam_objects,$(PAM_WRITES) $(PAM_READS) $(PAM_TALKS))

.PHONY: pam install-pam
ifneq ($(shell echo | $(CC) $(CPPFLAGS) -include security/pam_ext.h -include crypt.h -E -x c - 2>/dev/null),)
HOSTS    += $(PAM_BUILT)
INSTALLS += install-pam
else
LEFT_OUT += pam(security/pam_ext.h, crypt.h)
endif

pam: $(PAM_BUILT)

PAM_PATHS := -DA2F_CHKPWD='"$(PAM_SBINDIR)/argon2fast_chkpwd"' \
             -DA2F_UPDATE='"$(PAM_SBINDIR)/argon2fast_update"'
$(call pam_objects,session): OBJ_CFLAGS += $(PAM_PATHS)

$(BUILD)/pam_argon2fast.so: $(call pam_objects,$(PAM_ASKS) $(PAM_ANSWERS) \
        $(PAM_READS) $(PAM_TALKS)) $(CORE) $(PAM_DIR)/pam_argon2fast.map
	$(call say,LD)
	$(Q)$(CC) $(MODULE_LDFLAGS) -Wl,--version-script=$(filter %.map,$^) \
	    -o $@ $(filter %.o %.a,$^) -lpam -lcrypt

$(BUILD)/argon2fast_chkpwd: $(call pam_objects,chkpwd helper $(PAM_ANSWERS) \
        $(PAM_READS) $(PAM_TALKS)) $(CORE)
	$(call say,LD)
	$(Q)$(CC) -pie $(ALL_LDFLAGS) -o $@ $^ -lcrypt

$(BUILD)/argon2fast_update: $(call pam_objects,update helper $(PAM_WRITES) \
        $(PAM_READS) $(PAM_TALKS)) $(CORE)
	$(call say,LD)
	$(Q)$(CC) -pie $(ALL_LDFLAGS) -o $@ $^

# ---- tests -----------------------------------------------------------------
PAM_TESTS := $(BUILD)/tests/integration/pam
$(PAM_TESTS)/talk: $(PAM_TESTS)/talk.o
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< -lpam

# All three once more, with fail-points before their system calls; unfortified,
# or the calls would have other names.
PAM_FAULTY      := $(BUILD)/pam-faulty
PAM_FAULTY_OBJ   = $(patsubst %,$(PAM_FAULTY)/%.o,$(1)) $(PAM_TESTS)/faults.o $(CORE)
PAM_FAULTY_BUILT := $(addprefix $(PAM_FAULTY)/,pam_argon2fast.so \
                    argon2fast_chkpwd argon2fast_update)
PAM_FAULTS      := malloc calloc mmap getrandom read write fsync fchown fchmod \
                   fstat fstatvfs statx renameat linkat unlinkat flistxattr pipe2 \
                   poll realpath pthread_create clone open openat fcntl
PAM_WRAP        := $(PAM_FAULTS:%=-Wl,--wrap=%)
$(PAM_FAULTY)/session.o: OBJ_CFLAGS += $(PAM_PATHS)
$(PAM_FAULTY)/%.o: $(PAM_DIR)/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(OBJ_CFLAGS) -U_FORTIFY_SOURCE -MMD -MP -c -o $@ $<
$(PAM_FAULTY)/pam_argon2fast.so: $(call PAM_FAULTY_OBJ,$(PAM_ASKS) \
        $(PAM_ANSWERS) $(PAM_READS) $(PAM_TALKS)) $(PAM_DIR)/pam_argon2fast.map
	$(call say,LD)
	$(Q)$(CC) $(MODULE_LDFLAGS) $(PAM_WRAP) -Wl,--version-script=$(filter %.map,$^) \
	    -o $@ $(filter %.o %.a,$^) -lpam -lcrypt
$(PAM_FAULTY)/argon2fast_chkpwd: $(call PAM_FAULTY_OBJ,chkpwd helper \
        $(PAM_ANSWERS) $(PAM_READS) $(PAM_TALKS))
	$(call say,LD)
	$(Q)$(CC) -pie $(ALL_LDFLAGS) $(PAM_WRAP) -o $@ $^ -lcrypt
$(PAM_FAULTY)/argon2fast_update: $(call PAM_FAULTY_OBJ,update helper \
        $(PAM_WRITES) $(PAM_READS) $(PAM_TALKS))
	$(call say,LD)
	$(Q)$(CC) -pie $(ALL_LDFLAGS) $(PAM_WRAP) -o $@ $^
