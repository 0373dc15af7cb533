#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Differences of images of one count, one boot, two boots; and of snapshots.
. "$TOOLS/tests/lib.sh"

id_1=11111111-1111-1111-1111-111111111111
id_2=22222222-2222-2222-2222-222222222222

# begin CYCLE START TIME [BOOT_ID]: what an image begins with; times in s
begin()
{
	echo "rate 524288"
	echo "cycle $1"
	echo "start ${2}000000000"
	echo "time ${3}000000000"
	[ $# -lt 4 ] || echo "scalar boot_id - $4 0"
}
# One stack grows, one ends, one is new, one stays, one churns and keeps what it has.
samples_a="sample 524288 64 10 4 1 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
sample 524288 4096 5 0 0 0xffffffff81001080 0xffffffff81001250
sample 524288 1048576 2 1 0 0xffffffff81001120
sample 524288 8192 9 3 0 0xffffffff81001130"
samples_b="sample 524288 64 20 4 1 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
sample 524288 4096 15 15 0 0xffffffff81001080 0xffffffff81001250
sample 524288 1048576 2 1 0 0xffffffff81001120
sample 524288 8192 19 13 0 0xffffffff81001130
sample 524288 512 3 0 0 0xffffffffc0000020 0xffffffff81001210"
(begin 7 1700000000 1700000060; echo "$samples_a") | image "$TMP/a"
(begin 9 1700000000 1700000090; echo "$samples_b") | image "$TMP/b"

# diff ARGUMENT...: with the symbols of the tests
kdiff()
{
	"$kmprof" diff --kallsyms "$kallsyms" "$@"
}
# stacks: of JSON: state, change and IN B of what is shown first, leaf, largest change first
stacks()
{
	json "' '.join('%s %d %d %s' % (s['state'], s['values'][k]['change'], s['values'][k]['b'],
		s['stack'][0]['function'] or s['stack'][0]['address'] if s['stack'] else s['nowhere'])
		for k in ['${1:-inuse_space}'] for s in v['stacks'])"
}
# notes: of JSON, those that have a word
notes()
{
	json "' '.join(n for n in v['notes'] if '$1' in n)"
}

# The change of a stack, and of its errors the least and the most, computed anew.
expected()
{
	python3 - "$@" <<'END'
import math, sys
size, allocs_a, frees_a, allocs_b, frees_b = map(int, sys.argv[1:])
p = 1 - math.exp(-size / 524288)
w = (1 - p) / p ** 2 * size ** 2
a, f = allocs_b - allocs_a, frees_b - frees_a
most = min(a + f, allocs_a - frees_a + allocs_b - frees_b)
print("%.0f %.0f" % (math.sqrt(a * w), math.sqrt(most * w)))
END
}
# errors LEAF: of JSON: of what was allocated, and of the change in use
errors()
{
	json "['%.0f %.0f' % tuple(s['values'][k]['change_standard_error'] for k in ('alloc_space', 'inuse_space'))
		for s in v['stacks'] if s['stack'][0]['function'] == '$1'][0]"
}

one=$(kdiff "$TMP/a" "$TMP/b" --json)
result "diff: of one count" $?
same "diff: the largest change is first; new and gone are marked" \
	"None 5243200 8389120 leak gone -2631693 0 alloc_inode new 1573632 1573632 leak None 0 3170367 iget_locked" \
	"$(echo "$one" | stacks)"
same "diff: what has not changed at all is not shown" "5 4" "$(echo "$one" | json "'%d %d' % (v['nr_stacks'], v['nr_changed'])")"
same "diff: the relation" one_count "$(echo "$one" | json "v['relation']")"
contains "diff: it is told" "one count: the differences are what has happened" "$(echo "$one" | notes count)"
same "diff: times" "B is 30 s later than A" "$(echo "$one" | notes later)"
same "diff: errors of what ended: the objects of A" "$(expected 4096 5 0 15 15)" \
	"$(echo "$one" | errors alloc_inode)"
same "diff: errors of what churns: all that is in use" "$(expected 8192 9 3 19 13)" \
	"$(echo "$one" | errors iget_locked)"
