#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# System calls in a saved trace: what the formats say of them, the report, and the causes.
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

types="events 0x18000fe
type 23 1 0 syscall_enter
type 24 2 0 syscall_exit
task 10 10 make
task 11 11 bash
task 12 12 make"

# calls FILE: their table
calls()
{
	last_table "TIME TIMES LONGEST SYSTEM CALLS" "$1"
}

# make calls openat(), which fails, read(), in which bash lets it wait, and open() of i386.
typed scene << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_enter 257
@3000 syscall_exit 257 3
@3500 syscall_enter 0
@4000 switch 0 2
@6000 switch 10 0
@7000 syscall_exit 0 8192
@8000 syscall_enter 0x100000005
@8500 syscall_exit 0x100000005 6
@9000 syscall_enter 9
@9100 syscall_exit 9 0xff0000000000
batch 1 11 1000
@5000 waking 10
T
same "syscalls: text" \
"syscall_enter openat
syscall_exit openat = -ENOENT
syscall_enter read
syscall_exit read = 4096
syscall_enter open (i386)
syscall_exit open (i386) = 3
syscall_enter mmap
syscall_exit mmap = 0x7f8000000000" \
	"$("$kmprof" trace --input scene 2>&1 | grep syscall | sed 's/^.* make-10 *//')"
same "syscalls: report" \
"3.50us 1 3.50us read of make
1.00us 1 1.00us openat of make, 1 failed
500ns 1 500ns open (i386) of make
100ns 1 100ns mmap of make" "$(calls scene)"
same "syscalls: why a task took so long" \
"49.0% 4.90us 5 runs
35.0% 3.50us 1 is in syscall read
15.0% 1.50us 2 runs
10.0% 1.00us 1 SLEEPING until bash wakes it
10.0% 1.00us 1 bash runs
10.0% 1.00us 1 is runnable
10.0% 1.00us 1 the CPU is idle
10.0% 1.00us 1 is in syscall openat
10.0% 1.00us 1 runs
5.0% 500ns 1 is in syscall open (i386)
5.0% 500ns 1 runs
1.0% 100ns 1 is in syscall mmap
1.0% 100ns 1 runs" "$(causes scene --why 10)"
same "syscalls: ... in the end" \
"49.0% 4.90us 5 runs
15.0% 1.50us 2 is in syscall read
10.0% 1.00us 1 bash runs
10.0% 1.00us 1 is runnable, and the CPU idle
10.0% 1.00us 1 is in syscall openat
5.0% 500ns 1 is in syscall open (i386)
1.0% 100ns 1 is in syscall mmap" "$(ends scene --why 10)"
same "syscalls: ... in a part of the time that begins and ends in one" \
"100.0% 500ns 1 is in syscall openat
100.0% 500ns 1 runs" "$(causes scene --why 10 --from 0.0000013 --to 0.0000018)"
same "syscalls: JSON" \
"[('read', 'make', 1, 3500, 3500, 0), ('openat', 'make', 1, 1000, 1000, 1), ('open (i386)', 'make', 1, 500, 500, 0), ('mmap', 'make', 1, 100, 100, 0)]" \
	"$("$kmprof" trace report scene --json | json "[tuple(c[k] for k in ('call', 'task', 'count', 'ns', 'longest_ns', 'failed')) for c in v['calls']]")"
same "syscalls: JSON, why" "[('read', 3500), ('openat', 1000), ('open (i386)', 500), ('mmap', 100)]" \
	"$("$kmprof" trace report scene --why 10 --json |
		json "[(c['call'], c['ns']) for c in v['why']['cause']['causes'] if c['why'] == 'calling']")"

# Whoever waits for a task waits for its calls; what it does in one of them is below that.
types="$types
type 15 1 0 reclaim_begin
type 16 1 0 reclaim_end" typed chain << 'T'
events 0x18180fe
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
@8000 switch 10 0
batch 1 11 1000
@3000 syscall_enter 1
@4000 reclaim_begin 0
@6000 reclaim_end 3
@7000 syscall_exit 1 2
@8000 waking 10
T
same "syscalls: of the task that is waited for, with its reclaim" \
"60.0% 6.00us 1 BLOCKED until bash wakes it
40.0% 4.00us 1 bash is in syscall write
20.0% 2.00us 2 bash runs
20.0% 2.00us 1 bash is in direct reclaim
20.0% 2.00us 1 bash runs
20.0% 2.00us 2 bash runs
40.0% 4.00us 2 runs" "$(causes chain --why 10)"
same "syscalls: ... in the end" \
"40.0% 4.00us 2 runs
20.0% 2.00us 2 bash is in syscall write
20.0% 2.00us 1 bash is in direct reclaim
20.0% 2.00us 2 bash runs" "$(ends chain --why 10)"

