#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# record: settings are changed and put back whatever happens, and what is saved is the snapshot.
. "$TOOLS/tests/lib.sh"

image "$TMP/image" < "$TOOLS/tests/basic.spec"
log=$TMP/log
cd "$TMP" || exit 1

# record [NAME=VALUE...] ARGUMENT...: kmprof record with stub.c in the place of the module
record()
{
	local settings arguments

	take_settings "$@"
	rm -f "$log" profile.kmprof
	env --default-signal=INT,QUIT,TERM,HUP LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_IMAGE="$TMP/image" STUB_LOG="$log" \
		"${settings[@]}" "$kmprof" record --kallsyms "$kallsyms" "${arguments[@]}"
}

# files: what is there, beside what was there before
files()
{
	ls | grep -vx -e image -e kallsyms -e log -e err | xargs
}

out=$(record -d 1ms 2>&1)
same "record: what is on stays on, and nothing is said in a pipe" "0 snapshot " "$? $(logged) $out"
same "record: what is saved is the snapshot, with names" \
	"$("$kmprof" report image --kallsyms "$kallsyms")" "$("$kmprof" report profile.kmprof)"
record -p block,mutex -d 1ms
same "record: what is off is turned on at the usual rate" \
	"set block_rate 10000 set mutex_fraction 1 snapshot set block_rate 0 set mutex_fraction 0" "$(logged)"
record -p block -p mutex -d 1ms
same "record: ... in options of their own, too" \
	"set block_rate 10000 set mutex_fraction 1 snapshot set block_rate 0 set mutex_fraction 0" "$(logged)"
record STUB_KINDS=0 -d 1ms
same "record: a kind of memory, if there is none" "set heap 1 snapshot set heap 0" "$(logged)"
record STUB_PROFILE=later STUB_SETTING=later -p allocs,later -d 1ms
same "record: a profile that is known by the module alone" "snapshot" "$(logged)"
record -p block -s block=1us --set heap_rate=64K -s labels=comm -d 1ms
same "record: settings that are named go before" \
	"set block_rate 1000 set heap_rate 65536 set labels 1 snapshot set block_rate 0 set heap_rate 524288 set labels 0" \
	"$(logged)"
record --reset -d 1ms
same "record: a reset comes first" "reset snapshot" "$(logged)"

# Commands.
out=$(echo in | record -o cat.kmprof -- sh -c 'cat; echo out; echo err >&2; exit 0' 2> err)
same "record: a command has standard input, output and error" "0 in out err" "$? $(echo $out) $(cat err)"
same "record: ... and options of its own" "0 a -p b" "$(out=$(record -o cat.kmprof echo a -p b); echo $? $out)"
record -p block -o failed.kmprof sh -c 'exit 5' 2> err
same "record: a command that fails is told of, and saved" "0 yes set block_rate 10000 snapshot set block_rate 0" \
	"$? $(grep -q 'warning: sh: exit status 5' err && [ -s failed.kmprof ] && echo yes) $(logged)"
rm -f *.kmprof
record -p block -o no.kmprof ./no-such-command 2> err
same "record: one that cannot be run" "1 yes set block_rate 10000 set block_rate 0 " \
	"$? $(grep -q 'no-such-command: cannot be run: No such file' err && echo yes) $(logged) $(files)"
record -p block -o killed.kmprof sh -c 'kill -9 $$' 2> err
same "record: one that is killed" "0 yes killed.kmprof" \
	"$? $(grep -q 'warning: sh: Killed' err && echo yes) $(files)"
rm -f *.kmprof

# Signals end a recording, and it is saved.
for signal in INT TERM HUP; do
	rm -f "$log"
	record -p block & pid=$!
	for _ in {1..600}; do [ -s "$log" ] && break; sleep 0.05; done
	pkill -$signal -P $pid -x kmprof || kill -KILL $pid
	wait $pid
	same "record: SIG$signal ends it" "0 profile.kmprof set block_rate 10000 snapshot set block_rate 0" \
		"$? $(files) $(logged)"