same "diff: errors of what grows: what was allocated" "$(expected 64 10 4 20 4)" \
	"$(echo "$one" | errors leak)"
same "diff: allocs is sorted by what was allocated" "iget_locked alloc_inode leak leak" \
	"$(kdiff -p allocs "$TMP/a" "$TMP/b" --json | json "' '.join(s['stack'][0]['function'] for s in v['stacks'])")"

table=$(kdiff "$TMP/a" "$TMP/b")
contains "diff: the table counts the stacks" "heap: 4 of 5 stacks differ; new: 1, gone: 1" "$table"
contains "diff: the table has columns by the values" "INUSE_SPACE STD.ERROR      IN B ALLOC_SPACE STD.ERROR" "$table"
same "diff: the table has a line for each stack" "+5.00M 1.58M 8.00M +5.00M 1.58M +81925 +81925 131080 leak [leaky] < leak_outer [leaky] < vfs_read" \
	"$(echo "$table" | grep leak_outer | xargs)"
same "diff: a stack that is gone is marked" "-2.51M 1.12M 0 +5.02M 1.58M +1285 -642 0 gone alloc_inode < vfs_read" \
	"$(echo "$table" | grep alloc_inode | xargs)"
same "diff: -n limits, and says so" "1 3 more differ; -n 0 shows all" \
	"$(kdiff "$TMP/a" "$TMP/b" -n 1 | sed '1,/SITE/d' | { read -r line; echo 1; cat; } | xargs)"
same "diff: --limit 0 shows all" 4 "$(kdiff "$TMP/a" "$TMP/b" --limit 0 | sed '1,/SITE/d' | wc -l)"
for width in 80 60 40; do
	out=$(terminal "NO_COLOR=1 $kmprof diff $TMP/a $TMP/b --kallsyms $kallsyms" $width | sed '1,/^alloc_objects/d' |
		sed '1,/^$/d')
	same "diff: the table fits $width columns" "0 5" \
		"$(echo "$out" | awk -v w=$width 'length > w { n++ } END { print n + 0, NR }')"
done

# The same image, an older one, images that are none.
same "diff: of an image and itself there is none" "0 0.0 0.0" \
	"$(kdiff "$TMP/a" "$TMP/a" --json | json "'%d %s %s' % (v['nr_changed'],
	v['total']['inuse_space']['change_standard_error'], v['total']['alloc_space']['change_standard_error'])")"
same "diff: ... nor a table" "heap: 0 of 4 stacks differ; new: 0, gone: 0" \
	"$(kdiff "$TMP/a" "$TMP/a" | grep ' differ;')"
err=$(kdiff "$TMP/b" "$TMP/a" 2>&1)
same "diff: the older image is the first" "2 yes" \
	"$? $([[ $err == *"older than the first one (name the older image first)"* ]] && echo yes)"
head -c 500 "$TMP/b" > "$TMP/cut"
for pair in "a cut" "cut a"; do
	err=$(cd "$TMP" && "$kmprof" diff $pair --kallsyms "$kallsyms" 2>&1)
	same "diff: a damaged image: $pair" "1 yes" "$? $([[ $err == *"cut: not a sound kmprof image"*"hint: "* ]] && echo yes)"
done
err=$(kdiff "$TMP/a" "$TMP/none" 2>&1)
same "diff: no such image" "1 kmprof: $TMP/none: No such file or directory" "$? $err"
same "diff: an image from a pipe" "$(echo "$one" | stacks)" "$(kdiff - "$TMP/b" --json < "$TMP/a" | stacks)"
(begin 7 1700000000 1700000060; echo noaddresses; echo "sample 1 64 1 0 0 0 0") | image "$TMP/hidden"
err=$(kdiff "$TMP/hidden" "$TMP/b" 2>&1)
same "diff: hidden addresses cannot be compared" "1 yes" \
	"$? $([[ $err == *"hidden: it has no addresses"*"hint: "*CAP_SYSLOG* ]] && echo yes)"

