#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kmprof leaks with stub.c in the place of the module: what becomes of a session of snapshots.
. "$TOOLS/tests/lib.sh"

log=$TMP/log
leak="0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210"
cache="0xffffffff81001100 0xffffffff81001250"

# rounds NAME ROUNDS COMMAND: a session; COMMAND makes the lines of snapshot $n
rounds()
{
	local n

	for ((n = 0; n <= $2; n++)); do
		{ echo "rate 1"; echo "start 1700000000000000000"; eval "$3"; } | image "$TMP/$1.$n"
	done
}

# leaks SESSION ARGUMENT...: the program; the log has what it asked of the module
leaks()
{
	local session=$1

	shift
	rm -f "$log"
	env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_ROUNDS="$TMP/$session" STUB_LOG="$log" \
		"$kmprof" leaks --kallsyms "$kallsyms" "$@"
}

# told STATUS WORDS NAME ARGUMENT...: exit status, and words on standard output
told()
{
	local status=$1 words=$2 name=$3 out

	shift 3
	out=$("$@" 2> "$TMP/err")
	same "leaks: $name" "$status yes" "$? $([[ $out == $words ]] && echo yes)"
	[[ $out == $words ]] || echo "$out" | sed 's/^/# /'
	sed 's/^/# stderr: /' "$TMP/err"
}

steady="sample 1 192 \$((1000 + n * 500)) \$((900 + n * 500)) 0 $cache"
rounds one 8 "echo \"sample 1 64 \$((3 + n)) 3 0 $leak\"; echo \"$steady\""
out=$(leaks one true)
same "leaks: a leak in each round" 3 $?
contains "leaks: ... is counted" "1 leak, 0 stacks growing (not sure), of 1 that changed and 2 in all" "$out"
contains "leaks: ... its size" "LEAK: 64 per round, one object per round" "$out"
contains "leaks: ... confidence" "confidence: more than 99.99 %" "$out"
contains "leaks: ... its age" "grew in 8 of 8 rounds; known since before the first round; never freed: 100 %" "$out"
contains "leaks: ... sizes and rounds" "objects of 64 bytes; by round: 64 64 64 64 64 64 64 64" "$out"
contains "leaks: ... the chain" "    leak+0x10/0x80 [leaky]
    leak_outer+0x10/0x80 [leaky]
    vfs_read+0x10/" "$out"
contains "leaks: the rate is told" "heap_rate=1: every allocation was a sample" "$out"
same "leaks: nothing was lost" "" "$(echo "$out" | grep "Not everything")"
same "leaks: what the module was asked for" \
	"set heap 15 set heap_rate 1 $(for n in {0..8}; do echo settle snapshot; done | xargs) set heap 1 set heap_rate 524288" \
	"$(xargs < "$log")"
rounds cached 8 "for size in 64 60 200; do
	echo \"sample 1 \$size \$((3 + n)) 3 0 $leak\"
	case \$size in 200) ;; *) echo slab kmalloc-64 ;; esac; done
	echo \"sample 1 500 \$((3 + n)) 3 0 $leak\"; echo slab kmalloc-512"
contains "leaks: from which caches" "objects of 60, 64, 200, 500 bytes from kmalloc-64, kmalloc-512 and others; by round" \
	"$(leaks cached true)"
same "leaks: ... in JSON" "60 kmalloc-64 64 kmalloc-64 200 None 500 kmalloc-512" \
	"$(leaks cached --json true | json "' '.join('%s %s' % (s['object_size'], s['cache']) for s in v['findings'][0]['sizes'])")"
rounds aged 8 "echo \"sample 1 64 \$((3 + n)) 3 0 $leak\"; echo \"ages \$((n * 1000000000)) \$n\"
	echo \"sample 1 64 \$((3 + n)) 3 0 $leak\"; echo \"ages \$((n * 500000000)) \$n\""
contains "leaks: how old the oldest object in use is" "  the oldest in use: 8.00s
" "$(leaks aged true)"
same "leaks: ... in JSON" 8000000000 "$(leaks aged --json true | json "v['findings'][0]['oldest_ns']")"
same "leaks: ... not known" "None " "$(leaks one --json true | json "v['findings'][0]['oldest_ns']") $(echo "$out" | grep oldest)"
# Blocks of pages have a period of their own: 4 pages are sampled as often as one of 4 times the size.
block="kind 3\ntogether 4"
rounds blocks 24 "echo \"rate 524288\"; echo \"sample 131072 4096 \$((32 * n)) 0 0 $leak\"; echo -e \"$block\"
	echo \"sample 524288 16384 \$((8 * n)) 0 0 $cache\"; echo \"sample 4096 4096 \$((99 * n)) 0 0 $cache\"
	echo -e \"$block\""
