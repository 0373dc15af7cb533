#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# dump --format pprof: read back by pprof itself.
. "$TOOLS/tests/lib.sh"

spec=$TOOLS/tests/basic.spec
image "$TMP/basic" < "$spec"
dump=("$kmprof" dump --input "$TMP/basic" --kallsyms "$kallsyms")
"${dump[@]}" --format pprof -o "$TMP/heap.pb.gz"
result "pprof: written" $?
raw=$(pprof -raw "$TMP/heap.pb.gz")

contains "pprof: sample types, default in use" \
	"alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes[dflt]" "$raw"
contains "pprof: period type" "PeriodType: space bytes" "$raw"
contains "pprof: period" "Period: 524288" "$raw"
contains "pprof: duration" "Duration: 1m0s" "$raw"
contains "pprof: taken at" "Time: 2023-11-14 22:14:20" "$(TZ=UTC pprof -raw "$TMP/heap.pb.gz")"
same "pprof: sums are those of each bucket scaled" "$(python3 "$TOOLS/tests/expect.py" sums "$spec")" \
	"$(sums "$TMP/heap.pb.gz")"

# Ten objects of 64 bytes, each stands for 8192.5: the values by hand.
contains "pprof: one sample's values" "81925    5243200      49155    3145920:" "$raw"
contains "pprof: label bytes with its unit" "bytes:[64 bytes]" "$raw"
same "pprof: sizes stay apart" "64 192 512 1024 4096 1048576" "$(echo "$raw" |
	sed -n 's/.*bytes:\[\([0-9]*\) bytes\].*/\1/p' | sort -n | xargs)"

locations=$(echo "$raw" | sed -n '/^Locations/,/^Mappings/p')
contains "pprof: address is inside the call" "0xffffffffc000000f M=2 leak" "$locations"
contains "pprof: call at a function's end belongs to it" "0xffffffff810010ff M=1 alloc_inode" \
	"$locations"
contains "pprof: module function has the module's mapping" "0xffffffffc000008f M=2 leak_outer" \
	"$locations"
contains "pprof: unknown address stays bare" "0xdeadbeeefff" "$locations"
contains "pprof: no stack has a name" "[no stack]" "$locations"
contains "pprof: kernel mapping" "0xffffffff81000000/0xffffffff81100000/0x0 [kernel.kallsyms]" "$raw"
contains "pprof: module mapping" "0xffffffffc0000000/0xffffffffc0000100/0x0 [leaky]" "$raw"
same "pprof: mappings say that they have functions" 2 "$(echo "$raw" | grep -c '\[FN\]$')"

# pprof need not look anything up, and the leak is where it belongs.
top=$(pprof -top -sample_index=inuse_space -lines "$TMP/heap.pb.gz")
contains "pprof: top knows names" "leak" "$top"
comments=$(pprof -comments "$TMP/heap.pb.gz")
contains "pprof: losses travel along" "ledger.ring_full 3" "$comments"
contains "pprof: what is no loss of samples is named, too" "also in the ledger: ledger.stack_truncated 9" \
	"$comments"
contains "pprof: how much is not in it" "not in it: 5 of 27 samples: ledger.ring_full 3, ledger.own 2" \
	"$comments"
contains "pprof: where all facts are" "kmprof dump heap (text), kmprof status" "$comments"
contains "text: losses that are zero too" "# ledger.nested 0" "$("${dump[@]}")"

# pprof shows the comments before anything else: there are few, whatever is lost.
# first_lines PROFILE IMAGE
first_lines()
{
	"$kmprof" dump "$1" --input "$2" --kallsyms "$kallsyms" --format pprof -o "$TMP/few.pb.gz" 2> /dev/null
	pprof -top "$TMP/few.pb.gz" | sed '/^File: \|^Build ID: /d; /^Type: /,$d'
}
(cat "$TOOLS/tests/mutex.spec"; for i in $(seq 14); do
	for kind in sample wait delay other; do echo "loss a_loss_with_a_name_${kind}_$i $kind $i"; done
done) | image "$TMP/lossy"
for profile in heap allocs block mutex; do
	lines=$(first_lines $profile "$TMP/lossy")
	same "pprof: $profile has five lines of comments" 5 "$(echo "$lines" | wc -l)"
	own=$(case $profile in block) echo wait ;; mutex) echo delay ;; *) echo sample ;; esac)
	contains "pprof: $profile names each loss of its samples" "a_loss_with_a_name_${own}_14 14" \
		"$(echo "$lines" | grep '^not in it: 1[0-9]* of [0-9]* samples: ')"
	same "pprof: $profile names all that is lost, and no loss of another profile's samples" \
		"$(printf "%s\n" other $own | sort | xargs)" "$(echo "$lines" | grep -o 'name_[a-z]*_[0-9]* [1-9]' | sed 's/name_//; s/_.*//' |
			sort | uniq -c | awk '$1 == 14 { print $2 }' | sort | xargs)"
done
same "pprof: without a loss there are four" "profile heap, source kprobe, cycle 0, seconds 0
heap_rate 4096, total.alloc_bytes 0, estimate.inuse_bytes 4100, estimate.inuse_bytes.standard_error 4096
no sample lost: 1 are counted
all facts: kmprof dump heap (text), kmprof status; their meaning: kmprof(1)" \
	"$(image "$TMP/lossless" <<< $'rate 4096\nsample 4096 8 1 0 0 0x1001\nloss nested sample 0'; first_lines heap "$TMP/lossless")"
