#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Where output goes, and what happens when it does not fit.
. "$TOOLS/tests/lib.sh"

image "$TMP/basic" < "$TOOLS/tests/basic.spec"
dump=("$kmprof" dump --input "$TMP/basic" --kallsyms "$kallsyms")

image "$TMP/block" < "$TOOLS/tests/block.spec"
block=("$kmprof" dump block --input "$TMP/block" --kallsyms "$kallsyms")
image "$TMP/mutex" < "$TOOLS/tests/mutex.spec"
mutex=("$kmprof" dump mutex --input "$TMP/mutex" --kallsyms "$kallsyms")

# full NAME COMMAND...: fails with words when there is no room
full()
{
	local name=$1 err

	shift
	err=$("$@" 2>&1 > /dev/full)
	same "output: $name to a full standard output" "1 yes" \
		"$? $([[ $err == "kmprof: "*"No space left on device"* ]] && echo yes)"
	err=$("$@" -o /dev/full 2>&1)
	same "output: $name to a full device" "1 yes" \
		"$? $([[ $err == *"No space left on device"* ]] && echo yes)"
}
for format in text pprof folded script perf.data json svg html image; do
	full "$format" "${dump[@]}" --format $format
	full "block, $format" "${block[@]}" --format $format
	full "mutex, $format" "${mutex[@]}" --format $format
done
full "locks" "${block[@]}" --by lock
full "locks, JSON" "${block[@]}" --by lock --json
full "mutex, locks" "${mutex[@]}" --by lock
full "mutex, locks, JSON" "${mutex[@]}" --by lock --json
for command in status top "status --json" "top --json"; do
	err=$("$kmprof" $command --input "$TMP/basic" 2>&1 > /dev/full)
	same "output: $command to a full standard output" "1 yes" \
		"$? $([[ $err == *"No space left on device"* ]] && echo yes)"
done
err=$("${dump[@]}" -o /dev/full 2>&1)
same "output: nothing is said of an old file where there was none" "1 yes" \
	"$? $([[ $err == *"hint: make room"* && $err != *"old file"* ]] && echo yes)"
"$kmprof" --help > /dev/full 2> /dev/null
same "output: --help to a full standard output" 1 $?

# A size limit is hit in the middle of a file, as a full disk would be. The
# image is larger than the limit of one block.
mkdir "$TMP/dir"
echo precious > "$TMP/dir/profile"
awk 'BEGIN { print "rate 1"; for (i = 0; i < 500; i++) print "sample 1 8 1 0 0 " i * 7919 + 4096 }' |
	image "$TMP/large"
for format in text folded script perf.data json svg html image; do
	err=$(ulimit -f 1; "$kmprof" dump --input "$TMP/large" --kallsyms "$kallsyms" --format $format \
		-o "$TMP/dir/profile" 2>&1)
	same "output: $format that does not fit fails" "1 yes" \
		"$? $([[ $err == *"File too large"*"hint: "*"old file is as it was"* ]] && echo yes)"
	same "output: $format that does not fit leaves the old file" "precious" \
		"$(cat "$TMP/dir/profile")"
	same "output: $format that does not fit leaves nothing else" "profile" "$(ls -A "$TMP/dir")"
done

"${dump[@]}" --format image -o "$TMP/dir/profile"
same_rows "$TMP/basic" "$TMP/dir/profile"
result "output: an image comes back byte for byte" $?
same "output: only the owner can read it" 600 "$(stat -c %a "$TMP/dir/profile")"
ln -s profile "$TMP/dir/link"
"${dump[@]}" -o "$TMP/dir/link"
same "output: a symbolic link stays one" "yes heap profile" \
	"$([ -L "$TMP/dir/link" ] && echo yes) $(head -c 12 "$TMP/dir/profile")"
# Links that the kernel would follow, one by one: absolute, relative, and to nothing yet.
ln -s "$TMP/dir/link" "$TMP/absolute"
echo old > "$TMP/dir/profile"
"${dump[@]}" -o "$TMP/absolute"
same "output: links to links are followed" "heap profile" "$(head -c 12 "$TMP/dir/profile")"
ln -s dir/new "$TMP/dangling"
"${dump[@]}" -o "$TMP/dangling"
same "output: a link to nothing makes it" "yes heap profile" \
	"$([ -L "$TMP/dangling" ] && echo yes) $(head -c 12 "$TMP/dir/new")"
ln -s circle "$TMP/circle"
err=$("${dump[@]}" -o "$TMP/circle" 2>&1)
same "output: a circle of links" "1 kmprof: $TMP/circle: Too many levels of symbolic links" "$? $err"
ln -s dir "$TMP/to_dir"
err=$("${dump[@]}" -o "$TMP/to_dir" 2>&1)
same "output: a link to a directory" "1 kmprof: $TMP/to_dir: Is a directory" "$? $err"
err=$("${dump[@]}" -o "$TMP/dir/" 2>&1)
same "output: a directory" "1 kmprof: $TMP/dir/: Is a directory" "$? $err"

