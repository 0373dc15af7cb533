#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the tests that need no module, prints KTAP, ends with "N passed, N failed".
# Called by "make check", which has built everything.
#
#	run.sh [NAME...]	names like pprof for t_pprof.sh, and unit_labels for unit_labels.c

set -u
TOOLS=$(cd "$(dirname "$0")/.." && pwd)
export TOOLS
# The programs of the packages in deps.list first: a python3 from elsewhere can be a script that
# looks for one, and takes ten times as long to begin.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# The unit tests give up root in there.
chmod 755 "$scratch"

passed=0
failed=0

# count PART STATUS < OUTPUT
count()
{
	local part=$1 status=$2 any=0 bad=0 line

	while IFS= read -r line; do
		case $line in
		"ok - "*)
			any=1
			passed=$((passed + 1))
			echo "ok $((passed + failed)) ${line#ok }"
			;;
		"not ok - "*)
			any=1
			bad=1
			failed=$((failed + 1))
			echo "not ok $((passed + failed)) ${line#not ok }"
			;;
		"# "*)
			echo "$line"
			;;
		*)
			echo "# $line"
			;;
		esac
	done
	# A part that says nothing, or ends badly without saying so, has failed.
	if [ $any -eq 0 ] || { [ "$status" -ne 0 ] && [ $bad -eq 0 ]; }; then
		failed=$((failed + 1))
		echo "not ok $((passed + failed)) - $part ended with status $status"
	fi
}

# part NAME COMMAND...
part()
{
	local name=$1 out=$scratch/$1.out status

	shift
	export TMP=$scratch/$name
	mkdir -m 755 "$TMP"
	SECONDS=0
	"$@" > "$out" 2>&1 < /dev/null
	status=$?
	count "$name" $status < "$out"
	echo "# $name: $SECONDS s"
}

echo "KTAP version 1"
for name in "${@:-all}"; do
	case $name in
	all)
		for name in "$TOOLS"/tests/unit*.c; do
			name=$(basename "$name" .c)
			part $name "$TOOLS/build/asan/tests/$name" "$scratch/$name"
		done
		for script in "$TOOLS"/tests/t_*.sh; do
			name=${script##*/t_}
			part "${name%.sh}" bash "$script"
		done
		;;
	unit*)
		part "$name" "$TOOLS/build/asan/tests/$name" "$scratch/$name"
		;;
	*)
		part "$name" bash "$TOOLS/tests/t_$name.sh"
		;;
	esac
done
echo "1..$((passed + failed))"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
