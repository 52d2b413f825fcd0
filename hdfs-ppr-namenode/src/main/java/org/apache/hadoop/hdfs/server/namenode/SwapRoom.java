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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.FSLimitException.PathComponentTooLongException;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.hdfsppr.namenode.version.PublishAnswer;
import org.hdfsppr.namenode.version.RefusalReason;

/**
 * Whether quotas and limits of the namespace let a new version take the path of the old one. The
 * caller holds the namesystem's lock for writing.
 */
@InterfaceAudience.Private
final class SwapRoom {
  private final FSDirectory directory;
  private final NamespaceMembers members;

  SwapRoom(FSDirectory directory, NamespaceMembers members) {
    this.directory = directory;
    this.members = members;
  }

  /**
   * Refuses a swap of which stock might carry out the first rename and not the second one. Stock
   * compares quotas with what is used after the first rename; a file that is in a snapshot is
   * counted on.
   *
   * @param at the old version at its path
   * @param made the new version in its work directory
   * @return that it may be published, or what is too small
   */
  PublishAnswer check(INodesInPath at, INodesInPath made) {
    try {
      // An operator may have lowered the limit since the file got its name.
      directory.verifyMaxComponentLength(at.getLastLocalName(), at.getParentPath());
    } catch (PathComponentTooLongException e) {
      return PublishAnswer.refused(RefusalReason.QUOTA, "the name of " + at.getPath() + " is longer"
          + " than dfs.namenode.fs-limits.max-component-length allows");
    }
    INodeFile old = at.getLastINode().asFile();
    boolean isCountedOn = SnapshotLook.isInSnapshot(at);
    byte storage = old.getStoragePolicyID();
    QuotaCounts more = usage(made.getLastINode().asFile(), storage);
    QuotaCounts less = usage(old, storage);
    // The root has both versions before and after the swap. Stock compares its quota all the same,
    // as if the new version were added, if a directory on the way has a snapshot.
    boolean isRootCompared = at.getINode(0).isInLatestSnapshot(at.getLatestSnapshotId());
    for (int i = isRootCompared ? 0 : 1; i < at.length() - 1; i++) {
      INodeDirectory above = at.getINode(i).asDirectory();
      DirectoryWithQuotaFeature feature = above.getDirectoryWithQuotaFeature();
      if (feature != null) {
        QuotaCounts used = new QuotaCounts.Builder().quotaCount(feature.getSpaceConsumed())
            .build();
        used.add(more);
        if (!isCountedOn && i > 0) {
          used.subtract(less);
        }
        if (isViolated(feature.getQuota(), used)) {
          return PublishAnswer.refused(RefusalReason.QUOTA, "a quota of "
              + above.getFullPathName() + " does not hold the new version; raise it");
        }
      }
    }
    int items = at.getINode(-2).asDirectory().getChildrenNum(Snapshot.CURRENT_STATE_ID);
    // A rename that overwrites needs a free entry, which it then does not take.
    return items + (isCountedOn ? 1 : 0) <= members.itemsMax(directory) ? PublishAnswer.PUBLISHED
        : PublishAnswer.refused(RefusalReason.QUOTA, "the directory of " + at.getPath() + " has "
            + items + " entries, and dfs.namenode.fs-limits.max-directory-items allows no more");
  }

  private QuotaCounts usage(INodeFile file, byte storage) {
    return file.computeQuotaUsage(directory.getBlockStoragePolicySuite(), storage, false,
        Snapshot.CURRENT_STATE_ID);
  }

  private static boolean isViolated(QuotaCounts quota, QuotaCounts used) {
    if (isOver(quota.getNameSpace(), used.getNameSpace())
        || isOver(quota.getStorageSpace(), used.getStorageSpace())) {
      return true;
    }
    for (StorageType type : StorageType.getTypesSupportingQuota()) {
      if (isOver(quota.getTypeSpaces().get(type), used.getTypeSpaces().get(type))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOver(long quota, long used) {
    return quota >= 0 && used > quota;
  }
}
