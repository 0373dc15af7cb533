#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# dump mutex: as text, for pprof, by lock; beside dump block, whose rows are alike; and
# what status says about releases.
. "$TOOLS/tests/lib.sh"

spec=$TOOLS/tests/mutex.spec
image "$TMP/mutex" < "$spec"
dump=("$kmprof" dump mutex --input "$TMP/mutex" --kallsyms "$kallsyms")

# --- text ---------------------------------------------------------------------

want='--- mutex:
cycles/second=1000000000
sampling period=1
# profile mutex
# cycle 7
# seconds 60
# rows 11
# source kprobe
# wait_source tracepoint
# heap_rate 524288
# block_rate 10000
# mutex_fraction 10
# labels none
# total.alloc_calls 0
# total.alloc_bytes 0
# total.free_calls 0
# sampled 13
# counted 10
# ledger.ring_full 3
# total.waits 1000
# total.wait_ns 123456789
# waits_sampled 42
# waits_counted 40
# ledger.wait_own 2
# total.releases 900
# total.blamed_ns 5000000000
# total.unblamed_ns 700000000
# delays_sampled 65
# delays_counted 60
# ledger.delay_own 5
# ledger.delay_table_full 7

# mutex rtnl_mutex+0x0/0x20, longest 3000000000 ns
4000000000 3 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# mutex rtnl_mutex+0x0/0x20, not attributable, longest 400000000 ns
500000000 2 @ 0x0
#	0x0	[not attributable]

# spinlock, spun, not attributable, longest 5000000 ns
80000000 40 @ 0x0
#	0x0	[not attributable]

# spinlock some_data+0x8/0x1000 [leaky], failed, not attributable, longest 2000000 ns
20000000 10 @ 0x0
#	0x0	[not attributable]

# rwsem write lock_table+0x10/0xa0, longest 500000 ns
9000000 20 @ 0xffffffff81001110 0xffffffff81001250
#	0xffffffff81001110	iget_locked+0x10/0x100
#	0xffffffff81001250	vfs_read+0x50/0x1000

# rwsem write lock_table+0x10/0xa0, longest 400000 ns
600000 2 @ 0xffffffff81001110 0xffffffff81001250
#	0xffffffff81001110	iget_locked+0x10/0x100
#	0xffffffff81001250	vfs_read+0x50/0x1000

# mutex in ext4 inode_cache, longest 9000 ns
40000 4 @ 0xffffffff81001210
#	0xffffffff81001210	vfs_read+0x10/0x1000

# rtmutex, longest 2000 ns
2000 1 @ 0x0
#	0x0	[no stack]

# rwsem read lock_table+0x10/0xa0, longest 1000 ns
1000 1 @ 0xffffffff81001120
#	0xffffffff81001120	iget_locked+0x20/0x100

# mutex in ext4 inode_cache, not attributable, longest 700 ns
700 1 @ 0x0
#	0x0	[not attributable]'
same "mutex: text to the letter" "$want" "$("${dump[@]}")"

"${dump[@]}" -o "$TMP/mutex.txt"
"${dump[@]}" --format pprof -o "$TMP/mutex.pb.gz"
text=$(pprof -raw "$TMP/mutex.txt")
raw=$(pprof -raw "$TMP/mutex.pb.gz")
same "mutex: pprof reads the text's sums, and scales nothing" "84 4609643700" \
	"$(sums "$TMP/mutex.txt")"
contains "mutex: pprof reads the text's types" "contentions/count delay/nanoseconds" "$text"
same "mutex: pprof reads the text's period" "Period: 1" "$(echo "$text" | grep '^Period:')"
same "mutex: pprof adds up the text's stacks" "9600000ns ffffffff8100110f" \
	"$(pprof -top -addresses -unit=ns -nodefraction=0 "$TMP/mutex.txt" |
		awk '$6 == "ffffffff8100110f" { print $1, $6 }')"

# --- pprof --------------------------------------------------------------------

