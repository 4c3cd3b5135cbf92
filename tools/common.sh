# Functions that the shell tools share. A tool sets `tool_name`, its name in messages, and sources
# this file.

say() { printf '%s\n' "$*"; }

# fail STATUS WORDS...: print an error message and exit
fail()
{
    status=$1
    shift
    printf '%s: %s\n' "$tool_name" "$*" >&2
    exit "$status"
}

# make_work [TEMPLATE]: set `work` to a new directory that is removed when the tool exits
make_work()
{
    work=$(mktemp -d ${1+"$1"}) || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' HUP TERM
}
