#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A saved trace in the formats of other programs: Go's, Perfetto's, Chrome's. What they make of scenes
# made up by hand.
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
export HOME=$TMP

# in_go NAME WANTED < DESCRIPTION: the events behind the creation of the tasks of the start. The
# parser has those of the same time in no order, but for those of one P.
in_go()
{
	convert go
	same "go: $1" "$2" "$(go_events trace.go | sed '0,/Gomaxprocs/d' | sort -s -k1,1n -k3,3)"
}

# go_profile NAME: a profile of trace.go, a line for each stack
go_profile()
{
	go tool trace -pprof="$1" trace.go > profile 2> /dev/null
	pprof -traces profile | awk '
		/^ +[0-9.]+[a-z]* / { stack = $1 " " $2; next }
		/^---/ && stack { print stack; stack = "" }
		stack { stack = stack " " $1 }
		END { if (stack) print stack }' | sort
}

# in_perfetto NAME WANTED < DESCRIPTION: a line for each event, those of tracks first
in_perfetto()
{
	convert perfetto
	same "perfetto: $1" "$2" "$(decoded trace.perfetto | awk '
		function show() { if (line) print line; line = "" }
		/^packet|^    event/ { show() }
		/^    cpu:/ { cpu = $2 }
		/^  timestamp:/ { time = $2 }
		/^  track_event/ { line = time " on track" }
		/^    event/ { line = "cpu " cpu }
		/^    lost_events/ { show(); print "cpu " cpu " has lost events" }
		line && /^ +[a-z_0-9]+ \{/ && !/^    event|track_event/ { line = line " " $1 }
		line && /: / && !/ type:|sequence_flags/ { $1 = $1; line = line " " $0 }
		END { show() }')"
}

scene="task 10 10 bash
task 11 11 make
task 12 12 never
task 13 12 thread
batch 0 10 1100
@1200 waking 11
@1300 switch 11 2
@1400 fork 20 20 make
@1450 fork 21 11 make
@1500 switch 0 3
batch 1 0 1550
@1600 switch 20 0
@1650 waking/hard 10
@1660 mark hello
@1670 rename 20 as
@1700 exec 20 as
@1750 migrate 10 1
@1800 exit 20 as
@1900 switch 10 7
end 2000 6000"

in_go "a task sleeps, is woken and runs; a child is created and dies" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
201 GoUnblock p=0 g=10 g=11 seq=2
301 GoBlock p=0 g=10
301 GoStart p=0 g=11 g=11 seq=3
401 GoCreate p=0 g=11 g=20
451 GoCreate p=0 g=11 g=21
501 GoBlockSync p=0 g=11
501 ProcStop p=0 g=0
601 ProcStart p=1 g=0 thread=1
601 GoStart p=1 g=20 g=20 seq=1
651 GoUnblock p=1000001 g=0 g=10 seq=2
661 UserLog p=1 g=20 category=mark message=hello
701 UserLog p=1 g=20 category=exec message=as
901 GoEnd p=1 g=20
901 GoStart p=1 g=10 g=10 seq=3
1001 GoPreempt p=1 g=10
1001 ProcStop p=1 g=0" <<< "$scene"
same "go: all tasks of the start come first, and wait unless they run" \
"0 GoCreate p=0 g=0 g=10
0 GoCreate p=0 g=0 g=11
0 GoWaiting p=0 g=11 g=11
0 GoCreate p=0 g=0 g=12
0 GoWaiting p=0 g=12 g=12
0 GoCreate p=0 g=0 g=13
0 GoWaiting p=0 g=13 g=13
0 Gomaxprocs p=0 g=0 procs=2" "$(go_events trace.go | sed '/Gomaxprocs/q')"
same "go: latency of the scheduler, by what has woken or created the task" \
"100ns wakes bash
200ns creates make
250ns wakes hardirq" "$(go_profile sched)"

in_perfetto "each event is that of ftrace" \
'6660 on track track_uuid: 5 categories: "mark" name: "hello"
cpu 0 timestamp: 6000 pid: 0 sched_switch prev_comm: "swapper/0" prev_prio: 120 next_comm: "bash" next_pid: 10 next_prio: 120
cpu 0 timestamp: 6200 pid: 10 sched_waking comm: "make" pid: 11 prio: 120 success: 1 target_cpu: -1
cpu 0 timestamp: 6300 pid: 10 sched_switch prev_comm: "bash" prev_pid: 10 prev_prio: 120 prev_state: 1 next_comm: "make" next_pid: 11 next_prio: 120
cpu 0 timestamp: 6400 pid: 11 task_newtask pid: 20 comm: "make"
cpu 0 timestamp: 6450 pid: 11 task_newtask pid: 21 comm: "make" clone_flags: 65536
cpu 0 timestamp: 6500 pid: 11 sched_switch prev_comm: "make" prev_pid: 11 prev_prio: 120 prev_state: 2 next_comm: "swapper/0" next_prio: 120
cpu 1 timestamp: 6600 pid: 0 sched_switch prev_comm: "swapper/1" prev_prio: 120 next_comm: "make" next_pid: 20 next_prio: 120
cpu 1 timestamp: 6650 pid: 20 common_flags: 8 sched_waking comm: "bash" pid: 10 prio: 120 success: 1
cpu 1 timestamp: 6670 pid: 20 task_rename pid: 20 oldcomm: "make" newcomm: "as"
cpu 1 timestamp: 6700 pid: 20 sched_process_exec filename: "as" pid: 20 old_pid: 20
cpu 1 timestamp: 6750 pid: 20 sched_migrate_task comm: "bash" pid: 10 prio: 120 dest_cpu: 1
cpu 1 timestamp: 6800 pid: 20 sched_process_exit comm: "as" pid: 20 tgid: 20 prio: 120
cpu 1 timestamp: 6900 pid: 20 sched_switch prev_comm: "as" prev_pid: 20 prev_prio: 120 prev_state: 16 next_comm: "bash" next_pid: 10 next_prio: 120' <<< "$scene"
head=$(decoded trace.perfetto | sed '/ftrace_events/,$d' | tr -d '\n' | tr -s ' ')
contains "perfetto: clocks" "clock_id: 1 timestamp: 1600000000000000000 } clocks { clock_id: 3 timestamp: 5000 } clocks { clock_id: 6 timestamp: 6000 }" "$head"
contains "perfetto: the release that the states are of" 'release: "4.14.0"' "$head"
contains "perfetto: processes" 'process_tree { processes { pid: 10 cmdline: "bash" }' "$head"
contains "perfetto: the track of a mark is that of its thread" \
	'sequence_flags: 1 track_descriptor { uuid: 5 thread { pid: 20 tid: 20 thread_name: "make" }' "$head"

numbers=$(field_numbers trace.perfetto)
same "perfetto: the numbers of fields in clocks, system, processes" \
	"1.2.1.1 1.2.1.3 1.2.2.1 1.2.2.2 1.2.2.3 1.6.1.1 1.6.1.2 1.8 1.45.1.1 1.45.1.2 1.45.1.3 1.45.1.4 1.45.8" \
	"$(echo "$numbers" | grep -E '^1\.(2|6|8|45)(\.|$)' | xargs)"
same "perfetto: the numbers of fields in marks and their tracks" \
	"1.10 1.11.9 1.11.11 1.11.22 1.11.23 1.13 1.60.1 1.60.4.1 1.60.4.2 1.60.4.5" \
	"$(echo "$numbers" | grep -E '^1\.(10|11|13|60)(\.|$)' | xargs)"
# fields NUMBER WANTED: those of the event of that number
fields()
{
	same "perfetto: the numbers of fields in event $1" "$2" \
		"$(echo "$numbers" | sed -n "s/^1\\.1\\.2\\.$1\\.//p" | xargs)"
}
fields 4 "1 2 3 4 5 6 7"	# sched_switch
fields 20 "1 2 3 4 5"		# sched_waking
fields 235 "1 2 3"		# task_newtask
fields 236 "1 2 3"		# task_rename
fields 237 "1 2 3"		# sched_process_exec
fields 238 "1 2 3 4"		# sched_process_exit
fields 491 "1 2 3 5"		# sched_migrate_task
same "perfetto: no other numbers in bundles" "1.1.1 1.1.2.1 1.1.2.2 1.1.2.5" \
	"$(echo "$numbers" | grep -E '^1\.1\.(1|2\.[0-9]+)$' | xargs)"

convert chrome <<< "$scene"
same "chrome: a slice for each run of a task" \
"0 0.0 0.3 bash 10 SLEEPING
0 0.3 0.2 make 11 BLOCKED
1 0.6 0.3 as 20 DEAD
1 0.9 0.1 bash 10 end of the trace" "$(json "'\n'.join(sorted('%d %s %s %s %d %s' % (e['tid'], e['ts'],
	e['dur'], e['name'], e['args']['tid'], e['args']['then']) for e in v['traceEvents'] if e['ph'] == 'X'))" < trace.chrome)"
