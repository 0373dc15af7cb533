# SPDX-License-Identifier: GPL-2.0
#
# How checks and tests written in shell report: one line each, and at the end a
# summary that .ci/run adds up. To be sourced by bash.

report_passed=0
report_failed=0

# pass NAME
pass() {
	report_passed=$((report_passed + 1))
	echo "ok - $1"
}

# fail NAME [DETAILS]: the details are indented below it
fail() {
	report_failed=$((report_failed + 1))
	echo "not ok - $1"
	[ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/#   /'
}

# check NAME COMMAND...: passes when the command does, shows its output if not
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		pass "$name"
	else
		fail "$name" "$output"
	fi
}

# summary: the last line, and the status for exit
summary() {
	echo "$report_passed passed, $report_failed failed"
	[ "$report_failed" = 0 ] && [ "$report_passed" -gt 0 ]
}
