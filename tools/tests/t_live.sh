#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the commands make of the module's answers, with stub.c in its place.
. "$TOOLS/tests/lib.sh"

image "$TMP/block" < "$TOOLS/tests/block.spec"
(echo old; echo "rate 524288"; echo "loss ring_full sample 0") | image "$TMP/old"

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
contains "live: waits are not probed" "Waits      off, no probes attached" "$(live status)"
status=$(live STUB_LACKS=4 status)
same "live: waits that cannot be seen are one line" \
	"Not seen   waits for locks: no lock:contention_* tracepoints" "$(echo "$status" | grep 'Not seen')"
same "live: JSON has state and limit" "True 4096 ['contention']" \
	"$(live STUB_BLOCK=1 STUB_LACKS=4 status --json |
		json "v['block_attached'], v['limits']['max_waits'], v['lacks']" | tr -d '(),')"

same "live: set shows the rate" "block_rate=10000" "$(live set block=10us)"
same "live: set shows both rates" "heap_rate=65536 block_rate=0" \
	"$(live set block_rate=0 heap=64K | xargs)"
same "live: set writes JSON" "{'heap_rate': 524288, 'block_rate': 1000}" \
	"$(live set --json block=1us | json v)"
err=$(live STUB_LACKS=4 set block=10us 2>&1)
same "live: waits that cannot be seen cannot be asked for" "1 yes" \
	"$? $([[ $err == *"waits cannot be seen in this kernel"*"hint: "*5.19* ]] && echo yes)"
same "live: they can be asked to stop" "block_rate=0" "$(live STUB_LACKS=4 set block=0)"

# A module from before there was a block profile.
old=(STUB_OLD=1 "STUB_IMAGE=$TMP/old")
status=$(live "${old[@]}" status)
result "live: status works with an old module" $?
contains "live: an old module does not see waits" "Waits      not seen by this module" "$status"
same "live: an old module has nothing else of waits" "" \
	"$(echo "$status" | grep 'block_rate\|waits at\|waits for\|Of waits')"
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
