#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the commands make of the module's answers, with stub.c in its place.
. "$TOOLS/tests/lib.sh"

image "$TMP/block" < "$TOOLS/tests/block.spec"

# live [NAME=VALUE...] COMMAND...: kmprof with the stub
live()
{
	local settings arguments

	take_settings "$@"
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_IMAGE="$TMP/block" "${settings[@]}" \
		"$kmprof" "${arguments[@]}"
}

status=$(live STUB_BLOCK=1 status)
result "live: status works" $?
contains "live: waits are probed" "Waits      attached" "$status"
same "live: waits at a time" "waits at a time 4096 max_waits" \
	"$(echo "$status" | grep 'waits at a time' | xargs)"
# More live objects than that may fit, and the table of waits grows: no limit that is kept.
contains "live: limits are what there is room for" "used   room for   parameter" "$status"
same "live: more live objects than there is room for" "live objects 65540 65536 max_live" \
	"$(live STUB_LIVE=65540 status | grep 'live objects' | xargs)"
same "live: nothing is lacking" "" "$(echo "$status" | grep 'Not seen')"
same "live: status fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"
contains "live: allocations are probed" "Allocs     attached" "$status"
contains "live: allocations are not probed" "Allocs     off, no probes attached" \
	"$(live STUB_HEAP=0 status)"
contains "live: waits are not probed" "Waits      off, no probes attached" "$(live status)"
contains "live: releases are not probed" "Releases   off, no probes attached" "$status"
contains "live: how allocations are seen, and waits" "Source     kprobe; of waits: tracepoint" "$status"
(cat "$TOOLS/tests/block.spec"; echo wait_source 1) | image "$TMP/by_kprobe"
same "live: JSON has how waits are seen" "tracepoint kprobe" \
	"$(for image in block by_kprobe; do
		live STUB_IMAGE="$TMP/$image" status --json | json "v['wait_source']"
	done | xargs)"
status=$(live STUB_MUTEX=1 status)
contains "live: releases are probed" "Releases   attached" "$status"
contains "live: waits are probed for releases" "Waits      off, probed for the releases only" "$status"
same "live: status with releases fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"
status=$(live STUB_LACKS=4 status)
same "live: waits that cannot be seen are one line" \
	"Not seen   waits for some kind of lock, or all; the kernel log says which" "$(echo "$status" | grep 'Not seen')"
status=$(live STUB_LACKS=8 status)
same "live: releases that cannot be seen are one line" \
	"Not seen   the release of some kind of lock; the kernel log has the names" \
	"$(echo "$status" | grep 'Not seen')"
same "live: ... that fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"
same "live: JSON has the state of releases" "False True ['release']" \
	"$(live STUB_MUTEX=1 STUB_LACKS=8 status --json |
		json "v['settings']['block_rate']['attached'], v['settings']['mutex_fraction']['attached'], v['lacks']" |
		tr -d '(),')"
same "live: JSON has state and limit" "True 4096 ['contention']" \
	"$(live STUB_BLOCK=1 STUB_LACKS=4 status --json |
		json "v['settings']['block_rate']['attached'], v['limits']['max_waits'], v['lacks']" |
		tr -d '(),')"

same "live: set shows the rate" "block_rate=10000" "$(live set block=10us)"
same "live: set shows both rates" "heap_rate=65536 block_rate=0" \
	"$(live set block_rate=0 heap=64K | xargs)"
same "live: set writes JSON" "{'heap_rate': 524288, 'block_rate': 1000, 'mutex_fraction': 0, 'labels': [], 'heap': ['slab']}" \
	"$(live set --json block=1us | json v)"
same "live: set shows the fraction" "mutex_fraction=100" "$(live set mutex=100)"
same "live: the largest fraction" "mutex_fraction=65536" "$(live set mutex_fraction=0x10000)"
same "live: numbers are decimal" "heap_rate=512 mutex_fraction=10" \
	"$(live set heap=0512 mutex=010 | xargs)"
