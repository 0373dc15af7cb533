#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kmprof trace report: a scene made up by hand, whose times and causes can be told by reading it, and
# what must hold of every trace.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

# make wakes bash, after it was blocked, and behind hog on its CPU.
mktrace > scene << 'T'
task 10 10 bash
task 11 11 make
task 12 12 never
task 13 13 hog
end 3000 7000
batch 0 10 1000
@1000 waking 11
@1300 switch 11 2
@1400 fork 20 20 cc1
@1500 migrate 20 1
@1600 switch 13 3
@2000 waking/hard 11
@2200 switch 11 1
@2500 waking 10
@2600 switch 10 2
batch 1 0 1550
@1610 switch 20 0
@1700 exec 20 as
@1800 exit 20 as
@1900 switch 0 7
T

same "trace report: what is in it" "scene: 2.00us on 2 CPUs, 13 events, none lost" \
	"$("$kmprof" trace report scene | head -1)"
same "trace report: sums, waits, wake-ups" " WAITS FOR A CPU
RUNNING RUNNABLE BLOCKED ASLEEP MEDIAN 99 % LONGEST TASK
700ns 100ns 0ns 1.20us 100ns 100ns 100ns bash-10
700ns 500ns 400ns 400ns 200ns 300ns 300ns make-11
600ns 1.40us 0ns 0ns 600ns 800ns 800ns hog-13
290ns 210ns 0ns 0ns 210ns 210ns 210ns as-20
0ns 0ns 0ns 2.00us 0ns 0ns 0ns never-12

WAITS AFTER THAT
WAKE-UPS MEAN LONGEST WAKER > WOKEN
1 200ns 200ns hardirq > make
1 300ns 300ns bash > make
1 100ns 100ns make > bash" "$(report scene | sed 's/^WAITS FOR/ &/')"
same "trace report: ordered, and no more than asked for" "hog-13
make-11
... and 3 more; -n 0 shows all" "$(report scene --sort runnable -n 2 | sed -n '3,4s/.* //p; 5p')"
for key in runnable:hog-13 blocked:make-11 longest:hog-13 running:bash-10; do
	same "trace report: by ${key%:*}" "${key#*:}" "$(report scene --sort "${key%:*}" | awk 'NR == 3 { print $NF }')"
done
same "trace report: why" "bash: 2.00us between 0.000000 s and 0.000002 s

SHARE TIME TIMES WHY
60.0% 1.20us 1 SLEEPING until make wakes it
30.0% 600ns 2 make runs
20.0% 400ns 1 make BLOCKED until a hardirq wakes it
10.0% 200ns 1 make is runnable
10.0% 200ns 1 behind hog
35.0% 700ns 2 runs
5.0% 100ns 1 is runnable
5.0% 100ns 1 behind make" "$(report scene --why bash)"
same "trace report: ... in the end" "35.0% 700ns 2 runs
30.0% 600ns 2 make runs
20.0% 400ns 1 make BLOCKED until a hardirq wakes it
10.0% 200ns 1 make is runnable behind hog
5.0% 100ns 1 is runnable behind make" "$(ends scene --why bash)"
same "trace report: ... which is said where somebody waits for somebody" "" \
	"$("$kmprof" trace report scene --why make | grep 'IN THE END')"
same "trace report: why, by id" "$(report scene --why bash | tail -n +2)" "$(report scene --why 10 | tail -n +2)"
same "trace report: why, of a part" "50.0% 100ns 1 BLOCKED until a hardirq wakes it
50.0% 100ns 1 is runnable
50.0% 100ns 1 behind hog" \
	"$(report scene --why make --from 0.0000009 --to 0.0000011 | sed 1,3d)"

# What a task did before the start is not known: also how it went to sleep.
cat > before.txt << 'T'
task 10 10 bash
task 12 12 waker
end 7000 11000
batch 0 12 1000
@5000 waking 10
@6000 switch 10 2
T
mktrace < before.txt > before
same "trace report: asleep since before the start" "66.7% 4.00us 1 asleep until waker wakes it
66.7% 4.00us 1 waker runs
16.7% 1.00us 1 is runnable
16.7% 1.00us 1 behind waker
16.7% 1.00us 1 runs" "$(report before --why bash | sed 1,3d)"
sed 's:waking:waking/soft:' before.txt | mktrace > softirq
same "trace report: ... until a softirq" "66.7% 4.00us 1 asleep until a softirq wakes it" \
	"$(report softirq --why bash | sed -n 4p)"