told 3 "*2 leaks, 0 stacks growing (not sure), of 2 that changed and 2 in all*
LEAK: 4.06M per round ± 296K, about 260 *objects of 16384 bytes;*
LEAK of page memory: 4.06M per round ± 296K, about 1040 *objects of 4096 bytes;*" "blocks of pages are samples of this rate, and as sure as others" \
	leaks blocks --rate 524288 --rounds 24 true
same "leaks: ... in JSON" "1 4" "$(leaks blocks --rate 524288 --rounds 24 --json true |
	json "' '.join(str(f['sizes'][0]['sampled_together']) for f in v['findings'])")"
# Of each block, one page of four stays: 2 blocks are sampled in each round.
rounds parts 24 "echo \"rate 524288\"; echo \"sample 131072 4096 \$((8 * n)) \$((6 * n)) 0 $leak\"; echo -e \"$block\""
told 3 "*1 leak, 0 stacks growing*LEAK of page memory*grew in 24 of 24 rounds*" "parts of blocks that stay" \
	leaks parts --rate 524288 --rounds 24 true
rounds orders 8 "echo \"sample 1 4096 \$((4 * n)) 0 0 $leak\"; echo -e \"$block\"
	echo \"sample 1 4096 \$n 0 0 $leak\"; echo \"kind 3\""
told 3 "*LEAK of page memory: 20.0K per round*objects of 4096 bytes; by round: 20.0K*" "with rate 1 it is no matter in which block a page is" \
	leaks orders true
leaks one --settle true > /dev/null
same "leaks: --settle drops caches between two settles" "settle drop caches settle snapshot" \
	"$(sed -n 3,6p "$log" | xargs)"
err=$(STUB_DROP=1 leaks one --settle true 2>&1)
same "leaks: ... which takes the whole word" "1 yes" \
	"$? $([[ $err == *"drop_caches: Input/output error"*hint:* ]] && echo yes)"

# Kinds of memory.
rounds none 8 "echo \"sample 1 64 3 3 0 $leak\"; echo \"$steady\""
contains "leaks: the kinds of memory are told" "
Kinds of memory: slab, percpu, vmalloc, page
" "$out"
same "leaks: ... in JSON" "slab,percpu,vmalloc,page  False" "$(leaks none --json true |
	json "','.join(v['kinds']), ','.join(v['not_seen']['kinds']), v['not_seen']['effect']['hides_leaks']" |
	tr -d "()'")"
# seen WORDS NAME ARGUMENT...: what was seen, and what not; what the module was asked for; warnings
seen()
{
	local words=$1 name=$2 out

	shift 2
	out=$("$@" 2> "$TMP/err")
	same "leaks: $name" "$words" \
		"$(echo "$out" | sed -n 's/^Kinds of memory: //p; s/^  kinds of memory not seen:/not:/p' | xargs); $(
		grep "^set " "$log" | xargs); $(sed 's/^kmprof: //' "$TMP/err" | xargs -d '\n')"
}
STUB_KINDS=2 seen "slab, percpu, vmalloc, page; set heap 15 set heap_rate 1 set heap 2 set heap_rate 524288; " \
	"slab memory is switched on" leaks none true
STUB_KINDS=15 seen "slab, percpu, vmalloc, page; set heap_rate 1 set heap_rate 524288; " "all kinds are on already" leaks none true
STUB_KINDS=31 seen "slab, percpu, vmalloc, page, movable; set heap_rate 1 set heap_rate 524288; " \
	"memory of user space that the user has asked for stays" leaks none true
STUB_MAX_HEAP=63 seen "slab, percpu, vmalloc, page, 0x20; set heap 47 set heap_rate 1 set heap 1 set heap_rate 524288; " \
	"a kind of a later module" leaks none true
STUB_WITHOUT=kinds seen "slab not: percpu, vmalloc, page; set heap_rate 1 set heap_rate 524288; " \
	"a module without kinds" leaks none true
