#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# dump block: as text, for pprof, by lock; and what status says about waits.
. "$TOOLS/tests/lib.sh"

spec=$TOOLS/tests/block.spec
image "$TMP/block" < "$spec"
dump=("$kmprof" dump block --input "$TMP/block" --kallsyms "$kallsyms")

# --- text ---------------------------------------------------------------------

want='--- contention:
cycles/second=1000000000
# profile block
# cycle 7
# seconds 60
# rows 11
# source kprobe
# wait_source tracepoint
# heap_rate 524288
# block_rate 10000
# mutex_fraction 0
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
# ledger.wait_unpaired 5
# total.releases 0
# total.blamed_ns 0
# total.unblamed_ns 0
# delays_sampled 0
# delays_counted 0

# spinlock some_data+0x8/0x1000 [leaky], spun, failed, longest 2000000000 ns
2000000000 1 @ 0x0
#	0x0	[no stack]

# rwsem write lock_table+0x10/0xa0, failed, longest 5000001 ns
7000000 3 @ 0xffffffff81001110 0xffffffff81001250
#	0xffffffff81001110	iget_locked+0x10/0x100
#	0xffffffff81001250	vfs_read+0x50/0x1000

# rwsem read lock_table+0x10/0xa0, longest 5000000 ns
5000000 1 @ 0xffffffff81001110 0xffffffff81001250
#	0xffffffff81001110	iget_locked+0x10/0x100
#	0xffffffff81001250	vfs_read+0x50/0x1000

# spinlock, spun, longest 9999 ns
1000000 100 @ 0xdeadbeef000
#	0xdeadbeef000	0xdeadbeef000

# mutex in ext4 inode_cache, spun, longest 9000 ns
40000 4 @ 0xffffffff81001210
#	0xffffffff81001210	vfs_read+0x10/0x1000

# mutex, longest 9400 ns
30000 3 @ 0xffffffff81001220
#	0xffffffff81001220	vfs_read+0x20/0x1000

# mutex rtnl_mutex+0x0/0x20, longest 9000 ns
25000 3 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# mutex in ext4 inode_cache, longest 9500 ns
20001 2 @ 0xffffffff81001220
#	0xffffffff81001220	vfs_read+0x20/0x1000

# spinlock, spun, longest 9998 ns
20000 2 @ 0xffffffff81001120
#	0xffffffff81001120	iget_locked+0x20/0x100

# percpu_rwsem write 0xffff888000000000, longest 1 ns
10000 1 @ 0xffffffff81001210
#	0xffffffff81001210	vfs_read+0x10/0x1000'
same "block: text to the letter" "$want" "$("${dump[@]}")"

"${dump[@]}" -o "$TMP/block.txt"
"${dump[@]}" --format pprof -o "$TMP/block.pb.gz"
text=$(pprof -raw "$TMP/block.txt")
raw=$(pprof -raw "$TMP/block.pb.gz")
same "block: pprof reads the text's sums" "120 2013145001" "$(sums "$TMP/block.txt")"
contains "block: pprof reads the text's types" "contentions/count delay/nanoseconds" "$text"
contains "block: pprof reads the text's stacks" "0xffffffffc000008f" "$text"
same "block: pprof adds up the text's stacks" "12000000ns ffffffff8100110f" \
	"$(pprof -top -addresses -unit=ns -nodefraction=0 "$TMP/block.txt" |
		awk '$6 == "ffffffff8100110f" { print $1, $6 }')"

# --- pprof --------------------------------------------------------------------

contains "block: sample types, default delay" "contentions/count delay/nanoseconds[dflt]" "$raw"
contains "block: period type" "PeriodType: contentions count" "$raw"
same "block: period as in Go" "Period: 1" "$(echo "$raw" | grep '^Period:')"
contains "block: duration" "Duration: 1m0s" "$raw"
same "block: both formats have the same sums" "$(sums "$TMP/block.txt")" \
	"$(sums "$TMP/block.pb.gz")"

