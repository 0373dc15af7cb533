#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# That other programs take what random machines do, in all formats, and find as many events in it.
#
# Environment: KMPROF_TEST_TRACES: how many machines; scripts/check-traces has more
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
export HOME=$TMP
traces=${KMPROF_TEST_TRACES:-30}

# Prints how many events of each type a text has, and how many are lost.
text_counts()
{
	grep -v '^#' "$1" | cut -c48- | awk '
		/^[0-9]+ events? lost since/ { n["lost"] += $1; next }
		# Slices end, too, where an end was lost.
		$1 != "grace_period_end" { n[$1]++ }
		END { for (type in n) print type, n[type] }' | sort
}

# The same of a protobuf as text, without the switches that are in no trace: what runs at the start, and
# what is not known.
perfetto_counts()
{
	awk '
		BEGIN {
			type["sched_switch"] = "switch"; type["sched_waking"] = "waking"
			type["sched_migrate_task"] = "migrate"; type["task_newtask"] = "fork"
			type["sched_process_exec"] = "exec"; type["sched_process_exit"] = "exit"
			type["task_rename"] = "rename"
			type["irq_handler_entry"] = "irq_entry"; type["irq_handler_exit"] = "irq_exit"
			type["softirq_entry"] = "softirq_entry"; type["softirq_exit"] = "softirq_exit"
			type["mm_vmscan_direct_reclaim_begin"] = "reclaim_begin"
			type["mm_vmscan_direct_reclaim_end"] = "reclaim_end"
			type["mm_compaction_begin"] = "compaction_begin"
			type["mm_compaction_end"] = "compaction_end"
			type["sys_enter"] = "syscall_enter"
			type["cpu_idle"] = "cpu_idle"; type["cpu_frequency"] = "cpu_frequency"
		}
		/^      timestamp:/ { time = $2 }
		# Without a result, it is the end of a slice that is in no trace.
		/^      sys_exit \{/ { is_exit = 1; next }
		/^      [a-z_]+ \{/ { n[type[$1]] += time > 6000 }
		/^    event/ { is_made_up = 0; is_exit = 0 }
		/^        ret:/ && is_exit { n["syscall_exit"]++ }
		/^        (next_pid: 2147483647|prev_state: 512)/ && !is_made_up++ { n["switch"]-- }
		/categories:/ { kind = substr($2, 2, length($2) - 2); if (kind != "lost") n[kind]++ }
		/ name: "[0-9]+ events lost"/ && kind == "lost" { n["lost"] += substr($2, 2) }
		END { for (kind in n) print kind, n[kind] }' "$1" | sort
}

# Some counts of Go's events that a trace shows, too, of which nothing is missing.
go_counts()
{
	awk '
		$2 == "GoCreate" && $1 > 0 { n["fork"]++ }
		$2 == "GoEnd" { n["dead"]++ }
		$2 == "GoStart" && $1 > 1 { n["runs"]++ }
		$2 == "UserRegion" && /mode=0/ { n["syscall_enter"]++ }
		$2 == "GCStart" { n["grace_period_begin"]++ }
		$2 == "UserLog" { sub(/.*category=/, ""); n[$1]++ }
		END { for (kind in n) print kind, n[kind] }' "$1" | sort
}

told_counts()
{
	grep -v '^#' "$1" | cut -c48- | awk '
		$1 == "fork" || $1 == "mark" || $1 == "exec" || $1 == "later" { n[$1]++ }
		/^(contention|irq|softirq|reclaim|memcg_reclaim|compaction)_/ { n[$1]++ }
		$1 == "alloc" || $1 == "free" || $1 == "syscall_enter" { n[$1]++ }
		$1 == "cpu_idle" || $1 == "cpu_frequency" || $1 == "grace_period_begin" { n[$1]++ }
		/^switch .*, DEAD$/ { n["dead"]++ }
		/^switch / && !/ to idle/ { n["runs"]++ }
		END { for (kind in n) print kind, n[kind] }' | sort
}

rejected=0 unknown=0 differ=0 lossless=0 offline=0 broken=0
for seed in $(seq "$traces"); do
	python3 "$TOOLS/tests/random_trace.py" "$seed" 700 > description
	mktrace < description > "random$seed"
	for format in text go perfetto chrome; do
		"$asan/kmprof" trace --input "random$seed" --format $format -o "random$seed.$format" 2> err ||
			{ rejected=$((rejected + 1)); sed "s/^/# $seed $format: /" err; }
	done
	go_events "random$seed.go" > go.events
	grep -q GoStart go.events ||
		{ rejected=$((rejected + 1)); tail -1 go.events | sed "s/^/# $seed: /"; }
	decoded "random$seed.perfetto" > perfetto.events 2> err ||
		{ rejected=$((rejected + 1)); sed "s/^/# $seed: /" err; }
	! grep -E '^ *[0-9]+[:{ ]' perfetto.events | sed "s/^/# $seed: /" | grep . ||
		unknown=$((unknown + 1))
	diff <(text_counts "random$seed.text") <(perfetto_counts perfetto.events) | sed "s/^/# $seed: /" |
		grep . && differ=$((differ + 1))
	grep -q '^# offline' description && offline=$((offline + 1))
	if ! grep -q '^# offline' description && ! grep -q ' events\? lost since' "random$seed.text"; then
		lossless=$((lossless + 1))
		diff <(told_counts "random$seed.text") <(go_counts go.events) | sed "s/^/# $seed: /" |
			grep . && differ=$((differ + 1))
	fi
	json "len(v['traceEvents'])" < "random$seed.chrome" > /dev/null || broken=$((broken + 1))
done
same "random: all are converted, and read by Go and Perfetto" 0 $rejected
same "random: no field that Perfetto does not have" 0 $unknown
same "random: as many events of each type as in the text" 0 $differ
same "random: JSON" 0 $broken
same "random: with and without losses" yes "$([ $((6 * lossless)) -gt "$traces" ] && [ $((6 * lossless)) -lt $((5 * traces)) ] && echo yes)"
same "random: some have CPUs that go offline" yes "$([ $((6 * offline)) -gt "$traces" ] && echo yes)"
same "random: all pages of go tool trace" "$traces of $traces traces" \
	"$(timeout $((20 * traces)) python3 "$TOOLS/tests/go_pages.py" random*.go)"
