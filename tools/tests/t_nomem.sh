#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Without memory: each allocation fails once, those of jansson by nomem.c, all by nomalloc.c. No
# output is cut short unnoticed.
. "$TOOLS/tests/lib.sh"

# fail_nth NAME COMMAND...: status 1 and words, or the whole output in spite of it. There are thousands
# of these runs: the shell does all beside the command by itself.
shim=nomem
fail_nth()
{
	local name=$1 nth=0 want got status err reached cut=0 failed=0

	shift
	want=$("$@")
	rm -f "$TMP"/reached.*
	while :; do
		nth=$((nth + 1))
		reached=$TMP/reached.$nth
		got=$(NOMEM_NTH=$nth NOMEM_DONE=$reached LD_PRELOAD="$TOOLS/build/tests/$shim.so" "$@" 2> "$TMP/err")
		status=$?
		[ -e "$reached" ] || break
		IFS= read -r -d '' err < "$TMP/err"
		if [ $status -eq 1 ] &&
			[[ $'\n'$err =~ $'\n'kmprof:\ [^$'\n']*(out of memory|Cannot allocate memory) ]]; then
			failed=$((failed + 1))
		elif [ $status -ne 0 ] || [ "$got" != "$want" ]; then
			cut=$((cut + 1))
			echo "# $name: allocation $nth: status $status, $(echo "$got" | wc -c) bytes: $err"
		fi
	done
	same "no memory: $name" "0 yes" "$cut $([ $failed -gt 10 ] && echo yes)"
}

# Few rows, so that there are few allocations.
image "$TMP/a" <<< $'rate 1\ncycle 7\nstart 1000000000\nsample 1 8 1 0 0 0xffffffff81001210'
image "$TMP/b" <<< $'rate 1\ncycle 7\nstart 1000000000\nsample 1 8 2 0 0 0xffffffff81001210'
image "$TMP/block" <<< "contention 1 5 0 0xffffffff82000040 2 4000 3000"
names=(--kallsyms "$kallsyms")
fail_nth status "$kmprof" status --json --input "$TMP/a"
fail_nth top "$kmprof" top --json --input "$TMP/a" "${names[@]}"
fail_nth report "$kmprof" report --json --focus read --input "$TMP/a" "${names[@]}"
fail_nth "report --by bytes" "$kmprof" report --json --by bytes --input "$TMP/a" "${names[@]}"
fail_nth "report --tree" "$kmprof" report --json --tree --input "$TMP/b" "${names[@]}"
fail_nth dump "$kmprof" dump --json --input "$TMP/a" "${names[@]}"
fail_nth "dump --by lock" "$kmprof" dump block --by lock --json --input "$TMP/block" "${names[@]}"
image "$TMP/inuse" <<< $'rate 1\nsample 1 8 1 0 0 0xffffffff81001210\nages 5 1\nobject 4096 5 1 1\nby 1 a'
fail_nth objects "$kmprof" objects --json --focus read "$TMP/inuse" "${names[@]}"
fail_nth diff "$kmprof" diff --json "$TMP/a" "$TMP/b" "${names[@]}"
mktrace > "$TMP/trace" <<< $'task 10 10 bash\ntask 11 11 make\nbatch 0 10 1100\n@1200 waking 11\n@1300 switch 11 2'
fail_nth "trace report" "$kmprof" trace report --json "$TMP/trace"
fail_nth "trace report --why" "$kmprof" trace report --json --why make "$TMP/trace"

