#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How movable the pages under objects were asked to be: a label of rows, unless it is the usual one.
. "$TOOLS/tests/lib.sh"

cat > "$TMP/samples" <<'E'
sample 1 64 6 5 0 0xffffffffc0000010 0xffffffff81001250
sample 1 192 3 1 0 0xffffffff81001100
slab dentry
gfp 2
sample 1 4096 7 2 0 0xffffffff81001200
kind 3
gfp 1
sample 1 4096 4 1 0 0xffffffff81001200
kind 3
E
sampled "$TMP/classes" < "$TMP/samples"
names=(--input "$TMP/classes" --kallsyms "$kallsyms")

same "gfp: the text has it before an entry" \
	"# cache dentry, gfp reclaimable|# kind page|# kind page, gfp movable" \
	"$("$kmprof" dump "${names[@]}" | grep '^# cache\|^# kind' | sort | paste -sd'|')"
"$kmprof" dump "${names[@]}" --format pprof -o "$TMP/classes.pb.gz"
same "gfp: pprof has it as a label" "gfp:[movable] gfp:[reclaimable]" \
	"$(pprof -raw "$TMP/classes.pb.gz" | grep -o 'gfp:\[[a-z]*\]' | sort | xargs)"
same "gfp: JSON has it as a label" "movable reclaimable" \
	"$("$kmprof" dump --json "${names[@]}" |
		json "' '.join(sorted(l['value'] for r in v['rows'] for l in r['labels'] if l['name'] == 'gfp'))")"
same "gfp: report adds up by it, the usual one as well" "5 movable 2 reclaimable 4 unmovable" \
	"$("$kmprof" report --by gfp --column inuse_objects "${names[@]}" |
		awk '$NF ~ /movable|reclaimable/ { print $1, $NF }' | sort -k2 | xargs)"
sampled "$TMP/old" old_gfp < "$TMP/samples"
same "gfp: rows of an older module have none" "0" \
	"$("$kmprof" dump --input "$TMP/old" --kallsyms "$kallsyms" | grep -c gfp)"
same "gfp: ... in report, too" "stack, function, module, kind, bytes, cache" \
	"$("$kmprof" report --by gfp --input "$TMP/old" --kallsyms "$kallsyms" 2>&1 | sed -n 's/.*there are: //p')"
(cat "$TMP/samples"; echo gfp 7) | sampled "$TMP/later"
same "gfp: one of a later module is not shown" "2" \
	"$("$kmprof" dump --input "$TMP/later" --kallsyms "$kallsyms" | grep -c gfp)"
