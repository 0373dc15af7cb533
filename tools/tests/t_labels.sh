#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# dump of waits and releases with labels: as text, for pprof, by lock.
. "$TOOLS/tests/lib.sh"

spec=$TOOLS/tests/labels.spec
image "$TMP/labels" < "$spec"
dump=("$kmprof" dump block --input "$TMP/labels" --kallsyms "$kallsyms")

# --- text ---------------------------------------------------------------------

same "labels: comments of block" \
	"# mutex rtnl_mutex+0x0/0x20, comm bash, pid 12, cgroup 34, longest 70000 ns
# mutex rtnl_mutex+0x0/0x20, comm bash, pid 13, cgroup 34, longest 40000 ns
# mutex rtnl_mutex+0x0/0x20, longest 30000 ns
# spinlock, spun, comm [softirq], pid 0, cgroup 0, longest 40000 ns
# rwsem read lock_table+0x10/0xa0, failed, cgroup 18446744073709551615, longest 30000 ns
# mutex in ext4 inode_cache, comm kworker/0:1 ev, longest 20000 ns
# mutex, pid 4294967295, longest 10000 ns" "$("${dump[@]}" | grep longest)"
same "labels: comments of mutex" \
	"# mutex rtnl_mutex+0x0/0x20, comm bash, longest 5000 ns
# mutex rtnl_mutex+0x0/0x20, not attributable, comm sshd, longest 4000 ns" \
	"$("$kmprof" dump mutex --input "$TMP/labels" --kallsyms "$kallsyms" | grep longest)"
grep -v '^comm\|^pid\|^cgroup' "$spec" | image "$TMP/plain"
same "labels: nothing else is different" \
	"$("$kmprof" dump block --input "$TMP/plain" --kallsyms "$kallsyms")" \
	"$("${dump[@]}" | sed 's/, comm [^,]*//; s/, pid [0-9]*//; s/, cgroup [0-9]*//')"
# Two entries with one label, as the module has them.
image "$TMP/shared" <<'S'
contention 1 1 0 0 1 30 30 0x1001
pid 7
contention 1 1 0 0 1 20 20 0x1002
label 1
contention 1 1 0 0 1 10 10 0x1003
comm x
S
same "labels: entries share one" "pid 7 pid 7 comm x" "$("$kmprof" dump block --input "$TMP/shared" \
	--kallsyms "$kallsyms" | sed -n 's/^# mutex, \(.*\), longest.*/\1/p' | xargs)"

# Names are what tasks make of them.
odd=$'a\033[1m\377\302\265\177~ '
printf 'contention 1 1 0 0 1 30 30 0x1001\ncomm %s\ncontention 1 1 0 0 1 20 20 0x1001\ncomm \n' "$odd" |
	image "$TMP/odd"
same "labels: odd bytes of a name, and no name" \
	"# mutex, comm a?[1m????~ , longest 30 ns
# mutex, comm , longest 20 ns" \
	"$("$kmprof" dump block --input "$TMP/odd" --kallsyms "$kallsyms" | grep longest)"

# --- pprof --------------------------------------------------------------------

"${dump[@]}" -o "$TMP/labels.txt"
"${dump[@]}" --format pprof -o "$TMP/labels.pb.gz"
raw=$(pprof -raw "$TMP/labels.pb.gz")
# labels DELAY: all of them of a contention in $raw; numbers are on a line of their own
labels()
{
	echo "$raw" | grep -A2 "^ *[0-9]* *$1:" | sed '1d; 3{/^ *[0-9]* *[0-9]*:/d; /^Locations/d}' |
		xargs -d '\n' | sed 's/  */ /g; s/^ //'
}
same "labels: all three for pprof" \
	"cgroup:[34] comm:[bash] kind:[mutex] lock:[rtnl_mutex] pid:[12 pid]" "$(labels 70000)"
same "labels: apart by the pid" \
	"cgroup:[34] comm:[bash] kind:[mutex] lock:[rtnl_mutex] pid:[13 pid]" "$(labels 60000)"
same "labels: apart from none" "kind:[mutex] lock:[rtnl_mutex]" "$(labels 50000)"
same "labels: of an interrupt" \
	"cgroup:[0] comm:[[softirq]] kind:[spinlock] outcome:[spun] pid:[0 pid]" "$(labels 40000)"
same "labels: the largest cgroup" \
	"access:[read] cgroup:[18446744073709551615] kind:[rwsem] lock:[lock_table+0x10] outcome:[failed]" \
	"$(labels 30000)"
same "labels: a comm with a blank" "cache:[ext4 inode_cache] comm:[kworker/0:1 ev] kind:[mutex]" \
	"$(labels 20000)"
same "labels: the largest pid" "kind:[mutex] pid:[4294967295 pid]" "$(labels 10000)"
same "labels: each is a sample of its own" 7 "$(echo "$raw" | grep -c 'kind:')"
same "labels: both formats have the same sums" "$(sums "$TMP/labels.txt")" \
	"$(sums "$TMP/labels.pb.gz")"
