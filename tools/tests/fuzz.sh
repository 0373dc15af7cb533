#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the fuzzer on a corpus: the images of all descriptions, and what is in corpus/.
#
#	fuzz.sh DIRECTORY OPTION...	the corpus grows in there; options of libFuzzer
#
# An image that ends it is left beside DIRECTORY.

set -eu
tests=$(cd "$(dirname "$0")" && pwd)
build=$tests/../build
corpus=$1
shift

mkdir -p "$corpus"
for spec in "$tests"/*.spec; do
	"$build/tests/mkimage" < "$spec" > "$corpus/$(basename "$spec" .spec)"
done
export KALLSYMS=$tests/kallsyms
# Leaks are looked for at the end only, and an image has no use for more bytes.
exec "$build/fuzz/tests/fuzz" -max_len=8192 -timeout=10 -rss_limit_mb=512 \
	-artifact_prefix="$(dirname "$corpus")/" "$@" "$corpus"
