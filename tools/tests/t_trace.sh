#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A saved trace: what the format may have, the order of events, and what tasks do. story prints all that
# is told of a trace, and aborts where it contradicts itself.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
story=$asan/tests/story

# shown NAME WANTED < DESCRIPTION: the lines of the text that are no heading
shown()
{
	mktrace > trace
	same "trace: $1" "$2" "$("$asan/kmprof" trace --input trace 2>&1 | grep -v '^#' |
		sed 's/^ *//; s/  */ /g')"
}

# Tasks, from one start to the end.
told "a task sleeps, is woken and runs; a child is created and dies" \
"task 1 10 10 'bash' running 0
task 2 11 11 'make' asleep -1
task 3 12 12 'never' asleep -1
5200 0 waking 1 2
  2 asleep -> runnable 5000 0 by 1/0
5300 0 switch 1 2
  1 running -> asleep 5000 0 reason 2
  2 runnable -> running 5200 0
5400 0 fork 2 4
  4 absent -> runnable 5400 0
5500 0 migrate 2 4
5600 0 switch 2 0
  2 running -> asleep 5300 0 reason 3
5610 1 switch 0 4
  4 runnable -> running 5400 1
5700 1 exec 4
5800 1 exit 4
5900 1 switch 4 0
  4 running -> dead 5610 1 reason 7" << 'T'
task 10 10 bash
task 11 11 make
task 12 12 never
batch 0 10 1100
@1200 waking 11
@1300 switch 11 2
@1400 fork 20 20 cc1
@1500 migrate 20 1
@1600 switch 0 3
batch 1 0 1550
@1610 switch 20 0
@1700 exec 20 as
@1800 exit 20 as
@1900 switch 0 7
T
same "trace: names are those at the end, too" "task 4 20 20 'as' dead 1" "$("$story" trace | tail -1)"

told "the first event tells what a task did at the start, and its name if it exits" \
"task 1 10 10 'exits' running 0
task 2 11 0 '' runnable -1
task 3 12 0 '' asleep -1
task 4 13 0 '' runnable -1
task 5 14 0 '' asleep -1
5100 0 exit 1
5200 0 switch 1 2
  1 running -> dead 5000 0 reason 7
  2 runnable -> running 5000 0
5300 0 waking 2 3
  3 asleep -> runnable 5000 0 by 2/0
5400 0 migrate 2 4
5500 0 rename 2 5" << 'T'
batch 0 10 1050
@1100 exit 10 exits
@1200 switch 11 7
@1300 waking 12
@1400 migrate 13 1
@1500 rename 14 x
T
told "each way to go, and a task that is preempted or yields goes on" \
"task 1 10 0 '' running 0
task 2 11 0 '' runnable -1
5100 0 switch 1 2
  1 running -> runnable 5000 0 reason 1
  2 runnable -> running 5000 0
5200 0 switch 2 1
  2 running -> runnable 5100 0 reason 0
  1 runnable -> running 5100 0
5300 0 switch 1 2
  1 running -> asleep 5200 0 reason 8
  2 runnable -> running 5200 0
5400 0 switch 2 0
  2 running -> asleep 5300 0 reason 99" << 'T'
batch 0 10 1000
@1100 switch 11 1
@1200 switch 10 0
@1300 switch 11 8
@1400 switch 0 99
T
told "the table of tasks has one that was created since" \
"task 1 10 10 'bash' running 0
5100 0 fork 1 2
  2 absent -> runnable 5100 0
5200 0 switch 1 2
  1 running -> asleep 5000 0 reason 2
  2 runnable -> running 5100 0" << 'T'
task 10 10 bash
task 20 20 child
batch 0 10 1000
@1100 fork 20 20 bash
@1200 switch 20 2
T
told "an id that is used again is another task" \
"task 1 10 10 'bash' running 0
5100 0 fork 1 2
  2 absent -> runnable 5100 0
5200 0 switch 1 2
  1 running -> asleep 5000 0 reason 2
  2 runnable -> running 5100 0
5300 0 exit 2
5400 0 waking 2 1
  1 asleep -> runnable 5200 0 by 2/0
5500 0 switch 2 1
  2 running -> dead 5200 0 reason 7
  1 runnable -> running 5400 0
5600 0 fork 1 3
  3 absent -> runnable 5600 0
