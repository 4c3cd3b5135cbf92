#!/bin/sh
# Check the output of tools/doca_caps on each side, as text and as JSON, its error messages, and
# that it prints every capability of doca_core.h, Comch, RDMA and the clocks:
#     test_caps.sh PROGRAM WITH_BACKEND [--accept]
#
# WITH_BACKEND is the program of tests/tools/caps_backend.c. --accept overwrites the expected output
# with the current output.
set -u
program=$1 with_backend=$2 accept=${3-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
unset DOCA_CORE_SIDE DOCA_CORE_SW_PROFILE DOCA_CORE_SW_TOPOLOGY
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# Capabilities that have no line in the table: the name and the reason.
excluded='
doca_sha_cap_get_max_src_buffer_size older name of doca_sha_cap_get_max_src_buf_size
doca_sha_cap_get_min_dst_buffer_size older name of doca_sha_cap_get_min_dst_buf_size
doca_sync_event_cap_is_export_to_remote_pci_supported later name of .._export_to_dpu_supported
doca_rdma_cap_get_gid entries of a table, which are the addresses of the device
'

wrong()
{
    printf '%s\n' "$*"
    failures=$((failures + 1))
}

# caps STATUS [NAME=VALUE...] [OPTION...]: run doca_caps, check its exit status, and write its
# output to $work/out and $work/err
caps()
{
    want=$1
    shift
    settings=''
    while [ $# -gt 0 ]; do
        case $1 in
        DOCA_CORE_*=*) settings=1; export "${1?}"; shift ;;
        *) break ;;
        esac
    done
    "$program" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ -z "$settings" ] || unset DOCA_CORE_SIDE DOCA_CORE_SW_PROFILE DOCA_CORE_SW_TOPOLOGY
    [ "$got" -eq "$want" ] || { wrong "doca_caps $*: exit status $got, not $want"; cat "$work/err"; }
}

# says FILE TEXT: check that $work/FILE contains the text
says()
{
    grep -qF -e "$2" "$work/$1" || { wrong "missing in $1: $2"; cat "$work/$1"; }
}

# silent FILE: check that $work/FILE is empty
silent()
{
    [ ! -s "$work/$1" ] || { wrong "unexpected output in $1:"; cat "$work/$1"; }
}

# mask FILE: print the file without version numbers, which are not tested
mask() { sed '1s/^doca_core [0-9.]*, DOCA API [0-9.]*:/doca_core VERSION, DOCA API VERSION:/' "$1"; }

# expect NAME: check that $work/out is the text in tests/tools/caps_NAME.txt
expect()
{
    mask "$work/out" >"$work/masked"
    [ "$accept" != --accept ] || cp "$work/masked" "$here/caps_$1.txt"
    diff -u "$here/caps_$1.txt" "$work/masked" || wrong "the devices of $1 differ"
    wide=$(awk 'length($0) > 80' "$work/out")
    [ -z "$wide" ] || wrong "line of more than 80 columns: $wide"
    silent err
}

# ---- the devices of each side; a backend with a device that cannot be opened; a device with limits

for side in dpu host; do
    caps 0 DOCA_CORE_SIDE=$side
    expect $side
done
"$with_backend" >"$work/out" 2>"$work/err" || wrong "caps_backend: exit status $?"
expect backend

caps 0 DOCA_CORE_SW_PROFILE=bluefield3 --pci-addr 0000:0B:00.4
says out '    task_memcpy_max_buf_size     2097152 (2 MiB)'
says out '    task_hash_SHA1                 no: the device has no hash engine'
says out '    max_src_buf_size               none: the device has no hash engine'
caps 0 DOCA_CORE_SW_PROFILE=connectx7 -p 0b:00.4
says out '    max_num_tasks                0'
says out '    transport_type_RC                     yes'
says out '    transport_type_DC                     no: dynamically connected'
says out '    server              no: the card of the device has no DPU'
says out '    nic_real_time    yes'

# ---- parts of the output

caps 0 --list-devs
says out '9 devices'
says out '  mac_addr     02:dc:0a:00:0b:04'
grep -q 'task_memcpy\|representors' "$work/out" && wrong '--list-devs shows more than devices'
caps 0 --list-rep-devs --pci-addr=03:00.1
says out '2 devices'
says out '      vuid         SW-host-0000:0b:00.4'
grep -q 'task_memcpy\|backend' "$work/out" && wrong '--list-rep-devs shows more than representors'
caps 0 DOCA_CORE_SW_TOPOLOGY='03:00.0 filters=net ; 0b:00.0 rep=03:00.0 hotplug=1 type=vf' \
    --list-devs --list-rep-devs
