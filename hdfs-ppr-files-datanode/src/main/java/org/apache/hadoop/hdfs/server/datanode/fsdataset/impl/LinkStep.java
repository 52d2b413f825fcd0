/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.apache.hadoop.classification.InterfaceAudience;

/** What has just been done of a link. Tests stop a DataNode at each of these points. */
@InterfaceAudience.Private
public enum LinkStep {
  /** The DataNode knows the new replica as temporary, and its data file is empty. */
  BEGUN,
  /** The data file is shared. */
  DATA_LINKED,
  /** The meta file is shared as well. */
  META_LINKED,
  /** The new replica is finalised, and its name is in memory alone. */
  FINALISED,
  /** The name of the new replica is on the disk. No report to the NameNode has named it yet. */
  DURABLE
}
