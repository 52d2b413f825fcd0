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


# Functions that the scripts of this folder and of conformance/ share. A script sets "here" to this
# folder and sources this file. It then has:
#   root                           the folder of the whole tree
#   jar FOLDER ARTIFACT [dropin]   the jar of a module
#   step WORDS...                  prints the step that the script begins, with the time
#   header                         prints the comment at the head of the script, which is its help

root=$(dirname "$here")

# Only the tree's pom states the version.
project_version() {
  sed -n '/<artifactId>hdfs-ppr<\/artifactId>/{n;s/.*<version>\(.*\)<\/version>.*/\1/p;q}' \
    "$root/pom.xml"
}

jar() { echo "$root/$1/target/$2-$(project_version)${3:+-$3}.jar"; }

step() { echo "== $(date +%H:%M:%S) $*"; }

header() { # from below the licence to the first line of code
  sed -n '/^$/,/^set /{/^set /q;s/^# \{0,1\}//p}' "$0"
}
