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
package org.hdfsppr.namenode.scrub;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * The namespace of the NameNode in this process. Calls the methods that serve clients, as the
 * NameNode's own user. Such calls leave no lines in the audit log, and do not change the access
 * times of files.
 */
@InterfaceAudience.Private
public final class NameNodeNamespace implements ScrubNamespace {
  /** The name of the extended attribute that stores a path's note. Only superusers can read it. */
  public static final String XATTR = "hdfs-ppr.scrub";
  private static final byte[] FROM_THE_START = new byte[0];

  private final Supplier<? extends ClientProtocol> namenode;

  /** @param namenode returns the NameNode's methods, or null while there are none */
  public NameNodeNamespace(Supplier<? extends ClientProtocol> namenode) {
    this.namenode = namenode;
  }

  private ClientProtocol namenode() throws IOException {
    ClientProtocol methods = namenode.get();
    if (methods == null) {
      throw new RetriableException("the NameNode does not answer yet");
    }
    return methods;
  }

  private DirectoryListing ask(String path, byte[] after, boolean withLocations)
      throws IOException {
    DirectoryListing listing;
    try {
      listing = namenode().getListing(path, after, withLocations);
    } catch (ParentNotDirectoryException e) {
      // A file has taken the place of a directory.
      listing = null;
    }
    if (listing == null) {
      throw new FileNotFoundException(path + " does not exist");
    }
    return listing;
  }

  @Override
  public Listing list(String path, String after) throws IOException {
    DirectoryListing listing = ask(path, after.getBytes(StandardCharsets.UTF_8), false);
    List<Entry> entries = new ArrayList<>();
    for (HdfsFileStatus status : listing.getPartialListing()) {
      // Directories have policies, too. Symbolic links have none.
      entries.add(new Entry(status.getLocalName(), status.isDirectory(),
          !status.isDirectory() && status.getErasureCodingPolicy() != null));
    }
    return new Listing(entries, listing.hasMore());
  }

  @Override
  public List<ScrubTarget> groups(String file) throws IOException {
    DirectoryListing listing;
    try {
      listing = ask(file, FROM_THE_START, true);
    } catch (FileNotFoundException e) {
      // The file was deleted after it was listed, so that there is nothing to check.
      return Collections.emptyList();
    }
    HdfsFileStatus[] found = listing.getPartialListing();
    if (found.length != 1 || found[0].isDirectory() || !found[0].getLocalName().isEmpty()
        || !(found[0] instanceof HdfsLocatedFileStatus)) {
      // A directory has taken the place of the file.
      return Collections.emptyList();
    }
    LocatedBlocks blocks = ((HdfsLocatedFileStatus) found[0]).getLocatedBlocks();
    ErasureCodingPolicy policy = found[0].getErasureCodingPolicy();
    return blocks == null || policy == null ? Collections.emptyList() : groups(blocks, policy);
  }

  private static List<ScrubTarget> groups(LocatedBlocks blocks, ErasureCodingPolicy policy) {
    GroupPolicy code = new GroupPolicy(policy.getCodecName(), policy.getNumDataUnits(),
        policy.getNumParityUnits(), policy.getCellSize());
    List<ScrubTarget> groups = new ArrayList<>();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (block instanceof LocatedStripedBlock && block.getBlockSize() > 0) {
        ExtendedBlock name = block.getBlock();
        groups.add(new ScrubTarget(block.getStartOffset(),
            new GroupId(name.getBlockPoolId(), name.getBlockId(), name.getGenerationStamp()),
            block.getBlockSize(), code, holders((LocatedStripedBlock) block, code),
            // A file that is written to, or whose lease is being recovered, may change.
            blocks.isUnderConstruction()));
      }
    }
    return groups;
  }

  private static List<UnitHolder> holders(LocatedStripedBlock block, GroupPolicy code) {
    NodeRef[] nodes = new NodeRef[code.dataUnits + code.parityUnits];
    byte[] indices = block.getBlockIndices();
    DatanodeInfo[] locations = block.getLocations();
    for (int i = 0; i < indices.length && i < locations.length; i++) {
      DatanodeInfo node = locations[i];
      if (indices[i] >= 0 && indices[i] < nodes.length && nodes[indices[i]] == null) {
        nodes[indices[i]] = new NodeRef(node.getDatanodeUuid(), node.getIpAddr(),
            node.getHostName(), node.getXferPort(), NodeRef.NO_REPAIR_PORT,
            node.getNetworkLocation());
      }
    }
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit = 0; unit < nodes.length; unit++) {
      if (nodes[unit] != null && unitBytes(block.getBlockSize(), code, unit) > 0) {
        holders.add(new UnitHolder(unit, nodes[unit]));
      }
    }
    return holders;
  }

  private static long unitBytes(long groupBytes, GroupPolicy code, int unit) {
    return StripedBlockUtil.getInternalBlockLength(groupBytes,
        code.cellBytes, code.dataUnits, unit);
  }

  private static XAttr attribute(byte[] value) {
    return new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED).setName(XATTR)
        .setValue(value).build();
  }

  @Override
  public Optional<byte[]> note(String path) throws IOException {
    // getXAttrs() without names succeeds even if the path has no note. With the name of a missing
    // attribute it would fail.
    List<XAttr> attributes = namenode().getXAttrs(path, Collections.emptyList());
    if (attributes != null) {
      for (XAttr one : attributes) {
        if (one.getNameSpace() == XAttr.NameSpace.TRUSTED && XATTR.equals(one.getName())) {
          return Optional.ofNullable(one.getValue());
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public void keepNote(String path, byte[] note) throws IOException {
    namenode().setXAttr(path, attribute(note),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }
}
