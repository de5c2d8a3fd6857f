# SPDX-License-Identifier: MIT
# The OpenSSL provider, in its two forms: a module, and one object that a
# program links with $(CORE) (argon2fast_ossl.h). Neither links libcrypto.

#: make ossl             build/ossl-modules/argon2fast.so

OSSL_DIR    := modules/ossl_provider
OSSL_SRC    := $(wildcard $(OSSL_DIR)/*.c)
OSSL_OBJ    := $(OSSL_SRC:%.c=$(BUILD)/%.o)
OSSL_SO     := $(BUILD)/ossl-modules/argon2fast.so
OSSL_STATIC := $(BUILD)/argon2fast_provider_static.o

.PHONY: ossl install-ossl
ifneq ($(shell echo | $(CC) $(CPPFLAGS) -include openssl/core_dispatch.h -E -x c - 2>/dev/null),)
HOSTS    += ossl
INSTALLS += install-ossl
else
LEFT_OUT += ossl(openssl/core_dispatch.h)
endif

ossl: $(OSSL_SO) $(OSSL_STATIC)

$(OSSL_SO): $(OSSL_OBJ) $(CORE) $(OSSL_DIR)/ossl_provider.map
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(MODULE_LDFLAGS) -Wl,--version-script=$(filter %.map,$^) \
	    -o $@ $(filter %.o %.a,$^)

$(OSSL_STATIC): $(filter-out %/entry.o,$(OSSL_OBJ))
	$(call say,LD)
	$(Q)$(CC) -r -nostdlib -o $@ $^
