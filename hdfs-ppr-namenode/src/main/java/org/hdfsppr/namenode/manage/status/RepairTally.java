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
package org.hdfsppr.namenode.manage.status;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.EndReason;

/**
 * Counts the repairs that have ended, by codec and reason, and the times of those that were done,
 * by codec.
 *
 * <p>Names of codecs come from users' policies, so the number of codecs is bounded: the codecs
 * after the first {@value #CODECS_MAX} are counted together. Thread-safe.
 */
@InterfaceAudience.Private
public final class RepairTally {
  /** The greatest number of codecs that are counted apart. A cluster uses fewer codecs. */
  public static final int CODECS_MAX = 16;
  /** The name under which all codecs that are not counted apart are counted together. */
  public static final String OTHER = "other";
  /**
   * The upper bounds of the classes of repair times, seconds. A repair of a small block on a fast
   * network takes tenths of a second, and a repair on a busy network takes minutes.
   */
  private static final double[] TIME_BOUNDS_SECONDS =
      {0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800};

  private final Map<String, OfCodec> codecs = new TreeMap<>();

  /** The counts of one codec. Guarded by the tally. */
  private static final class OfCodec {
    private final Map<EndReason, Count> counts = new EnumMap<>(EndReason.class);
    private final Durations times = new Durations(TIME_BOUNDS_SECONDS);
  }

  /** How many repairs of one codec have ended for one reason. Immutable. */
  public static final class Count {
    /** The name of the codec, as a policy has it, or {@link RepairTally#OTHER} */
    public final String codec;
    /** Why the repairs have ended */
    public final EndReason reason;
    /** How many repairs have ended */
    public final long repairs;
    /** How many units they have rebuilt; 0 unless they are done */
    public final long units;
    /** How many bytes these units have */
    public final long bytes;

    private Count(String codec, EndReason reason, long repairs, long units, long bytes) {
      this.codec = codec;
      this.reason = reason;
      this.repairs = repairs;
      this.units = units;
      this.bytes = bytes;
    }

    private Count plus(long moreUnits, long moreBytes) {
      return new Count(codec, reason, repairs + 1, units + moreUnits, bytes + moreBytes);
    }
  }

  /**
   * Counts a repair that is done.
   *
   * @param codec the codec of the group, as its policy names it
   * @param units how many units were rebuilt
   * @param bytes how many bytes these units have
   * @param nanos the time from the plan to the block report, ns
   */
  synchronized void done(String codec, int units, long bytes, long nanos) {
    count(codec, EndReason.REBUILT, units, bytes).times.add(nanos);
  }

  /**
   * Counts a repair that has ended without being done.
   *
   * @param codec the codec of the group, as its policy names it
   * @param reason why the repair has ended
   */
  synchronized void ended(String codec, EndReason reason) {
    count(codec, reason, 0, 0);
  }

  private OfCodec count(String codec, EndReason reason, int units, long bytes) {
    String name = codecs.containsKey(codec) || apart() < CODECS_MAX ? codec : OTHER;
    OfCodec one = codecs.computeIfAbsent(name, any -> new OfCodec());
    one.counts.put(reason, one.counts
        .getOrDefault(reason, new Count(name, reason, 0, 0, 0)).plus(units, bytes));
    return one;
  }

  private int apart() {
    return codecs.size() - (codecs.containsKey(OTHER) ? 1 : 0);
  }

  /**
   * @return the counts, by codec and reason; a pair that has not occurred is not in the list, which
   *     has at most (1 + {@value #CODECS_MAX}) entries for each reason
   */
  public synchronized List<Count> counts() {
    List<Count> all = new ArrayList<>();
    codecs.values().forEach(codec -> all.addAll(codec.counts.values()));
    return all;
  }

  /** @return the times of the repairs that are done, by codec */
  public synchronized Map<String, Durations.Snapshot> times() {
    Map<String, Durations.Snapshot> all = new TreeMap<>();
    codecs.forEach((name, codec) -> all.put(name, codec.times.snapshot()));
    return all;
  }
}