contains "mutex: sample types, default delay" "contentions/count delay/nanoseconds[dflt]" "$raw"
contains "mutex: period type" "PeriodType: contentions count" "$raw"
same "mutex: period as in Go" "Period: 1" "$(echo "$raw" | grep '^Period:')"
same "mutex: both formats have the same sums" "$(sums "$TMP/mutex.txt")" \
	"$(sums "$TMP/mutex.pb.gz")"
same "mutex: labels of a mutex" "3 4000000000
kind:[mutex] lock:[rtnl_mutex]" "$(sample 4000000000)"
same "mutex: labels of what a reader has released" "1 1000
access:[read] kind:[rwsem] lock:[lock_table+0x10]" "$(sample 1000)"
same "mutex: labels of a lock in a slab object" "4 40000
cache:[ext4 inode_cache] kind:[mutex]" "$(sample 40000)"
same "mutex: labels of waits that nobody is blamed for" "10 20000000
kind:[spinlock] lock:[some_data+0x8 [leaky]] outcome:[failed]" "$(sample 20000000)"
# pprof puts the two fractions of one stack and lock together.
same "mutex: nothing else is a sample" 9 "$(echo "$raw" | grep -c 'kind:')"
nodes=$(pprof -top -unit=ns -nodefraction=0 "$TMP/mutex.pb.gz")
same "mutex: what nobody is blamed for is one frame" "600000700ns" \
	"$(echo "$nodes" | sed -n 's/^ *\([0-9]*ns\) .* \[not attributable\]$/\1/p')"
same "mutex: ... and no stack is another" "2000ns" \
	"$(echo "$nodes" | sed -n 's/^ *\([0-9]*ns\) .* \[no stack\]$/\1/p')"
same "mutex: pprof can leave it out" "4009643000ns" \
	"$(pprof -top -unit=ns -nodefraction=0 -ignore='not attributable' "$TMP/mutex.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9a-z]*\),.*/\1/p')"
comments=$(pprof -comments "$TMP/mutex.pb.gz")
contains "mutex: the fraction travels along" "mutex_fraction 10" "$comments"
contains "mutex: exact totals travel along" "total.unblamed_ns 700000000" "$comments"
contains "mutex: losses travel along" "ledger.delay_own 5" "$comments"

# --- beside the block profile ---------------------------------------------------

block=("$kmprof" dump block --input "$TMP/mutex" --kallsyms "$kallsyms")
same "mixed: block has its own entries only" "1000000 100 25000 3" \
	"$("${block[@]}" | sed -n 's/^\([0-9]*\) \([0-9]*\) @.*/\1 \2/p' | xargs)"
"${block[@]}" --format pprof -o "$TMP/block.pb.gz"
same "mixed: block for pprof, too" "103 1025000" "$(sums "$TMP/block.pb.gz")"
same "mixed: ... which knows nothing of blame" "" \
	"$(pprof -raw "$TMP/block.pb.gz" | grep -F '[not attributable]')"
same "mixed: locks of block" "spinlock [other locks] mutex rtnl_mutex" \
	"$("${block[@]}" --by lock | sed '1,/SHARE/d; s/.*  //' | xargs)"
# The image without what is not of the profile gives the same text.
only()
{
	grep -v "^contention\|^profile\|^column\|^row" "$spec" | image "$TMP/only"
	"$kmprof" dump mutex --input "$TMP/only" --kallsyms "$kallsyms"
}
same "mixed: mutex is as it would be alone" "$want" "$(only)"
grep -v '^release\|^cache' "$spec" | image "$TMP/unknown"
same "mixed: a profile of a later module is in no other" "" \
	"$("$kmprof" dump mutex --input "$TMP/unknown" --kallsyms "$kallsyms" | grep ' @ ')"
cut_head()
{
	"$kmprof" dump "$1" --input "$2" --kallsyms "$kallsyms" | grep -v '^#'
}
same "mixed: the heap is as it would be alone" "$(cut_head heap "$TMP/only")" \
	"$(cut_head heap "$TMP/mutex")"

