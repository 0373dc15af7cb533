#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# report: to the letter, and each sum against the rows that dump has written.
. "$TOOLS/tests/lib.sh"

for name in basic labels objects; do
	image "$TMP/$name" < "$TOOLS/tests/$name.spec"
done
names=(--kallsyms "$kallsyms")

same "report: functions, to the letter" "heap: inuse_space, 7.67M ± 1.85M (one standard error)
Not in it: 5 samples; 'kmprof status' tells why

     SELF STD.ERROR  SHARE     TOTAL  SHARE  FUNCTION
    3.00M     1.22M  39.1%     3.00M  39.1%  leak [leaky]
    2.51M     1.12M  32.7%     2.51M  32.7%  alloc_inode
    1.16M      436K  15.1%     1.16M  15.1%  iget_locked
... and 4 more; -n 0 shows all" "$("$kmprof" report "$TMP/basic" "${names[@]}" -n 3)"
same "report: modules by what passes through, to the letter" "heap: inuse_space, 7.67M ± 1.85M (one standard error)
Not in it: 5 samples; 'kmprof status' tells why

    TOTAL STD.ERROR  SHARE      SELF  SHARE  MODULE
    6.67M     1.71M  86.9%     3.67M  47.8%  [kernel]
    3.00M     1.22M  39.1%     3.00M  39.1%  [leaky]
     512K      512K   6.5%      512K   6.5%  [no stack]
     512K      512K   6.5%      512K   6.5%  [unknown]" \
	"$("$kmprof" report "$TMP/basic" "${names[@]}" --by module --children)"
same "report: stacks, to the letter" "block: delay, 280us

    VALUE  SHARE  STACK, LEAF < CALLERS
    230us  82.1%  vfs_read
   40.0us  14.3%  iget_locked
   10.0us   3.6%  [no stack]" "$("$kmprof" report -p block "$TMP/labels" "${names[@]}" --by stack)"

# One function that ends stacks and calls others, a way without a fork, and small ones.
image "$TMP/tree" <<'S2'
rate 1
sample 1 100 60 0 0 0xffffffff81001110 0xffffffffc0000090 0xffffffffc0000010 0xffffffff81001210
sample 1 100 30 0 0 0xffffffffc0000010 0xffffffff81001210
sample 1 100 9 0 0 0xffffffff81001210
sample 1 1 40 0 0 0xffffffff81001110 0xffffffff81001210
sample 1 1 30 0 0 0xffffffff81001100 0xffffffff81001210
S2
tree='heap: inuse_objects, 169

    TOTAL  SHARE  FUNCTION
      169 100.0%  vfs_read
        9   5.3%  |- (itself)
       90  53.3%  |- leak [leaky]
       30  17.8%  |  |- (itself)
       60  35.5%  |  `- leak_outer [leaky]
                  |     iget_locked
       40  23.7%  |- iget_locked
       30  17.8%  `- alloc_inode'
same "report: a tree, to the letter" "$tree" \
	"$("$kmprof" report "$TMP/tree" "${names[@]}" --tree --column inuse_objects)"
same "report: small branches are added up" "    9.74K 100.0%  vfs_read
      900   9.0%  |- (itself)
    8.79K  90.3%  |- leak [leaky]
    2.93K  30.1%  |  |- (itself)
    5.86K  60.2%  |  \`- leak_outer [leaky]
                  |     iget_locked
       70   0.7%  \`- 2 more" "$("$kmprof" report "$TMP/tree" "${names[@]}" --tree | tail -n +4)"
contains "report: ... unless all are asked for" '       30   0.3%  `- alloc_inode' \
	"$("$kmprof" report "$TMP/tree" "${names[@]}" --tree -n 0)"

random "$TMP/random" "$TMP/many"

# agree IMAGE PROFILE KALLSYMS [LABEL]...: its stacks are those of t_formats.sh
agree()
{
	local chosen=(--focus 'f[0-9]*7|read' --ignore 'm2|f1$|locked') name="$1: $2"
	local dir=$TMP/$1.$2 dump report by

	mkdir "$dir"
	dump=("$kmprof" dump "$2" --json --input "$TMP/$1" --kallsyms "$3")
	report=("$kmprof" report "$TMP/$1" -p "$2" --kallsyms "$3" --json -n 0)
	"${dump[@]}" > "$dir.json" && "${dump[@]}" "${chosen[@]}" > "$dir/dump.chosen" &&
		for by in function module "${@:4}"; do
			"${report[@]}" --by "$by" > "$dir/$by" || break
			"${report[@]}" --by "$by" "${chosen[@]}" > "$dir/$by.chosen" || break
		done &&
		"${report[@]}" --children > "$dir/function.children" &&
		"${report[@]}" --by module --children > "$dir/module.children"
	result "report: $name: works" $?
	same "report: $name: each sum, computed anew" "$((2 * $# + 1)) agree" \
		"$(python3 "$TOOLS/tests/sums.py" "$dir.json" "${chosen[1]}" "${chosen[3]}" "$dir"/* 2>&1)"
}
agree basic heap "$kallsyms" bytes
agree basic allocs "$kallsyms" bytes
agree labels block "$kallsyms" comm lock cache pid cgroup
agree labels mutex "$kallsyms" comm lock
agree objects buffers "$kallsyms"
agree random heap "$TMP/many" bytes

