#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# trace: a trace is saved as it comes, whatever ends it, or not at all.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
log=$TMP/log
mktrace > saved <<'T'
task 10 10 bash
batch 0 10 1100
@1200 waking 11
@1300 switch 11 2
lose 5
batch 0 11 1500
@1600 switch 0 3
batch 1 0 1700
@1800 mark hello
T
mktrace > full <<'T'
batch 0 10 1100
@1200 switch 0 2
T
few=$(stat -c %s full)
stub="env --default-signal=INT,QUIT,TERM,HUP LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_LOG=$log"

# trace [NAME=VALUE...] ARGUMENT...: kmprof trace with stub.c in the place of the module
trace()
{
	local settings arguments

	take_settings "$@"
	rm -f "$log" kmprof.trace
	$stub STUB_TRACE="$TMP/full" "${settings[@]}" "$kmprof" trace "${arguments[@]}"
}

# files: what is there, beside what was there before
files()
{
	ls -A | grep -vxE 'saved|full|kallsyms|log|err|out|keys' | xargs
}

# all_of FILE: FILE is the whole trace
all_of()
{
	cmp -s "${2:-full}" "$1" && echo whole
}

# said: what was said on standard error, without the time it took
said()
{
	sed 's/in [0-9.]* s$/in TIME/' err | xargs
}

trace -d 1ms 2> err
same "trace: all of it is saved, and one line tells" \
	"0 whole kmprof.trace trace start fe 0 trace stop kmprof: kmprof.trace: 1 events, ${few}B, in TIME" \
	"$? $(all_of kmprof.trace) $(files) $(logged) $(said)"
size=$(stat -c %s saved)
trace STUB_TRACE="$TMP/saved" -d 1ms 2> err
same "trace: losses are warned of, by CPU" \
	"0 whole kmprof: kmprof.trace: 4 events, ${size}B, in TIME kmprof: warning: 5 events found no room, 5 on CPU 0 kmprof: hint: give more room with --buffer, or trace less with -e" \
	"$? $(all_of kmprof.trace saved) $(said)"
{
	echo "cpus 200"
	for i in {0..199}; do
		printf 'batch %d 0 1000\nlose 1000000\nbatch %d 0 1100\n' $i $i
	done
} | mktrace > many
trace STUB_TRACE="$TMP/many" -d 1ms 2> err
same "trace: ... but not by each of many CPUs" "1 1" \
	"$(grep -c ', 1000000 on CPU 7 and more on 192 other CPUs$' err) $(grep -c 'hint: give more room' err)"
rm many
trace STUB_TRACE="$TMP/saved" STUB_HEAP=0 -d 1ms -e heap 2> err
same "trace: that no memory is sampled is warned of" \
	"0 1 1" "$? $(grep -c 'warning: no memory: the heap profile is off$' err) $(grep -c "hint: 'kmprof set heap_rate=524288' samples" err)"
trace STUB_TRACE="$TMP/saved" -d 1ms -e heap 2> err
trace STUB_TRACE="$TMP/saved" STUB_HEAP=0 -d 1ms -e sched 2>> err
same "trace: ... if it was asked for" 0 "$(grep -c 'heap profile' err)"
trace STUB_TRACE_ENDS=1 2> err
same "trace: what ends by itself is over" "0 whole" "$? $(all_of kmprof.trace)"

# What is asked for.
trace -e exec,fork -e mark -d 1ms 2> err
same "trace: a mark is always recorded, and is no choice" "2 1" "$? $(grep -c "'mark' is not sched" err)"
trace -e exec,fork -e waking --buffer 64k -d 1ms 2> err
same "trace: events by their names, with switch, and room" "trace start 36 65536 trace stop" "$(logged)"
trace -e sched -d 1ms --output x.trace 2> err
same "trace: all events, and another file" "trace start fe 0 trace stop whole" "$(logged) $(all_of x.trace)"
rm -f x.trace
trace -d 1ms -o - 2> err > out
same "trace: standard output" "0 whole kmprof: standard output: 1 events, ${few}B, in TIME" \
	"$? $(all_of out) $(said)$(files)"

# Commands.
out=$(echo in | trace -- sh -c 'cat; echo out; echo err >&2' 2> err)
same "trace: a command has standard input, output and error" "0 in out err whole" \
	"$? $(echo $out) $(head -1 err) $(all_of kmprof.trace)"
trace sh -c 'exit 5' 2> err
same "trace: a command that fails is told of, and traced" "0 1 whole" \
	"$? $(grep -c 'warning: sh: exit status 5' err) $(all_of kmprof.trace)"
rm -f kmprof.trace
trace ./no-such-command 2> err
same "trace: one that cannot be run" "1 1 trace start fe 0 trace stop " \
	"$? $(grep -c 'no-such-command: cannot be run: No such file' err) $(logged) $(files)"
trace sh -c 'kill -TERM $PPID; exec sleep 60' 2> err
same "trace: a signal is passed on to the command" "0 1 whole" \
	"$? $(grep -c 'warning: sh: Terminated' err) $(all_of kmprof.trace)"

# Signals end a trace, and it is saved.
for signal in INT TERM HUP; do
	rm -f "$log"
	trace 2> err & pid=$!
	for _ in {1..600}; do [ -s "$log" ] && break; sleep 0.05; done
	pkill -$signal -P $pid -x kmprof || kill -KILL $pid
	wait $pid
	same "trace: SIG$signal ends it" "0 whole kmprof.trace trace start fe 0 trace stop" \
		"$? $(all_of kmprof.trace) $(files) $(logged)"
done
rm -f kmprof.trace

