#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Modules that are gone: their names come from the image, and not from the symbols of now.
. "$TOOLS/tests/lib.sh"

image "$TMP/gone" < "$TOOLS/tests/gone.spec"
heap=$("$kmprof" dump --input "$TMP/gone" --kallsyms "$kallsyms")
contains "gone: a frame has the name of the image" \
	"0xffffff8000000020	leak+0x10/0x70 [leaky]" "$heap"
contains "gone: another life has its own" "0xffffff8000004020	leak+0x10/0x70 [leaky]" "$heap"
contains "gone: what is there has the name of now" "0xffffffffc0000010	leak+0x10/0x80 [leaky]" \
	"$heap"
contains "gone: without a symbol, a frame stays bare" "0xffffff8000008100	0xffffff8000008100" \
	"$heap"
block=$("$kmprof" dump block --input "$TMP/gone" --kallsyms "$kallsyms")
contains "gone: a lock has the name of the image" "mutex leak_mutex+0x0/0x20 [leaky]" "$block"
contains "gone: a call at a function's end belongs to it" \
	"0xffffff8000000080	leak+0x70/0x70 [leaky]" "$block"
contains "gone: names need no symbols of now" "leak+0x10/0x70 [leaky]" \
	"$("$kmprof" dump --input "$TMP/gone" 2> /dev/null)"

"$kmprof" dump --input "$TMP/gone" --kallsyms "$kallsyms" --format pprof -o "$TMP/heap.pb.gz"
raw=$(pprof -raw "$TMP/heap.pb.gz")
mappings=$(echo "$raw" | sed -n '/^Mappings/,$p')
contains "gone: pprof has the module with its build id" \
	"0xffffff8000000000/0xffffff8000002000/0x0 [leaky] 0123456789abcdef" "$mappings"
contains "gone: ... and each of its lives" \
	"0xffffff8000004000/0xffffff8000006000/0x0 [leaky]" "$mappings"
contains "gone: ... and generated code" \
	"0xffffff8000008000/0xffffff8000009000/0x0 [unknown]" "$mappings"
locations=$(echo "$raw" | sed -n '/^Locations/,/^Mappings/p')
lives=$(echo "$locations" | sed -n 's/.*0xffffff80000[04]...f M=\([0-9]*\) leak.*/\1/p' | sort -u | wc -l)
same "gone: frames are in the mapping of their life" 2 "$lives"

# A saved image has all names, and needs none of the machine that reads it.
"$kmprof" dump --input "$TMP/gone" --kallsyms "$kallsyms" --format image -o "$TMP/saved"
same "gone: a saved image shows the same heap" "$heap" "$("$kmprof" dump --input "$TMP/saved" 2>&1)"
same "gone: a saved image shows the same waits" "$block" \
	"$("$kmprof" dump block --input "$TMP/saved" 2>&1)"
"$kmprof" dump --input "$TMP/saved" --format pprof -o "$TMP/saved.pb.gz"
contains "gone: its kernel is pprof's first mapping" \
	"1: 0xffffffff81000000/0xffffffff81100000/0x0 [kernel.kallsyms]" "$(pprof -raw "$TMP/saved.pb.gz")"
same "gone: pprof shows the same" "$(pprof -top "$TMP/heap.pb.gz")" "$(pprof -top "$TMP/saved.pb.gz")"
"$kmprof" dump --input "$TMP/saved" --kallsyms "$kallsyms" --format image -o "$TMP/again"
cmp -s "$TMP/saved" "$TMP/again"
result "gone: a saved image is complete" $?
image "$TMP/block" < "$TOOLS/tests/block.spec"
"$kmprof" dump block --input "$TMP/block" --kallsyms "$kallsyms" --format image -o "$TMP/saved"
# Where kallsyms does not tell how long a symbol is, the next one of the image may.
for what in "dump block" "dump block --by lock" "status"; do
	names=()
	[ "$what" = status ] || names=(--kallsyms "$kallsyms")
	same "gone: a saved image shows the same: $what" \
		"$("$kmprof" $what --input "$TMP/block" "${names[@]}" 2>&1 | sed 's,/0x1000,/0x80,')" \
		"$("$kmprof" $what --input "$TMP/saved" 2>&1 |
			sed "s,$TMP/saved,$TMP/block,; s,/0x1000,/0x80,")"
done
(cat "$TOOLS/tests/gone.spec"; echo noaddresses) | grep -v '^module\|^symbol' | image "$TMP/hidden"
"$kmprof" dump --input "$TMP/hidden" --format image -o "$TMP/saved" 2> "$TMP/err"
cmp -s "$TMP/hidden" "$TMP/saved"
same "gone: an image without addresses stays as it is" "0 " "$? $(cat "$TMP/err")"

