#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# trace recover: the trace of a flight recorder, from a dump of the memory; and what is missing there.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1

# crashed FILE DUMP OPTION...: see crashed.py
crashed()
{
	python3 "$TOOLS/tests/crashed.py" "$1" "${@:3}" > "$2" ||
		{ echo "not ok - making a dump"; exit 1; }
}

# recover ARGUMENT...: with dumped.c in the place of libkdumpfile
recover()
{
	env LD_PRELOAD="$TOOLS/build/tests/dumped.so" "$kmprof" trace recover "$@"
}

# events TRACE: as text, without what is not of an event
events()
{
	"$kmprof" trace --input "$1" 2>&1 | grep -v '^#' | sed 's/  */ /g'
}

# recovered NAME EXPECTED WARNINGS OPTION...: what is found of a trace, with these options
recovered()
{
	rm -f found
	crashed saved dump "${@:4}"
	recover dump -o found 2> err
	same "recover: $1" "0 $2$3" "$? $(events found)$(grep -v '^kmprof: found: ' err)"
}

# 1 + stack: the last argument of a switch.
mktrace > saved <<'T'
filter comm=x
type 1 3 0 switch 1
start 1000 5000 6000 1600000000000000000
end 8000 12000
task 10 10 bash
task 11 10 a thread
task 12 12 make
stacks
stack 1 ffffffff81001010 ffffffffc0000110
stack 2 ffffffff81002010
stack 3/1 ffffffffc0000210
batch 0 10 1100
@1200 waking 11
@1300 switch 11 2 1
batch 0 11 2000
@2100 switch 12 2 2
batch 1 0 2500
@3000 switch 12 0 0
batch 0 12 4000
@4100 switch 10 2 3
batch 0 10 5000
@8000 mark at the end
batch 1 12 4500
@5100 switch 0 2 1
T
long=$(printf 'f%.0s' {1..200})
all=$(cat <<T
 0.000000200 0 bash-10 waking a thread-11
 0.000000300 0 bash-10 switch to a thread-11, SLEEPING: do_one < own [one]
 0.000001100 0 a thread-11 switch to make-12, SLEEPING: $long
 0.000002000 1 idle switch to make-12
 0.000003100 0 make-12 switch to bash-10, SLEEPING: $long [one] < ...
 0.000004100 1 make-12 switch to idle, SLEEPING: do_one < own [one]
 0.000007000 0 bash-10 mark "at the end"
T
)
recovered "all of it, with names of the kernel and of its modules" "$all" ""
recovered "blocks that are being filled" "$all" "" open
recovered "behind a lock of any size" "$all" "" lock=64
same "recover: how much it is" "kmprof: found: 7 events, SIZE, in 0.000 s" \
	"$(sed 's/ [0-9]*B,/ SIZE,/' err)"
same "recover: other formats take it" 0 "$("$kmprof" trace --input found -o x.pftrace; echo $?)"
recover dump -o - 2> err > piped
same "recover: to standard output" "0 $all" "$? $(events piped)"

# All blocks are full. That in which it begins tells which task runs: the first one of CPU 0 does not.
end=$(cat <<T
 0.000000500 1 idle switch to make-12
 0.000001600 0 make-12 switch to bash-10, SLEEPING: $long [one] < ...
 0.000002600 1 make-12 switch to idle, SLEEPING: do_one < own [one]
 0.000005500 0 bash-10 mark "at the end"
T
)
recovered "from where all that was not written over begins" "$end" "" before=8
same "recover: ... what is before that is left out" "kmprof: found: 5 events," \
	"$(grep -o '.* events,' err)"
recovered "... and with blocks that are being filled" "$end" "" before=8 open
recovered "... and where another CPU says when it begins" "$end" "" before1=8
recovered "from where the module has cut it off" "$(tail -n 3 <<< "$end" | sed 's/0\.0000016/0.0000001/; s/0\.0000026/0.0000011/; s/0\.0000055/0.0000040/')" "" stopped=2

# What the dump does not have.
recovered "the blocks of a CPU" \
	"$(grep -v ' 1 ' <<< "$all"; echo " 0.000007000 1 - 2 events lost since 0.000000000")" \
	"kmprof: warning: dump: some blocks of events are damaged
kmprof: warning: dump: missing events: 2" drop=blocks1
recovered "the ring of a CPU" "$(grep ' 1 ' <<< "$all")" \
	"kmprof: warning: dump: the events of a CPU cannot be read" drop=ring0
recovered "a task: then all names are those of the start" "$all" \
	"kmprof: warning: dump: the tasks cannot be read: their names are those of when the recorder was started" \
	drop=task12
recovered "symbols of a module" \
	"$(sed "s/own \[one\]/0xffffffffc0000110/; s/: $long \[one\]/: 0xffffffffc0000210/" <<< "$all")" \
	"kmprof: warning: dump: not all symbols of module one can be read" drop=symbols
recovered "... or of all that are behind it" \
	"$(sed "s/own \[one\]/0xffffffffc0000110/; s/: $long \[one\]/: 0xffffffffc0000210/" <<< "$all")" \
	"kmprof: warning: dump: not all symbols of module (unknown) can be read" drop=one

# What is damaged. Of the second block of CPU 0, any part of its start, or a record: its events are lost.
at=16384
while read -r offset hex what; do
	recovered "$what of a block" \
		"$(sed '3d; s/.* 0 make-12 switch to bash.*/ 0.000003000 0 - 1 event lost since 0.000000300\n&/' <<< "$all")" \
		"kmprof: warning: dump: some blocks of events are damaged