# pprof adds up the same.
"$kmprof" dump --input "$TMP/random" --kallsyms "$TMP/many" -o "$TMP/random.pb.gz"
"$kmprof" report "$TMP/random" --kallsyms "$TMP/many" --json -n 0 > "$TMP/report"
same "report: functions as go tool pprof has them" \
	"$(pprof -top -nodecount 1000 -nodefraction 0 -unit B -sample_index inuse_space "$TMP/random.pb.gz" |
		awk 'seen && ($1 != 0 || $4 != 0) { print $1 + 0, $4 + 0, $6 } /flat%/ { seen = 1 }' | sort)" \
	"$(python3 -c 'import json, sys
for row in json.load(sys.stdin)["rows"]: print(row["self"], row["total"], row["name"])' < "$TMP/report" |
		sed 's/ \[m[12]\]$//' | sort)"

[ "$("$kmprof" report "$TMP/random" --kallsyms "$TMP/many" --by stack -n 0 | awk 'length > 100' | wc -l)" -gt 0 ]
result "report: whole stacks in a pipe" $?
for options in "" "--by stack" "--by module --children" "--tree" "--tree --focus f7"; do
	same "report: ${options:-functions} fits 80 columns" "0 yes" \
		"$(terminal "$kmprof report $TMP/random --kallsyms $TMP/many $options" |
			sed 's/\x1b\[[0-9;]*m//g' | awk 'length > 80 { n++ } END { print n + 0, (NR > 5 ? "yes" : "") }')"
done
contains "report: dump says what is chosen, in a line" "# profile heap, source tracepoint, cycle 7, seconds 60, focus leak|a, ignore x #" \
	"$("$kmprof" dump --input "$TMP/basic" "${names[@]}" --format folded --focus 'leak|a' --ignore x)"
same "report: ... and each format has these stacks alone" "leak_outer;leak 3145920" \
	"$("$kmprof" dump --input "$TMP/basic" "${names[@]}" --format folded --focus leak | sed -n 's/^vfs_read;//p')"
contains "report: nothing of a chosen part" "Chosen: 0, 0.0% of it" \
	"$("$kmprof" report "$TMP/basic" "${names[@]}" --focus nothing)"
image "$TMP/empty" <<< "rate 1"
same "report: of nothing" "heap: inuse_space, 0, as nothing was allocated" \
	"$("$kmprof" report "$TMP/empty" "${names[@]}" --by comm | head -1)"
# What is in use without a sample has a limit, as in top.
image "$TMP/none" <<< $'rate 524288\ntotals 100 9000000 90\nsample 524288 64 3 3 0 0xffffffff81001110'
same "report: memory in use without a sample" \
	"heap: inuse_space, $("$kmprof" top --input "$TMP/none" "${names[@]}" | sed -n 's/^In use: \(.*\), [0-9]* stacks.*/\1/p')" \
	"$("$kmprof" report "$TMP/none" "${names[@]}" | head -1)"
same "report: no error where none is known" "False False True True" \
	"$(for column in inuse_objects inuse_space; do
		"$kmprof" report "$TMP/basic" "${names[@]}" --column $column --json |
			json "'standard_error' in v, 'total_standard_error' in v['rows'][0]"
	done | tr -d '(),' | xargs)"
same "report: JSON says how many there are" "7 2" \
	"$("$kmprof" report "$TMP/basic" "${names[@]}" --json -n 2 | json "v['nr_rows'], len(v['rows'])" | tr -d '(),')"
same "report: ... and what is not in a tree" "{'nr': 2, 'total': 70}" \
	"$("$kmprof" report "$TMP/tree" "${names[@]}" --json --tree | json "v['tree']['branches'][0]['others']")"
same "report: stacks of another column are not in the tree" "vfs_read alloc_inode" \
	"$(printf 'rate 1\nsample 1 8 5 5 0 0xffffffff81001110 0xffffffff81001210\nsample 1 8 5 0 0 0xffffffff81001100 0xffffffff81001210\n' |
		"$mkimage" | "$kmprof" report - "${names[@]}" --tree | tail -n +4 | awk '{ print $NF }' | xargs)"
same "report: a label that chosen stacks do not have" "[none]" \
	"$("$kmprof" report "$TMP/labels" -p block "${names[@]}" --by cache --focus iget | awk 'END { print $3 }')"
same "report: slab memory is a kind" "slab" \
	"$("$kmprof" report "$TMP/basic" "${names[@]}" --by kind | awk 'END { print $NF }')"
contains "report: an empty profile has a reason" "no waits: block_rate is 0" \
	"$("$kmprof" report "$TMP/basic" -p block "${names[@]}" 2>&1)"
long=$(printf 'f%.0s' {1..100})
awk -v f="$long" 'BEGIN { for (i = 0; i < 60; i++) printf "ffffffff81%06x t %s%d\n", 4096 + i * 256, f, i }' > "$TMP/long"
awk 'BEGIN { printf "rate 1\nsample 1 8 1 0 0"; for (i = 0; i < 60; i++) printf " 0xffffffff81%06x", 4112 + i * 256; print "" }' |
	image "$TMP/deep"
same "report: a stack in a pipe is whole, however long" "f59" \
	"$("$kmprof" report "$TMP/deep" --kallsyms "$TMP/long" --by stack | awk 'END { print $NF }' | sed 's/ff*/f/')"
same "report: an image from standard input" "$("$kmprof" report "$TMP/basic" "${names[@]}")" \
	"$("$kmprof" report - "${names[@]}" < "$TMP/basic")"
contains "report: no image, no device" "module is not loaded" "$("$kmprof" report 2>&1)"
"$kmprof" report "$TMP/basic" "${names[@]}" > /dev/full 2> "$TMP/err"
same "report: a full disk" "1 yes" "$? $(grep -q 'No space left' "$TMP/err" && echo yes)"
