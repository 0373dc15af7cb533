#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# All formats of one profile hold the same numbers, for each program that reads them, and the name
# of a file chooses one.
. "$TOOLS/tests/lib.sh"

formats="folded script perf.data html"
schema=$TOOLS/lib/export/profile.schema.json

stacks()
{
	python3 "$TOOLS/tests/formats.py" stacks "$@" 2>&1
}

functions()
{
	python3 "$TOOLS/tests/formats.py" functions "$@" 2>&1
}

# perf has its own configuration and cache, and what it complains of is shown.
perf_report()
{
	HOME=$TMP perf report --force --stdio -i "$@" 2>&1
}

# in_browser: $dump, whose JSON is in $file.json, as a page in Chromium, each column of it
in_browser()
{
	local columns column

	columns=$(json "*(c['name'] for c in v['columns'])" < "$file.json")
	for column in $columns; do
		"${dump[@]}" --column "$column" -o "$file.$column.json"
	done
	same "formats: $name: $profile: JSON and the page in Chromium: columns, zoom and search" \
		"$(for column in $columns; do
			python3 "$TOOLS/tests/formats.py" column "$file.$column.json" 2>&1
		done)" "$(node "$TOOLS/tests/browser.js" columns "$file.html" 2>&1)"
}

# alike IMAGE PROFILE...
alike()
{
	local name=$1 profile format file=$TMP/alike

	shift
	for profile in "$@"; do
		dump=("$kmprof" dump "$profile" --input "$TMP/$name" --kallsyms "$kallsyms")
		"${dump[@]}" -o "$file.json" && "${dump[@]}" -o "$file.pb.gz"
		result "formats: $name: $profile is written" $?
		same "formats: $name: $profile: JSON fits its schema" "" "$(python3 "$TOOLS/tests/schema.py" "$schema" "$file.json" 2>&1)"
		same "formats: $name: $profile: totals of JSON and pprof" "$(sums "$file.pb.gz")" \
			"$(python3 "$TOOLS/tests/formats.py" totals "$file.json")"
		want=$(stacks json "$file.json")
		[ -n "$want" ]
		result "formats: $name: $profile has stacks" $?
		for format in $formats; do
			"${dump[@]}" --format $format -o "$file.$format"
			same "formats: $name: $profile: stacks of $format and JSON" "$want" \
				"$(stacks $format "$file.$format")"
		done
		for format in perf.report:perf.data raw:pb.gz; do
			same "formats: $name: $profile: stacks of ${format%:*} and JSON" "$want" \
				"$(stacks ${format%:*} "$file.${format#*:}")"
		done
		same "formats: $name: $profile: stacks of pprof -traces and JSON" \
			"$(stacks unnamed "$file.json")" "$(stacks traces "$file.pb.gz")"
		same "formats: $name: $profile: functions of pprof -top and JSON" \
			"$(functions unnamed "$file.json")" "$(functions top "$file.pb.gz")"
		for format in "report --by stack" "tree --tree"; do
			"$kmprof" report "$TMP/$name" -p "$profile" --kallsyms "$kallsyms" --json -n 0 ${format#* } \
				> "$file.report"
			same "formats: $name: $profile: stacks of kmprof report ${format#* } and JSON" "$want" \
				"$(stacks ${format%% *} "$file.report")"
		done
		same "formats: $name: $profile: stacks by the script of the page" "$want" \
			"$(node "$TOOLS/tests/page.js" stacks "$file.html" 2>&1)"
		case $profile in
		heap | block | mutex)
			in_browser
			;;
		esac
		same "formats: $name: $profile: totals of JSON and perf report" \
			"$(python3 "$TOOLS/tests/formats.py" totals "$file.json" | xargs -n 1 | grep -v '^0$' | sort)" \
			"$(perf_report "$file.perf.data" | sed -n 's/^# Event count (approx.): //p' | sort)"
		"${dump[@]}" -o "$file.svg"
		# Frames that are too narrow are counted.
		python3 "$TOOLS/tests/formats.py" frames "$file.json" | LC_ALL=C sort > "$file.frames"
		python3 "$TOOLS/tests/formats.py" drawn "$file.svg" | LC_ALL=C sort > "$file.drawn"
		same "formats: $name: $profile: frames that are drawn, and not drawn, in SVG" \
			"0 $(sed -n 's/.*too narrow to be drawn: \([0-9]*\) frames.*/\1/p' "$file.svg")" \
			"$(LC_ALL=C comm -13 "$file.frames" "$file.drawn" | wc -l) $(LC_ALL=C comm -23 "$file.frames" "$file.drawn" | wc -l)"
		for format in svg html; do
			same "formats: $name: $profile: $format is well-formed, and loads nothing" "" \
				"$(python3 "$TOOLS/tests/formats.py" sound "$file.$format" 2>&1)"
		done
	done
}
for name in basic block mutex labels objects; do
	image "$TMP/$name" < "$TOOLS/tests/$name.spec"
done
random "$TMP/random" "$TMP/names"
alike basic heap allocs
alike block heap block
alike mutex block mutex later
alike labels block mutex
alike objects buffers later
kallsyms=$TMP/names alike random heap allocs block mutex
# A number that is more than JSON and pprof have, and more behind it.
threads=("$kmprof" dump threads --input "$TMP/objects" --kallsyms "$kallsyms")
"${threads[@]}" -o "$TMP/threads.json"
same "formats: a total ends at 2^63 - 1" 9223372036854775807 \
	"$(python3 "$TOOLS/tests/formats.py" totals "$TMP/threads.json")"
for format in $formats; do
	"${threads[@]}" --format $format -o "$TMP/threads.$format"
	same "formats: and so does a value in $format" "9223372036854775807 iget_locked 3 vfs_read" \
		"$(stacks $format "$TMP/threads.$format" | xargs)"
done

# The text of one profile, to the letter.
dump=("$kmprof" dump block --input "$TMP/block" --kallsyms "$kallsyms")
same "formats: folded, to the letter" "# values: delay, in nanoseconds #
# profile block, source tracepoint, cycle 7, seconds 60 #
# block_rate 10000, total.waits 1000, total.wait_ns 123456789 #
# not in it: 2 of 42 samples: ledger.wait_own 2 #
# also in the ledger: ledger.wait_unpaired 5 #
# all facts: kmprof dump block (text), kmprof status; their meaning: kmprof(1) #
[no stack] 2000000000
vfs_read;iget_locked 12000000
0xdeadbeef000 1000000
vfs_read 100001
vfs_read;leak_outer;leak 25000
iget_locked 20000" "$("${dump[@]}" --format folded)"
sed 's/^contention.*/& 0/; s/^sample.*/& 0/' "$TOOLS/tests/block.spec" | image "$TMP/hidden"
contains "formats: folded: a hidden address" "[address hidden];vfs_read 100001" \
	"$("${dump[@]}" --input "$TMP/hidden" --format folded)"

# A comm that looks like another pid, and one that looks like a comment.
sed '0,/^comm bash/s//comm  1 ba 2 h/; s/^comm bash/comm #bash/' "$TOOLS/tests/labels.spec" |
	image "$TMP/odd"
same "formats: script, to the letter" "# periods: delay, in nanoseconds
# profile block, source tracepoint, cycle 7, seconds 60
# block_rate 10000, total.waits 1000, total.wait_ns 123456789
# no sample lost: 0 are counted
# all facts: kmprof dump block (text), kmprof status; their meaning: kmprof(1)
#
_1 ba_2 h      12 1700000060.000000:      70000 kmprof:delay: 
	ffffffff81001210 vfs_read+0x10 ([kernel.kallsyms])

_bash      13 1700000060.000000:      60000 kmprof:delay: 
	ffffffff81001210 vfs_read+0x10 ([kernel.kallsyms])

kmprof       0 1700000060.000000:      50000 kmprof:delay: 
	ffffffff81001210 vfs_read+0x10 ([kernel.kallsyms])

[softirq]       0 1700000060.000000:      40000 kmprof:delay: 
	ffffffff81001110 iget_locked+0x10 ([kernel.kallsyms])

kmprof       0 1700000060.000000:      30000 kmprof:delay: 
	ffffffff81001250 vfs_read+0x50 ([kernel.kallsyms])

kworker/0:1 ev       0 1700000060.000000:      20000 kmprof:delay: 
	ffffffff81001210 vfs_read+0x10 ([kernel.kallsyms])

kmprof 4294967295 1700000060.000000:      10000 kmprof:delay: 
	               0 [no stack] ([unknown])" \
	"$("$kmprof" dump block --input "$TMP/odd" --kallsyms "$kallsyms" --format script)"
contains "formats: script: frames of modules and of nobody" "
	ffffffffc0000010 leak+0x10 ([leaky])
	ffffffffc0000090 leak_outer+0x10 ([leaky])
	ffffffff81001210 vfs_read+0x10 ([kernel.kallsyms])

" "$("${dump[@]}" --format script)"
contains "formats: script: an address without a name" "	     deadbeef000 [unknown] ([unknown])" \
	"$("${dump[@]}" --format script)"
contains "formats: script: a hidden address" "	               0 [address hidden] ([unknown])" \
	"$("${dump[@]}" --input "$TMP/hidden" --format script)"

# perf's own view: who, and what was lost.
"$kmprof" dump block --input "$TMP/labels" --kallsyms "$kallsyms" -o "$TMP/labels.data"
same "formats: perf.data: threads, numbers that are not known, and periods" "$(
	"$kmprof" dump block --input "$TMP/labels" --kallsyms "$kallsyms" --format script |
		sed -nE 's/^(\S.*\S) +([0-9]+) [0-9.]+: +([0-9]+) .*/\1 \2 \3/p' |
		sed -E 's/ (0|4294967295) ([0-9]+)$/ ? \2/' | sort)" "$(
	HOME=$TMP perf script --force -F comm,tid,event,period -i "$TMP/labels.data" 2>&1 |
		sed -nE 's/^ *(\S.*\S) +([0-9]+) +([0-9]+) +kmprof:delay: *$/\1 \2 \3/p' |
		sed -E 's/ 10737418[0-9]{2} ([0-9]+)$/ ? \1/' | sort)"
