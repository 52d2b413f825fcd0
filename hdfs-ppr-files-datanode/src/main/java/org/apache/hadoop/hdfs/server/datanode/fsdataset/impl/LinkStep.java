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

/**
 * The steps by which a new replica is made as a link of an old one. Tests stop a DataNode after
 * each of them.
 */
@InterfaceAudience.Private
public enum LinkStep {
  /** The DataNode knows the new replica as temporary, and its data file is empty. */
  BEGUN,
  /** The new replica's data file is a hard link of the old replica's. */
  DATA_LINKED,
  /** The new replica's meta file is a hard link as well. */
  META_LINKED,
  /** The new replica is finalised, but its name may not be on the disk yet. */
  FINALISED,
  /** The name of the new replica is on the disk. No report to the NameNode has named it yet. */
  DURABLE
}