# With stacks, whose names are saved with them: of any allocation, not of those for JSON alone.
"$kmprof" dump --input "$TMP/a" "${names[@]}" --format image -o "$TMP/complete" || exit 1
mktrace > "$TMP/stacks" << T
type 1 3 0 switch 1
type 2 2 0 waking 1
task 10 10 bash
task 11 11 make
stacks
stack 1 ffffffff81001210
stack 2 ffffffff81001210 ffffffff81001250
batch 0 10 1000
@1200 waking 11 1
@1300 switch 11 2 2
@1400 mark end
names $(hex "$TMP/complete")
T
shim=nomalloc
fail_nth "trace" "$kmprof" trace --input "$TMP/stacks"
fail_nth "trace --format chrome" "$kmprof" trace --input "$TMP/stacks" --format chrome
fail_nth "trace report of stacks" "$kmprof" trace report "$TMP/stacks"
fail_nth "trace report --why of stacks" "$kmprof" trace report --why bash "$TMP/stacks"
fail_nth "trace report --graph of stacks" "$kmprof" trace report --graph 0.0000003 "$TMP/stacks"
mktrace > "$TMP/locks" << T
events 0x6fe
type 1 3 0 switch 1
type 9 5 0 contention_begin 1
type 10 2 0 contention_end
task 10 10 holder
task 11 11 bash
stacks
stack 1 ffffffff81001210
batch 0 11 1000
@1200 contention_begin 0xffffffff82000040 1 4 10 1
@1300 contention_begin 0xffffffff82000040 1 0 10 1
@1400 switch 0 3 1
@1600 switch 11 0 0
@1700 contention_end 0xffffffff82000040 0
names $(hex "$TMP/complete")
T
fail_nth "trace of locks" "$kmprof" trace --input "$TMP/locks"
fail_nth "trace report of locks" "$kmprof" trace report "$TMP/locks"
fail_nth "trace report --why of locks" "$kmprof" trace report --why bash "$TMP/locks"
fail_nth "trace report --why of a lock" "$kmprof" trace report --why 0xffffffff82000040 "$TMP/locks"
mktrace > "$TMP/interrupts" << T
events 0x78fe
type 11 1 1 irq_entry
type 12 2 0 irq_exit
type 13 1 0 softirq_entry
type 14 1 0 softirq_exit
task 10 10 make
batch 0 10 1000
@1200 softirq_entry/soft 3
@1300 irq_entry/hard 24 disk
@1400 irq_exit/hard 24 1
@1500 softirq_exit/soft 3
@1600 switch 0 3
T
fail_nth "trace report of interrupts" "$kmprof" trace report "$TMP/interrupts"
fail_nth "trace report --why of interrupts" "$kmprof" trace report --why make "$TMP/interrupts"
mktrace > "$TMP/stalls" << T
events 0x180fe
type 15 1 0 reclaim_begin
type 16 1 0 reclaim_end
task 10 10 make
batch 0 10 1000
@1200 reclaim_begin 0
@1400 reclaim_end 32
@1600 switch 0 3
T
fail_nth "trace report of reclaim" "$kmprof" trace report "$TMP/stalls"
fail_nth "trace report --why of reclaim" "$kmprof" trace report --why make "$TMP/stalls"
mktrace > "$TMP/memory" << T
events 0x6000fe
type 21 4 0 alloc
type 22 4 0 free
task 10 10 make
batch 0 10 1000
@1200 alloc 1 0 8 8
@1300 free/soft 1 0 8 8
@1600 switch 0 3
T
fail_nth "trace report of memory" "$kmprof" trace report "$TMP/memory"
fail_nth "trace of memory" "$kmprof" trace --input "$TMP/memory" --format perfetto
mktrace > "$TMP/syscalls" << T
events 0x18000fe
type 23 1 0 syscall_enter
type 24 2 0 syscall_exit
task 10 10 make
batch 0 10 1000
@1200 syscall_enter 0
@1300 syscall_exit 0 8
@1600 switch 0 3
T
fail_nth "trace report of system calls" "$kmprof" trace report "$TMP/syscalls"
fail_nth "trace report --why of system calls" "$kmprof" trace report --why make "$TMP/syscalls"
fail_nth "trace of system calls for Go" "$kmprof" trace --input "$TMP/syscalls" --format go
fail_nth "trace of system calls for Perfetto" "$kmprof" trace --input "$TMP/syscalls" --format perfetto
fail_nth "trace of system calls for Chromium" "$kmprof" trace --input "$TMP/syscalls" --format chrome
mktrace > "$TMP/power" << T
events 0x60000fe
type 25 1 0 cpu_idle
type 26 2 0 cpu_frequency
task 10 10 make
batch 0 0 1000
@1200 cpu_idle 2
@1300 waking 10
@1400 cpu_idle 0
@1500 cpu_frequency 0 1000000
@1600 switch 10 0
T
fail_nth "trace report of idle states and frequencies" "$kmprof" trace report "$TMP/power"
fail_nth "trace report --why of idle states" "$kmprof" trace report --why make "$TMP/power"
fail_nth "trace of idle states for Perfetto" "$kmprof" trace --input "$TMP/power" --format perfetto
fail_nth "trace of idle states for Chromium" "$kmprof" trace --input "$TMP/power" --format chrome
mktrace > "$TMP/rcu" << T
events 0x180000fe
type 27 0 0 grace_period_begin
type 28 0 0 grace_period_end
task 10 10 make
batch 0 10 1000
@1200 grace_period_begin
@1300 grace_period_end
@1600 switch 0 3
T
fail_nth "trace report of grace periods" "$kmprof" trace report "$TMP/rcu"
fail_nth "trace of grace periods for Go" "$kmprof" trace --input "$TMP/rcu" --format go
fail_nth "trace of grace periods for Perfetto" "$kmprof" trace --input "$TMP/rcu" --format perfetto
fail_nth "trace of grace periods for Chromium" "$kmprof" trace --input "$TMP/rcu" --format chrome
fail_nth "dump of an image" "$kmprof" dump --input "$TMP/a" "${names[@]}"
