#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Waits for locks in a saved trace: what the formats say of them, the report, and the causes.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

# Names of locks, as they are saved: those of an image that is complete.
image img < "$TOOLS/tests/block.spec"
"$kmprof" dump --input img --kallsyms "$kallsyms" --format image -o complete || exit 1
names=$(hex complete)
mutex=0xffffffff82000040 table=0xffffffff82000070
types="events 0x6fe
type 1 3 0 switch 1
type 9 5 0 contention_begin 1
type 10 2 0 contention_end
task 10 10 holder
task 11 11 bash
task 12 12 cat"

# waits FILE: the table of locks
waits()
{
	report "$1" | sed -n '/^TIME TIMES LONGEST WAITS FOR A LOCK$/,$p' | tail -n +2
}

# bash spins for a mutex, and falls asleep, until the holder, which runs all the time, wakes it.
scene="$types
stacks
stack 1 ffffffff81001110 ffffffff81001250
end 11000 15000
batch 0 11 1000
@2000 contention_begin $mutex 1 4 10 1
@3000 contention_begin $mutex 1 0 10 1
@3100 switch 0 3 1
@8100 switch 11 0 0
@8200 contention_end $mutex 0
batch 1 10 1000
@8000 waking 11"
{ echo "$scene"; echo "names $names"; } | mktrace > scene

same "locks: text" \
"0.000001000 0 bash-11 contention_begin mutex rtnl_mutex, spins, held by holder-10: iget_locked < vfs_read
0.000002000 0 bash-11 contention_begin mutex rtnl_mutex, held by holder-10: iget_locked < vfs_read
0.000007200 0 bash-11 contention_end rtnl_mutex" \
	"$("$kmprof" trace --input scene 2>&1 | grep contention | sed 's/^ *//; s/  */ /g')"
same "locks: report" "6.20us 1 6.20us mutex rtnl_mutex held by holder" "$(waits scene)"
same "locks: why a task took so long" "bash: 10.0us between 0.000000 s and 0.000010 s

SHARE TIME TIMES WHY
49.0% 4.90us 1 BLOCKED for mutex rtnl_mutex until holder wakes it
in iget_locked < vfs_read
49.0% 4.90us 1 holder runs
40.0% 4.00us 3 runs
10.0% 1.00us 1 spins for mutex rtnl_mutex held by holder
1.0% 100ns 1 is runnable
1.0% 100ns 1 the CPU is idle" "$(report scene --why bash)"
same "locks: why a lock was waited for" "rtnl_mutex, 1 wait of 1 task: 6.20us between 0.000000 s and 0.000010 s

SHARE TIME TIMES WHY
79.0% 4.90us 1 BLOCKED for mutex rtnl_mutex until holder wakes it
in iget_locked < vfs_read
79.0% 4.90us 1 holder runs
16.1% 1.00us 1 spins for mutex rtnl_mutex held by holder
3.2% 200ns 2 runs
1.6% 100ns 1 is runnable
1.6% 100ns 1 the CPU is idle" "$(report scene --why rtnl_mutex)"
same "locks: ... in the end" "79.0% 4.90us 1 holder runs
16.1% 1.00us 1 spins for mutex rtnl_mutex held by holder
3.2% 200ns 2 runs
1.6% 100ns 1 is runnable, and the CPU idle" \
	"$(ends scene --why rtnl_mutex)"
same "locks: ... of a part of the time" "rtnl_mutex, 1 wait of 1 task: 1.00us between 0.000002 s and 0.000003 s" \
	"$(report scene --why rtnl_mutex --from 0.000002 --to 0.000003 | head -1)"
same "locks: neither a task nor a lock" \
	"kmprof: scene: no task has the name or id 'dev_base_lock', and no task waits for a lock of that name" \
	"$("$kmprof" trace report scene --why dev_base_lock 2>&1 | head -1)"
