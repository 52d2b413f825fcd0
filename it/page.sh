#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Tests the operator's page in a browser, with made-up clusters; its parts are in page/. Screenshots
# of every scenario are in page/shots afterwards. At the end, the browser goes to the page from the
# menu of the NameNode of a real cluster, for every version of Hadoop.
#   (nothing)        all tests
#   menu             only those that begin at a NameNode's menu
#   NAMES...         some tests, such as TestLive or TestHands.test_focus_is_seen
#   --serve [PORT]   no test: serves the page for people to look at
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
case "${1:-}" in
  -h|--help) header; exit 0 ;;
  --serve) shift; exec python3 "$here/page/serve.py" "$@" ;;
  -*) echo "page.sh: unknown option $1; try --help" >&2; exit 2 ;;
esac

# The tests wait for a browser, and Debian's is the one that a machine can have without downloads
# from elsewhere.
missing=()
command -v chromium > /dev/null || missing+=(chromium)
python3 -c 'import ensurepip, venv' 2> /dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
    echo "page.sh: missing here, and only root on a Debian machine can have them installed:" \
      "${missing[*]}" >&2
    exit 1
  fi
  step "installing ${missing[*]}"
  mkdir -p "$here/.run"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "${missing[@]}"; } \
      > "$here/.run/apt-page.log" 2>&1 || { tail -n 20 "$here/.run/apt-page.log" >&2; exit 1; }
fi
python=$root/target/page-venv/bin/python
if ! cmp -s "$here/page/requirements.txt" "$root/target/page-venv/installed.txt"; then
  step "installing the tests' Python packages"
  mkdir -p "$root/target"
  python3 -m venv --clear "$root/target/page-venv"
  "$python" -m pip install -q --disable-pip-version-check -r "$here/page/requirements.txt"
  cp "$here/page/requirements.txt" "$root/target/page-venv/installed.txt"
fi
export CHROMIUM=$(command -v chromium)

from_the_menu() { # Hadoop version
  step "from the menu of Hadoop $1's NameNode to the page"
  "$here/cluster.sh" down --name menu > /dev/null 2>&1 || true
  trap '"$here/cluster.sh" down --name menu > /dev/null' EXIT
  "$here/cluster.sh" up --name menu --hadoop "$1" --nodes 2 --racks 1 --plugin --namenode-plugin
  address=$("$here/cluster.sh" status --name menu | sed -n 's/.*hdfs:\/\/\([0-9.]*\):.*/\1/p')
  "$python" -B "$here/page/test_menu.py" "http://$address:9870"
  "$here/cluster.sh" down --name menu
  trap - EXIT
}

if [ "${1:-}" != menu ]; then
  step "the operator's page"
  "$python" -B "$here/page/test_page.py" "$@"
fi
if [ $# = 0 ] || [ "$1" = menu ]; then
  for version in 3.4.3 3.3.6 3.5.0; do
    from_the_menu "$version"
  done
fi
