# SPDX-License-Identifier: GPL-2.0
#
# kmprof: build, test, install. The kernel's build system reads Kbuild, not this
# file. 'make help' lists the targets.

MAKEFLAGS += --no-builtin-rules

# The kernel to build for: its headers, as in /lib/modules/RELEASE/build. The
# default is the newest stock Debian 6.1, looked up when it is needed, because
# 'make deps' may just have installed it.
KDIR ?= $(if $(call stock_release),/lib/modules/$(call stock_release)/build)
stock_release = $(shell scripts/stock-kernel headers 2>/dev/null)
# The release of KDIR, its modules, and the image that the guest boots.
KVER = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)".*/\1/p' \
	'$(KDIR)/include/generated/utsrelease.h' 2>/dev/null)
VMLINUZ ?= /boot/vmlinuz-$(KVER)
KMODULES ?= $(KVER)

# KERNEL=name takes one of the kernels of selftests/matrix instead.
KERNEL ?= 6.1
ifneq ($(KERNEL),6.1)
kernel = $(shell eval "$$(scripts/kernels show '$(KERNEL)' 2>/dev/null)"; printf '%s' "$$$(1)")
KDIR = $(call kernel,kdir)
VMLINUZ = $(call kernel,image)
KMODULES = $(call kernel,modules)
KAPPEND = $(call kernel,append)
endif

PREFIX ?= /usr/local
INCLUDEDIR ?= $(PREFIX)/include
MODDIR = /lib/modules/$(KVER)/updates
# What other modules need that have custom profiles: header and exported symbols.
MODSRC = $(PREFIX)/src/kmprof

# Seconds that 'make test' may take.
TEST_TIMEOUT ?= 2400

export KDIR PREFIX DESTDIR