same "labels: pprof finds a task" "130000ns" \
	"$(pprof -top -unit=ns -tagfocus=comm=bash "$TMP/labels.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9a-z]*\),.*/\1/p')"
same "labels: pprof finds a process" "60000ns" \
	"$(pprof -top -unit=ns -tagfocus=pid=13 "$TMP/labels.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9a-z]*\),.*/\1/p')"
"$kmprof" dump block --input "$TMP/odd" --kallsyms "$kallsyms" --format pprof -o "$TMP/odd.pb.gz"
raw=$(pprof -raw "$TMP/odd.pb.gz")
same "labels: odd bytes for pprof" "comm:[a?[1m????~ ] kind:[mutex]" "$(labels 30)"
same "labels: no name is one for pprof" "comm:[[unnamed]] kind:[mutex]" "$(labels 20)"

# Cgroups have the names of this machine, if the image is of this boot. One exists
# wherever there is cgroup2: the root.
mount=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
root=$([ -n "$mount" ] && stat -c %i "$mount")
# cgroups TIME OPTION...: of the root, of none, of a wait without
cgroups()
{
	local time=$1

	shift
	image "$TMP/cgroups" <<-S
		time $time
		contention 1 1 0 0 1 30 30 0x1001
		cgroup ${root:-1}
		contention 1 1 0 0 1 20 20 0x1001
		cgroup 12345678901234
		contention 1 1 0 0 1 10 10 0x1001
	S
	"$kmprof" dump block --input "$TMP/cgroups" --format pprof "$@" -o "$TMP/cgroups.pb.gz" 2> /dev/null
	raw=$(pprof -raw "$TMP/cgroups.pb.gz")
	(labels 30; labels 20; labels 10) | sed 's/ *kind:\[mutex\]//' | xargs
}
same "labels: a cgroup has its path" "cgroup:[$([ -n "$root" ] && echo / || echo 1)] cgroup:[12345678901234]" \
	"$(cgroups "$(date +%s%N)")"
same "labels: not that of another boot" "cgroup:[${root:-1}] cgroup:[12345678901234]" \
	"$(cgroups 1000000000000000000)"
same "labels: nor that of another machine" "cgroup:[${root:-1}] cgroup:[12345678901234]" \
	"$(cgroups "$(date +%s%N)" --kallsyms "$kallsyms")"

# --- the heap -----------------------------------------------------------------

# Two tasks with one stack and size; and nobody.
image "$TMP/heap" <<'S'
rate 1
sample 1 64 7 1 0 0xffffffff81001210
comm bash
pid 12
sample 1 64 5 0 0 0xffffffff81001210
comm sshd
pid 13
sample 1 64 3 0 0 0xffffffff81001210
S
heap=("$kmprof" dump heap --input "$TMP/heap" --kallsyms "$kallsyms")
same "labels: of allocations, as text" "# comm bash, pid 12
6: 384 [7: 448]
# comm sshd, pid 13
5: 320 [5: 320]
3: 192 [3: 192]" "$("${heap[@]}" | sed -n '/^# comm/p; s/^\([0-9]*: .*\) @.*/\1/p')"
"${heap[@]}" -o "$TMP/heap.txt"
"${heap[@]}" --format pprof -o "$TMP/heap.pb.gz"
same "labels: pprof reads the comments of allocations" "$(sums "$TMP/heap.txt")" \
	"$(sums "$TMP/heap.pb.gz")"
same "labels: pprof finds what a task has in use" "320B" \
	"$(pprof -top -unit=B -sample_index=inuse_space -tagfocus=comm=sshd "$TMP/heap.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9A-Za-z]*\),.*/\1/p')"
# Buckets of a task that differ in their period only are one sample of the pprof format.
image "$TMP/periods" <<'S'
rate 1
sample 1 64 7 1 0 0xffffffff81001210
comm bash
sample 64 64 1 1 0 0xffffffff81001210
comm sshd
sample 4096 64 1 1 0 0xffffffff81001210
comm bash
S
"$kmprof" dump heap --input "$TMP/periods" --kallsyms "$kallsyms" --format pprof -o "$TMP/periods.pb.gz"
same "labels: periods of one task are one sample" 2 \
	"$(pprof -raw "$TMP/periods.pb.gz" | grep -c 'comm:\[')"

# --- by lock ------------------------------------------------------------------

same "labels: locks are added up over them" \
	"$("$kmprof" dump block --input "$TMP/plain" --kallsyms "$kallsyms" --by lock)" \
	"$("${dump[@]}" --by lock)"
value=$("${dump[@]}" --by lock --json)
same "labels: locks in JSON, too" "rtnl_mutex 6 180000 70000" \
	"$(echo "$value" | json "'%s %d %d %d' % (v['locks'][0]['lock']['variable'],
	v['locks'][0]['waits'], v['locks'][0]['wait_ns'], v['locks'][0]['longest_ns'])")"
same "labels: locks have none" "['cache', 'kind', 'lock', 'longest_ns', 'mean_ns', 'wait_ns', 'waits']" \
	"$(echo "$value" | json "sorted(v['locks'][0])")"