same "chrome: an instant for each other event" \
"0 0.2 wakes make 11
0 0.4 creates make 20
0 0.45 creates make 21
1 0.65 wakes bash 10
1 0.66 mark: hello
1 0.67 renames to as
1 0.7 executes as
1 0.75 moves bash 10
1 0.8 exits: as" "$(json "'\n'.join('%d %s %s' % (e['tid'], e['ts'], e['name'])
	for e in v['traceEvents'] if e['ph'] == 'i')" < trace.chrome)"
same "chrome: a row for each CPU" "CPU 0,CPU 1" "$(json "','.join(e['args']['name']
	for e in v['traceEvents'] if e['name'] == 'thread_name')" < trace.chrome)"

in_go "a task that is woken on its way to sleep" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
1 ProcStart p=1 g=0 thread=1
1 GoStart p=1 g=11 g=11 seq=1
301 GoBlock p=0 g=10
301 ProcStop p=0 g=0
301 GoUnblock p=1 g=11 g=10 seq=2
401 ProcStart p=0 g=0 thread=0
401 GoStart p=0 g=10 g=10 seq=3
501 GoPreempt p=0 g=10
501 ProcStop p=0 g=0
501 GoPreempt p=1 g=11
501 ProcStop p=1 g=0" << 'T'
task 10 10 bash
task 11 11 make
batch 0 10 1000
@1300 switch 0 2
@1400 switch 10 0
batch 1 11 1000
@1290 waking 10
@1500 waking 10
T

