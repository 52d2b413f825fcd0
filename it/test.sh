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

# Sets the machine up and runs the tests.
#   (nothing)   all modules' tests, and one class of Hadoop's own tests with the plugin
#   --quick     the modules' tests only: the inner loop
#   --bench     only the benchmarks' own tests, after a build of all modules with them (-Pbench),
#               which no other option but --full makes
#   --faults    only tests on clusters of real processes: faults in the middle of repairs, and
#               repairs and reads with every code that has a policy
#   --clients   only clients of other languages (hdfs-native, PySpark) next to Hadoop's and the
#               project's, on a cluster of real processes; see clients.sh
#   --full      all tests except those of --clients, with tens of thousands of reads and the slow
#               suites, random tests with a new seed, the benchmarks' tests, the operator's page in
#               a browser (page.sh), the metrics with a real Prometheus (metrics.sh); then the
#               modules' tests and Hadoop's own on Hadoop 3.3.6 and 3.5.0, without processes
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
mode=default
if [ $# -gt 1 ]; then
  echo "test.sh: one option at most, not $#: $*; try --help" >&2
  exit 2
fi
case "${1:-}" in
  '') ;;
  --quick) mode=quick ;;
  --bench) mode=bench ;;
  --faults) mode=faults ;;
  --clients) mode=clients ;;
  --full) mode=full ;;
  -h|--help) header; exit 0 ;;
  *) echo "test.sh: unknown option $1; try --help" >&2; exit 2 ;;
esac

HDFS_PPR_SKIP_BUILD=1 HDFS_PPR_TEST_PACKAGES=1 "$here/setup.sh"
cd "$root"

# Runs unit tests and MiniDFSCluster tests. Also builds and installs the jars that the later steps
# run.
modules() { # Maven options
  step "modules' tests $*"
  mvn -B -ntp -q "$@" install
}

conformance() { # Hadoop version, configuration, test classes (all that belong to it)
  step "Hadoop $1's own tests, configuration $2"
  ./it/conformance/run.sh --conf "$2" --hadoop "$1" "${@:3}"
}

processes() { # module, Maven options
  step "$1: tests on real processes ${*:2}"
  # One JVM: clusters of processes side by side would share the cores.
  mvn -B -ntp -q "${@:2}" -pl "$1" test -Dit.groups=process -Dtest.forks=1
}

if [ $mode = bench ]; then
  modules -Pbench -DskipTests
  step "the benchmarks' tests"
  mvn -B -ntp -q -Pbench -pl bench test
  processes bench -Pbench
  step "the benchmarks pass their tests"
  exit 0
fi
if [ $mode = faults ]; then
  modules -DskipTests
  processes it
  step "the faults did no harm, codes and clients read what they should"
  exit 0
fi
if [ $mode = clients ]; then
  "$here/clients.sh"
  exit 0
fi
if [ $mode != full ]; then
  modules
fi
if [ $mode = default ]; then
  # The other classes have the same tests with a random policy, and those of metrics.
  conformance 3.4.3 datanode TestReconstructStripedFile
fi
if [ $mode = full ]; then
  modules -Pbench
  conformance 3.4.3 datanode
  ./it/metrics.sh
  ./it/page.sh
  processes it -Dread.count=100000 -Dread.streams=10000 -Dupdates.victims=all
  processes bench -Pbench
  modules -Pbench -Dsurefire.groups.excluded=process "-Dseed=$(date +%s%N)" -Drepairs=50000 -Dverify.files=10000
  conformance 3.4.3 full
  conformance 3.4.3 client
  for version in 3.3 3.5; do
    modules "-Pbench,hadoop-$version"
  done
  for version in 3.3.6 3.5.0; do
    conformance $version datanode
    conformance $version full
    conformance $version client
  done
  # Builds the jars for the default version of Hadoop again, for later users of this checkout.
  modules -Pbench -DskipTests
fi
step "all tests passed"