5700 0 switch 1 3
  1 running -> asleep 5500 0 reason 2
  3 runnable -> running 5600 0" << 'T'
task 10 10 bash
batch 0 10 1000
@1100 fork 20 20 bash
@1200 switch 20 2
@1300 exit 20 one
@1400 waking 10
@1500 switch 10 7
@1600 fork 20 20 bash
@1700 switch 20 2
T
same "trace: ... with a name of its own" "task 2 20 20 'one' dead 0 task 3 20 20 'bash' running 0" \
	"$("$story" trace | tail -2 | xargs -d '\n')"

# A thread executes a program: it takes over the id of the main one.
told "exec by a thread" \
"task 1 10 10 'main' running 0
task 2 11 10 'thread' asleep -1
5100 0 waking 1 2
  2 asleep -> runnable 5000 0 by 1/0
5200 0 exit 1
5300 0 switch 1 2
  1 running -> dead 5000 0 reason 7
  2 runnable -> running 5100 0
5400 0 rename 2 2
5410 0 exec 2
5500 0 switch 2 0
  2 running -> asleep 5300 0 reason 2
5600 0 waking 0 2
  2 asleep -> runnable 5500 0 by 0/2
5700 0 switch 0 2
  2 runnable -> running 5600 0" << 'T'
task 10 10 main
task 11 10 thread
batch 0 10 1000
@1100 waking 11
@1200 exit 10 main
@1300 switch 11 7
@1400 rename 10 prog
@1410 exec 11 prog
@1500 switch 0 2
batch 0 0 1550
@1600 waking/hard 10
@1700 switch 10 0
T
same "trace: ... which keeps its number" "task 2 10 10 'prog' running 0" "$("$story" trace | tail -1)"
mktrace > trace << 'T'
task 10 10 main
task 11 10 thread
batch 0 11 1000
@1100 switch 10 1
@1200 exec 11 prog
@1300 fork 12 12 child
T
same "trace: ... and one that was switched to in between, with its new id, is the one that goes on" \
	"task 1 10 10 'prog' running 0 task 2 11 10 'thread' dead 0 task 3 12 12 'child' runnable -1" \
	"$("$story" trace | tail -3 | xargs -d '\n')"
# becomes_main NAME WANTED: the tasks of a trace in which the thread 11 becomes the main one
becomes_main()
{
	{ printf 'task 10 10 main\ntask 11 10 thread\n'; cat; } | mktrace > trace
	same "trace: a new main thread: $1" "$2" "$("$story" trace | grep ^task | tail -3 | xargs -d '\n')"
}
becomes_main "a batch begins between its name and its program" \
	"task 1 10 10 'main' dead 0 task 2 10 10 'prog' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 10 1000
@1200 exit 10 main
@1300 switch 11 7
@1400 rename 10 prog
batch 0 10 1410
@1410 exec 11 prog
@1450 fork 12 12 child
T
becomes_main "a batch begins with its name" \
	"task 1 10 10 'main' dead 0 task 2 10 10 'prog' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 10 1000
@1200 exit 10 main
@1300 switch 11 7
batch 0 10 1400
@1400 rename 10 prog
@1410 exec 11 prog
@1450 fork 12 12 child
T
becomes_main "the old one has exited, but still runs: it has the id of the thread" \
	"task 1 11 10 'main' dead 1 task 2 10 10 'prog' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 11 1000
@1400 rename 10 prog
@1410 exec 11 prog
@1450 fork 12 12 child
batch 1 10 1000
@1200 exit 10 main
@1500 switch 0 7
T
becomes_main "the old one has exited, and runs once more" \
	"task 2 11 10 'thread' asleep -1 task 1 11 10 'main' dead 0 task 2 10 10 'prog' runnable 0" << 'T'
batch 0 10 1000
@1100 waking 11
@1200 exit 10 main
@1300 switch 11 1
@1410 switch 10 1
@1415 switch 11 1
@1420 rename 10 prog
batch 0 10 1425
@1430 switch 11 1
@1440 switch 10 7
@1450 exec 11 prog
@1500 switch 0 1
T
becomes_main "its old id is used again before it tells of its program" \
	"task 2 10 10 'prog' running 0 task 3 20 20 'sh' running 1 task 4 11 11 'child' runnable -1" << 'T'
