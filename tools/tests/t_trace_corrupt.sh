#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Damaged traces: refused in words, or read in bounds, under ASan and UBSan.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
story=$asan/tests/story
mktrace < "$TOOLS/tests/cpus.story" > good
size=$(stat -c %s good)

# A trace that is cut off in its batches can be read, and not in what is before them.
batches=$((80 + 9 * 24 + 4 * 24))
same "trace: cut at every length" "read $((size - batches)) refused $batches" "$("$story" --cut good 2>&1)"
out=$("$story" --change good 2>&1)
same "trace: each byte changed in six ways" "0 $((6 * size))" \
	"$? $(awk '/^read [0-9]* refused [0-9]*$/ { print $2 + $4 }' <<< "$out")"
echo "# $out" | tail -20

# refused NAME WORDS [OPTION...]: $TMP/bad must be refused with these words, and leave no file
refused()
{
	local err status

	err=$("$asan/kmprof" trace --input bad -o out 2>&1)
	status=$?
	[ $status -eq 1 ] && [ ! -e out ] && [[ $err == "kmprof: bad: $2"* ]]
	result "trace: $1" $?
	echo "# $status $err" | head -3
}
# damaged NAME WHERE WHAT < DESCRIPTION
damaged()
{
	mktrace > bad
	refused "$1" "damaged at byte $2: $3"
}
# patch OFFSET BYTES
patch()
{
	cp good bad
	printf "$2" | dd of=bad bs=1 seek="$1" conv=notrunc status=none
}

: > bad
refused "an empty file" "not a trace of kmprof"
cp "$kallsyms" bad
refused "another file" "not a trace of kmprof"
image bad < "$TOOLS/tests/basic.spec"
refused "an image" "not a trace of kmprof, but an image"
patch 0 'TPMK'
refused "the other byte order" "the trace has the other byte order"
patch 4 '\3'
refused "another version" "trace version 3, this program reads 2"
patch 4 '\1'
refused "the version before" "trace version 1, this program reads 2"
for cut in 8 79 80 300 $((batches - 1)); do
	head -c "$cut" good > bad
	refused "cut to $cut bytes" "is cut short at byte $cut, before its first event"
done
head -c 3 good > bad
refused "cut to 3 bytes" "not a trace of kmprof"

# The header: magic, version, sizes and counts, CPUs, events, ticks in a second, clocks.
patch 8 '\117'
refused "a header shorter than its fields" "damaged at byte 8: size of the header"
patch 12 '\27'
refused "types that are too short" "damaged at byte 12: size of a type"
patch 16 '\101'
refused "more types than there can be" "damaged at byte 16: number of types"
patch 16 '\12'
refused "more types than there are" "damaged at byte 296: a type"
patch 20 '\27'
refused "tasks that are too short" "damaged at byte 20: size of a task"
patch 24 '\377\377\377\377'
refused "more tasks than there are" "is cut short at byte $size"
patch 28 '\0'
refused "no CPUs" "damaged at byte 28: number of CPUs"
patch 28 '\1\0\1\0'
refused "more CPUs than any kernel has" "damaged at byte 28: number of CPUs"
patch 40 '\0\0\0\0\0\0\0\0'
refused "no ticks" "damaged at byte 40: ticks in a second"
patch 63 '\200'
refused "a start that is too late" "damaged at byte 48: time of the start"

# The tables.
patch 80 '\2'
refused "a type that comes twice" "damaged at byte 104: a type"
patch 80 '\100'
refused "a type that no record can have" "damaged at byte 80: a type"
patch 81 '\1'
refused "a switch without a state" "damaged at byte 80: a type"
patch 82 '\2'
refused "a text that is neither there nor not" "damaged at byte 80: a type"
patch 84 '\0'
refused "a type without a name" "damaged at byte 80: a type"
patch 85 ' '
refused "a blank in the name of a type" "damaged at byte 80: a type"
patch 85 '\33'
refused "an escape sequence in the name of a type" "damaged at byte 80: a type"
patch 84 '12345678901234567890'
refused "a name of a type that does not end" "damaged at byte 80: a type"
patch $((80 + 5 * 24 + 2)) '\0'
refused "an exit without a name" "damaged at byte 200: a type"
patch 299 '\200'
refused "a task with an id that is too large" "damaged at byte 296: a task"
patch 303 '\200'
refused "a process with an id that is too large" "damaged at byte 296: a task"
patch 304 '1234567890123456'
refused "a name of a task that does not end" "damaged at byte 296: a task"

