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

# Shows repairs on a cluster within one JVM: writes erasure-coded files, stops a DataNode, shows the
# repair and checks every byte, with Hadoop's own worker and with the plugin.
#   demo.sh [--json FILE] [--hadoop VERSION] [--worker stock,plugin]
# Hadoop's log is in .run/demo.log. The exit code is 0 only if every byte was right.
set -euo pipefail
export HDFS_PPR_JAVA_OPTIONS=-Dlog4j.configuration=log4j-embedded.properties
exec "$(dirname "${BASH_SOURCE[0]}")/java.sh" it org.hdfsppr.it.demo.Demo "$@"
