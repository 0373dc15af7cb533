#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# --lines: each address of a kernel and of a module, small ones, has the lines and inlined functions
# that addr2line finds; and no file with debug information is taken for another one.
. "$TOOLS/tests/lib.sh"

unset DEBUGINFOD_URLS
kaslr=$((0x1e000000))
root=$TMP/root
mkdir -p "$TMP/src" "$TMP/debug" "$root/proc" "$root/sys/kernel" "$root/sys/module/tiny/notes"

# --- a kernel and a module ----------------------------------------------------------------

# Functions that are inlined over three levels and from a header, two static ones of one name, calls
# that do not return, and code without debug information.
cat > "$TMP/src/inner.h" <<'S'
static inline __attribute__((always_inline)) int add(int a, volatile int *b)
{
	*b += a;
	return *b;
}
static inline __attribute__((always_inline)) int twice(int a, volatile int *b)
{
	add(a, b);
	return add(a + 1, b);
}
S
cat > "$TMP/src/one.c" <<'S'
#include "inner.h"
int other(int a);
void stop(void) __attribute__((noreturn));
static volatile int sum;
static __attribute__((noinline)) int shared(int a)
{
	return twice(a, &sum) * 3;
}
static inline __attribute__((always_inline)) int middle(int a)
{
	for (int i = 0; i < a; i++)
		twice(i, &sum);
	return sum;
}
int outer(int a)
{
	return middle(a) + shared(a) + other(a);
}
__attribute__((section(".text.far"))) int far(int a)
{
	return middle(a) - outer(a);
}
int fatal(int a)
{
	if (a > 3)
		return outer(a);
	add(a, &sum);
	stop();
}
S
cat > "$TMP/src/two.c" <<'S'
#include "inner.h"
static volatile int sum;
static __attribute__((noinline)) int shared(int a)
{
	add(a, &sum);
	return add(sum, &sum);
}
int other(int a)
{
	return shared(a) + twice(a, &sum);
}
__attribute__((noreturn)) void stop(void)
{
	for (;;)
		add(1, &sum);
}
S
echo '.globl bare; .type bare, @function; bare: nop; nop; ret; .size bare, . - bare; .section .note.GNU-stack,"",@progbits' > "$TMP/src/bare.s"

# compile DIRECTORY OPTION...: names of files are below the directory where it is done, as in a kernel
compile()
{
	local to=$1 name

	shift
	mkdir -p "$to"
	for name in one.c two.c bare.s; do
		(cd "$TMP" && gcc -O2 -fno-pic -mcmodel=kernel -ffreestanding -fno-stack-protector "$@" \
			-c "src/$name" -o "$to/${name%.*}.o") || exit 1
	done
}

# kernel FILE DIRECTORY: of the objects in there
kernel()
{
	gcc -nostdlib -static -Wl,--build-id=sha1,-z,noexecstack,-Ttext=0xffffffff81001000,-e,outer \
		-Wl,--defsym=_text=0xffffffff81000000,--defsym=_etext=0xffffffff81100000 \
		"$2"/one.o "$2"/two.o "$2"/bare.o -o "$1" || exit 1
}

