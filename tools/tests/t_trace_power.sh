#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Idle states and frequencies in a saved trace: what the formats say of them, the report, and the causes.
. "$TOOLS/tests/lib.sh"
. "$TOOLS/tests/formats.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

types="events 0x60000fe
type 25 1 0 cpu_idle
type 26 2 0 cpu_frequency
task 10 10 make
task 11 11 bash"

# idle FILE: the table of idle states
idle()
{
	report "$1" | sed -n '/^TIME TIMES LONGEST IDLE STATES$/,/^$/p' | tail -n +2 | grep .
}

# CPU 1 sleeps twice. In the second time, make wakes bash, which has to wait until the CPU is there.
typed scene << 'T'
end 11000 15000
batch 0 10 1000
@3000 cpu_frequency 1 2400000
@6000 cpu_frequency 1 2400000
@6500 waking 11
@9000 cpu_frequency 1 799998
batch 1 0 1000
@2000 cpu_idle 3
@5000 cpu_idle 0
@6000 cpu_idle 2
@7500 cpu_idle 0
@8000 switch 11 0
T
same "power: text" \
"idle cpu_idle enters state 1
idle cpu_idle enters state 2
idle cpu_idle leaves
idle cpu_idle leaves
make-10 cpu_frequency CPU 1 at 2400000 kHz
make-10 cpu_frequency CPU 1 at 2400000 kHz
make-10 cpu_frequency CPU 1 at 799998 kHz" \
	"$("$kmprof" trace --input scene 2>&1 | grep cpu_ | tr -s ' ' | cut -d' ' -f4- | sort)"
same "power: report, idle states" \
"1.50us 1 1.50us CPU 1 in state 1
3.00us 1 3.00us CPU 1 in state 2" "$(idle scene)"
same "power: report, frequencies" \
"2.00us 1 2.00us CPU 1 at 799.998 MHz
6.00us 1 6.00us CPU 1 at 2400 MHz" "$(last_table "TIME TIMES LONGEST FREQUENCIES" scene)"
same "power: why a task took so long" \
"55.0% 5.50us 1 asleep until make wakes it
55.0% 5.50us 1 make runs
30.0% 3.00us 1 runs
15.0% 1.50us 1 is runnable
10.0% 1.00us 1 the CPU is in idle state 1
5.0% 500ns 1 the CPU is idle" "$(causes scene --why 11)"
same "power: ... in the end" \
"55.0% 5.50us 1 make runs
30.0% 3.00us 1 runs
10.0% 1.00us 1 is runnable, and the CPU in idle state 1
5.0% 500ns 1 is runnable, and the CPU idle" "$(ends scene --why 11)"
same "power: JSON" "[[(1, 1, 1, 1500, 1500), (1, 2, 1, 3000, 3000)], [(1, 799998, 1, 2000, 2000), (1, 2400000, 1, 6000, 6000)]]" \
	"$("$kmprof" trace report scene --json | json "[[tuple(c[k] for k in ('cpu', what, 'count', 'ns', 'longest_ns')) for c in v[of]]
		for of, what in (('idle', 'state'), ('frequencies', 'khz'))]")"
same "power: JSON, why" "[1, None]" \
	"$("$kmprof" trace report scene --why 11 --json |
		json "[i['idle_state'] for c in v['why']['cause']['causes'] if c['why'] == 'runnable' for i in c['causes']]")"

# What was not seen to end goes on to the end, or to the loss: of idle states, one of their own CPU.
typed lost << 'T'
end 11000 15000
batch 0 10 1000
@2000 cpu_frequency 0 1000000
@4000 waking 11
lose 2 0
batch 0 10 6000
@7000 waking 11
batch 1 0 1000
@2000 cpu_idle 1
@3000 waking 11
lose 2 1
batch 1 0 4000
@5000 cpu_idle 0
@7000 cpu_idle 2
T
same "power: what a loss or the end cuts off" \
"1.00us 1 1.00us CPU 1 in state 0
4.00us 1 4.00us CPU 1 in state 1" "$(idle lost)"
same "power: ... and whatever the loss is, a frequency" "1.00us 1 1.00us CPU 0 at 1000 MHz" \
	"$(last_table "TIME TIMES LONGEST FREQUENCIES" lost)"
