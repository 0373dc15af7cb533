# SPDX-License-Identifier: GPL-2.0
#
# How a part of the benchmark measures and reports, inside the guest. To be
# sourced by bash.

bench=/sys/kernel/debug/kmprof_bench
tsv=$KMPROF_RESULTS/bench.tsv

# row NAME VALUE UNIT
row() {
	[[ $2 =~ ^-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?$ ]] || die "$1: not measured"
	printf '%s\t%s\t%s\n' "$1" "$2" "$3" | tee -a "$tsv"
}

die() {
	echo "bench: $*" >&2
	exit 1
}

# For a tracer that runs a command: a script that measures an operation; then its median.
tracee() { # OPERATION
	printf '#!/bin/sh\ncat %s >%s\n' "$bench/$1" "$KMPROF_RESULTS/tracee.out" \
		>"$KMPROF_RESULTS/tracee"
	chmod +x "$KMPROF_RESULTS/tracee"
	echo "$KMPROF_RESULTS/tracee"
}

result() {
	cut -d' ' -f1 "$KMPROF_RESULTS/tracee.out"
	rm -f "$KMPROF_RESULTS/tracee.out"
}

# The median of an operation's batches, and the mean of all calls, in instructions.
median() { # OPERATION
	cut -d' ' -f1 "$bench/$1"
}

mean() { # OPERATION CALLS
	local usual
	usual=$(cat "$bench/calls")
	echo "$2" >"$bench/calls"
	cut -d' ' -f2 "$bench/$1"
	echo "$usual" >"$bench/calls"
}

# The difference, or nothing if one of them was not measured.
minus() { # A B
	[ -z "$1" ] || [ -z "$2" ] || awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", a - b }'
}

# Half of it, or nothing if it was not measured.
half() { # N
	[ -z "$1" ] || awk -v n="$1" 'BEGIN { printf "%.2f\n", n / 2 }'
}

# What a wake-up with its switch takes more than $none: of each, switch_twice has two.
switch_row() { # NAME VALUE
	row "switch/$1" "$(half "$(minus "$2" "$none")")" "extra instructions"
}

rate() { # HEAP_RATE
	tools/kmprof set "heap_rate=$1" >/dev/null || die "heap_rate=$1: not set"
}

filter() { # HEAP_FILTER
	tools/kmprof set "heap_filter=$1" >/dev/null || die "heap_filter=$1: not set"
}

# kmprof.ko, with room for profiles of many stacks.
insmod_large() { # HEAP_RATE
	insmod kmprof.ko source=tracepoint "heap_rate=$1" max_buckets=131072 max_live=2000000 \
		ring_bytes=1048576 || die "insmod kmprof.ko"
}

# A profile of N stacks, to which nothing is added any more.
profile_of() { # N
	insmod_large 1
	echo "0 $1" >"$bench/stacks" || die "stacks"
	rate 0
}

# The rows that a program has printed, their names with SUFFIX.
rows_of() { # FILE [SUFFIX]
	local name value unit
	while IFS=$'\t' read -r name value unit; do
		row "$name${2:-}" "$value" "$unit"
	done <"$1"
}

# How late a wake-up is while WORK is done: see latency.c. The rows' names have SUFFIX.
latest() { # SUFFIX NUMBER WORK...
	selftests/build/latency "${@:2}" >"$KMPROF_RESULTS/latency" || die "latency ${*:2}"
	rows_of "$KMPROF_RESULTS/latency" "-$1"
}