# bash waits behind hog on CPU 0, until it is moved to CPU 1, which is idle.
mktrace > moved << 'T'
task 10 10 bash
task 11 11 hog
task 12 12 waker
end 11000 15000
batch 0 10 1000
@1900 switch 11 2
batch 1 12 1000
@2000 waking 10
@2000 switch 0 2
@9000 migrate 10 1
@9100 switch 10 0
T
same "trace report: behind what ran where it waited" "70.0% 7.00us 1 behind hog
1.0% 100ns 1 the CPU is idle" "$(report moved --why bash | grep -E 'behind|CPU')"
# waker wakes bash, and puts it behind hog on the other CPU, where it still waits at the end.
mktrace > awaiting << 'T'
task 10 10 bash
task 11 11 hog
task 12 12 waker
end 11000 15000
batch 0 12 1000
@1000 waking 10
@1000 migrate 10 1
batch 1 11 1000
T
same "trace report: behind what runs where it still waits" "100.0% 10.0us 1 behind hog" \
	"$(report awaiting --why bash | grep behind)"

# A task may be called like the idle one.
mktrace > idle << 'T'
task 10 10 idle
task 11 11 bash
end 3000 7000
batch 0 10 1000
@1500 switch 11 1
T
same "trace report: a task that is called idle" "25.0% 500ns 1 behind idle" \
	"$(report idle --why bash | grep -E 'behind|CPU')"

# That a task must have been runnable before it ran is no wait, and no wake-up.
mktrace > unseen << 'T'
task 10 10 bash
task 11 11 make
end 5000 9000
batch 0 10 1000
@1400 switch 11 2
@2000 switch 10 2
@3000 waking 11
@3100 switch 11 2
T
same "trace report: a wake-up that is not seen" "0 waits of bash, 1 wake-up" \
	"$("$kmprof" trace report unseen --json | python3 -c 'import json, sys
r = json.load(sys.stdin)
print([t["waits"]["count"] for t in r["tasks"] if t["task"]["comm"] == "bash"][0], "waits of bash,",
      sum(wake["count"] for wake in r["wakes"]), "wake-up")')"

# ring N: N tasks wake each other in a ring, each behind the one before, four times.
ring()
{
	python3 - "$1" << 'P'
import sys
n, now = int(sys.argv[1]), 1000
for tid in range(n):
    print(f"task {tid + 10} {tid + 10} t{tid}")
print("batch 0 10 1000")
for tid in range(4 * n):
    print(f"@{now + 10} waking {(tid + 1) % n + 10}\n@{now + 11} switch {(tid + 1) % n + 10} 2")
    now += 11
    if tid % 500 == 499:
        print(f"batch 0 {(tid + 1) % n + 10} {now}")
P
}
ring 96 | mktrace > circle
ring 500 | mktrace > long
cat > deep.py << 'P'
import json, sys
cut = 0
def depth(cause):
    global cut
    cut += cause["why"] == "not_followed_further"
    below = cause["causes"]
    assert cause["why"] != "asleep_until_task" or below
    assert not below or cause["ns"] == sum(one["ns"] for one in below), cause
    return 1 + max((depth(one) for one in below), default=0)
# Many readers of JSON do not go deeper than 1000.
root = json.load(sys.stdin)["why"]["cause"]
sys.setrecursionlimit(4000)
depth = depth(root)
print("deep" if depth > 90 else depth, "cut" if cut else "whole")
P
same "trace report: a long chain" "deep whole" \
	"$("$kmprof" trace report circle --why t0 --json | python3 deep.py 2>&1)"
same "trace report: a chain that is too long" "deep cut" \
	"$("$kmprof" trace report long --why t0 --json | python3 deep.py 2>&1)"

# Many tasks of one name wait for one that is switched often; and one waits behind many others.
python3 - > many.txt << 'P'
print("task 5 5 W\ntask 6 6 V")
for tid in range(3000):
    print(f"task {tid + 10} {tid + 10} java")
print("batch 0 5 1000")
for i in range(60000):
    print(f"@{1010 + i * 10} switch {5 + (i + 1) % 2} 0")
    if i % 500 == 499:
        print(f"batch 0 {5 + (i + 1) % 2} {1010 + i * 10}")
for tid in range(3000):
    if tid % 500 == 0:
        print(f"batch 0 5 {700000 + tid}")
    print(f"@{700000 + tid} waking {tid + 10}")
