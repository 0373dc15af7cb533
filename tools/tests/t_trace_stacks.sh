#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Stacks in a saved trace: their names, what each format makes of them, and what is damaged.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
export HOME=$TMP
story=$asan/tests/story

# Names of the frames below, as they are saved: those of an image that is complete.
image "$TMP/img" < "$TOOLS/tests/basic.spec"
"$kmprof" dump --input img --kallsyms "$kallsyms" --format image -o complete || exit 1
names=$(hex complete)
types="type 1 3 0 switch 1
type 2 2 0 waking 1"
scene="$types
task 10 10 bash
task 11 11 make
stacks
stack 1 ffffffff81001100 ffffffff81001250
stack 2/1 ffffffffc0000010 ffffffffc0000090 ffffffff81001210
batch 0 10 1100
@1200 waking/hard 11 2
stacks
stack 3 deadbeef000
@1300 switch 11 2 1
@1400 switch 0 3 0"
# The stacks come between two batches of the CPU.
scene=${scene/'@1300'/'batch 0 10 1250
@1300'}
{ echo "$scene"; echo "names $names"; } | mktrace > trace

same "stacks: text" \
"0.000000200 0 bash-10 waking make-11 (hardirq): leak [leaky] < leak_outer [leaky] < vfs_read < ...
0.000000300 0 bash-10 switch to make-11, SLEEPING: alloc_inode < vfs_read
0.000000400 0 make-11 switch to idle, BLOCKED" \
	"$("$asan/kmprof" trace --input trace 2>&1 | grep -v '^#' | sed 's/^ *//; s/  */ /g')"

# A trace without names is of another boot: addresses stay bare.
mktrace > bare <<< "$scene"
out=$("$asan/kmprof" trace --input bare 2> err)
contains "stacks: no names of another boot" "(hardirq): 0xffffffffc0000010 < " "$out"
contains "stacks: ... which is warned of" "bare: of another boot or machine, and saved without names" "$(cat err)"
{ echo "start 1000 5000 6000 $(date +%s)000000000"; echo "$scene"; } | mktrace > elsewhere
contains "stacks: nor of a machine that was booted at another time" "elsewhere: of another boot or machine" \
	"$("$asan/kmprof" trace --input elsewhere 2>&1 > /dev/null)"
same "stacks: ... once" 1 "$(grep -c warning err)"

"$asan/kmprof" trace --input trace --format chrome -o trace.json 2>&1
same "stacks: chrome" \
'{"tid":10,"tgid":10,"then":"SLEEPING","stack":"alloc_inode < vfs_read"}
{"tid":11,"tgid":11,"then":"BLOCKED"}
{"stack":"leak [leaky] < leak_outer [leaky] < vfs_read < ..."}' \
	"$(sed -n 's/.*"args":\({"\(tid\|stack\).*}\)},*$/\1/p' trace.json | sort -k1.1,1.8r |
		sed 's/}}$/}/; s/\\u003c/</g')"
json "len(v['traceEvents'])" < trace.json > /dev/null
result "stacks: ... is JSON" $?

"$asan/kmprof" trace --input trace --format perfetto -o trace.pftrace 2>&1
same "stacks: perfetto" \
'name: "waking" string_value: "leak [leaky] < leak_outer [leaky] < vfs_read < ..." name: "stack"
name: "stops" string_value: "alloc_inode < vfs_read" name: "stack"' \
	"$(protoc --proto_path="$TOOLS/lib" --decode=kmprof.perfetto.Trace timeline/perfetto.proto \
		< trace.pftrace | awk '
		/^  track_event/ { on = 1; line = ""; label = "" }
		on && /^    name:/ { label = $0 }
		on && /string_value:|^      name:/ { line = line $0 }
		/^}/ { if (on) print label line; on = 0 }' | sed 's/^ *//; s/  */ /g' | sort -r)"

"$asan/kmprof" trace --input trace --format go -o trace.gotrace 2>&1
out=$(go tool trace -d trace.gotrace 2>&1)
contains "stacks: go reads them" "GoBlock" "$out"
go tool trace -pprof=sched trace.gotrace > profile 2> err
same "stacks: go: what has woken a task, by its stack" \
	"wakes leak [leaky] leak_outer [leaky] vfs_read hardirq" \
	"$(pprof -traces profile | awk '/^---/ { if (on && line) print line; on = 1; line = ""; next }
		on { sub(/^ +[0-9.]+[a-z]+ +/, ""); sub(/^ +/, ""); line = line (line ? " " : "") $0 }
		END { if (line) print line }' | grep wakes)"

# What is told of them. A stack that nobody names is no fault, nor a task that was woken early.
same "stacks: of a wake-up that was early" \
"0.000000200 0 make-11 waking bash-10: vfs_read
0.000000300 0 bash-10 switch to make-11, SLEEPING: alloc_inode" \
	"$(printf '%s\n' "$types" "task 10 10 bash" "task 11 11 make" stacks "stack 1 ffffffff81001100" \
		"stack 2 ffffffff81001210" "batch 0 10 1000" "@1300 switch 11 2 1" "batch 1 11 1000" \
		"@1200 waking 10 2" "names $names" | mktrace > early
		"$asan/kmprof" trace --input early 2>&1 | grep -v '^#' | sed 's/^ *//; s/  */ /g; s/ 1 make/ 0 make/')"
mktrace > counted << 'T'
end 2000 6000 0 0 7
T
contains "stacks: how many found no room" "# 7 events without a stack: there was no room for it" \
	"$("$kmprof" trace --input counted)"
mktrace > without << 'T'
stacks
batch 0 10 1000
@1010 mark a
T
same "stacks: a batch without stacks is no fault" "0 1" \
	"$("$asan/kmprof" trace --input without > out 2> err; echo "$? $(grep -vc '^#' out)")"
mktrace > old << 'T'
oldend
batch 0 10 1000
@1010 mark a
T
same "stacks: the end of a module without stacks" "0 1" \
	"$("$asan/kmprof" trace --input old > out 2> err; echo "$? $(grep -vc '^#' out)")"

# refused NAME WORDS < DESCRIPTION
refused()
{
	local err status

	mktrace > bad
	err=$("$asan/kmprof" trace --input bad -o none 2>&1)
	status=$?
	[ $status -eq 1 ] && [ ! -e none ] && [[ $err == "kmprof: bad: "*"$2"* ]]
	result "stacks: $1" $?
	echo "# $status $err" | head -2
}
refused "a record with a stack that is not there" "number of a stack" <<< "${scene/2 1$'\n'@1400/2 4$'\n'@1400}"
refused "a number that is far out" "number of a stack" \
	<<< "${scene/2 1$'\n'@1400/2 0xffffffffffffffff$'\n'@1400}"
refused "a stack without frames" "a stack" <<< "${scene/stack 3 deadbeef000/stack 3}"
refused "a gap in the numbers" "a stack" <<< "${scene/stack 3/stack 4}"
refused "a number twice" "a stack" <<< "${scene/stack 3/stack 2}"
refused "more stacks than there are" "a stack" <<< "${scene/stacks/stacks 3}"
refused "a huge count of stacks" "a stack" <<< "${scene/stacks/stacks 4294967295}"
refused "fewer stacks than there are" "more stacks than the batch tells" <<< "${scene/stacks/stacks 1}"
refused "a stack that is cut short" "a stack" << 'T'
stacks 1
bytes 0100ffff00000000
T
refused "a stack in a batch that has none" "a stack" << 'T'
stacks 1
T
refused "half a start of a stack" "a stack" << 'T'
stacks 1
bytes 01000100
T
refused "a stack that is neither there nor not" "a type" << 'T'
type 1 3 0 switch 2
T
refused "a type with a stack, but no argument for it" "a type" << 'T'
type 60 0 0 new 1
T
refused "a switch whose state would be its stack" "a type" << 'T'
type 1 2 0 switch 1
T
refused "names that are none" "not a sound kmprof image" <<< "$scene
names 4b4d504602000000"
refused "names and more" "something follows the names" <<< "$scene
names $names
after 00"
refused "something behind the end" "something follows the last batch" <<< "$scene
after $(printf '0%.0s' {1..96})"

# Cut and changed anywhere. Names that are cut short are none.
head -c $(($(stat -c %s trace) - 1)) trace > bad
out=$("$asan/kmprof" trace --input bad 2>&1)
contains "stacks: names that are cut short" "warning: bad: its names are cut short" "$out"
out=$("$story" --cut trace 2>&1)
same "stacks: cut at every length" "$(stat -c %s trace)" \
	"$(awk '/^read [0-9]* refused [0-9]*$/ { print $2 + $4 }' <<< "$out")"
out=$("$story" --change bare 2>&1)
same "stacks: each byte changed in six ways" "$((6 * $(stat -c %s bare)))" \
	"$(awk '/^read [0-9]* refused [0-9]*$/ { print $2 + $4 }' <<< "$out")"

# A trace that is saved gets names: those of this machine.
log=$TMP/log
LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_LOG=$log STUB_TRACE=$TMP/bare "$kmprof" trace --stacks \
	-d 1ms -o saved 2> err
same "stacks: are asked for" "trace start fe 0 stacks" "$(grep start "$log")"
if grep -q "^[0-9a-f]*[1-9a-f][0-9a-f]* [tT] " /proc/kallsyms; then
	same "stacks: ... and the names saved behind the trace" 0 \
		"$(cmp -n "$(stat -c %s bare)" bare saved; echo $?)"
	[ "$(stat -c %s saved)" -gt "$(stat -c %s bare)" ]
	result "stacks: ... are there" $?
	same "stacks: ... and are read without a warning" "0 " \
		"$("$asan/kmprof" trace --input saved > /dev/null 2> err; echo "$? $(cat err)")"
else
	contains "stacks: no names, and why" "kallsyms" "$(cat err)"
fi
LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_LOG=$log STUB_TRACE=$TMP/bare STUB_TRACE_START=1 "$kmprof" \
	trace --stacks -d 1ms -o none 2> err
same "stacks: need rights" \
	"1 kmprof: stacks are addresses, and the kernel hides them" "$? $(head -1 err)"
