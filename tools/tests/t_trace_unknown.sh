#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a saved trace does not say is told as not known: what runs at the start, in holes, behind the
# end of a trace that was cut short, and what follows from events that were not recorded.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1

# Batches without records.
told "a batch without records tells what runs, from the start to the end" \
"task 1 10 10 'spins' running 1
5100 0 mark 0" << 'T'
task 10 10 spins
batch 1 10 990
batch 0 0 990
@1100 mark a
T
same "trace: ... to the end" "task 1 10 10 'spins' running 1" "$("$asan/tests/story" trace | tail -1)"
told "a CPU that was offline is idle when it comes back, and not known before" \
"task 1 10 10 'stopper' running 0
5100 1 mark 0
5200 0 mark 1
  1 running -> unknown 5000 -1 inferred reason -1
  1 unknown -> asleep 5200 -1 inferred
5600 1 waking 0 1
  1 asleep -> runnable 5600 1 by 0/2" << 'T'
task 10 10 stopper
batch 0 10 990
@1200 mark a
batch 0 0 1500
batch 1 0 990
@1100 mark b
@1600 waking/hard 10
T

# Before the start.
told "what is before the start is not told, but which task it has switched to" \
"task 1 10 10 'a' runnable -1
task 2 11 11 'b' running 0
5050 0 switch 2 1
  2 running -> asleep 5000 0 reason 2
  1 runnable -> running 5000 0" << 'T'
task 10 10 a
task 11 11 b
batch 0 10 900
@910 mark early
@920 waking 11
@930 switch 11 1
@1050 switch 10 2
T
told "a task that has moved before the start runs on one CPU" \
"task 1 10 10 'moves' running 1
task 2 11 11 'other' running 0
5100 0 mark 2
5100 1 mark 1" << 'T'
task 10 10 moves
task 11 11 other
batch 0 10 900
@910 switch 11 1
@1100 mark a
batch 1 10 950
@1100 mark b
T
told "the other way round" \
"task 1 10 10 'moves' running 0
task 2 11 11 'other' running 1
5100 0 mark 1
5100 1 mark 2" << 'T'
task 10 10 moves
task 11 11 other
batch 1 10 900
@910 switch 11 1
@1100 mark b
batch 0 10 950
@1100 mark a
T
told "losses before the start are none" \
"task 1 10 10 'a' running 0
5100 0 mark 1" << 'T'
task 10 10 a
batch 0 11 900
lose 3
batch 0 10 950
@1100 mark a
T
told "what runs at the start is not known in the middle of a loss" \
"task 1 10 10 'a' unknown -1
5100 0 lost 3 5000
  1 unknown -> runnable 5000 -1 inferred
  1 runnable -> running 5100 0 inferred
5200 0 mark 1" << 'T'
task 10 10 a
batch 0 10 900
lose 3
batch 0 10 1100
@1200 mark b
T

# What the kernel does not do.
told "what a task that dies switches to by the same id is another" \
"task 1 10 10 'a' running 0
  2 absent -> runnable 0 -1 inferred
5100 0 switch 1 2
  1 running -> dead 5000 0 reason 7
  2 runnable -> running 5100 0
5200 0 mark 2" << 'T'
task 10 10 a
batch 0 10 1000
@1100 switch 10 7
@1200 mark b
T

# Losses: what a CPU has done meanwhile is charged to nobody.
told "the task that ran before a loss, and after it, does what is not known in between" \
"task 1 10 10 'a' running 0
5100 0 mark 1
  1 running -> unknown 5000 -1 inferred reason -1
5200 1 mark 0
5500 0 lost 3 5100
  1 unknown -> runnable 5100 -1 inferred
  1 runnable -> running 5500 0 inferred