in_go "wake-ups of who is runnable are dropped; those by idle CPUs are nobody's" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
101 GoSched p=0 g=10
101 GoStart p=0 g=11 g=11 seq=1
301 GoBlockSync p=0 g=11
301 ProcStop p=0 g=0
401 GoUnblock p=1000001 g=0 g=11 seq=2
501 ProcStart p=0 g=0 thread=0
501 GoStart p=0 g=10 g=10 seq=2
601 GoPreempt p=0 g=10
601 GoStart p=0 g=11 g=11 seq=3
601 GoPreempt p=0 g=11
601 ProcStop p=0 g=0" << 'T'
task 10 10 bash
batch 0 10 1000
@1100 switch 11 0
@1200 waking 10
@1300 switch 0 3
@1400 waking/soft 11
@1450 waking 11
@1500 switch 10 0
@1600 switch 11 1
T

in_go "an id that is used again is another goroutine" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
101 GoCreate p=0 g=10 g=11
201 GoBlock p=0 g=10
201 GoStart p=0 g=11 g=11 seq=1
301 GoUnblock p=0 g=11 g=10 seq=2
401 GoEnd p=0 g=11
401 GoStart p=0 g=10 g=10 seq=3
501 GoCreate p=0 g=10 g=2147483659
601 GoBlock p=0 g=10
601 GoStart p=0 g=2147483659 g=2147483659 seq=1
601 GoPreempt p=0 g=2147483659
601 ProcStop p=0 g=0" << 'T'
task 10 10 bash
batch 0 10 1000
@1100 fork 11 11 bash
@1200 switch 11 2
@1300 waking 10
@1350 exit 11 bash
@1400 switch 10 7
@1500 fork 11 11 bash
@1600 switch 11 2
T

