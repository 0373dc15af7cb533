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
contains "status: samples" "27 seen, 22 counted, 5 not (18.52%)" "$status"
contains "status: a loss with its meaning" \
	"ring_full                  3  dropped: the CPU's ring was full (ring_bytes)" "$status"
same "status: a loss of zero is not listed" "" "$(echo "$status" | grep nested)"
same "status: fits 80 columns" "" "$(echo "$status" | awk 'length > 80')"

# Each loss that the module knows has words here, that fit 80 columns.
names=$(find "$TOOLS/../module" -name stats.c -exec \
	sed -n '/kmprof_loss_names/,/^}/s/.*KMPROF_LOSS_[A-Z].*"\([a-z_]*\)".*/\1/p' {} +)
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
