#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# JSON without memory: each allocation fails once, by nomem.c. No output is cut short unnoticed.
. "$TOOLS/tests/lib.sh"

# fail_nth NAME COMMAND...: status 1 and words, or the whole output in spite of it
fail_nth()
{
	local name=$1 nth=0 want got status cut=0 failed=0

	shift
	want=$("$@")
	while rm -f "$TMP/done"; do
		nth=$((nth + 1))
		got=$(NOMEM_NTH=$nth NOMEM_DONE=$TMP/done LD_PRELOAD="$TOOLS/build/tests/nomem.so" "$@" 2> "$TMP/err")
		status=$?
		[ -e "$TMP/done" ] || break
		if [ $status -eq 1 ] && grep -q "^kmprof: .*out of memory" "$TMP/err"; then
			failed=$((failed + 1))
		elif [ $status -ne 0 ] || [ "$got" != "$want" ]; then
			cut=$((cut + 1))
			echo "# $name: allocation $nth: status $status, $(echo "$got" | wc -c) bytes: $(cat "$TMP/err")"
		fi
	done
	same "no memory: $name" "0 yes" "$cut $([ $failed -gt 10 ] && echo yes)"
}

# Few rows, so that there are few allocations.
image "$TMP/a" <<< $'rate 1\ncycle 7\nstart 1000000000\nsample 1 8 1 0 0 0xffffffff81001210'
image "$TMP/b" <<< $'rate 1\ncycle 7\nstart 1000000000\nsample 1 8 2 0 0 0xffffffff81001210'
image "$TMP/block" <<< "contention 1 5 0 0xffffffff82000040 2 4000 3000"
names=(--kallsyms "$kallsyms")
fail_nth status "$kmprof" status --json --input "$TMP/a"
fail_nth top "$kmprof" top --json --input "$TMP/a" "${names[@]}"
fail_nth report "$kmprof" report --json --focus read --input "$TMP/a" "${names[@]}"
fail_nth "report --by bytes" "$kmprof" report --json --by bytes --input "$TMP/a" "${names[@]}"
fail_nth "report --tree" "$kmprof" report --json --tree --input "$TMP/b" "${names[@]}"
fail_nth dump "$kmprof" dump --json --input "$TMP/a" "${names[@]}"
fail_nth "dump --by lock" "$kmprof" dump block --by lock --json --input "$TMP/block" "${names[@]}"
image "$TMP/inuse" <<< $'rate 1\nsample 1 8 1 0 0 0xffffffff81001210\nages 5 1\nobject 4096 5 1 1\nby 1 a'
fail_nth objects "$kmprof" objects --json --focus read "$TMP/inuse" "${names[@]}"
fail_nth diff "$kmprof" diff --json "$TMP/a" "$TMP/b" "${names[@]}"
mktrace > "$TMP/trace" <<< $'task 10 10 bash\ntask 11 11 make\nbatch 0 10 1100\n@1200 waking 11\n@1300 switch 11 2'
fail_nth "trace report" "$kmprof" trace report --json "$TMP/trace"
fail_nth "trace report --why" "$kmprof" trace report --json --why make "$TMP/trace"
