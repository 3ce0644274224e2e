#!/usr/bin/env bash
# Installs the pinned npm and Python peers beside this script. Does nothing when they are already there and the
# pins have not changed.
set -euo pipefail

cd "$(dirname "$0")"

# The fingerprint is written last, so an interrupted installation is done again.
up_to_date() {
  [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]
}

fingerprint() {
  cat "$@" | cksum
}

install_node_peers() {
  local stamp=node_modules/.pins pins
  pins="node $(node --version) $(fingerprint package.json package-lock.json)"
  if up_to_date "$stamp" "$pins"; then return; fi
  npm ci --loglevel=error --no-audit --no-fund >/dev/null
  printf '%s\n' "$pins" >"$stamp"
}

install_python_peers() {
  local stamp=.venv/.pins pins
  pins="$(python3 --version) $(fingerprint requirements.txt)"
  if up_to_date "$stamp" "$pins"; then return; fi
  python3 -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
  printf '%s\n' "$pins" >"$stamp"
}

install_node_peers
install_python_peers
