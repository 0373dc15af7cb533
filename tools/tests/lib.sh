# SPDX-License-Identifier: GPL-2.0
# What the test scripts share. Each prints "ok - NAME" or "not ok - NAME" per
# test and diagnostics behind #; run.sh counts them.

set -u
export LC_ALL=C.UTF-8

# TMP is this script's own scratch space, from run.sh.
kmprof=$TOOLS/kmprof
mkimage=$TOOLS/build/tests/mkimage
asan=$TOOLS/build/asan

# result NAME STATUS
result()
{
	if [ "$2" -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
	fi
}

# same NAME WANTED GOT
same()
{
	if [ "$2" = "$3" ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		diff <(echo "$2") <(echo "$3") | sed 's/^/# /'
	fi
}

# contains NAME WANTED GOT: WANTED is a fixed string
contains()
{
	case $3 in
	*"$2"*)
		echo "ok - $1"
		;;
	*)
		echo "not ok - $1"
		echo "# '$2' is not in:"
		echo "$3" | sed 's/^/# /'
		;;
	esac
}

# terminal COMMAND [COLUMNS]: script(1) gives the program a terminal
terminal()
{
	TERM=xterm script -qec "stty cols ${2:-80}; $1" /dev/null < /dev/null | tr -d '\r'
}

# same_rows IMAGE COMPLETED: what is behind the header came back byte for byte
same_rows()
{
	cmp -s -i 176 -n $(($(stat -c %s "$1") - 176)) "$1" "$2"
}

# take_settings [NAME=VALUE...] ARGUMENT...: fills the arrays settings, for stub.c, and arguments
take_settings()
{
	settings=()
	while [[ ${1:-} == STUB_* ]]; do
		settings+=("$1")
		shift
	done
	arguments=("$@")
}

# logged: what stub.c was asked in the place of the module, in one line; its STUB_LOG is $log
logged()
{
	[ ! -e "$log" ] || xargs < "$log"
}

# sampled FILE [LINE...] < SAMPLES: an image in which every allocation is a sample; the lines describe
# it, too
sampled()
{
	local file=$1

	shift
	{
		printf '%s\n' "rate 1" "source 1" "totals 10 1000 5" "$@"
		cat
	} | image "$file"
}

# image FILE < DESCRIPTION
image()
{
	"$mkimage" > "$1" || { echo "not ok - making $1"; exit 1; }
}

# random IMAGE NAMES: many stacks with much in common, of heap, block and mutex, and the symbol table
# of their 60 functions in three modules. More than one is the same but for its size.
random()
{
	awk 'BEGIN {
		print "ffffffff81000000 T _text"
		for (i = 0; i < 60; i++)
			printf "ffffffff81%06x t f%d%s\n", 4096 + i * 256, i, i % 3 ? "\t[m" i % 3 "]" : ""
		print "ffffffff81100000 T _etext"
	}' > "$2"
	awk '
	function stack(j) {
		for (j = int(rand() * 12); j >= 0; j--)
			printf " 0xffffffff81%06x", 4112 + int(rand() * 60) * 256
		print ""
	}
	BEGIN {
		srand(3); print "start 1700000000000000000\ntime 1700000060000000000\nrate 4096\nblock 1 1 1\nmutex 1 1 1 1\nloss ring_full sample 7"
		for (i = 0; i < 3000; i++) {
			printf "sample 4096 %d %d %d 0", 8 * int(1 + rand() * 64), i % 7 + 2, i % 3
			stack()
			delay = int(exp(rand() * 16))
			printf "%s 1 %d 0 0 %d %d %d", i % 2 ? "contention" : "release", i % 5 + 1,
				i % 7 + 1, delay * (i % 7 + 1), delay
			stack()
		}
	}' | image "$1"
}

# mktrace > FILE < DESCRIPTION
mktrace()
{
	python3 "$TOOLS/tests/mktrace.py" || { echo "not ok - making a trace"; exit 1; }
}

# report ARGUMENT...: what $kmprof trace report says, without the first two lines and the ends, and with one blank between words
report()
{
	"$kmprof" trace report "$@" 2>&1 | sed '1,2d; / IN THE END$/,$d; s/  */ /g; s/^ //'
}

# causes ARGUMENT...: the causes in it, with --why
causes()
{
	report "$@" | tail -n +4
}

# last_table HEAD ARGUMENT...: the rows of its last table, which has this head
last_table()
{
	head=$1
	shift
	report "$@" | sed -n "/^$head\$/,\$p" | tail -n +2
}

# ends ARGUMENT...: the ends that it leaves out
ends()
{
	"$kmprof" trace report "$@" 2>&1 | sed '1,/ IN THE END$/d; s/  */ /g; s/^ //'
}

# typed FILE < RECORDS: makes a trace of them, with the types and tasks of $types
typed()
{
	{ echo "$types"; cat; } | mktrace > "$1"
}

# hex FILE: its bytes, as mktrace.py takes them
hex()
{
	od -An -v -tx1 "$1" | tr -d ' \n'
}

# told NAME WANTED < DESCRIPTION: what is told of the trace, without the tasks at the end
told()
{
	local got

	mktrace > trace
	got=$("$asan/tests/story" trace 2>&1 | awk '/^[0-9]/ { begun = 1 } !/^task/ || !begun')
	same "trace: $1" "$2" "$got"
}

# pprof -OPTION... FILE: only what it says about the profile
pprof()
{
	HOME=$TMP PPROF_TMPDIR=$TMP go tool pprof "$@" 2> "$TMP/pprof.err" ||
		sed 's/^/# pprof: /' "$TMP/pprof.err"
}

# Sums of the values over all samples of "pprof -raw".
sums()
{
	pprof -raw "$1" | awk '
		/^Locations/ { exit }
		/^ *[0-9]+( +[0-9]+)*:/ {
			sub(/:.*/, ""); for (i = 1; i <= NF; i++) s[n = i] += $i
		}
		END { for (i = 1; i <= n; i++) printf "%.0f%s", s[i], i < n ? " " : "\n" }'
}

# sample DELAY: values and labels of one of the contentions in $raw, of "pprof -raw"
sample()
{
	echo "$raw" | grep -A1 "^ *[0-9]* *$1:" | sed 's/:.*//; 2s/.*//' | xargs
	echo "$raw" | grep -A1 "^ *[0-9]* *$1:" | sed -n '2s/^ *//p'
}

# json EXPRESSION: of the JSON on standard input, as v
json()
{
	python3 -c "import json, sys; v = json.load(sys.stdin); print($1)"
}

# One symbol table for all: three functions and three variables of the kernel, two
# and one of a module.
kallsyms=$TMP/kallsyms
cp "$TOOLS/tests/kallsyms" "$kallsyms"
