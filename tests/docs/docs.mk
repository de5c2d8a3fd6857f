# SPDX-License-Identifier: MIT
# What README and docs/ show is done and compared, on every host at once; so
# with all of them only, and as they are shipped.

#: make check-docs       does what the pages say; PAGES='docs/pam.md ..'

DOCS_TESTS := $(addprefix tests/docs/,pages.py figures.py names.py)
ifeq ($(SAN)$(LEFT_OUT),)
TESTS += $(DOCS_TESTS)
else
LEFT_OUT += docs
endif

.PHONY: check-docs
check-docs: all
ifdef PAGES
	$(Q)BUILD='$(abspath $(BUILD))' tests/docs/pages.py $(PAGES)
else
	$(Q)$(RUN_TESTS) $(DOCS_TESTS)
endif
