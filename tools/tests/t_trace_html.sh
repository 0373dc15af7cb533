#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The page of a trace: what it says is what the other formats say, what it draws, that it can be
# looked around in, and names that are made to break it.
. "$TOOLS/tests/lib.sh"

for program in node chromium; do
	if ! command -v $program > "$TMP/program"; then
		echo "not ok - trace html: $program shows the page: 'make deps' installs it"
		exit 1
	fi
done

cd "$TMP" || exit 1
export HOME=$TMP
page=("node" "$TOOLS/tests/timeline.js")

# convert NAME < DESCRIPTION: NAME.trace and NAME.html
convert()
{
	mktrace > "$1.trace"
	"$asan/kmprof" trace --input "$1.trace" -o "$1.html" 2> err
	result "trace html: $1 is written" $?
}

sound()
{
	same "trace html: $1 is well-formed, and loads nothing" "" \
		"$(python3 "$TOOLS/tests/formats.py" sound "$1.html" 10 2>&1)"
}

# --- what it says is what the others say ---

# told NAME: what each task did, and since when, by the story of the trace: that it goes on at the end has no
# time there
story_of()
{
	"$asan/tests/story" "$1.trace" | awk '
		/^task/ { last[$2] = $(NF - 1) }
		/^  [0-9]+ [a-z]+ -> / && $2 != "absent" { print $1, $2, $5 - 5000 }
		END { for (task in last) if (last[task] != "absent") print task, last[task], "-" }' | sort
}

# The same of the page.
stretches_of()
{
	"${page[@]}" stretches "$1.html" | awk '
		{ look = $2; sub("none", "dead", look); sub("blocked", "asleep", look) }
		$1 == task { print line }
		$1 != task && task { print last }
		{ task = $1; line = $1 " " look " " $3; last = $1 " " look " -" }
		END { print last }' | sort
}

# Running, runnable, blocked, asleep, not known, by the report.
report_of()
{
	"$kmprof" trace report --json -n 0 "$1.trace" 2> err |
		json "'\n'.join(sorted('%d %d %d %d %d' % (t['running_ns'], t['runnable_ns'],
			t['asleep_ns']['blocked'], t['asleep_ns']['sleeping'] + t['asleep_ns']['idle'] +
			t['asleep_ns']['other'], t['unknown_ns']) for t in v['tasks']))"
}

# The same of the page: its columns are none, unknown, running, runnable, blocked, asleep.
totals_of()
{
	"${page[@]}" totals "$1.html" 0 1e18 | awk '{ print $4, $5, $6, $7, $3 }' | LC_ALL=C sort
}

# Slices of CPUs, by Chrome's JSON: CPU, from, to.
slices_of()
{
	"$kmprof" trace --input "$1.trace" --format chrome 2> err |
		json "'\n'.join(sorted('%d %d %d' % (e['tid'], round(e['ts'] * 1000), round((e['ts'] + e['dur']) * 1000))
			for e in v['traceEvents'] if e['ph'] == 'X' and 'tgid' in e['args'] and e['dur'] > 0))"
}

turns_of()
{
	"${page[@]}" turns "$1.html" | awk '$2 ~ /^[0-9]/ && $3 < $4 { print $1, $3, $4 }' | LC_ALL=C sort
}

# What the text has besides what makes the lanes.
text_of()
{
	"$kmprof" trace --input "$1.trace" 2> err | grep -v '^#' |
		sed -nE 's/^ *([0-9.]+) +([0-9]+) +- +([0-9]+) events? lost since.*/\1 \2 lost \3/p
			s/^ *([0-9.]+) +([0-9]+)  .{22}  (mark|later|alloc|free|[a-z_]*reclaim_[a-z]+|compaction_[a-z]+) (.*)/\1 \2 \3 \4/p
			s/^ *([0-9.]+) +([0-9]+)  .{22}  exec as "(.*)"(, from now on with id [0-9]+)?$/\1 \2 exec \3/p
			s/^ *([0-9.]+) +([0-9]+)  .{22}  rename .* to "(.*)"$/\1 \2 rename \3/p' | sort
}

# Of events that it does not know, the text also has the arguments.
said_by()
{
	"${page[@]}" text "$1.html" | sed -E 's/ (mark) (.*)/ \1 "\2"/' | sort
}

