#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# To write a profile takes at most three times the memory of its image, in each format. The image is
# one of many different functions: their names cost most. scripts/check-symbols has one of many stacks
# of a real kernel.
. "$TOOLS/tests/lib.sh"

python3 "$TOOLS/tests/memory.py" make 44000 "$TMP" &&
	"$mkimage" < "$TMP/sites.spec" > "$TMP/sites" ||
	{ echo "not ok - memory: making an image"; exit 1; }
size=$(stat -c %s "$TMP/sites")

for format in text pprof folded script perf.data json svg html; do
	peak=$(python3 "$TOOLS/tests/memory.py" peak "$kmprof" dump --input "$TMP/sites" \
		--kallsyms "$TMP/kallsyms" --format $format)
	[ $? -eq 0 ] && [ "$peak" -gt "$size" ] && [ "$peak" -le $((3 * size)) ]
	result "memory: $format of an image of 44000 functions that allocate" $?
	echo "# $((100 * peak / size)) % of the $size bytes of the image"
done
