# SPDX-License-Identifier: MIT
# The SQLite adapter, in its two forms: a loadable extension, and one object
# that a program links with $(CORE) (sqlite_argon2.h).

#: make sqlite           build/sqlite_argon2.so and sqlite_argon2_static.o

SQLITE_DIR    := modules/sqlite_argon2
SQLITE_SRC    := $(wildcard $(SQLITE_DIR)/*.c)
SQLITE_SO     := $(BUILD)/sqlite_argon2.so
SQLITE_STATIC := $(BUILD)/sqlite_argon2_static.o
SQLITE_TESTS  := $(BUILD)/tests/integration/sqlite

.PHONY: sqlite install-sqlite
ifneq ($(shell echo | $(CC) $(CPPFLAGS) -include sqlite3ext.h -E -x c - 2>/dev/null),)
HOSTS    += $(SQLITE_SO) $(SQLITE_STATIC)
INSTALLS += install-sqlite
TESTS    += tests/integration/sqlite/shell.sh tests/integration/sqlite/interop.sh \
            tests/integration/sqlite/python.sh tests/integration/sqlite/life.sh \
            $(SQLITE_TESTS)/static $(SQLITE_TESTS)/load
else
LEFT_OUT += sqlite(sqlite3ext.h)
endif

sqlite: $(SQLITE_SO) $(SQLITE_STATIC)

$(SQLITE_SO): $(SQLITE_SRC:%.c=$(BUILD)/%.o) $(CORE) $(SQLITE_DIR)/sqlite_argon2.map
	$(call say,LD)
	$(Q)$(CC) $(MODULE_LDFLAGS) -Wl,--version-script=$(filter %.map,$^) \
	    -Wl,-soname,$(@F) -o $@ $(filter %.o %.a,$^)

# The same sources once more: SQLITE_CORE makes them call SQLite by name.
SQLITE_CORE_OBJ := $(SQLITE_SRC:$(SQLITE_DIR)/%.c=$(BUILD)/$(SQLITE_DIR)/static/%.o)
$(SQLITE_CORE_OBJ): $(BUILD)/$(SQLITE_DIR)/static/%.o: $(SQLITE_DIR)/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -DSQLITE_CORE -MMD -MP -c -o $@ $<

$(SQLITE_STATIC): $(SQLITE_CORE_OBJ)
	$(call say,LD)
	$(Q)$(CC) -r -nostdlib -o $@ $^

install-sqlite: $(SQLITE_SO)
	install -d '$(DESTDIR)$(LIBDIR)'
	install -m 644 $< '$(DESTDIR)$(LIBDIR)'

TIDY_tests/integration/sqlite/static := -I$(SQLITE_DIR)
$(SQLITE_TESTS)/static.o: OBJ_CFLAGS += -I$(SQLITE_DIR)
$(SQLITE_TESTS)/static: $(SQLITE_STATIC) $(CORE)
$(SQLITE_TESTS)/load: $(SQLITE_SO)
$(SQLITE_TESTS)/static $(SQLITE_TESTS)/load: %: %.o
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) -lsqlite3 -lcmocka