same "block: labels of a mutex" "3 25000
kind:[mutex] lock:[rtnl_mutex]" "$(sample 25000)"
same "block: labels of a reader" "1 5000000
access:[read] kind:[rwsem] lock:[lock_table+0x10]" "$(sample 5000000)"
same "block: labels of a writer that failed" "3 7000000
access:[write] kind:[rwsem] lock:[lock_table+0x10] outcome:[failed]" "$(sample 7000000)"
same "block: labels with both outcomes, and a module's lock" "1 2000000000
kind:[spinlock] lock:[some_data+0x8 [leaky]] outcome:[spun failed]" "$(sample 2000000000)"
same "block: labels of a lock without a name" "1 10000
access:[write] kind:[percpu_rwsem] lock:[0xffff888000000000]" "$(sample 10000)"
same "block: labels of a lock that is no variable" "100 1000000
kind:[spinlock] outcome:[spun]" "$(sample 1000000)"
same "block: labels of a lock in a slab object" "2 20001
cache:[ext4 inode_cache] kind:[mutex]" "$(sample 20001)"
same "block: nothing else is a sample" 10 "$(echo "$raw" | grep -c 'kind:')"
contains "block: places of functions" "0xffffffff8100110f M=1 iget_locked" "$raw"
contains "block: places of a module's functions" "0xffffffffc000000f M=2 leak" "$raw"
contains "block: kernel mapping" "0xffffffff81000000/0xffffffff81100000/0x0 [kernel.kallsyms]" \
	"$raw"
contains "block: no stack has a name" "[no stack]" "$raw"
same "block: pprof can leave out those that spun" "12085001ns" \
	"$(pprof -top -unit=ns -nodefraction=0 -tagignore=outcome=spun "$TMP/block.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9a-z]*\),.*/\1/p')"
comments=$(pprof -comments "$TMP/block.pb.gz")
contains "block: the rate travels along" "block_rate 10000" "$comments"
contains "block: exact totals travel along" "total.wait_ns 123456789" "$comments"
contains "block: losses travel along" "ledger.wait_own 2" "$comments"

# --- rounding -----------------------------------------------------------------

image "$TMP/round" <<'S'
block 0 1 1
contention 1000 1 0 0 1.5 2000 900 0x1001
contention 1000 1 0 0 1.499 1990 900 0x1002
contention 1000 1 0 0 1 1980 900 0x1003
S
same "block: counts are rounded" "2 1 1" \
	"$("$kmprof" dump block --input "$TMP/round" --kallsyms "$kallsyms" |
		sed -n 's/^[0-9]* \([0-9]*\) @.*/\1/p' | xargs)"

# Many entries in random order, the same each time: sorted, and all of them there.
awk 'BEGIN {
	srand(1); print "block 5000 1 1"
	for (i = 0; i < 3000; i++) {
		n = 1 + rand() * 50; d = int(n * 5000 + rand() * 1000000)
		printf "contention 5000 %d 0 %d %.3f %d %d 0x%x\n", 1 + int(rand() * 7),
			int(rand() * 20) * 4096 + 4294967296, n, d, int(d / n), 4096 + i
	}
}' > "$TMP/random.spec"
image "$TMP/random" < "$TMP/random.spec"
"$kmprof" dump block --input "$TMP/random" --kallsyms "$kallsyms" -o "$TMP/random.txt"
"$kmprof" dump block --input "$TMP/random" --kallsyms "$kallsyms" --format pprof -o "$TMP/random.pb.gz"
expected=$(awk '/^contention/ { n += int($6 + 0.5); d += $7 } END { printf "%.0f %.0f", n, d }' \
	"$TMP/random.spec")
same "block: sums of many entries, text" "$expected" "$(sums "$TMP/random.txt")"
same "block: sums of many entries, pprof" "$expected" "$(sums "$TMP/random.pb.gz")"
grep '^[0-9]' "$TMP/random.txt" | awk '{ print $1 }' > "$TMP/delays"
sort -rnc "$TMP/delays"
result "block: largest delay first" $?

# --- by lock ------------------------------------------------------------------

locks=$("${dump[@]}" --by lock)
contains "locks: estimates and rate" \
	"Waited 2.01s in 120 waits (estimates), block_rate=10us" "$locks"
contains "locks: exact totals" "Exactly 123ms in 1000 waits" "$locks"
contains "locks: what is not in it" "Not in it: 2 of 42 samples" "$locks"
same "locks: largest delay first, stacks and periods added up" \
	"2.00s 99.3% 1 2.00s 2.00s spinlock some_data+0x8 [leaky]
12.0ms 0.6% 4 3.00ms 5.00ms rwsem lock_table+0x10
1.02ms 0.1% 102 10.0us 10.0us spinlock [other locks]
60.0us 0.0% 6 10.0us 9.50us mutex in ext4 inode_cache
30.0us 0.0% 3 10.0us 9.40us mutex [other locks]
25.0us 0.0% 3 9.09us 9.00us mutex rtnl_mutex
10.0us 0.0% 1 10.0us 1ns percpu_rwsem 0xffff888000000000" \
	"$(echo "$locks" | sed '1,/SHARE/d' | sed 's/  */ /g; s/^ //')"
