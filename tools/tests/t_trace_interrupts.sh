#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Interrupts in a saved trace: what the formats say of them, the report, and the causes.
. "$TOOLS/tests/lib.sh"

cd "$TMP" || exit 1
kmprof=$asan/kmprof

types="events 0x78fe
type 11 1 1 irq_entry
type 12 2 0 irq_exit
type 13 1 0 softirq_entry
type 14 1 0 softirq_exit
task 10 10 make
task 11 11 bash"

# interrupts FILE: their table
interrupts()
{
	last_table "TIME TIMES LONGEST INTERRUPTS" "$1"
}

# A device interrupts make, and then a softirq, which goes on; two devices share a line.
typed scene << 'T'
end 11000 15000
batch 0 10 1000
@2000 irq_entry/hard 24 virtio0-input.0
@2500 irq_exit/hard 24 1
@3000 softirq_entry/soft 3
@3400 irq_entry/hard 9 acpi
@3500 irq_exit/hard 9 0
@3500 irq_entry/hard 9 eth\x07
@3800 irq_exit/hard 9 2
@5000 softirq_exit/soft 3
@6000 softirq_entry/soft 99
@6100 softirq_exit/soft 99
@7000 switch 0 3
T
same "interrupts: text" \
"irq_entry 24 virtio0-input.0
irq_exit 24
softirq_entry NET_RX
irq_entry 9 acpi
irq_exit 9, not its own
irq_entry 9 eth?
irq_exit 9, its thread goes on
softirq_exit NET_RX
softirq_entry 99
softirq_exit 99" \
	"$("$kmprof" trace --input scene 2>&1 | grep irq | sed 's/^.* make-10 *//')"
same "interrupts: report" \
"1.60us 1 1.60us softirq NET_RX
500ns 1 500ns interrupt 24 virtio0-input.0
300ns 1 300ns interrupt 9 eth?
100ns 1 100ns interrupt 9 acpi
100ns 1 100ns softirq 99" "$(interrupts scene)"
same "interrupts: why a task took so long" \
"40.0% 4.00us 1 BLOCKED, nobody is seen to wake it
34.0% 3.40us 1 runs
16.0% 1.60us 1 handles softirq NET_RX
5.0% 500ns 1 handles interrupt 24 virtio0-input.0
3.0% 300ns 1 handles interrupt 9 eth?
1.0% 100ns 1 handles interrupt 9 acpi
1.0% 100ns 1 handles softirq 99" "$(causes scene --why make)"
same "interrupts: ... in a part of the time that begins and ends in one" \
"77.8% 1.40us 1 handles softirq NET_RX
16.7% 300ns 1 handles interrupt 9 eth?
5.6% 100ns 1 handles interrupt 9 acpi" \
	"$(causes scene --why make --from 0.0000022 --to 0.000004)"
same "interrupts: ... that begins in one inside another one" \
"75.0% 1.20us 1 handles softirq NET_RX
18.8% 300ns 1 handles interrupt 9 eth?
6.2% 100ns 1 handles interrupt 9 acpi" \
	"$(causes scene --why make --from 0.0000024 --to 0.000004)"
same "interrupts: ... that begins where one goes on" "100.0% 1.20us 1 handles softirq NET_RX" \
	"$(causes scene --why make --from 0.0000028 --to 0.000004)"
same "interrupts: ... between two" "100.0% 200ns 1 runs" \
	"$(causes scene --why make --from 0.0000016 --to 0.0000018)"
same "interrupts: JSON" \
	"[{'handler': {'context': 'softirq', 'number': 3, 'name': 'NET_RX'}, 'count': 1, 'ns': 1600, 'longest_ns': 1600}, {'handler': {'context': 'hardirq', 'number': 24, 'name': 'virtio0-input.0'}, 'count': 1, 'ns': 500, 'longest_ns': 500}]" \
	"$("$kmprof" trace report scene --json | json "v['interrupts'][:2]")"
same "interrupts: JSON, why" "[['NET_RX', 1600], ['virtio0-input.0', 500]]" \
	"$("$kmprof" trace report scene --why make --json |
		json "[[c['handler']['name'], c['ns']] for c in v['why']['cause']['causes'] if c['why'] == 'handling'][:2]")"

# Whoever waits for a task waits for what interrupts it.
typed chain << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
@8000 switch 10 0
batch 1 11 1000
@3000 softirq_entry/soft 1
@7000 softirq_exit/soft 1
@8000 waking 10
T
same "interrupts: of the task that is waited for" "60.0% 6.00us 1 BLOCKED until bash wakes it
40.0% 4.00us 1 bash handles softirq TIMER
20.0% 2.00us 1 bash runs
40.0% 4.00us 2 runs" "$(causes chain --why make)"

