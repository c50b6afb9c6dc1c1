#!/usr/bin/env bash
# wormhole.sh BIN FILE TARGET: sends FILE to TARGET with magic-wormhole and prints the receiver's seconds. To be run in a network namespace
# of its own (unshare --net), so that it finds no way but loopback. Both ends are up and have agreed before the clock starts.
set -euo pipefail
bin=$1 file=$2 target=$3
export PYTHONUNBUFFERED=1 # its words are waited for
ip link set lo up
work=$(mktemp -d)
"$bin/twist" wormhole-mailbox --port tcp:4017:interface=127.0.0.1 --channel-db :memory: >"$work/mailbox" 2>&1 &
mailbox=$!
trap 'kill -9 $mailbox 2>/dev/null || true; rm -rf "$work"' EXIT
until (echo >/dev/tcp/127.0.0.1/4017) 2>/dev/null; do sleep 0.05; done
# Nothing listens on the transit helper's port: the two find each other directly.
run=("$bin/wormhole" --relay-url ws://127.0.0.1:4017/v1 --transit-helper tcp:127.0.0.1:1)
"${run[@]}" send --hide-progress --code 7-abc-def "$file" >"$work/send" 2>&1 &
sender=$!
"${run[@]}" receive --hide-progress --accept-file -o "$target" 7-abc-def >"$work/receive" 2>&1 &
receiver=$!
for _ in $(seq 4000); do
    grep -qs 'Receiving (' "$work/receive" && break
    kill -0 $receiver 2>/dev/null || { cat "$work/send" "$work/receive" >&2; exit 1; }
    sleep 0.005
done
begin=$(date +%s.%N)
wait $receiver
end=$(date +%s.%N)
wait $sender || true
awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }'
