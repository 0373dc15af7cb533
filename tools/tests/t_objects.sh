#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Profiles that the program knows nothing about but their columns: dump as text and for
# pprof, status, and beside them the profiles that it knows.
. "$TOOLS/tests/lib.sh"

spec=$TOOLS/tests/objects.spec
image "$TMP/objects" < "$spec"
# dump PROFILE [OPTION...]
dump()
{
	"$kmprof" dump "$@" --input "$TMP/objects" --kallsyms "$kallsyms"
}

# --- text ---------------------------------------------------------------------

same "objects: text to the letter" 'buffers profile: total 13500
# profile buffers
# cycle 7
# seconds 60
# rows 7
# source kprobe
# wait_source tracepoint
# heap_rate 524288
# block_rate 10000
# mutex_fraction 0
# labels none
# total.alloc_calls 0
# total.alloc_bytes 0
# total.free_calls 0
# sampled 10
# counted 10
# ledger.buffers_cut 2
# total.waits 1000
# total.wait_ns 123456789
# waits_sampled 0
# waits_counted 0
# total.releases 0
# total.blamed_ns 0
# total.unblamed_ns 0
# delays_sampled 0
# delays_counted 0
# ledger.buffers_full 5
# buffers_limit 99
# buffers.mode driver
# total.buffers 1234
# buffers_sampled 13
# buffers_counted 8

# buffers 4, age 51 nanoseconds
9000 @ 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# buffers 2, age 50 nanoseconds
3000 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# comm bash, pid 12, buffers 1, age 8 nanoseconds
500 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# buffers 1, age 0 nanoseconds
500 @ 0x0
#	0x0	[no stack]

# comm bash, pid 13, buffers 1, age 0 nanoseconds
500 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000' "$(dump buffers)"
# A single column needs no comment; what is larger than a signed number is the largest one.
same "objects: one column" "threads profile: total 9223372036854775807
9223372036854775807 @ 0xffffffff81001110
#	0xffffffff81001110	iget_locked+0x10/0x100

3 @ 0xffffffff81001250
#	0xffffffff81001250	vfs_read+0x50/0x1000" "$(dump threads | sed '/^# /d' | sed '2{/^$/d}')"
same "objects: a format of a later module" "later profile: total 200 200 @ 0xffffffff81001110" \
	"$(dump later | grep -v '^#' | xargs)"

dump buffers -o "$TMP/buffers.txt"
contains "objects: pprof reads the text's type" "buffers/count" "$(pprof -raw "$TMP/buffers.txt")"
same "objects: pprof reads the text's sum" 13500 "$(sums "$TMP/buffers.txt")"

# --- pprof --------------------------------------------------------------------

dump buffers --format pprof -o "$TMP/buffers.pb.gz"
raw=$(pprof -raw "$TMP/buffers.pb.gz")
contains "objects: a sample type for each column, the first is the default" \
	"held/bytes[dflt] buffers/count age/nanoseconds" "$raw"
contains "objects: period type" "PeriodType: held bytes" "$raw"
contains "objects: period" "Period: 1" "$raw"
contains "objects: duration" "Duration: 1m0s" "$raw"
# 20 ns are of the row that counts nothing of what is shown.
same "objects: sums of all columns" "13500 9 129" "$(sums "$TMP/buffers.pb.gz")"
same "objects: a row that counts nothing is no sample" 6 \
	"$(gzip -dc "$TMP/buffers.pb.gz" | protoc --decode_raw | grep -c '^2 {')"
contains "objects: labels" "comm:[bash]
                pid:[12 pid]" "$raw"
contains "objects: no stack has a name" "[no stack]" "$raw"
contains "objects: places of a module's functions" "0xffffffffc000000f M=2 leak" "$raw"
same "objects: pprof finds a label" "500B" \
	"$(pprof -top -unit=B -tagfocus=pid=13pid "$TMP/buffers.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9A-Za-z]*\),.*/\1/p')"
same "objects: comments" "profile buffers, cycle 7, seconds 60
buffers_limit 99, total.buffers 1234
not in it: 5 of 13 samples: ledger.buffers_full 5
also in the ledger: ledger.buffers_cut 2
all facts: kmprof dump buffers (text), kmprof status; their meaning: kmprof(1)" \
	"$(pprof -comments "$TMP/buffers.pb.gz")"