# What others can plant in a directory that everybody can write to, sticky or not.
for mode in 1777 777; do
	public=$TMP/public$mode
	mkdir "$public"
	chmod $mode "$public"
	echo precious > "$TMP/victim"
	ln -s "$TMP/victim" "$public/planted"
	err=$("${dump[@]}" -o "$public/planted" 2>&1)
	same "output: a link is not followed in a directory of mode $mode" "1 yes precious" \
		"$? $([[ $err == *"planted: a symbolic link in a directory that everybody can write to"*"hint: "* ]] &&
			echo yes) $(cat "$TMP/victim")"
	ln -s "$public/planted" "$TMP/to_planted$mode"
	"${dump[@]}" -o "$TMP/to_planted$mode" 2> "$TMP/err"
	same "output: nor through another link, mode $mode" "1 precious" "$? $(cat "$TMP/victim")"
	ln -s "$TMP/dir/never" "$public/dangling"
	"${dump[@]}" -o "$public/dangling" 2> "$TMP/err"
	same "output: nor to nothing, mode $mode" "1 " "$? $(ls "$TMP/dir/never" 2> /dev/null)"
	ln "$TMP/victim" "$public/hard"
	"${dump[@]}" -o "$public/hard"
	same "output: another name of a file is replaced, mode $mode" "0 precious heap profile" \
		"$? $(cat "$TMP/victim") $(head -c 12 "$public/hard")"
	mkfifo "$public/fifo"
	(timeout 300 head -c 12 "$public/fifo" > "$TMP/read") &
	"${dump[@]}" -o "$public/fifo" 2> "$TMP/err"
	wait
	same "output: a FIFO of one's own works, mode $mode" "heap profile" "$(cat "$TMP/read")"
	# Opened for both, it blocks nobody. Only root can give a FIFO away.
	exec 9<> "$public/fifo"
	chown 65534 "$public/fifo"
	err=$("${dump[@]}" -o "$public/fifo" 2>&1)
	same "output: somebody else's FIFO is refused, mode $mode (needs root)" "1 yes" \
		"$? $([[ $err == *"fifo: somebody else's FIFO"*"hint: "* ]] && echo yes)"
	exec 9>&-
	same "output: nothing is left behind, mode $mode" "dangling fifo hard planted" \
		"$(ls -A "$public" | xargs)"
done

# Descriptors are used as they are: they keep their position, and append.
echo before > "$TMP/log"
"${dump[@]}" -o /dev/stdout >> "$TMP/log"
same "output: /dev/stdout appends where standard output does" "before heap profile" \
	"$(head -c 19 "$TMP/log" | xargs)"
(echo before; "${dump[@]}" -o /dev/fd/7; echo behind) > "$TMP/log" 7>&1
same "output: /dev/fd/N is descriptor N" "before heap profile behind" \
	"$(grep -o '^before$\|^heap profile\|^behind$' "$TMP/log" | xargs)"
ln -s /dev/stdout "$TMP/to_stdout"
same "output: so does a link to it" "heap profile" "$("${dump[@]}" -o "$TMP/to_stdout" | head -c 12)"
"${dump[@]}" -o /dev/null
same "output: /dev/null stays what it is" "0 yes" "$? $([ -c /dev/null ] && echo yes)"
sleep 100 > "$TMP/log" &
err=$("${dump[@]}" -o "/proc/$!/fd/1" 2>&1)
same "output: a file that another process has open" "1 yes" \
	"$? $([[ $err == *"a regular file that something else has open"*"hint: name the file"* ]] && echo yes)"
kill $!
same "output: - is standard output" "heap profile" "$(cd "$TMP" && "${dump[@]}" -o - | head -c 12)"
same "output: and no file" "" "$(cd "$TMP" && ls ./- 2> /dev/null)"
same "output: a pipe works" "heap profile" "$("${dump[@]}" -o /dev/stdout | head -c 12)"
cat "$TMP/basic" | "$kmprof" dump --input - --kallsyms "$kallsyms" > "$TMP/piped"
"${dump[@]}" > "$TMP/direct"
cmp -s "$TMP/piped" "$TMP/direct"
result "output: an image from a pipe reads the same" $?

err=$("${dump[@]}" -o "$TMP/no/such/dir" 2>&1)
same "output: a missing directory" "1 kmprof: $TMP/no/such/dir: No such file or directory" "$? $err"

out=$(terminal "$kmprof dump --input $TMP/basic --kallsyms $kallsyms --format pprof; echo status=\$?")
contains "output: binary is not written to a terminal" "status=2" "$out"
contains "output: and there is a hint" "-o FILE" "$out"
contains "output: colours on a terminal" $'\033[1m' "$(terminal "$kmprof top --input $TMP/basic --kallsyms $kallsyms")"
same "output: no colours with NO_COLOR" "" \
	"$(terminal "NO_COLOR=1 $kmprof top --input $TMP/basic --kallsyms $kallsyms" | grep -o $'\033')"
same "output: no colours in a pipe" "" \
	"$(TERM=xterm "$kmprof" top --input "$TMP/basic" --kallsyms "$kallsyms" | grep -o $'\033')"
for width in 80 60; do
	for option in "" --bytes; do
		out=$(terminal "NO_COLOR=1 $kmprof top $option --input $TMP/basic --kallsyms $kallsyms" $width)
		contains "output: top $option has a table in $width columns" "SHARE  SITE" "$out"
		same "output: top $option fits $width columns" "" \
			"$(echo "$out" | sed '1,/^$/d' | awk -v w=$width 'length > w')"
	done
done
out=$(terminal "NO_COLOR=1 $kmprof top --bytes --input $TMP/basic --kallsyms $kallsyms" 52)
contains "output: top --bytes has a table in 52 columns" " SHARE  S" "$out"
same "output: top --bytes in 52 columns has no room for sites" "" \
	"$(echo "$out" | sed '1,/^$/d' | awk 'length > 53')"
