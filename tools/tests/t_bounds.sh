#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Work, memory and output are in proportion to the size of an image, whatever it says.
. "$TOOLS/tests/lib.sh"

# crafted KIND SIZE: see crafted.py
crafted()
{
	python3 "$TOOLS/tests/crafted.py" "$@" > "$TMP/$1" ||
		{ echo "not ok - bounds: making $1"; exit 1; }
}

# limited PROGRAM COMMAND... KIND: 5 s of CPU time for what takes less than 1
limited()
{
	local program=$1 file=$TMP/${*: -1}

	set -- "${@:2:$# - 2}"
	[ "$1" = status ] || set -- "$@" --kallsyms "$kallsyms"
	(ulimit -t 5; exec "$program" "$@" --input "$file" 2> "$TMP/err")
}

# What the module never writes, and would be looked at or shown without end.
# refused KIND WORDS
refused()
{
	local program

	crafted $1 262144
	for program in "$kmprof" "$asan/kmprof"; do
		for command in status "status --json" "dump --format image"; do
			limited "$program" $command $1 > "$TMP/out"
			same "bounds: $1: ${program#"$TOOLS/"} $command" "1 0 yes" \
				"$? $(stat -c %s "$TMP/out") $(grep -q "$2" "$TMP/err" && echo yes)"
		done
	done
}
refused frames "not a sound kmprof image: stacks of heap overlap"
refused texts "not a sound kmprof image: a scalar"
refused losses "not a sound kmprof image: a scalar"
refused columns "not a sound kmprof image: a column of objects"

# in_proportion KIND COMMAND...: as much output and memory as 100 times the image
in_proportion()
{
	local kind=$1 size most

	shift
	size=$(stat -c %s "$TMP/$kind")
	most=$((100 * size))
	(ulimit -v $((most / 1024 + 65536)) && limited "$kmprof" "$@" $kind) > "$TMP/out"
	[ $? -eq 0 ] && [ -s "$TMP/out" ] && [ "$(stat -c %s "$TMP/out")" -le $most ]
	result "bounds: $kind: $* of $((size >> 20)) MiB" $?
	echo "# $(stat -c %s "$TMP/out") bytes of output"
	head -3 "$TMP/err" | sed 's/^/# /'
}
crafted profiles $((8 << 20))
in_proportion profiles status
in_proportion profiles status --json
crafted rows $((1 << 20))
in_proportion rows dump objects
for format in pprof folded script perf.data json svg html; do
	in_proportion rows dump objects --format $format
done
each=("top -n 0" "top -n 0 --json" "dump" "dump --format "{pprof,folded,script,perf.data,json,svg,html}
	"report -n 0 --by "{function,module,stack,bytes} "report -n 0 --by stack --json"
	"report -n 0 --tree" "report -n 0 --tree --json")
crafted stacks $((1 << 20))
for command in "${each[@]}"; do
	in_proportion stacks $command
done
crafted apart $((1 << 20))
for command in "${each[@]}"; do
	in_proportion apart $command
done
# All of it is gone in an image that has nothing.
"$kmprof" dump --input <(echo | "$mkimage") --kallsyms "$kallsyms" --format image -o "$TMP/nothing"
for kind in stacks apart; do
	size=$(stat -c %s "$TMP/$kind")
	for options in "-n 0" "-n 0 --json" "--format pprof"; do
		(ulimit -t 5 -v $((100 * size / 1024 + 65536))
			exec "$kmprof" diff "$TMP/$kind" "$TMP/nothing" --kallsyms "$kallsyms" $options \
				> "$TMP/out" 2> "$TMP/err")
		[ $? -eq 0 ] && [ -s "$TMP/out" ] && [ "$(stat -c %s "$TMP/out")" -le $((100 * size)) ]
		result "bounds: $kind: diff $options of $((size >> 20)) MiB" $?
		echo "# $(stat -c %s "$TMP/out") bytes of output"
		head -3 "$TMP/err" | sed 's/^/# /'
	done
done
limited "$kmprof" top -n 0 apart > "$TMP/out"
longest=$(awk 'length > n { n = length } END { print n }' "$TMP/out")
# 128 frames at most are added to a line, and each has no more than this.
[ "$longest" -gt 1000 ] && [ "$longest" -lt $((128 * 48)) ]
result "bounds: a line of top ends" $?
echo "# the longest line has $longest characters"

# The same where each byte too far is seen.
for kind in profiles rows stacks apart; do
	crafted $kind 65536
	case $kind in
	profiles) commands=("status" "status --json") ;;
	rows) commands=("dump objects" "dump objects --format "{pprof,folded,script,perf.data,json,svg,html}) ;;
	*) commands=("${each[@]}") ;;
	esac
	for command in "${commands[@]}"; do
		limited "$asan/kmprof" $command $kind > "$TMP/out"
		result "bounds: $kind: $command under ASan" $?
	done
done

# How long names and texts can be. letters NUMBER
letters()
{
	printf "%*s" "$1" "" | tr ' ' x
}
# length NAME SOUND TOO-LONG DESCRIPTION: %s in the description has that many letters
length()
{
	local n statuses=""

	for n in $2 $3; do
		printf "$4\n" "$(letters $n)" | image "$TMP/length"
		"$asan/kmprof" status --input "$TMP/length" > "$TMP/out" 2>&1
		statuses+="$? "
	done
	same "bounds: $1 of $2 bytes is sound, one more is too much" "0 1 " "$statuses"
}
length "the name of a scalar" 63 64 "scalar %s - - 1"
length "the unit of a scalar" 63 64 "scalar a %s - 1"
length "the text of a scalar" 255 256 "scalar a - %s 1"
length "the name of a profile" 63 64 "profile %s"
length "the name of a column" 63 64 "profile a\ncolumn %s count"
length "the unit of a column" 63 64 "profile a\ncolumn b %s"
# Stacks that have all frames of the image, and no more than these.
printf 'sample 1 1 1 0 0 1 2 3\nsample 1 1 1 0 0 4 5\n' | image "$TMP/whole"
same "bounds: each frame is in one stack" 2 \
	"$("$asan/kmprof" dump --input "$TMP/whole" | grep -c '^1: 1')"