task 20 20 sh
batch 0 10 1000
@1200 exit 10 main
@1300 switch 11 7
@1400 rename 10 prog
batch 0 10 1405
@1410 exec 11 prog
batch 1 20 1000
@1408 fork 11 11 child
T
becomes_main "it has only named the main one, which has exited" \
	"task 1 10 10 'main' dead 0 task 2 11 10 'thread' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 10 1000
@1100 waking 11
@1200 exit 10 main
@1300 switch 11 7
@1400 rename 10 other
@1410 switch 0 2
@1420 waking 11
@1430 switch 11 0
@1450 fork 12 12 child
T
becomes_main "it sleeps before it tells of its program" \
	"task 1 10 10 'main' dead 0 task 2 10 10 'prog' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 10 1000
@1100 waking 11
@1200 exit 10 main
@1300 switch 11 7
@1400 rename 10 prog
@1410 switch 0 2
@1420 waking 10
@1430 switch 10 0
@1440 exec 11 prog
@1450 fork 12 12 child
T
becomes_main "the old one exited before the trace" \
	"task 1 11 10 'main' dead -1 task 2 10 10 'prog' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 11 1000
@1200 mark here
batch 0 10 1400
@1410 exec 11 prog
@1450 fork 12 12 child
T
becomes_main "its main one gets a name, and lives" \
	"task 1 10 10 'other' asleep -1 task 2 11 10 'thread' running 0 task 3 12 12 'child' runnable -1" << 'T'
batch 0 11 1000
@1200 rename 10 other
@1450 fork 12 12 child
T
becomes_main "what runs behind a loss is another task" \
	"task 2 11 10 'thread' unknown 0 task 3 10 0 '' running 0 task 4 12 12 'child' runnable -1" << 'T'
batch 0 10 1000
@1200 exit 10 main
@1300 switch 11 7
@1350 waking 11
lose 1 0
batch 0 10 1410
@1450 fork 12 12 child
T

# A wake-up of a task that runs.
told "a task that is woken on its way to sleep goes on" \
"task 1 10 0 '' running 0
task 2 11 0 '' running 1
5100 1 waking 2 1
5110 0 switch 1 0
  1 running -> asleep 5000 0 reason 2
  1 asleep -> runnable 5110 1 by 2/1
5200 0 switch 0 1
  1 runnable -> running 5110 0" << 'T'
batch 0 10 1050
@1110 switch 0 2
@1200 switch 10 0
batch 1 11 1060
@1100 waking/soft 10
T
told "one that is woken before it goes to sleep is not" \
"task 1 10 0 '' running 0
task 2 11 0 '' running 1
5100 1 waking 2 1
5110 0 switch 1 0
  1 running -> asleep 5000 0 reason 2
5150 1 waking 2 1
  1 asleep -> runnable 5110 1 by 2/0
5160 1 waking 2 1
5200 0 switch 0 1
  1 runnable -> running 5150 0" << 'T'
batch 0 10 1050
@1110 switch 0 2
@1200 switch 10 0
batch 1 11 1060
@1100 waking 10
@1150 waking 10
@1160 waking 10
T
told "nor is one that only yields afterwards" \
"task 1 10 0 '' running 0
task 2 11 0 '' running 1
5100 1 waking 2 1
5110 0 switch 1 0
  1 running -> runnable 5000 0 reason 1
5200 0 switch 0 1
  1 runnable -> running 5110 0
5300 0 switch 1 0
  1 running -> asleep 5200 0 reason 2" << 'T'
batch 0 10 1050
@1110 switch 0 1
@1200 switch 10 0
@1300 switch 0 2
batch 1 11 1060
@1100 waking 10
T

# Order. CPU 0 is looked at first.
told "causes come before effects at the same time" \
"task 1 10 0 '' running 2
task 2 11 0 '' asleep -1
task 3 12 0 '' asleep -1
5090 2 waking 1 2
  2 asleep -> runnable 5000 2 by 1/0
5100 2 switch 1 2
  1 running -> asleep 5000 2 reason 2
  2 runnable -> running 5090 2
5100 2 waking 2 3
  3 asleep -> runnable 5000 2 by 2/0
5100 0 switch 0 3
  3 runnable -> running 5100 0" << 'T'
