#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Reclaim and compaction in a saved trace: what the formats say of them, the report, and the causes.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

types="events 0x1f80fe
type 15 1 0 reclaim_begin
type 16 1 0 reclaim_end
type 17 1 0 memcg_reclaim_begin
type 18 1 0 memcg_reclaim_end
type 19 1 0 compaction_begin
type 20 1 0 compaction_end
task 10 10 make
task 11 11 bash
task 12 12 make"

# stalls FILE: their table
stalls()
{
	last_table "TIME TIMES LONGEST RECLAIM AND COMPACTION" "$1"
}

# make compacts, reclaims, sleeps in that until a disk is done, and then until bash wakes it.
typed scene << 'T'
end 11000 15000
batch 0 10 1000
@2000 compaction_begin 0
@2500 compaction_end 7
@3000 reclaim_begin 3
@4000 switch 0 3
@5000 waking/hard 10
@5000 switch 10 0
@6000 reclaim_end 32
@7000 memcg_reclaim_begin 0
@7100 switch 0 2
@9100 switch 10 0
@9200 memcg_reclaim_end 5
batch 1 11 1000
@8000 waking 10
T
same "reclaim: text" \
"compaction_begin async
compaction_end contended
reclaim_begin order 3
reclaim_end 32 pages
memcg_reclaim_begin order 0
memcg_reclaim_end 5 pages" \
	"$("$kmprof" trace --input scene 2>&1 | grep 'reclaim\|compaction' | sed 's/^.* make-10 *//')"
same "reclaim: report" \
"3.00us 1 3.00us direct reclaim of make, 32 pages
2.20us 1 2.20us memcg reclaim of make, 5 pages
500ns 1 500ns compaction of make" "$(stalls scene)"
same "reclaim: why a task took so long" \
"43.0% 4.30us 4 runs
30.0% 3.00us 1 is in direct reclaim
20.0% 2.00us 2 runs
10.0% 1.00us 1 BLOCKED until a hardirq wakes it
22.0% 2.20us 1 is in memcg reclaim
11.0% 1.10us 1 is runnable
11.0% 1.10us 1 the CPU is idle
9.0% 900ns 1 SLEEPING until bash wakes it
9.0% 900ns 1 bash runs
2.0% 200ns 2 runs
5.0% 500ns 1 is in compaction
5.0% 500ns 1 runs" "$(causes scene --why 10)"
same "reclaim: ... in the end" \
"43.0% 4.30us 4 runs
20.0% 2.00us 2 is in direct reclaim
11.0% 1.10us 1 is runnable, and the CPU idle
10.0% 1.00us 1 BLOCKED until a hardirq wakes it
9.0% 900ns 1 bash runs
5.0% 500ns 1 is in compaction
2.0% 200ns 2 is in memcg reclaim" "$(ends scene --why 10)"
same "reclaim: ... in a part of the time that begins and ends in one" \
"100.0% 1.50us 1 is in direct reclaim
66.7% 1.00us 1 BLOCKED until a hardirq wakes it
33.3% 500ns 1 runs" \
	"$(causes scene --why 10 --from 0.0000025 --to 0.000004)"
same "reclaim: ... between two" "100.0% 300ns 1 runs" \
	"$(causes scene --why 10 --from 0.0000016 --to 0.0000019)"
same "reclaim: JSON" \
	"[{'stall': 'direct reclaim', 'task': 'make', 'count': 1, 'ns': 3000, 'longest_ns': 3000, 'pages': 32}, {'stall': 'memcg reclaim', 'task': 'make', 'count': 1, 'ns': 2200, 'longest_ns': 2200, 'pages': 5}, {'stall': 'compaction', 'task': 'make', 'count': 1, 'ns': 500, 'longest_ns': 500, 'pages': None}]" \
	"$("$kmprof" trace report scene --json | json "v['stalls']")"
same "reclaim: JSON, why" "[['direct reclaim', 3000], ['memcg reclaim', 2200], ['compaction', 500]]" \
	"$("$kmprof" trace report scene --why 10 --json |
		json "[[c['stall'], c['ns']] for c in v['why']['cause']['causes'] if c['why'] == 'stalled']")"

# Whoever waits for a task waits for its reclaim.
typed chain << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
@8000 switch 10 0
batch 1 11 1000
@3000 reclaim_begin 0
@7000 reclaim_end 32
@8000 waking 10
T
same "reclaim: of the task that is waited for" "60.0% 6.00us 1 BLOCKED until bash wakes it
40.0% 4.00us 1 bash is in direct reclaim
40.0% 4.00us 1 bash runs
20.0% 2.00us 2 bash runs
40.0% 4.00us 2 runs" "$(causes chain --why 10)"
same "reclaim: ... in the end" "40.0% 4.00us 1 bash is in direct reclaim
40.0% 4.00us 2 runs
20.0% 2.00us 2 bash runs" "$(ends chain --why 10)"

