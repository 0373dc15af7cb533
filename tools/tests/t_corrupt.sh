#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Damaged images: refused in words or read in bounds, under ASan and UBSan.
. "$TOOLS/tests/lib.sh"

rounds=${FUZZ_ROUNDS:-20000}
seed=${FUZZ_SEED:-1}

image "$TMP/basic" < "$TOOLS/tests/basic.spec"
size=$(stat -c %s "$TMP/basic")
out=$("$asan/tests/fuzz" "$TMP/basic" "$kallsyms" "$rounds" "$seed" 2>&1)
status=$?
echo "$out" | sed 's/^/# /'
result "corrupt: $rounds changed and $size cut images (seed $seed)" $status
read -r _ _ _ _ _ refused _ accepted <<< "$(echo "$out" | tail -1)"
[ "${refused:-0}" -gt 1000 ] && [ "${accepted:-0}" -gt 1000 ]
result "corrupt: both refused and read often enough to mean something" $?

# The program, with words and status.
# refuse NAME WORDS: $TMP/bad must be refused with these words and a hint
refuse()
{
	local err status

	err=$("$asan/kmprof" status --input "$TMP/bad" 2>&1 > "$TMP/out")
	status=$?
	[ $status -eq 1 ] && [ ! -s "$TMP/out" ] && [[ $err == *"hint: "* ]] && [[ $err == *"$2"* ]]
	result "corrupt: $1" $?
	echo "# $err" | head -1
}
for cut in 0 3 4 100 $((size - 8)) $((size - 1)); do
	head -c "$cut" "$TMP/basic" > "$TMP/bad"
	refuse "cut to $cut bytes" "bad: not a"
done
(cat "$TMP/basic"; echo) > "$TMP/bad"
refuse "something appended" "something follows"
cp "$kallsyms" "$TMP/bad"
refuse "another text" "not a kmprof image"
gzip -c "$TMP/basic" > "$TMP/bad"
refuse "compressed" "not a kmprof image"
# patch OFFSET BYTES
patch()
{
	cp "$TMP/basic" "$TMP/bad"
	printf "$2" | dd of="$TMP/bad" bs=1 seek="$1" conv=notrunc status=none
}
patch 0 'FPMK'
refuse "the other byte order" "other byte order"
patch 4 '\2'
refuse "another version" "image version 2"
patch 116 '\377\377\377\177'
refuse "too many samples" "sample table"
patch 104 '\1'
refuse "a table out of line" "sample table"
patch 112 '\0\0\0\200'
refuse "a table behind the end" "sample table"

# The names take 37 bytes, padded to 40, behind four losses of 16.
patch $((size - 4)) 'x'
refuse "an unterminated name" "string table is not terminated"
patch $((size - 40)) '\033'
refuse "an escape sequence in a name" "name of a loss"
patch $((size - 104)) '\045'
refuse "a name outside of the strings" "name of a loss"

# contradiction NAME SAMPLE
contradiction()
{
	echo "sample $2" | image "$TMP/bad"
	refuse "$1" "contradicts itself"
}
contradiction "more freed than allocated" "4096 64 1 2 0"
contradiction "more pending than freed" "4096 64 3 1 2"
contradiction "sampled at rate 0" "0 64 1 0 0"
contradiction "nothing sampled by its size" "4096 0 1 0 0"
: > "$TMP/bad"; rm "$TMP/bad"
err=$("$kmprof" status --input "$TMP/bad" 2>&1)
same "corrupt: no such file" "1 kmprof: $TMP/bad: No such file or directory" "$? $err"
err=$("$kmprof" status --input "$TMP" 2>&1)
same "corrupt: a directory" "1 kmprof: $TMP: Is a directory" "$? $err"