"${dump[@]}" --by lock -o "$TMP/locks.txt"
same "locks: the same in a file" "$locks" "$(cat "$TMP/locks.txt")"
for width in 80 60; do
	out=$(terminal "NO_COLOR=1 ${dump[*]} --by lock" $width)
	same "locks: fits $width columns" "" "$(echo "$out" | awk -v w=$width 'length > w')"
	contains "locks: has names in $width columns" "mutex rtnl_" "$out"
done
image "$TMP/long" <<< "contention 1 5 0 0xffffffff82000040 9999999999 9999999000000000 100000000000"
sed 's/rtnl_mutex/rtnl_mutex_with_a_very_long_name_indeed/' "$kallsyms" > "$TMP/longsyms"
same "locks: a long name fits 80 columns" "" "$(terminal \
	"NO_COLOR=1 $kmprof dump block --input $TMP/long --kallsyms $TMP/longsyms --by lock" |
	grep rtnl_ | awk 'length > 80')"
contains "locks: a long name is whole in a pipe" "rtnl_mutex_with_a_very_long_name_indeed" \
	"$("$kmprof" dump block --input "$TMP/long" --kallsyms "$TMP/longsyms" --by lock)"
contains "locks: bold on a terminal" $'\033[1m' "$(terminal "${dump[*]} --by lock")"
same "locks: a file gets no colours from the terminal" "" \
	"$(terminal "${dump[*]} --by lock -o $TMP/plain" > /dev/null; grep $'\033' "$TMP/plain")"

value=$("${dump[@]}" --by lock --json)
same "locks: JSON has the table" "spinlock some_data 8 leaky 1.0 2000000000 2000000000 2000000000
rwsem lock_table 16 None 4.0 12000000 3000000 5000001
spinlock None 102.0 1020000 10000 9999
mutex None 6.0 60001 10000 9500
mutex None 3.0 30000 10000 9400
mutex rtnl_mutex 0 None 2.8 25000 9090 9000
percpu_rwsem None None None 1.0 10000 10000 1" "$(echo "$value" | json "'\n'.join(
	'%s %s %.1f %d %d %d' % (l['kind'], ' '.join(str(l['lock'][k]) for k in
	('variable', 'offset', 'module')) if l['lock'] else None, l['waits'], l['wait_ns'],
	l['mean_ns'], l['longest_ns']) for l in v['locks'])")"
same "locks: JSON has addresses" "0xffffffff82000040" \
	"$(echo "$value" | json "v['locks'][5]['lock']['address']")"
same "locks: JSON has caches" "None None None ext4 inode_cache None None None" \
	"$(echo "$value" | json "' '.join(str(l['cache']) for l in v['locks'])")"
same "locks: JSON has rate, totals and estimates" "10000 1000 123456789 119.75 2013145001 42 40" \
	"$(echo "$value" | json "'%d %d %d %.2f %d %d %d' % (v['block_rate'], v['totals']['waits'],
	v['totals']['wait_ns'], v['estimates']['waits'], v['estimates']['wait_ns'],
	v['waits_sampled'], v['waits_counted'])")"
same "locks: JSON has the ledger" "ring_full heap True wait_own block True wait_unpaired block False" \
	"$(echo "$value" | json "' '.join('%s %s %s' % (l['name'], l['profile'], l['lost'])
	for l in v['ledger'])")"

# --- what is not there ----------------------------------------------------------

image "$TMP/hidden" <<'S'
block 1 2 30
noaddresses
contention 1 1 0 0 1 10 10 0 0
contention 1 3 0 0 1 20 20 0 0
S
"$kmprof" dump block --input "$TMP/hidden" > "$TMP/hidden.txt" 2> "$TMP/err"
contains "block: hidden addresses are explained" "CAP_SYSLOG" "$(cat "$TMP/err")"
contains "block: hidden frames are shown as such" $'#\t0x0\t[address hidden]' \
	"$(cat "$TMP/hidden.txt")"
same "block: hidden addresses keep the numbers" "2 30" "$(sums "$TMP/hidden.txt")"
same "locks: hidden ones are by kind" "semaphore [address hidden] mutex [address hidden]" \
	"$("$kmprof" dump block --input "$TMP/hidden" --by lock 2> /dev/null |
		sed -n 's/.* \([a-z]* \[address hidden\]\)$/\1/p' | xargs)"

image "$TMP/off" <<< "rate 1"
out=$("$kmprof" dump block --input "$TMP/off" --kallsyms "$kallsyms" --by lock 2>&1)
same "block: off is explained" "0 yes" \
	"$? $([[ $out == *"block_rate is 0"*"set block_rate="* ]] && echo yes)"
