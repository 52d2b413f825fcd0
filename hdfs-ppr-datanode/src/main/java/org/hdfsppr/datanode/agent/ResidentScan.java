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
package org.hdfsppr.datanode.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.hdfsppr.coder.io.FileAdvice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which internal blocks of block groups lie (mostly) in the page cache, a few at a time
 * in turn. Where a DataNode has very many, it looks at a sample of them, and at another one every
 * now and then. Thread-safe.
 */
@InterfaceAudience.Private
final class ResidentScan {
  private static final Logger LOG = LoggerFactory.getLogger(ResidentScan.class);
  /** Replicas that are looked at in turn. */
  private static final int SAMPLE_MAX = 2048;
  /** Looks within a second: an open, a mapping and 32 KiB of flags for a block of 128 MiB each. */
  private static final int LOOKS_PER_SECOND = 16;
  private static final long LIST_NANOS_LEAST = TimeUnit.SECONDS.toNanos(10);
  /**
   * To list all replicas takes a lock and time, on DataNodes with millions of them: a thousandth of
   * all time is spent on that at most.
   */
  private static final long LIST_COST = 1000;
  /** A helper with this share of a block in memory reads hardly anything. */
  private static final int MOSTLY_PERCENT = 75;

  private final DataNode datanode;
  private final LongSupplier nanoClock;
  private final Random random = new Random();
  private final Map<String, Pool> pools = new HashMap<>();

  ResidentScan(DataNode datanode, LongSupplier nanoClock) {
    this.datanode = datanode;
    this.nanoClock = nanoClock;
  }

  /** The replicas of one block pool. */
  private static final class Pool {
    private List<ReplicaInfo> sample = Collections.emptyList();
    private final Map<Long, Boolean> resident = new LinkedHashMap<>();
    private long listAtNanos;
    private long lookedAtNanos;
    private int next;
    private boolean listed;
  }

  /** The ids of blocks of {@code poolId} that were found resident when last looked at. */
  synchronized Collection<Long> resident(String poolId) {
    if (!FileAdvice.isPossible()) {
      return Collections.emptyList();
    }
    Pool pool = pools.computeIfAbsent(poolId, id -> new Pool());
    long now = nanoClock.getAsLong();
    if (!pool.listed || now - pool.listAtNanos > 0) {
      list(poolId, pool);
      long listed = nanoClock.getAsLong();
      pool.listAtNanos = listed + Math.max(LIST_NANOS_LEAST, LIST_COST * (listed - now));
      pool.lookedAtNanos = pool.listed ? pool.lookedAtNanos : now - TimeUnit.SECONDS.toNanos(1);
      pool.listed = true;
    }
    // Never more at once than for two seconds, however long nobody has asked.
    long looks = Math.min(2L * LOOKS_PER_SECOND, (now - pool.lookedAtNanos) * LOOKS_PER_SECOND
        / TimeUnit.SECONDS.toNanos(1));
    if (looks > 0) {
      pool.lookedAtNanos = now;
      look(pool, (int) Math.min(looks, pool.sample.size()));
    }
    List<Long> ids = new ArrayList<>();
    pool.resident.forEach((id, is) -> {
      if (is) {
        ids.add(id);
      }
    });
    return ids;
  }

  private void list(String poolId, Pool pool) {
    List<ReplicaInfo> striped = new ArrayList<>();
    List<ReplicaInfo> finalized = finalized(poolId);
    for (ReplicaInfo replica : finalized) {
      // Ids of block groups, and of their units, are negative.
      if (replica.getBlockId() < 0) {
        striped.add(replica);
      }
    }
    Collections.shuffle(striped, random);
    pool.sample = new ArrayList<>(striped.subList(0, Math.min(SAMPLE_MAX, striped.size())));
    pool.next = 0;
    List<Long> ids = new ArrayList<>();
    pool.sample.forEach(replica -> ids.add(replica.getBlockId()));
    pool.resident.keySet().retainAll(ids);
  }

  private List<ReplicaInfo> finalized(String poolId) {
    List<ReplicaInfo> finalized = null;
    try {
      finalized = datanode.getFSDataset().getFinalizedBlocks(poolId);
    } catch (RuntimeException e) {
      LOG.debug("The replicas of {} cannot be listed", poolId, e);
    }
    // Hadoop 3.3.6 throws where it does not have the pool (yet).
    return finalized == null ? Collections.emptyList() : finalized;
  }

  private static void look(Pool pool, int looks) {
    for (int i = 0; i < looks; i++) {
      ReplicaInfo replica = pool.sample.get(pool.next);
      pool.next = (pool.next + 1) % pool.sample.size();
      pool.resident.put(replica.getBlockId(), isResident(replica));
    }
  }

  private static boolean isResident(ReplicaInfo replica) {
    long bytes = replica.getNumBytes();
    try (InputStream in = replica.getDataInputStream(0)) {
      return bytes > 0 && in instanceof FileInputStream
          && FileAdvice.residentBytes(((FileInputStream) in).getFD(), bytes)
              >= bytes / 100.0 * MOSTLY_PERCENT;
    } catch (IOException e) {
      // It has been deleted or moved since it was listed.
      LOG.debug("Cannot look at {}", replica, e);
      return false;
    }
  }
}