5600 0 mark 1" << 'T'
task 10 10 a
batch 0 10 1000
@1100 mark a
lose 3
batch 0 10 1500
@1600 mark b
batch 1 0 1000
@1200 mark c
T
told "it may have been on another CPU, and have gone to sleep there" \
"task 1 10 10 'a' running 0
5100 0 mark 1
  1 running -> unknown 5000 -1 inferred reason -1
  1 unknown -> runnable 5100 -1 inferred
5200 1 switch 0 1
  1 runnable -> running 5200 1
5300 1 switch 1 0
  1 running -> asleep 5200 1 reason 2
5500 0 lost 3 5100
  1 asleep -> runnable 5300 -1 inferred
  1 runnable -> running 5500 0 inferred
5600 0 mark 1" << 'T'
task 10 10 a
batch 0 10 1000
@1100 mark a
lose 3
batch 0 10 1500
@1600 mark b
batch 1 0 1000
@1200 switch 10 0
@1300 switch 0 2
T
told "what runs after a loss runs since the batch has begun" \
"task 1 10 10 'a' running 0
task 2 11 11 'b' unknown -1
  1 running -> unknown 5000 -1 inferred reason -1
5500 0 lost 1 5000
  2 unknown -> runnable 5000 -1 inferred
  2 runnable -> running 5500 0 inferred
5900 0 mark 2" << 'T'
task 10 10 a
task 11 11 b
batch 0 10 1000
lose 1
batch 0 11 1500
@1900 mark a
T
told "losses up to the end" \
"task 1 10 10 'a' running 0
5100 0 mark 1
  1 running -> unknown 5000 -1 inferred reason -1
5900 1 mark 0
6000 0 lost 5 5100" << 'T'
task 10 10 a
end 2000 6000
batch 0 10 1000
@1100 mark a
lose 5
batch 0 0 2000
batch 1 0 1000
@1900 mark b
T
same "trace: ... and then nothing is known" "task 1 10 10 'a' unknown 0" \
	"$("$asan/tests/story" trace | tail -1)"
told "what one CPU loses is not known of tasks that others see first" \
"task 1 10 10 'a' unknown -1
  1 unknown -> runnable 5000 -1 inferred
5200 1 switch 0 1
  1 runnable -> running 5200 1
  2 absent -> runnable 0 -1 inferred
5300 1 switch 1 2
  1 running -> asleep 5200 1 reason 2
  2 runnable -> running 5300 1
5500 0 lost 3 5000" << 'T'
task 10 10 a
lose 3 0
batch 0 0 1500
batch 1 0 1000
@1200 switch 10 0
@1300 switch 20 2
T

told "a wake-up that may have been lost was not an early one" \
"task 1 10 10 'a' running 0
5100 1 waking 0 1
5200 0 switch 1 0
  1 running -> asleep 5000 0 reason 2
5500 1 lost 1 5100
  1 asleep -> runnable 5200 -1 inferred
5600 0 switch 0 1
  1 runnable -> running 5600 0" << 'T'
task 10 10 a
batch 0 10 1000
@1200 switch 0 2
@1600 switch 10 0
batch 1 0 1000
@1100 waking/hard 10
lose 1
batch 1 0 1500
T
told "... but if all CPUs are seen again when the task goes to sleep" \
"task 1 10 10 'a' running 0
5050 1 lost 1 5000
5100 1 waking 0 1
5200 0 switch 1 0
  1 running -> asleep 5000 0 reason 2
  1 asleep -> runnable 5200 1 by 0/2
5600 0 switch 0 1
  1 runnable -> running 5200 0" << 'T'
task 10 10 a
batch 0 10 1000
@1200 switch 0 2
@1600 switch 10 0
batch 1 0 1000
lose 1
batch 1 0 1050
@1100 waking/hard 10
T

# Cut short.
told "a trace that was cut short tells of each CPU up to its last batch" \
"note: trace: is cut short at byte 433: what came later is not shown
task 1 10 10 'a' running 0
task 2 11 11 'b' running 1
task 3 12 12 'never' unknown -1
5100 0 mark 1
  1 running -> unknown 5000 -1 inferred reason -1