typed meanwhile << 'T'
end 11000 15000
batch 0 10 1000
@2000 cpu_frequency 0 1000000
@3000 cpu_frequency 1 1200000
@4000 waking 11
lose 2 0
batch 0 10 8000
@9000 cpu_frequency 0 1600000
batch 1 0 1000
@5000 cpu_frequency 0 2000000
@6000 cpu_frequency 0 1800000
T
same "power: ... that another CPU has told of meanwhile, too" \
"2.00us 1 2.00us CPU 0 at 1000 MHz
2.00us 1 2.00us CPU 0 at 1600 MHz
1.00us 1 1.00us CPU 1 at 1200 MHz" "$(last_table "TIME TIMES LONGEST FREQUENCIES" meanwhile)"
typed none << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
T
same "power: no table if there is none" "" "$(report none | grep -E 'IDLE STATES|FREQUENCIES')"
for bad in "cpu_idle 0x80000000" "cpu_frequency 2 1000" "cpu_frequency 0 0x100000000"; do
	printf 'end 11000 15000\nbatch 0 10 1000\n@2000 %s\nbatch 1 0 1000\n' "$bad" | typed bad
	out=$("$kmprof" trace --input bad 2>&1)
	result "power: $bad is refused" $((! $?))
	contains "power: ... with a reason" "arguments of a record" "$out"
done

# The other formats.
"$kmprof" trace --input scene --format perfetto -o trace.pftrace
decoded "$PWD/trace.pftrace" | tr -s ' \n' ' ' > decoded.text
same "power: Perfetto" \
"cpu_frequency { state: 2400000 cpu_id: 1 }
cpu_frequency { state: 2400000 cpu_id: 1 }
cpu_frequency { state: 799998 cpu_id: 1 }
cpu_idle { state: 2 cpu_id: 1 }
cpu_idle { state: 4294967295 cpu_id: 1 }
cpu_idle { state: 1 cpu_id: 1 }
cpu_idle { state: 4294967295 cpu_id: 1 }" "$(grep -o 'cpu_[a-z]* {[^}]*}' decoded.text)"
same "power: Perfetto, the numbers of fields" "1.1.2.11.1 1.1.2.11.2 1.1.2.13.1 1.1.2.13.2" \
	"$(field_numbers trace.pftrace | grep '^1\.1\.2\.1[13]\.' | xargs)"
"$kmprof" trace --input lost --format perfetto -o trace.pftrace
contains "power: Perfetto, state 0 and CPU 0 are told" "cpu_idle { state: 0 cpu_id: 1 }
cpu_frequency { state: 1000000 cpu_id: 0 }" "$(decoded "$PWD/trace.pftrace" | tr -s ' \n' ' ' | grep -o 'cpu_[a-z]* {[^}]*}')"

# chrome FILE: idle states and frequencies of a trace for Chromium
chrome()
{
	"$kmprof" trace --input "$1" --format chrome -o trace.json
	json "[(e['name'], e['tid'], e['ts'], e['dur']) for e in v['traceEvents'] if e['ph'] == 'X' and 'idle' in e['name']] +
		[(e['name'], e['ts'], e['args']) for e in v['traceEvents'] if e['ph'] == 'C']" < trace.json
}
same "power: chrome" \
"[('idle state 2', 1, 1.0, 3.0), ('idle state 1', 1, 5.0, 1.5), ('frequency of CPU 1', 2.0, {'kHz': 2400000}), ('frequency of CPU 1', 5.0, {'kHz': 2400000}), ('frequency of CPU 1', 8.0, {'kHz': 799998})]" \
	"$(chrome scene)"
same "power: chrome, what a loss or the end cuts off" \
"[('idle state 0', 1, 1.0, 1.0), ('idle state 1', 1, 6.0, 4.0), ('frequency of CPU 0', 1.0, {'kHz': 1000000})]" \
	"$(chrome lost)"
"$kmprof" trace --input scene --format html -o trace.html
same "power: the page has no flags of them" "" "$(grep -o '"cpu_[a-z]*"' trace.html)"
"$kmprof" trace --input scene -o trace.ctf
same "power: CTF" \
"power_cpu_idle: { state = 2, cpu_id = 1 }
power_cpu_frequency: { state = 2400000, cpu_id = 1 }
power_cpu_idle: { state = 4294967295, cpu_id = 1 }
power_cpu_frequency: { state = 2400000, cpu_id = 1 }
power_cpu_idle: { state = 1, cpu_id = 1 }
power_cpu_idle: { state = 4294967295, cpu_id = 1 }
power_cpu_frequency: { state = 799998, cpu_id = 1 }" \
	"$(babeltrace2 trace.ctf 2>&1 | grep power_ | sed 's/.*\(power_[a-z_]*:\).*, {\( state.*\)$/\1 {\2/')"