# saved NAME SYMBOLS [SYMFS]: an image with its names, as dump saves it
saved()
{
	image "$TMP/raw"
	if [ $# -lt 3 ]; then
		"$kmprof" dump --input "$TMP/raw" --kallsyms "$2" --format image -o "$TMP/$1"
	else
		"$kmprof" dump --input "$TMP/raw" --symfs "$3" --format image -o "$TMP/$1"
	fi
}
# Another boot: the kernel and the module are elsewhere.
sed 's/^ffffffff8/ffffffffa/; s/^ffffffffc00/ffffffffc14/' "$kallsyms" > "$TMP/moved"
moved()
{
	sed 's/0xffffffff8/0xffffffffa/g; s/0xffffffffc00/0xffffffffc14/g'
}
(begin 7 1700000000 1700000060 $id_1; echo "$samples_a") | saved boot_1 "$kallsyms"
(begin 3 1700001000 1700001120 $id_2; echo "$samples_b") | moved | saved boot_2 "$TMP/moved"
two=$("$kmprof" diff "$TMP/boot_1" "$TMP/boot_2" --json 2>&1)
same "diff: addresses of two boots do not matter" "$(echo "$one" | stacks)" "$(echo "$two" | stacks)"
same "diff: two boots are told" "two_boots A and B are of two boots: two counts that began apart are compared" \
	"$(echo "$two" | json "v['relation']") $(echo "$two" | notes apart)"
same "diff: ... and how long each has counted" "A has counted for 60 s, B for 120 s" \
	"$(echo "$two" | notes counted)"
same "diff: errors of two boots add up" "ok" "$(echo "$two" | json "'ok' if all(
	abs(x['change_standard_error'] ** 2 - x['a_standard_error'] ** 2 - x['b_standard_error'] ** 2) < 1
	for s in v['stacks'] for x in s['values'].values() if x['change_standard_error'] is not None) else 'no'")"
contains "diff: a module without a build id is told" "no build id: kernel, [leaky]: taken for the same build" \
	"$(echo "$two" | notes build)"
same "diff: two boots in any order" "two_boots" \
	"$("$kmprof" diff "$TMP/boot_2" "$TMP/boot_1" --json | json "v['relation']")"
same "diff: boot ids are in the JSON" "$id_1 $id_2" "$(echo "$two" | json "v['a']['boot_id'], v['b']['boot_id']" | tr -d "(',)")"
(begin 9 1700000000 1700000090 $id_2; echo "$samples_b") | saved clock "$kallsyms"
same "diff: other boots can have begun at the same time" "two_boots" \
	"$("$kmprof" diff "$TMP/boot_1" "$TMP/clock" --json | json "v['relation']")"
(begin 3 1700001000 1700001120; echo "$samples_b") | moved | saved no_id "$TMP/moved"
contains "diff: without a boot id, two boots are assumed" "taken for images of two boots: A has no boot id" \
	"$("$kmprof" diff "$TMP/boot_1" "$TMP/no_id" --json | notes taken | sed 's/B has/A has/')"
same "diff: ... and addresses do not matter either" "$(echo "$one" | stacks)" \
	"$("$kmprof" diff "$TMP/boot_1" "$TMP/no_id" --json | stacks)"
# Names are what is compared: an image that has none can only be of the same boot.
(begin 3 1700001000 1700001120; echo "$samples_b") | image "$TMP/bare"
err=$("$kmprof" diff "$TMP/boot_1" "$TMP/bare" 2>&1)
same "diff: two boots need names" "1 yes" \
	"$? $([[ $err == *"bare: without names of functions"*"hint: complete each"* ]] && echo yes)"
err=$(kdiff "$TMP/a" "$TMP/bare" 2>&1)
same "diff: one file has not the names of two boots" "1 yes" \
	"$? $([[ $err == *"neither image has its names"*"hint: complete each"* ]] && echo yes)"
same "diff: but those of one" "two_boots 4" "$(kdiff "$TMP/boot_1" "$TMP/bare" --json |
	json "'%s %d' % (v['relation'], v['nr_changed'])")"
same "diff: within one count, addresses do without names" "None 5243200 8389120 0xffffffffc0000010" \
	"$("$kmprof" diff "$TMP/a" "$TMP/b" --json -n 1 2> /dev/null | stacks)"
contains "diff: ... which is told" "6 addresses have no name" \
	"$("$kmprof" diff "$TMP/a" "$TMP/b" --json 2> /dev/null | notes 'no name' | sed 's/^[0-9]*/6/')"

# A reset in between.
(begin 9 1700000070 1700000090 $id_1; echo "$samples_b") | saved reset "$kallsyms"
reset=$("$kmprof" diff "$TMP/boot_1" "$TMP/reset" --json)
same "diff: a reset in between" "one_boot" "$(echo "$reset" | json "v['relation']")"
contains "diff: ... is told" "counting began anew between A and B" "$(echo "$reset" | notes anew)"
same "diff: ... and errors add up" "$(echo "$two" | errors alloc_inode)" "$(echo "$reset" | errors alloc_inode)"
err=$("$kmprof" diff "$TMP/reset" "$TMP/boot_1" 2>&1)
same "diff: the older count is the first" "2 yes" "$? $([[ $err == *"older than the first one"* ]] && echo yes)"

# Builds. notes ID: as /sys has it
notes_of()
{
	printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0'"$1"
}
# root NAME KERNEL MODULE: a root with these build ids
root()
{
	mkdir -p "$TMP/$1/proc" "$TMP/$1/sys/kernel" "$TMP/$1/sys/module/leaky/notes"
	cp "$kallsyms" "$TMP/$1/proc/kallsyms"
	echo "leaky 65536 0 - Live 0xffffffffc0000000 (OE)" > "$TMP/$1/proc/modules"
	notes_of "$2" > "$TMP/$1/sys/kernel/notes"
	notes_of "$3" > "$TMP/$1/sys/module/leaky/notes/.note.gnu.build-id"
}
root root_1 '\xca\xfe\xba\xbe' '\x12\x34\x56\x78'
root root_2 '\xca\xfe\xba\xbe' '\x87\x65\x43\x21'
root root_3 '\xde\xad\xbe\xef' '\x12\x34\x56\x78'
for i in 1 2 3; do
	(begin 7 170000000$i 1700000060 $id_1; echo "$samples_a") | saved build_a$i "" "$TMP/root_$i"
	(begin 9 170000000$i 1700000090 $id_2; echo "$samples_b") | saved build_b$i "" "$TMP/root_$i"
done
same "diff: of one build, and nothing is assumed" "$(echo "$one" | stacks) " \
	"$("$kmprof" diff "$TMP/build_a1" "$TMP/build_b1" --json | stacks) $("$kmprof" diff "$TMP/build_a1" "$TMP/build_b1" --json | notes build)"
rebuilt=$("$kmprof" diff "$TMP/build_a1" "$TMP/build_b2" --json)
same "diff: a module that was built anew has other functions" \
	"new 8389120 8389120 leak gone -3145920 0 leak gone -2631693 0 alloc_inode new 1573632 1573632 leak None 0 3170367 iget_locked" \
	"$(echo "$rebuilt" | stacks)"
contains "diff: ... which is told" "of more than one build: [leaky]: functions of each" "$(echo "$rebuilt" | notes more)"
same "diff: builds are in the JSON" "87654321 cafebabe" \
	"$(echo "$rebuilt" | json "' '.join(f['build_id'] for f in v['stacks'][0]['stack'][1:])")"
same "diff: two builds of a stack need no addresses to be told apart" 0 \
	"$("$kmprof" diff "$TMP/build_a1" "$TMP/build_b2" | grep -c '(0x')"
contains "diff: of two kernels all is different" "of more than one build: kernel:" \
	"$("$kmprof" diff "$TMP/build_a1" "$TMP/build_b3" --json | notes more)"
same "diff: ... all of it" "0" \
	"$("$kmprof" diff "$TMP/build_a1" "$TMP/build_b3" --json | json "sum(x['a'] != 0 and x['b'] != 0 for s in v['stacks'] for x in s['values'].values())")"
by_function=$("$kmprof" diff "$TMP/build_a1" "$TMP/build_b3" --by function --json)
# Two calls in one function are one.
same "diff: --by function compares names" "$(echo "$one" | stacks | sed 's/3170367/4383063/')" "$(echo "$by_function" | stacks)"
contains "diff: ... which is told" "compared by the names of functions" "$(echo "$by_function" | notes names)"
contains "diff: a build that only one image knows is taken for the same" "no build id: kernel, [leaky]" \
	"$("$kmprof" diff "$TMP/build_a1" "$TMP/boot_2" --json | notes 'no build')"
same "diff: ... which it is" "$(echo "$one" | stacks)" "$("$kmprof" diff "$TMP/build_a1" "$TMP/boot_2" --json | stacks)"

# A module that is there in A, and gone in B; another one has come to its place.
sed 's/leaky/other/; s/ leak/ other/' "$kallsyms" > "$TMP/later"
(begin 7 1700000000 1700000060 $id_1; echo "$samples_a") | saved loaded "$kallsyms"
(begin 9 1700000000 1700000090 $id_1
	echo "module leaky 0xffffff8000000000 0x2000 0xffffffffc0000000"
	echo "symbol leak 0xffffff8000000000 0x80 0"
	echo "symbol leak_outer 0xffffff8000000080 0x80 0"
	echo "$samples_b" | sed 's/0xffffffffc00/0xffffff80000/g'
	echo "sample 524288 64 1 0 0 0xffffffffc0000010 0xffffffff81001210") | saved removed "$TMP/later"
removed=$("$kmprof" diff "$TMP/loaded" "$TMP/removed" --json)
same "diff: a module that was removed is the same" \
	"None 5243200 8389120 leak gone -2631693 0 alloc_inode new 1573632 1573632 leak new 524320 524320 other None 0 3170367 iget_locked" \
	"$(echo "$removed" | stacks)"
same "diff: ... so nothing has counted less than before" "" "$(echo "$removed" | notes less)"
(begin 9 1700000000 1700000090; echo "$samples_b" | sed 's/4096 15 15/4096 4 4/') | image "$TMP/less"
contains "diff: what has counted less than before is told" "1 stacks have counted less in B:" \
	"$(kdiff "$TMP/a" "$TMP/less" --json | notes less)"

# Two functions of a name in one kernel are told apart by their place.
cat > "$TMP/twins" <<'K'
ffffffff81000000 T _text
ffffffff81001000 t init
ffffffff81002000 t init
ffffffff81100000 T _etext
K
sed 's/^ffffffff8/ffffffffa/' "$TMP/twins" > "$TMP/moved_twins"
(begin 7 1700000000 1700000060 $id_1; echo "sample 1 64 3 0 0 0xffffffff81001010"
	echo "sample 1 64 9 0 0 0xffffffff81002010") | saved twins_1 "$TMP/twins"
(begin 7 1700001000 1700001060 $id_2; echo "sample 1 64 3 0 0 0xffffffffa1001010"
	echo "sample 1 64 5 0 0 0xffffffffa1002010") | saved twins_2 "$TMP/moved_twins"
same "diff: functions of one name are different ones" "2 None -256 320 init" \
	"$("$kmprof" diff "$TMP/twins_1" "$TMP/twins_2" --json | json "v['nr_stacks']") $("$kmprof" diff "$TMP/twins_1" "$TMP/twins_2" --json | stacks)"

# Settings and losses.
(begin 9 1700000000 1700000090 | sed 's/rate 524288/rate 4096/'; echo "labels comm,pid"; echo "source 2"
	echo "block 10000 1 1"; echo "loss nested sample 5"; echo "scalar later - - 3 setting"
	echo "$samples_b") | image "$TMP/other"
other=$(kdiff "$TMP/a" "$TMP/other" --json)
same "diff: settings that differ" "source: kprobe in A, tracepoint in B
heap_rate: 524288 in A, 4096 in B
block_rate: 0 in A, 10000 in B
labels: none in A, comm,pid in B
later: nothing in A, 3 in B
not in B: 5 of 62 samples; 'kmprof status --input' tells why" \
	"$(echo "$other" | json "'\n'.join(n for n in v['notes'] if 'count' not in n and 'exactly' not in n and 'later than' not in n and 'build' not in n)" |
		sed 's/of [0-9]* samples/of 62 samples/')"
same "diff: rates that differ do not" "$(echo "$one" | stacks)" "$(echo "$other" | stacks)"

for i in a b; do
	sed "s/rate 524288/&\ntotals $([ $i = a ] && echo 1000 900 500 || echo 2000 800 700)/" \
		<(begin 7 1700000000 1700000060) | image "$TMP/totals_$i"
done
same "diff: exact totals" "exactly: total.alloc_calls +1000, A: 1000, B: 2000
exactly: total.alloc_bytes -100, A: 900, B: 800
exactly: total.free_calls +200, A: 500, B: 700" \
	"$(kdiff "$TMP/totals_a" "$TMP/totals_b" --json | json "'\n'.join(n for n in v['notes'] if 'exactly' in n)")"

# Other profiles.
for spec in block mutex objects; do
	image "$TMP/$spec" < "$TOOLS/tests/$spec.spec"
done
sed 's/2.75 25000 9000/4.75 65000 9000/; s/^cycle 7/cycle 8/' "$TOOLS/tests/block.spec" | image "$TMP/block_b"
same "diff: of block" "None 40000 65000 leak" "$(kdiff -p block "$TMP/block" "$TMP/block_b" --json | stacks delay)"
same "diff: ... as a table" "+40.0us +2 leak [leaky] < leak_outer [leaky] < vfs_read" \
	"$(kdiff -p block "$TMP/block" "$TMP/block_b" | sed '1,/SITE/d' | xargs)"
sed 's/2 500000000 400000000/3 900000000 400000000/; s/^cycle 7/cycle 8/' "$TOOLS/tests/mutex.spec" | image "$TMP/mutex_b"
same "diff: of mutex, what is not attributable" "None 400000000 1000000700 [not attributable]" \
	"$(kdiff -p mutex "$TMP/mutex" "$TMP/mutex_b" --json | stacks delay)"
contains "diff: ... in the table" "  [not attributable]" "$(kdiff -p mutex "$TMP/mutex" "$TMP/mutex_b")"
for name in 1 2; do
	(begin 7 1700000000 170000006$name; echo "profile threads"; echo "column threads count"
		echo "column memory bytes"; echo "row $((5 - name)) 100 @ 0xffffffff81001210"
		echo "row 2 $((name * 10)) @ 0xffffffff81001110") | image "$TMP/threads_$name"
done
same "diff: of a profile that the program does not know" "None -1 3 vfs_read None 0 2 iget_locked" \
	"$(kdiff -p threads "$TMP/threads_1" "$TMP/threads_2" --json | stacks threads)"
same "diff: ... counts have no errors" "None" "$(kdiff -p threads "$TMP/threads_1" "$TMP/threads_2" --json |
	json "v['total']['threads']['change_standard_error']")"
