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

# Writes the glibc version that the native kernels need, for the installer: the newest version whose
# symbols the native library uses, such as 2.34, or "none" if the build made no native library.
#   native-glibc.sh CLASSES_OF_CODER FILE
set -eu

library=$(find "$1" -name 'lib*.so' | head -n 1)
newest=none
if [ -n "$library" ]; then
  newest=$(grep -a -o 'GLIBC_2\.[0-9.]*' "$library" | sed 's/GLIBC_//' | sort -t . -k 1,1n -k 2,2n \
    -k 3,3n | tail -n 1)
fi
echo "${newest:-none}" > "$2"
