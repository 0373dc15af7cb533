#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# top on a terminal: what it shows, its keys, and what it leaves behind. tmux is the terminal, and
# stub.c is in the place of the module.
. "$TOOLS/tests/lib.sh"

leak="0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210"
# A second between two snapshots: one stack leaks, another one churns.
for n in {0..40}; do
	image "$TMP/live.$n" <<S
rate 1
start 1700000000000000000
time $((1700000000000000000 + n * 1000000000))
sample 1 64 $((3 + n * 10)) 3 0 $leak
sample 1 1000 $((1000 + n * 500)) $((900 + n * 500)) 0 0xffffffff81001110 0xffffffff81001210
contention 10000 1 0 0xffffffff82000040 $((n + 1)) $((25000 * (n + 1))) 9000 0xffffffff81001010
S
done
log=$TMP/log

in_tmux()
{
	tmux -f /dev/null -S "$TMP/tmux" "$@"
}
trap 'in_tmux kill-server 2> /dev/null' EXIT
trap exit INT TERM HUP

# start COLUMNS LINES ARGUMENT...: kmprof top in a terminal that shows something; what it ends with
# stays there
start()
{
	local size=(-x "$1" -y "$2")

	shift 2
	rm -f "$log"
	in_tmux new-session -d "${size[@]}" \
		"trap : INT QUIT
		before=\$(stty -g)
		echo here
		env LD_PRELOAD='$TOOLS/build/tests/stub.so' STUB_LOG='$log' ${settings:-STUB_ROUNDS='$TMP/live'} \
			'$kmprof' top --kallsyms '$kallsyms' $*
		status=\$?; echo \"status \$status\"; [ \"\$before\" = \"\$(stty -g)\" ] && echo same modes
		echo end; read -r line"
}

screen()
{
	in_tmux capture-pane -p
}

# shown WORDS...: until all of them are there at a time, 20 s at most
shown()
{
	local try now words

	for try in {1..200}; do
		now=$(screen)
		for words; do
			[[ $now == *"$words"* ]] || break
			words=
		done
		[ -z "$words" ] && return
		sleep 0.1
	done
	echo "# not on the screen: $*"
	echo "$now" | sed 's/^/# /'
	return 1
}

# until_shown NAME WORDS...
until_shown()
{
	local name=$1

	shift
	shown "$@"
	result "live top: $name" $?
}

# press NAME WORDS KEY...: after these keys the words are there
press()
{
	local name=$1 words=$2

	shift 2
	in_tmux send-keys "$@"
	shown "$words"
	result "live top: $name" $?
}

# gone: the terminal is, too: the next one has the same socket
gone()
{
	in_tmux kill-server
	while [ -e "$TMP/tmux" ] && in_tmux list-sessions 2> /dev/null; do
		sleep 0.1
	done
	rm -f "$TMP/tmux"
}

# ended NAME WORDS: the words below what there was before, and the terminal as it was: its modes,
# its cursor, its screen
ended()
{
	shown "status" "
end"
	same "live top: $1" "here $2 same modes end, cursor 1, other screen 0" \
		"$(screen | xargs), $(in_tmux display-message -p 'cursor #{cursor_flag}, other screen #{alternate_on}')"
	gone
}

start 80 24 --interval 1h
keys="p profile  < > sort  enter stack  / filter  space pause  ? keys  q end"
until_shown "the first snapshot, to the letter" "kmprof top: heap, 2 stacks, no change yet, every 3600s
       97.7K              0              0 (all)
>INUSE_SPACE  INUSE_SPACE/S  ALLOC_SPACE/S STACK, LEAF < CALLERS
       97.7K              0              0 iget_locked < vfs_read
           0              0              0 leak [leaky] < leak_outer [leaky] < v" "$keys"
