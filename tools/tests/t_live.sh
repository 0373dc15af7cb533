#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the commands make of the module's answers, with stub.c in its place.
. "$TOOLS/tests/lib.sh"

image "$TMP/block" < "$TOOLS/tests/block.spec"
(echo old block; echo "rate 524288"; echo "loss ring_full sample 0") | image "$TMP/old"

# live [NAME=VALUE...] COMMAND...: kmprof with the stub
live()
{
	local settings=()

	while [[ $1 == STUB_* ]]; do
		settings+=("$1")
		shift
	done
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_IMAGE="$TMP/block" "${settings[@]}" \
		"$kmprof" "$@"
}

status=$(live STUB_BLOCK=1 status)
result "live: status works" $?
contains "live: waits are probed" "Waits      attached" "$status"
same "live: waits at a time" "waits at a time 4096 max_waits" \
	"$(echo "$status" | grep 'waits at a time' | xargs)"
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
		json "v['block_attached'], v['mutex_attached'], v['lacks']" | tr -d '(),')"
same "live: JSON has state and limit" "True 4096 ['contention']" \
	"$(live STUB_BLOCK=1 STUB_LACKS=4 status --json |
		json "v['block_attached'], v['limits']['max_waits'], v['lacks']" | tr -d '(),')"

same "live: set shows the rate" "block_rate=10000" "$(live set block=10us)"
same "live: set shows both rates" "heap_rate=65536 block_rate=0" \
	"$(live set block_rate=0 heap=64K | xargs)"
same "live: set writes JSON" "{'heap_rate': 524288, 'block_rate': 1000, 'mutex_fraction': 0, 'labels': []}" \
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
same "live: set writes labels as JSON" "{'heap_rate': 524288, 'block_rate': 0, 'mutex_fraction': 0, 'labels': ['comm', 'cgroup']}" \
	"$(live set --json labels=cgroup,comm | json v)"
err=$(live STUB_LACKS=4 set block=1us labels=pid 2>&1)
same "live: waits that cannot be seen are explained with labels, too" "1 yes" \
	"$? $([[ $err == *"block_rate: waits cannot be seen in this kernel"* ]] && echo yes)"
same "live: status has no labels" "Labels     none" "$(live status | grep '^Labels')"
same "live: status has labels" "Labels     comm, pid" "$(live STUB_LABELS=3 status | grep '^Labels')"
same "live: status has a label of a later module" "Labels     cgroup, 0x8" \
	"$(live STUB_LABELS=12 status | grep '^Labels')"
same "live: JSON has labels" "[] ['comm', 'pid', 'cgroup', '0x8']" \
	"$(for mask in 0 15; do live STUB_LABELS=$mask status --json | json "v['labels']"; done | xargs -d '\n')"
same "live: JSON keeps the rates of the image" 10000 "$(live status --json | json "v['block_rate']")"
same "live: labels of a saved image are not known" " False" \
	"$("$kmprof" status --input "$TMP/block" | grep '^Labels') $("$kmprof" status --json \
		--input "$TMP/block" | json "'labels' in v")"

# A module from before there were labels.
old=(STUB_OLD=labels STUB_BLOCK=1 STUB_MUTEX=1)
status=$(live "${old[@]}" status)
result "live: status works with a module without labels" $?
same "live: it has no line of them" "" "$(echo "$status" | grep '^Labels')"
same "live: it sees the rest" "Waits attached Releases attached" \
	"$(echo "$status" | grep '^Waits\|^Releases' | xargs)"
same "live: nor has its JSON" False "$(live "${old[@]}" status --json | json "'labels' in v")"
same "live: its rates can be set" "mutex_fraction=7" "$(live "${old[@]}" set mutex=7)"
same "live: nor have its settings" "{'heap_rate': 524288, 'block_rate': 0, 'mutex_fraction': 7}" \
	"$(live "${old[@]}" set --json mutex=7 | json v)"