"$kmprof" dump block --input "$TMP/off" --kallsyms "$kallsyms" --format pprof 2> "$TMP/err" > "$TMP/off.pb.gz"
contains "block: an empty profile is one" "PeriodType: contentions count" "$(pprof -raw "$TMP/off.pb.gz")"
same "block: heap is not explained" "" \
	"$("$kmprof" dump --input "$TMP/off" --kallsyms "$kallsyms" 2>&1 > /dev/null)"
same "block: counting is not explained" "" "$("${dump[@]}" 2>&1 > /dev/null)"
same "block: off with waits from before is not explained" "" \
	"$("$kmprof" dump block --input "$TMP/round" --kallsyms "$kallsyms" 2>&1 > /dev/null)"

# A module that does not have the profile.
(echo without block; grep -v '^contention\|^cache\|^block\|wait' "$spec") | image "$TMP/without"
(echo; grep -v '^contention\|^cache\|^block\|wait' "$spec") | image "$TMP/none"
facts='^# \(wait_source\|block_rate\|total.wait\|waits_\)'
same "without: heap is the same but for the facts" \
	"$("$kmprof" dump heap --input "$TMP/none" --kallsyms "$kallsyms" | grep -v "$facts")" \
	"$("$kmprof" dump heap --input "$TMP/without" --kallsyms "$kallsyms")"
same "without: there are such facts" 6 \
	"$("$kmprof" dump heap --input "$TMP/none" --kallsyms "$kallsyms" | grep -c "$facts")"
image "$TMP/bare" <<< $'without heap\nwithout block\nwithout mutex'
"$kmprof" status --input "$TMP/bare" > /dev/null
result "without: an image of no profile is one" $?
err=$("$kmprof" dump --input "$TMP/bare" 2>&1)
same "without: it has nothing to dump" "2 yes" \
	"$? $([[ $err == *"heap: no such profile; there are none"* ]] && echo yes)"
err=$("$kmprof" top --input "$TMP/bare" 2>&1)
same "without: nor to top" "1 yes" \
	"$? $([[ $err == *"heap: no such profile; there are none"* ]] && echo yes)"
for option in "" "--by lock" "--format image"; do
	err=$("$kmprof" dump block $option --input "$TMP/without" --kallsyms "$kallsyms" -o "$TMP/no.txt" 2>&1)
	same "without: dump block $option says what there is" "2 yes no" \
		"$? $([[ $err == *"block: no such profile; there are heap, allocs and mutex"* ]] && echo yes) $([ -e "$TMP/no.txt" ] || echo no)"
done
status=$("$kmprof" status --input "$TMP/without")
same "without: status has no rows of waits" "" "$(echo "$status" | grep 'block\|waits\|waited')"
same "without: it has those of others" "heap mutex" \
	"$(echo "$status" | sed -n '/Profiles/,/^$/s/^  \([a-z]*\) .*/\1/p' | xargs)"

# --- status -------------------------------------------------------------------

status=$("$kmprof" status --input "$TMP/block")
contains "status: the rate of waits" "block_rate=10000: all waits from 10.0us on" "$status"
same "status: exact and estimated waits" "waits for locks 1000 120" \
	"$(echo "$status" | grep 'waits for locks' | xargs)"
same "status: exact and estimated delay" "waited, ns 123456789 2013145001" \
	"$(echo "$status" | grep 'waited, ns' | xargs)"
same "status: rows and samples of waits" "block 11 42 40 2 4.76%" \
	"$(echo "$status" | grep '^  block ' | xargs)"
contains "status: a loss of waits with its meaning" \
	"wait_own               2  not counted: kmprof itself waited" "$status"
same "status: with waits fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"
contains "status: every wait" "block_rate=1: every wait" \
	"$("$kmprof" status --input "$TMP/hidden")"
contains "status: no wait" "block_rate=0: no samples" "$("$kmprof" status --input "$TMP/off")"
image "$TMP/most" <<< "block 68719476736 1 1"
same "status: the largest rate fits 80 columns" "" \
	"$("$kmprof" status --input "$TMP/most" | awk 'length > 80')"
image "$TMP/odd" <<< $'block 1 1 1\nwaits_sampled 9\nwaits_counted 1'
contains "status: notices waits that do not add up" "do not add up" \
	"$("$kmprof" status --input "$TMP/odd")"
same "status: JSON notices it too" False \
	"$("$kmprof" status --json --input "$TMP/odd" | json "v['ledger_consistent']")"