for name in basic block; do
	"$kmprof" dump heap --input "$TMP/$name" --kallsyms "$kallsyms" -o "$TMP/lost.data"
	same "formats: perf.data: samples of $name that were lost" \
		"$("$kmprof" dump heap --input "$TMP/$name" --kallsyms "$kallsyms" --format folded |
			sed -n 's/^# not in it: \([0-9]*\) of .*/\1/p')" \
		"$(perf_report "$TMP/lost.data" | sed -n 's/^# Total Lost Samples: //p')"
done
same "formats: perf.data: nothing else to complain of" "" \
	"$(perf_report "$TMP/labels.data" 2>&1 > "$TMP/report" | cat; grep -v '^#' "$TMP/report" | grep -iE 'warn|error|invalid|unknown record')"
same "formats: perf.data: to a pipe" "$(md5sum < "$TMP/lost.data")" \
	"$("$kmprof" dump heap --input "$TMP/block" --kallsyms "$kallsyms" --format perf.data | cat | md5sum)"

json=$("${dump[@]}" --json)
# The schema is not so wide that anything fits.
echo "$json" | json "json.dumps({**v, 'more': 1, 'shown': 2, 'losses': [{'count': -1}]})" > "$TMP/wrong.json"
same "formats: JSON: what does not fit the schema" "profile.shown: 2 is not string
profile.losses[0]: has no name
profile.losses[0]: has no profile
profile.losses[0]: has no lost
profile.losses[0]: has no meaning
profile.losses[0].count: -1 is less than 0
profile: more is not in the schema" "$(python3 "$TOOLS/tests/schema.py" "$schema" "$TMP/wrong.json")"
same "formats: JSON: what the profile is" "block delay contentions/count delay/nanoseconds 1" \
	"$(echo "$json" | json "v['profile'], v['shown'], *(c['name'] + '/' + c['unit'] for c in v['columns']), \
		v['period']['value'], sep=' '")"
