#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Damaged images: refused in words or read in bounds, under ASan and UBSan.
. "$TOOLS/tests/lib.sh"

image "$TMP/basic" < "$TOOLS/tests/basic.spec"
image "$TMP/block" < "$TOOLS/tests/block.spec"
image "$TMP/mutex" < "$TOOLS/tests/mutex.spec"
image "$TMP/labels" < "$TOOLS/tests/labels.spec"
image "$TMP/objects" < "$TOOLS/tests/objects.spec"
image "$TMP/gone" < "$TOOLS/tests/gone.spec"
image "$TMP/inuse" < "$TOOLS/tests/inuse.spec"
size=$(stat -c %s "$TMP/basic")
for name in basic block mutex labels objects gone inuse; do
	same "corrupt: $name, cut at every length" "cut $(stat -c %s "$TMP/$name")" \
		"$(KALLSYMS=$kallsyms "$asan/tests/cut" "$TMP/$name" 2>&1)"
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
patch 4 '\3'
refuse "another version" "image version 3, this program reads 2"
patch 4 '\1'
refuse "the version before" "image version 1, this program reads 2"
patch 8 '\170'
refuse "a header shorter than its fields" "header size"
patch 8 '\204'
refuse "a header out of line" "header size"
patch 8 '\270'
refuse "a header that reaches into the directory" "directory of profiles"

# u32 FILE OFFSET, u64 FILE OFFSET: a number of an image
u32()
{
	od -An -tu4 -j "$2" -N 4 "$1" | tr -d ' '
}
u64()
{
	od -An -tu8 -j "$2" -N 8 "$1" | tr -d ' '
}

# Where struct kmprof_image_header has its tables, and the directory its own.
profiles=48 scalars=64 labels=80 frames=96 strings=112 modules=128 symbols=144 listed=160
# entry PROFILE: of the directory, from 1 on; it has format, rows and columns behind its name
entry()
{
	echo $((176 + 40 * ($1 - 1)))
}
# rows PROFILE, columns PROFILE: where the directory has their tables
rows()
{
	echo $(($(entry "$1") + 8))
}
columns()
{
	echo $(($(entry "$1") + 24))
}
# table NAME OFFSET WORDS IMAGE SMALL: each number of the table at that offset is wrong;
# an entry of SMALL bytes is too small
table()
{
	patch $(($2 + 8)) '\377\377\377\177' "$4"
	refuse "too many $1" "$3"
	patch $2 '\1' "$4"
	refuse "$1 out of line" "$3"
	patch $(($2 + 7)) '\200' "$4"
	refuse "$1 behind the end" "$3"
	patch $2 '\0\0\0\0\0\0\0\0' "$4"
	refuse "$1 inside the header" "$3"
	patch $(($2 + 12)) "$5" "$4"
	refuse "$1 that are too small" "$3"
	patch $(($2 + 12)) '\0\0\0\0' "$4"
	refuse "$1 without a size" "$3"
	patch $(($2 + 12)) '\144' "$4"
	refuse "$1 of an odd size" "$3"
}
table profiles $profiles "directory of profiles" basic '\040'
table scalars $scalars "table of scalars" basic '\030'
table labels $labels "label table" labels '\030'
table frames $frames "frame table" basic '\4'
table samples "$(rows 1)" "rows of heap" basic '\060'
table contentions "$(rows 2)" "rows of block" block '\130'
table releases "$(rows 3)" "rows of mutex" mutex '\130'
table columns "$(columns 2)" "columns of block" block '\010'
table objects "$(rows 4)" "rows of buffers" objects '\010'
table "columns of objects" "$(columns 4)" "columns of buffers" objects '\010'
table modules $modules "table of modules" gone '\060'
table symbols $symbols "table of symbols" gone '\020'
table "listed objects" $listed "table of objects" inuse '\060'
patch $((strings + 8)) '\377\377\377\177'
refuse "too many strings" "string table"
patch $((strings + 12)) '\2'
refuse "strings of another size" "string table"
patch $((strings + 8)) '\0\0\0\0'
refuse "no strings" "string table does not begin with the empty string"

at=$(u64 "$TMP/basic" $strings)
patch $at 'x'
refuse "no empty string" "string table does not begin with the empty string"
patch $((at + $(u32 "$TMP/basic" $((strings + 8))) - 1)) 'x'
refuse "an unterminated name" "string table is not terminated"