same "locks: graph" '	t2 [label="bash-11\nBLOCKED for mutex rtnl_mutex", tooltip="in iget_locked < vfs_read"];' \
	"$("$kmprof" trace report scene --graph 0.000005 | grep 't2 \[')"
same "locks: JSON" "{'lock': 'rtnl_mutex', 'kind': 'mutex', 'holder': 'holder', 'count': 1, 'ns': 6200, 'longest_ns': 6200}" \
	"$("$kmprof" trace report scene --json | json "v['locks'][0]")"
same "locks: JSON, why a task took so long" "['asleep_until_task', 'mutex', 'rtnl_mutex', 'holder', 'spinning', 'mutex', 'rtnl_mutex', 'holder']" \
	"$("$kmprof" trace report scene --why bash --json |
		json "[c[k] for c in v['why']['cause']['causes'] if c['lock'] for k in ('why', 'kind', 'lock', 'task')]")"
same "locks: JSON, why a lock was waited for" "[None, 'rtnl_mutex', 1, 1]" \
	"$("$kmprof" trace report scene --why rtnl_mutex --json |
		json "[v['why'][k] for k in ('task', 'lock', 'tasks', 'waits')]")"
same "locks: JSON, graph" "[['mutex', 'rtnl_mutex']]" \
	"$("$kmprof" trace report scene --graph 0.000005 --json |
		json "[[t['kind'], t['lock']] for t in v['graph']['tasks'] if t['lock']]")"

# Other formats: as what they have for events of no other kind.
"$kmprof" trace --input scene --format chrome -o trace.json
same "locks: chrome" "contention_begin mutex rtnl_mutex, spins, held by holder-10
contention_begin mutex rtnl_mutex, held by holder-10
contention_end rtnl_mutex" "$(json "'\n'.join(e['name'] for e in v['traceEvents'] if 'contention' in e['name'])" < trace.json |
	sed 's/^"//; s/"$//; s/\\n/\n/g')"
"$kmprof" trace --input scene --format html -o trace.html
same "locks: html" "BLOCKED for mutex rtnl_mutex" \
	"$(node "$TOOLS/tests/timeline.js" details trace.html 2 | grep -o 'BLOCKED for mutex rtnl_mutex' | sort -u)"

# blocked TRACE: what its page says of the times for which bash was
blocked()
{
	"$kmprof" trace --input "$1" --format html -o "$1.html" 2> err
	node "$TOOLS/tests/timeline.js" details "$1.html" 2 | grep '^bash-11: BLOCKED'
}

# A writer waits for a percpu rwsem: on its way for a mutex, then, asleep, for the readers.
mktrace > inner << T
$types
end 11000 15000
batch 0 11 1000
@2000 contention_begin 0xffffffff82000070 5 2 0 0
@2500 contention_begin $mutex 1 0 0 0
@2600 switch 12 3 0
@2700 switch 11 1 0
@2800 contention_end $mutex 0
@3000 switch 12 3 0
@4000 switch 11 1 0
@4100 contention_end 0xffffffff82000070 0
@5000 switch 12 3 0
T
same "locks: html: a lock inside another one" \
"bash-11: BLOCKED for percpu_rwsem 0xffffffff82000070
bash-11: BLOCKED for percpu_rwsem 0xffffffff82000070
bash-11: BLOCKED" "$(blocked inner)"

# A task submits its I/O before it sleeps for a mutex.
mktrace > submits << T
$types
end 11000 15000
batch 0 11 1000
@2000 contention_begin $mutex 1 0 0 0
@2500 contention_begin 0xffffffff82000070 7 4 0 0
@2600 contention_end 0xffffffff82000070 0
@3000 switch 12 3 0
T
contains "locks: html: a lock that is spun for while I/O is submitted" "BLOCKED for mutex " \
	"$(blocked submits)"

