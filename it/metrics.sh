#!/usr/bin/env bash
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

# Checks the NameNode's metrics, the alerts and the dashboard with promtool and a real Prometheus.
# Installs Debian's package prometheus if it is missing, which needs root; no service keeps running.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
case "${1:-}" in
  '') ;;
  -h|--help) header; exit 0 ;;
  *) echo "metrics.sh: unknown option $1; try --help" >&2; exit 2 ;;
esac

if ! command -v promtool > /dev/null || ! command -v prometheus > /dev/null; then
  step "installing prometheus"
  # A policy that refuses to start services keeps the package from starting Prometheus.
  policy=/usr/sbin/policy-rc.d
  made=false
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' > $policy
    chmod 755 $policy
    made=true
  fi
  trap '[ $made = false ] || rm -f $policy' EXIT
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q \
    --no-install-recommends prometheus > /dev/null
fi
cd "$root"
step "promtool: rules, their tests, the page and the dashboard; Prometheus: every series"
mvn -B -ntp -q -pl hdfs-ppr-files-namenode -am install -Dpromtool.required=true -Dprometheus.scrapes=60 \
  -Dtest='**/web/metrics/Test*,**/files/page/Test*' \
  -Dsurefire.failIfNoSpecifiedTests=false
step "the metrics are as docs/metrics.md, the alerts and the dashboard have them"