err=$(kdiff -p threads "$TMP/threads_1" "$TMP/b" 2>&1)
same "diff: a profile that one image has not" "2 yes" \
	"$? $([[ $err == *"$TMP/b: threads: no such profile; there are heap, allocs, block and mutex"* ]] && echo yes)"
(begin 7 1700000000 1700000060; echo "profile threads"; echo "column tasks count"; echo "row 1 @") | image "$TMP/tasks"
err=$(kdiff -p threads "$TMP/threads_1" "$TMP/tasks" 2>&1)
same "diff: a profile with other columns" "1 yes" "$? $([[ $err == *"threads: A and B do not count the same in it"*"hint: "* ]] && echo yes)"

# pprof: what it makes of two profiles itself.
for i in a b; do
	"$kmprof" dump --input "$TMP/$i" --kallsyms "$kallsyms" --format pprof -o "$TMP/$i.pb.gz"
done
kdiff "$TMP/a" "$TMP/b" --format pprof -o "$TMP/diff.pb.gz"
result "diff: as pprof" $?
raw=$(pprof -raw "$TMP/diff.pb.gz")
contains "diff: pprof has changes first, then what is in B" \
	"alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes[dflt] inuse_objects_in_b/count inuse_space_in_b/bytes" "$raw"
contains "diff: pprof has negative values, and a label" "1285    5263386       -642   -2631693          0          0: 4 5 
                diff:[gone]" "$(echo "$raw" | sed 's/0: [0-9]* [0-9]* *$/0: 4 5 /')"
