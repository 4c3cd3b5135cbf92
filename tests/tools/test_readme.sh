#!/bin/sh
# Check the READMEs and the CHANGELOG:
#   - the program in the top README compiles without a warning as C99 and C++17 and prints the
#     quoted output, and the manual in doca_core.h has the same program
#   - the commands and the program in src/fault/README.md print the quoted output
#   - the top README has at most 220 lines, and the targets of all links exist
#   - the tests that READMEs name exist, and the number of rules is correct
#   - measured values are only in generated parts
# Usage: test_readme.sh [OBJECT]. The programs are linked with OBJECT, which is the compiled
# implementation, and their unchanged text is only parsed. Without OBJECT they contain the
# implementation.
# Environment: CC, CXX
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tests=$(dirname "$here")
root=$(dirname "$tests")
object=${1-}
readme=$root/README.md
fault_readme=$root/src/fault/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile PROGRAM COMPILER FLAG... SOURCE: compile and link a program without a warning
compile()
{
    program=$1
    shift
    if [ -z "$object" ]; then
        "$@" -Wall -Wextra -Werror -I"$root" -o "$program"
        return
    fi
    "$@" -Wall -Wextra -Werror -I"$root" -fsyntax-only
    for source in "$@"; do :; done
    sed 's/^#define DOCA_CORE_IMPLEMENTATION$//' "$source" >"$source.new"
    mv "$source.new" "$source"
    "$@" -Wall -Wextra -Werror -I"$root" "$object" -pthread -o "$program"
}

"$root/tools/readme" --program >"$work/program.c"
"$root/tools/readme" --program-output >"$work/expected"
cp "$work/program.c" "$work/program.cc"
cp "$work/program.c" "$work/unchanged.c"
for build in "${CXX:-c++} -std=c++17 $work/program.cc" "${CC:-cc} -std=c99 $work/program.c"; do
    # shellcheck disable=SC2086 # a command
    compile "$work/program" $build
    "$tests/support/compare_output.sh" "$work/expected" "$work/program"
done

# the manual in doca_core.h has the same program
awk '/^ \* A COMPLETE PROGRAM/ { inside = 1; next }
    inside && /^ \* MEMORY/ { exit }
    inside && (/./ && (sub(/^ \*     /, "") || sub(/^ \*/, ""))) && ($0 != "" || is_begun) {
        is_begun = 1
        if ($0 == "") { gap = gap "\n"; next }
        printf "%s%s\n", gap, $0
        gap = ""
    }' "$root/doca_core.h" | diff "$work/unchanged.c" -

# block MARKER LANGUAGE: print the first code block of this language after the marker
block()
{
    awk -v marker="<!-- $1 -->" -v fence="\`\`\`$2" '
        $0 == marker { is_behind = 1 }
        inside && $0 == "```" { exit }
        inside
        is_behind && $0 == fence { inside = 1 }' "$fault_readme"
}

# replace addresses, which differ from run to run
mask_addresses()
{
    sed 's/0x[0-9a-f]\{5,\}/0x.../g'
}

mv "$work/program" "$work/copy" # the program compiled as C
block 'faults: commands' text >"$work/expected"
[ "$(grep -c '^\$ ' "$work/expected")" -gt 1 ] || { echo "$fault_readme has no commands"; exit 1; }
sed -n 's/^\$ //p' "$work/expected" | while read -r command; do
    echo "\$ $command"
    (cd "$work" && sh -c "$command" 2>"$work/log") || true
    grep -q 'injected fault' "$work/log" || echo "no fault was logged"
done | mask_addresses >"$work/output"
diff "$work/expected" "$work/output"

cp "$work/program.c" "$work/copy.c"
block 'faults: program' c >"$work/ladder.c"
block 'faults: program' text >"$work/expected"
compile "$work/ladder" "${CC:-cc}" -std=c99 "$work/ladder.c"
"$work/ladder" | mask_addresses >"$work/output"
diff "$work/expected" "$work/output"

# names of test cases in the tables of the READMEs
names=$(cat "$root/tools/compat/README.md" "$root/src/memory/README.md" |
    sed -n 's/^|.*| \(`[a-z0-9_.]*`\( `[a-z0-9_.]*`\)*\)[^|]* |$/\1/p' | tr -d '`')
[ "$(echo "$names" | wc -l)" -gt 10 ] || { echo 'the READMEs have no tables of tests'; exit 1; }
for name in $names; do
    case $name in
    doca_*) ;; # a call
    compat.*) grep -qw "${name##*.}" "$tests/compat/library.cmake" ;;
    *) grep -rEq "CASE(_OF_SW)?\($name[,)]" "$tests" --include='*.c' --include='*.h' ;;
    esac || { echo "a README names a test that does not exist: $name"; exit 1; }
done

lines=$(wc -l <"$readme")
[ "$lines" -le 220 ] || { echo "README.md has $lines lines, more than 220"; exit 1; }
find "$root" -name '*.md' -not -path '*/build/*' -not -path '*/.git/*' | while read -r file; do
    grep -o '](\([^):]*\))' "$file" | sed 's/^](//; s/[#)].*//' | while read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$file")/$link" ] || echo "$file: broken link $link"
    done
done >"$work/links"
[ ! -s "$work/links" ] || { cat "$work/links"; exit 1; }

stated=$(tr '\n' ' ' <"$tests/README.md" | grep -o 'lists [0-9]* rules[^.]* of which [0-9]* can' |
    tr -dc '0-9 ')
num=$(grep -c '^[0-9]* [TUPD] ' "$tests/rules.txt")
testable=$(grep -c '^[0-9]* T ' "$tests/rules.txt")
[ "$(echo $stated)" = "$num $testable" ] || {
    echo "tests/rules.txt has $num rules, of which $testable can be tested;" \
        "tests/README.md: $stated"
    exit 1
}

# a ratio, a time, a speed or a percentage outside of the generated parts
for file in "$readme" "$root/CHANGELOG.md" "$root"/*/README.md "$root"/src/*/README.md; do
    typed=$(sed '/^<!-- generated:/,/^<!-- end -->$/d; s/CMake [0-9.]*//' "$file" |
        grep -E -e '(^|[^0-9.])[0-9]\.[0-9][0-9]([^0-9.]|$)' \
            -e '[0-9] ?([nmu]?s|[GM]B/s|%)([^A-Za-z0-9]|$)' || true)
    [ -z "$typed" ] || { echo "$file: measured value outside of a generated part: $typed"; exit 1; }
done