cpus 3
batch 2 10 1050
@1090 waking 11
@1100 switch 11 2
@1100 waking 12
batch 0 0 1050
@1100 switch 12 0
T
told "a fork comes before the switch to its child, and a switch away before one to" \
"task 1 10 0 '' running 1
5100 1 fork 1 2
  2 absent -> runnable 5100 1
5100 0 switch 0 2
  2 runnable -> running 5100 0
5200 1 switch 1 0
  1 running -> runnable 5000 1 reason 1
5200 0 switch 2 1
  2 running -> asleep 5100 0 reason 2
  1 runnable -> running 5200 0" << 'T'
batch 1 10 1050
@1100 fork 12 12 a
@1200 switch 0 1
batch 0 0 1050
@1100 switch 12 0
@1200 switch 10 2
T
told "switches that wait for each other come all the same, before what is later" \
"task 1 30 0 '' runnable -1
task 2 31 0 '' runnable -1
5060 0 switch 0 1
  1 runnable -> running 5000 0
5060 1 switch 0 2
  2 runnable -> running 5000 1
5070 0 switch 1 0
  1 running -> asleep 5060 0 reason 2
5070 1 switch 2 0
  2 running -> asleep 5060 1 reason 2
  1 asleep -> runnable 5070 -1 inferred
5100 0 switch 0 1
  1 runnable -> running 5100 0
  2 asleep -> runnable 5070 -1 inferred
5100 1 switch 0 2
  2 runnable -> running 5100 1
5150 2 mark 0" << 'T'
cpus 3
batch 0 0 1050
@1060 switch 30 0
@1070 switch 0 2
@1100 switch 30 0
batch 1 0 1050
@1060 switch 31 0
@1070 switch 0 2
@1100 switch 31 0
batch 2 0 1050
@1150 mark x
T
told "batches of a CPU stay in their order, and those of others come in between" \
"task 1 10 0 '' running 0
task 2 11 0 '' running 1
5100 0 mark 1
5100 1 mark 2
5150 1 mark 2
5200 0 mark 1
5200 0 mark 1
5250 1 mark 2
5300 0 mark 1" << 'T'
batch 0 10 1050
@1100 mark a
@1200 mark c
batch 0 10 1200
@1200 mark d
@1300 mark f
batch 1 11 1050
@1100 mark b
batch 1 11 1150
@1150 mark b
@1250 mark e
T

# Losses.
told "a loss is told where it is, and tasks are put right before what comes next" \
"task 1 10 10 'a' running 0
task 2 11 11 'b' unknown -1
task 3 12 12 'c' unknown -1
5100 0 mark 1
  1 running -> unknown 5000 -1 inferred reason -1
5500 0 lost 7 5100
  2 unknown -> runnable 5000 -1 inferred
  2 runnable -> running 5500 0 inferred
  1 unknown -> asleep 5100 -1 inferred
5600 0 waking 2 1
  1 asleep -> runnable 5600 0 by 2/0
  3 unknown -> runnable 5000 -1 inferred
5700 0 switch 2 3
  2 running -> asleep 5500 0 reason 2
  3 runnable -> running 5700 0" << 'T'
task 10 10 a
task 11 11 b
task 12 12 c
batch 0 10 1050
@1100 mark x
lose 7
batch 0 11 1500
@1600 waking 10
@1700 switch 12 2
T
told "a fork, an exit and a switch can be lost" \
"task 1 10 10 'a' unknown -1
task 2 11 11 'b' unknown -1
5400 0 lost 3 5000
  3 absent -> runnable 0 -1 inferred
  3 runnable -> running 5400 0 inferred
  2 unknown -> asleep 5000 -1 inferred
5500 0 waking 3 2
  2 asleep -> runnable 5500 0 by 3/0
  2 runnable -> dead 5500 -1 inferred
5510 0 fork 3 4
  4 absent -> runnable 5510 0
  5 absent -> asleep 0 -1 inferred
5600 0 waking 3 5
  5 asleep -> runnable 5600 0 by 3/0
5700 0 switch 3 0
  3 running -> dead 5400 0 reason 7
  6 absent -> asleep 0 -1 inferred
5800 0 waking 0 6
  6 asleep -> runnable 5800 0 by 0/2" << 'T'
