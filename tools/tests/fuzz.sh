#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs a fuzzer on a corpus: the images or traces of all descriptions, some traces of random machines,
# and what is there already.
#
#	fuzz.sh fuzz|fuzz_trace DIRECTORY OPTION...	the corpus grows in there; options of libFuzzer
#
# What ends it is left beside DIRECTORY.

set -eu
tests=$(cd "$(dirname "$0")" && pwd)
build=$tests/../build
target=$1
corpus=$2
shift 2

seeds=$(dirname "$corpus")/seeds

mkdir -p "$corpus" "$seeds"
if [ "$target" = fuzz ]; then
	for spec in "$tests"/*.spec; do
		"$build/tests/mkimage" < "$spec" > "$seeds/$(basename "$spec" .spec)"
	done
else
	for story in "$tests"/*.story; do
		python3 "$tests/mktrace.py" < "$story" > "$seeds/$(basename "$story" .story)"
	done
	for random in 1 2 4 8; do
		python3 "$tests/random_trace.py" "$random" 300 | python3 "$tests/mktrace.py" \
			> "$seeds/random$random"
	done
fi
export KALLSYMS=$tests/kallsyms
# libFuzzer remembers compared values and mutates with these. Addresses are among them: where they
# are different each time, so is the run. Names of other lengths move the heap.
fixed=(setarch -R) values=()
if ! setarch -R true 2> /dev/null; then
	echo "fuzz.sh: addresses cannot be fixed here (setarch -R): no compared values" >&2
	fixed=() values=(-use_cmp=0)
fi
# Leaks are looked for at the end only, and an image has no use for more bytes, nor has a trace.
# What is there at first is listed in one order, and what the run itself adds is not looked for.
cd "$(dirname "$corpus")"
inputs=(seeds/*)
exec "${fixed[@]}" "$build/fuzz/tests/$target" \
	-max_len=8192 -timeout=10 -rss_limit_mb=512 -reload=0 "${values[@]}" \
	-seed_inputs="$(IFS=,; echo "${inputs[*]}")" -artifact_prefix=./ \
	"$@" "$(basename "$corpus")"