# The end of a writer's wait was lost.
mktrace > forgotten << T
$types
end 11000 15000
batch 0 11 1000
@2000 contention_begin 0xffffffff82000070 5 2 0 0
@2600 switch 0 3 0
batch 1 0 1000
lose 3
batch 1 0 3000
@4000 waking 11
@4100 switch 11 0 0
@4200 contention_begin $mutex 1 0 0 0
@4300 switch 0 3 0
T
contains "locks: html: a wait whose end may be lost has none inside" "BLOCKED for mutex " \
	"$(blocked forgotten)"
contains "locks: ... in the report, too" "BLOCKED for mutex " \
	"$("$kmprof" trace report forgotten --why bash 2>&1)"

# bare < RECORDS: a trace without stacks, whose locks have numbers
bare()
{
	{
		echo "${types/type 9 5 0 contention_begin 1/type 9 4 0 contention_begin}" |
			sed 's/type 1 3 0 switch 1/type 1 2 0 switch/'
		sed -E '/switch|contention_begin/s/ 0$//'
	} | mktrace > bare
}

# What a trace does not say.

bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 42 3 0 0 0
@9000 contention_end 42 8
T
same "locks: a number, a lock without an owner, and a wait in vain" "7.00us 1 7.00us semaphore #0000002a
0.000008000 s: #0000002a, in vain" \
	"$(waits bare; "$kmprof" trace --input bare | awk '/contention_end/ { print $1 " s: " $5, $6, $7 }')"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_end 43 0
@3000 contention_begin 42 1 0 77 0
T
same "locks: an end without a begin, an owner that is not there, and no end" "8.00us 1 8.00us mutex #0000002a" "$(waits bare)"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin/hard 42 6 4 0 0
@2500 contention_begin/soft 43 6 4 0 0
@2600 contention_end/soft 43 0
@3000 contention_end/hard 42 0
@4000 switch 0 2 0
@5000 contention_begin/hard 44 6 4 0 0
@6000 contention_end/hard 44 0
@7000 contention_begin/hard 42 6 4 0 0
@7100 switch 11 0 0
@7200 contention_begin 45 6 4 0 0
@7300 contention_end/hard 45 0
@7400 contention_end 45 0
T
same "locks: what interrupts wait for is not what the task waits for" "200ns 1 200ns spinlock #0000002d" "$(waits bare)"
same "locks: ... and is said to be theirs" "contention_begin spinlock #0000002b, spins (softirq)" \
	"$("$kmprof" trace --input bare | sed -n 's/.*\(contention_begin .*2b.*\)/\1/p')"
"$kmprof" trace --input bare --format chrome -o trace.json
same "locks: ... by other formats, too" 1 "$(grep -c '"contention_begin spinlock #0000002b, spins (softirq)"' trace.json)"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin/soft 42 4 0 10 0
@3000 switch 0 3 0
@5000 switch 11 0 0
@5100 contention_end/soft 42 0
T
same "locks: but a softirq that sleeps does so as the task" "3.10us 1 3.10us rtmutex #0000002a held by holder" "$(waits bare)"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 42 7 6 0 0
@2100 contention_begin 43 6 4 0 0
@2900 contention_end 43 0
@3000 contention_end 42 0
@4000 contention_begin 50 2 1 0 0
@4100 contention_begin 51 4 0 12 0
@4800 contention_end 51 0
@5000 contention_end 50 0
@6000 contention_begin 60 5 2 0 0
@6100 contention_begin 61 1 0 12 0
@6200 contention_end 61 0
@7500 contention_end 60 0
T
same "locks: a lock inside another one is a part of it" "1.50us 1 1.50us percpu_rwsem #0000003c
1.00us 1 1.00us rwlock #0000002a
1.00us 1 1.00us rwsem #00000032" "$(waits bare)"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 42 1 0 10 0
@2500 contention_begin 42 1 4 12 0
lose 3
batch 0 11 4000
@5000 contention_begin 43 1 0 10 0
@6000 contention_end 43 0
T
same "locks: an end that was lost is not later than the loss" "1.00us 1 1.00us mutex #0000002b held by holder
500ns 1 500ns mutex #0000002a held by holder" "$(waits bare)"
# elsewhere: CPU 1 loses events until 5000, and more is on standard input
elsewhere()
{
	{
		cat << 'T'
end 11000 15000
batch 1 12 1000
@1500 waking 10
lose 3 1
batch 1 12 5000
@5500 waking 10
batch 0 11 1000
T
		cat
	} | bare
}
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
@6000 switch 11 0 0
@7000 switch 0 2 0
T
same "locks: an end that may be lost on another CPU: nobody knows how long it took" "" "$(waits bare)"
same "locks: ... and the task has not slept for the lock behind it" "" \
	"$(report bare --why bash | grep mutex)"