agrees()
{
	same "trace html: $1: what tasks do is what is told" "$(story_of "$1")" "$(stretches_of "$1")"
	same "trace html: $1: sums are those of the report" "$(report_of "$1" | LC_ALL=C sort)" "$(totals_of "$1")"
	same "trace html: $1: what CPUs run is what Chrome shows" "$(slices_of "$1" | LC_ALL=C sort)" \
		"$(turns_of "$1")"
	same "trace html: $1: no pixel is left out or drawn twice" "sound sound" \
		"$(for width in 97 1000; do "${page[@]}" pieces "$1.html" $width; done | xargs)"
}

convert cpus < "$TOOLS/tests/cpus.story"
agrees cpus
same "trace html: cpus: words and losses are those of the text" "$(text_of cpus | sed '/ later /d')" \
	"$(said_by cpus | sed '/ later /d')"
contains "trace html: an event of a type that is not known" "0.000000750 1 later text" "$(said_by cpus)"
for seed in 1 2 3; do
	python3 "$TOOLS/tests/random_trace.py" $seed 3000 | convert random$seed
	agrees random$seed
	same "trace html: random$seed: words and losses are those of the text" \
		"$(text_of random$seed | sed '/ later /d; s/ mark ".*/ mark/')" \
		"$(said_by random$seed | sed '/ later /d; s/ mark ".*/ mark/')"
done

# --- stacks, wakers, losses ---

image "$TMP/img" < "$TOOLS/tests/basic.spec"
"$kmprof" dump --input img --kallsyms "$kallsyms" --format image -o complete || exit 1
scene="type 1 3 0 switch 1
type 2 2 0 waking 1
task 10 10 bash
task 11 11 make
task 12 12 nap
stacks
stack 1 ffffffff81001100 ffffffff81001250
stack 2/1 ffffffffc0000010 ffffffffc0000090 ffffffff81001210
stack 3 ffffffff81001100 ffffffff81001250
batch 0 10 1100
@1200 waking 11 2
@1300 switch 11 2 1
@1400 fork 20 20 cc1
@1450 mark half <way>
@1500 switch 0 3 3
@1600 waking/hard 10 0
@1650 switch 10 0 0
lose 12
batch 0 10 1800
@1900 switch 0 2 1
batch 1 0 1000
@1550 switch 20 0 0
@1700 waking 11 2
@1750 exec 20 as
@1800 exit 20 as
@1950 switch 0 7 0
end 2000 6000"
{ echo "$scene"; echo "names $(hex complete)"; } | convert scene
agrees scene
sound scene
same "trace html: scene: of a task, all that is known, in words" \
"make-11: asleep, since before the start
  Time 200 ns, from 0.000000000 s to 0.000000200 s
  Woken by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ... -> task 1
make-11: runnable
  Time 100 ns, from 0.000000200 s to 0.000000300 s
  Woken by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ... -> task 1
  Then runs on CPU 0
make-11: runs on CPU 0
  Time 200 ns, from 0.000000300 s to 0.000000500 s
  Waited 100 ns for a CPU
  Woken by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ... -> task 1
  Stopped BLOCKED: alloc_inode < vfs_read
  mark \"half <way>\" at 0.000000450 s
make-11: BLOCKED
  Time 200 ns, from 0.000000500 s to 0.000000700 s
  Stopped BLOCKED: alloc_inode < vfs_read
  Woken by as-20, at 0.000000700 s: leak [leaky] < leak_outer [leaky] < vfs_read < ... -> task 4
make-11: runnable
  Time 300 ns, from 0.000000700 s to 0.000001000 s
  Woken by as-20, at 0.000000700 s: leak [leaky] < leak_outer [leaky] < vfs_read < ... -> task 4" \
	"$("${page[@]}" details scene.html 2)"
same "trace html: scene: a loss, an interrupt, the end" \
"bash-10: runs on CPU 0, since before the start
  Time 300 ns, from 0.000000000 s to 0.000000300 s
  Stopped SLEEPING: alloc_inode < vfs_read
bash-10: SLEEPING
  Time 300 ns, from 0.000000300 s to 0.000000600 s
  Stopped SLEEPING: alloc_inode < vfs_read
  Woken by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s -> cpu 0