# 10 has gone and 11 has come while events were lost.
lossy="task 10 10 bash
task 11 11 make
batch 0 10 1000
@1100 mark before
lose 3
batch 0 11 1500
@1600 mark after
@1700 switch 0 2
batch 1 0 1000
@1650 waking 10
@1800 switch 10 0"
in_go "states are made right after a loss, which is told" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
101 UserLog p=0 g=10 category=mark message=before
101 GoBlock p=0 g=10
101 ProcStop p=0 g=0
501 UserLog p=0 g=0 category=lost message=3 events
501 ProcStart p=0 g=0 thread=0
501 GoStart p=0 g=11 g=11 seq=3
501 GoUnblock p=1000001 g=0 g=11 seq=2
601 UserLog p=0 g=11 category=mark message=after
651 GoUnblock p=1000001 g=0 g=10 seq=2
701 GoBlock p=0 g=11
701 ProcStop p=0 g=0
801 ProcStart p=1 g=0 thread=1
801 GoStart p=1 g=10 g=10 seq=3
801 GoPreempt p=1 g=10
801 ProcStop p=1 g=0" <<< "$lossy"
in_perfetto "losses are told, and how many" \
'6100 on track track_uuid: 1 categories: "mark" name: "before"
cpu 0 timestamp: 6000 pid: 0 sched_switch prev_comm: "swapper/0" prev_prio: 120 next_comm: "bash" next_pid: 10 next_prio: 120
cpu 0 timestamp: 6100 pid: 10 sched_switch prev_comm: "bash" prev_pid: 10 prev_prio: 120 prev_state: 512 next_comm: "[not known]" next_pid: 2147483647 next_prio: 120
6500 on track track_uuid: 4294967296 categories: "lost" name: "3 events lost"
6600 on track track_uuid: 2 categories: "mark" name: "after"
cpu 0 timestamp: 6500 pid: 2147483647 sched_switch prev_comm: "[not known]" prev_pid: 2147483647 prev_prio: 120 prev_state: 512 next_comm: "make" next_pid: 11 next_prio: 120
cpu 0 timestamp: 6700 pid: 11 sched_switch prev_comm: "make" prev_pid: 11 prev_prio: 120 prev_state: 1 next_comm: "swapper/0" next_prio: 120
cpu 0 has lost events
cpu 1 timestamp: 6650 pid: 0 sched_waking comm: "bash" pid: 10 prio: 120 success: 1
cpu 1 timestamp: 6800 pid: 0 sched_switch prev_comm: "swapper/1" prev_prio: 120 next_comm: "bash" next_pid: 10 next_prio: 120' <<< "$lossy"
contains "perfetto: the number of the field of losses" "1.1.3" "$(field_numbers trace.perfetto | xargs)"
convert chrome <<< "$lossy"
contains "chrome: losses are told" '{"name":"3 events lost","ph":"i","pid":0,"tid":0,"ts":0.500' "$(cat trace.chrome)"

chrome_slices()
{
	json "'\n'.join(sorted('%d %s %s %s %d %s' % (e['tid'], e['ts'], e['dur'], e['name'],
		e['args']['tid'], e['args']['then']) for e in v['traceEvents'] if e['ph'] == 'X'))" < trace.chrome
}
same "chrome: a loss ends the slice of its CPU" \
"0 0.0 0.1 bash 10 lost
0 0.5 0.2 make 11 SLEEPING
1 0.8 0.0 bash 10 end of the trace" "$(chrome_slices)"
in_perfetto "an idle CPU is not idle in a loss" \
'cpu 0 timestamp: 6100 pid: 0 common_flags: 8 sched_waking pid: 10 prio: 120 success: 1 target_cpu: -1
cpu 0 timestamp: 6100 pid: 0 sched_switch prev_comm: "swapper/0" prev_prio: 120 next_comm: "[not known]" next_pid: 2147483647 next_prio: 120
6500 on track track_uuid: 4294967296 categories: "lost" name: "3 events lost"
cpu 0 timestamp: 6500 pid: 2147483647 sched_switch prev_comm: "[not known]" prev_pid: 2147483647 prev_prio: 120 prev_state: 512 next_comm: "swapper/0" next_prio: 120
cpu 0 timestamp: 6600 pid: 0 common_flags: 8 sched_waking pid: 11 prio: 120 success: 1 target_cpu: -1
cpu 0 has lost events' << 'T'
batch 0 0 1000
@1100 waking/hard 10
lose 3
batch 0 0 1500
@1600 waking/hard 11
T

