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
package org.hdfsppr.client.read;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Notices that a stream's path now belongs to another file. Clients ask the NameNode by path, so
 * the NameNode's answers are then about a file for which the stream was not opened. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReplacedFileDetector {
  /** Compares two answers of the NameNode. */
  @FunctionalInterface
  public interface Comparison {
    /**
     * Compares the two answers.
     *
     * @throws UntrustedBytesException if the answers are about different files
     */
    void run() throws UntrustedBytesException;
  }

  /** An id that no block of HDFS has. */
  private static final long NO_GROUP = 0;

  private final String path;
  private final ErasureCodingPolicy policy;
  /** The file's first group when it was opened; {@link #NO_GROUP} if there was none. */
  private final long firstGroup;
  /**
   * The groups that are known to belong to the file. There are no more of them than stock's stream
   * remembers.
   */
  private final Set<Long> groups = ConcurrentHashMap.newKeySet();
  /**
   * Groups that the NameNode has named for the path, and that {@link #confirm} has not accepted
   * yet.
   */
  private final Set<Long> named = new HashSet<>();
  private volatile UntrustedBytesException replaced;

  /**
   * @param path the path that was opened
   * @param policy the file's policy
   * @param located the NameNode's answer when the file was opened
   */
  public ReplacedFileDetector(String path, ErasureCodingPolicy policy, LocatedBlocks located) {
    this.path = path;
    this.policy = policy;
    firstGroup = firstGroup(located);
    located.getLocatedBlocks().forEach(one -> groups.add(one.getBlock().getBlockId()));
  }

  /** Returns the id of the first group in an answer. A client may still be writing this group. */
  private static long firstGroup(LocatedBlocks located) {
    LocatedBlock first = located.locatedBlockCount() > 0 ? located.get(0)
        : located.getLastLocatedBlock();
    return first == null ? NO_GROUP : first.getBlock().getBlockId();
  }

  /**
   * @param groupId the id of a block group
   * @return whether the group is known to belong to the file
   */
  public boolean has(long groupId) {
    return groups.contains(groupId);
  }

  /**
   * Remembers groups that the NameNode has named for the path, until {@link #confirm}.
   *
   * @param located all groups that stock's stream remembers, because one answer of the NameNode may
   *     have added several
   * @param group one more group
   */
  public synchronized void named(LocatedBlocks located, LocatedBlock group) {
    named.add(group.getBlock().getBlockId());
    located.getLocatedBlocks().forEach(one -> named.add(one.getBlock().getBlockId()));
  }

  /**
   * Accepts the groups that were {@link #named} before, if a later answer of the NameNode still has
   * the file's policy and first group. If another file or a new version had taken the path before,
   * it would still have the path. So a path that still belongs to this file has belonged to it all
   * the time, and the earlier answers were about this file, too. After the caller has called {@link
   * #named}, no other thread may call {@link #named} or this method until the caller has called
   * this method.
   *
   * @param now the NameNode's later answer, which begins with the first group of the path
   * @throws UntrustedBytesException if the path belongs to another file; every later call of {@link
   *     #require} then throws as well
   */
  public synchronized void confirm(LocatedBlocks now) throws UntrustedBytesException {
    check(() -> requireSame(now));
    groups.addAll(named);
    named.clear();
  }

  private void requireSame(LocatedBlocks now) throws UntrustedBytesException {
    ErasureCodingPolicy policyNow = now.getErasureCodingPolicy();
    if (!policy.equals(policyNow)) {
      throw new UntrustedBytesException(path + " had the policy " + policy.getName() + " when it"
          + " was opened, and has " + (policyNow == null ? "none" : policyNow.getName())
          + " now, because it was converted or replaced: open it anew", null);
    }
    if (firstGroup != NO_GROUP && firstGroup(now) != firstGroup) {
      throw new UntrustedBytesException(path + " is another file than the one that was opened,"
          + " because it was converted or replaced: open it anew", null);
    }
  }

  /**
   * Throws if this or another thread has found out that the path now belongs to another file.
   *
   * @throws UntrustedBytesException if the file was replaced
   */
  public void require() throws UntrustedBytesException {
    UntrustedBytesException why = replaced;
    if (why != null) {
      throw new UntrustedBytesException(why.getMessage(), why);
    }
  }

  /**
   * Compares a new answer of the NameNode with an earlier answer.
   *
   * @param comparison throws if the answers are about different files
   * @throws UntrustedBytesException if {@code comparison} throws it; every later call of {@link
   *     #require} then throws as well
   */
  public void check(Comparison comparison) throws UntrustedBytesException {
    try {
      comparison.run();
    } catch (UntrustedBytesException e) {
      replaced = e;
      throw e;
    }
  }
}