# A new program ends execve() with the number of its own machine; a signal handler returns with none;
# a new task has an exit only; one that exits has none.
typed ends << 'T'
end 11000 15000
batch 0 10 1000
@1500 syscall_exit 56 0
@2000 syscall_enter 59
@3000 syscall_exit 0x10000000b 0
@4000 syscall_enter 15
@4500 syscall_exit 0xffffffff 7
@5000 syscall_enter 202
@5100 syscall_exit 202 1023
@6000 syscall_enter 231
@6500 exit 10 make
@7000 switch 0 7
batch 1 0 1000
@2000 syscall_enter 1
@3000 syscall_exit 1 0
T
same "syscalls: how they end" \
"1.00us 1 1.00us execve of make
1.00us 1 1.00us exit_group of make
500ns 1 500ns rt_sigreturn of make
100ns 1 100ns futex of make" "$(calls ends)"
same "syscalls: ... in words" \
"clone = 0
execve
execve (i386) = 0
rt_sigreturn
without a number
futex
futex = -ERESTARTSYS
exit_group" \
	"$("$kmprof" trace --input ends 2>&1 | grep ' make-10 .*syscall' | sed 's/^.* syscall_[a-z]* //')"

# Where events are lost, the exit may be among them: then nobody knows how long it took.
typed lost << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_enter 0
@3000 waking 11
lose 2 0
batch 0 10 5000
@6000 syscall_enter 1
@7000 syscall_exit 1 0
T
same "syscalls: one that a loss cuts off" "1.00us 1 1.00us write of make
1.00us 1 1.00us read of make" "$(calls lost | sort -r)"
typed elsewhere << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_enter 0
@9000 syscall_enter 1
batch 1 11 1000
@2000 waking 12
lose 2 1
batch 1 11 5000
@8000 waking 12
T
same "syscalls: ... perhaps, on another CPU" "2.00us 1 2.00us write of make" "$(calls elsewhere)"
typed elsewhere << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_enter 0
@9000 syscall_exit 1 0
batch 1 11 1000
@2000 waking 12
lose 2 1
batch 1 11 5000
@8000 waking 12
T
same "syscalls: ... so the exit is one of another call" "" "$(calls elsewhere)"
typed none << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
T
same "syscalls: no table if there is none" "" "$(report none | grep 'SYSTEM CALLS')"
typed bad << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_enter 0x200000000
T
out=$("$kmprof" trace --input bad 2>&1)
result "syscalls: a number that cannot be is refused" $((! $?))
contains "syscalls: ... with a reason" "arguments of a record" "$out"

# The other formats.
"$kmprof" trace --input scene --format perfetto -o trace.pftrace
decoded "$PWD/trace.pftrace" > decoded.text
same "syscalls: Perfetto" \
"sys_enter { id: 257 }
sys_exit { id: 257 ret: -2 }
sys_enter { id: 0 }
sys_exit { id: 0 ret: 4096 }
sys_enter { id: 9 }
sys_exit { id: 9 ret: 140187732541440 }" "$(tr -s ' \n' ' ' < decoded.text | grep -o 'sys_[a-z]* {[^}]*}')"
same "syscalls: Perfetto, the numbers of fields" "1.1.2.329.1 1.1.2.330.1 1.1.2.330.2" \
	"$(field_numbers trace.pftrace | grep '^1\.1\.2\.3[23]' | xargs)"
same "syscalls: Perfetto knows the machine of the numbers, and those of i386 are events of their own" \
	'machine: "x86_64" name: "open (i386)" name: "open (i386) = 3"' \
	"$(grep -o 'machine: .*\|name: "open.*' decoded.text | xargs -d '\n')"
"$kmprof" trace --input ends --format perfetto -o trace.pftrace
decoded "$PWD/trace.pftrace" > decoded.text
same "syscalls: Perfetto, each slice ends with the number with which it has begun" \
"sys_exit { id: 56 ret: 0 }
sys_enter { id: 59 }
sys_exit { id: 59 ret: 0 }
sys_enter { id: 15 }
sys_exit { id: 15 ret: -4 }
sys_enter { id: 202 }
sys_exit { id: 202 ret: -512 }
sys_enter { id: 231 }
sys_enter { id: 1 }
sys_exit { id: 1 ret: 0 }" "$(tr -s ' \n' ' ' < decoded.text | grep -o 'sys_[a-z]* {[^}]*}')"
# A program can ask for a call that has no number; and all that a new task does may be to begin.
typed strange << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_enter 0xffffffff
@3000 syscall_exit 0xffffffff 75
T
typed begins << 'T'
end 11000 15000
batch 0 10 1000
@2000 syscall_exit 56 0
T
"$kmprof" trace --input strange --format perfetto -o trace.pftrace
decoded "$PWD/trace.pftrace" > decoded.text
same "syscalls: Perfetto, a call without a number has a result" \
"sys_enter { id: -1 }
sys_exit { id: -1 ret: -38 }" "$(tr -s ' \n' ' ' < decoded.text | grep -o 'sys_[a-z]* {[^}]*}')"
"$kmprof" trace --input lost --format perfetto -o trace.pftrace
decoded "$PWD/trace.pftrace" > decoded.text
same "syscalls: ... also where the end is lost" \
"sys_enter { id: 0 }
sys_exit { id: 0 }
sys_enter { id: 1 }
sys_exit { id: 1 ret: 0 }" "$(tr -s ' \n' ' ' < decoded.text | grep -o 'sys_[a-z]* {[^}]*}')"
same "syscalls: ... at the last time before the loss" "7000 8000 11000 12000" \
	"$(awk '$1 == "timestamp:" { at = $2 } /sys_(enter|exit) \{/ { print at }' decoded.text | xargs)"

