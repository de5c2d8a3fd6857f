# SPDX-License-Identifier: MIT
# Other machines, C libraries, compilers and optimisations. Each port is a
# build of its own in build/ports/NAME, and all are tested in one run. Programs
# are static, so that an emulator needs no root file system.

#: make ports            other machines (emulated), musl, compilers, -O0 ..; PORTS=
#: make ports A2F_BRIEF= as many threads for each kernel as make check has

A2F_BRIEF ?= 1
PORTS ?= aarch64 s390x i686 musl \
         gcc-O0 gcc-O1 gcc-O2 gcc-lto clang-O0 clang-O1 clang-O2 clang-O3 clang-lto

STATIC := LDFLAGS='-static -no-pie'
port_aarch64   := CC=aarch64-linux-gnu-gcc $(STATIC)
port_s390x     := CC=s390x-linux-gnu-gcc $(STATIC)
port_i686      := CC=i686-linux-gnu-gcc $(STATIC)
port_musl      := CC=musl-gcc $(STATIC) CPPFLAGS=-I$(BUILD)/ports/include
port_gcc-O0    := CC=gcc OPT=-O0
port_gcc-O1    := CC=gcc OPT=-O1
port_gcc-O2    := CC=gcc OPT=-O2
port_gcc-lto   := CC=gcc AR=gcc-ar OPT='-O2 -flto'
port_clang-O0  := CC=clang OPT=-O0
port_clang-O1  := CC=clang OPT=-O1
port_clang-O2  := CC=clang OPT=-O2
port_clang-O3  := CC=clang OPT=-O3
port_clang-lto := CC=clang AR=llvm-ar OPT='-O2 -flto' LDFLAGS=-fuse-ld=lld

# What is tested, everywhere and in some.
PORT_TESTS := kernels known corpus
port_more_aarch64 := command.sh
port_more_s390x   := command.sh
port_more_i686    := command.sh
port_more_musl    := command.sh sqlite $(if $(A2F_BRIEF),,forks)
port_tests = $(addprefix $(BUILD)/ports/$(1)/tests/,$(PORT_TESTS) $(port_more_$(1)))

# In the build of a port. Scripts find the programs beside themselves.
$(BUILD)/tests/command.sh: tests/ports/command.sh $(BUILD)/argon2fast
	$(Q)cp $< $@
# SQLite of this machine's C library, in a program of another: see sqlite.c.
SQLITE_A ?= $(shell $(CC) -print-file-name=libsqlite3.a)
$(BUILD)/tests/ports/sqlite.o: OBJ_CFLAGS += -Itests/support -I$(SQLITE_DIR)
TIDY_tests/ports/sqlite := -I$(SQLITE_DIR)
$(BUILD)/tests/sqlite: $(BUILD)/tests/ports/sqlite.o $(BUILD)/tests/support/support.o \
    $(SQLITE_STATIC) $(CORE)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(SQLITE_A)

# musl-gcc knows none of the machine's headers; these two are all it needs.
port-musl: | $(BUILD)/ports/include
$(BUILD)/ports/include:
	$(Q)mkdir -p $@
	$(Q)ln -s /usr/include/sqlite3.h /usr/include/sqlite3ext.h $@

.PHONY: ports $(PORTS:%=port-%)
$(PORTS:%=port-%): port-%:
	$(Q)$(MAKE) --no-print-directory WERROR=1 BUILD=$(BUILD)/ports/$* \
	    $(port_$*) $(call port_tests,$*)
ports: $(PORTS:%=port-%)
	$(Q)A2F_BRIEF='$(A2F_BRIEF)' EMULATOR=tests/ports/emulate.sh TOP='$(CURDIR)' $(RUN_TESTS) \
	    $(foreach port,$(PORTS),$(call port_tests,$(port))) tests/ports/headers.sh