# Many entries in random order, of both profiles, with many fractions.
awk 'BEGIN {
	srand(2); print "block 5000 1 1\nmutex 16 1 1 1"
	for (i = 0; i < 3000; i++) {
		p = 2 ^ int(rand() * 17); n = 1 + int(rand() * 50); d = int(1 + rand() * 1000000)
		lock = int(rand() * 20) * 4096 + 4294967296
		printf "release %d %d 0 %d %d %d %d 0x%x\n", p, 1 + int(rand() * 7), lock, n * p,
			n * p * d, d, 4096 + i
		if (i % 3 == 0)
			printf "release %d 6 16 %d %d %d %d\n", p, lock, n * p, n * p * d, d
		if (i % 2 == 0)
			printf "contention 5000 1 0 %d %d %d %d 0x%x\n", lock, n, n * 5000 + d, d, 4096 + i
	}
}' > "$TMP/random.spec"
image "$TMP/random" < "$TMP/random.spec"
"$kmprof" dump mutex --input "$TMP/random" --kallsyms "$kallsyms" -o "$TMP/random.txt"
"$kmprof" dump mutex --input "$TMP/random" --kallsyms "$kallsyms" --format pprof -o "$TMP/random.pb.gz"
expected=$(awk '/^release/ { n += $6; d += $7 } END { printf "%.0f %.0f", n, d }' "$TMP/random.spec")
same "mutex: sums of many entries, text" "$expected" "$(sums "$TMP/random.txt")"
same "mutex: sums of many entries, pprof" "$expected" "$(sums "$TMP/random.pb.gz")"
same "mutex: sums of many entries, JSON" "$expected" \
	"$("$kmprof" dump mutex --input "$TMP/random" --kallsyms "$kallsyms" --by lock --json |
		json "'%d %d' % (sum(l['releases'] + l['unblamed_waits'] for l in v['locks']),
		sum(l['blamed_ns'] + l['unblamed_ns'] for l in v['locks']))")"
expected=$(awk '/^contention/ { n += $6; d += $7 } END { printf "%.0f %.0f", n, d }' "$TMP/random.spec")
"$kmprof" dump block --input "$TMP/random" --kallsyms "$kallsyms" --format pprof -o "$TMP/random.pb.gz"
same "mixed: sums of many entries of block" "$expected" "$(sums "$TMP/random.pb.gz")"
grep '^[0-9]' "$TMP/random.txt" | awk '{ print $1 }' > "$TMP/delays"
sort -rnc "$TMP/delays"
result "mutex: largest delay first" $?

# --- by lock ------------------------------------------------------------------

locks=$("${dump[@]}" --by lock)
contains "mutex, locks: estimates and fraction" \
	"Blamed 4.01s on 31 releases (estimates), mutex_fraction=10" "$locks"
contains "mutex, locks: what is nobody's fault" "Unblamed 600ms: not attributable to a release" \
	"$locks"
contains "mutex, locks: exact totals" "Exactly 5.00s on 900 releases, 700ms not attributable" \
	"$locks"
contains "mutex, locks: what is not in it" "Not in it: 5 of 65 samples" "$locks"
same "mutex, locks: largest delay first, stacks and fractions added up" \
	"BLAMED UNBLAMED SHARE RELEASES MEAN LONGEST LOCK
4.00s 500ms 97.6% 3 1.33s 3.00s mutex rtnl_mutex
0ns 80.0ms 1.7% 0 0ns 0ns spinlock [other locks]
0ns 20.0ms 0.4% 0 0ns 0ns spinlock some_data+0x8 [leaky]
9.60ms 0ns 0.2% 23 417us 500us rwsem lock_table+0x10
40.0us 700ns 0.0% 4 10.0us 9.00us mutex in ext4 inode_cache
2.00us 0ns 0.0% 1 2.00us 2.00us rtmutex [other locks]" \
	"$(echo "$locks" | sed '1,/^$/d; s/  */ /g; s/^ //')"