P
python3 - > names.txt << 'P'
print("task 5 5 bash")
for tid in range(100000):
    print(f"task {tid + 10} {tid + 10} t{tid}")
print("batch 0 5 1000")
for tid in range(100000):
    print(f"@{1000 + tid * 10} switch {tid + 10} 0")
    if tid % 500 == 499:
        print(f"batch 0 {tid + 10} {1000 + tid * 10}")
print("@1100000 switch 5 0")
P
mktrace < many.txt > many
mktrace < names.txt > names
# Seconds of processor time: the machine may have other things to do.
same "trace report: many tasks of one name" 0 \
	"$( (ulimit -t 5; "$TOOLS/kmprof" trace report many --why java > out 2>&1); echo $?)"
contains "trace report: ... with all their time" "W runs" "$(cat out)"
same "trace report: many causes" 0 \
	"$( (ulimit -t 5; "$TOOLS/kmprof" trace report names --why bash > out 2>&1); echo $?)"
# A machine may have many CPUs, of which most are idle.
{
	printf '%s\n' "cpus 65536" "task 10 10 bash" "batch 0 10 1000" "@1400 mark a"
} | mktrace > wide
same "trace report: many CPUs take no memory" 0 \
	"$( (ulimit -v 200000; "$TOOLS/kmprof" trace report wide > out 2>&1); echo $?)"

# What is below half a percent is one line, and in full in JSON.
{
	printf '%s\n' "task 10 10 bash" "task 11 11 a" "task 12 12 b" "end 1001000 1005000" "batch 0 10 1000" \
		"@1000 switch 11 0" "@1900 switch 12 0" "@2800 switch 10 0"
} | mktrace > small
same "trace report: small causes are one" "99.8% 998us 1 runs
0.2% 1.80us 1 (other causes)" "$(report small --why bash | sed 1,3d)"
same "trace report: ... and not in JSON" "2" \
	"$("$kmprof" trace report small --why bash --json | python3 -c 'import json, sys
print(len(json.load(sys.stdin)["why"]["cause"]["causes"][1]["causes"]))')"
# Two of them, each in the way of the other: tasks of one name are one.
mktrace > pair << 'T'
task 10 10 twin
task 11 11 twin
end 2000 6000
batch 0 10 1000
@1400 switch 11 1
T
same "trace report: all tasks of a name" "twin, 2 tasks: 2.00us between 0.000000 s and 0.000001 s

SHARE TIME TIMES WHY
50.0% 1.00us 2 runs
50.0% 1.00us 2 is runnable
50.0% 1.00us 2 behind twin" "$(report pair --why twin)"

# bash waits for a task that make has yet to create.
mktrace > late << 'T'
task 10 10 bash
task 11 11 make
end 3000 7000
batch 0 10 1000
@1000 switch 11 2
@1500 fork 20 20 cc1
@1600 switch 20 1
@1800 waking 10
@2000 switch 10 7
T
same "trace report: a task that is yet to be created" "50.0% 1.00us 1 runs
40.0% 800ns 1 SLEEPING until cc1 wakes it
25.0% 500ns 1 cc1 is not there until make creates it
25.0% 500ns 1 make runs
10.0% 200ns 1 cc1 runs
5.0% 100ns 1 cc1 is runnable
5.0% 100ns 1 behind make
10.0% 200ns 1 is runnable
10.0% 200ns 1 behind cc1" "$(report late --why bash | sed 1,3d)"

# From a loss on, what bash does is not known until it is seen again.
mktrace > hole << 'T'
task 10 10 bash
end 3000 7000
batch 0 10 1000
@1400 mark a
lose 3
batch 0 10 2000
@2400 switch 0 2
T
same "trace report: what is not known" "800ns 0ns 0ns 600ns 0ns 0ns 0ns bash-10
Not known: 600ns of all tasks together" "$(report hole | sed '1,2d')"
same "trace report: ... is a cause, too" "40.0% 800ns 2 runs
30.0% 600ns 1 not known: events are missing
30.0% 600ns 1 SLEEPING, nobody is seen to wake it" "$(report hole --why bash | sed 1,3d)"

