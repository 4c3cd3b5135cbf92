#!/bin/sh
# Check that tools/test installs missing packages, also a package whose name depends on the version
# of another package that must be installed first. apt-get, clang and cmake are replaced by scripts.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# links to all programs of this machine except the programs that are replaced
oldIFS=$IFS
IFS=:
for dir in $PATH; do
    for file in "$dir"/*; do
        case ${file##*/} in
        apt-get | apt-cache | clang | clang++ | cmake | cbmc) ;;
        *) ln -s "$file" "$work/bin/" 2>/dev/null ;;
        esac
    done
done
IFS=$oldIFS

script() { cat >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
script clang.fake <<END
#!/bin/sh
case "\$*" in
-dumpversion) echo 14.0.6 ;;
*fuzzer*) [ -e "$work/runtime" ] ;;
esac
END
script apt-get <<END
#!/bin/sh
echo "\$*" >>"$work/asked"
case "\$* " in
*" clang "*) for name in clang clang++; do ln -sf clang.fake "$work/bin/\$name"; done ;;
esac
case "\$* " in *" libclang-rt-14-dev "*) : >"$work/runtime" ;; esac
END
script apt-cache </dev/null # the package lists are empty before the first update
script cmake <<END
#!/bin/sh
echo cmake version 3.1.0 # is too old, which ends tools/test
END

if [ "$(id -u)" -ne 0 ]; then
    script sudo <<END
#!/bin/sh
shift
exec "\$@"
END
fi
PATH=$work/bin "$root/tools/test" >"$work/out" 2>&1
status=$?
if grep 'still missing' "$work/out" | grep -qv 'missing: libclang'; then
    echo 'skipped: programs that tools/test needs are not installed'
    exit 77
fi
if [ "$status" -ne 69 ] || ! grep -q 'cmake is too old' "$work/out" ||
    ! grep -q 'install .* clang' "$work/asked" || [ ! -e "$work/runtime" ]; then
    echo "exit status $status"
    cat "$work/out" "$work/asked"
    exit 1
fi
