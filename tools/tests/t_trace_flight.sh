#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# trace --flight: what is saved when somebody asks, and at the end, each in a file of its own.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
log=$TMP/log
mktrace > saved <<'T'
task 10 10 bash
batch 0 10 1100
@1200 waking 11
@1300 switch 11 2
T
size=$(stat -c %s saved)
stub="env --default-signal=INT,TERM,USR1 LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_LOG=$log"

# flight [NAME=VALUE...] ARGUMENT...: kmprof trace with stub.c in the place of the module
flight()
{
	local settings arguments

	take_settings "$@"
	rm -f "$log"
	$stub STUB_TRACE="$TMP/saved" "${settings[@]}" "$kmprof" trace "${arguments[@]}"
}

# traces: the files that are there, and whether each is the whole trace; they are removed
traces()
{
	local name

	for name in $(ls -A | grep -vxE 'saved|log|err|out|kallsyms|dir|pid'); do
		cmp -s saved "$name" 2> /dev/null && echo "$name" || echo "$name wrong"
		rm -rf "$name"
	done | xargs
}

flight --flight -d 1ms 2> err
same "flight: all that it has is saved at the end" \
	"0 kmprof.trace trace start fe 0 flight trace stop" "$? $(traces) $(logged)"
same "flight: a line tells what to do, another one what is saved, and the time that it covers" \
	"kmprof: the flight recorder runs; 'kmprof trace snapshot' or SIGUSR1 to PID saves what it has kmprof: kmprof.trace: 2 events, ${size}B, in 0.000 s" \
	"$(sed 's/to [0-9]* saves/to PID saves/' err | tr '\n' ' ' | sed 's/ $//')"
flight --flight --stacks --buffer 64K -e fork -d 1ms 2> err
same "flight: with stacks, events and room" "0 trace start 12 65536 stacks flight trace stop" "$? $(logged)"
traces > out

# The module has stopped it, since somebody has asked.
flight STUB_TRACE_SNAPSHOTS=2 --flight -d 300ms 2> err
same "flight: each snapshot is a file, and it goes on" "0 kmprof-1.trace kmprof-2.trace kmprof.trace 3 3 1" \
	"$? $(traces) $(grep -c 'trace start' "$log") $(grep -c 'trace stop' "$log") $(grep -c runs err)"
for name in x:x-1 ./x.y/x:x-1 .x:.x-1 x.y.trace:x.y-1.trace; do
	mkdir -p x.y
	flight STUB_TRACE_SNAPSHOTS=1 --flight -d 100ms -o "${name%:*}" 2> err
	dir=$(dirname "${name%:*}")
	same "flight: -o ${name%:*}: the name of a snapshot" "0 $dir/${name#*:}" \
		"$? $(find . -name "${name#*:}" -printf '%h/%f ' | sed 's/^\.\/\(.*\)\/\(.*\)/.\/\1\/\2/' | sed 's/ $//')"
	rm -rf x.y x x-1 .x .x-1 x.y.trace x.y-1.trace
done

# await COMMAND...: until it succeeds
await()
{
	local i

	for ((i = 0; i < 600; i++)); do
		"$@" && break
		sleep 0.05
	done
}

# Signals: SIGUSR1 is a snapshot, SIGINT the end.
for signal in INT TERM; do
	rm -f "$log" err
	flight --flight 2> err & pid=$!
	await grep -qs 'trace start' "$log"
	pkill -USR1 -P $pid -x kmprof
	await grep -qs 'kmprof-1.trace' err
	pkill -$signal -P $pid -x kmprof || kill -KILL $pid
	wait $pid
	same "flight: SIGUSR1 is a snapshot, SIG$signal the end" \
		"0 kmprof-1.trace kmprof.trace trace start fe 0 flight trace stop trace start fe 0 flight trace stop" \
		"$? $(traces) $(logged)"
done

# An end that was asked for.
flight STUB_TRACE_SNAPSHOTS=9 --flight --snapshots 2 2> err
same "flight: after so many snapshots, it ends" "0 kmprof-1.trace kmprof.trace 2" \
	"$? $(traces) $(grep -c 'trace start' "$log")"
STUB_TRACE_SNAPSHOTS=1000000 timeout 60 bash -c '
	$1 STUB_LOG=/dev/null STUB_TRACE="$2" "$3" trace --flight -d 300ms' - "$stub" saved "$kmprof" 2> err
same "flight: the time ends, however often somebody asks" "0 1" "$? $(traces | grep -cw kmprof.trace)"

# What cannot be saved is told, and it goes on.
mkdir kmprof-1.trace
flight STUB_TRACE_SNAPSHOTS=1 --flight -d 300ms 2> err
same "flight: a snapshot that has no place" "1 1 kmprof-1.trace wrong kmprof.trace" \
	"$? $(grep -c 'kmprof-1.trace: ' err) $(traces)"

# refused STATUS WORDS [NAME=VALUE...] ARGUMENT...
refused()
{
	local want=$1 words=$2 status

	shift 2
	flight "$@" 2> err > out
	status=$?
	same "flight: $*: $words" "$want 1 " "$status $(grep -cF -e "$words" err) $(traces)"
}
refused 2 "--flight: not with a command" --flight true
refused 2 "-o -: not with --flight" --flight -o -
refused 2 "--flight, --on, --snapshots: for a new one" --flight --input saved
refused 2 "--on: only with --flight" --on oom:mark_victim
refused 2 "--snapshots: only with --flight" --snapshots 2
refused 2 "--on, --snapshots: for a new one" --on oom:mark_victim --input saved
refused 2 "--snapshots: '0' is not a number above 0" --flight --snapshots 0
for event in oom oom: :oom a:b:c ../x:y 'a:b/' 'a:b//' 'a:b/ns > 1' "a:$(printf %200s | tr ' ' b)"; do
	refused 2 "--on: '$event' is not an event like" --flight --on "$event"
done
refused 2 "--on: at most 8 events" --flight --on=a:{1..9}
refused 1 "--on: no:such: " --flight --on no:such
refused 1 "/dev/null: not a regular file: --flight saves several" --flight -o /dev/null
refused 1 "no-dir/x.trace" --flight -o no-dir/x.trace
same "flight: ... before it runs" "" "$(logged)"
refused 1 "the module has no flight recorder: it is older than this program" STUB_TRACE_START=95 --flight
refused 1 "another trace is running" STUB_TRACE_START=16 --flight
refused 1 "stopping the trace: Input/output error" STUB_TRACE_STOP=5 --flight -d 1ms
refused 1 "reading the trace: Bad file descriptor" STUB_TRACE_UNREADABLE=1 --flight -d 1ms

flight snapshot > out 2> err
same "snapshot: asks the module, and says nothing" "0 trace snapshot " "$? $(logged) $(cat out err)"
refused 1 "no flight recorder runs" STUB_SNAPSHOT=61 snapshot
refused 1 "start one first: kmprof trace --flight" STUB_SNAPSHOT=61 snapshot
refused 1 "the module has no flight recorder: it is older than this program" STUB_SNAPSHOT=25 snapshot
refused 2 "snapshot: 'x' is not expected" snapshot x
refused 2 "-x: no such option" snapshot -x
flight snapshot --help > out
same "snapshot: has help" "0 Usage: kmprof trace [OPTIONS] [[--] COMMAND [ARGUMENT...]]" \
	"$? $(head -1 out)"