same "live top: ... with the keys at the bottom" "24 $keys" "$(screen | wc -l) $(screen | tail -n 1)"
press "sorted by another column" ">ALLOC_SPACE/S" '>' '>'
press "... back" ">INUSE_SPACE/S" '<'
press "... and not beyond the first one" ">INUSE_SPACE  INUSE" '<' '<' '<'
press "the next profile" "kmprof top: allocs" p
press "... of waits" "DELAY/S" p
until_shown "... to the letter" "kmprof top: block, 1 stack, no change yet, every 3600s
      0ns    25.0us              0            1 (all)
 >DELAY/S     DELAY  CONTENTIONS/S  CONTENTIONS STACK, LEAF < CALLERS
      0ns    25.0us              0            1 alloc_inode"
press "the profile before" "kmprof top: heap" P P
in_tmux send-keys Down
press "a stack is chosen, and shown with all frames" "LEAF, THEN ITS CALLERS
leak [leaky]
leak_outer [leaky]
vfs_read" Enter
until_shown "... and all columns" "       ALLOC_OBJECTS 3"
in_tmux resize-window -x 80 -y 13
until_shown "... on pages" "CALLERS
leak [leaky]
leak_outer [leaky]
escape back"
press "... the last one, too" "CALLERS
leak_outer [leaky]
vfs_read
escape back" End
press "... and back" "CALLERS
leak [leaky]" Up Up
in_tmux resize-window -x 80 -y 24
shown "vfs_read"
press "... and left" "$keys" Escape
press "only stacks with a name" "Stacks with: leak_" / l e a k
until_shown "... which are fewer" "kmprof top: heap, 1 stack,"
press "... less of it" "Stacks with: lea_" BSpace
press "... which stays" "$keys" Enter
until_shown "... in the head" "Stacks with: lea"
press "... until escape" "kmprof top: heap, 2 stacks," Escape
press "q can be typed, too" "Stacks with: q_" / q
press "... and no stack may be left" "kmprof top: heap, 0 stacks" z
press "... which is no trouble" "kmprof top: heap, 2 stacks" Enter Enter Escape
press "keys are explained" "space          no more snapshots" '?'
press "... until another one" "kmprof top: heap" x
in_tmux resize-window -x 130 -y 10
until_shown "a wider terminal has more columns" "ALLOC_OBJECTS STACK" "$keys"
same "live top: ... and a lower one fewer lines" "10 $keys" "$(screen | wc -l) $(screen | tail -n 1)"
press "... the last of which can be sorted by" ">ALLOC_OBJECTS STACK" '>' '>' '>' '>' '>' '>' '>' '>'
in_tmux resize-window -x 80 -y 24
until_shown "... and the last one of a narrower one" ">ALLOC_SPACE/S STACK"
press "... and the one before" ">INUSE_SPACE/S" '<'
in_tmux resize-window -x 20 -y 3
until_shown "a tiny one has what fits" "kmprof top: heap, 2
"
in_tmux resize-window -x 80 -y 24
shown "$keys"
press "snapshots more often" "every 900s" - -
press "it ends" "status 0" q
ended "... and leaves nothing behind" "status 0"
same "live top: it took one snapshot" "snapshot" "$(xargs < "$log")"

start 80 24 --interval 1s
until_shown "rates are per second" " over 1.00s, every 1s" " 640            640 leak" "            640           489K (all)"
press "a pause" "paused" ' '
before=$(wc -l < "$log")
sleep 2.5
same "live top: ... has no snapshots" "$before" "$(wc -l < "$log")"
press "... and an end" "every 1s" ' '
press "snapshots less often" "every 2s" +
# The one that has moved up is still the one that is chosen.
in_tmux send-keys Down
press "a stack stays chosen" "LEAF, THEN ITS CALLERS
leak [leaky]" '>' Enter
in_tmux send-keys C-c
ended "^C ends it" "status 0"