dump threads --format pprof -o "$TMP/threads.pb.gz"
same "objects: comments without an account, and without totals" "profile threads, cycle 7, seconds 60
also in the ledger: ledger.buffers_cut 2
all facts: kmprof dump threads (text), kmprof status; their meaning: kmprof(1)" \
	"$(pprof -comments "$TMP/threads.pb.gz")"
same "objects: numbers larger than pprof's are its largest" "9223372036854775807 3" \
	"$(pprof -raw "$TMP/threads.pb.gz" | sed -n 's/^ *\([0-9]*\): [0-9]*.*/\1/p' | sort -rn | head -2 | xargs)"

(cat "$spec"; for i in $(seq 40); do echo "loss a_loss_with_a_name_$i own $i"
	echo "scalar total.a_total_$i - - $i total own"; done) | image "$TMP/lossy"
"$kmprof" dump later --input "$TMP/lossy" --kallsyms "$kallsyms" --format pprof -o "$TMP/lossy.pb.gz"
comments=$(pprof -comments "$TMP/lossy.pb.gz")
same "objects: five lines of comments, whatever is lost" 5 "$(echo "$comments" | wc -l)"
contains "objects: each loss is named" "a_loss_with_a_name_40 40" "$(echo "$comments" | grep '^not in it: 820 of 0 samples')"
contains "objects: a fault in the account is named" "sampled 0, counted 0 do not add up" "$comments"

# --- image, and what is not there ------------------------------------------------

dump buffers --format image -o "$TMP/copy"
same_rows "$TMP/objects" "$TMP/copy"
result "objects: the image has all profiles" $?
err=$(dump nothing 2>&1)
same "objects: an unknown name lists what there is" \
	"2 kmprof: dump: nothing: no such profile; there are heap, allocs, block, mutex, buffers, threads and later" \
	"$? $(echo "$err" | head -1)"
image "$TMP/bare" <<< "profile bare"
err=$("$kmprof" dump bare --input "$TMP/bare" --kallsyms "$kallsyms" 2>&1)
same "objects: a profile without a column has nothing to show" "1 yes" \
	"$? $([[ $err == *"bare: nothing to show: it has no columns"*"hint: "*"--format image"* ]] && echo yes)"
"$kmprof" dump bare --input "$TMP/bare" --format image | cmp -s - "$TMP/bare"
result "objects: ... but it can be saved" $?
image "$TMP/empty" <<< $'profile empty\ncolumn n count'
same "objects: no row is an empty profile" "0 empty profile: total 0" \
	"$? $("$kmprof" dump empty --input "$TMP/empty" --kallsyms "$kallsyms" | head -1)"
contains "objects: ... for pprof, too" "n/count[dflt]" \
	"$("$kmprof" dump empty --input "$TMP/empty" --kallsyms "$kallsyms" --format pprof > "$TMP/empty.pb.gz"
		pprof -raw "$TMP/empty.pb.gz")"

# More columns than a series has room for: those are named.
(echo "profile wide"; for i in $(seq 20); do echo "column c$i count"; done
	echo "row $(seq -s ' ' 20) @ 0x1001") | image "$TMP/wide"
"$kmprof" dump wide --input "$TMP/wide" --kallsyms "$kallsyms" > "$TMP/wide.txt"
same "objects: columns that there is no room for are named" "c17 c18 c19 c20" \
	"$(sed -n 's/^# column_not_shown //p' "$TMP/wide.txt" | xargs)"
contains "objects: the others are shown" "c15 15, c16 16" "$(cat "$TMP/wide.txt")"

# Names that are also known ones.
(echo "without heap"; echo "profile heap"; echo "column n count"; echo "row 5 @ 0x1001"
	echo "profile allocs"; echo "column n count"; echo "row 6 @ 0x1002") | image "$TMP/names"
for profile in heap:5 allocs:6; do
	same "objects: ${profile%:*} of another format is shown by its columns" \
		"${profile%:*} profile: total ${profile#*:} ${profile#*:} @ 0x1001" \
		"$("$kmprof" dump "${profile%:*}" --input "$TMP/names" --kallsyms "$kallsyms" |
			grep -v '^#' | sed 's/0x1002/0x1001/' | xargs)"
