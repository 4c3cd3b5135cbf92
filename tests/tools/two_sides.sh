#!/bin/sh
# Run an example on the two machines of tools/rxe-guest --pair: two_sides.sh EXPECTED PROGRAM. It is
# the server on side 0 and the client on side 1. Compare what each side prints with the lines of the
# file EXPECTED that begin with "server:" or with "client:".
set -u
case ${DOCA_CORE_GUEST_SIDE:?run this in tools/rxe-guest --pair} in
0) side=server ;;
*) side=client ;;
esac
"$2" $side "$DOCA_CORE_GUEST_IPV4_0" >printed
status=$?
cat printed
[ $status -eq 0 ] || echo "$2: exit status $status"
grep "^$side:" "$1" | diff - printed && exit $status
exit 1
