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
package org.apache.hadoop.hdfs.server.namenode;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.version.StartupSafeMode;
import org.hdfsppr.namenode.version.VersionNamespace;

/**
 * Accesses the safe mode of the NameNode. The plugin needs this because stock also counts the block
 * groups of unfinished files. Thread-safe.
 */
@InterfaceAudience.Private
public final class SafeModeAccess implements StartupSafeMode {
  private static final String OPERATION = "ppr-safe-mode";

  private final FSNamesystem namesystem;
  private final BlockManager blocks;
  /**
   * Whether the NameNode stays in safe mode for some further time after enough blocks were
   * reported.
   */
  private final boolean hasExtension;

  /**
   * @param namesystem the running NameNode; {@link #missing} must be empty for its Hadoop
   * @param conf the NameNode's configuration
   */
  public SafeModeAccess(FSNamesystem namesystem, Configuration conf) {
    this.namesystem = namesystem;
    this.hasExtension = conf.getTimeDuration(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY,
        DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_DEFAULT, TimeUnit.MILLISECONDS) > 0;
    this.blocks = namesystem.getBlockManager();
  }

  /**
   * @return the members of Hadoop's classes that this Hadoop lacks; empty if safe mode can be
   *     accessed
   */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(SafeModeAccess.class));
    hadoop.method("FSNamesystem", "getLeaseManager", hadoop.find("LeaseManager"));
    hadoop.method("FSNamesystem", "getCompleteBlocksTotal", long.class);
    hadoop.method("LeaseManager", "getINodeIdWithLeases", Collection.class);
    hadoop.method("FSDirectory", "getInode", hadoop.find("INode"), long.class);
    return hadoop.missing();
  }

  @Override
  public boolean isOn() {
    return blocks.isInSafeMode();
  }

  @Override
  public Look look() {
    namesystem.readLock();
    try {
      return new Look(hasReports(), groups());
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  private boolean hasReports() {
    List<DatanodeDescriptor> live =
        blocks.getDatanodeManager().getDatanodeListForReport(DatanodeReportType.LIVE);
    return !live.isEmpty() && live.stream().allMatch(DatanodeDescriptor::checkBlockReportReceived);
  }

  private long groups() {
    long groups = 0;
    LeaseManager leases = namesystem.getLeaseManager();
    synchronized (leases) {
      // Every unfinished file has a lease, and only such files have one.
      for (long inodeId : leases.getINodeIdWithLeases()) {
        INode inode = namesystem.getFSDirectory().getInode(inodeId);
        if (inode != null && inode.isFile() && isUnfinished(inode.asFile())) {
          for (BlockInfo block : inode.asFile().getBlocks()) {
            // Stock does not wait for a group that is not complete, so that it need not be
            // excluded.
            groups += block.isComplete() && !isSafe((BlockInfoStriped) block) ? 1 : 0;
          }
        }
      }
    }
    return groups;
  }

  private static boolean isUnfinished(INodeFile file) {
    return file.isUnderConstruction() && file.isStriped() && isOwn(file);
  }

  /** Returns whether a file lies below the extension's directory, in which no user has files. */
  private static boolean isOwn(INode file) {
    INode top = file;
    while (top.getParent() != null && top.getParent().getParent() != null) {
      top = top.getParent();
    }
    return top != file && VersionNamespace.ROOT.equals("/" + top.getLocalName());
  }

  /**
   * Returns whether stock may have counted a group as having enough units. Stock does not undo that
   * when a node is decommissioned, or when a replica turns out to be corrupt. So every unit that
   * was reported counts here.
   */
  private static boolean isSafe(BlockInfoStriped group) {
    BitSet units = new BitSet();
    group.getStorageAndIndexInfos().forEach(place -> units.set(place.getBlockIndex()));
    return units.cardinality() >= group.getRealDataBlockNum();
  }

  @Override
  public long waitWithout(long most) {
    namesystem.writeLock();
    try {
      if (!namesystem.isInStartupSafeMode()) {
        return 0;
      }
      long groups = most > 0 && hasReports() ? Math.min(most, groups()) : 0;
      long all = namesystem.getCompleteBlocksTotal();
      blocks.setBlockTotal(all - groups);
      if (groups > 0 && !hasExtension && blocks.isInSafeMode()) {
        // Otherwise units of these groups that are reported later would count in place of blocks
        // for which the NameNode waits, and it would leave safe mode too early.
        blocks.setBlockTotal(all);
        groups = 0;
      }
      return groups;
    } finally {
      namesystem.writeUnlock(OPERATION);
    }
  }
}
