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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.StripedLayout;

/** A new file whose groups get the units of another file, by the calls that a client makes. */
@InterfaceAudience.Private
final class ClonedFile {
  private static final String CLIENT = "clone";

  final Path source;
  final Path path;
  final ErasureCodingPolicy policy;
  final List<LocatedStripedBlock> from;
  private final List<ExtendedBlock> to = new ArrayList<>();
  private final RepairCluster cluster;
  private final long fileId;

  ClonedFile(RepairCluster cluster, Path source, Path path) throws IOException {
    this.cluster = cluster;
    this.source = source;
    this.path = path;
    this.policy = cluster.fs.getErasureCodingPolicy(source);
    this.from = cluster.groups(source);
    fileId = namenode().create(path.toString(), FsPermission.getFileDefault(), CLIENT,
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)), true, (short) 1,
        cluster.fs.getFileStatus(source).getBlockSize(), CryptoProtocolVersion.supported(),
        policy.getName(), null).getFileId();
  }

  private NamenodeProtocols namenode() {
    return cluster.mini().getNameNodeRpc();
  }

  /** Allocates the next group, and returns its number. */
  int addGroup() throws IOException {
    int number = to.size();
    ExtendedBlock previous = number == 0 ? null : to.get(number - 1);
    ExtendedBlock group = namenode().addBlock(path.toString(), CLIENT, previous, null, fileId,
        null, null).getBlock();
    group.setNumBytes(from.get(number).getBlockSize());
    to.add(group);
    return number;
  }

  /** Returns whether the NameNode accepts the file as complete. */
  boolean complete() {
    try {
      return namenode().complete(path.toString(), CLIENT, to.get(to.size() - 1), fileId);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  GroupId group(int number) {
    return id(to.get(number));
  }

  long bytes(int number) {
    return from.get(number).getBlockSize();
  }

  BlockRef oldBlock(int number, int unit) {
    return layout(id(from.get(number).getBlock()), number).block(unit);
  }

  BlockRef newBlock(int number, int unit) {
    return layout(group(number), number).block(unit);
  }

  private static GroupId id(ExtendedBlock group) {
    return new GroupId(group.getBlockPoolId(), group.getBlockId(), group.getGenerationStamp());
  }

  private StripedLayout layout(GroupId id, int number) {
    return new StripedLayout(id, bytes(number), policy.getNumDataUnits(),
        policy.getNumParityUnits(), policy.getCellSize());
  }

  Map<Integer, DatanodeInfo> holders(int number) {
    return RepairCluster.holders(from.get(number));
  }

  LinkCommand.Link link(int number, int unit) {
    return new LinkCommand.Link(oldBlock(number, unit), newBlock(number, unit));
  }
}