same "formats: JSON: all facts are those of the text" "$("${dump[@]}" | sed -n 's/^# \([^ ]* [^ ]*\)$/\1/p')" \
	"$(echo "$json" | json "'\n'.join(f'{k} {f}' for k, f in v['facts'].items())")"
same "formats: JSON: losses are those of status" \
	"$("$kmprof" status --json --input "$TMP/block" | json "v['ledger']")" \
	"$(echo "$json" | json "v['losses']")"
same "formats: JSON: a fact that is a number is one" "14 none" \
	"$(echo "$json" | json "v['facts']['cycle'] * 2, v['facts']['labels']")"
same "formats: JSON: losses are those of the description" \
	"$(awk '$1 == "loss" { print $2, $4, $2 ~ /^wait/ ? "block" : "heap", $3 == "other" ? "False" : "True" }' \
		"$TOOLS/tests/block.spec" | sort)" \
	"$(echo "$json" | json "*(f\"{l['name']} {l['count']} {l['profile']} {l['lost']}\" for l in v['losses']), sep='\\n'" | sort)"
same "formats: JSON: labels of the largest wait of a task" \
	"[('kind', 'mutex'), ('lock', 'rtnl_mutex'), ('comm', 'bash'), ('pid', 12), ('cgroup', '34')]" \
	"$("$kmprof" dump block --input "$TMP/labels" --kallsyms "$kallsyms" --json |
		json "[(l['name'], l['value']) for r in v['rows'] if 70000 in r['values'] for l in r['labels']]")"