for index in alloc_objects alloc_space inuse_objects inuse_space; do
	same "diff: pprof makes the same of both images: $index" \
		"$(pprof -top -sample_index=$index -unit=B -diff_base "$TMP/a.pb.gz" "$TMP/b.pb.gz" | sed '1,/flat%/d' | awk '{ print $1, $NF, $(NF - 1) }' | sed 's/ [^ ]*%$//' | sort)" \
		"$(pprof -top -sample_index=$index -unit=B "$TMP/diff.pb.gz" | sed '1,/flat%/d' | awk '{ print $1, $NF, $(NF - 1) }' | sed 's/ [^ ]*%$//' | sort)"
done
contains "diff: pprof has the notes" "one count: the differences" "$(pprof -comments "$TMP/diff.pb.gz")"
same "diff: pprof focuses on what is new" "leak" \
	"$(pprof -top -tagfocus=diff=new -nodecount=1 "$TMP/diff.pb.gz" | awk 'END { print $6 }')"
"$kmprof" diff "$TMP/build_a1" "$TMP/build_b2" --format pprof -o "$TMP/diff.pb.gz"
same "diff: pprof has both builds of a module" "12345678 87654321" \
	"$(pprof -raw "$TMP/diff.pb.gz" | sed -n 's/.*\[leaky\] \([0-9]*\) .*/\1/p' | sort | xargs)"
