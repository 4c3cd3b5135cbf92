#!/bin/sh
# The program of the README compiles without a warning as C99 and C++17, as it stands, and prints
# what the README says; and the tests that it names exist. Environment: CC, CXX, DOCA_README
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$root/tools/readme" --program >"$work/program.c"
"$root/tools/readme" --program-output >"$work/expected"
cp "$work/program.c" "$work/program.cc"
for build in "${CC:-cc} -std=c99 $work/program.c" "${CXX:-c++} -std=c++17 $work/program.cc"; do
    $build -Wall -Wextra -Werror -I"$root" -o "$work/program"
    "$here/compare_output.sh" "$work/expected" "$work/program"
done

# the last column of the table of differences
names=$(sed -n '/^## What differs/,/^## Build/s/^|.*| \(`.*`\) |$/\1/p' "${DOCA_README:-$root/README.md}" |
    tr -d '`')
[ "$(echo "$names" | wc -l)" -gt 10 ] || { echo 'the README has no table of differences'; exit 1; }
for name in $names; do
    case $name in
    compat.*) grep -qw "${name##*.}" "$here/CMakeLists.txt" ;;
    *) grep -q "CASE($name," "$here"/test_*.c ;;
    esac || { echo "the README names a test that is not there: $name"; exit 1; }
done