# On a machine with another kernel, which is this one: where it has functions of its own, the image's
# kernel has others, and its modules are gone, one before the snapshot, one since.
here=$(awk 'tolower($2) == "t" && $1 !~ /^0*$/ { print $1; exit }' /proc/kallsyms)
here=${here:-ffffffff81000000}
at=$(printf '0x%x' $((0x$here + 16)))
printf '%s\n' "$here T of_that_kernel" "$(printf '%x' $((0x$here + 0x1000))) T _etext" \
	$'ffffffffc0000000 t of_a_module\t[since]' > "$TMP/theirs"
frames=("0xffffff8000000020 $at" "0xffffffffc0000010 $at" "$at")
{
	printf '%s\n' "rate 1" "block 1 3 60" "mutex 1 3 60 0" "start 1700000000000000000" \
		"time 1700000060000000000" "module before 0xffffff8000000000 0x2000 0xffffffffc0004000" \
		"symbol of_a_gone_one 0xffffff8000000010 0x70 0"
	for i in 0 1 2; do
		printf '%s\n' "sample 1 $((30 - 10 * i)) 1 0 0 ${frames[i]}" \
			"contention 1 1 0 0 1 $((30 - 10 * i)) 9 ${frames[i]}" \
			"release 1 1 0 0 1 $((30 - 10 * i)) 9 ${frames[i]}"
	done
} | image "$TMP/there"
"$kmprof" dump --input "$TMP/there" --kallsyms "$TMP/theirs" --format image -o "$TMP/saved"
saved=(--input "$TMP/saved")
for profile in heap block mutex; do
	"$kmprof" dump $profile "${saved[@]}" -o "$TMP/here.pb.gz" &&
		"$kmprof" dump $profile "${saved[@]}" -o "$TMP/here.perf.data" &&
		"$kmprof" report "$TMP/saved" -p $profile --by stack --json > "$TMP/here.report"
	result "gone: another kernel: $profile is written" $?
	for reader in report:report perf.data:perf.data perf.report:perf.data raw:pb.gz traces:pb.gz; do
		same "gone: another kernel: $profile has the names of the image's: ${reader%:*}" \
			"30 of_that_kernel;of_a_gone_one 20 of_that_kernel;of_a_module 10 of_that_kernel" \
			"$(python3 "$TOOLS/tests/formats.py" stacks "${reader%:*}" "$TMP/here.${reader#*:}" 2>&1 | xargs)"
	done
	same "gone: another kernel: $profile has the functions of the image's: pprof -top" \
		"30 30 of_a_gone_one 20 20 of_a_module 10 60 of_that_kernel" \
		"$(python3 "$TOOLS/tests/formats.py" functions top "$TMP/here.pb.gz" 2>&1 | xargs)"
	same "gone: another kernel: perf tells the modules of $profile" "of_a_gone_one [before] of_a_module [since] of_that_kernel" \
		"$(HOME=$TMP perf report --force --stdio -g none -F sym -i "$TMP/here.perf.data" 2> "$TMP/err" |
			sed -n 's/^ *\[k\] *//p' | sort -u | sed 's/ *$//' | xargs)"
	same "gone: another kernel: pprof tells the modules of $profile" "[before] [kernel.kallsyms] [since]" \
		"$(pprof -raw "$TMP/here.pb.gz" | sed -n '/^Mappings/,$s/.* \(\[[a-z.]*\]\)  *.*/\1/p' | sort | xargs)"
done

# An image of a module that has no such tables: the header ends before.
printf 'rate 1\nsample 1 64 1 0 0 0xffffffff81001210\n' | image "$TMP/new"
same "gone: an image of an older module is sound" "0 1" \
	"$(python3 - "$TMP/new" "$TMP/old" << 'END'
import struct, sys
image = bytearray(open(sys.argv[1], "rb").read())
# The header is 32 bytes shorter; all offsets with it.
struct.pack_into("=I", image, 8, 128)
struct.pack_into("=Q", image, 16, len(image) - 32)
tables = [48 + 16 * i for i in range(5)]
at, count = struct.unpack_from("=QI", image, 48)
tables += [at + 40 * i + k for i in range(count) for k in (8, 24)]
for table in tables:
    struct.pack_into("=Q", image, table, struct.unpack_from("=Q", image, table)[0] - 32)
open(sys.argv[2], "wb").write(image[:128] + image[160:])
END
	"$kmprof" dump --input "$TMP/old" --kallsyms "$kallsyms" > "$TMP/out"
	echo "$? $(grep -c 'vfs_read' "$TMP/out")")"
