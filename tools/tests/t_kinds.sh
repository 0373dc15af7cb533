#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Kinds of memory: apart in every output, slab without a word, and set by names.
. "$TOOLS/tests/lib.sh"

# The same stack and size as an object of a slab and as per-CPU memory, and a kind of a later
# module. Sampled at the rate of the text: nothing is counted again.
cat > "$TMP/kinds.spec" <<'S'
rate 1
source 1
heap slab,percpu
totals 10 640 5
percpu 8 1024 3
sample 1 64 6 5 0 0xffffffffc0000010 0xffffffff81001250
sample 1 64 3 1 0 0xffffffffc0000010 0xffffffff81001250
kind 1
sample 1 512 1 0 0 0xffffffff81001100
kind 1
sample 1 4096 1 0 0 0xffffffff81001100
kind 7
S
image "$TMP/kinds" < "$TMP/kinds.spec"
names=(--input "$TMP/kinds" --kallsyms "$kallsyms")

# entries: the numbers and kinds of a text
entries()
{
	grep '^# kind \|^[0-9].* @' | sed 's/ @.*//' | xargs -d '\n' | sed 's/ # /; /g'
}
same "kinds: a comment before each entry that is not of slabs" \
	"# kind kind7 1: 4096 [1: 4096]; kind percpu 1: 512 [1: 512]; kind percpu 2: 128 [3: 192] 1: 64 [6: 384]" \
	"$("$kmprof" dump "${names[@]}" | entries)"
same "kinds: the setting is a fact" "# heap slab,percpu" "$("$kmprof" dump "${names[@]}" | grep '^# heap ')"
same "kinds: the sums have all" "heap profile: 5: 4800 [11: 5184] @ heap/2" \
	"$("$kmprof" dump "${names[@]}" | head -1)"

"$kmprof" dump "${names[@]}" -o "$TMP/kinds.txt"
"$kmprof" dump "${names[@]}" --format pprof -o "$TMP/kinds.pb.gz"
same "kinds: both formats have the same sums" "$(sums "$TMP/kinds.txt")" "$(sums "$TMP/kinds.pb.gz")"
raw=$(pprof -raw "$TMP/kinds.pb.gz")
same "kinds: a label each, but of slabs" "kind:[kind7] kind:[percpu] kind:[percpu]" \
	"$(echo "$raw" | grep -o 'kind:\[[a-z0-9]*\]' | sort | xargs)"
same "kinds: one stack and size, two samples" "3 6" \
	"$(echo "$raw" | sed -n '/^Samples/,/^Locations/s/^ *\([0-9]*\) *\(192\|384\) .*/\1/p' | sort | xargs)"
contains "kinds: the comment has the totals of each" \
	"heap_rate 1, total.alloc_bytes 640, total.percpu_bytes 1024, " \
	"$("$kmprof" dump "${names[@]}" --format pprof | zcat | strings -n 20)"

top=$("$kmprof" top --bytes "${names[@]}")
same "kinds: top tells them apart" "kind7:|percpu:|percpu:|leak" \
	"$(echo "$top" | sed '1,/SITE/d' | awk '{ print $5 }' | xargs | tr ' ' '|')"
same "kinds: top sums all of them up" "4800" "$(echo "$top" | sed -n 's/^In use \([0-9]*\) .*/\1/p')"
value=$("$kmprof" top --json "${names[@]}")
same "kinds: JSON has the kind of each site" "kind7 percpu percpu slab" \
	"$(echo "$value" | json "' '.join(s['kind'] for s in v['sites'])")"
same "kinds: and the estimates of each" "64 640 384 704" \
	"$(echo "$value" | json "'%d %d %d %d' % (v['estimates']['kinds']['slab']['inuse']['bytes'],
	v['estimates']['kinds']['percpu']['inuse']['bytes'],
	v['estimates']['kinds']['slab']['alloc']['bytes'],
	v['estimates']['kinds']['percpu']['alloc']['bytes'])")"
same "kinds: and the totals" "8 1024 3" \
	"$(echo "$value" | json "'%d %d %d' % tuple(v['totals'][n] for n in ('percpu_calls', 'percpu_bytes', 'percpu_frees'))")"
