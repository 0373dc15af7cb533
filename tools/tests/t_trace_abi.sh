#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What Documentation/abi.rst shows of a trace is one.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1

# shown PATTERN: the bytes of the line with that
shown()
{
	sed -n "s/^\t\([0-9a-f ]*\)  .*$1.*/\1/p" "$TOOLS/../Documentation/abi.rst" | tr -d ' \n'
}

# events HEX...: those of a batch with these bytes
events()
{
	printf '%s\n' "cpus 1" "task 10 10 bash" "task 11 11 make" "end 3000 7000 $# 0" "batch 0 10 1000 0 $#" \
		"bytes $(printf %s "$@")" | mktrace > trace
	"$asan/kmprof" trace --input trace 2>&1 | sed '/^#/d; s/  */ /g'
}

same "abi: records" " 0.000000000 0 bash-10 waking make-11
 0.000000300 0 bash-10 switch to make-11, SLEEPING" \
	"$(events "$(shown waking)" "$(shown 'switch;')")"
softirq=$(sed -n 's/.*``\([0-9a-f ]*\)`` is a wake-up by a softirq.*/\1/p' "$TOOLS/../Documentation/abi.rst" | tr -d ' ')
same "abi: a record of a softirq" " 0.000000000 0 bash-10 waking make-11 (softirq)" "$(events "$softirq")"