done
"$kmprof" status --input "$TMP/names" > "$TMP/names.status"
same "objects: status of such an image has no memory" "0 0" "$? $(grep -c 'allocated' "$TMP/names.status")"
err=$("$kmprof" top --input "$TMP/names" 2>&1)
same "objects: nor has top" 1 $?

# --- beside the known ones --------------------------------------------------------

sed '/^profile/,$d' "$spec" | image "$TMP/known"
for profile in heap allocs block; do
	same "objects: $profile is the same but for the facts of others" \
		"$("$kmprof" dump $profile --input "$TMP/known" --kallsyms "$kallsyms")" \
		"$(dump $profile | grep -v '^# \(ledger.buffers\|buffers\|total.buffers\)')"
done
same "objects: locks are the same" \
	"$("$kmprof" dump block --by lock --input "$TMP/known" --kallsyms "$kallsyms")" \
	"$(dump block --by lock)"
same "objects: top is the same" "$("$kmprof" top --input "$TMP/known" --kallsyms "$kallsyms")" \
	"$("$kmprof" top --input "$TMP/objects" --kallsyms "$kallsyms")"

# --- status -------------------------------------------------------------------

status=$("$kmprof" status --input "$TMP/objects")
result "objects: status works" $?
same "objects: status has rows and accounts" "heap 1 10 10 0 0.00%
block 1 0 0 0 0.00%
mutex 0 0 0 0 0.00%
buffers 7 13 8 5 38.46%
threads 2
later 1" "$(echo "$status" | sed -n '/Profiles/,/^$/s/^  \([a-z]* .*\)/\1/p' | sed 's/  */ /g')"
same "objects: status has their settings" "Setting    buffers_limit=99" "$(echo "$status" | grep '^Setting')"
same "objects: status has their totals" "total.buffers 1234" \
	"$(echo "$status" | grep 'total.buffers' | xargs)"
contains "objects: status has their losses" \
	"buffers_full          5  not known to this version of kmprof" "$status"
same "objects: status fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"
# ends SECTION: where the first number of each row ends.
ends()
{
	"$kmprof" status --input "$TMP/long" | awk -v section="$1" \
		'/^[^ ]/ || NF == 0 { on = 0 } on && match($0, / [0-9]+/) { print RSTART + RLENGTH }
		index($0, section) { on = 1 }' | sort | uniq -c | xargs
}
sed 's/profile buffers/profile buffers_of_the_driver/; s/buffers_full/buffers_of_the_driver_full/' \
	"$spec" | image "$TMP/long"
same "objects: long names of profiles stay in their column" "6 33" "$(ends Profiles)"
same "objects: long names of losses stay in their column" "2 40" "$(ends Losses)"
value=$("$kmprof" status --json --input "$TMP/objects")
same "objects: JSON has profiles" "heap 1 10 10 0, block 1 0 0 0, mutex 0 0 0 0, buffers 7 13 8 5, threads 2 None None None, later 1 None None None" \
	"$(echo "$value" | json "', '.join('%s %d %s %s %s' % (p['name'], p['rows'], p['sampled'],
	p['counted'], p['lost']) for p in v['profiles'])")"
same "objects: JSON has scalars" "99 driver 1234 13 8 True" \
	"$(echo "$value" | json "'%d %s %d %d %d %s' % (v['buffers_limit'], v['buffers.mode'],
	v['totals']['buffers'], v['buffers_sampled'], v['buffers_counted'], v['ledger_consistent'])")"
same "objects: JSON has their losses" "buffers_cut heap False buffers_full buffers True" \
	"$(echo "$value" | json "' '.join('%s %s %s' % (l['name'], l['profile'], l['lost'])
	for l in v['ledger'])")"
(cat "$spec"; echo "scalar cycle - - 1"; echo "scalar profiles - x 1") | image "$TMP/clash"
same "objects: a scalar does not take the place of what is always there" "7 6" \
	"$("$kmprof" status --json --input "$TMP/clash" | json "'%d %d' % (v['cycle'], len(v['profiles']))")"