"${dump[@]}" --by lock -o "$TMP/locks.txt"
same "mutex, locks: the same in a file" "$locks" "$(cat "$TMP/locks.txt")"
for width in 100 80 60 40; do
	out=$(terminal "NO_COLOR=1 ${dump[*]} --by lock" $width)
	# The totals do not get shorter than this.
	[ $width -eq 40 ] && out=$(echo "$out" | sed '1,/^$/d')
	same "mutex, locks: fits $width columns" "" "$(echo "$out" | awk -v w=$width 'length > w')"
	contains "mutex, locks: has both parts in $width columns" "4.00s    500ms  97.6%          3" "$out"
done
contains "mutex, locks: has names in 60 columns" "mutex rtnl_mutex" \
	"$(terminal "NO_COLOR=1 ${dump[*]} --by lock" 60)"
same "mutex, locks: all columns in 80" "$(echo "$locks" | grep SHARE)" \
	"$(terminal "NO_COLOR=1 ${dump[*]} --by lock" 80 | grep SHARE)"
same "mutex, locks: a column less in 70" "BLAMED UNBLAMED SHARE RELEASES MEAN LOCK" \
	"$(terminal "NO_COLOR=1 ${dump[*]} --by lock" 70 | grep SHARE | xargs)"

value=$("${dump[@]}" --by lock --json)
same "mutex, locks: JSON has the table" "mutex rtnl_mutex 3 4000000000 1333333333 3000000000
spinlock None 0 0 0 0
spinlock some_data 0 0 0 0
rwsem lock_table 23 9601000 417434 500000
mutex None 4 40000 10000 9000
rtmutex None 1 2000 2000 2000" "$(echo "$value" | json "'\n'.join('%s %s %d %d %d %d' % (l['kind'],
	l['lock'] and l['lock']['variable'], l['releases'], l['blamed_ns'], l['mean_ns'],
	l['longest_ns']) for l in v['locks'])")"
same "mutex, locks: JSON has what nobody is blamed for" \
	"2 500000000 250000000 400000000, 40 80000000 2000000 5000000, 10 20000000 2000000 2000000, 0 0 0 0, 1 700 700 700, 0 0 0 0" \
	"$(echo "$value" | json "', '.join('%d %d %d %d' % (l['unblamed_waits'], l['unblamed_ns'],
	l['unblamed_mean_ns'], l['unblamed_longest_ns']) for l in v['locks'])")"
same "mutex, locks: JSON has no waits" False "$(echo "$value" | json "'waits' in v['locks'][0]")"
same "mixed: JSON of block has no releases" "['cache', 'kind', 'lock', 'longest_ns', 'mean_ns', 'wait_ns', 'waits']" \
	"$("${block[@]}" --by lock --json | json "sorted(v['locks'][0])")"
same "mutex, locks: JSON has fraction, totals and estimates" \
	"10 900 5000000000 700000000 31 4009643000 600000700 65 60" \
	"$(echo "$value" | json "'%d %d %d %d %d %d %d %d %d' % (v['mutex_fraction'],
	v['totals']['releases'], v['totals']['blamed_ns'], v['totals']['unblamed_ns'],
	v['estimates']['releases'], v['estimates']['blamed_ns'], v['estimates']['unblamed_ns'],
	v['delays_sampled'], v['delays_counted'])")"
same "mutex, locks: JSON has the ledger" "ring_full False wait_own False delay_own True delay_table_full False" \
	"$(echo "$value" | json "' '.join('%s %s' % (l['name'], l['lost'] and l['profile'] == 'mutex') for l in v['ledger'])")"

# --- why nobody is blamed --------------------------------------------------------

