#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A saved trace in the Common Trace Format, as babeltrace2 reads it, and the directory that it is.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
export HOME=$TMP
zone=$(mktemp -d "$TMP/zone.XXX")

# convert NAME < DESCRIPTION: the trace as NAME.ctf
convert()
{
	mktrace > "$1"
	rm -rf "$1.ctf"
	"$asan/kmprof" trace --input "$1" -o "$1.ctf" 2>&1
}

# events_of NAME: the events of NAME.ctf, as "CPU SECONDS EVENT: {context}, {fields}"
events_of()
{
	babeltrace2 --clock-seconds --no-delta "$1.ctf" 2> warnings |
		sed -E 's/^\[([0-9.]+)\] ([^{]*): \{ cpu_id = ([0-9]+) \}, /\3 \1 \2: /
			s/ : container = [0-9]+//g'
}

# losses_of NAME: "CPU COUNT FROM TO"
losses_of()
{
	babeltrace2 --clock-seconds "$1.ctf" 2>&1 > out |
		sed -nE 's/^WARNING: Tracer discarded ([0-9]+) events? between \[16([0-9.]+)\] and \[16([0-9.]+)\].*cpu_([0-9]+)".*/\4 \1 \2 \3/p' |
		sort
}

out=$(convert scene << 'T'
type 1 3 0 switch 1
type 2 2 0 waking 1
type 40 2 1 "x\y
start 1000 5000 6000 1600000000000000000
task 10 10 bash
task 11 11 make
stacks
stack 1 ffffffff81001100 ffffffff81001250
batch 0 10 1000
@1200 waking/hard 11 1
@1300 switch 11 2 1
@1310 fork 20 20 cc1
@1320 migrate 20 1
@1330 exec 11 prog
@1340 rename 20 "\x00\xff
@1350 mark a "text"
@1360 "x\y 1 18446744073709551615 \x01
@1370 exit 11 prog
@1400 switch 0 7 0
batch 1 0 1000
@1350 switch 20 0 0
@1380 switch 0 99 0
T
)
same "ctf: a machine without names of its stacks is told" "0xffffffff81001100 < 0xffffffff81001250" \
	"$(events_of scene | sed -n 's/.*stack = "\(0x[^"]*\)".*/\1/p' | head -1)"
contains "ctf: ... which is warned of" "saved without names" "$out"
same "ctf: each event with its fields" \
'0 1600000000.000000200 sched_waking: { tid = 10, pid = 10, procname = "bash", context = ( "hardirq" ), stack = "S" }, { comm = "make", tid = 11 }
0 1600000000.000000300 sched_switch: { tid = 10, pid = 10, procname = "bash", context = ( "task" ), stack = "S" }, { prev_comm = "bash", prev_tid = 10, prev_state = ( "SLEEPING" ), next_comm = "make", next_tid = 11 }
0 1600000000.000000310 sched_process_fork: { tid = 11, pid = 11, procname = "make", context = ( "task" ), stack = "" }, { parent_comm = "make", parent_tid = 11, child_comm = "cc1", child_tid = 20, child_pid = 20 }
0 1600000000.000000320 sched_migrate_task: { tid = 11, pid = 11, procname = "make", context = ( "task" ), stack = "" }, { comm = "cc1", tid = 20, dest_cpu = 1 }
0 1600000000.000000330 sched_process_exec: { tid = 11, pid = 11, procname = "make", context = ( "task" ), stack = "" }, { comm = "prog", old_tid = 11 }
0 1600000000.000000340 task_rename: { tid = 11, pid = 11, procname = "prog", context = ( "task" ), stack = "" }, { tid = 20, oldcomm = "cc1", newcomm = "\"\?\?" }
0 1600000000.000000350 mark: { tid = 11, pid = 11, procname = "prog", context = ( "task" ), stack = "" }, { text = "a \"text\"" }
1 1600000000.000000350 sched_switch: { tid = 0, pid = 0, procname = "swapper/1", context = ( "task" ), stack = "" }, { prev_comm = "swapper/1", prev_tid = 0, prev_state = ( "RUNNABLE" ), next_comm = "\"", next_tid = 20 }
0 1600000000.000000360 "x\y: { tid = 11, pid = 11, procname = "prog", context = ( "task" ), stack = "" }, { nr = 2, args = [ [0] = 1, [1] = 18446744073709551615 ], text = "\?" }
0 1600000000.000000370 sched_process_exit: { tid = 11, pid = 11, procname = "prog", context = ( "task" ), stack = "" }, { comm = "prog", tid = 11 }
1 1600000000.000000380 sched_switch: { tid = 20, pid = 20, procname = "\"", context = ( "task" ), stack = "" }, { prev_comm = "\"", prev_tid = 20, prev_state = ( <unknown> ), next_comm = "swapper/1", next_tid = 0 }
0 1600000000.000000400 sched_switch: { tid = 11, pid = 11, procname = "prog", context = ( "task" ), stack = "" }, { prev_comm = "prog", prev_tid = 11, prev_state = ( "DEAD" ), next_comm = "swapper/0", next_tid = 0 }' \
	"$(events_of scene | sed 's/stack = "[^"][^"]*"/stack = "S"/')"
same "ctf: what it is readable by is its owner" "drwx------ -rw-------" \
	"$(stat -c %A scene.ctf) $(stat -c %A scene.ctf/metadata)"

# Losses: how many, and between which times.
convert lossy << 'T'
task 10 10 a
batch 0 10 1000
@1100 mark a
lose 3
batch 0 10 1500
@1600 mark b
lose 1
batch 0 10 1900
batch 1 0 1000
lose 4
batch 1 0 1800
T
same "ctf: losses, with the times that they are between" \
"0 1 00000000.000000600 00000000.000000900
0 3 00000000.000000100 00000000.000000500
1 4 00000000.000000000 00000000.000000800" "$(losses_of lossy)"
same "ctf: ... and the events around them" "0.000000100 0.000000600" \
	"$(events_of lossy | sed 's/.*0000\(0[.][0-9]*\) mark: .*/\1/' | xargs)"

# A clock that was never set is behind CLOCK_MONOTONIC.
convert unset <<< $'start 1000 5000000000 6000 1\nend 2000 5000001000\nbatch 0 0 1000\n@1100 mark a'
same "ctf: a clock that was never set" "0 0.000000101 mark" "$(events_of unset | sed 's/: .*//')"
convert nothing < /dev/null
same "ctf: a trace in which nothing happens" "metadata 0 " \
	"$(ls nothing.ctf) $(babeltrace2 nothing.ctf 2>&1 > out; echo $?) $(cat out)"

# What random machines do: as many events of each name, on the same CPUs, as in the text.
text_counts()
{
	grep -v '^#' "$1" | awk '
		/ events? lost since / { lost[$2] += $4; next }
		{ name = substr($0, 48); sub(/ .*/, "", name); n[$2 " " name]++ }
		END { for (key in n) print key, n[key]; for (cpu in lost) print cpu, "lost", lost[cpu] }' | sort
}
ctf_counts()
{
	events_of "$1" | awk '
		BEGIN { as["sched_switch"] = "switch"; as["sched_waking"] = "waking"
			as["sched_migrate_task"] = "migrate"; as["sched_process_fork"] = "fork"
			as["sched_process_exec"] = "exec"; as["sched_process_exit"] = "exit"
			as["task_rename"] = "rename"
			as["lock_contention_begin"] = "contention_begin"
			as["lock_contention_end"] = "contention_end"
			as["irq_handler_entry"] = "irq_entry"; as["irq_handler_exit"] = "irq_exit"
			as["irq_softirq_entry"] = "softirq_entry"
			as["irq_softirq_exit"] = "softirq_exit"
			as["mm_vmscan_direct_reclaim_begin"] = "reclaim_begin"
			as["mm_vmscan_direct_reclaim_end"] = "reclaim_end"
			as["mm_vmscan_memcg_reclaim_begin"] = "memcg_reclaim_begin"
			as["mm_vmscan_memcg_reclaim_end"] = "memcg_reclaim_end"
			as["mm_compaction_begin"] = "compaction_begin"
			as["mm_compaction_end"] = "compaction_end"
			as["sys_enter"] = "syscall_enter"; as["sys_exit"] = "syscall_exit"
			as["power_cpu_idle"] = "cpu_idle"
			as["power_cpu_frequency"] = "cpu_frequency" }
		/^[0-9]/ { sub(/:$/, "", $3); n[$1 " " ($3 in as ? as[$3] : $3)]++ }
		END { for (key in n) print key, n[key] }' | sort
}
differ=0 events=0 losses=0
for seed in $(seq 24); do
	python3 "$TOOLS/tests/random_trace.py" "$seed" 700 | convert "random$seed" > err
	"$asan/kmprof" trace --input "random$seed" > text 2>&1
	text_counts text > wanted
	{
		ctf_counts "random$seed"
		losses_of "random$seed" | awk '{ n[$1] += $2 } END { for (cpu in n) print cpu, "lost", n[cpu] }'
	} | sort > got
	diff wanted got | sed "s/^/# $seed: /" | grep . && differ=$((differ + 1))
	events=$((events + $(grep -vc ' lost ' text)))
	losses=$((losses + $(grep -c ' lost ' wanted)))
done
same "ctf: random: as many events and losses on each CPU as in the text" 0 $differ
same "ctf: random: with enough of both" yes "$([ $events -gt 5000 ] && [ $losses -gt 3 ] && echo yes)"
echo "# $events events, losses on $losses CPUs"

# Many packets.
for i in $(seq 1001 9000); do
	[ $((i % 500)) != 1 ] || echo "batch 0 0 $((i - 1))"
	echo "@$i mark text $i"
done | convert many
same "ctf: many packets" "8000 text 9000" \
	"$(events_of many | awk -F'"' '{ n++; last = $(NF - 1) } END { print n, last }')"
same "ctf: ... of a size that a reader takes at once" yes \
	"$(python3 - many.ctf/cpu_0 << 'P'
import struct, sys
data, at, sizes = open(sys.argv[1], "rb").read(), 0, []
while at < len(data):
    sizes.append(struct.unpack_from("<Q", data, at + 32)[0] // 8)
    at += sizes[-1]
print("yes" if at == len(data) and 5 < len(sizes) < 100 and max(sizes) < 40000 else sizes)
P
)"

# A directory is new, or was empty, and is there as a whole or not at all.
# refused NAME STATUS WORDS OPTION...
refused()
{
	local name=$1 status=$2 words=$3 before err

	shift 3
	before=$(find . | sort)
	err=$("$asan/kmprof" trace --input scene "$@" 2>&1)
	same "ctf: $name" "$status yes" "$? $([[ $err == *"$words"* ]] && echo yes)"
	same "ctf: ... which leaves nothing" "$before" "$(find . | sort)"
	echo "# $err" | grep -v warning
}
mkdir -p empty.ctf "$zone/there" full.ctf
echo precious > full.ctf/metadata
ln -s "$zone/there" link.ctf
echo precious > file.ctf
refused "a directory that has something" 1 "full.ctf: is there already" -o full.ctf
same "ctf: ... which stays" precious "$(cat full.ctf/metadata)"
refused "a file" 1 "file.ctf: is there already" -o file.ctf
refused "a link to a directory" 1 "link.ctf: is there already" -o link.ctf
refused "no directory to be in" 1 "No such file or directory" -o none/x.ctf
refused "the root" 1 "is there already" --format ctf -o /
refused "no name" 1 "No such file or directory" --format ctf -o ""
refused "no -o" 2 "give -o DIRECTORY" --format ctf
refused "a pipe" 2 "give -o DIRECTORY" --format ctf -o -
same "ctf: an empty directory becomes it" "0 cpu_0 cpu_1 metadata" \
	"$("$kmprof" trace --input scene -o empty.ctf 2> err; echo $?) $(ls empty.ctf | xargs)"
same "ctf: a name with a slash behind it" "0 cpu_0 cpu_1 metadata" \
	"$("$kmprof" trace --input scene --format ctf -o slash/ 2> err; echo $?) $(ls slash | xargs)"
err=$("$kmprof" trace -o x.ctf -d 1s 2>&1)
same "ctf: a trace is saved as it is" "2 yes" \
	"$? $([[ $err == *"'kmprof trace --input TRACE -o FILE.ctf' makes that of it"* ]] && echo yes)"
before=$(ls -A)
err=$(ulimit -f 1; "$kmprof" trace --input many -o x.ctf 2>&1)
same "ctf: no room for all of it" "1 yes" \
	"$? $([[ $err == *"x.ctf: File too large"*"hint: raise the limit"* ]] && echo yes)"
same "ctf: ... which leaves nothing" "$before" "$(ls -A)"

# Each allocation fails once.
"$kmprof" trace --input scene -o whole.ctf 2> err
nth=0 failed=0 bad=0
while rm -rf done nomem.ctf; do
	nth=$((nth + 1))
	NOMEM_NTH=$nth NOMEM_DONE=$TMP/done LD_PRELOAD="$TOOLS/build/tests/nomalloc.so" \
		"$kmprof" trace --input scene -o nomem.ctf 2> err
	status=$?
	[ -e done ] || break
	if [ $status -eq 1 ] && grep -q "^kmprof: .*emory" err && [ ! -e nomem.ctf ] &&
			[ -z "$(ls -A | grep '^\.kmprof')" ]; then
		failed=$((failed + 1))
	elif [ $status -ne 0 ] || ! diff -r whole.ctf nomem.ctf; then
		bad=$((bad + 1))
		echo "# allocation $nth: status $status: $(cat err) $(ls -A | grep '^\.kmprof')"
	fi
done
echo "# $failed of $nth allocations"
same "ctf: no memory" "0 yes" "$bad $([ $failed -gt 10 ] && echo yes)"
