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
package org.hdfsppr.namenode.version;

import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.wire.RequestBounds;

/** What all groups of a file have in common while the file is made. Immutable. */
final class VersionContext {
  final EngineParts parts;
  final String jobId;
  final long jobBytesPerSecond;
  final String path;
  final long storageInodeId;
  final GroupPolicy code;
  final long term;
  final VersionNews news;
  /** When the making began, after all waits for repairs, monotonic ms. */
  final long begunMs;

  /**
   * @param job the job of which the making is a part
   * @param file the file that is being made
   * @param term the term of the repair manager
   * @param news wakes the making
   */
  VersionContext(EngineParts parts, Job job, MadeFile file, long term, VersionNews news) {
    this(parts, job, file, term, news, parts.clockMs.getAsLong());
  }

  /** @param begunMs when the making began, after all waits for repairs, monotonic ms */
  VersionContext(EngineParts parts, Job job, MadeFile file, long term, VersionNews news,
      long begunMs) {
    this.parts = parts;
    this.jobId = job.id;
    this.jobBytesPerSecond = job.bytesPerSecond;
    this.path = file.path;
    this.storageInodeId = file.storageInodeId;
    this.code = file.code;
    this.term = term;
    this.news = news;
    this.begunMs = begunMs;
  }

  /**
   * Returns how many bytes of a unit one node may read or write in a second, bytes/s: at most as
   * many as the whole job may move. If the job's rate is too low for a command, this returns the
   * lowest rate that a command may name. Then {@link LinkLoads} lets makings begin so rarely that
   * the job keeps to its rate.
   */
  long nodeBytesPerSecond() {
    long node = parts.settings.nodeBytesPerSecond;
    return jobBytesPerSecond == 0 ? node
        : Math.min(node, Math.max(RequestBounds.BYTES_PER_SECOND_MIN, jobBytesPerSecond));
  }

  /**
   * Returns the length of a unit of a group, bytes. It is the same in the old and in the new code.
   */
  long unitBytes(long groupBytes, int unit) {
    return StripedBlockUtil.getInternalBlockLength(groupBytes, code.cellBytes,
        code.dataUnits, unit);
  }

  /**
   * Registers an order that is about to be sent. The caller ends it by {@link #takeBack}.
   *
   * @param give queues the order for its node; returns false if too many orders wait for that node
   */
  OrderBook.Order order(String id, String uuid, long deadlineMs, BooleanSupplier give) {
    return parts.orders.open(id, uuid, term, parts.clockMs.getAsLong() + deadlineMs, news::come,
        give);
  }

  /** Removes an order, and cancels it at its node if it has no result. */
  void takeBack(OrderBook.Order order) {
    if (order.result() == null) {
      parts.door.cancel(order.uuid, order.id, order.term);
    }
    parts.orders.close(order);
  }

  /** A job to which makings belong, with its rate. */
  static final class Job {
    final String id;
    final long bytesPerSecond;

    /** @param bytesPerSecond how many bytes the whole job may move, bytes/s; 0 for no limit */
    Job(String id, long bytesPerSecond) {
      this.id = id;
      this.bytesPerSecond = bytesPerSecond;
    }
  }

  /** The file that is made. */
  static final class MadeFile {
    final String path;
    final long storageInodeId;
    final GroupPolicy code;

    /**
     * @param path path of the file, which {@link VersionHook} gets
     * @param storageInodeId inode id of the file whose storage policy the units follow
     * @param code the code of the groups that are made
     */
    MadeFile(String path, long storageInodeId, GroupPolicy code) {
      this.path = path;
      this.storageInodeId = storageInodeId;
      this.code = code;
    }
  }
}