start 80 24 --interval 1s block
until_shown "a profile can be named" "kmprof top: block, 1 stack, over 1.00s"
in_tmux send-keys q
ended "... and left" "status 0"
# What the shell says of a signal depends on the shell; it may name its own line.
for signal in TERM:143 HUP:129 QUIT:131 INT:0; do
	start 80 24 --interval 1h
	shown "$keys"
	pkill -${signal%:*} -x -f "$kmprof top --kallsyms $kallsyms --interval 1h"
	shown "
end"
	said=$(screen | tr -s ' \n' ' ' | sed 's/^here .*\(status\)/here \1/')
	same "live top: SIG${signal%:*} ends it, and the terminal is as it was" \
		"here status ${signal#*:} same modes end 1 0" \
		"$said$(in_tmux display-message -p '#{cursor_flag} #{alternate_on}')"
	gone
done
start 80 24 --interval 1h
shown "$keys"
pkill -STOP -x -f "$kmprof top --kallsyms $kallsyms --interval 1h"
in_tmux send-keys Down
pkill -CONT -x -f "$kmprof top --kallsyms $kallsyms --interval 1h"
press "it goes on where it was after SIGSTOP" "LEAF, THEN ITS CALLERS
leak [leaky]" Enter
in_tmux send-keys 'C-\'
shown "status 131"
result "live top: ^\\ ends it" $?
gone

# Nothing has changed: nothing is written. A line has: that one.
settings="STUB_IMAGE='$TMP/live.0'"
start 80 24 --interval 250ms
shown "no change yet" "$keys"
touch "$TMP/bytes"
in_tmux pipe-pane "cat >> '$TMP/bytes'"
before=$(wc -l < "$log")
for try in {1..100}; do
	[ $(($(wc -l < "$log") - before)) -ge 4 ] && break
	sleep 0.1
done
same "live top: four snapshots that are the same write nothing" "0" "$(wc -c < "$TMP/bytes")"
in_tmux send-keys ' '
shown "paused"
for try in {1..100}; do
	grep -aq '\[[0-9]*;1H' "$TMP/bytes" && break
	sleep 0.1
done
same "live top: ... a change writes its line" "1" "$(grep -ao '\[[0-9]*;1H' "$TMP/bytes" | wc -l)"
in_tmux send-keys q
ended "... and that was all" "status 0"

# Refreshes that do change something write lines that are others than before, and nothing else.
cat > "$TMP/needless" <<'P'
import re, sys
text = open(sys.argv[1], "rb").read().decode()
parts = re.split(r"\x1b\[(\d+);1H", text)
lines, same, odd = {}, 0, len(parts[0])
for number, line in zip(parts[1::2], parts[2::2]):
    same += lines.get(number) == line
    lines[number] = line
    odd += bool(re.search(r"[^ -~]", re.sub(r"\x1b\[([0-9;]*m|K)", "", line)))
print("%d the same, %d odd, %s" % (same, odd, "many" if len(parts) > 10 else "few: %d" % len(parts)))
P
settings=
start 80 24 --interval 250ms
shown " over 1.00s, every 250ms"
touch "$TMP/bytes.live"
in_tmux pipe-pane "cat >> '$TMP/bytes.live'"
before=$(wc -l < "$log")
for try in {1..200}; do
	[ $(($(wc -l < "$log") - before)) -ge 8 ] && break
	sleep 0.1
done
in_tmux send-keys ' '
shown "paused"
in_tmux pipe-pane
in_tmux send-keys q
ended "refreshes come and go" "status 0"
same "live top: ... each writes the lines that have changed" "0 the same, 0 odd, many" \
	"$(python3 "$TMP/needless" "$TMP/bytes.live")"

# More stacks than lines: the n-th one has 1000 - 10 * n bytes.
for n in {0..59}; do
	echo "sample 1 $((1000 - 10 * n)) 1 0 0 $((4096 + n))"