bash-10: runnable
  Time 50 ns, from 0.000000600 s to 0.000000650 s
  Woken by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s -> cpu 0
  Then runs on CPU 0
bash-10: runs on CPU 0
  Time 0 ns, from 0.000000650 s to 0.000000650 s
  Waited 50 ns for a CPU
  Woken by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s -> cpu 0
  Stopped when and why is not known
bash-10: not known
  Time 150 ns, from 0.000000650 s to 0.000000800 s
  Before runs on CPU 0
bash-10: runnable, since this time or before: no event tells when
  Time 0 ns, from 0.000000800 s to 0.000000800 s
  Then runs on CPU 0
bash-10: runs on CPU 0, since this time or before: no event tells when
  Time 100 ns, from 0.000000800 s to 0.000000900 s
  Waited 0 ns for a CPU
  Stopped SLEEPING: alloc_inode < vfs_read
bash-10: SLEEPING
  Time 100 ns, from 0.000000900 s to 0.000001000 s
  Stopped SLEEPING: alloc_inode < vfs_read
  Woken not before the end of the trace" \
	"$("${page[@]}" details scene.html 1)"
contains "trace html: scene: who has created a task" "Created by make-11, at 0.000000400 s -> task 2" \
	"$("${page[@]}" details scene.html 4)"
same "trace html: stacks with the same text are there once" 2 \
	"$(sed -n '/^"stacks"/,/\]\],$/p' scene.html | grep -c '^\[')"
contains "trace html: the account" "13 events, <strong>12 lost</strong>, in 0.000001 s on 2 CPUs" \
	"$(sed -n '/id="account"/p' scene.html)"
same "trace html: a page allows its own scripts and style, by their hashes, and nothing else" \
	"default-src 'none'; script-src 0 1 2 3 4 5 6; style-src style; base-uri 'none'; form-action 'none'" \
	"$("${page[@]}" policy scene.html)"
{ echo noend; echo "$scene" | sed '/^end/d'; } | convert short
contains "trace html: one that was cut short says so" '<p class="warning">short.trace: is cut short' "$(cat short.html)"
{ echo "suspended 5000000000"; echo "$scene"; } | convert suspended
contains "trace html: one with a suspend says so" '<p class="warning">suspended.trace: the system was suspended' \
	"$(cat suspended.html)"
{ echo "events 0xfa"; echo "$scene"; } | convert unwoken
contains "trace html: one without wake-ups says so" '<p class="warning">Wake-ups were not recorded' "$(cat unwoken.html)"
printf '%s\n' "task 13 12 helper" "batch 0 13 1000" "@1100 mark a" | convert thread
contains "trace html: a thread has the id of its process" "Process 12" "$("${page[@]}" details thread.html 1)"
: | convert empty
same "trace html: one in which nothing happens" "0 unknown 0 0
1 unknown 0 0" "$("${page[@]}" turns empty.html)"

# --- names that are made to become something else than text ---

sed 's/^ffffffff81001200.*/ffffffff81001200 T <\/script><script>alert(1)<\/script>/
	s/ leak\t/ <!--<script>"\\u003c'"'"'\t/' "$kallsyms" > hostile.kallsyms
"$kmprof" dump --input img --kallsyms hostile.kallsyms --format image -o hostile.complete || exit 1
scene=${scene/half <way>/'</script><script>alert(2)</script><!--<script>"&\\u003c'}
scene=${scene/task 11 11 make/'task 11 11 <b>"&\x27</style>'}
more='@1450 <i>"&<title> \x00\xff</script>
@1450'
scene=${scene/@1450/"$more"}
{
	echo 'type 60 0 1 <i>"&<title>'
	echo "$scene"
	echo "names $(hex hostile.complete)"
} | mktrace > '<u>&"hostile.trace'
"$asan/kmprof" trace --input '<u>&"hostile.trace' -o hostile.html
result "trace html: hostile names: a page is written" $?
sound hostile
for piece in "<b>" "<i>" "<u>" "<title> " "alert(1)<" "alert(2)<" "<!--<"; do
	same "trace html: hostile names: no $piece" "" "$(grep -F -- "$piece" hostile.html)"
