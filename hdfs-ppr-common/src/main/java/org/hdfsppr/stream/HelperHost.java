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
 * What a node of a repair tree needs of its DataNode: the DataNode checks tokens, opens replicas,
 * and applies the operator's limit to reads. Thread-safe.
 */
@InterfaceAudience.Private
public interface HelperHost {
  /** A unit that is open for reading, and how its replica is checksummed. */
  interface OpenUnit extends UnitSource {
    /** @return how the replica is checksummed */
    DataChecksum checksum();

    /** @return bytes read so far that came from this node's memory and not from a disk */
    default long cachedBytes() {
      return 0;
    }
  }

  NodeRef self();

  /** @return the {@link RequestFeatures} that this node says it knows */
  default long requestFeatures() {
    return RequestFeatures.KNOWN;
  }

  /**
   * Says why a requester with {@code token} may not read {@code block}. On a cluster without block
   * tokens, every requester may read it. The reason is for this node's log. The answer to the
   * requester only says that the token is refused.
   *
   * @param block a block of this node
   * @param token the requester's token
   * @return the reason, or null if the requester may read the block
   */
  String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token);

  /**
   * Checks the addresses of the nodes that a request names below this node, without connecting to
   * them. If an address cannot belong to the DataNode that the request names, this node connects to
   * none of these nodes.
   *
   * @param own this node and the nodes below it, as the request names them
   * @throws RepairException naming a node whose address fails the check
   */
  void checkNeighbours(PlanNode own) throws RepairException;

  /**
   * Checks that this node has a replica that {@link #openLocal} would open. Does not open the
   * replica.
   *
   * @param block the block
   * @throws RepairException naming this node and the cause
   */
  void checkLocal(ExtendedBlock block) throws RepairException;

  /**
   * Opens a replica of this node.
   *
   * @param block the block
   * @return the open replica
   * @throws RepairException naming this node and the cause
   */
  OpenUnit openLocal(ExtendedBlock block) throws RepairException;

  /**
   * Opens a replica of this node for a client's reader. Other readers may want the same bytes soon,
   * so an implementation may keep the bytes in memory.
   *
   * @param block the block
   * @return the open replica
   * @throws RepairException naming this node and the cause
   */
  default OpenUnit openLocalForReader(ExtendedBlock block) throws RepairException {
    return openLocal(block);
  }

  /**
   * Opens a replica of another node with the stock read operation. That node need not run hdfs-ppr.
   *
   * @param holder the node
   * @param block the block
   * @param token a token with the access mode READ for the block
   * @param timeoutMs milliseconds without a byte after which the node counts as dead
   * @return the open replica
   * @throws RepairException naming {@code holder} and the cause
   */
  OpenUnit openRemote(NodeRef holder, ExtendedBlock block, Token<BlockTokenIdentifier> token,
      int timeoutMs) throws RepairException;

  /**
   * Converts an exception of a read or a write into a failure.
   *
   * @param holder the node whose replica was read or written
   * @param e the exception
   * @return a failure that names the node; its message may be sent to the requester, and reveals
   *     nothing of this host such as paths
   */
  RepairException explainRead(NodeRef holder, IOException e);

  /**
   * Waits as long as the operator's limit for reconstruction reads demands.
   *
   * @param bytes bytes that are about to be read
   */
  void throttleRead(long bytes);

  /**
   * Waits until the transfers of users leave room for a repair on this node's network link.
   *
   * @param sent bytes that are about to be sent to the parent
   * @param received bytes that children have sent so that this node could compute these sums
   * @param nanosMost the longest wait, ns
   */
  default void yieldToUsers(long sent, long received, long nanosMost) {
    // The default is for a host that serves no users.
  }

  /**
   * Waits until repairs leave room on this node's network link for work that is less urgent, which
   * is all work whose requests have a rate limit.
   *
   * @param nanosMost the longest wait, ns
   */
  default void yieldToRepairs(long nanosMost) {
    // The default is for a host that makes nothing wait.
  }

  /**
   * Counts bytes that this node sends to its parent, as soon as it sends them.
   *
   * @param bytes bytes of a message
   * @param paced true if the request has a rate limit; the rate of such bytes does not show how
   *     fast the link is
   */
  default void sent(long bytes, boolean paced) {
    // The default is for a host that measures no rates.
  }

  /**
   * Counts bytes that this node sends to its parent in a degraded read of a client.
   *
   * @param bytes bytes of a message
   */
  default void sentToReader(long bytes) {
    sent(bytes, false);
  }

  /**
   * Counts bytes that this node receives from its children in a degraded read of a client.
   *
   * @param bytes bytes of a slice
   */
  default void receivedForReader(long bytes) {
    received(bytes, false);
  }

  /**
   * Counts bytes that this node receives from its children, as soon as it has received them.
   *
   * @param bytes bytes of a slice
   * @param paced true if the request has a rate limit; the rate of such bytes does not show how
   *     fast the link is
   */
  default void received(long bytes, boolean paced) {
    // The default is for a host that measures no rates.
  }
}
