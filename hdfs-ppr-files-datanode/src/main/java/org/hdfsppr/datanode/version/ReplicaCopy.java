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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess.FinalisedReplica;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.replica.LocalReplicaSink;
import org.hdfsppr.datanode.replica.LocalReplicaSource;
import org.hdfsppr.datanode.replica.NameNodeReports;
import org.hdfsppr.datanode.replica.ReplicaSync;

/**
 * Copies a replica to a new block on the same DataNode. This is done where a link is not possible:
 * if the volume cannot make one, or if some bytes change. The bytes that are read are verified
 * against the stored checksums. Before the copy is reported to the NameNode, its bytes and its name
 * are synced to the disk; for a link, the name would be enough, because its bytes are those of the
 * old replica.
 */
final class ReplicaCopy {
  /** How many bytes are read and written at a time; they fit into the CPU's cache. */
  private static final int PIECE_BYTES = 256 << 10;

  private ReplicaCopy() {
  }

  /** Copies the bytes as they are. */
  static final ReplicaChange UNCHANGED = new ReplicaChange() {
    @Override
    public int windowBytes() {
      return PIECE_BYTES;
    }

    @Override
    public void apply(long offset, ByteBuffer window) {
      // A copy changes nothing.
    }
  };

  /**
   * @param sync forces the name of the copy to the disk
   * @param old the replica of {@code from}. The copy goes to a storage of the same type; if none
   *     has the space, the copy fails
   * @param endedBecause returns why the copy has to end early; null if it may go on
   * @param change changes the bytes between the read and the write
   */
  static void copy(DataNode datanode, DataNodeHost host, ReplicaSync sync, ExtendedBlock from,
      ExtendedBlock to, FinalisedReplica old, Supplier<String> endedBecause, ReplicaChange change)
      throws IOException {
    long length = from.getNumBytes();
    try (LocalReplicaSource source = LocalReplicaSource.open(datanode, from,
             new NameNodeReports(datanode), host.traffic::addRead);
         LocalReplicaSink sink = LocalReplicaSink.openSynced(datanode, to, old.storageType,
             old.storageId, source.checksum, host.traffic::addWritten, sync)) {
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(change.windowBytes(), length));
      for (long at = 0; at < length; at += piece.limit()) {
        String why = endedBecause.get();
        if (why != null) {
          throw new InterruptedIOException(why);
        }
        piece.clear().limit((int) Math.min(piece.capacity(), length - at));
        host.throttleRead(piece.limit());
        source.read(at, piece);
        piece.flip();
        change.apply(at, piece);
        host.throttleWrite(piece.limit());
        sink.write(piece);
      }
      sink.commit();
    }
  }
}