same "live: set shows all three" "heap_rate=0 block_rate=1000 mutex_fraction=1" \
	"$(live set mutex=1 block=1us heap=0 | xargs)"
err=$(live STUB_LACKS=4 set block=10us 2>&1)
same "live: waits that cannot be seen cannot be asked for" "1 yes" \
	"$? $([[ $err == *"waits cannot be seen in this kernel"*"hint: "*5.19* ]] && echo yes)"
same "live: they can be asked to stop" "block_rate=0" "$(live STUB_LACKS=4 set block=0)"
for settings in mutex=1 "block=10us mutex=1"; do
	err=$(live STUB_LACKS=4 set $settings 2>&1)
	same "live: nor can releases, with $settings" "1 yes" \
		"$? $([[ $err == *"mutex_fraction: waits, or releases, cannot be seen in this kernel"*"hint: "*5.19*"kernel log"* ]] && echo yes)"
done
err=$(live STUB_LACKS=4 set mutex=1 heap=1 2>&1)
same "live: with the allocators' rate as well, it may be anything" "1 yes" \
	"$? $([[ $err == *"changing the configuration: No such file"*"hint: "*"kernel log"* && $err != *releases* ]] && echo yes)"
err=$(live STUB_LACKS=4 set heap=0 block=1us mutex=0 2>&1)
same "live: what is switched off is not what cannot be seen" "1 yes" \
	"$? $([[ $err == *"block_rate: waits cannot be seen in this kernel"* ]] && echo yes)"
err=$(live STUB_LACKS=1 set heap=64K block=0 2>&1)
same "live: allocators that cannot be probed" "1 yes" \
	"$? $([[ $err == *"heap_rate: allocations cannot be seen in this kernel"*"hint: "*source=tracepoint* ]] && echo yes)"

# Labels.
for labels in comm pid cgroup comm,pid comm,cgroup pid,cgroup comm,pid,cgroup none; do
	same "live: set labels=$labels" "labels=$labels" "$(live STUB_LACKS=4 set labels=$labels)"
done
same "live: labels in any order, and twice" "labels=comm,pid,cgroup" \
	"$(live set labels=cgroup,pid,cgroup,comm,pid)"
same "live: labels beside a rate" "block_rate=1000 labels=pid" \
	"$(live set labels=pid block=1us | xargs)"
same "live: set writes labels as JSON" "{'heap_rate': 524288, 'block_rate': 0, 'mutex_fraction': 0, 'labels': ['comm', 'cgroup'], 'heap': ['slab']}" \
	"$(live set --json labels=cgroup,comm | json v)"
err=$(live STUB_LACKS=4 set block=1us labels=pid 2>&1)
same "live: waits that cannot be seen are explained with labels, too" "1 yes" \
	"$? $([[ $err == *"block_rate: waits cannot be seen in this kernel"* ]] && echo yes)"
same "live: status has no labels" "Labels     none" "$(live status | grep '^Labels')"
for labels in comm,pid cgroup,0x8 none comm,pid,cgroup,0x8; do
	(echo "labels $labels"; cat "$TOOLS/tests/block.spec") | image "$TMP/labels.${labels//,/.}"
done
same "live: status has labels" "Labels     comm, pid" \
	"$(live STUB_IMAGE="$TMP/labels.comm.pid" status | grep '^Labels')"
same "live: status has a label of a later module" "Labels     cgroup, 0x8" \
	"$(live STUB_IMAGE="$TMP/labels.cgroup.0x8" status | grep '^Labels')"
same "live: JSON has labels" "[] ['comm', 'pid', 'cgroup', '0x8']" \
	"$(for labels in none comm.pid.cgroup.0x8; do
		live STUB_IMAGE="$TMP/labels.$labels" status --json | json "v['labels']"
	done | xargs -d '\n')"