# Another signal does not wait for what is left to be saved.
# signals NAME WANTED [NAME=VALUE...] ARGUMENT...: SIGINT twice, once the trace has begun
signals()
{
	local name=$1 want=$2 pid word i

	shift 2
	rm -f "$log"
	trace "$@" 2> err & pid=$!
	for word in start stop; do
		for ((i = 0; i < 100; i++)); do
			grep -qs "trace $word" "$log" && break
			sleep 0.05
		done
		pkill -INT -P $pid -x kmprof
		sleep 0.3
	done
	for ((i = 0; i < 60; i++)); do
		pgrep -P $pid -x kmprof > /dev/null || break
		sleep 0.05
	done
	pkill -KILL -P $pid -x kmprof
	wait $pid 2> /dev/null
	same "trace: $name" "$want" "$? $(grep -o 'ended by a signal.*' err)$(files)"
}
signals "a second signal ends it, and leaves no file" "130 ended by a signal (Interrupt) before all was saved" \
	STUB_TRACE_NO_REST=1
trace STUB_SYNC=15 -d 1ms 2> err
same "trace: ... but waits until the whole file is in its place" "143 whole kmprof.trace" \
	"$? $(all_of kmprof.trace) $(files)"
rm -f kmprof.trace
mkfifo pipe
sleep 100 < pipe & reader=$!
signals "... also if nobody reads the pipe" "130 pipe" STUB_TRACE_ENDLESS=1 -o pipe
kill $reader
rm -f pipe
out=$(ulimit -f 102400; trace STUB_TRACE_ENDLESS=1 STUB_TRACE_STOP=5 -d 1ms 2>&1)
same "trace: what cannot be stopped is not copied for ever" "1 1 " \
	"$? $(grep -c 'stopping the trace: Input/output error' <<< "$out") $(files)"

# What goes wrong leaves no file.
# refused STATUS WORDS [NAME=VALUE...] ARGUMENT...
refused()
{
	local want=$1 words=$2 status

	shift 2
	trace "$@" 2> err > out
	status=$?
	same "trace: $*: $words" "$want 1 " "$status $(grep -cF -e "$words" err) $(files)"
}
refused 1 "another trace is running" STUB_TRACE_START=16
refused 1 "the module has no tracer: it is older than this program" STUB_TRACE_START=25
refused 1 "no memory for the buffers" STUB_TRACE_START=12
refused 1 "is the module as new as this program?" STUB_TRACE_START=22
refused 1 "the kernel log tells what is missing" STUB_TRACE_START=2
refused 1 "run as root" STUB_TRACE_START=1
refused 1 "reading the trace: Bad file descriptor" STUB_TRACE_UNREADABLE=1
refused 1 "stopping the trace: Input/output error" STUB_TRACE_STOP=5 -d 1ms
refused 1 "/dev/full: No space left on device" -o /dev/full -d 1ms
refused 1 "no-dir/x.trace" -o no-dir/x.trace true
refused 2 "-d: not with a command" -d 1s true
refused 2 "-o -: not with a command" -o - true
refused 2 "-d: '0' is not a time" -d 0
refused 2 "-e: '' is not sched" -e ""
refused 2 "-e: '' is not sched" -e fork,
refused 2 "-e: 'forks' is not sched" -e forks
refused 2 "--buffer: '0' is not a size" --buffer 0
refused 2 "--buffer: '2G' is not a size" --buffer 2G
refused 2 "--buffer: '1x' is not a size" --buffer 1x
refused 2 "--buffer: '18446744073709551615G' is not a size" --buffer 18446744073709551615G
refused 2 "--format: 'x' is not text" --format x
refused 2 "'kmprof trace --input TRACE -o FILE.txt' makes that of it" --format text
refused 2 "x.txt: a trace is saved as it is" -o x.txt
refused 2 "--input: a saved trace is read, and no command run" --input saved true
refused 2 "-d, -e, --filter, --stacks, --buffer, --flight, --on, --snapshots: for a new one" --input saved -e sched
refused 2 "no format has the suffix .png" --input saved -o x.png
(trace STUB_TRACE_ENDS=1 -o - 2> err; echo $? > out) | true
same "trace: a pipe that nobody reads" "1 1" \
	"$(cat out) $(grep -c 'kmprof: standard output: Broken pipe' err)"
echo old > kept.trace
out=$(ulimit -f 0; $stub STUB_LOG=/dev/null STUB_TRACE="$TMP/full" "$kmprof" trace -o kept.trace -d 1ms 2>&1)
same "trace: a file that is too large leaves the old one" \
	"1 kmprof: kept.trace: File too large old kept.trace" \
	"$? $(echo "$out" | head -1) $(cat kept.trace) $(files)"
rm -f kept.trace
out=$(terminal "$stub STUB_TRACE=$TMP/full $kmprof trace -d 2s")
contains "trace: a terminal shows how much there is" "kmprof: tracing, 0 s, 0 events, $((few / 2))B" "$out"
rm -f kmprof.trace

# Marks.
trace mark hello there
same "trace: mark" "0 mark hello there" "$? $(logged)"
trace mark -- -x
same "trace: mark, with a dash" "0 mark -x" "$? $(logged)"
refused 1 "nobody traces" STUB_MARK=61 mark a
refused 1 "putting a mark into the trace: Invalid argument" STUB_MARK=22 mark a
refused 2 "mark: no text given" mark
refused 2 "mark: no text given" mark ""
refused 2 "-x: no such option" mark -x
long=$(printf '%0256d' 0)
refused 2 "mark: the text is longer than 255 bytes" mark "$long"
trace mark "${long:1}"
same "trace: the longest mark" "0 mark ${long:1}" "$? $(logged)"
trace mark --help > out
same "trace: mark has help" "0 Usage: kmprof trace [OPTIONS] [[--] COMMAND [ARGUMENT...]]" \
	"$? $(head -1 out)"
