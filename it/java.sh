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

# Runs a tool of the module it or bench. cluster.sh, demo.sh, bench.sh and papers.sh call it.
#   java.sh MODULE CLASS ARGUMENT...
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
module=${1:?it or bench}
main=${2:?a class}
shift 2

# The help of a tool, and of each of its commands, is stored as a file, because a new user asks for it
# before anything is built. TestScriptHelp compares the files with the tools.
topic=${main##*.}
case ${1:-}:${2:-} in
  -h:*|--help:*) ;;
  -*:*) topic= ;;
  *:-h|*:--help) topic=$topic.$1 ;;
  *) topic= ;;
esac
case $topic in
  ''|*/*) ;;
  *) if [ -f "$root/$module/help/$topic.txt" ]; then
       cat "$root/$module/help/$topic.txt"
       exit 0
     fi ;;
esac

# The tool is a client of the cluster and runs with the same release's jars.
version=3.4.3
previous=
for argument in "$@"; do
  case $argument in
    --hadoop=*) version=${argument#--hadoop=} ;;
    *) [ "$previous" = --hadoop ] && version=$argument ;;
  esac
  previous=$argument
done

# Checks the version before it builds anything or calls Maven.
case $version in
  3.3.6|3.4.3|3.5.0) ;;
  *) echo "There is no Hadoop '$version' here: --hadoop takes 3.3.6, 3.4.3 or 3.5.0" >&2; exit 2 ;;
esac

HDFS_PPR_MODULE=$module "$here/setup.sh" >&2
own_jar=$(jar "$module" "hdfs-ppr-$module")
if [ ! -f "$own_jar" ]; then
  profile=
  [ "$module" = it ] || profile="-P$module "
  echo "The module $module is not built, there is no $own_jar: build it by" \
    "'mvn ${profile}install -DskipTests', or run this without HDFS_PPR_SKIP_BUILD" >&2
  exit 1
fi

# Hadoop 3.3 and 3.4 reach into these packages when they run on JDK 17.
opens=()
for package in java.io java.lang java.lang.reflect java.math java.net java.nio java.text \
    java.util java.util.concurrent java.util.zip sun.nio.ch sun.security.util \
    sun.security.x509; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done

# Options for this JVM only, which the calling script sets. JAVA_TOOL_OPTIONS would not do, because
# daemons inherit it.
read -ra own_options <<< "${HDFS_PPR_JAVA_OPTIONS:-}"

jars=$("$here/classpath.sh" tool "$version")
# Runs copies of the jars, whose names contain their checksum. A build during a long run must not
# change the jars of the running JVM.
copies=$here/.run/jars
mkdir -p "$copies"
jar_files=("$(jar it hdfs-ppr-it)")
[ "$module" = it ] || jar_files+=("$own_jar")
for role in namenode datanode client; do
  jar_files+=("$(jar hdfs-ppr-$role hdfs-ppr-$role dropin)"
    "$(jar hdfs-ppr-files-$role hdfs-ppr-files-$role dropin)")
done
for jar in "${jar_files[@]}"; do
  if [ -f "$jar" ]; then
    copy=$copies/$(sha256sum < "$jar" | cut -c1-16).jar
    if [ ! -f "$copy" ]; then
      cp "$jar" "$copy.$$"
      mv "$copy.$$" "$copy"
    fi
    jars=$copy:$jars
  fi
done
exec java -Xmx1g -XX:+UseSerialGC "${opens[@]}" \
  -Djava.awt.headless=true -Djava.net.preferIPv4Stack=true -Duser.timezone=UTC \
  -Dhdfsppr.it.dir="$here" "${own_options[@]}" \
  -cp "$jars" "$main" "$@"