contains "pprof: a ledger that does not add up" "sampled 9, counted 1 do not add up" \
	"$(image "$TMP/odd" <<< $'rate 1\nsampled 9\nsample 1 8 1 0 0'; first_lines heap "$TMP/odd")"
contains "pprof: exact totals travel along" "total.alloc_bytes 123456789" "$comments"
contains "pprof: standard error travels along" "estimate.inuse_bytes.standard_error " "$comments"

"$kmprof" dump allocs --input "$TMP/basic" --kallsyms "$kallsyms" --format pprof > "$TMP/allocs.pb.gz"
contains "pprof: allocs shows allocated bytes first" "alloc_space/bytes[dflt]" \
	"$(pprof -raw "$TMP/allocs.pb.gz")"

# Build ids come from notes under --symfs.
sys=$TMP/root/sys
mkdir -p "$TMP/root/proc" "$sys/kernel" "$sys/module/leaky/notes"
cp "$kallsyms" "$TMP/root/proc/kallsyms"
echo "leaky 65536 0 - Live 0xffffffffc0000000 (OE)" > "$TMP/root/proc/modules"
printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xca\xfe\xba\xbe' > "$sys/kernel/notes"
printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\x12\x34\x56\x78' > "$sys/module/leaky/notes/.note.gnu.build-id"
"$kmprof" dump --input "$TMP/basic" --symfs "$TMP/root" --format pprof > "$TMP/symfs.pb.gz"
raw=$(pprof -raw "$TMP/symfs.pb.gz")
contains "pprof: the kernel's build id" "[kernel.kallsyms] cafebabe [FN]" "$raw"
contains "pprof: a module's build id and size" \
	"0xffffffffc0000000/0xffffffffc0010000/0x0 [leaky] 12345678 [FN]" "$raw"

# Pieces of one size: two of a module, and two of generated code, which is gone.
image "$TMP/pieces" <<'S'
rate 1
module leaky 0xffffff8000000000 0x1000 0xffffffffc0000000 12345678
module leaky 0xffffff8000004000 0x1000 0xffffffffc0002000 12345678
module - 0xffffff8000008000 0x1000 0xffffffffc0004000
module - 0xffffff800000c000 0x1000 0xffffffffc0006000
symbol leak_init 0xffffff8000000020 0x20 0
symbol leak 0xffffff8000004020 0x20 1
sample 1 64 1 0 0 0xffffff8000000030
sample 1 64 2 0 0 0xffffff8000004030
sample 1 64 3 0 0 0xffffff8000008030
sample 1 64 4 0 0 0xffffff800000c030
S
"$kmprof" dump --input "$TMP/pieces" --kallsyms "$kallsyms" --format pprof > "$TMP/pieces.pb.gz"
same "pprof: pieces of one size keep their addresses" \
	"256 0xffffff800000c02f [[unknown]]
192 0xffffff800000802f [[unknown]]
128 0xffffff800000402f leak
64 0xffffff800000002f leak_init" \
	"$(pprof -top -addresses -unit=B "$TMP/pieces.pb.gz" | sed '1,/flat%/d' |
		awk '{ print $1 + 0, $6, $7 }' | sed 's/ 0*\(ffff\)/ 0x\1/; s/ *$//')"

# Two periods, one stack and size: one sample, each part scaled by its own.
image "$TMP/mixed" <<'S'
rate 4096
sample 4096 64 1000 500 0 0xffffffffc0000010
sample 524288 64 10 5 0 0xffffffffc0000010
sample 1 64 7 0 0 0xffffffffc0000010
S
"$kmprof" dump --input "$TMP/mixed" --kallsyms "$kallsyms" --format pprof > "$TMP/mixed.pb.gz"
# 1000 / (1 - exp(-64/4096)) = 64501.30, 10 / (1 - exp(-64/524288)) = 81925.00, 7
contains "pprof: periods are scaled apart and summed" \
	"146433    9371731      73219    4686089: 1" "$(pprof -raw "$TMP/mixed.pb.gz" | sed 's/^ *//')"

# What the kernel hides stays hidden, but the numbers are there.
image "$TMP/hidden" <<'S'
rate 1
noaddresses
sample 1 64 10 4 0 0 0 0
S
"$kmprof" dump --input "$TMP/hidden" --format pprof > "$TMP/hidden.pb.gz" 2> "$TMP/err"
contains "pprof: hidden addresses are explained" "CAP_SYSLOG" "$(cat "$TMP/err")"
contains "pprof: hidden addresses have a name" "[address hidden]" "$(pprof -raw "$TMP/hidden.pb.gz")"
same "pprof: hidden addresses keep the numbers" "10 640 6 384" "$(sums "$TMP/hidden.pb.gz")"

image "$TMP/empty" <<'S'
rate 524288
S
"$kmprof" dump --input "$TMP/empty" --kallsyms "$kallsyms" --format pprof > "$TMP/empty.pb.gz"
contains "pprof: an empty profile is one" "PeriodType: space bytes" "$(pprof -raw "$TMP/empty.pb.gz")"