# build_id FILE
build_id()
{
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# note FILE TO: as sysfs has it
note()
{
	objcopy --dump-section .note.gnu.build-id="$2" "$1" /dev/null
}

compile "$TMP/o" -g
kernel "$TMP/vmlinux" "$TMP/o"
ld -r -z noexecstack --build-id=sha1 "$TMP"/o/{one,two,bare}.o -o "$TMP/tiny.ko"

# Where the module's sections are tells nobody; they are far from each other, the last one first.
declare -A section=([.text.far]=$((0xffffffffc0100000)) [.text]=$((0xffffffffc0304000)))
# functions: "ADDRESS SIZE NAME FILE SECTION OFFSET" of each function of both, where it was loaded
functions()
{
	readelf -sW "$TMP/vmlinux" | awk '$4 == "FUNC" { print $2, $3, $8 }' |
		while read -r address size name; do
			echo "$((0x$address + kaslr)) $((size)) $name $TMP/vmlinux - $address"
		done
	readelf -SW "$TMP/tiny.ko" | sed -n 's/^ *\[ *\([0-9]*\)\] \(\.text[a-z.]*\) .*/\1 \2/p' > "$TMP/sections"
	readelf -sW "$TMP/tiny.ko" | awk 'NR == FNR { name[$1] = $2; next }
		$4 == "FUNC" { print $2, $3, $8, name[$7] }' "$TMP/sections" - |
		while read -r address size name in; do
			echo "$((0x$address + ${section[$in]})) $((size)) $name $TMP/tiny.ko $in $address"
		done
}
functions > "$TMP/functions"
same "lines: functions to look at" "yes 1" "$([ "$(wc -l < "$TMP/functions")" -ge 14 ] && echo yes) $(grep -c '\.text\.far' "$TMP/functions")"

# symbols: as the kernel shows them
symbols()
{
	printf '%x T _text\n%x T _etext\n' $((0xffffffff81000000 + kaslr)) $((0xffffffff81100000 + kaslr))
	while read -r address size name file _; do
		printf '%x t %s%s\n' "$address" "$name" "$([ "$file" = "$TMP/vmlinux" ] || printf '\t[tiny]')"
	done < "$TMP/functions"
}
symbols > "$root/proc/kallsyms"
echo "tiny 4194304 0 - Live 0xffffffffc0100000 (OE)" > "$root/proc/modules"
note "$TMP/vmlinux" "$root/sys/kernel/notes"
note "$TMP/tiny.ko" "$root/sys/module/tiny/notes/.note.gnu.build-id"

# Every byte of each function, and what addr2line says of it: "ADDRESS FUNCTION FILE:LINE" a line,
# the innermost function first.
echo "rate 1" > "$TMP/spec"
while read -r address size name file in at; do
	for ((i = 0; i < size; i++)); do
		printf 'sample 1 8 1 0 0 0x%x\n' $((address + i + 1)) >> "$TMP/spec"
		printf '%x\n' $((0x$at + i)) > "$TMP/at"
		addr2line -i -f -e "$file" $([ "$in" = - ] || echo "-j $in") @"$TMP/at" |
			awk -v a="$(printf '%x' $((address + i + 1)))" -v name="$name" '
				NR % 2 { f = $1; next }
				{ sub(/ \(discriminator.*/, ""); line[++n] = $0; of[n] = f == "??" ? name : f }
				END { for (i = 1; i <= n; i++) print a, of[i], line[i] }'
	done
done < "$TMP/functions" | sort -s -k1,1 > "$TMP/want"
image "$TMP/image" < "$TMP/spec"
inlined=$(uniq -D -w 16 "$TMP/want" | wc -l)
same "lines: bytes of code, and many in inlined functions" "yes yes" \
	"$([ "$(grep -c sample "$TMP/spec")" -gt 500 ] && echo yes) $([ "$inlined" -gt 500 ] && echo yes)"

# shown: the same of the text of kmprof on standard input
shown()
{
	awk -F'\t' '/^#\t0x/ {
		name = $3; sub(/\+0x.*| \(inlined\).*/, "", name); sub(/\..*/, "", name)
		print substr($2, 3), name, (NF > 3 ? $4 : "??:?")
	}' | sort -s -k1,1
}

# --- each address -------------------------------------------------------------------------

"$kmprof" dump --input "$TMP/image" --symfs "$root" --debuginfo "$TMP/vmlinux" \
	--debuginfo "$TMP/tiny.ko" > "$TMP/text" 2> "$TMP/err"
same "lines: text has what addr2line has, for each byte of code" "0 " \
	"$? $(diff "$TMP/want" <(shown < "$TMP/text") | head -20)"
same "lines: nothing to warn of" "" "$(cat "$TMP/err")"
mkdir -p "$TMP/debug/lib/modules/1" "$TMP/debug/boot"
cp "$TMP/tiny.ko" "$TMP/debug/lib/modules/1/"
cp "$TMP/vmlinux" "$TMP/debug/boot/vmlinux-1"
"$asan/kmprof" dump --input "$TMP/image" --symfs "$root" --debuginfo "$TMP/debug" > "$TMP/again" 2> "$TMP/err"
same "lines: the same from a directory, by the names of files" "0 " "$? $(cmp "$TMP/text" "$TMP/again" 2>&1; cat "$TMP/err")"
mkdir -p "$TMP/ids/.build-id"
for file in "$TMP/vmlinux" "$TMP/tiny.ko"; do
	id=$(build_id "$file")
	mkdir -p "$TMP/ids/.build-id/${id:0:2}"
	cp "$file" "$TMP/ids/.build-id/${id:0:2}/${id:2}.debug"
done
(cd "$TMP" && "$asan/kmprof" dump --input "$TMP/image" --symfs "$root" --debuginfo ids) > "$TMP/again" 2> "$TMP/err"
same "lines: the same from a directory, by build ids" "0 " "$? $(cmp "$TMP/text" "$TMP/again" 2>&1; cat "$TMP/err")"
"$kmprof" dump --input "$TMP/image" --symfs "$root" > "$TMP/plain"
same "lines: none unless they are asked for" "" "$(grep '\.[ch]:' "$TMP/plain")"
same "lines: without them, the rest is the same" "" \
	"$(diff "$TMP/plain" <(grep -v '(inlined)' "$TMP/text" | sed 's/^\(#\t0x[^\t]*\t[^\t]*\)\t.*/\1/'))"

# A saved image has the build ids, and needs nothing else.
"$kmprof" dump --input "$TMP/image" --symfs "$root" --format image -o "$TMP/saved"
lines=(--input "$TMP/saved" --debuginfo "$TMP/debug")
"$kmprof" dump "${lines[@]}" > "$TMP/again"
same "lines: the same of a saved image" "" "$(diff "$TMP/want" <(shown < "$TMP/again") | head -20)"

# What was split off from a file, and DWARF of another version.
mkdir "$TMP/split"
for file in vmlinux tiny.ko; do
	objcopy --only-keep-debug "$TMP/$file" "$TMP/split/$file"
done
"$kmprof" dump --input "$TMP/saved" --debuginfo "$TMP/split" > "$TMP/again"
same "lines: the same of debug information that was split off" "" \
	"$(diff "$TMP/want" <(shown < "$TMP/again") | head -20)"

# --- modules that are gone ----------------------------------------------------------------

# It was loaded twice. Each time its two pieces went to other places.
gone=($((0xffffff8000000000 - 0xffffffffc0000000)) $((0xffffff8010000000 - 0xffffffffc0000000)))
{
	echo "rate 1"
	for life in 0 1; do
		for in in .text.far .text; do
			printf 'module tiny 0x%x 0x1000 0x%x %s\n' $((section[$in] + gone[life])) \
				"${section[$in]}" "$(build_id "$TMP/tiny.ko")"
		done
	done
	for life in 0 1; do
		while read -r address size name _ in _; do
			[ "$in" = - ] || printf 'symbol %s 0x%x %d %d\n' "$name" $((address + gone[life])) \
				"$size" $((life * 2 + $([ "$in" = .text.far ] && echo 0 || echo 1)))
		done < "$TMP/functions"
	done | sort -k3
	for life in 0 1; do
		sed -n "s/.* 0xffffffffc0/sample 1 8 1 0 0 0xffffff80${life}0/p" "$TMP/spec"
	done
} > "$TMP/gone.spec"
image "$TMP/gone" < "$TMP/gone.spec"
for life in 0 1; do
	sed -n "s/^ffffffffc0/ffffff80${life}0/p" "$TMP/want"
done > "$TMP/gone.want"
"$kmprof" dump --input "$TMP/gone" --debuginfo "$TMP/tiny.ko" > "$TMP/again" 2> "$TMP/err"
same "lines: the same of a module that is gone, twice, and was in two pieces" "0 " \
	"$? $(diff "$TMP/gone.want" <(shown < "$TMP/again") | head -20)"

# --- no line rather than a wrong one -------------------------------------------------------

# refused NAME WORDS ARGUMENT...: status 1, words, the hint $hint, and nothing is written
hint="hint: "
refused()
{
	local name=$1 words=$2 err

	shift 2
	echo old > "$TMP/out"
	err=$("$asan/kmprof" dump "$@" -o "$TMP/out" 2>&1)
	same "lines: $name" "1 yes old" \
		"$? $([[ $err == "kmprof: "*"$words"*$hint* ]] && echo yes || echo "$err") $(cat "$TMP/out")"
}

# The same sources, another build.
compile "$TMP/o1" -g -O1
kernel "$TMP/other" "$TMP/o1"
mkdir -p "$TMP/stale/boot" "$TMP/bare/boot" "$TMP/none"
cp "$TMP/other" "$TMP/stale/boot/vmlinux-1"
strip -g "$TMP/vmlinux" -o "$TMP/bare/boot/vmlinux-1"
refused "a file of another build" \
	"$TMP/other: its build id $(build_id "$TMP/other") is not that of " \
	--input "$TMP/saved" --debuginfo "$TMP/other"
refused "a file of another build beside the right ones" "its build id" "${lines[@]}" --debuginfo "$TMP/other"
refused "a directory with another build" \
	"no lines of the kernel: $TMP/stale/boot/vmlinux-1: its build id " \
	--input "$TMP/saved" --debuginfo "$TMP/stale"
refused "a file without debug information" "$TMP/bare/boot/vmlinux-1: debug information: " \
	--input "$TMP/saved" --debuginfo "$TMP/bare/boot/vmlinux-1"
refused "a directory without debug information" "$TMP/bare/boot/vmlinux-1: debug information: " \
	--input "$TMP/saved" --debuginfo "$TMP/bare"
refused "two directories that are of no use: the first one is told" "$TMP/stale/boot/vmlinux-1: its build id " \
	--input "$TMP/saved" --debuginfo "$TMP/stale" --debuginfo "$TMP/bare"
hint=
refused "a file that is not there" "$TMP/no: No such file or directory" --input "$TMP/saved" --debuginfo "$TMP/no"
refused "a file that is something else" "$TMP/spec: " --input "$TMP/saved" --debuginfo "$TMP/spec"
hint="hint: install the debug information of that kernel"
refused "debug information that is nowhere" "no debug information was found" --input "$TMP/saved" --lines
refused "an empty directory" "no debug information was found" --input "$TMP/saved" --debuginfo "$TMP/none"
"$kmprof" report --input "$TMP/saved" --lines > "$TMP/out" 2> "$TMP/err"
same "lines: report without debug information" "1 0" "$? $(stat -c %s "$TMP/out")"
refused "build ids that are not known" "its build id is not known" \
	--input "$TMP/image" --kallsyms "$root/proc/kallsyms" --debuginfo "$TMP/debug"
contains "lines: without debug information, there are functions and offsets" "outer+0x" "$(cat "$TMP/plain")"

# One of the two only.
"$asan/kmprof" dump --input "$TMP/saved" --debuginfo "$TMP/vmlinux" > "$TMP/again" 2> "$TMP/err"
same "lines: of the kernel only" "0 kmprof: warning: no lines of tiny: no debug information was found" \
	"$? $(cat "$TMP/err")"
same "lines: the module has none then" "yes " "$(grep '\[tiny\]' "$TMP/again" | grep '\.[ch]:')$(diff \
	<(grep '^ffffffff9' "$TMP/want") <(shown < "$TMP/again" | grep '^ffffffff9') > /dev/null && echo yes) "

# Both are named, and only the kernel was sampled.
at=$(awk '$3 == "other" && $4 ~ /vmlinux$/ { print $1; exit }' "$TMP/functions")
printf 'rate 1\nsample 1 8 1 0 0 0x%x\n' $((at + 2)) | image "$TMP/kernel"
"$asan/kmprof" dump --input "$TMP/kernel" --symfs "$root" --debuginfo "$TMP/vmlinux" \
	--debuginfo "$TMP/tiny.ko" > "$TMP/again" 2> "$TMP/err"
same "lines: a file of a module that was not sampled" "0  two.c" \
	"$? $(cat "$TMP/err") $(grep -o 'two\.c' "$TMP/again" | head -1)"
refused "build ids that are not known, and a file that is named" "its build id is not known" \
	--input "$TMP/image" --kallsyms "$root/proc/kallsyms" --debuginfo "$TMP/vmlinux"

# A function that is elsewhere, or longer, than the build says: none of that module has a line.
# odd NAME WORDS KALLSYMS-EDIT
odd()
{
	rm -rf "$TMP/odd"
	cp -r "$root" "$TMP/odd"
	sed -i "$3" "$TMP/odd/proc/kallsyms"
	"$asan/kmprof" dump --input "$TMP/image" --symfs "$TMP/odd" --debuginfo "$TMP/debug" \
		> "$TMP/again" 2> "$TMP/err"
	same "lines: $1" "0 kmprof: warning: no lines of tiny: $TMP/debug/lib/modules/1/tiny.ko: $2" "$? $(cat "$TMP/err")"
	same "lines: $1: the module has none, the kernel has all" "yes " "$(grep '\[tiny\]' "$TMP/again" | grep '\.[ch]:')$(diff \
		<(grep '^ffffffff9' "$TMP/want") <(shown < "$TMP/again" | grep '^ffffffff9') > /dev/null && echo yes) "
}
# address NAME: of the module's function
address()
{
	printf '%x' "$(awk -v name="$1" '$3 == name && $4 ~ /ko$/ { print $1 }' "$TMP/functions")"
}
outer=$(address outer)
odd "a function that is elsewhere" "its functions are elsewhere" \
	"s/^$outer t/$(printf '%x' $((0x$outer + 1))) t/"
odd "a function that is not there" "it lacks a function that was sampled" "s/^$outer t outer/$outer t outermost/"
odd "a function that reaches over the next one" "its functions are elsewhere" "/^$outer t/d"

# Two functions share the name, and no other one tells where the kernel is.
at=$(awk '$3 == "shared" && $4 ~ /vmlinux$/ { print $1; exit }' "$TMP/functions")
printf 'rate 1\nsample 1 8 1 0 0 0x%x\n' $((at + 2)) | image "$TMP/alone"
"$asan/kmprof" dump --input "$TMP/alone" --symfs "$root" --debuginfo "$TMP/vmlinux" > "$TMP/again" 2> "$TMP/err"
same "lines: a function whose name is not the only one, alone" \
	"0 kmprof: warning: no lines of 1 address: the name of the function does not tell which one it is shared+0x2" \
	"$? $(cat "$TMP/err") $(grep -o 'shared+0x2.*' "$TMP/again" | sed 's,/.*,,')$(grep '\.[ch]:' "$TMP/again")"

# --- other formats --------------------------------------------------------------------------

# A call of twice(), inlined in middle() and outer(), where the loop is.
at=$(awk '$2 == "add" { a = $1 } $2 == "twice" && a == $1 { b = $1 } $2 == "middle" && b == $1 { c = $1 }
	$2 == "outer" && c == $1 { print $1; exit }' "$TMP/want")
chain=$(grep "^$at " "$TMP/want" | cut -d' ' -f2-)
stop=$(printf '%x' $((0x$(address stop) + 2)))
printf 'rate 1\nsample 1 8 1 0 0 0x%s 0x%s\n' "$at" "$stop" | image "$TMP/few"
few=(--input "$TMP/few" --symfs "$root" --debuginfo "$TMP/debug")
same "lines: an address with four functions" "add twice middle outer" "$(echo "$chain" | cut -d' ' -f1 | xargs)"

"$asan/kmprof" dump "${few[@]}" --format pprof -o "$TMP/few.pb.gz"
raw=$(pprof -raw "$TMP/few.pb.gz")
same "lines: pprof has all of them at one location, the innermost first" "$chain" \
	"$(echo "$raw" | awk '/^Locations/ { on = 1; next } /^Mappings/ { on = 0 }
		on { sub(/^ *[0-9]+: 0x[0-9a-f]+ M=[0-9]+ /, ""); sub(/^ +/, ""); sub(/ s=[0-9]+.*/, "")
			print }' | head -4)"
same "lines: pprof has two locations" 2 "$(echo "$raw" | grep -c ' M=[0-9]')"
same "lines: pprof's mappings say what they have" 2 "$(echo "$raw" | grep -c '\[FN\]\[FL\]\[LN\]\[IN\]$')"
same "lines: without them, they say so" 2 "$("$kmprof" dump --input "$TMP/few" --symfs "$root" \
	--format pprof -o "$TMP/plain.pb.gz"; pprof -raw "$TMP/plain.pb.gz" | grep -c ' \[FN\]$')"
"$kmprof" dump "${few[@]}" --debuginfo "$TMP/vmlinux" --format pprof -o "$TMP/few.pb.gz"
contains "lines: pprof -list shows them" "return *b;" \
	"$(cd "$TMP" && pprof -list '^add$' "$TMP/few.pb.gz" 2>&1)"

"$asan/kmprof" dump "${few[@]}" --json > "$TMP/few.json"
same "lines: JSON fits its schema" "" \
	"$(python3 "$TOOLS/tests/schema.py" "$TOOLS/lib/export/profile.schema.json" "$TMP/few.json" 2>&1)"
same "lines: JSON has them" "$chain" "$(python3 -c '
import json, sys
for l in json.load(sys.stdin)["rows"][0]["stack"][0]["lines"]:
	print("%s %s:%d" % (l["function"], l["file"], l["line"]))' < "$TMP/few.json")"
same "lines: JSON without them has no such member" "" "$("$kmprof" dump --input "$TMP/few" --symfs "$root" --json | grep '"lines"')"

same "lines: folded stacks have inlined functions" \
	"stop;add_[i];outer;middle_[i];twice_[i];add_[i] 8" \
	"$("$asan/kmprof" dump "${few[@]}" --format folded | grep -v '^#')"
same "lines: as perf script has them" "$(echo "$chain" | sed "s/^\([^ ]*\) \(.*\)/\t$at \1 (inlined)\n  \2/; \$!b
	s/outer (inlined)/outer ([kernel.kallsyms])/" | sed 's/^ *\t */\t/')" \
	"$("$kmprof" dump "${few[@]}" --format script | sed -n '/^\t/,/^$/p' | sed 's/+0x[0-9a-f]* / /; s/^\t */\t/' | head -8)"
for format in svg html; do
	contains "lines: $format has inlined functions" "twice (inlined)" \
		"$("$asan/kmprof" dump "${few[@]}" --format $format)"
done
same "lines: report by function" "add (inlined)|add (inlined) [tiny]|middle (inlined)|outer|stop [tiny]|twice (inlined)" \
	"$("$asan/kmprof" report "${few[@]}" | sed '1,/FUNCTION/d; s/.*%  //' | sort | paste -sd '|')"
same "lines: report by module" "[kernel] tiny" \
	"$("$kmprof" report "${few[@]}" --by module | sed '1,/MODULE/d; s/.*%  //; s/[][]//g; s/kernel/[kernel]/' | sort | xargs)"
same "lines: report as a tree" "stop [tiny]|add (inlined) [tiny]|outer|middle (inlined)|twice (inlined)|add (inlined)" \
	"$("$kmprof" report "${few[@]}" --tree | sed '1,/FUNCTION/d; s/^.*%  *//; s/^  *//' | paste -sd '|')"
same "lines: --focus finds inlined functions" 1 "$("$kmprof" dump "${few[@]}" --focus middle | grep -c ^1:)"
same "lines: ... and not without lines" 0 "$("$kmprof" dump --input "$TMP/few" --symfs "$root" --focus middle | grep -c ^1:)"

# --- servers ----------------------------------------------------------------------------------

# A server for debug information by build ids, which says what it was asked for.
mkdir "$TMP/www"
for file in "$TMP/vmlinux" "$TMP/tiny.ko"; do
	mkdir -p "$TMP/www/buildid/$(build_id "$file")"
	cp "$file" "$TMP/www/buildid/$(build_id "$file")/debuginfo"
done
python3 -u -m http.server --bind 127.0.0.1 --directory "$TMP/www" 0 > "$TMP/port" 2> "$TMP/asked" &
server=$!
trap 'kill $server' EXIT
for i in $(seq 100); do
	port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$TMP/port")
	[ -n "$port" ] && break
	sleep 0.1
done
export DEBUGINFOD_CACHE_PATH=$TMP/cache
refused "no server is asked unless one is named" "no debug information was found" --input "$TMP/saved" --lines
same "lines: ... and none was" "" "$(cat "$TMP/asked")"
DEBUGINFOD_URLS=http://127.0.0.1:$port "$kmprof" dump --input "$TMP/saved" --lines > "$TMP/again" 2> "$TMP/err"
same "lines: the same from a server" "0  2" \
	"$? $(cat "$TMP/err"; cmp "$TMP/text" "$TMP/again" 2>&1) $(grep -c 'GET /buildid/.*/debuginfo HTTP/1.1" 200' "$TMP/asked")"
cp "$TMP/other" "$TMP/www/buildid/$(build_id "$TMP/vmlinux")/debuginfo"
rm -rf "$TMP/cache"
DEBUGINFOD_URLS=http://127.0.0.1:$port "$kmprof" dump --input "$TMP/saved" --lines > "$TMP/again" 2> "$TMP/err"
same "lines: what a server sends is checked" "0 yes" \
	"$? $([[ $(cat "$TMP/err") == "kmprof: warning: no lines of the kernel: "*"its build id "*" is not that of "* ]] && echo yes)"

# A directory is asked first, also for what was split off from a file that is found by its name.
mkdir -p "$TMP/stripped"
for file in vmlinux tiny.ko; do
	strip -g "$TMP/$file" -o "$TMP/stripped/$file"
done
: > "$TMP/asked"
DEBUGINFOD_URLS=http://127.0.0.1:$port "$kmprof" dump --input "$TMP/saved" --debuginfo "$TMP/stripped" \
	--debuginfo "$TMP/ids" > "$TMP/again" 2> "$TMP/err"
same "lines: no server is asked for what a directory has" "0  " \
	"$? $(cat "$TMP/err"; cmp "$TMP/text" "$TMP/again" 2>&1) $(cat "$TMP/asked")"

# --- damaged files -----------------------------------------------------------------------------

# Nobody writes into it.
mkdir "$TMP/fifo"
mkfifo "$TMP/fifo/vmlinux"
for name in fifo fifo/vmlinux; do
	timeout 60 "$kmprof" dump --input "$TMP/saved" --debuginfo "$TMP/$name" > "$TMP/again" 2> "$TMP/err"
	same "lines: a FIFO is no file: $name" 1 $?
done
ln -s ../fifo/vmlinux "$TMP/none/vmlinux"
timeout 60 "$kmprof" dump --input "$TMP/saved" --debuginfo "$TMP/none" > "$TMP/again" 2> "$TMP/err"
same "lines: ... nor is a link to one" "1 kmprof: no lines of the kernel: $TMP/none/vmlinux: not a regular file" \
	"$? $(head -1 "$TMP/err")"

# Blocks in each other, each of which says that what follows it is what is inside of it.
{
	echo '.text; .globl outer; .type outer, @function'
	echo 'outer: .fill 16, 1, 0x90; ret; end: .size outer, end - outer'
	echo '.section .debug_abbrev, "", @progbits'
	# Unit: low_pc, high_pc, language; function and block: the same without, block with sibling.
	echo '.byte 1, 0x11, 1, 0x11, 1, 0x12, 6, 0x13, 5, 0, 0'
	echo '.byte 2, 0x2e, 1, 0x11, 1, 0x12, 6, 0, 0'
	echo '.byte 3, 0x0b, 1, 0x11, 1, 0x12, 6, 1, 0x13, 0, 0, 0'
	echo '.section .debug_info, "", @progbits'
	echo 'unit: .long unit_end - begin; begin: .short 4; .long .debug_abbrev; .byte 8'
	echo '.byte 1; .quad outer; .long end - outer; .short 12'
	echo '.byte 2; .quad outer; .long end - outer'
	for ((i = 0; i < 60; i++)); do
		echo "block$i: .byte 3; .quad outer; .long end - outer; .long block$((i + 1)) - unit"
	done
	echo "block60: .fill 63, 1, 0; unit_end:"
	echo '.section .note.GNU-stack, "", @progbits'
} > "$TMP/loop.s"
gcc -nostdlib -static -Wl,--build-id=sha1,-z,noexecstack,-Ttext=0xffffffff81001000,-e,outer \
	-Wl,--defsym=_text=0xffffffff81000000,--defsym=_etext=0xffffffff81100000 "$TMP/loop.s" -o "$TMP/loop"
mkdir -p "$TMP/loops/proc" "$TMP/loops/sys/kernel"
printf 'ffffffff81000000 T _text\nffffffff81001000 T outer\nffffffff81100000 T _etext\n' > "$TMP/loops/proc/kallsyms"
note "$TMP/loop" "$TMP/loops/sys/kernel/notes"
printf 'rate 1\nsample 1 8 1 0 0 0xffffffff81001008\n' | image "$TMP/looped"
timeout 60 "$kmprof" dump --input "$TMP/looped" --symfs "$TMP/loops" --debuginfo "$TMP/loop" > "$TMP/again" 2> "$TMP/err"
same "lines: a walk through a damaged file has an end" "0 outer" "$? $(grep -o outer "$TMP/again" | head -1)"

# A file that was cut is refused, or has fewer lines; it has no wrong ones, and nothing crashes.
size=$(stat -c %s "$TMP/vmlinux")
bad=0
for ((i = 1; i < 40; i++)); do
	head -c $((size * i / 40)) "$TMP/vmlinux" > "$TMP/cut"
	"$asan/kmprof" dump --input "$TMP/saved" --debuginfo "$TMP/cut" > "$TMP/again" 2> "$TMP/err"
	status=$?
	if [ $status -gt 1 ] || { [ $status -eq 1 ] && [ -s "$TMP/again" ]; }; then
		bad=$((bad + 1))
		sed 's/^/# /' "$TMP/err"
	fi
done
same "lines: files that were cut" 0 $bad
