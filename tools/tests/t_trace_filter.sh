#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# trace --filter: it is passed on, the module's refusal is explained, and a trace says which it has.
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
log=$TMP/log
mktrace > plain << 'T'
task 10 10 bash
batch 0 10 1100
@1200 switch 0 2
T

# trace [NAME=VALUE...] ARGUMENT...: kmprof trace with stub.c in the place of the module
trace()
{
	local settings arguments

	take_settings "$@"
	rm -f "$log" kmprof.trace
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_LOG="$log" STUB_TRACE="$TMP/plain" "${settings[@]}" \
		"$kmprof" trace "${arguments[@]}"
}

trace --filter pid=10,comm=ba?h -e exec -d 1ms 2> err
same "filter: passed on" "0 trace start 22 0 pid=10,comm=ba?h trace stop" "$? $(logged)"
trace --flight --filter comm=x -d 1ms 2> err
same "filter: of a flight recorder" "trace start fe 0 flight comm=x" "$(head -1 "$log")"
trace STUB_TRACE_START=22 --filter size=8 -d 1ms 2> err
same "filter: the module refuses" "1 kmprof: --filter: 'size=8' is not a filter that the module takes kmprof: hint: give pid=ID, comm=NAME, cgroup=PATH, cpu=LIST, duration=TIME, or some with commas between; the kernel log says more" \
	"$? $(xargs -d '\n' < err)"
same "filter: ... and nothing is left" "plain" "$(ls -A | grep -vxE 'kallsyms|log|err|out|keys' | xargs)"
trace STUB_TRACE_START=22 -d 1ms 2> err
same "filter: not blamed if there is none" "1 1 0" "$? $(grep -c 'starting the trace' err) $(grep -c filter err)"
trace STUB_TRACE_START=7 --filter comm=x -d 1ms 2> err
same "filter: an older module" "1 1" "$? $(grep -c 'the module has no filter of traces: it is older' err)"
long=comm=$(printf '%0200d' 0)
trace --filter "$long" -d 1ms 2> err
same "filter: longer than there is room for" "1 1 " \
	"$? $(grep -c 'it has more than 199 characters' err) $(logged 2> /dev/null)"
trace --filter "" -d 1ms 2> err
same "filter: empty, as that of a variable without a value" "2 1 " \
	"$? $(grep -c -- '--filter: it is empty' err) $(logged 2> /dev/null)"
trace --input plain --filter comm=x > out 2> err
same "filter: not of a saved trace" "2 1" "$? $(grep -c 'a saved trace is read; .*--filter' err)"

# What a filtered trace says.
kmprof=$asan/kmprof
cat > events.txt << 'T'
task 10 10 bash
end 3000 7000
batch 0 10 1000
@1200 switch 0 2
@1500 waking 10
@1700 switch 10 0
T
mktrace < events.txt > unfiltered
sed '1i filter comm=a<b&c' events.txt | mktrace > filtered
told="comm=a<b&c; of all else, only when tasks run"
same "filter: text" "# filter: $told" "$("$kmprof" trace --input filtered | sed -n 2p)"
same "filter: report" "Filter: $told" "$("$kmprof" trace report filtered | sed -n 2p)"
same "filter: JSON" "comm=a<b&c" "$("$kmprof" trace report filtered --json | json "v['filter']")"
"$kmprof" trace --input filtered --format html -o filtered.html
same "filter: HTML" 1 "$(grep -c ', filter comm=a&#60;b&#38;c' filtered.html)"
same "filter: a trace without one does not" "0 None" \
	"$({ "$kmprof" trace --input plain; "$kmprof" trace report plain; } | grep -ci filter:) $("$kmprof" trace report plain --json | json "v['filter']")"
"$kmprof" trace --input filtered --format raw -o again 2> err
same "filter: raw" "0" "$(cmp filtered again > /dev/null; echo $?)"

# All frees are there, but not all allocations: how much is in use is not known.
cat > heap.txt << 'T'
events 0x6000fe
type 21 4 0 alloc
type 22 4 0 free
end 3000 7000
batch 0 10 1000
@1200 alloc 1 0 100 100
@1300 free 2 0 100 100
T
mktrace < heap.txt > heap
sed '1i filter comm=x' heap.txt | mktrace > filtered_heap
# curves FILE: how often the formats say how much memory is in use
curves()
{
	"$kmprof" trace --input "$1" --format chrome -o curve.json
	"$kmprof" trace --input "$1" --format perfetto -o curve.pftrace
	"$kmprof" trace --input "$1" --format go -o curve.go
	echo "$(grep -c 'heap in use' curve.json) $(grep -ac 'heap in use' curve.pftrace) $(go_events curve.go | grep -c Heap)"
}
same "filter: the memory in use is shown without one" "2 1 2" "$(curves heap)"
same "filter: ... and not with one" "0 0 0" "$(curves filtered_heap)"

# events FILE: the events in it
events()
{
	"$kmprof" trace --input "$1" | grep -v '^#'
}
same "filter: the same events" "$(events unfiltered)" "$(events filtered)"

# A header that is damaged.
printf 'filter comm=\\x1b[7m\n' | mktrace > unprintable
same "filter: not printable" "1 1" \
	"$("$kmprof" trace --input unprintable > out 2> err; echo $?) $(grep -c 'filter' err)"
printf 'filter %s\n' "$(printf '%0200d' 0)" | mktrace > unended
same "filter: without an end" "1 1" \
	"$("$kmprof" trace --input unended > out 2> err; echo $?) $(grep -c 'filter' err)"
head -c 200 filtered > short
same "filter: cut short in its middle" "1 1" \
	"$("$kmprof" trace --input short > out 2> err; echo $?) $(grep -c 'cut short at byte 200' err)"