cannot="heap: memory of some kind cannot be seen in this kernel hint: the kernel log names what is missing"
STUB_NO_KINDS=2 seen "slab not: percpu, vmalloc, page; set heap_rate 1 set heap_rate 524288; warning: with heap=slab, not slab,percpu,vmalloc,page: $cannot" \
	"a kind that cannot be seen" leaks none true
STUB_NO_KINDS=2 STUB_KINDS=0 seen "slab not: percpu, vmalloc, page; set heap 1 set heap_rate 1 set heap 0 set heap_rate 524288; warning: with heap=slab, not slab,percpu,vmalloc,page: $cannot" \
	"... instead of it, slabs" leaks none true
STUB_NO_KINDS=4 STUB_KINDS=2 seen "slab, percpu not: vmalloc, page; set heap 3 set heap_rate 1 set heap 2 set heap_rate 524288; warning: with heap=slab,percpu, not slab,percpu,vmalloc,page: $cannot" \
	"... besides it, those that are on" leaks none true
contains "leaks: ... and what that means" "that there is no other leak is not sure" "$(STUB_NO_KINDS=2 leaks none true 2> /dev/null)"
same "leaks: ... in JSON" "slab percpu True" "$(STUB_NO_KINDS=2 leaks none --json true 2> /dev/null |
	json "v['kinds'][0], v['not_seen']['kinds'][0], v['not_seen']['effect']['hides_leaks']" | tr -d "(',)")"
err=$(STUB_SETS=1 leaks none true 2>&1)
same "leaks: settings that cannot be put back" "1 yes" \
	"$? $([[ $err == *"hint: put it back: kmprof set heap=slab heap_rate=524288"* ]] && echo yes)"
rounds kindly 8 "[ \$n -lt 3 ] || echo heap slab; echo \"$steady\""
err=$(leaks kindly true 2>&1)
same "leaks: other kinds in between" "1 yes" "$? $([[ $err == *"kinds of memory, was changed"*hint:* ]] && echo yes)"

told 0 "*No leak*, 0 stacks growing*" "no leak" leaks none true
rounds late 8 "echo \"sample 1 576 \$((n < 6 ? n : 6)) 0 0 $leak\"; echo \"$steady\""
told 0 "*No leak*, 1 stack growing (not sure)*it slows down*" "a cache that is full two rounds before the end" \
	leaks late true
rounds bound 8 "echo \"sample 1 64 \$((n < 4 ? 100 * n : 400)) 0 0 $leak\"; echo \"$steady\""
told 0 "*No leak*, 0 stacks growing*" "a cache that fills up" leaks bound true
rounds slower 8 "echo \"sample 1 64 \$((800 - 800 / (n + 1))) 0 0 $leak\""
told 0 "*No leak*" "a cache that fills up more and more slowly" leaks slower true
rounds once 8 "echo \"sample 1 64 \$((n > 5 ? 1000 : 0)) 0 0 $leak\""
told 0 "*No leak*" "a growth in one round" leaks once true
rounds noise 8 "echo \"sample 1 64 \$((100 + (n * 7 + 3) % 5)) \$((n % 3)) 0 $leak\""
told 0 "*No leak*" "noise" leaks noise true
rounds doubt 4 "echo \"sample 1 64 \$((n * n + 3 * n)) 0 0 $leak\"; for k in {1..40}; do
	echo \"sample 1 \$((k * 8)) \$((5 + (n * k + k) % 3)) 2 0 \$((0xffffffff81001000 + k))\"; done"
told 0 "*GROWING (not sure)*it can be chance*With --rounds *" "growth that can be chance" leaks doubt --rounds 4 true
same "leaks: -n is short for --limit" "1 more: --limit 0 shows all" "$(rounds two 8 "echo \"sample 1 64 \$n 0 0 $leak\"
	echo \"sample 1 64 \$n 0 0 $cache\""; leaks two -n 1 true | grep -- --limit)"
same "leaks: --limit" "1 more: --limit 0 shows all" "$(rounds two 8 "echo \"sample 1 64 \$n 0 0 $leak\"
	echo \"sample 1 64 \$n 0 0 $cache\""; leaks two --limit 1 true | grep -- --limit)"

# One object in each round is regular in objects, whatever their sizes are.
sizes=(16 16 16 4096 16 16 16 16)
rounds sizes 8 "for size in 16 4096; do
	echo \"sample 1 \$size \$(printf '%s\n' \"\${sizes[@]:0:n}\" | grep -cx \$size) 0 0 $leak\"; done"
