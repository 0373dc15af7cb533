#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Objects in use: the list, to the letter; what is chosen of it; images without it.
. "$TOOLS/tests/lib.sh"

image "$TMP/inuse" < "$TOOLS/tests/inuse.spec"
objects()
{
	"$kmprof" objects --kallsyms "$kallsyms" "$@" 2>&1
}

title="    AGE   CYCLE     SIZE KIND    ADDRESS            TASK                   STACK, LEAF < CALLERS"
first="  11.7m       1       64 slab    0xffff888000001040 kworker/0:1/321        leak [leaky] < vfs_read"
second="  10.0m       1       64 slab    0xffff888000001080 [softirq]              leak [leaky] < vfs_read"
third="  3.00s       7    20.0K page    0xffff888010000000 a name/77              iget_locked < vfs_read"
fourth=" 20.0ms       9       64 slab    0xffff888000002000 -                      leak [leaky] < vfs_read"
same "inuse: the list, to the letter" "heap: 4 sampled objects in use, the oldest first

$title
$first
$second
$third
$fourth" "$(objects "$TMP/inuse")"
same "inuse: the oldest ones only" "heap: 4 sampled objects in use, 2 chosen, the oldest first

$title
$first
$second" "$(objects --older 5m --input "$TMP/inuse")"
same "inuse: from that age on" 2 "$(objects --older 600s "$TMP/inuse" | grep -c leak)"
same "inuse: the first ones" "$first
... and 3 more; -n 0 shows all" "$(objects -n 1 "$TMP/inuse" | tail -n 2)"
same "inuse: all of them" 4 "$(objects -n 0 "$TMP/inuse" | grep -c vfs_read)"
same "inuse: of some stacks" "$third" "$(objects --focus iget "$TMP/inuse" | tail -n +4)"
same "inuse: without some stacks" "$third" "$(objects --ignore leaky "$TMP/inuse" | tail -n +4)"
same "inuse: none of them" "heap: 4 sampled objects in use, 0 chosen" \
	"$(objects --older 30h "$TMP/inuse")"
same "inuse: a terminal cuts stacks" "leak [leak" \
	"$(terminal "$kmprof objects --kallsyms $kallsyms $TMP/inuse -n 1" 85 | sed -n '4s/.*321  *//p')"

(cat "$TOOLS/tests/inuse.spec"; echo "scalar owners - - 0 setting") | image "$TMP/off"
contains "inuse: tasks are not remembered" "
owners=0: tasks are not remembered; 'kmprof set owners=1' changes that" "$(objects "$TMP/off")"
(cat "$TOOLS/tests/inuse.spec"; echo "scalar owners - - 1 setting") | image "$TMP/on"
same "inuse: tasks are remembered" "$(objects "$TMP/inuse")" "$(objects "$TMP/on")"

json=$(objects --json -n 3 "$TMP/inuse")
same "inuse: JSON has each object" "[['0xffff888000001040', 700000000000, 1, 1, {'comm': 'kworker/0:1', 'tid': 321}, 0], ['0xffff888000001080', 600000000000, 1, 1, {'comm': '[softirq]', 'tid': 0}, 0], ['0xffff888010000000', 3000000000, 7, 5, {'comm': 'a name', 'tid': 77}, 1]]" \
	"$(json '[[o[k] for k in ("address", "age_ns", "cycle", "objects", "task", "site")] for o in v["objects"]]' <<< "$json")"
same "inuse: ... and each stack once" "[('slab', 64, 524288, 'leak'), ('page', 4096, 524288, 'iget_locked')]" \
	"$(json '[(s["kind"], s["object_size"], s["period"], s["stack"][0]["function"]) for s in v["sites"]]' <<< "$json")"
same "inuse: ... and how many there are" "heap 9 1700000900000000000 4 4" \
	"$(json 'v["profile"], v["cycle"], v["time_ns"], v["nr_inuse"], v["nr_chosen"]' <<< "$json" | tr -d "(),'")"
same "inuse: a task that is not known is null" "[None]" \
	"$(objects --json -n 0 "$TMP/inuse" | json '[o["task"] for o in v["objects"]][3:]')"

# The first bytes: of a pipe and of a page, with names of what they point to.
bytes=$(sed '/^object 0xffff888000001040/a bytes 2f746d70400000821b20ff00ff00ff0010000081ffffffff4000000082ffffffff' "$TOOLS/tests/inuse.spec" |
	sed 's/4000000082ffffffff/44000082ffffffff/')
image "$TMP/bytes" <<< "$bytes"
same "inuse: the first bytes, to the letter" "$first
    +00   2f 74 6d 70 40 00 00 82  1b 20 ff 00 ff 00 ff 00  |/tmp@.... ......|
    +10   10 00 00 81 ff ff ff ff  44 00 00 82 ff ff ff ff  |........D.......|
    +10  _text+0x10/0x1000
    +18  rtnl_mutex+0x4/0x20
$second
    no bytes" "$(objects --bytes "$TMP/bytes" | sed -n 4,10p)"
same "inuse: ... are not shown if they are not asked for" "$(objects "$TMP/inuse")" "$(objects "$TMP/bytes")"
same "inuse: ... in JSON" "['2f746d70400000821b20ff00ff00ff0010000081ffffffff44000082ffffffff', None, None, None]" \
	"$(objects --bytes --json "$TMP/bytes" | json '[o["bytes"] for o in v["objects"]]')"