same "live: JSON has the labels of the device" "[] ['comm', 'pid', 'cgroup', '0x8']" \
	"$(for mask in 0 15; do
		live STUB_LABELS=$mask status --json | json "v['settings']['labels']['value']"
	done | xargs -d '\n')"
same "live: labels of the heap have their own line and value" \
	"Labels comm Heap labels none ['pid', 'cgroup']" \
	"$( (echo "labels comm"; cat "$TOOLS/tests/block.spec"; echo "scalar heap_labels - none 0 setting") |
		image "$TMP/heap_labels" && live STUB_IMAGE="$TMP/heap_labels" status | grep -i '^[a-z ]*labels ' |
		xargs) $(live STUB_HEAP_LABELS=6 status --json | json "v['settings']['heap_labels']['value']")"
same "live: JSON keeps the rates of the image" 10000 "$(live status --json | json "v['block_rate']")"
same "live: labels of a saved image are known" "Labels     comm, pid ['comm', 'pid']" \
	"$("$kmprof" status --input "$TMP/labels.comm.pid" | grep '^Labels') $("$kmprof" status --json \
		--input "$TMP/labels.comm.pid" | json "v['labels']")"

for value in cgroup comm,cgroup; do
	err=$(live STUB_MAX_LABELS=3 set labels=$value 2>&1)
	same "live: a module without that label refuses labels=$value" "2 yes" \
		"$? $([[ $err == *"labels: 'cgroup' is not one of its names"*"any of comm, pid with"* ]] && echo yes)"
done
same "live: ... and takes the others" "labels=comm,pid" "$(live STUB_MAX_LABELS=3 set labels=pid,comm)"

# A setting that only the module knows.
later=(STUB_SETTING=threadcreate)
same "live: a later setting is a number" "threadcreate=9" "$(live "${later[@]}" set threadcreate=9)"
same "live: beside others" "heap_rate=4096 threadcreate=0" \
	"$(live "${later[@]}" set threadcreate=0 heap=4K | xargs)"
same "live: JSON has it" "{'heap_rate': 524288, 'block_rate': 0, 'mutex_fraction': 0, 'labels': [], 'heap': ['slab'], 'threadcreate': 7}" \
	"$(live "${later[@]}" set --json threadcreate=7 | json v)"
