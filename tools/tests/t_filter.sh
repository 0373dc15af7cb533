#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The filter of the module, a setting that is a text: set, put back, and told in every output.
. "$TOOLS/tests/lib.sh"

(cat "$TOOLS/tests/basic.spec"; echo filter comm=nginx,size=4K- 123 4567) | image "$TMP/image"
log=$TMP/log
cd "$TMP" || exit 1

# module [NAME=VALUE...] ARGUMENT...: kmprof with stub.c in the place of the module
module()
{
	local settings arguments

	take_settings "$@"
	rm -f "$log"
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_FILTER=none STUB_IMAGE="$TMP/image" \
		STUB_LOG="$log" "${settings[@]}" "$kmprof" "${arguments[@]}"
}

out=$(module set heap_filter=comm=nginx,size=4K-)
same "filter: set" "0 heap_filter=comm=nginx,size=4K- set heap_filter comm=nginx,size=4K-" "$? $out $(logged)"
out=$(module STUB_FILTER=pid=1 set heap_filter=none)
same "filter: none" "0 heap_filter=none set heap_filter none" "$? $out $(logged)"
out=$(module STUB_FILTER=pid=1 set heap_filter=)
same "filter: nothing is none" "0 heap_filter=none set heap_filter none" "$? $out $(logged)"
same "filter: JSON has the text" "pid=1" \
	"$(module STUB_FILTER=pid=1 set labels=pid --json | json "v['heap_filter']")"
same "filter: JSON has no text" "None" "$(module set labels=pid --json | json "v['heap_filter']")"

out=$(module set heap_filter=wrong 2>&1)
same "filter: what the module does not take" "1" "$?"
contains "filter: ... is told" "heap_filter=wrong: the module does not take that" "$out"
contains "filter: ... with what it takes" \
	"any of pid=ID, comm=NAME, cgroup=PATH, size=MIN-MAX, kind=KIND, gfp=CLASS, cache=NAME, module=NAME, with commas between, or none" "$out"
out=$(module set "heap_filter=comm=$(printf '%0200d' 1)" 2>&1)
same "filter: too long" "2 " "$? $(logged)"
contains "filter: ... is told" "heap_filter: longer than 199 characters" "$out"
out=$(module set heap_filter=pid=1 heap_filter=pid=2 2>&1)
same "filter: twice" "2 " "$? $(logged)"

module record -s heap_filter=pid=1 -d 1ms -o saved --kallsyms "$kallsyms"
same "filter: a recording puts none back" "set heap_filter pid=1 snapshot set heap_filter none" "$(logged)"
module STUB_FILTER=size=64 record -s heap_filter=pid=1 -d 1ms -o saved --kallsyms "$kallsyms"
same "filter: ... or the one before" "set heap_filter pid=1 snapshot set heap_filter size=64" "$(logged)"
module STUB_FILTER=pid=1 record -s heap_filter=pid=1 -d 1ms -o saved --kallsyms "$kallsyms"
same "filter: ... and the same one is set again: its cgroup may be another one" \
	"set heap_filter pid=1 snapshot set heap_filter pid=1" "$(logged)"
out=$(module STUB_FILTER=wrong record -s heap_filter=pid=1 -s labels=pid -d 1ms -o saved \
	--kallsyms "$kallsyms" 2>&1)
contains "filter: one that cannot be put back is told" "put it back: kmprof set 'heap_filter=wrong'" "$out"
out=$(module STUB_FILTER="comm=o'wrong" record -s heap_filter=pid=1 -d 1ms -o saved --kallsyms "$kallsyms" 2>&1)
contains "filter: ... as a shell takes it" "kmprof set 'heap_filter=comm=o'\''wrong'" "$out"
module STUB_FILTER=wrong record -s heap_filter=pid=1 -s labels=pid -d 1ms -o saved --kallsyms "$kallsyms" 2>/dev/null
same "filter: ... and the others are put back" \
	"set heap_filter pid=1 set labels 2 snapshot set labels 0" "$(logged)"