# What is lost may be its end. With PREEMPT_RT, a softirq leaves with its task, and goes on with it.
typed lost << 'T'
end 11000 15000
batch 0 10 1000
@2000 softirq_entry/soft 3
@3000 waking 11
lose 2 0
batch 0 10 5000
@6000 softirq_exit/soft 3
T
same "interrupts: an end that is lost" "1.00us 1 1.00us softirq NET_RX" "$(interrupts lost)"
typed preempted << 'T'
end 11000 15000
batch 0 10 1000
@2000 softirq_entry/soft 3
@4000 switch 11 1
@5000 switch 10 3
@6000 softirq_exit/soft 3
@7000 irq_entry/hard 24 disk
T
same "interrupts: a softirq that is preempted, and one that goes on at the end" \
"4.00us 1 4.00us interrupt 24 disk
3.00us 1 3.00us softirq NET_RX" "$(interrupts preempted)"
typed preempted_lost << 'T'
end 11000 15000
batch 0 10 1000
@2000 softirq_entry/soft 3
@4000 switch 11 1
lose 2 0
batch 0 11 4500
@5000 switch 10 3
@8000 switch 11 3
@9000 switch 10 3
T
same "interrupts: a softirq that is preempted, and whose end may be lost" "2.00us 1 2.00us softirq NET_RX" \
	"$(interrupts preempted_lost)"
typed preempted_idle << 'T'
end 11000 15000
batch 0 0 1000
@2000 softirq_entry/soft 3
@4000 switch 11 1
@5000 switch 0 3
T
same "interrupts: ... on top of an idle task" "2.00us 1 2.00us softirq NET_RX" "$(interrupts preempted_idle)"
typed partly << 'T'
end 11000 15000
batch 0 10 1000
@2000 irq_exit/hard 24 1
@3000 softirq_exit/soft 3
@4000 softirq_entry/soft 3
@5000 softirq_exit/soft 4
@6000 irq_exit/hard 24 1
@7000 softirq_entry/soft 3
@9000 softirq_exit/soft 3
T
same "interrupts: ends without a begin end nothing" "5.00us 2 3.00us softirq NET_RX" "$(interrupts partly)"
typed cut << 'T'
noend
batch 0 10 1000
@2000 softirq_entry/soft 3
@4000 waking 11
batch 1 11 1000
@2000 softirq_entry/soft 3
@5000 softirq_exit/soft 3
@9000 waking 10
T
same "interrupts: a trace that is cut short in one" "5.00us 2 3.00us softirq NET_RX" \
	"$(interrupts cut)"
typed odd << 'T'
batch 0 10 1000
@2000 irq_entry 7
@3000 irq_exit/soft 7 3
@4000 softirq_entry 3
T
same "interrupts: without a name, in another context, and a return value of no meaning" \
"irq_entry 7
irq_exit 7, returns 3 (softirq)
softirq_entry NET_RX" \
	"$("$kmprof" trace --input odd 2>&1 | grep irq | sed 's/^.* make-10 *//')"
typed none << 'T'
end 11000 15000
batch 0 10 1000
@2000 switch 0 3
T
same "interrupts: no table if there are none" "" "$(report none | grep INTERRUPTS)"

# The other formats.
"$kmprof" trace --input scene --format chrome -o trace.json
same "interrupts: chrome" "['irq_entry 24 virtio0-input.0', 'irq_exit 24', 'softirq_entry NET_RX']" \
	"$(json "[e['name'] for e in v['traceEvents'] if 'irq' in e['name']][:3]" < trace.json)"
"$kmprof" trace --input scene --format html -o trace.html
same "interrupts: html leaves them out" 0 "$(grep -c 'softirq_entry\|virtio0' trace.html)"
"$kmprof" trace --input scene --format perfetto -o trace.pftrace
decoded=$(protoc --decode=kmprof.perfetto.Trace -I "$TOOLS/lib/timeline" perfetto.proto < trace.pftrace)
same "interrupts: Perfetto" \
"softirq_entry { vec: 3 }
softirq_exit { vec: 3 }
softirq_entry { vec: 99 }
softirq_exit { vec: 99 }
irq_handler_entry { irq: 24 name: \"virtio0-input.0\" }
irq_handler_exit { irq: 24 ret: 1 }
irq_handler_entry { irq: 9 name: \"acpi\" }
irq_handler_exit { irq: 9 ret: 0 }
irq_handler_entry { irq: 9 name: \"eth?\" }
irq_handler_exit { irq: 9 ret: 2 }" \
	"$(tr -s ' \n' ' ' <<< "$decoded" | grep -o 'softirq_[a-z]* {[^}]*}';
	tr -s ' \n' ' ' <<< "$decoded" | grep -o 'irq_handler_[a-z]* {[^}]*}')"

for number in 4294967296 2147483648; do
	typed bad << T
batch 0 10 1000
@2000 softirq_entry/soft $number
T
	contains "interrupts: number $number is damage" "arguments of a record" \
		"$("$kmprof" trace --input bad 2>&1)"
done