done
shown=$("${page[@]}" details hostile.html 2)
for words in '<b>"&'"'"'</style>-11: BLOCKED' 'mark "</script><script>alert(2)</script><!--<script>"&\u003c" at' \
	'<i>"&<title> "??</script>" at' '< </script><script>alert(1)</script> < ...'; do
	contains "trace html: hostile names: $words" "$words" "$shown"
done

# --- in a browser ---

for name in scene hostile cpus empty; do
	same "trace html: $name: loads nothing but itself, without an error" "itself" \
		"$(node "$TOOLS/tests/browser.js" loads $name.html 2>&1)"
done
sed 's/"use strict";/"use strict"; fetch("https:\/\/example.org\/");/' scene.html > changed.html
contains "trace html: a script that has been changed is refused" "error: " \
	"$(node "$TOOLS/tests/browser.js" loads changed.html 2>&1)"

same "trace html: keys" "  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  Nothing is selected
# key=w
  0.000000167 s to 0.000000833 s, 666.7 ns | 6 lanes | CPU 0
  Nothing is selected
# key=d
  0.000000267 s to 0.000000933 s, 666.7 ns | 6 lanes | CPU 0
  Nothing is selected
# key=ArrowRight
  0.000000333 s to 0.000001000 s, 666.7 ns | 6 lanes | CPU 0
  Nothing is selected
# key=a
  0.000000233 s to 0.000000900 s, 666.7 ns | 6 lanes | CPU 0
  Nothing is selected
# key=ArrowLeft
  0.000000133 s to 0.000000800 s, 666.7 ns | 6 lanes | CPU 0
  Nothing is selected
# key=s
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  Nothing is selected
# key=0
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  Nothing is selected
# key=ArrowDown
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 1
  Nothing is selected
# key=ArrowDown
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | as-20
  Nothing is selected
# key=ArrowDown
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | bash-10
  Nothing is selected
# key=Enter
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | bash-10
  bash-10: SLEEPING
    Time: 300 ns, from 0.000000300 s to 0.000000600 s
    Stopped: SLEEPING: alloc_inode < vfs_read
    Woken: by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s
# key=f
  0.000000225 s to 0.000000675 s, 450 ns | 6 lanes | bash-10
  bash-10: SLEEPING
    Time: 300 ns, from 0.000000300 s to 0.000000600 s
    Stopped: SLEEPING: alloc_inode < vfs_read
    Woken: by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s
# key=0
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | bash-10
  bash-10: SLEEPING
    Time: 300 ns, from 0.000000300 s to 0.000000600 s
    Stopped: SLEEPING: alloc_inode < vfs_read
    Woken: by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s
# key=j
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  CPU 0: idle
    Time: 150 ns, from 0.000000500 s to 0.000000650 s
# key=n
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  CPU 0: not known
    Time: 150 ns, from 0.000000650 s to 0.000000800 s
    Lost: 12 events, from 0.000000650 s to 0.000000800 s
# key=p
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# key=t
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | make-11
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# key=t
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# key=Escape
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  Nothing is selected
# key=m
  0.000000350 s to 0.000000550 s, 200 ns | 6 lanes | CPU 0
  mark \"half <way>\" by make-11 at 0.000000450 s
  Nothing is selected
# key=0
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  mark \"half <way>\" by make-11 at 0.000000450 s
  Nothing is selected
# key=M
  0.000000350 s to 0.000000550 s, 200 ns | 6 lanes | CPU 0
  mark \"half <way>\" by make-11 at 0.000000450 s
  Nothing is selected
# key=M
  0.000000350 s to 0.000000550 s, 200 ns | 6 lanes | CPU 0
  mark \"half <way>\" by make-11 at 0.000000450 s
  Nothing is selected
# key=x
  0.000000350 s to 0.000000550 s, 200 ns | 6 lanes | CPU 0
  mark \"half <way>\" by make-11 at 0.000000450 s
  Nothing is selected