# Where events of its CPU are lost, it counts as long as it was seen; where those of another CPU are,
# its end may be among them, and nobody knows how long it took. But an end that is seen is one.
typed lost << 'T'
end 11000 15000
batch 0 10 1000
@2000 reclaim_begin 0
@3000 waking 11
lose 2 0
batch 0 10 5000
@6000 compaction_begin 0
@7000 compaction_end 8
T
same "reclaim: an end that is lost" \
"1.00us 1 1.00us direct reclaim of make, 0 pages
1.00us 1 1.00us compaction of make" "$(stalls lost)"
typed elsewhere << 'T'
end 11000 15000
batch 0 10 1000
@2000 reclaim_begin 0
@3000 switch 0 3
@9000 waking 11
batch 1 11 1000
@2000 waking 12
lose 2 1
batch 1 11 5000
@8000 waking 12
T
same "reclaim: ... perhaps, on another CPU" "" "$(stalls elsewhere)"
typed kept << 'T'
end 11000 15000
batch 0 10 1000
@2000 waking 11
lose 2 0
batch 0 10 5000
@9000 waking 11
batch 1 12 1000
@2000 reclaim_begin 0
@7000 reclaim_end 3
T
same "reclaim: an end that is not" "5.00us 1 5.00us direct reclaim of make, 3 pages" "$(stalls kept)"
typed partly << 'T'
end 11000 15000
batch 0 10 1000
@2000 reclaim_end 24
@4000 reclaim_begin 0
@5000 memcg_reclaim_end 4
@6000 reclaim_end 6
@7000 reclaim_end 7
@8000 compaction_begin 1
batch 1 0 1000
@2000 reclaim_begin 0
@3000 reclaim_end 0
T
same "reclaim: ends without a begin end nothing, what goes on ends with the trace, idle tasks have none" \
"3.00us 1 3.00us compaction of make
2.00us 1 2.00us direct reclaim of make, 6 pages" "$(stalls partly)"
typed dead << 'T'
end 11000 15000
batch 0 10 1000
@2000 reclaim_begin 0
@3000 exit 10 make
@4000 switch 0 7
T
same "reclaim: ... or with the task" "2.00us 1 2.00us direct reclaim of make, 0 pages" "$(stalls dead)"
typed inside << 'T'
end 11000 15000
batch 0 10 1000
@2000 reclaim_begin 0
@3000 compaction_begin 1
@5000 compaction_end 99
@6000 reclaim_end 6
T
same "reclaim: one that begins in another one ends that" \
"2.00us 1 2.00us compaction of make
1.00us 1 1.00us direct reclaim of make, 0 pages" "$(stalls inside)"
same "reclaim: a result that nobody knows" "compaction_end result 99" \
	"$("$kmprof" trace --input inside 2>&1 | grep compaction_end | sed 's/^.* make-10 *//')"
typed none << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
T
same "reclaim: no table if there is none" "" "$(report none | grep RECLAIM)"
typed bad << 'T'
end 11000 15000
batch 0 10 1000
@2000 reclaim_begin 0x80000000
T
out=$("$kmprof" trace --input bad 2>&1)
result "reclaim: an order that cannot be is refused" $((! $?))
contains "reclaim: ... with a reason" "arguments of a record" "$out"

# The other formats.
"$kmprof" trace --input scene --format chrome -o trace.json
same "reclaim: chrome" "['reclaim_begin order 3', 'reclaim_end 32 pages']" \
	"$(json "[e['name'] for e in v['traceEvents'] if e['name'].startswith('reclaim')]" < trace.json)"
"$kmprof" trace --input scene --format html -o trace.html
same "reclaim: html" 1 "$(grep -o '"memcg_reclaim_begin"' trace.html | wc -l)"
"$kmprof" trace --input scene --format perfetto -o trace.pftrace
decoded=$(protoc --decode=kmprof.perfetto.Trace -I "$TOOLS/lib/timeline" perfetto.proto < trace.pftrace)
same "reclaim: Perfetto" \
"mm_compaction_begin { }
mm_compaction_end { status: 7 }
mm_vmscan_direct_reclaim_begin { order: 3 }
mm_vmscan_direct_reclaim_end { nr_reclaimed: 32 }" \
	"$(tr -s ' \n' ' ' <<< "$decoded" | grep -o 'mm_[a-z_]* {[^}]*}')"
contains "reclaim: Perfetto has no event for that of a cgroup" "memcg_reclaim_end" "$decoded"