for format in "--format text" "--format pprof" --json; do
	err=$(kdiff "$TMP/a" "$TMP/b" $format -o /dev/full 2>&1)
	same "diff: $format to a full device" "1 yes" "$? $([[ $err == *"No space left on device"* ]] && echo yes)"
done
out=$(terminal "$kmprof diff $TMP/a $TMP/b --kallsyms $kallsyms --format pprof; echo status=\$?")
contains "diff: pprof is not written to a terminal" "status=2" "$out"
kdiff "$TMP/a" "$TMP/b" -o "$TMP/out"
same "diff: -o writes the same" "$table" "$(cat "$TMP/out")"
for format in text pprof json; do
	case $format in
	text)
		suffix=.txt
		;;
	pprof)
		suffix=.pb.gz
		;;
	json)
		suffix=.json
		;;
	esac
	kdiff "$TMP/a" "$TMP/b" --format $format > "$TMP/out"
	kdiff "$TMP/a" "$TMP/b" -o "$TMP/named$suffix"
	same "diff: *$suffix is $format" "0 yes" "$? $(cmp -s "$TMP/out" "$TMP/named$suffix" && echo yes)"
	kdiff "$TMP/a" "$TMP/b" --format text -o "$TMP/named$suffix"
	same "diff: --format decides, not $suffix" "$table" "$(cat "$TMP/named$suffix")"
