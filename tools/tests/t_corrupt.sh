#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Damaged images: refused in words or read in bounds, under ASan and UBSan.
. "$TOOLS/tests/lib.sh"

rounds=${FUZZ_ROUNDS:-20000}
seed=${FUZZ_SEED:-1}

image "$TMP/basic" < "$TOOLS/tests/basic.spec"
image "$TMP/block" < "$TOOLS/tests/block.spec"
image "$TMP/mutex" < "$TOOLS/tests/mutex.spec"
image "$TMP/labels" < "$TOOLS/tests/labels.spec"
(echo old block; cat "$TOOLS/tests/basic.spec") | image "$TMP/old"
size=$(stat -c %s "$TMP/basic")
for name in basic block mutex labels old; do
	out=$("$asan/tests/fuzz" "$TMP/$name" "$kallsyms" "$rounds" "$seed" 2>&1)
	status=$?
	echo "$out" | sed 's/^/# /'
	result "corrupt: $name: $rounds changed and $(stat -c %s "$TMP/$name") cut images (seed $seed)" $status
	read -r _ _ _ _ _ refused _ accepted <<< "$(echo "$out" | tail -1)"
	[ "${refused:-0}" -gt 1000 ] && [ "${accepted:-0}" -gt 1000 ]
	result "corrupt: $name: both refused and read often enough to mean something" $?