# With stacks: where a task sleeps, and where it is woken. Stacks 1 and 3 are of the same functions.
image "$TMP/img" < "$TOOLS/tests/basic.spec"
"$TOOLS/kmprof" dump --input img --kallsyms "$kallsyms" --format image -o complete || exit 1
cat > places.txt << 'T'
type 1 3 0 switch 1
type 2 2 0 waking 1
task 10 10 bash
task 11 11 make
end 5000 9000
stacks
stack 1 ffffffff81001100 ffffffff81001250
stack 2/1 ffffffffc0000010 ffffffffc0000090 ffffffff81001210
stack 3 ffffffff810010f0 ffffffff81001250
stack 4 ffffffffc0000010 ffffffffc0000090 ffffffff81001210 ffffffff81001250
batch 0 10 1000
@1100 switch 11 2 1
@1500 waking 10 2
@1600 switch 10 0 2
@1700 switch 11 2 3
@1900 waking 10 2
@2000 switch 10 0 2
@2100 switch 11 2 4
T
{ cat places.txt; echo "names $(hex complete)"; } | mktrace > places
same "trace report: where tasks slept" " TIME TIMES LONGEST SLEEPS
2.90us 1 2.90us bash SLEEPING
in leak [leaky] < leak_outer [leaky] < vfs_read < vfs_read
600ns 2 400ns bash SLEEPING
in alloc_inode < vfs_read" "$(report places | sed -n '/SLEEPS/,/^$/p' | sed 's/^TIME/ &/' | sed '$d')"
same "trace report: where they were woken" "2 100ns 100ns make > bash
in leak [leaky] < leak_outer [leaky] < vfs_read < ..." "$(report places | sed -n '/WAKER/,$p' | tail -n +2)"
same "trace report: why, and where" "72.5% 2.90us 1 SLEEPING, nobody is seen to wake it
in leak [leaky] < leak_outer [leaky] < vfs_read < vfs_read
15.0% 600ns 2 SLEEPING until make wakes it
in alloc_inode < vfs_read
15.0% 600ns 2 make runs" "$(report places --why bash | sed 1,3d | head -5)"
same "trace report: where, as JSON" "['alloc_inode', 'vfs_read'] ['leak [leaky]', 'leak_outer [leaky]', 'vfs_read', '...'] ['leak [leaky]', 'leak_outer [leaky]', 'vfs_read', 'vfs_read'] []" \
	"$(for why in "" "--why bash"; do "$kmprof" trace report places --json $why; done | python3 -c 'import json, sys
text, decoder = sys.stdin.read(), json.JSONDecoder()
sums, end = decoder.raw_decode(text)
whole = json.loads(text[end:])
why = whole["why"]["cause"]["causes"]
print(sums["stacks"][str(sums["sleeps"][1]["stack"])], sums["stacks"][str(sums["wakes"][0]["stack"])],
      whole["stacks"][str(why[0]["places"][0]["stack"])], why[1]["causes"][0]["places"])')"
mktrace < places.txt > bare
contains "trace report: no names" "in 0xffffffff81001100 < 0xffffffff81001250" "$(report bare 2> /dev/null)"
contains "trace report: ... and why" "bare: of another boot or machine, and saved without names" \
	"$("$kmprof" trace report bare 2>&1 > /dev/null)"

# Many places are one cause, with those that took longest.
python3 - > spread.txt << 'P'
print("type 1 3 0 switch 1\ntask 10 10 bash\ntask 11 11 make\nend 31000 35000\nstacks")
for i in range(300):
    print(f"stack {i + 1} {0xffffffff81000000 + 16 * i:x}")
print("batch 0 10 1000")
now = 1000
for i in range(300):
    print(f"@{now + 5} switch 11 2 {i + 1}\n@{now + 90 + (i == 7)} waking 10\n@{now + 95} switch 10 0 0")
    now += 100
    if i % 100 == 99:
        print(f"batch 0 10 {now}")
P
mktrace < spread.txt > spread
same "trace report: many places of one cause" "85.0% 25.5us 300 SLEEPING until make wakes it
0.3% in 0xffffffff81000070
0.3% in 0xffffffff81000000
0.3% in 0xffffffff81000010
and in 297 other places
85.0% 25.5us 300 make runs" "$(report spread --why bash | sed -n '/until make/,$p' | head -6)"

# What has no stack is told.
sed 's/^end 5000 9000$/end 5000 9000 7 0 3/' places.txt | mktrace > stackless
contains "trace report: events without a stack" "stackless: 3 events have no stack: there was no room for it" \
	"$("$kmprof" trace report stackless 2>&1 > /dev/null)"
printf '%s\n' "type 1 3 0 switch 1" "task 10 10 bash" "task 11 11 make" "end 5000 9000" stacks \
	"stack 1 ffffffff81001100" "batch 0 11 1000" "@1900 waking 10" "@2000 switch 10 2 1" | mktrace > before
