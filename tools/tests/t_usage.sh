#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Wrong usage, exit status, and that usage, man page and completion agree.
. "$TOOLS/tests/lib.sh"

image "$TMP/objects" < "$TOOLS/tests/objects.spec"
# with_stub ARGUMENT...: kmprof with stub.c in the place of the module
with_stub()
{
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" "$kmprof" "$@"
}

# wrong WORDS ARGUMENT...: status 2, these words, a pointer to help
wrong()
{
	local words=$1 err status

	shift
	# What can be set depends on the module.
	if [ "${1:-}" = set ]; then
		err=$(with_stub "$@" 2>&1 > "$TMP/out")
	else
		err=$("$kmprof" "$@" 2>&1 > "$TMP/out")
	fi
	status=$?
	[ $status -eq 2 ] && [[ $err == "kmprof: "*"$words"* ]] && [[ $err == *"hint: "* ]] &&
		[ ! -s "$TMP/out" ]
	result "usage: kmprof $*" $?
	[ $status -eq 2 ] || echo "# status $status: $err"
}
wrong "no command"
wrong "frobnicate: no such command" frobnicate
wrong "--frobnicate: no such option" --frobnicate
wrong "not an option" status --frobnicate
wrong "-x: no such option" status -x
wrong "extra: takes no argument" status extra
wrong "extra: takes no argument" reset extra
wrong "heap: takes no argument" top heap --input "$TMP/objects"
wrong "extra: no such profile; there are heap, allocs, block, mutex, buffers, threads and later" top extra --input "$TMP/objects"
wrong "one profile at a time" top heap allocs
wrong "needs a value" status --input
wrong "-o: needs a value" dump -o
wrong "-n: 'x' is not a number" top -n x
wrong "-n: '-1' is not a number" top -n -1
wrong "--sort: 'x' is not" top --sort x
wrong "--interval: '0' is not a time like" top --interval 0
wrong "--format: 'x' is not text, pprof, " dump --format x
wrong "--format: '' is not text, pprof, " dump --format "" -o x.folded
wrong "mutexes: no such profile; there are heap, allocs, block, mutex, buffers, threads and later" dump mutexes --input "$TMP/objects"
image "$TMP/full" < "$TOOLS/tests/basic.spec"
wrong "--column: no: no such column; there are: alloc_objects, alloc_space, inuse_objects, inuse_space" \
	dump --column no --format folded --input "$TMP/full" --kallsyms "$kallsyms"
wrong "--column: : no such column; there are: held, buffers, age" \
	dump buffers --column "" -o x.svg --input "$TMP/objects" --kallsyms "$kallsyms"
