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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.hdfsppr.it.convert.OldVersions;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionPoint;

/**
 * When a harm comes: when some versions have passed a named moment and the next one stands there,
 * or at any time while versions are made.
 */
final class HarmMoment {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);

  /** The graces of old versions end within this time of the command's end, if any was published. */
  private static final Duration CLEANING_LIMIT = Duration.ofSeconds(6);

  /** A conversion of some files takes about as long. */
  private static final int ANY_MS_MAX = 8_000;

  /** The share of harms at no named moment. */
  private static final double ANY_SHARE = 0.3;

  private final VersionsCluster cluster;
  /** The named moment, or null for any. */
  final VersionPoint point;
  private final int pass;
  private final int anyMs;

  private HarmMoment(VersionsCluster cluster, VersionPoint point, int pass, int anyMs) {
    this.cluster = cluster;
    this.point = point;
    this.pass = pass;
    this.anyMs = anyMs;
  }

  /**
   * Chooses a moment.
   *
   * @param versions how many versions are made at the same time
   */
  static HarmMoment choose(VersionsCluster cluster, Random random, int versions) {
    VersionPoint point = random.nextDouble() < ANY_SHARE ? null
        : VersionPoint.ofConversions()[random.nextInt(VersionPoint.ofConversions().length)];
    return new HarmMoment(cluster, point, random.nextInt(versions), random.nextInt(ANY_MS_MAX));
  }

  /** Lets the NameNode stop when the moment comes. */
  void request() throws IOException {
    if (point == null) {
      cluster.stops.clear();
    } else {
      cluster.stops.request(point, pass);
    }
  }

  /**
   * Waits for the moment, or for the command's end if that comes first.
   *
   * @return whether a version stands at the named moment
   */
  boolean await(PprCommand command, String what)
      throws IOException, InterruptedException, TimeoutException {
    if (point == null) {
      OldVersions work = new OldVersions(cluster.processes, cluster.client());
      Await.until(() -> "a version, or the end of the command: " + what, LIMIT, POLL,
          () -> !work.versions().isEmpty() || command.hasEnded());
      // This is no condition but the harm itself, which comes at any moment.
      TimeUnit.MILLISECONDS.sleep(anyMs);
      return false;
    }
    long laterNs = point.compareTo(VersionPoint.CLEANING) < 0 ? 0 : CLEANING_LIMIT.toNanos();
    long[] endNs = {Long.MAX_VALUE};
    Await.until(() -> "a stop, or the end of the command: " + what, LIMIT, POLL, () -> {
      if (command.hasEnded()) {
        endNs[0] = Math.min(endNs[0], System.nanoTime() + laterNs);
      }
      return cluster.stops.isStopped() || System.nanoTime() >= endNs[0];
    });
    return cluster.stops.isStopped();
  }

  @Override
  public String toString() {
    return point == null ? "a random moment" : point + " of version " + (pass + 1);
  }
}
