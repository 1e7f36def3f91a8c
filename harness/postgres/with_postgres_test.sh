#!/bin/sh
# with_postgres_test.sh PROGRAM: what its users rely on. Prints the first thing that doesn't hold.
program=$1
unset SENDPROOF_PG_DSN SENDPROOF_PG_BIN
out=$(mktemp)
trap 'rm -f "$out"' EXIT
fail() { echo "$1" >&2; cat "$out" >&2; exit 1; }
folder() { sed -n 's/.*host=\([^ ]*\).*/\1/p' "$out"; }

"$program" sh -c 'echo "$SENDPROOF_PG_DSN"; exit 7' >"$out" 2>&1
[ $? = 7 ] || fail "the command's exit code is not passed on"
[ -n "$(folder)" ] || fail "the command was not told a server"
[ ! -d "$(folder)" ] || fail "the server's folder was left behind"

"$program" sh -c 'kill -9 $$' >"$out" 2>&1
[ $? = 137 ] || fail "a killed command is not 128 + its signal"

for signal in INT TERM HUP; do
  "$program" sh -c 'trap "exit 9" INT TERM HUP; echo "$SENDPROOF_PG_DSN"; while :; do sleep 0.05; done' >"$out" 2>&1 &
  owner=$!
  while [ -z "$(folder)" ]; do sleep 0.02; kill -0 $owner 2>/dev/null || fail "it ended by itself"; done
  kill -$signal $owner
  wait $owner
  [ $? = 9 ] || fail "SIG$signal is not forwarded"
  [ ! -d "$(folder)" ] || fail "SIG$signal leaves the server's folder behind"
done

"$program" sh -c 'echo "$SENDPROOF_PG_DSN"; exec sleep 1000' >"$out" 2>&1 &
owner=$!
while [ -z "$(folder)" ]; do sleep 0.02; kill -0 $owner 2>/dev/null || fail "it ended by itself"; done
killed=$(folder)
kill -9 $owner
wait $owner 2>/dev/null
"$program" true >"$out" 2>&1 || fail "no start after a killed owner"
[ ! -d "$killed" ] || fail "the next start leaves a killed owner's folder behind"

for delay in 0 0.05 0.1 0.15 0.2 0.3; do
  "$program" sleep 1000 >"$out" 2>&1 &
  owner=$!
  sleep $delay
  kill -TERM $owner
  wait $owner
  [ $? = 143 ] || fail "SIGTERM $delay s after the start is lost"
done

SENDPROOF_PG_BIN=/nowhere "$program" true >"$out" 2>&1
[ $? = 3 ] || fail "missing binaries are not exit code 3"
[ "$(wc -l <"$out")" = 1 ] || fail "missing binaries are not one line"
