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
package org.hdfsppr.stream;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.WriteGrant;

/**
 * The functions of a DataNode that an inner target uses: it checks the caller's right to write a
 * block, opens the replica, and applies the operator's limit to writes. Thread-safe.
 */
@InterfaceAudience.Private
public interface TargetHost {
  /** Stands for a node that writes no units for other nodes. It refuses every block. */
  TargetHost NONE = new TargetHost() {
    @Override
    public String refusal(BlockRef block, WriteGrant grant) {
      return "this node writes no units for others";
    }

    @Override
    public UnitSink open(BlockRef block, WriteGrant grant, DataChecksum checksum)
        throws IOException {
      throw new IOException(refusal(block, grant));
    }

    @Override
    public void throttleWrite(long bytes) {
      // The node writes nothing.
    }
  };

  /**
   * Says why this node refuses to write a block for a caller.
   *
   * @param block the block, with its final length
   * @param grant the caller's right to write it
   * @return the reason, for this node's log, or null if this node does not refuse; the answer to
   *     the caller only says that the token is refused
   */
  String refusal(BlockRef block, WriteGrant grant);

  /**
   * Opens a temporary replica of a block on this node.
   *
   * @param block the block, with its final length
   * @param grant names the storage that the NameNode chose for the replica
   * @param checksum how the replica is to be checksummed
   * @return a sink that has taken no data yet; the thread that calls this method uses and closes it
   * @throws IOException if the node has a replica of the block, or cannot write one; no file is
   *     left behind
   */
  UnitSink open(BlockRef block, WriteGrant grant, DataChecksum checksum) throws IOException;

  /**
   * Waits as long as the operator's limit for reconstruction writes demands.
   *
   * @param bytes bytes that are about to be written
   */
  void throttleWrite(long bytes);
}
