#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The HTML page and the SVG picture: what they show, and names that are made to break them.
# t_formats.sh compares their numbers with those of the other formats.
. "$TOOLS/tests/lib.sh"

if ! command -v node > "$TMP/node"; then
	echo "not ok - pages: node runs the scripts of the page: 'make deps' installs it"
	exit 1
fi

# text FILE: what a page or a picture shows without scripts, each element in a line
text()
{
	python3 - "$1" << 'P'
import html, re, sys
text = open(sys.argv[1], encoding="ascii").read()
text = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
for line in re.split(r"<[^>]*>|\n", text):
    if line.strip():
        print(html.unescape(line))
P
}

# sound NAME FILE
sound()
{
	same "pages: $1 is well-formed, and loads nothing" "" "$(python3 "$TOOLS/tests/formats.py" sound "$2" 2>&1)"
}

page=("node" "$TOOLS/tests/page.js")
image "$TMP/objects" < "$TOOLS/tests/objects.spec"
buffers=("$kmprof" dump buffers --input "$TMP/objects" --kallsyms "$kallsyms")
"${buffers[@]}" -o "$TMP/buffers.html"
same "pages: a page allows its own scripts and style, by their hashes, and nothing else" \
	"default-src 'none'; script-src model view; style-src style; base-uri 'none'; form-action 'none'" \
	"$("${page[@]}" policy "$TMP/buffers.html")"

got=$("${page[@]}" steps "$TMP/buffers.html" key=ArrowDown key=Enter type=^LEAK key=c 'type=(' \
	"hover=leak [leaky]" click=all key=/ type= column=2 key=ArrowRight key=ArrowDown key=ArrowRight \
	key=ArrowRight key=ArrowLeft key=Home key=x "click=leak [leaky]" key=Escape key=Escape key=Escape key=Escape)
same "pages: keys, mouse, search and columns" "all<selected | [no stack] | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 13.18 KiB, 100.00 % of all
# key=ArrowDown
all | [no stack] | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 12.7 KiB, 96.30 % of all
# key=Enter
all<above | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 12.7 KiB, 96.30 % of all, 100.00 % of vfs_read
# type=^LEAK
all<above | vfs_read<selected | leak_outer [leaky]<found | leak [leaky]<found
  vfs_read: 12.7 KiB, 96.30 % of all, 100.00 % of vfs_read | 12.7 KiB, 100.00 % of what is shown
# key=c
all<above | vfs_read<selected | leak_outer [leaky]<found | leak [leaky]<found
  vfs_read: 8, 88.89 % of all, 100.00 % of vfs_read | 8, 100.00 % of what is shown
# type=(
all<above | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 8, 88.89 % of all, 100.00 % of vfs_read | not a regular expression
# hover=leak [leaky]
all<above | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  leak [leaky]: 4, 44.44 % of all, 50.00 % of vfs_read | not a regular expression
# click=all
all<selected | [no stack] | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 9, 100.00 % of all | not a regular expression
# key=/
all<selected | [no stack] | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 9, 100.00 % of all | not a regular expression
# type=
all<selected | [no stack] | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 9, 100.00 % of all
# column=2
all<selected | iget_locked | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 129 ns, 100.00 % of all
# key=ArrowRight
all<selected | iget_locked | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 129 ns, 100.00 % of all
# key=ArrowDown
all | iget_locked | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 109 ns, 84.50 % of all
# key=ArrowRight
all | iget_locked | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 109 ns, 84.50 % of all
# key=ArrowRight
all | iget_locked | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 109 ns, 84.50 % of all
# key=ArrowLeft
all | iget_locked<selected | vfs_read | leak_outer [leaky] | leak [leaky]
  iget_locked: 20 ns, 15.50 % of all
# key=Home
all<selected | iget_locked | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 129 ns, 100.00 % of all
# key=x
all<selected | iget_locked | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 129 ns, 100.00 % of all
# click=leak [leaky]
all<above | vfs_read<above | leak_outer [leaky]<above | leak [leaky]<selected
  leak [leaky]: 58 ns, 44.96 % of all, 100.00 % of leak [leaky]
