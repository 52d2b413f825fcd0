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

# Adds the command "hdfs ppr". This file belongs into libexec/shellprofile.d/ of a Hadoop
# installation. The jar hdfs-ppr-client-*-dropin.jar has to be on the class path, for example in
# share/hadoop/hdfs/lib/.

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "ppr" admin "shows and steers the repairs of erasure-coded files"
fi

## @description  hdfs ppr
function hdfs_subcommand_ppr
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=org.hdfsppr.client.PprTool
}