"$kmprof" trace --input bare --format html -o bare.html
same "locks: ... html: it is asleep for it, and then for something else" \
"bash-11: BLOCKED for mutex #0000002a
bash-11: SLEEPING" "$(node "$TOOLS/tests/timeline.js" details bare.html 2 | grep '^bash-11: [A-Z]')"
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
@6000 switch 11 0 0
@7000 contention_begin 42 1 0 10 0
@8000 contention_end 42 0
T
same "locks: ... the next wait for the lock is one of its own" "1.00us 1 1.00us mutex #0000002a held by holder" \
	"$(waits bare)"
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
@6000 switch 11 0 0
@6500 contention_end 42 0
T
same "locks: ... an end that is seen is one" "4.50us 1 4.50us mutex #0000002a held by holder" "$(waits bare)"
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
T
same "locks: ... who sleeps since then still waits" "9.00us 1 9.00us mutex #0000002a held by holder" "$(waits bare)"
elsewhere << 'T'
@2000 contention_begin 42 1 4 10 0
@6000 contention_begin 42 1 0 10 0
@6500 switch 0 3 0
@8000 switch 11 0 0
@8500 contention_end 42 0
T
same "locks: ... nor is one lost of a task that stays on its CPU" "6.50us 1 6.50us mutex #0000002a held by holder" \
	"$(waits bare)"
elsewhere << 'T'
@2000 contention_begin 42 1 4 10 0
@2300 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
@6000 switch 11 0 0
@7000 switch 0 2 0
T
same "locks: ... nor how long what was before it took with it" "" "$(waits bare)"
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
@3500 switch 11 0 0
@4000 contention_begin 42 1 0 10 0
@4500 contention_end 42 0
T
same "locks: ... while the other CPU loses them" "500ns 1 500ns mutex #0000002a held by holder" \
	"$(waits bare)"
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@2500 switch 0 3 0
@3500 switch 11 0 0
@4000 switch 0 2 0
T
same "locks: ... in the report" "" "$(waits bare)"
"$kmprof" trace --input bare --format html -o bare.html
same "locks: ... and in html" \
"bash-11: BLOCKED for mutex #0000002a
bash-11: SLEEPING" "$(node "$TOOLS/tests/timeline.js" details bare.html 2 | grep '^bash-11: [A-Z]')"
elsewhere << 'T'
@2000 contention_begin 42 1 0 10 0
@5500 switch 0 3 0
@8000 switch 11 0 0
@8200 contention_begin 42 1 4 10 0
@8500 contention_end 42 0
T
same "locks: ... but who leaves its CPU when none loses any more has not lost its end" \
	"6.50us 1 6.50us mutex #0000002a held by holder" "$(waits bare)"
# What cannot be while a task waits ends the wait.
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 42 6 4 0 0
@3000 exit 11 bash
@4000 switch 0 7 0
batch 1 12 1000
@2000 contention_begin 43 6 4 0 0
@5000 switch 0 2 0
T
same "locks: a task exits, and one that spins falls asleep: the ends were lost" "3.00us 1 3.00us spinlock #0000002b
2.00us 1 2.00us spinlock #0000002a" "$(waits bare)"
same "locks: ... and the task has not slept for the lock" "SLEEPING, nobody is seen to wake it" \
	"$(report bare --why cat | sed -n 's/.*\(SLEEPING\|BLOCKED\)/\1/p')"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 50 5 1 0 0
