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
package org.hdfsppr.namenode.record;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The kinds of records that are sealed when an operator has finalized them. Each has an attribute
 * of its own.
 *
 * <p>A sealed record begins with a lead, by which 0.2.0 takes it for a later version of its own
 * record, says so and leaves it alone. Where 0.2.0 refuses any other length or first byte in the
 * same way, there is no lead.
 *
 * <p>Three records stay as they are. 0.2.0 overwrites a note of background checks that it cannot
 * read ({@code hdfs-ppr.scrub}), and the record of a protected directory ({@code hdfs-ppr.core})
 * when a user protects the directory again: with its own default number of files, by which it then
 * dissolves groups. And it would take a sealed {@code hdfs-ppr.updatable}, which operators set by
 * hand, too, for the name of a strategy.
 */
@InterfaceAudience.Private
public enum SealedKind {
  /** A conversion job. */
  JOB(1, "hdfs-ppr.job", "hdfs-ppr-job 2\n"),
  /** A version of a file. */
  VERSION(2, "hdfs-ppr.version", "hdfs-ppr version 2 00000000\n"),
  /** The members of a CORE group. 0.2.0 expects its CRC-32C where a sealed record has it. */
  CORE_GROUP(4, "hdfs-ppr.core-group", "PPRC\u0003"),
  /** The tag of a file with updates. */
  UPDATE_TAG(5, "hdfs-ppr.update", ""),
  /** The terms of a block group. */
  TERMS(6, "hdfs-ppr.terms", ""),
  /** The latest term of the block pool. */
  LATEST_TERM(7, "hdfs-ppr.latest-term", ""),
  /** The commits of a file. */
  COMMITS(8, "hdfs-ppr.commits", ""),
  /** The inodes of a file with updates. */
  FILE(9, "hdfs-ppr.file", ""),
  /** The first inode of such a file. */
  FIRST_INODE(10, "hdfs-ppr.first-inode", ""),
  /** Since when such a file is gone. */
  GONE_SINCE(11, "hdfs-ppr.gone-since", ""),
  /** That records are finalized. 0.2.0 has no such record, and looks for none. */
  FINALIZED(12, "hdfs-ppr.finalized", "");

  /** Stands for the kind in a sealed record */
  final byte number;
  /** The name of the attribute, without "trusted." */
  public final String attribute;
  private final String lead;

  SealedKind(int number, String attribute, String lead) {
    this.number = (byte) number;
    this.attribute = attribute;
    this.lead = lead;
  }

  byte[] lead() {
    return lead.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * @param attribute the name of an attribute, without "trusted."
   * @return the kind of records that it has; empty if they are never sealed
   */
  public static Optional<SealedKind> of(String attribute) {
    for (SealedKind kind : values()) {
      if (kind.attribute.equals(attribute)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