for value in 10 -1 1K comm ""; do
	err=$(live "${later[@]}" set threadcreate=$value 2>&1)
	same "live: a later setting refuses '$value'" "2 yes" \
		"$? $([[ $err == *"threadcreate: "*"hint: threadcreate: 0 to 9 ("* ]] && echo yes)"
done
err=$(live "${later[@]}" STUB_LACKS=4 set threadcreate=1 block=1us 2>&1)
same "live: with a later setting, what cannot be seen may be anything" "1 yes" \
	"$? $([[ $err == *"changing the configuration: No such file"* && $err != *"block_rate: "* ]] && echo yes)"
err=$(live "${later[@]}" set thread=1 2>&1)
same "live: what the module has is listed" \
	"2 the module has: heap_rate block_rate mutex_fraction labels heap threadcreate" \
	"$? $(echo "$err" | sed -n 's/.*hint: //p')"
err=$(live set threadcreate=1 2>&1)
same "live: an older module does not have it" \
	"2 kmprof: threadcreate: no such setting kmprof: hint: the module has: heap_rate block_rate mutex_fraction labels heap" \
	"$? $(echo "$err" | xargs -d '\n')"
(cat "$TOOLS/tests/block.spec"; echo "scalar threadcreate - - 3 setting") | image "$TMP/later"
same "live: status has it, and its probes" "Setting    threadcreate=3: attached" \
	"$(live "${later[@]}" STUB_IMAGE="$TMP/later" status | grep threadcreate)"
same "live: status of an image has it" "Setting    threadcreate=3" \
	"$("$kmprof" status --input "$TMP/later" | grep threadcreate)"
same "live: JSON of status has it" "3 3 9 True" "$(live "${later[@]}" STUB_IMAGE="$TMP/later" status --json |
	json "v['threadcreate'], v['settings']['threadcreate']['value'],
	v['settings']['threadcreate']['max'], v['settings']['threadcreate']['attached']" | tr -d '(),')"
same "live: JSON of status: no probes belong to labels" None \
	"$(live status --json | json "v['settings']['labels']['attached']")"
# More settings than there is room for at first.
same "live: there can be many settings" "setting0=1 setting39=1000" \
	"$(live STUB_SETTINGS=40 set setting39=1000 setting0=1 | xargs)"
same "live: JSON has all of them" "45 38" \
	"$(live STUB_SETTINGS=40 set --json heap=1 | json "'%d %d' % (len(v), v['setting38'])")"

same "live: probes without a rate are those of a trace event" \
	"Waits attached, for a trace event" "$(live STUB_BLOCK=0 status | grep '^Waits' | xargs)"

# What the module does not have.
(echo without mutex; cat "$TOOLS/tests/block.spec") | image "$TMP/without"
without=(STUB_WITHOUT=mutex STUB_BLOCK=1 "STUB_IMAGE=$TMP/without")
status=$(live "${without[@]}" status)
result "live: status works with a module without mutex" $?
same "live: it has nothing of it" "" "$(echo "$status" | grep -i 'mutex_\|releases\|blamed\|delay\|  mutex')"
same "live: it has the others" "Waits attached block 11 42 40 2 4.76%" \
	"$(echo "$status" | grep '^Waits\|^  block ' | xargs)"
same "live: JSON with that module" "True False True 4096" \
	"$(live "${without[@]}" status --json |
		json "v['settings']['block_rate']['attached'], 'mutex_fraction' in v['settings'],
		'mutex_fraction' not in v, v['limits']['max_waits']" | tr -d '(),')"
same "live: its other settings can be set" "block_rate=10000" "$(live "${without[@]}" set block=10us)"
same "live: its settings are those that it has" "{'heap_rate': 524288, 'block_rate': 1000, 'labels': [], 'heap': ['slab']}" \
	"$(live "${without[@]}" set --json block=1us | json v)"
for value in 1 0; do
	err=$(live "${without[@]}" set mutex=$value 2>&1)
	same "live: it refuses mutex=$value" "2 yes" \
		"$? $([[ $err == *"mutex: no such setting"*"the module has: heap_rate block_rate labels heap" ]] && echo yes)"
done
same "live: its block profile is the same but for the facts" \
	"$(live dump block --kallsyms "$kallsyms" | sed '/^# [a-z]/{/longest/!d}')" \
	"$(live "${without[@]}" dump block --kallsyms "$kallsyms" | sed '/^# [a-z]/{/longest/!d}')"
out=$(live "${without[@]}" dump mutex 2>&1)
same "live: dump mutex of that module says what there is" "2 yes" \
	"$? $([[ $out == *"mutex: no such profile; there are heap, allocs and block"* ]] && echo yes)"
same "live: dump mutex works" "--- mutex:" "$(live dump mutex 2> /dev/null | head -1)"
same "live: dump block works" "--- contention:" "$(live dump block 2> /dev/null | head -1)"
live "${without[@]}" top > /dev/null 2>&1
result "live: top works without mutex" $?

# Buckets of each table, and no line for another order of one.
same "live: status has the buckets of each profile" "heap 10 16384 block 12 16384 mutex 13 16384 buffers 14 16384" \
	"$(live STUB_PROFILE=buffers status | sed -n 's/^  buckets, \(.*\) max_buckets/\1/p' | xargs)"
same "live: JSON has them" "{'heap': 10, 'block': 12, 'mutex': 13, 'buffers': 14}" \
	"$(live STUB_PROFILE=buffers status --json | json "v['usage']['buckets']")"