# One that this program does not know is in status and JSON all the same.
image "$TMP/reasons" <<'S'
mutex 1 2 3000 1000000700
reason total.unblamed.spinning_ns 0
reason total.unblamed.hand_over_ns 1000000000
reason total.unblamed.failed_ns 600
reason total.unblamed.odd_ns 100
S
same "mutex, locks: reasons for what is not attributable" \
	"1.00s after the last release, until the task had the lock
600ns did not get the lock, and nobody else waited" \
	"$("$kmprof" dump mutex --by lock --input "$TMP/reasons" | sed -n '/^Exactly/,/^$/p' |
		sed '1d; /^$/d; s/^ *//')"
same "status: reasons" "- hand-over 1000000000
- failed 600
total.unblamed.odd_ns 100" "$("$kmprof" status --input "$TMP/reasons" |
	grep '^  - \|unblamed\.' | sed 's/^ *//; s/  */ /g')"
same "status: JSON has the reasons" "0 1000000000 600 100" \
	"$("$kmprof" status --input "$TMP/reasons" --json | json "' '.join(str(v['totals']['unblamed.%s_ns' % r])
	for r in ('spinning', 'hand_over', 'failed', 'odd'))")"

# --- what is not there ----------------------------------------------------------

image "$TMP/hidden" <<'S'
mutex 1 2 30 40
noaddresses
release 1 1 0 0 1 10 10 0 0
release 1 1 16 0 1 40 40
S
"$kmprof" dump mutex --input "$TMP/hidden" > "$TMP/hidden.txt" 2> "$TMP/err"
contains "mutex: hidden addresses are explained" "CAP_SYSLOG" "$(cat "$TMP/err")"
same "mutex: hidden is not the same as not attributable" "[not attributable] [address hidden] [address hidden]" \
	"$(sed -n 's/^#\t0x0\t//p' "$TMP/hidden.txt" | xargs)"
same "mutex: hidden addresses keep the numbers" "2 50" "$(sums "$TMP/hidden.txt")"

image "$TMP/off" <<< "rate 1"
for form in "" "--by lock" "--format pprof"; do
	out=$("$kmprof" dump mutex --input "$TMP/off" --kallsyms "$kallsyms" $form 2>&1 > "$TMP/off.out")
	same "mutex: off is explained ($form)" \
		"0 no releases: mutex_fraction is 0 'kmprof set mutex_fraction=1' samples them" \
		"$? $(echo "$out" | sed 's/^kmprof: warning: //; s/.*hint: //' | xargs -d '\n')"
done
contains "mutex: an empty profile is one" "PeriodType: contentions count" "$(pprof -raw "$TMP/off.out")"
same "mutex: counting is not explained" "" "$("${dump[@]}" 2>&1 > /dev/null)"
(grep -v '^mutex' "$spec"; echo "mutex 0 1 1 1") | image "$TMP/before"
same "mutex: off with releases from before is not explained" "" \
	"$("$kmprof" dump mutex --input "$TMP/before" --kallsyms "$kallsyms" 2>&1 > /dev/null)"
image "$TMP/quiet" <<< "mutex 1 0 0 0"
same "mutex: on, and nothing released yet, is not explained" "" \
	"$("$kmprof" dump mutex --input "$TMP/quiet" --kallsyms "$kallsyms" 2>&1 > /dev/null)"
grep -v '^mutex\|^release\|^cache' "$spec" | image "$TMP/others"
contains "mutex: off, and only entries of others, is explained" "mutex_fraction is 0" \
	"$("$kmprof" dump mutex --input "$TMP/others" --kallsyms "$kallsyms" 2>&1 > /dev/null)"
grep -v '^block\|^contention' "$spec" | image "$TMP/others"
contains "mixed: block off, and only releases, is explained" "block_rate is 0" \
	"$("$kmprof" dump block --input "$TMP/others" --kallsyms "$kallsyms" 2>&1 > /dev/null)"