done

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
# patch OFFSET BYTES [IMAGE]
patch()
{
	cp "$TMP/${3:-basic}" "$TMP/bad"
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

patch 216 '\377\377\377\177' block
refuse "too many contentions" "contention table"
patch 208 '\1' block
refuse "contentions out of line" "contention table"
patch 215 '\200' block
refuse "contentions behind the end" "contention table"
patch 220 '\100' block
refuse "contentions that are too small" "contention table"
patch 220 '\0\0\0\0' block
refuse "contentions without a size" "contention table"
patch 8 '\250\0' block
cp "$TMP/bad" "$TMP/shorter"
"$asan/kmprof" status --input "$TMP/shorter" > /dev/null
result "corrupt: a header that ends before the contentions has none" $?
patch 8 '\240\0' block
refuse "a header shorter than the first" "header size"
patch 8 '\330\0' block
refuse "a header that ends inside the table of contentions" "contention table"
patch 8 '\340\0' mutex
cp "$TMP/bad" "$TMP/shorter"
out=$("$asan/kmprof" status --input "$TMP/shorter")
same "corrupt: a header that ends before the releases has none" "0 yes" \
	"$? $([[ $out == *"Releases   saved image, of a module"* && $out != *mutex_fraction* ]] && echo yes)"
patch 8 '\010\1' mutex
cp "$TMP/bad" "$TMP/shorter"
out=$("$asan/kmprof" status --input "$TMP/shorter")
same "corrupt: a header that ends inside the releases has none" "0 yes" \
	"$? $([[ $out == *"Releases   saved image, of a module"* && $out != *mutex_fraction* ]] && echo yes)"

patch 280 '\377\377\377\177' labels
refuse "too many labels" "label table"
patch 272 '\1' labels
refuse "labels out of line" "label table"
patch 279 '\200' labels
refuse "labels behind the end" "label table"
patch 284 '\030' labels
refuse "labels that are too small" "label table"
patch 284 '\0\0\0\0' labels
refuse "labels without a size" "label table"
patch 8 '\030\1' mutex
refuse "a header that ends inside the table of labels" "label table"
patch 8 '\020\1' mutex
cp "$TMP/bad" "$TMP/shorter"
same "corrupt: a header that ends before the labels has none" \
	"$("$asan/kmprof" dump mutex --input "$TMP/mutex" --kallsyms "$kallsyms" 2>&1)" \
	"$("$asan/kmprof" dump mutex --input "$TMP/shorter" --kallsyms "$kallsyms" 2>&1)"
patch 8 '\020\1' labels
refuse "a label without a table of them" "a contention contradicts itself"

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

# block_contradiction NAME CONTENTION [KEYWORD]
block_contradiction()
{
	echo "${3:-contention} $2" | image "$TMP/bad"
	refuse "$1" "a contention contradicts itself"
}
# sound NAME CONTENTION [KEYWORD]: the limit of what passes
sound()
{
	echo "${3:-contention} $2" | image "$TMP/good"
	"$asan/kmprof" dump block --input "$TMP/good" > "$TMP/out" 2>&1
	result "corrupt: $1" $?
}
# The same of the mutex profile.
mutex_contradiction()
{
	block_contradiction "mutex: $1" "$2" release
}
mutex_sound()
{
	sound "mutex: $1" "$2" release
}
sound "the least that a wait can be is sound" "1000 1 0 0 1 1000 0"
block_contradiction "waits sampled at rate 0" "0 1 0 0 1 1000 0"
block_contradiction "a longest wait that is longer than all" "1000 1 0 0 1 1000 1001"
block_contradiction "less than one wait" "1000 1 0 0 0.9 1000 1000"
block_contradiction "a shorter delay than the period" "1000 1 0 0 1 999 999"
block_contradiction "a delay without waits" "1000 1 0 0 0 1000 0"
block_contradiction "more waits than ns" "1000 1 0 0 1001 1000 1"
block_contradiction "no kind of lock" "1000 0 0 0 1 1000 1000"
sound "the last kind of lock is sound" "1000 7 0 0 1 1000 1000"
block_contradiction "an unknown kind of lock" "1000 8 0 0 1 1000 1000"
block_contradiction "for reading and for writing" "1000 2 3 0 1 1000 1000"
sound "flags of a later module are sound" "1000 2 0x80000000 0 1 1000 1000"
block_contradiction "a wait that nobody is blamed for" "1000 1 16 0 1 1000 1000"
mutex_sound "the least that a release can be is sound" "1000 1 0 0 1000 1000 1"
mutex_contradiction "releases sampled at fraction 0" "0 1 0 0 1 1000 0"
mutex_contradiction "a longest delay that is longer than all" "1 1 0 0 1 1000 1001"
mutex_contradiction "fewer releases than one stands for" "1000 1 0 0 999.9 1000000 1000"
mutex_contradiction "a shorter delay than one release stands for" "1000 1 0 0 1000 999 1"
mutex_contradiction "a delay without releases" "1000 1 0 0 0 1000 0"
mutex_contradiction "more releases than ns" "1 1 0 0 1001 1000 1"
mutex_contradiction "an unknown kind of lock" "1 8 0 0 1 1000 1000"
mutex_contradiction "of a reader and of a writer" "1 2 3 0 1 1000 1000"
mutex_sound "nobody to blame is sound" "1 1 16 0 1 1000 1000"
mutex_contradiction "nobody to blame, and a stack" "1 1 16 0 1 1000 1000 0x1000"
# Entries start behind the header; an entry starts with its profile and frames.
image "$TMP/empty" <<< ""
header=$(stat -c %s "$TMP/empty")
echo "contention 1000 1 0 0 1 1000 1000 0x1000" | image "$TMP/one"
patch "$header" '\1' one
"$asan/kmprof" dump block --input "$TMP/bad" > "$TMP/out" 2>&1
same "corrupt: a contention of a later profile is not shown" "0 0" \
	"$? $(grep -c '^[0-9]' "$TMP/out")"
"$asan/kmprof" dump block --input "$TMP/one" > "$TMP/out" 2>&1
same "corrupt: ... and one of this is" "0 1" "$? $(grep -c '^[0-9]' "$TMP/out")"
patch $((header + 4)) '\2' one
refuse "frames of a contention behind the table" "a contention contradicts itself"
patch $((header + 8)) '\2' one
refuse "first frame of a contention behind the table" "a contention contradicts itself"
patch $((header + 64)) '\1' one
refuse "a cache outside of the strings" "a contention contradicts itself"
patch $((header + 68)) '\1' one
refuse "a label behind the table" "a contention contradicts itself"
# Its label is behind it.
printf 'contention 1000 1 0 0 1 1000 1000\ncomm 123456789012345\n' | image "$TMP/two"
"$asan/kmprof" dump block --input "$TMP/two" > "$TMP/out" 2>&1
same "corrupt: the longest name" "0 # mutex, comm 123456789012345, longest 1000 ns" \
	"$? $(grep longest "$TMP/out")"
patch $((header + 68)) '\2' two
refuse "a label behind the last one" "a contention contradicts itself"
patch $((header + 72 + 31)) '6' two
refuse "a name that does not end" "a label's name is not terminated"
patch $((header + 72)) '\010' two
"$asan/kmprof" dump block --input "$TMP/bad" > "$TMP/out" 2>&1
same "corrupt: labels of a later module are sound, and not shown" "0 # mutex, longest 1000 ns" \
	"$? $(grep longest "$TMP/out")"
patch "$header" '\4' one
"$asan/kmprof" dump mutex --input "$TMP/bad" > "$TMP/out" 2>&1
same "corrupt: of whom a contention is, its profile says" "1 0" "$? $(grep -c '^[0-9]' "$TMP/out")"
(cat "$TOOLS/tests/block.spec"; printf 'cache a\033[31mb\n') | grep -v '^loss' | image "$TMP/odd"
"$asan/kmprof" dump block --input "$TMP/odd" --kallsyms "$kallsyms" > "$TMP/out"
same "corrupt: a cache with an odd name has none" "0 " "$? $(grep $'\033' "$TMP/out")"

: > "$TMP/bad"; rm "$TMP/bad"
err=$("$kmprof" status --input "$TMP/bad" 2>&1)
same "corrupt: no such file" "1 kmprof: $TMP/bad: No such file or directory" "$? $err"
err=$("$kmprof" status --input "$TMP" 2>&1)
same "corrupt: a directory" "1 kmprof: $TMP: Is a directory" "$? $err"