150 ns, -, 50 ns, -, -, make-11
-, 150 ns, -, -, -, as-20
-, -, -, 200 ns, -, bash-10
-, -, -, -, 200 ns, nap-12
errors: 0" \
	"$("${page[@]}" steps scene.html key=w key=d key=ArrowRight key=a key=ArrowLeft key=s key=0 key=ArrowDown \
		key=ArrowDown key=ArrowDown key=Enter key=f key=0 key=j key=n key=p key=t key=t key=Escape key=m key=0 key=M \
		key=M key=x 2>&1)"
same "trace html: mouse, buttons, search" "  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  Nothing is selected
# click=2@0.00000055
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | as-20
  as-20: runnable
    Time: 150 ns, from 0.000000400 s to 0.000000550 s
    Created: by make-11, at 0.000000400 s
    Then: runs on CPU 1
# button=waker
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | make-11
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# button=other
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# button=next
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  CPU 0: not known
    Time: 150 ns, from 0.000000650 s to 0.000000800 s
    Lost: 12 events, from 0.000000650 s to 0.000000800 s
# button=previous
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# button=fit
  0.000000250 s to 0.000000550 s, 300 ns | 6 lanes | CPU 0
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# button=all
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# hover=0@0.0000007
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  make-11: runs on CPU 0
    Time: 200 ns, from 0.000000300 s to 0.000000500 s
    Waited: 100 ns for a CPU
    Woken: by bash-10, at 0.000000200 s: leak [leaky] < leak_outer [leaky] < vfs_read < ...
    Stopped: BLOCKED: alloc_inode < vfs_read
    mark: \"half <way>\" at 0.000000450 s
# click=0@0.0000007
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 0
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  CPU 0: not known
    Time: 150 ns, from 0.000000650 s to 0.000000800 s
    Lost: 12 events, from 0.000000650 s to 0.000000800 s
# click=1@0.0000002
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | CPU 1
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  CPU 1: idle
    Time: 550 ns, from 0.000000000 s to 0.000000550 s
# wheel=0@0.0000005@-240
  0.000000278 s to 0.000000722 s, 444.4 ns | 6 lanes | CPU 1
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  CPU 1: idle
    Time: 550 ns, from 0.000000000 s to 0.000000550 s
# drag=0@0.0000005@0.0000004
  0.000000378 s to 0.000000822 s, 444.4 ns | 6 lanes | CPU 1
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  CPU 1: idle
    Time: 550 ns, from 0.000000000 s to 0.000000550 s
# button=out
  0.000000267 s to 0.000000933 s, 666.7 ns | 6 lanes | CPU 1
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  CPU 1: idle
    Time: 550 ns, from 0.000000000 s to 0.000000550 s
# double=2@0.00000055
  0.000000363 s to 0.000000588 s, 225 ns | 6 lanes | as-20
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  as-20: runnable
    Time: 150 ns, from 0.000000400 s to 0.000000550 s
    Created: by make-11, at 0.000000400 s
    Then: runs on CPU 1
# button=all
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | as-20
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  as-20: runnable
    Time: 150 ns, from 0.000000400 s to 0.000000550 s
    Created: by make-11, at 0.000000400 s
    Then: runs on CPU 1
# type=^make|cc
  0.000000000 s to 0.000001000 s, 1 us | 3 lanes | make-11
  1 task
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  as-20: runnable
    Time: 150 ns, from 0.000000400 s to 0.000000550 s
    Created: by make-11, at 0.000000400 s
    Then: runs on CPU 1
# type=(
  0.000000000 s to 0.000001000 s, 1 us | 6 lanes | as-20
  not a regular expression
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  as-20: runnable
    Time: 150 ns, from 0.000000400 s to 0.000000550 s
    Created: by make-11, at 0.000000400 s
    Then: runs on CPU 1
# type=-10\$
  0.000000000 s to 0.000001000 s, 1 us | 3 lanes | bash-10
  1 task
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  as-20: runnable
    Time: 150 ns, from 0.000000400 s to 0.000000550 s
    Created: by make-11, at 0.000000400 s
    Then: runs on CPU 1
# click=2@0.0000005
  0.000000000 s to 0.000001000 s, 1 us | 3 lanes | bash-10
  1 task
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  bash-10: SLEEPING
    Time: 300 ns, from 0.000000300 s to 0.000000600 s
    Stopped: SLEEPING: alloc_inode < vfs_read
    Woken: by a hardirq on CPU 0, which interrupted the idle task, at 0.000000600 s
