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
package org.hdfsppr.it.read;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.apache.hadoop.fs.FSDataInputStream;

/**
 * A reading thread. It has a stream of its own for each file, and uses shared streams for some
 * positional reads.
 */
final class RandomReader implements Callable<Void> {
  /** The greatest length of a read. A cell has 1 MiB, so a read touches up to four cells. */
  private static final double BYTES_MAX = 2.5 * (1 << 20);
  /**
   * One of this number of reads opens its stream again. The two constants below say the same of
   * reads from shared streams and of reads at a cell's edge.
   */
  private static final int REOPEN_ONE_OF = 20;
  private static final int SHARE_ONE_OF = 4;
  private static final int ALIGN_ONE_OF = 4;

  /** The number of random places to try until one of them is in a lost unit. */
  private static final int PLACES = 3;
  /** The interval at which an idle thread checks for work. */
  private static final int IDLE_MS = 10;

  private final ReadCluster cluster;
  private final List<ReadFile> files;
  private final SharedStreams shared;
  private final Losses losses;
  private final Random random;
  private final Semaphore quota;
  private final BooleanSupplier over;
  private final Map<ReadFile, FSDataInputStream> streams = new HashMap<>();
  final Map<ReadCall, Integer> calls = new EnumMap<>(ReadCall.class);
  final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong decoded = new AtomicLong();
  /** All open streams of this thread were opened after this number of undone losses. */
  private volatile long knownReturns;

  /**
   * @param quota the reads that all threads together may still do
   * @param over returns whether the quota grows no more
   */
  RandomReader(ReadCluster cluster, List<ReadFile> files, SharedStreams shared, Losses losses,
      long seed, Semaphore quota, BooleanSupplier over) {
    this.cluster = cluster;
    this.files = files;
    this.shared = shared;
    this.losses = losses;
    this.random = new Random(seed);
    this.quota = quota;
    this.over = over;
    this.knownReturns = losses.returns();
  }

  @Override
  public Void call() throws IOException, InterruptedException {
    try {
      while (complaints.isEmpty()) {
        boolean granted = quota.tryAcquire(IDLE_MS, TimeUnit.MILLISECONDS);
        long returns = losses.returns();
        if (returns != knownReturns) {
          closeAll();
          knownReturns = returns;
        }
        if (granted) {
          readOnce();
        } else if (over.getAsBoolean()) {
          break;
        }
      }
    } finally {
      closeAll();
      // No caller waits for a thread that has ended.
      knownReturns = Long.MAX_VALUE;
    }
    return null;
  }

  private void readOnce() throws IOException {
    ReadFile file = files.get(random.nextInt(files.size()));
    ReadCall call = ReadCall.values()[random.nextInt(ReadCall.values().length)];
    long at = place(file);
    if (random.nextInt(ALIGN_ONE_OF) == 0) {
      at = Math.max(0, Math.min(file.length - 1,
          at / file.code.cellBytes() * file.code.cellBytes() + random.nextInt(7) - 3));
    }
    long offset = call.offsetOf(file, at);
    // The lengths are distributed evenly on a logarithmic scale, so short reads are as frequent as
    // long ones.
    int wanted = (int) Math.exp(random.nextDouble() * Math.log(BYTES_MAX));
    int length = call.lengthOf(file, offset,
        (int) Math.max(1, Math.min(wanted, file.length - offset)));
    Losses before = losses.copy();
    int read;
    try {
      read = call.read(isPositional(call) && random.nextInt(SHARE_ONE_OF) == 0
          ? shared.stream(file, knownReturns) : stream(file), file, offset, length, random);
    } catch (Exception | AssertionError e) {
      complaints.add(call + " of " + length + " bytes at " + offset + " of " + file + " with "
          + losses + ": " + stack(e));
      return;
    }
    calls.merge(call, 1, Integer::sum);
    if (before.mustBeDecoded(file, offset, read) && losses.mustBeDecoded(file, offset, read)
        && losses.returns() == before.returns()) {
      decoded.incrementAndGet();
    }
  }

  /** Returns a random offset, which is in a lost unit somewhat more often than by chance. */
  private long place(ReadFile file) {
    long at = 0;
    for (int i = 0; i < PLACES; i++) {
      at = (long) (random.nextDouble() * file.length);
      if (losses.mustBeDecoded(file, at, 1)) {
        break;
      }
    }
    return at;
  }

  /**
   * Returns whether a call leaves the stream's position alone. Several threads may make such calls
   * at once.
   */
  private static boolean isPositional(ReadCall call) {
    return call == ReadCall.PREAD_FULLY || call == ReadCall.BYTE_BUFFER_PREAD
        || call == ReadCall.BYTE_BUFFER_PREAD_FULLY || call == ReadCall.READ_VECTORED;
  }

  private FSDataInputStream stream(ReadFile file) throws IOException {
    FSDataInputStream open = streams.get(file);
    if (open != null && random.nextInt(REOPEN_ONE_OF) == 0) {
      open.close();
      open = null;
    }
    if (open == null) {
      open = cluster.reader().open(file.path);
      streams.put(file, open);
    }
    return open;
  }

  private void closeAll() throws IOException {
    for (FSDataInputStream stream : streams.values()) {
      stream.close();
    }
    streams.clear();
  }

  private static String stack(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Returns whether all streams of this thread were opened after this number of undone losses. */
  boolean knows(long returns) {
    return knownReturns >= returns;
  }

  /** Returns how many reads returned bytes that no node could serve. */
  long decoded() {
    return decoded.get();
  }
}
