#!/bin/sh
# Check that each name that `tools/test --module` takes has tests, and that other names are refused.
# The commands it runs are checked in a copy of the tools, where amalgamate, cmake and ctest are
# scripts that note their arguments: test_module.sh CTEST BUILD_DIR
set -u
ctest=$1 build=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/tools" "$tree/src" "$work/bin"
cp "$root/tools/test" "$root/tools/common.sh" "$tree/tools"
cp "$root/src/modules.txt" "$tree/src"

fail()
{
    echo "$*"
    [ ! -f "$work/out" ] || sed 's/^/    /' "$work/out"
    exit 1
}

# fake FILE STATUS_VARIABLE: make a script that notes its arguments and exits with the variable's
# value, or 0
fake()
{
    cat >"$1" <<END
#!/bin/sh
[ "\$1" != --version ] || { echo cmake version 3.25.1; exit; }
echo "\$(basename "\$0")" "\$@" >>"$work/asked"
exit \${$2-0}
END
    chmod +x "$1"
}
fake "$tree/tools/amalgamate" JOINED
fake "$work/bin/cmake" BUILT
fake "$work/bin/ctest" PASSED
PATH=$work/bin:$PATH

# module STATUS [VARIABLE=VALUE...] -- NAME...: run it; $work/asked then lists the commands
module()
{
    want=$1
    shift
    settings=
    while [ "$1" != -- ]; do
        settings="$settings $1"
        shift
    done
    shift
    rm -f "$work/asked"
    # shellcheck disable=SC2086 # words
    env $settings "$tree/tools/test" --module "$@" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$want" ] || fail "--module $*: status $status, want $want"
}

# asked LINE: was this command run?
asked() { grep -qxF -- "$1" "$work/asked" || fail "not asked: $1 (but $(cat "$work/asked"))"; }

# wrong names
module 64 -- nosuch
grep -q 'no module is called nosuch; there are: .*\bdma\b.*\bmlx5$' "$work/out" ||
    fail 'the valid names are not listed'
module 64 -- dma nosuch
module 64 --
[ ! -e "$work/asked" ] || fail 'something was run for a wrong name'

# each valid name has tests
"$ctest" --test-dir "$build" --print-labels >"$work/labels" || fail 'no labels'
for name in $(sed -n 's/.*there are: //p; s/.*needs a name: //p' "$work/out"); do
    grep -q "^ *module[.]$name\$" "$work/labels" || fail "no test has the label module.$name"
    names="${names-} $name"
done
[ "$(echo "$names" | wc -w)" -gt 15 ] || fail "few modules:$names"

# the commands: the headers are written only when a part has changed
module 0 -- dma sha
asked 'amalgamate --check'
asked 'cmake --preset test'
asked 'cmake --build --preset test --target module.dma module.sha'
asked 'ctest --preset test --label-regex ^module[.](dma|sha)$'
! grep -qx amalgamate "$work/asked" || fail 'the headers were written although nothing changed'
module 1 JOINED=1 -- dma
asked amalgamate
module 1 BUILT=1 -- dma
module 1 PASSED=1 -- dma
echo "tools/test --module:$names"