says out '      is_hotplug   yes'
caps 0 DOCA_CORE_SW_TOPOLOGY='03:00.0 side=dpu' --list-rep-devs
says out '  representors none at present'
caps 0 DOCA_CORE_SW_TOPOLOGY='03:00.0 port=ib lid=7 if=no/such' --list-devs
says out '  lid          7'
says out '  mac_addr     none: the port is not Ethernet and has no MAC address'
says out '  ipv4_addr    OPERATING_SYSTEM: '
caps 0 DOCA_CORE_SIDE=dpu DOCA_CORE_SW_TOPOLOGY='03:00.0 side=host'
says out ': 0 devices'

# ---- mistakes

caps 64 --unknown
says err 'doca_caps: --unknown: unknown option'
says err 'usage: doca_caps '
silent out
caps 64 word
says err 'doca_caps: word: not an option'
caps 64 --pci-addr
says err '--pci-addr needs a PCI address'
caps 64 --pci-addr 03:00
says err '--pci-addr 03:00: the PCI address is malformed: write DDDD:BB:DD.F or BB:DD.F'
silent out
caps 1 DOCA_CORE_SIDE=host --pci-addr 03:00.0
says err 'doca_caps: no device has the PCI address 03:00.0; these exist:'
says err '  0000:0b:00.4  mlx5_4'
silent out
caps 1 DOCA_CORE_SIDE=dpu DOCA_CORE_SW_TOPOLOGY='03:00.0 side=host' -p 03:00.0
says err 'there is no device at all'
caps 0 DOCA_CORE_SW_TOPOLOGY='03:00.0 name=x' # the topology is refused with a message
says err 'doca_core: DOCA_CORE_SW_TOPOLOGY: at character 9: '
says out '9 devices'
caps 0 --help
says out 'Exit status: 0; 1 on failure'
silent err
[ -z "$(awk 'length($0) > 80' "$work/out")" ] || wrong 'the help has lines of more than 80 columns'
caps 0 -h

for option in --list-devs --json --help; do
    if [ -c /dev/full ]; then
        "$program" $option >/dev/full 2>"$work/err"
        [ $? -eq 1 ] || wrong "$option: a full disk is not reported as an error"
        says err 'doca_caps: cannot write: No space left on device'
    fi
    "$program" $option >&- 2>"$work/err"
    [ $? -eq 1 ] || wrong "$option: a closed output is not reported as an error"
done
"$program" 2>"$work/err" | head -n 1 >/dev/null # head closes the pipe early, which is no error
silent err

# ---- JSON has the same contents

# Convert the text and the JSON document to lines "key value", and compare the lines. Headings and
# other parts of the text that JSON does not have are left out.
cat >"$work/compare.py" <<'END'
import json, re, sys

def lines_of(value, key=None):
    if isinstance(value, dict):
        for k, v in value.items():
            if not k.endswith("_reason"):
                yield from lines_of(v, (k, value.get(k + "_reason")))
    elif isinstance(value, list) and value:
        for v in value:
            yield from lines_of(v)
    elif key[0] != "devices":
        name, reason = key
        if reason:
            value = reason.split(": ", 1)[1]
        elif isinstance(value, bool):
            value = "yes" if value else "no"
        elif value in ("", []):
            value = "-" if value == "" else "at present"
        yield "%s %s" % (name, value)

def lines_of_text(text):
    text = re.sub(r"\n {9,}", " ", text)            # a reason that is continued
    for line in text.splitlines()[1:]:
        if re.match(r" *[0-9a-f]{4}:", line):      # a device or representor
            words = line.split()
            yield "pci_addr " + words[0]
            if not line.startswith(" "):
                yield "ibdev_name " + (" ".join(words[1:]) or "-")
        elif len(line.split()) > 1:                 # other lines are headings
            key, value = line.split(None, 1)
            value = re.sub(r"^(no|none|[A-Z_]+): ", "", value)
            yield "%s %s" % (key, re.sub(r" \(\d+ MiB\)$|^none (?=at present)", "", value))

document = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))
del document["doca_core"], document["doca_api"]
got, want = list(lines_of(document)), list(lines_of_text(open(sys.argv[2]).read()))
if got != want:
    import difflib
    sys.exit("\n".join(difflib.unified_diff(want, got, "text", "JSON", lineterm="")))