# A scalar: name, unit, text, profile, flags.
scalar=$(u64 "$TMP/basic" $scalars)
patch $((at + $(u32 "$TMP/basic" $scalar))) '\033'
refuse "an escape sequence in a name" "a scalar"
patch $((at + $(u32 "$TMP/basic" $scalar))) ' '
refuse "a blank in a name" "a scalar"
for part in name:0 unit:4 text:8; do
	patch $((scalar + ${part#*:})) '\377\377\377\177'
	refuse "a ${part%:*} outside of the strings" "a scalar"
done
patch $scalar '\0\0\0\0'
refuse "a scalar without a name" "a scalar"
patch $((at + $(u32 "$TMP/basic" $((scalar + 8))))) '\033'
refuse "an escape sequence in a text" "a scalar"
patch $((scalar + 12)) '\4'
refuse "a scalar of a profile behind the directory" "a scalar"
patch $((scalar + 16)) '\4'
refuse "a loss that is not called so" "a scalar"
# accepted NAME [COMMAND...]: $TMP/bad is sound
accepted()
{
	local name=$1

	shift
	"$asan/kmprof" "${@:-status}" --input "$TMP/bad" > "$TMP/out" 2>&1
	result "corrupt: $name" $?
}
patch $((scalar + 12)) '\3'
accepted "a scalar of the last profile is sound"
patch $((scalar + 19)) '\200'
accepted "flags of a later version of a scalar are sound"

# A column: name, unit, offset, shift. A row of the heap has 64 bytes.
column=$(u64 "$TMP/basic" "$(columns 1)")
for part in name:0 unit:4; do
	patch $((column + ${part#*:})) '\377\377\377\177'
	refuse "a column's ${part%:*} outside of the strings" "a column of heap"
	patch $((column + ${part#*:})) '\0\0\0\0'
	refuse "a column without a ${part%:*}" "a column of heap"
done
patch $((at + $(u32 "$TMP/basic" $column))) ' '
refuse "a blank in a column's name" "a column of heap"
patch $((column + 8)) '\370'
refuse "a column behind the row" "a column of heap"
patch $((column + 8)) '\377\377\377\377'
refuse "a column far behind the row" "a column of heap"
patch $((column + 8)) '\074'
refuse "a column out of line" "a column of heap"
patch $((column + 8)) '\010'
refuse "a column in the start of the row" "a column of heap"
patch $((column + 12)) '\100'
refuse "a column shifted out of itself" "a column of heap"
patch $((column + 8)) '\070\0\0\0\077'
accepted "the last column that there can be is sound"

# An object: address, age, cycle, profile, row, parts, id and name of the task.
object=$(u64 "$TMP/inuse" $listed)
patch $((object + 24)) '\3' inuse
refuse "an object of a profile behind the directory" "an object"
patch $((object + 28)) '\3' inuse
refuse "an object of a row behind the table" "an object"
patch $((object + 24)) '\1' inuse
refuse "an object of a profile without rows" "an object"
patch $((object + 32)) '\0' inuse
refuse "an object without parts" "an object"
patch $((object + 40)) '0123456789abcdef' inuse
refuse "an object whose task has a name without an end" "an object"
sed '/^by 321/a bytes 00' "$TOOLS/tests/inuse.spec" | image "$TMP/bytes"
patch $(($(u64 "$TMP/bytes" $listed) + 56)) '\101' bytes
refuse "an object with more bytes than there is room for" "an object"

# A module: name, flags, length of the build id, build id, start, size, where it was. A symbol:
# start, size, name, module.
module=$(u64 "$TMP/gone" $modules)
symbol=$(u64 "$TMP/gone" $symbols)
patch "$module" '\377\377\377\177' gone
refuse "a module's name outside of the strings" "a module"
patch $((module + 8)) '\25' gone
refuse "a build id that is too long" "a module"
patch $((module + 40)) '\377\377\377\377\377\377\377\377' gone
refuse "a module that does not end" "a module"
patch $((symbol + 16)) '\377\377\377\177' gone
refuse "a symbol's name outside of the strings" "a symbol"
patch $((symbol + 20)) '\3' gone
refuse "a symbol of a module behind the table" "a symbol"
patch $((symbol + 8)) '\377\377\377\377\377\377\377\377' gone
refuse "a symbol that does not end" "a symbol"
patch $((symbol + 24)) '\0\0\0\0\0\0\0\0' gone
refuse "a symbol that is not behind the one before" "a symbol"
patch $((module + 4)) '\200' gone
accepted "flags of a later version of a module are sound"

# The name of a profile.
patch "$(entry 1)" '\377\377\377\177'
refuse "a profile's name outside of the strings" "name of a profile"
patch "$(entry 1)" '\0\0\0\0'
refuse "a profile without a name" "name of a profile"
patch $((at + $(u32 "$TMP/basic" "$(entry 1)"))) '\033'
refuse "an escape sequence in a profile's name" "name of a profile"

# Rows of a format that is not known, and what is known of them all the same.
row=$(u64 "$TMP/objects" "$(rows 6)")
patch "$row" '\377\377\377\177' objects
refuse "frames of an object behind the table" "a row of later contradicts itself"
patch $((row + 8)) '\377' objects
refuse "first frame of an object behind the table" "a row of later contradicts itself"
patch $((row + 4)) '\377' objects
refuse "a label of an object behind the table" "a row of later contradicts itself"
patch $((row + 16)) '\377\377\377\377\377\377\377\377' objects
accepted "any number of an object is sound" dump later
# Two profiles that say that they have the same rows: each is sound, and both would be
# looked at. A file that is all directory would never end.
(echo "profile a"; echo "column n count"; for i in $(seq 200); do echo "row $i @"; done
	echo "profile b"; echo "column n count") | image "$TMP/overlap"
patch "$(rows 5)" "$(dd if="$TMP/overlap" bs=1 skip="$(rows 4)" count=16 status=none |
	od -An -v -to1 | tr -d '\n' | sed 's/ /\\/g')" overlap
refuse "tables that overlap" "tables overlap"

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
	refuse "$1" "a row of $([ "${3:-contention}" = release ] && echo mutex || echo block) contradicts itself"
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
# A row starts with its frames and its label.
echo "contention 1000 1 0 0 1 1000 1000 0x1000" | image "$TMP/one"
row=$(u64 "$TMP/one" "$(rows 2)")
"$asan/kmprof" dump block --input "$TMP/one" > "$TMP/out" 2>&1
same "corrupt: a contention is shown" "0 1" "$? $(grep -c '^[0-9]' "$TMP/out")"
patch "$row" '\2' one
refuse "frames of a contention behind the table" "a row of block contradicts itself"
patch $((row + 8)) '\2' one
refuse "first frame of a contention behind the table" "a row of block contradicts itself"
patch $((row + 64)) 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' one
refuse "a cache that does not end" "a row of block contradicts itself"
patch $((row + 64)) 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' one
accepted "the longest cache is sound" dump block
same "corrupt: ... and shown" 1 "$(grep -c ' in x\{31\},' "$TMP/out")"
patch $((row + 4)) '\1' one
refuse "a label behind the table" "a row of block contradicts itself"
patch $(($(entry 2) + 4)) '\11' one
accepted "a contention of a later format is shown by its columns" dump block
same "corrupt: ... in the other text" "block profile: total 1000 1000" \
	"$(sed -n '/^block profile/p; s/^\([0-9]*\) @.*/\1/p' "$TMP/out" | xargs)"
# Waits and releases have the same rows, but not the same contradictions.
echo "release 1 1 16 0 1 1000 1000" | image "$TMP/blamed"
patch $(($(entry 3) + 4)) '\2' blamed
refuse "what is not attributable is of the format of releases only" "a row of mutex contradicts itself"
# Its label.
printf 'contention 1000 1 0 0 1 1000 1000\ncomm 123456789012345\n' | image "$TMP/two"
row=$(u64 "$TMP/two" "$(rows 2)")
label=$(u64 "$TMP/two" $labels)
"$asan/kmprof" dump block --input "$TMP/two" > "$TMP/out" 2>&1
same "corrupt: the longest name" "0 # mutex, comm 123456789012345, longest 1000 ns" \
	"$? $(grep longest "$TMP/out")"
patch $((row + 4)) '\2' two
refuse "a label behind the last one" "a row of block contradicts itself"
patch $((label + 31)) '6' two
refuse "a name that does not end" "a label's name is not terminated"
patch $label '\020' two
"$asan/kmprof" dump block --input "$TMP/bad" > "$TMP/out" 2>&1
same "corrupt: labels of a later module are sound, and not shown" "0 # mutex, longest 1000 ns" \
	"$? $(grep longest "$TMP/out")"
(cat "$TOOLS/tests/block.spec"; printf 'cache a\033[31mb\n') | grep -v '^loss' | image "$TMP/odd"
"$asan/kmprof" dump block --input "$TMP/odd" --kallsyms "$kallsyms" > "$TMP/out"
same "corrupt: a cache with an odd name has none" "0 " "$? $(grep $'\033' "$TMP/out")"

: > "$TMP/bad"; rm "$TMP/bad"
err=$("$kmprof" status --input "$TMP/bad" 2>&1)
same "corrupt: no such file" "1 kmprof: $TMP/bad: No such file or directory" "$? $err"
err=$("$kmprof" status --input "$TMP" 2>&1)
same "corrupt: a directory" "1 kmprof: $TMP: Is a directory" "$? $err"