told 3 "*1 leak, 0 stacks growing (not sure), of 1 that changed and 1 in all*
LEAK: 526 per round ± *, one object per round
  confidence: * %, by the number of objects
  grew in 8 of 8 rounds;*by round: 16 16 16 4.00K 16 16 16 16*" "objects of several sizes" leaks sizes true
same "leaks: ... in JSON, both series are counted" "objects 2 1" \
	"$(leaks sizes --json true | json "v['findings'][0]['judged_by'], v['stacks']['series_judged'],
	v['stacks']['changed']" | tr -d "(),'")"
same "leaks: ... one size has one series" "bytes 1" \
	"$(leaks one --json true | json "v['findings'][0]['judged_by'], v['stacks']['series_judged']" | tr -d "(),'")"
rounds ten 10 "echo \"sample 1 64 \$n 0 0 $leak\""
told 3 "*LEAK: 64 per round, one object per round
*" "ten rounds with one object each" leaks ten --rounds 10 true
# Less than before.
rounds less 8 "echo \"sample 1 64 \$((n < 4 ? 9 : n - 3)) 0 0 $leak\""
same "leaks: a stack with fewer allocations than before" "0.0 0.0 0" "$(leaks less --json true |
	json "v['findings'][0]['bytes_allocated'], v['findings'][0]['never_freed'],
	v['findings'][0]['sizes'][0]['sampled_allocs']" | tr -d '(),')"
# One stack, two kinds of memory.
rounds kinds 8 "echo \"sample 1 64 \$n 0 0 $leak\"; echo kind 1; echo \"sample 1 64 3 3 0 $leak\""
told 3 "*1 leak, 0 stacks growing (not sure), of 1 that changed and 2 in all*
LEAK of percpu memory: 64 per round, one object per round*" "a leak of another kind of memory" leaks kinds true
same "leaks: ... in JSON" percpu "$(leaks kinds --json true | json "v['findings'][0]['kind']")"
same "leaks: ... of slabs in JSON" slab "$(leaks one --json true | json "v['findings'][0]['kind']")"

# Samples of another rate are from before.
rounds other 8 "echo \"sample 1 64 3 3 0 $leak\"; echo \"sample 524288 64 \$((3 + n)) 0 0 $leak\""
told 0 "*No leak*" "samples of another rate do not count" leaks other true
# Not everything is a sample.
rounds sampled 8 "echo rate 65536; echo \"sample 65536 4096 \$((20 * n)) 0 0 $leak\""
out=$(leaks sampled --rate 64K true)
same "leaks: sampled" 3 $?
contains "leaks: sampled: an estimate" "about 330 objects per round" "$out"
contains "leaks: sampled: its error is that of the samples" "1.29M per round ± 101K" "$out"
rounds uneven 8 "echo \"sample 1 64 \$((10 * n + n % 2)) 0 0 $leak\""
contains "leaks: uneven rounds have an error" "LEAK: 640 per round ± 24" "$(leaks uneven true)"
rounds few 8 "echo rate 65536; echo \"sample 65536 4096 \$n 0 0 $leak\""
told 0 "*GROWING (not sure)*" "one sample in each round is not enough" leaks few --rate 64K true

# Each round loads the module anew, to another place, and removes it.
rounds anew 8 "for ((k = 0; k <= n; k++)); do
	printf 'module leaky 0xffff8000000%x0000 0x1000 0xffffffffc0%x00000 aa\n' \$k \$k
	printf 'symbol leak 0xffff8000000%x0000 0x100 %d\n' \$k \$k
	printf 'sample 1 64 1 0 0 0xffff8000000%x0010 0xffffffff81001210\n' \$k; done"