kmprof: warning: dump: missing events: 1" "set=blocks0@$((at + offset))=$hex"
done <<'T'
0 00000000 the length
0 ffffffff a large length
4 05 the CPU
8 01 the flags
12 ffffffff the task
16 ffffffffffffff7f the number of events before it
24 ffffffffffffff7f the time
32 63 the number of records
40 3f the type of a record
42 ff a task of a record
43 ff a number of a record
44 09 the stack of a record
T
# The block that was about to be filled is none of the old ones.
recovered "the oldest block, which was about to be written over" "$end" "" \
	before=8 set=blocks0@0=00000000
recovered "a CPU that had not counted its last event" "$all" "" open set=ring0@48=04
for word in 8=ffffffffffffffff 8=05 24=ffffffffffffffff 48=ffffffffffffffff; do
	recovered "a ring: $word" "$(grep ' 1 ' <<< "$all")" \
		"kmprof: warning: dump: the events of a CPU cannot be read" "set=ring0@$word"
done
recovered "a list of tasks that has no end" "$all" \
	"kmprof: warning: dump: the tasks cannot be read: their names are those of when the recorder was started" \
	circle=12
recovered "the tasks of when it was stopped" "${all//bash/cash}" "" \
	set=crash@188=01 set=task10@64=78 set=header@$((280 + 24 * 8 + 8))=63
recovered "a task: then all names are those of the start, too" "$all" \
	"kmprof: warning: dump: the tasks cannot be read: their names are those of when the recorder was started" \
	set=task12@56=ffffffff
recovered "the number of symbols of a module" \
	"$(sed "s/own \[one\]/0xffffffffc0000110/; s/: $long \[one\]/: 0xffffffffc0000210/" <<< "$all")" \
	"kmprof: warning: dump: not all symbols of module one can be read" "set=one's@8=ffffffff"
recovered "a stack that was being added" "$all" "" set=stacks@24=00000000
recovered "the length of a stack: of those behind it, too" \
	"$(sed "s/: $long.*/: [address hidden] < .../" <<< "$all")" \
	"kmprof: warning: dump: some stacks cannot be read" set=stacks@24=0000000000000000
# No record has the last one.
recovered "a stack that was about to be added" "$(sed "s/: $long \[one\] < ...//" <<< "$all")" "" \
	set=stacks@40=0000000000000000 set=blocks0@$((2 * at + 44))=00
recovered "a stack that was about to be added, but is in a record" \
	"$(sed "s/: $long \[one\] < .../: [address hidden] < .../" <<< "$all")" "" \
	set=stacks@40=0000000000000000

# refused WORDS OPTION...: no trace can be found in such a dump
refused()
{
	crashed saved dump "${@:2}"
	rm -f found
	recover dump -o found 2> err
	contains "recover: ${*:2}: $1" "1 kmprof: dump: $1" "$? $(ls found 2> /dev/null)$(cat err)"
}
refused "no flight recorder was running" set=crash@24=00
refused "no flight recorder was running" drop=other
refused "its module is of another version" set=crash@32=01
refused "its module is of another version" set=crash@36=01000000
refused "its kernel has no symbols of variables (CONFIG_KALLSYMS_ALL)" functions
refused "65536 bytes at 0x" drop=names
refused "the trace's header is damaged" set=header@0=00
refused "the trace's header is damaged" set=header@16=ff
refused "the trace's header is damaged" set=header@4=09
refused "the trace's header is damaged" set=header@63=ff
refused "the trace's header is damaged" set=header@279=ff
refused "the trace's table of types is damaged" set=header@280=02
refused "8 bytes at 0x" drop=head
refused "no CPU has events" set=possible@0=00
refused "the kernel's symbols are damaged" set=index@222=ffff
refused "the trace's table of stacks is damaged" set=used@0=ffffffff

# What is no dump, and wrong arguments.
refuses()
{
	"$kmprof" trace recover "${@:3}" > out 2> err
	contains "recover: ${*:3}: $2" "$1 $2" "$? $(cat out err)"
}
refuses 1 "kmprof: saved: not a dump of a kernel's memory" saved
refuses 1 "kmprof: missing: No such file or directory" missing
refuses 1 "kmprof: .: not a dump of a kernel's memory" .
refuses 1 "kmprof: /bin/true: not a dump of a kernel's memory" /bin/true
refuses 2 "kmprof: trace: recover: give one dump, as /proc/vmcore"
refuses 2 "kmprof: trace: recover: give one dump, as /proc/vmcore" dump saved
refuses 2 "kmprof: trace: -o: needs a value" -o
refuses 2 "kmprof: trace: crash.html: a trace is saved as it is; 'kmprof trace --input TRACE -o FILE.html' makes that of it" \
	-o crash.html dump
crashed saved dump
recover dump -o /dev/full 2> err
contains "recover: a full disk" "1 kmprof: /dev/full: No space left on device" "$? $(cat err)"
# More than the output's buffer holds.
for ((i = 0; i < 720; i++)); do
	((i % 60)) || echo "batch 0 10 $((2000 + 10 * i))"
	echo "@$((2001 + 10 * i)) mark $long"
done | sed '1i filter comm=x\nend 20000 20000\ntask 10 10 bash' | mktrace > large
crashed large dump
recover dump -o /dev/full 2> err
contains "recover: ... before the end" "1 kmprof: /dev/full: No space left on device" "$? $(cat err)"
