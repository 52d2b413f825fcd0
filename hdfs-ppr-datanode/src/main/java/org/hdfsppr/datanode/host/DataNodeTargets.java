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

import java.io.IOException;
import java.util.function.LongConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.replica.LocalReplicaSink;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.TargetHost;
import org.hdfsppr.stream.UnitSink;
import org.hdfsppr.wire.WriteGrant;

/**
 * Writes units on a DataNode for the trees of other nodes. Like a stock writer, a caller needs a
 * block token with WRITE. The token must be valid for the block, the kind of storage and the
 * storage.
 */
@InterfaceAudience.Private
final class DataNodeTargets implements TargetHost {
  private final DataNode datanode;
  private final TokenCheck tokens;
  private final LongConsumer written;
  private final LongConsumer throttle;

  /**
   * @param datanode stores the replicas
   * @param tokens checks the callers' tokens
   * @param written takes the number of bytes that each write has written
   * @param throttle waits as long as the operator's limit demands for a number of bytes
   */
  DataNodeTargets(DataNode datanode, TokenCheck tokens, LongConsumer written,
      LongConsumer throttle) {
    this.datanode = datanode;
    this.tokens = tokens;
    this.written = written;
    this.throttle = throttle;
  }

  @Override
  public String refusal(BlockRef block, WriteGrant grant) {
    return tokens.mayWrite(block.toExtendedBlock(), grant);
  }

  @Override
  public UnitSink open(BlockRef block, WriteGrant grant, DataChecksum checksum)
      throws IOException {
    return LocalReplicaSink.open(datanode, block.toExtendedBlock(), grant.storageType(),
        grant.storageId(), checksum, written);
  }

  @Override
  public void throttleWrite(long bytes) {
    throttle.accept(bytes);
  }
}