# A module that does not have the profile.
before()
{
	grep -v '^release\|^cache\|^mutex\|delay' "$spec"
}
(echo without mutex; before) | image "$TMP/without"
before | image "$TMP/none"
facts='^# \(mutex_fraction\|total.releases\|total.blamed\|total.unblamed\|delays_\)'
for profile in heap block; do
	same "without mutex: $profile is the same but for the facts" \
		"$("$kmprof" dump $profile --input "$TMP/none" --kallsyms "$kallsyms" | grep -v "$facts")" \
		"$("$kmprof" dump $profile --input "$TMP/without" --kallsyms "$kallsyms")"
done
same "without mutex: there are such facts" 6 \
	"$("$kmprof" dump heap --input "$TMP/none" --kallsyms "$kallsyms" | grep -c "$facts")"
same "without mutex: block has its entries" 2 \
	"$("$kmprof" dump block --input "$TMP/without" --kallsyms "$kallsyms" | grep -c ' @ ')"
out=$("$kmprof" dump mutex --input "$TMP/without" --kallsyms "$kallsyms" 2>&1)
same "without mutex: dump says what there is" "2 yes" \
	"$? $([[ $out == *"mutex: no such profile; there are heap, allocs, block and later"* ]] && echo yes)"
same "without mutex: block is not explained" "" \
	"$("$kmprof" dump block --input "$TMP/without" --kallsyms "$kallsyms" 2>&1 > /dev/null)"
status=$("$kmprof" status --input "$TMP/without")
same "without mutex: status has no rows of releases" "" \
	"$(echo "$status" | grep 'mutex\|releases\|blamed\|delay')"
same "without mutex: status has those of waits" "block 2 42 40 2 4.76%" \
	"$(echo "$status" | grep '^  block ' | xargs)"

# --- status -------------------------------------------------------------------

status=$("$kmprof" status --input "$TMP/mutex")
contains "status: the fraction" "mutex_fraction=10: one of 10 releases" "$status"
contains "status: every release" "mutex_fraction=1: every release" \
	"$("$kmprof" status --input "$TMP/hidden")"
contains "status: no release" "mutex_fraction=0: no samples" "$("$kmprof" status --input "$TMP/off")"
same "status: exact and estimated releases" "releases 900 31" \
	"$(echo "$status" | grep '^  releases' | xargs)"
same "status: exact and estimated blame" "blamed, ns 5000000000 4009643000" \
	"$(echo "$status" | grep '^  blamed' | xargs)"
same "status: exact and estimated rest" "unblamed, ns 700000000 600000700" \
	"$(echo "$status" | grep '^  unblamed' | xargs)"
same "status: waits are without releases" "waited, ns 123456789 1025000" \
	"$(echo "$status" | grep 'waited, ns' | xargs)"
same "status: rows and samples of delays" "mutex 11 65 60 5 7.69%" \
	"$(echo "$status" | grep '^  mutex ' | xargs)"
contains "status: a loss of delays with its meaning" \
	"delay_own                 5  not counted: kmprof itself released the lock" "$status"
same "status: with releases fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"
image "$TMP/most" <<< "mutex 65536 18446744073709551615 18446744073709551615 18446744073709551615"
same "status: the largest fraction fits 80 columns" "" \
	"$("$kmprof" status --input "$TMP/most" | awk 'length > 80')"
image "$TMP/odd" <<< $'mutex 1 1 1 1\ndelays_sampled 9\ndelays_counted 1'
contains "status: notices delays that do not add up" "do not add up" \
	"$("$kmprof" status --input "$TMP/odd")"
same "status: JSON notices them too" False \
	"$("$kmprof" status --json --input "$TMP/odd" | json "v['ledger_consistent']")"
image "$TMP/even" <<< $'mutex 1 1 1 1\ndelays_sampled 9\ndelays_counted 1\nloss delay_own delay 8\nloss wait_own other 3'
same "status: delays add up with their own losses" True \
	"$("$kmprof" status --json --input "$TMP/even" | json "v['ledger_consistent']")"