5900 1 mark 2
  2 running -> unknown 5000 -1 inferred reason -1" << 'T'
task 10 10 a
task 11 11 b
task 12 12 never
noend
batch 0 10 1000
@1100 mark a
batch 1 11 1000
@1900 mark b
T
told "a CPU that has not come as far may have created tasks, and woken them" \
"note: trace: is cut short at byte 344: what came later is not shown
task 1 10 10 'a' unknown -1
  1 unknown -> runnable 5000 -1 inferred
5100 0 switch 0 1
  1 runnable -> running 5100 0
  2 absent -> runnable 0 -1 inferred
5200 0 switch 1 2
  1 running -> asleep 5100 0 reason 2
  2 runnable -> running 5200 0
  2 running -> unknown 5200 -1 inferred reason -1" << 'T'
task 10 10 a
noend
batch 0 0 1000
@1100 switch 10 0
@1200 switch 11 2
T

# Events that were not recorded. Bits: 1 switch, 2 waking, 3 migrate, 4 fork, 5 exec, 6 exit, 7 rename.
told "without forks, a task may have been created before it is seen" \
"task 1 10 10 'a' running 0
task 2 11 11 'b' unknown -1
task 3 12 12 'c' asleep -1
task 4 13 13 'never' unknown -1
  2 unknown -> runnable 5000 -1 inferred
5100 0 switch 1 2
  1 running -> asleep 5000 0 reason 2
  2 runnable -> running 5100 0
5150 0 waking 2 3
  3 asleep -> runnable 5000 0 by 2/0
  5 absent -> runnable 0 -1 inferred
5200 0 switch 2 5
  2 running -> asleep 5100 0 reason 2
  5 runnable -> running 5200 0
  6 absent -> asleep 0 -1 inferred
5300 0 waking 5 6
  6 asleep -> runnable 5300 0 by 5/0
  7 absent -> unknown 0 -1 inferred
5400 0 rename 5 7" << 'T'
events 0xee
task 10 10 a
task 11 11 b
task 12 12 c
task 13 13 never
batch 0 10 1000
@1100 switch 11 2
@1150 waking 12
@1200 switch 20 2
@1300 waking 21
@1400 rename 22 x
T
told "without wake-ups, a task that runs has been woken, or was runnable" \
"task 1 10 10 'a' running 0
task 2 11 11 'b' unknown -1
task 3 12 12 'never' unknown -1
  2 unknown -> runnable 5000 -1 inferred
5100 0 switch 1 2
  1 running -> asleep 5000 0 reason 3
  2 runnable -> running 5100 0
  1 asleep -> runnable 5100 -1 inferred
5200 0 switch 2 1
  2 running -> asleep 5100 0 reason 2
  1 runnable -> running 5200 0
5300 0 migrate 1 2" << 'T'
events 0xfa
task 10 10 a
task 11 11 b
task 12 12 never
batch 0 10 1000
@1100 switch 11 3
@1200 switch 10 2
@1300 migrate 11 1
T
told "without renames, the name at the exit may be another one than that at the start" \
"task 1 10 10 '' running 0
5100 0 exit 1" << 'T'
events 0x7e
batch 0 10 1000
@1100 exit 10 late
T
told "with them, it is that" \
"task 1 10 10 'late' running 0
5100 0 exit 1" << 'T'
batch 0 10 1000
@1100 exit 10 late
T
told "without switches, nothing is said of states, but of what is created" \
"task 1 10 0 '' unknown -1
5100 0 fork 1 2
  2 absent -> unknown 5100 0
5200 0 waking 1 2" << 'T'
events 0xfc
batch 0 10 1000
@1100 fork 11 11 a
@1200 waking 11
T
same "trace: ... up to the end" "task 1 10 0 '' unknown -1 task 2 11 11 'a' unknown -1" \
	"$("$asan/tests/story" trace | tail -2 | xargs -d '\n')"
