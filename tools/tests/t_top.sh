#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# status and top: the numbers, as text and as JSON.
. "$TOOLS/tests/lib.sh"

spec=$TOOLS/tests/basic.spec
image "$TMP/basic" < "$spec"
read -r inuse inuse_error alloc alloc_error < <(python3 "$TOOLS/tests/expect.py" estimate "$spec")

status=$("$kmprof" status --input "$TMP/basic")
result "status: works on an image" $?
same "status: exact and estimated bytes" "allocated bytes 123456789 $alloc $alloc_error" \
	"$(echo "$status" | grep 'allocated bytes  ' | xargs)"
same "status: bytes in use" "in use, bytes $inuse $inuse_error" \
	"$(echo "$status" | grep 'in use, bytes' | xargs)"
same "status: rows and samples" "heap 6 27 22 5 18.52%" \
	"$(echo "$status" | grep '^  heap ' | xargs)"
contains "status: a loss with its meaning" \
	"ring_full                3  dropped: the CPU's ring was full (ring_bytes)" "$status"
same "status: a loss of zero is not listed" "" "$(echo "$status" | grep nested)"
same "status: fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"

# Each loss that the module knows has words here, that fit 80 columns.
names=$(find "$TOOLS/../module" -name '*.c' -exec \
	sed -nE 's/.*KMPROF_(LOST|LEDGER)\("([^"]*)".*/\2/p' {} +)
[ "$(echo "$names" | wc -w)" -ge 10 ]
result "status: the module's losses are found in its source" $?
(echo "rate 1"; for name in $names; do echo "loss $name sample 1234567890"; done) | image "$TMP/all"
all=$("$kmprof" status --input "$TMP/all")
same "status: each loss of the module is listed" "$(echo "$names" | wc -w)" "$(echo "$all" | grep -c ' 1234567890  ')"
same "status: each loss of the module has words" "" "$(echo "$all" | grep 'not known')"
same "status: with all losses fits 80 columns" "" "$(echo "$all" | awk 'length > 80')"
image "$TMP/new" <<< $'rate 1\nloss brand_new other 1'
contains "status: a loss of a later module is shown too" "brand_new" \
	"$("$kmprof" status --input "$TMP/new")"
image "$TMP/odd" <<< $'rate 1\nsampled 99\nsample 1 8 1 0 0'
contains "status: notices a ledger that does not add up" "do not add up" \
	"$("$kmprof" status --input "$TMP/odd")"
same "status: JSON notices it" False \
	"$("$kmprof" status --json --input "$TMP/odd" | json "v['ledger_consistent']")"
same "status: JSON has the same numbers" "123456789 $alloc $alloc_error $inuse $inuse_error" \
	"$("$kmprof" status --json --input "$TMP/basic" | json "'%d %.0f %.0f %.0f %.0f' % (
	v['totals']['alloc_bytes'], v['estimates']['alloc']['bytes'],
	v['estimates']['alloc']['bytes_standard_error'], v['estimates']['inuse']['bytes'],
	v['estimates']['inuse']['bytes_standard_error'])")"
same "status: JSON has the whole ledger" "ring_full=3 own=2 nested=0 stack_truncated=9" \
	"$("$kmprof" status --json --input "$TMP/basic" | json "' '.join('%s=%d' % (l['name'], l['count'])
	for l in v['ledger'])")"
image "$TMP/off" <<< $'rate 0\nsample 4096 8 1 0 0'
"$kmprof" status --input "$TMP/off" > /dev/null && "$kmprof" top --input "$TMP/off" > /dev/null
result "status: works when the rate is 0" $?

top=("$kmprof" top --input "$TMP/basic" --kallsyms "$kallsyms")
out=$("${top[@]}" --bytes)
contains "top: the total and its error" "In use $inuse ± $inuse_error (one standard error)" "$out"
contains "top: says what is not in it" "Not in it: 5 of 27 samples" "$out"
# Sizes of one stack come together: 6 of 64 bytes and none of 192 are in use.
same "top: a stack with its sizes summed" "3145920 1284238 49155 39.1% leak [leaky] < leak_outer [leaky] < vfs_read" \
	"$(echo "$out" | grep 'leak_outer' | xargs)"
contains "top: an unknown address" " 0xdeadbeef000" "$out"
contains "top: no stack" " [no stack]" "$out"
same "top: -n limits" 2 "$("${top[@]}" -n 2 | grep -c '%  ')"
same "top: -n 0 shows all" 5 "$("${top[@]}" -n 0 | grep -c '%  ')"
same "top: largest in use first" "leak" \
	"$("${top[@]}" -n 1 | sed -n 's/.*%  \([a-z_]*\).*/\1/p')"
same "top: largest allocated first" "leak alloc_inode iget_locked" \
	"$("${top[@]}" -n 3 --sort alloc | sed -n 's/.*%  \([a-z_]*\).*/\1/p' | xargs)"
