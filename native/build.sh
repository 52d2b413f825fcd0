#!/bin/sh
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

# Maven calls this script. It builds the native library and copies it to the folder that the jar is
# made of.
#
#   build.sh BUILD_DIR RESOURCE_DIR JAVA_HOME
#
# If a tool that it needs is missing, the script prints a message and succeeds. The jar then has
# only the Java kernel, which computes the same bytes. A compiler error is an error.
set -eu

source_dir=$(cd "$(dirname "$0")" && pwd)
build_dir=$1
resource_dir=$2
java_home=$3

machine=$(uname -m)
target=$resource_dir/org/hdfsppr/native/linux-$machine

# A library of an earlier build must not get into this jar.
rm -rf "$resource_dir"
mkdir -p "$resource_dir"

without() {
  echo "hdfs-ppr: $1; this jar will carry no native kernels and compute in Java" >&2
  exit 0
}

[ "$(uname -s)" = Linux ] || without "native kernels are built on Linux only"
[ "$machine" = x86_64 ] || without "there are no native kernels for $machine yet"
for tool in cmake cc; do
  command -v "$tool" > /dev/null || without "there is no $tool"
done
command -v make > /dev/null || command -v ninja > /dev/null || without "there is no make or ninja"
# Some Java runtimes come without the headers for JNI.
[ -f "$java_home/include/jni.h" ] || without "there is no jni.h in $java_home/include"

generator="Unix Makefiles"
command -v ninja > /dev/null && generator=Ninja
cmake -S "$source_dir" -B "$build_dir" -G "$generator" -DJAVA_HOME="$java_home" \
  -DCMAKE_BUILD_TYPE=Release > "$build_dir.log" || { cat "$build_dir.log" >&2; exit 1; }
cmake --build "$build_dir" > "$build_dir.log" || { cat "$build_dir.log" >&2; exit 1; }
cmake --install "$build_dir" --prefix "$target" > "$build_dir.log"
# Java checks this sum before it loads the library, because loading an incomplete file would kill
# the process.
sha256sum "$target/libhdfsppr.so" | cut -d ' ' -f 1 > "$target/libhdfsppr.so.sha256"
