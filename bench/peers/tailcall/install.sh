#!/usr/bin/env bash
# Installs Tailcall and, beside it, the C library that it was linked with: Debian 12 has an older one.
# The library is the libc6 of Debian trixie, unpacked and not installed, so that only Tailcall is run with it.
set -euo pipefail
cd "$(dirname "$0")"
npm ci

apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
chmod 755 "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keyring] http://deb.debian.org/debian trixie main" > "$apt/sources.list"
options=(
  -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache"
)
apt-get "${options[@]}" update
(cd "$apt" && apt-get "${options[@]}" download libc6)
rm -rf glibc
dpkg -x "$apt"/libc6_*.deb glibc