contains "top: human sizes" "3.00M" "$("${top[@]}")"
contains "top: plain plus-minus without UTF-8" " +- " "$(LC_ALL=C "${top[@]}")"
same "top: JSON has whole stacks" "leak leaky leak_outer leaky vfs_read None 49155 3145920" \
	"$("${top[@]}" --json | json "[' '.join(['%s %s' % (f['function'], f['module']) for f in s['stack']] +
	['%.0f %.0f' % (s['inuse']['objects'], s['inuse']['bytes'])]) for s in v['sites']][0]")"
same "top: JSON addresses are the image's" "0xffffffffc0000010" \
	"$("${top[@]}" --json | json "v['sites'][0]['stack'][0]['address']")"

# Where no sample is in use, "0 ± 0" would claim too much.
# limit NAME SUMMARY BYTES < DESCRIPTION: as top, status, JSON and pprof tell it
limit()
{
	local out words=", in use: $2"

	image "$TMP/limit"
	out=$("$kmprof" top --bytes --input "$TMP/limit" --kallsyms "$kallsyms" | sed -n '1s/, [0-9]* stacks.*//p')
	same "limit: $1" "In use: $2" "$out"
	same "limit: $1, status" "  $(echo "$out" | sed "s/ $3/ $3 bytes/")." \
		"$("$kmprof" status --input "$TMP/limit" | grep '^  In use:')"
	same "limit: $1, JSON" "$3" "$("$kmprof" status --json --input "$TMP/limit" |
		json "'%.0f' % v['estimates']['inuse_limit_bytes']")"
	"$kmprof" dump --input "$TMP/limit" --kallsyms "$kallsyms" --format pprof > "$TMP/limit.pb.gz"
	contains "limit: $1, pprof" "${words/ $3/ $3 bytes}" "$(pprof -comments "$TMP/limit.pb.gz")"
}
# -ln(0.05) * 524288
limit "of the rate" "no sample, less than 1570626 (95 % confidence)" 1570626 <<S
rate 524288
totals 1000000 100000000 0
S
contains "limit: in human sizes" "In use: no sample, less than 1.50M (95 % confidence), 0 stacks, heap_rate=512K" \
	"$("$kmprof" top --input "$TMP/limit" --kallsyms "$kallsyms")"
contains "limit: what was allocated is known" "Allocated: no sample; exactly 95.4M, 0 stacks" \
	"$("$kmprof" top --sort alloc --input "$TMP/limit" --kallsyms "$kallsyms")"
limit "of the total, if that is less" "no sample, at most 1570625, all allocated" 1570625 <<S
rate 524288
totals 1000 1570625 0
S
limit "of an earlier rate, of which there are samples" "no sample, less than 1570626 (95 % confidence)" 1570626 <<S
rate 4096
totals 1000000 100000000 1
sample 524288 64 1 1 0 0x1001
S
limit "of the rate, not of a lower one before" "no sample, less than 1570626 (95 % confidence)" 1570626 <<S
rate 524288
totals 1000000 100000000 1
sample 4096 64 1 1 0 0x1001
S
limit "none with lost samples" "only lost samples, at most 100000000, all allocated" 100000000 <<S
rate 524288
totals 1000000 100000000 0
loss ring_full sample 1
S
limit "the same with losses of others" "no sample, less than 1570626 (95 % confidence)" 1570626 <<S
rate 524288
totals 1000000 100000000 0
loss ring_full wait 1
loss missed_free other 1
S
limit "nothing when all was sampled" "0, as every allocation was sampled" 0 <<S
rate 1
totals 10 640 10
sample 1 64 10 10 0 0x1001
S
limit "not nothing when only what came last was" "no sample, at most 704, all allocated" 704 <<S
rate 1
totals 11 704 10
sample 1 64 10 10 0 0x1001
S
limit "nothing when nothing was allocated" "0, as nothing was allocated" 0 <<< "rate 0"
same "limit: none with samples" "None" \
	"$("$kmprof" status --json --input "$TMP/basic" | json "v['estimates']['inuse_limit_bytes']")"
same "limit: none with samples, status" "" "$(echo "$status" | grep 'In use:')"
image "$TMP/limit" <<< $'rate 1\ntotals 18446744073709551615 18446744073709551615 0\nloss own sample 1'
same "limit: the largest fits 80 columns" "1 0" "$("$kmprof" status --input "$TMP/limit" |
	awk '/In use:/ { n++ } length > 80 { long++ } END { print n + 0, long + 0 }')"