@3000 contention_begin 51 1 0 12 0
@4000 contention_end 51 0
@5000 contention_begin 52 2 2 12 0
@5500 contention_begin 53 4 0 12 0
@6000 contention_end 53 0
T
same "locks: what is not inside another one ends the wait for that, too" "1.00us 1 1.00us percpu_rwsem #00000032
1.00us 1 1.00us mutex #00000033 held by cat
500ns 1 500ns rwsem #00000034 held by cat
500ns 1 500ns rtmutex #00000035 held by cat" "$(waits bare)"

# All waits, and those of a part of the time.
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 42 1 0 10 0
@3000 contention_end 42 0
@5000 contention_begin 42 1 0 10 0
@6000 contention_end 42 0
@8000 contention_begin 42 1 0 10 0
@8000 contention_begin 42 1 4 10 0
@9000 contention_end 42 0
batch 1 12 1000
@5500 contention_begin 42 1 0 10 0
@8500 contention_end 42 0
T
same "locks: why, of several waits" "#0000002a, 4 waits of 2 tasks: 6.00us between 0.000000 s and 0.000010 s" \
	"$(report bare --why '#0000002a' | head -1)"
same "locks: ... which are cut" "#0000002a, 3 waits of 2 tasks: 2.80us" \
	"$(report bare --why '#0000002a' --from 0.0000048 --to 0.0000072 | sed -n '1s/ between.*//p')"
same "locks: ... of which there is none" "kmprof: bare: no task waits for '#0000002a' between 0.000009 s and 0.000010 s" \
	"$("$kmprof" trace report bare --why '#0000002a' --from 0.000009 2>&1)"
bare << 'T'
end 11000 15000
batch 0 11 1000
@2000 contention_begin 42 1 0 10 0
@3000 contention_end 42 0
@4000 contention_begin 42 1 0 12 0
@6000 contention_end 42 0
@7000 contention_begin 42 1 0 10 0
@7500 contention_end 42 0
T
same "locks: by who holds it" "2.00us 1 2.00us mutex #0000002a held by cat
1.50us 2 1.00us mutex #0000002a held by holder" "$(waits bare)"

# A lock in a table, of a trace in which no stack found room.
{
	echo "$types"
	cat << T
end 11000 15000
batch 0 11 1000
@2000 contention_begin $table 2 1 0 0
@3000 contention_end $table 0
@4000 contention_begin $table 2 2 12 0
@6000 contention_end $table 0
names $names
T
} | mktrace > rwsem
same "locks: a lock in a variable" "rwsem lock_table+0x10, write, held by cat-12" \
	"$("$kmprof" trace --input rwsem | sed -n 's/.*begin \(.*write.*\)/\1/p')"
same "locks: ... why it was waited for" "lock_table+0x10, 2 waits of 1 task: 3.00us" \
	"$(report rwsem --why lock_table+0x10 | sed -n '1s/ between.*//p')"

