#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# dump --format text: to the letter, and through pprof's own scaling.
. "$TOOLS/tests/lib.sh"

image "$TMP/small" <<'S'
rate 524288
source 1
wait_source 1
cycle 3
start 5
time 4000000005
totals 100 6400 90
sample 524288 64 10 4 1 0xffffffffc0000010 0xffffffff81001100
sample 524288 8 1 0 0 0xdeadbeef000
loss ring_full sample 1
S
want='heap profile: 7: 392 [11: 648] @ heap/1048576
# profile heap
# cycle 3
# seconds 4
# rows 2
# source kprobe
# wait_source kprobe
# heap_rate 524288
# block_rate 0
# mutex_fraction 0
# labels none
# total.alloc_calls 100
# total.alloc_bytes 6400
# total.free_calls 90
# sampled 12
# counted 11
# ledger.ring_full 1
# total.waits 0
# total.wait_ns 0
# waits_sampled 0
# waits_counted 0
# total.releases 0
# total.blamed_ns 0
# total.unblamed_ns 0
# delays_sampled 0
# delays_counted 0
# estimate.alloc_bytes 5767492
# estimate.alloc_bytes.standard_error 1738867
# estimate.inuse_bytes 3670212
# estimate.inuse_bytes.standard_error 1387136
# estimate.rcu_pending_bytes 524320

6: 384 [10: 640] @ 0xffffffffc0000010 0xffffffff81001100
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffff81001100	alloc_inode+0x100/0x100

1: 8 [1: 8] @ 0xdeadbeef000
#	0xdeadbeef000	0xdeadbeef000'
got=$("$kmprof" dump --input "$TMP/small" --kallsyms "$kallsyms")
same "text: to the letter" "$want" "$got"

# Both formats of one image, through pprof. Random, but the same each time.
awk 'BEGIN {
	srand(1); print "rate 524288"
	for (i = 0; i < 2000; i++) {
		n = int(rand() * 1000) + 1
		printf "sample 524288 %d %d %d 0", 2 ^ int(3 + rand() * 18) + int(rand() * 8), n,
			rand() * n
		for (j = int(rand() * 12); j >= 0; j--)
			printf " 0x%x%05x", 0xfff, int(rand() * 500) + 4096
		print ""
	}
}' > "$TMP/random.spec"
image "$TMP/random" < "$TMP/random.spec"
for profile in heap allocs; do
	"$kmprof" dump $profile --input "$TMP/random" --kallsyms "$kallsyms" -o "$TMP/heap.txt"
	"$kmprof" dump $profile --input "$TMP/random" --kallsyms "$kallsyms" --format pprof -o "$TMP/heap.pb.gz"
	same "text: $profile has the same totals as pprof's format" "$(sums "$TMP/heap.pb.gz")" \
		"$(sums "$TMP/heap.txt")"
	same "text: $profile has the totals computed anew" \
		"$(python3 "$TOOLS/tests/expect.py" sums "$TMP/random.spec")" "$(sums "$TMP/heap.txt")"
done
sort_check()
{
	# Sizes are in bytes; the estimates must come down. 524288 for all.
	grep '^[0-9]' "$1" | tr -d ':[]' | awk -v c="$2" '
		$c > 0 { s = $(c + 1) / $c; e = $(c + 1) / (1 - exp(-s / 524288))
			if (n++ && e > last * 1.000001) { print "not sorted at", NR; exit }
			last = e }'
}
same "text: allocs is sorted by allocated bytes" "" "$(sort_check "$TMP/heap.txt" 3)"
"$kmprof" dump heap --input "$TMP/random" --kallsyms "$kallsyms" -o "$TMP/heap.txt"
same "text: heap is sorted by bytes in use" "" "$(sort_check "$TMP/heap.txt" 1)"

# Nothing freed: pprof must still see both columns.
image "$TMP/allinuse" <<'S'
rate 1
sample 1 64 10 0 0 0xffffffffc0000010
S
"$kmprof" dump --input "$TMP/allinuse" --kallsyms "$kallsyms" > "$TMP/heap.txt"
same "text: pprof sees four columns though nothing was freed" "10 640 10 640" "$(sums "$TMP/heap.txt")"

# Rate 0, as when switched off: the rate that the samples were taken with.
image "$TMP/off" <<'S'
rate 0
sample 524288 64 10 4 0 0xffffffffc0000010
S
"$kmprof" dump --input "$TMP/off" --kallsyms "$kallsyms" > "$TMP/heap.txt"
same "text: scaled by the samples' rate when it is 0 now" "81925 5243200 49155 3145920" "$(sums "$TMP/heap.txt")"

# Mixed periods agree up to one sample: 524288/64 = 8192 objects.
image "$TMP/mixed" <<'S'
rate 524288
sample 524288 64 100 50 0 0xffffffffc0000010
sample 4096 64 100000 50000 0 0xffffffff81001210
sample 1 64 7 7 0 0xffffffff81001220
S
"$kmprof" dump --input "$TMP/mixed" --kallsyms "$kallsyms" > "$TMP/heap.txt"
"$kmprof" dump --input "$TMP/mixed" --kallsyms "$kallsyms" --format pprof > "$TMP/heap.pb.gz"
read -r a _ b _ < <(sums "$TMP/heap.txt")
read -r c _ d _ < <(sums "$TMP/heap.pb.gz")
echo "# text $a $b, pprof $c $d"
[ $((a - c)) -le 8192 ] && [ $((c - a)) -le 8192 ] && [ $((b - d)) -le 8192 ] &&
	[ $((d - b)) -le 8192 ] && [ "$c" -gt 7000000 ]
result "text: other periods are counted again for the rate" $?
# Many stacks with one sample each, as a change of the rate leaves them.
(echo "rate 8192"; for i in $(seq 2000); do echo "sample 4096 64 1 $((i % 2)) 0 $((i * 64 + 4096))"; done) |
	image "$TMP/single"
"$kmprof" dump --input "$TMP/single" --kallsyms "$kallsyms" > "$TMP/single.txt"
"$kmprof" dump --input "$TMP/single" --kallsyms "$kallsyms" --format pprof > "$TMP/single.pb.gz"
read -r a _ b _ < <(sums "$TMP/single.txt")
read -r c _ d _ < <(sums "$TMP/single.pb.gz")
echo "# text $a $b, pprof $c $d"
[ $((100 * a / c)) -eq 100 ] || [ $((100 * a / c)) -eq 99 ] &&
	{ [ $((100 * b / d)) -eq 100 ] || [ $((100 * b / d)) -eq 99 ]; }
result "text: rounding single samples does not bias the sums" $?
contains "text: says how many were counted again" "# recounted 2" "$(cat "$TMP/heap.txt")"
contains "text: says how many became nothing" "# recounted_to_zero 1" "$(cat "$TMP/heap.txt")"