# Lines of different stacks that would look the same. The second name of a symbol and
# functions of one name come from a table of their own.
cat > "$TMP/twins" <<'K'
ffffffff81000000 T _text
ffffffff81001000 t init
ffffffff81002000 t init
ffffffff81003000 T outer
ffffffff81004000 T outest
ffffffff81100000 T _etext
K
# lines SPEC [COLUMNS]: the column of sites
lines()
{
	image "$TMP/lines" <<< "$1"
	if [ $# -eq 1 ]; then
		"$kmprof" top --input "$TMP/lines" --kallsyms "$TMP/twins" 2> /dev/null
	else
		terminal "NO_COLOR=1 $kmprof top --input $TMP/lines --kallsyms $TMP/twins" "$2"
	fi | sed -n '1,/SHARE/d; s/.*%  //p'
}
o=0xffffffff8100300
p=0xffffffff8100400
same "lines: two calls in one function" "init+0x10 < outer
init+0x20 < outer" "$(lines "rate 1
sample 1 64 3 0 0 0xffffffff81001010 ${o}1
sample 1 64 2 0 0 0xffffffff81001020 ${o}1")"
same "lines: a caller's calls" "init < outer+0x1 < outest
init < outer+0x2 < outest" "$(lines "rate 1
sample 1 64 3 0 0 0xffffffff81001010 ${o}1 ${p}1
sample 1 64 2 0 0 0xffffffff81001010 ${o}2 ${p}1")"
same "lines: functions of one name" "init+0x10 (0xffffffff81001010)
init+0x10 (0xffffffff81002010)" "$(lines "rate 1
sample 1 64 3 0 0 0xffffffff81001010
sample 1 64 2 0 0 0xffffffff81002010")"
same "lines: a caller behind the last that is shown" \
	"init < outer < outer < outer < outer < ... < outer+0x8 < ...
init < outer < outer < outer < outer < ... < outest+0x1
init < outer < outer < outer < outer" "$(lines "rate 1
sample 1 64 4 0 0 0xffffffff81001010 ${o}1 ${o}1 ${o}1 ${o}1 ${o}1 ${o}8 ${p}1
sample 1 64 3 0 0 0xffffffff81001010 ${o}1 ${o}1 ${o}1 ${o}1 ${o}1 ${p}1
sample 1 64 2 0 0 0xffffffff81001010 ${o}1 ${o}1 ${o}1 ${o}1 ${o}1" | sed 's/outer+0x8$/& < .../')"
same "lines: one stack is the end of another" "init < outer < outest
init < outer" "$(lines "rate 1
sample 1 64 3 0 0 0xffffffff81001010 ${o}1 ${p}1
sample 1 64 2 0 0 0xffffffff81001010 ${o}1")"
same "lines: three of a kind, by two frames" "init+0x10 < outer+0x1
init+0x10 < outer+0x2
init+0x20 < outer" "$(lines "rate 1
sample 1 64 4 0 0 0xffffffff81001010 ${o}1
sample 1 64 3 0 0 0xffffffff81001010 ${o}2
sample 1 64 2 0 0 0xffffffff81001020 ${o}2")"
same "lines: others stay as they are" "init < outer
outer < outest" "$(lines "rate 1
sample 1 64 4 0 0 0xffffffff81001010 ${o}1
sample 1 64 3 0 0 ${o}2 ${p}2")"
same "lines: hidden addresses" "[address hidden]
[address hidden] (3 frames)" "$(lines "rate 1
noaddresses
sample 1 64 4 0 0 0 0
sample 1 64 3 0 0 0 0 0")"
for width in 80 60; do
	out=$(lines "rate 1
sample 1 64 4 0 0 0xffffffff81001010 ${o}1 ${o}1 ${o}1 ${o}1 ${o}1 ${o}8 ${p}1
sample 1 64 3 0 0 0xffffffff81001010 ${o}1 ${o}1 ${o}1 ${o}1 ${o}1 ${p}1" $width)
	same "lines: a terminal of $width columns has room for it" "2 0" \
		"$(echo "$out" | sort -u | awk -v w=$((width - 38)) '{ n++ } length > w { long++ }
			END { print n + 0, long + 0 }')"
done
same "lines: a terminal with no room ends all the same" 2 "$(lines "rate 1
sample 1 64 3 0 0 0xffffffff81001010 ${o}1
sample 1 64 2 0 0 0xffffffff81001020 ${o}1" 40 | wc -l)"

# An image from before the machine was booted must not get this boot's names.
out=$("$kmprof" top --input "$TMP/basic" 2>&1)
contains "top: this boot's names are not put on an older image" "older than the running kernel" "$out"
contains "top: its addresses stay bare" " 0xffffffffc0000010 < " "$out"
(echo "time $(date +%s)000000000"; grep -v '^time' "$spec") | image "$TMP/now"
same "top: an image of this boot gets names" "" \
	"$("$kmprof" top --input "$TMP/now" 2>&1 | grep 'older than')"
sed 's/^[0-9a-f]*/0000000000000000/' "$kallsyms" > "$TMP/zero"
err=$("$kmprof" top --input "$TMP/basic" --kallsyms "$TMP/zero" 2>&1)
same "top: zero addresses are explained" "1 yes" \
	"$? $([[ $err == *"all addresses are zero"*kptr_restrict* ]] && echo yes)"
