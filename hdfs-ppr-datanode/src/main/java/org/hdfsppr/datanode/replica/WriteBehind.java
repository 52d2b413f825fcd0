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
package org.hdfsppr.datanode.replica;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the write-back of written pages and drops them from the cache, if libhadoop is loaded and
 * the DataNode's own keys ask for it ({@code dfs.datanode.sync.behind.writes},
 * {@code dfs.datanode.drop.cache.behind.writes}).
 *
 * <pre>
 *   |&lt;------- dropped ------&gt;|&lt;-- lag --&gt;|&lt;-- written back --&gt;|
 *   0                                    managedTo            written
 * </pre>
 */
final class WriteBehind {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);

  /**
   * How many of the last written bytes stay in the cache, because they may still be on their way to
   * the disk; stock uses the same number.
   */
  private static final long LAG_BYTES = 8 * 1024 * 1024;

  private final ReplicaOutputStreams streams;
  private final String name;
  private final boolean sync;
  private final boolean drop;
  private long managedTo;

  WriteBehind(Configuration conf, ReplicaOutputStreams streams, String name) {
    this.streams = streams;
    this.name = name;
    boolean managed = NativeIO.isAvailable() && streams.getOutFd() != null;
    this.sync = managed && conf.getBoolean(DFSConfigKeys.DFS_DATANODE_SYNC_BEHIND_WRITES_KEY,
        DFSConfigKeys.DFS_DATANODE_SYNC_BEHIND_WRITES_DEFAULT);
    this.drop = managed && conf.getBoolean(
        DFSConfigKeys.DFS_DATANODE_DROP_CACHE_BEHIND_WRITES_KEY,
        DFSConfigKeys.DFS_DATANODE_DROP_CACHE_BEHIND_WRITES_DEFAULT);
  }

  /** Starts the write-back and drops old pages, after the file has grown to this many bytes. */
  void written(long length) {
    if ((sync || drop) && length > managedTo + LAG_BYTES) {
      try {
        manage(length);
      } catch (IOException e) {
        // The call only advises the kernel. The bytes get to the disk without the advice.
        LOG.debug("Could not manage the pages of {}", name, e);
      }
      managedTo = length;
    }
  }

  private void manage(long length) throws IOException {
    if (sync) {
      streams.syncFileRangeIfPossible(
          managedTo, length - managedTo, NativeIO.POSIX.SYNC_FILE_RANGE_WRITE);
    }
    long dropTo = managedTo - LAG_BYTES;
    if (drop && dropTo > 0) {
      streams.dropCacheBehindWrites(name, 0, dropTo, NativeIO.POSIX.POSIX_FADV_DONTNEED);
    }
  }
}