same "kinds: and the setting" "['slab', 'percpu']" "$(echo "$value" | json "v['heap']")"

status=$("$kmprof" status --input "$TMP/kinds")
same "kinds: status has the setting" "Kinds      slab, percpu" "$(echo "$status" | grep '^Kinds')"
same "kinds: status has numbers of each" \
	"allocated objects 10 6|percpu: allocated objects 8 4|percpu: allocated bytes 1024 704 0|percpu: freed objects 3|percpu: in use, objects 3|percpu: in use, bytes 640 0" \
	"$(echo "$status" | grep 'percpu: \|  allocated objects' | xargs -L1 | xargs -d '\n' | sed 's/ \(percpu:\)/|\1/g')"
same "kinds: no total is listed twice" "" "$(echo "$status" | grep 'total\.')"
contains "kinds: top of what is allocated, without a sample, has all totals" "Allocated: no sample; exactly 1664" \
	"$(grep -v '^sample\|^kind' "$TMP/kinds.spec" | "$mkimage" |
		"$kmprof" top --sort alloc --bytes --input - --kallsyms "$kallsyms")"

# Slabs alone look as they did before there were kinds.
grep -v '^kind\|^percpu\|^heap' "$TMP/kinds.spec" > "$TMP/slab.spec"
image "$TMP/slab" < "$TMP/slab.spec"
(echo old_samples; cat "$TMP/slab.spec") | image "$TMP/old"
for what in "dump" "top" "top --json" "dump allocs --format pprof"; do
	same "kinds: $what reads rows of an older module" \
		"$("$kmprof" $what --input "$TMP/slab" --kallsyms "$kallsyms" | base64)" \
		"$("$kmprof" $what --input "$TMP/old" --kallsyms "$kallsyms" | base64)"
done
same "kinds: so does status" "$("$kmprof" status --input "$TMP/slab")" \
	"$("$kmprof" status --input "$TMP/old")"
same "kinds: slabs alone have no kind" "" \
	"$("$kmprof" dump --input "$TMP/slab" --kallsyms "$kallsyms" | grep kind
	"$kmprof" top --input "$TMP/slab" --kallsyms "$kallsyms" | grep slab
	"$kmprof" status --input "$TMP/slab" | grep 'Kinds\|percpu')"
"$kmprof" dump --input "$TMP/slab" --kallsyms "$kallsyms" --format pprof -o "$TMP/slab.pb.gz"
same "kinds: nor a label" "0" "$(pprof -raw "$TMP/slab.pb.gz" | grep -c 'kind:')"

# The setting.
live()
{
	env STUB_IMAGE="$TMP/kinds" LD_PRELOAD="$TOOLS/build/tests/stub.so" "${@:1:$#}"
}
for kinds in slab percpu vmalloc slab,percpu slab,percpu,vmalloc slab,percpu,vmalloc,page none; do
	same "kinds: set heap=$kinds" "heap=$kinds" "$(live "$kmprof" set heap=$kinds)"
done
same "kinds: a number is the rate, as ever" "heap_rate=4096 heap=percpu" \
	"$(live "$kmprof" set heap=percpu heap=4K | xargs)"
same "kinds: a hexadecimal one, too" "heap_rate=16" "$(live "$kmprof" set heap=0x10)"
err=$(live STUB_MAX_HEAP=1 "$kmprof" set heap=slab,percpu 2>&1)
same "kinds: a module without one of them refuses it" "2 yes" \
	"$? $([[ $err == *"heap: 'percpu' is not one of its names"*"any of slab with"* ]] && echo yes)"
err=$(live STUB_WITHOUT=kinds "$kmprof" set heap=slab 2>&1)
same "kinds: an older module has the rate only" "2 yes" \
	"$? $([[ $err == *"heap_rate: 'slab' is not a number"* ]] && echo yes)"
same "kinds: and takes that" "heap_rate=4096" "$(live STUB_WITHOUT=kinds "$kmprof" set heap=4K)"