# Batches.
# at OFFSET BYTES: the same in a small trace, from the start of its first batch. It has 40 bytes, and
# records of 4 and 5 bytes: the next one begins at 49, and the last one at 94.
mktrace > small << 'T'
batch 0 10 1000
@1050 switch 11 2
@1100 mark ab
batch 0 11 1200
@1250 mark cd
T
first=$((80 + 8 * 24))
at()
{
	cp small bad
	printf "$2" | dd of=bad bs=1 seek=$((first + $1)) conv=notrunc status=none
}
# wrong NAME BYTE WHAT: it is refused because of the byte, counted in the same way
wrong()
{
	refused "$1" "damaged at byte $((first + $2)): $3"
}
at 0 '\47'
wrong "a batch smaller than its start" 0 "size of a batch"
at 0 '\1\100'
wrong "a batch larger than the largest" 0 "size of a batch"
at 4 '\2'
wrong "a batch of a CPU that is not there" 4 "CPU of a batch"
at 8 '\10'
wrong "a batch of a later kind" 8 "flags of a batch"
at 15 '\200'
wrong "a batch of a task with an id that is too large" 12 "id of a task"
at 32 '\5'
wrong "more records than there is room for" 32 "more records than the batch has room for"
at 81 '\2'
wrong "more records than there are" 94 "fewer records than the batch tells"
at 32 '\1'
wrong "fewer records than there are" 44 "more records than the batch tells"
at 65 '\1'
wrong "batches that are not in order" 65 "batches of a CPU are not in order"

# record NAME HEX BYTE WHAT: a batch with this record behind one of 3 bytes
record()
{
	printf 'batch 0 10 1000 0 2\n@1010 waking 10\nbytes %s\n' "$2" | mktrace > bad
	wrong "$1" $((43 + $3)) "$4"
}
record "a type that the trace does not have" 3f01 0 "a type that the trace does not have"
record "a record without a time" 02ff 1 "time of a record"
record "a time of too many bits" 02ffffffffffffffffff0201 1 "time of a record"
record "a time of too many bytes" 0280808080808080808080000a 1 "time of a record"
record "a time behind all time" 02ffffffffffffffffff010a 1 "time of a record"
record "an argument that does not end" 020a80 2 "argument of a record"
record "an argument too few" 010a0a 3 "argument of a record"
record "a text without a length" 080a 2 "text of a record"
record "a text that does not end" 080a0361 2 "text of a record"
record "an id of a task that is too large" 020a8080808008 0 "arguments of a record"
record "a switch to such a task" 010a808080800800 0 "arguments of a record"
record "a CPU that is not there" 030a0a02 0 "arguments of a record"
record "a child of a process with such an id" 040a0a808080800800 0 "arguments of a record"
record "a child that is the idle task" 040a000a00 0 "arguments of a record"
mktrace > bad << 'T'
batch 0 10 1000
@1050 mark ab
batch 0 10 1049
@1060 mark cd
T
wrong "a time before that of the batch before" 69 "batches of a CPU are not in order of time"
mktrace > bad << 'T'
end 999 5000
T
wrong "an end before the start" 40 "it ends before it starts"
mktrace > bad << 'T'
end 1000 4999
T
wrong "an end with a time before the start" 40 "it ends before it starts"
mktrace > bad << 'T'
after 00
T
wrong "something behind the end" 96 "something follows the last batch"
mktrace > bad << 'T'
end 1000 5000
T
printf '\127' | dd of=bad bs=1 seek=$first conv=notrunc status=none
wrong "an end that is too short" 0 "the last batch is too short"
mktrace > bad << 'T'
end 2000 6000 0 0
batch 0 10 1000 18446744073709551615
batch 1 10 1000 18446744073709551615
T
wrong "more losses than can be counted" 56 "more losses than can be counted"
# What its end says otherwise is warned of.
mktrace > bad << 'T'
end 2000 6000 7 8
batch 0 10 1000
@1010 mark ab
T
out=$("$asan/kmprof" trace --input bad -o out 2>&1)
same "trace: an end that does not fit" \
	"0 kmprof: warning: bad: has 1 events and 0 are lost, but its end says 7 and 8" "$? $out"
rm out
# Ids that are the same in their low bits, and CPUs that wait for each other.
awk 'BEGIN {
	for (i = 1; i < 32768; i++)
		print "task", i * 65536, i * 65536, "x"
	for (n = 0; n < 50; n++) {
		print "batch 0 0 1000"
		for (i = 1; i <= 2000; i++)
			print "@1000 waking", i * 65536
	}
}' | mktrace > slow
timeout 10 "$kmprof" trace --input slow -o slow.txt
same "trace: ids that would be in one place of a table take no time" "0 100000" "$? $(grep -vc '^#' slow.txt)"
awk 'BEGIN {
	print "cpus 20000"
	for (i = 0; i < 20000; i++) {
		print "batch", i, "0 1000"
		for (n = 0; n < 2; n++)
			print "@1000 switch", i + 1, "2\n@1000 switch 0 2"
	}
}' | mktrace > slow
timeout 10 "$kmprof" trace --input slow -o slow.txt
same "trace: nor do CPUs that wait for each other" "0 80000" "$? $(grep -vc '^#' slow.txt)"
rm -f slow slow.txt
# What is before the damage can be shown.
head -c "$((first + 49))" small > start
at 65 '\1'
contains "trace: the hint tells how much is sound" "'head -c $((first + 49))' keeps it" \
	"$("$asan/kmprof" trace --input bad 2>&1)"
same "trace: ... which is shown" "0 2" \
	"$("$asan/kmprof" trace --input start 2> err > out; echo "$? $(grep -vc '^#' out)")"
