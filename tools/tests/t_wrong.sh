#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What can go wrong with each command: words that say what to do, the status, nothing on standard
# output, and no file. stub.c is in the place of the module. The commands are rows of a table; what
# goes wrong with one of them only is in the tests of that command.
. "$TOOLS/tests/lib.sh"

log=$TMP/log
(echo "rate 1"; grep -v ^rate "$TOOLS/tests/basic.spec") | image "$TMP/image"
awk 'BEGIN { print "rate 1"; for (i = 0; i < 500; i++) print "sample 1 8 1 0 0 " i * 7919 + 4096 }' |
	image "$TMP/large"
# Whatever a command makes would be here.
mkdir "$TMP/here" && cd "$TMP/here" || exit 1

# Of the module: those that change it, those that take a snapshot, and the rest.
change=("record -p block -d 1ms" "leaks --rounds 3 true" "leaks --json --rounds 3 true" "set heap_rate=1"
	"set --json heap_rate=1" "reset" "reset --json" "record --reset -d 1ms")
show=("status" "status --json" "top" "top --json" "report" "report --tree" "report --json" "dump"
	"dump block --by lock" "dump --format json" "diff --interval 1ms" "diff --json -- true" "objects"
	"objects --json")
save=("record -d 1ms" "record -o out.kmprof true" "dump -o out.html" "dump block --by lock -o out.json"
	"diff -o out.pb.gz -- true")
trace=("trace -d 1ms" "trace -o out.kmtrace true")
live=("${change[@]}" "${show[@]}" "${save[@]}" "${trace[@]}")
# Of an image, which takes the place of IMAGE.
saved=("status --input IMAGE" "status --json --input IMAGE" "top --input IMAGE" "top --json --input IMAGE"
	"report IMAGE" "report --tree IMAGE" "report --json --input IMAGE" "dump --input IMAGE"
	"dump --input IMAGE -o out.html" "dump --input IMAGE -o out.kmprof" "dump block --by lock --input IMAGE"
	"diff IMAGE $TMP/image" "diff $TMP/image IMAGE" "diff $TMP/image IMAGE -o out.pb.gz" "objects IMAGE"
	"objects --json IMAGE")
same "wrong: each command is in the tables" \
	"$("$kmprof" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort | xargs)" \
	"$(printf '%s\n' "${live[@]}" | cut -d' ' -f1 | sort -u | xargs)"
same "wrong: ... and those that read images" "diff dump objects report status top" \
	"$(printf '%s\n' "${saved[@]}" | cut -d' ' -f1 | sort -u | xargs)"

# with_stub [NAME=VALUE...] PROGRAM ARGUMENT...
with_stub()
{
	rm -f "$log"
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_IMAGE="$TMP/image" STUB_LOG="$log" "$@"
}

# put_back: what the module has been set to has been put back
put_back()
{
	grep '^set ' "$log" 2> /dev/null | awk '{ n[$2]++; last[$2] = $3 }
		END { was["heap_rate"] = 524288; was["heap"] = 1
			for (i in n) if (last[i] != was[i] + 0) exit 1 }'
}