out=$(leaks anew true)
same "leaks: a module that comes and goes" 3 $?
contains "leaks: ... is one stack" "1 leak, 0 stacks growing (not sure), of 1 that changed and 1 in all" "$out"
contains "leaks: ... with its name" "leak+0x10/0x100 [leaky]" "$out"
# It is there at first, and then gone.
mkdir -p "$TMP/symfs/proc"
cp "$kallsyms" "$TMP/symfs/proc/kallsyms"
echo "leaky 4096 0 - Live 0xffffffffc0000000 (O)" > "$TMP/symfs/proc/modules"
mkdir -p "$TMP/symfs/sys/module/leaky/notes"
printf '\4\0\0\0\1\0\0\0\3\0\0\0GNU\0\252\0\0\0' > "$TMP/symfs/sys/module/leaky/notes/.note.gnu.build-id"
rounds goes 8 "at=0xffffffffc0000010
	[ \$n -lt 4 ] || { echo module leaky 0xffff800000010000 0x1000 0xffffffffc0000000 aa
	at=0xffff800000010010; }
	echo sample 1 64 \$n 0 0 \$at 0xffffffff81001210"
out=$(env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_ROUNDS="$TMP/goes" "$kmprof" leaks \
	--symfs "$TMP/symfs" true)
same "leaks: a module that goes is the same stack" "3 1 leak, 0 stacks growing (not sure), of 1 that changed and 1 in all" \
	"$? $(echo "$out" | head -1)"
# It goes, and comes again.
rounds again 8 "[ \$n -lt 4 ] || { echo module leaky 0xffff800000010000 0x1000 0xffffffffc0000000 aa
	echo sample 1 64 3 0 0 0xffff800000010010 0xffffffff81001210; }
	echo sample 1 64 \$((n < 4 ? n : n - 3)) 0 0 0xffffffffc0000010 0xffffffff81001210"
out=$(env LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_ROUNDS="$TMP/again" "$kmprof" leaks \
	--symfs "$TMP/symfs" true)
same "leaks: a module that is loaded again is the same stack" \
	"3 1 leak, 0 stacks growing (not sure), of 1 that changed and 1 in all" "$? $(echo "$out" | head -1)"

# Losses.
rounds lossy 8 "echo \"sample 1 64 3 3 0 $leak\"; echo loss live_full sample \$((4 + n)); echo loss own sample \$n
	echo loss missed_free other \$n"
out=$(leaks lossy true)
same "leaks: a loss is no leak" 0 $?
contains "leaks: ... is told, since the first snapshot" "live_full                 8  dropped: no slot" "$out"
contains "leaks: ... and what it means" "that there is no other leak is not sure" "$out"
contains "leaks: missed frees mean something else" "a stack may only seem to grow" "$out"
same "leaks: kmprof's own memory is no loss" "8 of 16 samples" \
	"$(echo "$out" | grep -o "[0-9]* of [0-9]* samples")"
contains "leaks: what is never seen is told" "never seen: bulk allocations" \
	"$(STUB_LACKS=2 leaks none true)"
same "leaks: locks that are not seen do not matter" "" "$(STUB_LACKS=12 leaks none true | grep never)"

# JSON and KTAP.
same "leaks: JSON" "leak 1 8 64.0 1.0 leak 8 leaky ['true'] False 1" \
	"$(leaks one --json true | json "v['verdict'], v['stacks']['leaks'], v['rounds'],
	v['findings'][0]['growth']['bytes_per_round'], v['findings'][0]['growth']['objects_per_round'],
	v['findings'][0]['stack'][0]['function'], v['findings'][0]['growth']['rounds_grown'],
	v['findings'][0]['stack'][0]['module'], v['command'], v['not_seen']['effect']['hides_leaks'],
	len(v['findings'])" | tr -d "()" | sed "s/', '/ /g; s/, / /g; s/^'//; s/'\([a-z]*\)' /\1 /g")"
same "leaks: JSON of losses" "True True 8 16" "$(leaks lossy --json true |
	json "v['not_seen']['effect']['hides_leaks'], v['not_seen']['effect']['accuses_steady'],
	v['not_seen']['lost'], v['not_seen']['sampled']" | tr -d '(),')"
told 3 "KTAP version 1
1..1
# *LEAK*
not ok 1 kmprof leaks true a_b" "KTAP of a leak" leaks one --ktap true 'a#b'
told 0 "KTAP version 1
1..1
# *No leak*
ok 1 kmprof leaks true" "KTAP of none" leaks none --ktap true
same "leaks: KTAP has comments but for three lines" "KTAP 1..1 not" \
	"$(leaks one --ktap true | grep -v '^#' | cut -d' ' -f1 | xargs)"

# The command.
same "leaks: its output is on standard error, its input is empty" "9 0" \
	"$(leaks none sh -c 'cat; echo said' 2>&1 > "$TMP/out" < "$kallsyms" | wc -l) $(grep -c said "$TMP/out")"