done
same "diff: --format json is --json" "$(kdiff "$TMP/a" "$TMP/b" --json)" "$(cat "$TMP/out")"
err=$(kdiff "$TMP/a" "$TMP/b" -o "$TMP/out.svg" 2>&1)
same "diff: another format is not written" "2 no" "$? $([ -e "$TMP/out.svg" ] || echo no)"

# From the device, with stub.c in its place.
live()
{
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_IMAGE="$TMP/device" "$kmprof" "$@"
}
cp "$TMP/a" "$TMP/device"
same "diff: --interval, with nothing done" "one_count 0" \
	"$(live diff --interval 1ms --kallsyms "$kallsyms" --json | json "'%s %d' % (v['relation'], v['nr_changed'])")"
same "diff: around a command" "$(echo "$one" | stacks)" \
	"$(live diff --kallsyms "$kallsyms" --json -- sh -c "rm '$TMP/device'; cp '$TMP/b' '$TMP/device'" | stacks)"
cp "$TMP/a" "$TMP/device"
# Before anything is counted, there is no time at which counting began.
image "$TMP/never" <<< "rate 0"
"$kmprof" dump --input "$TMP/never" --kallsyms "$kallsyms" --format image -o "$TMP/saved"
same "diff: nothing has been counted yet" "one_count two_boots" \
	"$(cp "$TMP/never" "$TMP/device"
	echo $(live diff --interval 1ms --kallsyms "$kallsyms" --json | json "v['relation']") \
		$("$kmprof" diff "$TMP/saved" "$TMP/saved" --json | json "v['relation']"))"
