# SPDX-License-Identifier: GPL-2.0
# Traces in the formats of other programs, and what these read in them. Sourced by tests, with bash.

# convert FORMAT < DESCRIPTION: the trace as FORMAT, in the file trace.FORMAT
convert()
{
	mktrace > trace
	"$asan/kmprof" trace --input trace --format "$1" -o "trace.$1" 2>&1
}

# go_events FILE: as Go's own parser has them, without what is different in each file
go_events()
{
	go tool trace -d "$1" 2>&1 |
		sed '/Parsing trace/d; s/ off=[0-9]*//; s/ stack=[0-9]*//; s/ id=0 keyid=[0-9]*//'
}

# decoded FILE: Perfetto's protobuf as text
decoded()
{
	protoc --proto_path="$TOOLS/lib" --decode=kmprof.perfetto.Trace timeline/perfetto.proto < "$1"
}

# field_numbers FILE: those of each field in it. What is decoded with the same schema says nothing about
# the numbers in that.
field_numbers()
{
	protoc --decode_raw < "$1" | awk '
		/\}/ { depth--; next }
		{ at[depth] = $1 + 0; path = at[0]; for (i = 1; i <= depth; i++) path = path "." at[i] }
		/\{/ { depth++; next }
		{ print path }' | sort -uV
}