wrong "--column: not for text" dump --column inuse_space
wrong "--column: not for image" dump --column inuse_space -o x.kmprof
wrong "--column: not for --by lock" dump block --by lock --json --column delay
wrong "--focus and --ignore: not for --by lock" dump block --by lock --focus a
wrong "--focus and --ignore: not for image" dump -o x.kmprof --ignore a
wrong "--lines: not for image" dump --lines -o x.kmprof
wrong "--lines: not for perf.data" dump --debuginfo a --format perf.data
wrong "--lines: not for --by lock" dump block --by lock --json --lines
wrong "--debuginfo: needs a value" report --debuginfo
wrong "--ignore: '[' is not a regular expression: " dump --ignore [
wrong "--by: 'stack' is not lock" dump block --by stack
wrong "only block and mutex have locks" dump --by lock --input "$TMP/objects"
wrong "only block and mutex have locks" dump buffers --by lock --input "$TMP/objects"
wrong "a table, and not pprof" dump block --by lock --format pprof
wrong "a table, and not image" dump mutex --by lock --format image
wrong "--json and --format text: give one of them" dump block --by lock --json --format text
wrong "--json and --format pprof: give one of them" dump mutex --json --format pprof
wrong "a table, and not folded" dump mutex --by lock -o x.folded
wrong "shows memory only; for waits there is 'kmprof dump block --by lock'" top block --input "$TMP/objects"
wrong "shows memory only; for releases there is 'kmprof dump mutex --by lock'" top mutex --input "$TMP/objects"
wrong "shows memory only; for other profiles there is 'kmprof dump buffers'" top buffers --input "$TMP/objects"
wrong "one profile at a time" dump heap allocs
wrong "-d: '1d' is not a time like 10s" record -d 1d
wrong "-d: not with a command" record -d 1s true
wrong "-o -: give a file" record -o -
wrong "-o x.html: an image is saved; 'kmprof dump --input IMAGE -o x.html'" record -o x.html
wrong "-s: needs a value" record -s
wrong "b: one image at a time" report a b
wrong "b: one image at a time" objects a b
wrong "-n: '1x' is not a number" objects -n 1x
wrong "--older: '1x' is not a time like" objects --older 1x
wrong "--focus: '(' is not a regular expression: " objects --focus "("
wrong "a: one image at a time" report --input b a
wrong "-n: '1x' is not a number" report -n 1x
wrong "--tree: not with --by" report --tree --by stack
wrong "--children: with --by function or module only" report --children --by stack
wrong "--children: with --by function or module only" report --children --tree
wrong "--focus: '(' is not a regular expression: " report --focus "("
wrong "--focus: it has characters that no name of a function has" report --focus $'a\nb'
wrong "--ignore: 'a{2,1}' is not a regular expression: " report --focus a --ignore "a{2,1}"
wrong "extra: no such profile; there are heap, allocs, block, mutex, buffers, threads and later" \
	report -p extra --input "$TMP/objects"
wrong "--by: 'x': no stack has that; there are: stack, function, module, kind, gfp, bytes" \
	report --by x "$TMP/full" --kallsyms "$kallsyms"
wrong "--column: no: no such column; there are: alloc_objects, alloc_space, inuse_objects, inuse_space" \
	report --column no "$TMP/full" --kallsyms "$kallsyms"
wrong "two images, --interval or a command behind -- are needed" diff
wrong "two images, --interval or a command behind -- are needed" diff a
wrong "two images, --interval or a command behind -- are needed" diff a b c
wrong "only one image can be on standard input" diff - -
wrong "a: either images, or snapshots of the device" diff a b --interval 1s
wrong "a: either images, or snapshots of the device" diff a -- true
wrong "--interval: not with a command" diff --interval 1s -- true
wrong "--: no command behind it" diff --
for time in 0 -1 1x "" " 1" 31d 87601h 18446744073709551616; do
	wrong "--interval: '$time' is not a time like 10s" diff --interval "$time"
done
wrong "--by: 'lock' is not function" diff --by lock a b
wrong "--format: 'image' is not text, pprof or json" diff --format image a b
wrong "--json and --format pprof: give one of them" diff --json --format pprof a b
for name in x.svg x.kmprof; do
	wrong "-o $name: a difference is written as text, pprof or json only" diff a b -o $name
done
# A name that ends in something else than a format has.
for name in x.png x.txt.gz dir.svg/x.y -.png; do
	for command in "dump -o" "dump block --by lock -o" "diff a b -o"; do
		wrong "-o $name: no format has the suffix .${name##*.}: choose one by --format" $command "$name"
	done
done
wrong "-n: 'x' is not a number" diff -n x a b
wrong "extra: no such profile; there are heap, allocs, block, mutex, buffers, threads and later" \
	diff -p extra "$TMP/objects" "$TMP/objects"
wrong "no command given, and no --for" leaks
wrong "--rounds: 'x' is not a number" leaks --rounds x true
wrong "--rounds: 2: give 3 to 100" leaks --rounds 2 true
wrong "--rounds: 101: give 3 to 100" leaks --rounds 101 true
wrong "-n: '-1' is not a number" leaks --limit -1 true
for time in x 0 1d 1x 10000000000h -1; do
	wrong "--for: '$time' is not a time like 90s, 10m or 2h" leaks --for $time
done
wrong "--for: watches the system, and runs no command" leaks --for 1m true
wrong "--json and --ktap: one of them only" leaks --json --ktap true
wrong "not an option" leaks --frobnicate true
wrong "--rate: needs a value" leaks --rate
wrong "nothing to set" set
wrong "rate: no such setting" set rate=1
wrong "not a key=value" set heap_rate
wrong "out of range" set heap_rate=2G
wrong "not a number" set heap_rate=abc
wrong "block_rate: '10K' is not a number" set block=10K
wrong "block_rate: 69s is out of range" set block=69s
wrong "mutex_fraction: '1K' is not a number" set mutex=1K
wrong "mutex_fraction: '1us' is not a number" set mutex_fraction=1us
wrong "mutex_fraction: '-1' is not a number" set mutex=-1
wrong "mutex_fraction: 65537 is out of range" set mutex=65537
wrong "labels: 'name' is not one of its names" set labels=name
wrong "labels: '' is not one of its names" set labels=
wrong "labels: '' is not one of its names" set labels=comm,
wrong "labels: '' is not one of its names" set labels=,comm
wrong "labels: 'com' is not one of its names" set labels=pid,com,cgroup
wrong "labels: 'none' is not one of its names" set labels=comm,none
wrong "labels: '3' is not one of its names" set labels=3
wrong "labels: given twice" set labels=comm labels=pid
wrong "heap_rate: given twice" set heap=1 heap_rate=2
wrong "heap: given twice" set heap=slab heap=percpu
wrong "heap: 'pages' is not one of its names" set heap=pages
wrong "heap: '' is not one of its names" set heap=
wrong "heap: '' is not one of its names" set heap=slab,
wrong "heap: 'abc' is not one of its names" set heap=abc
wrong "heap_rate: '1x' is not a number" set heap=1x
wrong "out of range" set heap=2G
wrong "mutex_fraction: given twice" set mutex=1 mutex_fraction=2
same "usage: a number without units says so" \
	"hint: mutex_fraction: 0 to 65536 (of so many releases one is sampled; 1 = every release, 0 = off)" \
	"$(with_stub set mutex=1K 2>&1 | sed -n 's/^.*\(hint:\)/\1/p')"
contains "usage: an unknown setting lists the valid ones" "the module has: heap_rate block_rate mutex_fraction labels heap" \
	"$(with_stub set rate=1 2>&1)"
same "usage: an unknown name lists the valid ones" \
	"hint: labels: none, or any of comm, pid, cgroup with commas between them (what tells waits and releases apart)" \
	"$(with_stub set labels=name 2>&1 | sed -n 's/^.*\(hint:\)/\1/p')"

# Without the module there is one way to fail, and it is explained.
if [ -e /dev/kmprof ]; then
	echo "not ok - usage: these tests are for a machine without /dev/kmprof"
else
	for command in status top record report dump reset trace "trace mark x" "set heap_rate=1" "diff --interval 1s" "diff -- true" \
		"leaks true"; do
		err=$("$kmprof" $command 2>&1)
		same "usage: $command without the module" "1 yes" \
			"$? $([[ $err == *"module is not loaded"*insmod* ]] && echo yes)"
	done
fi

contains "usage: --version" "module interface 2" "$("$kmprof" --version)"

# Three descriptions of one program. Words of each are listed, sorted, compared.
commands=$("$kmprof" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
same "agree: commands" "status top record report dump diff leaks objects trace set reset" "$(echo $commands)"

long_options()
{
	grep -o -- '--[a-z][a-z]*' | sort -u | xargs
}

# completions WORD...: what completion offers for the last one
completions()
{
	bash -c '. "$1"; shift; COMP_WORDS=(kmprof "$@"); COMP_CWORD=$#
		_kmprof; printf "%s\n" "${COMPREPLY[@]}"' - "$TOOLS/completion/kmprof" "$@"
}

# words COMMAND: what completion offers behind it
words()
{
	completions $1 ""
}

# page COMMAND: its man page
page()
{
	cat "$TOOLS/man/kmprof-${1// /-}.1.rst"
}

same "agree: completion has all commands" "$(echo $commands --help --version | tr ' ' '\n' | sort | xargs)" \
	"$(words "" | sort | xargs)"
for command in $commands "trace report"; do
	usage=$("$kmprof" $command --help | sed -n '/^Options:/,$p' | grep '^  -' | long_options)
	contains "agree: $command has --help" --help "$usage"
	same "agree: $command, man page" "$usage" "$(page "$command" | grep '^-' | long_options)"
	# Where files can stand, options are offered behind a -.
	same "agree: $command, completion" "$usage" "$(completions $command - | long_options)"
	contains "agree: $command is in the synopsis" "**kmprof $command**" \
		"$(cat "$TOOLS/man/kmprof.1.rst")"
	contains "agree: $command is in its own synopsis" "| **kmprof $command**" "$(page "$command")"
	summary=$(page "$command" | sed -n 8p)
	# A command of a command is not in the list of commands.
	[[ $command == *" "* ]] ||
		same "agree: $command, summary of its page" \
			"$("$kmprof" --help | sed -n "s/^  $command  *//p")" "$summary"
	contains "agree: $command, summary in the list of pages" \
		"**kmprof-${command// /-}**\\ (1) $summary" \
		"$(xargs -d '\n' < "$TOOLS/man/kmprof.1.rst" | tr -s ' ')"
	# Each option that usage shows must exist; those with a value ask for it.
	for option in $usage; do
		[ "$option" = --help ] && continue
		err=$("$kmprof" $command "$option" 2>&1 < /dev/null)
		[[ $err != *"not an option"* && $err != *"no such option"* ]] ||
			[ "$option" = --"none" ]
		result "agree: $command takes $option" $?
	done
done
same "agree: a page for each command" "$(echo $commands trace-report | tr ' ' '\n' | sort | xargs)" \
	"$(ls "$TOOLS"/man | sed -n 's/^kmprof-\(.*\)\.1\.rst$/\1/p' | sort | xargs)"
# Parameters of the module, and its ioctls.
same "agree: parameters, kmprof(4)" \
	"$(grep -rhoE '^module_param_(cb|named)\([a-z_]+' "$TOOLS"/../module --include='*.c' | sed 's/.*(//' | sort | xargs)" \
	"$(sed -n '/^PARAMETERS/,/^FILES/s/^\(\*\*.*\)/\1/p' "$TOOLS/man/kmprof.4.rst" | grep -oE '[a-z_]+' | sort | xargs)"
same "agree: ioctls, kmprof(4)" \
	"$(sed -n 's/^#define \(KMPROF_IOC_[A-Z_]*\)	*_IO(.*/\1/p' "$TOOLS/../uapi/linux/kmprof.h" | sort | xargs)" \
	"$(sed -n 's/^\*\*KMPROF/&/p' "$TOOLS/man/kmprof.4.rst" | grep -o 'KMPROF_[A-Z_]*' | sort | xargs)"
keys=$("$kmprof" set --help | sed -n '/^Keys:/,/^$/s/^  \([a-z_][a-z_]*\) .*/\1/p' | xargs)
same "agree: keys of set, program" "the module has: $keys" \
	"$(STUB_HEAP_LABELS=0 STUB_FILTER=none STUB_MARKS=1 STUB_CALL_RCU=1 with_stub set x=1 2>&1 | sed -n 's/.*\(the module has:.*\)/\1/p')"
same "agree: keys of set, completion" "$(echo "$keys" | tr ' ' '\n' | sort | xargs)" \
	"$(words set | sed -n 's/=$//p' | sort | xargs)"
same "agree: keys of set, man page" "$keys" "$(page set | grep '^[a-z_]*$' | xargs)"
names=$(with_stub set labels=x 2>&1 | sed -n 's/.*any of \(.*\) with.*/\1/p' | tr -d ,)
same "agree: labels" "comm pid cgroup" "$names"
for name in $names none; do
	contains "agree: $name, usage of set" "$name" "$("$kmprof" set --help | sed -n '/^  labels /,/^$/p')"
	contains "agree: $name, man page" "**$name**" "$(page set)"
done
same "agree: labels, completion" "$names none" "$(words "set labels =" | xargs)"
same "agree: a label behind another, completion" "comm,comm comm,pid comm,cgroup" \
	"$(completions set labels = comm, | xargs)"
same "agree: a label in part, completion" "pid,cgroup" "$(completions set labels = pid,cg | xargs)"
same "agree: labels right behind the =, completion" "$names none" \
	"$(completions set labels = | xargs)"
same "agree: labels of the heap, completion" "$names node none" "$(words "set heap_labels =" | xargs)"
same "agree: labels of the heap right behind the =, completion" "$names node none" \
	"$(completions set heap_labels = | xargs)"
export STUB_HEAP_LABELS=0
wrong "heap_labels: 'name' is not one of its names" set heap_labels=name
same "agree: labels of the heap, program" "heap_labels=comm,pid,node" "$(with_stub set heap_labels=node,pid,comm)"
contains "agree: node, usage of set" "node" "$("$kmprof" set --help | sed -n '/^  heap_labels /,/^$/p')"
contains "agree: node, man page" "**node**" "$(page set)"
wrong "labels: 'node' is not one of its names" set labels=node
unset STUB_HEAP_LABELS
same "agree: keys of a filter, completion" "pid= comm= cgroup= size= kind= gfp= cache= module= none" \
	"$(completions set heap_filter = | xargs)"
for name in pid comm cgroup size kind gfp cache module none; do
	contains "agree: $name of a filter, usage of set" "$name" \
		"$("$kmprof" set --help | sed -n '/^  heap_filter /,/^  heap /p')"
	contains "agree: $name of a filter, man page" "**$name" "$(page set | sed -n '/^heap_filter/,/^heap$/p')"
done
same "agree: other settings have no labels" "" "$(words "set block_rate =" | grep comm)"
names=$(with_stub set heap=x 2>&1 | sed -n 's/.*any of \(.*\) with.*/\1/p' | tr -d ,)
same "agree: kinds of memory" "slab percpu vmalloc page movable" "$names"
for name in $names none; do
	contains "agree: $name, usage of set" "$name" "$("$kmprof" set --help | sed -n '/^  heap /,/^$/p')"
	contains "agree: $name, man page" "**$name**" "$(page set)"
done
same "agree: kinds, completion" "$names none" "$(words "set heap =" | xargs)"
same "agree: a kind behind another, completion" "slab,slab slab,percpu slab,vmalloc slab,page slab,movable" \
	"$(completions set heap = slab, | xargs)"
profiles=$("$kmprof" dump --help | sed -n 's/^Usage: kmprof dump \[\([a-z |]*\) | PROFILE\].*/\1/p' | tr -d '|' | xargs)
same "agree: profiles" "heap allocs block mutex" "$profiles"
image "$TMP/empty" <<< ""
same "agree: profiles, program" "$profiles" "$("$kmprof" dump x --input "$TMP/empty" 2>&1 |
	sed -n 's/.*there are //p' | sed 's/,//g; s/ and / /')"
same "agree: profiles, completion" "$(echo "$profiles" | tr ' ' '\n' | sort | xargs)" \
	"$(words dump | grep -v '^-' | sort | xargs)"
# What the module has besides is offered, too.
(cat "$TOOLS/tests/objects.spec"; echo "scalar threadcreate - - 1 setting") | image "$TMP/more"
# offered COMMAND: with stub.c in the place of the module
offered()
{
	PATH=$TOOLS:$PATH LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_IMAGE="$TMP/more" completions "$1" "" |
		grep -v '^-' | xargs
}
same "agree: profiles of the module, completion" "allocs block buffers heap later mutex threads" \
	"$(offered dump)"
same "agree: settings of the module, completion" \
	"block_rate= buffers_limit= heap= heap_at= heap_call_rcu= heap_filter= heap_labels= heap_peak= heap_rate= labels= mutex_fraction= threadcreate=" "$(offered set)"
for profile in $profiles; do
	contains "agree: $profile, man page" "**$profile**" "$(page dump)"
done
formats=$("$kmprof" dump --help | sed -n '/--format/,/-o/s/^.* \([a-z.]*\)\( (default)\)*: .*/\1/p' | xargs)
same "agree: formats" "text pprof folded script perf.data json svg html image" "$formats"
same "agree: formats, program" "$formats" "$("$kmprof" dump --format x 2>&1 |
	sed -n "s/.*'x' is not //p" | sed 's/,//g; s/ or / /')"
