# SPDX-License-Identifier: MIT
# From the tree to what people install: the core for C programs, the tarball
# of a release, and packages made of it; see docs/packaging.md.

#: make install-core     the static library, its header, pkg-config
#: make install-embed    the OpenSSL provider and SQLite extension to link in
#: make dist             build/dist/: the tarball of a release, and its SBOM
#: make deb              build/deb/*.deb, for the Debian this runs on
#: make rpm              build/rpm/
#: make check-packages   packages for this Debian: lintian, built twice the same
#: make check-distro     SUITE=bookworm|trixie: packages installed and tried
#: make check-majors     the extension compiles for other PostgreSQL servers

.PHONY: install-core install-embed dist deb rpm
.PHONY: check-packages check-distro check-majors

install-core: core
	install -d '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(PREFIX)/include'
	install -m 644 $(CORE) '$(DESTDIR)$(LIBDIR)'
	install -m 644 libcore/argon2fast.h '$(DESTDIR)$(PREFIX)/include'
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' \
	    packaging/argon2fast.pc.in \
	    >'$(DESTDIR)$(LIBDIR)/pkgconfig/argon2fast.pc'
INSTALLS += install-core

install-embed: $(OSSL_STATIC) $(SQLITE_STATIC)
	install -d '$(DESTDIR)$(LIBDIR)/argon2fast' '$(DESTDIR)$(PREFIX)/include'
	install -m 644 $^ '$(DESTDIR)$(LIBDIR)/argon2fast'
	install -m 644 $(OSSL_DIR)/argon2fast_ossl.h \
	    $(SQLITE_DIR)/sqlite_argon2.h '$(DESTDIR)$(PREFIX)/include'
INSTALLS += $(if $(filter ossl,$(HOSTS)),$(if $(filter $(SQLITE_STATIC),$(HOSTS)),install-embed))

# ---- the release -----------------------------------------------------------
DIST := $(BUILD)/dist/argon2fast-$(VERSION)
dist:
	$(Q)packaging/dist.sh $(VERSION) $(BUILD)/dist
	$(Q)$(PYTHON) packaging/sbom.py $(DIST).tar.gz >$(DIST).$$$$ && \
	    mv $(DIST).$$$$ $(DIST).spdx.json

deb: dist
	$(Q)packaging/deb.sh $(DIST).tar.gz $(BUILD)/deb $(DEB_ARGS)
rpm: dist
	$(Q)packaging/rpm.sh $(DIST).tar.gz $(BUILD)/rpm

# ---- and whether it is any good --------------------------------------------
check-packages:
	$(Q)TEST_TIMEOUT=1200 $(RUN_TESTS) tests/packaging/packages.sh \
	    tests/packaging/arm64.sh tests/packaging/recipes.sh
check-distro:
	$(Q)SUITE=$(or $(SUITE),bookworm) TEST_TIMEOUT=1200 $(RUN_TESTS) \
	    tests/packaging/distro.sh
check-majors:
	$(Q)TEST_TIMEOUT=1200 $(RUN_TESTS) tests/packaging/majors.sh