# slices FILE: those of system calls in a trace for Chromium
slices()
{
	json "[(e['name'], e['ts'], e['dur'], e['args']['result']) for e in v['traceEvents'] if e['pid'] == 1 and e['ph'] == 'X']" < "$1"
}
"$kmprof" trace --input scene --format chrome -o trace.json
same "syscalls: chrome" \
"[('openat', 1.0, 1.0, '-ENOENT'), ('read', 2.5, 3.5, '4096'), ('open (i386)', 7.0, 0.5, '3'), ('mmap', 8.0, 0.1, '0x7f8000000000')]" \
	"$(slices trace.json)"
# rows FILE: their names, of system calls in a trace for Chromium
rows()
{
	json "[(e['name'], e['args']['name']) for e in v['traceEvents'] if e['pid'] == 1 and e['ph'] == 'M']" < "$1"
}
same "syscalls: chrome, a row for each task" "[('process_name', 'system calls'), ('thread_name', 'make-10')]" \
	"$(rows trace.json)"
"$kmprof" trace --input chain --format chrome -o trace.json
same "syscalls: chrome, and none for tasks that make none" \
	"[('process_name', 'system calls'), ('thread_name', 'bash-11')]" "$(rows trace.json)"
"$kmprof" trace --input begins --format chrome -o trace.json
same "syscalls: chrome, and no process if there are none" "[]" "$(rows trace.json)"
"$kmprof" trace --input strange --format chrome -o trace.json
same "syscalls: chrome, a call without a number has a result" "[('#4294967295', 1.0, 1.0, '-ENOSYS')]" \
	"$(slices trace.json)"
"$kmprof" trace --input ends --format chrome -o trace.json
same "syscalls: chrome, what ends is what has begun" \
"[('execve', 1.0, 1.0, '0'), ('rt_sigreturn', 3.0, 0.5, 'none'), ('futex', 4.0, 0.1, '-ERESTARTSYS'), ('exit_group', 5.0, 1.0, 'none')]" \
	"$(slices trace.json)"
"$kmprof" trace --input lost --format chrome -o trace.json
same "syscalls: chrome, what is lost ends with the next one" "[('read', 1.0, 1.0, 'lost'), ('write', 5.0, 1.0, '0')]" \
	"$(slices trace.json)"
"$kmprof" trace --input scene --format go -o trace.go
same "syscalls: Go has regions" "0 openat 1 openat 0 read 1 read 0 open (i386) 1 open (i386) 0 mmap 1 mmap" \
	"$(go_events trace.go | sed -n 's/.* UserRegion .*mode=\([01]\).*name=\(.*\)/\1 \2/p' | xargs -d '\n')"
"$kmprof" trace --input ends --format go -o trace.go
same "syscalls: ... each of which ends as it began" \
	"0 execve 1 execve 0 rt_sigreturn 1 rt_sigreturn 0 futex 1 futex 0 exit_group" \
	"$(go_events trace.go | sed -n 's/.* UserRegion .*mode=\([01]\).*name=\(.*\)/\1 \2/p' | xargs -d '\n')"
"$kmprof" trace --input lost --format go -o trace.go
same "syscalls: ... and what a loss cuts off ends with what was seen" "1001 0 read
2001 1 read
5001 0 write
6001 1 write" \
	"$(go_events trace.go | sed -n 's/^\([0-9]*\) UserRegion .*mode=\([01]\).*name=\(.*\)/\1 \2 \3/p')"
"$kmprof" trace --input scene --format ctf -o trace.ctf
same "syscalls: CTF" '{ id = 257, name = "openat" }
{ id = 257, name = "openat", ret = -2 }' \
	"$(babeltrace2 --no-delta trace.ctf | grep ' sys_' | head -n 2 | grep -o '{ id = [^}]*}')"
"$kmprof" trace --input scene --format html -o trace.html
same "syscalls: html has no flags of them" 0 "$(grep -c syscall_ trace.html)"
