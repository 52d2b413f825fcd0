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

import java.io.FileDescriptor;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.io.ReadaheadPool;
import org.apache.hadoop.io.ReadaheadPool.ReadaheadRequest;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.hdfsppr.coder.io.FileAdvice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ahead of a sequential reader and drops pages behind it, if libhadoop is loaded and the
 * DataNode's own keys ask for it ({@code dfs.datanode.readahead.bytes}, {@code
 * dfs.datanode.drop.cache.behind.reads}). Like stock, this class does neither for short replicas.
 */
final class PageCache {
  private static final Logger LOG = LoggerFactory.getLogger(PageCache.class);

  /** A replica up to this length is short, bytes; stock uses the same bound. */
  private static final long LONG_READ_BYTES = 256 * 1024;
  /**
   * This class drops the pages behind a reader after each run of this many bytes, as stock does.
   */
  private static final long DROP_INTERVAL_BYTES = 1024 * 1024;

  private final ReplicaInputStreams streams;
  private final String name;
  private final long readaheadBytes;
  private final boolean dropBehind;
  private ReadaheadRequest readahead;
  private long droppedTo;
  private long readTo;
  /** Whether the reader announces each run of bytes before it reads the run. */
  private boolean announced;

  PageCache(Configuration conf, ReplicaInputStreams streams, String name, long length) {
    this.streams = streams;
    this.name = name;
    boolean managed = length > LONG_READ_BYTES && NativeIO.isAvailable()
        && streams.getDataInFd() != null;
    this.readaheadBytes = !managed ? 0 : conf.getLong(
        HdfsClientConfigKeys.DFS_DATANODE_READAHEAD_BYTES_KEY,
        HdfsClientConfigKeys.DFS_DATANODE_READAHEAD_BYTES_DEFAULT);
    this.dropBehind = managed && conf.getBoolean(
        DFSConfigKeys.DFS_DATANODE_DROP_CACHE_BEHIND_READS_KEY,
        DFSConfigKeys.DFS_DATANODE_DROP_CACHE_BEHIND_READS_DEFAULT);
  }

  /**
   * Advises the kernel that the reader will read {@code length} bytes at {@code pos}. After the
   * first call, the reader reads only runs of bytes that it has announced.
   */
  void announce(long pos, long length) {
    FileDescriptor file = streams.getDataInFd();
    boolean heard = file != null && FileAdvice.isPossible();
    if (!announced) {
      announced = true;
      heard = heard && FileAdvice.random(file);
    }
    if (length > 0) {
      heard = heard && FileAdvice.willNeed(file, pos, length);
    }
    if (!heard) {
      // The call only advises the kernel. The read works without the advice.
      LOG.debug("Could not tell the kernel that {} bytes at {} of {} come next", length, pos, name);
    }
  }

  /** Prepares for the read of {@code length} bytes at {@code pos}; a reader calls this first. */
  void reading(long pos, int length) {
    if (readaheadBytes > 0 && !announced) {
      readahead = ReadaheadPool.getInstance().readaheadStream(
          name, streams.getDataInFd(), pos, readaheadBytes, Long.MAX_VALUE, readahead);
    }
    // After an announcement no pages are dropped. Another reader may just have read ahead the bytes
    // between announced runs.
    if (dropBehind && !announced && pos >= droppedTo + DROP_INTERVAL_BYTES) {
      drop(pos);
    }
    readTo = pos + length;
  }

  /**
   * Cancels the read-ahead and drops the last pages. A reader calls this before it closes the
   * streams.
   */
  void close() {
    if (readahead != null) {
      readahead.cancel();
      readahead = null;
    }
    if (dropBehind && !announced && readTo > droppedTo) {
      drop(readTo);
    }
  }

  private void drop(long pos) {
    try {
      streams.dropCacheBehindReads(
          name, droppedTo, pos - droppedTo, NativeIO.POSIX.POSIX_FADV_DONTNEED);
    } catch (IOException e) {
      // The call only advises the kernel. The read works without the advice.
      LOG.debug("Could not drop pages of {}", name, e);
    }
    droppedTo = pos;
  }
}
