#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the test programs, inside the guest, as root: KTAP on stdout, one subtest
# per program, its time behind it. A failure does not stop the others. The last
# line has the totals; the exit status is 1 when anything failed.
#
# Usage: run.sh [--list] [common | PROGRAM...]
#	common		the programs for every kernel (default)
#	PROGRAM		that one
#	--list		says what would be run
#
# A kernel that has kmemleak, and has it switched on, is asked for leaks when they are
# through.
#
# $T runs one program only (T=exact), one test of it with both sources
# (T=exact.from_task) or with one (T=exact.kprobe.from_task).
# $KMPROF_TEST_SLOW is how many times longer than usual a test may take,
# $KMPROF_TEST_EFFORT how many percent of the usual stress and rounds it does. With
# less than 20 a run is a quick one: nothing in it depends on chance or on how busy the
# host is, and the log has what that leaves out.
# $KMPROF_TEST_SOURCES says with which source the tests are run that can do with each of
# the two: see selftests/matrix.

here=$(cd "$(dirname "$0")" && pwd)
# The programs that are run on every kernel.
common=$(awk '!/^#/ && $2 == "every" { sub(".*/", "", $1); print $1 }' "$here/programs")

list=0 programs=
[ "${1:-}" != --list ] || { list=1; shift; }
[ $# -gt 0 ] || set -- common
for program; do
	[ "$program" != common ] || program=$common
	programs="$programs $program"
done
programs=$(echo $programs)
if [ $list = 1 ]; then
	echo "$programs"
	exit
fi
results=${KMPROF_RESULTS:-/tmp}

only=${T%%.*}
if [ -n "$only" ]; then
	case " $programs " in
	*" $only "*) programs=$only ;;
	*)
		echo "kmprof: T=$T: no such test; one of: $programs" >&2
		exit 2
		;;
	esac
fi
case $T in
*.*) export KMPROF_TEST_ONLY="${T#*.}" ;;
esac

for program in $programs; do
	if [ ! -x "$here/build/$program" ]; then
		echo "kmprof: $here/build/$program: not built; make -C selftests" >&2
		exit 2
	fi
done

mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing

# The address of a variable of the kernel.
address() { # NAME
	awk -v name="$1" '$3 == name { print "0x" $1; exit }' /proc/kallsyms
}
[ -d /sys/module/kmprof_witness ] ||
	insmod "$here/module/kmprof_witness.ko" running="$(address current_kprobe)" \
		control="$(address kprobe_ctlblk)" ||
	echo "kmprof: no witness: a fault of the emulator may look like the kernel's" >&2

# Last, for all of them, where the kernel can tell.
[ ! -e /sys/kernel/debug/kmemleak ] || grep -qw kmemleak=off /proc/cmdline ||
	programs="$programs kmemleak"

# Indents what a program says, and says of each test that took long how long that was.
# The shell reads a line at a time: what a program has told before the guest dies is there.
indent() {
	last=$(cut -d. -f1 /proc/uptime)
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		*"# SKIP"*) ;;
		"ok "* | "not ok "*)
			read -r now rest </proc/uptime
			took=$((${now%.*} - last))
			last=${now%.*}
			[ $took -lt 5 ] || line="$line # $took s"
			;;
		esac
		printf '  %s\n' "$line"
	done
}

# Sums up what a program has said: "passed failed skipped".
count() {
	awk '/^not ok /	{ failed++; next }
	     /^ok .*# SKIP/	{ skipped++; next }
	     /^ok /		{ passed++ }
	     END		{ print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# A run with little effort does not wait long for grace periods, where they are not
# what is tested.
hurry() { # PROGRAM
	expedited=0
	[ ! -e "$here/robust/$1.c" ] && [ "${KMPROF_TEST_EFFORT:-100}" -lt 20 ] && expedited=1
	echo $expedited >/sys/kernel/rcu_expedited
}

# The one source that the tests of a program are run with; nothing: both, and each test that $T
# asks for. In a quick run, the programs of robust/, which take longest, never have both.
source_of() { # PROGRAM
	local sources=$KMPROF_TEST_SOURCES
	[ -z "$T" ] || return
	[ "$sources" != both ] || [ ! -e "$here/robust/$1.c" ] ||
		[ "${KMPROF_TEST_EFFORT:-100}" -ge 20 ] || sources=even
	awk -v program="$1" -v sources="$sources" '
		/^#/ { next }
		{ n++; sub(".*/", "", $1) }
		$1 == program && (sources == "odd" || sources == "even") {
			print n % 2 == (sources == "odd") ? "kprobe" : "tracepoint"
		}' "$here/programs"
}

# The tasks of a program that has failed that are still there, because the kernel does
# not let go of them, and where they are.
left_behind() { # COMMAND
	for process in /proc/[0-9]*; do
		[ "$(readlink "$process/exe")" = "$1" ] || continue
		for task in "$process"/task/*; do
			echo "# left behind: task ${task##*/}," \
				"$(sed -n 's/^State:[[:space:]]*//p' "$task/status")"
			sed 's/^/#   /' "$task/stack"
		done
	done 2>/dev/null
}

set -- $programs
echo "KTAP version 1"
echo "1..$#"
number=0 pass=0 fail=0 skip=0 error=0
for program in $programs; do
	number=$((number + 1))
	out="$results/$program.ktap"
	command="$here/build/$program"
	[ "$program" != kmemleak ] || command="$here/robust/kmemleak"
	hurry "$program"
	start=$(date +%s)
	# Their diagnostics belong between the results; all that they told until the
	# guest dies shall be there.
	{
		KMPROF_TEST_SOURCE=$(source_of "$program") "$command" 2>&1
		echo $? >"$out.status"
	} | tee "$out" | indent
	status=$(cat "$out.status")
	seconds=$(($(date +%s) - start))
	rm -f "$out.status"

	set -- $(count "$out")
	pass=$((pass + $1)) fail=$((fail + $2)) skip=$((skip + $3))
	# It died before it could tell, or told nothing: that is a failure too.
	if [ "$status" -ne 0 ] && [ "$2" -eq 0 ] || [ $(($1 + $2 + $3)) -eq 0 ]; then
		error=$((error + 1))
		status=1
	fi
	[ "$status" -eq 0 ] || left_behind "$command" | sed 's/^/  /'
	if [ "$status" -eq 0 ]; then
		echo "ok $number $program # $seconds s"
	else
		echo "not ok $number $program # $seconds s, status $status"
	fi
done
echo "# totals: pass:$pass fail:$fail skip:$skip error:$error"
[ $((fail + error)) -eq 0 ]