status=$(module STUB_FILTER=comm=nginx,size=4K- status)
same "filter: status has it, and what it has left out" \
	"Heap filter comm=nginx,size=4K-; left out: 123 sampled objects, 4567 bytes" \
	"$(echo "$status" | grep '^Heap filter')"
same "filter: status does not compare estimates with totals then" "" "$(echo "$status" | grep 'is off by')"
same "filter: completion takes no word of it for a profile" "heap block mutex" \
	"$(echo "$status" | sed -n '/^  Profiles /,/^$/s/^  \([^ ]*\) .*/\1/p' | grep -vx Profiles | xargs)"
same "filter: status has no number twice" "" "$(echo "$status" | grep ' filtered')"
names=(--input "$TMP/image" --kallsyms "$kallsyms")
contains "filter: report tells it" "Left out by heap_filter: 123 samples" "$("$kmprof" report "${names[@]}")"
same "filter: JSON of report, too" "123" \
	"$("$kmprof" report --json "${names[@]}" | json "v['samples_filtered']")"
contains "filter: top tells it" "Left out by heap_filter: 123 samples; it is comm=nginx,size=4K- now" \
	"$("$kmprof" top "${names[@]}")"
same "filter: the text has it" "# heap_filter comm=nginx,size=4K-|# filtered 123|# filtered_bytes 4567" \
	"$("$kmprof" dump "${names[@]}" | grep 'filter' | paste -sd'|')"
contains "filter: pprof's comment tells it" "heap_filter has left out 123, and is comm=nginx,size=4K- now" \
	"$("$kmprof" dump "${names[@]}" --format pprof | zcat | strings -n 20)"
same "filter: it is no loss" "$("$kmprof" status --input "$TMP/image" | sed -n '/^Losses/,$p')" \
	"$(image "$TMP/without" < "$TOOLS/tests/basic.spec"
	   "$kmprof" status --input "$TMP/without" | sed -n '/^Losses/,$p')"

printf 'rate 524288\ntotals 1000000 123456789 900000\nfilter pid=1 5 600\n' | image "$TMP/nothing"
contains "filter: without samples, it could have left out all" \
	"In use: heap_filter has left out samples, at most 123456789 bytes, all allocated." \
	"$("$kmprof" status --input "$TMP/nothing")"
same "filter: JSON of the image has the text" "comm=nginx,size=4K-" \
	"$(module status --json | json "v['heap_filter']")"

out=$(module STUB_FILTER=pid=1 leaks --rounds 3 --kallsyms "$kallsyms" true 2>&1)
contains "filter: leaks warns of it" "heap_filter=pid=1: other memory is not seen" "$out"
out=$(module leaks --rounds 3 --kallsyms "$kallsyms" true 2>&1)
same "filter: ... if there is one" "" "$(echo "$out" | grep heap_filter)"
for ((n = 0; n <= 8; n++)); do
	printf 'rate 1\nstart 1700000000000000000\nsample 1 64 10 4 0 0xffffffff81001250\n' |
		image "$TMP/steady.$n"
done
steady()
{
	module STUB_FILTER=pid=1 STUB_ROUNDS="$TMP/steady" leaks --rounds 8 --kallsyms "$kallsyms" \
		"$@" true 2>/dev/null
}
out=$(steady)
contains "filter: leaks is not sure then" "left out by heap_filter=pid=1" "$out"
contains "filter: ... that nothing leaks" "that there is no other leak is not sure" "$out"
contains "filter: ... of what it saw" "every allocation that heap_filter lets pass was a sample" "$out"
same "filter: ... and so is JSON" "pid=1 True" \
	"$(steady --json | json "'%s %s' % (v['not_seen']['heap_filter'], v['not_seen']['effect']['hides_leaks'])")"