# button=waker
  0.000000000 s to 0.000001000 s, 1 us | 3 lanes | CPU 0
  1 task
  CPU 0: not known, 150 ns, from 0.000000650 s to 0.000000800 s
  CPU 0: idle
    Time: 150 ns, from 0.000000500 s to 0.000000650 s
400 ns, 50 ns, -, 400 ns, 150 ns, bash-10
errors: 0" \
	"$("${page[@]}" steps scene.html click=2@0.00000055 button=waker button=other button=next button=previous \
		button=fit button=all hover=0@0.0000007 click=0@0.0000007 click=1@0.0000002 wheel=0@0.0000005@-240 \
		drag=0@0.0000005@0.0000004 button=out double=2@0.00000055 button=all 'type=^make|cc' 'type=(' type=-10\$ \
		click=2@0.0000005 button=waker 2>&1)"
# as-20 has exited in the middle of what is shown.
same "trace html: a task of the table" "as-20: runs on CPU 1" \
	"$("${page[@]}" steps scene.html wheel=0@0.000001@-720 row=0 2>&1 | sed -n 's/^  \(as-20: \)/\1/p')"
# By pattern, not only by colour: an idle CPU is empty, what is not known is hatched.
same "trace html: what is drawn" "looks=0@0.0000001
    looks runs bash-10
looks=0@0.00000055
    looks lane
looks=0@0.0000007
    looks unknown, unknown-ground
looks=1@0.0000003
    looks lane
looks=2@0.00000025
    looks lane
looks=2@0.0000005
    looks lane, runnable, runnable-ground
looks=2@0.0000006
    looks runs as-20
looks=3@0.0000007
    looks unknown, unknown-ground
looks=4@0.0000006
    looks blocked, lane
looks=3@0.00000045
    looks asleep, lane
looks=0@0.0000007
    looks unknown, unknown-ground" \
	"$("${page[@]}" steps scene.html click=5@0.0000001 looks=0@0.0000001 looks=0@0.00000055 looks=0@0.0000007 \
		looks=1@0.0000003 looks=2@0.00000025 looks=2@0.0000005 looks=2@0.0000006 looks=3@0.0000007 \
		looks=4@0.0000006 looks=3@0.00000045 scheme=dark looks=0@0.0000007 2>&1 | grep -A1 "# looks" |
		sed 's/^  /    /; s/^# //' | grep -v -- --)"
for scheme in light dark; do
	"${page[@]}" contrast scene.html $scheme > contrast 2>&1
	awk '{ exit !($2 + 0 >= 4.5 && $4 + 0 >= 3 && $6 + 0 >= 2.8) }' contrast
	result "trace html: contrast, $scheme" $?
	echo "# $(cat contrast)"
done

# --- a large one ---

# Each CPU has tasks of its own: one wakes the next one, and sleeps.
awk 'BEGIN {
	srand(1); print "cpus 4"
	for (cpu = 0; cpu < 4; cpu++) {
		now = 2000 + cpu; before = 100 + cpu
		for (i = 0; i < 13000; i++) {
			if (i % 500 == 0) print "batch", cpu, before, now
			do next_one = 100 + cpu + 4 * int(rand() * 9); while (next_one == before)
			print "@" (now += 1 + int(exp(rand() * 10))), "waking", next_one
			if (i % 1000 == 0) print "@" now, "mark", i
			print "@" (now += 1 + int(exp(rand() * 8))), "switch", next_one, i % 3 ? 2 : 3
			before = next_one
		}
	}
}' | mktrace > large.trace
"$kmprof" trace --input large.trace -o large.html
result "trace html: a large one is written" $?
"${page[@]}" size large.html > size
awk '{ exit !($1 >= 200000 && $3 < 25) }' size
result "trace html: a slice takes few bytes" $?
echo "# $(cat size)"
"${page[@]}" drawn large.html > drawn 2>&1
# What is drawn does not grow with what there is.
awk '$1 == "most" { most = $2 } $1 != "most" { if ($2 > worst) worst = $2; if ($2 > 0) n++ }
	END { exit !(n == 4 && worst < most) }' drawn
result "trace html: no more rectangles than pixels need" $?
echo "# $(xargs < drawn)"
