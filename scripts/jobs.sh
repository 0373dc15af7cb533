# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A queue of jobs for make test, make test-all and .ci/run: as many run side by side as
# there are workers. Of the jobs that can start, the one with the longest way to the
# end of everything starts first: its own seconds and those of the jobs that wait for
# it. To be sourced by bash.
#
# The caller may define job_ended NAME STATUS SECONDS LOG; each job's output is in LOG
# if $jobs_logs is a directory. jobs_stop belongs into the caller's trap for EXIT.

jobs_logs=
jobs_names=()
jobs_running=() # process id -> name
declare -A jobs_seconds jobs_after jobs_command jobs_state jobs_began

# jobs_add NAME SECONDS AFTER COMMAND...: AFTER has names of earlier jobs, with commas,
# or is empty; SECONDS is an estimate.
jobs_add() {
	local name=$1 before
	local -a after
	IFS=, read -ra after <<<"$3"
	for before in "${after[@]}"; do
		[ -n "${jobs_state[$before]-}" ] || {
			echo "jobs: $name: there is no job '$before' before it" >&2
			return 1
		}
	done
	jobs_names+=("$name")
	jobs_seconds[$name]=$2
	jobs_after[$name]=$3
	jobs_command[$name]=$(printf '%q ' "${@:4}")
	jobs_state[$name]=waiting
}

# Sets $jobs_found to the job to start now.
jobs_next() {
	local i name before longest=-1
	local -a after
	local -A way=()

	jobs_found=
	for ((i = ${#jobs_names[@]} - 1; i >= 0; i--)); do
		name=${jobs_names[i]}
		way[$name]=$((${way[$name]-0} + jobs_seconds[$name]))
		IFS=, read -ra after <<<"${jobs_after[$name]}"
		for before in "${after[@]}"; do
			[ "${way[$before]-0}" -ge "${way[$name]}" ] || way[$before]=${way[$name]}
		done
	done
	for name in "${jobs_names[@]}"; do
		[ "${jobs_state[$name]}" = waiting ] && [ "${way[$name]}" -gt "$longest" ] || continue
		IFS=, read -ra after <<<"${jobs_after[$name]}"
		for before in "${after[@]}"; do
			[ "${jobs_state[$before]}" = ended ] || continue 2
		done
		longest=${way[$name]}
		jobs_found=$name
	done
	[ -n "$jobs_found" ]
}

jobs_log() { # NAME
	echo "$jobs_logs/${1//[^A-Za-z0-9.@+-]/_}.log"
}

jobs_start() { # NAME
	local log=/dev/stdout
	[ -z "$jobs_logs" ] || log=$(jobs_log "$1")
	jobs_state[$1]=running
	jobs_began[$1]=$SECONDS
	# Each in a process group, so that all of it can be stopped.
	set -m
	if [ -n "$jobs_logs" ]; then
		eval "${jobs_command[$1]}" >"$log" 2>&1 </dev/null &
	else
		eval "${jobs_command[$1]}" </dev/null &
	fi
	jobs_running[$!]=$1
	set +m
}

# jobs_run WORKERS: until all jobs have ended
jobs_run() {
	local pid name status
	while :; do
		while [ ${#jobs_running[@]} -lt "$1" ] && jobs_next; do
			jobs_start "$jobs_found"
		done
		[ ${#jobs_running[@]} -gt 0 ] || return 0
		wait -n -p pid "${!jobs_running[@]}"
		status=$?
		name=${jobs_running[$pid]}
		unset "jobs_running[$pid]"
		jobs_state[$name]=ended
		! declare -F job_ended >/dev/null ||
			job_ended "$name" "$status" $((SECONDS - jobs_began[$name])) \
				"${jobs_logs:+$(jobs_log "$name")}"
	done
}

# Ends those that run, with all that they have started.
jobs_stop() {
	local pid
	for pid in "${!jobs_running[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null
	done
	[ ${#jobs_running[@]} = 0 ] || wait "${!jobs_running[@]}" 2>/dev/null
	jobs_running=()
}
