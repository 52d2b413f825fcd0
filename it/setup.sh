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

# Installs what the scripts of this folder need, and names the packages that it cannot install. It
# installs packages if it runs as root and finds apt. Then it builds the project's jars if a source
# is newer, and puts them into the local Maven repository.
#   HDFS_PPR_SKIP_BUILD=1      use the jars as they are
#   HDFS_PPR_TEST_PACKAGES=1   install what only tests need, too
#   HDFS_PPR_MODULE=bench      build the benchmarks as well, which no other script needs
#   setup.sh --help            print this
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
case ${1:-} in
  '') ;;
  -h|--help) header; exit 0 ;;
  *) echo "setup.sh: unknown option $1; try --help" >&2; exit 2 ;;
esac
run=$here/.run
mkdir -p "$run"

say() { echo "setup: $*" >&2; }

# Returns 0 if there is a Java 17 or newer with its compiler.
has_jdk() {
  command -v javac > /dev/null || return 1
  local major
  # With JAVA_TOOL_OPTIONS set, the JVM prints lines of its own before the version.
  major=$(javac -version 2>&1 | sed -nE 's/^javac ([0-9]+).*/\1/p')
  [ "${major:-0}" -ge 17 ]
}

has_isal() {
  [ -e /usr/include/isa-l.h ] || [ -e /usr/include/isa-l/erasure_code.h ]
}

# Returns 0 if charts can be drawn: they need fonts of the system, even without a screen.
has_fonts() {
  [ -n "$(find /usr/share/fonts -name '*.ttf' -print -quit 2> /dev/null)" ] || return 1
  # The output is not piped into grep -q. grep would end at the first match, and the pipe would then
  # count as failed.
  [[ "$(ldconfig -p)" == *libfreetype* ]]
}

packages=()
has_jdk || packages+=(openjdk-17-jdk-headless)
command -v mvn > /dev/null || packages+=(maven)
command -v cmake > /dev/null || packages+=(cmake)
command -v make > /dev/null || packages+=(make)
command -v gcc > /dev/null || packages+=(gcc libc6-dev)
has_isal || packages+=(libisal-dev)
{ command -v ip && command -v tc; } > /dev/null || packages+=(iproute2)
has_fonts || packages+=(fontconfig fonts-dejavu-core libfreetype6)
# For bench.sh characterize, and so for papers.sh.
command -v fio > /dev/null || packages+=(fio)
command -v nft > /dev/null || packages+=(nftables)
# Other clients of the block device, for its tests.
if [ -n "${HDFS_PPR_TEST_PACKAGES:-}" ]; then
  command -v qemu-io > /dev/null || packages+=(qemu-utils)
  command -v nbdcopy > /dev/null || packages+=(libnbd-bin)
  command -v mkfs.ext4 > /dev/null || packages+=(e2fsprogs)
  # For power-cut.sh, with the line above.
  command -v xfs_io > /dev/null || packages+=(xfsprogs)
fi

if [ ${#packages[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    say "installing ${packages[*]}"
    if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${packages[@]}"; } \
        > "$run/apt.log" 2>&1; then
      say "apt-get failed:"
      tail -n 20 "$run/apt.log" >&2
      exit 1
    fi
  else
    say "missing here, and only root on a Debian machine can have them installed by this script:"
    say "  ${packages[*]}"
    # Shaped links, charts and the native kernels are not needed for everything, so a machine
    # without their packages is not refused.
    if ! has_jdk || ! command -v mvn > /dev/null; then
      exit 1
    fi
    say "going on without"
  fi
fi

[ -z "${HDFS_PPR_SKIP_BUILD:-}" ] || exit 0

# A stamp is as old as the start of the last build, so an edit during a build counts as newer. A build
# with the benchmarks has a stamp of its own, and is a build without them, too.
stamp=$run/built
profile=()
if [ "${HDFS_PPR_MODULE:-}" = bench ]; then
  stamp=$run/built-bench
  profile=(-Pbench)
fi
stale() {
  [ -f "$stamp" ] && [ -f "$(jar it hdfs-ppr-it)" ] || return 0
  [ ${#profile[@]} = 0 ] || [ -f "$(jar bench hdfs-ppr-bench)" ] || return 0
  local sources=("$root/pom.xml")
  local source
  for source in "$root"/*/pom.xml "$root"/*/src "$root/native"; do
    case $source in
      "$root"/bench/*) [ ${#profile[@]} -gt 0 ] || continue ;;
    esac
    [ ! -e "$source" ] || sources+=("$source")
  done
  [ -n "$(find "${sources[@]}" -type f -newer "$stamp" -print -quit)" ]
}

if stale; then
  exec 9> "$run/build.lock"
  flock -w 900 9 || { say "another build does not end"; exit 1; }
  if stale; then
    say "building the project's jars"
    touch "$run/building"
    # A user who only runs the jars needs neither the tests' results nor a check of the style. (The
    # tests are compiled, because modules share helpers in their test jars.)
    if ! (cd "$root" && mvn -q -B "${profile[@]}" install -DskipTests -Dcheckstyle.skip) \
        > "$run/build.log" 2>&1; then
      say "the build failed:"
      tail -n 30 "$run/build.log" >&2
      exit 1
    fi
    [ "$stamp" = "$run/built" ] || cp -p "$run/building" "$run/built"
    mv "$run/building" "$stamp"
  fi
fi
