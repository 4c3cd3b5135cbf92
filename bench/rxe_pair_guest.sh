#!/bin/sh
# bench/rxe_pair runs this script in each guest of a pair: rxe_pair_guest.sh PROGRAM REPETITIONS
# WRITES ROUNDS. PROGRAM and perftest take turns, A B and then B A. Side 0 prints a line for each
# measurement, "bw WHOSE AVERAGE" or "lat WHOSE MEDIAN LEAST". ib_write_bw and ib_write_lat serve on
# side 1; their clients try again until the server is there.
program=$1 repetitions=$2 writes=$3 rounds=$4
peer=$DOCA_CORE_GUEST_IPV4_1
options="-d rxe0 -x 1 -m 4096 -F"

# perftest COLUMNS TOOL OPTION...: print these columns of the result, such as 5,3
perftest()
{
    columns=$1
    shift
    if [ "$DOCA_CORE_GUEST_SIDE" = 1 ]; then
        timeout 60 "$@" $options >log 2>&1 || { cat log >&2; exit 1; }
        return
    fi
    tries=0
    until timeout 60 "$@" $options "$peer" >log 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { cat log >&2; exit 1; }
        usleep 50000
    done
    awk -v columns="$columns" '/^ *#bytes/ { found = 1; next }
        found { n = split(columns, c, ","); print $c[1] (n > 1 ? " " $c[2] : ""); exit }' log
}

measure() # MEASURE WHOSE
{
    case $1.$2 in
    bw.peer) number=$(perftest 4 ib_write_bw -s 65536 -n "$writes") || exit 1 ;;
    lat.peer) number=$(perftest 5,3 ib_write_lat -s 8 -n "$rounds") || exit 1 ;;
    bw.ours) number=$("$program" bw "$writes") || exit 1 ;;
    lat.ours) number=$("$program" lat "$rounds") || exit 1 ;;
    esac
    [ -z "$number" ] || echo "$1 $2 $number"
}

repetition=0
while [ $repetition -lt "$repetitions" ]; do
    first=ours second=peer
    [ $((repetition % 2)) -eq 0 ] || first=peer second=ours
    measure bw $first
    measure bw $second
    measure lat $first
    measure lat $second
    repetition=$((repetition + 1))
done
