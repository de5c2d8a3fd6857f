# SPDX-License-Identifier: MIT
# The PAM module, its two helpers, their configuration and man pages.

#: make pam              pam_argon2fast.so, argon2fast_chkpwd, argon2fast_update

PAM_DIR     := modules/pam_argon2fast
# The helpers' paths are compiled into the module.
PAM_SBINDIR ?= $(PREFIX)/sbin
PAM_MODDIR  ?= $(or $(shell pkg-config --variable=libdir pam 2>/dev/null),/lib)/security
PAM_GROUP   ?= shadow

PAM_PATHS := -DA2F_CHKPWD='"$(PAM_SBINDIR)/argon2fast_chkpwd"' \
             -DA2F_UPDATE='"$(PAM_SBINDIR)/argon2fast_update"'
TIDY_cli/doctor_pam := $(PAM_PATHS)

PAM_BUILT   := $(addprefix $(BUILD)/,pam_argon2fast.so argon2fast_chkpwd \
               argon2fast_update)
pam_objects  = $(patsubst %,$(BUILD)/$(PAM_DIR)/%.o,$(1))

# What asks; what answers; what writes; and what any of them needs.
PAM_ASKS    := auth password session options log launch
PAM_ANSWERS := answer work history staging slots room conf foreign
PAM_WRITES  := change records edit attributes locks
PAM_READS   := entry lines stamp
PAM_TALKS   := wire

# `argon2fast shadow` and `argon2fast doctor` need some of it, and no libpam.
$(BUILD)/argon2fast: $(call pam_objects,$(PAM_WRITES) $(PAM_READS) $(PAM_TALKS) \
                       conf staging slots room)
$(BUILD)/cli/doctor_pam.o: OBJ_CFLAGS += $(PAM_PATHS)

# Changes when they do, so that `make install-pam PREFIX=/usr` after a `make`
# for another place does not install a module that looks there.
PAM_PLACE := $(BUILD)/pam-place
.PHONY: force
$(PAM_PLACE): force
	$(Q)mkdir -p $(@D)
	$(Q)echo '$(PAM_SBINDIR)' | cmp -s - $@ || echo '$(PAM_SBINDIR)' >$@
$(BUILD)/cli/doctor_pam.o $(call pam_objects,session): $(PAM_PLACE)

PAM_TESTS   := $(BUILD)/tests/integration/pam
PAM_UNITS   := $(PAM_TESTS)/unit_wire $(PAM_TESTS)/unit_files

.PHONY: pam install-pam
ifneq ($(shell echo | $(CC) $(CPPFLAGS) -include security/pam_ext.h -include crypt.h -E -x c - 2>/dev/null),)
HOSTS    += $(PAM_BUILT)
INSTALLS += install-pam
# The programs people log in with are not built with sanitizers; talk is. What
# it is made to fail, or forks amid threads, would be their runtimes' calls, too.
PAM_SAN_TESTS := conversation history keys migration writes
TESTS    += $(PAM_UNITS) $(if $(SAN),$(PAM_SAN_TESTS:%=tests/integration/pam/test_%.py),\
              $(sort $(wildcard tests/integration/pam/*.sh tests/integration/pam/test_*.py)))
else
LEFT_OUT += pam(security/pam_ext.h, crypt.h)
endif

pam: $(PAM_BUILT)

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

# A set-gid helper where the shadow file has a group, else a set-uid one.
PAM_HELPER_MODE = $(if $(shell getent group $(PAM_GROUP)),2755,4755)
install-pam: $(PAM_BUILT)
	install -d '$(DESTDIR)$(PAM_MODDIR)' '$(DESTDIR)$(PAM_SBINDIR)' \
	    '$(DESTDIR)/etc/security' '$(DESTDIR)$(PREFIX)/share/argon2fast/pam' \
	    '$(DESTDIR)$(PREFIX)/share/man/man5' '$(DESTDIR)$(PREFIX)/share/man/man8'
	install -m 644 $(BUILD)/pam_argon2fast.so '$(DESTDIR)$(PAM_MODDIR)'
	install -m 700 $(BUILD)/argon2fast_update '$(DESTDIR)$(PAM_SBINDIR)'
	install -m 755 $(BUILD)/argon2fast_chkpwd '$(DESTDIR)$(PAM_SBINDIR)'
	chgrp '$(if $(filter 2755,$(PAM_HELPER_MODE)),$(PAM_GROUP),root)' \
	    '$(DESTDIR)$(PAM_SBINDIR)/argon2fast_chkpwd'
	chmod $(PAM_HELPER_MODE) '$(DESTDIR)$(PAM_SBINDIR)/argon2fast_chkpwd'
	test -e '$(DESTDIR)/etc/security/argon2fast.conf' || \
	    install -m 644 packaging/pam/argon2fast.conf '$(DESTDIR)/etc/security'
	cp -R packaging/pam/. '$(DESTDIR)$(PREFIX)/share/argon2fast/pam'
	install -m 644 $(PAM_DIR)/argon2fast.conf.5 '$(DESTDIR)$(PREFIX)/share/man/man5'
	install -m 644 $(PAM_DIR)/pam_argon2fast.8 $(PAM_DIR)/argon2fast_chkpwd.8 \
	    '$(DESTDIR)$(PREFIX)/share/man/man8'
	ln -sf argon2fast_chkpwd.8 '$(DESTDIR)$(PREFIX)/share/man/man8/argon2fast_update.8'

# ---- tests -----------------------------------------------------------------
$(PAM_TESTS)/talk: $(PAM_TESTS)/talk.o
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< -lpam -Wl,--no-as-needed -lcrypt
# libcrypt: AddressSanitizer looks for crypt_r() when the program starts.

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
$(PAM_FAULTY)/session.o: $(PAM_PLACE)
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

TIDY_tests/integration/pam/unit_wire := -I$(PAM_DIR)
TIDY_tests/integration/pam/unit_files := -I$(PAM_DIR) -DA2F_SAMPLE_CONF='""'
$(PAM_UNITS:%=%.o): OBJ_CFLAGS += -I$(PAM_DIR) \
    -DA2F_SAMPLE_CONF='"$(abspath packaging/pam/argon2fast.conf)"'
$(PAM_UNITS): %: %.o $(call pam_objects,$(PAM_READS) $(PAM_TALKS) conf) $(CORE)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka
# What the tests in Python run.
$(PAM_UNITS): | $(PAM_TESTS)/talk $(PAM_FAULTY_BUILT) $(BUILD)/argon2fast

#: make check-pam-slow   every call of the PAM module fails once; kill -9, often
.PHONY: check-pam-slow
check-pam-slow: pam $(PAM_UNITS)
	$(Q)BUILD='$(abspath $(BUILD))' tests/integration/pam/test_failpoints.py all
	$(Q)BUILD='$(abspath $(BUILD))' tests/integration/pam/test_faults.py 10
