#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Memory in a saved trace: what the formats say of it, the curve of what is in use, and the report.
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

types="events 0x6000fe
type 21 4 0 alloc
type 22 4 0 free
task 10 10 make
task 11 11 bash
task 12 12 make"

# memory FILE: its table
memory()
{
	last_table "ALLOCS SAMPLES FREES SAMPLES MEMORY" "$1"
}

# An object is freed on another CPU, and a part of pages; one of before the trace is freed, too.
typed scene << 'T'
end 11000 15000
batch 0 10 1000
@2000 alloc 0xffff888000001000 0 192 524384
@3000 alloc 0xffff888000008000 3 32768 540000
@4000 free/soft 0xffff88800000a000 3 8192 135000
@5000 alloc/hard 0x12345678 1 64 64
@6000 switch 0 2
@7000 free 0xffff888000007000 2 8192 2000000
batch 1 11 1000
@5500 free 0xffff888000001000 0 192 524384
@8000 alloc 0xffff888000001000 7 5 5
T
same "heap: text" \
"alloc slab 192 bytes, stand for 524384, at 0xffff888000001000
alloc page 32768 bytes, stand for 540000, at 0xffff888000008000
free page 8192 bytes, stand for 135000, at 0xffff88800000a000 (softirq)
alloc percpu 64 bytes, #12345678 (hardirq)
free slab 192 bytes, stand for 524384, at 0xffff888000001000
free vmalloc 8192 bytes, stand for 2000000, at 0xffff888000007000
alloc kind7 5 bytes, at 0xffff888000001000" \
	"$("$kmprof" trace --input scene 2>&1 | grep -o '\(alloc\|free\) .*')"
same "heap: report" \
"1.02M 2 0 0 make
64 1 0 0 hardirq
5 1 512K 1 bash
0 0 1.91M 1 the idle task
0 0 132K 1 softirq" "$(memory scene)"
same "heap: JSON" \
	"[('make', None, 1064384, 2, 0, 0), (None, 'hardirq', 64, 1, 0, 0), ('bash', None, 5, 1, 524384, 1), ('idle', None, 0, 0, 2000000, 1), (None, 'softirq', 0, 0, 135000, 1)]" \
	"$("$kmprof" trace report scene --json | json "[tuple(m[k] for k in ('task', 'context', 'alloc_bytes', 'alloc_samples', 'free_bytes', 'free_samples')) for m in v['memory']]")"

# Tasks of one name are one; what has no event has no row.
typed names << 'T'
end 11000 15000
batch 0 10 1000
@2000 alloc 1 0 8 8
batch 1 12 1000
@3000 alloc 2 0 8 8
@4000 free 1 0 8 8
T
same "heap: tasks of one name" "16 2 8 1 make" "$(memory names)"
typed none << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
T
same "heap: no table if there is none" "" "$(report none | grep MEMORY)"
typed huge << 'T'
end 11000 15000
batch 0 10 1000
@2000 alloc 1 0 8 0xffffffffffffffff
@3000 alloc 2 0 8 0xffffffffffffffff
T
same "heap: as many bytes as a number can be, at most" "9223372036854775807" \
	"$("$kmprof" trace report huge --json | json "v['memory'][0]['alloc_bytes']")"
typed bad << 'T'
end 11000 15000
batch 0 10 1000
@2000 alloc 1 0x80000000 8 8
T
out=$("$kmprof" trace --input bad 2>&1)
result "heap: a kind that cannot be is refused" $((! $?))
contains "heap: ... with a reason" "arguments of a record" "$out"

# The curve: since the start; Go's viewer has none below 0, so that it is above the lowest point.
"$kmprof" trace --input scene --format chrome -o trace.json
same "heap: chrome, the curve" "[524384, 1064384, 929384, 929448, 405064, -1594936, -1594931]" \
	"$(json "[e['args']['bytes'] for e in v['traceEvents'] if e['ph'] == 'C']" < trace.json)"
same "heap: chrome" "['alloc percpu 64 bytes, #12345678 (hardirq)']" \
	"$(json "[e['name'] for e in v['traceEvents'] if e['name'].startswith('alloc percpu')]" < trace.json)"
"$kmprof" trace --input scene --format perfetto -o trace.pftrace
decoded "$PWD/trace.pftrace" > decoded
same "heap: Perfetto, the curve" "524384 1064384 929384 929448 405064 -1594936 -1594931" \
	"$(sed -n 's/^ *counter_value: //p' decoded | xargs)"
same "heap: Perfetto, on one track, in bytes" "1 1 7" \
	"$(grep -c 'name: "heap in use since the start"' decoded) $(grep -c 'unit: UNIT_SIZE_BYTES' decoded) $(grep -c 'type: TYPE_COUNTER' decoded)"
"$kmprof" trace --input scene --format go -o trace.go
same "heap: Go, the curve" "524384 1064384 929384 929448 405064 0 5" \
	"$(go_events trace.go | sed -n 's/.* HeapAlloc .*mem=\([0-9]*\).*/\1/p' | xargs)"
"$kmprof" trace --input scene --format html -o trace.html
result "heap: html" "$(grep -q 'slab 192 bytes, stand for 524384' trace.html; echo $?)"
"$kmprof" trace --input scene --format ctf -o trace.ctf
same "heap: CTF" "{ ptr = 18446612682070036480, kind = \"slab\", bytes = 192, weight = 524384 }" \
	"$(babeltrace2 --no-delta trace.ctf | grep ' alloc:' | head -n 1 | grep -o '{ ptr[^}]*}')"

# A stack, where there is one.
types="events 0x6000fe
type 21 5 0 alloc 1
type 22 4 0 free
task 10 10 make"
typed stacks << 'T'
end 11000 15000
stacks
stack 1 ffffffff81001010 ffffffff81002010
batch 0 10 1000
@2000 alloc 0xffff888000001000 0 192 192 1
@3000 alloc 0xffff888000002000 0 192 192 0
T
same "heap: with a stack, and without room for it" \
"alloc slab 192 bytes, at 0xffff888000001000: 0xffffffff81001010 < 0xffffffff81002010
alloc slab 192 bytes, at 0xffff888000002000" \
	"$("$kmprof" trace --input stacks 2>&1 | grep -o 'alloc .*')"