END
if command -v python3 >/dev/null 2>&1; then
    for topology in '' '03:00.0 port=ib filters=net' '03:00.0 side=dpu' '03:00.0 if=no/such'; do
        for options in '' --list-devs --list-rep-devs; do
            caps 0 DOCA_CORE_SW_PROFILE=bluefield2 DOCA_CORE_SW_TOPOLOGY="$topology" $options
            mv "$work/out" "$work/text"
            caps 0 DOCA_CORE_SW_PROFILE=bluefield2 DOCA_CORE_SW_TOPOLOGY="$topology" $options --json
            python3 "$work/compare.py" "$work/out" "$work/text" ||
                wrong "text and JSON differ: $options $topology"
        done
    done
    caps 0 DOCA_CORE_SIDE=dpu DOCA_CORE_SW_TOPOLOGY='03:00.0 side=host' --json
    python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["devices"] != [])' <"$work/out" ||
        wrong 'without devices, the array is not empty'

    # a name with characters that JSON or terminals need escaped: "\, ESC, DEL, e acute, a truncated
    # character, 0xff, U+0085
    name=$(printf 'a"\\\033\177\303\251\303x\377\302\205')
    caps 0 DOCA_CORE_SW_TOPOLOGY="03:00.0 ib=$name" --json
    python3 -c 'import json, sys
name = json.loads(sys.stdin.buffer.read().decode("utf-8"))["devices"][0]["ibdev_name"]
sys.exit(name != "a\"\\\x1b\x7f\xe9\ufffdx\ufffd\x85" and ascii(name))' <"$work/out" ||
        wrong 'JSON has a wrong name with unusual characters'
    caps 0 DOCA_CORE_SW_TOPOLOGY="03:00.0 ib=$name" --list-devs
    printf '0000:03:00.0  a"\\\\x1b\\x7f\303\251\\xc3x\\xff\\x85\n' >"$work/want"
    sed -n 3p "$work/out" | cmp -s - "$work/want" || wrong 'a name with unusual characters is wrong'
else
    echo 'JSON was not tested: python3 is not installed'
fi

# ---- sizes that programs allocate

# Programs allocate bytes or elements by the value of a capability. By default no device reports a
# size of more than 1 GiB, or a number of more than 65,536. The profile "unlimited" reports larger
# values.
for side in dpu host both; do
    caps 0 DOCA_CORE_SIDE=$side
    if grep -n 'no limit' "$work/out"; then
        wrong "a capability has no limit by default"
    fi
    awk '$2 ~ /^[0-9]+$/ && ($1 ~ /size|bytes/ ? $2 > 1073741824 : $2 > 65536) { print; bad = 1 }
        $2 ~ /^[0-9]+$/ { num++ }
        END { exit bad || num < 10 }' "$work/out" ||
        wrong "a value is too large to allocate, or there are no numbers"
done
caps 0 DOCA_CORE_SW_PROFILE=unlimited -p 03:00.0
says out 'task_memcpy_max_buf_size     18446744073709551615 (no limit)'
says out 'task_memcpy_max_buf_list_len 4294967295 (no limit)'

# A device on the host can import PCI exports only with that profile.
for profile in default bluefield2 bluefield3 connectx7; do
    caps 0 DOCA_CORE_SW_PROFILE=$profile -p 0b:00.4
    says out 'create_from_export_pci no'
done
caps 0 DOCA_CORE_SW_PROFILE=unlimited -p 0b:00.4
says out 'create_from_export_pci yes'

# ---- no capability is missing

# Collect the capabilities that the API part of doca_core.h declares, for every DOCA_CORE_API, and
# those of the headers of Comch, RDMA and the clocks. doca_cc_ begins the older names of Comch.
{
    awk '/^#ifdef DOCA_CORE_IMPLEMENTATION|^#if defined\(DOCA_CORE_IMPLEMENTATION\)/ { exit }
        { print }' "$root/doca_core.h"
    cat "$root"/src/compat/clock/*.h "$root"/src/compat/comch/*.h "$root"/src/compat/rdma/*.h
} | sed 's:/\*.*\*/::; /^ *\/\*/,/\*\//d' | grep -o 'doca_[a-z0-9_]*_cap_[a-z0-9_]*(' | tr -d '(' |
    grep -v '^doca_cc_' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -ge 75 ] || wrong 'the capabilities of the headers were not found'
{
    sed -n 's/^ *CAP([a-z_0-9]*, \(doca_[a-z0-9_]*\)).*/\1/p' "$root/tools/doca_caps.c"
    printf '%s' "$excluded" | awk 'NF { print $1 }'
} | sort >"$work/known"
for name in $(comm -23 "$work/declared" "$work/known"); do
    wrong "$name is not in tools/doca_caps.c: add the line CAP(signature, $name)
    to its table \`caps\`, next to the calls of its library. If it repeats another capability, add
    it with the reason to \`excluded\` in tests/tools/test_caps.sh. Then check the output of
    doca_caps, and run tests/tools/test_caps.sh PROGRAM WITH_BACKEND --accept (two programs of the
    build)"
done
for name in $(comm -13 "$work/declared" "$work/known"); do
    wrong "$name is in doca_caps.c or test_caps.sh, but not declared in a header"
done

[ "$failures" -eq 0 ] && echo "doca_caps: $(wc -l <"$work/declared") capabilities are correct"
[ "$failures" -eq 0 ]
