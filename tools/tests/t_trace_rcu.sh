#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Grace periods of RCU in a saved trace: what the formats say of them, and the report.
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

types="events 0x180000fe
type 27 0 0 grace_period_begin
type 28 0 0 grace_period_end
task 10 10 rcu_preempt
task 11 11 bash"

# periods FILE: their row in the report
periods()
{
	last_table "TIME TIMES LONGEST GRACE PERIODS OF RCU" "$1"
}

# The first one has begun before the trace, the last one goes on behind it.
typed scene << 'T'
end 11000 15000
batch 0 10 1000
@1500 grace_period_end
@2000 grace_period_begin
@3000 switch 0 4
batch 1 0 1000
@4000 switch 10 0
@5000 grace_period_end
@5000 grace_period_begin
@5500 grace_period_end
@10000 grace_period_begin
T
same "rcu: text" \
"grace_period_end
grace_period_begin
grace_period_end
grace_period_begin
grace_period_end
grace_period_begin" "$("$kmprof" trace --input scene 2>&1 | grep -o 'grace.*')"
same "rcu: report" "4.50us 3 3.00us the longest one from 0.000001 s on" "$(periods scene)"
same "rcu: JSON" "{'count': 3, 'ns': 4500, 'longest_ns': 3000, 'longest_from_ns': 1000}" \
	"$("$kmprof" trace report scene --json | json "v['grace_periods']")"
# A loss on any CPU: RCU's thread can have been there. Of the first one, the end must have been among them; how
# the second one went on, nobody knows.
typed lost << 'T'
end 11000 15000
batch 0 10 1000
@2000 grace_period_begin
@3000 waking 11
lose 2 0
batch 0 10 6000
@7000 grace_period_end
@8000 grace_period_begin
batch 1 11 1000
@5000 grace_period_begin
@5500 waking 10
T
same "rcu: what a loss or the end cuts off" "3.00us 1 3.00us the longest one from 0.000007 s on" "$(periods lost)"
typed none << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
T
same "rcu: no table if there is none" "" "$(report none | grep 'GRACE PERIODS')"
same "rcu: ... and in JSON" "{'count': 0, 'ns': 0, 'longest_ns': 0, 'longest_from_ns': None}" \
	"$("$kmprof" trace report none --json | json "v['grace_periods']")"

# The other formats: in each, what has begun ends once.
# perfetto FILE: the slices in it, with their times
perfetto()
{
	"$kmprof" trace --input "$1" --format perfetto -o trace.pftrace
	decoded "$PWD/trace.pftrace" | awk '
		$1 == "timestamp:" { time = $2 }
		/type: TYPE_SLICE_BEGIN/ { begun = time }
		/type: TYPE_SLICE_END/ { print begun, time }
		/name: "RCU"/ { print "track" }' | xargs
}
same "rcu: Perfetto" "track 7000 10000 10000 10500 15000 16000" "$(perfetto scene)"
same "rcu: Perfetto, a slice on the track" "grace period 12884901888" \
	"$(decoded "$PWD/trace.pftrace" | awk '/SLICE_BEGIN/ { is_one = 1 } is_one && /track_uuid/ { track = $2 }
		is_one && /name: "/ { gsub(/.*name: |"/, ""); print $0, track; exit }')"
same "rcu: Perfetto, the numbers of fields" "1.11.9 1.11.11 1.11.22 1.11.23" \
	"$(field_numbers trace.pftrace | grep '^1\.11\.' | xargs)"
same "rcu: Perfetto, what a loss or the end cuts off" "track 7000 10000 10000 10000 13000 16000" "$(perfetto lost)"
same "rcu: Perfetto, no track if there is none" "" "$(perfetto none)"
# chrome FILE: the slices in it
chrome()
{
	"$kmprof" trace --input "$1" --format chrome -o trace.json
	json "[(e['tid'], e['ts'], e['dur']) for e in v['traceEvents'] if e['name'] == 'grace period'] +
		[e['args']['name'] for e in v['traceEvents'] if e['name'] == 'thread_name']" < trace.json
}
same "rcu: chrome" "[(2, 1.0, 3.0), (2, 4.0, 0.5), (2, 9.0, 1.0), 'CPU 0', 'CPU 1', 'RCU']" "$(chrome scene)"
"$kmprof" trace --input scene --format go -o trace.go
same "rcu: go, a collection" "1001 GCStart 4001 GCDone 4001 GCStart 4501 GCDone 9001 GCStart 10001 GCDone" \
	"$(go_events trace.go | awk '$2 ~ /^GC/ { print $1, $2 }' | xargs)"
"$kmprof" trace --input lost --format go -o trace.go
same "rcu: go, what a loss or the end cuts off" 3 "$(go_events trace.go | grep -c GCDone)"
same "rcu: go, all pages" "1 of 1 traces" "$(timeout 60 python3 "$TOOLS/tests/go_pages.py" trace.go)"
"$kmprof" trace --input scene --format html -o trace.html
same "rcu: the page has no flags of them" "" "$(grep -o '"grace_period[a-z_]*"' trace.html)"
"$kmprof" trace --input scene -o trace.ctf
same "rcu: CTF" "end begin end begin end begin" \
	"$(babeltrace2 trace.ctf 2>&1 | grep -o 'grace_period_[a-z]*' | sed 's/.*_//' | xargs)"