# key=Escape
all<above | vfs_read<above | leak_outer [leaky]<selected | leak [leaky]
  leak_outer [leaky]: 109 ns, 84.50 % of all, 100.00 % of leak_outer [leaky]
# key=Escape
all<above | vfs_read<selected | leak_outer [leaky] | leak [leaky]
  vfs_read: 109 ns, 84.50 % of all, 100.00 % of vfs_read
# key=Escape
all<selected | iget_locked | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 129 ns, 100.00 % of all
# key=Escape
all<selected | iget_locked | vfs_read | leak_outer [leaky] | leak [leaky]
  all: 129 ns, 100.00 % of all
58 ns, 44.96 %, 58 ns, 44.96 %, leak [leaky]
51 ns, 39.53 %, 109 ns, 84.50 %, leak_outer [leaky]
20 ns, 15.50 %, 20 ns, 15.50 %, iget_locked
0 ns, 0.00 %, 109 ns, 84.50 %, vfs_read
columns: held (bytes), buffers (count), age (nanoseconds)
hidden: controls false, main false" "$got"
# Where the other column has nothing, the zoom goes out as far as it has.
same "pages: a column without anything where the other one was" "all<above | iget_locked<selected
all<selected | [no stack] | vfs_read | leak_outer [leaky] | leak [leaky]" \
	"$("${page[@]}" steps "$TMP/buffers.html" column=2 click=iget_locked column=0 | sed -n '7p;10p')"

# Numbers in JavaScript have 53 bits.
"$kmprof" dump threads --input "$TMP/objects" --kallsyms "$kallsyms" -o "$TMP/threads.html"
same "pages: digits that are not known are zeros" "all: 9,223,372,036,854,780,000" \
	"$("${page[@]}" steps "$TMP/threads.html" | sed -n '2s/^ *\(all: [0-9,]*\), .*/\1/p')"
image "$TMP/known" <<< $'profile threads\ncolumn threads count\nrow 9007199254740991 @'
"$kmprof" dump threads --input "$TMP/known" --kallsyms "$kallsyms" -o "$TMP/known.html"
same "pages: those that are known are shown" "all: 9,007,199,254,740,991, 100.00 % of all" \
	"$("${page[@]}" steps "$TMP/known.html" | sed -n '2s/^ *//p')"

shown=$(text "$TMP/buffers.html")
contains "pages: without scripts, there is the account" "not in it: 5 of 13 samples: ledger.buffers_full 5" "$shown"
contains "pages: without scripts, there are the losses" "5
buffers_full
buffers
yes
not known to this version of kmprof" "$shown"
contains "pages: without scripts, there are the facts" "total.buffers
1234" "$shown"
contains "pages: when it was taken" "Taken at 2023-11-14 22:14:20 UTC, after 60 s of counting." "$shown"
image "$TMP/labels" < "$TOOLS/tests/labels.spec"
"$kmprof" dump block --input "$TMP/labels" --kallsyms "$kallsyms" -o "$TMP/labels.html"
same "pages: all losses are in the table, those of zero, too" \
	"$("$kmprof" status --json --input "$TMP/labels" | json "len(v['ledger'])")" \
	"$(sed -n '/id="losses"/,/<\/table>/p' "$TMP/labels.html" | grep -c '^<tr.*<td')"

# A profile without anything in it.
image "$TMP/empty" <<< ""
for profile in heap block; do
	empty=("$kmprof" dump $profile --input "$TMP/empty" --kallsyms "$kallsyms")
	"${empty[@]}" -o "$TMP/empty.html" 2> "$TMP/err"
	"${empty[@]}" -o "$TMP/empty.svg" 2> "$TMP/err"
	for format in html svg; do
		sound "an empty $profile, $format" "$TMP/empty.$format"
	done
	same "pages: an empty $profile says so, HTML" "There is nothing in this column." \
		"$("${page[@]}" steps "$TMP/empty.html" key=ArrowDown key=Enter type=a key=c | sed -n '2s/^ *//p')"
	contains "pages: an empty $profile says so, SVG" "nothing of this has been counted" \
		"$(text "$TMP/empty.svg")"
	same "pages: an empty $profile has no line in folded" "" "$("${empty[@]}" --format folded 2> "$TMP/err" | grep -v '^#')"