task 10 10 a
task 11 11 b
lose 3 0
batch 0 20 1400
@1500 waking 11
@1510 fork 11 11 new
@1600 waking 30
@1700 switch 0 7
@1800 waking/hard 20
T
told "a loss at the start, one without records behind it, and one on another CPU" \
"5000 0 lost 3 5000
5100 0 mark 0
5150 1 lost 1 5000
5200 0 lost 2 5100
5300 0 lost 1 5200" << 'T'
lose 3 0
batch 0 0 1000
@1100 mark a
lose 2
batch 0 0 1200
lose 1
batch 0 0 1300
lose 1 1
batch 1 0 1150
T
told "records that contradict each other" \
"task 1 10 0 '' running 0
  1 running -> runnable 5000 -1 inferred reason -1
5100 1 switch 0 1
  1 runnable -> running 5100 1
5200 0 switch 1 0
5300 1 switch 1 1
  1 running -> asleep 5100 1 reason 2
  1 asleep -> runnable 5300 -1 inferred
  1 runnable -> running 5300 1" << 'T'
batch 0 10 1050
@1200 switch 0 2
batch 1 0 1050
@1100 switch 10 0
@1300 switch 10 2
T
told "without switches, nothing is said of states" \
"task 1 10 0 '' unknown -1
  2 absent -> unknown 0 -1 inferred
5100 0 waking 1 2
5200 0 waking 1 2" << 'T'
events 4
batch 0 10 1050
@1100 waking 11
@1200 waking 11
T

# Times. 1000 ticks are 5000 ns.
ns()
{
	"$story" trace | sed -n 's/ 0 mark .*//p' | xargs
}
mktrace > trace << 'T'
hz 500000000
end 3000 8000
batch 0 0 900
@900 mark before
@1001 mark a
@1003 mark b
@3000 mark end
@4000 mark later
T
same "trace: times by both clocks of the end, without what came before or later" "5001 5004 8000" "$(ns)"
mktrace > trace << 'T'
hz 500000000
noend
batch 0 0 1000
@1001 mark a
@1500 mark b
T
same "trace: without an end, by the ticks in a second" "5002 6000" "$(ns)"
contains "trace: ... and it is said" "note: trace: is cut short at byte" "$("$story" trace)"
mktrace > trace << 'T'
end 1000 5000
hz 500000000
batch 0 0 1000
@1000 mark a
T
same "trace: an end without a time" "5000" "$(ns)"
mktrace > trace << 'T'
hz 1
noend
batch 0 0 1000
@18446744073709551615 mark a
T
same "trace: the latest time that there can be" 9223372036854775807 "$(ns)"
mktrace > trace << 'T'
end 18446744073709551615 9223372036854775807
batch 0 0 1000
@9223372036854776000 mark a
@18446744073709551615 mark a
T
same "trace: the most ticks and ns" "4611686018427390249 9223372036854775807" "$(ns)"

# What a later version may have.
told "longer headers, types and tasks, more arguments, other types" \
"task 1 10 10 'a' running 0
5100 0 later 1
5200 0 switch 1 0
  1 running -> asleep 5000 0 reason 2
5300 0 words 0" << 'T'
sizes 16 8 24
type 1 3 0 switch
type 63 0 1 words
type 40 3 0 later
task 10 10 a
batch 0 10 1000
@1100 later 1 2 18446744073709551615
@1200 switch 0 2 5
@1300 words a b
T

