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
package org.hdfsppr.datanode.security;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;

/** Requests about one block group: correct ones, and ones that no plan would contain. */
@InterfaceAudience.Private
final class Requests {
  static final int SLICE = 64 << 10;
  private static final int CELL = 1 << 20;

  private final RepairCluster cluster;
  private final LocatedStripedBlock group;
  private final Map<Integer, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
  private final long unitBytes;
  private long idOffset;
  private long streamBytes;
  private int stallTimeoutMs = 2_000;

  /**
   * @param unitBytes the size of each unit of the group, bytes
   */
  Requests(RepairCluster cluster, LocatedStripedBlock group, long unitBytes) {
    this.cluster = cluster;
    this.group = group;
    this.unitBytes = unitBytes;
    this.streamBytes = unitBytes;
  }

  /** Makes the DataNode that has {@code unit} drop its replica. */
  void lose(int unit) throws IOException {
    RepairCluster.drop(port(unit).datanode, block(unit));
  }

  /** Returns the plugin of the DataNode that holds {@code unit}. */
  RepairPort port(int unit) {
    DatanodeInfo holder = RepairCluster.holders(group).get(unit);
    return RepairPort.of(cluster.datanode(holder));
  }

  ExtendedBlock block(int unit) {
    ExtendedBlock block = RepairCluster.internalBlock(group, unit);
    block.setBlockId(block.getBlockId() + idOffset);
    block.setNumBytes(unitBytes);
    return block;
  }

  /** Returns requests for blocks that do not exist. */
  Requests ofNoBlock() {
    Requests other = new Requests(cluster, group, unitBytes);
    other.idOffset = -(1L << 20);
    return other;
  }

  /**
   * Returns requests for more bytes than the units have. Bytes behind a unit's end count as zeros.
   */
  Requests stream(long bytes) {
    streamBytes = bytes;
    return this;
  }

  Requests stall(int timeoutMs) {
    stallTimeoutMs = timeoutMs;
    return this;
  }

  /** Makes a token as a NameNode or a DataNode does. */
  Token<BlockTokenIdentifier> token(int unit, AccessMode mode) throws IOException {
    return port(0).datanode.getBlockAccessToken(block(unit), EnumSet.of(mode),
        StorageType.EMPTY_ARRAY, new String[0]);
  }

  /** Returns requests that use {@code token} for {@code unit}. */
  Requests with(int unit, Token<BlockTokenIdentifier> token) {
    tokens.put(unit, token);
    return this;
  }

  private GroupId id() {
    return new GroupId(group.getBlock().getBlockPoolId(), group.getBlock().getBlockId() + idOffset,
        group.getBlock().getGenerationStamp());
  }

  RepairSource share(int unit, NodeRef holder) {
    return new RepairSource(unit, id().block(unit, unitBytes), holder, new byte[] {1}, 1);
  }

  /** Returns a node of the tree that sends its own unit. */
  PlanNode leaf(int unit, NodeRef node) {
    return node(node, Collections.singletonList(share(unit, node)));
  }

  PlanNode node(NodeRef node, List<RepairSource> shares, PlanNode... children) {
    return new PlanNode(node, shares, Arrays.asList(children));
  }

  /**
   * Returns the request for a tree. A unit for which {@link #with} has set no token gets a valid
   * token.
   */
  PartialSumRequest of(PlanNode tree) throws IOException {
    Map<BlockRef, Token<BlockTokenIdentifier>> all = new HashMap<>();
    List<RepairSource> shares = new ArrayList<>();
    tree.forEach(node -> shares.addAll(node.sources));
    for (RepairSource share : shares) {
      Token<BlockTokenIdentifier> token = tokens.get(share.unit);
      all.put(share.block, token == null ? token(share.unit, AccessMode.READ) : token);
    }
    return new PartialSumRequest(PartialSumRequest.of("test", 1, 0, stallTimeoutMs), id(),
        new SliceGeometry(streamBytes, SLICE, 0, 0), tree, all);
  }

  /**
   * Returns a request for {@code unit} alone, in another shape than that of XOR: all rows of a code
   * with sub-chunks are zero times the unit.
   */
  PartialSumRequest shaped(int unit, int subChunks, int lostRows, int sliceBytes)
      throws IOException {
    NodeRef node = port(unit).node();
    RepairSource share = new RepairSource(unit, id().block(unit, unitBytes), node,
        firstOnly(lostRows * subChunks), subChunks, lostRows, new byte[0]);
    return new PartialSumRequest(PartialSumRequest.of("test", lostRows, 0, stallTimeoutMs), id(),
        new SliceGeometry(streamBytes, sliceBytes, subChunks, CELL, 0, 0),
        node(node, Collections.singletonList(share)),
        Collections.singletonMap(share.block, token(unit, AccessMode.READ)));
  }

  /** Returns coefficients. Only the first is not zero, so that the unit is read at all. */
  private static byte[] firstOnly(int coefficients) {
    byte[] all = new byte[coefficients];
    all[0] = 1;
    return all;
  }

  /** Returns the request for {@code unit} alone, to the node that holds this unit. */
  PartialSumRequest single(int unit) throws IOException {
    return of(leaf(unit, port(unit).node()));
  }
}
