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

# report ARGUMENT...: without the first two lines, and with one blank between words
report()
{
	"$kmprof" trace report "$@" 2>&1 | sed '1,2d; s/  */ /g; s/^ //'
}

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
20.0% 400ns 1 make BLOCKED until an interrupt wakes it
10.0% 200ns 1 make is runnable
10.0% 200ns 1 behind hog
35.0% 700ns 2 runs
5.0% 100ns 1 is runnable
5.0% 100ns 1 behind make" "$(report scene --why bash)"
same "trace report: why, by id" "$(report scene --why bash | tail -n +2)" "$(report scene --why 10 | tail -n +2)"
same "trace report: why, of a part" "50.0% 100ns 1 BLOCKED until an interrupt wakes it
50.0% 100ns 1 is runnable
50.0% 100ns 1 behind hog" \
	"$(report scene --why make --from 0.0000009 --to 0.0000011 | sed 1,3d)"

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
wrong "an empty time" 2 "--to: '' is not a time in seconds" scene --why bash --to ""
wrong "no time to explain" 2 "--to: not later than --from" scene --why bash --from 2 --to 1
wrong "a part without --why" 2 "only with --why" scene --from 1
wrong "two traces" 2 "not also 'pair'" scene pair
same "trace report: kmprof.trace if not given" 0 "$(cp scene kmprof.trace; "$kmprof" trace report > out 2>&1; echo $?)"
same "trace report: a full disk" "1 yes" \
	"$("$kmprof" trace report scene 2> err > /dev/full; echo $? $(grep -q 'No space left' err && echo yes))"
same "trace report: fits a terminal" "" "$(terminal "$kmprof trace report scene" | grep -E '.{81}')"