# Text.
shown "text: each event in words" \
'0.000000010 0 a-10 waking b-11
0.000000020 0 a-10 waking ?-12 (softirq)
0.000000030 0 a-10 waking ?-12 (hardirq)
0.000000040 0 a-10 migrate ?-12 to CPU 1
0.000000050 0 a-10 fork c-13 of process 10
0.000000060 0 a-10 rename a-10 to "e"
0.000000070 0 e-10 exec as "e"
0.000000080 0 e-10 mark "x y ??"
0.000000090 0 e-10 switch to b-11, PREEMPTED
0.000000100 0 b-11 exit of process 11
0.000000110 0 b-11 switch to idle, DEAD
0.000000120 0 idle switch to e-10
0.000000130 0 e-10 later 1 2 "z" (context 3)
0.000000140 0 e-10 switch to ?-12, state 77
0.000000200 0 - 1 event lost since 0.000000140
0.000000300 0 - 22 events lost since 0.000000200
0.000000310 0 idle mark ""' << 'T'
type 30 2 1 later
task 10 10 a
task 11 11 b
batch 0 10 1000
@1010 waking 11
@1020 waking/soft 12
@1030 waking/hard 12
@1040 migrate 12 1
@1050 fork 13 10 c
@1060 rename 10 e
@1070 exec 10 e
@1080 mark x y \x00\x1b
@1090 switch 11 1
@1100 exit 11 b
@1110 switch 0 7
@1120 switch 10 0
@1130 later/3 1 2 z
@1140 switch 12 77
lose 1
batch 0 12 1200
lose 22
batch 0 0 1300
@1310 mark
T
"$kmprof" trace --input trace -o x.txt
same "trace: text: its heading" \
"# 15 events, 23 lost, in 0.000000 s on 2 CPUs
# 0 s is 2020-09-13 12:26:40.000000000 UTC, CLOCK_MONOTONIC 0.000005000" "$(head -2 x.txt)"
mktrace > more << 'T'
end 2000 6000
batch 0 0 900
@910 mark early
lose 3
batch 0 0 950
@1010 mark a
lose 2
batch 0 0 1100
@2010 mark late
T
contains "trace: text: ... has the events that are shown" "# 1 events, 2 lost, in" \
	"$("$kmprof" trace --input more)"
mktrace > cut << 'T'
noend
batch 0 0 1000
@1010 mark a
T
out=$("$kmprof" trace --input cut 2>&1)
contains "trace: text: a trace that was cut short" "# it was cut short" "$out"
contains "trace: ... is warned of" "kmprof: warning: cut: is cut short at byte $(stat -c %s cut): what came later is not shown" "$out"
mktrace > slept << 'T'
suspended 2500000000
batch 0 0 1000
@1010 mark a
T
out=$("$kmprof" trace --input slept 2>&1)
contains "trace: a suspend is warned of" "kmprof: warning: slept: the system was suspended for 2.500 s meanwhile: the times mean nothing
kmprof: hint: the order of events on each CPU is right; for times, trace again without a suspend" "$out"
contains "trace: ... in the text, too" "# the system was suspended meanwhile: the times mean nothing" "$out"
same "trace: ... which is shown" 0 "$("$kmprof" trace --input slept > /dev/null 2>&1; echo $?)"
printf 'suspended 5000000\nbatch 0 0 1000\n@1010 mark a\n' | mktrace > slept
same "trace: clocks that were not read at the same time are no suspend" "" \
	"$("$kmprof" trace --input slept 2>&1 | grep suspend)"
shown "text: an exit has the name before it" '0.000000010 0 ?-10 exit of process 10
0.000000020 0 late-10 mark "m"' << 'T'
events 0x7e
batch 0 10 1000
@1010 exit 10 late
@1020 mark m
T
shown "text: a name with other characters" '0.000000010 0 a?b-10 mark "m"' << 'T'
task 10 10 a\x1bb
batch 0 10 1000
@1010 mark m
T
same "trace: text: exec by a thread" 'exec as "p", from now on with id 10' \
	"$(printf 'task 11 10 t\nbatch 0 11 1000\n@1010 exec 11 p\n' | mktrace > trace
		"$kmprof" trace --input trace | sed -n 's/.*exec/exec/p')"

# Formats, and where they go.
same "trace: raw is the file itself" 0 \
	"$("$kmprof" trace --input trace --format raw | cmp - trace; echo $?)"
"$kmprof" trace --input trace -o y.trace
same "trace: ... by its suffix, too" 0 "$(cmp trace y.trace; echo $?)"
same "trace: from a pipe" "$("$kmprof" trace --input trace)" "$(cat trace | "$kmprof" trace --input -)"
same "trace: from standard input" "$("$kmprof" trace --input trace)" \
	"$("$kmprof" trace --input - < trace)"
out=$("$kmprof" trace --input trace -o /dev/full 2>&1)
same "trace: a full disk" "1 kmprof: /dev/full: No space left on device" "$? $(echo "$out" | head -1)"
out=$(terminal "$kmprof trace --input trace --format raw")
contains "trace: nothing binary on a terminal" "raw is binary: give -o FILE, or a pipe" "$out"
