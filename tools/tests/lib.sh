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

# image FILE < DESCRIPTION
image()
{
	"$mkimage" > "$1" || { echo "not ok - making $1"; exit 1; }
}

# pprof -OPTION... FILE: only what it says about the profile
pprof()
{
	HOME=$TMP PPROF_TMPDIR=$TMP go tool pprof "$@" 2> "$TMP/pprof.err" ||
		sed 's/^/# pprof: /' "$TMP/pprof.err"
}

# Sums of the four values over all samples of "pprof -raw".
sums()
{
	pprof -raw "$1" | awk '
		/^Locations/ { exit }
		/^ *[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+:/ {
			sub(/:.*/, ""); for (i = 1; i <= 4; i++) s[i] += $i
		}
		END { printf "%.0f %.0f %.0f %.0f\n", s[1], s[2], s[3], s[4] }'
}

# One symbol table for all: three functions of the kernel, two of a module.
kallsyms=$TMP/kallsyms
cat > "$kallsyms" <<'K'
ffffffff81000000 T _text
ffffffff81001000 T alloc_inode
ffffffff81001100 T iget_locked
ffffffff81001200 T vfs_read
ffffffff81100000 T _etext
ffffffffc0000000 t leak	[leaky]
ffffffffc0000080 t leak_outer	[leaky]
ffffffffc0000100 d some_data	[leaky]
K