cp "$TMP/a" "$TMP/device"
start=$(date +%s%N)
live diff --interval 1200ms --kallsyms "$kallsyms" > "$TMP/out"
same "diff: --interval takes its time" "0 yes" "$? $([ $(($(date +%s%N) - start)) -ge 1200000000 ] && echo yes)"
out=$(terminal "LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_IMAGE=$TMP/device $kmprof diff --interval 4s --kallsyms $kallsyms")
[[ $out == *"second snapshot in 4 s"*"second snapshot in "[123]" s"* ]]
result "diff: --interval shows how long" $?
same "diff: ... on a terminal only" "" "$(live diff --interval 1ms --kallsyms "$kallsyms" 2>&1 > /dev/null)"
err=$(live diff --kallsyms "$kallsyms" -- sh -c 'exit 3' 2>&1 > /dev/null)
same "diff: a command that fails is told, and the rest is done" "0 kmprof: warning: sh: exit status 3" "$? $err"
live diff --kallsyms "$kallsyms" --json -- echo hello > "$TMP/out" 2> "$TMP/err"
same "diff: what the command prints is not in the output" "one_count hello" \
	"$(json "v['relation']" < "$TMP/out") $(cat "$TMP/err")"
# Ctrl-C ends the command only, unless it was ignored before, as in the background of a script.
# SigIgn of /proc: bit 1 is SIGINT, bit 2 is SIGQUIT.
ignored='printf %x $((0x$(sed -n "s/^SigIgn:[^0-9a-f]*//p" /proc/self/status) & 6))'
for signals in "" INT QUIT "INT QUIT"; do
	mask=0
	[[ $signals != *INT* ]] || mask=$((mask | 2))
	[[ $signals != *QUIT* ]] || mask=$((mask | 4))
	same "diff: a command ignores what was ignored: ${signals:-nothing}" $mask \
		"$(python3 - $signals << END
import os, signal, subprocess, sys
for name in "INT", "QUIT":
    signal.signal(getattr(signal, "SIG" + name),
                  signal.SIG_IGN if name in "$signals".split() else signal.SIG_DFL)
env = dict(os.environ, LD_PRELOAD="$TOOLS/build/tests/stub.so", STUB_IMAGE="$TMP/device")
print(subprocess.run(["$kmprof", "diff", "--kallsyms", "$kallsyms", "-o", "/dev/null", "--", "sh", "-c", r'$ignored'],
                     env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                     restore_signals=False).stdout)
END
)"
done
err=$(live diff --kallsyms "$kallsyms" -- "$TMP/no command" 2>&1)
same "diff: a command that is not there" "1 kmprof: $TMP/no command: cannot be run: No such file or directory" "$? $err"

# What saves an image from the device knows the boot.
live dump --kallsyms "$kallsyms" --format image -o "$TMP/saved"
same "diff: a saved image has the boot id" "$(cat /proc/sys/kernel/random/boot_id)" \
	"$("$kmprof" status --input "$TMP/saved" --json | json "v['boot_id']")"
"$kmprof" dump --input "$TMP/a" --kallsyms "$kallsyms" --format image -o "$TMP/saved"
same "diff: one that was not taken now has none" None \
	"$("$kmprof" status --input "$TMP/saved" --json | json "v.get('boot_id')")"