module_files := Kbuild dkms.conf $(shell find module -name '*.[chS]') $(wildcard uapi/linux/*.h) \
	$(wildcard include/linux/*.h)
test_module := selftests/module/kmprof_test.ko
test_module_files := selftests/module/Kbuild $(wildcard uapi/linux/*.h) \
	$(filter-out %.mod.c,$(wildcard selftests/module/*.[chS] selftests/module/catalogue/*.[ch])) \
	$(wildcard module/stack/rules.[ch] module/stack/unwind.[ch] module/stack/learn.[ch]) \
	module/core/kick.c module/core/kick.h module/compat/compat.c module/compat/compat.h \
	$(wildcard include/linux/*.h)
lacks_module := build/lacks/kmprof.ko
# The kernel's own sample of a live patch: livepatch-sample.ko, if the kernel can do that.
sample_module := build/livepatch/modules.order
guest_options = --kernel '$(VMLINUZ)' --modules-from '$(KMODULES)' \
	$(if $(KAPPEND),--append '$(KAPPEND)')

.PHONY: all build programs test-programs deps need-deps need-kernel kernels demo unit test test-all bench peers vm vm-test doc-test \
	check deb install uninstall clean help tools selftests FORCE
.DELETE_ON_ERROR:

all: need-deps need-kernel
	@$(MAKE) --no-print-directory build

# As 'all', but never installs a package.
build: kmprof.ko tools selftests

deps:
	@scripts/deps install

need-deps:
	@scripts/deps check --quiet || scripts/deps install

# Builds and installs all kernels of selftests/matrix.
kernels:
	@scripts/deps kernels
	@scripts/kernels build

need-kernel:
ifneq ($(KERNEL),6.1)
	@scripts/deps kernels '$(KERNEL)'
	@scripts/kernels build '$(KERNEL)'
endif

kmprof.ko: $(module_files) build/kdir
	@$(require_kdir)
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)' modules
	@touch $@

define require_kdir
if ! [ -f '$(KDIR)/Makefile' ]; then \
	echo "make: KDIR='$(KDIR)': no kernel headers there; run 'make deps', or give" \
	     "KDIR=/lib/modules/RELEASE/build" >&2; exit 1; \
elif ! [ -f '$(KDIR)/include/generated/utsrelease.h' ]; then \
	echo "make: KDIR='$(KDIR)': not a configured kernel build directory: it has no" \
	     "include/generated/utsrelease.h" >&2; exit 1; \
fi
endef

kbuild_dirs = $(wildcard module selftests/module selftests/kunit selftests/bench/module \
	build/livepatch)

# Changes when KDIR does. Kbuild does not see that the headers are others, if their dates
# and the compiler's command are the same, as between two of Debian's kernels.
build/kdir: FORCE
	@$(require_kdir)
	@mkdir -p build
	@echo '$(KDIR)' | cmp -s - $@ || { \
		rm -f kmprof.o kmprof.mod.o && find $(kbuild_dirs) -name '*.o' -delete && \
		echo '$(KDIR)' >$@; \
	}

tools:
	@$(MAKE) --no-print-directory -C tools

selftests: $(test_module) $(lacks_module) $(sample_module) test-programs

test-programs:
	@$(MAKE) --no-print-directory -C selftests

# What is the same for all kernels.
programs: need-deps
	@$(MAKE) --no-print-directory tools test-programs

# After kmprof.ko, which exports what one of these modules calls.
$(test_module): $(test_module_files) build/kdir | kmprof.ko
	@$(require_kdir)
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)/selftests/module' \
		KBUILD_EXTRA_SYMBOLS='$(CURDIR)/Module.symvers' modules
	@touch $@

# kmprof as for a kernel without the entry point of large kmallocs: the function has another name
# there, of the same length, as a symbol and as what is probed.
$(lacks_module): kmprof.ko
	@mkdir -p build/lacks
	objcopy --redefine-sym kmalloc_large=nmalloc_large \
		--redefine-sym __kmalloc_large_noprof=__nmalloc_large_noprof kmprof.ko $@.tmp
	@LC_ALL=C sed -E -i 's/\x00(__)?k(malloc_large(_noprof)?)\x00/\x00\1n\2\x00/g' $@.tmp
	@mv $@.tmp $@

$(sample_module): build/livepatch/livepatch-sample.c build/kdir
	@$(require_kdir)
	@printf 'ifdef CONFIG_LIVEPATCH\nobj-m := livepatch-sample.o\nendif\n' >build/livepatch/Kbuild
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)/build/livepatch' modules
	@touch $@

build/livepatch/livepatch-sample.c:
	@scripts/deps check

demo: all
	@selftests/demo/run $(guest_options)

# The KUnit suites in user mode Linux, plain and with KASAN, lockdep and the like.
# UNIT='plain' is quicker; T=suite or T=suite.case runs one.
unit: need-deps
	@T='$(T)' scripts/unit $(UNIT)

# T=name runs one test by itself. EFFORT=100 is the full suite of the stock kernel; the
# default is a tenth of what selftests/matrix says.
EFFORT ?= $(or $(KMPROF_TEST_EFFORT),quick)
test: all
	@T='$(T)' TEST_TIMEOUT='$(TEST_TIMEOUT)' KMPROF_TEST_EFFORT='$(EFFORT)' \
		KMPROF_TEST_SECOND_TRY=0 scripts/test '$(KERNEL)' $(guest_options)

# On every kernel, and a table at the end.
test-all: programs
	@T='$(T)' KMPROF_TEST_SECOND_TRY=0 scripts/test-all

# A shell in the guest, or CMD='...'.
ifdef CMD
export CMD
vm: all
	@selftests/vm/run $(guest_options) -- "$$CMD"
else
vm: all
	@selftests/vm/run $(guest_options)
endif

# Instructions, counted. CHECK=1 compares with the baseline, which is the stock kernel's. Of the parts,
# lttng is measured only if PARTS has it: it builds modules of others first.
bench: all
	@$(MAKE) --no-print-directory -C selftests measure bench KDIR='$(KDIR)' >build/bench.log || \
		{ cat build/bench.log; exit 1; }
	@$(if $(filter lttng,$(PARTS)),scripts/lttng '$(KDIR)')
	@selftests/bench/run $(if $(CHECK),--check) $(if $(PARTS),--parts '$(PARTS)') $(guest_options)

# The catalogue of leaks under kmprof and under other tools.
peers: need-deps
	@selftests/peers/run

# The commands that README.md and the manual pages show, in a guest.
doc-test: all
	@selftests/docs/run $(guest_options)

# The guest harness tests itself.
vm-test: need-deps
	@selftests/vm/selftest

# PARTS: some of checkpatch, sparse, layout and wings.
check: need-deps
	@scripts/check $(PARTS)

# Debian packages, in build/deb/.
deb:
	@scripts/deps deb
	@scripts/deb

install: kmprof.ko
	install -D -m 644 kmprof.ko '$(DESTDIR)$(MODDIR)/kmprof.ko'
	install -D -m 644 uapi/linux/kmprof.h '$(DESTDIR)$(INCLUDEDIR)/linux/kmprof.h'
	install -D -m 644 include/linux/kmprof.h '$(DESTDIR)$(MODSRC)/include/linux/kmprof.h'
	install -D -m 644 Module.symvers '$(DESTDIR)$(MODSRC)/Module.symvers'
	@$(MAKE) --no-print-directory -C tools install
	$(if $(DESTDIR),,depmod '$(KVER)')
	@[ -n '$(DESTDIR)' ] || [ '$(KVER)' = "$$(uname -r)" ] || \
		echo "make: kmprof.ko is for $(KVER), and this is $$(uname -r): for that one," \
		     "KDIR=/lib/modules/$$(uname -r)/build" >&2

uninstall:
	@$(require_kdir)
	rm -f '$(DESTDIR)$(MODDIR)/kmprof.ko' \
		'$(DESTDIR)$(INCLUDEDIR)/linux/kmprof.h' \
		'$(DESTDIR)$(MODSRC)/include/linux/kmprof.h' '$(DESTDIR)$(MODSRC)/Module.symvers'
	@$(MAKE) --no-print-directory -C tools uninstall DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)'
	$(if $(DESTDIR),,depmod '$(KVER)')

clean:
	@for dir in tools selftests; do \
		$(MAKE) --no-print-directory -C $$dir clean \
			KDIR='$(or $(KDIR),/nonexistent)' || exit; done
	rm -rf build demo.kmprof heap.html heap.pb.gz heap.txt block.pb.gz mutex.pb.gz \
		demo.trace demo.pftrace demo.gotrace
	rm -f *.ko *.o *.mod *.mod.c .*.cmd modules.order Module.symvers .*.o.d
	find module \( -name '*.o' -o -name '.*.cmd' -o -name '.*.o.d' \) -delete

help:
	@echo 'kmprof: a sampling profiler of allocations and locks for the Linux kernel'
	@echo
	@echo '  all        kmprof.ko, tools/kmprof and the tests (default)'
	@echo '  deps       install what all of this needs: Debian packages (as root)'
	@echo '  demo       find a leak and a contended lock in a guest under load'
	@echo '  programs   what of all this is the same for all kernels: tools and test programs'
	@echo '  unit       run the KUnit suites, in user mode Linux; T=SUITE runs one'
	@echo '  test       run the tests in guests, quickly; EFFORT=100 in full; T=NAME runs one'
	@echo '  test-all   the tests in full, on every kernel of selftests/matrix'
	@echo '  bench      count instructions; leaves build/bench.tsv'
	@echo '  peers      the catalogue of leaks under kmprof and other tools; leaves build/peers.txt'
	@echo '  vm         a shell in a guest; CMD="..." runs a command'
	@echo '  kernels    build and install the kernels of selftests/matrix'
	@echo '  vm-test    test the guest harness itself'
	@echo '  doc-test   run the commands of README.md, the manual pages and Documentation/ in a guest'
	@echo '  check      checkpatch, sparse, layout of the structures in uapi/'
	@echo '  install    module, program, manual pages, completion, header'
	@echo '  uninstall  the reverse'
	@echo '  deb        Debian packages of the module (for DKMS) and the program, in build/deb/'
	@echo '  clean      remove everything generated'
	@echo
	@echo '  KDIR=DIR   kernel to build for (default: the newest stock Debian 6.1)'
	@echo '             now: $(or $(KDIR),none installed)'
	@echo '  KERNEL=NAME  one of: $(shell scripts/kernels list)'
	@echo '             for demo, test and vm (default: 6.1)'
	@echo '  KVM=1      guests use KVM instead of TCG'
	@echo '  PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
