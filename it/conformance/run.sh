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

# Runs Hadoop's own tests, unmodified, and judges the run; see README.md.
#   run.sh [--conf stock|datanode|full|client] [--hadoop 3.3.6|3.4.3|3.5.0] [--base-only] [TEST...]
#
#   --conf    configuration in front of the class path (default: datanode)
#   --hadoop  version whose classes and tests run (default: 3.4.3)
#   --base-only  only the jars for repairs are there, and not the second jar of a role
#   TEST      a test class or Class#method of hadoop-hdfs or hadoop-common, simple or fully
#             qualified (default: those in tests.txt, or tests-CONF.txt where there is one)
#
# The exit status is 0 only if every test passed or is excused in expected.txt, and the log shows
# that the extension did the repairs. Maven's own options can be given in MAVEN_ARGS.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$here/lib.sh"
suite=$here/conformance

conf=datanode
hadoop=3.4.3
tests=()
base=()
while (($#)); do
  case "$1" in
    --conf) conf=${2:?--conf needs a name}; shift 2 ;;
    --hadoop) hadoop=${2:?--hadoop needs a version}; shift 2 ;;
    --base-only) base=(-Dconformance.files.dropins=none); shift ;;
    -h|--help) header; exit 0 ;;
    -*) echo "run.sh: unknown option $1; try --help" >&2; exit 2 ;;
    *) tests+=("$1"); shift ;;
  esac
done

if [[ ! -f $suite/src/conformance/conf/$conf/hdfs-site.xml ]]; then
  echo "run.sh: no configuration $conf; there are:" "$(ls "$suite/src/conformance/conf")" >&2
  exit 2
fi
case "$hadoop" in
  3.4.3) profile=() ;;
  3.3.6) profile=(-Phadoop-3.3) ;;
  3.5.0) profile=(-Phadoop-3.5) ;;
  *) echo "run.sh: no Hadoop $hadoop; there are: 3.3.6 3.4.3 3.5.0" >&2; exit 2 ;;
esac

run=$suite/target/$hadoop-$conf
mkdir -p "$run"
tests_file=$suite/tests.txt
[[ ! -f $suite/tests-$conf.txt ]] || tests_file=$suite/tests-$conf.txt
# If this run ends before it writes its report, the report of an earlier run must not be shown.
rm -f "$run/report.txt" && touch "$run/started"
list=$(IFS=,; echo "${tests[*]-}")
status=0
# Skips the unit tests of the modules that are built on the way, but compiles them, because modules
# use each other's.
(cd "$root" && mvn -B -ntp "${profile[@]}" -pl it/conformance -am verify -DskipTests \
    -Dconformance.skip=false -Dconformance.conf="$conf" -Dconformance.tests="$list" \
    "${base[@]}" ${MAVEN_ARGS-}) > "$run/maven.log" 2>&1 || status=$?
if [[ ! -f $run/report.txt && -f $run/run.log && $run/run.log -nt $run/started ]]; then
  # If a JVM dies, Maven stops before the judge runs. The judge then runs here, on the tests that
  # have ended.
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$suite/target/classes" \
      org.hdfsppr.conformance.ConformanceReport --conf "$conf" --hadoop "$hadoop" --dir "$run" \
      --tests-file "$tests_file" --tests "$list" --expected "$suite/expected.txt" \
      > /dev/null || status=$?
fi
if [[ -f $run/report.txt ]]; then
  cat "$run/report.txt"
else
  tail -n 30 "$run/maven.log"
fi
echo "Details: $run (maven.log, run.log, reports/)"
exit "$status"
