#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The slab cache of objects: a label of their rows, in every output.
. "$TOOLS/tests/lib.sh"

cat > "$TMP/samples" <<'E'
sample 1 64 6 5 0 0xffffffffc0000010 0xffffffff81001250
slab kmalloc-64
sample 1 192 3 1 0 0xffffffff81001100
slab dentry
sample 1 64 2 0 0 0xffffffff81001100
slab kmalloc-64
sample 1 131072 1 0 0 0xffffffff81001100
E
sampled "$TMP/caches" < "$TMP/samples"
names=(--input "$TMP/caches" --kallsyms "$kallsyms")

same "cache: the text has it before an entry" \
	"# cache dentry|2: 384 [3: 576]|# cache kmalloc-64|1: 64 [6: 384]|# cache kmalloc-64|2: 128 [2: 128]|1: 131072 [1: 131072]" \
	"$("$kmprof" dump "${names[@]}" | grep '^# cache\|^[0-9].* @' | sed 's/ @.*//' |
		paste -sd'|' | sed 's/|#/\n#/g' | sort | paste -sd'|' | sed 's/^\(1: 131072[^|]*\)|\(.*\)$/\2|\1/')"
"$kmprof" dump "${names[@]}" --format pprof -o "$TMP/caches.pb.gz"
same "cache: pprof has it as a label" "cache:[dentry] cache:[kmalloc-64] cache:[kmalloc-64]" \
	"$(pprof -raw "$TMP/caches.pb.gz" | grep -o 'cache:\[[a-z0-9-]*\]' | sort | xargs)"
same "cache: JSON has it as a label" "dentry kmalloc-64 kmalloc-64" \
	"$("$kmprof" dump --json "${names[@]}" |
		json "' '.join(sorted(str(l.get('text', l.get('value'))) for r in v['rows'] for l in r['labels'] if (l.get('key') or l.get('name')) == 'cache'))")"
report=$("$kmprof" report --by cache --column inuse_objects "${names[@]}")
result "cache: report adds up by it" $?
same "cache: ... the numbers" "2 dentry 3 kmalloc-64" \
	"$(echo "$report" | awk '/dentry|kmalloc-64/ { print $1, $NF }' | sort -k2 | xargs)"
sampled "$TMP/old" old_caches < "$TMP/samples"
same "cache: rows of an older module have none" "0" \
	"$("$kmprof" dump --input "$TMP/old" --kallsyms "$kallsyms" | grep -c cache)"
(cat "$TMP/samples"; echo slab 12345678901234567890123456789012) | sampled "$TMP/bad"
out=$("$kmprof" dump --input "$TMP/bad" --kallsyms "$kallsyms" 2>&1)
contains "cache: a name without end is refused" "a row of heap contradicts itself" "$out"
