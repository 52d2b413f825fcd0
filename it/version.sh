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

# Prints the version of this checkout, which the root pom states and nothing else does.
set -euo pipefail

pom=$(dirname "${BASH_SOURCE[0]}")/../pom.xml
version=$(sed -n -E '0,/<version>/s|^ *<version>([^<]+)</version>$|\1|p' "$pom")
if [ -z "$version" ]; then
  echo "version.sh: $pom states no version" >&2
  exit 1
fi
echo "$version"