contains "trace report: sleeps before the start" "900ns of sleep are not here: where is not known" \
	"$(report before 2> /dev/null)"

# Who waits for whom: hog is in the way of a"\b, for which bash waits; asleep waits for a task that bash
# has yet to create; sleeper waits for timer, and this one for an interrupt.
mktrace > graph << 'T'
task 10 10 bash
task 11 11 a"\\b
task 12 12 timer
task 13 13 hog
task 14 14 asleep
task 15 15 sleeper
end 3000 7000
batch 0 13 1000
@1100 switch 10 1
@1200 switch 14 2
@1250 switch 12 2
@1260 switch 15 2
@1300 switch 13 3
@1400 waking/hard 12
@1700 switch 11 1
@1750 waking 10
@1800 switch 10 1
@1900 fork 20 20 late
@2000 switch 20 1
@2100 waking 14
@2200 switch 12 2
@2300 waking 15
T
# graph TIME: what each task does, then each edge
graph()
{
	"$kmprof" trace report graph --graph "$1" > waits.dot || return
	dot -Tdot waits.dot > /dev/null || echo "not for dot"
	sed -n 's/^\tt[0-9]* \[label="\(.*\)-[0-9]*\\n\([^"]*\)".*/\1 \2/p
		s/^\tt\([0-9]*\) -> t\([0-9]*\) .*"\(.*\)".*/\1 \3 \2/p' waits.dot
}
same "trace report: who waits for whom" 'bash SLEEPING
a\"\\b is runnable on CPU 0
timer SLEEPING until a hardirq wakes it
hog runs on CPU 0
asleep SLEEPING
sleeper BLOCKED
late is not there yet
1 until woken by 2
2 behind 4
5 until woken by 7
6 until woken by 3
7 until created by 1' "$(graph 0.00000035)"
same "trace report: ... as JSON" 'bash asleep_until_task SLEEPING None None a"\b
a"\b runnable None None 0 hog
timer asleep_until_interrupt SLEEPING hardirq None None
hog running None None 0 None
asleep asleep_until_task SLEEPING None None late
sleeper asleep_until_task BLOCKED None None timer
late not_created_until_task None None None bash' \
	"$("$kmprof" trace report graph --graph 0.00000035 --json | python3 -c 'import json, sys
for node in json.load(sys.stdin)["graph"]["tasks"]:
    print(node["task"]["comm"], node["why"], node["state"], node["interrupt"], node["cpu"],
          (node["waits_for"] or {}).get("comm"))')"
same "trace report: ... when the interrupt has come" "timer is runnable on CPU 0
3 behind 4" "$(graph 0.00000045 | grep -E '^(timer|3) ')"
same "trace report: who waits, and where" "in alloc_inode < vfs_read" \
	"$("$kmprof" trace report places --graph 0.0000001 | sed -n 's/.*bash-10.*tooltip="\(.*\)".*/\1/p')"
same "trace report: behind what runs on the CPU to which a task was moved" "t1 -> t2" \
	"$("$kmprof" trace report awaiting --graph 0.000001 | sed -n 's/^\t\(t.*\) \[label="behind".*/\1/p')"

# Each task's states are all its time, causes are the sum of those below, and no CPU runs two.
cat > check.py << 'P'
import json, sys
sums, whys = json.load(open(sys.argv[1])), [json.load(open(name)) for name in sys.argv[2:]]
assert sum(task["running_ns"] for task in sums["tasks"]) <= sums["ns"] * sums["cpus"]
time = {}
for task in sums["tasks"]:
    waits = task["waits"]
    assert waits["median_ns"] <= waits["p99_ns"] <= waits["longest_ns"] <= task["runnable_ns"]
    whole = (task["running_ns"] + task["runnable_ns"] + task["unknown_ns"] +
             sum(task["asleep_ns"].values()))
    assert whole <= sums["ns"]
    time[task["task"]["tid"]] = time.get(task["task"]["tid"], 0) + whole
def check(cause, can_end):
    below = cause["causes"]
    if below or not can_end:
        assert cause["ns"] == sum(one["ns"] for one in below), cause
    for one in below:
        check(one, one["why"] != "runnable")
    return 1 + sum(map(len, below))