# Another column than the first.
for column in alloc_objects alloc_space inuse_objects inuse_space; do
	columns=("$kmprof" dump --input "$TMP/basic" --kallsyms "$kallsyms" --column $column)
	"${columns[@]}" -o "$TMP/column.json"
	want=$(stacks json "$TMP/column.json")
	same "formats: --column $column: its total" \
		"$(json "[c['total'] for c in v['columns'] if c['name'] == '$column'][0]" < "$TMP/column.json")" \
		"$(echo "$want" | awk '{ sum += $1 } END { print sum }')"
	for format in $formats; do
		"${columns[@]}" --format $format -o "$TMP/column.$format"
		same "formats: --column $column: $format" "$want" "$(stacks $format "$TMP/column.$format")"
	done
	"${columns[@]}" -o "$TMP/column.svg"
	contains "formats: --column $column: svg" ">heap: $column</text>" "$(cat "$TMP/column.svg")"
	"${columns[@]}" -o "$TMP/column.pb.gz"
	contains "formats: --column $column: pprof" "$column/" "$(pprof -raw "$TMP/column.pb.gz" | grep -o '[a-z_]*/[a-z]*\[dflt\]')"
done

# What the file is called chooses; --format decides.
declare -A begins=(
	[.txt]="heap profile" [.pb.gz]=$'\x1f\x8b' [.folded]="# values" [.json]="{" [.perf]="# periods" [.data]=PERFILE2
	[.svg]="<?xml" [.html]="<!DOCTYPE html>" [.kmprof]="KMPF"
)
"$kmprof" dump --input "$TMP/basic" --kallsyms "$kallsyms" -o "$TMP/a.kmprof"
heap=("$kmprof" dump --input "$TMP/basic" --kallsyms "$kallsyms")
for suffix in "${!begins[@]}"; do
	begin=${begins[$suffix]}
	"${heap[@]}" -o "$TMP/named$suffix"
	same "formats: *$suffix" "$begin" "$(head -c ${#begin} "$TMP/named$suffix")"
	"${heap[@]}" --format folded -o "$TMP/named$suffix"
	same "formats: --format decides, not $suffix" "# values" "$(head -c 8 "$TMP/named$suffix")"
done
for name in named json .hidden dots. a.b/named; do
	mkdir -p "$TMP/a.b"
	"${heap[@]}" -o "$TMP/$name"
	same "formats: $name has no suffix, and is text" "heap profile" "$(head -c 12 "$TMP/$name")"
done
for name in x.png x.gz x.JSON; do
	err=$("${heap[@]}" -o "$TMP/$name" 2>&1)
	same "formats: $name is not written" "2 no" "$? $([ -e "$TMP/$name" ] || echo no)"
	"${heap[@]}" --format folded -o "$TMP/$name"
	same "formats: $name is written with --format" "# values" "$(head -c 8 "$TMP/$name")"
	"${heap[@]}" --json -o "$TMP/$name"
	same "formats: $name is written with --json" "{" "$(head -c 1 "$TMP/$name")"
done
same_rows "$TMP/basic" "$TMP/a.kmprof"
result "formats: *.kmprof is the image" $?
cd "$TMP" || exit 1
"${dump[@]}" --by lock -o locks.json
same "formats: a table of locks in *.json" rtnl_mutex \
	"$(json "[l['lock']['variable'] for l in v['locks'] if l['lock']][2]" < locks.json)"
same "formats: a table of locks by --format json" "$(cat locks.json)" "$("${dump[@]}" --by lock --format json)"
"${dump[@]}" --by lock -o locks.txt
same "formats: a table of locks in *.txt" "$("${dump[@]}" --by lock)" "$(cat locks.txt)"