# Of a trace that was cut short, CPU 0 has come further than CPU 1.
cut="task 10 10 bash
task 11 11 make
noend
batch 0 10 1000
@1900 switch 0 2
batch 1 11 1000
@1100 migrate 10 1"
in_go "what is cut off is not the task's that ran before" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
1 ProcStart p=1 g=0 thread=1
1 GoStart p=1 g=11 g=11 seq=1
101 GoBlock p=1 g=11
101 ProcStop p=1 g=0
901 GoBlock p=0 g=10
901 ProcStop p=0 g=0" <<< "$cut"
in_perfetto "the same" \
'cpu 0 timestamp: 6000 pid: 0 sched_switch prev_comm: "swapper/0" prev_prio: 120 next_comm: "bash" next_pid: 10 next_prio: 120
cpu 0 timestamp: 6900 pid: 10 sched_switch prev_comm: "bash" prev_pid: 10 prev_prio: 120 prev_state: 1 next_comm: "swapper/0" next_prio: 120
cpu 0 timestamp: 6900 pid: 0 sched_switch prev_comm: "swapper/0" prev_prio: 120 next_comm: "[not known]" next_pid: 2147483647 next_prio: 120
cpu 1 timestamp: 6000 pid: 0 sched_switch prev_comm: "swapper/1" prev_prio: 120 next_comm: "make" next_pid: 11 next_prio: 120
cpu 1 timestamp: 6100 pid: 11 sched_migrate_task comm: "bash" pid: 10 prio: 120 dest_cpu: 1
cpu 1 timestamp: 6100 pid: 11 sched_switch prev_comm: "make" prev_pid: 11 prev_prio: 120 prev_state: 512 next_comm: "[not known]" next_pid: 2147483647 next_prio: 120' <<< "$cut"
convert chrome <<< "$cut" > /dev/null
same "chrome: the same" \
"0 0.0 0.9 bash 10 SLEEPING
1 0.0 0.1 make 11 lost" "$(chrome_slices)"
in_perfetto "a mark of a task whose process is not known makes up none" \
'6100 on track track_uuid: 1 categories: "mark" name: "a"
cpu 0 timestamp: 6000 pid: 0 sched_switch prev_comm: "swapper/0" prev_prio: 120 next_pid: 10 next_prio: 120' <<< $'batch 0 10 1000\n@1100 mark a'
contains "perfetto: ... but a track of its name" 'track_descriptor { uuid: 1 name: "?-10" }' \
	"$(decoded trace.perfetto | tr -d '\n' | tr -s ' ')"
in_go "what was not recorded is not lost" \
"1 ProcStart p=0 g=0 thread=0
1 GoStart p=0 g=10 g=10 seq=1
101 GoBlock p=0 g=10
101 GoStart p=0 g=11 g=11 seq=3
101 GoUnblock p=1000001 g=0 g=11 seq=2
201 UserLog p=0 g=11 category=mark message=
201 GoPreempt p=0 g=11
201 ProcStop p=0 g=0" << 'T'
events 0xfa
task 10 10 bash
task 11 11 make
batch 0 10 1000
@1100 switch 11 2
@1200 mark
T

same "go: ... and is named so" "1 0" "$(grep -ac 'not recorded' trace.go) $(grep -ac 'lost' trace.go)"

# Formats have no event of their own for these.
in_go "events of a type that is not known are in the log" \
"101 UserLog p=0 g=0 category=news message=7 8
201 UserLog p=0 g=0 category=mark message=?a?" <<< $'type 60 2 0 news\nbatch 0 0 1000\n@1100 news 7 8\n@1200 mark \\x01a\\xff'
in_perfetto "events of a type that is not known are on the track of the CPU or task" \
'6100 on track track_uuid: 4294967296 categories: "news" name: "7 8"' <<< $'type 60 2 0 news\nbatch 0 0 1000\n@1100 news 7 8'

: | convert go
same "go: a trace in which nothing happens" "0 Gomaxprocs p=0 g=0 procs=2" "$(go_events trace.go)"
: | convert chrome
same "chrome: a trace in which nothing happens" 5 "$(json "len(v['traceEvents'])" < trace.chrome)"
