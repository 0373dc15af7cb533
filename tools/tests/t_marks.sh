#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Marks: what was in use at the peak, at a size, and at an OOM, in every output.
. "$TOOLS/tests/lib.sh"

cat > "$TMP/spec" <<'E'
rate 1
source 1
start 1000000000
time 9000000000
totals 11 1000 5
sample 1 64 6 5 0 0xffffffffc0000010 0xffffffff81001250
marks 4 0 2
sample 1 192 3 1 0 0xffffffff81001100
marks 1 0 0
sample 1 100 2 0 0 0xffffffff81001100
scalar mark.peak_bytes bytes - 448 mark
scalar mark.peak_time_ns - - 5000000000 mark
scalar mark.at_bytes bytes - 0 mark
scalar mark.at_time_ns - - 0 mark
scalar mark.oom_bytes bytes - 128 mark
scalar mark.oom_time_ns - - 7000000000 mark
E
image "$TMP/marks" < "$TMP/spec"
names=(--input "$TMP/marks" --kallsyms "$kallsyms")

# column NAME: the sums of a report by stack
column()
{
	"$kmprof" report --json --by stack --limit 0 --column "$1" "${names[@]}" |
		json "' '.join(str(r['$1']) for r in v['rows'])"
}

"$kmprof" dump "${names[@]}" --format pprof -o "$TMP/marks.pb.gz"
result "marks: pprof" $?
same "marks: pprof has those that there were" \
	"alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes oom_objects/count oom_space/bytes" \
	"$(pprof -raw "$TMP/marks.pb.gz" | sed -n '/^Samples:/{n;p}' | sed 's/\[dflt\]//' | xargs)"
same "marks: ... and their numbers" "11 1160 5 648 5 448 2 128" "$(sums "$TMP/marks.pb.gz")"
same "marks: JSON" "448" "$("$kmprof" dump --json "${names[@]}" | json "sum(r['values'][5] for r in v['rows'])")"
report=$("$kmprof" report --by bytes --column peak_space "${names[@]}")
result "marks: report by another column" $?
same "marks: ... its numbers" "192 192 256 64" \
	"$(echo "$report" | awk '$NF == 64 || $NF == 192 { print $1, $NF }' | sort -n | xargs)"
out=$("$kmprof" report --column at_space "${names[@]}" 2>&1)
result "marks: a mark that there was not is no column" $((! $?))
contains "marks: ... and those that there are, are told" "oom_objects, oom_space" "$out"
status=$(TZ=UTC "$kmprof" status "${names[@]::2}")
contains "marks: status tells when" "Peak       448 bytes in use, at 1970-01-01 00:00:05" "$status"
contains "marks: ... of each" "At OOM     128 bytes in use, at 1970-01-01 00:00:07" "$status"
same "marks: ... and of no other" "" "$(echo "$status" | grep "At heap_at")"

# Two snapshots of which one has a mark more: what is in use now is compared.
grep -v '^marks\|^scalar' "$TMP/spec" | sed 's/^sample 1 64 6/sample 1 64 5/; s/^time.*/time 8000000000/' |
	image "$TMP/before"
out=$("$kmprof" diff --kallsyms "$kallsyms" "$TMP/before" "$TMP/marks" 2>&1)
result "marks: diff" $?
same "marks: ... is of other columns" "" "$(echo "$out" | grep -i peak)"

contains "marks: ... shows what is in use" "inuse_space" "$out"
sed 's/^totals 11/totals 12/; s/^time .*/time 9500000000/; s/^sample 1 64 6/sample 1 64 7/' "$TMP/spec" | image "$TMP/after"
out=$("$kmprof" diff --kallsyms "$kallsyms" "$TMP/marks" "$TMP/after" 2>&1)
result "marks: diff of two with marks" $?
same "marks: ... is of other columns, too" "" "$(echo "$out" | grep -i peak)"
same "marks: status in JSON" "448 5000000000 0" "$("$kmprof" status --json --input "$TMP/marks" |
	json "v['mark.peak_bytes'], v['mark.peak_time_ns'], v['mark.at_time_ns']" | tr -d '(),')"

(echo old_marks; cat "$TMP/spec") | image "$TMP/old"
same "marks: rows of an older module have none" "4" \
	"$("$kmprof" dump --input "$TMP/old" --kallsyms "$kallsyms" --json | json "len(v['rows'][0]['values'])")"
sed 's/^marks 4 0 2/marks 4 0 7/' "$TMP/spec" | image "$TMP/bad"
out=$("$kmprof" dump --input "$TMP/bad" --kallsyms "$kallsyms" 2>&1)
contains "marks: more in use than ever came is refused" "a row of heap contradicts itself" "$out"

# A size is a number with a suffix.
with_stub()
{
	LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_MARKS=1 STUB_IMAGE="$TMP/marks" "$kmprof" "$@"
}
same "marks: set takes a size" "heap_peak=1 heap_at=67108864" "$(with_stub set heap_peak=1 heap_at=64M | xargs)"
out=$(with_stub set heap_peak=2 2>&1)
contains "marks: ... and refuses what is none" "heap_peak" "$out"
