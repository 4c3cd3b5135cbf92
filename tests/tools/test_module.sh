#!/bin/sh
# Check that `tools/test --module` accepts only names that have tests, and check the commands that
# it runs. These run in a copy of the tools, where amalgamate, cmake and ctest are scripts that
# write their arguments to a file: test_module.sh CTEST BUILD_DIR
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

# fake FILE STATUS_VARIABLE: write a script that appends its arguments to $work/commands, and exits
# with the value of the variable, or 0
fake()
{
    cat >"$1" <<END
#!/bin/sh
[ "\$1" != --version ] || { echo cmake version 3.25.1; exit; }
echo "\$(basename "\$0")" "\$@" >>"$work/commands"
exit \${$2-0}
END
    chmod +x "$1"
}
fake "$tree/tools/amalgamate" JOINED
fake "$work/bin/cmake" BUILT
fake "$work/bin/ctest" PASSED
PATH=$work/bin:$PATH

# module STATUS [VARIABLE=VALUE...] -- NAME...: run tools/test --module NAME..., and check its
# status; $work/commands then lists the commands that it ran
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
    rm -f "$work/commands"
    # shellcheck disable=SC2086 # words
    env $settings "$tree/tools/test" --module "$@" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$want" ] || fail "--module $*: status $status, want $want"
}

# ran COMMAND: check that this command was run
ran() { grep -qxF -- "$1" "$work/commands" || fail "not run: $1 (but $(cat "$work/commands"))"; }

# wrong names
module 64 -- nosuch
grep -q 'no module is called nosuch; there are: .*\bdma\b.*\bmlx5$' "$work/out" ||
    fail 'the valid names are not listed'
module 64 -- dma nosuch
module 64 --
[ ! -e "$work/commands" ] || fail 'a command was run although a name was wrong'

# each valid name has tests
"$ctest" --test-dir "$build" --print-labels >"$work/labels" || fail 'no labels'
for name in $(sed -n 's/.*there are: //p; s/.*needs a name: //p' "$work/out"); do
    grep -q "^ *module[.]$name\$" "$work/labels" || fail "no test has the label module.$name"
    names="${names-} $name"
done
[ "$(echo "$names" | wc -w)" -gt 15 ] || fail "too few modules:$names"

# the commands: the headers are written only when a part has changed
module 0 -- dma sha
ran 'amalgamate --check'
ran 'cmake --preset test'
ran 'cmake --build --preset test --target module.dma module.sha'
ran 'ctest --preset test --label-regex ^module[.](dma|sha)$'
! grep -qx amalgamate "$work/commands" || fail 'the headers were written although nothing changed'
module 1 JOINED=1 -- dma
ran amalgamate
module 1 BUILT=1 -- dma
module 1 PASSED=1 -- dma
echo "tools/test --module:$names"
