#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The NUMA node of memory: a label of rows that have one.
. "$TOOLS/tests/lib.sh"

cat > "$TMP/samples" <<'E'
sample 1 64 6 5 0 0xffffffffc0000010 0xffffffff81001250
node 0
sample 1 64 3 1 0 0xffffffffc0000010 0xffffffff81001250
node 1
comm nginx
sample 1 4096 7 2 0 0xffffffff81001200
kind 2
node 4294967295
E
sampled "$TMP/nodes" < "$TMP/samples"
names=(--input "$TMP/nodes" --kallsyms "$kallsyms")

same "node: the text has it before an entry" "# comm nginx, node 1|# kind vmalloc|# node 0" \
	"$("$kmprof" dump "${names[@]}" | grep '^# comm\|^# kind\|^# node' | sort | paste -sd'|')"
"$kmprof" dump "${names[@]}" --format pprof -o "$TMP/nodes.pb.gz"
same "node: pprof has it as a number, 0 as well" "node:[0 node] node:[1 node]" \
	"$(pprof -raw "$TMP/nodes.pb.gz" | grep -o 'node:\[[^]]*\]' | sort | xargs -d '\n')"
same "node: report adds up by it" "1 0 2 1 5 [none]" \
	"$("$kmprof" report --by node --column inuse_objects "${names[@]}" |
		awk '$NF ~ /^([01]|\[none\])$/ { print $1, $NF }' | sort -k2 | xargs)"
grep -v node "$TMP/samples" | sampled "$TMP/old" old_labels
same "node: labels of an older module are shorter" "1" \
	"$("$kmprof" dump --input "$TMP/old" --kallsyms "$kallsyms" | grep -c "comm nginx")"
sampled "$TMP/bad" old_labels < "$TMP/samples"
out=$("$kmprof" dump --input "$TMP/bad" --kallsyms "$kallsyms" 2>&1)
contains "node: a label too short for one that has one" "a label is too short for a node" "$out"
