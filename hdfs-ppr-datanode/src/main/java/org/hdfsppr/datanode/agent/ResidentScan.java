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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the internal blocks of block groups that lie (mostly) in memory. The scan looks for them in
 * the page cache, a few replicas at a time, and asks the DataNode which blocks its chunk cache
 * holds. The scan has a thread of its own, so that a slow or hanging disk delays only the scan. On
 * a DataNode with very many blocks the scan looks only at a sample of them, and takes another
 * sample from time to time. {@link #resident} is thread-safe.
 */
final class ResidentScan {
  private static final Logger LOG = LoggerFactory.getLogger(ResidentScan.class);
  /** The greatest number of replicas in the sample of one pool. */
  private static final int SAMPLE_MAX = 2048;
  /**
   * The number of replicas that the scan looks at per second. Each look opens a file, maps the file
   * and reads one flag for each page: 32 KiB for a block of 128 MiB.
   */
  private static final int LOOKS_PER_SECOND = 16;
  private static final long LIST_NANOS_LEAST = TimeUnit.SECONDS.toNanos(10);
  /**
   * After the scan has listed all replicas, it waits this many times as long as the listing took
   * before it lists them again. On a DataNode with millions of replicas, a listing takes a lock and
   * much time.
   */
  private static final long LIST_COST = 1000;
  /**
   * The greatest number of block pools that the scan covers. A DataNode has one pool for each
   * nameservice, and no cluster has this many.
   */
  private static final int POOLS_MAX = 64;
  /** The scan forgets a pool if no heartbeat has asked for the pool in this time, ns. */
  private static final long ASKED_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
  /**
   * The pause between scans, ms. Heartbeats ask for the blocks about as often, so no report would
   * be newer with a shorter pause.
   */
  private static final long PAUSE_MS = 1_000;

  /** The replicas of a DataNode. All methods may block as long as a disk does. */
  interface Replicas {
    /**
     * Returns the finalized replicas of a block pool; none if the DataNode does not have the pool.
     */
    List<ReplicaInfo> finalized(String poolId);

    /** Returns whether most of a replica's file is in the page cache. */
    boolean isResident(ReplicaInfo replica);

    /** Returns the ids of those blocks of a pool that are mostly in the DataNode's chunk cache. */
    Collection<Long> cached(String poolId);
  }

  private final Replicas replicas;
  private final LongSupplier nanoClock;
  private final Random random = new Random();
  /** The scanned pools, by id. Only the scan's thread uses this map. */
  private final Map<String, Pool> pools = new HashMap<>();
  /** The time at which a heartbeat last asked for each pool. */
  private final Map<String, Long> asked = new ConcurrentHashMap<>();
  private final Map<String, Collection<Long>> found = new ConcurrentHashMap<>();
  /** Starts the scan's thread; null if there is none to start, or if it was started before. */
  private final AtomicReference<Runnable> start = new AtomicReference<>();

  ResidentScan(Replicas replicas, LongSupplier nanoClock) {
    this.replicas = replicas;
    this.nanoClock = nanoClock;
  }

  /**
   * Starts the scan's thread when a heartbeat first asks for blocks. Only NameNodes whose scheduler
   * is {@code mppr} want them, so that most DataNodes never have the thread.
   *
   * @param starter starts the thread, and is called once at most
   */
  void whenFirstAsked(Runnable starter) {
    start.set(starter);
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

  /**
   * Returns the ids of blocks of {@code poolId} that were in memory at the last look. The scan
   * looks at the replicas of a pool only while NameNodes want these ids, and so call this method.
   * The first call for a pool returns no ids, and makes the scan begin. Does not wait.
   */
  Collection<Long> resident(String poolId) {
    if (asked.containsKey(poolId) || asked.size() < POOLS_MAX) {
      asked.put(poolId, nanoClock.getAsLong());
    }
    Runnable first = start.getAndSet(null);
    if (first != null) {
      boolean isStarted = false;
      try {
        first.run();
        isStarted = true;
      } finally {
        if (!isStarted) {
          // The next call tries again, for example when there is memory for a thread.
          start.set(first);
        }
      }
    }
    return found.getOrDefault(poolId, Collections.emptyList());
  }

  /** Scans some replicas, and waits. Always returns true, so that the next scan follows. */
  boolean take() throws InterruptedException {
    scan();
    Thread.sleep(PAUSE_MS);
    return true;
  }

  private void scan() throws InterruptedException {
    long now = nanoClock.getAsLong();
    asked.values().removeIf(when -> now - when > ASKED_NANOS_MAX);
    pools.keySet().retainAll(asked.keySet());
    found.keySet().retainAll(asked.keySet());
    for (String poolId : asked.keySet()) {
      try {
        found.put(poolId, scan(poolId, pools.computeIfAbsent(poolId, id -> new Pool())));
      } catch (RuntimeException | LinkageError e) {
        // The scan goes on with the next pool. A volume may be removed during a look, and managers
        // use the ids only as hints.
        LOG.warn("Which blocks of {} are in memory is unknown: {}", poolId, e.toString());
      }
    }
  }

  private Collection<Long> scan(String poolId, Pool pool) throws InterruptedException {
    long now = nanoClock.getAsLong();
    if (!pool.listed || now - pool.listAtNanos > 0) {
      list(poolId, pool);
      long listed = nanoClock.getAsLong();
      pool.listAtNanos = listed + Math.max(LIST_NANOS_LEAST, LIST_COST * (listed - now));
      pool.lookedAtNanos = pool.listed ? pool.lookedAtNanos : now - TimeUnit.SECONDS.toNanos(1);
      pool.listed = true;
    }
    // If the scan is late because the last looks took long, it makes up for at most two seconds.
    long looks = Math.min(2L * LOOKS_PER_SECOND, (now - pool.lookedAtNanos) * LOOKS_PER_SECOND
        / TimeUnit.SECONDS.toNanos(1));
    if (looks > 0) {
      pool.lookedAtNanos = now;
      look(pool, (int) Math.min(looks, pool.sample.size()));
    }
    // The result has all blocks of the chunk cache, even those outside the sample, because these
    // blocks are few and the cache can list them.
    Set<Long> ids = new LinkedHashSet<>(replicas.cached(poolId));
    pool.resident.forEach((id, is) -> {
      if (is) {
        ids.add(id);
      }
    });
    return Collections.unmodifiableSet(ids);
  }

  private void list(String poolId, Pool pool) {
    List<ReplicaInfo> striped = new ArrayList<>();
    for (ReplicaInfo replica : replicas.finalized(poolId)) {
      // The ids of block groups and of their units are negative.
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

  private void look(Pool pool, int looks) throws InterruptedException {
    for (int i = 0; i < looks; i++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("to end");
      }
      ReplicaInfo replica = pool.sample.get(pool.next);
      pool.next = (pool.next + 1) % pool.sample.size();
      pool.resident.put(replica.getBlockId(), replicas.isResident(replica));
    }
  }
}
