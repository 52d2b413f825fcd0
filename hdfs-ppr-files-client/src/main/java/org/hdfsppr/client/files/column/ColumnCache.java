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
package org.hdfsppr.client.files.column;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.read.ColumnSource;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * Remembers which columns of CORE groups the NameNode has named to this client, so that a reader
 * does not ask for each range of bytes. It remembers a column only for a short time: the NameNode
 * may learn at any time that a block of the column is wrong, and a client cannot check the sum of a
 * column. Thread-safe.
 */
@InterfaceAudience.Private
public final class ColumnCache implements ColumnSource {
  /**
   * Logs the same message at most once a minute, because many reads may cause it while no NameNode
   * answers.
   */
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(ColumnCache.class));
  /**
   * How long the client remembers that a unit is in no column, and how long it asks for no column
   * after no NameNode has answered.
   */
  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(60);
  /**
   * How long a column is used after the client has asked for it. For this long, clients may still
   * read a block that the NameNode already knows to be wrong. A reader of many ranges asks once in
   * this time for each unit, which takes less time than reading a range.
   */
  private static final long COLUMN_NANOS = TimeUnit.SECONDS.toNanos(5);
  /**
   * How long the client asks for no column after the NameNode has answered that it is busy, or has
   * not loaded its CORE groups yet. Without this, each range would wait for such an answer.
   */
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(5);
  /**
   * For a caller that can get the bytes only by a column: how long the client remembers that the
   * unit is in no column, and how long it does not ask again after a failure. It is short, because
   * a CORE group may have been formed meanwhile.
   */
  private static final long ONLY_WAY_NANOS = TimeUnit.SECONDS.toNanos(5);
  /**
   * For a caller that can get the bytes only by a column: how often the client asks the NameNode at
   * most. The next constant says for how long.
   */
  private static final int ONLY_WAY_TRIES = 3;
  private static final long ONLY_WAY_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** How many answers a client remembers at most, at about 1 KB each. */
  private static final int ANSWERS_MOST = 1_000;

  private static final class Key {
    private final GroupId group;
    private final int unit;

    Key(GroupId group, int unit) {
      this.group = group;
      this.unit = unit;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key && ((Key) o).unit == unit && ((Key) o).group.equals(group);
    }

    @Override
    public int hashCode() {
      return Objects.hash(group, unit);
    }
  }

  private static final class Answer {
    private final List<LocatedBlock> blocks;
    /** When the NameNode was asked. */
    private final long askedNanos;

    Answer(List<LocatedBlock> blocks, long askedNanos) {
      this.blocks = blocks;
      this.askedNanos = askedNanos;
    }

    boolean isNewerThan(long ageNanos, long nowNanos) {
      return nowNanos - askedNanos < ageNanos;
    }
  }

  private final ColumnProtocol nameNode;
  private final LongSupplier nanoClock;
  private final Map<Key, Answer> answers = new LinkedHashMap<>();
  /** The monitor that a thread holds while it asks the NameNode. */
  private final Object asking = new Object();
  /**
   * Until when the client does not ask again, on {@link #nanoClock}. Guarded by {@link #asking}.
   */
  private long askAfterNanos;
  /** The last failure of {@link #ofOnlyWay}; null if the NameNode has answered since. */
  private IOException onlyWayFailure;
  private long onlyWayFailedNanos;

  /**
   * @param nameNode answers which blocks are in the column of a unit
   * @param nanoClock a monotonic clock, ns
   */
  public ColumnCache(ColumnProtocol nameNode, LongSupplier nanoClock) {
    this.nameNode = nameNode;
    this.nanoClock = nanoClock;
    this.askAfterNanos = nanoClock.getAsLong();
  }

  @Override
  public List<LocatedBlock> of(GroupId group, int unit) {
    Key key = new Key(group, unit);
    Optional<List<LocatedBlock>> known = known(key);
    if (known.isPresent()) {
      return known.get();
    }
    // The client makes one request at a time. A read may want columns for many units at once, and
    // the NameNode's plugin has few threads for clients.
    synchronized (asking) {
      return known(key).orElseGet(() -> ask(key));
    }
  }

  @Override
  public List<LocatedBlock> ofOnlyWay(GroupId group, int unit) throws IOException {
    Key key = new Key(group, unit);
    synchronized (asking) {
      Optional<List<LocatedBlock>> known = knownForOnlyWay(key);
      return known.isPresent() ? known.get() : askForOnlyWay(key);
    }
  }

  private Optional<List<LocatedBlock>> knownForOnlyWay(Key key) {
    synchronized (answers) {
      return known(key).filter(blocks -> !blocks.isEmpty()
          || answers.get(key).isNewerThan(ONLY_WAY_NANOS, nanoClock.getAsLong()));
    }
  }

  private List<LocatedBlock> askForOnlyWay(Key key) throws IOException {
    long beganNanos = nanoClock.getAsLong();
    if (onlyWayFailure != null && beganNanos - onlyWayFailedNanos < ONLY_WAY_NANOS) {
      throw new IOException("No NameNode's hdfs-ppr has said a moment ago which files share a CORE"
          + " group, and this client does not ask again yet", onlyWayFailure);
    }
    for (int tries = 1; ; tries++) {
      long askedNanos = nanoClock.getAsLong();
      try {
        List<LocatedBlock> blocks = nameNode.column(key.group, key.unit);
        remember(key, new Answer(blocks, askedNanos));
        onlyWayFailure = null;
        return blocks;
      } catch (AccessControlException e) {
        throw e;
      } catch (IOException e) {
        long nowNanos = nanoClock.getAsLong();
        if (tries == ONLY_WAY_TRIES || nowNanos - beganNanos >= ONLY_WAY_LIMIT_NANOS
            || Thread.currentThread().isInterrupted()) {
          onlyWayFailure = e;
          onlyWayFailedNanos = nowNanos;
          throw e;
        }
      }
    }
  }

  /** Returns the remembered answer; empty if there is none, or if it is too old. */
  private Optional<List<LocatedBlock>> known(Key key) {
    synchronized (answers) {
      Answer known = answers.get(key);
      if (known != null && known.isNewerThan(known.blocks.isEmpty() ? KEEP_NANOS : COLUMN_NANOS,
          nanoClock.getAsLong())) {
        return Optional.of(known.blocks);
      }
      answers.remove(key);
    }
    return Optional.empty();
  }

  private List<LocatedBlock> ask(Key key) {
    if (askAfterNanos - nanoClock.getAsLong() > 0) {
      return List.of();
    }
    List<LocatedBlock> blocks;
    long askedNanos = nanoClock.getAsLong();
    try {
      blocks = nameNode.column(key.group, key.unit);
    } catch (AccessControlException e) {
      // The client may read this file, but not all files of the column, so that it cannot use the
      // column.
      blocks = List.of();
    } catch (IOException e) {
      if (!Thread.currentThread().isInterrupted()) {
        askAfterNanos = nanoClock.getAsLong()
            + (e instanceof RetriableException ? BUSY_NANOS : KEEP_NANOS);
      }
      LOG.info("no columns", "No NameNode's hdfs-ppr says which files share a CORE group with block"
          + " group {}, so that this client reads it as if it were in none: {}", key.group,
          String.valueOf(e.getMessage()));
      return List.of();
    }
    remember(key, new Answer(blocks, askedNanos));
    return blocks;
  }

  private void remember(Key key, Answer answer) {
    synchronized (answers) {
      answers.put(key, answer);
      Iterator<Key> oldest = answers.keySet().iterator();
      while (answers.size() > ANSWERS_MOST) {
        oldest.next();
        oldest.remove();
      }
    }
  }

  @Override
  public void forget(GroupId group, int unit) {
    synchronized (answers) {
      answers.remove(new Key(group, unit));
    }
  }
}
