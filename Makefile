# Front doors. Meson does the work; what has logic of its own lives in scripts/.
#
#   make             builds build/armpmu
#   make demo        installs what is missing, builds, counts real Arm programs
#   make test        installs what is missing, builds, runs every test
#   make test-long   the same with every seed and case, in half an hour
#   make check-fast  what one runs before each commit, in a minute
#   make test-guest  boots Linux guests and measures inside them
#   make accuracy    compares cycles with published figures of silicon, and writes docs/accuracy.md
#   make bench       measures speed against plain QEMU and others
#   make test-sanitized   the tests in C under both sanitizers, in minutes
#   make asan        every test under AddressSanitizer and UndefinedBehaviorSanitizer
#   make prove       10^8 random operations on each device against a plain model of it
#   make mutate      spoils the device library in one place at a time, and expects red tests
#   make fuzz        every fuzz target for 10 minutes; MINUTES=n, TARGET=name, RUNS=n
#   make install     PREFIX=/usr/local DESTDIR=
#   make uninstall   removes what make install put there
#   make deb         builds Debian packages in build/deb
#   make test-deb    installs them in a Debian of their own and counts busybox there
#   make release     makes the tarballs of a release in build/release
#   make test-release  uses one in an empty Debian of its own
#   make docs        prints the pages of docs/ that the program writes
#   make format      formats the C sources in place
#   make clean       removes the build folders

BUILD  ?= build
PREFIX ?= /usr/local

all:
	@BUILD='$(BUILD)' scripts/build

demo test test-long check-fast test-sanitized test-guest bench prove mutate deb test-deb release test-release:
	@BUILD='$(BUILD)' scripts/$@

fuzz:
	@BUILD='$(BUILD)' scripts/fuzz $(if $(TARGET),--target '$(TARGET)') \
	    $(if $(MINUTES),--minutes '$(MINUTES)') $(if $(RUNS),--runs '$(RUNS)')

asan:
	@BUILD='$(BUILD)-asan' scripts/test -Dbuildtype=debugoptimized \
	    -Db_sanitize=address,undefined -Db_lundef=false

install:
	@BUILD='$(BUILD)' scripts/build -Dprefix='$(PREFIX)'
	meson install -C '$(BUILD)' --no-rebuild $(if $(DESTDIR),--destdir '$(abspath $(DESTDIR))')

uninstall:
	ninja -C '$(BUILD)' uninstall

accuracy: all
	accuracy/run --write docs/accuracy.md '$(BUILD)'
	accuracy/blocks --write docs/accuracy.md '$(BUILD)'

docs: all
	@BUILD='$(BUILD)' scripts/print-pages

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf '$(BUILD)' '$(BUILD)-asan' '$(BUILD)-sanitized' '$(BUILD)-fuzz'

.PHONY: all demo test test-long check-fast test-sanitized test-guest bench accuracy prove mutate deb test-deb release test-release fuzz asan install uninstall docs format clean