deep = 0
for why in whys:
    why = why["why"]
    assert why["cause"]["ns"] == time[int(why["task"])], why["task"]
    check(why["cause"], True)
    assert why["cause"]["ns"] == sum(one["ns"] for one in why["ends"]), why["task"]
    assert not [one for one in why["ends"] if "causes" in one], why["task"]
P
bad=0
for seed in $(seq 12); do
	python3 "$TOOLS/tests/random_trace.py" "$seed" 700 | mktrace > "random$seed"
	"$kmprof" trace report "random$seed" --json > sums 2> err || bad=$((bad + 1))
	ids=$(python3 -c 'import json; print(*sorted({task["task"]["tid"] for task in json.load(open("sums"))["tasks"]})[:8])')
	for id in $ids; do
		"$kmprof" trace report "random$seed" --why "$id" --json > "why$id" 2> err || bad=$((bad + 1))
	done
	python3 check.py sums $(printf 'why%s ' $ids) > err 2>&1 || { bad=$((bad + 1)); sed "s/^/# $seed: /" err; }
	rm -f why*
done
same "trace report: random machines add up" 0 $bad

# Without wake-ups, the report says what it cannot know.
mktrace > blind <<< $'events 2\ntask 10 10 bash\nbatch 0 10 1000\n@1400 switch 0 2'
contains "trace report: no wake-ups" "wake-ups were not recorded" "$("$kmprof" trace report blind 2>&1 >/dev/null)"

# wrong NAME STATUS WANTED ARGUMENT...
wrong()
{
	local name=$1 status=$2 wanted=$3 got

	shift 3
	got=$("$kmprof" trace report "$@" 2>&1 > out)
	same "trace report: $name, status" "$status, 0 bytes" "$?, $(stat -c %s out) bytes"
	contains "trace report: $name" "$wanted" "$got"
}

wrong "no trace" 1 "kmprof.trace: No such file"
wrong "no such task" 1 "no task has the name or id 'cat'" scene --why cat
wrong "not a trace" 1 "check.py: not a trace" check.py
wrong "no such key" 2 "--sort: 'x' is not running, runnable, blocked or longest" scene --sort x
wrong "no number" 2 "-n: 'x' is not a number" scene -n x
wrong "no time" 2 "--from: '-1' is not a time in seconds" scene --why bash --from -1
wrong "a time in hexadecimal" 2 "--from: '0x1' is not a time in seconds" scene --why bash --from 0x1
wrong "a time of no digits" 2 "--to: '.' is not a time in seconds" scene --why bash --to .
wrong "a part behind the end" 1 "scene: --from: it ends after 0.000002 s" scene --why bash --from 1
wrong "rows of a tree" 2 "--sort and -n: not with --why" scene --why bash -n 3
wrong "the order of a tree" 2 "--sort and -n: not with --why" scene --why bash --sort runnable
wrong "a graph behind the end" 1 "graph: --graph: it ends after 0.000002 s" graph --graph 0.000002
wrong "a graph at no time" 2 "--graph: 'x' is not a time in seconds" graph --graph x
for more in "--why bash" "--from 1" "-n 3" "--sort runnable"; do
	wrong "a graph with ${more%% *}" 2 "--graph: not with" graph --graph 1 $more
done
wrong "an empty time" 2 "--to: '' is not a time in seconds" scene --why bash --to ""
wrong "no time to explain" 2 "--to: not later than --from" scene --why bash --from 2 --to 1
wrong "--why of nothing" 2 "--why: give a task or a lock" scene --why ""
wrong "a part without --why" 2 "only with --why" scene --from 1
wrong "two traces" 2 "not also 'pair'" scene pair
same "trace report: kmprof.trace if not given" 0 "$(cp scene kmprof.trace; "$kmprof" trace report > out 2>&1; echo $?)"
same "trace report: a full disk" "1 yes" \
	"$("$kmprof" trace report scene 2> err > /dev/full; echo $? $(grep -q 'No space left' err && echo yes))"
# fits NAME LINES ARGUMENT...: at least so many lines, none of which is too long
fits()
{
	local name=$1 lines=$2

	shift 2
	same "trace report: $name fits a terminal" "yes, 0" \
		"$(terminal "$kmprof trace report $*" | sed 's/\x1b\[[0-9;]*m//g' | awk -v wanted="$lines" '
		length > 80 { n++ }
		END { print (NR >= wanted ? "yes" : NR " lines") ", " n + 0 }')"
}

fits "a report" 14 scene
fits "a deep tree" 90 circle --why t0
fits "a report with stacks" 12 places
fits "a tree with stacks" 8 places --why bash