done | (echo "rate 1"; cat) | image "$TMP/many"
settings="STUB_IMAGE='$TMP/many'"
start 80 24 --interval 1h
until_shown "there may be more stacks than lines" "heap, 60 stacks" "$keys"
page=$(screen | grep -c ' 0x1...$')
# chosen NAME NUMBER KEY...: after these keys it is that stack, and then the table is back
chosen()
{
	local name=$1 n=$2

	shift 2
	in_tmux send-keys "$@"
	press "$name" "INUSE_SPACE $((1000 - 10 * n))
" Enter
	press "... and back to all" "$keys" Enter
}
chosen "a page down" "$page" NPage
chosen "... one more, and a line" $((2 * page + 1)) NPage Down
chosen "... and up" $((page + 1)) PPage
chosen "... two lines up" $((page - 1)) Up Up
chosen "the last one" 59 End
chosen "... behind which there is none" 59 Down NPage
chosen "the first one" 0 Home
chosen "... before which there is none" 0 Up PPage
in_tmux resize-window -x 80 -y 12
shown "$keys"
chosen "a page of a lower terminal is shorter" $((page - 12)) NPage
in_tmux resize-window -x 80 -y 24
shown "$keys"
chosen "... and the same stack is chosen in a higher one" $((page - 12)) x
press "arrows sort, too" ">INUSE_SPACE/S" Right
press "... back" ">INUSE_SPACE  INUSE" Left
press "h has the keys as well" "kmprof top: keys" h
press "... until another one" "heap, 60 stacks" h
press "a key that is none does nothing" "heap, 60 stacks, no change yet, every 3600s" F5 IC x Z
in_tmux send-keys q
ended "... and it has ended" "status 0"

settings="STUB_ROUNDS='$TMP/none'"
start 80 24
ended "no snapshot" "kmprof: taking a snapshot: Cannot allocate memory kmprof: hint: the kernel has no memory for it now status 1"
mkdir "$TMP/few"
cp "$TMP/live.0" "$TMP/few/live.0"
settings="STUB_ROUNDS='$TMP/few/live'"
start 80 24 --interval 250ms
until_shown "no snapshot for now" "taking a snapshot: Cannot allocate memory" "97.7K              0              0 iget_locked"
cp "$TMP/live.1" "$TMP/few/live.9"
in_tmux send-keys q
ended "... which is no end" "status 0"
# After a reset, and after the clock was set back, there is nothing to compare with.
mkdir "$TMP/reset"
cp "$TMP/live.0" "$TMP/reset/live.0"
for n in {1..40}; do
	printf 'rate 1\nstart 1700000000500000000\ntime %s\nsample 1 64 5 3 0 %s\n' \
		$((1700000001000000000 - n)) "0xffffffff81001210" | image "$TMP/reset/live.$n"
done
settings="STUB_ROUNDS='$TMP/reset/live'"
start 80 24 --interval 250ms
until_shown "after a reset nothing is compared" "heap, 1 stack, no change yet" \
	"         128              0              0 vfs_read"
in_tmux send-keys q
ended "... and it goes on" "status 0"
settings=
start 80 24 nothing
shown "
end"
contains "live top: no such profile" "nothing: no such profile; there are heap, allocs, block" "$(screen | tr -d '\n')"
ended "... is told" "$(screen | xargs | sed 's/^here //; s/ same modes end$//')"
start 80 24 --once
until_shown "one table if asked" "In use 97.7K" "status 0"
in_tmux kill-server

# Stopped by the terminal, and continued.
rm -f "$TMP/tmux"
in_tmux new-session -d -x 80 -y 24 "env HISTFILE= bash --norc --noprofile -i"
in_tmux send-keys "LD_PRELOAD='$TOOLS/build/tests/stub.so' STUB_IMAGE='$TMP/live.0' '$kmprof' top --kallsyms '$kallsyms'" Enter
shown "$keys"
press "it can be stopped" "Stopped" C-z
same "live top: ... and gives the terminal back" "1 0" "$(in_tmux display-message -p '#{cursor_flag} #{alternate_on}')"
press "... and goes on" "$keys" f g Enter
in_tmux send-keys q
in_tmux kill-server
