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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.util.AutoCloseableLock;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Takes the locks of volumes of Hadoop 3.4 and newer. Their types do not exist in Hadoop 3.3, so
 * that this class calls their public methods by reflection.
 */
@InterfaceAudience.Private
final class VolumeLocks {
  private static final String MANAGER =
      "org.apache.hadoop.hdfs.server.common.DataNodeLockManager";

  private final Method manager;
  private final Method writeLock;
  private final Object volumeLevel;

  private VolumeLocks(Method manager, Method writeLock, Object volumeLevel) {
    this.manager = manager;
    this.writeLock = writeLock;
    this.volumeLevel = volumeLevel;
  }

  /**
   * Looks the methods up.
   *
   * @param hadoop takes note of what is missing
   * @return the locks; null if something is missing
   */
  static VolumeLocks find(HadoopMembers hadoop) {
    try {
      ClassLoader loader = VolumeLocks.class.getClassLoader();
      Class<?> type = Class.forName(MANAGER, false, loader);
      Class<?> levels = Class.forName(MANAGER + "$LockLevel", false, loader);
      Object volume = Arrays.stream(levels.getEnumConstants())
          .filter(level -> level.toString().equals("VOLUME")).findFirst().orElse(null);
      Method manager = FsDatasetSpi.class.getMethod("acquireDatasetLockManager");
      Method writeLock = type.getMethod("writeLock", levels, String[].class);
      if (volume != null && type.isAssignableFrom(manager.getReturnType())
          && AutoCloseableLock.class.isAssignableFrom(writeLock.getReturnType())) {
        return new VolumeLocks(manager, writeLock, volume);
      }
      hadoop.note("locks of volumes (" + manager + ", " + writeLock + ", level " + volume + ")");
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      hadoop.note("locks of volumes (" + e + ")");
    }
    return null;
  }

  AutoCloseableLock lock(FsDatasetImpl dataset, String poolId, String storageId) {
    try {
      return (AutoCloseableLock) writeLock.invoke(manager.invoke(dataset), volumeLevel,
          new String[] {poolId, storageId});
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("The volume " + storageId + " cannot be locked: "
          + e.getCause(), e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Public, yet not: " + writeLock, e);
    }
  }
}
