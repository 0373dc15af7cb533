#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The HTML page in headless Chromium. For the same steps it shows what page.js says, so that
# all that t_pages.sh finds out with page.js holds for a browser, too. t_formats.sh compares the
# numbers that it shows with those of the other formats.
. "$TOOLS/tests/lib.sh"

if ! command -v chromium > "$TMP/chromium"; then
	echo "not ok - browser: chromium shows the page: 'make deps' installs it"
	exit 1
fi

browser=("node" "$TOOLS/tests/browser.js")
page=("node" "$TOOLS/tests/page.js")

# same_steps NAME FILE STEP...
same_steps()
{
	local name=$1 file=$2 stand_in

	shift 2
	stand_in=$("${page[@]}" steps "$file" "$@")
	contains "browser: $name: the stand-in shows something" "hidden: controls false" "$stand_in"
	same "browser: $name: shows what the stand-in does" "$stand_in" \
		"$("${browser[@]}" steps "$file" "$@" 2>&1)"
}

# write FILE SPEC PROFILE
write()
{
	image "$TMP/image" < "$TOOLS/tests/$2.spec"
	"$kmprof" dump "$3" --input "$TMP/image" --kallsyms "$kallsyms" -o "$1"
	result "browser: a page of $3 is written" $?
}

write "$TMP/buffers.html" objects buffers
same_steps "keys, mouse, search and columns" "$TMP/buffers.html" key=ArrowDown key=Enter type=^LEAK key=c \
	'type=(' "hover=leak [leaky]" click=all key=/ type= column=2 key=ArrowRight key=ArrowDown \
	key=ArrowRight key=ArrowRight key=ArrowLeft key=Home key=x "click=leak [leaky]" key=Escape \
	key=Escape key=Escape key=Escape
write "$TMP/heap.html" basic heap
same_steps "heap" "$TMP/heap.html" key=ArrowDown key=Enter type=vfs column=1 column=2 column=3
write "$TMP/block.html" block block
same_steps "block" "$TMP/block.html" key=ArrowDown key=ArrowRight type=lock column=1
write "$TMP/mutex.html" mutex mutex
same_steps "mutex" "$TMP/mutex.html" key=ArrowDown key=Enter key=Escape column=1

for name in buffers heap block mutex; do
	same "browser: $name: loads nothing but itself, without an error" "itself" \
		"$("${browser[@]}" loads "$TMP/$name.html" 2>&1)"
done

# That it would be noticed.
sed 's/"use strict";/"use strict"; fetch("https:\/\/example.org\/");/' "$TMP/heap.html" > "$TMP/changed.html"
contains "browser: a script that has been changed is refused" "error: " \
	"$("${browser[@]}" loads "$TMP/changed.html" 2>&1)"

# Light text on a dark ground, or the other way round: bright SCHEME prints brightness of both
bright()
{
	"${browser[@]}" colors "$TMP/heap.html" "$1" 2>&1 |
		sed -E 's/rgb\(([0-9]+), ([0-9]+), ([0-9]+)\)/\1 \2 \3/g' |
		awk '{ print ($1 + $2 + $3 > 600 ? "bright" : $1 + $2 + $3 < 165 ? "dark" : "between"),
			     ($4 + $5 + $6 > 600 ? "bright" : $4 + $5 + $6 < 165 ? "dark" : "between") }'
}

same "browser: light" "bright dark" "$(bright light)"
same "browser: dark" "dark bright" "$(bright dark)"
