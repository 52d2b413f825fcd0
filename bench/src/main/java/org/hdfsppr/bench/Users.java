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
package org.hdfsppr.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.read.PlacedUser;
import org.hdfsppr.bench.read.ReadResult;
import org.hdfsppr.bench.read.UserHabits;

/** Clients that read at random, each in a process of its own at a place of its own. */
final class Users implements Closeable {

  /** What all users have read between a {@link #begin} and an {@link #end}. */
  static final class Phase {
    /** The length of the phase, seconds. */
    final double seconds;
    private final List<ReadResult> results;

    /** @param results one result for each length of reads */
    Phase(double seconds, List<ReadResult> results) {
      this.seconds = seconds;
      this.results = List.copyOf(results);
    }

    /** Returns the result of the reads of one length, by its index in the habits. */
    ReadResult result(int length) {
      return results.get(length);
    }

    /** Returns megabytes (10^6 bytes) per second of reads of one length. */
    double megabytesPerSecond(int length) {
      return results.get(length).bytes / 1e6 / seconds;
    }

    /** Returns bytes per second of all reads. */
    double bytesPerSecond() {
      return results.stream().mapToLong(result -> result.bytes).sum() / seconds;
    }

    List<String> complaints() {
      return results.stream().map(result -> result.complaint).filter(one -> !one.isEmpty())
          .map(one -> "users: " + one).collect(Collectors.toList());
    }
  }

  private final List<PlacedUser> users = new ArrayList<>();
  private final int lengths;
  private long beganNanos;

  private Users(int lengths) {
    this.lengths = lengths;
  }

  /** Starts users at the places 1 to {@code count}; each has a seed of its own. */
  static Users start(HdfsProcessCluster cluster, int count, boolean jar, UserHabits habits)
      throws IOException, InterruptedException {
    Users all = new Users(habits.readBytes.size());
    boolean up = false;
    try {
      for (int place = 1; place <= count; place++) {
        all.users.add(PlacedUser.start(cluster, place, jar, habits.withSeed(place)));
      }
      up = true;
      return all;
    } finally {
      if (!up) {
        all.close();
      }
    }
  }

  void begin() throws IOException {
    for (PlacedUser user : users) {
      user.begin();
    }
    beganNanos = System.nanoTime();
  }

  /** Ends a phase. Reads that are under way come to their end and count. */
  Phase end() throws IOException {
    for (PlacedUser user : users) {
      user.end();
    }
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    List<List<ReadResult>> byUser = new ArrayList<>();
    for (PlacedUser user : users) {
      byUser.add(user.results());
    }
    List<ReadResult> together = new ArrayList<>();
    for (int i = 0; i < lengths; i++) {
      int length = i;
      together.add(ReadResult.together(
          byUser.stream().map(each -> each.get(length)).collect(Collectors.toList())));
    }
    return new Phase(seconds, together);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (PlacedUser user : users) {
      try {
        user.close();
      } catch (IOException e) {
        // The other users have to end, too.
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
