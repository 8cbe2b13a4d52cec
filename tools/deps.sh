#!/bin/sh
# Installs the Debian packages that are missing: `deps.sh run` what building and running takes, `deps.sh check` what
# the tests and the linters take besides, `deps.sh web` what the tests of the page and of the clients take on top. On
# other systems it names what is wanted and stops.
set -eu

run="gcc make pkg-config libc6-dev libmicrohttpd-dev libcjson-dev libsqlite3-dev zlib1g-dev libsodium-dev python3 python3-yaml"
# For the page, unless it is built without.
node=""
command -v node >/dev/null 2>&1 || node="$node nodejs"
command -v npm >/dev/null 2>&1 || node="$node npm"
[ "${WITH_WEB:-1}" = 0 ] || run="$run$node"
check="libcmocka-dev curl mold clang clang-tidy clang-format cppcheck faketime sqlite3 valgrind libseccomp-dev systemd"
web="chromium ngircd$node"

case "${1:-run}" in
run) wanted=$run ;;
check) wanted="$run $check" ;;
web) wanted="$run $check $web" ;;
*)
    echo "usage: deps.sh [run|check|web]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    if pkg-config --exists libmicrohttpd libcjson sqlite3 libsodium zlib 2>/dev/null; then
        exit 0
    fi
    echo "This is no Debian or Ubuntu. Install what these packages hold, then try again: $wanted" >&2
    exit 1
fi

missing=""
for package in $wanted; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Missing packages, and neither root nor sudo to install them:$missing" >&2
        exit 1
    fi
    sudo=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
$sudo apt-get install -y -q -o DPkg::Lock::Timeout=120 --no-install-recommends $missing >/dev/null 2>&1 ||
    { $sudo apt-get update -q && $sudo apt-get install -y -q --no-install-recommends $missing; }
