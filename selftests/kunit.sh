#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the KUnit suites, inside the guest, as root: KTAP on stdout as run.sh
# prints it, one subtest per suite. The last line has the totals; the exit status
# is 1 when anything failed, 2 when the suites could not be run.
#
# Usage: kunit.sh
#
# The kernel needs CONFIG_KUNIT, CONFIG_KUNIT_DEBUGFS, and kunit.enable=1 on its
# command line unless it has CONFIG_KUNIT_DEFAULT_ENABLED.

here=$(cd "$(dirname "$0")" && pwd)
module=$here/kunit/kmprof_kunit.ko
suites=/sys/kernel/debug/kunit
results=${KMPROF_RESULTS:-/tmp}

cannot() {
	echo "kmprof: $*" >&2
	exit 2
}

[ -f "$module" ] ||
	cannot "$module: not built; make -C KDIR M=$here/kunit modules"
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
[ -d "$suites" ] ||
	cannot "this kernel has no KUnit: CONFIG_KUNIT and CONFIG_KUNIT_DEBUGFS are needed"
[ -d /sys/module/kmprof_kunit ] && rmmod kmprof_kunit
insmod "$module" || cannot "$module: not loaded: see the kernel log"
# It loads without a word when the kernel was told not to run tests.
found=$(ls -d "$suites"/kmprof_* 2>/dev/null)
if [ -z "$found" ]; then
	rmmod kmprof_kunit
	cannot "no suite was run: boot with kunit.enable=1"
fi

set -- $found
echo "KTAP version 1"
echo "1..$#"
number=0 pass=0 fail=0 skip=0 error=0
for suite; do
	number=$((number + 1))
	name=$(basename "$suite")
	out="$results/$name.ktap"
	cat "$suite/results" >"$out"
	# The file has a document around the suite; ours is the one that counts.
	sed -n '/^    /s/^  //p' "$out"
	status=$(sed -n 's/^\(not \)\{0,1\}ok 1 '"$name"'$/\1ok/p' "$out")

	set -- $(awk -f "$here/kunit/count.awk" "$out")
	pass=$((pass + $1)) fail=$((fail + $2)) skip=$((skip + $3))
	# It says nothing, or not the same as its cases.
	if [ $(($1 + $2 + $3)) -eq 0 ] || { [ "$status" != ok ] && [ "$2" -eq 0 ]; }; then
		error=$((error + 1))
		status='not ok'
	elif [ "$2" -ne 0 ]; then
		status='not ok'
	fi
	echo "$status $number $name"
done
rmmod kmprof_kunit || error=$((error + 1))
echo "# totals: pass:$pass fail:$fail skip:$skip error:$error"
[ $((fail + error)) -eq 0 ]
