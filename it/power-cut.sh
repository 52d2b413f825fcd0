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

# Cuts the power of all DataNodes of a cluster of processes at the moment when a new version of a
# file is published: a conversion, and a commit of updates, on ext4 and on XFS. Each DataNode has a
# file system on a loop device, which ends without writing its log. No replica may be lost. Needs
# root, loop devices, mkfs.ext4, mkfs.xfs and xfs_io; what cannot be tested is skipped, with the
# reason. About ten minutes.
#   --help      print this
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
case "${1:-}" in
  '') ;;
  -h|--help) header; exit 0 ;;
  *) echo "power-cut.sh: unknown option $1; try --help" >&2; exit 2 ;;
esac

HDFS_PPR_TEST_PACKAGES=1 "$here/setup.sh"
cd "$root"
# The results of each case show at once.
mvn -B -ntp -q -pl it test -Dit.groups=process -Dtest=TestPowerCut -Dtest.forks=1 \
    -Dtest.output.to.file=false
