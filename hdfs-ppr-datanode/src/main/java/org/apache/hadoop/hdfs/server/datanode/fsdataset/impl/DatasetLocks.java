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

import java.lang.reflect.Field;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.AutoCloseableLock;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Takes the lock under which stock adds a replica to a volume. Hadoop 3.3 has one lock for all
 * replicas of a DataNode. Since 3.4 it has a tree of locks: one for a block pool, below it one for
 * each volume, and since 3.5 below that one for each directory. The lock of a volume keeps out all
 * holders of locks of its directories.
 */
@InterfaceAudience.Private
final class DatasetLocks {
  /** The one lock of Hadoop 3.3; null on newer versions. */
  private final Field oneLock;
  /** The locks of newer versions; null on Hadoop 3.3. */
  private final VolumeLocks volumes;

  private DatasetLocks(Field oneLock, VolumeLocks volumes) {
    this.oneLock = oneLock;
    this.volumes = volumes;
  }

  /**
   * Finds out how this Hadoop locks.
   *
   * @param classes finds classes of this package
   * @param hadoop takes note if this Hadoop locks in another way
   * @return the locks; null if a note was taken
   */
  static DatasetLocks find(HadoopMembers.Classes classes, HadoopMembers hadoop) {
    HadoopMembers former = new HadoopMembers(classes);
    Field oneLock = former.field("FsDatasetImpl", "datasetWriteLock", AutoCloseableLock.class);
    if (oneLock != null) {
      return new DatasetLocks(oneLock, null);
    }
    VolumeLocks volumes = VolumeLocks.find(hadoop);
    return volumes == null ? null : new DatasetLocks(null, volumes);
  }

  /** Waits for the lock of a volume. The caller closes the returned lock. */
  AutoCloseableLock lock(FsDatasetImpl dataset, String poolId, String storageId) {
    return oneLock == null ? volumes.lock(dataset, poolId, storageId)
        : HadoopMembers.get(oneLock, dataset, AutoCloseableLock.class).acquire();
  }
}