same "leaks: options behind the command are its own" 0 \
	"$(leaks none -- sh -c '[ "$1" = --json ]' sh --json > /dev/null; echo $?)"
err=$(leaks none sh -c '[ ! -e "$0" ] || exit 7; touch "$0"' "$TMP/failed" 2>&1 > "$TMP/out")
same "leaks: a command that fails" "1 kmprof: round 1: sh: exited with status 7" "$? $(echo "$err" | head -1)"
same "leaks: ... nothing is judged, the rate is restored" " set heap_rate 524288" "$(cat "$TMP/out") $(tail -1 "$log")"
err=$(leaks none sh -c 'kill -9 $$' 2>&1)
same "leaks: a command that is killed" "1 yes" "$? $([[ $err == *"warm-up round: sh: killed by signal 9"*hint:* ]] && echo yes)"
err=$(leaks none "$TMP/nothing" 2>&1)
same "leaks: no such command" "1 yes set heap_rate 524288" \
	"$? $([[ $err == *"nothing: cannot be run: No such file or directory"* ]] && echo yes) $(tail -1 "$log")"

# Signals. Of a job in the background, a script ignores SIGINT and SIGQUIT.
ulimit -c 0
for signal in TERM HUP INT QUIT; do
	rm -f "$log"
	start=$SECONDS
	env --default-signal=INT,QUIT,HUP,TERM LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_ROUNDS="$TMP/none" STUB_LOG="$log" \
		"$kmprof" leaks sleep 600 > "$TMP/out" 2> "$TMP/err" &
	for ((i = 0; i < 600; i++)); do
		pgrep -P $! sleep > /dev/null && break
		sleep 0.1
	done
	kill -$signal $!
	wait $! 2> /dev/null
	status=$?
	took=$((SECONDS - start))
	same "leaks: SIG$signal ends it and the command, and restores the settings" \
		"$((128 + $(kill -l $signal))) yes set heap 15 set heap_rate 1 set heap 1 set heap_rate 524288 interrupted" \
		"$status $([ $took -lt 500 ] && echo yes) $(xargs < "$log") $(grep -o interrupted "$TMP/err")"
done

out=$(STUB_WAIT=10 leaks none true 2>&1)
same "leaks: a command that cannot be waited for" "1 yes" \
	"$? $([[ $out == *"true: waiting for its end: No child processes"* ]] && echo yes)"

# There is no result.
rounds reset 8 "[ \$n -lt 3 ] || echo start 1700000001000000000; echo \"$steady\""
bail="KTAP version 1
1..1
Bail out! "
told 1 "${bail}round 1: sh: exited with status 7" "KTAP of a command that fails" \
	leaks none --ktap sh -c '[ ! -e "$0" ] || exit 7; touch "$0"' "$TMP/failed.ktap"
told 1 "${bail}warm-up round: a b: cannot be run: No such file or directory" "KTAP of a command with two lines" \
	leaks none --ktap $'a\nb'
told 1 "${bail}kmprof was reset: *" "KTAP of a session that cannot be judged" leaks reset --ktap true
told 1 "${bail}the module does not profile memory" "KTAP without a profile of memory" \
	env STUB_WITHOUT=heap LD_PRELOAD="$TOOLS/build/tests/stub.so" "$kmprof" leaks --ktap true
told 1 "${bail}changing the configuration: *" "KTAP if settings cannot be put back" \
	env STUB_SETS=1 LD_PRELOAD="$TOOLS/build/tests/stub.so" STUB_ROUNDS="$TMP/none" \
	"$kmprof" leaks --ktap --kallsyms "$kallsyms" true
told 143 "${bail}interrupted: nothing was judged*" "KTAP of a signal" leaks none --ktap sh -c 'kill $PPID; sleep 60'

# The time.
rounds now 3 "echo rate 524288; echo \"$steady\""
told 0 "*No leak*3 intervals of *s, after one that is not judged; heap_rate=512K*" "--for watches, in intervals" \
	leaks now --for 1s --rounds 3
same "leaks: ... with the rate that is set" "settle snapshot settle snapshot settle snapshot settle snapshot" \
	"$(xargs < "$log")"