same "inuse: ... only if they are asked for" "[None, None, None, None]" \
	"$(objects --json "$TMP/bytes" | json '[o["bytes"] for o in v["objects"]]')"
same "inuse: an image without bytes" "1 kmprof: the image does not have the first bytes of objects
kmprof: hint: of the running kernel, 'kmprof objects --bytes' shows them" \
	"$(out=$(objects --bytes "$TMP/inuse"); echo "$? $out")"

# A saved image lists them, too.
"$kmprof" dump --input "$TMP/inuse" --kallsyms "$kallsyms" --format image -o "$TMP/saved"
same "inuse: a saved image lists the same" "$(objects "$TMP/inuse")" "$("$kmprof" objects "$TMP/saved" 2>&1)"

(cat "$TOOLS/tests/inuse.spec"; echo noaddresses) | sed 's/^object 0x[0-9a-f]*/object 0/' |
	image "$TMP/hidden"
contains "inuse: an address that is hidden is none" " page    -                  a name/77" \
	"$("$kmprof" objects "$TMP/hidden" 2> /dev/null)"
same "inuse: ... and null in JSON" "[None, None, None, None]" \
	"$("$kmprof" objects --json "$TMP/hidden" 2> /dev/null | json '[o["address"] for o in v["objects"]]')"

# Names are not to control a terminal.
sed $'s/a name/a\033b/' "$TOOLS/tests/inuse.spec" | image "$TMP/rude"
contains "inuse: names are printable" " a?b/77 " "$(objects "$TMP/rude")"
contains "inuse: ... in JSON" '"a?b"' "$(objects --json "$TMP/rude")"

# An image without the list, of this module and of older ones.
none="kmprof: the image does not list the objects in use
kmprof: hint: 'kmprof record --objects' saves an image that lists them"
grep -v '^object\|^by' "$TOOLS/tests/inuse.spec" | image "$TMP/without"
same "inuse: an image without a list" "$none" "$(objects "$TMP/without")"
(grep -v '^object\|^by' "$TOOLS/tests/inuse.spec"; echo old_ages) | image "$TMP/old"
same "inuse: an image of an older module" "$none" "$(objects "$TMP/old")"
(grep -v '^object\|^by' "$TOOLS/tests/inuse.spec"; echo old_samples) | image "$TMP/older"
same "inuse: an image of an even older module" "$none" "$(objects "$TMP/older")"
"$kmprof" objects "$TMP/without" --kallsyms "$kallsyms" > /dev/null 2>&1
same "inuse: ... fails" 1 $?
same "inuse: an older image is completed as before" "$(objects "$TMP/old"; "$kmprof" report "$TMP/old" --kallsyms "$kallsyms")" \
	"$("$kmprof" dump --input "$TMP/old" --kallsyms "$kallsyms" --format image -o "$TMP/old.saved"
		"$kmprof" objects "$TMP/old.saved" 2>&1; "$kmprof" report "$TMP/old.saved")"
printf 'rate 1\nsample 1 64 4 4 0 0xffffffff81001110\n' | image "$TMP/freed"
same "inuse: nothing is in use" "heap: 0 sampled objects in use" "$(objects "$TMP/freed")"

# The device is asked for the list, by this command and by record.
export STUB_IMAGE=$TMP/inuse STUB_LOG=$TMP/log
stub=$TOOLS/build/tests/stub.so
same "inuse: of the device" "$(objects "$TMP/inuse")" "$(LD_PRELOAD=$stub objects)"
same "inuse: ... which is asked for it" "snapshot objects" "$(cat "$TMP/log")"
rm "$TMP/log"
(cd "$TMP" && LD_PRELOAD=$stub "$kmprof" record --objects -d 1ms -o "$TMP/recorded" --kallsyms "$kallsyms")
same "inuse: record --objects asks, too" "snapshot objects" "$(cat "$TMP/log")"
rm "$TMP/log"
(cd "$TMP" && STUB_OWNERS=0 LD_PRELOAD=$stub "$kmprof" record --objects -d 1ms -o "$TMP/recorded" --kallsyms "$kallsyms")
same "inuse: ... and for tasks, where they can be remembered" "set owners 1 snapshot objects set owners 0" "$(xargs < "$TMP/log")"
same "inuse: ... and saves the list" "$(objects "$TMP/inuse")" "$("$kmprof" objects "$TMP/recorded" 2>&1)"
rm "$TMP/log"
same "inuse: the device is asked for bytes" "$(objects --bytes "$TMP/bytes") snapshot objects bytes" \
	"$(STUB_IMAGE=$TMP/bytes LD_PRELOAD=$stub objects --bytes) $(cat "$TMP/log")"
same "inuse: who may not see them" "kmprof: not allowed to see what is in the kernel's memory
kmprof: hint: run as root, with kernel.kptr_restrict below 2, and without lockdown=confidentiality" \
	"$(STUB_NO_BYTES=1 LD_PRELOAD=$stub objects --bytes)"
same "inuse: a module that does not know it" "kmprof: the module is an older one, which does not list objects
kmprof: hint: load the kmprof.ko that belongs to this program" "$(STUB_OBJECTS=no LD_PRELOAD=$stub objects)"
