# SPDX-License-Identifier: GPL-2.0
#
# How parts of the benchmark measure a real load (load.c). To be sourced by bash.

. "$(dirname "${BASH_SOURCE[0]}")/rows.sh"

root=/tmp/kmprof-load

# All that the load touches is on a tmpfs: programs, their libraries, and the files.
load_prepare() {
	local program
	mkdir -p $root
	mountpoint -q $root || mount -t tmpfs load $root || die "$root"
	[ ! -x $root/bin/load ] || return 0
	mkdir $root/bin $root/proc && mknod $root/null c 1 3 && mount -t proc proc $root/proc ||
		die "$root"
	for program in find tar hackbench true; do
		program=$(type -P $program) || die "$program: not found"
		cp "$program" $root/bin/ || die "$program"
		# Its libraries, and the linker, by their paths.
		ldd "$program" | grep -o '/[^ ]*' | xargs cp -Lu --parents -t $root || die "$program"
	done
	cp selftests/build/load $root/bin/ || die "$root/bin/load"
	chroot $root /bin/load prepare || die "load prepare"
}

# The instructions of a run. Where memory is mapped decides about the number of page
# tables: it is the same each time.
load_run() {
	setarch -R env PATH=/bin:/usr/sbin:/usr/bin chroot $root /bin/load run
}

# The instructions of the least of some runs, after one in which stacks are new, caches are
# filled and code is patched.
load_least() { # [RUNS]
	local least run i
	load_run >/dev/null || return
	for ((i = 0; i < ${1:-3}; i++)); do
		run=$(load_run) || return
		[ -n "$least" ] && [ "$least" -le "$run" ] || least=$run
	done
	echo "$least"
}

# percent VALUE NONE: how much more it is
percent() {
	[ -z "$1" ] || [ -z "$2" ] || awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", 100 * (a - b) / b }'
}
