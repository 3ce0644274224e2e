#!/usr/bin/env bash
# Installs the pinned npm and Python peers beside this script, and Debian's Chromium on this machine. Does nothing when
# they are already there and the pins have not changed.
#
#   CHROMIUM  path of a Chromium to be used instead; then none is installed
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

install_browser() {
  if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then return; fi
  if [ -z "${CHROMIUM:-}" ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium >/dev/null && return
  fi
  echo "There is no ${CHROMIUM:-/usr/bin/chromium}, and it could not be installed, so the page of the task board" \
    "cannot be tested. Install Chromium, or let CHROMIUM be the path of one." >&2
  return 1
}

install_node_peers
install_python_peers
install_browser
