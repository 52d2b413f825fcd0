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
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;

/**
 * What a node of a tree needs of the machine that it runs on. Thread-safe.
 */
@InterfaceAudience.Private
public interface HelperHost {
  /** A unit that is open for reading, and how its replica is checksummed. */
  interface OpenUnit extends UnitSource {
    DataChecksum checksum();

    /** How many of the bytes read so far no disk was needed for, because this node kept them. */
    default long cachedBytes() {
      return 0;
    }
  }

  /** This node. */
  NodeRef self();

  /** The {@link RequestFeatures} that this node admits to know. */
  default long requestFeatures() {
    return RequestFeatures.KNOWN;
  }

  /**
   * Why {@code token} does not let its bearer read {@code block}, or null if it does, as all do
   * where the cluster has no block tokens. The reason is for this node's log: the bearer hears no
   * more than that the token is refused.
   */
  String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token);

  /**
   * Checks, without a connection, that the nodes which a request names below this one can be what
   * it says of them. Only then this node connects to any of them.
   *
   * @param own this node's part of the request
   * @throws RepairException naming one that cannot
   */
  void checkNeighbours(PlanNode own) throws RepairException;

  /**
   * Checks, without opening it, that this node has a replica that {@link #openLocal} would open.
   *
   * @throws RepairException naming this node and the cause
   */
  void checkLocal(ExtendedBlock block) throws RepairException;

  /**
   * Opens a replica of this node.
   *
   * @throws RepairException naming this node and the cause
   */
  OpenUnit openLocal(ExtendedBlock block) throws RepairException;

  /**
   * Opens a replica of this node for a reader, who wants some of its bytes, and may not be the last
   * one to want them: a host may keep them.
   *
   * @throws RepairException naming this node and the cause
   */
  default OpenUnit openLocalForReader(ExtendedBlock block) throws RepairException {
    return openLocal(block);
  }

  /**
   * Opens a replica of a node without the extension, with the stock read operation.
   *
   * @throws RepairException naming that node and the cause
   */
  OpenUnit openRemote(NodeRef holder, ExtendedBlock block, Token<BlockTokenIdentifier> token,
      int timeoutMs) throws RepairException;

  /** What an exception while reading a unit of {@code holder} means. */
  RepairException explainRead(NodeRef holder, IOException e);

  /** Waits as long as the operator's limit for reconstruction reads wants it. */
  void throttleRead(long bytes);
}