STUB_KINDS=1 seen "slab not: percpu, vmalloc, page; ; " "--for leaves the kinds as they are" leaks now --for 1s --rounds 3
STUB_KINDS=2 seen "percpu not: slab, vmalloc, page; ; warning: heap=percpu: slab memory is not seen hint: kmprof set heap=slab,percpu" \
	"--for warns without slab memory" leaks now --for 1s --rounds 3
err=$(STUB_KINDS=0 leaks now --for 1s --rounds 3 2>&1)
same "leaks: --for without any kind" "1 yes" "$? $([[ $err == *"heap=none: no kind of memory is seen"*hint:* ]] && echo yes)"

# Sessions that cannot be judged.
err=$(leaks reset true 2>&1)
same "leaks: a reset in between" "1 yes set heap_rate 524288" \
	"$? $([[ $err == *"kmprof was reset"*hint:* ]] && echo yes) $(tail -1 "$log")"
rounds changed 8 "[ \$n -lt 3 ] || echo rate 4096; echo \"$steady\""
err=$(leaks changed true 2>&1)
same "leaks: another rate in between" "1 yes" "$? $([[ $err == *"heap_rate was changed to 4096"*hint:* ]] && echo yes)"
rounds hidden 8 "echo noaddresses; echo \"$steady\""
err=$(leaks hidden true 2>&1)
same "leaks: hidden addresses" "1 yes" "$? $([[ $err == *"hides addresses"*hint:* ]] && echo yes)"
err=$(STUB_SETTLE=25 leaks none true 2>&1)
same "leaks: a module without SETTLE" "1 yes set heap_rate 524288" \
	"$? $([[ $err == *"deferred: the device does not know this command"*hint:* ]] && echo yes) $(tail -1 "$log")"
err=$(STUB_WITHOUT=heap leaks none true 2>&1)
same "leaks: a module without memory" "1 kmprof: the module does not profile memory" "$? $err"
for rate in 0 2G x; do
	err=$(leaks none --rate $rate true 2>&1)
	same "leaks: --rate $rate" "2 yes" "$? $([[ $err == *"--rate: '$rate' is not a number of bytes from 1 to"* ]] && echo yes)"
done

# On a terminal there is progress, which is wiped out, and colours.
out=$(terminal "LD_PRELOAD=$TOOLS/build/tests/stub.so STUB_ROUNDS=$TMP/one $kmprof leaks true")
contains "leaks: progress on a terminal" "round 3 (of 8): running" "$out"
contains "leaks: colours on a terminal" $'\033[31mLEAK' "$out"
err=$(leaks one true 2>&1 > /dev/full)
same "leaks: a full standard output" "1 yes" "$? $([[ $err == *"No space left on device"* ]] && echo yes)"

# What the kernel records about other memory, on the stack of whoever needs it first, is no leak of it.
sed -i '/_etext/i ffffffff81002000 T alloc_slab_obj_exts\nffffffff81002100 T __pte_alloc_kernel\nffffffff81002200 t alloc_vmap_area' "$kallsyms"
vectors="0xffffffff81002010 $cache"
rounds record 8 "echo \"sample 1 256 \$n 0 0 $vectors\"; echo \"$steady\""
told 0 "*No leak*, 0 stacks growing (not sure), of 1 that changed and 2 in all*
Set aside: records of the kernel, which grow with other memory
  vectors of slabs: 256 per round" "a record of the kernel" leaks record true
same "leaks: ... in JSON" "no leak record vectors of slabs 0 1" "$(leaks record --json true |
	json "v['verdict'], v['findings'][0]['verdict'], v['findings'][0]['record'],
	v['stacks']['leaks'], v['stacks']['records']" | tr -d "(),'")"
rounds records 8 "echo \"sample 1 64 \$n 0 0 $leak\"; echo \"sample 1 256 \$n 0 0 $vectors\"
	echo \"sample 1 512 \$n 0 0 0xffffffff81002010 $leak\"
	echo \"sample 1 4096 \$n 0 0 0xffffffff81002110 $leak\"
	echo \"sample 1 72 \$n 0 0 0xffffffff81002210 $leak\""
told 3 "*1 leak, 0 stacks growing*LEAK: 64 per round*
Set aside: records of the kernel, which grow with other memory
  page tables of vmalloc: 4.00K per round
  vectors of slabs: 768 per round
  descriptions of areas of vmalloc: 72 per round" "records beside a leak" leaks records true
same "leaks: nothing is set aside" "" "$(leaks one true | grep "Set aside")"
