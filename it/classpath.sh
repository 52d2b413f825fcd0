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

# Prints the class path of a Hadoop release, as Maven resolves it into the local repository.
#   classpath.sh daemon VERSION   the class path of a NameNode or a DataNode
#   classpath.sh tool VERSION     the same with Hadoop's test jars and the jars that our tools need
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kind=${1:?daemon or tool}
version=${2:?a Hadoop version}
case $kind in
  daemon) scope=runtime ;;
  tool) scope=test ;;
  *) echo "classpath.sh: '$kind' is neither daemon nor tool" >&2; exit 2 ;;
esac

pom=$here/hadoop/pom.xml
cache=$here/.run/classpath/$kind-$version
mkdir -p "$here/.run/classpath"

# A cached class path is valid while the pom is unchanged and the repository still has the jars.
usable() {
  [ -s "$cache" ] && [ "$cache" -nt "$pom" ] || return 1
  local jars jar
  IFS=: read -ra jars < "$cache"
  for jar in "${jars[@]}"; do
    [ -f "$jar" ] || return 1
  done
}

if ! usable; then
  exec 9> "$here/.run/classpath/lock"
  flock -w 600 9 || { echo "classpath.sh: another resolution does not end" >&2; exit 1; }
  if ! usable; then
    if ! mvn -q -B -f "$pom" -Dhadoop.version="$version" dependency:build-classpath \
        -DincludeScope="$scope" -Dmdep.outputFile="$cache.new" > "$cache.log" 2>&1; then
      echo "classpath.sh: Maven cannot resolve Hadoop $version:" >&2
      tail -n 20 "$cache.log" >&2
      exit 1
    fi
    mv "$cache.new" "$cache"
  fi
fi
cat "$cache"