# What follows the name of a format is its suffix, and the man page has both.
for format in $formats; do
	suffix=$("$kmprof" dump --help | sed -n "s/^.* $format\( (default)\)*: \(\.[a-z.]*\);.*/\2/p")
	contains "agree: $format, *$suffix, man page" "**$format** (*$suffix*)" \
		"$(page dump | tr -s ' \n' ' ' | sed 's/ (default)//')"
done
timelines=$("$kmprof" trace --help | sed -n '/--format/,/-h/s/^  *\([a-z]*\)\( (default)\)*: \..*/\1/p' | xargs)
same "agree: formats of traces, program" "$timelines" "$("$kmprof" trace --format x 2>&1 |
	sed -n "s/.*'x' is not //p" | sed 's/,//g; s/ or / /')"
same "agree: formats of traces, completion" "$timelines" "$(completions trace --format "" | xargs)"
for format in $timelines; do
	suffix=$("$kmprof" trace --help | sed -n "s/^  *$format\( (default)\)*: \(\.[a-z.]*\);.*/\2/p")
	contains "agree: $format of traces, *$suffix, man page" "**$format** (*$suffix*)" \
		"$(page trace | tr -s ' \n' ' ' | sed 's/ (default)//g')"
done
events=$("$kmprof" trace -e x 2>&1 | sed -n "s/.*'x' is not //p" | sed 's/,//g; s/ or / /')
same "agree: events, completion" "$events" "$(completions trace -e "" | xargs)"
same "agree: an event behind another, completion" "fork,exec fork,exit" "$(completions trace -e fork,ex | xargs)"
for event in $events; do
	contains "agree: $event, usage of trace" "$event" "$("$kmprof" trace --help | sed -n '/--events/,/--duration/p')"
	contains "agree: $event, man page" "**$event**" "$(page trace)"