for value in comm none; do
	err=$(live "${old[@]}" set labels=$value 2>&1)
	same "live: it refuses labels=$value" "1 yes" \
		"$? $([[ $err == *"module is older than this program"* ]] && echo yes)"
done

# A module from before there was a block profile.
old=(STUB_OLD=block "STUB_IMAGE=$TMP/old")
status=$(live "${old[@]}" status)
result "live: status works with an old module" $?
contains "live: an old module does not see waits" "Waits      not seen by this module" "$status"
same "live: an old module has nothing else of waits" "" \
	"$(echo "$status" | grep 'block_rate\|waits at\|waits for\|Of waits')"
contains "live: nor releases" "Releases   not seen by this module" "$status"
same "live: JSON with an old module" "False 0 False" \
	"$(live "${old[@]}" status --json |
		json "v['block_attached'], v['limits']['max_waits'], v['profiles'] & 8 > 0" |
		tr -d '(),')"
same "live: an old module's rate of allocations can be set" "heap_rate=4096" \
	"$(live "${old[@]}" set heap=4K)"
for value in 10us 0; do
	err=$(live "${old[@]}" set block=$value 2>&1)
	same "live: an old module refuses block=$value" "1 yes" \
		"$? $([[ $err == *"module is older than this program"* ]] && echo yes)"
done
out=$(live "${old[@]}" dump block 2>&1)
same "live: dump block of an old module says why it is empty" "0 yes" \
	"$? $([[ $out == *"does not see them"*"--- contention:"* ]] && echo yes)"
live "${old[@]}" top > /dev/null 2>&1
result "live: top works with an old module" $?
same "live: dump block works" "--- contention:" "$(live dump block 2> /dev/null | head -1)"

# A module from before there was a mutex profile.
(echo old mutex; cat "$TOOLS/tests/block.spec") | image "$TMP/old"
old=(STUB_OLD=mutex STUB_BLOCK=1 "STUB_IMAGE=$TMP/old")
status=$(live "${old[@]}" status)
result "live: status works with a module that sees waits only" $?
same "live: it has no labels" "" "$(echo "$status" | grep '^Labels')"
same "live: it says so" "Waits attached Releases not seen by this module, which is older than this program" \
	"$(echo "$status" | grep '^Waits\|^Releases' | xargs)"
same "live: it has nothing else of releases" "" \
	"$(echo "$status" | grep 'mutex_fraction\|^  releases\|blamed\|Of delays')"
same "live: it has the rows of waits" "Of waits 42 seen" \
	"$(echo "$status" | sed -n 's/\(Of waits .* seen\).*/\1/p' | xargs)"
same "live: JSON with that module" "True False 4096" \
	"$(live "${old[@]}" status --json |
		json "v['block_attached'], v['mutex_attached'], v['limits']['max_waits']" | tr -d '(),')"
same "live: its rate of waits can be set" "block_rate=10000" "$(live "${old[@]}" set block=10us)"
same "live: its settings are those that it has" "{'heap_rate': 524288, 'block_rate': 1000}" \
	"$(live "${old[@]}" set --json block=1us | json v)"
for value in 1 0; do
	err=$(live "${old[@]}" set mutex=$value 2>&1)
	same "live: it refuses mutex=$value" "1 yes" \
		"$? $([[ $err == *"module is older than this program"* ]] && echo yes)"
done
same "live: its block profile is the same" "$(live dump block --kallsyms "$kallsyms")" \
	"$(live "${old[@]}" dump block --kallsyms "$kallsyms")"
out=$(live "${old[@]}" dump mutex 2>&1)
same "live: dump mutex of that module says why it is empty" "0 yes" \
	"$? $([[ $out == *"does not see them"*"--- mutex:"* ]] && echo yes)"
same "live: dump mutex works" "--- mutex:" "$(live dump mutex 2> /dev/null | head -1)"
