#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The folders include from each other only what tools/wings allows, and that has no circle.
. "$TOOLS/tests/lib.sh"

# wings DIRECTORY: all that is wrong with a tree like tools/, a line each
wings()
{
	(cd "$1" && find cmd lib -name '*.[ch]' | LC_ALL=C sort | xargs grep -Hn '^[ \t]*#[ \t]*include[ \t]*"' /dev/null |
		sed 's:^lib/::' | awk -v folders="$(find cmd lib -mindepth 1 -name '*.[ch]' -printf '%h\n' |
			sed 's:^lib/::' | sort -u | xargs)" '
		FILENAME == "wings" {
			sub(/#.*/, "")
			if (!NF)
				next
			if (!sub(/:/, " "))
				print "wings: not a line of it: " $0
			if ($1 in listed)
				print "wings: twice: " $1
			listed[$1] = 1
			for (i = 2; i <= NF; i++)
				may[$1, $i] = 1
			next
		}
		{
			split($0, at, ":")
			from = at[1]
			sub(/\/[^\/]*$/, "", from)
			match($0, /"[^"]*"/)
			to = name = substr($0, RSTART + 1, RLENGTH - 2)
			includes++
			if (!sub(/\/[^\/]*$/, "", to))
				print at[1] ":" at[2] ": names no folder: " name
			else if (from != to && !((from, to) in may))
				print at[1] ":" at[2] ": " from " must not know " to
		}
		# Takes away the folders that know none that is left; a circle stays.
		function circle(   from, to, knows, left, more)
		{
			for (from in listed)
				left[from] = 1
			do {
				more = 0
				for (from in left) {
					knows = 0
					for (to in left)
						knows += ((from, to) in may)
					if (!knows) {
						delete left[from]
						more = 1
					}
				}
			} while (more)
			for (from in listed)
				if (from in left)
					print "wings: in a circle, or behind one: " from
		}
		END {
			n = split(folders, folder, " ")
			for (i = 1; i <= n; i++) {
				there[folder[i]] = 1
				if (!(folder[i] in listed))
					print "wings: no line for " folder[i]
			}
			for (from in listed)
				if (!(from in there))
					print "wings: no such folder: " from
			for (pair in may) {
				split(pair, both, SUBSEP)
				if (!(both[2] in listed))
					print "wings: " both[1] " knows " both[2] ", which has no line"
			}
			circle()
			if (!includes)
				print "wings: no include found at all"
		}' wings - 2>&1 | LC_ALL=C sort)
}

same "wings: the code keeps to the list" "" "$(wings "$TOOLS")"

# planted NAME WANTED: what is found in $TMP/tree, which is made anew behind it
tree()
{
	rm -rf "$TMP/tree"
	mkdir "$TMP/tree"
	cp -r "$TOOLS/cmd" "$TOOLS/lib" "$TOOLS/wings" "$TMP/tree"
}
planted()
{
	same "wings: finds $1" "$2" "$(wings "$TMP/tree")"
	tree
}
# include FILE HEADER: as its first line
include()
{
	sed -i "1i #include \"$2\"" "$TMP/tree/$1"
}

tree
include lib/util/gzip.c image/image.h
planted "an include upwards" "util/gzip.c:1: util must not know image"
include lib/profile/heap.h export/pprof.h
planted "a profile that knows an exporter" "profile/heap.h:1: profile must not know export"
include lib/image/image.c device/device.h
planted "an include sideways" "image/image.c:1: image must not know device"
include lib/export/text.c cmd/cmd.h
planted "a library that knows the command line" "export/text.c:1: export must not know cmd"
sed -i '1i #  include "../lib/profile/heap.h"' "$TMP/tree/lib/symbols/symbols.c"
planted "a way around the folder" "symbols/symbols.c:1: symbols must not know ../lib/profile"
include cmd/top.c term.h
planted "an include that names no folder" "cmd/top.c:1: names no folder: term.h"
mkdir "$TMP/tree/lib/perf"
echo > "$TMP/tree/lib/perf/perf.c"
planted "a folder without a line" "wings: no line for perf"
echo "perf: util" >> "$TMP/tree/wings"
planted "a line without a folder" "wings: no such folder: perf"
sed -i 's/^image:.*/image: util image2/' "$TMP/tree/wings"
planted "a name that is no folder" "wings: image knows image2, which has no line"
echo "image: device" >> "$TMP/tree/wings"
planted "two lines for one folder" "wings: twice: image"
sed -i 's/^util:.*/util: profile/' "$TMP/tree/wings"
planted "a circle in the list" "$(printf 'wings: in a circle, or behind one: %s\n' \
	cmd device export image profile symbols util)"
sed -i 's/^profile:.*/profile: image symbols util export/' "$TMP/tree/wings"
planted "a circle of two, and only what is in it or behind it" \
	"$(printf 'wings: in a circle, or behind one: %s\n' cmd export profile)"
sed -i 's/^device:.*/device: device util/' "$TMP/tree/wings"
planted "a circle of one" "$(printf 'wings: in a circle, or behind one: %s\n' cmd device)"
