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
package org.hdfsppr.datanode.host;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.stream.UnitSource;

/**
 * Units that other nodes read on this DataNode although they are no replicas, such as a change of a
 * data unit that a commit sends to several parity units. Thread-safe.
 */
@InterfaceAudience.Private
public interface LocalUnits {
  /** Has no units. */
  LocalUnits NONE = block -> null;

  /**
   * Opens a unit.
   *
   * @param block names the unit
   * @return the open unit, which the caller closes; null if {@code block} names no unit of this
   *     kind, so that it is a replica
   */
  UnitSource open(ExtendedBlock block);
}