done
columns=$("$kmprof" dump --help | sed -n '/--column/,/--by/p' |
	grep -o '\(inuse\|alloc\|peak\|at\|oom\)_[a-z]*\|delay\|contentions' | xargs)
same "agree: columns" "$columns" "$(words "dump --column" | xargs)"
same "agree: formats of diff" "text pprof json" "$("$kmprof" diff --help |
	sed -n '/--format/,/-o/s/^.* \([a-z]*\)\( (default)\)*: .*/\1/p' | xargs)"
same "agree: formats of diff, completion" "text pprof json" "$(words "diff --format" | xargs)"
same "agree: --by, completion" "lock function function module stack bytes kind cache lock comm pid cgroup" \
	"$(echo $(words "dump --by") $(words "diff --by") $(words "report --by"))"
same "agree: columns of report" "$columns" "$("$kmprof" report --help | sed -n '/--column/,/--json/p' |
	grep -o '\(inuse\|alloc\|peak\|at\|oom\)_[a-z]*\|delay\|contentions' | xargs)"
same "agree: profiles of diff, completion" "$(echo "$profiles" | tr ' ' '\n' | sort | xargs)" \
	"$(words "diff -p" | sort | xargs)"
same "agree: formats, completion" "$formats" "$(words "dump --format" | xargs)"