# All files of the directory; none is no word.
shopt -s dotglob nullglob
# wrong NAME STATUS WORDS COMMAND...: the command says so, says what to do, and leaves nothing
wrong()
{
	local name=$1 want=$2 words=$3 out err status left

	shift 3
	out=$("$@" 2> "$TMP/err" < /dev/null)
	status=$?
	IFS= read -r -d '' err < "$TMP/err"
	left=(*)
	[ $status = "$want" ] && [ -z "$out" ] && [ ${#left[@]} -eq 0 ] &&
		[[ $err == *"kmprof: "*"$words"*"kmprof: hint: "* ]]
	result "wrong: $name" $?
	echo "# status $status, output '$out', files '${left[*]}', error '${err:0:300}'"
	[ ${#left[@]} -eq 0 ] || rm -rf -- "${left[@]}"
}

if [ -e /dev/kmprof ]; then
	echo "not ok - wrong: these tests are for a machine without /dev/kmprof"
	exit
fi
for command in "${live[@]}"; do
	without="the device does not know this command"
	[[ $command != trace* ]] || without="the module has no tracer"
	wrong "$command: no module" 1 "the kmprof module is not loaded" "$kmprof" $command
	wrong "$command: the node may not be opened" 1 "/dev/kmprof: not allowed (Permission denied)" \
		with_stub STUB_OPEN=13 "$kmprof" $command
	wrong "$command: without the capability" 1 "/dev/kmprof: not allowed (Operation not permitted)" \
		with_stub STUB_OPEN=1 "$kmprof" $command
	wrong "$command: an older module without the ioctl" 1 "$without" \
		with_stub STUB_ALL=25 "$kmprof" $command
	wrong "$command: an older module that knows less of a structure" 1 "the module is older than this program" \
		with_stub STUB_ALL=7 "$kmprof" $command
	wrong "$command: an older module without a flag" 1 "older" with_stub STUB_ALL=95 "$kmprof" $command
	wrong "$command: no such option" 2 "--frobnicate: " with_stub "$kmprof" ${command%% *} --frobnicate \
		${command#* }
done
for command in "${change[@]}"; do
	wrong "$command: changes are not allowed" 1 "Operation not permitted" \
		with_stub STUB_CHANGE=1 "$kmprof" $command
done
for command in "record -s nokey=1 -d 1ms" "record -p nokey -d 1ms" "report -p nokey" "report --by nokey" \
	"report --column nokey" "dump nokey" "dump --column nokey -o out.svg" "dump --by nokey block" \
	"diff -p nokey -- true" "diff --by nokey -- true" "top nokey" "top --sort nokey" "set nokey=1"; do
	wrong "$command: an unknown key" 2 "nokey" with_stub "$kmprof" $command
done

# Damaged, and from somebody who means it. A module of another version has such images, too.
head -c 200 "$TMP/image" > "$TMP/short"
head -c $(($(stat -c %s "$TMP/image") - 1)) "$TMP/image" > "$TMP/cut"
: > "$TMP/nothing"
cp "$kallsyms" "$TMP/text"
for version in 1 3; do
	cp "$TMP/image" "$TMP/version$version"
	printf "\\$version" | dd of="$TMP/version$version" bs=1 seek=4 conv=notrunc status=none
done
cp "$TMP/image" "$TMP/frames_behind"
printf '\377\377\377\177' | dd of="$TMP/frames_behind" bs=1 seek=104 conv=notrunc status=none
for kind in frames texts losses columns; do
	python3 "$TOOLS/tests/crafted.py" $kind 65536 > "$TMP/$kind"
done
declare -A says=([short]="not a" [cut]="not a" [nothing]="not a" [text]="not a kmprof image"
	[version1]="image version 1, this program reads 2" [version3]="image version 3, this program reads 2"
	[frames_behind]="frame table" [frames]="not a sound" [texts]="not a sound" [losses]="not a sound"
	[columns]="not a sound")
for bad in "${!says[@]}"; do
	for command in "${saved[@]}"; do
		wrong "${command/IMAGE/FILE}: $bad" 1 "${says[$bad]}" "$asan/kmprof" ${command/IMAGE/$TMP/$bad}
	done
	# A snapshot of nothing is none.
	[ $bad != nothing ] || continue
	for command in "${show[@]}" "${save[@]}" "leaks --rounds 3 true"; do
		wrong "$command: a module with an image: $bad" 1 "${says[$bad]}" \
			with_stub STUB_IMAGE="$TMP/$bad" "$kmprof" $command
		put_back
		result "wrong: ... and what was changed is put back" $?
	done
done

# A full disk: no room at all, and none for all of it. A pipe that nobody reads any more.
mkfifo "$TMP/fifo"
exec 9<> "$TMP/fifo" 8> "$TMP/fifo" 9>&-
for command in "${show[@]}" "leaks --rounds 3 true" "leaks --json --rounds 3 true" "set heap_rate=1" "reset --json"; do
	err=$(with_stub "$kmprof" $command 2>&1 > /dev/full)
	same "wrong: $command: a full standard output" "1 yes" \
		"$? $([[ $err == *"standard output: No space left on device"*"hint: make room"* ]] && echo yes)"
	(trap '' PIPE; with_stub "$kmprof" $command 2> "$TMP/err" >&8)
	same "wrong: $command: a closed pipe, without the signal" "1 yes" \
		"$? $(grep -q "standard output: Broken pipe" "$TMP/err" && echo yes)"
	with_stub env --default-signal=PIPE "$kmprof" $command 2> "$TMP/err" >&8
	same "wrong: $command: a closed pipe" "141 0" "$? $(grep -c Broken "$TMP/err")"
	[[ $command == set* ]] || put_back
	result "wrong: ... and what was changed is put back" $?
	err=$(with_stub "$kmprof" $command 2>&1 >&-)
	same "wrong: $command: no standard output" "1 yes" \
		"$? $([[ $err == *"standard output: Bad file descriptor"*"hint: it is closed"* ]] && echo yes)"
done
for command in "record -o FILE -d 1ms" "record -o FILE true" "dump -o FILE" "dump --format html -o FILE" \
	"dump --format image -o FILE" "diff --format json -o FILE -- true"; do
	err=$(with_stub STUB_IMAGE="$TMP/large" "$kmprof" ${command/FILE//dev/full} 2>&1 > "$TMP/out")
	same "wrong: $command: a full device" "1 yes" \
		"$? $([[ $err == *"/dev/full: No space left on device"*"hint: make room"* ]] && echo yes)"
	echo precious > old
	for name in old new; do
		err=$(ulimit -f 1; with_stub STUB_IMAGE="$TMP/large" "$kmprof" ${command/FILE/$name} 2>&1 > "$TMP/out")
		same "wrong: $command: no room for all of it, $name" "1 yes precious old" \
			"$? $([[ $err == *"$name: File too large"*"hint: "* ]] && echo yes) $(cat old) $(ls -A | xargs)"
	done
	rm old
done
