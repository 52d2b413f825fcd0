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
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.util.AutoCloseableLock;

/**
 * Takes locks of Hadoop 3.4 and newer. Only this class names their types, so that it is never
 * linked on Hadoop 3.3.
 */
@InterfaceAudience.Private
final class VolumeLocks {
  private VolumeLocks() {
  }

  /** Returns what this Hadoop lacks, to complete "this Hadoop lacks ..."; null if nothing. */
  static String missing() {
    try {
      if (FsDatasetImpl.class.getMethod("acquireDatasetLockManager").getReturnType()
          != DataNodeLockManager.class) {
        return "method FsDatasetImpl.acquireDatasetLockManager() (it returns something else)";
      }
      DataNodeLockManager.class.getMethod("writeLock", LockLevel.class, String[].class);
      LockLevel.valueOf("VOLUME");
      return null;
    } catch (NoSuchMethodException | IllegalArgumentException | LinkageError e) {
      return "the locks of volumes (" + e + ")";
    }
  }

  static AutoCloseableLock lock(FsDatasetImpl dataset, String poolId, String storageId) {
    return dataset.acquireDatasetLockManager().writeLock(LockLevel.VOLUME, poolId, storageId);
  }
}
