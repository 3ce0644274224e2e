#!/usr/bin/env bash
# Checks a recorded AG-UI stream (an SSE body, or one JSON event per line) with ag-ui-validate and prints its
# JSON report. Further arguments go to the validator, for example `--off AGUI902`.
#
# Exit status: 0 no finding of severity error, 1 such findings, 2 the check itself failed.
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: validate.sh FILE [VALIDATOR OPTION ...]" >&2
  exit 2
fi

here=$(cd "$(dirname "$0")" && pwd)
validator=$here/.venv/bin/ag-ui-validate
if [ ! -x "$validator" ]; then
  echo "ag-ui-validate is not installed: run interop/install.sh" >&2
  exit 2
fi

exec "$validator" "$1" --json "${@:2}"
