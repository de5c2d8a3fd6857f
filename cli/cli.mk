# SPDX-License-Identifier: MIT
# The argon2fast command and its man page.

CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))

#: make cli              build/argon2fast
.PHONY: cli install-cli
cli: $(BUILD)/argon2fast
$(BUILD)/argon2fast: $(CLI_OBJ) $(CORE)
	$(call say,LD)
	$(Q)$(CC) -pie $(ALL_LDFLAGS) -o $@ $^

install-cli: cli
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/man/man1'
	install -m 755 $(BUILD)/argon2fast '$(DESTDIR)$(PREFIX)/bin/'
	install -m 644 cli/argon2fast.1 '$(DESTDIR)$(PREFIX)/share/man/man1/'

HOSTS    += cli
INSTALLS += install-cli
TESTS    += $(wildcard tests/integration/cli/test_*)