done

# Names that are made to become something else than text.
cat > "$TMP/hostile" << 'K'
ffffffff81000000 T _text
ffffffff81001000 T </script><script>alert(1)</script>
ffffffff81001100 T <!--<script>"'`&amp;&#60;
ffffffff81001200 T a;b"],\u003c\"']]><![CDATA[</title></text></svg>
ffffffff81100000 T _etext
ffffffffc0000000 t ${x}%s%n\	[</style><b>&"'\]
ffffffffc0000080 t onload=x:	[leaky]
K
sed 's/^profile buffers/profile <b>"'"'"'\&amp;\\u003c/; s/^column held bytes/column <i>"\&lt;\\ <u>"'"'"'/
	s/^comm .*/comm <s>"\&'"'"'\\/; s/buffers_full/<q>"\&\\/' "$TOOLS/tests/objects.spec" | image "$TMP/hostile.img"
hostile=("$kmprof" dump '<b>"'"'"'&amp;\u003c' --input "$TMP/hostile.img" --kallsyms "$TMP/hostile")
stacks="9000 a:b\"],\\u003c\\\"']]><![CDATA[</title></text></svg>;onload=x:
4000 a:b\"],\\u003c\\\"']]><![CDATA[</title></text></svg>;onload=x:;\${x}%s%n\\
500 [no stack]"
for format in html svg json folded script; do
	"${hostile[@]}" --format $format -o "$TMP/hostile.$format"
	result "pages: hostile names: $format is written" $?
done
for format in html svg; do
	sound "hostile names, $format" "$TMP/hostile.$format"
	for piece in "<b>" "<i>" "<u>" "<s>" "<q>" "</title></text>" "&amp;" "<![CDATA["; do
		same "pages: hostile names: no $piece in $format" "" "$(grep -F -- "$piece" "$TMP/hostile.$format")"
	done
done
same "pages: hostile names: folded" "$stacks" \
	"$(python3 "$TOOLS/tests/formats.py" stacks folded "$TMP/hostile.folded")"
# Only there, ; separates.
for format in script json html; do
	same "pages: hostile names: $format" "${stacks//a:b/a;b}" \
		"$(python3 "$TOOLS/tests/formats.py" stacks $format "$TMP/hostile.$format")"
done
same "pages: hostile names: the script of the page" "${stacks//a:b/a;b}" \
	"$("${page[@]}" stacks "$TMP/hostile.html")"
same "pages: hostile names: SVG" "500 [no stack]
4000 \${x}%s%n\\ [</style><b>&\"'\\]
13000 a;b\"],\\u003c\\\"']]><![CDATA[</title></text></svg>
13000 onload=x: [leaky]
13500 all" \
	"$(python3 "$TOOLS/tests/formats.py" drawn "$TMP/hostile.svg")"
shown=$(text "$TMP/hostile.html")
for word in '<b>"'"'"'&amp;\u003c' '<q>"&\'; do
	contains "pages: hostile names: $word is shown as it is" "$word" "$shown"
done
contains "pages: hostile names: a column is shown as it is" 'columns: <i>"&lt;\ (<u>"'"'"'), buffers' \
	"$("${page[@]}" steps "$TMP/hostile.html")"

# What none of the profiles above has.
"$asan/tests/series" html "$kallsyms" > "$TMP/series.html"
sound "a series that no code knows, HTML" "$TMP/series.html"
"$asan/tests/series" svg "$kallsyms" > "$TMP/series.svg"
sound "a series that no code knows, SVG" "$TMP/series.svg"
same "pages: a series that no code knows" "9000 vfs_read;leak_outer
4000 vfs_read;leak_outer;leak
500 [on the wire]" "$("${page[@]}" stacks "$TMP/series.html")"
