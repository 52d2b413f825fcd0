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
package org.hdfsppr.datanode.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.hdfsppr.coder.io.FileAdvice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the replicas of this DataNode for {@link ResidentScan}, and finds out which are in memory.
 * Thread-safe.
 */
final class DataNodeReplicas implements ResidentScan.Replicas {
  private static final Logger LOG = LoggerFactory.getLogger(DataNodeReplicas.class);
  /**
   * The share of a block's bytes that must be in memory before the block counts as resident,
   * percent. A helper reads little of such a block from its disk.
   */
  private static final int MOSTLY_PERCENT = 75;

  private final DataNode datanode;
  private final ChunkCached chunkCache;

  DataNodeReplicas(DataNode datanode, ChunkCached chunkCache) {
    this.datanode = datanode;
    this.chunkCache = chunkCache;
  }

  /** The contents of the chunk cache. */
  interface ChunkCached {
    /**
     * Returns the ids of the blocks of a pool of which the cache holds at least {@code percent} of
     * the bytes, 0 to 100.
     */
    Collection<Long> mostly(String poolId, int percent);
  }

  @Override
  public Collection<Long> cached(String poolId) {
    List<Long> present = new ArrayList<>();
    for (long id : chunkCache.mostly(poolId, MOSTLY_PERCENT)) {
      // This check compares only ids. A reader that asks for the block also checks its generation
      // stamp and length.
      if (datanode.getFSDataset().contains(new ExtendedBlock(poolId, id))) {
        present.add(id);
      }
    }
    return present;
  }

  @Override
  public List<ReplicaInfo> finalized(String poolId) {
    List<ReplicaInfo> finalized = null;
    try {
      finalized = datanode.getFSDataset().getFinalizedBlocks(poolId);
    } catch (RuntimeException e) {
      LOG.debug("The replicas of {} cannot be listed", poolId, e);
    }
    // The list is null after an exception: Hadoop 3.3.6 throws one for a pool that the DataNode
    // does not have (yet).
    return finalized == null ? Collections.emptyList() : finalized;
  }

  @Override
  public boolean isResident(ReplicaInfo replica) {
    long bytes = replica.getNumBytes();
    try (InputStream in = replica.getDataInputStream(0)) {
      return bytes > 0 && in instanceof FileInputStream
          && FileAdvice.residentBytes(((FileInputStream) in).getFD(), bytes)
              >= bytes / 100.0 * MOSTLY_PERCENT;
    } catch (IOException e) {
      // The replica may have been deleted or moved since it was listed.
      LOG.debug("Cannot look at {}", replica, e);
      return false;
    }
  }
}
