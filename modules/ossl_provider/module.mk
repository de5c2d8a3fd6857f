# SPDX-License-Identifier: MIT
# The OpenSSL provider, in its two forms: a module, and one object that a
# program links with $(CORE) (argon2fast_ossl.h). Neither links libcrypto.

#: make ossl             build/ossl-modules/argon2fast.so

OSSL_DIR    := modules/ossl_provider
OSSL_SRC    := $(wildcard $(OSSL_DIR)/*.c)
OSSL_OBJ    := $(OSSL_SRC:%.c=$(BUILD)/%.o)
OSSL_SO     := $(BUILD)/ossl-modules/argon2fast.so
OSSL_STATIC := $(BUILD)/argon2fast_provider_static.o
# Where the libcrypto of this machine looks for modules; also in a package,
# for it looks nowhere else.
OSSL_MODULESDIR ?= $(or $(shell pkg-config --variable=modulesdir libcrypto 2>/dev/null),$(LIBDIR)/ossl-modules)

# C programs, and scripts that run them and the openssl command.
OSSL_TEST_DIR := tests/integration/ossl
OSSL_UNITS    := $(addprefix $(BUILD)/$(OSSL_TEST_DIR)/,\
                   parameters context configuration memory linked)
OSSL_TAPS     := $(addprefix $(BUILD)/$(OSSL_TEST_DIR)/,differential threads)
OSSL_RUN      := $(addprefix $(BUILD)/$(OSSL_TEST_DIR)/,ask doctor)
OSSL_TESTS    := $(OSSL_UNITS) $(OSSL_TAPS) \
                 $(filter-out %/host.sh,$(wildcard $(OSSL_TEST_DIR)/*.sh))
OSSL_CLIENT   := $(BUILD)/$(OSSL_TEST_DIR)/client.o
OSSL_FIXTURE  := $(BUILD)/$(OSSL_TEST_DIR)/fixture.o

.PHONY: ossl install-ossl
ifneq ($(shell echo | $(CC) $(CPPFLAGS) -include openssl/core_dispatch.h -E -x c - 2>/dev/null),)
HOSTS    += ossl
INSTALLS += install-ossl
TESTS    += $(OSSL_TESTS)
else
LEFT_OUT += ossl(openssl/core_dispatch.h)
endif

ossl: $(OSSL_SO) $(OSSL_STATIC)

$(OSSL_SO): $(OSSL_OBJ) $(CORE) $(OSSL_DIR)/argon2fast.map
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(MODULE_LDFLAGS) -Wl,--version-script=$(filter %.map,$^) \
	    -o $@ $(filter %.o %.a,$^)

$(OSSL_STATIC): $(filter-out %/entry.o,$(OSSL_OBJ))
	$(call say,LD)
	$(Q)$(CC) -r -nostdlib -o $@ $^

install-ossl: $(OSSL_SO)
	install -d '$(DESTDIR)$(OSSL_MODULESDIR)' \
	    '$(DESTDIR)$(PREFIX)/share/man/man7' \
	    '$(DESTDIR)$(PREFIX)/share/doc/argon2fast'
	install -m 644 $(OSSL_SO) '$(DESTDIR)$(OSSL_MODULESDIR)'
	install -m 644 $(OSSL_DIR)/provider-argon2fast.7 \
	    '$(DESTDIR)$(PREFIX)/share/man/man7/'
	install -m 644 $(OSSL_DIR)/openssl.cnf \
	    '$(DESTDIR)$(PREFIX)/share/doc/argon2fast/'

# ---- tests ----
$(OSSL_UNITS) $(OSSL_TAPS): %: %.o $(OSSL_CLIENT) $(OSSL_SO) $(OSSL_RUN)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $(OSSL_WRAP) -o $@ $(filter %.o %.a,$^) \
	    -lcrypto -largon2 $(TEST_LIBS)
$(OSSL_UNITS): $(OSSL_FIXTURE)
$(OSSL_UNITS): TEST_LIBS := -lcmocka
$(OSSL_TAPS): $(BUILD)/tests/support/support.o
$(BUILD)/$(OSSL_TEST_DIR)/linked: $(OSSL_STATIC) $(CORE)
$(BUILD)/$(OSSL_TEST_DIR)/linked: OSSL_WRAP := -Wl,--wrap=a2f_derive
$(patsubst %,%.o,$(OSSL_UNITS) $(OSSL_TAPS)) $(OSSL_CLIENT) $(OSSL_FIXTURE): \
    OBJ_CFLAGS += -Itests/support -I$(OSSL_DIR)
# Run by scripts; whoever runs those has the programs built.
$(OSSL_RUN): %: %.o
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(TEST_LIBS)
$(BUILD)/$(OSSL_TEST_DIR)/ask: TEST_LIBS := -lcrypto
$(BUILD)/$(OSSL_TEST_DIR)/doctor: $(BUILD)/cli/doctor_openssl.o
$(BUILD)/$(OSSL_TEST_DIR)/doctor.o: OBJ_CFLAGS += -Icli

TIDY_tests/integration/ossl/doctor         := -Icli
TIDY_tests/integration/ossl/linked         := -I$(OSSL_DIR)
TIDY_modules/ossl_provider/examples/derive := -I$(OSSL_DIR)
