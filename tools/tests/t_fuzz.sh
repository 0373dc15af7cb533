#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The fuzzers, for so many runs that are the same each time. "make fuzz" goes on from there.
. "$TOOLS/tests/lib.sh"

runs=${FUZZ_RUNS:-8000}
seed=${FUZZ_SEED:-1}

# once TARGET DIRECTORY RUNS: what a fuzzer counts, "refused N read N", and what it has found
once()
{
	mkdir -p "$2"
	"$TOOLS/tests/fuzz.sh" "$1" "$2/corpus" -runs="$3" -seed="$seed" 2>&1 | grep '^refused '
	ls "$2/corpus"
}
# try TARGET WHAT
try()
{
	local out found refused accepted

	mkdir "$TMP/$1"
	out=$("$TOOLS/tests/fuzz.sh" "$1" "$TMP/$1/corpus" -runs="$runs" -seed="$seed" 2>&1)
	result "fuzz: $runs $2 (seed $seed) are refused or read in bounds" $?
	echo "$out" | grep -v "NEW\|REDUCE\|pulse\|dictionary\|^\"" | tail -40 | sed 's/^/# /'
	for found in "$TMP/$1"/{crash,leak,timeout,oom}-*; do
		[ -e "$found" ] || continue
		cp "$found" "$TOOLS/build/fuzz/"
		echo "# KALLSYMS=tests/kallsyms build/fuzz/tests/$1 build/fuzz/${found##*/}: repeats it"
	done
	read -r _ refused _ accepted <<< "$(echo "$out" | grep '^refused ')"
	[ "${refused:-0}" -gt $((runs / 20)) ] && [ "${accepted:-0}" -gt $((runs / 20)) ]
	result "fuzz: $2 are both refused and read often enough to mean something" $?
	same "fuzz: the same seed finds the same $2, wherever that is" \
		"$(once "$1" "$TMP/$1/once" 1000)" \
		"$(once "$1" "$TMP/$1/again/in/a/directory/whose/name/is/quite/a/bit/longer" 1000)"
}
try fuzz images
try fuzz_trace traces
