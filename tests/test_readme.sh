#!/bin/sh
# The program of the README compiles without a warning as C99 and C++17, as it stands, and prints
# what the README says, with faults on demand too; the tests that it names exist, and the rules are as many as it says; and
# what was measured stands in generated parts only, there and in the CHANGELOG.
# Environment: CC, CXX, DOCA_README, DOCA_CHANGELOG
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$here")
readme=${DOCA_README:-$root/README.md}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$root/tools/readme" --program >"$work/program.c"
"$root/tools/readme" --program-output >"$work/expected"
cp "$work/program.c" "$work/program.cc"
for build in "${CXX:-c++} -std=c++17 $work/program.cc" "${CC:-cc} -std=c99 $work/program.c"; do
    $build -Wall -Wextra -Werror -I"$root" -o "$work/program"
    "$here/compare_output.sh" "$work/expected" "$work/program"
done

# the head of doca_core.h has the same
awk '/^ \* A COMPLETE PROGRAM/ { inside = 1; next }
    inside && /^ \* MEMORY/ { exit }
    inside && (/./ && (sub(/^ \*     /, "") || sub(/^ \*/, ""))) && ($0 != "" || is_begun) {
        is_begun = 1
        if ($0 == "") { gap = gap "\n"; next }
        printf "%s%s\n", gap, $0
        gap = ""
    }' "$root/doca_core.h" | diff "$work/program.c" -

# block MARKER LANGUAGE: the first block of this language behind the marker
block()
{
    awk -v marker="<!-- $1 -->" -v fence="\`\`\`$2" '
        $0 == marker { is_behind = 1 }
        inside && $0 == "```" { exit }
        inside
        is_behind && $0 == fence { inside = 1 }' "$readme"
}

# without what differs from run to run
settle()
{
    sed 's/0x[0-9a-f]\{5,\}/0x.../g'
}

mv "$work/program" "$work/copy" # in C
block 'faults: commands' text >"$work/expected"
[ "$(grep -c '^\$ ' "$work/expected")" -gt 1 ] || { echo 'the README has no commands'; exit 1; }
sed -n 's/^\$ //p' "$work/expected" | while read -r command; do
    echo "\$ $command"
    (cd "$work" && sh -c "$command" 2>"$work/log") || true
    grep -q 'on demand' "$work/log" || echo "no fault was logged"
done | settle >"$work/output"
diff "$work/expected" "$work/output"

cp "$work/program.c" "$work/copy.c"
block 'faults: program' c >"$work/ladder.c"
block 'faults: program' text >"$work/expected"
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$root" -o "$work/ladder" "$work/ladder.c"
"$work/ladder" | settle >"$work/output"
diff "$work/expected" "$work/output"

# the last column of the table of differences
names=$(sed -n '/^## What differs/,/^## Build/s/^|.*| \(`.*`\) |$/\1/p' "$readme" |
    tr -d '`')
[ "$(echo "$names" | wc -l)" -gt 10 ] || { echo 'the README has no table of differences'; exit 1; }
for name in $names; do
    case $name in
    compat.*) grep -qw "${name##*.}" "$here/CMakeLists.txt" ;;
    *) grep -Eq "CASE(_OF_SW)?\($name," "$here"/test_*.c ;;
    esac || { echo "the README names a test that is not there: $name"; exit 1; }
done

said=$(tr '\n' ' ' <"$readme" | grep -o 'lists [0-9]* rules[^.]* of which [0-9]* can' |
    tr -dc '0-9 ')
num=$(grep -c '^[0-9]* [TUPD] ' "$here/rules.txt")
testable=$(grep -c '^[0-9]* T ' "$here/rules.txt")
[ "$(echo $said)" = "$num $testable" ] || {
    echo "tests/rules.txt has $num rules, of which $testable can be tested; the README: $said"
    exit 1
}

# a ratio, a time, a speed or a percentage
for file in "$readme" "${DOCA_CHANGELOG:-$root/CHANGELOG.md}"; do
    typed=$(sed '/^<!-- generated:/,/^<!-- end -->$/d; s/CMake [0-9.]*//' "$file" |
        grep -E -e '(^|[^0-9.])[0-9]\.[0-9][0-9]([^0-9.]|$)' \
            -e '[0-9] ?([nmu]?s|[GM]B/s|%)([^A-Za-z0-9]|$)' || true)
    [ -z "$typed" ] || { echo "$file: measured, and not in a generated part: $typed"; exit 1; }
done
