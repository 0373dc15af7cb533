#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A profile that the program has never heard of goes through every exporter.
. "$TOOLS/tests/lib.sh"

series=$asan/tests/series
same "series: text to the letter" "buffers profile: total 13500
# profile buffers
# ledger.ring_full 3

# buffers 4, age 60 nanoseconds
9000 @ 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# driver e1000, queue 0, buffers 2, age 50 nanoseconds
3000 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# driver e1000, queue 0, buffers 1, age 7 nanoseconds
500 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# driver e1000, queue 1, buffers 1, age 8 nanoseconds
500 @ 0xffffffffc0000010 0xffffffffc0000090 0xffffffff81001210
#	0xffffffffc0000010	leak+0x10/0x80 [leaky]
#	0xffffffffc0000090	leak_outer+0x10/0x80 [leaky]
#	0xffffffff81001210	vfs_read+0x10/0x1000

# driver e1000, queue 0, buffers 1, age 9 nanoseconds
500 @ 0x0
#	0x0	[on the wire]" "$("$series" text "$kallsyms")"
same "series: a note takes the place of labels" \
	"# the note of row 3 # the note of row 0 # the note of row 1 # the note of row 2 # the note of row 4" \
	"$("$series" text "$kallsyms" note | grep note | xargs)"
contains "series: and not that of values" "# the note of row 0
# buffers 2, age 50 nanoseconds
3000 @" "$("$series" text "$kallsyms" note)"

"$series" text "$kallsyms" > "$TMP/buffers.txt"
"$series" pprof "$kallsyms" > "$TMP/buffers.pb.gz"
contains "series: pprof reads the text's type" "buffers/count" "$(pprof -raw "$TMP/buffers.txt")"
same "series: pprof reads the text's sum" 13500 "$(sums "$TMP/buffers.txt")"

raw=$(pprof -raw "$TMP/buffers.pb.gz")
contains "series: its types, and what is shown first" "buffers/count held/bytes[dflt] age/nanoseconds" "$raw"
contains "series: its period type" "PeriodType: packets count" "$raw"
contains "series: its period" "Period: 16" "$raw"
contains "series: its duration" "Duration: 1m0s" "$raw"
same "series: its sums" "9 13500 134" "$(sums "$TMP/buffers.pb.gz")"
same "series: its comments are the summary" "not in it: ledger.ring_full 3" \
	"$(pprof -comments "$TMP/buffers.pb.gz")"
contains "series: rows alike in stack and labels are one" "3       3500         57: 1 2 3" "$raw"
same "series: ... in the file, too" 4 \
	"$(gzip -dc "$TMP/buffers.pb.gz" | protoc --decode_raw | grep -c '^2 {')"
contains "series: its labels" "driver:[e1000]
                queue:[1 queue]" "$raw"
contains "series: what it has in the place of a stack" "[on the wire]" "$raw"
contains "series: names" "leak_outer" "$raw"
same "series: pprof finds a label" "500B" \
	"$(pprof -top -unit=B -tagfocus=queue=1queue "$TMP/buffers.pb.gz" |
		sed -n 's/.*Showing nodes accounting for \([0-9A-Za-z]*\),.*/\1/p')"