done
rm -f *.kmprof
record -p block sh -c 'kill -TERM $PPID; exec sleep 60' 2> err
same "record: a signal is passed on to the command" "0 yes profile.kmprof" \
	"$? $(grep -q 'warning: sh: Terminated' err && echo yes) $(files)"
rm -f *.kmprof

# Nobody reads what is said, or all is swept away: settings are put back, and it is saved.
(record -p block sh -c 'exit 3'; echo $? > err) 2>&1 | true
same "record: a closed standard error" "0 profile.kmprof set block_rate 10000 snapshot set block_rate 0" \
	"$(cat err) $(files) $(logged)"
record -p block sh -c 'rm -f .kmprof-*' 2> err
same "record: a command that removes temporary files" "0 profile.kmprof" "$? $(files)"
rm -f *.kmprof
# Two signals, one of which is waiting when the first one has had its effect.
record -p block sh -c 'kill -INT $PPID; kill -TERM $PPID; exec sleep 60' 2> err
same "record: two signals" "0 profile.kmprof set block_rate 10000 snapshot set block_rate 0" "$? $(files) $(logged)"
rm -f *.kmprof
# ^C on a terminal reaches the command once.
cat > keys <<'K'
trap 'echo got >> got' INT
touch ready
for i in $(seq 100); do sleep 0.1; [ -s got ] && break; done
sleep 0.5
K
(for _ in {1..600}; do [ -e ready ] && break; sleep 0.05; done; sleep 0.3; printf '\003'; sleep 2) |
	LD_PRELOAD="" script -qec "env --default-signal=INT LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_IMAGE=$TMP/image $kmprof record --kallsyms $kallsyms bash keys" /dev/null > /dev/null 2>&1
same "record: a key reaches the command once" "got profile.kmprof" "$(xargs < got) $(ls *.kmprof)"
rm -f *.kmprof got ready keys

# What goes wrong is told before it begins, and leaves everything as it was.
# refused STATUS WORDS [NAME=VALUE...] ARGUMENT...
refused()
{
	local want=$1 words=$2

	shift 2
	record "$@" 2> err
	same "record: $*: $words" "$want 1  " "$? $(grep -cF -e "$words" err) $(logged) $(files)"
}
refused 1 "no-dir/x.kmprof" -o no-dir/x.kmprof true
refused 2 "'no': no such profile" -p heap,no true
refused 2 "the module has: heap, allocs, block, mutex" -p no true
refused 2 "'': no such profile" -p "" true
refused 2 "'mutex': no such profile" STUB_WITHOUT=mutex -p mutex true
refused 2 "block_rate: 69s is out of range" -s block=69s true
refused 2 "rate: no such setting" -s rate=1 true
refused 2 "heap_rate: given twice" -s heap_rate=1 -s heap=2 true
refused 1 "waits" STUB_LACKS=4 -p block true
record STUB_SETS=1 -p block,mutex true 2> err
same "record: what cannot be put back is told, and the image saved" "1 yes profile.kmprof" \
	"$? $(grep -q 'put it back: kmprof set block_rate=0 mutex_fraction=0' err && echo yes) $(files)"
rm -f *.kmprof
record STUB_IMAGE=/nowhere -p block true 2> err
same "record: without a snapshot, settings are put back" "1 set block_rate 10000 snapshot set block_rate 0 " \
	"$? $(logged) $(files)"
record -o /dev/full -d 1ms 2> err
same "record: a full disk" "1 yes" "$? $(grep -q 'No space left' err && echo yes)"
out=$(terminal "env LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_IMAGE=$TMP/image $kmprof record --kallsyms $kallsyms -d 1100ms")
contains "record: a terminal shows how long" "kmprof: recording, 1 s" "$out"
contains "record: ... and how to go on" "'kmprof report profile.kmprof' shows it" "$out"