refused()
{
	mktrace > bad
	contains "locks: $1" "$2" "$("$kmprof" trace --input bad 2>&1 > /dev/null)"
}
refused "a lock of no number" "arguments of a record" <<< "$types
batch 0 11 1000
@2000 contention_begin 0 1 0 10 0"
refused "... at its end" "arguments of a record" <<< "$types
batch 0 11 1000
@2000 contention_end 0 0"
refused "a begin without an owner" "a type" <<< "type 9 3 0 contention_begin"
refused "a begin whose owner would be its stack" "a type" <<< "type 9 4 0 contention_begin 1"
refused "an end without a result" "a type" <<< "type 10 1 0 contention_end"
bare << 'T'
batch 0 11 1000
@2000 contention_begin 0xffffffffffffffff 0xffffffffffffffff 0xffffffffffffffff 0xffffffffffffffff 0
@3000 contention_end 0xffffffffffffffff 0xffffffffffffffff
T
same "locks: numbers that are far out" "1.00us 1 1.00us unknown 0xffffffffffffffff" "$(waits bare)"
out=$("$asan/tests/story" --change bare 2>&1)
same "locks: changed anywhere" "0 $((6 * $(stat -c %s bare)))" \
	"$? $(awk '/^read [0-9]* refused [0-9]*$/ { print $2 + $4 }' <<< "$out")"

# Waits of random machines: those of the table are those that are explained.
cat > check.py << 'P'
import json, sys
waits = {}
for one in json.load(open(sys.argv[1]))["locks"]:
    waits[one["lock"]] = waits.get(one["lock"], 0) + one["ns"]
for path in sys.argv[2:]:
    why = json.load(open(path))["why"]
    assert waits[why["lock"]] == why["cause"]["ns"] == sum(end["ns"] for end in why["ends"]), why["lock"]
P
bad=0 explained=0
for seed in $(seq 12); do
	python3 "$TOOLS/tests/random_trace.py" "$seed" 3000 | mktrace > "random$seed"
	"$kmprof" trace report "random$seed" --json > sums 2> err || bad=$((bad + 1))
	for lock in $(python3 -c 'import json; print(*{one["lock"] for one in json.load(open("sums"))["locks"] if one["ns"]})'); do
		"$kmprof" trace report "random$seed" --why "$lock" --json > "why$lock" 2> err || bad=$((bad + 1))
		explained=$((explained + 1))
	done
	ls why* > files 2>&1 || continue
	python3 check.py sums why* > err 2>&1 || { bad=$((bad + 1)); sed "s/^/# $seed: /" err; }
	rm -f why*
done
same "locks: random machines add up" "0 yes" "$bad $([ $explained -gt 40 ] && echo yes)"

# A trace that is saved gets the names of its locks.
log=$TMP/log
mktrace > here <<< "${scene//$mutex/0xdeadbeef000}"
saves()
{
	LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_LOG=$log STUB_TRACE=$TMP/here "$TOOLS/kmprof" trace --stacks \
		-e contention -d 1ms "$@"
}
saves -o saved 2> err
same "locks: are asked for" "trace start 602 0 stacks" "$(grep start "$log")"
lock=$(awk '$2 ~ /[bBdD]/ && $1 !~ /^0*$/ && !$4 { n[$1]++; name[$1] = $3 }
	END { for (at in n) if (n[at] == 1) { print at, name[at]; exit } }' /proc/kallsyms)
# begins FILE: the lock of its first begin
begins()
{
	"$kmprof" trace --input "$1" | sed -n 's/.*begin mutex \([^ ,]*\),.*/\1/p' | head -1
}
if [ "$lock" ]; then
	mktrace > here <<< "${scene//$mutex/0x${lock% *}}"
	saves -o saved 2> err
	same "locks: ... and their names saved" "${lock#* }" "$(begins saved)"
	same "locks: ... without a warning" "" "$(grep warning err)"
	saves -o - 2> err | cat > piped
	same "locks: ... also into a pipe" "${lock#* }" "$(begins piped)"
	mkdir sub
	saves -o sub/saved 2> err
	same "locks: ... and into another directory" "${lock#* }" "$(begins sub/saved)"
	grep -v '^stack\|@8100\|@3100' <<< "${scene//$mutex/0x${lock% *}}" | sed '/^@/s/ 1$/ 0/' | mktrace > here
	saves -o stackless 2> err
	same "locks: ... if there was no room for stacks" "${lock#* }" "$(begins stackless)"
else
	contains "locks: no names, and why" "kallsyms" "$(cat err)"
fi
